/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/soc.h"

#include <string.h>

#include "base/files.h"
#include "base/spelling.h"
#include "base/text.h"
#include "input/json_in.h"
#include "input/runtime.h"
#include "input/soc_thermal.h"
#include "input/sources.h"

enum { LLC_MIN = 65536 }; /* no cache that all processors share is smaller: a slip in a unit */

struct reader {
  struct hs_soc *soc;
  struct hs_error *err;
};

static enum hs_status own_string(struct reader *r, struct hs_json_at *o, const char *key, const char **out)
{
  HS_TRY(hs_json_get_string(o, key, out, r->err));
  *out = hs_arena_strdup(&r->soc->arena, *out);
  return HS_OK;
}

static enum hs_status own_name(struct reader *r, struct hs_json_at *o, const char *key, const char **out)
{
  HS_TRY(hs_json_get_name(o, key, out, r->err));
  *out = hs_arena_strdup(&r->soc->arena, *out);
  return HS_OK;
}

/* Profiles are looked up by it: profiles/NAME-RUNTIME.json, and "any" is every SoC's. */
static enum hs_status read_name(struct reader *r, struct hs_json_at *root)
{
  struct hs_json_at at;
  HS_TRY(hs_json_get(root, "name", &at, r->err));
  HS_TRY(hs_json_name(&at, &r->soc->name, r->err));
  r->soc->name = hs_arena_strdup(&r->soc->arena, r->soc->name);
  if (strchr(r->soc->name, '/')) return hs_json_fail(&at, r->err, "the name of a SoC is part of its profiles' file names, and has no /");
  return strcmp(r->soc->name, "any") == 0 ? hs_json_fail(&at, r->err, "\"any\" is what the profiles of every SoC are called") : HS_OK;
}

static enum hs_status read_memory(struct reader *r, struct hs_json_at *root)
{
  struct hs_json_at o;
  struct hs_soc *s = r->soc;
  HS_TRY(hs_json_get_object(root, "memory", &o, r->err));
  HS_TRY(hs_json_get_number(&o, "capacity_bytes", 1e8, 1e12, &s->memory.capacity_bytes, r->err));
  HS_TRY(own_string(r, &o, "type", &s->memory.type));
  HS_TRY(hs_json_get_number(&o, "peak_bytes_per_s", 1e8, 1e13, &s->memory.peak_bytes_per_s, r->err));
  HS_TRY(hs_json_get_number(&o, "llc_bytes", 0, 1e9, &s->memory.llc_bytes, r->err));
  if (s->memory.llc_bytes > 0 && s->memory.llc_bytes < LLC_MIN)
    return hs_json_fail(&o, r->err, "llc_bytes %g is below 65536: the unit is bytes, and 0 is none", s->memory.llc_bytes);
  s->memory.llc_hit_frac = -1;
  if (hs_json_has(&o, "llc_hit_frac")) HS_TRY(hs_json_get_number(&o, "llc_hit_frac", 0, 0.999, &s->memory.llc_hit_frac, r->err));
  return hs_sources_end(&o, r->err);
}

static enum hs_status read_opp(struct reader *r, const struct hs_json_at *array, int i, struct hs_domain *d)
{
  struct hs_json_at o;
  struct hs_opp *p = &d->opps[i];
  HS_TRY(hs_json_element_object(array, i, &o, r->err));
  HS_TRY(hs_json_get_positive(&o, "freq_hz", 1e10, &p->freq_hz, r->err));
  HS_TRY(hs_json_get_number(&o, "volt", 0.2, 2, &p->volt, r->err));
  HS_TRY(hs_json_get_number(&o, "dynamic_w", 0, 100, &p->dynamic_w, r->err));
  HS_TRY(hs_json_get_number(&o, "static_w", 0, 100, &p->static_w, r->err));
  if (hs_json_has(&o, "shared_w")) HS_TRY(hs_json_get_number(&o, "shared_w", 0, 100, &p->shared_w, r->err));
  if (p->freq_hz < 1e7) return hs_json_fail(&o, r->err, "freq_hz %g is below 10 MHz: the unit is Hz", p->freq_hz);
  if (i > 0 && p->freq_hz <= d->opps[i - 1].freq_hz)
    return hs_json_fail(&o, r->err, "freq_hz %g is not above the OPP before it (%g)", p->freq_hz, d->opps[i - 1].freq_hz);
  if (i > 0 && p->volt < d->opps[i - 1].volt)
    return hs_json_fail(&o, r->err, "volt %g is below the OPP before it (%g)", p->volt, d->opps[i - 1].volt);
  return hs_sources_end(&o, r->err);
}

