/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an explanation claims: that an operator by itself elsewhere makes the inference so much shorter or longer. Each is held
 * against a plan made so. And of several alternatives, each operator is explained by the one that it ran under. */
#include "tests/model/both.h"
#include "tests/model/fixture.h"

#include <math.h>
#include <unistd.h>

#include "out/explain.h"
#include "plan/lower.h"
#include "program/trial.h"
#include "serve/pieces.h"

static struct hs_trial trial;
static struct hs_explained x;

static void explain(const char *soc, const char *policy, const char *runtime, const char *model)
{
  struct hs_error err;
  const struct hs_run_options options = {.soc = soc, .policy = policy, .runtime = runtime, .model = model};
  hs_test_accepted(hs_trial_run(&trial, &options, 1, 0, &err), &err);
  hs_explain(&x, &trial.setup.sys, &trial.setup.networks[0], &trial.timeline, trial.pieces, trial.n_pieces);
}

static void forget(void)
{
  hs_explain_free(&x);
  hs_trial_free(&trial);
}

/* Latency of everything on the CPU, but operator `op` (-1: none) on p. */
static double latency_with(int op, int p)
{
  struct hs_arena arena = {0};
  struct hs_placement *pl = hs_placement_new(&arena, x.graph->n_ops);
  struct hs_program *program;
  struct hs_estimate e;
  struct hs_error err;
  for (int i = 0; i < pl->n_ops; i++) hs_place_whole(&pl->ops[i], i == op ? p : 0);
  hs_test_accepted(hs_lower(x.sys, x.graph, pl, &program, &err), &err);
  hs_estimate_program(x.sys, program, &e, NULL, NULL);
  hs_program_free(program);
  hs_arena_free(&arena);
  return e.latency_s;
}

/* Everything on the CPU of a phone whose GPU is faster for much of it: every claim holds, and both kinds occur. */
START_TEST(moved_by_itself)
{
  int less = 0, not_less = 0;
  explain("sd855", "cpu", NULL, "yolov2");
  int gpu = hs_soc_find(x.sys->soc, "gpu");
  double now = latency_with(-1, 0);
  for (int i = 0; i < x.graph->n_ops; i++) {
    char claim[100], buf[32];
    const char *why = x.ops[i].why;
    if (strncmp(why, "gpu would be faster", 19) != 0) continue;
    double then = latency_with(i, gpu);
    snprintf(claim, sizeof claim, "moved there by itself the inference would take %s less", hs_si(now - then, "s", buf, sizeof buf));
    if (then < now - 1e-9)
      ck_assert_msg(strstr(why, claim) && strstr(why, "this plan leaves gpu out"), "%s: not \"%s\"", why, claim);
    else
      ck_assert_msg(strstr(why, ", but ") && !strstr(why, " less"), "%s", why);
    less += then < now - 1e-9;
    not_less += then >= now - 1e-9;
  }
  ck_assert_int_gt(less, 3);
  ck_assert_int_gt(not_less, 3);
  forget();
  _exit(0); /* SimGrid gives its semaphores never back, and a leak checker would count that */
}
END_TEST

/* CPU and GPU share what the DSP or NPU would do faster: a cut is held against the faster of the two, and communication is named where the cut loses by it. */
START_TEST(cut_in_two)
{
  int n = 0, lost = 0;
  explain("sd855", "mulayer", NULL, "deit_tiny_224");
  int cpu = hs_soc_find(x.sys->soc, "cpu"), gpu = hs_soc_find(x.sys->soc, "gpu");
  for (int i = 0; i < x.graph->n_ops; i++) {
    const struct hs_op_facts *f = &x.ops[i];
    char alone[80], communication[160], buf[32];
    if (f->placed->n_parts < 2) continue;
    int whole = f->alone_s[cpu] < f->alone_s[gpu] ? cpu : gpu;
    double longest_s = fmax(f->ran_s[cpu], f->ran_s[gpu]), alone_s = f->alone_s[whole];
    bool loses = longest_s < alone_s && longest_s + f->communication_s >= alone_s;
    snprintf(alone, sizeof alone, ", %s alone %s %s", x.sys->soc->processors[whole].name, longest_s + f->communication_s < alone_s ? "takes" : "would take",
             hs_si(alone_s, "s", buf, sizeof buf));
    snprintf(communication, sizeof communication, ", communication %s%s", hs_si(f->communication_s, "s", buf, sizeof buf), alone);
    ck_assert_msg(strstr(f->why, loses ? communication : alone) && !strstr(f->why, "dsp") && !strstr(f->why, "npu"), "%s: not \"%s\"", f->why, alone);
    ck_assert_int_eq(loses, strstr(f->why, ", communication ") != NULL);
    n++;
    lost += loses;
  }
  ck_assert_int_gt(lost, 3);
  ck_assert_int_gt(n, 20);
  forget();
  _exit(0);
}
END_TEST

