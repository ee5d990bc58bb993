/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exactly which tasks a placement becomes: kind, what it serves, processor, payload, and what it waits for. The lists are
 * written down from the table in lower.h; the phone is rig.h's, which has every accelerator and every step. */
#include "tests/model/rig.h"

/* "3 transform image gpu 1440 <- 2": number, kind, tensor (operator for kernels and launches), processor, payload, dependencies. */
static char *program_text(const struct rig *r, const struct hs_program *prog)
{
  struct hs_text x = {0};
  for (int i = 0; i < prog->n_tasks; i++) {
    const struct hs_task *t = &prog->tasks[i];
    bool moves = t->tensor >= 0 && t->kind != HS_TASK_EXEC;
    hs_text_addf(&x, "%d %s %s %s", i, hs_task_kind_names[t->kind], moves ? r->graph->tensors[t->tensor].name : r->graph->ops[t->op].name,
                 r->soc->processors[t->processor].name);
    if (moves) hs_text_addf(&x, " %.12g", t->moved_bytes);
    hs_text_add(&x, " <-");
    for (int k = 0; k < t->n_deps; k++) hs_text_addf(&x, " %d", prog->deps[t->first_dep + k]);
    hs_text_add(&x, "\n");
  }
  return x.s;
}

/* Lowers and compares; the engine must also run it and agree with the estimate. */
static struct hs_program *lowered(const struct rig *r, const struct hs_placement *pl, const char *expected)
{
  struct hs_program *prog = rig_lower(r, pl);
  char *text = program_text(r, prog);
  ck_assert_str_eq(text, expected);
  free(text);
  return prog;
}

static void lowers_to(const struct rig *r, const struct hs_placement *pl, const char *expected) { hs_program_free(lowered(r, pl, expected)); }

static void open_buffers(struct rig *r)
{
  struct hs_error err;
  struct hs_settings s = rig_settings("mace");
  s.memory_type = HS_BUFFER;
  hs_test_accepted(rig_try(r, RIG_PHONE("2e9"), NULL, RIG_MACE, &s, &err), &err);
}

/* image 1x10x12x3 (360 elements) → c 1x10x12x8 (960; 224 weights) → p 1x5x6x8 (240) */
#define TWO RIG_NET(RIG_IN("image", "1, 10, 12, 3"), "'p'",                                                              \
                    RIG_OP("c", "Conv", "'image'", ", 'channels': 8, 'kernel': [3, 3], 'pad': 'same'") ","               \
                    RIG_OP("p", "MaxPool", "'c'", ", 'kernel': [2, 2], 'stride': [2, 2]"))

START_TEST(all_on_the_cpu)
{
  struct rig r;
  rig_open(&r, "mace");
  rig_read_network(&r, TWO);
  lowers_to(&r, rig_place_all(&r, CPU),
            "0 exec c cpu <-\n"
            "1 exec p cpu <- 0\n");
  struct hs_placement *pl = rig_place_all(&r, CPU); /* the clusters share caches and memory: nothing moves between them */
  pl->ops[1].parts[0].processor = LITTLE;
  lowers_to(&r, pl,
            "0 exec c cpu <-\n"
            "1 exec p cpu-little <- 0\n");
  rig_close(&r);
}
END_TEST

/* A conversion is a GPU kernel of its own: it is launched too. */
START_TEST(gpu_from_images)
{
  struct rig r;
  rig_open(&r, "mace");
  rig_read_network(&r, TWO);
  struct hs_program *prog = lowered(&r, rig_place_all(&r, GPU),
                                    "0 map image cpu 1440 <-\n"
                                    "1 sync image cpu 1440 <- 0\n"
                                    "2 launch c cpu <-\n"
                                    "3 transform image gpu 1440 <- 2\n"
                                    "4 launch c cpu <-\n"
                                    "5 exec c gpu <- 4 3\n"
                                    "6 launch p cpu <-\n"
                                    "7 exec p gpu <- 6 5\n"
                                    "8 launch p cpu <-\n"
                                    "9 transform p gpu 960 <- 8 7\n"
                                    "10 sync p cpu 960 <- 9\n"
                                    "11 map p cpu 960 <- 10\n");
  DERIVE("map in", hs_task_seconds(&r.sys, &prog->tasks[0]), 11e-6 + 0.6e-10 * 1440);
  DERIVE("sync in: a delay", prog->tasks[1].delay_s, 53e-6);
  DERIVE("launch", hs_task_seconds(&r.sys, &prog->tasks[2]), 9e-6);
  DERIVE("transform in: on the GPU", hs_task_seconds(&r.sys, &prog->tasks[3]), 31e-6 + 1.7e-10 * 1440);
  DERIVE("transform out", hs_task_seconds(&r.sys, &prog->tasks[9]), 23e-6 + 1.9e-10 * 960);
  DERIVE("sync out", prog->tasks[10].delay_s, 47e-6);
  DERIVE("map out", hs_task_seconds(&r.sys, &prog->tasks[11]), 13e-6 + 0.7e-10 * 960);
  DERIVE("a delay takes no power", hs_task_dynamic_w(&r.sys, &prog->tasks[10]) + hs_task_static_w(&r.sys, &prog->tasks[10]), 0);
  ck_assert_int_eq(prog->n_ops, 2);
  ck_assert_int_eq(prog->n_fallback, 0);
  hs_program_free(prog);
  rig_close(&r);
}
END_TEST

