/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device/scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "input/json_in.h"

/* What a frame of a scrolling list costs on a phone's fastest cores and GPU: assumed; a third of a 60 Hz frame each. */
static const double UI_CPU_S = 0.005, UI_GPU_S = 0.005;
static const double ROOM_C = 25;

struct reader {
  struct hs_scenario *s;
  const struct hs_soc *soc;
  struct hs_error *err;
};

void hs_scenario_open(struct hs_scenario *s)
{
  *s = (struct hs_scenario){.name = "", .start_c = ROOM_C, .thermal_governor = HS_STEP_WISE, .cache_hit_frac = -1, .ui_cpu_s = UI_CPU_S, .ui_gpu_s = UI_GPU_S};
  for (int p = 0; p < HS_PROCESSORS_MAX; p++)
    for (int d = 0; d < HS_DOMAINS_MAX; d++) s->governed[p][d].kind = -1;
}

void hs_scenario_free(struct hs_scenario *s) { hs_arena_free(&s->arena); }

/* Domains that "cpu" or "cpu.big" names: bit processor · HS_DOMAINS_MAX + domain; 0 if there are none. "" names all. */
static unsigned domains_of(const struct hs_soc *soc, const char *where)
{
  unsigned mask = 0;
  for (int p = 0; p < soc->n_processors; p++)
    for (int d = 0; d < soc->processors[p].n_domains; d++) {
      char full[140];
      snprintf(full, sizeof full, "%s.%s", soc->processors[p].name, soc->processors[p].domains[d].name);
      if (!*where || strcmp(where, soc->processors[p].name) == 0 || strcmp(where, full) == 0) mask |= 1u << (p * HS_DOMAINS_MAX + d);
    }
  return mask;
}

static unsigned cpu_domains(const struct hs_soc *soc)
{
  unsigned mask = 0;
  for (int p = 0; p < soc->n_processors; p++)
    for (int d = 0; d < soc->processors[p].n_domains && soc->processors[p].kind == HS_CPU; d++) mask |= 1u << (p * HS_DOMAINS_MAX + d);
  return mask;
}

static void govern(struct hs_scenario *s, unsigned mask, struct hs_governed g)
{
  for (int p = 0; p < HS_PROCESSORS_MAX; p++)
    for (int d = 0; d < HS_DOMAINS_MAX; d++)
      if (mask >> (p * HS_DOMAINS_MAX + d) & 1) s->governed[p][d] = g;
  s->living = true;
}

/* --- the file --- */

static enum hs_status read_governors(struct reader *r, struct hs_json_at *root)
{
  struct hs_json_at o, at;
  int kind;
  if (!hs_json_has(root, "governors")) return HS_OK;
  HS_TRY(hs_json_get_object(root, "governors", &o, r->err));
  for (int i = 0; i < hs_json_length(&o); i++) {
    HS_TRY(hs_json_child(&o, i, &at, r->err));
    unsigned mask = domains_of(r->soc, strcmp(at.key, "all") == 0 ? "" : at.key);
    if (!mask) return hs_json_fail(&at, r->err, "%s has no processor or cluster of that name", r->soc->name);
    HS_TRY(hs_json_word(&at, hs_governor_names, &kind, r->err));
    govern(r->s, mask, (struct hs_governed){kind, -1});
  }
  return hs_json_end(&o, r->err);
}

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
  HS_TRY(hs_json_get_object(o, "hold_c", &hold, r->err));
  for (int i = 0; i < hs_json_length(&hold); i++) {
    HS_TRY(hs_json_child(&hold, i, &at, r->err));
    HS_TRY(find_processor(r, &at, &p));
    HS_TRY(hs_json_number(&at, HS_TEMPERATURE_MIN_C, HS_TEMPERATURE_MAX_C, &r->s->held_c[p], r->err));
    r->s->held[p] = true;
  }
  return hs_json_end(&hold, r->err);
}

