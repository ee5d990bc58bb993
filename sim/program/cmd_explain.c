/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hetsim explain: one policy's plan for one network, operator by operator: what each processor would take, what was chosen, what
 * communication that needs, and why. Of a policy that chooses, the alternative or the pieces that the idle device runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/json_put.h"
#include "out/explain.h"
#include "out/report.h"
#include "out/table.h"
#include "program/cli.h"
#include "program/model_word.h"
#include "program/trial.h"
#include "serve/pieces.h"

struct explanation {
  struct hs_trial trial;
  struct hs_explained x;
  struct hs_text command; /* that asked for it, with all options */
};

/* Seconds on the idle device; INFINITY: it serves for pieces only. */
static double expected_s(const struct hs_network *n, int alternative)
{
  const struct hs_placement *pl = n->plan.alternatives[alternative];
  return pl->partial ? INFINITY : hs_pieces_seconds(n->pieces, alternative, 0, pl->n_ops);
}

static bool ran(const struct hs_trial *trial, int alternative)
{
  for (int i = 0; i < trial->n_pieces; i++)
    if (trial->pieces[i].alternative == alternative) return true;
  return false;
}

static int busiest(const struct hs_trial *trial)
{
  int best = 0;
  for (int p = 1; p < trial->setup.soc->n_processors; p++)
    if (trial->summary.busy_s[p] > trial->summary.busy_s[best]) best = p;
  return best;
}

struct bottleneck {
  const char *name;
  double frac; /* of the latency: it is busy, or nothing but communication is under way */
};

static struct bottleneck bottleneck(const struct hs_trial *trial)
{
  int p = busiest(trial);
  bool waits = trial->communication_alone_s > trial->summary.busy_s[p];
  return (struct bottleneck){waits ? "communication" : trial->setup.soc->processors[p].name,
                             (waits ? trial->communication_alone_s : trial->summary.busy_s[p]) / trial->summary.latency_s};
}

/* What the policy says of the plan that ran first; NULL: nothing. */
static const char *plan_note(const struct hs_trial *trial)
{
  return trial->setup.networks[0].plan.alternatives[trial->pieces[0].alternative]->note;
}

/* --- text --- */

/* Reasons why operators can't run somewhere, each with a letter: a, b, … z, aa, … */
struct notes {
  int n, cap;
  const char **reasons;
};

static const char *letters(int note, char *buf)
{
  char *at = buf + 7;
  *at = 0;
  for (note++; note > 0; note = (note - 1) / 26) *--at = (char)('a' + (note - 1) % 26);
  return at;
}

static int note(struct notes *notes, const char *reason)
{
  for (int i = 0; i < notes->n; i++)
    if (strcmp(notes->reasons[i], reason) == 0) return i;
  HS_GROW(notes->reasons, notes->n, notes->cap);
  notes->reasons[notes->n] = reason;
  return notes->n++;
}

static void place_text(const struct hs_explained *x, const struct hs_op_placement *pl, struct hs_table *table)
{
  struct hs_text t = {0};
  for (int k = 0; k < pl->n_parts; k++) {
    const struct hs_part *part = &pl->parts[k];
    double hz = hs_explain_opp_hz(x->sys, part);
    hs_text_addf(&t, "%s%s", k ? " + " : "", x->sys->soc->processors[part->processor].name);
    if (hz > 0) hs_text_addf(&t, "@%.0fMHz", hz / 1e6);
    if (pl->n_parts > 1) hs_text_addf(&t, " %.2g", part->fraction);
  }
  if (pl->n_parts > 1) hs_text_addf(&t, " (%s)", hs_split_names[pl->split]);
  hs_table_add(table, "%s", t.s);
  hs_text_free(&t);
}

static void op_text(const struct hs_explained *x, int i, struct notes *notes, struct hs_table *table)
{
  const struct hs_op_facts *f = &x->ops[i];
  const struct hs_operator *op = &x->graph->ops[i];
  char shape[64], buf[8];
  hs_table_add(table, "%d", i);
  hs_table_add(table, "%s", op->name);
  hs_table_add(table, "%s", hs_op_name(op->type));
  hs_table_add(table, "%s", hs_shape_text(&x->graph->tensors[op->outputs[0]].shape, shape, sizeof shape));
  for (int p = 0; p < x->sys->soc->n_processors; p++) {
    if (!x->sys->backends[p].available) continue;
    if (f->why_not[p])
      hs_table_add(table, "- %s", letters(note(notes, f->why_not[p]), buf));
    else
      hs_table_add(table, "%s", hs_si_tmp(f->alone_s[p], "s"));
  }
  place_text(x, f->placed, table);
  hs_table_add(table, "%s", f->communication_s > 0 ? hs_si_tmp(f->communication_s, "s") : "-");
  hs_table_add(table, "%s", f->why);
}