START_TEST(gpu_from_buffers)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, TWO);
  lowers_to(&r, rig_place_all(&r, GPU),
            "0 map image cpu 1440 <-\n"
            "1 sync image cpu 1440 <- 0\n"
            "2 launch c cpu <-\n"
            "3 exec c gpu <- 2\n"
            "4 launch p cpu <-\n"
            "5 exec p gpu <- 4 3\n"
            "6 sync p cpu 960 <- 5\n"
            "7 map p cpu 960 <- 6\n");
  rig_close(&r);
}
END_TEST

/* One slice: invoked once, with the bytes that were given to it; int8 inside. */
START_TEST(dsp_slice)
{
  struct rig r;
  rig_open(&r, "tflite");
  rig_read_network(&r, TWO);
  struct hs_program *prog = lowered(&r, rig_place_all(&r, DSP),
                                    "0 transform image cpu 1440 <-\n"
                                    "1 map image cpu 360 <- 0\n"
                                    "2 rpc image dsp 360 <- 1\n"
                                    "3 exec c dsp <- 2\n"
                                    "4 exec p dsp <- 3\n"
                                    "5 rpc p dsp 240 <- 4\n"
                                    "6 map p cpu 240 <- 5\n"
                                    "7 transform p cpu 240 <- 6\n");
  DERIVE("transform in: by the host", hs_task_seconds(&r.sys, &prog->tasks[0]), 19e-6 + 2.1e-10 * 1440);
  DERIVE("invocation: a delay of the DSP's queue", prog->tasks[2].delay_s, 61e-6 + 0.3e-10 * 360);
  DERIVE("return", prog->tasks[5].delay_s, 59e-6 + 0.2e-10 * 240);
  hs_program_free(prog);
  struct hs_placement *pl = rig_place_all(&r, DSP); /* two slices: two invocations, the tensor stays */
  pl->ops[1].chain = 1;
  static const char two_slices[] = "0 transform image cpu 1440 <-\n"
                                   "1 map image cpu 360 <- 0\n"
                                   "2 rpc image dsp 360 <- 1\n"
                                   "3 exec c dsp <- 2\n"
                                   "4 rpc c dsp 0 <- 3\n"
                                   "5 exec p dsp <- 4\n"
                                   "6 rpc p dsp 240 <- 5\n"
                                   "7 map p cpu 240 <- 6\n"
                                   "8 transform p cpu 240 <- 7\n";
  lowers_to(&r, pl, two_slices);
  pl->ops[0].chain = pl->ops[1].chain = -1; /* each a chain of its own */
  lowers_to(&r, pl, two_slices);
  rig_close(&r);
}
END_TEST

/* This NPU's host waits on both ways. */
START_TEST(npu_slice)
{
  struct rig r;
  rig_open(&r, "tflite");
  rig_read_network(&r, TWO);
  lowers_to(&r, rig_place_all(&r, NPU),
            "0 transform image cpu 1440 <-\n"
            "1 map image cpu 360 <- 0\n"
            "2 sync image cpu 360 <- 1\n"
            "3 rpc image npu 360 <- 2\n"
            "4 exec c npu <- 3\n"
            "5 exec p npu <- 4\n"
            "6 rpc p npu 240 <- 5\n"
            "7 sync p cpu 240 <- 6\n"
            "8 map p cpu 240 <- 7\n"
            "9 transform p cpu 240 <- 8\n");
  rig_close(&r);
}
END_TEST

/* What policies are told that a transfer costs is what the run pays: every accelerator, one tensor there and back. */
START_TEST(transfers_are_what_policies_expect)
{
  static const char *const runtimes[] = {"mace", "tflite"};
  for (int k = 0; k < 2; k++)
    for (int p = GPU; p <= NPU; p++) {
      struct rig r;
      double seconds = 0, joules = 0;
      rig_open(&r, runtimes[k]);
      if (!r.sys.backends[p].available) {
        rig_close(&r);
        continue;
      }
      rig_read_network(&r, TWO);
      struct hs_program *prog = rig_lower(&r, rig_place_all(&r, p));
      for (int i = 0; i < prog->n_tasks; i++) {
        const struct hs_task *t = &prog->tasks[i];
        if (t->kind == HS_TASK_EXEC) continue;
        seconds += hs_task_seconds(&r.sys, t);
        joules += hs_task_seconds(&r.sys, t) * (hs_task_dynamic_w(&r.sys, t) + hs_task_static_w(&r.sys, t));
      }
      double kernels = p == GPU ? 2 * 9e-6 : 0, kernels_j = kernels * (2.39 + 0.037); /* launches that no transfer needs */
      struct hs_transfer there = hs_comm_transfer(&r.sys, p, false, 360), back = hs_comm_transfer(&r.sys, p, true, 240);
      DERIVE("communication of a slice, s", seconds, there.seconds + back.seconds + kernels);
      DERIVE("communication of a slice, J", joules, there.joules + back.joules + kernels_j);
      hs_program_free(prog);
      rig_close(&r);
    }
}
END_TEST

