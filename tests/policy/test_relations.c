/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an architect takes for granted, on shipped SoCs and networks: better hardware, more equal cores and fewer bits are never slower under a
 * policy of one processor; who may choose one processor is never slower than it; and what operators are called decides nothing under any. */
#include <math.h>
#include <string.h>

#include "tests/unit/suite.h"

#include "plan/estimate.h"
#include "program/setup.h"

static const char *const socs[] = {"sd855", "sd888", "kirin970", "kirin990", "tensor"};
static const char *const models[] = {"mobilenet_v3_large", "regnetx_0.6gf", "squeezenet", "resnet50"};
static const char *const single[] = {"cpu", "cpu-little", "gpu", "dsp", "npu"};
static const char *const runtimes[] = {"tflite", "tflite-xnnpack", "mace", "pytorch", "paddle-lite", "bolt", "ncnn"};
enum { N_SOCS = 5, N_MODELS = 4, N_SINGLE = 5, N_RUNTIMES = 7 };

static bool has_dsp(int soc) { return strcmp(socs[soc], "sd855") == 0 || strcmp(socs[soc], "sd888") == 0; }

typedef void change(struct hs_setup *s);

/* Seconds of what is asked for after `how` is done to it; 0 where the SoC or the runtime can't run it. */
static double latency(const struct hs_run_options *options, change *how)
{
  struct hs_setup s = {0};
  struct hs_error err;
  struct hs_estimate e = {0};
  if (hs_setup_system(&s, options, &err) == HS_OK && hs_setup_networks(&s, options, &err) == HS_OK) {
    if (how) how(&s);
    if (hs_setup_plan(&s, &err) == HS_OK) hs_estimate_program(&s.sys, s.program, &e, NULL, NULL);
  }
  hs_setup_free(&s);
  return e.latency_s;
}

static void faster_clocks(struct hs_setup *s)
{
  for (int p = 0; p < s->soc->n_processors; p++)
    for (int d = 0; d < s->soc->processors[p].n_domains; d++)
      for (int i = 0; i < s->soc->processors[p].domains[d].n_opps; i++) s->soc->processors[p].domains[d].opps[i].freq_hz *= 1.17;
}

static void higher_peaks(struct hs_setup *s)
{
  for (int p = 0; p < s->soc->n_processors; p++)
    for (int d = 0; d < s->soc->processors[p].n_domains; d++)
      for (int k = 0; k < HS_PRECISION_N; k++) s->soc->processors[p].domains[d].macs_per_cycle[k] *= 1.9;
}

static void more_bandwidth(struct hs_setup *s)
{
  s->soc->memory.peak_bytes_per_s *= 1.4;
  for (int p = 0; p < s->soc->n_processors; p++) {
    s->soc->processors[p].bandwidth_bytes_per_s *= 1.4;
    for (int d = 0; d < s->soc->processors[p].n_domains; d++) s->soc->processors[p].domains[d].bandwidth_per_core_bytes_per_s *= 1.4;
  }
}

static void cheaper_sharing(struct hs_setup *s)
{
  for (int from = 0; from < HS_KIND_N; from++)
    for (int to = 0; to < HS_KIND_N; to++)
      for (int k = 0; k < HS_COMM_N; k++) {
        s->soc->sharing[from][to][k].fixed_s *= 0.6;
        s->soc->sharing[from][to][k].s_per_byte *= 0.6;
      }
}

START_TEST(better_hardware_is_never_slower)
{
  static change *const changes[] = {faster_clocks, higher_peaks, more_bandwidth, cheaper_sharing};
  int faster[4] = {0};
  for (int p = 0; p < N_SINGLE; p++)
    for (int m = 0; m < N_MODELS; m++) {
      const struct hs_run_options options = {.soc = socs[_i], .policy = single[p], .model = models[m]};
      double before = latency(&options, NULL);
      for (int k = 0; k < 4 && before > 0; k++) {
        double after = latency(&options, changes[k]);
        ck_assert_msg(after > 0 && after <= before, "%s, %s, %s: %g ms after change %d, %g ms before", socs[_i], single[p], models[m],
                      1e3 * after, k, 1e3 * before);
        faster[k] += after < before;
      }
    }
  for (int k = 0; k < 4; k++) ck_assert_int_gt(faster[k], 0); /* the change isn't without effect */
}
END_TEST

