/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kernel a convolution has where channels stand together in vectors, and what that costs. */
#include "tests/model/costs.h"

#include "model/packing.h"
#include "model/products.h"
#include "model/threads.h"

/* Of an 8 × 8 image: a convolution under a kernel of so many lanes, whose own 5×5 kernels have three times the work. */
static struct hs_packing packing(int lanes, int channels, const char *op, double *copies)
{
  struct fixture f;
  struct hs_kernel k;
  char shape[40];
  snprintf(shape, sizeof shape, "[1,8,8,%d]", channels);
  make(&f, shape, op, 0, 1, 0);
  own_kernel(&f, 0, &k)->packing = (struct hs_channel_packing){lanes, 3};
  struct hs_portion p = hs_portion_whole(&f.sys, f.graph, f.graph->ops, 0);
  struct hs_packing is = hs_packing_of(&p);
  if (copies) *copies = hs_packing_copied(&p);
  fixture_free(&f);
  return is;
}

#define PRODUCT HS_CLASS_CONV_1X1
#define WINOGRAD HS_CLASS_CONV_3X3
#define OWN HS_CLASS_CONV_3X3_STRIDED
#define LOOP HS_CLASS_CONV_OTHER
static const struct {
  int lanes, in, out, window, stride;
  enum hs_op_class rate;
  double factor;
} convolutions[] = {
  {8, 16, 24, 1, 1, PRODUCT, 1}, {8, 12, 24, 1, 1, PRODUCT, 1}, {8, 16, 12, 1, 2, PRODUCT, 1}, {8, 16, 9, 1, 1, PRODUCT, 1},
  {8, 12, 20, 1, 1, PRODUCT, 2},                             /* halves of vectors */
  {8, 58, 58, 1, 1, PRODUCT, 1}, {8, 58, 58, 1, 2, LOOP, 20}, /* five instructions for a product that would take an eighth of two */
  {8, 3, 24, 1, 1, LOOP, 1},     {8, 3, 12, 1, 1, LOOP, 2},   {8, 12, 9, 1, 1, LOOP, 5},
  {8, 16, 24, 3, 1, WINOGRAD, 1}, {8, 16, 12, 3, 1, WINOGRAD, 1}, {8, 16, 9, 3, 1, WINOGRAD, 1}, {8, 12, 20, 3, 1, WINOGRAD, 2},
  {8, 12, 24, 3, 1, LOOP, 1},    {8, 12, 9, 3, 1, LOOP, 5},   {8, 3, 24, 3, 1, OWN, 1},     {8, 3, 12, 3, 1, LOOP, 2},
  {8, 16, 24, 3, 2, OWN, 1},     {8, 3, 24, 3, 2, OWN, 1},    {8, 16, 12, 3, 2, LOOP, 2},   {8, 58, 58, 3, 1, LOOP, 20},
  {8, 16, 24, 5, 1, OWN, 3},     {8, 16, 24, 5, 2, OWN, 3},   {8, 3, 24, 5, 2, LOOP, 1},
  {8, 3, 24, 7, 2, OWN, 1},      {8, 16, 24, 7, 2, LOOP, 1},  {8, 3, 24, 7, 1, LOOP, 1},    {8, 16, 24, 3, 3, LOOP, 1},
  {4, 12, 20, 1, 1, PRODUCT, 1}, {4, 12, 9, 1, 1, PRODUCT, 1}, {4, 58, 58, 1, 2, PRODUCT, 1}, {4, 3, 20, 1, 1, LOOP, 1},
  {4, 12, 20, 3, 1, WINOGRAD, 1}, {4, 58, 58, 3, 1, WINOGRAD, 1}, {4, 58, 58, 3, 2, OWN, 1}, {4, 58, 58, 11, 2, LOOP, 10},
};

START_TEST(kernel_of_a_convolution)
{
  char op[160];
  snprintf(op, sizeof op, "'op': 'Conv', 'channels': %d, 'kernel': [%d,%d], 'stride': [%d,%d], 'pad': [2,2,2,2]", convolutions[_i].out,
           convolutions[_i].window, convolutions[_i].window, convolutions[_i].stride, convolutions[_i].stride);
  struct hs_packing is = packing(convolutions[_i].lanes, convolutions[_i].in, op, NULL);
  ck_assert_int_eq(is.rate, convolutions[_i].rate);
  ck_assert_near(is.factor, convolutions[_i].factor);
}
END_TEST