static enum hs_status read_rates(struct reader *r, struct hs_json_at *domain, struct hs_domain *d)
{
  struct hs_json_at o;
  int n = 0;
  HS_TRY(hs_json_get_object(domain, "macs_per_cycle", &o, r->err));
  for (int p = 0; p < HS_PRECISION_N; p++)
    if (hs_json_has(&o, hs_precision_names[p])) {
      HS_TRY(hs_json_get_number(&o, hs_precision_names[p], 1e-3, 1e7, &d->macs_per_cycle[p], r->err));
      n++;
    }
  HS_TRY(hs_sources_end(&o, r->err)); /* a precision that isn't one is told by its name */
  return n ? HS_OK : hs_json_fail(&o, r->err, "names no precision");
}

/* Threads begin on the last domain, a processor's level is that domain's OPP (hs_processor_opp()), and so on: it must be the fastest. */
static enum hs_status check_order(const struct reader *r, const struct hs_json_at *o, const struct hs_domain *d, const struct hs_domain *before)
{
  for (int k = 0; k < HS_PRECISION_N; k++) {
    double now = d->macs_per_cycle[k] * hs_domain_top(d)->freq_hz, then = before->macs_per_cycle[k] * hs_domain_top(before)->freq_hz;
    if (now < then)
      return hs_json_fail(o, r->err, "a core of \"%s\" reaches %.3g MAC/s (%s), one of \"%s\" before it %.3g: the slowest stand first", d->name, now,
                          hs_precision_names[k], before->name, then);
  }
  return HS_OK;
}

/* What leaks at 30 C is a part of what switches: beyond it one of the two is in another unit. A domain that takes no dynamic power may be meant. */
static enum hs_status check_power(const struct reader *r, const struct hs_json_at *opps, const struct hs_domain *d)
{
  const struct hs_opp *top = &d->opps[d->n_opps - 1];
  double dynamic_w = d->cores * top->dynamic_w;
  if (dynamic_w > 0 && top->static_w > dynamic_w)
    return hs_json_fail(opps, r->err, "static_w %g at the highest OPP is above dynamic_w of all cores (%g): the unit of both is W", top->static_w, dynamic_w);
  return HS_OK;
}

/* --cores names a cluster alone, so that those of all CPUs must differ. Of p the first `n` are read. */
static bool has_cluster(const struct hs_soc *soc, const struct hs_processor *p, int n, const char *name)
{
  for (const struct hs_processor *q = soc->processors; q <= p; q++)
    for (int d = 0; d < (q == p ? n : q->n_domains); d++)
      if ((q == p || (q->kind == HS_CPU && p->kind == HS_CPU)) && strcmp(q->domains[d].name, name) == 0) return true;
  return false;
}

/* A key that stands elsewhere in such a file is spelt well: who copied it from there would look for the slip in vain. */
static enum hs_status not_here(struct reader *r, struct hs_json_at *o, const char *key, const char *rule)
{
  struct hs_json_at at;
  if (!hs_json_mentions(o, key)) return HS_OK;
  HS_TRY(hs_json_get(o, key, &at, r->err));
  return hs_json_fail(&at, r->err, "unknown key \"%s\": %s", key, rule);
}

