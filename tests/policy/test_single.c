/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the one-processor policies decide, operator by operator, on the phone of rig.h (NPU slices up to 150 kB); and every
 * placement that the contract of placement.h refuses. */
#include "tests/model/rig.h"

#include "policies/policy.h"

/* Conv 1820 weights, 8000 results; d has 8000·40 + 40 weights: more than the NPU takes. */
#define FIVE RIG_NET(RIG_IN("i", "1, 20, 20, 10"), "'e'",                                                                \
  RIG_OP("a", "Conv", "'i'", ", 'channels': 20, 'kernel': [3, 3], 'pad': 'same'") ","                                    \
  RIG_OP("b", "Relu", "'a'", ", 'support': {'npu': false, 'dsp': false}") ","                                            \
  RIG_OP("c", "Conv", "'b'", ", 'channels': 20, 'kernel': [1, 1], 'support': {'npu': false, 'gpu': false, 'dsp': false}") "," \
  RIG_OP("d", "Gemm", "'c'", ", 'channels': 40, 'support': {'dsp': false}") ","                                          \
  RIG_OP("e", "Tanh", "'d'", ", 'support': {'gpu': false, 'dsp': false}"))

/* "npu 1, gpu 2 fallback, …": processor and chain of each operator */
static char *plan_text(const struct rig *r, const struct hs_placement *pl)
{
  struct hs_text x = {0};
  for (int i = 0; i < pl->n_ops; i++) {
    const struct hs_op_placement *op = &pl->ops[i];
    ck_assert_int_eq(op->split, HS_SPLIT_NONE);
    ck_assert_int_eq(op->n_parts, 1);
    ck_assert_double_eq(op->parts[0].fraction, 1);
    ck_assert_int_eq(op->parts[0].opp, -1);
    ck_assert_int_eq(op->home, -1);
    hs_text_addf(&x, "%s%s %d%s", i ? ", " : "", r->soc->processors[op->parts[0].processor].name, op->chain, op->fallback ? " fallback" : "");
  }
  return x.s;
}

/* param: NULL for none. */
static enum hs_status plan_with(struct rig *r, const char *policy, const char *param, struct hs_placement **pl, struct hs_error *err)
{
  const struct hs_policy *p = hs_policy_find(policy);
  const char *values[HS_PARAMS_MAX];
  hs_test_accepted(hs_policy_values(p, &param, param != NULL, values, err), err);
  const struct hs_view view = {&r->sys, r->graph, values};
  *pl = hs_placement_new(&r->arena, r->graph->n_ops);
  return p->plan(&view, *pl, err);
}

static enum hs_status plan(struct rig *r, const char *policy, struct hs_placement **pl, struct hs_error *err) { return plan_with(r, policy, NULL, pl, err); }

static const struct {
  const char *runtime, *policy, *expected;
  int n_fallback;
} decisions[] = {
  {"tflite", "cpu", "cpu 1, cpu 1, cpu 1, cpu 1, cpu 1", 0},
  {"tflite", "cpu-little", "cpu-little 1, cpu-little 1, cpu-little 1, cpu-little 1, cpu-little 1", 0},
  {"tflite", "npu", "npu 1, gpu 2 fallback, cpu 3 fallback, gpu 4 fallback, npu 5", 3},          /* d is larger than the limit by itself */
  {"tflite", "dsp", "dsp 1, gpu 2 fallback, cpu 3 fallback, gpu 4 fallback, npu 5 fallback", 4}, /* e: NPU before GPU and CPU */
  {"tflite", "gpu", "gpu 1, gpu 1, cpu 2 fallback, gpu 3, npu 4 fallback", 2},
  {"mace", "gpu", "gpu 1, gpu 1, cpu 2 fallback, gpu 3, cpu 4 fallback", 2}, /* no code for the NPU */
  {"mace", "cpu", "cpu 1, cpu 1, cpu 1, cpu 1, cpu 1", 0},
};