START_TEST(window_without_kernel)
{
  static const char *const ops[] = {"'kernel': [3,3], 'dilation': [2,2]", "'kernel': [3,5]", "'kernel': [3,3], 'stride': [1,2]", "'kernel': [1,3]"};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    char op[120];
    snprintf(op, sizeof op, "'op': 'Conv', 'channels': 8, %s", ops[i]);
    ck_assert_int_eq(packing(8, 16, op, NULL).rate, LOOP);
  }
}
END_TEST

static const struct {
  int lanes, channels, window, stride;
  double factor;
} depthwise[] = {
  {8, 16, 3, 1, 1}, {8, 16, 5, 2, 1}, {8, 58, 3, 2, 1}, {4, 58, 5, 1, 1}, {4, 12, 3, 1, 1},
  {8, 12, 3, 1, 2.5},    /* two loads and an offset a product, of half a vector */
  {8, 16, 7, 1, 2},      /* sums wait for the one before */
  {8, 12, 5, 1, 3.125},  /* some do */
  {8, 58, 5, 1, 25},     /* by scalars */
  {4, 12, 3, 3, 1.25},
};

START_TEST(kernel_of_a_depthwise_convolution)
{
  char op[120];
  snprintf(op, sizeof op, "'op': 'DepthwiseConv', 'kernel': [%d,%d], 'stride': [%d,%d], 'pad': [2,2,2,2]", depthwise[_i].window, depthwise[_i].window,
           depthwise[_i].stride, depthwise[_i].stride);
  struct hs_packing is = packing(depthwise[_i].lanes, depthwise[_i].channels, op, NULL);
  ck_assert_int_eq(is.rate, HS_CLASS_DEPTHWISE);
  ck_assert_near(is.factor, depthwise[_i].factor);
}
END_TEST

/* Of an image with 16 channels. */
static double copied(int lanes, const char *op)
{
  double copies;
  packing(lanes, 16, op, &copies);
  return copies;
}

/* Elements of 8 × 8 × 16 in and 8 × 8 × 24 out, each read and written. */
START_TEST(passes_of_their_own)
{
  const double in = 2 * 64 * 16, out = 2 * 64 * 24;
  ck_assert_near(copied(8, "'op': 'Conv', 'channels': 24, 'kernel': [1,1]"), 0);
  ck_assert_near(copied(8, "'op': 'Conv', 'channels': 24, 'kernel': [3,3], 'pad': 'same'"), in + in + out);
  ck_assert_near(copied(8, "'op': 'Conv', 'channels': 24, 'kernel': [7,7], 'pad': 'same'"), in);
  ck_assert_near(copied(8, "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'"), in);
  ck_assert_near(copied(0, "'op': 'Conv', 'channels': 24, 'kernel': [3,3], 'pad': 'same'"), 0);
}
END_TEST

START_TEST(activation_is_a_pass)
{
  struct fixture f;
  struct hs_kernel k;
  for (int window = 1; window <= 7; window += 6) {
    char op[100];
    snprintf(op, sizeof op, "'op': 'Conv', 'channels': 24, 'kernel': [%d,%d]", window, window);
    make(&f, "[1,8,8,16]", op, 0, 1, 0);
    own_kernel(&f, 0, &k)->packing = (struct hs_channel_packing){8, 1};
    f.graph->ops[0].fused[0] = HS_OP_RELU;
    f.graph->ops[0].n_fused = 1;
    struct hs_portion p = hs_portion_whole(&f.sys, f.graph, f.graph->ops, 0);
    ck_assert_near(hs_packing_copied(&p), window == 1 ? 2 * 64 * 24 : 0);
    fixture_free(&f);
  }
}
END_TEST

static const struct {
  int lanes, in, threads;
  const char *op;
  double speedup;
} dealt[] = {
  {8, 16, 4, "'op': 'Conv', 'channels': 24, 'kernel': [1,1]", 3},    /* 8 for each of three threads */
  {8, 16, 2, "'op': 'Conv', 'channels': 24, 'kernel': [1,1]", 1.5},  /* 16 for one of two */
  {8, 16, 4, "'op': 'Conv', 'channels': 8, 'kernel': [1,1]", 1},
  {8, 16, 4, "'op': 'Conv', 'channels': 64, 'kernel': [1,1]", 4},
  {8, 16, 4, "'op': 'Conv', 'channels': 36, 'kernel': [1,1]", 2.25}, /* the last has 4 */
  {4, 16, 4, "'op': 'Conv', 'channels': 24, 'kernel': [1,1]", 3},    /* two vectors at a time */
  {4, 16, 4, "'op': 'Conv', 'channels': 24, 'kernel': [7,7]", 3},    /* six vectors, two for one thread */
  {8, 16, 4, "'op': 'Conv', 'channels': 24, 'kernel': [7,7]", 3},
  {8, 16, 4, "'op': 'Conv', 'channels': 9, 'kernel': [7,7]", 3},     /* one by one, three for one thread */
  {8, 16, 4, "'op': 'DepthwiseConv', 'kernel': [3,3]", 2},
  {4, 16, 4, "'op': 'DepthwiseConv', 'kernel': [3,3]", 4},
  {8, 12, 4, "'op': 'DepthwiseConv', 'kernel': [3,3]", 3},           /* halves of vectors */
  /* Winograd from 16 channels to 8, transforms as dear as 4 channels of products: 128 parts by one thread, 64 of the input by four, 32 of the result by two */
  {4, 16, 4, "'op': 'Conv', 'channels': 8, 'kernel': [3,3]", 224. / (128 + 64 / 4 + 32 / 2)},
  {8, 16, 4, "'op': 'Relu'", 4},
  {0, 16, 4, "'op': 'Conv', 'channels': 24, 'kernel': [1,1]", 4},
};

