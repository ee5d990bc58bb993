/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/spelling.h"
#include "base/text.h"
#include "device/scenario_parts.h"

enum { RIVALS_MAX = 8 };
/* Of the memory's peak bandwidth, that a rival asks for while it computes: assumed. */
static const double RIVAL_TRAFFIC_FRAC = 0.1;

/* What the options' lists have named so far. */
struct list {
  struct hs_scenario *s;
  const struct hs_soc *soc;
  unsigned domains[HS_SCOPE_N]; /* of --governor */
  unsigned processors;          /* of --temperature, or --fallback, as bits */
  unsigned kinds;               /* of --rivals, as bits */
  bool simulated;
};

/* A decimal number in [min, max], with its unit or without. */
static bool is_number(const char *s, const char *unit, double min, double max, double *out)
{
  const char *end = hs_decimal_prefix(s, out);
  return end && (!*end || strcmp(end, unit) == 0) && *out >= min && *out <= max;
}

/* --- governors --- */

/* `value` may have a frequency behind the name. */
static enum hs_status no_governor(const char *value, struct hs_error *err)
{
  char name[64];
  int n = 0;
  while (hs_governor_names[n]) n++;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(value, ":"), value);
  return hs_fail_unknown(err, name, hs_governor_names, n, "--governor: there is no governor");
}

static enum hs_status one_governor(void *state, const char *where, const char *value, struct hs_error *err)
{
  struct list *l = state;
  enum hs_scope scope;
  char why[HS_NO_OPP];
  if (where && strcmp(where, "all") == 0) where = NULL; /* as in a file */
  unsigned mask = hs_soc_domains(l->soc, where, &scope);
  struct hs_governor_wish wish = hs_scenario_governor(value);
  if (!mask) return hs_soc_no_place(l->soc, "governor", where, true, err);
  if (l->domains[scope] & mask) return hs_fail(err, HS_USAGE, "--governor: %.60s is named twice", where ? where : "a governor of all processors");
  if (wish.kind < 0) return no_governor(value, err);
  return hs_scenario_govern(l->s, l->soc, mask, scope, wish, l->domains, why) ? HS_OK : hs_fail(err, HS_USAGE, "--governor: %s", why);
}

/* --- temperatures --- */

/* What the file says of this node gives way; two values on the command line don't go together. */
static enum hs_status take_node(struct list *l, int p, double c, struct hs_error *err)
{
  struct hs_scenario *s = l->s;
  for (int q = 0; q < l->soc->n_processors; q++) {
    if (!hs_scenario_same_node(l->soc, p, q)) continue;
    if (l->processors >> q & 1 && s->held_c[q] != c)
      return hs_fail(err, HS_USAGE, "--temperature: %s=%gC, but %s is held at %g C and heats the same node (%s)", l->soc->processors[p].name, c,
                     l->soc->processors[q].name, s->held_c[q], hs_scenario_node(l->soc, p));
    if (l->processors >> q & 1) continue;
    s->held[q] = false;
    s->trace[q].n = 0;
  }
  return HS_OK;
}

static enum hs_status one_temperature(void *state, const char *where, const char *value, struct hs_error *err)
{
  struct list *l = state;
  struct hs_scenario *s = l->s;
  double c;
  int p = where ? hs_soc_find(l->soc, where) : -1;
  if (!where && strcmp(value, "simulated") != 0)
    return hs_fail(err, HS_USAGE, "--temperature: \"%.40s\" is neither simulated nor PROCESSOR=TEMPERATURE, as gpu=60C", value);
  if (where && p < 0) return hs_soc_no_place(l->soc, "temperature", where, false, err);
  if (where ? l->processors >> p & 1 : l->simulated) return hs_fail(err, HS_USAGE, "--temperature: %s is named twice", where ? where : "simulated");
  s->thermal = s->living = true;
  if (!where) {
    l->simulated = true;
    return HS_OK;
  }
  if (!is_number(value, "C", HS_TEMPERATURE_MIN_C, HS_TEMPERATURE_MAX_C, &c))
    return hs_fail(err, HS_USAGE, "--temperature: %s=%.40s is not a temperature in [%d, %d] C", where, value, HS_TEMPERATURE_MIN_C, HS_TEMPERATURE_MAX_C);
  HS_TRY(take_node(l, p, c, err));
  l->processors |= 1u << p;
  s->held[p] = true;
  s->held_c[p] = c;
  return HS_OK;
}