START_TEST(decides)
{
  struct rig r;
  struct hs_error err;
  struct hs_placement *pl;
  rig_open(&r, decisions[_i].runtime);
  rig_read_network(&r, FIVE);
  hs_test_accepted(plan(&r, decisions[_i].policy, &pl, &err), &err);
  char *text = plan_text(&r, pl);
  ck_assert_str_eq(text, decisions[_i].expected);
  free(text);
  /* the plan holds, and runs as estimated */
  struct hs_program *prog = rig_lower(&r, pl);
  struct hs_estimate e;
  hs_estimate_program(&r.sys, prog, &e, NULL, NULL);
  struct rig_run *run = rig_run(&r, pl, prog, 2);
  rig_derive("engine", "estimate", run->latency_s[1], e.latency_s, 1e-9);
  ck_assert_int_eq(prog->n_fallback, decisions[_i].n_fallback);
  rig_run_free(run);
  hs_program_free(prog);
  rig_close(&r);
}
END_TEST

/* Two branches that meet in e: c needs nothing of the CPU's b, so that it is in one partition with a; e is another, and so is what follows f. */
#define BRANCHES(outputs, more) RIG_NET(RIG_IN("i", "1, 20, 20, 10"), outputs,                                           \
  RIG_OP("a", "Conv", "'i'", ", 'channels': 20, 'kernel': [1, 1]") ","                                                   \
  RIG_OP("b", "Tanh", "'a'", ", 'support': {'gpu': false}") ","                                                          \
  RIG_OP("c", "Tanh", "'a'", "") ","                                                                                     \
  RIG_OP("e", "Add", "'b', 'c'", "") ","                                                                                 \
  RIG_OP("f", "Tanh", "'e'", ", 'support': {'gpu': false}") ","                                                          \
  RIG_OP("g", "Tanh", "'f'", "") more)

#define LONGER BRANCHES("'l'", "," RIG_OP("k", "Tanh", "'g'", "") "," RIG_OP("l", "Tanh", "'k'", ""))

START_TEST(largest_partitions)
{
  static const struct {
    const char *runtime, *param, *network, *processors; /* a letter for each operator */
    int n_fallback;
  } cases[] = {{"tflite", "partitions=runtime", BRANCHES("'g'", ""), "gcgccc", 4},
               {"tflite", "partitions=runtime", LONGER, "cccccggg", 5},
               {"tflite", "partitions=2", LONGER, "gcgccggg", 3},
               {"tflite", "partitions=9", LONGER, "gcggcggg", 2},
               {"tflite", "partitions=all", BRANCHES("'g'", ""), "gnggng", 2},
               {"tflite", NULL, BRANCHES("'g'", ""), "gnggng", 2},
               {"mace", "partitions=runtime", BRANCHES("'g'", ""), "gcggcg", 2}};
  struct rig r;
  struct hs_error err;
  struct hs_placement *pl;
  char processors[10] = "";
  int n_fallback = 0;
  rig_open(&r, cases[_i].runtime);
  rig_read_network(&r, cases[_i].network);
  hs_test_accepted(plan_with(&r, "gpu", cases[_i].param, &pl, &err), &err);
  for (int i = 0; i < pl->n_ops; i++) {
    processors[i] = r.soc->processors[pl->ops[i].parts[0].processor].name[0];
    n_fallback += pl->ops[i].fallback;
  }
  ck_assert_str_eq(processors, cases[_i].processors);
  ck_assert_int_eq(n_fallback, cases[_i].n_fallback);
  rig_close(&r);
}
END_TEST

/* Six stretches of two operators, and between them what none of these processors can do: a delegate takes as many as it does unless an app asks for more.
 * A plan with all six says so. */
#define STRETCH(k, from) RIG_OP("a" k, "Conv", "'" from "'", ", 'channels': 10, 'kernel': [1, 1]") ","                     \
  RIG_OP("b" k, "Conv", "'a" k "'", ", 'channels': 10, 'kernel': [1, 1]")
#define BETWEEN(k) "," RIG_OP("c" k, "Tanh", "'b" k "'", ", 'support': {'gpu': false, 'npu': false, 'dsp': false}") ","