/* Only a GPU's kernels are dealt out to them (model/launch.h). */
static enum hs_status read_units(struct reader *r, struct hs_json_at *o, const struct hs_processor *p, struct hs_domain *d)
{
  int64_t units = 0;
  if (p->kind != HS_GPU) return not_here(r, o, "compute_units", "only a gpu has it");
  if (hs_json_has(o, "compute_units")) HS_TRY(hs_json_get_int(o, "compute_units", 1, HS_UNITS_MAX, &units, r->err));
  d->compute_units = (int)units;
  return HS_OK;
}

static enum hs_status read_domain(struct reader *r, const struct hs_json_at *array, int i, struct hs_processor *p)
{
  struct hs_json_at o, opps;
  struct hs_domain *d = &p->domains[i];
  int64_t cores = 0;
  HS_TRY(hs_json_element_object(array, i, &o, r->err));
  HS_TRY(own_name(r, &o, "name", &d->name));
  if (has_cluster(r->soc, p, i, d->name)) return hs_json_fail(&o, r->err, "there is already a domain \"%s\"", d->name);
  HS_TRY(hs_json_get_int(&o, "cores", 1, HS_CORES_MAX, &cores, r->err));
  if (p->kind != HS_CPU && cores > 1)
    return hs_json_fail(&o, r->err, "cores %d is not 1: the rates and powers of what isn't a CPU are of the whole unit", (int)cores);
  d->cores = (int)cores;
  d->core_type = "";
  if (hs_json_has(&o, "core_type")) HS_TRY(own_string(r, &o, "core_type", &d->core_type));
  HS_TRY(hs_json_get_number(&o, "bandwidth_per_core_bytes_per_s", 1e8, 1e13, &d->bandwidth_per_core_bytes_per_s, r->err));
  HS_TRY(read_rates(r, &o, d));
  HS_TRY(read_units(r, &o, p, d));
  HS_TRY(hs_json_get_array(&o, "opps", 1, HS_OPPS_MAX, &opps, &d->n_opps, r->err));
  for (int k = 0; k < d->n_opps; k++) HS_TRY(read_opp(r, &opps, k, d));
  HS_TRY(check_power(r, &opps, d));
  for (int k = 0; i > 0 && k < HS_PRECISION_N; k++)
    if ((d->macs_per_cycle[k] > 0) != (p->domains[0].macs_per_cycle[k] > 0))
      return hs_json_fail(&o, r->err, "the domains of a processor must offer the same precisions (%s)", hs_precision_names[k]);
  if (i > 0) HS_TRY(check_order(r, &o, d, d - 1));
  return hs_sources_end(&o, r->err);
}

static enum hs_status read_memory_types(struct reader *r, struct hs_json_at *o, struct hs_processor *p)
{
  struct hs_json_at array, at;
  if (p->kind != HS_GPU) return not_here(r, o, "memory_types", "only a gpu has it");
  HS_TRY(hs_json_get_array(o, "memory_types", 1, HS_MEMORY_TYPE_N, &array, &p->n_memory_types, r->err));
  for (int i = 0; i < p->n_memory_types; i++) {
    int type = 0;
    HS_TRY(hs_json_element(&array, i, &at, r->err));
    HS_TRY(hs_json_word(&at, hs_memory_type_names, &type, r->err));
    p->memory_types[i] = (enum hs_memory_type)type;
    if (i > 0 && p->memory_types[i] == p->memory_types[0]) return hs_json_fail(&at, r->err, "is listed twice");
  }
  return HS_OK;
}

/* A name that no runtime has would be without effect. */
static enum hs_status check_runtime(struct reader *r, const struct hs_json_at *at, enum hs_kind kind)
{
  const char *names[HS_RUNTIMES_MAX];
  struct hs_text text = {0};
  const struct hs_runtime *runtime = hs_runtime_find(at->key);
  if (runtime && !runtime->backends[kind].present) return hs_json_fail(at, r->err, "is without effect: %s has no code for a %s", at->key, hs_kind_names[kind]);
  if (runtime) return HS_OK;
  for (int i = 0; i < hs_n_runtimes; i++) names[i] = hs_runtimes[i].name;
  hs_unknown_name(&text, at->key, names, hs_n_runtimes);
  hs_json_fail(at, r->err, "there is no runtime %s", text.s);
  hs_text_free(&text);
  return r->err->status;
}

