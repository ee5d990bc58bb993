/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of measurements: what they may say, which of them are kept out, which are copies of each other, and which are refused, with file and line. What a fit
 * refuses is in test_fit_refused.c. */
#include "tests/model/desk.h"

#include "base/files.h"
#include "calibrate/measured.h"

/* What is kept out depends on the row, or its network, alone. */
START_TEST(holdout_by_hash)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  struct hs_text t = {0};
  hs_text_add(&t, "network,processor,op,h,cin,cout,latency_s\n");
  for (int i = 0; i < 90; i++) hs_text_addf(&t, "net%d,gpu,Conv,%d,16,16,%d\n", i / 3, 7 + i, 1 + i);
  add_rows(&d, t.s, false);
  hs_measurements_keep_out(&d.m, 0.5);
  int n = 0;
  for (int i = 0; i < 90; i++) {
    ck_assert_int_eq(d.m.rows[i].kept_out, d.m.rows[i / 3 * 3].kept_out);
    n += d.m.rows[i].kept_out;
  }
  ck_assert_int_gt(n, 20);
  ck_assert_int_lt(n, 70);
  bool once[90];
  for (int i = 0; i < 90; i++) once[i] = d.m.rows[i].kept_out;
  add_rows(&d, "processor,op,h,cin,latency_s\ngpu,Relu,7,16,1\n", false);
  hs_measurements_keep_out(&d.m, 0.5);
  for (int i = 0; i < 90; i++) ck_assert_int_eq(once[i], d.m.rows[i].kept_out);
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* A network that was fitted on one core says nothing new on three, whatever its rows are called. */
START_TEST(holdout_of_networks)
{
  static const char *const names[] = {"mobilenet_v1", "squeezenet", "resnet18", "resnet34", "vgg11", "googlenet", "alexnet_b", "darknet_tiny"};
  enum { NETWORKS = sizeof names / sizeof *names };
  struct desk d;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite");
  hs_text_add(&t, "network,model,processor,cores,latency_s\n");
  for (int i = 0; i < 4 * NETWORKS; i++)
    hs_text_addf(&t, "run%d,%s,cpu,%s,%d\n", i, names[i / 4], i % 4 < 3 ? (i % 4 == 0 ? "mid:1" : i % 4 == 1 ? "mid:2" : "mid:3") : "big:1", 1 + i);
  add_rows(&d, t.s, false);
  hs_measurements_keep_out(&d.m, 0.5);
  int n = 0;
  for (int i = 0; i < 4 * NETWORKS; i++) {
    ck_assert_int_eq(d.m.rows[i].kept_out, d.m.rows[i / 4 * 4].kept_out);
    n += d.m.rows[i].kept_out;
  }
  ck_assert_int_gt(n, 0);
  ck_assert_int_lt(n, 4 * NETWORKS);
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* Nor does an operator by itself, on other cores or measured again. */
START_TEST(holdout_of_operators)
{
  static const char *const cores[] = {"mid:1", "mid:2", "mid:3", "big:1"};
  enum { OPERATORS = 20 };
  struct desk d;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite");
  hs_text_add(&t, "processor,op,h,cin,cores,latency_s\n");
  for (int i = 0; i < OPERATORS; i++)
    for (int k = 0; k < 4; k++) hs_text_addf(&t, "cpu,Relu,%d,16,%s,%d\ncpu,Relu,%d,16,%s,%d\n", 7 + i, cores[k], 1 + k, 7 + i, cores[k], 5 + k);
  add_rows(&d, t.s, false);
  hs_measurements_keep_out(&d.m, 0.5);
  int n = 0;
  for (int i = 0; i < 8 * OPERATORS; i++) {
    ck_assert_int_eq(d.m.rows[i].kept_out, d.m.rows[i / 8 * 8].kept_out);
    n += d.m.rows[i].kept_out;
  }
  ck_assert_int_gt(n, 0);
  ck_assert_int_lt(n, 8 * OPERATORS);
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

#define HEAD "processor,op,h,cin,cout,kernel,latency_s\n"
static const struct {
  const char *text, *message;
} refusals[] = {
  {"", "m.csv:1:1: is empty: a line with the names of the columns is missing"},
  {HEAD, "m.csv:1: too few rows: there is none"},
  {HEAD "gpu,Conv,7,16,16,1\n", "m.csv:2:1: 6 cells, where the header names 7 columns"},
  {HEAD "gpu,Conv,7,16,16,1,0,5\n",
   "m.csv:2:1: 8 cells, where the header names 7 columns; a number has a decimal point, and a cell with a comma stands in quotes"},
  {"processor;op;latency_s\ngpu;Relu;1\n", "m.csv:1:1: \"processor;op;latency_s\": commas separate columns, not semicolons"},
  {"processor;precision;memory_type;op;input;latency_s\n", "m.csv:1:1: \"processor;precision;memory_type;op;input...\": commas separate columns, not semicolons"},
  {"processor\top\tlatency_s\ngpu\tRelu\t1\n", "m.csv:1:1: \"processor?op?latency_s\": commas separate columns, not tabs"},
  {HEAD "gpu,\"Conv,7,16,16,1,1\n", "m.csv:2:5: a quote that isn't closed, or is inside a cell: the whole cell goes into quotes, and a quote in it is doubled"},
  {"processor,op,h,cin,cout,latency\n", "m.csv:1: unknown column \"latency\"; did you mean latency_s?"},
  {"Operator-wise Profiling Info for Regular Benchmark Runs:\n", "m.csv:1: is an operator profile of benchmark_model, which is given as MODEL:PROCESSOR=m.csv"},
  {"Profiling Info for Benchmark Initialization:\n", "m.csv:1: is an operator profile of benchmark_model, which is given as MODEL:PROCESSOR=m.csv"},
  {"processor,op,h,h,cin,latency_s\n", "m.csv:1:16: column \"h\" is there twice"},
  {"processor,op,h,cin\n gpu,Relu,1,1\n", "m.csv:1: no latency: one of latency_s, latency_ms and latency_us is needed"},
  {"processor,op,h,cin,latency_s,latency_ms\ngpu,Relu,1,1,1,1\n", "m.csv:1: mixed units: one of latency_s, latency_ms and latency_us is needed"},
  {"op,h,cin,latency_s\nRelu,1,1,1\n", "m.csv:1: column processor is missing"},
  {HEAD "gpu,Conv,7,16,16,1,3.5ms\n", "m.csv:2: latency_s: \"3.5ms\": mixed units, or not a number: the column's name says the unit of all rows"},
  {HEAD "gpu,Conv,7,16,16,1,\"3,5\"\n", "m.csv:2: latency_s: \"3,5\": a number has a decimal point"},
  {HEAD "gpu,Conv,7,16,16,1,\"3,5ms\"\n", "m.csv:2: latency_s: \"3,5ms\": mixed units, or not a number: the column's name says the unit of all rows"},
  {HEAD "gpu,Conv,7,16,16,1,-0.5\n", "m.csv:2: latency_s: -0.5 is not a latency in (0, 3600]"},
  {HEAD "gpu,Conv,7,16,16,1,0\n", "m.csv:2: latency_s: 0 is not a latency in (0, 3600]"},
  {HEAD "gpu,Conv,7,16,16,1,0x10\n", "m.csv:2: latency_s: \"0x10\" is not a number"},
  {HEAD "gpu,Conv,7,16,16,1,\n", "m.csv:2: latency_s: \"\" is not a number"},
  {HEAD "# remark\ngpu,Conv,7,16,16,1,nan\n", "m.csv:3: latency_s: \"nan\" is not a number"},
  {HEAD "gpu,Convv,7,16,16,1,1\n", "m.csv:2: op: there is no operator \"Convv\"; did you mean Conv?"},
  {HEAD "gpu,Transpose,7,16,,,1\n", "m.csv:2: op: a row can't describe Transpose: measure it in a network (the operator profile of one)"},
  {HEAD "gpuu,Conv,7,16,16,1,1\n", "m.csv:2: processor: sd855 has no \"gpuu\" (it has cpu, cpu-little, gpu, dsp, npu)"},
  {HEAD "gpu,Conv,7,16,,1,1\n", "m.csv:2: cout: is missing, and Conv needs it"},
  {HEAD "gpu,Relu,7,16,16,,1\n", "m.csv:2: cout: doesn't go with Relu"},
  {HEAD "gpu,Conv,7,,16,1,1\n", "m.csv:2: cin: is missing"},
  {"processor,precision,op,h,cin,latency_s\ndsp,int8,Gelu,7,16,1\n",
   "m.csv:2: op: under tflite the dsp doesn't run it: Gelu is not on the list of tflite-hexagon: refused by the delegate"},
  {HEAD "gpu,Conv,7,16,16,00000000000000000003junk,1\n",
   "m.csv:2: kernel: \"00000000000000000003junk\" is not a whole number in [1, 100000], nor two with an x between them"},
  {HEAD "gpu,Conv,7.5,16,16,1,1\n", "m.csv:2: h: \"7.5\" is not a whole number in [1, 100000]"},
  {HEAD "gpu,,7,16,16,1,1\n", "m.csv:2: a row is of an operator (op) or of a whole network (model): neither is given"},
  {HEAD "gpu,Conv,7,16,16,1,1\ngpu,Conv,7,16,16,1,2\ngpu,Conv,7,16,16,1,1\n",
   "m.csv:4: duplicate: the same row as line 2 (the columns network and index tell operators apart that are alike)"},
  {"processor,op,h,cin,cout,kernel,pad,latency_s\ngpu,Conv,2,16,16,5,valid,1\n",
   "m.csv:2: Conv: a window of 5 doesn't fit in 2 with padding 0: the input is 1x2x2x16, NHWC"},
  {"processor,op,h,cin,cout,kernel,latency_s\ngpu,Conv,7,16,16,3x,1\n",
   "m.csv:2: kernel: \"3x\" is not a whole number in [1, 100000], nor two with an x between them"},
  {"processor,op,h,cin,cout,kernel,pad,latency_s\ngpu,Conv,7,16,16,3,-1,1\n", "m.csv:2: pad: \"-1\" is not same, valid or a whole number in [0, 1000]"},
  {"processor,op,h,w,cin,latency_s\ngpu,Relu,,7,16,1\n", "m.csv:2: w: \"7\", and h is empty: an image has both"},
  {"processor,op,h,cin,cout,group,latency_s\ngpu,Conv,2,16,16,3,1\n", "m.csv:2: Conv: 16 input channels are not a multiple of group 3"},
  {"processor,op,h,cin,cout,latency_s\ngpu,DepthwiseConv,2,16,24,1\n", "m.csv:2: cout: 24 is not a multiple of cin, 16"},
  {"processor,precision,model,latency_s\ncpu,fp16,vgg16,1\n", "m.csv:2: precision: under tflite the cpu of sd855 doesn't compute in fp16"},
  {"processor,precision,model,latency_s\ncpu,fp31,vgg16,1\n", "m.csv:2: precision: \"fp31\" is not one of fp32, fp16, int8"},
  {"processor,memory_type,model,latency_s\ncpu,image,vgg16,1\n", "m.csv:2: memory_type: cpu is no GPU"},
  {"processor,threads,model,latency_s\ngpu,2,vgg16,1\n", "m.csv:2: threads: gpu is no CPU"},
  {"processor,threads,model,latency_s\ncpu,5,vgg16,1\n", "m.csv:2: threads: 5, and cpu has 4 cores"},
  {"processor,threads,cores,model,latency_s\ncpu,2,mid:2,vgg16,1\n", "m.csv:2: threads and cores are both given"},
  {"processor,cores,model,latency_s\ncpu,mid:4,vgg16,1\n", "m.csv:2: cores: 4 of mid, which has 3"},
  {"processor,cores,model,latency_s\ncpu,large:1,vgg16,1\n", "m.csv:2: cores: cpu has no domain \"large\" (it has mid, big)"},
  {"processor,cores,model,latency_s\ncpu,mid=1,vgg16,1\n", "m.csv:2: cores: \"mid=1\" is not domain:number+domain:number…"},
  {"processor,cores,model,latency_s\ncpu,mid:1+mid:1,vgg16,1\n", "m.csv:2: cores: \"mid\" is there twice"},
  {"processor,cores,model,latency_s\ngpu,gpu:1,vgg16,1\n", "m.csv:2: cores: gpu is no CPU"},
  {"processor,h,model,latency_s\ncpu,7,vgg16,1\n", "m.csv:2: h: doesn't go with a whole network"},
};
enum { N_REFUSALS = sizeof refusals / sizeof *refusals };

START_TEST(refused)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  hs_test_refused(read_text(&d, refusals[_i].text, NULL, false, &err), &err, refusals[_i].message);
  stand_up(&d);
}
END_TEST

/* Without a width an image is square, without a height there is none. */
START_TEST(shapes_of_rows)
{
  static const struct hs_shape shapes[] = {{4, {1, 7, 7, 16}}, {4, {1, 7, 5, 16}}, {2, {1, 16}}};
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  hs_test_accepted(read_text(&d, "processor,op,h,w,cin,latency_s\ncpu,Relu,7,,16,1\ncpu,Relu,7,5,16,1\ncpu,Relu,,,16,1\n", NULL, false, &err), &err);
  ck_assert_int_eq(d.m.n, 3);
  for (int i = 0; i < 3; i++) {
    const struct hs_graph *g = d.m.rows[i].graph;
    const struct hs_shape *s = &g->tensors[g->inputs[0]].shape;
    ck_assert_int_eq(s->rank, shapes[i].rank);
    for (int k = 0; k < s->rank; k++) ck_assert_int_eq(s->dim[k], shapes[i].dim[k]);
  }
  stand_up(&d);
}
END_TEST

/* A spreadsheet's file begins with a mark, may be in 16 bits, and ends in empty rows; binary ones are told as such. */
START_TEST(bytes)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  hs_test_accepted(read_text(&d, "\xef\xbb\xbf" HEAD "gpu,Conv,7,16,16,1,1\n", NULL, false, &err), &err);
  ck_assert_int_eq(d.m.n, 1);
  hs_test_accepted(read_text(&d, HEAD "gpu,Conv,7,16,16,1,2\r\n,,,,,,\r\n , ,\r\n", NULL, false, &err), &err);
  ck_assert_int_eq(d.m.n, 2);
  hs_test_accepted(read_text(&d, "# old\r" HEAD "\rgpu,Conv,7,16,16,1,3\r\r# and\rgpu,Conv,7,16,16,1,4\r", NULL, false, &err), &err);
  ck_assert_int_eq(d.m.n, 4);
  hs_test_refused(hs_measurements_parse(&d.m, "m.csv", "\xff\xfe" "a\0,\0b\0", 8, false, &err), &err, "m.csv:1: is UTF-16; save it as UTF-8");
  hs_test_refused(hs_measurements_parse(&d.m, "m.csv", "\xfe\xff" "\0a\0,\0b", 8, false, &err), &err, "m.csv:1: is UTF-16; save it as UTF-8");
  hs_test_refused(hs_measurements_parse(&d.m, "m.csv", "a,b\nc\0d", 7, false, &err), &err, "m.csv:2:2: is no text: it has a zero byte");
  hs_test_refused(hs_measurements_parse_tflite(&d.m, "m.csv", "\n\n\0", 3, "squeezenet", "gpu", false, &err), &err,
                  "m.csv:3:1: is no text: it has a zero byte");
  stand_up(&d);
}
END_TEST

