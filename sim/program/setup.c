/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/setup.h"

#include <string.h>

#include "base/text.h"
#include "device/cache.h"
#include "plan/lower.h"
#include "plan/pass.h"
#include "program/lookup.h"
#include "program/model_word.h"
#include "program/progress.h"
#include "serve/pieces.h"

/* Of a runtime, each once. */
static enum hs_status read_profiles(struct hs_setup *s, const struct hs_runtime *rt, struct hs_network *n, struct hs_error *err)
{
  struct hs_profile **own = &s->profiles[rt - hs_runtimes].own, **estimate = &s->profiles[rt - hs_runtimes].estimate;
  if (!*own) HS_TRY(hs_catalog_profile(&s->catalog, s->soc->name, rt->name, own, err));
  if (!*estimate) HS_TRY(hs_catalog_estimate(&s->catalog, s->soc->name, rt, estimate, err));
  n->own = *own;
  n->estimate = *estimate;
  return HS_OK;
}

/* What the policy needs must be there before anything else is asked of the names. */
static enum hs_status check_needs(const struct hs_setup *s, const struct hs_policy *policy, struct hs_error *err)
{
  if (!policy || !policy->needs || hs_soc_find(s->soc, policy->needs) >= 0) return HS_OK;
  for (int p = 0; p < s->soc->n_processors; p++)
    if (strcmp(hs_kind_names[s->soc->processors[p].kind], policy->needs) == 0)
      return hs_fail(err, HS_USAGE, "policy %s goes by the name, and no processor of %s is called %s; that of this kind is \"%s\"", policy->name, s->soc->name,
                     policy->needs, s->soc->processors[p].name);
  return hs_fail(err, HS_USAGE, "policy %s needs %s %s, and %s has none", policy->name, *policy->needs == 'n' ? "an" : "a", policy->needs, s->soc->name);
}

enum hs_status hs_setup_scenario(struct hs_catalog *catalog, const struct hs_scenario_options *wanted, const struct hs_soc *soc, struct hs_scenario *s,
                                 struct hs_error *err)
{
  struct hs_scenario_options options = *wanted;
  char path[HS_CATALOG_PATH];
  if (options.file) HS_TRY(hs_catalog_scenario(catalog, options.file, path, err));
  if (options.file) options.file = path;
  return hs_scenario_make(s, &options, soc, err);
}

/* What a policy wants where the user doesn't say; no policy wants nothing. */
static struct hs_preferences wish_of(const struct hs_network *n)
{
  return n->policy ? hs_policy_preferences(n->policy, n->values) : (struct hs_preferences){.runtime = "tflite"};
}

/* An offline profiler measured the idle, cool device; a runtime profiler measures the one there is. */
static struct hs_system profile(const struct hs_setup *s, const struct hs_system *sys)
{
  struct hs_system seen = *sys;
  int cap[HS_PROCESSORS_MAX];
  if (!s->live) return seen;
  hs_scenario_caps(&s->scenario, s->soc, cap, seen.leakage);
  for (int p = 0; p < s->soc->n_processors; p++)
    for (int d = 0; d < s->soc->processors[p].n_domains; d++) {
      int most = hs_system_opp(sys, p, d, cap[p]);
      if (seen.backends[p].opp[d] > most) seen.backends[p].opp[d] = most;
    }
  if (s->scenario.cache_hit_frac >= 0 && s->soc->memory.llc_hit_frac >= 0) seen.traffic = hs_cache_traffic(s->soc, s->scenario.cache_hit_frac);
  return seen;
}

/* Under a runtime. */
static enum hs_status make_system(struct hs_setup *s, struct hs_network *n, const struct hs_runtime *rt, struct hs_error *err)
{
  const struct hs_preferences wish = wish_of(n);
  struct hs_settings settings = s->settings;
  settings.runtime = rt;
  if (s->several && !rt->limits_gpu) settings.gpu_kernel_s = settings.gpu_window = 0; /* of the others: check_gpu_limits() */
  if (settings.precision < 0 && n->policy) settings.precision = (int)wish.precision;
  if (settings.memory_type < 0) HS_TRY(hs_lookup_word("memory type", wish.memory_type, hs_memory_type_names, &settings.memory_type, err));
  HS_TRY(read_profiles(s, rt, n, err));
  const struct hs_system_files files = {n->own, n->estimate, hs_catalog_table, &s->catalog};
  HS_TRY(hs_system_make(&n->sys, s->soc, &settings, &files, err));
  n->sys.slices_seed = s->seed;
  if (s->scenario.living && s->soc->scheduler.latency_s > 0) {
    n->sys.scheduler = &s->soc->scheduler;
    n->sys.rpc_clusters = hs_scenario_rpc_clusters(&s->scenario, s->soc);
  }
  n->profiled = profile(s, &n->sys);
  return HS_OK;
}