/* Threads on cores of one cluster. On unequal cores the slowest decides (two of tensor's cores are faster than three). */
START_TEST(more_equal_cores_are_never_slower)
{
  static const struct {
    const char *policy, *domain;
    int cores;
  } clusters[] = {{"cpu", "mid", 2}, {"cpu", "mid", 3}, {"cpu", "big", 2}, {"cpu", "big", 4}, {"cpu-little", "little", 4}};
  int compared = 0;
  for (int c = 0; c < 5; c++)
    for (int r = 0; r < N_RUNTIMES; r++)
      for (int m = 0; m < N_MODELS; m++) {
        double before = 0;
        for (int n = 1; n <= clusters[c].cores; n++) {
          char cores[20];
          snprintf(cores, sizeof cores, "%s:%d", clusters[c].domain, n);
          const struct hs_run_options options = {.soc = socs[_i], .policy = clusters[c].policy, .model = models[m], .runtime = runtimes[r], .cores = cores};
          double now = latency(&options, NULL);
          ck_assert_msg(now == 0 || before == 0 || now <= before, "%s, %s, %s: %s takes %g ms, one core less %g", socs[_i], runtimes[r],
                        models[m], cores, 1e3 * now, 1e3 * before);
          compared += now > 0 && before > 0;
          before = now;
        }
      }
  ck_assert_int_gt(compared, 0);
}
END_TEST

/* On an accelerator; CPUs without dot products may gather a quantised window for longer than they save in the product. */
START_TEST(fewer_bits_are_never_slower)
{
  static const char *const bits[] = {"int8", "fp16", "fp32"};
  int compared = 0;
  for (int m = 0; m < N_MODELS; m++)
    for (int p = 3; p < N_SINGLE; p++) {
      double before = 0;
      for (int k = 0; k < 3; k++) {
        const struct hs_run_options options = {.soc = socs[_i], .policy = single[p], .model = models[m], .runtime = "tflite", .precision = bits[k]};
        double now = latency(&options, NULL);
        ck_assert_msg(now >= before, "%s, %s, %s: %s takes %g ms, fewer bits %g", socs[_i], single[p], models[m], bits[k], 1e3 * now, 1e3 * before);
        compared += before > 0;
        before = now;
      }
    }
  ck_assert_int_eq(compared, has_dsp(_i) ? 16 : 8);
}
END_TEST

/* What a policy that knows the model is never slower than: those it may leave everything to. codl and mulayer keep results in the GPU's
 * memory, so a faster CPU isn't among them; nn-stretch and adaptive choose between whole plans, one processor's among them. */
static const struct {
  const char *policy, *param, *than[N_SINGLE];
  int compared; /* on all SoCs, but where the runtime has no such processor */
} choosers[] = {{"nn-stretch", NULL, {"cpu", "gpu", "dsp", "npu"}, 196},
                {"adaptive", NULL, {"cpu", "cpu-little", "gpu", "dsp", "npu"}, 266},
                {"codl", NULL, {"gpu"}, 70},
                {"mulayer", "predictor=exact", {"gpu"}, 70}};

START_TEST(no_slower_than_one_processor)
{
  static const struct {
    const char *runtime, *precision, *memory_type;
  } kinds[] = {{"tflite", "int8", NULL}, {"tflite", "fp32", NULL}, {"mace", "fp32", "image"}, {"mace", "fp32", "buffer"}};
  int compared = 0;
  for (int k = 0; k < N_SOCS; k++)
    for (int m = 0; m < N_MODELS; m++)
      for (int r = 0; r < 4; r++) {
        struct hs_run_options options = {.soc = socs[k], .policy = choosers[_i].policy, .model = models[m], .runtime = kinds[r].runtime,
                                 .precision = kinds[r].precision,
                                 .memory_type = kinds[r].memory_type, .n_params = choosers[_i].param != NULL, .params = &choosers[_i].param};
        double chosen = latency(&options, NULL);
        options.n_params = 0;
        for (int p = 0; p < N_SINGLE && choosers[_i].than[p] && chosen > 0; p++) {
          options.policy = choosers[_i].than[p];
          double alone = latency(&options, NULL);
          ck_assert_msg(alone == 0 || chosen <= alone * (1 + 1e-12), "%s, %s, %s, %s: %g ms under %s, %g under %s", socs[k], models[m],
                        kinds[r].runtime, kinds[r].precision, 1e3 * chosen, choosers[_i].policy, 1e3 * alone, options.policy);
          compared += alone > 0;
        }
      }
  ck_assert_int_eq(compared, choosers[_i].compared);
}
END_TEST

