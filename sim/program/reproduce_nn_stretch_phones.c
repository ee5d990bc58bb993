/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NN-Stretch's Fig. 9 and 10: six networks on one processor and on several, on three phones. */
#include <math.h>
#include <string.h>

#include "plan/estimate.h"
#include "program/reproduce_nn_stretch.h"

enum { N_MODELS = HS_NN_STRETCH_MODELS, RESNET34 = 0, LITE4 = 4, N_SINGLES = 3 };
static const char *const singles[N_SINGLES] = {"cpu", "gpu", "dsp"};
static const struct set {
  const char *name, *param, *id; /* id: in rows of validation/claims.csv */
  int of_models; /* the paper has no three branches of EfficientNet */
} sets[] = {{"C+G", "processors=cpu+gpu", "cpu-gpu", 6}, {"C+D", "processors=cpu+dsp", "cpu-dsp", 6}, {"G+D", "processors=gpu+dsp", "gpu-dsp", 6},
            {"C+G+D", "processors=cpu+gpu+dsp", "cpu-gpu-dsp", 4}};
enum { CG, CD, GD, CGD, N_SETS };
static const struct structure {
  const char *param, *name;
} structures[] = {{"structure=search", "search"}, {"structure=published", "released"}};
enum { SEARCH, RELEASED, N_STRUCTURES = sizeof structures / sizeof *structures };

/* What the paper could run: no DSP but on the sd855, no RegNetX on the tensor. */
static const struct phone {
  const char *soc;
  unsigned models; /* bit mask */
  int n_singles, n_sets;
  double speedup; /* most, over the fastest processor */
} phones[] = {{"sd855", 0x3f, 3, N_SETS, 2.2}, {"tensor", 0x33, 2, 1, 1.4}, {"sd888", 0x3f, 2, 1, 1.8}};
enum { N_PHONES = sizeof phones / sizeof *phones };

/* Of one model on one phone. NAN: not run. */
struct measured {
  struct hs_summary single[N_SINGLES], set[N_STRUCTURES][N_SETS];
  double idle_w; /* of the phone; as measured, it is in none of the summaries */
};

static double idle_of(struct hs_reproduction *r, const struct hs_cell *cell)
{
  struct hs_setup s;
  double watts = hs_cell_plan(r, cell, &s) ? s.soc->idle_w : NAN;
  hs_setup_free(&s);
  return watts;
}

static enum hs_status measure(struct hs_reproduction *r, const struct phone *phone, int m, struct measured *x, struct hs_error *err)
{
  struct hs_cell_result out;
  const struct hs_summary none = {.latency_s = NAN, .energy_j = NAN, .power_w = NAN, .communication_s = NAN};
  for (int k = 0; k < N_SINGLES; k++) {
    const struct hs_cell cell = hs_nn_stretch_single(phone->soc, singles[k], hs_nn_stretch_models[m]);
    x->single[k] = none;
    if (k == 0) x->idle_w = idle_of(r, &cell);
    if (k >= phone->n_singles) continue;
    HS_TRY(hs_cell_run(r, &cell, &out, err));
    x->single[k] = out.summary;
  }
  for (int t = 0; t < N_STRUCTURES; t++)
    for (int k = 0; k < N_SETS; k++) {
      x->set[t][k] = none;
      if (k >= phone->n_sets || m >= sets[k].of_models) continue;
      const struct hs_cell cell = hs_nn_stretch_branches(r, phone->soc, sets[k].param, structures[t].param, hs_nn_stretch_models[m]);
      HS_TRY(hs_cell_run(r, &cell, &out, err));
      x->set[t][k] = out.summary;
    }
  return HS_OK;
}

static double fastest_single(const struct measured *x)
{
  double least = INFINITY;
  for (int k = 0; k < N_SINGLES; k++) least = fmin(least, x->single[k].latency_s); /* fmin passes over NAN */
  return least;
}