/* Under the runtime that was asked for, or else its policy's. */
static enum hs_status make_own_system(struct hs_setup *s, struct hs_network *n, struct hs_error *err)
{
  const struct hs_runtime *rt = s->settings.runtime;
  if (!rt) HS_TRY(hs_lookup_runtime(wish_of(n).runtime, &rt, err));
  return make_system(s, n, rt, err);
}

static enum hs_status read_settings(struct hs_setup *s, const struct hs_run_options *options, struct hs_error *err)
{
  struct hs_settings *set = &s->settings;
  *set = (struct hs_settings){.threads = options->threads, .cores = options->cores, .frequency = options->frequency, .gpu_kernel_s = options->gpu_kernel_s,
                              .gpu_window = options->gpu_window};
  if (options->precision && s->opt.precision) return hs_fail(err, HS_USAGE, "--opt: quantize and --precision both set the precision");
  HS_TRY(hs_lookup_word("precision", s->opt.precision ? s->opt.precision : options->precision, hs_precision_names, &set->precision, err));
  return hs_lookup_word("memory type", options->memory_type, hs_memory_type_names, &set->memory_type, err);
}

/* Its own, or else that of --policy; of the same policy its parameters are on top of those. */
static enum hs_status choose_policy(struct hs_setup *s, struct hs_network *n, const char *spec, struct hs_error *err)
{
  n->policy = s->policy;
  memcpy(n->values, s->values, sizeof n->values);
  if (!spec) return HS_OK;
  HS_TRY(hs_lookup_policy_spec(&s->arena, spec, NULL, 0, &n->policy, n->values, err));
  for (int i = 0; i < n->policy->n_params && n->policy == s->policy; i++)
    if (n->values[i] == n->policy->params[i].fallback) n->values[i] = s->values[i];
  return HS_OK;
}

/* A frequency that was asked for must count somewhere: any governor but userspace sets its own. */
static enum hs_status check_clocks(const struct hs_setup *s, struct hs_error *err)
{
  int kind = -1;
  for (int p = 0; p < s->soc->n_processors && s->scenario.living; p++)
    for (int d = 0; d < s->soc->processors[p].n_domains; d++) {
      const struct hs_governed *g = &s->scenario.governed[p][d];
      if (!(s->sys.clocks_asked & hs_soc_domain_bit(p, d))) continue;
      if (g->kind < 0 || (g->kind == HS_USERSPACE && g->level < 0)) return HS_OK;
      kind = g->kind;
    }
  if (kind < 0) return HS_OK;
  return hs_fail(err, HS_USAGE, "--frequency: the governor, %s, sets these clocks; userspace without a frequency leaves them where --frequency puts them",
                 hs_governor_names[kind]);
}

enum hs_status hs_setup_system(struct hs_setup *s, const struct hs_run_options *options, struct hs_error *err)
{
  static const char *const profilers[] = {"offline", "runtime", NULL};
  struct hs_network first = {0};
  int profiler;
  s->several = options->n_more > 0;
  HS_TRY(hs_optimisations_parse(options->opt, &s->opt, err));
  HS_TRY(hs_lookup_policy_spec(&s->arena, options->policy, options->params, options->n_params, &s->policy, s->values, err));
  HS_TRY(choose_policy(s, &first, options->model ? hs_model_word_policy(options->model) : NULL, err));
  HS_TRY(read_settings(s, options, err));
  if (options->runtime) HS_TRY(hs_lookup_runtime(options->runtime, &s->settings.runtime, err));
  HS_TRY(hs_catalog_open(&s->catalog, err));
  HS_TRY(hs_catalog_soc(&s->catalog, options->soc, &s->soc, err));
  HS_TRY(check_needs(s, s->policy, err));
  HS_TRY(hs_setup_scenario(&s->catalog, &options->scenario, s->soc, &s->scenario, err));
  s->seed = options->seed;
  HS_TRY(hs_lookup_word("profiler", options->profiler, profilers, &profiler, err));
  s->live = profiler == 1;
  HS_TRY(make_own_system(s, &first, err));
  s->sys = first.sys;
  return check_clocks(s, err);
}

/* --- networks --- */

