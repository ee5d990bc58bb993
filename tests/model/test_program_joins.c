/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which tasks a program with joins and several outputs becomes: who waits for what, once. */
#include "tests/model/lowering.h"

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

/* The work of the first kernel of op in [from, to) that processor p runs; HS_PROCESSORS_MAX: whoever does. */
static struct hs_work kernel(const struct rig *r, const struct hs_placement *pl, int op, int p, int from, int to)
{
  struct hs_program *prog = NULL;
  struct hs_error err;
  hs_test_accepted(hs_lower_piece(&r->sys, r->graph, pl, from, to, &prog, &err), &err);
  int i = 0;
  while (prog->tasks[i].kind != HS_TASK_EXEC || prog->tasks[i].op != op || (p < HS_PROCESSORS_MAX && prog->tasks[i].processor != p))
    ck_assert_int_lt(++i, prog->n_tasks);
  struct hs_work w = prog->tasks[i].work;
  hs_program_free(prog);
  return w;
}

static struct hs_work first_kernel(const struct rig *r, const struct hs_placement *pl, int from, int to)
{
  return kernel(r, pl, from, HS_PROCESSORS_MAX, from, to);
}

/* Where windows pad by themselves a Pad is nothing before one on the same CPU. It is written where the window, or a part of it, is another processor's, or of a
 * later program, whose processor nobody knows. */
START_TEST(padding_for_a_window_elsewhere)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 20, 30, 8"), "'c'", RIG_OP("p", "Pad", "'i'", ", 'pads': [[0, 0], [1, 1], [1, 1], [0, 0]]") ","
                               RIG_OP("c", "Conv", "'p'", ", 'channels': 8, 'kernel': [3, 3]")));
  struct hs_placement *pl = rig_place_all(&r, CPU);
  const struct hs_work written = first_kernel(&r, pl, 0, 2);
  ck_assert_double_gt(written.cycles[1], 0);
  struct hs_runtime runtime = *r.sys.runtime;
  runtime.backends[HS_CPU].pads_inside = HS_PADS_OF_WINDOWS;
  r.sys.runtime = &runtime;
  DERIVE("before a window there", first_kernel(&r, pl, 0, 2).cycles[1], 0);
  DERIVE("as the end of a program", first_kernel(&r, pl, 0, 1).cycles[1], written.cycles[1]);
  rig_place_cut(&pl->ops[1], HS_SPLIT_HEIGHT, CPU, 0.5, GPU);
  DERIVE("before a window that is cut", first_kernel(&r, pl, 0, 2).cycles[1], written.cycles[1]);
  hs_place_whole(&pl->ops[1], GPU);
  DERIVE("before a window elsewhere", first_kernel(&r, pl, 0, 2).cycles[1], written.cycles[1]);
  DERIVE("and its bytes", first_kernel(&r, pl, 0, 2).bytes, written.bytes);
  rig_close(&r);
}
END_TEST

static int launches(const struct hs_program *prog)
{
  int n = 0;
  for (int i = 0; i < prog->n_tasks; i++) n += prog->tasks[i].kind == HS_TASK_LAUNCH;
  return n;
}

/* So its window reads the border where that is written, and only there. */
START_TEST(border_of_a_window)
{
  struct rig r;
  open_buffers(&r);
  r.soc->processors[CPU].local_bytes = 0;
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 20, 30, 8"), "'c'", RIG_OP("p", "Pad", "'i'", ", 'pads': [[0, 0], [1, 1], [1, 1], [0, 0]]") ","
                               RIG_OP("c", "Conv", "'p'", ", 'channels': 8, 'kernel': [3, 3]")));
  struct hs_placement *pl = rig_place_all(&r, CPU);
  const double written = kernel(&r, pl, 1, CPU, 0, 2).bytes, border = r.sys.backends[CPU].kernel->traffic_factor * 4 * 8 * (22 * 32 - 20 * 30);
  struct hs_runtime runtime = *r.sys.runtime;
  runtime.backends[HS_CPU].pads_inside = HS_PADS_OF_WINDOWS;
  r.sys.runtime = &runtime;
  DERIVE("with its Pad", kernel(&r, pl, 1, CPU, 0, 2).bytes, written - border);
  DERIVE("of a program before", kernel(&r, pl, 1, CPU, 1, 2).bytes, written);
  hs_place_whole(&pl->ops[0], GPU);
  DERIVE("elsewhere", kernel(&r, pl, 1, CPU, 0, 2).bytes, written);
  hs_place_whole(&pl->ops[0], CPU);
  rig_place_cut(&pl->ops[1], HS_SPLIT_HEIGHT, CPU, 0.5, GPU);
  const double half = kernel(&r, pl, 1, CPU, 0, 2).bytes;
  int joined;
  ck_assert_int_eq(hs_placement_kernel_of(&r.sys, r.graph, pl, 1, CPU, 0, 2, &joined), HS_KERNEL_OWN); /* whole, as explain has it */
  runtime.backends[HS_CPU].pads_inside = HS_PADS_WRITTEN;
  DERIVE("of a window that is cut", half, kernel(&r, pl, 1, CPU, 0, 2).bytes);
  rig_close(&r);
}
END_TEST