static enum hs_status read_tables(struct reader *r, struct hs_json_at *o, struct hs_processor *p)
{
  struct hs_json_at object, at;
  const char *table = NULL;
  if (!hs_json_has(o, "op_support")) return HS_OK;
  HS_TRY(hs_json_get_object(o, "op_support", &object, r->err));
  int n = hs_json_length(&object), max = (int)(sizeof p->op_support / sizeof *p->op_support);
  if (n > max) return hs_json_fail(&object, r->err, "has more than %d runtimes", max);
  for (int i = 0; i < n; i++) {
    HS_TRY(hs_json_child(&object, i, &at, r->err));
    HS_TRY(check_runtime(r, &at, p->kind));
    HS_TRY(hs_json_name(&at, &table, r->err));
    p->op_support[i].runtime = hs_arena_strdup(&r->soc->arena, at.key);
    p->op_support[i].table = hs_arena_strdup(&r->soc->arena, table);
    p->op_support[i].place = hs_json_place(&at);
    p->n_op_support++;
  }
  return HS_OK;
}

/* The kind tells it already; a file that says another is wrong in one of both. */
static enum hs_status check_discipline(struct reader *r, struct hs_json_at *o, enum hs_kind kind)
{
  int said = 0;
  if (!hs_json_has(o, "discipline")) return HS_OK;
  HS_TRY(hs_json_get_word(o, "discipline", hs_discipline_names, &said, r->err));
  return said == (int)hs_kind_discipline(kind) ? HS_OK : hs_json_fail(o, r->err, "a CPU is processor-shared, every other kind is queued");
}

/* A GPU's clients take turns; what its caches hold is in its kernels' rates. */
static enum hs_status read_turns_and_cache(struct reader *r, struct hs_json_at *o, struct hs_processor *p)
{
  bool gpu = p->kind == HS_GPU;
  HS_TRY(gpu ? not_here(r, o, "local_bytes", "a gpu has none") : not_here(r, o, "context_slice_s", "only a gpu has it"));
  if (gpu && hs_json_has(o, "context_slice_s")) HS_TRY(hs_json_get_number(o, "context_slice_s", 0, 100, &p->context_slice_s, r->err));
  if (!gpu && hs_json_has(o, "local_bytes")) HS_TRY(hs_json_get_number(o, "local_bytes", 1e3, 1e9, &p->local_bytes, r->err));
  return HS_OK;
}

static enum hs_status read_processor(struct reader *r, const struct hs_json_at *array, int i)
{
  struct hs_json_at o, domains;
  struct hs_processor *p = &r->soc->processors[i];
  int kind = 0;
  HS_TRY(hs_json_element_object(array, i, &o, r->err));
  HS_TRY(own_name(r, &o, "name", &p->name));
  if (hs_soc_find(r->soc, p->name) >= 0) return hs_json_fail(&o, r->err, "there is already a processor \"%s\"", p->name);
  HS_TRY(hs_json_get_word(&o, "kind", hs_kind_names, &kind, r->err));
  p->kind = (enum hs_kind)kind;
  HS_TRY(check_discipline(r, &o, p->kind));
  HS_TRY(hs_json_get_number(&o, "bandwidth_bytes_per_s", 1e8, 1e13, &p->bandwidth_bytes_per_s, r->err));
  HS_TRY(read_turns_and_cache(r, &o, p));
  if (hs_json_has(&o, "slice_limit_bytes"))
    HS_TRY(hs_json_get_number(&o, "slice_limit_bytes", 1e5, 1e12, &p->slice_limit_bytes, r->err));
  p->kernel_power_factor = 1;
  if (hs_json_has(&o, "kernel_power_factor")) HS_TRY(hs_json_get_positive(&o, "kernel_power_factor", 100, &p->kernel_power_factor, r->err));
  HS_TRY(read_memory_types(r, &o, p));
  HS_TRY(read_tables(r, &o, p));
  HS_TRY(hs_json_get_array(&o, "domains", 1, p->kind == HS_CPU ? HS_DOMAINS_MAX : 1, &domains, &p->n_domains, r->err));
  for (int k = 0; k < p->n_domains; k++) HS_TRY(read_domain(r, &domains, k, p));
  if (hs_processor_cores(p) > HS_CORES_MAX) return hs_json_fail(&o, r->err, "has more than %d cores", HS_CORES_MAX);
  return hs_sources_end(&o, r->err);
}