/* The most over models and sets; one processor to compare with, or -1: the fastest; one set, or -1: any. */
static double most_speedup(const struct phone *phone, const struct measured *x, int t, int processor, int set)
{
  double most = NAN;
  for (int m = 0; m < N_MODELS; m++)
    for (int k = 0; k < N_SETS; k++) {
      if (!(phone->models >> m & 1) || (set >= 0 && set != k)) continue;
      double before = processor >= 0 ? x[m].single[processor].latency_s : fastest_single(&x[m]);
      most = fmax(most, before / x[m].set[t][k].latency_s);
    }
  return most;
}

/* The paper's numbers are in rows FIGURE.MODEL.PROCESSORS. It has one bar for a set of processors, before our two. */
static void chart_of(struct hs_reproduction *r, const struct phone *phone, int m, const struct measured *x, const char *figure,
                     double (*of)(const struct hs_summary *))
{
  const char *group = hs_arena_printf(&r->arena, "%s %s", phone->soc, hs_nn_stretch_models[m]);
  const char *model = hs_nn_stretch_models[m], *size = strstr(model, "_224"), /* which the rows leave out */
             *row = hs_arena_printf(&r->arena, "%s.%.*s", figure, size ? (int)(size - model) : (int)strlen(model), model);
  for (int k = 0; k < N_SINGLES; k++) hs_chart_set_both(r, group, singles[k], of(&x->single[k]), hs_published(r, "%s.%s", row, singles[k]));
  for (int k = 0; k < N_SETS; k++)
    for (int t = 0; t < N_STRUCTURES; t++)
      hs_chart_set_both(r, group, hs_arena_printf(&r->arena, "%s %s", sets[k].name, structures[t].name), of(&x->set[t][k]),
                        t == 0 ? hs_published(r, "%s.%s", row, sets[k].id) : NAN);
}

static double latency(const struct hs_summary *s) { return s->latency_s; }
static double power(const struct hs_summary *s) { return s->power_w; }

/* Share of the latency that stem and head take: operators that are in no branch, and were in the network as given. */
static double stem_and_head(struct hs_reproduction *r, const struct hs_cell *cell)
{
  struct hs_setup s;
  double seconds = NAN;
  if (hs_cell_plan(r, cell, &s)) {
    struct hs_estimate all;
    hs_estimate_program(&s.sys, s.program, &all, NULL, NULL);
    seconds = 0;
    for (int i = 0; i < s.program->n_tasks; i++) {
      const struct hs_task *t = &s.program->tasks[i];
      if (t->kind == HS_TASK_EXEC && hs_nn_stretch_is_kept(&s, t->op)) seconds += hs_task_seconds(&s.sys, t);
    }
    seconds /= all.latency_s;
  }
  hs_setup_free(&s);
  return seconds;
}

static void order_of_sets(struct hs_reproduction *r, const struct measured *x, int t)
{
  int n = 0, all = sets[CGD].of_models;
  for (int m = 0; m < all; m++) {
    const struct hs_summary *s = x[m].set[t];
    n += s[CGD].latency_s < s[CD].latency_s && s[CD].latency_s < s[CG].latency_s;
  }
  hs_finding_statement(r, "Sec. 7.3", n == all, hs_arena_printf(&r->arena, "so for %d of %d models", n, all),
                       "%s: C+G+D is faster than C+D, and that than C+G", structures[t].name);
}

