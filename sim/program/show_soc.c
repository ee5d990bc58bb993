/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/show_soc.h"

#include <math.h>

#include "base/json_put.h"
#include "device/thermal_governor.h"
#include "program/show_kernels.h"

/* At which a vendor's cap holds its processor, on average where it steps up and down. */
static double cap_hz(const struct hs_soc *s, const struct hs_vendor_cap *c)
{
  const struct hs_processor *p = &s->processors[c->processor];
  const struct hs_opp *at = &hs_processor_fastest(p)->opps[c->level];
  return at->freq_hz + (c->above_frac > 0 ? c->above_frac * (at[1].freq_hz - at->freq_hz) : 0);
}

static const char *node_name(const struct hs_soc *s, int node) { return node < 0 ? "ambient" : s->thermal.nodes[node].name; }

/* --- text --- */

/* With all its cores. */
static double attained_bytes_per_s(const struct hs_soc *s, const struct hs_processor *p)
{
  int cores[HS_DOMAINS_MAX];
  for (int d = 0; d < p->n_domains; d++) cores[d] = p->domains[d].cores;
  return fmin(hs_processor_lane_bytes_per_s(p, cores), s->memory.peak_bytes_per_s);
}

static void processor_text(const struct hs_soc *s, const struct hs_processor *p, struct hs_text *t)
{
  hs_text_addf(t, "\n%s (%s, %s)  attains %s\n", p->name, hs_kind_names[p->kind], hs_discipline_names[hs_kind_discipline(p->kind)],
               hs_si_tmp(attained_bytes_per_s(s, p), "B/s"));
  if (p->local_bytes > 0) hs_text_addf(t, "  of an operator's tensors %s stay on it\n", hs_si_tmp(p->local_bytes, "B"));
  if (p->kernel_power_factor != 1) hs_text_addf(t, "  kernels draw %g times the dynamic power below\n", p->kernel_power_factor);
  if (p->slice_limit_bytes > 0) hs_text_addf(t, "  a model slice may take %s\n", hs_si_tmp(p->slice_limit_bytes, "B"));
  for (int i = 0; i < p->n_op_support; i++) hs_text_addf(t, "  its operators under %s are those of %s\n", p->op_support[i].runtime, p->op_support[i].table);
  for (int d = p->n_domains - 1; d >= 0; d--) {
    const struct hs_domain *dom = &p->domains[d];
    const struct hs_opp *low = &dom->opps[0], *top = hs_domain_top(dom);
    hs_text_addf(t, "  %-7s %d × %s, %d OPP%s %.0f–%.0f MHz, %.2f–%.2f V, at the top %s dynamic per core, %s static\n", dom->name, dom->cores,
                 *dom->core_type ? dom->core_type : "unit", dom->n_opps, dom->n_opps > 1 ? "s" : "", low->freq_hz / 1e6, top->freq_hz / 1e6, low->volt,
                 top->volt, hs_si_tmp(top->dynamic_w, "W"), hs_si_tmp(top->static_w, "W"));
    if (p->kind == HS_CPU) hs_text_addf(t, "          each core attains %s\n", hs_si_tmp(dom->bandwidth_per_core_bytes_per_s, "B/s"));
    if (dom->compute_units > 0) hs_text_addf(t, "          %d compute unit%s\n", dom->compute_units, dom->compute_units > 1 ? "s" : "");
    if (top->shared_w > 0) hs_text_addf(t, "          %s more for all cores together, while one is busy\n", hs_si_tmp(top->shared_w, "W"));
    for (int k = 0; k < HS_PRECISION_N; k++)
      if (dom->macs_per_cycle[k] > 0)
        hs_text_addf(t, "          %s: %g MAC per cycle, %s in all\n", hs_precision_names[k], dom->macs_per_cycle[k],
                     hs_si_tmp(dom->macs_per_cycle[k] * dom->cores * top->freq_hz, "MAC/s"));
  }
}

