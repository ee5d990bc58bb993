/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files.h"
#include "device/scenario_parts.h"
#include "input/json_in.h"

struct reader {
  struct hs_scenario *s;
  const struct hs_soc *soc;
  struct hs_error *err;
};

static enum hs_status opt_number(struct reader *r, struct hs_json_at *o, const char *key, double min, double max, double *out)
{
  return hs_json_has(o, key) ? hs_json_get_number(o, key, min, max, out, r->err) : HS_OK;
}

/* An object whose keys are names, and that says something. */
static enum hs_status get_table(struct reader *r, struct hs_json_at *o, const char *key, struct hs_json_at *table)
{
  HS_TRY(hs_json_get_object(o, key, table, r->err));
  return hs_json_length(table) ? HS_OK : hs_json_fail(table, r->err, "is empty");
}

/* --- governors --- */

static enum hs_status read_governors(struct reader *r, struct hs_json_at *root)
{
  unsigned named[HS_SCOPE_N] = {0};
  struct hs_json_at o, at;
  enum hs_scope scope;
  const char *text;
  char why[HS_NO_OPP];
  int kind;
  if (!hs_json_has(root, "governors")) return HS_OK;
  HS_TRY(get_table(r, root, "governors", &o));
  for (int i = 0; i < hs_json_length(&o); i++) {
    HS_TRY(hs_json_child(&o, i, &at, r->err));
    unsigned mask = hs_soc_domains(r->soc, strcmp(at.key, "all") == 0 ? NULL : at.key, &scope);
    if (!mask) return hs_json_fail(&at, r->err, "%s has no processor or cluster of that name", r->soc->name);
    HS_TRY(hs_json_string(&at, &text, r->err));
    struct hs_governor_wish wish = hs_scenario_governor(text);
    if (wish.kind < 0) return hs_json_word(&at, hs_governor_names, &kind, r->err);
    if (!hs_scenario_govern(r->s, r->soc, mask, scope, wish, named, why)) return hs_json_fail(&at, r->err, "%s", why);
  }
  return hs_json_end(&o, r->err);
}

/* --- temperatures --- */

static enum hs_status find_processor(struct reader *r, const struct hs_json_at *at, int *p)
{
  *p = hs_soc_find(r->soc, at->key);
  return *p >= 0 ? HS_OK : hs_json_fail(at, r->err, "%s has no such processor", r->soc->name);
}

static enum hs_status read_hold(struct reader *r, struct hs_json_at *o)
{
  struct hs_json_at hold, at;
  int p;
  if (!hs_json_has(o, "hold_c")) return HS_OK;
  HS_TRY(get_table(r, o, "hold_c", &hold));
  for (int i = 0; i < hs_json_length(&hold); i++) {
    HS_TRY(hs_json_child(&hold, i, &at, r->err));
    HS_TRY(find_processor(r, &at, &p));
    HS_TRY(hs_json_number(&at, HS_TEMPERATURE_MIN_C, HS_TEMPERATURE_MAX_C, &r->s->held_c[p], r->err));
    int q = hs_scenario_node_taken(r->s, r->soc, p);
    if (q >= 0 && r->s->held_c[q] != r->s->held_c[p])
      return hs_json_fail(&at, r->err, "%g C, but %s is held at %g C and heats the same node (%s)", r->s->held_c[p], r->soc->processors[q].name,
                          r->s->held_c[q], hs_scenario_node(r->soc, p));
    r->s->held[p] = true;
  }
  return hs_json_end(&hold, r->err);
}

static enum hs_status read_point(struct reader *r, const struct hs_json_at *pair, int i, double *time, double *temperature)
{
  struct hs_json_at at;
  if (!hs_json_is_array(pair) || hs_json_length(pair) != 2) return hs_json_fail(pair, r->err, "is not [time_s, temperature_c]");
  HS_TRY(hs_json_element(pair, 0, &at, r->err));
  HS_TRY(hs_json_number(&at, 0, HS_TIME_MAX_S, &time[i], r->err));
  if (i == 0 && time[0] > 0) return hs_json_fail(&at, r->err, "%g: the first time is not 0", time[0]);
  if (i > 0 && time[i] <= time[i - 1]) return hs_json_fail(&at, r->err, "%g is not after the time before it (%g)", time[i], time[i - 1]);
  HS_TRY(hs_json_element(pair, 1, &at, r->err));
  return hs_json_number(&at, HS_TEMPERATURE_MIN_C, HS_TEMPERATURE_MAX_C, &temperature[i], r->err);
}