/* All in one invocation of the NPU: the first operator begins it. A Reshape costs nothing on the GPU, but there an invocation of that would begin, and behind it
 * a second one of the NPU. */
START_TEST(invocations)
{
  char invoking[60], begins[80], buf[32];
  int n = 0;
  explain("sd865", "npu", "tflite-nnapi", "mobilenet_v2_1.0");
  int gpu = hs_soc_find(x.sys->soc, "gpu"), npu = hs_soc_find(x.sys->soc, "npu");
  double start_s = x.sys->backends[npu].kernel->start_cycles / 1e9, more_s = start_s + hs_cost_start_seconds(x.sys, gpu, -1);
  snprintf(begins, sizeof begins, "; begins an invocation, which costs %s by itself", hs_si(start_s, "s", buf, sizeof buf));
  snprintf(invoking, sizeof invoking, ", and invoking %s; in one slice", hs_si(more_s, "s", buf, sizeof buf));
  ck_assert_double_gt(start_s, 1e-3);
  ck_assert_double_eq_tol(x.ops[0].start_s, start_s, 1e-12);
  ck_assert_double_gt(x.ops[0].ran_s[npu], start_s + x.ops[0].alone_s[npu] / 2);
  ck_assert_msg(strstr(x.ops[0].why, begins) != NULL, "%s", x.ops[0].why);
  for (int i = 1; i < x.graph->n_ops; i++) {
    ck_assert(x.ops[i].start_s == 0 && !strstr(x.ops[i].why, "begins"));
    ck_assert_double_lt(x.ops[i].ran_s[npu], 1e-3);
    if (x.graph->ops[i].type != HS_OP_RESHAPE) continue;
    ck_assert_msg(strstr(x.ops[i].why, invoking) != NULL, "%s: not \"%s\"", x.ops[i].why, invoking);
    n++;
  }
  ck_assert_int_eq(n, 1);
  forget();
  _exit(0);
}
END_TEST

/* A CPU's run has a start, too, in its first operator: that and each operator by itself are the latency. 2 967 000 cycles at 1.7856 GHz. */
START_TEST(start_of_a_cpu)
{
  double sum = 0;
  explain("sd855", "cpu-little", "tflite", "squeezenet");
  int little = hs_soc_find(x.sys->soc, "cpu-little");
  for (int i = 0; i < x.graph->n_ops; i++) {
    ck_assert_double_eq_tol(x.ops[i].start_s, (i == 0 ? 2967000 / 1.7856e9 : 0), 1e-12);
    ck_assert_int_eq(i == 0, strstr(x.ops[i].why, "begins an invocation, which costs 1.66 ms by itself") != NULL);
    sum += x.ops[i].alone_s[little] + x.ops[i].start_s;
  }
  ck_assert_double_eq_tol(sum, trial.summary.latency_s, 1e-12);
  forget();
  _exit(0);
}
END_TEST

/* Who falls back: from the CPU where CoDL is to give the GPU nothing, and from the DSP, which this alternative is of, though the NPU, which takes over most,
 * can't run d either. */
#define NET(ops) \
  "{'format': 'hetsim-workload/1', 'name': 'n', 'title': 't', 'source': 's', 'inputs': [{'name': 'x', 'shape': [1,64,64,256]}], " \
  "'outputs': ['f'], 'ops': [" ops "]}"
#define CONV(name, from, more) "{'name': '" name "', 'op': 'Conv', 'inputs': ['" from "'], 'channels': 256, 'kernel': [3,3], 'pad': 'same'" more "}"
#define LIGHT(name, from, more) ", {'name': '" name "', 'op': 'LeakyRelu', 'inputs': ['" from "'], 'support': {'dsp': false" more "}}"
static const struct {
  const char *policy, *param, *net;
  int op;
  const char *why;
} wants[] = {
  {"codl", "gpu_share=0", NET(CONV("a", "x", "") ", " CONV("b", "a", ", 'support': {'cpu': false}") ", " CONV("f", "b", "")), 1,
   "cpu can't run it: the model file says so; "},
  {"task-parallel", NULL, NET(CONV("a", "x", "") ", " CONV("b", "a", "") LIGHT("c", "b", "") LIGHT("d", "c", ", 'npu': false")
                              LIGHT("e", "d", "") LIGHT("f", "e", "")), 3,
   "dsp can't run it: the model file says so; "},
};