START_TEST(partitions_of_a_runtime)
{
  static const struct {
    const char *runtime, *policy, *processors, *note;
  } cases[] = {
    {"tflite", "gpu", "ggccccccccccccccc", "gpu, of which the delegate of tflite takes the largest, and no more than 1"}, /* TfLiteGpuDelegateOptionsV2Default() */
    {"tflite", "dsp", "ddcddcddcddcccccc", "dsp, of which the delegate of tflite takes the largest, and no more than 4"}, /* kMaxHexagonGraphs */
    /* max_number_delegated_partitions, and the same; the last as tflite */
    {"tflite-nnapi", "dsp", "ddcddcddccccccccc", "dsp, of which the delegate of tflite-nnapi takes the largest, and no more than 3"},
    {"tflite", "npu", "nncnncnnccccccccc", "npu, of which the delegate of tflite takes the largest, and no more than 3"},
    {"tflite-xnnpack", "dsp", "ddcddcddcddcccccc", "dsp, of which the delegate of tflite-xnnpack takes the largest, and no more than 4"}};
  struct rig r;
  struct hs_error err;
  struct hs_placement *pl;
  char processors[20] = "", note[200];
  rig_open(&r, cases[_i].runtime);
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 20, 20, 10"), "'b6'", STRETCH("1", "i") BETWEEN("1") STRETCH("2", "c1") BETWEEN("2")
                               STRETCH("3", "c2") BETWEEN("3")
                               STRETCH("4", "c3") BETWEEN("4") STRETCH("5", "c4") BETWEEN("5") STRETCH("6", "c5")));
  hs_test_accepted(plan_with(&r, cases[_i].policy, "partitions=runtime", &pl, &err), &err);
  for (int i = 0; i < pl->n_ops; i++) processors[i] = r.soc->processors[pl->ops[i].parts[0].processor].name[0];
  ck_assert_str_eq(processors, cases[_i].processors);
  ck_assert_ptr_null(pl->note);
  hs_test_accepted(plan(&r, cases[_i].policy, &pl, &err), &err);
  snprintf(note, sizeof note, "6 partitions on the %s, unless told otherwise (partitions=runtime)", cases[_i].note);
  ck_assert_str_eq(pl->note, note);
  rig_close(&r);
}
END_TEST

/* Two halves of an operator on one NPU are in one slice: 80 kB each of results, under a limit of 150. */
START_TEST(parts_share_a_slice)
{
  struct rig r;
  struct hs_error err;
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 20, 20, 400"), "'p'", RIG_OP("p", "MaxPool", "'i'", ", 'kernel': [1, 1]")));
  struct hs_placement *pl = hs_placement_new(&r.arena, 1);
  rig_place_cut(&pl->ops[0], HS_SPLIT_HEIGHT, NPU, 0.5, GPU);
  hs_test_accepted(hs_placement_check(&r.sys, r.graph, pl, "test", &err), &err);
  rig_place_cut(&pl->ops[0], HS_SPLIT_HEIGHT, NPU, 0.5, NPU);
  rig_refused(hs_placement_check(&r.sys, r.graph, pl, "test", &err), &err, HS_POLICY,
              "policy test broke its contract: operator \"p\" on npu: its slice is larger than slice_limit_bytes");
  rig_close(&r);
}
END_TEST

