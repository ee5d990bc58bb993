/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small phone with irregular numbers, read from inline JSON, and what model tests do with it: make a system, read a
 * network, lower a placement, run it in a child. All text here has ' for ". */
#ifndef HS_TEST_RIG_H
#define HS_TEST_RIG_H

#include "tests/unit/child.h"

#include <math.h>

#include "base/memory.h"
#include "model/comm.h"
#include "model/cost.h"
#include "out/check.h"
#include "plan/estimate.h"
#include "plan/lower.h"

enum { CPU, LITTLE, GPU, DSP, NPU }; /* processors of the phone, in order */

#define RIG_HEAD(name, capacity, peak)                                                                                   \
  "{'format': 'hetsim-soc/1', 'name': '" name "', 'title': 't', 'sources': {'a': {'kind': 'assumed', 'ref': 'r'}}, "     \
  "'device': {'idle_w': 1.3, 'source': 'a'}, 'memory': {'capacity_bytes': " capacity ", 'type': 'L', "                   \
  "'peak_bytes_per_s': " peak ", 'llc_bytes': 0, 'source': 'a'}, 'processors': ["
#define RIG_OPP(hz, volt, dynamic, fixed) "{'freq_hz': " hz ", 'volt': " volt ", 'dynamic_w': " dynamic ", 'static_w': " fixed "}"
#define RIG_DOMAIN(name, cores, bandwidth, rates, opps)                                                                  \
  "{'name': '" name "', 'cores': " cores ", 'bandwidth_per_core_bytes_per_s': " bandwidth ", 'macs_per_cycle': {" rates  \
  "}, 'opps': [" opps "], 'source': 'a'}"
#define RIG_PROCESSOR(name, kind, discipline, bandwidth, more, domains)                                                  \
  "{'name': '" name "', 'kind': '" kind "', 'discipline': '" discipline "', 'bandwidth_bytes_per_s': " bandwidth ", "    \
  more "'domains': [" domains "], 'source': 'a'}"
#define RIG_STEP(name, fixed, per_byte) "'" name "': {'fixed_s': " fixed ", 's_per_byte': " per_byte "}"
#define RIG_SHARE(from, to, steps) "{'from': '" from "', 'to': '" to "', 'source': 'a', " steps "}"
#define RIG_TAIL RIG_TAIL_OF("'cpu', 'cpu-little', 'gpu', 'dsp', 'npu'")
#define RIG_TAIL_OF(processors)                                                                                          \
  "], 'thermal': {'ambient_c': 25, 'nodes': [{'name': 'n', 'processors': [" processors "], 'capacitance_j_per_k': 1}], " \
  "'links': [{'from': 'n', 'to': 'ambient', 'resistance_k_per_w': 3}], 'trips': [], 'source': 'a'}}"

#define RIG_CPU                                                                                                          \
  RIG_PROCESSOR("cpu", "cpu", "processor-shared", "9e9", "'kernel_power_factor': 0.9, ",                                 \
                RIG_DOMAIN("mid", "3", "2.5e9", "'fp32': 8, 'int8': 32",                                                 \
                           RIG_OPP("0.6e9", "0.65", "0.11", "0.013") "," RIG_OPP("1.2e9", "0.8", "0.34", "0.017") ","    \
                           RIG_OPP("1.6e9", "0.9", "0.57", "0.021")) ","                                                 \
                RIG_DOMAIN("big", "1", "6e9", "'fp32': 16, 'int8': 64",                                                  \
                           RIG_OPP("0.8e9", "0.7", "0.31", "0.023") "," RIG_OPP("1.5e9", "0.85", "0.93", "0.029") ","    \
                           RIG_OPP("2.5e9", "1.05", "2.39", "0.037")))