/* --- rivals --- */

/* "cpu-rival-1", or the next number that no process of the file has: names name random streams. */
static const char *rival_name(struct hs_scenario *s, enum hs_kind kind)
{
  for (int number = 1;; number++) {
    const char *name = hs_arena_printf(&s->arena, "%s-rival-%d", hs_kind_names[kind], number);
    if (hs_scenario_find_process(s, name) < 0) return name;
  }
}

/* Kernels like Gables' (Hill and Reddi, HPCA 2019): always computing, on the CPU with a thread per core of the first CPU,
 * elsewhere with one kernel after the other. */
static void add_rival(struct list *l, enum hs_kind kind)
{
  struct hs_scenario *s = l->s;
  struct hs_phase *ph = HS_NEW(&s->arena, struct hs_phase);
  const struct hs_processor *first = &l->soc->processors[hs_soc_first(l->soc, kind)];
  struct hs_process rival = hs_scenario_process(l->soc, rival_name(s, kind));
  enum hs_scope scope;
  *ph = (struct hs_phase){.to_s = INFINITY, .duty_frac = 1, .dram_bytes_per_s = RIVAL_TRAFFIC_FRAC * l->soc->memory.peak_bytes_per_s,
                          .footprint_bytes = l->soc->memory.llc_bytes};
  rival.n_phases = 1;
  rival.phases = ph;
  if (kind == HS_CPU) {
    rival.clusters = hs_soc_domains(l->soc, first->name, &scope);
    ph->threads = hs_processor_cores(first);
    ph->dram_bytes_per_s /= ph->threads;
  } else
    ph->load_frac[kind] = 1;
  s->processes[s->n_processes++] = rival;
}

static enum hs_status one_rival(void *state, const char *where, const char *value, struct hs_error *err)
{
  struct list *l = state;
  long long n;
  int kind = 0;
  while (kind < HS_KIND_N && strcmp(hs_kind_names[kind], where ? where : "cpu") != 0) kind++;
  if (kind == HS_KIND_N && where && hs_soc_find(l->soc, where) >= 0)
    return hs_fail(err, HS_USAGE, "--rivals: \"%.40s\" is the name of a processor, and rivals go by kind: cpu, gpu, dsp, npu", where);
  if (kind == HS_KIND_N || hs_soc_first(l->soc, (enum hs_kind)kind) < 0)
    return hs_fail(err, HS_USAGE, "--rivals: %s has no \"%.40s\" (write 2, or cpu=2,gpu=1)", l->soc->name, where);
  if (l->kinds >> kind & 1) return hs_fail(err, HS_USAGE, "--rivals: %s is named twice", hs_kind_names[kind]);
  if (!hs_whole_parse(value, 0, RIVALS_MAX, &n))
    return hs_fail(err, HS_USAGE, "--rivals: \"%.40s\" is not a whole number in [0, %d]", value, RIVALS_MAX);
  if (l->s->n_processes + n > HS_PROCESSES_MAX)
    return hs_fail(err, HS_USAGE, "--rivals: with %s=%lld there are more than %d processes", hs_kind_names[kind], n, HS_PROCESSES_MAX);
  for (int i = 0; i < n; i++) add_rival(l, (enum hs_kind)kind);
  l->kinds |= 1u << kind;
  l->s->living |= n > 0;
  return HS_OK;
}

/* --- display, cache, fallback, the thread that calls --- */