static void sharing_text(const struct hs_soc *s, struct hs_text *t)
{
  hs_text_add(t, "\nsharing costs: fixed, and per MB\n");
  for (int a = 0; a < HS_KIND_N; a++)
    for (int b = 0; b < HS_KIND_N; b++) {
      if (!s->has_sharing[a][b]) continue;
      hs_text_addf(t, "  %s → %s:", hs_kind_names[a], hs_kind_names[b]);
      for (int k = 0; k < HS_COMM_N; k++) {
        const struct hs_comm_cost *c = &s->sharing[a][b][k];
        if (c->fixed_s > 0 || c->s_per_byte > 0)
          hs_text_addf(t, "  %s %s + %s", hs_comm_names[k], hs_si_tmp(c->fixed_s, "s"), hs_si_tmp(c->s_per_byte * 1e6, "s"));
      }
      hs_text_add(t, "\n");
    }
}

/* Legal, as a phone may lie in the sun, but also what a slip looks like. */
static const char *reached(const struct hs_thermal *h, double temperature_c)
{
  return temperature_c <= h->ambient_c ? " (not above ambient: reached at rest)" : "";
}

static void list_processors(const struct hs_soc *s, unsigned set, const char *before, struct hs_text *t)
{
  for (int p = 0; p < s->n_processors; p++) {
    if (!(set >> p & 1)) continue;
    hs_text_addf(t, "%s%s", before, s->processors[p].name);
    before = ", ";
  }
}

/* Of a passive one, who is slowed: power_allocator's first has none. */
static void trip_text(const struct hs_soc *s, const struct hs_trip *trip, struct hs_text *t)
{
  hs_text_addf(t, "%s %.4g °C", hs_trip_type_names[trip->type], trip->temperature_c);
  if (trip->type == HS_TRIP_PASSIVE) {
    hs_text_add(t, trip->processors ? " (" : " (slows nobody");
    list_processors(s, trip->processors, "", t);
    hs_text_add(t, ")");
  }
  hs_text_add(t, reached(&s->thermal, trip->temperature_c));
}

/* Who looks after a node's trips. */
static const char *governor_of(const struct hs_soc *s, int n)
{
  if (hs_thermal_always_on(s, HS_THERMAL_SOC, n)) return "power_allocator, always on";
  return s->thermal.zones[n].power_allocator ? "power_allocator" : "step_wise";
}

static void node_text(const struct hs_soc *s, int n, struct hs_text *t)
{
  const struct hs_thermal *h = &s->thermal;
  hs_text_addf(t, "  %-8s %.4g J/K", h->nodes[n].name, h->nodes[n].capacitance_j_per_k);
  for (int i = 0; i < h->n_links; i++)
    if (h->links[i].from == n)
      hs_text_addf(t, ", %.4g K/W to %s", h->links[i].resistance_k_per_w, node_name(s, h->links[i].to));
  list_processors(s, h->nodes[n].processors, "; heated by ", t);
  int listed = 0;
  for (int i = 0; i < h->n_trips; i++) {
    if (h->trips[i].node != n) continue;
    if (listed++) hs_text_add(t, ", ");
    else hs_text_addf(t, "; %s: ", governor_of(s, n));
    trip_text(s, &h->trips[i], t);
  }
  hs_text_add(t, "\n");
}

static void thermal_text(const struct hs_soc *s, struct hs_text *t)
{
  const struct hs_thermal *h = &s->thermal;
  if (h->n_nodes == 0) return;
  hs_text_addf(t, "\nheat: ambient %.4g °C; of each node capacitance, resistances, and trips by its thermal governor (of passive ones, who is slowed)\n",
               h->ambient_c);
  for (int n = 0; n < h->n_nodes; n++) node_text(s, n, t);
  for (int i = 0; i < h->n_vendor_caps; i++) {
    const struct hs_vendor_cap *c = &h->vendor_caps[i];
    hs_text_addf(t, "  from %s %.4g °C the vendor caps %s to %.0f MHz%s\n", h->nodes[c->node].name, c->temperature_c, s->processors[c->processor].name,
                 cap_hz(s, c) / 1e6, reached(h, c->temperature_c));
  }
}

static void scheduler_text(const struct hs_scheduler *s, struct hs_text *t)
{
  if (s->latency_s > 0)
    hs_text_addf(t, "\nCPU cores go round their threads in %s, each has it for %s at least, or less where one that wakes up is %s behind\n",
                 hs_si_tmp(s->latency_s, "s"), hs_si_tmp(s->min_granularity_s, "s"), hs_si_tmp(s->wakeup_granularity_s, "s"));
  else
    hs_text_add(t, "\nno scheduler: CPU cores are shared as a fluid, beside other processes, too\n");
}

