/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every policy on every SoC with every network, the runtime by turns: it either says clearly why it can't, or its placement
 * is accepted, the run keeps every invariant, and (the keystone) the engine agrees with the estimate to 1e-9 where no two
 * tasks contend. Where kernels of two processors are at the memory at once the engine may only be slower.
 *
 * HETSIM_GRID=full tries each network on every SoC (make validate), else on about a third of them. It takes minutes, so that every other policy
 * is a program of its own (HALF, tests/local.mk). */
#include "tests/unit/child.h"

#include <math.h>
#include <stdio.h>

#include "out/check.h"
#include "plan/estimate.h"
#include "policies/stretch_units.h"
#include "program/setup.h"
#include "serve/serve.h"

#ifndef HALF
#define HALF 0
#endif

enum { INFERENCES = 2 };

static const struct hs_policy *policy(int i) { return hs_policies[2 * i + HALF]; }

struct observed {
  struct hs_metrics metrics;
  struct hs_timeline timeline;
  int n_outcomes;
  struct hs_outcome outcomes[INFERENCES];
};

static void on_task(void *state, const struct hs_event *e, int network)
{
  struct observed *o = state;
  (void)network;
  hs_metrics_task(&o->metrics, e);
  hs_timeline_add(&o->timeline, e);
}

static void on_ended(void *state, const struct hs_outcome *outcome)
{
  struct observed *o = state;
  hs_metrics_ended(&o->metrics, outcome);
  if (o->n_outcomes < INFERENCES) o->outcomes[o->n_outcomes++] = *outcome;
}

/* Are ever two tasks that use the DRAM under way at once, by the estimate? */
static bool contends(const struct hs_program *p, const double *start, const double *end)
{
  double busy_until = 0;
  int last = -1;
  for (int i = 0; i < p->n_tasks; i++) {
    if (p->tasks[i].work.bytes <= 0) continue;
    if (last >= 0 && p->tasks[last].processor != p->tasks[i].processor && start[i] < busy_until * (1 - 1e-12)) return true;
    if (end[i] > busy_until) {
      busy_until = end[i];
      last = i;
    }
  }
  return false;
}

static bool near(double a, double b, double scale) { return fabs(a - b) <= 1e-9 * scale; }

static int broken(const char *what, const struct hs_setup *s)
{
  fprintf(stderr, "%s: %s, %s, %s, %s\n", what, s->soc->name, s->graph->name, s->policy->name, s->sys.runtime->name);
  return 1;
}

/* The events of one program of one request against its estimate; *end_s: when the one before ended, then when this one did. */
static int check_program(const struct hs_setup *s, const struct hs_event *events, int n, double *end_s, double *energy_j, bool *contended)
{
  const struct hs_program *prog = events[0].program;
  struct hs_estimate estimate;
  double *start = malloc((size_t)n * sizeof *start), *end = malloc((size_t)n * sizeof *end), begin_s = *end_s, last_s = 0;
  int status = 0;
  hs_estimate_program(&s->sys, prog, &estimate, start, end);
  bool contending = contends(prog, start, end);
  for (int i = 0; i < n && !status; i++) {
    const struct hs_event *e = &events[i];
    double scale = begin_s + estimate.latency_s;
    bool there = near(e->start_s, begin_s + start[e->task], scale) && near(e->end_s, begin_s + end[e->task], scale);
    last_s = fmax(last_s, e->end_s);
    if (!contending && !there) status = broken("a task is not where the estimate has it", s);
  }
  if (last_s - begin_s < estimate.latency_s * (1 - 1e-9)) status = broken("faster than the estimate", s);
  *end_s = last_s;
  *energy_j += estimate.energy_j;
  *contended |= contending;
  free(start);
  free(end);
  return status;
}

