/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/soc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "input/json_in.h"
#include "input/sources.h"

const char *const hs_precision_names[HS_PRECISION_N + 1] = {"fp32", "fp16", "int8", NULL};
const char *const hs_memory_type_names[HS_MEMORY_TYPE_N + 1] = {"buffer", "image", NULL};
const char *const hs_comm_names[HS_COMM_N + 1] = {"transform", "map", "sync", "rpc", "launch", NULL};

int hs_precision_bytes(enum hs_precision p) { return p == HS_FP32 ? 4 : p == HS_FP16 ? 2 : 1; }

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

static enum hs_status end(struct reader *r, struct hs_json_at *o)
{
  HS_TRY(hs_sources_skip(o, r->err));
  return hs_json_end(o, r->err);
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
  s->memory.llc_hit_frac = -1;
  if (hs_json_has(&o, "llc_hit_frac")) HS_TRY(hs_json_get_number(&o, "llc_hit_frac", 0, 0.999, &s->memory.llc_hit_frac, r->err));
  return end(r, &o);
}

static enum hs_status read_opp(struct reader *r, const struct hs_json_at *array, int i, struct hs_domain *d)
{
  struct hs_json_at o;
  struct hs_opp *p = &d->opps[i];
  HS_TRY(hs_json_element_object(array, i, &o, r->err));
  HS_TRY(hs_json_get_positive(&o, "freq_hz", 1e11, &p->freq_hz, r->err));
  HS_TRY(hs_json_get_positive(&o, "volt", 10, &p->volt, r->err));
  HS_TRY(hs_json_get_number(&o, "dynamic_w", 0, 100, &p->dynamic_w, r->err));
  HS_TRY(hs_json_get_number(&o, "static_w", 0, 100, &p->static_w, r->err));
  if (p->freq_hz < 1e6) return hs_json_fail(&o, r->err, "freq_hz %g is below 1 MHz: the unit is Hz", p->freq_hz);
  if (i > 0 && p->freq_hz <= d->opps[i - 1].freq_hz)
    return hs_json_fail(&o, r->err, "freq_hz %g is not above the OPP before it (%g)", p->freq_hz, d->opps[i - 1].freq_hz);
  if (i > 0 && p->volt < d->opps[i - 1].volt)
    return hs_json_fail(&o, r->err, "volt %g is below the OPP before it (%g)", p->volt, d->opps[i - 1].volt);
  return end(r, &o);
}

static enum hs_status read_rates(struct reader *r, struct hs_json_at *domain, struct hs_domain *d)
{
  struct hs_json_at o;
  int n = 0;
  HS_TRY(hs_json_get_object(domain, "macs_per_cycle", &o, r->err));
  for (int p = 0; p < HS_PRECISION_N; p++)
    if (hs_json_has(&o, hs_precision_names[p])) {
      HS_TRY(hs_json_get_positive(&o, hs_precision_names[p], 1e7, &d->macs_per_cycle[p], r->err));
      n++;
    }
  if (n == 0) return hs_json_fail(&o, r->err, "names no precision");
  return end(r, &o);
}

static enum hs_status read_domain(struct reader *r, const struct hs_json_at *array, int i, struct hs_processor *p)
{
  struct hs_json_at o, opps;
  struct hs_domain *d = &p->domains[i];
  int64_t cores = 0;
  HS_TRY(hs_json_element_object(array, i, &o, r->err));
  HS_TRY(own_name(r, &o, "name", &d->name));
  for (int k = 0; k < i; k++)
    if (strcmp(p->domains[k].name, d->name) == 0) return hs_json_fail(&o, r->err, "there is already a domain \"%s\"", d->name);
  HS_TRY(hs_json_get_int(&o, "cores", 1, p->kind == HS_CPU ? HS_CORES_MAX : 1, &cores, r->err));
  d->cores = (int)cores;
  d->core_type = "";
  if (hs_json_has(&o, "core_type")) HS_TRY(own_string(r, &o, "core_type", &d->core_type));
  HS_TRY(hs_json_get_number(&o, "bandwidth_per_core_bytes_per_s", 1e7, 1e13, &d->bandwidth_per_core_bytes_per_s, r->err));
  HS_TRY(read_rates(r, &o, d));
  HS_TRY(hs_json_get_array(&o, "opps", 1, HS_OPPS_MAX, &opps, &d->n_opps, r->err));
  for (int k = 0; k < d->n_opps; k++) HS_TRY(read_opp(r, &opps, k, d));
  for (int k = 0; i > 0 && k < HS_PRECISION_N; k++)
    if ((d->macs_per_cycle[k] > 0) != (p->domains[0].macs_per_cycle[k] > 0))
      return hs_json_fail(&o, r->err, "the domains of a processor must offer the same precisions (%s)", hs_precision_names[k]);
  return end(r, &o);
}