static void assumed_text(const struct hs_sources *s, struct hs_text *t)
{
  int n[HS_SOURCE_KIND_N] = {0};
  for (int i = 0; i < s->n_numbers; i++) n[s->list[s->numbers[i].source].kind]++;
  hs_text_addf(t, "\nsources: %d entries measured, %d vendor, %d derived, %d press, %d assumed. Assumed:\n", n[HS_MEASURED], n[HS_VENDOR], n[HS_DERIVED],
               n[HS_PRESS], n[HS_ASSUMED]);
  for (int i = 0; i < s->n_numbers; i++) {
    const struct hs_provenance *p = &s->numbers[i];
    if (s->list[p->source].kind != HS_ASSUMED) continue;
    hs_text_addf(t, "  %-58s ", p->path);
    hs_text_number(t, p->value);
    hs_text_addf(t, "%s  (%s)\n", p->n_values > 1 ? ", …" : "", s->list[p->source].name);
  }
  hs_text_add(t, "because:\n");
  for (int i = 0; i < s->n; i++)
    if (s->list[i].kind == HS_ASSUMED) hs_text_addf(t, "  %-14s %s\n", s->list[i].name, s->list[i].ref);
}

enum hs_status hs_show_soc_text(struct hs_catalog *c, const struct hs_soc *s, struct hs_text *t, struct hs_error *err)
{
  hs_text_addf(t, "%s: %s\nidle device %s; memory %s %s, %s peak, shared cache %s\n", s->name, s->title, hs_si_tmp(s->idle_w, "W"),
               hs_si_tmp(s->memory.capacity_bytes, "B"), s->memory.type, hs_si_tmp(s->memory.peak_bytes_per_s, "B/s"),
               s->memory.llc_bytes > 0 ? hs_si_tmp(s->memory.llc_bytes, "B") : "none, or of unknown size");
  for (int p = 0; p < s->n_processors; p++) processor_text(s, &s->processors[p], t);
  sharing_text(s, t);
  thermal_text(s, t);
  scheduler_text(&s->scheduler, t);
  HS_TRY(hs_show_kernels(c, s, false, t, err));
  assumed_text(&s->sources, t);
  return HS_OK;
}

/* --- JSON: what the file says by its keys, and who looks after a node's trips --- */

static void domain_json(const struct hs_domain *dom, struct hs_text *t)
{
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "name", dom->name);
  hs_put_string(t, "core_type", dom->core_type);
  hs_put_number(t, "cores", dom->cores);
  if (dom->compute_units > 0) hs_put_number(t, "compute_units", dom->compute_units);
  hs_put_number(t, "bandwidth_per_core_bytes_per_s", dom->bandwidth_per_core_bytes_per_s);
  hs_put_open(t, "macs_per_cycle", '{');
  for (int k = 0; k < HS_PRECISION_N; k++)
    if (dom->macs_per_cycle[k] > 0) hs_put_number(t, hs_precision_names[k], dom->macs_per_cycle[k]);
  hs_put_close(t, '}');
  hs_put_open(t, "opps", '[');
  for (int i = 0; i < dom->n_opps; i++) {
    hs_put_open(t, NULL, '{');
    hs_put_number(t, "freq_hz", dom->opps[i].freq_hz);
    hs_put_number(t, "volt", dom->opps[i].volt);
    hs_put_number(t, "dynamic_w", dom->opps[i].dynamic_w);
    hs_put_number(t, "static_w", dom->opps[i].static_w);
    hs_put_number(t, "shared_w", dom->opps[i].shared_w);
    hs_put_close(t, '}');
  }
  hs_put_close(t, ']');
  hs_put_close(t, '}');
}

