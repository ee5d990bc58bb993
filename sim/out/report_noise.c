/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --noise adds to the reports: what scattered and what didn't, and the figures over all runs. */
#include <math.h>

#include "base/json_put.h"
#include "out/report.h"
#include "out/table.h"

static const struct {
  const char *name, *unit;
} figures[HS_NOISE_FIGURES] = {{"latency", "s"}, {"energy", "j"}, {"throughput", "per_s"}};

static const char *const spread_names[] = {"mean", "std", "p5", "p50", "p95"};
enum { SPREADS = sizeof spread_names / sizeof *spread_names };

static void values_of(const struct hs_distribution *s, double v[SPREADS])
{
  const double values[SPREADS] = {s->mean, s->std, s->p5, s->p50, s->p95};
  for (int i = 0; i < SPREADS; i++) v[i] = values[i];
}

/* The sources that scatter, or those that don't. */
static void sources_text(const struct hs_noise_report *n, bool scatter, struct hs_text *t)
{
  int count = 0;
  for (int i = 0; i < n->n_sources; i++)
    if (n->sources[i].scatters == scatter) hs_text_addf(t, "%s%s", count++ ? ", " : "", n->sources[i].name);
  if (count == 0) hs_text_add(t, "nothing");
}

/* `fine`: as for hs_si_fine. A rate has no prefix: m/s would be another unit. */
static void cell(struct hs_table *table, int figure, double v, double fine)
{
  char buf[40];
  int digits = 3;
  while (digits < 9 && fine > 0 && fabs(v) >= pow(10, digits) * fine) digits++;
  if (figure == HS_NOISE_THROUGHPUT)
    hs_table_add(table, "%.*f/s", v > 0 ? (int)fmax(0, digits - 1 - floor(log10(v))) : 0, v);
  else
    hs_table_add(table, "%s", hs_si_fine(v, fine, figure == HS_NOISE_LATENCY ? "s" : "J", buf, sizeof buf));
}

/* So many decimals that the percentiles, a few per mille apart, can be told from each other: two digits of the deviation. */
static void row(struct hs_table *table, const struct hs_report *r, int network, int figure)
{
  double v[SPREADS];
  values_of(&r->noise->networks[network].figures[figure], v);
  hs_table_add(table, "%s", r->networks[network].network->label);
  hs_table_add(table, "%s", figures[figure].name);
  for (int i = 0; i < SPREADS; i++)
    if (isnan(v[i]))
      hs_table_add(table, "-"); /* none ended */
    else
      cell(table, figure, v[i], i == 1 ? 0 : v[1] / 10);
  if (isnan(v[0]))
    hs_table_add(table, "-");
  else
    hs_table_add(table, "%.2f %%", v[0] > 0 ? 100 * v[1] / v[0] : 0);
}

static void runs(const struct hs_report *r, struct hs_text *t)
{
  static const char *const heads[] = {"network", "", "mean", "std", "p5", "p50", "p95", "std/mean"};
  enum { N = sizeof heads / sizeof *heads };
  struct hs_table table = {.n_columns = N};
  for (int i = 0; i < N; i++) {
    table.right[i] = i >= 2;
    hs_table_add(&table, "%s", heads[i]);
  }
  for (int i = 0; i < r->n_networks; i++)
    for (int k = 0; k < HS_NOISE_FIGURES; k++) row(&table, r, i, k);
  hs_text_addf(t, "Over %d run%s%s:\n", r->noise->n_runs, r->noise->n_runs == 1 ? "" : "s",
               r->stopped ? "; the above was broken off, and isn't among them" : ", of which the above is the first");
  hs_table_print(&table, t);
  hs_table_free(&table);
}

void hs_noise_text(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_noise_report *n = r->noise;
  if (!n) return;
  hs_text_add(t, "\n");
  if (n->runs > 1) runs(r, t);
  if (n->n_runs < n->runs) hs_text_addf(t, "(stopped after %d of %d runs)\n", n->n_runs, n->runs);
  hs_text_add(t, "Drawn as measured: ");
  sources_text(n, true, t);
  hs_text_add(t, "\nExact, as nothing is known of their scatter: ");
  sources_text(n, false, t);
  hs_text_add(t, "\n");
}

static void sources_json(const struct hs_noise_report *n, const char *name, bool scatter, struct hs_text *t)
{
  hs_put_line(t, 4);
  hs_put_open(t, name, '[');
  for (int i = 0; i < n->n_sources; i++)
    if (n->sources[i].scatters == scatter) hs_put_string(t, NULL, n->sources[i].name);
  hs_put_close(t, ']');
}

static void spread_json(const struct hs_distribution *s, int figure, struct hs_text *t)
{
  char name[40];
  double v[SPREADS];
  values_of(s, v);
  snprintf(name, sizeof name, "%s_%s", figures[figure].name, figures[figure].unit);
  hs_put_open(t, name, '{');
  for (int i = 0; i < SPREADS; i++) hs_put_number(t, spread_names[i], v[i]);
  hs_put_close(t, '}');
}

void hs_noise_json(const struct hs_report *r, struct hs_text *t)
{
  const struct hs_noise_report *n = r->noise;
  if (!n) return;
  hs_put_line(t, 2);
  hs_put_open(t, "noise", '{');
  hs_put_line(t, 4);
  hs_put_number(t, "runs", n->n_runs);
  sources_json(n, "drawn", true, t);
  sources_json(n, "exact", false, t);
  hs_put_line(t, 4);
  hs_put_open(t, "networks", '[');
  for (int i = 0; i < r->n_networks; i++) {
    hs_put_line(t, 6);
    hs_put_open(t, NULL, '{');
    hs_put_string(t, "label", r->networks[i].network->label);
    hs_put_number(t, "runs", n->networks[i].figures[0].n);
    for (int k = 0; k < HS_NOISE_FIGURES; k++) spread_json(&n->networks[i].figures[k], k, t);
    hs_put_close(t, '}');
  }
  hs_put_line(t, 4);
  hs_put_close(t, ']');
  hs_put_line(t, 2);
  hs_put_close(t, '}');
}

void hs_noise_csv_head(const struct hs_report *r, struct hs_text *t)
{
  if (!r->noise) return;
  hs_text_add(t, "runs,");
  for (int k = 0; k < HS_NOISE_FIGURES; k++)
    for (int i = 0; i < SPREADS; i++) hs_text_addf(t, "runs_%s_%s_%s,", figures[k].name, spread_names[i], figures[k].unit);
}

void hs_noise_csv(const struct hs_report *r, int network, struct hs_text *t)
{
  if (!r->noise) return;
  hs_text_addf(t, "%d,", r->noise->networks[network].figures[0].n);
  for (int k = 0; k < HS_NOISE_FIGURES; k++) {
    double v[SPREADS];
    values_of(&r->noise->networks[network].figures[k], v);
    for (int i = 0; i < SPREADS; i++) hs_csv_field(t, v[i]);
  }
}