static enum hs_status check_zero(struct reader *r, struct hs_json_at *step, const char *key, double number, const char *why)
{
  struct hs_json_at at;
  if (number == 0) return HS_OK;
  HS_TRY(hs_json_get(step, key, &at, r->err));
  return hs_json_fail(&at, r->err, "%g is not 0: %s", number, why);
}

/* Costs that would have no effect are refused. What a launch hands over are a kernel's arguments. */
static enum hs_status check_effect(struct reader *r, struct hs_json_at *step, enum hs_comm k, int from, int to, const struct hs_comm_cost *cost)
{
  if (k == HS_LAUNCH && to == HS_CPU) HS_TRY(check_zero(r, step, "fixed_s", cost->fixed_s, "nothing is launched on a cpu"));
  if (k == HS_LAUNCH) return check_zero(r, step, "s_per_byte", cost->s_per_byte, "a launch moves no data");
  if (k != HS_RPC || (from != HS_GPU && to != HS_GPU)) return HS_OK;
  HS_TRY(check_zero(r, step, "fixed_s", cost->fixed_s, "a gpu isn't called"));
  return check_zero(r, step, "s_per_byte", cost->s_per_byte, "a gpu isn't called");
}

static enum hs_status read_comm(struct reader *r, struct hs_json_at *o, int from, int to, struct hs_comm_cost *costs)
{
  struct hs_json_at at;
  bool wakes = from == HS_GPU; /* only the host waits for conversions */
  if (!wakes) HS_TRY(not_here(r, o, "wake", "only an entry from gpu has it"));
  for (int k = 0; k < HS_COMM_N; k++) {
    if (k == HS_WAKE && !(wakes && hs_json_has(o, hs_comm_names[k]))) continue;
    HS_TRY(hs_json_get_object(o, hs_comm_names[k], &at, r->err));
    HS_TRY(hs_json_get_number(&at, "fixed_s", 0, 0.1, &costs[k].fixed_s, r->err));
    HS_TRY(hs_json_get_number(&at, "s_per_byte", 0, 1e-7, &costs[k].s_per_byte, r->err));
    HS_TRY(check_effect(r, &at, (enum hs_comm)k, from, to, &costs[k]));
    HS_TRY(k == HS_WAKE ? not_here(r, &at, "scatter", "the wait scatters as a whole, as sync has it") : hs_quantiles_read(&at, &costs[k].scatter, r->err));
    HS_TRY(hs_sources_end(&at, r->err));
  }
  return HS_OK;
}

static enum hs_status read_sharing(struct reader *r, struct hs_json_at *root)
{
  struct hs_json_at array, o;
  int n;
  HS_TRY(hs_json_get_array(root, "sharing_costs", 0, HS_KIND_N * HS_KIND_N, &array, &n, r->err));
  for (int i = 0; i < n; i++) {
    int from = 0, to = 0;
    HS_TRY(hs_json_element_object(&array, i, &o, r->err));
    HS_TRY(hs_json_get_word(&o, "from", hs_kind_names, &from, r->err));
    HS_TRY(hs_json_get_word(&o, "to", hs_kind_names, &to, r->err));
    if ((from == HS_CPU) == (to == HS_CPU)) return hs_json_fail(&o, r->err, "exactly one side must be cpu");
    if (r->soc->has_sharing[from][to]) return hs_json_fail(&o, r->err, "this pair is listed twice");
    r->soc->has_sharing[from][to] = true;
    HS_TRY(read_comm(r, &o, from, to, r->soc->sharing[from][to]));
    HS_TRY(hs_sources_end(&o, r->err));
  }
  for (int p = 0; p < r->soc->n_processors; p++) {
    enum hs_kind kind = r->soc->processors[p].kind;
    if (kind != HS_CPU && (!r->soc->has_sharing[HS_CPU][kind] || !r->soc->has_sharing[kind][HS_CPU]))
      return hs_json_fail(&array, r->err, "an entry from cpu to %s or back is missing", hs_kind_names[kind]);
  }
  return HS_OK;
}