static void processor_json(const struct hs_processor *p, struct hs_text *t)
{
  hs_put_line(t, 2);
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "name", p->name);
  hs_put_string(t, "kind", hs_kind_names[p->kind]);
  hs_put_string(t, "discipline", hs_discipline_names[hs_kind_discipline(p->kind)]);
  hs_put_number(t, "bandwidth_bytes_per_s", p->bandwidth_bytes_per_s);
  if (p->slice_limit_bytes > 0) hs_put_number(t, "slice_limit_bytes", p->slice_limit_bytes);
  if (p->local_bytes > 0) hs_put_number(t, "local_bytes", p->local_bytes);
  if (p->kernel_power_factor != 1) hs_put_number(t, "kernel_power_factor", p->kernel_power_factor);
  if (p->kind == HS_GPU) {
    hs_put_open(t, "memory_types", '[');
    for (int i = 0; i < p->n_memory_types; i++) hs_put_string(t, NULL, hs_memory_type_names[p->memory_types[i]]);
    hs_put_close(t, ']');
  }
  if (p->context_slice_s > 0) hs_put_number(t, "context_slice_s", p->context_slice_s);
  if (p->n_op_support > 0) {
    hs_put_open(t, "op_support", '{');
    for (int i = 0; i < p->n_op_support; i++) hs_put_string(t, p->op_support[i].runtime, p->op_support[i].table);
    hs_put_close(t, '}');
  }
  hs_put_open(t, "domains", '[');
  for (int d = 0; d < p->n_domains; d++) domain_json(&p->domains[d], t);
  hs_put_close(t, ']');
  hs_put_close(t, '}');
}

static void sharing_json(const struct hs_soc *s, struct hs_text *t)
{
  hs_put_line(t, 1);
  hs_put_open(t, "sharing_costs", '[');
  for (int a = 0; a < HS_KIND_N; a++)
    for (int b = 0; b < HS_KIND_N; b++) {
      if (!s->has_sharing[a][b]) continue;
      hs_put_line(t, 2);
      hs_put_open(t, NULL, '{');
      hs_put_string(t, "from", hs_kind_names[a]);
      hs_put_string(t, "to", hs_kind_names[b]);
      for (int k = 0; k < HS_COMM_N; k++) {
        hs_put_open(t, hs_comm_names[k], '{');
        hs_put_number(t, "fixed_s", s->sharing[a][b][k].fixed_s);
        hs_put_number(t, "s_per_byte", s->sharing[a][b][k].s_per_byte);
        hs_put_close(t, '}');
      }
      hs_put_close(t, '}');
    }
  hs_put_close(t, ']');
}

static void processor_names(const struct hs_soc *s, unsigned set, struct hs_text *t)
{
  hs_put_open(t, "processors", '[');
  for (int p = 0; p < s->n_processors; p++)
    if (set >> p & 1) hs_put_string(t, NULL, s->processors[p].name);
  hs_put_close(t, ']');
}

static void nodes_json(const struct hs_soc *s, struct hs_text *t)
{
  const struct hs_thermal *h = &s->thermal;
  hs_put_line(t, 2);
  hs_put_open(t, "nodes", '[');
  for (int n = 0; n < h->n_nodes; n++) {
    hs_put_open(t, NULL, '{');
    hs_put_string(t, "name", h->nodes[n].name);
    processor_names(s, h->nodes[n].processors, t);
    hs_put_number(t, "capacitance_j_per_k", h->nodes[n].capacitance_j_per_k);
    hs_put_string(t, "governor", h->zones[n].power_allocator ? "power_allocator" : "step_wise");
    hs_put_close(t, '}');
  }
  hs_put_close(t, ']');
  hs_put_line(t, 2);
  hs_put_open(t, "links", '[');
  for (int i = 0; i < h->n_links; i++) {
    hs_put_open(t, NULL, '{');
    hs_put_string(t, "from", node_name(s, h->links[i].from));
    hs_put_string(t, "to", node_name(s, h->links[i].to));
    hs_put_number(t, "resistance_k_per_w", h->links[i].resistance_k_per_w);
    hs_put_close(t, '}');
  }
  hs_put_close(t, ']');
}

