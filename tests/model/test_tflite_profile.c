/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite's operator profiles: which node is which operator, and which profiles are refused. */
#include "tests/model/desk.h"

#define RUNS "Operator-wise Profiling Info for Regular Benchmark Runs:\n"
#define TITLE "============================== Run Order ==============================\n"
#define COLUMNS "node type, first, avg_ms, %, cdf%, mem KB, times called, name\n"

/* A profile of squeezenet (26 convolutions, 3 poolings, 8 concatenations, …): node k takes k µs. */
static char *profile(bool xnnpack, int convolutions)
{
  struct hs_text t = {0};
  int n = 0;
  hs_text_add(&t, "Profiling Info for Benchmark Initialization:\n" TITLE COLUMNS "AllocateTensors, 0.03, 0.03, 100%, 100%, 0, 1, AllocateTensors/0\n\n");
  hs_text_addf(&t, "Operator-wise Profiling Info for Regular Benchmark Runs:\n" TITLE "%s",
               xnnpack ? COLUMNS : "node type, start, first, avg_ms, %, cdf%, mem KB, times called, name\n");
  for (int i = 0; i < convolutions; i++, n++)
    if (xnnpack)
      hs_text_addf(&t, "Convolution (NHWC, F32) IGEMM, 0.1, %g, 4%%, 4%%, 0, 1, Delegate/Convolution (NHWC\t F32) IGEMM:%d\n", (n + 1) / 1000.0, n);
    else
      hs_text_addf(&t, "CONV_2D, 0, 0.1, %g, 4%%, 4%%, 0, 1, [conv]:%d\n", (n + 1) / 1000.0, n);
  hs_text_addf(&t, xnnpack ? "Constant Pad (ND, X32), 0.1, 0.5, 1%%, 1%%, 0, 1, p:99\n" : "PADV2, 0, 0.1, 0.5, 1%%, 1%%, 0, 1, p:99\n");
  hs_text_add(&t, "\n============================== Top by Computation Time ==============================\n" COLUMNS "CONV_2D, 0.1, 9, 4%, 4%, 0, 1, x:0\n\n");
  return t.s;
}

/* So many, and one of the operators that these profiles of a few nodes haven't got. */
static void check_notes(const struct desk *d, int n)
{
  ck_assert_int_eq(d->m.n_notes, n + 1);
  ck_assert_msg(strstr(d->m.notes[n], "m.csv: has none of ") != NULL, "%s", d->m.notes[n]);
}

START_TEST(tflite_profile)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", _i == 1 ? "tflite-xnnpack" : "tflite");
  d.m.threads = 2;
  char *text = profile(_i == 1, 26);
  hs_test_accepted(read_text(&d, text, "squeezenet", false, &err), &err);
  ck_assert_int_eq(d.m.n, 26);
  check_notes(&d, 1);
  ck_assert_ptr_nonnull(strstr(d.m.notes[1], "m.csv: has none of squeezenet's MaxPool (3), "));
  for (int i = 0; i < 26; i++) {
    const struct hs_measurement *r = &d.m.rows[i];
    ck_assert_int_eq(r->graph->ops[r->op].type, HS_OP_CONV);
    ck_assert_double_eq_tol(r->latency_s, 1e-6 * (i + 1), 1e-12);
    ck_assert_double_eq_tol(r->rounded_s, 0.5e-6, 1e-15);
    if (i > 0) ck_assert_int_gt(r->op, d.m.rows[i - 1].op);
    ck_assert_int_eq(r->bench->sys.backends[0].threads, 2);
  }
  hs_measurements_keep_out(&d.m, 0.5); /* a network repeats its blocks: all of it, or nothing */
  for (int i = 1; i < 26; i++) ck_assert_int_eq(d.m.rows[i].kept_out, d.m.rows[0].kept_out);
  free(text);
  stand_up(&d);
}
END_TEST