START_TEST(who_was_wanted)
{
  char *net = hs_test_json(wants[_i].net), *path = hs_test_file(".json", net, strlen(net));
  struct hs_error err;
  const struct hs_run_options options = {.soc = "sd855", .policy = wants[_i].policy, .model = path, .n_params = wants[_i].param != NULL,
                                         .params = &wants[_i].param};
  hs_test_accepted(hs_trial_run(&trial, &options, 1, 0, &err), &err);
  hs_explain(&x, &trial.setup.sys, &trial.setup.networks[0], &trial.timeline, trial.pieces, trial.n_pieces);
  remove(path);
  free(path);
  free(net);
  ck_assert_msg(strncmp(x.ops[wants[_i].op].why, wants[_i].why, strlen(wants[_i].why)) == 0, "%s", x.ops[wants[_i].op].why);
  forget();
  _exit(0);
}
END_TEST

/* Nothing tells how long an operator would take where it can't run: a whole processor under MACE, some operators on the GPU under PyTorch. */
START_TEST(where_it_cannot_run)
{
  static const char *const runtimes[] = {"mace", "pytorch"};
  int n[2] = {0};
  explain("sd855", "cpu", runtimes[_i], "mobilenet_v1");
  for (int i = 0; i < x.graph->n_ops; i++)
    for (int p = 0; p < x.sys->soc->n_processors; p++) {
      ck_assert_int_eq(isinf(x.ops[i].alone_s[p]) != 0, x.ops[i].why_not[p] != NULL);
      n[x.ops[i].why_not[p] != NULL]++;
    }
  ck_assert(n[0] > 0 && n[1] > 0);
  forget();
  _exit(0);
}
END_TEST

/* MobileNet's classifier is a product of one row, 1001 x 1024 weights that are each used once: memory decides. Its first convolution
 * uses each of 864 weights 12544 times: that doesn't wait. */
START_TEST(roofline)
{
  explain("sd855", "cpu", "tflite", "mobilenet_v1");
  const struct hs_soc *soc = x.sys->soc;
  int cpu = hs_soc_find(soc, "cpu"), first = 0, last = x.graph->n_ops - 1;
  while (strcmp(x.graph->ops[last].name, "logits") != 0) last--;
  double rate = fmin(hs_system_lane_bytes_per_s(x.sys, cpu), soc->memory.peak_bytes_per_s);
  for (int i = 0; i < x.graph->n_ops; i++) {
    ck_assert_double_eq(x.ops[i].alone_s[cpu], hs_cost_seconds(x.sys, x.graph, &x.graph->ops[i], cpu, -1));
    ck_assert_double_eq(x.ops[i].memory_s[cpu], x.ops[i].dram_bytes[cpu] / rate);
    ck_assert_double_le(x.ops[i].memory_s[cpu], x.ops[i].alone_s[cpu]);
  }
  ck_assert_double_ge(x.ops[last].dram_bytes[cpu], 1001 * 1024 * 4);
  ck_assert_double_eq(x.ops[last].memory_s[cpu], x.ops[last].alone_s[cpu]);
  ck_assert_double_lt(x.ops[first].memory_s[cpu], x.ops[first].alone_s[cpu] / 2);
  forget();
  _exit(0);
}
END_TEST

/* The first operators run in pieces on the GPU, the rest on the CPU, as two alternatives say. */
static int schedule(void *state, const struct hs_queue_view *view, struct hs_assignment *out)
{
  const struct hs_waiting *w = view->waiting;
  (void)state;
  if (view->n_waiting == 0) return 0;
  *out = w->next_op < 7 ? (struct hs_assignment){.alternative = 1, .to_op = 7}
                        : (struct hs_assignment){.alternative = 0, .to_op = view->plans[0]->alternatives[0]->n_ops};
  return 1;
}

static void on_task(void *state, const struct hs_event *e, int network)
{
  (void)network;
  hs_timeline_add(state, e);
}

