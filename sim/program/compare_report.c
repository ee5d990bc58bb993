/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/compare_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json_put.h"
#include "out/chart_bars.h"
#include "out/report.h"
#include "out/table.h"
#include "program/model_word.h"

/* --- what is said of all --- */

/* More than the first inference. */
static bool goes_on(const struct hs_comparison *c) { return c->cli->inferences != 1; }

/* Whether something is true of any row that ran. */
static bool any(const struct hs_comparison *c, bool (*is_true)(const struct hs_compared *))
{
  bool found = false;
  for (int i = 0; i < c->n; i++) found |= c->rows[i].o.ran && is_true(&c->rows[i].o);
  return found;
}

static bool is_alive(const struct hs_compared *o) { return o->alive; }
static bool begins_slow(const struct hs_compared *o) { return o->begins_slow; }
static bool has_rivals(const struct hs_compared *o) { return o->rivals; }
static bool drifted(const struct hs_compared *o) { return isfinite(o->summary.drift_frac); }
static bool has_deadline(const struct hs_compared *o) { return isfinite(o->deadline_s); }
static bool has_dropped(const struct hs_compared *o) { return o->n_dropped > 0; }
static bool has_backlog(const struct hs_compared *o) { return o->unfinished > 1; } /* back to back, one is in flight when time is up */
static bool is_planned(const struct hs_compared *o) { return o->arena_bytes > 0; }
static bool is_drawn(const struct hs_compared *o) { return o->frames.vsyncs > 0; }
static bool is_heated(const struct hs_compared *o) { return !isnan(o->hottest_c[0]); }

/* "yolov2@5fps": what ran, with its requests. */
static void add_workload(const struct hs_comparison *c, struct hs_text *t)
{
  hs_text_addf(t, "%s%s", c->graph->name, hs_model_word_end(c->cli->words[0]));
}

/* "int8+fp16": those of all kernels, each once, by processor; "-" where none ran. */
static const char *precisions(const struct hs_comparison *c, const struct hs_compared *o, char *buf, size_t size)
{
  size_t n = 0;
  for (int p = 0; p < c->soc->n_processors; p++) {
    bool said = o->precision[p] < 0;
    for (int k = 0; k < p; k++) said |= o->precision[k] == o->precision[p];
    if (!said) n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? "+" : "", hs_precision_names[o->precision[p]]);
  }
  return n ? buf : "-";
}

/* What the least sure of its kernels rest on; "-" where none ran. */
static const char *weakest(const struct hs_comparison *c, const struct hs_compared *o)
{
  int basis = -1;
  for (int p = 0; p < c->soc->n_processors; p++)
    if (o->precision[p] >= 0 && (int)o->basis[p] > basis) basis = (int)o->basis[p];
  return basis >= 0 ? hs_basis_names[basis] : "-";
}

/* --- the table --- */

/* Left to right; USE is one for each processor. */
enum column {
  POLICY, RUNTIME, PRECISION, KERNELS, INFERENCES, PER_SECOND, LATENCY, P90, DRIFT, LATE, DROPPED, UNFINISHED, ENERGY, COMMUNICATION, USE, HOTTEST, FRAMES,
  ARENA, PLAN, COLUMNS
};
_Static_assert((int)COLUMNS + (int)HS_PROCESSORS_MAX <= (int)HS_COLUMNS_MAX, "a table holds them");

