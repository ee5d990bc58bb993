/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which shader a convolution has on a GPU where channels stand together by four, and how many shaders an operator is. */
#include "tests/model/costs.h"

#include "model/packed_shaders.h"

enum { CPU, GPU };

/* An operator of a 9 × 8 image, under a kernel that packs. */
static void make_packed(struct fixture *f, struct hs_kernel *k, int processor, int channels, const char *op)
{
  struct hs_settings s = on_mace();
  char shape[40], ops[400];
  snprintf(shape, sizeof shape, "[1,9,8,%d]", channels);
  snprintf(ops, sizeof ops, "{'name': 'o', %s}", op);
  fixture_make(f, NULL, fixture_profile(0, 1, 0, 0), &s);
  fixture_graph(f, shape, ops, strstr(op, "outputs") ? "'o', 'b', 'c'" : "'o'");
  own_kernel(f, processor, k)->packing = (struct hs_channel_packing){4, 1};
}

static struct hs_packing shader(int channels, const char *op, int *shaders)
{
  struct fixture f;
  struct hs_kernel k;
  make_packed(&f, &k, GPU, channels, op);
  struct hs_portion p = hs_portion_whole(&f.sys, f.graph, f.graph->ops, GPU);
  struct hs_packing is = hs_packing_of(&p);
  *shaders = hs_packed_shaders(&p);
  fixture_free(&f);
  return is;
}

#define PRODUCT HS_CLASS_CONV_1X1
#define WINOGRAD HS_CLASS_CONV_3X3
#define PIXEL HS_CLASS_CONV_OTHER
static const struct {
  int in, out, group, window, stride, pad;
  enum hs_op_class rate;
  double factor;
  int shaders;
} convolutions[] = {
  {16, 24, 1, 1, 1, 0, PRODUCT, 1, 1}, {58, 58, 1, 1, 1, 0, PRODUCT, 4, 1}, /* 8 reads for 64 products, 2 for 4 */
  {16, 58, 1, 1, 1, 0, PIXEL, 1.6, 1}, {58, 16, 1, 1, 1, 0, PIXEL, 1.6, 1}, /* 5 for 16, 2 for 4 */
  {16, 24, 1, 1, 2, 0, PIXEL, 1, 1},   {58, 58, 1, 1, 2, 0, PIXEL, 6.4, 1}, /* 2 for 1 */
  {16, 24, 1, 3, 1, 1, WINOGRAD, 1, 5}, /* border, two transforms and a crop */
  {16, 24, 1, 3, 1, 0, WINOGRAD, 1, 4}, {16, 12, 1, 3, 1, 1, PIXEL, 1, 2},  {12, 16, 1, 3, 1, 1, PIXEL, 1, 2},
  {16, 58, 1, 3, 1, 1, PIXEL, 1.6, 2}, {16, 24, 1, 3, 2, 1, PIXEL, 1, 2},   {3, 24, 1, 7, 2, 3, PIXEL, 1.6, 2},
  {32, 32, 2, 3, 1, 1, PIXEL, 1, 2},   {32, 32, 2, 1, 1, 0, PIXEL, 1, 1},   {12, 12, 2, 3, 1, 1, PIXEL, 6.4, 2},
};

START_TEST(shader_of_a_convolution)
{
  char op[160];
  int shaders;
  int window = convolutions[_i].window, stride = convolutions[_i].stride, pad = convolutions[_i].pad;
  snprintf(op, sizeof op, "'op': 'Conv', 'inputs': ['x'], 'channels': %d, 'group': %d, 'kernel': [%d,%d], 'stride': [%d,%d], 'pad': [%d,%d,%d,%d]",
           convolutions[_i].out, convolutions[_i].group, window, window, stride, stride, pad, pad, pad, pad);
  struct hs_packing is = shader(convolutions[_i].in, op, &shaders);
  ck_assert_int_eq(is.rate, convolutions[_i].rate);
  ck_assert_near(is.factor, convolutions[_i].factor);
  ck_assert_int_eq(shaders, convolutions[_i].shaders);
}
END_TEST

START_TEST(shader_of_a_depthwise_convolution)
{
  int shaders;
  for (int channels = 56; channels <= 58; channels += 2) {
    struct hs_packing is = shader(channels, "'op': 'DepthwiseConv', 'inputs': ['x'], 'kernel': [3,3], 'pad': 'same'", &shaders);
    ck_assert_int_eq(is.rate, HS_CLASS_DEPTHWISE);
    ck_assert_near(is.factor, channels == 56 ? 1 : 4);
    ck_assert_int_eq(shaders, 2);
  }
}
END_TEST

/* Each of them is enqueued, but on a CPU there are none; and an activation is one more, but behind a convolution. */
START_TEST(each_shader_begins)
{
  static const struct {
    const char *op;
    int shaders, with_activation;
  } ops[] = {{"'op': 'Softmax', 'inputs': ['x']", 4, 5},
             {"'op': 'Split', 'inputs': ['x'], 'outputs': ['o', 'b', 'c'], 'axis': 3, 'sizes': [4, 4, 8]", 3, 4},
             {"'op': 'Concat', 'inputs': ['x', 'x', 'x'], 'axis': 3", 3, 4},
             {"'op': 'Tanh', 'inputs': ['x']", 1, 2},
             {"'op': 'Conv', 'inputs': ['x'], 'channels': 16, 'kernel': [3,3], 'pad': 'same'", 5, 5}};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    for (int processor = CPU; processor <= GPU; processor++)
      for (int fused = 0; fused < 2; fused++) {
        struct fixture f;
        struct hs_kernel k;
        make_packed(&f, &k, processor, 16, ops[i].op);
        f.graph->ops[0].fused[0] = HS_OP_RELU;
        f.graph->ops[0].n_fused = fused;
        double without = cost(&f, 0, processor, whole).cycles[0];
        k.overhead_cycles = 1000;
        ck_assert_near(cost(&f, 0, processor, whole).cycles[0] - without, processor == CPU ? 1000 : 1000 * (fused ? ops[i].with_activation : ops[i].shaders));
        fixture_free(&f);
      }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, shader_of_a_convolution, 0, sizeof convolutions / sizeof *convolutions);
  tcase_add_test(t, shader_of_a_depthwise_convolution);
  tcase_add_test(t, each_shader_begins);
}

int main(void) { return hs_test_main("packed shaders", fill); }