static enum hs_status read_trace(struct reader *r, const struct hs_json_at *array, struct hs_temperature_trace *t)
{
  struct hs_json_at pair;
  if (!hs_json_is_array(array) || hs_json_length(array) < 2 || hs_json_length(array) > HS_POINTS_MAX)
    return hs_json_fail(array, r->err, "is not a list of 2 to %d pairs [time_s, temperature_c]", HS_POINTS_MAX);
  int n = hs_json_length(array);
  double *time = HS_NEW_ARRAY(&r->s->arena, double, (size_t)n), *temperature = HS_NEW_ARRAY(&r->s->arena, double, (size_t)n);
  HS_TRY(hs_json_element(array, 0, &pair, r->err));
  for (int i = 0; i < n; i++, hs_json_next(&pair)) HS_TRY(read_point(r, &pair, i, time, temperature));
  *t = (struct hs_temperature_trace){n, time, temperature, hs_arena_strdup(&r->s->arena, array->doc->file), hs_json_place(array)};
  return HS_OK;
}

static enum hs_status read_replay(struct reader *r, struct hs_json_at *o)
{
  struct hs_json_at replay, at;
  int p;
  if (!hs_json_has(o, "replay_c")) return HS_OK;
  HS_TRY(get_table(r, o, "replay_c", &replay));
  for (int i = 0; i < hs_json_length(&replay); i++) {
    HS_TRY(hs_json_child(&replay, i, &at, r->err));
    HS_TRY(find_processor(r, &at, &p));
    if (r->s->held[p]) return hs_json_fail(&at, r->err, "is held at %g C already", r->s->held_c[p]);
    int q = hs_scenario_node_taken(r->s, r->soc, p);
    if (q >= 0)
      return hs_json_fail(&at, r->err, "%s has a temperature already and heats the same node (%s)", r->soc->processors[q].name, hs_scenario_node(r->soc, p));
    HS_TRY(read_trace(r, &at, &r->s->trace[p]));
  }
  return hs_json_end(&replay, r->err);
}

static enum hs_status read_sustainable(struct reader *r, struct hs_json_at *o, int governor)
{
  struct hs_json_at at;
  if (!hs_json_has(o, "sustainable_w")) return HS_OK;
  HS_TRY(hs_json_get(o, "sustainable_w", &at, r->err));
  if (governor != HS_POWER_ALLOCATOR)
    return hs_json_fail(&at, r->err, "goes with the governor power_allocator only, not %s", hs_thermal_governor_names[governor]);
  return hs_json_positive(&at, 1000, &r->s->sustainable_w, r->err);
}

static enum hs_status read_thermal(struct reader *r, struct hs_json_at *root)
{
  struct hs_json_at o;
  int governor = HS_THERMAL_SOC;
  if (!hs_json_has(root, "thermal")) return HS_OK;
  HS_TRY(hs_json_get_object(root, "thermal", &o, r->err));
  HS_TRY(opt_number(r, &o, "start_c", HS_TEMPERATURE_MIN_C, HS_TEMPERATURE_MAX_C, &r->s->start_c));
  if (hs_json_has(&o, "governor")) HS_TRY(hs_json_get_word(&o, "governor", hs_thermal_governor_names, &governor, r->err));
  HS_TRY(read_sustainable(r, &o, governor));
  HS_TRY(read_hold(r, &o));
  HS_TRY(read_replay(r, &o));
  r->s->thermal_governor = (enum hs_thermal_governor_kind)governor;
  r->s->thermal = r->s->living = true;
  return hs_json_end(&o, r->err);
}

/* --- processes --- */

