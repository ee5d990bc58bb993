/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "input/json_in.h"
#include "plan/pass.h"
#include "serve/pieces.h"

static enum hs_status unknown(const char *what, const char *name, const char *const *names, int n, struct hs_error *err)
{
  struct hs_text list = {0};
  for (int i = 0; i < n; i++) hs_text_addf(&list, "%s%s", i ? ", " : "", names[i]);
  int near = hs_nearest(name, names, n);
  hs_fail(err, HS_USAGE, "there is no %s \"%.60s\"%s%s%s (there are: %s)", what, name, near >= 0 ? "; did you mean " : "",
          near >= 0 ? names[near] : "", near >= 0 ? "?" : "", list.s);
  hs_text_free(&list);
  return err->status;
}

enum hs_status hs_setup_policy(const char *name, const struct hs_policy **policy, struct hs_error *err)
{
  const char *names[64];
  *policy = NULL;
  if (!name) return HS_OK;
  *policy = hs_policy_find(name);
  for (int i = 0; i < hs_n_policies && i < 64; i++) names[i] = hs_policies[i]->name;
  return *policy ? HS_OK : unknown("policy", name, names, hs_n_policies, err);
}

static enum hs_status find_runtime(const char *name, const struct hs_runtime **rt, struct hs_error *err)
{
  const char *names[16];
  *rt = hs_runtime_find(name);
  for (int i = 0; i < hs_n_runtimes && i < 16; i++) names[i] = hs_runtimes[i].name;
  return *rt ? HS_OK : unknown("runtime", name, names, hs_n_runtimes, err);
}

/* Index of a word that may be absent (-1). */
static enum hs_status find_word(const char *option, const char *name, const char *const *words, int *out, struct hs_error *err)
{
  int n = 0;
  *out = -1;
  if (!name) return HS_OK;
  while (words[n]) n++;
  for (int i = 0; i < n; i++)
    if (strcmp(words[i], name) == 0) *out = i;
  return *out >= 0 ? HS_OK : unknown(option, name, words, n, err);
}

static enum hs_status read_profiles(struct hs_setup *s, const struct hs_runtime *rt, struct hs_error *err)
{
  HS_TRY(hs_catalog_profile(&s->catalog, s->soc->name, rt->name, &s->own, err));
  HS_TRY(hs_catalog_profile(&s->catalog, "any", rt->name, &s->estimate, err));
  return s->estimate ? HS_OK : hs_fail(err, HS_IO, "%s/socs/profiles/any-%s.json is missing", s->catalog.root, rt->name);
}

/* What the policy needs must be there before anything else is asked of the names. */
static enum hs_status check_needs(const struct hs_setup *s, const struct hs_policy *policy, struct hs_error *err)
{
  if (policy && policy->needs && hs_soc_find(s->soc, policy->needs) < 0)
    return hs_fail(err, HS_USAGE, "policy %s needs a %s, and %s has none", policy->name, policy->needs, s->soc->name);
  return HS_OK;
}

enum hs_status hs_setup_system(struct hs_setup *s, const struct hs_request *req, struct hs_error *err)
{
  struct hs_settings settings = {.threads = req->threads, .frequency = req->frequency};
  HS_TRY(hs_optimisations_parse(req->opt, &s->opt, err));
  if (req->precision && s->opt.precision) return hs_fail(err, HS_USAGE, "--opt: quantize and --precision both set the precision");
  const char *precision = s->opt.precision ? s->opt.precision : req->precision;
  HS_TRY(hs_setup_policy(req->policy, &s->policy, err));
  struct hs_preferences wish = {.runtime = "tflite"};
  if (s->policy) {
    HS_TRY(hs_policy_values(s->policy, req->params, req->n_params, s->values, err));
    wish = hs_policy_preferences(s->policy, s->values);
  }
  HS_TRY(find_runtime(req->runtime ? req->runtime : wish.runtime, &settings.runtime, err));
  HS_TRY(find_word("precision", precision, hs_precision_names, &settings.precision, err));
  HS_TRY(find_word("memory type", req->memory_type ? req->memory_type : wish.memory_type, hs_memory_type_names, &settings.memory_type, err));
  if (!precision && s->policy) settings.precision = (int)wish.precision;
  HS_TRY(hs_catalog_open(&s->catalog, err));
  HS_TRY(hs_catalog_soc(&s->catalog, req->soc, &s->soc, err));
  HS_TRY(check_needs(s, s->policy, err));
  HS_TRY(read_profiles(s, settings.runtime, err));
  const struct hs_system_files files = {s->own, s->estimate, hs_catalog_table, &s->catalog};
  return hs_system_make(&s->sys, s->soc, &settings, &files, err);
}