START_TEST(unknown_model)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  ck_assert_int_eq(read_text(&d, "processor,model,latency_s\ncpu,vgg_1b,1\n", NULL, false, &err), HS_INPUT);
  ck_assert_ptr_eq(strstr(hs_test_message(&err), "m.csv:2: model: there is no workload \"vgg_1b\"; did you mean vgg11?"), hs_test_message(&err));
  stand_up(&d);
}
END_TEST

/* A network is the one that a row names: not the operator of a row before it, nor another file's network of that name. */
START_TEST(which_network)
{
  static const char workload[] = "{\"format\": \"hetsim-workload/1\", \"name\": \"vgg16\", \"title\": \"t\", \"source\": \"s\", "
                               "\"inputs\": [{\"name\": \"x\", \"shape\": [1, 8]}], \"outputs\": [\"y\"], "
                               "\"ops\": [{\"name\": \"y\", \"op\": \"Relu\", \"inputs\": [\"x\"]}]}";
  struct desk d;
  struct hs_error err;
  struct hs_text rows = {0};
  char *path = hs_test_file("-vgg16.json", workload, strlen(workload));
  sit_down(&d, "sd855", "tflite");
  ck_assert_int_eq(read_text(&d, "processor,op,model,h,cin,latency_s\ncpu,Relu,,7,16,1\ncpu,,row,,,1\n", NULL, false, &err), HS_INPUT);
  ck_assert_ptr_nonnull(strstr(err.text, "there is no workload \"row\""));
  stand_up(&d);
  sit_down(&d, "sd855", "tflite");
  hs_text_addf(&rows, "processor,model,latency_s\ncpu,%s,1\ncpu,vgg16,1\ncpu,%s,2\n", path, path);
  add_rows(&d, rows.s, false);
  remove(path);
  ck_assert_int_eq(d.m.rows[0].graph->n_ops, 1);
  ck_assert_int_gt(d.m.rows[1].graph->n_ops, 1);
  ck_assert_ptr_eq(d.m.rows[2].graph, d.m.rows[0].graph);
  add_rows(&d, "processor,model,latency_s\ncpu,VGG-16,3\ncpu,vgg 16,4\ncpu,VGG-16,5\n", false); /* however it is spelt */
  for (int i = 3; i < 6; i++) ck_assert_ptr_eq(d.m.rows[i].graph, d.m.rows[1].graph);
  hs_text_free(&rows);
  free(path);
  stand_up(&d);
}
END_TEST