static enum hs_status read_interval(struct reader *r, struct hs_json_at *o, const struct hs_phase *before, struct hs_phase *ph)
{
  struct hs_json_at at;
  if (before && isinf(before->to_s)) return hs_json_fail(o, r->err, "the phase before it has no to_s: nothing can follow");
  ph->from_s = before ? before->to_s : 0;
  ph->to_s = INFINITY;
  HS_TRY(opt_number(r, o, "from_s", 0, HS_TIME_MAX_S, &ph->from_s));
  if (before && ph->from_s < before->to_s)
    return hs_json_fail(o, r->err, "begins at %g s, before the one before it ends (%g s)", ph->from_s, before->to_s);
  if (!hs_json_has(o, "to_s")) return HS_OK;
  HS_TRY(hs_json_get(o, "to_s", &at, r->err));
  HS_TRY(hs_json_number(&at, 0, HS_TIME_MAX_S, &ph->to_s, r->err));
  return ph->to_s > ph->from_s ? HS_OK : hs_json_fail(&at, r->err, "%g is not after the phase begins (%g)", ph->to_s, ph->from_s);
}

static enum hs_status read_threads(struct reader *r, struct hs_json_at *o, struct hs_phase *ph)
{
  struct hs_json_at at;
  int64_t threads = 0;
  HS_TRY(hs_json_opt_int(o, "threads", 0, HS_THREADS_MAX, &threads, r->err));
  ph->threads = (int)threads;
  ph->duty_frac = 1;
  if (!hs_json_has(o, "duty_frac")) return HS_OK;
  HS_TRY(hs_json_get(o, "duty_frac", &at, r->err));
  if (!threads) return hs_json_fail(&at, r->err, "goes with threads, and there are none");
  return hs_json_number(&at, HS_LOAD_MIN_FRAC, 1, &ph->duty_frac, r->err);
}

static enum hs_status read_loads(struct reader *r, struct hs_json_at *o, struct hs_phase *ph)
{
  struct hs_json_at at;
  char written[20], why[HS_RULE];
  for (int k = HS_GPU; k < HS_KIND_N; k++) {
    if (!hs_json_has(o, hs_scenario_loads[k])) continue;
    HS_TRY(hs_json_get(o, hs_scenario_loads[k], &at, r->err));
    HS_TRY(hs_json_number(&at, 0, 1, &ph->load_frac[k], r->err));
    snprintf(written, sizeof written, "%g", ph->load_frac[k]);
    if (!hs_scenario_load_allowed(r->soc, (enum hs_kind)k, ph->load_frac[k], written, why)) return hs_json_fail(&at, r->err, "%s", why);
  }
  return HS_OK;
}

static bool loads_nothing(const struct hs_phase *ph)
{
  bool any = ph->threads > 0;
  for (int k = HS_GPU; k < HS_KIND_N; k++) any |= ph->load_frac[k] > 0;
  return !any;
}

static enum hs_status read_phase(struct reader *r, struct hs_json_at *o, const struct hs_phase *before, struct hs_phase *ph)
{
  HS_TRY(read_interval(r, o, before, ph));
  HS_TRY(read_threads(r, o, ph));
  HS_TRY(opt_number(r, o, "dram_bytes_per_s", 0, HS_TRAFFIC_MAX_BYTES_PER_S, &ph->dram_bytes_per_s));
  HS_TRY(opt_number(r, o, "footprint_bytes", 0, HS_FOOTPRINT_MAX_BYTES, &ph->footprint_bytes));
  HS_TRY(read_loads(r, o, ph));
  HS_TRY(hs_json_end(o, r->err)); /* first: a load may be there, with its name misspelt */
  return loads_nothing(ph) ? hs_json_fail(o, r->err, "loads nothing: it has neither threads nor gpu_frac, dsp_frac or npu_frac") : HS_OK;
}

static enum hs_status read_clusters(struct reader *r, struct hs_json_at *o, const char *key, unsigned *clusters)
{
  struct hs_json_at array, at;
  char why[HS_RULE];
  const char *name;
  int n;
  if (!hs_json_has(o, key)) return HS_OK;
  HS_TRY(hs_json_get_array(o, key, 1, HS_PROCESSORS_MAX * HS_DOMAINS_MAX, &array, &n, r->err));
  *clusters = 0;
  for (int i = 0; i < n; i++) {
    HS_TRY(hs_json_element(&array, i, &at, r->err));
    HS_TRY(hs_json_string(&at, &name, r->err));
    if (!hs_scenario_add_cluster(r->soc, name, clusters, why)) return hs_json_fail(&at, r->err, "%s", why);
  }
  return HS_OK;
}