/* And for one step all are woken, by OpenMP; a runtime with another pool leaves it to the thread that calls. */
START_TEST(threads_take_whole_vectors)
{
  struct fixture f;
  struct hs_kernel k;
  char shape[40];
  snprintf(shape, sizeof shape, "[1,8,8,%d]", dealt[_i].in);
  make(&f, shape, dealt[_i].op, 0, 1, 0);
  own_kernel(&f, 0, &k)->packing = (struct hs_channel_packing){dealt[_i].lanes, 1};
  k.winograd = (struct hs_winograd){.tile = 6, .small_tile = 6, .channels = 4, .transform_half = 4};
  k.serial_frac = k.serial_depthwise_frac = 0.1;
  k.fork_cycles = 1000;
  f.sys.backends[0].threads = dealt[_i].threads;
  under(&f, "ncnn");
  struct hs_portion p = hs_portion_whole(&f.sys, f.graph, f.graph->ops, 0);
  struct hs_threads threads = hs_threads_of(&p);
  ck_assert_near(threads.speedup, dealt[_i].speedup);
  if (dealt[_i].speedup == 1) {
    ck_assert_near(threads.serial_frac, 0.1);
    under(&f, "mace");
    p = hs_portion_whole(&f.sys, f.graph, f.graph->ops, 0);
    ck_assert_near(hs_threads_of(&p).serial_frac, 1.0);
  }
  fixture_free(&f);
}
END_TEST

/* Tiles of 4 where both sides are up to 8, 13 to 16, 19 or 20 outputs, else of 6: as many as cover the image. From whole vectors to whole ones alone. Of 3 or 8
 * on both sides there are as many either way; beside 5, of 8 there are 2 · 2, where tiles of 6 were 2 · 1. */
START_TEST(tiles_by_size)
{
  static const struct {
    int height, width, channels, tiles;
  } images[] = {{13, 13, 20, 9}, {13, 13, 17, 9}, {5, 5, 16, 4}, {8, 5, 16, 4}, {5, 8, 16, 4}, {9, 9, 16, 4}, {12, 12, 16, 4},
                {13, 13, 16, 16}, {16, 16, 16, 16}, {17, 17, 16, 9}, {18, 18, 16, 9}, {19, 19, 16, 25}, {20, 20, 16, 25}, {21, 21, 16, 16},
                {28, 28, 16, 25}, {14, 20, 16, 20}, {14, 28, 16, 15}, {28, 14, 16, 15}};
  for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
    struct fixture f;
    struct hs_kernel k;
    char shape[40], op[80];
    snprintf(shape, sizeof shape, "[2,%d,%d,16]", images[i].height, images[i].width);
    snprintf(op, sizeof op, "'op': 'Conv', 'channels': %d, 'kernel': [3,3], 'pad': 'same'", images[i].channels);
    make(&f, shape, op, 0, 1, 0);
    own_kernel(&f, 0, &k)->packing = (struct hs_channel_packing){8, 1};
    k.winograd = (struct hs_winograd){.tile = 6, .small_tile = 4, .channels = 16};
    struct hs_portion p = hs_portion_whole(&f.sys, f.graph, f.graph->ops, 0);
    ck_assert_near(hs_products_tiles(&p), 2 * images[i].tiles);
    k.winograd.channels = 17;
    ck_assert_int_eq(hs_packing_of(&p).rate, HS_CLASS_CONV_3X3_STRIDED); /* its own kernel for few channels, not a loop */
    ck_assert_near(hs_products_tiles(&p), 0);
    fixture_free(&f);
  }
}
END_TEST