static enum hs_status read_memory_types(struct reader *r, struct hs_json_at *o, struct hs_processor *p)
{
  struct hs_json_at array, at;
  if (p->kind != HS_GPU) return HS_OK;
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
    HS_TRY(hs_json_name(&at, &table, r->err));
    p->op_support[i].runtime = hs_arena_strdup(&r->soc->arena, at.key);
    p->op_support[i].table = hs_arena_strdup(&r->soc->arena, table);
    p->n_op_support++;
  }
  return HS_OK;
}

static enum hs_status read_processor(struct reader *r, const struct hs_json_at *array, int i)
{
  static const char *const disciplines[] = {"processor-shared", "queued", NULL};
  struct hs_json_at o, domains;
  struct hs_processor *p = &r->soc->processors[i];
  int kind = 0, discipline = 0;
  HS_TRY(hs_json_element_object(array, i, &o, r->err));
  HS_TRY(own_name(r, &o, "name", &p->name));
  if (hs_soc_find(r->soc, p->name) >= 0) return hs_json_fail(&o, r->err, "there is already a processor \"%s\"", p->name);
  HS_TRY(hs_json_get_word(&o, "kind", hs_kind_names, &kind, r->err));
  p->kind = (enum hs_kind)kind;
  HS_TRY(hs_json_get_word(&o, "discipline", disciplines, &discipline, r->err));
  p->discipline = (enum hs_discipline)discipline;
  if ((p->kind == HS_CPU) != (p->discipline == HS_PROCESSOR_SHARED))
    return hs_json_fail(&o, r->err, "a CPU is processor-shared, every other kind is queued");
  HS_TRY(hs_json_get_number(&o, "bandwidth_bytes_per_s", 1e7, 1e13, &p->bandwidth_bytes_per_s, r->err));
  if (p->kind == HS_GPU && hs_json_has(&o, "context_slice_s"))
    HS_TRY(hs_json_get_number(&o, "context_slice_s", 0, 100, &p->context_slice_s, r->err));
  if (hs_json_has(&o, "slice_limit_bytes"))
    HS_TRY(hs_json_get_number(&o, "slice_limit_bytes", 1e5, 1e12, &p->slice_limit_bytes, r->err));
  HS_TRY(read_memory_types(r, &o, p));
  HS_TRY(read_tables(r, &o, p));
  HS_TRY(hs_json_get_array(&o, "domains", 1, p->kind == HS_CPU ? HS_DOMAINS_MAX : 1, &domains, &p->n_domains, r->err));
  for (int k = 0; k < p->n_domains; k++) HS_TRY(read_domain(r, &domains, k, p));
  if (hs_processor_cores(p) > HS_CORES_MAX) return hs_json_fail(&o, r->err, "has more than %d cores", HS_CORES_MAX);
  return end(r, &o);
}

static enum hs_status read_comm(struct reader *r, struct hs_json_at *o, struct hs_comm_cost *costs)
{
  struct hs_json_at at;
  for (int k = 0; k < HS_COMM_N; k++) {
    HS_TRY(hs_json_get_object(o, hs_comm_names[k], &at, r->err));
    HS_TRY(hs_json_get_number(&at, "fixed_s", 0, 10, &costs[k].fixed_s, r->err));
    HS_TRY(hs_json_get_number(&at, "s_per_byte", 0, 1, &costs[k].s_per_byte, r->err));
    HS_TRY(hs_quantiles_read(&at, &costs[k].scatter, r->err));
    HS_TRY(end(r, &at));
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
    HS_TRY(read_comm(r, &o, r->soc->sharing[from][to]));
    HS_TRY(end(r, &o));
  }
  for (int p = 0; p < r->soc->n_processors; p++) {
    enum hs_kind kind = r->soc->processors[p].kind;
    if (kind != HS_CPU && (!r->soc->has_sharing[HS_CPU][kind] || !r->soc->has_sharing[kind][HS_CPU]))
      return hs_json_fail(&array, r->err, "an entry from cpu to %s or back is missing", hs_kind_names[kind]);
  }
  return HS_OK;
}

