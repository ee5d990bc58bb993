/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/soc_thermal.h"

#include <string.h>

#include "input/sources.h"

struct reader {
  struct hs_soc *soc;
  struct hs_error *err;
};

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
  HS_TRY(hs_json_get_name(&o, "name", &t->nodes[i].name, r->err));
  t->nodes[i].name = hs_arena_strdup(&r->soc->arena, t->nodes[i].name);
  if (strcmp(t->nodes[i].name, "ambient") == 0) return hs_json_fail(&o, r->err, "\"ambient\" is reserved");
  HS_TRY(read_mask(r, &o, &t->nodes[i].processors));
  for (int k = 0; k < i; k++) {
    taken |= t->nodes[k].processors;
    if (strcmp(t->nodes[k].name, t->nodes[i].name) == 0)
      return hs_json_fail(&o, r->err, "there is already a thermal node \"%s\"", t->nodes[i].name);
  }
  if (taken & t->nodes[i].processors) return hs_json_fail(&o, r->err, "a processor heats two nodes");
  HS_TRY(hs_json_get_positive(&o, "capacitance_j_per_k", 1e4, &t->nodes[i].capacitance_j_per_k, r->err));
  return hs_sources_end(&o, r->err);
}

static enum hs_status read_link(struct reader *r, const struct hs_json_at *array, int i)
{
  struct hs_json_at o;
  struct hs_thermal *t = &r->soc->thermal;
  HS_TRY(hs_json_element_object(array, i, &o, r->err));
  HS_TRY(find_node(r, &o, "from", true, &t->links[i].from));
  HS_TRY(find_node(r, &o, "to", true, &t->links[i].to));
  if (t->links[i].from == t->links[i].to) return hs_json_fail(&o, r->err, "joins a node to itself");
  for (int k = 0; k < i; k++) {
    bool same = t->links[k].from == t->links[i].from && t->links[k].to == t->links[i].to;
    bool reversed = t->links[k].from == t->links[i].to && t->links[k].to == t->links[i].from;
    if (same || reversed) return hs_json_fail(&o, r->err, "joins the same two nodes as links[%d]", k);
  }
  HS_TRY(hs_json_get_positive(&o, "resistance_k_per_w", 1e3, &t->links[i].resistance_k_per_w, r->err));
  return hs_sources_end(&o, r->err);
}

/* Who is switched off before it is slowed down has a slip in a temperature. */
static enum hs_status check_critical(const struct reader *r, const struct hs_json_at *at, int i)
{
  const struct hs_trip *trips = r->soc->thermal.trips;
  for (int k = 0; k <= i; k++)
    for (int c = 0; c <= i; c++)
      if (trips[k].node == trips[i].node && trips[c].node == trips[i].node && trips[c].type == HS_TRIP_CRITICAL &&
          trips[k].type == HS_TRIP_PASSIVE && trips[c].temperature_c <= trips[k].temperature_c)
        return hs_json_fail(at, r->err, "the critical trip of this node (%g) is not above its passive one (%g)",
                            trips[c].temperature_c, trips[k].temperature_c);
  return HS_OK;
}

/* Thermal governors take the first and the last passive trip of a node as switch-on and target. */
static enum hs_status check_passive(struct reader *r, const struct hs_json_at *at, int i)
{
  const struct hs_trip *trips = r->soc->thermal.trips;
  for (int k = 0; k < i; k++)
    if (trips[k].node == trips[i].node && trips[k].type == HS_TRIP_PASSIVE && trips[i].type == HS_TRIP_PASSIVE &&
        trips[k].temperature_c >= trips[i].temperature_c)
      return hs_json_fail(at, r->err, "temperature_c %g is not above the passive trip of this node before it (%g)", trips[i].temperature_c,
                          trips[k].temperature_c);
  return HS_OK;
}

static enum hs_status read_trip(struct reader *r, const struct hs_json_at *array, int i)
{
  struct hs_json_at o;
  struct hs_trip *t = &r->soc->thermal.trips[i];
  int type = 0;
  HS_TRY(hs_json_element_object(array, i, &o, r->err));
  HS_TRY(find_node(r, &o, "node", false, &t->node));
  HS_TRY(hs_json_get_word(&o, "type", hs_trip_type_names, &type, r->err));
  t->type = (enum hs_trip_type)type;
  HS_TRY(hs_json_get_number(&o, "temperature_c", 0, 200, &t->temperature_c, r->err));
  HS_TRY(hs_json_get_number(&o, "hysteresis_c", 0, 50, &t->hysteresis_c, r->err));
  HS_TRY(read_mask(r, &o, &t->processors));
  HS_TRY(check_passive(r, &o, i));
  HS_TRY(check_critical(r, &o, i));
  return hs_sources_end(&o, r->err);
}

static bool has_passive(const struct hs_thermal *t, int node)
{
  for (int k = 0; k < t->n_trips; k++)
    if (t->trips[k].node == node && t->trips[k].type == HS_TRIP_PASSIVE) return true;
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
  return hs_sources_end(&o, r->err);
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
  const struct hs_domain *fastest = hs_processor_fastest(&r->soc->processors[v->processor]);
  if (!place_cap(v, fastest, freq_hz)) return hs_json_fail(&at, r->err, "%g is not from the lowest to the highest OPP of %s.%s", freq_hz, name, fastest->name);
  return hs_sources_end(&o, r->err);
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

enum hs_status hs_soc_read_thermal(struct hs_json_at *root, struct hs_soc *soc, struct hs_error *err)
{
  struct reader r = {soc, err};
  struct hs_json_at o, array;
  struct hs_thermal *t = &soc->thermal;
  HS_TRY(hs_json_get_object(root, "thermal", &o, err));
  HS_TRY(hs_json_get_number(&o, "ambient_c", -40, 80, &t->ambient_c, err));
  HS_TRY(hs_json_get_array(&o, "nodes", 1, HS_THERMAL_MAX, &array, &t->n_nodes, err));
  for (int i = 0; i < t->n_nodes; i++) HS_TRY(read_node(&r, &array, i));
  HS_TRY(check_heated(&r, &array));
  HS_TRY(hs_json_get_array(&o, "links", 1, 2 * HS_THERMAL_MAX, &array, &t->n_links, err));
  for (int i = 0; i < t->n_links; i++) HS_TRY(read_link(&r, &array, i));
  HS_TRY(check_connected(&r, &array));
  HS_TRY(check_time_constants(&r, &array));
  HS_TRY(hs_json_get_array(&o, "trips", 0, 2 * HS_THERMAL_MAX, &array, &t->n_trips, err));
  for (int i = 0; i < t->n_trips; i++) HS_TRY(read_trip(&r, &array, i));
  if (hs_json_has(&o, "zones")) {
    int n;
    HS_TRY(hs_json_get_array(&o, "zones", 0, HS_THERMAL_MAX, &array, &n, err));
    for (int i = 0; i < n; i++) HS_TRY(read_zone(&r, &array, i));
  }
  if (!hs_json_has(&o, "vendor_caps")) return hs_sources_end(&o, err);
  HS_TRY(hs_json_get_array(&o, "vendor_caps", 0, 2 * HS_THERMAL_MAX, &array, &t->n_vendor_caps, err));
  for (int i = 0; i < t->n_vendor_caps; i++) HS_TRY(read_vendor_cap(&r, &array, i));
  return hs_sources_end(&o, err);
}
