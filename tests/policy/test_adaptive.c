/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adaptive against every fixed way of running a network, on a grid of SoCs, networks and competing load, all under TensorFlow
 * Lite in int8: in no cell more than 7 % slower (mean of INFERENCES, the ones in which it learns included) than what happens to be the best
 * there, and over all cells in which another can run faster than it by the geometric mean.
 *
 * And on phones whose clocks governors set, where nothing competes: there what is tried runs at low clocks until its governors have had their time, so
 * that adaptive is compared over GOVERNED_S, and in bounds of their own.
 *
 * HETSIM_GRID=full is the whole grid (make validate), else each SoC and each network is there once. */
#include "tests/unit/child.h"

#include <limits.h>
#include <math.h>

#include "program/setup.h"

enum { INFERENCES = 10, RIVALS = 3 };

static const char *const socs[] = {"sd855", "kirin960", "kirin990", "sd865", "kirin970", "tensor"};
static const char *const models[] = {"mobilenet_v1", "resnet50", "squeezenet", "inception_v4", "yolov2", "vgg16"};
static const int network_of[] = {5, 0, 4, 2, 1, 3}; /* the network of each SoC where the grid isn't full */
static const double GOVERNED_S = 10;
static const struct load {
  int n;
  const char *rivals[RIVALS]; /* back to back as long as the network runs */
  const char *governor, *scenario; /* with either for GOVERNED_S instead of INFERENCES; or NULL */
} loads[] = {
  {0, {NULL}, NULL, NULL},
  {1, {"mobilenet_v1:cpu"}, NULL, NULL},
  {2, {"resnet50:cpu", "squeezenet:cpu"}, NULL, NULL},
  {1, {"yolov2:gpu"}, NULL, NULL},
  {1, {"resnet50:dsp"}, NULL, NULL},
  {1, {"resnet50:npu"}, NULL, NULL},
  {2, {"mobilenet_v1:cpu", "resnet34:gpu"}, NULL, NULL},
  {3, {"mobilenet_v1:cpu", "resnet34:gpu", "resnet34:npu"}, NULL, NULL},
};
static const struct fixed {
  const char *policy, *param;
} fixed[] = {
  {"cpu", NULL}, {"cpu-little", NULL}, {"gpu", NULL}, {"dsp", NULL}, {"npu", NULL}, {"mosaic", NULL}, {"codl", NULL}, {"mulayer", NULL},
  {"nn-stretch", "processors=cpu+gpu"}, {"nn-stretch", "processors=cpu+dsp"}, {"nn-stretch", "processors=cpu+npu"},
  {"nn-stretch", "processors=gpu+dsp"}, {"nn-stretch", "processors=gpu+npu"}, {"nn-stretch", "processors=dsp+npu"},
  {"nn-stretch", "processors=cpu+gpu+dsp"}, {"nn-stretch", "processors=cpu+gpu+npu"}, {"nn-stretch", "processors=cpu+dsp+npu"},
  {"nn-stretch", "processors=gpu+dsp+npu"}, {"nn-stretch", "processors=cpu+gpu+dsp+npu"},
};
enum { N_SOCS = 6, N_MODELS = 6, N_LOADS = 8, N_FIXED = 19 };
static const struct fixed adaptive = {"adaptive", NULL};

struct mean {
  double sum_s;
  int n, most, late;
};

static void on_ended(void *state, const struct hs_outcome *o)
{
  struct mean *m = state;
  if (o->network != 0 || m->n == m->most) return;
  m->sum_s += o->end_s - o->arrival_s;
  m->n++;
  m->late += o->late;
}

static bool lives(const struct load *load) { return load->governor || load->scenario; }

/* In a child: SimGrid has one platform per process. */
static void run(struct mean *m, const char *soc, const char *model, const struct load *load, const struct fixed *how)
{
  const struct hs_run_options options = {.soc = soc, .policy = how->policy, .runtime = "tflite", .precision = "int8", .model = model, .n_more = load->n,
                                 .more = load->rivals, .n_params = how->param != NULL, .params = &how->param,
                                 .scenario = {.governor = load->governor, .file = load->scenario}, .seed = 1};
  struct hs_setup *s = calloc(1, sizeof *s);
  struct hs_error err;
  struct hs_serve_calls calls = {.state = m, .ended = on_ended};
  m->most = lives(load) ? INT_MAX : INFERENCES;
  if (hs_setup_make(s, &options, &err)) return;
  if (s->scenario.living) calls.living = hs_living_open(&s->sys, &s->scenario, options.seed);
  enum hs_status status = hs_serve(&s->sys, s->networks, s->n_networks, INFERENCES, lives(load) ? GOVERNED_S : 0, &calls, NULL, &err);
  if (status) m->n = -1;
}

static struct mean mean_of(const char *soc, const char *model, const struct load *load, const struct fixed *how)
{
  struct mean *m = hs_test_shared(sizeof *m), copy;
  pid_t child = hs_test_fork();
  if (child == 0) {
    run(m, soc, model, load, how);
    _exit(0);
  }
  ck_assert_msg(hs_test_wait(child) == 0 && m->n >= 0, "%s %s %s failed", soc, model, how->policy);
  copy = *m;
  munmap(m, sizeof *m);
  return copy;
}

/* Mean latency, or INFINITY where it can't run. */
static double mean_s(const char *soc, const char *model, const struct load *load, const struct fixed *how)
{
  struct mean m = mean_of(soc, model, load, how);
  return m.n == INFERENCES || (lives(load) && m.n) ? m.sum_s / m.n : INFINITY;
}