static enum hs_status read_phases(struct reader *r, struct hs_json_at *o, struct hs_process *pr)
{
  struct hs_json_at array, at;
  HS_TRY(hs_json_get_array(o, "phases", 1, HS_PHASES_MAX, &array, &pr->n_phases, r->err));
  pr->phases = HS_NEW_ARRAY(&r->s->arena, struct hs_phase, (size_t)pr->n_phases);
  HS_TRY(hs_json_element(&array, 0, &at, r->err));
  for (int i = 0; i < pr->n_phases; i++, hs_json_next(&at)) {
    if (!hs_json_is_object(&at)) return hs_json_fail(&at, r->err, "is not an object");
    HS_TRY(read_phase(r, &at, i ? &pr->phases[i - 1] : NULL, &pr->phases[i]));
  }
  return HS_OK;
}

/* Keys that shape what no phase has would be without effect. */
static enum hs_status check_keys(struct reader *r, struct hs_json_at *o, const struct hs_process *pr)
{
  static const char *const of_threads[] = {"period_s", "nice", "affinity"};
  struct hs_json_at at;
  for (size_t i = 0; i < sizeof of_threads / sizeof *of_threads && !hs_process_has_threads(pr); i++)
    if (hs_json_has(o, of_threads[i])) {
      HS_TRY(hs_json_get(o, of_threads[i], &at, r->err));
      return hs_json_fail(&at, r->err, "goes with threads, and no phase has any");
    }
  if (hs_process_has_kernels(pr) || !hs_json_has(o, "kernel_s")) return HS_OK;
  HS_TRY(hs_json_get(o, "kernel_s", &at, r->err));
  return hs_json_fail(&at, r->err, "goes with gpu_frac, dsp_frac or npu_frac, and no phase has any");
}

static enum hs_status read_name(struct reader *r, struct hs_json_at *o, const char **name)
{
  struct hs_json_at at;
  HS_TRY(hs_json_get(o, "name", &at, r->err));
  HS_TRY(hs_json_name(&at, name, r->err));
  if (hs_scenario_find_process(r->s, *name) >= 0) return hs_json_fail(&at, r->err, "there is already a process \"%s\"", *name);
  *name = hs_arena_strdup(&r->s->arena, *name);
  return HS_OK;
}

static enum hs_status read_process(struct reader *r, struct hs_json_at *o, struct hs_process *pr)
{
  static const char *const arrivals[] = {"even", "poisson", NULL};
  const char *name;
  int64_t nice = 0;
  int word = 0;
  HS_TRY(read_name(r, o, &name));
  *pr = hs_scenario_process(r->soc, name);
  HS_TRY(opt_number(r, o, "period_s", HS_PROCESS_PERIOD_MIN_S, HS_PROCESS_PERIOD_MAX_S, &pr->period_s));
  HS_TRY(opt_number(r, o, "kernel_s", HS_PROCESS_KERNEL_MIN_S, HS_PROCESS_KERNEL_MAX_S, &pr->kernel_s));
  HS_TRY(hs_json_opt_int(o, "nice", HS_NICE_MIN, HS_NICE_MAX, &nice, r->err));
  pr->nice = (int)nice;
  if (hs_json_has(o, "arrivals")) HS_TRY(hs_json_get_word(o, "arrivals", arrivals, &word, r->err));
  pr->poisson = word == 1;
  HS_TRY(read_clusters(r, o, "affinity", &pr->clusters));
  HS_TRY(read_phases(r, o, pr));
  HS_TRY(check_keys(r, o, pr));
  return hs_json_end(o, r->err);
}

static enum hs_status read_processes(struct reader *r, struct hs_json_at *root)
{
  struct hs_json_at array, at;
  int n;
  if (!hs_json_has(root, "processes")) return HS_OK;
  HS_TRY(hs_json_get_array(root, "processes", 1, HS_PROCESSES_MAX - r->s->n_processes, &array, &n, r->err));
  for (int i = 0; i < n; i++) {
    HS_TRY(hs_json_element_object(&array, i, &at, r->err));
    HS_TRY(read_process(r, &at, &r->s->processes[r->s->n_processes]));
    r->s->n_processes++;
  }
  r->s->living = true;
  return HS_OK;
}