static const struct {
  const char *head, *meaning; /* NULL: its head says it */
} columns[COLUMNS] = {
  [POLICY] = {"policy", NULL},
  [RUNTIME] = {"runtime", NULL},
  [PRECISION] = {"precision", NULL},
  [KERNELS] = {"kernels", "the speed of the weakest was fitted to measurements, is a sibling SoC's, or was estimated from hardware rates"},
  [INFERENCES] = {"inferences", NULL},
  [PER_SECOND] = {"per second", NULL},
  [LATENCY] = {"latency", NULL},
  [P90] = {"p90", NULL},
  [DRIFT] = {"drift", "of the latency, from the first half of the inferences to the second"},
  [LATE] = {"late", "after their deadline, or dropped"},
  [DROPPED] = {"dropped", "given up by the policy, so no inferences"},
  [UNFINISHED] = {"unfinished", "waiting or in flight at the end, and not counted"},
  [ENERGY] = {"energy", NULL},
  [COMMUNICATION] = {"communic.", "share of all task time"},
  [USE] = {"of each processor", "the part of the time that it works"},
  [HOTTEST] = {"hottest", "the warmest that a processor gets"},
  [FRAMES] = {"frames", "how many the display drops"},
  [ARENA] = {"arena", "for all tensors but weights"},
  [PLAN] = {"plan", NULL},
};

static bool shown(const struct hs_comparison *c, enum column k)
{
  switch (k) {
  case INFERENCES:
  case PER_SECOND:
  case P90: return goes_on(c);
  case DRIFT: return any(c, drifted);
  case LATE: return any(c, has_deadline);
  case DROPPED: return any(c, has_dropped);
  case UNFINISHED: return any(c, has_deadline) || any(c, has_backlog);
  case HOTTEST: return any(c, is_heated);
  case FRAMES: return any(c, is_drawn);
  case ARENA: return any(c, is_planned);
  default: return true;
  }
}

static void heads(const struct hs_comparison *c, struct hs_table *t)
{
  for (int k = 0; k < COLUMNS; k++) t->n_columns += k == USE ? c->soc->n_processors : shown(c, (enum column)k);
  for (int k = 0; k < COLUMNS; k++) {
    for (int p = 0; p < c->soc->n_processors && k == USE; p++) hs_table_add(t, "%s", c->soc->processors[p].name);
    if (k != USE && shown(c, (enum column)k)) hs_table_add(t, "%s", columns[k].head);
  }
  for (int i = KERNELS + 1; i + 1 < t->n_columns; i++) t->right[i] = true;
}

/* Where a processor was at its warmest, of all. */
static int hottest(const struct hs_comparison *c, const struct hs_compared *o)
{
  int hot = 0;
  for (int p = 1; p < c->soc->n_processors; p++)
    if (o->hottest_c[p] > o->hottest_c[hot]) hot = p;
  return hot;
}

/* Of the inferences, if any ended. */
static const char *each(const struct hs_compared *o, double v, const char *unit) { return o->n_requests ? hs_si_tmp(v, unit) : "-"; }

static void cell(const struct hs_comparison *c, const struct hs_compared_row *r, enum column k, struct hs_table *t)
{
  const struct hs_compared *o = &r->o;
  const struct hs_summary *s = &o->summary;
  char buf[40];
  int hot = hottest(c, o);
  switch (k) {
  case POLICY: hs_table_add(t, "%s", r->label); break;
  case RUNTIME: hs_table_add(t, "%s", o->runtime); break;
  case PRECISION: hs_table_add(t, "%s", precisions(c, o, buf, sizeof buf)); break;
  case KERNELS: hs_table_add(t, "%s", weakest(c, o)); break;
  case INFERENCES: hs_table_add(t, "%d", o->n_requests); break;
  case PER_SECOND: hs_table_add(t, "%s", hs_rate(s->throughput_per_s, buf, sizeof buf)); break;
  case LATENCY: hs_table_add(t, "%s", each(o, s->latency_s, "s")); break;
  case P90: hs_table_add(t, "%s", each(o, s->p90_s, "s")); break;
  case DRIFT:
    snprintf(buf, sizeof buf, "%+.0f %%", hs_no_minus_zero(100 * s->drift_frac, 0));
    hs_table_add(t, "%s", drifted(o) ? buf : "-");
    break;
  case LATE: hs_table_add(t, "%d", o->n_late); break;
  case DROPPED: hs_table_add(t, "%d", o->n_dropped); break;
  case UNFINISHED: hs_table_add(t, "%d", o->unfinished); break;
  case ENERGY: hs_table_add(t, "%s", each(o, s->energy_j, "J")); break;
  case COMMUNICATION: hs_table_add(t, "%.1f %%", 100 * s->communication_frac); break;
  case USE:
    for (int p = 0; p < c->soc->n_processors; p++) hs_table_add(t, "%.0f %%", 100 * o->used_frac[p]);
    break;
  case HOTTEST: hs_table_add(t, "%s %.0f C", c->soc->processors[hot].name, o->hottest_c[hot]); break;
  case FRAMES: hs_table_add(t, "%.1f %%", 100 * hs_frames_dropped_frac(&o->frames)); break;
  case ARENA: hs_table_add(t, "%s", hs_si_tmp(o->arena_bytes, "B")); break;
  case PLAN: hs_table_add(t, "%s", *o->plan ? o->plan : "-"); break;
  case COLUMNS: break;
  }
}