/* Results in int8: 40, 60, 50, 70, 80, 30 kB under a limit of 150: 40 + 60 + 50 | 70 + 80 | 30. */
START_TEST(slices_are_packed_up_to_the_limit)
{
  static const int channels[] = {80, 120, 100, 140, 160, 60}, chains[] = {1, 1, 1, 2, 2, 3};
  struct rig r;
  struct hs_error err;
  struct hs_placement *pl;
  struct hs_text x = {0};
  rig_open(&r, "tflite");
  for (int i = 0; i < 6; i++) /* Slice has no weights: 20·25·channels bytes in int8 */
    hs_text_addf(&x, "%s{'name': 'o%d', 'op': 'Slice', 'inputs': ['i'], 'begin': [0, 0, 0, 0], 'size': [1, 20, 25, %d]}", i ? ", " : "", i, channels[i]);
  struct hs_text net = {0};
  hs_text_addf(&net, RIG_NET(RIG_IN("i", "1, 20, 25, 200"), "'o0', 'o1', 'o2', 'o3', 'o4', 'o5'", "%s"), x.s);
  rig_read_network(&r, net.s);
  DERIVE("bytes of the first", hs_slice_bytes(&r.sys, r.graph, &r.graph->ops[0], NPU), 40e3);
  hs_test_accepted(plan(&r, "npu", &pl, &err), &err);
  for (int i = 0; i < 6; i++) {
    ck_assert_int_eq(pl->ops[i].parts[0].processor, NPU);
    ck_assert_int_eq(pl->ops[i].chain, chains[i]);
  }
  hs_test_accepted(hs_placement_check(&r.sys, r.graph, pl, "npu", &err), &err);
  pl->ops[3].chain = 1; /* 40 + 60 + 50 + 70 */
  rig_refused(hs_placement_check(&r.sys, r.graph, pl, "npu", &err), &err, HS_POLICY,
              "policy npu broke its contract: operator \"o3\" on npu: its slice is larger than slice_limit_bytes");
  for (int i = 0; i < 6; i++) pl->ops[i].chain = -1; /* each a slice of its own */
  hs_test_accepted(hs_placement_check(&r.sys, r.graph, pl, "npu", &err), &err);
  hs_text_free(&x);
  hs_text_free(&net);
  rig_close(&r);
}
END_TEST

/* --- what can't be planned --- */

START_TEST(processor_or_code_is_missing)
{
  static const char phone[] = RIG_HEAD("y", "2e9", "13e9") RIG_CPU "," RIG_GPU "], 'sharing_costs': [" RIG_SHARE_GPU RIG_TAIL_OF("'cpu', 'gpu'");
  static const char *const gone[] = {"cpu-little", "dsp", "npu"};
  struct rig r;
  struct hs_error err;
  struct hs_placement *pl;
  struct hs_settings s = rig_settings("tflite");
  hs_test_accepted(rig_try(&r, phone, NULL, RIG_TFLITE, &s, &err), &err);
  rig_read_network(&r, FIVE);
  for (int i = 0; i < 3; i++) {
    char message[60];
    snprintf(message, sizeof message, "policy %s: y has no %s", gone[i], gone[i]);
    rig_refused(plan(&r, gone[i], &pl, &err), &err, HS_USAGE, message);
  }
  rig_close(&r);
  rig_open(&r, "mace");
  rig_read_network(&r, FIVE);
  rig_refused(plan(&r, "dsp", &pl, &err), &err, HS_USAGE, "policy dsp: runtime mace has no code for the dsp of x");
  rig_refused(plan(&r, "npu", &pl, &err), &err, HS_USAGE, "policy npu: runtime mace has no code for the npu of x");
  rig_close(&r);
}
END_TEST

START_TEST(nobody_runs_it)
{
  struct rig r;
  struct hs_error err;
  struct hs_placement *pl;
  rig_open(&r, "mace");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 4"), "'a'", RIG_OP("a", "Relu", "'i'", ", 'support': {'cpu': false, 'gpu': false}")));
  rig_refused(plan(&r, "gpu", &pl, &err), &err, HS_INPUT,
              "net: no processor of x runs operator \"a\" (Relu) under runtime mace: cpu: the model file says so; cpu-little: the model file says so; "
              "gpu: the model file says so; dsp: runtime mace has no code for the dsp; npu: runtime mace has no code for the npu");
  static const char *const cutting[] = {"codl", "mulayer"};
  for (int i = 0; i < 2; i++)
    rig_refused(plan(&r, cutting[i], &pl, &err), &err, HS_INPUT,
                "net: neither CPU nor GPU of x runs operator \"a\" (Relu) under runtime mace: cpu: the model file says so; gpu: the model file says so");
  rig_close(&r);
  rig_open(&r, "tflite"); /* the NPU would, but it is too large */
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 4000"), "'a'",
                               RIG_OP("a", "Gemm", "'i'", ", 'channels': 40, 'support': {'cpu': false, 'gpu': false, 'dsp': false, 'npu': true}")));
  rig_refused(plan(&r, "npu", &pl, &err), &err, HS_INPUT,
              "net: no processor of x runs operator \"a\" (Gemm) under runtime tflite: cpu: the model file says so; cpu-little: the model file says so; "
              "gpu: the model file says so; dsp: the model file says so; npu: larger than its slice limit");
  rig_close(&r);
}
END_TEST

