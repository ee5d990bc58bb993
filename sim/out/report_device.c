/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scenario did to the phone: frames of the display, heat, and temperature, frequency and power over time. */
#include <stddef.h>
#include <stdio.h>

#include "base/json_put.h"
#include "out/report.h"

/* --- text --- */

static void frames(const struct hs_frames *f, struct hs_text *t)
{
  char worst[20];
  if (!f->vsyncs) return;
  hs_text_column(t, "Frames", 15);
  hs_text_addf(t, "%ld of %ld drawn, %.1f %% dropped, %.1f %% of the drawn janky, slowest %s\n", f->drawn, f->vsyncs, 100 * hs_frames_dropped_frac(f),
               f->drawn ? 100. * (double)f->janky / (double)f->drawn : 0, hs_si(f->worst_s, "s", worst, sizeof worst));
}

/* Levels by which step_wise lowers p for good, for the nodes that are held. */
static int steps_held(const struct hs_report *r, int p)
{
  const struct hs_soc *soc = r->sys->soc;
  int n = 0, most = hs_processor_fastest(&soc->processors[p])->n_opps - 1;
  for (int q = 0, seen = 0; q < soc->n_processors; q++) {
    int node = hs_soc_node(soc, q);
    if (!r->scenario->held[q] || seen >> node & 1) continue;
    n += hs_thermal_steps_held(soc, r->scenario->thermal_governor, node, r->scenario->held_c[q], p);
    seen |= 1 << node;
  }
  return n < most ? n : most;
}

/* Who holds a temperature far above a trip may expect more. */
static void throttled(const struct hs_report *r, struct hs_text *t)
{
  int n = 0;
  for (int p = 0; p < r->sys->soc->n_processors; p++) {
    int steps = steps_held(r, p);
    if (!steps) continue;
    if (!n++) hs_text_column(t, "Held heat", 15);
    hs_text_addf(t, "%s%s at most %d OPP%s below its highest", n > 1 ? ", " : "", r->sys->soc->processors[p].name, steps, steps > 1 ? "s" : "");
  }
  if (n) hs_text_add(t, " by step_wise, which takes a step when it gets warmer, and what is held doesn't\n");
}

/* Who sees a cold phone throttle may look for a trip that was reached. */
static void always_on(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_thermal *net = &r->sys->soc->thermal;
  int n = 0;
  for (int node = 0; node < net->n_nodes; node++) {
    if (!hs_thermal_always_on(r->sys->soc, r->scenario->thermal_governor, node)) continue;
    if (!n++) hs_text_column(t, "Allocator", 15);
    hs_text_addf(t, "%s%s", n > 1 ? ", " : "", net->nodes[node].name);
  }
  if (n) hs_text_add(t, " under power_allocator from the coldest on: one passive trip is the target, and none switches it on\n");
}

void hs_device_text(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_thermal_model *heat = hs_living_thermal(r->living);
  const struct hs_frames f = hs_living_frames(r->living);
  int n;
  const struct hs_sample *samples = hs_living_samples(r->living, &n);
  frames(&f, t);
  if (n) {
    char span[20], label[28];
    snprintf(label, sizeof label, "Last %s", hs_si(samples[n - 1].end_s - (n > 1 ? samples[n - 2].end_s : 0), "s", span, sizeof span));
    hs_text_column(t, label, 15); /* means, so not the clocks at the end */
    for (int p = 0; p < r->sys->soc->n_processors; p++) {
      char hz[20];
      hs_text_addf(t, "%s%s %s", p ? ", " : "", r->sys->soc->processors[p].name, hs_si(samples[n - 1].freq_hz[p], "Hz", hz, sizeof hz));
      if (heat) hs_text_addf(t, " %.1f C", samples[n - 1].temperature_c[hs_soc_node(r->sys->soc, p)]);
    }
    int bare[HS_THERMAL_MAX], n_bare = heat ? hs_soc_bare_nodes(r->sys->soc, bare) : 0;
    for (int i = 0; i < n_bare; i++) hs_text_addf(t, ", %s %.1f C", r->sys->soc->thermal.nodes[bare[i]].name, samples[n - 1].temperature_c[bare[i]]);
    hs_text_add(t, "\n");
  }
  throttled(r, t);
  if (heat) {
    always_on(r, t);
    hs_text_column(t, "Heat", 15);
    hs_text_addf(t, "%.4g J in", heat->in_j);
    if (heat->supplied_j > 0 || heat->supplied_j < 0) hs_text_addf(t, ", %.4g J to hold temperatures", heat->supplied_j);
    hs_text_addf(t, ", %.4g J stored, %.4g J lost to the air\n", hs_thermal_stored_j(heat), heat->lost_j);
  }
  if (f.vsyncs || n || heat) hs_text_add(t, "\n");
}