static void row(const struct hs_comparison *c, const struct hs_compared_row *r, struct hs_table *t)
{
  for (int k = 0; k < COLUMNS && r->o.ran; k++)
    if (shown(c, (enum column)k)) cell(c, r, (enum column)k, t);
  if (r->o.ran) return;
  cell(c, r, POLICY, t);
  hs_table_rest(t, r->o.reason);
}

/* --- above and below it --- */

/* What was given, whatever of it a table doesn't show: threads, clocks, the SoC's file. */
static void add_command(const struct hs_comparison *c, struct hs_text *t)
{
  hs_text_add(t, "compare ");
  hs_cli_command(c->cli, t);
}

static void head(const struct hs_comparison *c, struct hs_text *t)
{
  add_workload(c, t);
  hs_text_addf(t, " on %s (%s): ", c->soc->name, c->soc->title);
  if (c->cli->duration_s > 0)
    hs_text_addf(t, "inferences for %s", hs_si_tmp(c->cli->duration_s, "s"));
  else if (goes_on(c))
    hs_text_addf(t, "%d inferences", c->cli->inferences);
  else
    hs_text_add(t, *hs_model_word_end(c->cli->words[0]) == '@' ? "the first inference (its rate counts with --inferences or --duration)" : "one inference");
  hs_text_add(t, any(c, is_alive) ? " on the living phone\n" : " on the idle device\n");
  if (c->cli->opt) hs_text_addf(t, "optimised by %s\n", c->cli->opt);
  hs_text_add(t, "by hetsim ");
  add_command(c, t);
  hs_text_add(t, "\n");
}

static void meaning(const char *head, const char *what, struct hs_text *t) { hs_text_addf(t, "%s%s: %s", t->len ? "; " : "", head, what); }

static void meanings(const struct hs_comparison *c, struct hs_text *t)
{
  enum { WIDTH = 120 };
  struct hs_text all = {0};
  if (goes_on(c)) meaning("latency, energy", "means of the inferences", &all);
  for (int k = 0; k < COLUMNS; k++)
    if (columns[k].meaning && shown(c, (enum column)k)) meaning(columns[k].head, columns[k].meaning, &all);
  if (goes_on(c)) meaning("plan", "of the first inference", &all);
  hs_text_wrap(t, all.s, WIDTH);
  hs_text_add(t, "\n");
  hs_text_free(&all);
}

static void broken_off(const struct hs_comparison *c, struct hs_text *t)
{
  for (int i = 0; i < c->n; i++) {
    const struct hs_compared *o = &c->rows[i].o;
    if (o->ran && o->status) hs_text_addf(t, "\n%s, broken off after %s: %s\n", c->rows[i].label, hs_si_tmp(o->run_s, "s"), o->reason);
  }
}

/* Is the line that `line` begins with one of the text's? */
static bool has_line(const char *text, const char *line)
{
  size_t n = strcspn(line, "\n") + 1;
  for (; *text && strncmp(text, line, n) != 0; text = strchr(text, '\n') + 1) continue;
  return *text;
}