/* i 1x6x7x5 (210 elements) → a → b → c, all of the same shape */
#define THREE RIG_NET(RIG_IN("i", "1, 6, 7, 5"), "'c'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("b", "Tanh", "'a'", "") "," RIG_OP("c", "Relu", "'b'", ""))

START_TEST(fallback_in_the_middle)
{
  struct rig r;
  rig_open(&r, "tflite");
  rig_read_network(&r, THREE);
  struct hs_placement *pl = rig_place_all(&r, DSP);
  hs_place_whole(&pl->ops[1], CPU);
  pl->ops[1].chain = 1;
  pl->ops[1].fallback = true;
  pl->ops[2].chain = 2;
  struct hs_program *prog = lowered(&r, pl,
                                    "0 transform i cpu 840 <-\n"
                                    "1 map i cpu 210 <- 0\n"
                                    "2 rpc i dsp 210 <- 1\n"
                                    "3 exec a dsp <- 2\n"
                                    "4 rpc a dsp 210 <- 3\n"
                                    "5 map a cpu 210 <- 4\n"
                                    "6 transform a cpu 210 <- 5\n"
                                    "7 exec b cpu <- 6\n"
                                    "8 transform b cpu 840 <- 7\n"
                                    "9 map b cpu 210 <- 8\n"
                                    "10 rpc b dsp 210 <- 9\n"
                                    "11 exec c dsp <- 10\n"
                                    "12 rpc c dsp 210 <- 11\n"
                                    "13 map c cpu 210 <- 12\n"
                                    "14 transform c cpu 210 <- 13\n");
  ck_assert_int_eq(prog->n_fallback, 1);
  hs_program_free(prog);
  rig_close(&r);
}
END_TEST

/* Between accelerators through the host, which keeps its copy. fp16 on the GPU: 420 bytes. */
START_TEST(gpu_to_dsp)
{
  struct rig r;
  rig_open(&r, "tflite");
  rig_read_network(&r, THREE);
  struct hs_placement *pl = rig_place_all(&r, DSP);
  hs_place_whole(&pl->ops[0], GPU);
  lowers_to(&r, pl,
            "0 map i cpu 840 <-\n"
            "1 sync i cpu 840 <- 0\n"
            "2 launch a cpu <-\n"
            "3 transform i gpu 840 <- 2\n"
            "4 launch a cpu <-\n"
            "5 exec a gpu <- 4 3\n"
            "6 launch b cpu <-\n"
            "7 transform a gpu 420 <- 6 5\n"
            "8 sync a cpu 420 <- 7\n"
            "9 map a cpu 420 <- 8\n"
            "10 transform a cpu 840 <- 9\n"
            "11 map a cpu 210 <- 10\n"
            "12 rpc a dsp 210 <- 11\n"
            "13 exec b dsp <- 12\n"
            "14 exec c dsp <- 13\n"
            "15 rpc c dsp 210 <- 14\n"
            "16 map c cpu 210 <- 15\n"
            "17 transform c cpu 210 <- 16\n");
  rig_close(&r);
}
END_TEST

/* --- cut operators --- */

/* 20 rows of 6·4 = 24 elements, 96 bytes, in all three tensors */
#define ROWS RIG_NET(RIG_IN("i", "1, 20, 6, 4"), "'b'", RIG_OP("a", "Conv", "'i'", ", 'channels': 4, 'kernel': [3, 3], 'pad': 'same'") ","     \
                     RIG_OP("b", "Conv", "'a'", ", 'channels': 4, 'kernel': [3, 3], 'pad': 'same'"))

/* 12 rows on the GPU, 8 on the CPU; each result is brought together before the next reads it. */
START_TEST(height_without_chain)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, ROWS);
  struct hs_placement *pl = hs_placement_new(&r.arena, 2);
  rig_place_cut(&pl->ops[0], HS_SPLIT_HEIGHT, GPU, 0.6, CPU);
  rig_place_cut(&pl->ops[1], HS_SPLIT_HEIGHT, GPU, 0.6, CPU);
  pl->ops[1].home = CPU;
  struct hs_program *prog = lowered(&r, pl,
                                    "0 map i cpu 1248 <-\n" /* rows 0…13: one of halo */
                                    "1 sync i cpu 1248 <- 0\n"
                                    "2 launch a cpu <-\n"
                                    "3 exec a gpu <- 2\n"
                                    "4 exec a cpu <-\n"
                                    "5 map a cpu 768 <- 4\n" /* home is the GPU: the CPU's 8 rows go there */
                                    "6 sync a cpu 768 <- 5\n"
                                    "7 sync a cpu 864 <- 6 3\n" /* and from there come rows 11…19, which the CPU's part of b reads: it kept none */
                                    "8 map a cpu 864 <- 7\n"
                                    "9 launch b cpu <-\n"
                                    "10 exec b gpu <- 9 3\n"
                                    "11 exec b cpu <- 8\n"
                                    "12 sync b cpu 1152 <- 10\n" /* home is the CPU: the GPU's 12 rows */
                                    "13 map b cpu 1152 <- 12\n");
  struct hs_work w;
  hs_cost_exec(&r.sys, r.graph, &r.graph->ops[0], CPU, (struct hs_range){HS_SPLIT_HEIGHT, 12, 20}, &w);
  DERIVE("the CPU's part: rows 12…20", hs_task_seconds(&r.sys, &prog->tasks[4]), hs_work_seconds(&r.sys, CPU, -1, &w));
  hs_program_free(prog);
  rig_close(&r);
}
END_TEST