/* --- JSON --- */

static void series(const struct hs_report *r, const char *name, size_t offset, int k, struct hs_text *t)
{
  int n;
  const struct hs_sample *samples = hs_living_samples(r->living, &n);
  hs_put_open(t, name, '[');
  for (int i = 0; i < n; i++) hs_put_number(t, NULL, hs_sample_number(&samples[i], offset, k));
  hs_put_close(t, ']');
}

static void curves_json(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_soc *soc = r->sys->soc;
  const size_t temperatures = offsetof(struct hs_sample, temperature_c);
  int bare[HS_THERMAL_MAX], n_bare = hs_living_thermal(r->living) ? hs_soc_bare_nodes(soc, bare) : 0;
  hs_put_line(t, 4);
  hs_put_open(t, "curves", '{');
  series(r, "end_s", offsetof(struct hs_sample, end_s), 0, t);
  hs_put_open(t, "processors", '[');
  for (int p = 0; p < soc->n_processors; p++) {
    hs_put_line(t, 6);
    hs_put_open(t, NULL, '{');
    hs_put_string(t, "name", soc->processors[p].name);
    series(r, "power_w", offsetof(struct hs_sample, power_w), p, t);
    series(r, "freq_hz", offsetof(struct hs_sample, freq_hz), p, t);
    if (hs_living_thermal(r->living)) series(r, "temperature_c", temperatures, hs_soc_node(soc, p), t);
    hs_put_close(t, '}');
  }
  hs_put_line(t, 4);
  hs_put_close(t, ']');
  for (int i = 0; i < n_bare; i++) {
    if (i == 0) hs_put_open(t, "nodes", '[');
    hs_put_line(t, 6);
    hs_put_open(t, NULL, '{');
    hs_put_string(t, "name", soc->thermal.nodes[bare[i]].name);
    series(r, "temperature_c", temperatures, bare[i], t);
    hs_put_close(t, '}');
  }
  if (n_bare) hs_put_close(t, ']');
  hs_put_close(t, '}');
}

static void frames_json(const struct hs_frames *f, struct hs_text *t)
{
  hs_put_line(t, 4);
  hs_put_open(t, "frames", '{');
  hs_put_number(t, "vsyncs", (double)f->vsyncs);
  hs_put_number(t, "drawn", (double)f->drawn);
  hs_put_number(t, "janky", (double)f->janky);
  hs_put_number(t, "dropped_frac", hs_frames_dropped_frac(f));
  hs_put_number(t, "worst_s", f->worst_s);
  hs_put_close(t, '}');
}

static void heat_json(const struct hs_thermal_model *heat, struct hs_text *t)
{
  hs_put_line(t, 4);
  hs_put_open(t, "heat", '{');
  hs_put_number(t, "in_j", heat->in_j);
  hs_put_number(t, "supplied_j", heat->supplied_j);
  hs_put_number(t, "stored_j", hs_thermal_stored_j(heat));
  hs_put_number(t, "lost_j", heat->lost_j);
  hs_put_close(t, '}');
}

static void always_on_json(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_thermal *net = &r->sys->soc->thermal;
  hs_put_open(t, "power_allocator_always_on", '[');
  for (int node = 0; node < net->n_nodes; node++)
    if (hs_thermal_always_on(r->sys->soc, r->scenario->thermal_governor, node)) hs_put_string(t, NULL, net->nodes[node].name);
  hs_put_close(t, ']');
}

/* Nothing where no held temperature throttles. */
static void throttled_json(const struct hs_report *r, struct hs_text *t)
{
  int n = 0;
  for (int p = 0; p < r->sys->soc->n_processors; p++) {
    int steps = steps_held(r, p);
    if (!steps) continue;
    if (!n++) {
      hs_put_line(t, 4);
      hs_put_open(t, "held_opps_below", '{');
    }
    hs_put_number(t, r->sys->soc->processors[p].name, steps);
  }
  if (n) hs_put_close(t, '}');
}

void hs_device_json(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_frames f = hs_living_frames(r->living);
  const struct hs_thermal_model *heat = hs_living_thermal(r->living);
  hs_put_line(t, 2);
  hs_put_open(t, "device", '{');
  hs_put_line(t, 4);
  hs_put_open(t, "energy_j", '{');
  for (int p = 0; p < r->sys->soc->n_processors; p++) hs_put_number(t, r->sys->soc->processors[p].name, hs_living_energy_j(r->living, p));
  hs_put_close(t, '}');
  if (f.vsyncs) frames_json(&f, t);
  throttled_json(r, t);
  if (heat) {
    heat_json(heat, t);
    always_on_json(r, t);
  }
  curves_json(r, t);
  hs_put_line(t, 2);
  hs_put_close(t, '}');
}