/* In a child: SimGrid allows one platform per process. */
static int run(const struct hs_setup *s)
{
  struct observed o = {.n_outcomes = 0};
  struct hs_error err;
  char message[1400];
  const struct hs_serve_calls calls = {.state = &o, .task = on_task, .ended = on_ended};
  double end_s = 0, energy_j = 0, measured_j = 0;
  bool contended = false;
  hs_metrics_start(&o.metrics, &s->sys);
  if (hs_serve(&s->sys, s->networks, 1, INFERENCES, 0, &calls, NULL, &err)) return broken(hs_error_message(&err, message, sizeof message), s);
  const struct hs_checked_run checked = {&s->sys, 1, s->networks, &o.timeline, o.n_outcomes, o.outcomes, NULL, &o.metrics, NULL, NULL, false};
  if (hs_check_run(&checked, &err)) return broken(hs_error_message(&err, message, sizeof message), s);
  if (o.metrics.n_requests != INFERENCES) return broken("other number of inferences", s);
  for (int i = 0, n; i < o.timeline.n; i += n) {
    const struct hs_event *e = &o.timeline.events[i];
    n = e->program->n_tasks; /* one request at a time, one program after the other */
    for (int k = 0; k < n; k++)
      if (i + k >= o.timeline.n || e[k].program != e->program || e[k].request != e->request) return broken("tasks of two programs are mixed", s);
    if (check_program(s, e, n, &end_s, &energy_j, &contended)) return 1;
  }
  for (int p = 0; p < s->soc->n_processors; p++) measured_j += o.metrics.all.energy_j[p];
  return contended || near(measured_j, energy_j, energy_j) ? 0 : broken("energy is not the estimate's", s);
}

static void run_in_child(const struct hs_setup *s)
{
  pid_t child = hs_test_fork();
  if (child == 0) _exit(run(s));
  ck_assert_msg(hs_test_wait(child) == 0, "child failed: %s, %s, %s, %s", s->soc->name, s->graph->name, s->policy->name,
                s->sys.runtime->name);
}

/* Networks without stages for NN-Stretch: two parts that nothing connects, tokens, which no convolution makes fewer, or maps that a decoder reads,
 * too, from every stage on. */
static bool stageless(const struct hs_graph *g)
{
  struct hs_arena a = {0};
  bool none = hs_stages_find(g, &a)->n == 0;
  hs_arena_free(&a);
  return none;
}

static bool has_accelerator(const struct hs_setup *s)
{
  for (int p = 0; p < s->soc->n_processors; p++)
    if (s->soc->processors[p].kind != HS_CPU && s->sys.backends[p].available) return true;
  return false;
}

/* A refusal must be legitimate: the processor or the runtime's code is missing, or one operator runs nowhere. */
static void check_refusal(const struct hs_setup *s, enum hs_status status, const struct hs_error *err)
{
  ck_assert_msg(status == HS_USAGE || status == HS_INPUT, "%s", err->text);
  if (status == HS_USAGE && s->policy->needs) {
    int p = hs_soc_find(s->soc, s->policy->needs);
    ck_assert_msg(p < 0 || !s->sys.backends[p].available, "%s", err->text);
    return;
  }
  if (strcmp(s->policy->name, "nn-stretch") == 0 && status == HS_USAGE && !has_accelerator(s)) return; /* no two processors that run branches */
  if (strcmp(s->policy->name, "nn-stretch") == 0 && stageless(s->graph)) return;
  bool stranded = false;
  for (int i = 0; i < s->graph->n_ops && !stranded; i++) {
    stranded = true;
    for (int p = 0; p < s->soc->n_processors; p++) stranded &= !hs_system_supports(&s->sys, s->graph, &s->graph->ops[i], p, NULL, 0);
  }
  ck_assert_msg(stranded, "%s", err->text);
}

static int counts[2]; /* ran, refused */