/* --- thermal --- */

static enum hs_status read_mask(struct reader *r, struct hs_json_at *o, unsigned *mask)
{
  struct hs_json_at array, at;
  const char *name = NULL;
  int n;
  HS_TRY(hs_json_get_array(o, "processors", 0, HS_PROCESSORS_MAX, &array, &n, r->err));
  for (int i = 0; i < n; i++) {
    HS_TRY(hs_json_element(&array, i, &at, r->err));
    HS_TRY(hs_json_string(&at, &name, r->err));
    int p = hs_soc_find(r->soc, name);
    if (p < 0) return hs_json_fail(&at, r->err, "there is no processor \"%.60s\"", name);
    if (*mask >> p & 1) return hs_json_fail(&at, r->err, "\"%s\" is listed twice", name);
    *mask |= 1u << p;
  }
  return HS_OK;
}

static enum hs_status find_node(struct reader *r, struct hs_json_at *o, const char *key, bool ambient, int *node)
{
  struct hs_json_at at;
  const char *name = NULL;
  struct hs_thermal *t = &r->soc->thermal;
  HS_TRY(hs_json_get(o, key, &at, r->err));
  HS_TRY(hs_json_string(&at, &name, r->err));
  *node = -1;
  if (ambient && strcmp(name, "ambient") == 0) return HS_OK;
  for (int i = 0; i < t->n_nodes; i++)
    if (strcmp(t->nodes[i].name, name) == 0) {
      *node = i;
      return HS_OK;
    }
  return hs_json_fail(&at, r->err, "there is no thermal node \"%.60s\"", name);
}

static enum hs_status read_node(struct reader *r, const struct hs_json_at *array, int i)
{
  struct hs_json_at o;
  struct hs_thermal *t = &r->soc->thermal;
  unsigned taken = 0;
  HS_TRY(hs_json_element_object(array, i, &o, r->err));
  HS_TRY(own_name(r, &o, "name", &t->nodes[i].name));
  if (strcmp(t->nodes[i].name, "ambient") == 0) return hs_json_fail(&o, r->err, "\"ambient\" is reserved");
  HS_TRY(read_mask(r, &o, &t->nodes[i].processors));
  for (int k = 0; k < i; k++) {
    taken |= t->nodes[k].processors;
    if (strcmp(t->nodes[k].name, t->nodes[i].name) == 0)
      return hs_json_fail(&o, r->err, "there is already a thermal node \"%s\"", t->nodes[i].name);
  }
  if (taken & t->nodes[i].processors) return hs_json_fail(&o, r->err, "a processor heats two nodes");
  HS_TRY(hs_json_get_positive(&o, "capacitance_j_per_k", 1e6, &t->nodes[i].capacitance_j_per_k, r->err));
  return end(r, &o);
}

static enum hs_status read_link(struct reader *r, const struct hs_json_at *array, int i)
{
  struct hs_json_at o;
  struct hs_thermal *t = &r->soc->thermal;
  HS_TRY(hs_json_element_object(array, i, &o, r->err));
  HS_TRY(find_node(r, &o, "from", true, &t->links[i].from));
  HS_TRY(find_node(r, &o, "to", true, &t->links[i].to));
  if (t->links[i].from == t->links[i].to) return hs_json_fail(&o, r->err, "joins a node to itself");
  HS_TRY(hs_json_get_positive(&o, "resistance_k_per_w", 1e6, &t->links[i].resistance_k_per_w, r->err));
  return end(r, &o);
}

/* Thermal governors take the first and the last passive trip of a node as switch-on and target. */
static enum hs_status check_passive(struct reader *r, const struct hs_json_at *at, int i)
{
  const struct hs_trip *trips = r->soc->thermal.trips;
  for (int k = 0; k < i; k++)
    if (trips[k].node == trips[i].node && strcmp(trips[k].type, "passive") == 0 && strcmp(trips[i].type, "passive") == 0 &&
        trips[k].temperature_c >= trips[i].temperature_c)
      return hs_json_fail(at, r->err, "temperature_c %g is not above the passive trip of this node before it (%g)", trips[i].temperature_c,
                          trips[k].temperature_c);
  return HS_OK;
}