/* What its word says, its policy among it. */
static enum hs_status take_word(struct hs_setup *s, const char *label, struct hs_network *n, const char **model, struct hs_error *err)
{
  struct hs_model_word w;
  HS_TRY(hs_model_word_cut(&s->arena, label, &w, err));
  n->label = label;
  n->pattern = w.pattern;
  n->deadline_s = w.deadline_s;
  n->priority = w.priority;
  *model = w.model;
  HS_TRY(choose_policy(s, n, w.policy, err));
  return check_needs(s, n->policy, err);
}

/* The passes asked for around the runtime's own. */
static enum hs_status optimise(struct hs_setup *s, struct hs_network *n, struct hs_error *err)
{
  struct hs_graph *g = NULL;
  HS_TRY(hs_optimise_frontend(&s->opt, n->file_graph, &g, err));
  n->graph = hs_pass_fuse(g, n->sys.runtime);
  hs_graph_free(g);
  return hs_optimise_backend(&s->opt, &n->sys, &n->graph, err);
}

/* Networks of one model are told apart by their order. The name has neither policy nor rate: the same random numbers for all of them. */
static const char *arrival_stream(struct hs_setup *s, const struct hs_network *n)
{
  int same = 0;
  for (const struct hs_network *k = s->networks; k < n; k++) same += strcmp(k->file_graph->name, n->file_graph->name) == 0;
  return hs_arena_printf(&s->arena, "arrivals %s %d", n->file_graph->name, same);
}

static enum hs_status read_network(struct hs_setup *s, const char *label, uint64_t seed, struct hs_error *err)
{
  struct hs_network *n = &s->networks[s->n_networks++];
  const char *model;
  HS_TRY(take_word(s, label, n, &model, err));
  HS_TRY(hs_catalog_workload(&s->catalog, model, &n->file_graph, err));
  n->seed = seed;
  n->stream = arrival_stream(s, n);
  HS_TRY(make_own_system(s, n, err));
  return optimise(s, n, err);
}

/* What --policy and --param say has to count somewhere: networks may all have policies of their own. */
static enum hs_status check_policy(const struct hs_setup *s, const struct hs_run_options *options, struct hs_error *err)
{
  for (int i = 0; i < s->n_networks; i++)
    if (s->networks[i].policy == s->policy) return HS_OK;
  if (!options->n_params && !strchr(options->policy, ':'))
    return hs_fail(err, HS_USAGE, "--policy: %s has no effect: each network has a policy of its own", s->policy->name);
  return hs_fail(err, HS_USAGE, "parameters of policy %s have no effect: each network has a policy of its own, and none has this", s->policy->name);
}

enum hs_status hs_setup_networks(struct hs_setup *s, const struct hs_run_options *options, struct hs_error *err)
{
  if (options->n_more >= HS_NETWORKS_MAX) return hs_fail(err, HS_USAGE, "more than %d networks at a time", HS_NETWORKS_MAX);
  HS_TRY(read_network(s, options->model, options->seed, err));
  for (int i = 0; i < options->n_more; i++) HS_TRY(read_network(s, options->more[i], options->seed, err));
  HS_TRY(check_policy(s, options, err));
  s->graph = s->networks[0].graph;
  return HS_OK;
}

/* The first alternative that runs an operator; plan.n: none does. */
static int first_that_runs(const struct hs_network *n, int op)
{
  int a = 0;
  while (a < n->plan.n && n->plan.alternatives[a]->ops[op].n_parts == 0) a++;
  return a;
}

/* A network that runs in pieces only: stretches with the same first alternative. Their tensors don't all live at once, so the sum is an
 * upper bound. */
static enum hs_status lower_stretches(const struct hs_network *n, double *memory_bytes, struct hs_error *err)
{
  for (int from = 0, to; from < n->graph->n_ops; from = to) {
    int a = first_that_runs(n, from);
    if (a == n->plan.n)
      return hs_fail(err, HS_POLICY, "policy %s broke its contract: no alternative runs operator \"%s\"", n->policy->name, n->graph->ops[from].name);
    for (to = from + 1; to < n->graph->n_ops && first_that_runs(n, to) == a; to++)
      ;
    const struct hs_program *piece = hs_pieces_get(n->pieces, a, from, to, err);
    if (!piece) return err->status;
    *memory_bytes += piece->peak_memory_bytes;
  }
  return HS_OK;
}

static enum hs_status lower_whole(const struct hs_network *n, double *memory_bytes, struct hs_error *err)
{
  const struct hs_program *whole = hs_pieces_get(n->pieces, 0, 0, n->plan.alternatives[0]->n_ops, err);
  if (!whole) return err->status;
  *memory_bytes += whole->peak_memory_bytes;
  return HS_OK;
}