#define RIG_LITTLE                                                                                                       \
  RIG_PROCESSOR("cpu-little", "cpu", "processor-shared", "4e9", "",                                                      \
                RIG_DOMAIN("little", "4", "1.5e9", "'fp32': 4, 'int8': 16",                                              \
                           RIG_OPP("0.3e9", "0.6", "0.03", "0.004") "," RIG_OPP("1.7e9", "0.9", "0.21", "0.011")))
#define RIG_GPU                                                                                                          \
  RIG_PROCESSOR("gpu", "gpu", "queued", "11e9", "'kernel_power_factor': 1.1, 'memory_types': ['image', 'buffer'], ",     \
                RIG_DOMAIN("gpu", "1", "12e9", "'fp32': 96, 'fp16': 192",                                                \
                           RIG_OPP("0.25e9", "0.6", "0.47", "0.05") "," RIG_OPP("0.585e9", "0.8", "1.9", "0.09")))
#define RIG_DSP                                                                                                          \
  RIG_PROCESSOR("dsp", "dsp", "queued", "7e9", "",                                                                       \
                RIG_DOMAIN("dsp", "1", "7.5e9", "'int8': 256",                                                           \
                           RIG_OPP("0.5e9", "0.6", "0.29", "0.02") "," RIG_OPP("1.1e9", "0.75", "0.83", "0.03")))
#define RIG_NPU                                                                                                          \
  RIG_PROCESSOR("npu", "npu", "queued", "8e9", "'slice_limit_bytes': 150e3, ",                                           \
                RIG_DOMAIN("npu", "1", "8e9", "'fp16': 256, 'int8': 512", RIG_OPP("0.96e9", "0.8", "1.7", "0.07")))
#define RIG_SHARE_GPU                                                                                                    \
  RIG_SHARE("cpu", "gpu",                                                                                                \
            RIG_STEP("transform", "31e-6", "1.7e-10") "," RIG_STEP("map", "11e-6", "0.6e-10") ","                        \
            RIG_STEP("sync", "53e-6", "0") "," RIG_STEP("rpc", "0", "0") "," RIG_STEP("launch", "9e-6", "0")) ","        \
  RIG_SHARE("gpu", "cpu",                                                                                                \
            RIG_STEP("transform", "23e-6", "1.9e-10") "," RIG_STEP("map", "13e-6", "0.7e-10") ","                        \
            RIG_STEP("sync", "47e-6", "0") "," RIG_STEP("rpc", "0", "0") "," RIG_STEP("launch", "0", "0"))
#define RIG_SHARE_DSP                                                                                                    \
  RIG_SHARE("cpu", "dsp",                                                                                                \
            RIG_STEP("transform", "19e-6", "2.1e-10") "," RIG_STEP("map", "7e-6", "0.5e-10") ","                         \
            RIG_STEP("sync", "0", "0") "," RIG_STEP("rpc", "61e-6", "0.3e-10") "," RIG_STEP("launch", "0", "0")) ","     \
  RIG_SHARE("dsp", "cpu",                                                                                                \
            RIG_STEP("transform", "15e-6", "2.3e-10") "," RIG_STEP("map", "8e-6", "0.4e-10") ","                         \
            RIG_STEP("sync", "0", "0") "," RIG_STEP("rpc", "59e-6", "0.2e-10") "," RIG_STEP("launch", "0", "0"))
#define RIG_SHARE_NPU                                                                                                    \
  RIG_SHARE("cpu", "npu",                                                                                                \
            RIG_STEP("transform", "17e-6", "2.7e-10") "," RIG_STEP("map", "5e-6", "0.9e-10") ","                         \
            RIG_STEP("sync", "29e-6", "0") "," RIG_STEP("rpc", "83e-6", "0") "," RIG_STEP("launch", "0", "0")) ","       \
  RIG_SHARE("npu", "cpu",                                                                                                \
            RIG_STEP("transform", "14e-6", "2.9e-10") "," RIG_STEP("map", "6e-6", "0.8e-10") ","                         \
            RIG_STEP("sync", "37e-6", "0") "," RIG_STEP("rpc", "71e-6", "0") "," RIG_STEP("launch", "0", "0"))