/* A relative name is meant from the folder of the scenario. What can't be opened is a mistake of the scenario; one inside the table
 * has its own place. */
static enum hs_status read_table(struct reader *r, struct hs_json_at *root)
{
  struct hs_json_at at;
  char why[sizeof r->err->text];
  const char *name, *file = root->doc->file, *slash = strrchr(file, '/');
  if (!hs_json_has(root, "processes_csv")) return HS_OK;
  HS_TRY(hs_json_get(root, "processes_csv", &at, r->err));
  HS_TRY(hs_json_string(&at, &name, r->err));
  if (!*name) return hs_json_fail(&at, r->err, "is the empty string, and not the name of a file");
  int folder = slash && *name != '/' ? (int)(slash + 1 - file) : 0;
  enum hs_status status = hs_competing_read(r->s, hs_arena_printf(&r->s->arena, "%.*s%s", folder, file, name), r->soc, r->err);
  if (status != HS_IO) return status;
  snprintf(why, sizeof why, "%s", r->err->text);
  return hs_json_fail(&at, r->err, "\"%.200s\": %s", name, why);
}

/* --- display, cache, fallback, the whole --- */

static enum hs_status read_ui(struct reader *r, struct hs_json_at *root)
{
  struct hs_json_at o;
  if (!hs_json_has(root, "ui")) return HS_OK;
  HS_TRY(hs_json_get_object(root, "ui", &o, r->err));
  if (hs_soc_first(r->soc, HS_GPU) < 0) return hs_json_fail(&o, r->err, "%s has no GPU", r->soc->name);
  HS_TRY(hs_json_get_number(&o, "rate_hz", HS_UI_MIN_HZ, HS_UI_MAX_HZ, &r->s->ui_rate_hz, r->err));
  HS_TRY(opt_number(r, &o, "cpu_s", 0, 1, &r->s->ui_cpu_s));
  HS_TRY(opt_number(r, &o, "gpu_s", 0, 1, &r->s->ui_gpu_s));
  if (r->s->ui_cpu_s + r->s->ui_gpu_s <= 0) return hs_json_fail(&o, r->err, "cpu_s and gpu_s are 0: frames cost nothing");
  r->s->living = true;
  return hs_json_end(&o, r->err);
}

static enum hs_status read_cache(struct reader *r, struct hs_json_at *root)
{
  struct hs_json_at at;
  if (!hs_json_has(root, "cache_hit_frac")) return HS_OK;
  HS_TRY(hs_json_get(root, "cache_hit_frac", &at, r->err));
  HS_TRY(hs_json_number(&at, 0, 1, &r->s->cache_hit_frac, r->err));
  if (r->soc->memory.llc_hit_frac < 0) return hs_json_fail(&at, r->err, "%s has no memory.llc_hit_frac to compare with", r->soc->name);
  r->s->living = true;
  return HS_OK;
}

static enum hs_status read_one_fallback(struct reader *r, struct hs_json_at *o)
{
  struct hs_json_at at;
  const char *name;
  int p;
  HS_TRY(find_processor(r, o, &p));
  if (r->soc->processors[p].kind == HS_CPU) return hs_json_fail(o, r->err, "is a CPU: operators fall back to it, not from it");
  HS_TRY(hs_json_get_number(o, "frac", 0, 1, &r->s->fallback_frac[p], r->err));
  if (!hs_json_has(o, "to")) return hs_json_end(o, r->err);
  HS_TRY(hs_json_get(o, "to", &at, r->err));
  HS_TRY(hs_json_string(&at, &name, r->err));
  r->s->fallback_to[p] = hs_soc_find(r->soc, name);
  if (r->s->fallback_to[p] < 0 || r->soc->processors[r->s->fallback_to[p]].kind != HS_CPU)
    return hs_json_fail(&at, r->err, "%s has no CPU \"%.60s\"", r->soc->name, name);
  return hs_json_end(o, r->err);
}

