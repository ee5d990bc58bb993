/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MOSAIC against brute force: on random chains its plan costs what the best of all slicings and devices costs. */
#include "tests/unit/suite.h"

#include <gsl/gsl_rng.h>
#include <math.h>

#include "policies/layers.h"
#include "program/setup.h"

static void write_chain(gsl_rng *rng, int n, const char *path)
{
  FILE *f = fopen(path, "w");
  ck_assert(f != NULL);
  fprintf(f, "{\"format\": \"hetsim-workload/1\", \"name\": \"chain\", \"title\": \"t\", \"source\": \"s\", \"inputs\": [{\"name\": \"t0\", \"shape\": "
             "[1,%d,%d,%d]}], \"outputs\": [\"t%d\"], \"ops\": [\n",
          7 + (int)gsl_rng_uniform_int(rng, 60), 7 + (int)gsl_rng_uniform_int(rng, 60), 3 + (int)gsl_rng_uniform_int(rng, 90), n);
  for (int i = 1; i <= n; i++) {
    const char *comma = i < n ? "," : "";
    switch (gsl_rng_uniform_int(rng, 4)) {
    case 0: fprintf(f,
                    "{\"name\": \"t%d\", \"op\": \"Conv\", \"inputs\": [\"t%d\"], \"channels\": %d, \"kernel\": [3,3], \"pad\": \"same\", "
                    "\"block\": %d}%s\n", i, i - 1,
                    8 + (int)gsl_rng_uniform_int(rng, 200), i, comma); break;
    case 1: fprintf(f,
                    "{\"name\": \"t%d\", \"op\": \"DepthwiseConv\", \"inputs\": [\"t%d\"], \"kernel\": [5,5], \"pad\": \"same\", "
                    "\"block\": %d}%s\n", i, i - 1, i, comma); break;
    case 2: fprintf(f, "{\"name\": \"t%d\", \"op\": \"LeakyRelu\", \"inputs\": [\"t%d\"], \"block\": %d}%s\n", i, i - 1, i, comma); break;
    default: fprintf(f,
                     "{\"name\": \"t%d\", \"op\": \"AveragePool\", \"inputs\": [\"t%d\"], \"kernel\": [2,2], \"pad\": \"same\", "
                     "\"block\": %d}%s\n", i, i - 1, i, comma);
    }
  }
  fprintf(f, "]}\n");
  fclose(f);
}

static double cost(struct hs_layer_cost c, bool energy) { return energy ? c.joules : c.seconds; }

/* The best of everything from layer `from` on, by trying everything. */
static double brute_force(const struct hs_view *v, const struct hs_layers *l, int from, bool energy)
{
  double best = from == l->n ? 0 : INFINITY;
  for (int to = from + 1; to <= l->n; to++) {
    double rest = INFINITY;
    for (int d = 0; d < l->n_devices; d++) {
      if (!hs_layers_fits(l, d, from, to)) continue;
      if (rest == INFINITY) rest = brute_force(v, l, to, energy);
      best = fmin(best, cost(hs_layers_slice_cost(l, d, from, to), energy) + rest);
    }
  }
  return best;
}

/* What the placement costs: slices are told apart by their chain number. */
static double placed_cost(const struct hs_layers *l, const struct hs_placement *pl, bool energy)
{
  double sum = 0;
  for (int from = 0, to; from < l->n; from = to) {
    const struct hs_op_placement *op = &pl->ops[l->first[from]];
    int device = -1;
    for (to = from + 1; to < l->n && pl->ops[l->first[to]].chain == op->chain; to++)
      ;
    for (int d = 0; d < l->n_devices; d++)
      if (l->devices[d].processor == op->parts[0].processor && l->devices[d].opp == op->parts[0].opp) device = d;
    ck_assert_int_ge(device, 0);
    sum += cost(hs_layers_slice_cost(l, device, from, to), energy);
  }
  return sum;
}

/* Planned as the options say. */
static struct hs_view view_of(struct hs_setup *s, const struct hs_run_options *options)
{
  struct hs_error err;
  hs_test_accepted(hs_setup_make(s, options, &err), &err);
  return (struct hs_view){&s->sys, s->graph, s->values};
}

static void compare(const char *soc, const char *path, bool energy)
{
  const char *objective[] = {energy ? "objective=energy" : "objective=latency"};
  const struct hs_run_options options = {.soc = soc, .policy = "mosaic", .model = path, .n_params = 1, .params = objective};
  struct hs_setup *s = calloc(1, sizeof *s);
  struct hs_arena a = {0};
  const struct hs_view v = view_of(s, &options);
  struct hs_layers *l = hs_layers_make(&v, energy ? HS_DEVICES_EVERY_OPP : HS_DEVICES_AS_SET, true, &a);
  double best = brute_force(&v, l, 0, energy);
  ck_assert_double_eq_tol(placed_cost(l, s->placement, energy), best, 1e-12 * best);
  hs_arena_free(&a);
  hs_setup_free(s);
  free(s);
}

START_TEST(equals_brute_force)
{
  static const char *const socs[] = {"kirin970", "sd855", "kirin960", "tensor"};
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 2385 + (unsigned long)_i);
  for (int trial = 0; trial < 8; trial++) {
    char *path = hs_test_file(".json", "", 0);
    write_chain(rng, 3 + trial % 6, path);
    compare(socs[_i], path, false);
    if (trial % 6 <= 2) compare(socs[_i], path, true);
    remove(path);
    free(path);
  }
  gsl_rng_free(rng);
}
END_TEST

/* What an invocation costs however much it computes belongs to each slice, but for who doesn't see communication. On Kirin 990 the GPU's 3.7 ms
 * are twice what all of a small network takes the CPU; on Snapdragon 855 the CPU's 86 us decide that its stem isn't worth a slice of its own before the NPU's.
 * Kernels whose threads steal have no such cost, and what they steal is none. */