#define RIG_PHONE(capacity)                                                                                              \
  RIG_HEAD("x", capacity, "13e9")                                                                                        \
  RIG_CPU "," RIG_LITTLE "," RIG_GPU "," RIG_DSP "," RIG_NPU "], 'sharing_costs': ["                                     \
  RIG_SHARE_GPU "," RIG_SHARE_DSP "," RIG_SHARE_NPU RIG_TAIL

#define RIG_EFFICIENCY                                                                                                   \
  "'efficiency': {'conv_1x1': 0.8, 'conv_3x3': 1.6, 'conv_3x3_strided': 0.3, 'conv_other': 0.7, 'depthwise': 0.25, "     \
  "'grouped': 0.35, 'transposed': 0.45, 'matmul': 0.15, 'pool': 0.22, 'elementwise': 0.12, 'reduce': 0.17, 'move': 0.19}"
/* key: "'kind': 'gpu'" or "'processor': 'gpu'"; more: "" or "'memory_type': …, " */
#define RIG_KERNEL(key, precision, more, overhead, multiple, half, serial, traffic)                                      \
  "{" key ", 'precision': '" precision "', " more "'overhead_cycles': " overhead ", 'channel_multiple': " multiple       \
  ", 'reduction_half': " half ", 'serial_frac': " serial ", 'traffic_factor': " traffic ", "                             \
  RIG_EFFICIENCY ", 'saturation': [[8, 0.2], [12, 0.7], [14, 1.1]], 'source': 'a'}"
#define RIG_PROFILE(soc, runtime, kernels)                                                                               \
  "{'format': 'hetsim-profile/1', 'soc': '" soc "', 'runtime': '" runtime "', 'sources': {'a': {'kind': 'assumed', "     \
  "'ref': 'r'}}, 'kernels': [" kernels "]}"
#define RIG_KERNELS_CPU                                                                                                  \
  RIG_KERNEL("'kind': 'cpu'", "fp32", "", "7000", "4", "24", "0.1", "1.3") ","                                           \
  RIG_KERNEL("'kind': 'cpu'", "int8", "", "5000", "8", "30", "0.15", "1.2")
#define RIG_MACE                                                                                                         \
  RIG_PROFILE("any", "mace",                                                                                             \
              RIG_KERNELS_CPU "," RIG_KERNEL("'kind': 'gpu'", "fp32", "'memory_type': 'image', ", "2000", "4", "6", "0", \
                                             "0.8") ","                                                                  \
              RIG_KERNEL("'kind': 'gpu'", "fp32", "'memory_type': 'buffer', ", "3000", "4", "11", "0", "1.4"))
#define RIG_TFLITE                                                                                                       \
  RIG_PROFILE("any", "tflite",                                                                                           \
              RIG_KERNELS_CPU "," RIG_KERNEL("'kind': 'gpu'", "fp16", "", "2500", "4", "7", "0", "1") ","                \
              RIG_KERNEL("'kind': 'dsp'", "int8", "", "900", "32", "13", "0", "1.1") ","                                 \
              RIG_KERNEL("'kind': 'npu'", "int8", "", "1100", "16", "17", "0", "1") ","                                  \
              RIG_KERNEL("'kind': 'npu'", "fp16", "", "1200", "16", "19", "0", "1"))

#define RIG_NET(inputs, outputs, ops)                                                                                    \
  "{'format': 'hetsim-workload/1', 'name': 'net', 'title': 't', 'source': 's', 'inputs': [" inputs "], 'outputs': ["     \
  outputs "], 'ops': [" ops "]}"
#define RIG_IN(name, shape) "{'name': '" name "', 'shape': [" shape "]}"
#define RIG_OP(name, op, inputs, more) "{'name': '" name "', 'op': '" op "', 'inputs': [" inputs "]" more "}"