/* What can't be lowered is told before anything runs. */
static enum hs_status check_memory(const struct hs_setup *s, const struct hs_network *n, double *memory_bytes, struct hs_error *err)
{
  HS_TRY((n->plan.alternatives[0]->partial ? lower_stretches : lower_whole)(n, memory_bytes, err));
  if (*memory_bytes <= s->soc->memory.capacity_bytes) return HS_OK;
  char a[32], b[32];
  return hs_fail(err, HS_INPUT, "the networks up to %s need %s of memory together, %s has %s", n->label, hs_si(*memory_bytes, "B", a, sizeof a),
                 s->soc->name, hs_si(s->soc->memory.capacity_bytes, "B", b, sizeof b));
}

static bool runs_in(const struct hs_network *n, const char *precision)
{
  for (int a = 0; a < n->plan.n; a++)
    for (int i = 0; i < n->plan.alternatives[a]->n_ops; i++) {
      const struct hs_op_placement *op = &n->plan.alternatives[a]->ops[i];
      for (int k = 0; k < op->n_parts && !op->fallback; k++)
        if (strcmp(hs_precision_names[n->sys.backends[op->parts[k].processor].precision], precision) == 0) return true;
    }
  return false;
}

/* A precision that nothing of the plan computes in would change nothing, and what falls back isn't of the plan. */
static enum hs_status check_quantize(const struct hs_setup *s, const struct hs_network *n, struct hs_error *err)
{
  if (!s->opt.precision || runs_in(n, s->opt.precision)) return HS_OK;
  return hs_fail(err, HS_INPUT, "--opt: quantize=%s on %s: no processor of %s that policy %s places operators on computes in it "
                 "under runtime %s", s->opt.precision, n->graph->name, s->soc->name, n->policy->name, n->sys.runtime->name);
}

enum hs_status hs_setup_memory(struct hs_setup *s, const struct hs_program *program, struct hs_error *err)
{
  if (!s->opt.on[HS_OPT_MEMPLAN]) return HS_OK;
  if (program) return hs_optimise_memory(program, &s->memory, err);
  return hs_fail(err, HS_USAGE, "--opt: memplan: policy %s starts pieces, and each has an arena of its own", s->networks[0].policy->name);
}

static double estimate(const struct hs_network *n)
{
  const struct hs_placement *pl = n->plan.alternatives[0];
  const struct hs_graph *g = hs_network_graph(n, 0);
  struct hs_estimate e;
  struct hs_error ignored;
  return pl->partial || hs_lower_estimate(&n->profiled, g, pl, 0, g->n_ops, &e, &ignored) ? 0 : e.latency_s;
}

/* Operators that turn out not to run where they were planned, evenly spread over the network. The part is of the time that the processor
 * would take: every second operator may be the small ones, or the large ones. */
static void fall_back(const struct hs_scenario *s, const struct hs_system *sys, struct hs_placement *pl, const struct hs_graph *g)
{
  double due_s[HS_PROCESSORS_MAX] = {0};
  for (int i = 0; i < pl->n_ops; i++)
    for (int k = 0; k < pl->ops[i].n_parts; k++) {
      int p = pl->ops[i].parts[k].processor;
      if (s->fallback_frac[p] <= 0) continue;
      double seconds = hs_cost_seconds(sys, g, &g->ops[i], p, -1);
      due_s[p] += s->fallback_frac[p] * seconds;
      if (due_s[p] < seconds / 2 || !hs_system_supports(sys, g, &g->ops[i], s->fallback_to[p], NULL, 0)) continue;
      due_s[p] -= seconds;
      hs_placement_move(pl, i, s->fallback_to[p], -1);
      pl->ops[i].fallback = true;
      break;
    }
}

static enum hs_status plan_network(struct hs_setup *s, struct hs_network *n, bool *planned, struct hs_error *err)
{
  const struct hs_view view = {&n->profiled, n->graph, n->values};
  double start = hs_wall_clock_s();
  n->plan = (struct hs_plan){.arena = &s->arena, .graph = n->graph};
  HS_TRY(hs_policy_plan(n->policy, &view, &n->plan, err));
  n->planning_s = hs_wall_clock_s() - start;
  *planned = true;
  HS_TRY(check_quantize(s, n, err));
  if (!s->live) n->estimate_s = estimate(n);
  for (int k = 0; k < n->plan.n; k++) fall_back(&s->scenario, &n->sys, n->plan.alternatives[k], hs_network_graph(n, k));
  if (s->live) n->estimate_s = estimate(n); /* it has seen what fell back */
  n->pieces = hs_pieces_new(&n->sys, n);
  return HS_OK;
}