/* The DSP does, and nothing falls back to it; a policy that plans every processor meets the CPU first. */
START_TEST(only_the_dsp_runs_it)
{
  static const char *const whole[] = {"task-parallel", "band-fixed"};
  const struct hs_policy *policy;
  const char *values[HS_PARAMS_MAX];
  struct rig r;
  struct hs_error err;
  struct hs_placement *pl;
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 4"), "'a'", RIG_OP("a", "Relu", "'i'", ", 'support': {'cpu': false, 'gpu': false, 'npu': false}")));
  rig_refused(plan(&r, "gpu", &pl, &err), &err, HS_INPUT,
              "net: of x only dsp runs operator \"a\" (Relu) under runtime tflite, and what the gpu can't run goes to NPU, GPU or CPU");
  for (int i = 0; i < 2; i++) {
    struct hs_plan made = {.arena = &r.arena, .graph = r.graph};
    const struct hs_view view = {&r.sys, r.graph, values};
    policy = hs_policy_find(whole[i]);
    hs_test_accepted(hs_policy_values(policy, NULL, 0, values, &err), &err);
    rig_refused(hs_policy_plan(policy, &view, &made, &err), &err, HS_INPUT,
                "net: of x only dsp runs operator \"a\" (Relu) under runtime tflite, and what the cpu can't run goes to NPU, GPU or CPU");
  }
  hs_test_accepted(plan(&r, "dsp", &pl, &err), &err);
  rig_close(&r);
}
END_TEST

START_TEST(parameters)
{
  static const char *const cpu[] = {"x=1"};
  static const char *const words[] = {"objective=beauty"}, *const none[] = {"objective"}, *const broken[] = {"minimum_subgraph_size=2.5"},
                    *const twice[] = {"gpu_share=0.2", "chain=none", "gpu_share=0.2"};
  const char *values[HS_PARAMS_MAX];
  struct hs_error err;
  rig_refused(hs_policy_values(hs_policy_find("cpu"), cpu, 1, values, &err), &err, HS_USAGE, "policy cpu has no parameter \"x\" (there are: none)");
  ck_assert_int_eq(hs_policy_values(hs_policy_find("mosaic"), words, 1, values, &err), HS_USAGE);
  ck_assert(strstr(err.text, "\"beauty\" is not one of ") != NULL);
  rig_refused(hs_policy_values(hs_policy_find("mosaic"), none, 1, values, &err), &err, HS_USAGE,
              "policy mosaic, parameter objective has no value: write objective=VALUE");
  rig_refused(hs_policy_values(hs_policy_find("codl"), twice, 3, values, &err), &err, HS_USAGE, "policy codl, parameter gpu_share is given twice");
  rig_refused(hs_policy_values(hs_policy_find("band-sel"), broken, 1, values, &err), &err, HS_USAGE,
              "policy band-sel, parameter minimum_subgraph_size: \"2.5\" is not a whole number in [1, 10000]");
  ck_assert_ptr_null(hs_policy_find("Cpu"));
}
END_TEST