/* The same as a chain: each part computes the row of halo itself, and nothing moves in between. */
START_TEST(height_in_a_chain)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, ROWS);
  struct hs_placement *pl = hs_placement_new(&r.arena, 2);
  for (int i = 0; i < 2; i++) {
    rig_place_cut(&pl->ops[i], HS_SPLIT_HEIGHT, GPU, 0.6, CPU);
    pl->ops[i].chain = 0;
    pl->ops[i].home = CPU;
  }
  struct hs_program *prog = lowered(&r, pl,
                                    "0 map i cpu 1344 <-\n" /* rows 0…14: two of halo */
                                    "1 sync i cpu 1344 <- 0\n"
                                    "2 launch a cpu <-\n"
                                    "3 exec a gpu <- 2\n"
                                    "4 exec a cpu <-\n"
                                    "5 launch b cpu <-\n"
                                    "6 exec b gpu <- 5 3\n"
                                    "7 exec b cpu <- 4\n"
                                    "8 sync b cpu 1152 <- 6\n"
                                    "9 map b cpu 1152 <- 8\n");
  struct hs_work w;
  const struct hs_border padded = {1, 2}; /* b's padding: above for the GPU's part, below for the CPU's, left and right for both */
  hs_cost_exec_bordered(&r.sys, r.graph, &r.graph->ops[0], GPU, (struct hs_range){HS_SPLIT_HEIGHT, 0, 13}, padded, &w);
  DERIVE("the GPU's part of a: 13 rows of 6 and the padding", hs_task_seconds(&r.sys, &prog->tasks[3]), hs_work_seconds(&r.sys, GPU, -1, &w));
  hs_cost_exec_bordered(&r.sys, r.graph, &r.graph->ops[0], CPU, (struct hs_range){HS_SPLIT_HEIGHT, 11, 20}, padded, &w);
  DERIVE("the CPU's part of a: 9 rows of 6 and the padding", hs_task_seconds(&r.sys, &prog->tasks[4]), hs_work_seconds(&r.sys, CPU, -1, &w));
  hs_cost_exec(&r.sys, r.graph, &r.graph->ops[1], CPU, (struct hs_range){HS_SPLIT_HEIGHT, 12, 20}, &w);
  DERIVE("the CPU's part of b: 8 rows", hs_task_seconds(&r.sys, &prog->tasks[7]), hs_work_seconds(&r.sys, CPU, -1, &w));
  hs_program_free(prog);
  rig_close(&r);
}
END_TEST

/* 10 channels of 1x6x5 (30 elements): half is 5, rounded up to the GPU's block of 4: 8. Both need all input channels. */
START_TEST(channels)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 5, 8"), "'c'", RIG_OP("c", "Conv", "'i'", ", 'channels': 10, 'kernel': [1, 1]")));
  struct hs_placement *pl = hs_placement_new(&r.arena, 1);
  rig_place_cut(&pl->ops[0], HS_SPLIT_CHANNEL, GPU, 0.5, CPU);
  pl->ops[0].home = CPU;
  struct hs_program *prog = lowered(&r, pl,
                                    "0 map i cpu 960 <-\n"
                                    "1 sync i cpu 960 <- 0\n"
                                    "2 launch c cpu <-\n"
                                    "3 exec c gpu <- 2\n"
                                    "4 exec c cpu <-\n"
                                    "5 sync c cpu 960 <- 3\n" /* 8 channels of 30 */
                                    "6 map c cpu 960 <- 5\n");
  hs_program_free(prog);
  static const struct {
    int first, second;
    double fraction;
    int64_t border;
  } cases[] = {
    {GPU, CPU, 0.5, 8}, {CPU, GPU, 0.5, 5}, /* the last part takes what is left */
    {GPU, CPU, 0.01, 0}, /* rounds to nothing, and nothing stays nothing */
    {GPU, CPU, 0.07, 4}, {GPU, CPU, 0.85, 10}, {CPU, GPU, 0.97, 10}, {CPU, GPU, 0.24, 2}, {CPU, GPU, 0.25, 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hs_range ranges[HS_PARTS_MAX];
    rig_place_cut(&pl->ops[0], HS_SPLIT_CHANNEL, cases[i].first, cases[i].fraction, cases[i].second);
    hs_placement_ranges(&r.sys, r.graph, &r.graph->ops[0], &pl->ops[0], ranges);
    ck_assert_int_eq(ranges[0].begin, 0);
    ck_assert_int_eq(ranges[0].end, cases[i].border);
    ck_assert_int_eq(ranges[1].begin, cases[i].border);
    ck_assert_int_eq(ranges[1].end, 10);
  }
  rig_place_cut(&pl->ops[0], HS_SPLIT_CHANNEL, GPU, 0.01, CPU); /* an empty part makes no task and moves nothing */
  pl->ops[0].home = CPU;
  lowers_to(&r, pl, "0 exec c cpu <-\n");
  rig_close(&r);
}
END_TEST