static enum hs_status read_trip(struct reader *r, const struct hs_json_at *array, int i)
{
  static const char *const types[] = {"passive", "hot", "critical", NULL};
  struct hs_json_at o;
  struct hs_trip *t = &r->soc->thermal.trips[i];
  int type = 0;
  HS_TRY(hs_json_element_object(array, i, &o, r->err));
  HS_TRY(find_node(r, &o, "node", false, &t->node));
  HS_TRY(hs_json_get_word(&o, "type", types, &type, r->err));
  t->type = types[type];
  HS_TRY(hs_json_get_number(&o, "temperature_c", 0, 200, &t->temperature_c, r->err));
  HS_TRY(hs_json_get_number(&o, "hysteresis_c", 0, 50, &t->hysteresis_c, r->err));
  HS_TRY(read_mask(r, &o, &t->processors));
  HS_TRY(check_passive(r, &o, i));
  return end(r, &o);
}

static bool has_passive(const struct hs_thermal *t, int node)
{
  for (int k = 0; k < t->n_trips; k++)
    if (t->trips[k].node == node && strcmp(t->trips[k].type, "passive") == 0) return true;
  return false;
}

static enum hs_status read_gain(struct reader *r, struct hs_json_at *o, const char *key, bool power_allocator, double *gain)
{
  struct hs_json_at at;
  if (!hs_json_has(o, key)) return HS_OK;
  HS_TRY(hs_json_get(o, key, &at, r->err));
  if (!power_allocator) return hs_json_fail(&at, r->err, "goes with the governor power_allocator only, not step_wise");
  return hs_json_positive(&at, 1000, gain, r->err);
}

static enum hs_status read_zone(struct reader *r, const struct hs_json_at *array, int i)
{
  static const char *const governors[] = {"step_wise", "power_allocator", NULL};
  struct hs_json_at o;
  int node, governor = 0;
  HS_TRY(hs_json_element_object(array, i, &o, r->err));
  HS_TRY(find_node(r, &o, "node", false, &node));
  struct hs_zone *z = &r->soc->thermal.zones[node];
  if (z->said) return hs_json_fail(&o, r->err, "node \"%s\" has a zone already", r->soc->thermal.nodes[node].name);
  if (!has_passive(&r->soc->thermal, node)) return hs_json_fail(&o, r->err, "node \"%s\" has no passive trip to look after", r->soc->thermal.nodes[node].name);
  z->said = true;
  HS_TRY(hs_json_get_word(&o, "governor", governors, &governor, r->err));
  z->power_allocator = governor == 1;
  if (hs_json_has(&o, "period_s")) HS_TRY(hs_json_get_number(&o, "period_s", .01, 60, &z->period_s, r->err));
  HS_TRY(read_gain(r, &o, "sustainable_w", z->power_allocator, &z->sustainable_w));
  HS_TRY(read_gain(r, &o, "k_po_w_per_k", z->power_allocator, &z->k_po_w_per_k));
  HS_TRY(read_gain(r, &o, "k_pu_w_per_k", z->power_allocator, &z->k_pu_w_per_k));
  HS_TRY(read_gain(r, &o, "k_i_w_per_k", z->power_allocator, &z->k_i_w_per_k));
  return end(r, &o);
}

/* The OPPs of the processor's fastest domain that it lies on or between. */
static bool place_cap(struct hs_vendor_cap *v, const struct hs_domain *d, double freq_hz)
{
  const struct hs_opp *opps = d->opps;
  for (v->level = d->n_opps - 1; v->level >= 0 && opps[v->level].freq_hz > freq_hz + 1;) v->level--;
  if (v->level < 0) return false;
  double over_hz = freq_hz - opps[v->level].freq_hz;
  if (over_hz <= 1) return true;
  if (v->level == d->n_opps - 1) return false;
  v->above_frac = over_hz / (opps[v->level + 1].freq_hz - opps[v->level].freq_hz);
  return true;
}

static enum hs_status read_vendor_cap(struct reader *r, const struct hs_json_at *array, int i)
{
  struct hs_json_at o, at;
  struct hs_vendor_cap *v = &r->soc->thermal.vendor_caps[i];
  const char *name;
  double freq_hz;
  HS_TRY(hs_json_element_object(array, i, &o, r->err));
  HS_TRY(find_node(r, &o, "node", false, &v->node));
  HS_TRY(hs_json_get_number(&o, "temperature_c", 0, 200, &v->temperature_c, r->err));
  HS_TRY(hs_json_get_number(&o, "hysteresis_c", 0, 50, &v->hysteresis_c, r->err));
  HS_TRY(hs_json_get(&o, "processor", &at, r->err));
  HS_TRY(hs_json_string(&at, &name, r->err));
  v->processor = hs_soc_find(r->soc, name);
  if (v->processor < 0) return hs_json_fail(&at, r->err, "there is no processor \"%.60s\"", name);
  HS_TRY(hs_json_get(&o, "freq_hz", &at, r->err));
  HS_TRY(hs_json_positive(&at, 1e11, &freq_hz, r->err));
  const struct hs_domain *fastest = &r->soc->processors[v->processor].domains[r->soc->processors[v->processor].n_domains - 1];
  if (!place_cap(v, fastest, freq_hz)) return hs_json_fail(&at, r->err, "%g is not from the lowest to the highest OPP of %s.%s", freq_hz, name, fastest->name);
  return end(r, &o);
}