/* 60 kB each in int8, of which the NPU's part takes 54: two in a row fit into its slice of 150 kB. */
START_TEST(parts_of_cut_operators_fill_slices_too)
{
  struct rig r;
  struct hs_error err;
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 20, 25, 120"), "'c'", RIG_OP("a", "MaxPool", "'i'", ", 'kernel': [1, 1]") ","
                               RIG_OP("b", "MaxPool", "'a'", ", 'kernel': [1, 1]") "," RIG_OP("c", "MaxPool", "'b'", ", 'kernel': [1, 1]")));
  struct hs_placement *pl = rig_place_all(&r, CPU);
  for (int i = 0; i < 3; i++) {
    rig_place_cut(&pl->ops[i], HS_SPLIT_HEIGHT, CPU, 0.1, NPU);
    pl->ops[i].chain = 7;
  }
  rig_refused(hs_placement_check(&r.sys, r.graph, pl, "test", &err), &err, HS_POLICY,
              "policy test broke its contract: operator \"c\" on npu: its slice is larger than slice_limit_bytes");
  pl->ops[2].chain = 8;
  hs_test_accepted(hs_placement_check(&r.sys, r.graph, pl, "test", &err), &err);
  pl->ops[2].chain = 7;
  hs_place_whole(&pl->ops[1], CPU); /* between the two: the second is a slice of its own */
  pl->ops[1].chain = 7;
  hs_test_accepted(hs_placement_check(&r.sys, r.graph, pl, "test", &err), &err);
  rig_close(&r);
}
END_TEST

/* --- the contract of placements --- */

static void too_few(struct hs_placement *pl) { pl->n_ops = 4; }
static void no_parts(struct hs_placement *pl) { pl->ops[1].n_parts = 0; }
static void five_parts(struct hs_placement *pl) { pl->ops[1].n_parts = 5; }
static void whole_in_two(struct hs_placement *pl) { pl->ops[1].n_parts = 2; }
static void cut_in_one(struct hs_placement *pl) { pl->ops[1].split = HS_SPLIT_HEIGHT; }
static void cut_gemm(struct hs_placement *pl) { rig_place_cut(&pl->ops[3], HS_SPLIT_HEIGHT, GPU, 0.5, CPU); }
static void no_such_cut(struct hs_placement *pl) { rig_place_cut(&pl->ops[1], HS_SPLIT_N, GPU, 0.5, CPU); }
static void one_image(struct hs_placement *pl) { rig_place_cut(&pl->ops[1], HS_SPLIT_BATCH, GPU, 0.5, CPU); }
static void no_home(struct hs_placement *pl) { pl->ops[0].home = 5; }
static void worse_home(struct hs_placement *pl) { pl->ops[0].home = -2; }
static void home_without_code(struct hs_placement *pl) { pl->ops[0].home = DSP; }
static void nowhere(struct hs_placement *pl) { pl->ops[0].parts[0].processor = 5; }
static void below(struct hs_placement *pl) { pl->ops[0].parts[0].processor = -1; }
static void nothing(struct hs_placement *pl) { pl->ops[0].parts[0].fraction = 0; }
static void not_a_number(struct hs_placement *pl) { pl->ops[0].parts[0].fraction = NAN; }
static void part_of(struct hs_placement *pl) { pl->ops[0].parts[0].fraction = 0.999; }
static void too_much(struct hs_placement *pl)
{
  rig_place_cut(&pl->ops[0], HS_SPLIT_HEIGHT, GPU, 0.6, CPU);
  pl->ops[0].parts[1].fraction = 0.41;
}
static void negative_part(struct hs_placement *pl) { rig_place_cut(&pl->ops[0], HS_SPLIT_HEIGHT, GPU, 1.2, CPU); }
static void no_opp(struct hs_placement *pl) { pl->ops[0].parts[0].opp = 3; }
static void below_opp(struct hs_placement *pl) { pl->ops[0].parts[0].opp = -2; }
static void masked(struct hs_placement *pl) { pl->ops[2].parts[0].processor = GPU; }
static void masked_part(struct hs_placement *pl) { rig_place_cut(&pl->ops[2], HS_SPLIT_CHANNEL, CPU, 0.5, DSP); }
static void too_large(struct hs_placement *pl) { pl->ops[3].parts[0].processor = NPU; }
static void too_large_part(struct hs_placement *pl) { rig_place_cut(&pl->ops[3], HS_SPLIT_CHANNEL, CPU, 0.1, NPU); }
static void small_part(struct hs_placement *pl)
{
  rig_place_cut(&pl->ops[3], HS_SPLIT_CHANNEL, CPU, 0.9, NPU);
  pl->ops[4].chain = 1;
}
static void chain_again(struct hs_placement *pl) { pl->ops[1].chain = 1; }
static void chain_again_later(struct hs_placement *pl)
{
  for (int i = 1; i < 4; i++) pl->ops[i].chain = i;
}
static void chain_around_one(struct hs_placement *pl) { pl->ops[3].chain = -1; }
static void chain_around_none(struct hs_placement *pl)
{
  pl->partial = true;
  pl->ops[2].n_parts = 0; /* what else is said of it means nothing */
}
static void chain_behind_none(struct hs_placement *pl)
{
  pl->partial = true;
  pl->ops[0].n_parts = 0;
}
static void chains_behind_each_other(struct hs_placement *pl)
{
  pl->ops[1].chain = pl->ops[3].chain = -1;
  pl->ops[2].chain = 7;
  pl->ops[4].chain = 5;
}
static void early_elsewhere(struct hs_placement *pl) { pl->ops[0].early = true; }
static void early_part(struct hs_placement *pl)
{
  rig_place_cut(&pl->ops[0], HS_SPLIT_HEIGHT, GPU, 0.5, CPU);
  pl->ops[0].early = true;
}
static void good_early(struct hs_placement *pl)
{
  pl->ops[0].parts[0].processor = GPU;
  pl->ops[0].early = true;
}
static void good_opp(struct hs_placement *pl) { pl->ops[0].parts[0].opp = 2; }
static void good_cut(struct hs_placement *pl) { rig_place_cut(&pl->ops[0], HS_SPLIT_CHANNEL, GPU, 0.3, CPU); }