/* 64 pixels of 12 · 20 MACs in halves of vectors, at half of 8 a cycle; and a border's copy of 64 · 16 floats, read and written, at a cycle for two bytes,
 * beside 64 · 9 · 16 MACs of which a depthwise kernel of its own does all it can. */
START_TEST(cycles)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,8,8,12]", "'op': 'Conv', 'channels': 20, 'kernel': [1,1]", 0, 1, 0);
  f.sys.backends[0].threads = 1;
  double whole_vectors = cost(&f, 0, 0, whole).cycles[0];
  own_kernel(&f, 0, &k)->packing = (struct hs_channel_packing){8, 1};
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], 2 * whole_vectors);
  fixture_free(&f);
  make(&f, "[1,8,8,16]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'pad': 'same'", 0, 1, 0);
  f.sys.backends[0].threads = 1;
  double without = cost(&f, 0, 0, whole).cycles[0];
  own_kernel(&f, 0, &k)->packing = (struct hs_channel_packing){8, 1};
  k.light_move_cycles_per_byte = 0.5;
  ck_assert_near(cost(&f, 0, 0, whole).cycles[0], without + 2 * 64 * 16 * 4 * 0.5);
  fixture_free(&f);
}
END_TEST

/* All parts of whole vectors: a fraction of the channels that comes out below a whole number isn't one less. */
START_TEST(parts_are_whole_channels)
{
  static const int channels[] = {88, 176, 208};
  for (size_t i = 0; i < sizeof channels / sizeof *channels; i++) {
    struct fixture f;
    struct hs_kernel k;
    char op[80];
    snprintf(op, sizeof op, "'op': 'Conv', 'channels': %d, 'kernel': [3,3], 'stride': [2,2]", channels[i]);
    make(&f, "[1,9,9,16]", op, 0, 1, 0);
    own_kernel(&f, 0, &k)->packing = (struct hs_channel_packing){8, 3};
    for (int end = 8; end < channels[i]; end += 8) {
      struct hs_portion p = hs_portion_of(&f.sys, f.graph, f.graph->ops, 0, (struct hs_range){HS_SPLIT_CHANNEL, 0, end}, (struct hs_border){0, 0});
      ck_assert_double_eq(p.channels, end);
      ck_assert_int_eq(hs_packing_of(&p).rate, OWN);
    }
    fixture_free(&f);
  }
}
END_TEST

/* 40 channels cut by channel are two layers, packed as theirs are: 16 in vectors of eight, 12 in halves, 9 one by one (five instructions
 * instead of two), which without a kernel of their own are a loop. Rows have as many channels as the whole. */
START_TEST(parts_are_packed_as_layers)
{
  static const struct {
    struct hs_range part;
    enum hs_op_class rate;
    double factor;
  } cases[] = {{{HS_SPLIT_CHANNEL, 0, 16}, OWN, 1}, {{HS_SPLIT_CHANNEL, 16, 28}, LOOP, 2}, {{HS_SPLIT_CHANNEL, 0, 9}, LOOP, 2.5},
               {{HS_SPLIT_HEIGHT, 0, 3}, OWN, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct fixture f;
    struct hs_kernel k;
    make(&f, "[1,9,9,16]", "'op': 'Conv', 'channels': 40, 'kernel': [3,3], 'stride': [2,2]", 0, 1, 0);
    own_kernel(&f, 0, &k)->packing = (struct hs_channel_packing){8, 3};
    struct hs_portion p = hs_portion_of(&f.sys, f.graph, f.graph->ops, 0, cases[i].part, (struct hs_border){0, 0});
    ck_assert_int_eq(hs_packing_of(&p).rate, cases[i].rate);
    ck_assert_near(hs_packing_of(&p).factor, cases[i].factor);
    fixture_free(&f);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, threads_take_whole_vectors, 0, (int)(sizeof dealt / sizeof *dealt));
  tcase_add_loop_test(t, kernel_of_a_convolution, 0, sizeof convolutions / sizeof *convolutions);
  tcase_add_test(t, window_without_kernel);
  tcase_add_loop_test(t, kernel_of_a_depthwise_convolution, 0, sizeof depthwise / sizeof *depthwise);
  tcase_add_test(t, passes_of_their_own);
  tcase_add_test(t, activation_is_a_pass);
  tcase_add_test(t, tiles_by_size);
  tcase_add_test(t, cycles);
  tcase_add_test(t, parts_are_packed_as_layers);
  tcase_add_test(t, parts_are_whole_channels);
}

int main(void) { return hs_test_main("packing", fill); }