static enum hs_status check_heated(struct reader *r, const struct hs_json_at *at)
{
  unsigned heated = 0;
  for (int i = 0; i < r->soc->thermal.n_nodes; i++) heated |= r->soc->thermal.nodes[i].processors;
  for (int p = 0; p < r->soc->n_processors; p++)
    if (!(heated >> p & 1)) return hs_json_fail(at, r->err, "processor \"%s\" heats no node", r->soc->processors[p].name);
  return HS_OK;
}

/* A hot spot of a die, its fastest part, takes milliseconds: what is faster has a slip in a unit. */
static enum hs_status check_time_constants(struct reader *r, const struct hs_json_at *at)
{
  const struct hs_thermal *t = &r->soc->thermal;
  double w_per_k[HS_THERMAL_MAX] = {0};
  for (int i = 0; i < t->n_links; i++) {
    if (t->links[i].from >= 0) w_per_k[t->links[i].from] += 1 / t->links[i].resistance_k_per_w;
    if (t->links[i].to >= 0) w_per_k[t->links[i].to] += 1 / t->links[i].resistance_k_per_w;
  }
  for (int i = 0; i < t->n_nodes; i++)
    if (t->nodes[i].capacitance_j_per_k < 1e-3 * w_per_k[i])
      return hs_json_fail(at, r->err, "node \"%s\" follows its neighbours within %g s, which is below 1 ms", t->nodes[i].name,
                          t->nodes[i].capacitance_j_per_k / w_per_k[i]);
  return HS_OK;
}

/* Heat must be able to leave every node. */
static enum hs_status check_connected(struct reader *r, const struct hs_json_at *at)
{
  const struct hs_thermal *t = &r->soc->thermal;
  bool cooled[HS_THERMAL_MAX] = {false};
  for (int round = 0; round < t->n_nodes; round++)
    for (int i = 0; i < t->n_links; i++) {
      int a = t->links[i].from, b = t->links[i].to;
      bool warm = a < 0 || cooled[a], cold = b < 0 || cooled[b];
      if (a >= 0 && cold) cooled[a] = true;
      if (b >= 0 && warm) cooled[b] = true;
    }
  for (int i = 0; i < t->n_nodes; i++)
    if (!cooled[i]) return hs_json_fail(at, r->err, "node \"%s\" has no way to ambient", t->nodes[i].name);
  return HS_OK;
}

static enum hs_status read_thermal(struct reader *r, struct hs_json_at *root)
{
  struct hs_json_at o, array;
  struct hs_thermal *t = &r->soc->thermal;
  HS_TRY(hs_json_get_object(root, "thermal", &o, r->err));
  HS_TRY(hs_json_get_number(&o, "ambient_c", -40, 80, &t->ambient_c, r->err));
  HS_TRY(hs_json_get_array(&o, "nodes", 1, HS_THERMAL_MAX, &array, &t->n_nodes, r->err));
  for (int i = 0; i < t->n_nodes; i++) HS_TRY(read_node(r, &array, i));
  HS_TRY(check_heated(r, &array));
  HS_TRY(hs_json_get_array(&o, "links", 1, 2 * HS_THERMAL_MAX, &array, &t->n_links, r->err));
  for (int i = 0; i < t->n_links; i++) HS_TRY(read_link(r, &array, i));
  HS_TRY(check_connected(r, &array));
  HS_TRY(check_time_constants(r, &array));
  HS_TRY(hs_json_get_array(&o, "trips", 0, 2 * HS_THERMAL_MAX, &array, &t->n_trips, r->err));
  for (int i = 0; i < t->n_trips; i++) HS_TRY(read_trip(r, &array, i));
  if (hs_json_has(&o, "zones")) {
    int n;
    HS_TRY(hs_json_get_array(&o, "zones", 1, HS_THERMAL_MAX, &array, &n, r->err));
    for (int i = 0; i < n; i++) HS_TRY(read_zone(r, &array, i));
  }
  if (!hs_json_has(&o, "vendor_caps")) return end(r, &o);
  HS_TRY(hs_json_get_array(&o, "vendor_caps", 1, 2 * HS_THERMAL_MAX, &array, &t->n_vendor_caps, r->err));
  for (int i = 0; i < t->n_vendor_caps; i++) HS_TRY(read_vendor_cap(r, &array, i));
  return end(r, &o);
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
  return end(r, &o);
}