struct rig {
  struct hs_soc *soc;
  struct hs_profile *own, *any;
  struct hs_op_support *all, *none; /* every operator; no operator */
  struct hs_graph *graph;
  struct hs_system sys;
  struct hs_arena arena;
};

static inline struct hs_settings rig_settings(const char *runtime)
{
  return (struct hs_settings){.runtime = hs_runtime_find(runtime), .precision = -1, .memory_type = -1};
}

/* A table that lists every operator, or none. */
static inline struct hs_op_support *rig_table(bool all)
{
  struct hs_text x = {0};
  struct hs_op_support *table = NULL;
  struct hs_error err;
  hs_text_addf(&x, "{\"format\": \"hetsim-op-support/1\", \"name\": \"%s\", \"title\": \"t\", \"source\": \"s\", \"ops\": {", all ? "all" : "none");
  for (int i = 0; i < HS_OP_N; i++)
    hs_text_addf(&x, "%s\"%s\": {\"support\": %s}", i ? ", " : "", hs_op_name((enum hs_op_type)i), all ? "true" : "false");
  hs_text_add(&x, "}}");
  hs_test_accepted(hs_op_support_parse("table.json", x.s, x.len, &table, &err), &err);
  hs_text_free(&x);
  return table;
}

static inline const struct hs_op_support *rig_find_table(void *state, const char *name, struct hs_error *err)
{
  const struct rig *r = state;
  if (strcmp(name, "missing") == 0) {
    hs_fail(err, HS_IO, "there is no table \"missing\"");
    return NULL;
  }
  return strcmp(name, "none") == 0 ? r->none : r->all;
}

/* Reads the files, with plain quotes or ', and makes the system; `own` may be NULL. */
static inline enum hs_status rig_try(struct rig *r, const char *soc, const char *own, const char *any, const struct hs_settings *settings,
                                     struct hs_error *err)
{
  char *text[3] = {hs_test_json(soc), hs_test_json(any), own ? hs_test_json(own) : NULL};
  *r = (struct rig){.all = rig_table(true), .none = rig_table(false)};
  hs_test_accepted(hs_soc_parse("soc.json", text[0], strlen(text[0]), &r->soc, err), err);
  hs_test_accepted(hs_profile_parse("any.json", text[1], strlen(text[1]), &r->any, err), err);
  if (own) hs_test_accepted(hs_profile_parse("own.json", text[2], strlen(text[2]), &r->own, err), err);
  for (int i = 0; i < 3; i++) free(text[i]);
  const struct hs_system_files files = {r->own, r->any, rig_find_table, r};
  return hs_system_make(&r->sys, r->soc, settings, &files, err);
}

/* The phone above under a runtime, everything else as it comes. */
static inline void rig_open(struct rig *r, const char *runtime)
{
  struct hs_error err;
  struct hs_settings settings = rig_settings(runtime);
  hs_test_accepted(rig_try(r, RIG_PHONE("2e9"), NULL, strcmp(runtime, "mace") == 0 ? RIG_MACE : RIG_TFLITE, &settings, &err), &err);
}

static inline struct hs_graph *rig_read_graph(const char *text)
{
  struct hs_graph *g = NULL;
  struct hs_error err;
  char *copy = hs_test_json(text);
  hs_test_accepted(hs_graph_parse("net.json", copy, strlen(copy), &g, &err), &err);
  free(copy);
  return g;
}

static inline void rig_read_network(struct rig *r, const char *text)
{
  hs_graph_free(r->graph);
  r->graph = rig_read_graph(text);
}

static inline void rig_close(struct rig *r)
{
  hs_graph_free(r->graph);
  hs_profile_free(r->own);
  hs_profile_free(r->any);
  hs_soc_free(r->soc);
  hs_op_support_free(r->all);
  hs_op_support_free(r->none);
  hs_arena_free(&r->arena);
}

