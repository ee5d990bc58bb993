/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reuse between frames: rows that operators compute, by hand and against the original network's windows row by row, wherever in
 * the frame the change is; what is kept for the next frame; and that less changes, less is computed. */
#include "tests/model/rig.h"

#include "input/catalog.h"
#include "plan/optimise.h"

#define IN RIG_IN("i", "1, 16, 8, 4")
#define CONV(name, in, k, stride) \
  RIG_OP(name, "Conv", "'" in "'", ", 'channels': 4, 'kernel': [" #k ", " #k "], 'stride': [" #stride ", " #stride "], 'pad': 'same'")

static struct hs_graph *reuse(const struct hs_graph *g, double ratio)
{
  char why[200] = "";
  struct hs_graph *out = hs_pass_reuse(g, ratio, why, sizeof why);
  ck_assert_msg(out != NULL, "%s: %s", g->name, why);
  return out;
}

static struct hs_graph *reuse_text(const char *text, double ratio)
{
  struct hs_graph *g = rig_read_graph(text), *out = reuse(g, ratio);
  hs_graph_free(g);
  return out;
}

/* NULL where there is none. */
static const struct hs_tensor *tensor(const struct hs_graph *g, const char *name)
{
  for (int t = 0; t < g->n_tensors; t++)
    if (strcmp(g->tensors[t].name, name) == 0) return &g->tensors[t];
  return NULL;
}

static double rows_of(const struct hs_graph *g, const char *name) { return (double)tensor(g, name)->shape.dim[1]; }

/* 4 of 16 rows change. Windows of 3 and of 5 rows reach 2 and 4 more; at stride 2 rows 6 + 2 of a window of 3 meet ceil(12 / 2). */
START_TEST(windows_reach)
{
  struct hs_graph *out = reuse_text(RIG_NET(IN, "'c'", CONV("a", "i", 3, 1) ", " CONV("b", "a", 5, 1) ", " CONV("c", "b", 3, 2)), 0.75);
  DERIVE("16 · (1 - 0.75)", rows_of(out, "i"), 4);
  DERIVE("4 + 3 - 1", rows_of(out, "a"), 6);
  DERIVE("6 + 5 - 1", rows_of(out, "b"), 10);
  DERIVE("(10 + 3 - 1) / 2", rows_of(out, "c"), 6);
  DERIVE("MACs", hs_graph_macs(out), 8 * 16 * (6 * 9 + 10 * 25) + 4 * 16 * 6 * 9);
  DERIVE("the result is whole", (double)out->tensors[out->outputs[0]].shape.dim[1], 8);
  DERIVE("kept of the frame, for windows at the run's ends", (double)tensor(out, "i")->kept, 12 * 8 * 4);
  DERIVE("kept of the result, to make it whole", (double)tensor(out, "c")->kept, 2 * 4 * 4);
  hs_graph_free(out);
}
END_TEST

START_TEST(one_by_one_keeps_nothing)
{
  struct hs_graph *out = reuse_text(RIG_NET(IN, "'b'", CONV("a", "i", 1, 1) ", " RIG_OP("b", "GlobalAveragePool", "'a'", "")), 0.5);
  DERIVE("rows", rows_of(out, "a"), 8);
  DERIVE("of the frame", (double)tensor(out, "i")->kept, 0);
  DERIVE("of what the mean is of", (double)tensor(out, "a")->kept, 8 * 8 * 4);
  DERIVE("the mean is of all rows", out->ops[out->n_ops - 1].work, 16 * 8 * 4);
  hs_graph_free(out);
}
END_TEST

/* What a ratio lacks in binary doesn't count: 1 - 0.45 of 100 rows is a little more than 55. */
START_TEST(ratios_are_decimal)
{
  struct hs_graph *out = reuse_text(RIG_NET(RIG_IN("i", "1, 100, 16, 4"), "'a'", CONV("a", "i", 1, 1)), 0.45);
  ck_assert_double_gt((1 - 0.45) * 100, 55);
  DERIVE("100 · (1 - 0.45)", rows_of(out, "i"), 55);
  hs_graph_free(out);
}
END_TEST

/* A shortcut has changed in fewer rows than the branch beside it: the sum takes kept ones. */
START_TEST(shortcut)
{
  struct hs_graph *out = reuse_text(RIG_NET(IN, "'s'", CONV("a", "i", 3, 1) ", " CONV("b", "a", 3, 1) ", " RIG_OP("s", "Add", "'b', 'i'", "")), 0.75);
  DERIVE("4 + 2 + 2", rows_of(out, "s"), 8);
  DERIVE("a Pad for the shortcut, one for the result", (double)out->n_ops, 3 + 2);
  hs_graph_free(out);
}
END_TEST

/* A gate that is computed from the whole image changes all rows. */
START_TEST(gate_changes_all)
{
  struct hs_graph *out = reuse_text(RIG_NET(IN, "'c'", CONV("a", "i", 1, 1) ", " RIG_OP("p", "GlobalAveragePool", "'a'", "") ", "
                                            RIG_OP("m", "Mul", "'a', 'p'", "") ", " CONV("c", "m", 3, 1)), 0.75);
  DERIVE("before the gate", rows_of(out, "a"), 4);
  DERIVE("behind it", rows_of(out, "m"), 16);
  DERIVE("and from there on", rows_of(out, "c"), 16);
  hs_graph_free(out);
}
END_TEST

/* What widens rows does so in those of the run, whether it is told by how much or to what. */
START_TEST(wider_rows)
{
  static const char *const how[] = {", 'scale': [1, 2]", ", 'size': [16, 16]"};
  for (int i = 0; i < 4; i++) {
    struct hs_text t = {0};
    hs_text_addf(&t, RIG_NET(IN, "'z'", RIG_OP("z", "%s", "'i'", "%s")), i < 2 ? "ResizeBilinear" : "ResizeNearest", how[i % 2]);
    struct hs_graph *out = reuse_text(t.s, 0.5);
    DERIVE("half of 16", rows_of(out, "z"), 8);
    hs_graph_free(out);
    hs_text_free(&t);
  }
}
END_TEST

/* But to 24 rows of 16 each row isn't repeated as often as the next: nothing tells which of them a run is. */
START_TEST(uneven_rows_are_all_computed)
{
  struct hs_graph *out = reuse_text(RIG_NET(IN, "'z'", CONV("a", "i", 1, 1) ", " RIG_OP("z", "ResizeNearest", "'a'", ", 'size': [24, 16]")), 0.5);
  DERIVE("half of 16", rows_of(out, "a"), 8);
  DERIVE("all", rows_of(out, "z"), 24);
  hs_graph_free(out);
}
END_TEST

/* 5 of 16 rows touch up to 3 blocks of 2 rows, or 6 - and where each second row is taken, 3. */
START_TEST(blocks_and_strides)
{
  struct hs_graph *out = reuse_text(RIG_NET(IN, "'d', 's'", RIG_OP("d", "SpaceToDepth", "'i'", ", 'block_size': 2") ", "
                                            RIG_OP("s", "Slice", "'i'", ", 'begin': [0, 1, 0, 0], 'size': [-1, -1, -1, -1], 'strides': [1, 2, 1, 1]")), 0.7);
  DERIVE("16 · (1 - 0.7)", rows_of(out, "i"), 5);
  DERIVE("ceil((5 + 1) / 2)", rows_of(out, "d"), 3);
  DERIVE("ceil(5 / 2)", rows_of(out, "s"), 3);
  hs_graph_free(out);
}
END_TEST

START_TEST(nothing_to_reuse)
{
  static const struct {
    const char *text;
    double ratio;
  } cases[] = {{RIG_NET(IN, "'a'", CONV("a", "i", 9, 1)), 0.5}, {RIG_NET(RIG_IN("i", "1, 64"), "'a'", RIG_OP("a", "Relu", "'i'", "")), 0.9}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char why[200] = "";
    struct hs_graph *g = rig_read_graph(cases[k].text);
    ck_assert_ptr_null(hs_pass_reuse(g, cases[k].ratio, why, sizeof why));
    ck_assert_str_eq(why, "every operator has to compute all rows of its result");
    hs_graph_free(g);
  }
}
END_TEST

/* --- the zoo, row by row --- */

struct seen {
  int64_t n;      /* rows; 0: the tensor has none, and `all` says whether it changed */
  bool *changed, all;
};

static int64_t n_rows(const struct hs_tensor *t) { return t->shape.rank == 4 ? t->shape.dim[1] : 0; }

static bool any(const struct seen *s)
{
  bool found = s->all;
  for (int64_t i = 0; i < s->n; i++) found |= s->changed[i];
  return found;
}

static bool has_window(const struct hs_operator *op)
{
  return op->type == HS_OP_CONV || op->type == HS_OP_DEPTHWISE_CONV || op->type == HS_OP_MAX_POOL || op->type == HS_OP_AVERAGE_POOL;
}

/* Rows of input k that row i of the result is computed from: [*from, *to). */
static void reads(const struct hs_graph *g, const struct hs_operator *op, int k, int64_t i, int64_t *from, int64_t *to)
{
  int64_t in = n_rows(&g->tensors[op->inputs[k]]), out = n_rows(&g->tensors[op->outputs[0]]);
  const struct hs_attributes *a = &op->at;
  bool row_wise = op->class == HS_CLASS_ELEMENTWISE || op->type == HS_OP_LRN || (op->type == HS_OP_CONCAT && a->axis != 1) ||
                  (op->type == HS_OP_SPLIT && a->axis != 1);
  *from = 0;
  *to = in;
  if (has_window(op)) {
    *from = i * a->stride[0] - a->pad[0];
    *to = *from + (a->kernel[0] - 1) * a->dilation[0] + 1;
  } else if (op->type == HS_OP_PAD && in > 0) {
    *from = i - a->pads[1][0];
    *to = *from + 1;
  } else if (op->type == HS_OP_SLICE && in > 0) {
    *from = a->begin[1] + i * a->strides[1];
    *to = *from + 1;
  } else if (op->type == HS_OP_SPACE_TO_DEPTH) {
    *from = i * a->block_size;
    *to = *from + a->block_size;
  } else if (row_wise && in == out) {
    *from = i;
    *to = i + 1;
  } else if ((op->type == HS_OP_RESIZE_NEAREST || op->type == HS_OP_DEPTH_TO_SPACE) && out % in == 0) {
    *from = i / (out / in);
    *to = *from + 1;
  }
}

static void follow(const struct hs_graph *g, const struct hs_operator *op, struct seen *seen)
{
  for (int o = 0; o < op->n_outputs; o++) {
    struct seen *out = &seen[op->outputs[o]];
    for (int k = 0; k < op->n_inputs; k++) {
      const struct seen *in = &seen[op->inputs[k]];
      if (out->n == 0 || in->n == 0) {
        bool changes = any(in);
        out->all |= changes;
        for (int64_t i = 0; i < out->n; i++) out->changed[i] |= changes;
        continue;
      }
      for (int64_t i = 0; i < out->n; i++) {
        int64_t from, to;
        reads(g, op, k, i, &from, &to);
        for (int64_t r = from < 0 ? 0 : from; r < to && r < in->n && !out->changed[i]; r++) out->changed[i] = in->changed[r];
      }
    }
  }
}

/* As many rows of every input change as `out` takes of it, at its top (0) to its bottom (1): what follows from that is computed in `out`. */
static void compare(const struct hs_graph *g, const struct hs_graph *out, double where)
{
  struct seen *seen = calloc((size_t)g->n_tensors, sizeof *seen);
  for (int t = 0; t < g->n_tensors; t++) {
    seen[t].n = n_rows(&g->tensors[t]);
    seen[t].changed = calloc((size_t)seen[t].n + 1, sizeof(bool));
  }
  for (int i = 0; i < g->n_inputs; i++) {
    struct seen *s = &seen[g->inputs[i]];
    int64_t n = n_rows(&out->tensors[out->inputs[i]]), first = (int64_t)(where * (double)(s->n - n));
    s->all = s->n == 0;
    for (int64_t r = first; r < first + n; r++) s->changed[r] = true;
  }
  for (int i = 0; i < g->n_ops; i++) follow(g, &g->ops[i], seen);
  for (int t = 0; t < g->n_tensors; t++) {
    const struct hs_tensor *now = tensor(out, g->tensors[t].name);
    int64_t n = 0;
    for (int64_t r = 0; r < seen[t].n; r++) n += seen[t].changed[r];
    ck_assert_msg(now != NULL, "%s: %s is lost", g->name, g->tensors[t].name);
    ck_assert_msg(n <= n_rows(now) || now->shape.rank != 4, "%s, %s: %lld rows change, %lld are computed", g->name, now->name, (long long)n,
                  (long long)n_rows(now));
    free(seen[t].changed);
  }
  free(seen);
}

START_TEST(zoo)
{
  static const double ratios[] = {0.02, 0.3, 0.8};
  struct hs_catalog c;
  struct hs_graph *g = NULL;
  struct hs_error err;
  char why[200];
  hs_test_accepted(hs_catalog_open(&c, &err), &err);
  for (int i = 0; i < c.n_names[HS_WORKLOADS]; i++) {
    hs_test_accepted(hs_catalog_workload(&c, c.names[HS_WORKLOADS][i], &g, &err), &err);
    double before = hs_graph_macs(g);
    for (size_t k = 0; k < sizeof ratios / sizeof *ratios; k++) {
      struct hs_graph *out = hs_pass_reuse(g, ratios[k], why, sizeof why);
      bool no_rows = g->ops[0].type == HS_OP_TRANSPOSE || g->ops[0].type == HS_OP_GATHER; /* transformers: what changes is no rows behind that */
      /* 2 % of the rows may be less than the first windows reach */
      ck_assert_msg(no_rows ? !out : out || ratios[k] < 0.8, "%s at %g: %s", g->name, ratios[k], why);
      if (!out) continue;
      ck_assert_double_le(hs_graph_macs(out), before);
      ck_assert_int_eq(hs_graph_params(out), hs_graph_params(g));
      before = hs_graph_macs(out);
      for (int where = 0; where <= 4; where++) compare(g, out, where / 4.0);
      hs_graph_free(out);
    }
    hs_graph_free(g);
  }
  hs_catalog_close(&c);
}
END_TEST

/* --- with the rest --- */

/* After whatever else is asked for, wherever it is named. */
START_TEST(comes_last)
{
  static const char *const list[] = {"reuse=0.75,prune=0.5", "prune=0.5,reuse=0.75"};
  struct hs_graph *g = rig_read_graph(RIG_NET(IN, "'b'", RIG_OP("a", "Conv", "'i'", ", 'channels': 16, 'kernel': [3, 3], 'pad': 'same'")
                                              ", " CONV("b", "a", 1, 1)));
  struct hs_graph *out;
  for (int i = 0; i < 2; i++) {
    struct hs_optimisations o;
    struct hs_error err = {0};
    hs_test_accepted(hs_optimisations_parse(list[i], &o, &err), &err);
    ck_assert_ptr_null(o.reuse);
    hs_test_accepted(hs_optimise_frontend(&o, g, &out, &err), &err);
    DERIVE(list[i], hs_graph_macs(out), 6 * 8 * (9 * 4 * 8 + 8 * 4));
    hs_graph_free(out);
  }
  hs_graph_free(g);
}
END_TEST

/* What is kept stays in memory, besides what lives. */
START_TEST(kept_is_memory)
{
  struct rig r;
  struct hs_error err;
  rig_open(&r, "mace");
  rig_read_network(&r, RIG_NET(IN, "'b'", CONV("a", "i", 3, 1) ", " RIG_OP("b", "GlobalAveragePool", "'a'", "")));
  struct hs_graph *out = reuse(r.graph, 0.75);
  double peak[2];
  for (int with = 0; with < 2; with++) {
    struct hs_program *program = NULL;
    struct hs_placement *pl = hs_placement_new(&r.arena, out->n_ops);
    if (!with) /* the same network of which nothing is kept */
      for (int t = 0; t < out->n_tensors; t++) out->tensors[t].kept = 0;
    for (int i = 0; i < out->n_ops; i++) hs_place_whole(&pl->ops[i], CPU);
    hs_test_accepted(hs_lower(&r.sys, out, pl, &program, &err), &err);
    peak[with] = program->peak_memory_bytes;
    hs_program_free(program);
    hs_graph_free(out);
    out = reuse(r.graph, 0.75);
  }
  DERIVE("12 rows of the frame, 10 of the result, 4 bytes each", peak[1] - peak[0], 4 * 8 * 4 * (12 + 10));
  hs_graph_free(out);
  rig_close(&r);
}
END_TEST

/* Passes that come after it keep what is kept: the activation's result is the convolution's once they are joined. */
START_TEST(joined_activations_keep_it)
{
  struct hs_graph *out = reuse_text(RIG_NET(IN, "'c'", CONV("a", "i", 3, 1) ", " RIG_OP("b", "Relu", "'a'", "") ", " CONV("c", "b", 3, 1)), 0.75);
  struct hs_graph *fused = hs_pass_fuse(out, hs_runtime_find("mace"));
  ck_assert_int_eq(fused->n_ops, out->n_ops - 1);
  DERIVE("of the frame", (double)tensor(fused, "i")->kept, 12 * 8 * 4);
  DERIVE("of what both convolutions lie between", (double)tensor(fused, "a")->kept, 10 * 8 * 4);
  hs_graph_free(fused);
  hs_graph_free(out);
}
END_TEST

/* The pads that it puts in are as a workload's: who lists what operators may be finds the same in them. */
START_TEST(pads_are_as_read)
{
  struct hs_graph *read = rig_read_graph(RIG_NET(IN, "'p'", RIG_OP("p", "Pad", "'i'", ", 'pads': [[0, 0], [0, 4], [0, 0], [0, 0]]")));
  struct hs_operator pad = hs_build_plain(HS_OP_PAD, read->ops[0].block);
  pad.at.n_size = read->ops[0].at.n_size;
  pad.at.pads[1][1] = 4;
  ck_assert_int_eq(memcmp(&pad.at, &read->ops[0].at, sizeof pad.at), 0);
  hs_graph_free(read);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, windows_reach);
  tcase_add_test(t, one_by_one_keeps_nothing);
  tcase_add_test(t, ratios_are_decimal);
  tcase_add_test(t, shortcut);
  tcase_add_test(t, gate_changes_all);
  tcase_add_test(t, wider_rows);
  tcase_add_test(t, uneven_rows_are_all_computed);
  tcase_add_test(t, blocks_and_strides);
  tcase_add_test(t, nothing_to_reuse);
  tcase_add_test(t, zoo);
  tcase_add_test(t, comes_last);
  tcase_add_test(t, kept_is_memory);
  tcase_add_test(t, joined_activations_keep_it);
  tcase_add_test(t, pads_are_as_read);
}

int main(void) { return hs_test_main("reuse", fill); }