/* --- networks --- */

/* Cuts "NAME[@RATEfps][:POLICY]" into its parts. A colon that is part of a file name has a slash after it. */
static enum hs_status cut_label(struct hs_setup *s, const char *label, struct hs_network *n, char **model, struct hs_error *err)
{
  char *colon, *at, *end;
  *model = hs_arena_strdup(&s->arena, label);
  n->label = label;
  n->policy = s->policy;
  n->deadline_s = INFINITY;
  if ((colon = strrchr(*model, ':')) && !strchr(colon, '/')) {
    *colon = 0;
    HS_TRY(hs_setup_policy(colon + 1, &n->policy, err));
    HS_TRY(check_needs(s, n->policy, err));
  }
  if (!(at = strrchr(*model, '@')) || strchr(at, '/')) return HS_OK;
  double rate = strtod(at + 1, &end);
  if (end == at + 1 || strcmp(end, "fps") != 0 || !(rate > 0 && rate <= 1000))
    return hs_fail(err, HS_USAGE, "%.80s: \"%.40s\" is not a rate: write NAME@30fps, in (0, 1000]", label, at + 1);
  *at = 0;
  n->period_s = n->deadline_s = 1 / rate; /* a frame must be done before the next one comes */
  return HS_OK;
}

/* The passes asked for around the runtime's own. */
static enum hs_status optimise(struct hs_setup *s, struct hs_network *n, struct hs_error *err)
{
  struct hs_graph *g = NULL;
  HS_TRY(hs_optimise_frontend(&s->opt, n->file_graph, &g, err));
  n->graph = hs_pass_fuse(g, s->sys.runtime);
  hs_graph_free(g);
  return hs_optimise_backend(&s->opt, &n->graph, err);
}

static enum hs_status read_network(struct hs_setup *s, const char *label, struct hs_error *err)
{
  struct hs_network *n = &s->networks[s->n_networks++];
  char *model;
  HS_TRY(cut_label(s, label, n, &model, err));
  HS_TRY(hs_catalog_workload(&s->catalog, model, &n->file_graph, err));
  HS_TRY(optimise(s, n, err));
  if (!n->policy) return HS_OK;
  if (n->policy == s->policy)
    memcpy(n->values, s->values, sizeof n->values);
  else
    HS_TRY(hs_policy_values(n->policy, NULL, 0, n->values, err));
  return HS_OK;
}

enum hs_status hs_setup_networks(struct hs_setup *s, const struct hs_request *req, struct hs_error *err)
{
  if (req->n_more >= HS_NETWORKS_MAX) return hs_fail(err, HS_USAGE, "more than %d networks at a time", HS_NETWORKS_MAX);
  HS_TRY(read_network(s, req->model, err));
  for (int i = 0; i < req->n_more; i++) HS_TRY(read_network(s, req->more[i], err));
  s->graph = s->networks[0].graph;
  return HS_OK;
}