static const struct {
  const char *soc, *precision, *processor, *runtime, *frequency; /* processor: of all operators; NULL: of several */
} starts[] = {{"kirin990", "fp32", "cpu", "tflite", NULL}, {"sd855", "int8", "npu", "tflite", NULL}, {"sd855", "int8", NULL, "tflite-xnnpack", "cpu=min"}};

START_TEST(start_of_an_invocation)
{
  const struct hs_run_options options = {.soc = starts[_i].soc, .policy = "mosaic", .runtime = starts[_i].runtime, .precision = starts[_i].precision,
                                 .frequency = starts[_i].frequency, .model = "fdmobilenet_0.5"};
  struct hs_setup s = {0};
  struct hs_arena a = {0};
  const struct hs_view v = view_of(&s, &options);
  for (int energy = 0; energy < 2; energy++) {
    const struct hs_layers *l = hs_layers_make(&v, energy ? HS_DEVICES_EVERY_OPP : HS_DEVICES_AS_SET, true, &a);
    const struct hs_layers *blind = hs_layers_make(&v, energy ? HS_DEVICES_EVERY_OPP : HS_DEVICES_AS_SET, false, &a);
    for (int d = 0; d < l->n_devices; d++) {
      const struct hs_device *dev = &l->devices[d];
      const struct hs_processor *p = &s.soc->processors[dev->processor];
      const struct hs_domain *domain = &p->domains[p->n_domains - 1];
      double hz = domain->opps[hs_system_opp(&s.sys, dev->processor, p->n_domains - 1, dev->opp)].freq_hz;
      double seconds = s.sys.backends[dev->processor].kernel->start_cycles / hz;
      ck_assert_double_eq_tol(dev->start.seconds, seconds, 1e-6 * seconds + 1e-12);
      ck_assert((dev->start.joules > 0) == (seconds > 0));
      ck_assert(blind->devices[d].start.seconds == 0 && blind->devices[d].start.joules == 0);
    }
  }
  for (int i = 0; i < s.graph->n_ops && starts[_i].processor; i++)
    ck_assert_int_eq(s.placement->ops[i].parts[0].processor, hs_soc_find(s.soc, starts[_i].processor));
  hs_arena_free(&a);
  hs_setup_free(&s);
}
END_TEST

static double start_joules(const char *model, const char *processor)
{
  const struct hs_run_options options = {.soc = "sd855", .policy = "mosaic", .runtime = "tflite", .precision = "int8", .model = model};
  struct hs_setup s = {0};
  struct hs_arena a = {0};
  const struct hs_view v = view_of(&s, &options);
  const struct hs_layers *l = hs_layers_make(&v, HS_DEVICES_AS_SET, true, &a);
  int d = 0;
  while (l->devices[d].processor != hs_soc_find(s.soc, processor)) d++;
  double joules = l->devices[d].start.joules;
  hs_arena_free(&a);
  hs_setup_free(&s);
  return joules;
}

/* Any slice may be the one that starts: that PreResNet-18 begins with an operator of one thread, its border, says nothing of it. */
START_TEST(start_by_itself)
{
  ck_assert_double_gt(start_joules("resnet18", "cpu"), 0);
  ck_assert_double_eq(start_joules("preresnet18", "cpu"), start_joules("resnet18", "cpu"));
}
END_TEST

/* Equal plans: the first by k is that of the longest slice, so that one is only cut where memory asks for it. Nothing else distinguishes a slice from two where
 * crossing is free, as for the CPU, and for everybody in HCA's eyes. */
static const struct {
  const char *soc, *policy, *model, *objective;
} ties[] = {{"kirin970", "mosaic", "posenet", "objective=latency"}, {"kirin990", "hca", "darknet53", "objective=latency"},
            {"kirin990", "hca", "darknet53", "objective=energy"}, {"sd855", "hca", "inception_v4", "objective=latency"},
            {"kirin970", "hca", "ghostnet_1.3_paddle", "objective=energy"}};

START_TEST(slices_are_whole)
{
  const struct hs_run_options options = {.soc = ties[_i].soc, .policy = ties[_i].policy, .model = ties[_i].model, .n_params = 1, .params = &ties[_i].objective};
  struct hs_setup s = {0};
  struct hs_arena a = {0};
  const struct hs_view v = view_of(&s, &options);
  const struct hs_layers *l = hs_layers_make(&v, HS_DEVICES_AS_SET, false, &a);
  const struct hs_op_placement *ops = s.placement->ops;
  for (int from = 0, to = 0, before = -1; from < l->n; before = from, from = to) {
    const struct hs_part *part = &ops[l->first[from]].parts[0];
    int d = 0;
    while (l->devices[d].processor != part->processor) d++;
    for (to = from + 1; to < l->n && ops[l->first[to]].chain == ops[l->first[from]].chain;) to++;
    bool alike = before >= 0 && ops[l->first[before]].parts[0].processor == part->processor && ops[l->first[before]].parts[0].opp == part->opp;
    ck_assert_msg(!alike || !hs_layers_fits(l, d, before, to), "%s: cut before layer %d", s.graph->name, from + 1);
  }
  hs_arena_free(&a);
  hs_setup_free(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, slices_are_whole, 0, sizeof ties / sizeof *ties);
  tcase_add_loop_test(t, equals_brute_force, 0, 4);
  tcase_add_test(t, start_by_itself);
  tcase_add_loop_test(t, start_of_an_invocation, 0, sizeof starts / sizeof *starts);
}

int main(void) { return hs_test_main("mosaic", fill); }