/* 20 channels, the GPU's in the middle: its 9 from the seventh on are three blocks of 4. */
START_TEST(blocks_begin_where_the_share_does)
{
  struct rig r;
  struct hs_range ranges[HS_PARTS_MAX];
  open_buffers(&r);
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 5, 8"), "'c'", RIG_OP("c", "Conv", "'i'", ", 'channels': 20, 'kernel': [1, 1]")));
  const struct hs_op_placement pl = {HS_SPLIT_CHANNEL, 3, {{CPU, 0.3, -1}, {GPU, 0.45, -1}, {CPU, 0.25, -1}}, .home = CPU, .chain = -1};
  hs_placement_ranges(&r.sys, r.graph, &r.graph->ops[0], &pl, ranges);
  ck_assert_int_eq(ranges[1].begin, 6);
  ck_assert_int_eq(ranges[1].end, 18);
  ck_assert_int_eq(ranges[2].end, 20);
  rig_close(&r);
}
END_TEST

/* The GPU reads all of i for its channels of a. The host didn't fetch i for its own, so it gives nothing up, and reads it again for b. */
START_TEST(what_was_the_hosts_stays)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 5, 8"), "'a', 'b'", RIG_OP("a", "Conv", "'i'", ", 'channels': 8, 'kernel': [1, 1]") ","
                               RIG_OP("b", "Relu", "'i'", "")));
  struct hs_placement *pl = rig_place_all(&r, CPU);
  rig_place_cut(&pl->ops[0], HS_SPLIT_CHANNEL, GPU, 0.5, CPU);
  pl->ops[0].home = GPU;
  lowers_to(&r, pl,
            "0 map i cpu 960 <-\n"
            "1 sync i cpu 960 <- 0\n"
            "2 launch a cpu <-\n"
            "3 exec a gpu <- 2\n"
            "4 exec a cpu <-\n"
            "5 map a cpu 480 <- 4\n"
            "6 sync a cpu 480 <- 5\n"
            "7 exec b cpu <-\n"
            "8 sync a cpu 960 <- 6 3\n"
            "9 map a cpu 960 <- 8\n");
  rig_close(&r);
}
END_TEST

/* Which operators' kernels begin an invocation, in the order of the tasks; what that costs (977 cycles) is in their work and in no other's. */
static void starts_are(struct rig *r, const struct hs_placement *pl, int p, const char *expected)
{
  struct hs_kernel k = *r->sys.backends[p].kernel;
  const struct hs_kernel *before = r->sys.backends[p].kernel;
  struct hs_text begun = {0};
  k.start_cycles = 977;
  r->sys.backends[p].kernel = &k;
  struct hs_program *prog = rig_lower(r, pl);
  for (int i = 0; i < prog->n_tasks; i++) {
    const struct hs_task *t = &prog->tasks[i];
    struct hs_work w;
    if (t->processor != p || t->kind != HS_TASK_EXEC) {
      ck_assert(!t->starts || t->kind == HS_TASK_EXEC);
      continue;
    }
    hs_cost_exec(&r->sys, r->graph, &r->graph->ops[t->op], p, (struct hs_range){HS_SPLIT_NONE, 0, 1}, &w);
    ck_assert_double_eq_tol(t->work.cycles[0] - w.cycles[0], t->starts ? 977 : 0, 1e-9 * w.cycles[0]);
    if (t->starts) hs_text_add(&begun, r->graph->ops[t->op].name);
  }
  ck_assert_str_eq(begun.s ? begun.s : "", expected);
  hs_text_free(&begun);
  hs_program_free(prog);
  r->sys.backends[p].kernel = before;
}

/* b reads a on the CPU: c is in a slice of its own, which is invoked again, though c has what it reads and the number of the first. */
START_TEST(a_slice_that_returned_is_over)
{
  struct rig r;
  int invoked = 0;
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 5, 8"), "'b', 'c'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("b", "Relu", "'a'", "") ","
                               RIG_OP("c", "Tanh", "'a'", "")));
  struct hs_placement *pl = rig_place_all(&r, NPU);
  hs_place_whole(&pl->ops[1], CPU);
  pl->ops[0].chain = pl->ops[2].chain = 0;
  pl->ops[1].chain = 1;
  struct hs_program *prog = rig_lower(&r, pl);
  for (int i = 0; i < prog->n_tasks; i++) invoked += prog->tasks[i].kind == HS_TASK_RPC && prog->tasks[i].to == NPU;
  ck_assert_int_eq(invoked, 2);
  hs_program_free(prog);
  starts_are(&r, pl, NPU, "ac");
  rig_close(&r);
}
END_TEST

#define FOUR RIG_NET(RIG_IN("i", "1, 6, 5, 8"), "'d'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("b", "Tanh", "'a'", "") ","        \
                     RIG_OP("c", "Relu", "'b'", "") "," RIG_OP("d", "Tanh", "'c'", ""))