static double wall_clock_s(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What can't be lowered is told before anything runs. */
static enum hs_status lower_whole(const struct hs_setup *s, const struct hs_network *n, double *memory_bytes, struct hs_error *err)
{
  const struct hs_placement *pl = n->plan.alternatives[0];
  const struct hs_program *whole = pl->partial ? NULL : hs_pieces_get(n->pieces, 0, 0, pl->n_ops, err);
  if (!whole) return pl->partial ? HS_OK : err->status;
  *memory_bytes += whole->peak_memory_bytes;
  if (*memory_bytes <= s->soc->memory.capacity_bytes) return HS_OK;
  char a[32], b[32];
  return hs_fail(err, HS_INPUT, "the networks up to %s need %s of memory together, %s has %s", n->label, hs_si(*memory_bytes, "B", a, sizeof a),
                 s->soc->name, hs_si(s->soc->memory.capacity_bytes, "B", b, sizeof b));
}

static bool runs_in(const struct hs_setup *s, const struct hs_network *n, const char *precision)
{
  for (int a = 0; a < n->plan.n; a++)
    for (int i = 0; i < n->plan.alternatives[a]->n_ops; i++) {
      const struct hs_op_placement *op = &n->plan.alternatives[a]->ops[i];
      for (int k = 0; k < op->n_parts; k++)
        if (strcmp(hs_precision_names[s->sys.backends[op->parts[k].processor].precision], precision) == 0) return true;
    }
  return false;
}

/* A precision that nothing of the plan computes in would change nothing. */
static enum hs_status check_quantize(const struct hs_setup *s, const struct hs_network *n, struct hs_error *err)
{
  if (!s->opt.precision || runs_in(s, n, s->opt.precision)) return HS_OK;
  return hs_fail(err, HS_INPUT, "--opt: quantize=%s on %s: no processor of %s that policy %s uses computes in it under runtime %s", s->opt.precision,
                 n->graph->name, s->soc->name, n->policy->name, s->sys.runtime->name);
}

static enum hs_status plan_memory(struct hs_setup *s, struct hs_error *err)
{
  if (!s->opt.on[HS_OPT_MEMPLAN]) return HS_OK;
  if (s->program) return hs_optimise_memory(s->program, &s->memory, err);
  return hs_fail(err, HS_USAGE, "--opt: memplan: policy %s starts pieces, and each has an arena of its own", s->networks[0].policy->name);
}

enum hs_status hs_setup_plan(struct hs_setup *s, struct hs_error *err)
{
  double memory_bytes = 0;
  for (int i = 0; i < s->n_networks; i++) {
    struct hs_network *n = &s->networks[i];
    const struct hs_view view = {&s->sys, n->graph, n->values};
    double start = wall_clock_s();
    n->plan = (struct hs_plan){.arena = &s->arena, .graph = n->graph};
    HS_TRY(hs_policy_plan(n->policy, &view, &n->plan, err));
    n->planning_s = wall_clock_s() - start;
    HS_TRY(check_quantize(s, n, err));
    n->pieces = hs_pieces_new(&s->sys, n);
    HS_TRY(lower_whole(s, n, &memory_bytes, err));
  }
  s->graph = hs_network_graph(&s->networks[0], 0);
  s->placement = s->networks[0].plan.alternatives[0];
  if (!s->placement->partial) s->program = hs_pieces_get(s->networks[0].pieces, 0, 0, s->placement->n_ops, NULL);
  return plan_memory(s, err);
}

static enum hs_status make_with(struct hs_setup *s, const struct hs_request *req, struct hs_error *err)
{
  HS_TRY(hs_setup_system(s, req, err));
  HS_TRY(hs_setup_networks(s, req, err));
  return hs_setup_plan(s, err);
}

enum hs_status hs_setup_make(struct hs_setup *s, const struct hs_request *req, struct hs_error *err)
{
  enum hs_status status = make_with(s, req, err);
  if (status != HS_INPUT || req->runtime || !s->graph) return status;
  const char *first = s->sys.runtime->name;
  for (int i = 0; i < hs_n_runtimes; i++) {
    struct hs_request other = *req;
    struct hs_error ignored;
    other.runtime = hs_runtimes[i].name;
    if (strcmp(other.runtime, first) == 0) continue;
    hs_setup_free(s);
    *s = (struct hs_setup){0};
    if (make_with(s, &other, &ignored) == HS_OK) return HS_OK;
  }
  return status;
}

void hs_setup_free(struct hs_setup *s)
{
  for (int i = 0; i < s->n_networks; i++) {
    struct hs_network *n = &s->networks[i];
    hs_pieces_free(n->pieces);
    for (int k = 0; k < n->plan.n; k++) hs_placement_release(n->plan.alternatives[k]);
    hs_graph_free(n->graph);
    hs_graph_free(n->file_graph);
  }
  hs_profile_free(s->own);
  hs_profile_free(s->estimate);
  hs_soc_free(s->soc);
  hs_catalog_close(&s->catalog);
  hs_arena_free(&s->arena);
}
