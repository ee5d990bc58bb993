/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much memory a program has in use at once, and that there is enough. */
#include "tests/model/lowering.h"

#include "plan/memplan.h"

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

/* i of 168 elements in two halves, x and y; b makes 504 of x, with 36 weights. */
#define HALVES(outputs) RIG_NET(RIG_IN("i", "1, 6, 7, 4"), outputs, RIG_OP("s", "Split", "'i'", ", 'outputs': ['x', 'y']") ","                            \
                                RIG_OP("b", "Conv", "'x'", ", 'channels': 12, 'kernel': [1, 1]"))

/* What nobody reads is gone with the operator that made it, wherever that runs; an output of the network stays. */
START_TEST(what_nobody_reads)
{
  struct rig r;
  struct hs_memplan plan;
  rig_open(&r, "tflite");
  rig_read_network(&r, HALVES("'b'"));
  struct hs_program *prog = rig_lower(&r, rig_place_all(&r, CPU));
  DERIVE("CPU: x, b and the weights", prog->peak_memory_bytes, 4. * (84 + 504 + 36));
  hs_memplan(prog->buffers, prog->n_buffers, NULL, &plan);
  DERIVE("CPU: x and b in 64s", plan.arena_bytes, 384 + 2048.);
  hs_program_free(prog);
  prog = rig_lower(&r, rig_place_all(&r, NPU));
  DERIVE("NPU in int8: b, there and at the host", prog->peak_memory_bytes, 504 + 4. * 504 + 36);
  hs_program_free(prog);
  rig_read_network(&r, HALVES("'b', 'y'"));
  DERIVE("CPU: y too", peak(&r, CPU), 4. * (84 + 84 + 504 + 36));
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
              "net needs 120 MB of memory (weights and live tensors) under runtime tflite, x has 100 MB");
  ck_assert_ptr_null(prog);
  DERIVE("int8 on the DSP", peak(&r, DSP), 4. * 5000 + 5000 + 6000 + (5000. * 6000 + 6000));
  rig_close(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, peak_memory);
  tcase_add_test(t, what_nobody_reads);
  tcase_add_test(t, larger_than_memory);
}

int main(void) { return hs_test_main("program_memory", fill); }