static enum hs_status read_fallback(struct reader *r, struct hs_json_at *root)
{
  struct hs_json_at o, one;
  if (!hs_json_has(root, "fallback")) return HS_OK;
  HS_TRY(get_table(r, root, "fallback", &o));
  for (int i = 0; i < hs_json_length(&o); i++) {
    HS_TRY(hs_json_child(&o, i, &one, r->err));
    if (!hs_json_is_object(&one)) return hs_json_fail(&one, r->err, "is not an object");
    HS_TRY(read_one_fallback(r, &one));
  }
  return hs_json_end(&o, r->err);
}

static enum hs_status read_rpc_thread(struct reader *r, struct hs_json_at *root)
{
  struct hs_json_at at;
  const char *why_not = hs_scenario_no_rpc_thread(r->soc);
  if (!hs_json_has(root, "rpc_thread")) return HS_OK;
  HS_TRY(hs_json_get(root, "rpc_thread", &at, r->err));
  if (why_not) return hs_json_fail(&at, r->err, "%s %s", r->soc->name, why_not);
  r->s->living = true;
  return read_clusters(r, root, "rpc_thread", &r->s->rpc_clusters);
}

static enum hs_status get_text(struct hs_json_at *root, const char *key, const char **text, struct hs_error *err)
{
  struct hs_json_at at;
  HS_TRY(hs_json_get(root, key, &at, err));
  HS_TRY(hs_json_string(&at, text, err));
  return **text ? HS_OK : hs_json_fail(&at, err, "is empty");
}

static enum hs_status read_scenario(struct reader *r, const struct hs_json *doc)
{
  struct hs_json_at root;
  const char *text;
  HS_TRY(hs_json_root(doc, &root, r->err));
  HS_TRY(hs_json_format(&root, "hetsim-scenario/1", r->err));
  HS_TRY(hs_json_get_name(&root, "name", &text, r->err));
  r->s->name = hs_arena_strdup(&r->s->arena, text);
  HS_TRY(get_text(&root, "title", &text, r->err));
  HS_TRY(get_text(&root, "source", &text, r->err));
  HS_TRY(read_governors(r, &root));
  HS_TRY(read_thermal(r, &root));
  HS_TRY(read_processes(r, &root));
  HS_TRY(read_table(r, &root));
  HS_TRY(read_ui(r, &root));
  HS_TRY(read_cache(r, &root));
  HS_TRY(read_fallback(r, &root));
  HS_TRY(read_rpc_thread(r, &root));
  return hs_json_end(&root, r->err);
}

static enum hs_status read_document(struct hs_scenario *s, struct hs_json *doc, const struct hs_soc *soc, struct hs_error *err)
{
  struct reader r = {s, soc, err};
  hs_sha256_hex(doc->text, doc->len, s->sha256);
  enum hs_status status = read_scenario(&r, doc);
  hs_json_close(doc);
  return status;
}

enum hs_status hs_scenario_read(struct hs_scenario *s, const char *file, const struct hs_soc *soc, struct hs_error *err)
{
  struct hs_json doc;
  HS_TRY(hs_json_open(&doc, file, err));
  return read_document(s, &doc, soc, err);
}

enum hs_status hs_scenario_parse(struct hs_scenario *s, const char *file, const char *text, size_t len, const struct hs_soc *soc, struct hs_error *err)
{
  struct hs_json doc;
  HS_TRY(hs_json_parse(&doc, file, text, len, err));
  return read_document(s, &doc, soc, err);
}

static enum hs_status title_of(const struct hs_json *doc, struct hs_arena *arena, const char **title, struct hs_error *err)
{
  struct hs_json_at root;
  HS_TRY(hs_json_root(doc, &root, err));
  HS_TRY(hs_json_format(&root, "hetsim-scenario/1", err));
  HS_TRY(get_text(&root, "title", title, err));
  *title = hs_arena_strdup(arena, *title);
  return HS_OK;
}

enum hs_status hs_scenario_title(const char *file, struct hs_arena *arena, const char **title, struct hs_error *err)
{
  struct hs_json doc;
  HS_TRY(hs_json_open(&doc, file, err));
  enum hs_status status = title_of(&doc, arena, title, err);
  hs_json_close(&doc);
  return status;
}