/* Every operator whole on p, one chain. */
static inline struct hs_placement *rig_place_all(struct rig *r, int p)
{
  struct hs_placement *pl = hs_placement_new(&r->arena, r->graph->n_ops);
  for (int i = 0; i < pl->n_ops; i++) {
    hs_place_whole(&pl->ops[i], p);
    pl->ops[i].chain = 0;
  }
  return pl;
}

/* op in two parts: `fraction` on p, the rest on q, brought together on p. */
static inline void rig_place_cut(struct hs_op_placement *op, enum hs_split split, int p, double fraction, int q)
{
  *op = (struct hs_op_placement){split, 2, {{p, fraction, -1}, {q, 1 - fraction, -1}}, .home = -1, .chain = -1};
}

/* Checks and lowers. */
static inline struct hs_program *rig_lower(const struct rig *r, const struct hs_placement *pl)
{
  struct hs_error err;
  struct hs_program *prog = NULL;
  hs_test_accepted(hs_placement_check(&r->sys, r->graph, pl, "test", &err), &err);
  hs_test_accepted(hs_lower(&r->sys, r->graph, pl, &prog, &err), &err);
  return prog;
}

/* --- a derivation that is printed and held --- */

static inline void rig_derive(const char *situation, const char *formula, double is, double expected, double tolerance)
{
  bool holds = fabs(is - expected) <= tolerance * fmax(fabs(expected), 1e-300);
  printf("%-52s %s\n    expected %.15g\n    is       %.15g%s\n", situation, formula, expected, is, holds ? "" : "   <-- DIFFERS");
  fflush(stdout);
  ck_assert_msg(holds, "%s: is %.15g, not %.15g = %s", situation, is, expected, formula);
}
#define DERIVE(situation, is, expected) rig_derive(situation, #expected, is, expected, 1e-12)

/* --- running --- */

enum { RIG_EVENTS = 2000, RIG_REQUESTS = 16 };

struct rig_run {
  enum hs_status status; /* of the engine */
  int inferences, n_requests, n_events, stop_after;
  double latency_s[RIG_REQUESTS], energy_j[HS_PROCESSORS_MAX], busy_s[HS_PROCESSORS_MAX], kind_s[HS_TASK_KIND_N], end_s;
  struct hs_summary summary;
  struct hs_event events[RIG_EVENTS];
  enum hs_status checked;
  char message[1400];
  const struct hs_program *programs[2]; /* the second, if there is one, for odd requests */
  int n_in;                             /* requests handed in: in the child only, as what follows */
  struct hs_metrics metrics;
  struct hs_timeline timeline;
  struct hs_outcome outcomes[RIG_REQUESTS];
};

static volatile sig_atomic_t rig_stop;
static inline void rig_interrupted(int sig) { rig_stop = sig; }

/* One request after the other: it is asked when the one before is done. */
static inline double rig_turn(void *state, struct hs_engine *e, double now_s)
{
  struct rig_run *run = state;
  int request = run->n_in;
  (void)now_s;
  if (request == run->inferences) return -1;
  run->n_in++;
  hs_engine_submit(e, request, run->programs[run->programs[1] ? request % 2 : 0]);
  return INFINITY;
}

static inline void rig_on_task(void *state, const struct hs_event *e)
{
  struct rig_run *run = state;
  hs_metrics_task(&run->metrics, e);
  hs_timeline_add(&run->timeline, e);
  if (run->n_events < RIG_EVENTS) run->events[run->n_events++] = *e;
}

static inline void rig_on_done(void *state, int request, double start_s, double end_s)
{
  struct rig_run *run = state;
  if (request >= RIG_REQUESTS) abort();
  run->latency_s[request] = end_s - start_s;
  run->outcomes[request] = (struct hs_outcome){request, 0, start_s, end_s, false, false};
  hs_metrics_ended(&run->metrics, &run->outcomes[request]);
  if (run->stop_after && request + 1 == run->stop_after) raise(SIGINT);
}