static enum hs_status read_root(struct reader *r, const struct hs_json *doc)
{
  struct hs_json_at root, device;
  HS_TRY(hs_json_root(doc, &root, r->err));
  HS_TRY(hs_json_format(&root, "hetsim-soc/1", r->err));
  HS_TRY(own_name(r, &root, "name", &r->soc->name));
  HS_TRY(own_string(r, &root, "title", &r->soc->title));
  HS_TRY(hs_json_get_object(&root, "device", &device, r->err));
  HS_TRY(hs_json_get_number(&device, "idle_w", 0, 20, &r->soc->idle_w, r->err));
  HS_TRY(end(r, &device));
  HS_TRY(read_memory(r, &root));
  HS_TRY(read_processors(r, &root));
  HS_TRY(read_sharing(r, &root));
  HS_TRY(read_thermal(r, &root));
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

void hs_soc_free(struct hs_soc *soc)
{
  if (!soc) return;
  struct hs_arena a = soc->arena;
  hs_arena_free(&a);
}

int hs_soc_find(const struct hs_soc *soc, const char *name)
{
  for (int i = 0; i < soc->n_processors; i++)
    if (strcmp(soc->processors[i].name, name) == 0) return i;
  return -1;
}

int hs_soc_first(const struct hs_soc *soc, enum hs_kind kind)
{
  for (int i = 0; i < soc->n_processors; i++)
    if (soc->processors[i].kind == kind) return i;
  return -1;
}

int hs_processor_cores(const struct hs_processor *p)
{
  int n = 0;
  for (int i = 0; i < p->n_domains; i++) n += p->domains[i].cores;
  return n;
}

/* Index into opps, or -1. */
static int opp_near(const struct hs_domain *d, const char *value)
{
  char *end;
  if (strcmp(value, "max") == 0) return d->n_opps - 1;
  if (strcmp(value, "min") == 0) return 0;
  double hz = strtod(value, &end);
  if (end == value || !isfinite(hz)) return -1;
  double scale = strcmp(end, "") == 0 || strcmp(end, "Hz") == 0 ? 1
               : strcmp(end, "MHz") == 0                         ? 1e6
               : strcmp(end, "GHz") == 0                         ? 1e9
                                                                 : 0;
  for (int i = 0; i < d->n_opps; i++)
    if (fabs(d->opps[i].freq_hz - hz * scale) <= 1e-3 * d->opps[i].freq_hz) return i;
  return -1;
}

int hs_processor_find_opp(const struct hs_processor *p, int d, const char *value, char why[HS_NO_OPP])
{
  const struct hs_domain *domain = &p->domains[d];
  struct hs_text list = {0};
  int opp = opp_near(domain, value);
  if (opp >= 0) return opp;
  for (int i = 0; i < domain->n_opps; i++) hs_text_addf(&list, "%s%g", i ? ", " : "", domain->opps[i].freq_hz / 1e6);
  snprintf(why, HS_NO_OPP, "\"%.40s\" is not max, min or an OPP of %s.%s (MHz: %.500s)", value, p->name, domain->name, list.s ? list.s : "");
  hs_text_free(&list);
  return -1;
}

int hs_processor_opp(const struct hs_processor *p, int d, int level)
{
  const struct hs_domain *top = &p->domains[p->n_domains - 1], *dom = &p->domains[d];
  if (dom == top) return level;
  double relative = top->opps[level].freq_hz / top->opps[top->n_opps - 1].freq_hz;
  int i = 0;
  while (i < dom->n_opps - 1 && dom->opps[i].freq_hz / dom->opps[dom->n_opps - 1].freq_hz < relative) i++;
  return i;
}

bool hs_processor_computes(const struct hs_processor *p, enum hs_precision precision)
{
  return p->domains[0].macs_per_cycle[precision] > 0;
}
