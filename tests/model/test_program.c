/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which tasks whole operators on one processor or another become, and what comes and goes between processors. */
#include "tests/model/lowering.h"

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

/* What a later operator of a slice reads comes before the slice is invoked, and what an earlier one made leaves it when all has run: s, on the
 * CPU, waits for b, of which it reads nothing. */
START_TEST(a_slice_takes_and_gives_all_at_once)
{
  struct rig r;
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 4, 4, 4") "," RIG_IN("k", "1, 4, 4, 2"), "'b', 's'", RIG_OP("a", "Relu", "'i'", "") ","
                               RIG_OP("b", "Tanh", "'k'", "") "," RIG_OP("s", "Tanh", "'a'", "")));
  struct hs_placement *pl = rig_place_all(&r, DSP);
  hs_place_whole(&pl->ops[2], CPU);
  pl->ops[2].chain = -1;
  lowers_to(&r, pl,
            "0 transform i cpu 256 <-\n"
            "1 map i cpu 64 <- 0\n"
            "2 transform k cpu 128 <-\n"
            "3 map k cpu 32 <- 2\n"
            "4 rpc i dsp 96 <- 3\n"
            "5 exec a dsp <- 4\n"
            "6 exec b dsp <- 3\n"
            "7 rpc a dsp 64 <- 6\n"
            "8 map a cpu 64 <- 7\n"
            "9 transform a cpu 64 <- 8\n"
            "10 exec s cpu <- 9\n"
            "11 rpc b dsp 32 <- 6\n"
            "12 map b cpu 32 <- 11\n"
            "13 transform b cpu 32 <- 12\n");
  rig_close(&r);
}
END_TEST

/* c reads a, which is on the DSP, d behind it b, which is being computed on the CPU: the call takes b along, and waits for it. */
START_TEST(a_slice_waits_for_what_it_is_given)
{
  struct rig r;
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 4, 4, 4"), "'d'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("b", "Tanh", "'a'", "") ","
                               RIG_OP("c", "Tanh", "'a'", "") "," RIG_OP("d", "Add", "'c', 'b'", "")));
  struct hs_placement *pl = rig_place_all(&r, DSP);
  hs_place_whole(&pl->ops[1], CPU);
  pl->ops[1].chain = -1;
  pl->ops[2].chain = pl->ops[3].chain = 1;
  lowers_to(&r, pl,
            "0 transform i cpu 256 <-\n"
            "1 map i cpu 64 <- 0\n"
            "2 rpc i dsp 64 <- 1\n"
            "3 exec a dsp <- 2\n"
            "4 rpc a dsp 64 <- 3\n"
            "5 map a cpu 64 <- 4\n"
            "6 transform a cpu 64 <- 5\n"
            "7 exec b cpu <- 6\n"
            "8 transform b cpu 256 <- 7\n"
            "9 map b cpu 64 <- 8\n"
            "10 rpc a dsp 64 <- 9 3\n"
            "11 exec c dsp <- 10\n"
            "12 exec d dsp <- 9 11\n"
            "13 rpc d dsp 64 <- 12\n"
            "14 map d cpu 64 <- 13\n"
            "15 transform d cpu 64 <- 14\n");
  rig_close(&r);
}
END_TEST

/* a, which the CPU makes for the DSP, is written there at once, k when b reads it: the call has the bytes of both. */
START_TEST(a_call_takes_all_that_came_before_it)
{
  struct rig r;
  rig_open(&r, "tflite");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 4, 4, 4") "," RIG_IN("k", "1, 4, 4, 4"), "'b'", RIG_OP("a", "Relu", "'i'", "") ","
                               RIG_OP("b", "Add", "'a', 'k'", "")));
  struct hs_placement *pl = rig_place_all(&r, DSP);
  hs_place_whole(&pl->ops[0], CPU);
  pl->ops[0].home = DSP;
  lowers_to(&r, pl,
            "0 exec a cpu <-\n"
            "1 transform a cpu 256 <- 0\n"
            "2 map a cpu 64 <- 1\n"
            "3 transform k cpu 256 <-\n"
            "4 map k cpu 64 <- 3\n"
            "5 rpc a dsp 128 <- 4\n"
            "6 exec b dsp <- 5\n"
            "7 rpc b dsp 64 <- 6\n"
            "8 map b cpu 64 <- 7\n"
            "9 transform b cpu 64 <- 8\n");
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
      r.soc->sharing[HS_CPU][HS_GPU][HS_RPC].fixed_s = r.soc->sharing[HS_GPU][HS_CPU][HS_RPC].fixed_s = 0.5; /* whatever a file says: a GPU isn't called */
      r.soc->sharing[HS_GPU][HS_CPU][HS_LAUNCH].fixed_s = 0.5; /* nor enqueues it for the host */
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

/* What would never end is refused as a program, wherever the number comes from. */
START_TEST(what_never_ends)
{
  static const struct {
    double start_cycles, fixed_s;
    const char *message;
  } cases[] = {{INFINITY, 0, "operator \"a\" on gpu: what its exec takes is no finite number: inf cycles, "},
               {NAN, 0, "operator \"a\" on gpu: what its exec takes is no finite number: nan cycles, "},
               {-1e9, 0, "operator \"a\" on gpu: what its exec takes is no finite number: -"},
               {0, INFINITY, "operator \"b\" on cpu: what its sync takes is no finite number: 0 cycles, 0 B, inf s"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rig r;
    struct hs_error err;
    struct hs_program *prog = NULL;
    rig_open(&r, "tflite");
    rig_read_network(&r, THREE);
    struct hs_kernel k = *r.sys.backends[GPU].kernel;
    k.start_cycles = cases[i].start_cycles;
    r.sys.backends[GPU].kernel = &k;
    r.soc->sharing[HS_GPU][HS_CPU][HS_SYNC].fixed_s += cases[i].fixed_s;
    struct hs_placement *pl = rig_place_all(&r, CPU);
    hs_place_whole(&pl->ops[0], GPU);
    ck_assert_int_eq(hs_lower(&r.sys, r.graph, pl, &prog, &err), HS_ENGINE);
    ck_assert_msg(strstr(err.text, cases[i].message) == err.text, "%s", err.text);
    ck_assert_ptr_null(prog);
    rig_close(&r);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, all_on_the_cpu);
  tcase_add_test(t, gpu_from_images);
  tcase_add_test(t, gpu_from_buffers);
  tcase_add_test(t, dsp_slice);
  tcase_add_test(t, a_slice_takes_and_gives_all_at_once);
  tcase_add_test(t, a_slice_waits_for_what_it_is_given);
  tcase_add_test(t, a_call_takes_all_that_came_before_it);
  tcase_add_test(t, npu_slice);
  tcase_add_test(t, transfers_are_what_policies_expect);
  tcase_add_test(t, fallback_in_the_middle);
  tcase_add_test(t, gpu_to_dsp);
  tcase_add_test(t, what_never_ends);
}

int main(void) { return hs_test_main("program", fill); }