static void speedups(struct hs_reproduction *r, struct measured (*x)[N_MODELS], int t)
{
  static const double three[N_SINGLES] = {2.3, 3.85, 2.0};
  const char *name = structures[t].name;
  const struct measured *resnet50 = &x[0][1];
  for (int i = 0; i < N_PHONES; i++)
    hs_finding_value(r, "Sec. 7.3", "x", phones[i].speedup, most_speedup(&phones[i], x[i], t, -1, -1),
                     "%s, %s: most over the fastest processor", name, phones[i].soc);
  for (int k = 0; k < N_SINGLES; k++)
    hs_finding_value(r, "Sec. 1", "x", three[k], most_speedup(&phones[0], x[0], t, k, CGD), "%s, sd855: most of C+G+D over %s", name, singles[k]);
  hs_finding_value(r, "Sec. 7.3", "x", 1.5, fastest_single(resnet50) / resnet50->set[t][CD].latency_s,
                   "%s, sd855: ResNet-50, C+D over the fastest processor", name);
  hs_finding_value(r, "Sec. 7.3", "%", 17.9, 100 * resnet50->set[t][CD].communication_s / resnet50->set[t][CD].latency_s,
                   "%s, sd855: ResNet-50, C+D, communication of the latency", name);
  for (int m = 1; m < N_MODELS; m += 3) { /* ResNet-50 and EfficientNet-Lite4 */
    const struct hs_cell cell = hs_nn_stretch_branches(r, "sd855", sets[CD].param, structures[t].param, hs_nn_stretch_models[m]);
    hs_finding_value(r, "Sec. 7.3", "%", m == 1 ? 11 : 15, 100 * stem_and_head(r, &cell), "%s, sd855: %s, C+D, stem and head of the latency", name,
                     hs_nn_stretch_models[m]);
  }
  order_of_sets(r, x[0], t);
}

/* Of all models, how much longer C+D takes at most when the thread that calls the DSP competes for the big cores. */
static enum hs_status calling_thread(struct hs_reproduction *r, struct hs_error *err)
{
  static const char *const where[2] = {"cpu-little", "cpu"};
  struct hs_cell_result out;
  double most = 0, seconds[2];
  for (int m = 0; m < N_MODELS; m++) {
    for (int i = 0; i < 2; i++) {
      struct hs_cell cell = hs_nn_stretch_branches(r, "sd855", sets[CD].param, structures[RELEASED].param, hs_nn_stretch_models[m]);
      cell.scenario.rpc_thread = where[i];
      HS_TRY(hs_cell_run(r, &cell, &out, err));
      seconds[i] = out.summary.latency_s;
    }
    most = hs_greater(most, seconds[1] / seconds[0]);
  }
  hs_finding_value(r, "Sec. 5", "x", 2, most, "released, sd855, C+D: the thread that calls the DSP on the big cores over the efficiency cores, most");
  return HS_OK;
}

enum hs_status hs_nn_stretch_figure_9(struct hs_reproduction *r, struct hs_error *err)
{
  struct measured x[N_PHONES][N_MODELS];
  r->chart.unit = "s";
  r->chart.what = "latency";
  HS_TRY(hs_published_read(r, err));
  for (int i = 0; i < N_PHONES; i++)
    for (int m = 0; m < N_MODELS; m++) {
      if (!(phones[i].models >> m & 1)) continue;
      HS_TRY(measure(r, &phones[i], m, &x[i][m], err));
      chart_of(r, &phones[i], m, &x[i][m], hs_arena_printf(&r->arena, "nnstretch.f9.%s", phones[i].soc), latency);
    }
  for (int t = 0; t < N_STRUCTURES; t++) speedups(r, x, t);
  HS_TRY(calling_thread(r, err));
  hs_note(r, "search: " HS_NN_STRETCH_SEARCHED "; released: as in the authors' release. Grouped convolutions are split everywhere.");
  return HS_OK;
}

static void add_idle(struct hs_summary *s, double idle_w)
{
  s->power_w += idle_w;
  s->energy_j += idle_w * s->latency_s;
}

/* The paper reads the battery (Sec. 6), so that the idle phone is in what it measures. */
static void of_the_phone(struct measured *x)
{
  for (int k = 0; k < N_SINGLES; k++) add_idle(&x->single[k], x->idle_w);
  for (int t = 0; t < N_STRUCTURES; t++)
    for (int k = 0; k < N_SETS; k++) add_idle(&x->set[t][k], x->idle_w);
}