/* A DSP or NPU is invoked for each slice, a GPU has a start in a program, however often results cross: lower.h has what crossing costs. */
START_TEST(what_an_invocation_costs)
{
  for (int p = GPU; p <= NPU; p++) {
    struct rig r;
    rig_open(&r, "tflite");
    rig_read_network(&r, FOUR);
    starts_are(&r, rig_place_all(&r, p), p, "a");
    struct hs_placement *pl = rig_place_all(&r, p); /* two slices, one behind the other */
    pl->ops[2].chain = pl->ops[3].chain = 1;
    starts_are(&r, pl, p, p == GPU ? "a" : "ac");
    hs_place_whole(&pl->ops[1], CPU); /* and the CPU in between */
    starts_are(&r, pl, p, p == GPU ? "a" : "ac");
    for (int i = 0; i < 4; i++) { /* each operator by itself */
      hs_place_whole(&pl->ops[i], p);
      pl->ops[i].chain = -1;
    }
    starts_are(&r, pl, p, p == GPU ? "a" : "abcd");
    hs_place_whole(&pl->ops[0], CPU); /* not before its first */
    starts_are(&r, pl, p, p == GPU ? "b" : "bcd");
    rig_close(&r);
  }
}
END_TEST

/* Of a request that runs in pieces each is a program of its own. */
START_TEST(each_piece_starts)
{
  for (int p = CPU; p <= NPU; p++) {
    struct rig r;
    struct hs_program *prog;
    struct hs_error err;
    rig_open(&r, "tflite");
    rig_read_network(&r, FOUR);
    struct hs_placement *pl = rig_place_all(&r, p);
    for (int from = 0; from < 4; from += 2) {
      int starts = 0;
      hs_test_accepted(hs_lower_piece(&r.sys, r.graph, pl, from, from + 2, &prog, &err), &err);
      for (int i = 0; i < prog->n_tasks; i++) starts += prog->tasks[i].starts;
      ck_assert_int_eq(starts, 1);
      hs_program_free(prog);
    }
    rig_close(&r);
  }
}
END_TEST

/* Rows 0…5 and 14…19 of a on the GPU, 6…13 on the CPU: the GPU doesn't have those in between. */
START_TEST(the_middle_elsewhere)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, ROWS);
  struct hs_placement *pl = rig_place_all(&r, GPU);
  pl->ops[0] = (struct hs_op_placement){HS_SPLIT_HEIGHT, 3, {{GPU, 0.3, -1}, {CPU, 0.4, -1}, {GPU, 0.3, -1}}, .home = CPU, .chain = -1};
  lowers_to(&r, pl,
            "0 map i cpu 672 <-\n" /* rows 0…6 */
            "1 sync i cpu 672 <- 0\n"
            "2 map i cpu 672 <-\n" /* rows 13…19 */
            "3 sync i cpu 672 <- 2\n"
            "4 launch a cpu <-\n"
            "5 exec a gpu <- 4\n"
            "6 launch a cpu <-\n"
            "7 exec a gpu <- 6\n"
            "8 exec a cpu <-\n"
            "9 sync a cpu 1152 <- 7\n" /* home is the CPU: both ends */
            "10 map a cpu 576 <- 9\n"
            "11 map a cpu 576 <- 9\n"
            "12 map a cpu 768 <- 8\n" /* the middle */
            "13 sync a cpu 768 <- 12\n"
            "14 launch b cpu <-\n"
            "15 exec b gpu <- 14 7\n"
            "16 sync b cpu 1920 <- 15\n"
            "17 map b cpu 1920 <- 16\n");
  rig_close(&r);
}
END_TEST

/* The same with the middle on the DSP and all of it going home to the CPU: three pieces from two places. */
START_TEST(pieces_from_several_places)
{
  struct rig r;
  static const double bytes[] = {2 * 144, 2 * 144, 192}; /* rows 0…5 and 14…19 in fp16, 6…13 in int8 */
  int n = 0;
  rig_open(&r, "tflite");
  rig_read_network(&r, ROWS);
  struct hs_placement *pl = rig_place_all(&r, CPU);
  pl->ops[0] = (struct hs_op_placement){HS_SPLIT_HEIGHT, 3, {{GPU, 0.3, -1}, {DSP, 0.4, -1}, {GPU, 0.3, -1}}, .home = CPU, .chain = -1};
  struct hs_program *prog = rig_lower(&r, pl);
  for (int i = 0; i < prog->n_tasks; i++) {
    const struct hs_task *t = &prog->tasks[i];
    if (t->kind != HS_TASK_MAP || strcmp(r.graph->tensors[t->tensor].name, "a") != 0) continue;
    ck_assert_int_lt(n, 3);
    ck_assert_int_eq(t->from, n < 2 ? GPU : DSP);
    ck_assert_int_eq(t->to, CPU);
    DERIVE("a piece", t->moved_bytes, bytes[n]);
    n++;
  }
  ck_assert_int_eq(n, 3);
  hs_program_free(prog);
  rig_close(&r);
}
END_TEST

/* The GPU reads rows 0…11 of a, then channels 0…3 of it, then all: the channels come whole, with the rows that are
 * there already, and at the end 8 of 20 rows, which is less than 4 of 8 channels. */