/* Latencies that lie next to each other as near as rounding, each to the next and not to the one after that, and in falling order: the first copy is told. */
START_TEST(copies_that_are_rounded)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  ck_assert_int_eq(read_text(&d, "processor,op,h,cin,latency_s\ngpu,Relu,7,16,1.0000000000012\ngpu,Relu,9,16,1\ngpu,Relu,7,16,1.0000000000006\ngpu,Relu,7,16,1\n",
                             NULL, false, &err),
                   HS_INPUT);
  ck_assert_int_eq(err.line, 4);
  ck_assert_str_eq(err.text, "duplicate: the same row as line 2 (the columns network and index tell operators apart that are alike)");
  stand_up(&d);
}
END_TEST

/* A row of a file that is fitted can't be kept out as well, nor be there twice, in whatever order of columns and whatever unit. */
START_TEST(copies_in_two_files)
{
  static const char rows[] = "processor,op,h,cin,latency_s\ngpu,Relu,7,16,1\ngpu,Relu,9,16,1\n";
  const char *other = _i < 2 ? "processor,op,h,cin,latency_s\ngpu,Relu,9,16,2\ngpu,Relu,9,16,1\n"
                             : "cin,latency_ms,h,precision,op,processor\n16,2000,9,,Relu,gpu\n16,1000,9,,Relu,gpu\n";
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  add_rows(&d, rows, false);
  ck_assert_int_eq(read_text(&d, other, NULL, _i == 0, &err), HS_INPUT);
  ck_assert_int_eq(err.line, 3);
  ck_assert_str_eq(err.text, "duplicate: the same row as line 3 of m.csv (the columns network and index tell operators apart that are alike)");
  stand_up(&d);
}
END_TEST