static void one(const char *soc, const char *policy, const char *runtime, const char *model, double gpu_kernel_s, int gpu_window)
{
  static const char *const few[] = {"samples=10"}; /* a thousand random plans of each would be half of this suite's time */
  const struct hs_run_options options = {.soc = soc, .policy = policy, .runtime = runtime, .model = model, .gpu_kernel_s = gpu_kernel_s,
                                         .gpu_window = gpu_window,
                                 .n_params = strcmp(policy, "exhaustive") == 0, .params = few};
  struct hs_setup *s = calloc(1, sizeof *s);
  struct hs_error err = {0};
  enum hs_status status = hs_setup_system(s, &options, &err);
  if (!status) status = hs_setup_networks(s, &options, &err);
  if (!status) status = hs_setup_plan(s, &err);
  counts[status != HS_OK]++;
  if (status)
    check_refusal(s, status, &err);
  else
    run_in_child(s);
  hs_setup_free(s);
  free(s);
}

/* One transformer of each kind is enough, of BERT's the smallest (MobileBERT has 1200 operators): they have hundreds of operators, and
 * policies that search take up to a second for each. BEiT, DINOv2 and SwinV2 are tried as ViT and Swin. */
static const char *const transformers[] = {"vit_b32_224", "deit_tiny_224", "swin_tiny_224", "mit_b2", "cvt_13_384", "mobilevit_xxs",
                                           "efficientformer_l1_300", "swiftformer_xs", "tinybert4_128"};

/* Operators that not every runtime has. */
struct contents {
  int products; /* of two activations: two for each head, or layer, that attends */
  bool gelu, grouped, local_response, boxes;
};

static struct contents contents_of(struct hs_catalog *c, const char *name)
{
  struct hs_graph *g = NULL;
  struct hs_error err;
  struct contents has = {0};
  hs_test_accepted(hs_catalog_workload(c, name, &g, &err), &err);
  for (int i = 0; i < g->n_ops; i++) {
    const enum hs_op_type type = g->ops[i].type;
    has.products += type == HS_OP_MAT_MUL;
    has.gelu |= type == HS_OP_GELU;
    has.grouped |= type == HS_OP_CONV && g->ops[i].at.group > 1;
    has.local_response |= type == HS_OP_LRN;
    has.boxes |= type == HS_OP_DETECTION_POST_PROCESS;
  }
  hs_graph_free(g);
  return has;
}

/* RTMPose attends once, at its end: it is no transformer. */
static bool is_transformer(const struct contents *has) { return has->gelu || has->products > 2; }

/* What a SoC has besides CPU and GPU. */
struct described {
  bool dsp, npu;
};

static struct described describe(struct hs_catalog *c, const char *name)
{
  struct hs_soc *soc = NULL;
  struct hs_error err;
  hs_test_accepted(hs_catalog_soc(c, name, &soc, &err), &err);
  const struct described d = {hs_soc_find(soc, "dsp") >= 0, hs_soc_find(soc, "npu") >= 0};
  hs_soc_free(soc);
  return d;
}

static bool starts(const char *name, const char *prefix) { return strncmp(name, prefix, strlen(prefix)) == 0; }

/* Each network on each SoC under one of the runtimes that have accelerators, in turn, so that neighbours in the list, who are siblings,
 * have others, by every third round of turns where the grid isn't full; and under one with nothing but a CPU now and then, where hardly a
 * policy has a choice. */
static bool is_tried(int soc, int runtime, const char *network, const struct contents *has, int index)
{
  int accelerated = 0, before = 0;
  bool chosen = !is_transformer(has);
  for (size_t i = 0; i < sizeof transformers / sizeof *transformers; i++) chosen |= strcmp(network, transformers[i]) == 0;
  if (!chosen) return false;
  for (int r = 0; r < hs_n_runtimes; r++) {
    accelerated += hs_runtimes[r].backends[HS_GPU].present;
    before += r < runtime && hs_runtimes[r].backends[HS_GPU].present;
  }
  if (!hs_runtimes[runtime].backends[HS_GPU].present) return (soc + index + runtime) % 16 == 0;
  return (soc + index) % accelerated == before && (hs_test_full_grid() || (soc + index) / accelerated % 3 == 0);
}

/* Does a policy that needs this kind of processor run it? TensorFlow Lite, with XNNPACK or NNAPI, too, runs all networks wherever the
 * processor exists; MACE on CPU and GPU those without Gelu and without a Conv that has groups, be it one for each channel; the others all, on what they
 * have code for. What chooses among boxes is TensorFlow Lite's alone, and Bolt has no LRN. */