#define WRONG_PRECISION(type) {TITLE COLUMNS type ", 0.1, 2, 4%, 4%, 0, 1, Delegate/x:0\n", \
                               "m.csv:3: " type " doesn't compute in fp32: --precision says how it ran"}
#define RIGHT_PRECISION(type) {TITLE COLUMNS type ", 0.1, 2, 4%, 4%, 0, 1, Delegate/x:0\n", \
                               "m.csv:3: 1 of " type ", and squeezenet has 26 of Conv: is it the profile of this network?"}

static const struct {
  const char *text, *message;
} bad_profiles[] = {
  {"nothing\n", "m.csv:1: has no table \"Run Order\" of runs as benchmark_model --enable_op_profiling=true --profiling_output_csv_file=FILE writes it"},
  {TITLE COLUMNS "CONV_2D, 0.1, 0.1, 4%, 4%, 0, 1, x:0\n", "m.csv:3: 1 of CONV_2D, and squeezenet has 26 of Conv: is it the profile of this network?"},
  {TITLE COLUMNS "CONV_2D, 0.1, 2, 4%, 4%, 0, 1, [x]:4\nCONV_2D, 0.1, 1, 4%, 4%, 0, 1, [y]:0\n",
   "m.csv:4: number 0 (CONV_2D) comes after number 4 (CONV_2D, line 3): the table isn't in the order in which they ran"},
  {TITLE COLUMNS "CONV_2D, 0.1, 2, 4%, 4%, 0, 1, [x]:4\nCONV_2D, 0.1, 1, 4%, 4%, 0, 1, [y]:4\n",
   "m.csv:4: number 4 (CONV_2D) comes after number 4 (CONV_2D, line 3): the table isn't in the order in which they ran"},
  {TITLE COLUMNS "CONV_2D, 0.1, 2, 4%, 4%, 0, 1, [x]:999999\nCONV_2D, 0.1, 1, 4%, 4%, 0, 1, [y]:0\n",
   "m.csv:4: number 0 (CONV_2D) comes after number 999999 (CONV_2D, line 3): the table isn't in the order in which they ran"},
  {TITLE COLUMNS "Softmax (NC, F32), 0.1, 2, 4%, 4%, 0, 1, Delegate/x:2\nSoftmax (NC, F32), 0.1, 2, 4%, 4%, 0, 1, Delegate/x:1\n",
   "m.csv:4: number 1 (Softmax (NC, F32)) comes after number 2 (Softmax (NC, F32), line 3): the table isn't in the order in which they ran"},
  WRONG_PRECISION("Convolution (NHWC, QC8) IGEMM"),
  WRONG_PRECISION("Convolution (NHWC, QS8, QC8W) GEMM"),
  WRONG_PRECISION("Convolution (NHWC, PQS8, QC8W) GEMM"),
  WRONG_PRECISION("Convolution (NHWC, F16) GEMM"),
  WRONG_PRECISION("Convolution (NHWC, PF16) GEMM"),
  RIGHT_PRECISION("Convolution (NHWC, F32, QC8W) GEMM"),
  RIGHT_PRECISION("Convolution (NHWC, QD8, F32, QC8W) GEMM"),
  RIGHT_PRECISION("Convolution (NHWC, QDU8, F32, QB4W) GEMM"),
  RIGHT_PRECISION("Convolution (NHWC, PF32) GEMM"),
  RIGHT_PRECISION("Convolution (NHWC, QD8, F16) GEMM"),
  {TITLE COLUMNS "CONV_2D, 0.1, -2, 4%, 4%, 0, 1, x:0\n", "m.csv:3: avg_ms: -2 is not a latency in [0, 3.6e+06]"},
  {TITLE COLUMNS "CONV_2D, 0.1, 1e9, 4%, 4%, 0, 1, x:0\n", "m.csv:3: avg_ms: 1e9 is not a latency in [0, 3.6e+06]"},
  {TITLE COLUMNS "CONV_2D, 0.1, nan, 4%, 4%, 0, 1, x:0\n", "m.csv:3: avg_ms: \"nan\" is not a number"},
  {TITLE COLUMNS "CONV_2D, 0.1, 50%, 4%, 4%, 0, 1, x:0\n", "m.csv:3: avg_ms: \"50%\" is not a number"},
  {TITLE COLUMNS "CONV_2D, 0.1\n", "m.csv:3: is no line of an operator profile: it has 2 cells, and `times called` is number 7"},
  {TITLE COLUMNS "CONV_2D, 0.1, 2, 4%, 4%, 0, 1, \"x:0\n", "m.csv:3: is no line of an operator profile: a quote is open at its end, or inside a cell"},
  {TITLE COLUMNS "TfLiteGpuDelegateV2, 0.1, 12, 100%, 100%, 0, 1, x:0\n",
   "m.csv:3: TfLiteGpuDelegateV2 hides its operators: measure whole networks instead"},
  {TITLE COLUMNS "CONV_2D, 0.1, 2, 4%, 4%, 0, 0, x:0\n", "m.csv:3: times called: 0: an operator runs once per inference, and a number has a decimal point"},
  {TITLE COLUMNS "CONV_2D, 0,1, 4%, 4%, 0, 0.000, 0.000, 1, x:0\n",
   "m.csv:3: times called: 0.000 is no whole number: do the cells stand below their columns? A number has a decimal point"},
  {TITLE COLUMNS "CONV_2D, 0.1, 2, 4%, 4%, 0, 13, x:0\n",
   "m.csv:3: times called: 13: the profiler joined several operators of one name; write the profile of a network that isn't cut into several delegates"},
  {TITLE COLUMNS "Copy (NC, X8), 0.1, 2, 4%, 4%, 0, 2, x:0\n", /* the rest is listed backwards then */
   "m.csv:3: times called: 2: the profiler joined several operators of one name; write the profile of a network that isn't cut into several delegates"},
  {"Profiling Info for Benchmark Initialization:\n" TITLE COLUMNS "AllocateTensors, 0.03, 0.03, 100%, 100%, 0, 1, AllocateTensors/0\n\n",
   "m.csv:1: has no table \"Run Order\" of runs as benchmark_model --enable_op_profiling=true --profiling_output_csv_file=FILE writes it"},
  {TITLE COLUMNS "CONCATENATION, 0, 0, 4%, 4%, 0, 1, x:0\nSOFTMAX, 0, 0, 0%, 0%, 0, 1, x:1\n",
   "m.csv:3: 1 of CONCATENATION, and squeezenet has 8 of Concat: is it the profile of this network?"},
  {TITLE COLUMNS "SOFTMAX, 0, 0, 0%, 0%, 0, 1, x:1\n",
   "m.csv:3: too few rows: of 1 nodes, from SOFTMAX on, none is an operator of squeezenet that ran on the cpu and took time: measure whole networks instead"},
  {TITLE COLUMNS "SOFTMAX, 0.1, 2, 4%, 4%, 0, 1, x:0\n\nDelegate internal: \n" TITLE COLUMNS "DelegateOpInvoke, 0.1, 2, 4%, 4%, 0, 1, Delegate/x:0\n",
   "m.csv:6: a second table \"Run Order\": of another benchmark, which goes into a file of its own; "
   "or of a subgraph or of what ran within a delegate: then neither "
   "is in the order in which they ran; measure whole networks instead"},
  {RUNS TITLE COLUMNS "SOFTMAX, 0.1, 2, 4%, 4%, 0, 1, x:0\n\n" RUNS TITLE COLUMNS "SOFTMAX, 0.1, 2, 4%, 4%, 0, 1, x:0\n", /* two runs, one behind the other */
   "m.csv:7: a second table \"Run Order\": of another benchmark, which goes into a file of its own; "
   "or of a subgraph or of what ran within a delegate: then neither "
   "is in the order in which they ran; measure whole networks instead"},
  {TITLE "node type;first;avg_ms;%;cdf%;mem KB;times called;name\nSOFTMAX;0,1;2;4%;4%;0;1;x:0\n",
   "m.csv:2: has no columns avg_ms and times called, with commas in between, as benchmark_model --profiling_output_csv_file=FILE writes them"},
};