/* Nor where it is written otherwise: the runtime's precision and threads left out, a core set in another order, a network by another name. */
START_TEST(copies_in_other_words)
{
  static const struct {
    const char *row;
    bool copy;
  } rows[] = {{"cpu,,,,resnet50,0.1", false}, {"cpu,fp32,,4,ResNet-50,0.1", true}, {"cpu,fp32,,2,resnet50,0.1", false},
              {"cpu,fp32,mid:1+big:1,,resnet50,0.1", true},
              {"cpu,fp32,mid:2,,resnet50,0.1", false}, {"cpu,int8,big:1+mid:3,,resnet50,0.1", false}, {"cpu,int8,mid:3+big:1,,resnet50,0.1", true},
              {"cpu,int8,mid:3+big:1,,resnet18,0.1", false}, {"gpu,,,,resnet50,0.1", false}, {"gpu,fp16,,,resnet50,0.2", false},
              {"gpu,fp16,,,resnet50,0.1", true}};
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[160];
    snprintf(text, sizeof text, "processor,precision,cores,threads,model,latency_s\n%s\n", rows[i].row);
    ck_assert_msg(read_text(&d, text, NULL, false, &err) == (rows[i].copy ? HS_INPUT : HS_OK), "%s", rows[i].row);
    if (!rows[i].copy) continue;
    ck_assert_msg(strncmp(err.text, "duplicate: ", 11) == 0, "%s", err.text);
    d.m.n--; /* without the copy */
    hs_program_free(d.m.rows[d.m.n].program);
  }
  stand_up(&d);
}
END_TEST

