/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/optimise.h"

#include <stdio.h>
#include <string.h>

#include "base/spelling.h"
#include "base/text.h"

static const char *const names[HS_OPT_N + 1] = {"prune", "lowrank", "quantize", "fuse", "memplan", "reuse", NULL};

#define STUDY "Liu et al., Deep Learning Inference on Heterogeneous Mobile Processors: Potentials and Pitfalls, 2024, Table 4 (Snapdragon 855, model not named)"
static const struct hs_reuse reuses[] = {
  {"1", 93.2e-3, 99.8e-3, 47, 49, STUDY},
  {"2", 86.2e-3, 99.8e-3, 42, 49, STUDY},
};

/* --- reading the list --- */

static enum hs_status needs(enum hs_opt pass, const char *value, const char *rule, struct hs_error *err)
{
  return hs_fail(err, HS_USAGE, "--opt: %s%s%.24s: %s", names[pass], value ? "=" : "", value ? value : "", rule);
}

static bool is_ratio(const char *value, double *ratio) { return value && hs_decimal_parse(value, ratio) && *ratio > 0 && *ratio < 1; }

static enum hs_status take_ratio(struct hs_optimisations *o, enum hs_opt pass, const char *value, struct hs_error *err)
{
  if (is_ratio(value, &o->ratio[pass])) return HS_OK;
  return needs(pass, value, "it takes a ratio between 0 and 1, as in 0.3", err);
}

static enum hs_status take_value(struct hs_optimisations *o, enum hs_opt pass, const char *value, struct hs_error *err)
{
  switch (pass) {
  case HS_OPT_PRUNE:
  case HS_OPT_LOWRANK: return take_ratio(o, pass, value, err);
  case HS_OPT_QUANTIZE:
    for (int k = 0; k < 2 && value; k++) {
      const char *name = hs_precision_names[k ? HS_FP16 : HS_INT8];
      if (strcmp(name, value) == 0) o->precision = name;
    }
    return o->precision ? HS_OK : needs(pass, value, "it takes int8 or fp16", err);
  case HS_OPT_REUSE:
    for (size_t k = 0; k < sizeof reuses / sizeof *reuses && value; k++)
      if (strcmp(reuses[k].name, value) == 0) o->reuse = &reuses[k];
    if (o->reuse || is_ratio(value, &o->ratio[pass])) return HS_OK;
    return needs(pass, value, "it takes a ratio between 0 and 1, the share of a frame's rows that stays, or 1 or 2, the setups that were published", err);
  default: return value ? needs(pass, value, "it takes no value", err) : HS_OK;
  }
}

static enum hs_status take(struct hs_optimisations *o, const char *item, struct hs_error *err)
{
  char name[sizeof o->text[0]];
  int pass = 0;
  snprintf(name, sizeof name, "%s", item);
  char *value = strchr(name, '=');
  if (value) *value++ = 0;
  while (pass < HS_OPT_N && strcmp(names[pass], name) != 0) pass++;
  if (pass == HS_OPT_N) return hs_fail_unknown(err, name, names, HS_OPT_N, "--opt: there is no pass");
  if (o->on[pass]) return hs_fail(err, HS_USAGE, "--opt: %s is named twice", name);
  HS_TRY(take_value(o, (enum hs_opt)pass, value, err));
  o->on[pass] = true;
  strcpy(o->text[o->n], item);
  o->order[o->n++] = (enum hs_opt)pass;
  return HS_OK;
}

enum hs_status hs_optimisations_parse(const char *list, struct hs_optimisations *o, struct hs_error *err)
{
  *o = (struct hs_optimisations){0};
  for (const char *next; list; list = next) {
    size_t n = strcspn(list, ",");
    char item[sizeof o->text[0]];
    next = list[n] ? list + n + 1 : NULL;
    if (n == 0) return hs_fail(err, HS_USAGE, "--opt: a pass has no name; write PASS or PASS,PASS, as in prune=0.3,fuse");
    if (n >= sizeof item) return hs_fail(err, HS_USAGE, "--opt: \"%.40s…\" is longer than any pass with its value", list);
    snprintf(item, sizeof item, "%.*s", (int)n, list);
    HS_TRY(take(o, item, err));
  }
  return HS_OK;
}

/* --- the passes --- */

typedef struct hs_graph *(*rewrite)(const struct hs_graph *g, double ratio, char *why, size_t size);

static enum hs_status apply(const struct hs_optimisations *o, int i, rewrite pass, struct hs_graph **g, struct hs_error *err)
{
  char why[400];
  struct hs_graph *before = *g;
  *g = pass(before, o->ratio[o->order[i]], why, sizeof why);
  const char *name = before->name;
  enum hs_status status = *g ? HS_OK : hs_fail(err, HS_INPUT, "--opt: %s on %s: %s", o->text[i], name, why);
  hs_graph_free(before);
  return status;
}

enum hs_status hs_optimise_frontend(const struct hs_optimisations *o, const struct hs_graph *g, struct hs_graph **out, struct hs_error *err)
{
  *out = hs_pass_order(g, NULL);
  for (int i = 0; i < o->n; i++) {
    if (o->order[i] == HS_OPT_PRUNE) HS_TRY(apply(o, i, hs_pass_prune, out, err));
    if (o->order[i] == HS_OPT_LOWRANK) HS_TRY(apply(o, i, hs_pass_lowrank, out, err));
  }
  for (int i = 0; i < o->n; i++)
    if (o->order[i] == HS_OPT_REUSE && !o->reuse) HS_TRY(apply(o, i, hs_pass_reuse, out, err)); /* it is of rows: what the others leave has them */
  return HS_OK;
}

enum hs_status hs_optimise_backend(const struct hs_optimisations *o, const struct hs_system *sys, struct hs_graph **g, struct hs_error *err)
{
  if (!o->on[HS_OPT_FUSE]) return HS_OK;
  struct hs_graph *fused = hs_pass_rules(sys, *g);
  if (!fused)
    return hs_fail(err, HS_INPUT, "--opt: fuse on %s: no rule applies to what the runtime's converter left, or only where a processor would lose an operator",
                   (*g)->name);
  hs_graph_free(*g);
  *g = fused;
  return HS_OK;
}

enum hs_status hs_optimise_memory(const struct hs_program *program, struct hs_memplan *plan, struct hs_error *err)
{
  hs_memplan(program->buffers, program->n_buffers, NULL, plan);
  if (plan->arena_bytes < plan->unshared_bytes) return HS_OK;
  return hs_fail(err, HS_INPUT, "--opt: memplan on %s: no two of its buffers can share memory", program->graph->name);
}