static bool is_run(const char *needs, const struct described *soc, const struct hs_runtime *runtime, const struct contents *network)
{
  if (strcmp(runtime->name, "bolt") == 0 && network->local_response) return false;
  if (network->boxes && !starts(runtime->name, "tflite")) return false;
  if (strcmp(runtime->name, "mace") == 0 && (network->grouped || network->gelu)) return false;
  if (strcmp(needs, "gpu") == 0) return runtime->backends[HS_GPU].present;
  bool dsp = strcmp(needs, "dsp") == 0, npu = strcmp(needs, "npu") == 0;
  return (!dsp && !npu) || (starts(runtime->name, "tflite") && (dsp ? soc->dsp : soc->npu));
}

START_TEST(every_combination_of_a_policy)
{
  const char *needs = policy(_i)->needs ? policy(_i)->needs : "cpu";
  struct hs_catalog c;
  struct hs_error err;
  int expected = 0;
  ck_assert_int_eq(hs_catalog_open(&c, &err), HS_OK);
  memset(counts, 0, sizeof counts);
  struct contents *networks = calloc((size_t)c.n_names[HS_WORKLOADS], sizeof *networks);
  for (int m = 0; m < c.n_names[HS_WORKLOADS]; m++) networks[m] = contents_of(&c, c.names[HS_WORKLOADS][m]);
  for (int k = 0; k < c.n_names[HS_SOCS]; k++) {
    const char *soc = c.names[HS_SOCS][k];
    const struct described has = describe(&c, soc);
    for (int r = 0; r < hs_n_runtimes; r++)
      for (int m = 0; m < c.n_names[HS_WORKLOADS]; m++) {
        const char *network = c.names[HS_WORKLOADS][m];
        if (!is_tried(k, r, network, &networks[m], m)) continue;
        expected += is_run(needs, &has, &hs_runtimes[r], &networks[m]);
        one(soc, policy(_i)->name, hs_runtimes[r].name, network, 0, 0);
      }
  }
  if (strcmp(policy(_i)->name, "nn-stretch") == 0)
    ck_assert_msg(2 * counts[0] > expected, "%d of %d", counts[0], expected); /* not all have stages, and some runtimes nothing but the CPU */
  else if (strcmp(policy(_i)->name, "adaptive") == 0)
    ck_assert_int_ge(counts[0], expected);
  else
    ck_assert_int_eq(counts[0], expected);
  free(networks);
  hs_catalog_close(&c);
}
END_TEST

/* The same where kernels of the GPU are cut and the host waits for them. */
START_TEST(limited_gpu)
{
  static const char *const socs[] = {"sd855", "kirin990"}, *const models[] = {"vgg16", "squeezenet", "resnet50"};
  memset(counts, 0, sizeof counts);
  for (int k = 0; k < 2; k++)
    for (int m = 0; m < 3; m++) one(socs[k], policy(_i)->name, "mace", models[m], 1e-3, 1 + 7 * m);
  const char *needs = policy(_i)->needs ? policy(_i)->needs : "cpu";
  ck_assert_int_eq(counts[0], strcmp(needs, "dsp") == 0 || strcmp(needs, "npu") == 0 ? 0 : 6);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 600);
  const char *only = getenv("HETSIM_POLICY"); /* one's own while it is written */
  for (int i = 0; i < (hs_n_policies + 1 - HALF) / 2; i++) {
    if (only && strcmp(policy(i)->name, only) != 0) continue;
    tcase_add_loop_test(t, every_combination_of_a_policy, i, i + 1);
    tcase_add_loop_test(t, limited_gpu, i, i + 1);
  }
}

int main(void)
{
  const char *only = getenv("HETSIM_POLICY");
  if (only && !hs_policy_find(only)) {
    fprintf(stderr, "HETSIM_POLICY: there is no policy \"%s\"\n", only);
    return 1;
  }
  return hs_test_main("conformance", fill);
}