static void trips_json(const struct hs_soc *s, struct hs_text *t)
{
  const struct hs_thermal *h = &s->thermal;
  hs_put_line(t, 2);
  hs_put_open(t, "trips", '[');
  for (int i = 0; i < h->n_trips; i++) {
    hs_put_open(t, NULL, '{');
    hs_put_string(t, "node", node_name(s, h->trips[i].node));
    hs_put_string(t, "type", hs_trip_type_names[h->trips[i].type]);
    hs_put_number(t, "temperature_c", h->trips[i].temperature_c);
    hs_put_number(t, "hysteresis_c", h->trips[i].hysteresis_c);
    processor_names(s, h->trips[i].processors, t);
    hs_put_close(t, '}');
  }
  hs_put_close(t, ']');
  hs_put_line(t, 2);
  hs_put_open(t, "vendor_caps", '[');
  for (int i = 0; i < h->n_vendor_caps; i++) {
    const struct hs_vendor_cap *c = &h->vendor_caps[i];
    hs_put_open(t, NULL, '{');
    hs_put_string(t, "node", node_name(s, c->node));
    hs_put_number(t, "temperature_c", c->temperature_c);
    hs_put_number(t, "hysteresis_c", c->hysteresis_c);
    hs_put_string(t, "processor", s->processors[c->processor].name);
    hs_put_number(t, "freq_hz", cap_hz(s, c));
    hs_put_close(t, '}');
  }
  hs_put_close(t, ']');
}

static void thermal_json(const struct hs_soc *s, struct hs_text *t)
{
  if (s->thermal.n_nodes == 0) return;
  hs_put_line(t, 1);
  hs_put_open(t, "thermal", '{');
  hs_put_number(t, "ambient_c", s->thermal.ambient_c);
  nodes_json(s, t);
  trips_json(s, t);
  hs_put_close(t, '}');
}

static void scheduler_json(const struct hs_scheduler *s, struct hs_text *t)
{
  if (s->latency_s <= 0) return;
  hs_put_line(t, 1);
  hs_put_open(t, "scheduler", '{');
  hs_put_number(t, "latency_s", s->latency_s);
  hs_put_number(t, "min_granularity_s", s->min_granularity_s);
  hs_put_number(t, "wakeup_granularity_s", s->wakeup_granularity_s);
  hs_put_close(t, '}');
}

static void numbers_json(const struct hs_sources *s, struct hs_text *t)
{
  hs_put_line(t, 1);
  hs_put_open(t, "numbers", '[');
  for (int i = 0; i < s->n_numbers; i++) {
    const struct hs_provenance *n = &s->numbers[i];
    hs_put_line(t, 2);
    hs_put_open(t, NULL, '{');
    hs_put_string(t, "path", n->path);
    hs_put_number(t, "value", n->value);
    hs_put_number(t, "n_values", n->n_values);
    hs_put_string(t, "kind", hs_source_kind_names[s->list[n->source].kind]);
    hs_put_string(t, "ref", s->list[n->source].ref);
    hs_put_close(t, '}');
  }
  hs_put_line(t, 1);
  hs_put_close(t, ']');
}

enum hs_status hs_show_soc_json(struct hs_catalog *c, const struct hs_soc *s, struct hs_text *t, struct hs_error *err)
{
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "name", s->name);
  hs_put_string(t, "title", s->title);
  hs_put_number(t, "idle_device_w", s->idle_w);
  hs_put_line(t, 1);
  hs_put_open(t, "memory", '{');
  hs_put_number(t, "capacity_bytes", s->memory.capacity_bytes);
  hs_put_string(t, "type", s->memory.type);
  hs_put_number(t, "peak_bytes_per_s", s->memory.peak_bytes_per_s);
  hs_put_number(t, "llc_bytes", s->memory.llc_bytes);
  if (s->memory.llc_hit_frac >= 0) hs_put_number(t, "llc_hit_frac", s->memory.llc_hit_frac);
  hs_put_close(t, '}');
  hs_put_line(t, 1);
  hs_put_open(t, "processors", '[');
  for (int p = 0; p < s->n_processors; p++) processor_json(&s->processors[p], t);
  hs_put_line(t, 1);
  hs_put_close(t, ']');
  sharing_json(s, t);
  thermal_json(s, t);
  scheduler_json(&s->scheduler, t);
  hs_put_line(t, 1);
  HS_TRY(hs_show_kernels(c, s, true, t, err));
  numbers_json(&s->sources, t);
  hs_put_line(t, 0);
  hs_put_close(t, '}');
  hs_put_line(t, 0);
  return HS_OK;
}