static enum hs_status read_processors(struct reader *r, struct hs_json_at *root)
{
  struct hs_json_at array;
  int n;
  HS_TRY(hs_json_get_array(root, "processors", 1, HS_PROCESSORS_MAX, &array, &n, r->err));
  for (int i = 0; i < n; i++) {
    HS_TRY(read_processor(r, &array, i));
    r->soc->n_processors++;
  }
  if (r->soc->processors[0].kind != HS_CPU)
    return hs_json_fail(&array, r->err, "the first processor must be the CPU that runs the host program");
  return HS_OK;
}

static enum hs_status read_scheduler(struct reader *r, struct hs_json_at *root)
{
  struct hs_json_at o;
  struct hs_scheduler *s = &r->soc->scheduler;
  if (!hs_json_has(root, "scheduler")) return HS_OK;
  HS_TRY(hs_json_get_object(root, "scheduler", &o, r->err));
  HS_TRY(hs_json_get_number(&o, "latency_s", 1e-5, 1, &s->latency_s, r->err));
  HS_TRY(hs_json_get_number(&o, "min_granularity_s", 1e-6, s->latency_s, &s->min_granularity_s, r->err));
  HS_TRY(hs_json_get_number(&o, "wakeup_granularity_s", 0, 1, &s->wakeup_granularity_s, r->err));
  return hs_sources_end(&o, r->err);
}

static enum hs_status read_root(struct reader *r, const struct hs_json *doc)
{
  struct hs_json_at root, device;
  HS_TRY(hs_json_root(doc, &root, r->err));
  HS_TRY(hs_json_format(&root, "hetsim-soc/1", r->err));
  HS_TRY(read_name(r, &root));
  HS_TRY(own_string(r, &root, "title", &r->soc->title));
  r->soc->file = hs_arena_strdup(&r->soc->arena, doc->file);
  HS_TRY(hs_json_get_object(&root, "device", &device, r->err));
  HS_TRY(hs_json_get_number(&device, "idle_w", 0, 20, &r->soc->idle_w, r->err));
  HS_TRY(hs_sources_end(&device, r->err));
  HS_TRY(read_memory(r, &root));
  HS_TRY(read_processors(r, &root));
  HS_TRY(read_sharing(r, &root));
  HS_TRY(hs_soc_read_thermal(&root, r->soc, r->err));
  HS_TRY(read_scheduler(r, &root));
  HS_TRY(hs_sources_read(&root, &r->soc->arena, &r->soc->sources, r->err));
  hs_sha256_hex(doc->text, doc->len, r->soc->sha256);
  return HS_OK;
}

static enum hs_status read_document(struct hs_json *doc, struct hs_soc **out, struct hs_error *err)
{
  struct hs_arena arena = {0};
  struct hs_soc *soc = HS_NEW(&arena, struct hs_soc);
  soc->arena = arena;
  struct reader r = {soc, err};
  enum hs_status status = read_root(&r, doc);
  if (status)
    hs_soc_free(soc);
  else
    *out = soc;
  hs_json_close(doc);
  return status;
}

enum hs_status hs_soc_read(const char *file, struct hs_soc **soc, struct hs_error *err)
{
  struct hs_json doc;
  HS_TRY(hs_json_open(&doc, file, err));
  return read_document(&doc, soc, err);
}

enum hs_status hs_soc_parse(const char *file, const char *text, size_t len, struct hs_soc **soc, struct hs_error *err)
{
  struct hs_json doc;
  HS_TRY(hs_json_parse(&doc, file, text, len, err));
  return read_document(&doc, soc, err);
}