/* "gpu, dsp: --cores: no kernel ran on the cpu": behind the names of all that it's true of. */
static void no_effect_line(const struct hs_comparison *c, const char *line, struct hs_text *t)
{
  const char *mark = "\n";
  for (int i = 0; i < c->n; i++) {
    if (!has_line(c->rows[i].o.no_effect, line)) continue;
    hs_text_addf(t, "%s%s", mark, c->rows[i].label);
    mark = ", ";
  }
  hs_text_addf(t, ": %.*s\n", (int)strcspn(line, "\n"), line);
}

static void no_effect(const struct hs_comparison *c, struct hs_text *t)
{
  for (int i = 0; i < c->n; i++)
    for (const char *line = c->rows[i].o.no_effect; *line; line = strchr(line, '\n') + 1) {
      bool told = false;
      for (int k = 0; k < i; k++) told |= has_line(c->rows[k].o.no_effect, line);
      if (!told) no_effect_line(c, line, t);
    }
}

void hs_compare_text(const struct hs_comparison *c, struct hs_text *t)
{
  struct hs_table table = {0};
  heads(c, &table);
  for (int i = 0; i < c->n; i++) row(c, &c->rows[i], &table);
  head(c, t);
  meanings(c, t);
  hs_table_print(&table, t);
  hs_table_free(&table);
  broken_off(c, t);
  no_effect(c, t);
  if (goes_on(c)) return;
  if (any(c, begins_slow))
    hs_text_add(t, "\nGovernors' clocks begin at the lowest OPP, as after idling: later inferences take less time (--inferences=N).\n");
  if (any(c, has_rivals))
    hs_text_add(t, "\nThreads that have slept go before processes for some milliseconds: inferences that follow at once may take longer (--inferences=N).\n");
}

/* --- JSON --- */

static void times(const struct hs_compared *o, struct hs_text *t)
{
  const struct hs_summary *s = &o->summary;
  hs_put_number(t, "latency_s", s->latency_s);
  hs_put_number(t, "latency_p50_s", s->p50_s);
  hs_put_number(t, "latency_p90_s", s->p90_s);
  hs_put_number(t, "latency_p99_s", s->p99_s);
  hs_put_number(t, "latency_max_s", s->max_s);
  hs_put_number(t, "latency_error_s", s->latency_error_s);
  hs_put_number(t, "latency_drift_frac", s->drift_frac);
  hs_put_line(t, 3);
  hs_put_number(t, "inferences", o->n_requests);
  hs_put_number(t, "throughput_per_s", s->throughput_per_s);
  if (has_deadline(o)) {
    hs_put_number(t, "deadline_s", o->deadline_s);
    hs_put_number(t, "late", o->n_late);
  }
  hs_put_number(t, "dropped", o->n_dropped);
  hs_put_number(t, "unfinished", o->unfinished);
  hs_put_number(t, "run_s", o->run_s);
  hs_put_bool(t, "stopped", o->status);
  if (o->status) hs_put_string(t, "stop_reason", o->reason);
}

static void costs(const struct hs_compared *o, struct hs_text *t)
{
  const struct hs_summary *s = &o->summary;
  hs_put_number(t, "energy_j", s->energy_j);
  hs_put_number(t, "power_w", s->power_w);
  hs_put_number(t, "communication_s", s->communication_s);
  hs_put_number(t, "communication_frac", s->communication_frac);
  hs_put_number(t, "kernel_covered_s", o->kernel_s);
  hs_put_number(t, "communication_alone_s", o->communication_alone_s);
  if (is_planned(o)) hs_put_number(t, "arena_bytes", o->arena_bytes);
  if (is_drawn(o)) hs_put_number(t, "frames_dropped_frac", hs_frames_dropped_frac(&o->frames));
}