static void powers(struct hs_reproduction *r, const struct measured *x)
{
  static const struct {
    int processor;
    double low_w, high_w;
  } paper[] = {{0, 5.1, 6.5}, {2, 1.2, 2.0}};
  for (int i = 0; i < 2; i++) {
    double low = INFINITY, high = 0;
    for (int m = 0; m < N_MODELS; m++) {
      double watts = x[m].single[paper[i].processor].power_w;
      low = hs_lesser(low, watts);
      high = hs_greater(high, watts);
    }
    hs_finding_value(r, "Sec. 7.3", "W", paper[i].low_w, low, "%s, the least over the models", singles[paper[i].processor]);
    hs_finding_value(r, "Sec. 7.3", "W", paper[i].high_w, high, "%s, the most over the models", singles[paper[i].processor]);
  }
}

static void energies(struct hs_reproduction *r, const struct measured *x, int t)
{
  double increase[N_MODELS], most = -INFINITY, reduction = -INFINITY;
  int ordered = 0, all = sets[CGD].of_models;
  for (int m = 0; m < N_MODELS; m++) {
    const struct hs_summary *s = x[m].set[t], *cpu = &x[m].single[0], *dsp = &x[m].single[2];
    increase[m] = -INFINITY;
    for (int k = 0; k < N_SETS; k++) increase[m] = fmax(increase[m], 100 * (s[k].power_w / cpu->power_w - 1)); /* fmax passes over NAN */
    most = hs_greater(most, increase[m]);
    if (m < all) reduction = hs_greater(reduction, 100 * (1 - s[CGD].energy_j / cpu->energy_j));
    ordered += dsp->energy_j < fmin(s[GD].energy_j, s[CGD].energy_j) && fmax(s[GD].energy_j, s[CGD].energy_j) < cpu->energy_j && m < all;
  }
  hs_finding_value(r, "Sec. 7.3", "%", 24, most, "%s: power of several processors above the CPU's, the most", structures[t].name);
  hs_finding_value(r, "Sec. 7.3", "%", 24, increase[LITE4], "%s: EfficientNet-Lite4, power of several processors above the CPU's, the most",
                   structures[t].name);
  hs_finding_statement(r, "Sec. 7.3", increase[LITE4] >= most, hs_arena_printf(&r->arena, "by %.0f %%, and %.0f %% at most", increase[LITE4], most),
                       "%s: of no network does power increase more than of EfficientNet-Lite4", structures[t].name);
  const double cd = x[RESNET34].set[t][CD].power_w, alone = x[RESNET34].single[0].power_w;
  hs_finding_statement(r, "Sec. 7.3", cd < alone, hs_arena_printf(&r->arena, "%s, and %s", hs_si_tmp(cd, "W"), hs_si_tmp(alone, "W")),
                       "%s: ResNet-34 draws less on C+D than on the CPU", structures[t].name);
  hs_finding_value(r, "Sec. 7.3", "%", 56.3, reduction, "%s: energy of C+G+D below the CPU's, the most", structures[t].name);
  hs_finding_statement(r, "Sec. 7.3", ordered == all, hs_arena_printf(&r->arena, "so for %d of %d models", ordered, all),
                       "%s: the DSP takes least energy, then G+D and C+G+D, then the CPU", structures[t].name);
}

enum hs_status hs_nn_stretch_figure_10(struct hs_reproduction *r, struct hs_error *err)
{
  struct measured x[N_MODELS];
  r->chart.unit = "W";
  r->chart.what = "power";
  HS_TRY(hs_published_read(r, err));
  for (int m = 0; m < N_MODELS; m++) {
    HS_TRY(measure(r, &phones[0], m, &x[m], err));
    of_the_phone(&x[m]);
    chart_of(r, &phones[0], m, &x[m], "nnstretch.f10", power);
  }
  powers(r, x);
  for (int t = 0; t < N_STRUCTURES; t++) energies(r, x, t);
  hs_note(r, "search: " HS_NN_STRETCH_SEARCHED "; released: as in the authors' release. "
                                               "Power and energy are the whole phone's, as the paper reads them off the battery.");
  return HS_OK;
}