static void ops_text(const struct hs_explained *x, struct hs_text *t)
{
  static const char *const left[] = {"#", "operator", "kind", "output"}, *const right[] = {"runs on", "communic.", "why"};
  struct hs_table table = {.right = {true}};
  struct notes notes = {0};
  char buf[8];
  for (int i = 0; i < 4; i++) hs_table_add(&table, "%s", left[i]);
  for (int p = 0; p < x->sys->soc->n_processors; p++) {
    if (!x->sys->backends[p].available) continue;
    table.right[table.n] = true;
    hs_table_add(&table, "%s", x->sys->soc->processors[p].name);
  }
  for (int i = 0; i < 3; i++) hs_table_add(&table, "%s", right[i]);
  table.n_columns = table.n;
  table.right[table.n - 2] = true;
  for (int i = 0; i < x->graph->n_ops; i++) op_text(x, i, &notes, &table);
  hs_table_print(&table, t);
  for (int i = 0; i < notes.n; i++) hs_text_addf(t, "%s- %s  %s\n", i ? "" : "\n", letters(i, buf), notes.reasons[i]);
  const char *blank = notes.n ? "" : "\n";
  for (int p = 0; p < x->sys->soc->n_processors; p++) {
    if (x->sys->backends[p].available) continue;
    hs_text_addf(t, "%s%s: %s\n", blank, x->sys->soc->processors[p].name, x->ops[0].why_not[p]);
    blank = "";
  }
  hs_table_free(&table);
  free(notes.reasons);
}

static void alternatives_text(const struct hs_trial *trial, struct hs_text *t)
{
  const struct hs_network *n = &trial->setup.networks[0];
  struct hs_table table = {.n_columns = 3, .right = {false, true}};
  if (n->plan.n < 2) return;
  hs_table_add(&table, "alternative");
  hs_table_add(&table, "expected");
  hs_table_add(&table, "%s", "");
  for (int i = 0; i < n->plan.n; i++) {
    double seconds = expected_s(n, i);
    hs_table_add(&table, "%s", n->plan.names[i]);
    hs_table_add(&table, "%s", isfinite(seconds) ? hs_si_tmp(seconds, "s") : "in pieces");
    hs_table_add(&table, "%s", ran(trial, i) ? "explained: what the idle device runs" : "");
  }
  hs_table_print(&table, t);
  hs_text_add(t, "\n");
  hs_table_free(&table);
}

static void head_text(const struct explanation *e, struct hs_text *t)
{
  const struct hs_trial *trial = &e->trial;
  const struct hs_setup *s = &trial->setup;
  const struct hs_network *n = &s->networks[0];
  hs_text_addf(t, "%s on %s (%s)\npolicy %s", s->graph->name, s->soc->name, s->soc->title, n->policy->name);
  for (int i = 0; i < n->policy->n_params; i++) hs_text_addf(t, "%s%s=%s", i ? ", " : " (", n->policy->params[i].name, n->values[i]);
  hs_text_addf(t, "%s, runtime %s: ", n->policy->n_params ? ")" : "", s->sys.runtime->name);
  hs_ran_text(s->soc, n, trial->pieces, trial->n_pieces, t);
  for (int i = 0; i < s->opt.n; i++) hs_text_addf(t, "%s%s", i ? "," : "\noptimised by ", s->opt.text[i]);
  if (plan_note(trial)) hs_text_addf(t, "\n%s", plan_note(trial));
  hs_text_addf(t, "\nby hetsim %s\n\n", e->command.s);
}

/* Names of the processors that the plan uses: "cpu, gpu". */
static void used_text(const struct hs_explained *x, struct hs_text *t)
{
  const char *comma = "";
  for (int p = 0; p < x->sys->soc->n_processors; p++) {
    if (!hs_explain_uses(x, p)) continue;
    hs_text_addf(t, "%s%s", comma, x->sys->soc->processors[p].name);
    comma = ", ";
  }
}

/* "Kernels: cpu, gpu fitted to measurements; npu estimated from hardware rates." */
static void kernels_text(const struct hs_explained *x, struct hs_text *t)
{
  const char *end = "Kernels: ";
  for (int basis = 0; basis < HS_BASIS_N; basis++) {
    int n = 0;
    for (int p = 0; p < x->sys->soc->n_processors; p++)
      if (x->sys->backends[p].available && (int)x->sys->backends[p].basis == basis)
        hs_text_addf(t, "%s%s", n++ ? ", " : end, x->sys->soc->processors[p].name);
    if (n == 0) continue;
    hs_text_addf(t, " %s", hs_basis_phrases[basis]);
    end = "; ";
  }
  hs_text_add(t, ".\n");
}