struct tally {
  double log_ratio[N_FIXED]; /* Σ ln(adaptive ÷ fixed) over the cells in which it runs */
  int n[N_FIXED], cells;
  double worst;
};

static void cell(struct tally *t, const char *soc, const char *model, const struct load *load)
{
  double own = mean_s(soc, model, load, &adaptive), best = INFINITY;
  int best_i = -1;
  if (own == INFINITY) return; /* a rival's processor is missing */
  for (int i = 0; i < N_FIXED; i++) {
    double s = mean_s(soc, model, load, &fixed[i]);
    if (s == INFINITY) continue;
    t->log_ratio[i] += log(own / s);
    t->n[i]++;
    if (s >= best) continue;
    best = s;
    best_i = i;
  }
  t->cells++;
  t->worst = fmax(t->worst, own / best);
  printf("%-9s %-13s beside %-17s %d rivals: %8.2f ms, best %8.2f (%s %s) %.3f\n", soc, model, load->n ? load->rivals[0] : "nothing", load->n, 1e3 * own,
         1e3 * best, fixed[best_i].policy, fixed[best_i].param ? fixed[best_i].param : "", own / best);
  ck_assert_msg(own <= 1.075 * best, "%s, %s, load %d: %.2f ms, and %s %s takes %.2f", soc, model, (int)(load - loads), 1e3 * own,
                fixed[best_i].policy, fixed[best_i].param ? fixed[best_i].param : "", 1e3 * best);
}

START_TEST(grid)
{
  struct tally t = {.worst = 0};
  bool full = hs_test_full_grid();
  for (int k = 0; k < N_SOCS; k++)
    for (int m = 0; m < N_MODELS; m++)
      for (int l = 0; l < N_LOADS && (full || m == network_of[k]); l++) cell(&t, socs[k], models[m], &loads[l]);
  printf("%d cells, worst %.3f of the best; geometric mean of adaptive's latency divided by\n", t.cells, t.worst);
  for (int i = 0; i < N_FIXED; i++) {
    if (t.n[i]) printf("  %-10s %-32s %.3f (%d cells)\n", fixed[i].policy, fixed[i].param ? fixed[i].param : "", exp(t.log_ratio[i] / t.n[i]), t.n[i]);
    ck_assert_msg(t.n[i] == 0 || t.log_ratio[i] < 0, "%s %s is no slower over the grid", fixed[i].policy, fixed[i].param ? fixed[i].param : "");
  }
}
END_TEST

static const struct governed {
  const char *soc, *model;
  struct load load;
  double bound; /* adaptive ÷ the best fixed way */
} governed[] = {
  {"sd855", "resnet50", {.governor = "schedutil"}, 1.1},            /* 15 ways, of which several keep all their clocks low: 3 times */
  {"sd865", "inception_v4", {.governor = "schedutil"}, 1.1},
  {"kirin960", "squeezenet", {.governor = "schedutil"}, 1.1},
  {"sd855", "resnet50", {.governor = "dsp=powersave"}, 1.1},        /* a lasting cap: what is expected to be fastest never is */
  {"sd855", "resnet50", {.governor = "schedutil,dsp=powersave"}, 1.25},
  {"kirin970", "yolov2", {.scenario = "browsing"}, 1.15},           /* requests that take longer than governors have time: 1.7 times */
};

START_TEST(governed_phone)
{
  const struct governed *g = &governed[_i];
  double own = mean_s(g->soc, g->model, &g->load, &adaptive), best = INFINITY;
  for (int i = 0; i < N_FIXED; i++) best = fmin(best, mean_s(g->soc, g->model, &g->load, &fixed[i]));
  printf("%-9s %-13s %-24s %8.2f ms, best %8.2f %.3f\n", g->soc, g->model, g->load.governor ? g->load.governor : g->load.scenario, 1e3 * own, 1e3 * best, own / best);
  ck_assert_msg(isfinite(own) && isfinite(best), "%s, %s doesn't run", g->soc, g->model);
  ck_assert_double_le(own, g->bound * best);
}
END_TEST

/* At a rate, where clocks are low at first: how many requests are late. */
static const struct rated {
  const char *soc, *model;
  struct load load;
  int most;
} rated[] = {
  {"sd855", "mobilenet_v1@200fps", {.governor = "schedutil"}, 100}, /* of 2000; where what takes turns comes first, 235 */
  {"tensor", "mobilenet_v1@200fps", {.scenario = "gaming"}, 10},    /* 260 */
  {"kirin990", "resnet50@60fps", {.scenario = "video-playback"}, 5},     /* 72 */
};

START_TEST(keeps_up)
{
  const struct rated *r = &rated[_i];
  struct mean m = mean_of(r->soc, r->model, &r->load, &adaptive);
  printf("%-9s %-20s %d of %d late\n", r->soc, r->model, m.late, m.n);
  ck_assert_int_gt(m.n, 500);
  ck_assert_int_le(m.late, r->most);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 1200);
  tcase_add_loop_test(t, governed_phone, 0, (int)(sizeof governed / sizeof *governed));
  tcase_add_loop_test(t, keeps_up, 0, (int)(sizeof rated / sizeof *rated));
  tcase_add_test(t, grid);
}

int main(void) { return hs_test_main("adaptive", fill); }