START_TEST(two_dimensions_in_turn)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 20, 6, 8"), "'b', 'c', 'd'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("b", "Tanh", "'a'", "") ","
                               RIG_OP("c", "Relu", "'a'", "") "," RIG_OP("d", "Conv", "'a'", ", 'channels': 4, 'kernel': [1, 1]")));
  struct hs_placement *pl = rig_place_all(&r, CPU);
  rig_place_cut(&pl->ops[1], HS_SPLIT_HEIGHT, GPU, 0.6, CPU);
  rig_place_cut(&pl->ops[2], HS_SPLIT_CHANNEL, GPU, 0.5, CPU);
  pl->ops[1].home = pl->ops[2].home = CPU;
  hs_place_whole(&pl->ops[3], GPU);
  lowers_to(&r, pl,
            "0 exec a cpu <-\n"
            "1 map a cpu 2304 <- 0\n" /* 12 rows of 20, 192 bytes each */
            "2 sync a cpu 2304 <- 1\n"
            "3 launch b cpu <-\n"
            "4 exec b gpu <- 3\n"
            "5 exec b cpu <- 0\n"
            "6 sync b cpu 2304 <- 4\n"
            "7 map b cpu 2304 <- 6\n"
            "8 map a cpu 1920 <- 0\n" /* 4 channels of 8, 480 bytes each */
            "9 sync a cpu 1920 <- 8\n"
            "10 launch c cpu <-\n"
            "11 exec c gpu <- 10\n"
            "12 exec c cpu <- 0\n"
            "13 sync c cpu 1920 <- 11\n"
            "14 map c cpu 1920 <- 13\n"
            "15 map a cpu 1536 <- 0\n" /* 8 rows, rather than 4 channels */
            "16 sync a cpu 1536 <- 15\n"
            "17 launch d cpu <-\n"
            "18 exec d gpu <- 17\n"
            "19 sync d cpu 1920 <- 18\n"
            "20 map d cpu 1920 <- 19\n");
  rig_close(&r);
}
END_TEST

/* --- joins --- */

#define JOIN RIG_NET(RIG_IN("i", "1, 6, 7, 5"), "'c'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("b", "Tanh", "'i'", "") "," RIG_OP("c", "Add", "'a', 'b'", ""))

START_TEST(one_sync_for_two_tensors)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, JOIN);
  struct hs_placement *pl = rig_place_all(&r, GPU);
  hs_place_whole(&pl->ops[2], CPU);
  lowers_to(&r, pl,
            "0 map i cpu 840 <-\n"
            "1 sync i cpu 840 <- 0\n"
            "2 launch a cpu <-\n"
            "3 exec a gpu <- 2\n"
            "4 launch b cpu <-\n"
            "5 exec b gpu <- 4\n" /* i came before this launch */
            "6 sync a cpu 1680 <- 5\n"
            "7 map a cpu 840 <- 6\n"
            "8 map b cpu 840 <- 6\n"
            "9 exec c cpu <- 8\n");
  rig_close(&r);
}
END_TEST

/* The queue is in order: who knows that b is done knows it of a. */
START_TEST(a_sync_covers_what_was_before)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 7, 5"), "'d'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("b", "Tanh", "'i'", "") ","
                               RIG_OP("c", "Relu", "'b'", "") "," RIG_OP("d", "Add", "'a', 'c'", "")));
  struct hs_placement *pl = rig_place_all(&r, GPU);
  hs_place_whole(&pl->ops[2], CPU);
  hs_place_whole(&pl->ops[3], CPU);
  lowers_to(&r, pl,
            "0 map i cpu 840 <-\n"
            "1 sync i cpu 840 <- 0\n"
            "2 launch a cpu <-\n"
            "3 exec a gpu <- 2\n"
            "4 launch b cpu <-\n"
            "5 exec b gpu <- 4\n"
            "6 sync b cpu 840 <- 5\n"
            "7 map b cpu 840 <- 6\n"
            "8 exec c cpu <- 7\n"
            "9 map a cpu 840 <- 6\n"
            "10 exec d cpu <- 9\n");
  rig_close(&r);
}
END_TEST

/* b reads i a second time: the GPU still has it. */
START_TEST(a_tensor_moves_once)
{
  struct rig r;
  rig_open(&r, "tflite");
  rig_read_network(&r, JOIN);
  struct hs_placement *pl = rig_place_all(&r, DSP);
  lowers_to(&r, pl,
            "0 transform i cpu 840 <-\n"
            "1 map i cpu 210 <- 0\n"
            "2 rpc i dsp 210 <- 1\n"
            "3 exec a dsp <- 2\n"
            "4 exec b dsp <- 1\n"
            "5 exec c dsp <- 4\n"
            "6 rpc c dsp 210 <- 5\n"
            "7 map c cpu 210 <- 6\n"
            "8 transform c cpu 210 <- 7\n");
  rig_close(&r);
}
END_TEST