/* [[time_s, temperature_c], …], times ascending from 0 */
static enum hs_status read_trace(struct reader *r, const struct hs_json_at *array, struct hs_temperature_trace *t)
{
  if (!hs_json_is_array(array) || hs_json_length(array) < 2 || hs_json_length(array) > HS_POINTS_MAX)
    return hs_json_fail(array, r->err, "is not a list of 2 to %d pairs [time_s, temperature_c]", HS_POINTS_MAX);
  int n = hs_json_length(array);
  double *time = HS_NEW_ARRAY(&r->s->arena, double, (size_t)n), *temperature = HS_NEW_ARRAY(&r->s->arena, double, (size_t)n);
  for (int i = 0; i < n; i++) {
    struct hs_json_at pair, at;
    HS_TRY(hs_json_element(array, i, &pair, r->err));
    if (!hs_json_is_array(&pair) || hs_json_length(&pair) != 2) return hs_json_fail(&pair, r->err, "is not [time_s, temperature_c]");
    HS_TRY(hs_json_element(&pair, 0, &at, r->err));
    HS_TRY(hs_json_number(&at, 0, 1e9, &time[i], r->err));
    if (i == 0 ? time[0] > 0 : time[i] <= time[i - 1]) return hs_json_fail(&at, r->err, i ? "times must ascend" : "the first time is not 0");
    HS_TRY(hs_json_element(&pair, 1, &at, r->err));
    HS_TRY(hs_json_number(&at, HS_TEMPERATURE_MIN_C, HS_TEMPERATURE_MAX_C, &temperature[i], r->err));
  }
  *t = (struct hs_temperature_trace){n, time, temperature};
  return HS_OK;
}

static enum hs_status read_replay(struct reader *r, struct hs_json_at *o)
{
  struct hs_json_at replay, at;
  int p;
  if (!hs_json_has(o, "replay_c")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "replay_c", &replay, r->err));
  for (int i = 0; i < hs_json_length(&replay); i++) {
    HS_TRY(hs_json_child(&replay, i, &at, r->err));
    HS_TRY(find_processor(r, &at, &p));
    if (r->s->held[p]) return hs_json_fail(&at, r->err, "is held at %g C already", r->s->held_c[p]);
    HS_TRY(read_trace(r, &at, &r->s->trace[p]));
  }
  return hs_json_end(&replay, r->err);
}

static enum hs_status read_thermal(struct reader *r, struct hs_json_at *root)
{
  struct hs_json_at o;
  int governor = HS_STEP_WISE;
  if (!hs_json_has(root, "thermal")) return HS_OK;
  HS_TRY(hs_json_get_object(root, "thermal", &o, r->err));
  if (hs_json_has(&o, "start_c")) HS_TRY(hs_json_get_number(&o, "start_c", HS_TEMPERATURE_MIN_C, HS_TEMPERATURE_MAX_C, &r->s->start_c, r->err));
  if (hs_json_has(&o, "governor")) HS_TRY(hs_json_get_word(&o, "governor", hs_thermal_governor_names, &governor, r->err));
  if (hs_json_has(&o, "sustainable_w")) HS_TRY(hs_json_get_positive(&o, "sustainable_w", 1000, &r->s->sustainable_w, r->err));
  HS_TRY(read_hold(r, &o));
  HS_TRY(read_replay(r, &o));
  r->s->thermal_governor = (enum hs_thermal_governor_kind)governor;
  r->s->thermal = r->s->living = true;
  return hs_json_end(&o, r->err);
}

static enum hs_status opt_number(struct reader *r, struct hs_json_at *o, const char *key, double min, double max, double *out)
{
  return hs_json_has(o, key) ? hs_json_get_number(o, key, min, max, out, r->err) : HS_OK;
}

