/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints a network as hetsim-workload/1: header keys, then one operator per
 * line in the order it was built. The output depends on the network alone, so
 * that writing it again changes no byte.
 */
#include "zoo.h"

static void put_text(const char *text, FILE *file)
{
	fputc('"', file);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', file);
		fputc(*text, file);
	}
	fputc('"', file);
}

static void put_ints(const int *value, int n, FILE *file)
{
	for (int i = 0; i < n; i++)
		fprintf(file, "%s%d", i ? ", " : "[", value[i]);
	fputc(']', file);
}

static void put_pairs(const int *value, int n, FILE *file)
{
	for (int i = 0; i < n; i += 2) {
		fputs(i ? ", " : "[", file);
		put_ints(value + i, 2, file);
	}
	fputc(']', file);
}

static void put_tensors(const struct zoo *z, const int *x, int n, FILE *file)
{
	for (int i = 0; i < n; i++) {
		fputs(i ? ", " : "[", file);
		put_text(z->tensor[x[i]].name, file);
	}
	fputc(']', file);
}

static void put_attr(const struct zoo *z, const struct zoo_attr *a, FILE *file)
{
	fprintf(file, ", \"%s\": ", a->key);
	switch (a->kind) {
	case ZOO_ATTR_INT: fprintf(file, "%d", a->value[0]); break;
	case ZOO_ATTR_INTS: put_ints(a->value, a->n_values, file); break;
	case ZOO_ATTR_PAIRS: put_pairs(a->value, a->n_values, file); break;
	case ZOO_ATTR_BOOL: fputs(a->value[0] ? "true" : "false", file); break;
	case ZOO_ATTR_TEXT: put_text(a->text, file); break;
	case ZOO_ATTR_TENSORS: put_tensors(z, a->value, a->n_values, file); break;
	}
}

static void put_op(const struct zoo *z, const struct zoo_op *op, FILE *file)
{
	fputs("    {\"name\": ", file);
	put_text(op->name, file);
	fprintf(file, ", \"op\": \"%s\", \"inputs\": ", op->kind);
	put_tensors(z, op->input, op->n_inputs, file);
	for (int i = 0; i < op->n_attrs; i++)
		put_attr(z, &op->attr[i], file);
	fprintf(file, ", \"block\": %d}", op->block);
}

static void put_input(const struct zoo_tensor *t, FILE *file)
{
	fputs("{\"name\": ", file);
	put_text(t->name, file);
	fputs(", \"shape\": ", file);
	put_ints(t->dim, t->rank, file);
	fputc('}', file);
}

static void put_header(const char *key, const char *text, FILE *file)
{
	fprintf(file, "  \"%s\": ", key);
	put_text(text, file);
	fputs(",\n", file);
}

void zoo_write(const struct zoo *z, const struct zoo_network *network, FILE *file)
{
	fputs("{\n", file);
	put_header("format", "hetsim-workload/1", file);
	put_header("name", network->name, file);
	put_header("title", network->title, file);
	put_header("source", network->source, file);
	fputs("  \"inputs\": [", file);
	for (int i = 0; i < z->n_inputs; i++) {
		fputs(i ? ", " : "", file);
		put_input(&z->tensor[z->input[i]], file);
	}
	fputs("],\n  \"outputs\": ", file);
	put_tensors(z, z->output, z->n_outputs, file);
	fputs(",\n  \"ops\": [\n", file);
	for (int i = 0; i < z->n_ops; i++) {
		put_op(z, &z->op[i], file);
		fputs(i + 1 < z->n_ops ? ",\n" : "\n", file);
	}
	fputs("  ]\n}\n", file);
}