/* The only network of a run without serving: what pl says, one request after the other. */
static inline struct hs_network rig_network(const struct rig *r, struct hs_placement *pl)
{
  return (struct hs_network){.label = "net", .graph = r->graph, .plan = {.graph = r->graph, .n = 1, .alternatives = {pl}}, .deadline_s = INFINITY};
}

/* A program that is hand-made, or was changed since it was lowered. */
static inline void rig_seal(const struct rig *r, const struct hs_placement *pl, struct hs_program *prog)
{
  prog->sys = &r->sys;
  prog->graph = r->graph;
  prog->placement = pl;
  prog->to_op = r->graph->n_ops;
  hs_program_seal(prog);
}

/* Runs in a child, because SimGrid allows one platform per process. The result is shared memory; the caller munmaps it. */
static inline struct rig_run *rig_run_two(const struct rig *r, struct hs_placement *pl, const struct hs_program *prog,
                                          const struct hs_program *odd, int inferences, int stop_after)
{
  struct rig_run *run = hs_test_shared(sizeof *run);
  *run = (struct rig_run){.inferences = inferences, .stop_after = stop_after, .programs = {prog, odd}};
  pid_t child = hs_test_fork();
  if (child == 0) {
    struct hs_error err = {0};
    rig_seal(r, pl, (struct hs_program *)prog);
    if (odd) rig_seal(r, pl, (struct hs_program *)odd);
    const struct hs_engine_calls calls = {.state = run, .turn = rig_turn, .task = rig_on_task, .done = rig_on_done, .stop = &rig_stop};
    signal(SIGINT, rig_interrupted);
    hs_metrics_start(&run->metrics, &r->sys);
    run->status = hs_engine_run(&r->sys, &calls, &err);
    const struct hs_network network = rig_network(r, pl);
    const struct hs_checked_run checked = {&r->sys, 1, &network, &run->timeline, run->metrics.n_requests, run->outcomes, NULL, &run->metrics, NULL, NULL, false};
    if (!run->status) run->checked = hs_check_run(&checked, &err);
    hs_error_message(&err, run->message, sizeof run->message);
    run->n_requests = run->metrics.n_requests;
    run->end_s = run->metrics.end_s;
    memcpy(run->energy_j, run->metrics.all.energy_j, sizeof run->energy_j);
    memcpy(run->busy_s, run->metrics.all.busy_s, sizeof run->busy_s);
    memcpy(run->kind_s, run->metrics.all.kind_s, sizeof run->kind_s);
    hs_metrics_summary(&run->metrics, &run->summary);
    _exit(0);
  }
  ck_assert_int_eq(hs_test_wait(child), 0);
  ck_assert_msg(run->status == HS_OK && run->checked == HS_OK, "%s", run->message);
  return run;
}

static inline struct rig_run *rig_run(const struct rig *r, struct hs_placement *pl, const struct hs_program *prog, int inferences)
{
  return rig_run_two(r, pl, prog, NULL, inferences, 0);
}

static inline void rig_run_free(struct rig_run *run) { munmap(run, sizeof *run); }

/* Is this message what the user sees? */
static inline void rig_refused(enum hs_status is, const struct hs_error *err, enum hs_status status, const char *message)
{
  ck_assert_msg(is != HS_OK, "accepted, not refused with \"%s\"", message);
  ck_assert_str_eq(hs_test_message(err), message);
  ck_assert_int_eq(is, status);
}

/* The same with a part of the message; NULL: accepted. */
static inline void rig_says(enum hs_status is, const struct hs_error *err, enum hs_status status, const char *part)
{
  if (part)
    ck_assert_msg(is == status && strstr(err->text, part), "status %d, %s", is, is ? err->text : "accepted");
  else
    hs_test_accepted(is, err);
}

#endif