static void processors(const struct hs_comparison *c, const struct hs_compared *o, struct hs_text *t)
{
  hs_put_open(t, "processors", '[');
  for (int p = 0; p < c->soc->n_processors; p++) {
    if (p) hs_put_line(t, 18);
    hs_put_open(t, NULL, '{');
    hs_put_string(t, "name", c->soc->processors[p].name);
    hs_put_string(t, "kind", hs_kind_names[c->soc->processors[p].kind]);
    if (o->precision[p] >= 0) {
      hs_put_string(t, "precision", hs_precision_names[o->precision[p]]);
      hs_put_string(t, "kernels", hs_basis_names[o->basis[p]]);
    }
    hs_put_number(t, "busy_s", o->summary.busy_s[p]);
    hs_put_number(t, "utilization_frac", o->used_frac[p]);
    hs_put_number(t, "energy_j", o->summary.processor_j[p]);
    if (is_heated(o)) {
      hs_put_number(t, "hottest_c", o->hottest_c[p]);
      hs_put_number(t, "end_c", o->end_c[p]);
    }
    hs_put_close(t, '}');
  }
  hs_put_close(t, ']');
}

static void row_json(const struct hs_comparison *c, const struct hs_compared_row *r, const char *command, struct hs_text *t)
{
  hs_put_line(t, 2);
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "soc", c->soc->name);
  hs_put_string(t, "model", c->cli->words[0]);
  hs_put_string(t, "command", command);
  hs_put_line(t, 3);
  hs_put_string(t, "policy", r->policy->name);
  hs_report_params(r->policy, r->values, t);
  hs_put_line(t, 3);
  if (!r->o.ran) {
    hs_put_string(t, "error", r->o.reason);
    hs_put_close(t, '}');
    return;
  }
  hs_put_string(t, "runtime", r->o.runtime);
  hs_put_string(t, "plan", *r->o.plan ? r->o.plan : NULL);
  hs_put_line(t, 3);
  times(&r->o, t);
  hs_put_line(t, 3);
  costs(&r->o, t);
  hs_put_line(t, 3);
  processors(c, &r->o, t);
  hs_put_line(t, 3);
  hs_put_string(t, "fingerprint", r->o.summary.fingerprint);
  hs_put_close(t, '}');
}

void hs_compare_json(const struct hs_comparison *c, struct hs_text *t)
{
  struct hs_text command = {0};
  add_command(c, &command);
  hs_put_open(t, NULL, '[');
  for (int i = 0; i < c->n; i++) row_json(c, &c->rows[i], command.s, t);
  hs_put_line(t, 0);
  hs_put_close(t, ']');
  hs_put_line(t, 0);
  hs_text_free(&command);
}

/* --- bars --- */

/* What is said in place of a bar; NULL: there is one. */
static const char *why_no_bar(const struct hs_compared *o)
{
  if (o->ran && o->n_requests) return NULL;
  return o->status ? o->reason : "no inference ended: the policy gave requests up";
}

void hs_compare_svg(const struct hs_comparison *c, struct hs_text *t)
{
  struct hs_bar bars[HS_COMPARED_MAX];
  struct hs_text command = {0}, workload = {0};
  char ran_in[HS_COMPARED_MAX][80], buf[40];
  for (int i = 0; i < c->n; i++) {
    const struct hs_compared *o = &c->rows[i].o;
    if (o->ran)
      snprintf(ran_in[i], sizeof ran_in[i], "%s, %s, %s%s", o->runtime, precisions(c, o, buf, sizeof buf), weakest(c, o),
               o->status ? ", broken off" : "");
    bars[i] = (struct hs_bar){c->rows[i].label, ran_in[i], why_no_bar(o), o->summary.latency_s, o->kernel_s, o->communication_alone_s,
                              o->summary.energy_j};
  }
  add_command(c, &command);
  add_workload(c, &workload);
  const struct hs_bars all = {c->soc->name, c->soc->title, workload.s, command.s, goes_on(c), c->n, bars};
  hs_bars_svg(&all, t);
  hs_text_free(&command);
  hs_text_free(&workload);
}