#define BROKE(rest) "policy test broke its contract: " rest
static const struct {
  void (*spoil)(struct hs_placement *);
  const char *message; /* NULL: accepted */
} contract[] = {
  {good_opp, NULL},
  {good_cut, NULL},
  {too_few, BROKE("it placed 4 of 5 operators")},
  {no_parts, BROKE("operator \"b\": has 0 parts, not 1 to 4")},
  {five_parts, BROKE("operator \"b\": has 5 parts, not 1 to 4")},
  {whole_in_two, BROKE("operator \"b\": is cut exactly if it has several parts")},
  {cut_in_one, BROKE("operator \"b\": is cut exactly if it has several parts")},
  {cut_gemm, BROKE("operator \"d\": can't be cut in this dimension")},
  {no_such_cut, BROKE("operator \"b\": can't be cut in this dimension")},
  {one_image, BROKE("operator \"b\": can't be cut in this dimension")},
  {no_home, BROKE("operator \"a\": home is 5, which is no processor")},
  {worse_home, BROKE("operator \"a\": home is -2, which is no processor")},
  {nowhere, BROKE("operator \"a\": a part is on 5, which is no processor")},
  {below, BROKE("operator \"a\": a part is on -1, which is no processor")},
  {nothing, BROKE("operator \"a\" on cpu: fraction 0 is not > 0")},
  {not_a_number, BROKE("operator \"a\" on cpu: fraction nan is not > 0")},
  {part_of, BROKE("operator \"a\": fractions add up to 0.999, not 1")},
  {too_much, BROKE("operator \"a\": fractions add up to 1.01, not 1")},
  {negative_part, BROKE("operator \"a\" on cpu: fraction -0.2 is not > 0")},
  {no_opp, BROKE("operator \"a\" on cpu: OPP 3 is not in [-1, 2]")},
  {below_opp, BROKE("operator \"a\" on cpu: OPP -2 is not in [-1, 2]")},
  {early_elsewhere, BROKE("operator \"a\": is early, and not whole on a GPU")},
  {early_part, BROKE("operator \"a\": is early, and not whole on a GPU")},
  {good_early, NULL},
  {masked, BROKE("operator \"c\" on gpu: the model file says so")},
  {masked_part, BROKE("operator \"c\" on dsp: the model file says so")},
  {too_large, BROKE("operator \"d\" on npu: its slice is larger than slice_limit_bytes")},
  {too_large_part, BROKE("operator \"d\" on npu: its slice is larger than slice_limit_bytes")},
  {small_part, NULL},
  {chain_again, BROKE("operator \"c\": chain 0 has ended before")},
  {chain_again_later, BROKE("operator \"e\": chain 0 has ended before")},
  {chain_around_one, BROKE("operator \"e\": chain 0 has ended before")},
  {chain_around_none, BROKE("operator \"d\": chain 0 has ended before")},
  {chain_behind_none, NULL},
  {chains_behind_each_other, NULL},
};