/* On a GPU whose kernels take light operators in, one whose operand the CPU computed has a kernel of its own. The other is launched with that kernel. */
START_TEST(activation_of_what_is_elsewhere)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 20, 30, 8"), "'r'", RIG_OP("c", "Conv", "'i'", ", 'channels': 8, 'kernel': [3, 3]") ","
                               RIG_OP("r", "Tanh", "'c'", "")));
  struct hs_kernel k = *r.sys.backends[GPU].kernel;
  struct hs_placement *pl = rig_place_all(&r, GPU);
  r.sys.backends[GPU].kernel = &k;
  k.fuses_light = false;
  double own = first_kernel(&r, pl, 1, 2).cycles[0];
  k.fuses_light = true;
  hs_place_whole(&pl->ops[0], CPU);
  struct hs_program *prog = rig_lower(&r, pl);
  for (int i = 0; i < prog->n_tasks; i++)
    if (prog->tasks[i].kind == HS_TASK_EXEC && prog->tasks[i].op == 1) DERIVE("behind the CPU's convolution", prog->tasks[i].work.cycles[0], own);
  ck_assert_int_eq(launches(prog), 1);
  hs_program_free(prog);
  hs_place_whole(&pl->ops[0], GPU);
  prog = rig_lower(&r, pl);
  for (int i = 0; i < prog->n_tasks; i++)
    if (prog->tasks[i].kind == HS_TASK_EXEC && prog->tasks[i].op == 1) ck_assert_double_lt(prog->tasks[i].work.cycles[0], own);
  ck_assert_int_eq(launches(prog), 1);
  hs_program_free(prog);
  k.fuses_light = false;
  prog = rig_lower(&r, pl);
  ck_assert_int_eq(launches(prog), 2);
  hs_program_free(prog);
  rig_close(&r);
}
END_TEST

/* Nor is one behind a Reshape that is nothing there, where the CPU computed what that reads; nor is a part of one, where the CPU's reads the same. */
START_TEST(kernels_that_nobody_else_has)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 20, 30, 8"), "'r', 's'", RIG_OP("f", "Reshape", "'i'", ", 'shape': [1, 20, 30, 8]") ","
                               RIG_OP("s", "Sigmoid", "'f'", "") "," RIG_OP("c", "Conv", "'i'", ", 'channels': 8, 'kernel': [3, 3]") ","
                               RIG_OP("r", "Tanh", "'c'", "")));
  struct hs_kernel k = *r.sys.backends[GPU].kernel;
  k.fuses_light = true;
  r.sys.backends[GPU].kernel = &k;
  struct hs_placement *pl = rig_place_all(&r, GPU);
  rig_place_cut(&pl->ops[3], HS_SPLIT_HEIGHT, GPU, 0.5, CPU);
  struct hs_program *prog = rig_lower(&r, pl);
  for (int i = 0; i < prog->n_tasks; i++) {
    const struct hs_task *t = &prog->tasks[i];
    if (t->kind == HS_TASK_EXEC && t->processor == GPU) ck_assert_msg(t->op == 0 || t->work.cycles[0] > k.overhead_cycles, "%d", t->op);
  }
  ck_assert_int_eq(launches(prog), 3);
  hs_program_free(prog);
  rig_close(&r);
}
END_TEST

/* A sum of what the CPU makes of i and the GPU's convolution d of c. It is joined to d where d waits for the CPU, too, as c reads what that makes (of),
 * where the GPU makes both, and where the CPU's is there before the program. Else d would start without it, so the sum has a kernel of its own. */
static const struct {
  const char *of;
  int on, from, n_launches;
} sums[] = {{"'t'", CPU, 0, 2}, {"'i'", CPU, 0, 3}, {"'i'", GPU, 0, 3}, {"'i'", CPU, 1, 2}};

START_TEST(sum_with_what_is_elsewhere)
{
  struct rig r;
  struct hs_program *prog = NULL;
  struct hs_error err;
  char net[600];
  open_buffers(&r);
  snprintf(net, sizeof net, RIG_NET(RIG_IN("i", "1, 20, 30, 8"), "'s'", RIG_OP("t", "Tanh", "'i'", "") ","
           RIG_OP("c", "Conv", "%s", ", 'channels': 8, 'kernel': [1, 1]") "," RIG_OP("d", "Conv", "'c'", ", 'channels': 8, 'kernel': [1, 1]") ","
           RIG_OP("s", "Add", "'t', 'd'", "")), sums[_i].of);
  rig_read_network(&r, net);
  struct hs_kernel k = *r.sys.backends[GPU].kernel;
  k.fuses_light = true;
  r.sys.backends[GPU].kernel = &k;
  struct hs_placement *pl = rig_place_all(&r, GPU);
  hs_place_whole(&pl->ops[0], sums[_i].on);
  hs_test_accepted(hs_lower_piece(&r.sys, r.graph, pl, sums[_i].from, 4, &prog, &err), &err);
  ck_assert_int_eq(launches(prog), sums[_i].n_launches);
  hs_program_free(prog);
  rig_close(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, sum_with_what_is_elsewhere, 0, sizeof sums / sizeof *sums);
  tcase_add_test(t, one_sync_for_two_tensors);
  tcase_add_test(t, a_sync_covers_what_was_before);
  tcase_add_test(t, a_tensor_moves_once);
  tcase_add_test(t, two_outputs);
  tcase_add_test(t, padding_for_a_window_elsewhere);
  tcase_add_test(t, border_of_a_window);
  tcase_add_test(t, activation_of_what_is_elsewhere);
  tcase_add_test(t, kernels_that_nobody_else_has);
}

int main(void) { return hs_test_main("program_joins", fill); }