START_TEST(two_outputs)
{
  struct rig r;
  rig_open(&r, "mace");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 7, 5"), "'a', 'b'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("b", "Tanh", "'a'", "")));
  lowers_to(&r, rig_place_all(&r, GPU),
            "0 map i cpu 840 <-\n"
            "1 sync i cpu 840 <- 0\n"
            "2 launch a cpu <-\n"
            "3 transform i gpu 840 <- 2\n"
            "4 launch a cpu <-\n"
            "5 exec a gpu <- 4 3\n"
            "6 launch b cpu <-\n"
            "7 exec b gpu <- 6 5\n"
            "8 launch b cpu <-\n"
            "9 transform a gpu 840 <- 8 5\n"
            "10 launch b cpu <-\n"
            "11 transform b gpu 840 <- 10 7\n"
            "12 sync a cpu 1680 <- 11\n"
            "13 map a cpu 840 <- 12\n"
            "14 map b cpu 840 <- 12\n");
  lowers_to(&r, rig_place_all(&r, CPU), "0 exec a cpu <-\n1 exec b cpu <- 0\n");
  rig_close(&r);
}
END_TEST

/* --- memory --- */

static double peak(const struct rig *r, int p)
{
  struct hs_program *prog = rig_lower(r, rig_place_all((struct rig *)r, p));
  double bytes = prog->peak_memory_bytes;
  hs_program_free(prog);
  return bytes;
}

START_TEST(peak_memory)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, TWO);
  DERIVE("CPU: image, c and the weights", peak(&r, CPU), 4. * (360 + 960 + 224));
  DERIVE("GPU: the host's image too", peak(&r, GPU), 4. * (360 + 360 + 960 + 224));
  /* late weights: 1x30x40x8 is large, the Gemm over its mean has 8·5000 + 5000 = 45000 weights; all are there from the start */
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 30, 40, 8"), "'f'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("m", "GlobalAveragePool", "'a'", "") ","
                               RIG_OP("f", "Gemm", "'m'", ", 'channels': 5000")));
  DERIVE("CPU: two large tensors and all weights", peak(&r, CPU), 4. * (9600 + 9600 + 45000));
  /* a residual keeps i alive: i, a and b at once */
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 7, 5"), "'d'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("b", "Tanh", "'a'", "") ","
                               RIG_OP("c", "Relu", "'b'", "") "," RIG_OP("d", "Add", "'c', 'i'", "")));
  DERIVE("CPU: a residual", peak(&r, CPU), 4. * 3 * 210);
  rig_close(&r);
  rig_open(&r, "tflite"); /* fp16 and int8 copies beside the host's fp32 */
  rig_read_network(&r, TWO);
  DERIVE("GPU in fp16", peak(&r, GPU), 4. * 360 + 2. * (360 + 960 + 224));
  DERIVE("DSP in int8", peak(&r, DSP), 4. * 360 + 1. * (360 + 960 + 224));
  rig_close(&r);
}
END_TEST

/* 5000·6000 + 6000 weights of 4 bytes on a phone with 100 MB; in int8 they fit. */
START_TEST(larger_than_memory)
{
  static const char net[] = RIG_NET(RIG_IN("i", "1, 5000"), "'f'", RIG_OP("f", "Gemm", "'i'", ", 'channels': 6000"));
  struct rig r;
  struct hs_error err;
  struct hs_settings s = rig_settings("tflite");
  struct hs_program *prog = (struct hs_program *)&r;
  hs_test_accepted(rig_try(&r, RIG_PHONE("1e8"), NULL, RIG_TFLITE, &s, &err), &err);
  rig_read_network(&r, net);
  rig_refused(hs_lower(&r.sys, r.graph, rig_place_all(&r, CPU), &prog, &err), &err, HS_INPUT,
              "net needs 120 MB of memory (weights and live tensors), x has 100 MB");
  ck_assert_ptr_null(prog);
  DERIVE("int8 on the DSP", peak(&r, DSP), 4. * 5000 + 5000 + 6000 + (5000. * 6000 + 6000));
  rig_close(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, all_on_the_cpu);
  tcase_add_test(t, gpu_from_images);
  tcase_add_test(t, gpu_from_buffers);
  tcase_add_test(t, dsp_slice);
  tcase_add_test(t, npu_slice);
  tcase_add_test(t, transfers_are_what_policies_expect);
  tcase_add_test(t, fallback_in_the_middle);
  tcase_add_test(t, gpu_to_dsp);
  tcase_add_test(t, height_without_chain);
  tcase_add_test(t, height_in_a_chain);
  tcase_add_test(t, channels);
  tcase_add_test(t, blocks_begin_where_the_share_does);
  tcase_add_test(t, what_was_the_hosts_stays);
  tcase_add_test(t, a_slice_that_returned_is_over);
  tcase_add_test(t, what_an_invocation_costs);
  tcase_add_test(t, each_piece_starts);
  tcase_add_test(t, the_middle_elsewhere);
  tcase_add_test(t, pieces_from_several_places);
  tcase_add_test(t, two_dimensions_in_turn);
  tcase_add_test(t, one_sync_for_two_tensors);
  tcase_add_test(t, a_sync_covers_what_was_before);
  tcase_add_test(t, a_tensor_moves_once);
  tcase_add_test(t, two_outputs);
  tcase_add_test(t, peak_memory);
  tcase_add_test(t, larger_than_memory);
}

int main(void) { return hs_test_main("program", fill); }