static enum hs_status read_phase(struct reader *r, struct hs_json_at *o, const struct hs_phase *before, struct hs_phase *ph)
{
  static const char *const loads[HS_KIND_N] = {NULL, "gpu_frac", "dsp_frac", "npu_frac"};
  int64_t threads = 0;
  *ph = (struct hs_phase){.from_s = before ? before->to_s : 0, .to_s = INFINITY, .duty_frac = 1};
  HS_TRY(opt_number(r, o, "from_s", 0, 1e9, &ph->from_s));
  if (before && ph->from_s < before->to_s) return hs_json_fail(o, r->err, "begins at %g s, before the one before ends (%g s)", ph->from_s, before->to_s);
  HS_TRY(opt_number(r, o, "to_s", 0, 1e9, &ph->to_s));
  if (ph->to_s <= ph->from_s) return hs_json_fail(o, r->err, "ends at %g s, not after it begins (%g s)", ph->to_s, ph->from_s);
  HS_TRY(hs_json_opt_int(o, "threads", 0, HS_THREADS_MAX, &threads, r->err));
  ph->threads = (int)threads;
  HS_TRY(opt_number(r, o, "duty_frac", 1e-4, 1, &ph->duty_frac));
  for (int k = HS_GPU; k < HS_KIND_N; k++) {
    if (!hs_json_has(o, loads[k])) continue;
    if (hs_soc_first(r->soc, (enum hs_kind)k) < 0) return hs_json_fail(o, r->err, "%s: %s has no %s", loads[k], r->soc->name, hs_kind_names[k]);
    HS_TRY(hs_json_get_number(o, loads[k], 0, 1, &ph->load_frac[k], r->err));
  }
  HS_TRY(opt_number(r, o, "dram_bytes_per_s", 0, 1e12, &ph->dram_bytes_per_s));
  HS_TRY(opt_number(r, o, "footprint_bytes", 0, 1e12, &ph->footprint_bytes));
  return hs_json_end(o, r->err);
}

static enum hs_status read_affinity(struct reader *r, struct hs_json_at *o, unsigned *clusters)
{
  struct hs_json_at array, at;
  const char *name;
  int n;
  *clusters = cpu_domains(r->soc);
  if (!hs_json_has(o, "affinity")) return HS_OK;
  HS_TRY(hs_json_get_array(o, "affinity", 1, HS_PROCESSORS_MAX * HS_DOMAINS_MAX, &array, &n, r->err));
  *clusters = 0;
  for (int i = 0; i < n; i++) {
    HS_TRY(hs_json_element(&array, i, &at, r->err));
    HS_TRY(hs_json_string(&at, &name, r->err));
    unsigned mask = domains_of(r->soc, name) & cpu_domains(r->soc);
    if (!*name || !mask) return hs_json_fail(&at, r->err, "%s has no CPU or cluster of that name", r->soc->name);
    *clusters |= mask;
  }
  return HS_OK;
}

static enum hs_status read_process(struct reader *r, struct hs_json_at *o, struct hs_process *pr)
{
  static const char *const arrivals[] = {"even", "poisson", NULL};
  struct hs_json_at array, at;
  int64_t nice = 0;
  int word = 0;
  *pr = (struct hs_process){.period_s = 0.02, .kernel_s = 0.005};
  HS_TRY(hs_json_get_name(o, "name", &pr->name, r->err));
  pr->name = hs_arena_strdup(&r->s->arena, pr->name);
  HS_TRY(opt_number(r, o, "period_s", 1e-4, 1e4, &pr->period_s));
  HS_TRY(opt_number(r, o, "kernel_s", 1e-6, 10, &pr->kernel_s));
  HS_TRY(hs_json_opt_int(o, "nice", -20, 19, &nice, r->err));
  pr->nice = (int)nice;
  if (hs_json_has(o, "arrivals")) HS_TRY(hs_json_get_word(o, "arrivals", arrivals, &word, r->err));
  pr->poisson = word == 1;
  HS_TRY(read_affinity(r, o, &pr->clusters));
  HS_TRY(hs_json_get_array(o, "phases", 1, HS_PHASES_MAX, &array, &pr->n_phases, r->err));
  pr->phases = HS_NEW_ARRAY(&r->s->arena, struct hs_phase, (size_t)pr->n_phases);
  for (int i = 0; i < pr->n_phases; i++) {
    HS_TRY(hs_json_element_object(&array, i, &at, r->err));
    HS_TRY(read_phase(r, &at, i ? &pr->phases[i - 1] : NULL, &pr->phases[i]));
  }
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
    for (int k = 0; k < r->s->n_processes; k++)
      if (strcmp(r->s->processes[k].name, r->s->processes[r->s->n_processes].name) == 0)
        return hs_json_fail(&at, r->err, "a second process is called \"%s\"", r->s->processes[k].name);
    r->s->n_processes++;
  }
  r->s->living = true;
  return HS_OK;
}