static enum hs_status add_ui(struct list *l, const char *rate, struct hs_error *err)
{
  if (!is_number(rate, "Hz", HS_UI_MIN_HZ, HS_UI_MAX_HZ, &l->s->ui_rate_hz))
    return hs_fail(err, HS_USAGE, "--ui: \"%.40s\" is not a rate in [%d, %d] Hz", rate, HS_UI_MIN_HZ, HS_UI_MAX_HZ);
  if (hs_soc_first(l->soc, HS_GPU) < 0) return hs_fail(err, HS_USAGE, "--ui: %s has no GPU", l->soc->name);
  l->s->living = true;
  return HS_OK;
}

static enum hs_status add_cache_hit(struct list *l, const char *frac, struct hs_error *err)
{
  if (!is_number(frac, "", 0, 1, &l->s->cache_hit_frac)) return hs_fail(err, HS_USAGE, "--cache-hit: \"%.40s\" is not a fraction in [0, 1]", frac);
  if (l->soc->memory.llc_hit_frac < 0)
    return hs_fail(err, HS_USAGE, "--cache-hit: %s has no memory.llc_hit_frac to compare with", l->soc->name);
  l->s->living = true;
  return HS_OK;
}

static enum hs_status one_fallback(void *state, const char *where, const char *value, struct hs_error *err)
{
  struct list *l = state;
  if (!where) return hs_fail(err, HS_USAGE, "--fallback: \"%.60s\" says no part of whose operators (write gpu=0.5)", value);
  int p = hs_soc_find(l->soc, where);
  if (p < 0 || l->soc->processors[p].kind == HS_CPU)
    return hs_fail(err, HS_USAGE, "--fallback: %s has no accelerator \"%.60s\" (write gpu=0.5)", l->soc->name, where);
  if (l->processors >> p & 1) return hs_fail(err, HS_USAGE, "--fallback: %s is named twice", where);
  if (!is_number(value, "", 0, 1, &l->s->fallback_frac[p])) return hs_fail(err, HS_USAGE, "--fallback: \"%.40s\" is not a fraction in [0, 1]", value);
  l->processors |= 1u << p;
  return HS_OK;
}

static enum hs_status add_rpc_thread(struct list *l, const char *where, struct hs_error *err)
{
  char why[HS_RULE];
  const char *why_not = hs_scenario_no_rpc_thread(l->soc);
  if (why_not) return hs_fail(err, HS_USAGE, "--rpc-thread: %s %s", l->soc->name, why_not);
  l->s->rpc_clusters = 0;
  if (!hs_scenario_add_cluster(l->soc, where, &l->s->rpc_clusters, why)) return hs_fail(err, HS_USAGE, "--rpc-thread: %s", why);
  l->s->living = true;
  return HS_OK;
}

static enum hs_status add_options(struct hs_scenario *s, const struct hs_scenario_options *o, const struct hs_soc *soc, struct hs_error *err)
{
  struct list l = {.s = s, .soc = soc};
  if (o->governor) HS_TRY(hs_each_setting("governor", o->governor, one_governor, &l, err));
  if (o->temperature) HS_TRY(hs_each_setting("temperature", o->temperature, one_temperature, &l, err));
  l.processors = 0;
  if (o->fallback) HS_TRY(hs_each_setting("fallback", o->fallback, one_fallback, &l, err));
  if (o->competing) HS_TRY(hs_competing_read(s, o->competing, soc, err));
  if (o->rivals) HS_TRY(hs_each_setting("rivals", o->rivals, one_rival, &l, err));
  if (o->ui) HS_TRY(add_ui(&l, o->ui, err));
  if (o->rpc_thread) HS_TRY(add_rpc_thread(&l, o->rpc_thread, err));
  return o->cache_hit ? add_cache_hit(&l, o->cache_hit, err) : HS_OK;
}

enum hs_status hs_scenario_make(struct hs_scenario *s, const struct hs_scenario_options *o, const struct hs_soc *soc, struct hs_error *err)
{
  hs_scenario_open(s);
  if (o->file) HS_TRY(hs_scenario_read(s, o->file, soc, err));
  return add_options(s, o, soc, err);
}