/* Steps between CPU and GPU, in either direction, of which one, or all (HS_COMM_N), take that long, of however many bytes. */
static int set_step;
static double set_s;
static void one_price(struct hs_setup *s)
{
  for (int k = 0; k < HS_COMM_N; k++)
    for (int to_host = 0; to_host < 2 && (k == set_step || set_step == HS_COMM_N); to_host++)
      s->soc->sharing[to_host ? HS_GPU : HS_CPU][to_host ? HS_CPU : HS_GPU][k] = (struct hs_comm_cost){.fixed_s = set_s};
}

/* What a GPU's crossings and launches cost may go to nothing: then they take what they do just before. Parallel work of CPU and GPU is what
 * would overtake them. */
START_TEST(free_is_the_limit_of_cheap)
{
  static const char *const nets[] = {"resnet50", "inception_v3", "yolov2"};
  int compared = 0;
  for (int m = 0; m < 3; m++)
    for (set_step = 0; set_step <= HS_COMM_N; set_step++) {
      const struct hs_run_options options = {.soc = "sd855", .policy = hs_policies[_i]->name, .model = nets[m]};
      set_s = 0;
      double nothing = latency(&options, one_price);
      set_s = 1e-12;
      double little = latency(&options, one_price);
      ck_assert_msg(fabs(nothing - little) <= 1e-8 * little, "%s, %s, step %d: %.12g ms where it costs nothing, %.12g where little",
                    options.policy, nets[m], set_step, 1e3 * nothing, 1e3 * little);
      compared += nothing > 0;
    }
  ck_assert_int_eq(compared, 3 * (HS_COMM_N + 1));
}
END_TEST

/* Names in another order than the operators. */
static void other_names(struct hs_setup *s)
{
  static char names[4096][12];
  struct hs_graph *g = s->networks[0].graph;
  ck_assert_int_lt(g->n_ops + g->n_tensors, 4096);
  for (int i = 0; i < g->n_ops + g->n_tensors; i++) {
    snprintf(names[i], sizeof names[i], "n%04d", (i * 1931 + 7) % 4096);
    if (i < g->n_ops)
      g->ops[i].name = names[i];
    else
      g->tensors[i - g->n_ops].name = names[i];
  }
}

START_TEST(names_decide_nothing)
{
  int compared = 0;
  for (int k = 0; k < N_SOCS; k++)
    for (int m = 0; m < 2; m++) {
      const struct hs_run_options options = {.soc = socs[k], .policy = hs_policies[_i]->name, .model = models[m]};
      double with = latency(&options, other_names), as_they_are = latency(&options, NULL);
      ck_assert_msg(with == as_they_are, "%s on %s, %s: %g ms with other names, %g before", hs_policies[_i]->name, socs[k], models[m],
                    1e3 * with, 1e3 * as_they_are);
      compared += with > 0;
    }
  ck_assert_int_eq(compared, strcmp(hs_policies[_i]->name, "dsp") == 0 ? 2 * 2 : N_SOCS * 2);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, better_hardware_is_never_slower, 0, N_SOCS);
  tcase_add_loop_test(t, more_equal_cores_are_never_slower, 0, N_SOCS);
  tcase_add_loop_test(t, fewer_bits_are_never_slower, 0, N_SOCS);
  tcase_add_loop_test(t, no_slower_than_one_processor, 0, (int)(sizeof choosers / sizeof *choosers));
  tcase_add_loop_test(t, free_is_the_limit_of_cheap, 0, hs_n_policies);
  tcase_add_loop_test(t, names_decide_nothing, 0, hs_n_policies);
}

int main(void) { return hs_test_main("relations", fill); }