static enum hs_status read_ui(struct reader *r, struct hs_json_at *root)
{
  struct hs_json_at o;
  if (!hs_json_has(root, "ui")) return HS_OK;
  if (hs_soc_first(r->soc, HS_GPU) < 0) return hs_json_fail(root, r->err, "ui: %s has no GPU", r->soc->name);
  HS_TRY(hs_json_get_object(root, "ui", &o, r->err));
  HS_TRY(hs_json_get_number(&o, "rate_hz", 1, 240, &r->s->ui_rate_hz, r->err));
  HS_TRY(opt_number(r, &o, "cpu_s", 0, 1, &r->s->ui_cpu_s));
  HS_TRY(opt_number(r, &o, "gpu_s", 0, 1, &r->s->ui_gpu_s));
  r->s->living = true;
  return hs_json_end(&o, r->err);
}

static enum hs_status read_scenario(struct reader *r, const struct hs_json *doc)
{
  struct hs_json_at root;
  const char *text;
  HS_TRY(hs_json_root(doc, &root, r->err));
  HS_TRY(hs_json_format(&root, "hetsim-scenario/1", r->err));
  HS_TRY(hs_json_get_name(&root, "name", &text, r->err));
  r->s->name = hs_arena_strdup(&r->s->arena, text);
  HS_TRY(hs_json_get_string(&root, "title", &text, r->err));
  HS_TRY(hs_json_get_string(&root, "source", &text, r->err));
  HS_TRY(read_governors(r, &root));
  HS_TRY(read_thermal(r, &root));
  HS_TRY(read_processes(r, &root));
  HS_TRY(read_ui(r, &root));
  if (hs_json_has(&root, "cache_hit_frac")) {
    HS_TRY(hs_json_get_number(&root, "cache_hit_frac", 0, 1, &r->s->cache_hit_frac, r->err));
    r->s->living = true;
  }
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

/* --- the command line --- */

/* Calls `one` for each "where=value" (or "value": where is "") of a list. */
static enum hs_status each(const char *option, const char *list, enum hs_status (*one)(struct reader *, const char *, const char *), struct reader *r)
{
  char copy[600], *rest = copy;
  if (!*list || strlen(list) >= sizeof copy) return hs_fail(r->err, HS_USAGE, "--%s: is empty or longer than %zu characters", option, sizeof copy - 1);
  strcpy(copy, list);
  for (char *item; (item = strsep(&rest, ","));) {
    char *eq = strchr(item, '=');
    if (eq) *eq = 0;
    HS_TRY(one(r, eq ? item : "", eq ? eq + 1 : item));
  }
  return HS_OK;
}

static enum hs_status one_governor(struct reader *r, const char *where, const char *value)
{
  unsigned mask = domains_of(r->soc, where);
  int kind = hs_governor_find(value);
  struct hs_text list = {0};
  if (!mask) return hs_fail(r->err, HS_USAGE, "--governor: %s has no processor or cluster \"%.60s\"", r->soc->name, where);
  for (int i = 0; hs_governor_names[i] && kind < 0; i++) hs_text_addf(&list, "%s%s", i ? ", " : "", hs_governor_names[i]);
  if (kind < 0)
    hs_fail(r->err, HS_USAGE, "--governor: \"%.40s\" is not one of %s", value, list.s);
  else
    govern(r->s, mask, (struct hs_governed){kind, -1});
  hs_text_free(&list);
  return kind < 0 ? HS_USAGE : HS_OK;
}

static enum hs_status add_governor(struct hs_scenario *s, const char *list, const struct hs_soc *soc, struct hs_error *err)
{
  return each("governor", list, one_governor, &(struct reader){s, soc, err});
}

static enum hs_status one_temperature(struct reader *r, const char *where, const char *value)
{
  char *end;
  double c = strtod(value, &end);
  int p = hs_soc_find(r->soc, where);
  r->s->thermal = r->s->living = true;
  if (!*where && strcmp(value, "simulated") == 0) return HS_OK;
  if (p < 0) return hs_fail(r->err, HS_USAGE, "--temperature: %s has no processor \"%.60s\" (write simulated, or gpu=60C)", r->soc->name, where);
  if (end == value || (*end && strcmp(end, "C") != 0) || !(c >= HS_TEMPERATURE_MIN_C && c <= HS_TEMPERATURE_MAX_C))
    return hs_fail(r->err, HS_USAGE, "--temperature: %s=%.40s is not a temperature in [%d, %d] C", where, value, HS_TEMPERATURE_MIN_C, HS_TEMPERATURE_MAX_C);
  r->s->held[p] = true;
  r->s->held_c[p] = c;
  return HS_OK;
}

static enum hs_status add_temperature(struct hs_scenario *s, const char *list, const struct hs_soc *soc, struct hs_error *err)
{
  return each("temperature", list, one_temperature, &(struct reader){s, soc, err});
}

/* Kernels like Gables' (Hill and Reddi, HPCA 2019): always computing, on the CPU with a thread per core of the fastest processor and a tenth
 * of the memory's bandwidth, elsewhere with one kernel after the other. */
static void add_rival(struct reader *r, enum hs_kind kind, int number)
{
  struct hs_process *pr = &r->s->processes[r->s->n_processes++];
  struct hs_phase *ph = HS_NEW(&r->s->arena, struct hs_phase);
  int p = hs_soc_first(r->soc, kind);
  *ph = (struct hs_phase){.to_s = INFINITY, .duty_frac = 1, .dram_bytes_per_s = 0.1 * r->soc->memory.peak_bytes_per_s, .footprint_bytes = r->soc->memory.llc_bytes};
  if (kind == HS_CPU) {
    ph->threads = hs_processor_cores(&r->soc->processors[p]);
    ph->dram_bytes_per_s /= ph->threads;
  } else
    ph->load_frac[kind] = 1;
  *pr = (struct hs_process){.name = hs_arena_printf(&r->s->arena, "%s-rival-%d", hs_kind_names[kind], number), .period_s = 0.02, .kernel_s = 0.005,
                            .clusters = kind == HS_CPU ? domains_of(r->soc, r->soc->processors[p].name) : cpu_domains(r->soc), .n_phases = 1, .phases = ph};
}

static enum hs_status one_rival(struct reader *r, const char *where, const char *value)
{
  char *end;
  long n = strtol(value, &end, 10);
  int kind = 0;
  while (kind < HS_KIND_N && strcmp(hs_kind_names[kind], *where ? where : "cpu") != 0) kind++;
  if (kind == HS_KIND_N || hs_soc_first(r->soc, (enum hs_kind)kind) < 0)
    return hs_fail(r->err, HS_USAGE, "--rivals: %s has no \"%.40s\" (write cpu=2,gpu=1)", r->soc->name, where);
  if (end == value || *end || n < 0 || n > 8) return hs_fail(r->err, HS_USAGE, "--rivals: \"%.40s\" is not a whole number in [0, 8]", value);
  if (r->s->n_processes + n > HS_PROCESSES_MAX) return hs_fail(r->err, HS_USAGE, "--rivals: more than %d processes", HS_PROCESSES_MAX);
  for (long i = 1; i <= n; i++) add_rival(r, (enum hs_kind)kind, (int)i);
  r->s->living |= n > 0;
  return HS_OK;
}

static enum hs_status add_rivals(struct hs_scenario *s, const char *list, const struct hs_soc *soc, struct hs_error *err)
{
  return each("rivals", list, one_rival, &(struct reader){s, soc, err});
}

static enum hs_status add_ui(struct hs_scenario *s, const char *rate, const struct hs_soc *soc, struct hs_error *err)
{
  char *end;
  double hz = strtod(rate, &end);
  if (end == rate || (*end && strcmp(end, "Hz") != 0) || !(hz >= 1 && hz <= 240)) return hs_fail(err, HS_USAGE, "--ui: \"%.40s\" is not a rate in [1, 240] Hz", rate);
  if (hs_soc_first(soc, HS_GPU) < 0) return hs_fail(err, HS_USAGE, "--ui: %s has no GPU", soc->name);
  s->ui_rate_hz = hz;
  s->living = true;
  return HS_OK;
}

static enum hs_status add_cache_hit(struct hs_scenario *s, const char *frac, struct hs_error *err)
{
  char *end;
  double f = strtod(frac, &end);
  if (end == frac || *end || !(f >= 0 && f <= 1)) return hs_fail(err, HS_USAGE, "--cache-hit: \"%.40s\" is not a fraction in [0, 1]", frac);
  s->cache_hit_frac = f;
  s->living = true;
  return HS_OK;
}

static enum hs_status one_fallback(struct reader *r, const char *where, const char *value)
{
  char *end;
  double f = strtod(value, &end);
  int p = hs_soc_find(r->soc, where);
  if (p < 0 || r->soc->processors[p].kind == HS_CPU) return hs_fail(r->err, HS_USAGE, "--fallback: %s has no accelerator \"%.60s\" (write gpu=0.5)", r->soc->name, where);
  if (end == value || *end || !(f >= 0 && f <= 1)) return hs_fail(r->err, HS_USAGE, "--fallback: \"%.40s\" is not a fraction in [0, 1]", value);
  r->s->fallback_frac[p] = f;
  return HS_OK;
}

static enum hs_status add_fallback(struct hs_scenario *s, const char *list, const struct hs_soc *soc, struct hs_error *err)
{
  return each("fallback", list, one_fallback, &(struct reader){s, soc, err});
}

void hs_scenario_caps(const struct hs_scenario *s, const struct hs_soc *soc, int *cap)
{
  enum { POLLS = 200 }; /* more than any processor has levels */
  const double idle_load[HS_PROCESSORS_MAX] = {0};
  struct hs_thermal_model t;
  struct hs_thermal_governor g;
  struct hs_error ignored;
  int top[HS_PROCESSORS_MAX];
  for (int p = 0; p < soc->n_processors; p++) cap[p] = top[p] = soc->processors[p].domains[soc->processors[p].n_domains - 1].n_opps - 1;
  if (!s->thermal) return;
  hs_thermal_open(&t, soc, soc->thermal.ambient_c, s->start_c);
  hs_thermal_governor_open(&g, soc, s->thermal_governor, s->sustainable_w);
  for (int p = 0; p < soc->n_processors; p++)
    if (s->held[p]) hs_thermal_hold(&t, p, s->held_c[p], &ignored);
  for (int i = 0; i < POLLS; i++) hs_thermal_govern(&g, &t, idle_load, top);
  for (int p = 0; p < soc->n_processors; p++) cap[p] = g.cap[p];
  hs_thermal_close(&t);
}

enum hs_status hs_scenario_make(struct hs_scenario *s, const struct hs_scenario_options *o, const struct hs_soc *soc, struct hs_error *err)
{
  hs_scenario_open(s);
  if (o->file) HS_TRY(hs_scenario_read(s, o->file, soc, err));
  if (o->governor) HS_TRY(add_governor(s, o->governor, soc, err));
  if (o->temperature) HS_TRY(add_temperature(s, o->temperature, soc, err));
  if (o->rivals) HS_TRY(add_rivals(s, o->rivals, soc, err));
  if (o->ui) HS_TRY(add_ui(s, o->ui, soc, err));
  if (o->fallback) HS_TRY(add_fallback(s, o->fallback, soc, err));
  return o->cache_hit ? add_cache_hit(s, o->cache_hit, err) : HS_OK;
}