static void text(const struct explanation *e, struct hs_text *t)
{
  const struct hs_trial *trial = &e->trial;
  const struct bottleneck b = bottleneck(trial);
  head_text(e, t);
  alternatives_text(trial, t);
  hs_text_add(t, "Under each processor: the whole operator there, all others where they ran, as the cost model has it. "
                 "communic.: transform, map, sync and RPC that serve it.\n");
  kernels_text(&e->x, t);
  hs_text_add(t, "\n");
  ops_text(&e->x, t);
  hs_text_addf(t, "\nLatency %s, %s of it with communication and no kernel running (communication in all: %s, %.1f %% of task time).\n",
               hs_si_tmp(trial->summary.latency_s, "s"), hs_si_tmp(trial->communication_alone_s, "s"), hs_si_tmp(trial->summary.communication_s, "s"),
               100 * trial->summary.communication_frac);
  hs_text_addf(t, "Bottleneck: %s, %.0f %% of the time. Memory bandwidth decides %.0f %% of the kernels' time.\n", b.name, 100 * b.frac,
               100 * hs_explain_memory_frac(&e->x));
  hs_text_addf(t, "Ideal %s: one operator after another, each spread over all that this plan uses (", hs_si_tmp(hs_explain_ideal_s(&e->x), "s"));
  used_text(&e->x, t);
  hs_text_add(t, ") in proportion to their speed, without communication and what invocations cost.\n");
}

/* --- JSON --- */

static void parts_json(const struct hs_explained *x, const struct hs_op_facts *f, struct hs_text *t)
{
  hs_put_open(t, "parts", '[');
  for (int k = 0; k < f->placed->n_parts; k++) {
    const struct hs_part *part = &f->placed->parts[k];
    double hz = hs_explain_opp_hz(x->sys, part);
    hs_put_open(t, NULL, '{');
    hs_put_string(t, "processor", x->sys->soc->processors[part->processor].name);
    hs_put_number(t, "fraction", part->fraction);
    hs_put_number(t, "ran_s", f->ran_s[part->processor]);
    if (hz > 0) hs_put_number(t, "freq_hz", hz);
    hs_put_close(t, '}');
  }
  hs_put_close(t, ']');
}

/* A number of every processor that can run the whole operator. */
static void per_processor(const struct hs_explained *x, const struct hs_op_facts *f, const char *name, const double *values, struct hs_text *t)
{
  hs_put_open(t, name, '{');
  for (int p = 0; p < x->sys->soc->n_processors; p++)
    if (!f->why_not[p]) hs_put_number(t, x->sys->soc->processors[p].name, values[p]);
  hs_put_close(t, '}');
}

static void op_json(const struct hs_explained *x, int i, struct hs_text *t)
{
  const struct hs_op_facts *f = &x->ops[i];
  const struct hs_operator *op = &x->graph->ops[i];
  char shape[64];
  hs_put_line(t, 2);
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "name", op->name);
  hs_put_string(t, "op", hs_op_name(op->type));
  hs_put_string(t, "output", hs_shape_text(&x->graph->tensors[op->outputs[0]].shape, shape, sizeof shape));
  hs_put_number(t, "macs", op->macs);
  per_processor(x, f, "estimated_s", f->alone_s, t);
  per_processor(x, f, "dram_bytes", f->dram_bytes, t);
  per_processor(x, f, "memory_s", f->memory_s, t);
  hs_put_open(t, "why_not", '{');
  for (int p = 0; p < x->sys->soc->n_processors; p++)
    if (f->why_not[p]) hs_put_string(t, x->sys->soc->processors[p].name, f->why_not[p]);
  hs_put_close(t, '}');
  hs_put_string(t, "alternative", x->network->plan.names[f->piece->alternative]);
  hs_put_string(t, "split", hs_split_names[f->placed->split]);
  parts_json(x, f, t);
  hs_put_number(t, "chain", f->placed->chain);
  hs_put_bool(t, "fallback", f->placed->fallback);
  hs_put_number(t, "communication_s", f->communication_s);
  hs_put_number(t, "start_s", f->start_s);
  hs_put_string(t, "why", f->why);
  hs_put_close(t, '}');
}

static void alternatives_json(const struct hs_trial *trial, struct hs_text *t)
{
  const struct hs_network *n = &trial->setup.networks[0];
  hs_put_line(t, 1);
  hs_put_open(t, "alternatives", '[');
  for (int i = 0; i < n->plan.n; i++) {
    double seconds = expected_s(n, i);
    hs_put_open(t, NULL, '{');
    hs_put_string(t, "name", n->plan.names[i]);
    if (isfinite(seconds)) hs_put_number(t, "expected_s", seconds);
    hs_put_bool(t, "ran", ran(trial, i));
    hs_put_close(t, '}');
  }
  hs_put_close(t, ']');
}