/* A result can't be brought into the memory of what the runtime doesn't use. */
START_TEST(homes_have_code)
{
  struct rig r;
  struct hs_error err;
  rig_open(&r, "mace");
  rig_read_network(&r, FIVE);
  struct hs_placement *pl = rig_place_all(&r, CPU);
  home_without_code(pl);
  rig_refused(hs_placement_check(&r.sys, r.graph, pl, "test", &err), &err, HS_POLICY,
              BROKE("operator \"a\" on dsp: home is a processor that the runtime has no code for"));
  rig_close(&r);
  rig_open(&r, "tflite");
  rig_read_network(&r, FIVE);
  pl = rig_place_all(&r, CPU);
  home_without_code(pl);
  hs_test_accepted(hs_placement_check(&r.sys, r.graph, pl, "test", &err), &err);
  rig_close(&r);
}
END_TEST

/* A slice may be just as large as the limit. */
START_TEST(slices_up_to_the_limit)
{
  struct rig r;
  struct hs_error err;
  rig_open(&r, "tflite");
  rig_read_network(&r, FIVE);
  struct hs_placement *pl = rig_place_all(&r, CPU);
  hs_place_whole(&pl->ops[0], NPU);
  double *limit = &r.soc->processors[NPU].slice_limit_bytes;
  *limit = hs_slice_bytes(&r.sys, r.graph, &r.graph->ops[0], NPU);
  hs_test_accepted(hs_placement_check(&r.sys, r.graph, pl, "test", &err), &err);
  *limit -= 1;
  rig_refused(hs_placement_check(&r.sys, r.graph, pl, "test", &err), &err, HS_POLICY,
              BROKE("operator \"a\" on npu: its slice is larger than slice_limit_bytes"));
  rig_close(&r);
}
END_TEST

START_TEST(placements)
{
  struct rig r;
  struct hs_error err;
  rig_open(&r, "tflite");
  rig_read_network(&r, FIVE);
  struct hs_placement *pl = rig_place_all(&r, CPU);
  hs_test_accepted(hs_placement_check(&r.sys, r.graph, pl, "test", &err), &err);
  contract[_i].spoil(pl);
  enum hs_status status = hs_placement_check(&r.sys, r.graph, pl, "test", &err);
  if (contract[_i].message)
    rig_refused(status, &err, HS_POLICY, contract[_i].message);
  else
    hs_test_accepted(status, &err);
  rig_close(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, largest_partitions, 0, 7);
  tcase_add_loop_test(t, partitions_of_a_runtime, 0, 5);
  tcase_add_loop_test(t, decides, 0, (int)(sizeof decisions / sizeof *decisions));
  tcase_add_test(t, parts_share_a_slice);
  tcase_add_test(t, slices_are_packed_up_to_the_limit);
  tcase_add_test(t, parts_of_cut_operators_fill_slices_too);
  tcase_add_test(t, processor_or_code_is_missing);
  tcase_add_test(t, nobody_runs_it);
  tcase_add_test(t, only_the_dsp_runs_it);
  tcase_add_test(t, parameters);
  tcase_add_test(t, homes_have_code);
  tcase_add_test(t, slices_up_to_the_limit);
  tcase_add_loop_test(t, placements, 0, (int)(sizeof contract / sizeof *contract));
}

int main(void) { return hs_test_main("single", fill); }