/* Nor an operator: a window of one side or two, what is there anyway left out or given, a row as high as wide. */
START_TEST(copied_operators_in_other_words)
{
  static const struct {
    const char *row;
    bool copy;
  } rows[] = {{"net,1,Conv,14,,32,64,3,1,,,", false}, {"net,1,Conv,14,14,32,64,3x3,1x1,same,1,1", true}, {"net,1,Conv,14,,32,64,3,,1,,", true},
              {"net,1,Conv,14,,32,64,3x1,1,,,", false}, {"net,1,Conv,14,,32,64,3,1,valid,,", false}, {"net,1,Conv,14,,32,64,3,1,,,2", false},
              {"net,1,Conv,14,,32,64,3,1,,2,", false}, {"net,2,Conv,14,,32,64,3,1,,,", false}, {"other,1,Conv,14,,32,64,3,1,,,", false},
              {"net,1,DepthwiseConv,14,,32,,3,2,,,", false}, {"net,1,DepthwiseConv,14,,32,32,3,2x2,,,", true}, {"net,1,Relu,14,,32,,,,,,", false},
              {"net,1,Relu,14,7,32,,,,,,", false}, {"net,1,Relu,14,14,32,,,,,,", true}};
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[200];
    snprintf(text, sizeof text, "processor,network,index,op,h,w,cin,cout,kernel,stride,pad,dilation,group,latency_s\ngpu,%s,0.1\n", rows[i].row);
    ck_assert_msg(read_text(&d, text, NULL, false, &err) == (rows[i].copy ? HS_INPUT : HS_OK), "%s", rows[i].row);
    if (!rows[i].copy) continue;
    ck_assert_msg(strncmp(err.text, "duplicate: ", 11) == 0, "%s: %s", rows[i].row, err.text);
    d.m.n--; /* without the copy */
  }
  stand_up(&d);
}
END_TEST