static void json(const struct explanation *e, struct hs_text *t)
{
  const struct hs_trial *trial = &e->trial;
  const struct hs_setup *s = &trial->setup;
  const struct hs_network *n = &s->networks[0];
  const struct bottleneck b = bottleneck(trial);
  struct hs_text plan = {0};
  hs_ran_text(s->soc, n, trial->pieces, trial->n_pieces, &plan);
  hs_put_open(t, NULL, '{');
  hs_put_string(t, "soc", s->soc->name);
  hs_put_string(t, "model", s->graph->name);
  hs_put_string(t, "command", e->command.s);
  hs_put_string(t, "policy", n->policy->name);
  hs_report_params(n->policy, n->values, t);
  hs_put_string(t, "runtime", s->sys.runtime->name);
  hs_report_opt(&s->opt, t);
  hs_put_string(t, "plan", plan.s);
  if (plan_note(trial)) hs_put_string(t, "note", plan_note(trial));
  hs_put_number(t, "latency_s", trial->summary.latency_s);
  hs_put_number(t, "communication_s", trial->summary.communication_s);
  hs_put_number(t, "communication_frac", trial->summary.communication_frac);
  hs_put_number(t, "communication_alone_s", trial->communication_alone_s);
  if (s->opt.on[HS_OPT_MEMPLAN]) hs_put_number(t, "arena_bytes", s->memory.arena_bytes);
  hs_put_string(t, "bottleneck", b.name);
  hs_put_number(t, "bottleneck_utilization_frac", b.frac);
  hs_put_number(t, "memory_bound_frac", hs_explain_memory_frac(&e->x));
  hs_put_number(t, "ideal_s", hs_explain_ideal_s(&e->x));
  hs_put_open(t, "ideal_processors", '[');
  for (int p = 0; p < s->soc->n_processors; p++)
    if (hs_explain_uses(&e->x, p)) hs_put_string(t, NULL, s->soc->processors[p].name);
  hs_put_close(t, ']');
  hs_put_open(t, "kernels", '{');
  for (int p = 0; p < s->soc->n_processors; p++)
    if (s->sys.backends[p].available) hs_put_string(t, s->soc->processors[p].name, hs_basis_names[s->sys.backends[p].basis]);
  hs_put_close(t, '}');
  alternatives_json(trial, t);
  hs_put_line(t, 1);
  hs_put_open(t, "ops", '[');
  for (int i = 0; i < e->x.graph->n_ops; i++) op_json(&e->x, i, t);
  hs_put_line(t, 1);
  hs_put_close(t, ']');
  hs_put_close(t, '}');
  hs_put_line(t, 0);
  hs_text_free(&plan);
}

/* --- the command --- */

static enum hs_status explain(const struct hs_cli *cli, struct explanation *e, struct hs_error *err)
{
  if (!cli->soc) return hs_fail(err, HS_USAGE, "--soc is missing");
  if (!cli->policy && cli->n_words == 1 && hs_model_word_policy(cli->words[0]))
    return hs_fail(err, HS_USAGE, "%.80s: a policy of its own goes with hetsim run only; write --policy=%.60s", cli->words[0],
                   hs_model_word_policy(cli->words[0]));
  if (!cli->policy) return hs_fail(err, HS_USAGE, "--policy is missing");
  if (cli->n_words != 1) return hs_fail(err, HS_USAGE, cli->n_words ? "one MODEL at a time" : "MODEL is missing");
  if (*hs_model_word_end(cli->words[0]))
    return hs_fail(err, HS_USAGE, "%.80s: a rate, deadline, priority or policy of its own does not go with hetsim explain", cli->words[0]);
  const struct hs_run_options options = hs_cli_run_options(cli);
  HS_TRY(hs_trial_run(&e->trial, &options, 1, 0, err));
  hs_explain(&e->x, &e->trial.setup.sys, &e->trial.setup.networks[0], &e->trial.timeline, e->trial.pieces, e->trial.n_pieces);
  return HS_OK;
}

enum hs_status hs_cmd_explain(const struct hs_cli *cli, struct hs_error *err)
{
  struct explanation *e = hs_realloc(NULL, 1, sizeof *e);
  struct hs_text t = {0};
  memset(e, 0, sizeof *e);
  enum hs_status status = explain(cli, e, err);
  if (!status) {
    hs_text_add(&e->command, "explain ");
    hs_cli_command(cli, &e->command);
    (cli->format == HS_FORMAT_JSON ? json : text)(e, &t);
    status = hs_file_write(cli->output ? cli->output : "-", &t, err);
  }
  hs_text_free(&t);
  hs_text_free(&e->command);
  hs_explain_free(&e->x);
  hs_trial_free(&e->trial);
  free(e);
  return status;
}