/* What looks words up is known by its name as well, a second version of an operator, and XNNPACK's depthwise convolution. RegNetX-1.6GF has 18 units. */
static const struct {
  const char *type, *model, *message;
} named[] = {
  {"GATHER", "tinybert4_128", "m.csv:3: 1 of GATHER, and tinybert4_128 has 3 of Gather: is it the profile of this network?"},
  {"SPLIT_V", "regnetx_1.6gf_split", "m.csv:3: 1 of SPLIT_V, and regnetx_1.6gf_split has 18 of Split: is it the profile of this network?"},
  {"Convolution (NHWC, F32) DWConv", "mobilenet_v1",
   "m.csv:3: 1 of Convolution (NHWC, F32) DWConv, and mobilenet_v1 has 13 of DepthwiseConv: is it the profile of this network?"},
  {"Convolution (NHWC, F32)", "mobilenet_v1",
   "m.csv:3: 1 of Convolution (NHWC, F32), and mobilenet_v1 has 28 of Conv or DepthwiseConv: is it the profile of this network?"},
};

START_TEST(tflite_names)
{
  struct desk d;
  struct hs_error err;
  char text[300];
  sit_down(&d, "sd855", "tflite");
  snprintf(text, sizeof text, "%s%s, 0.1, 2, 4%%, 4%%, 0, 1, x:0\n", TITLE COLUMNS, named[_i].type);
  hs_test_refused(read_text(&d, text, named[_i].model, false, &err), &err, named[_i].message);
  stand_up(&d);
}
END_TEST