static void forget_plan(struct hs_network *n)
{
  hs_pieces_free(n->pieces);
  n->pieces = NULL;
  for (int k = 0; k < n->plan.n; k++) hs_placement_release(n->plan.alternatives[k]);
  n->plan.n = 0;
  hs_graph_free(n->graph);
  n->graph = NULL;
}

/* A policy on a processor that its runtime has no code for is a mistake of usage; but nobody asked for that runtime. Where the network has
 * a plan under another one, and only lacks the precision there, that is the reason that is told. */
static enum hs_status plan_somehow(struct hs_setup *s, struct hs_network *n, struct hs_error *err)
{
  const struct hs_runtime *first = n->sys.runtime;
  bool told = false; /* err is of a runtime that the network has a plan under */
  enum hs_status status = plan_network(s, n, &told, err);
  if ((status != HS_INPUT && status != HS_USAGE) || s->settings.runtime) return status;
  s->graph = NULL; /* another runtime fuses it otherwise */
  for (const struct hs_runtime *rt = hs_runtimes; rt < hs_runtimes + hs_n_runtimes; rt++) {
    bool planned = false;
    struct hs_error other;
    if (rt == first) continue;
    forget_plan(n);
    if (!make_system(s, n, rt, &other) && !optimise(s, n, &other) && !plan_network(s, n, &planned, &other)) return HS_OK;
    if (told || !planned) continue;
    told = true;
    *err = other;
    status = err->status;
  }
  return status;
}

/* A limit of the GPU's kernels holds for the networks whose runtime has it; one must. */
static enum hs_status check_gpu_limits(const struct hs_setup *s, struct hs_error *err)
{
  const char *option = s->settings.gpu_kernel_s > 0 ? "gpu-kernel-time" : s->settings.gpu_window ? "gpu-window" : NULL;
  bool any = !option;
  for (int i = 0; i < s->n_networks; i++) any |= s->networks[i].sys.runtime->limits_gpu;
  return any ? HS_OK : hs_system_no_gpu_limits(option, NULL, err);
}

enum hs_status hs_setup_plan(struct hs_setup *s, struct hs_error *err)
{
  double memory_bytes = 0;
  for (int i = 0; i < s->n_networks; i++) {
    HS_TRY(plan_somehow(s, &s->networks[i], err));
    HS_TRY(check_memory(s, &s->networks[i], &memory_bytes, err)); /* no reason for another runtime */
  }
  HS_TRY(check_gpu_limits(s, err));
  s->sys = s->networks[0].sys;
  s->graph = hs_network_graph(&s->networks[0], 0);
  s->placement = s->networks[0].plan.alternatives[0];
  if (!s->placement->partial) s->program = hs_pieces_get(s->networks[0].pieces, 0, 0, s->placement->n_ops, NULL);
  return hs_setup_memory(s, s->program, err);
}

enum hs_status hs_setup_make(struct hs_setup *s, const struct hs_run_options *options, struct hs_error *err)
{
  HS_TRY(hs_setup_system(s, options, err));
  HS_TRY(hs_setup_networks(s, options, err));
  return hs_setup_plan(s, err);
}

enum hs_status hs_setup_lasts(const struct hs_setup *s, double duration_s, struct hs_error *err)
{
  for (int p = 0; p < s->soc->n_processors; p++)
    if (s->scenario.trace[p].n) HS_TRY(hs_temperature_trace_reaches(&s->scenario.trace[p], duration_s, s->soc->processors[p].name, err));
  return HS_OK;
}

struct hs_living *hs_setup_living(const struct hs_setup *s) { return s->scenario.living ? hs_living_open(&s->sys, &s->scenario, s->seed) : NULL; }

void hs_setup_free(struct hs_setup *s)
{
  for (int i = 0; i < s->n_networks; i++) {
    forget_plan(&s->networks[i]);
    hs_graph_free(s->networks[i].file_graph);
  }
  for (int i = 0; i < hs_n_runtimes; i++) {
    hs_profile_free(s->profiles[i].own);
    hs_profile_free(s->profiles[i].estimate);
  }
  hs_soc_free(s->soc);
  hs_catalog_close(&s->catalog);
  hs_scenario_free(&s->scenario);
  hs_arena_free(&s->arena);
}