/* Of a network that was measured on a GPU no operator ran there that it has no kernel for: those ran on the CPU. */
START_TEST(what_falls_back)
{
  struct desk d;
  struct hs_error err;
  sit_down(&d, "sd855", "tflite");
  hs_test_accepted(read_text(&d, "model,processor,precision,latency_ms\nswin_tiny_224,gpu,fp16,1\n", NULL, false, &err), &err);
  const struct hs_measurement *row = &d.m.rows[0];
  int there = 0, fallen = 0;
  for (int i = 0; i < row->program->n_tasks; i++) {
    const struct hs_task *t = &row->program->tasks[i];
    if (t->kind != HS_TASK_EXEC) continue;
    bool supported = hs_system_supports(&row->bench->sys, row->graph, &row->graph->ops[t->op], row->bench->processor, NULL, 0);
    ck_assert_msg(supported || t->processor == row->bench->sys.host, "%s", row->graph->ops[t->op].name);
    there += t->processor == row->bench->processor;
    fallen += !supported;
  }
  ck_assert_int_gt(there, 0);
  ck_assert_int_gt(fallen, 0);
  ck_assert(hs_measured_speaks(row)); /* of the GPU, though the last to do anything is the host */
  stand_up(&d);
}
END_TEST

/* Nor did one that no slice has room for: fc6 alone, 25088 · 4096 weights in fp16 against 100 MB. */
START_TEST(what_no_slice_takes)
{
  struct desk d;
  sit_down(&d, "kirin970", "tflite");
  add_rows(&d, "model,processor,latency_ms\nvgg16,npu,1\n", false);
  const struct hs_measurement *row = &d.m.rows[0];
  int there = 0;
  for (int i = 0; i < row->program->n_tasks; i++) {
    const struct hs_task *t = &row->program->tasks[i];
    if (t->kind != HS_TASK_EXEC) continue;
    const char *name = row->graph->ops[t->op].name;
    ck_assert_msg(t->processor == (strcmp(name, "fc6") == 0 ? row->bench->sys.host : row->bench->processor), "%s", name);
    there += t->processor == row->bench->processor;
  }
  ck_assert_int_eq(there, row->graph->n_ops - 1);
  stand_up(&d);
}
END_TEST