/* So is the custom operator that chooses among boxes. */
START_TEST(tflite_detections)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  hs_test_accepted(read_text(&d, TITLE COLUMNS "TFLite_Detection_PostProcess, 0.1, 2, 4%, 4%, 0, 1, StatefulPartitionedCall:3\n",
                             "ssd_mobilenet_v1_detections", false, &err), &err);
  ck_assert_int_eq(d.m.n, 1);
  ck_assert_int_eq(d.m.rows[0].graph->ops[d.m.rows[0].op].type, HS_OP_DETECTION_POST_PROCESS);
  stand_up(&d);
}
END_TEST

START_TEST(tflite_refused)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  hs_test_refused(read_text(&d, bad_profiles[_i].text, "squeezenet", false, &err), &err, bad_profiles[_i].message);
  stand_up(&d);
}
END_TEST

/* Nodes that no delegate runs, and XNNPACK's, ran on a CPU, whatever the command line says. */
START_TEST(tflite_elsewhere)
{
  static const char *const types[] = {"SOFTMAX, 0.1, 2, 4%, 4%, 0, 1, [x]:0", "Softmax (NC, F32), 0.1, 2, 4%, 4%, 0, 1, Delegate/Softmax (NC\t F32):0",
                                      "SOFTMAX, 0.1, 2, 4%, 4%, 0, 1, Delegate/SOFTMAX:0"};
  struct desk d;
  struct hs_error err;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite");
  hs_text_add(&t, TITLE COLUMNS);
  hs_text_addf(&t, "%s\n", types[_i]);
  enum hs_status status = hs_measurements_parse_tflite(&d.m, "m.csv", t.s, t.len, "squeezenet", "dsp", false, &err);
  if (_i < 2) {
    ck_assert_int_eq(status, HS_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "none is an operator of squeezenet that ran on the dsp"));
  } else
    hs_test_accepted(status, &err);
  ck_assert_int_eq(d.m.n, _i == 2);
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* Of MobileNet V3 Small's MULs nine scale channels, and nine are the sixth of a hard sigmoid, which is a BatchNormalization here. */
START_TEST(tflite_scales)
{
  static const struct {
    const char *type;
    int nodes, scales;
  } files[] = {{"MUL", 18, 9}, {"Multiply (ND, F32)", 18, 9}, {"MUL", 9, 0}, {"MUL", 17, -1}};
  struct desk d;
  struct hs_error err;
  struct hs_text t = {0};
  int scales = 0;
  sit_down(&d, "sd855", _i == 1 ? "tflite-xnnpack" : "tflite");
  hs_text_add(&t, TITLE COLUMNS);
  for (int i = 0; i < files[_i].nodes; i++) hs_text_addf(&t, "%s, 0.1, %d, 4%%, 4%%, 0, 1, [x]:%d\n", files[_i].type, i + 1, i);
  if (files[_i].scales < 0)
    hs_test_refused(read_text(&d, t.s, "mobilenet_v3_small", false, &err), &err,
                    "m.csv:3: 17 of MUL, and mobilenet_v3_small has 9 of Mul: is it the profile of this network?");
  else {
    hs_test_accepted(read_text(&d, t.s, "mobilenet_v3_small", false, &err), &err);
    ck_assert_int_eq(d.m.n, files[_i].nodes);
    for (int i = 0; i < d.m.n; i++) {
      ck_assert_double_eq_tol(d.m.rows[i].latency_s, 1e-3 * (i + 1), 1e-12);
      if (i > 0) ck_assert_int_gt(d.m.rows[i].op, d.m.rows[i - 1].op);
      scales += d.m.rows[i].graph->ops[d.m.rows[i].op].type == HS_OP_BATCH_NORMALIZATION;
    }
    ck_assert_int_eq(scales, files[_i].scales);
  }
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* Newer names of XNNPACK's are those of many operators: MobileNet V2 has ten sums and no product, MobileNet V3 Small constants besides. */
START_TEST(tflite_one_name)
{
  static const struct {
    const char *type, *first, *model;
    int nodes, rows;
  } files[] = {{"Binary Elementwise (ND)", NULL, "mobilenet_v2_1.0", 10, 10}, {"Binary Elementwise (ND)", NULL, "mobilenet_v2_1.0", 11, 0},
               {"Binary Elementwise (ND)", "ADD", "mobilenet_v2_1.0", 11, 0},
               {"Unary Elementwise (NC)", NULL, "mobilenet_v3_small", 19, 19}, {"Dynamic Fully Connected (NC, F32)", NULL, "vit_b32_224", 24, 24}};
  struct desk d;
  struct hs_error err;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite-xnnpack");
  hs_text_add(&t, TITLE COLUMNS);
  for (int i = 0; i < files[_i].nodes; i++)
    hs_text_addf(&t, "%s, 0.1, %d, 4%%, 4%%, 0, 1, Delegate/x:%d\n", i == 0 && files[_i].first ? files[_i].first : files[_i].type, i + 1, i);
  enum hs_status status = read_text(&d, t.s, files[_i].model, false, &err);
  if (files[_i].rows)
    hs_test_accepted(status, &err);
  else
    ck_assert_ptr_nonnull(strstr(hs_test_message(&err), "none is an operator of mobilenet_v2_1.0 that ran on the cpu"));
  ck_assert_int_eq(d.m.n, files[_i].rows);
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* XNNPACK's first names have no microkernel: a depthwise convolution is named as all others, in the network's order; the 28th is the classifier. */
START_TEST(tflite_no_kernel)
{
  struct desk d;
  struct hs_error err;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite-xnnpack");
  hs_text_add(&t, TITLE COLUMNS);
  for (int i = 0; i < 28; i++) hs_text_addf(&t, "Convolution (NHWC, F32), 0.1, %d, 4%%, 4%%, 0, 1, Delegate/x:%d\n", i + 1, i);
  hs_test_accepted(read_text(&d, t.s, "mobilenet_v1", false, &err), &err);
  ck_assert_int_eq(d.m.n, 28);
  for (int i = 0; i < 28; i++) {
    ck_assert_int_eq(d.m.rows[i].graph->ops[d.m.rows[i].op].type, i % 2 && i < 27 ? HS_OP_DEPTHWISE_CONV : HS_OP_CONV);
    ck_assert_double_eq_tol(d.m.rows[i].latency_s, (i + 1) / 1000.0, 1e-12);
  }
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* A network that multiplies nothing else has no MUL that could be told: its BatchNormalizations are another's, even if there are as many. */
START_TEST(tflite_only_scales)
{
  struct desk d;
  struct hs_error err;
  struct hs_text t = {0};
  const struct hs_graph *g = NULL;
  int n = 0;
  sit_down(&d, "sd855", "tflite");
  hs_test_accepted(hs_measurements_network(&d.m, "m.csv", 1, "regnetx_1.6gf_split", &g, &err), &err);
  for (int i = 0; i < g->n_ops; i++) n += g->ops[i].type == HS_OP_BATCH_NORMALIZATION;
  ck_assert_int_gt(n, 0);
  hs_text_add(&t, TITLE COLUMNS);
  for (int i = 0; i < n; i++) hs_text_addf(&t, "MUL, 0.1, 2, 4%%, 4%%, 0, 1, [x]:%d\n", i);
  ck_assert_int_eq(read_text(&d, t.s, "regnetx_1.6gf_split", false, &err), HS_INPUT);
  ck_assert_ptr_nonnull(strstr(err.text, "none is an operator of regnetx_1.6gf_split that ran on the cpu"));
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* A converter makes more or fewer of these than the network has. */
START_TEST(tflite_converters)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  hs_test_accepted(read_text(&d, TITLE COLUMNS "RESHAPE, 0.1, 2, 4%, 4%, 0, 1, [x]:0\nRESHAPE, 0.1, 2, 4%, 4%, 0, 1, [x]:1\n"
                                               "SOFTMAX, 0.1, 3, 4%, 4%, 0, 1, [x]:2\n",
                             "mobilenet_v3_small", false, &err), &err);
  ck_assert_int_eq(d.m.n, 1);
  ck_assert_double_eq_tol(d.m.rows[0].latency_s, 3e-3, 1e-12);
  check_notes(&d, 1);
  const char *where = strrchr(d.m.notes[0], '/');
  ck_assert_str_eq(where ? where + 1 : d.m.notes[0], "m.csv:3: 2 of RESHAPE left out: mobilenet_v3_small has 1");
  stand_up(&d);
  sit_down(&d, "sd855", "tflite"); /* as many are these */
  hs_test_accepted(read_text(&d, TITLE COLUMNS "RESHAPE, 0.1, 2, 4%, 4%, 0, 1, [x]:0\nSOFTMAX, 0.1, 3, 4%, 4%, 0, 1, [x]:1\n",
                             "mobilenet_v3_small", false, &err), &err);
  ck_assert_int_eq(d.m.n, 2);
  check_notes(&d, 0);
  stand_up(&d);
  sit_down(&d, "sd855", "tflite"); /* which has three slices */
  hs_test_accepted(read_text(&d, TITLE COLUMNS "SLICE, 0.1, 2, 4%, 4%, 0, 1, [x]:0\nMEAN, 0.1, 3, 4%, 4%, 0, 1, [x]:1\n", "bagnet17", false, &err), &err);
  ck_assert_int_eq(d.m.n, 1);
  check_notes(&d, 1);
  stand_up(&d);
  sit_down(&d, "sd855", "tflite"); /* and one pad */
  hs_test_accepted(read_text(&d, TITLE COLUMNS "PADV2, 0.1, 2, 4%, 4%, 0, 1, [x]:0\nPAD, 0.1, 2, 4%, 4%, 0, 1, [x]:1\nCONV_2D, 0.1, 3, 4%, 4%, 0, 1, [x]:2\n",
                             "beit_base_224", false, &err), &err);
  ck_assert_int_eq(d.m.n, 1);
  check_notes(&d, 1);
  stand_up(&d);
  sit_down(&d, "sd855", "tflite");
  hs_test_accepted(read_text(&d, TITLE COLUMNS "TRANSPOSE, 0.1, 2, 4%, 4%, 0, 1, [x]:0\nCONV_2D, 0.1, 3, 4%, 4%, 0, 1, [x]:1\n",
                             "beit_base_224", false, &err), &err);
  ck_assert_int_eq(d.m.n, 1);
  check_notes(&d, 1);
  stand_up(&d);
}
END_TEST

/* Before 2.9 a node's name, a list of its tensors, has commas. */
START_TEST(tflite_many_tensors)
{
  struct desk d;
  struct hs_error err;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite");
  hs_text_add(&t, TITLE "node type, start, first, avg_ms, %, cdf%, mem KB, times called, name\nSPLIT, 0, 0.1, 2, 4%, 4%, 0, 1, [a");
  for (int i = 0; i < 60; i++) hs_text_addf(&t, ", split:%d", i);
  hs_text_add(&t, "]:0\nSOFTMAX, 0, 0.1, 2, 4%, 4%, 0, 1, [x]:1\n");
  hs_test_accepted(read_text(&d, t.s, "squeezenet", false, &err), &err);
  ck_assert_int_eq(d.m.n, 1);
  check_notes(&d, 1); /* squeezenet has no split */
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* XNNPACK's own node holds the time of all that stand below. */
START_TEST(tflite_delegate)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite-xnnpack");
  hs_test_accepted(read_text(&d, TITLE COLUMNS "TfLiteXNNPackDelegate, 2.1, 2, 100%, 100%, 0, 1, [Identity]:70\nSoftmax (NC, F32), 0.1, 2, 100%, 200%, 0, 1, "
                             "Delegate/Softmax (NC\t F32):0\n", "squeezenet", false, &err), &err);
  ck_assert_int_eq(d.m.n, 1);
  check_notes(&d, 1);
  ck_assert_ptr_nonnull(strstr(d.m.notes[0], "m.csv:3: 1 of TfLiteXNNPackDelegate left out: all that a delegate ran"));
  stand_up(&d);
}
END_TEST

/* A delegate's second partition counts from 0 again, which may be of a node that is no operator, or not. */
START_TEST(tflite_partitions)
{
  struct desk d;
  struct hs_error err;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite-xnnpack");
  hs_text_add(&t, TITLE COLUMNS);
  for (int i = 0; i < 27; i++)
    hs_text_addf(&t, "%s, 0.1, 2, 4%%, 4%%, 0, 1, Delegate/x:%d\n", i == 13 + _i ? "Copy (NC, X32)" : "Convolution (NHWC, F32) IGEMM",
                 i % 13 + (i == 26 ? 13 : 0));
  hs_test_accepted(read_text(&d, t.s, "squeezenet", false, &err), &err);
  ck_assert_int_eq(d.m.n, 26);
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* With a delegate the tensors are allocated twice before the runs. */
START_TEST(tflite_initialisation)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite-xnnpack");
  hs_test_accepted(read_text(&d, "Profiling Info for Benchmark Initialization:\n"
                             TITLE COLUMNS "ModifyGraphWithDelegate, 5, 5, 60%, 60%, 0, 1, ModifyGraphWithDelegate/0\n"
                             "AllocateTensors, 3, 2, 40%, 100%, 0, 2, AllocateTensors/0\n\n"
                             RUNS TITLE COLUMNS "Softmax (NC, F32), 0.1, 2, 4%, 4%, 0, 1, x:0\n", "squeezenet", false, &err), &err);
  ck_assert_int_eq(d.m.n, 1);
  ck_assert_double_eq_tol(d.m.rows[0].latency_s, 2e-3, 1e-12);
  stand_up(&d);
}
END_TEST

/* Whose kernels ran is seen from the nodes' names: both runtimes are TensorFlow Lite. */
START_TEST(tflite_other_kernels)
{
  static const struct {
    const char *runtime, *node, *says;
  } cases[] = {
    {"tflite", "SOFTMAX", NULL},
    {"tflite", "Softmax (NC, F32)",
     "m.csv:3: Softmax (NC, F32) is a kernel of XNNPACK's, which are those of tflite-xnnpack, not of tflite (which has those of benchmark_model "
                                    "--use_xnnpack=false)"},
    {"tflite-nnapi", "Softmax (NC, F32)", "not of tflite-nnapi"},
    {"tflite-xnnpack", "Softmax (NC, F32)", NULL},
    {"tflite-xnnpack", "SOFTMAX",
     "m.csv:3: SOFTMAX, as all others here, is no kernel of XNNPACK's, which tflite-xnnpack has (and benchmark_model --use_xnnpack=true)"},
  };
  struct desk d;
  struct hs_error err;
  char text[400];
  sit_down(&d, "sd855", cases[_i].runtime);
  snprintf(text, sizeof text, "%s%s, 0.1, 2, 4%%, 4%%, 0, 1, x:0\n", TITLE COLUMNS, cases[_i].node);
  hs_test_accepted(read_text(&d, text, "squeezenet", false, &err), &err);
  ck_assert_int_eq(d.m.n, 1);
  check_notes(&d, cases[_i].says != NULL);
  if (cases[_i].says) ck_assert_msg(strstr(d.m.notes[0], cases[_i].says) != NULL, "%s", d.m.notes[0]);
  stand_up(&d);
}
END_TEST

START_TEST(tflite_of_another_runtime)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "pytorch");
  hs_test_refused(read_text(&d, TITLE COLUMNS "SOFTMAX, 0.1, 2, 4%, 4%, 0, 1, x:0\n", "squeezenet", false, &err), &err,
                  "m.csv: after MODEL:PROCESSOR= it is read as an operator profile of TensorFlow Lite, which says nothing of pytorch");
  stand_up(&d);
}
END_TEST

START_TEST(tflite_as_csv)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  ck_assert_int_eq(read_text(&d, TITLE COLUMNS "CONV_2D, 0.1, 2, 4%, 4%, 0, 1, x:0\n", NULL, false, &err), HS_INPUT);
  ck_assert_ptr_nonnull(strstr(err.text, "write MODEL:PROCESSOR="));
  stand_up(&d);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, tflite_profile, 0, 2);
  tcase_add_loop_test(t, tflite_names, 0, (int)(sizeof named / sizeof *named));
  tcase_add_test(t, tflite_detections);
  tcase_add_loop_test(t, tflite_refused, 0, sizeof bad_profiles / sizeof *bad_profiles);
  tcase_add_loop_test(t, tflite_elsewhere, 0, 3);
  tcase_add_loop_test(t, tflite_scales, 0, 4);
  tcase_add_test(t, tflite_no_kernel);
  tcase_add_loop_test(t, tflite_one_name, 0, 5);
  tcase_add_test(t, tflite_only_scales);
  tcase_add_test(t, tflite_converters);
  tcase_add_test(t, tflite_many_tensors);
  tcase_add_test(t, tflite_initialisation);
  tcase_add_test(t, tflite_delegate);
  tcase_add_loop_test(t, tflite_partitions, 0, 2);
  tcase_add_loop_test(t, tflite_other_kernels, 0, 5);
  tcase_add_test(t, tflite_of_another_runtime);
  tcase_add_test(t, tflite_as_csv);
}

int main(void) { return hs_test_main("tflite_profile", fill); }