START_TEST(pieces)
{
  static const struct hs_policy policy = {.name = "p", .summary = "", .reference = "", .defaults = {.runtime = "mace", .precision = HS_FP32},
                                          .plan_all = plan_both, .schedule = schedule};
  static struct hs_setup s;
  static struct hs_timeline timeline;
  const struct hs_run_options options = {.soc = "sd855", .policy = "gpu", .model = "mobilenet_v1"};
  const struct hs_serve_calls calls = {.state = &timeline, .task = on_task};
  struct hs_error err;
  double communication = 0;
  int n;
  hs_test_accepted(hs_setup_system(&s, &options, &err), &err);
  hs_test_accepted(hs_setup_networks(&s, &options, &err), &err);
  s.networks[0].policy = &policy;
  hs_test_accepted(hs_setup_plan(&s, &err), &err);
  hs_test_accepted(hs_serve(&s.sys, s.networks, 1, 1, 0, &calls, NULL, &err), &err);
  struct hs_ran_piece *ran = hs_ran(&s.networks[0], &timeline, &n);
  hs_explain(&x, &s.sys, &s.networks[0], &timeline, ran, n);
  ck_assert_int_eq(n, 2);
  for (int i = 0; i < x.graph->n_ops; i++) {
    ck_assert_int_eq(x.ops[i].piece->alternative, i < 7);
    ck_assert_int_eq(x.ops[i].placed->parts[0].processor, hs_soc_find(s.soc, i < 7 ? "gpu" : "cpu"));
    ck_assert_double_gt(x.ops[i].ran_s[x.ops[i].placed->parts[0].processor], 0);
    communication += x.ops[i].communication_s;
  }
  ck_assert_double_gt(x.ops[0].communication_s, 0); /* the input goes to the GPU */
  ck_assert_double_gt(x.ops[6].communication_s, 0); /* and what it made comes back */
  ck_assert_double_eq_tol(communication, x.ops[0].communication_s + x.ops[6].communication_s, 1e-12);
  free(ran);
  hs_timeline_free(&timeline);
  hs_explain_free(&x);
  hs_setup_free(&s);
  _exit(0);
}
END_TEST

/* Two convolutions of 5 308 416 MAC at 2 GHz, 8 MAC/cycle and an efficiency of 0.5 on the CPU, 0.25 on the GPU: 663.552 and 1327.104 µs. One on
 * each: both spread over both take 663.552 · 2/3 = 442.368 µs. A plan that leaves the GPU out can't do better than the CPU, nor can an operator that
 * the GPU has no room for. */
START_TEST(ideal)
{
  struct fixture f;
  const struct hs_settings s = {.runtime = hs_runtime_find("mace"), .precision = -1, .memory_type = -1};
  fixture_make(&f, NULL, fixture_profile(0, 1, 0, 0), &s);
  fixture_graph(&f, "[1,12,12,64]", "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'}, "
                                    "{'name': 'b', 'inputs': ['a'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'}", "'b'");
  struct hs_op_facts facts[2] = {{.alone_s = {663.552e-6, 1327.104e-6}}, {.alone_s = {663.552e-6, 1327.104e-6}}};
  struct hs_explained plan = {.sys = &f.sys, .graph = f.graph, .ops = facts};
  struct hs_placement *pl = fixture_place_all(&f, 0);
  for (int i = 0; i < 2; i++) facts[i].placed = &pl->ops[i];
  ck_assert_near(hs_explain_ideal_s(&plan), 2 * 663.552e-6);
  hs_place_whole(&pl->ops[1], 1);
  ck_assert_near(hs_explain_ideal_s(&plan), 2 * 442.368e-6);
  facts[0].alone_s[1] = INFINITY;
  ck_assert_near(hs_explain_ideal_s(&plan), 663.552e-6 + 442.368e-6);
  fixture_free(&f);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, ideal);
  tcase_add_test(t, moved_by_itself);
  tcase_add_test(t, cut_in_two);
  tcase_add_test(t, invocations);
  tcase_add_test(t, start_of_a_cpu);
  tcase_add_loop_test(t, who_was_wanted, 0, sizeof wants / sizeof *wants);
  tcase_add_loop_test(t, where_it_cannot_run, 0, 2);
  tcase_add_test(t, roofline);
  tcase_add_test(t, pieces);
}

int main(void) { return hs_test_main("explanations", fill); }