/* Multiplications 7 · 7 · 16 · 8; elements that are worked on, 7 · 7 · 16; and others, 9 · 9 · 16, that are only moved. */
START_TEST(work_of_a_row)
{
  static const double work[] = {7 * 7 * 16 * 8, 7 * 7 * 16, 9 * 9 * 16};
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_rows(&d, "processor,op,h,cin,cout,kernel,latency_s\ncpu,Conv,7,16,8,1,1\ncpu,Relu,7,16,,,1\ncpu,Concat,9,16,,,1\n", false);
  for (int i = 0; i < 3; i++) ck_assert_double_eq(hs_measured_work(&d.m.rows[i]), work[i]);
  stand_up(&d);
}
END_TEST

/* Measured twice, to half a thousandth alike, is no copy. */
START_TEST(repetitions_are_rows)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  add_rows(&d, "processor,op,h,cin,latency_ms\ngpu,Relu,9,16,1\ngpu,Relu,9,16,1.0005\n", false);
  ck_assert_int_eq(d.m.n, 2);
  stand_up(&d);
}
END_TEST

/* A row's threads stand before --cores, its cores before both that and --threads, and a precision makes another bench. */
START_TEST(a_row_stands_before_options)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  d.m.cores = "mid:3";
  add_rows(&d, "processor,threads,precision,model,latency_s\ncpu,2,fp32,resnet50,0.1\ncpu,,fp32,resnet50,0.1\ncpu,,int8,resnet50,0.1\n", false);
  ck_assert_int_eq(d.m.n_benches, 3);
  ck_assert_str_eq(d.m.rows[0].bench->cores, "");
  ck_assert_int_eq(d.m.rows[0].bench->sys.backends[d.m.rows[0].bench->processor].threads, 2);
  ck_assert_str_eq(d.m.rows[1].bench->cores, "mid:3");
  add_rows(&d, "processor,cores,model,latency_s\ncpu,big:1,resnet50,0.1\n", false);
  ck_assert_str_eq(d.m.rows[3].bench->cores, "big:1");
  d.m.cores = NULL;
  d.m.threads = 2;
  add_rows(&d, "processor,cores,model,latency_s\ncpu,mid:1,resnet50,0.1\n", false);
  ck_assert_str_eq(d.m.rows[4].bench->cores, "mid:1");
  ck_assert_int_eq(d.m.rows[4].bench->threads, 0);
  stand_up(&d);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, copies_in_other_words);
  tcase_add_test(t, copied_operators_in_other_words);
  tcase_add_test(t, holdout_by_hash);
  tcase_add_test(t, holdout_of_networks);
  tcase_add_test(t, holdout_of_operators);
  tcase_add_loop_test(t, refused, 0, N_REFUSALS);
  tcase_add_test(t, shapes_of_rows);
  tcase_add_test(t, bytes);
  tcase_add_test(t, unknown_model);
  tcase_add_test(t, what_falls_back);
  tcase_add_test(t, what_no_slice_takes);
  tcase_add_test(t, work_of_a_row);
  tcase_add_test(t, which_network);
  tcase_add_test(t, copies_that_are_rounded);
  tcase_add_loop_test(t, copies_in_two_files, 0, 3);
  tcase_add_test(t, repetitions_are_rows);
  tcase_add_test(t, a_row_stands_before_options);
}

int main(void) { return hs_test_main("measurements", fill); }
