/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How TensorFlow Lite's GPU delegate launches convolutions, against numbers worked out by hand. */
#include "tests/model/costs.h"

#include <math.h>

#include "model/launch.h"
#include "model/products.h"

/* What the delegate's rules make of convolutions on two compute units. Slices are channels ÷ 4; waves to decide by, pixels · slices / 256.
 * 7×7, 512 channels: 24.5 of these, so 2 × 2 pixels and 2 slices: a grid of 4 × 4 × 64, in 4 groups of 4 × 1 × 64: on a unit 2, of 4 waves
 * each, 2/3 of the 12 of a round; of the 64 slices a wave works on 16. 1×1 with 1432 channels: 358 slices, 179 after blocks, a prime above
 * 64, so that groups are 4 × 2 × 1: 358, 179 on a unit, of a wave with 8 items. There are 16 at a time. 14×14: 16 channels have 3.1 waves,
 * one of each; 32 have 6.1, 2 pixels; 64 have 12.3, and 2 slices: these compute less than most.
 * 64×64, 4 channels: 16, so 32 × 64 × 1 in 8 groups of 32 × 8, of whose waves each has one slice. 7×7, 112 channels: 5.4, in 4 groups of 7
 * × 1 × 28, 16 waves on a unit. 56×56, 256 channels 3×3: 28 × 28 × 32, groups of 8 × 1 × 32, 4 · 28, 56 on a unit, 224
 * waves. Groups of 3 slices are no 2 of them. Weights of at most 3584 bytes are constants: 3→32 3×3 are 1728, 32→32
 * 2048, 64→28 3584; 64→32 4096 are not, nor what has more than 8 slices. 18 outputs: 72 · 18 · 2 = 2592 along the input.
 * 8×8 with 96, 192 and 384 channels have 6, 12 and 24 waves, which isn't more than that: a pixel, 2, and 2 with 2 slices, in 8 groups of 8 × 1 × 24 or
 * 4 × 1 × 48, 3 waves each. With 4 channels a group would have all rows: of 16 it takes half, and each unit has one, but 7 aren't halved. 60 channels of 5
 * groups have 3 slices each, which aren't two by two: 14 × 14 × 15 in 14 groups. 577 rows of features of 512 are 4 a work item: 145 × 64 in 37 groups of 4 × 64,
 * 19 on a unit. Their weights are never constants: 56 of 8 channels are a group of 56 × 2, 2 waves. */
static const struct {
  struct hs_launch_conv conv;
  struct hs_launch is;
} launches[] = {
  {{7, 7, 512, 512, 9, 1, false, 1, false, 0}, {false, 8, 12, true, 16, 1152, 4, 8, 8, false}},
  {{7, 7, 360, 1432, 1, 1, true, 1, false, 0}, {false, 179, 16, true, 1, 90, 4, 8, 8, true}},
  {{14, 14, 64, 16, 9, 1, false, 1, false, 0}, {false, 8, 12, false, 64.0 / 56, 144, 1, 4, 1, false}},
  {{14, 14, 128, 32, 9, 1, false, 1, false, 0}, {false, 8, 12, false, 64.0 / 28, 288, 2, 4, 2, false}},
  {{14, 14, 64, 64, 9, 1, false, 1, false, 0}, {false, 8, 12, false, 64.0 / 28, 144, 2, 8, 4, false}},
  {{64, 64, 512, 4, 9, 1, false, 1, false, 0}, {false, 16, 12, false, 1, 1152, 2, 8, 4, false}},
  {{7, 7, 112, 112, 9, 1, false, 1, false, 0}, {false, 16, 12, false, 64.0 / 7, 252, 1, 4, 1, false}},
  {{56, 56, 32, 256, 9, 1, false, 1, false, 0}, {false, 224, 12, true, 8, 72, 4, 8, 8, false}},
  {{56, 56, 32, 256, 1, 1, true, 1, false, 0}, {false, 224, 16, true, 8, 8, 4, 8, 8, true}},
  {{28, 28, 12, 96, 9, 8, false, 1, false, 0}, {false, 56, 12, false, 6.4, 27, 4, 4, 4, false}},
  {{112, 112, 3, 32, 9, 1, false, 1, false, 0}, {true, 98, 0, false, 1, 9, 1, 0, 8, false}},
  {{56, 56, 32, 32, 1, 1, true, 1, false, 0}, {true, 24.5, 0, false, 1, 8, 1, 0, 8, true}},
  {{56, 56, 64, 28, 1, 1, true, 1, false, 0}, {true, 24.5, 0, false, 1, 16, 1, 0, 7, true}},
  {{56, 56, 64, 32, 1, 1, true, 1, false, 0}, {false, 28, 16, true, 64.0 / 56, 16, 4, 8, 8, true}},
  {{56, 56, 4, 36, 1, 1, true, 1, false, 0}, {false, 42, 16, true, 64.0 / 28, 1, 4, 8, 8, true}},
  {{14, 14, 72, 18, 1, 1, true, 1, false, 0}, {true, 1.53125, 0, false, 1, 18, 1, 0, 5, true}},
  {{8, 8, 64, 96, 9, 1, false, 1, false, 0}, {false, 12, 12, false, 8, 144, 1, 4, 1, false}},
  {{8, 8, 64, 192, 9, 1, false, 1, false, 0}, {false, 12, 12, false, 16, 144, 2, 4, 2, false}},
  {{8, 8, 64, 384, 9, 1, false, 1, false, 0}, {false, 12, 12, false, 16, 144, 2, 8, 4, false}},
  {{16, 16, 512, 4, 9, 1, false, 1, false, 0}, {false, 2, 12, false, 1, 1152, 1, 4, 1, false}},
  {{7, 7, 512, 4, 9, 1, false, 1, false, 0}, {false, 1, 12, false, 1, 1152, 1, 4, 1, false}},
  {{28, 28, 12, 60, 9, 5, false, 1, false, 0}, {false, 28, 12, false, 64.0 / 14, 27, 4, 4, 4, false}},
  {{577, 1, 768, 512, 1, 1, true, 1, true, 0}, {false, 76, 16, true, 16, 192, 4, 8, 8, true}},
  {{56, 1, 16, 8, 1, 1, true, 1, true, 0}, {false, 2, 16, false, 64.0 / 56, 4, 1, 4, 1, true}},
};

START_TEST(launched)
{
  static const int resident[2] = {16, 12};
  const struct hs_launch *is = &launches[_i].is;
  struct hs_launch l;
  hs_launch_choose(&launches[_i].conv, 2, resident, &l);
  ck_assert_int_eq(l.constant, is->constant);
  ck_assert_near(l.waves, is->waves);
  ck_assert_near(l.held, is->held);
  ck_assert_int_eq(l.full, is->full);
  ck_assert_int_eq(l.pixelwise, is->pixelwise);
  ck_assert_near(l.slices, is->slices);
  ck_assert_near(l.steps, is->steps);
  ck_assert_int_eq(l.pixels, is->pixels);
  ck_assert_int_eq(l.weights, is->weights);
  ck_assert_int_eq(l.outputs, is->outputs);
}
END_TEST

/* On a Mali, by 12 cores with warps of 8. Outputs of an item by those of each core, 4 channels as one: 56×56, 64 channels: 4181, more than 16 · 256, so 2 × 2
 * pixels by 2 slices, a grid of 28 × 28 × 8, in 28 groups of 28 × 1 × 8; on a core 3, of 28 warps each. Each group reads all weights, 64 · 64. As 3×3 an item
 * computes 2 × 1 by 2 slices at most, or on Valhall what the 1×1 does: there in warps of 16, 14 to a group. 48×48, 64 channels: 3072, 4 outputs, in groups of
 * 24 × 1 × 8, 24 warps, of which a core has 4. 112×112, 12 channels: 3136, but 3 slices aren't divided by 2, so 2 × 2 pixels, in 56 groups of 56 × 1 × 3. 7×7,
 * 512 channels: 522, 2 pixels: 4 × 7 × 128 in groups of 4 × 4 × 16, of which each eight read all weights; on a core 2, of 32 warps. 4×4, 64 channels: 21, one:
 * of 16 slices a group has all, and of 4 rows the half. 16×16, 48 channels: 256, which isn't more: 16 × 16 × 12 in groups of 16 × 1 × 12; one column more is,
 * 2 pixels: 9 × 2 × 12. 48×48, 32 channels: 1536, not more than 6 · 256, nor 64×64, 48 channels, more than 16 · 256. Products of Winograd, 196 tiles of 36 places:
 * 4 tiles by 2 slices, 49 × 36 × 8 in 72 groups of 32 × 1 × 8, where two read the weights of a place; 36 · 64 · 64 are all. 28×28, 32 channels
 * of 4 groups: 14 × 28 × 8 in 14 groups of 14 × 2 × 8, each of which reads 9 · 32 · 8 weights. How many tiles an item computes is chosen by the image: 28 × 28 are
 * 1045 outputs a core, 2 tiles by one slice, 25 × 36 × 16 in 72 groups of 16 × 1 × 16, two for the weights of a place. 60 channels of 5 groups have an odd number of
 * slices each: 2 pixels by one, 28 × 56 × 15 in 112 groups of 17 × 1 × 15. 577 rows of 512 features: 4 by 2 slices, 145 × 64 in 40 groups of 16 × 16, of which ten
 * read all. 12 matrices of 197 × 197: 50 × 12 × 25 in 60 groups of 50 × 1 × 5, each of a matrix. */
static const struct {
  struct hs_launch_conv conv;
  int warp, window_outputs;
  struct hs_launch_mali is;
} on_malis[] = {
  {{56, 56, 64, 64, 1, 1, true, 1, false, 0}, 8, 4, {84, 16, 4, 8, 28 * 4096.0, 3136 * 64}},
  {{56, 56, 64, 64, 9, 1, false, 1, false, 0}, 8, 4, {140, 144, 2, 8, 56 * 9 * 4096.0, 3136 * 64}},
  {{56, 56, 64, 64, 9, 1, false, 1, false, 0}, 16, 8, {42, 144, 4, 8, 28 * 9 * 4096.0, 3136 * 64}},
  {{48, 48, 64, 64, 1, 1, true, 1, false, 0}, 8, 4, {96, 16, 2, 8, 48 * 4096.0, 2304 * 64}},
  {{112, 112, 16, 12, 1, 1, true, 1, false, 0}, 8, 4, {105, 4, 4, 4, 56 * 192.0, 12544 * 12}},
  {{7, 7, 512, 512, 9, 1, false, 1, false, 0}, 8, 4, {64, 1152, 2, 4, 2 * 9 * 262144.0, 49 * 512}},
  {{4, 4, 64, 64, 1, 1, true, 1, false, 0}, 8, 4, {16, 16, 1, 4, 2 * 4096.0, 16 * 64}},
  {{16, 16, 64, 48, 1, 1, true, 1, false, 0}, 8, 4, {48, 16, 1, 4, 16 * 3072.0, 256 * 48}},
  {{17, 16, 64, 48, 1, 1, true, 1, false, 0}, 8, 4, {27, 16, 2, 4, 8 * 3072.0, 272 * 48}},
  {{48, 48, 64, 32, 1, 1, true, 1, false, 0}, 8, 4, {96, 16, 2, 4, 48 * 2048.0, 2304 * 32}},
  {{64, 64, 64, 48, 1, 1, true, 1, false, 0}, 8, 4, {144, 16, 2, 8, 64 * 3072.0, 4096 * 48}},
  {{196, 36, 64, 64, 1, 1, true, 36, false, 0}, 8, 4, {192, 16, 4, 8, 2 * 36 * 4096.0, 196 * 36 * 64}},
  {{28, 28, 8, 32, 9, 4, false, 1, false, 0}, 8, 4, {56, 18, 2, 4, 14 * 9 * 256.0, 784 * 32}},
  {{49, 36, 64, 64, 1, 1, true, 36, false, 784}, 8, 4, {192, 16, 2, 4, 72 * 4096.0, 49 * 36 * 64}},
  {{56, 56, 12, 60, 9, 5, false, 1, false, 0}, 8, 4, {320, 27, 2, 4, 112 * 27 * 240.0, 3136 * 60}},
  {{577, 1, 768, 512, 1, 1, true, 1, true, 0}, 8, 4, {128, 192, 4, 8, 10 * 393216.0, 577 * 512}},
  {{197, 12, 64, 197, 1, 1, true, 12, true, 0}, 8, 4, {160, 16, 4, 8, 12 * 64 * 200.0, 197 * 12 * 200}},
};

START_TEST(launched_on_mali)
{
  const struct hs_launch_mali *is = &on_malis[_i].is;
  struct hs_launch_mali l;
  hs_launch_choose_mali(&on_malis[_i].conv, 12, on_malis[_i].warp, on_malis[_i].window_outputs, &l);
  ck_assert_near(l.warps, is->warps);
  ck_assert_near(l.steps, is->steps);
  ck_assert_int_eq(l.pixels, is->pixels);
  ck_assert_int_eq(l.weights, is->weights);
  ck_assert_near(l.weights_read, is->weights_read);
  ck_assert_near(l.written, is->written);
}
END_TEST

static void launch_on_gpu(struct fixture *f, struct hs_kernel *k)
{
  own_kernel(f, 1, k)->launch = (struct hs_kernel_launch){2, {16, 12}, 2, 3, 4, 6, 0.5, {0.9, 0.7}, {0.2, 0.6}, 1.5, 0.25};
  k->n_knots = 2;
  k->knot_ln[0] = 0;
  k->knot_frac[0] = 1;
  k->knot_ln[1] = 1;
  k->knot_frac[1] = 1;
}

static double ln_size(const struct fixture *f)
{
  struct hs_portion gpu = hs_portion_whole(&f->sys, f->graph, f->graph->ops, 1);
  return hs_products_ln_size(&gpu);
}

/* 8 MAC/cycle at 0.5, whatever the curve says, which is over other work. 3×3 on 7×7 with 512 channels: on each of 2 units a round of 12 waves with 64
 * items, of which 8 are there: 0.7 + 0.6 · 2/3 = 1.1 rounds. Each item has 1152 steps of 4 · 2 for pixels, 8 for weights, of which a wave needs those of 16
 * slices: 8 · (1 + ln 16 / 2), and 4, and 8 · 6 for what is written; as many MACs as 128 for each 20 reads. By rows of the upper half, 4: 2 × 1 pixels
 * and 2 slices at 14 waves, 4 × 4 × 64 items in groups of 4 × 1 × 64, so as many waves, whose steps have 2 · 2 for pixels, and 4 · 6 written, and which
 * compute less than most: 1.5 rounds. */
START_TEST(launched_cycles)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,7,7,512]", "'op': 'Conv', 'channels': 512, 'kernel': [3,3], 'pad': 'same'", 0, 4, 0);
  launch_on_gpu(&f, &k);
  double items = 12 * 2 * 64, weights = 8 + 4 * log(16);
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 1.1 * items * (1152 * (8 + weights + 4) + 48) * 6.4 / 4);
  ck_assert_near(cost(&f, 0, 1, (struct hs_range){HS_SPLIT_HEIGHT, 0, 4}).cycles[0], 1.5 * items * (1152 * (4 + weights + 4) + 24) * 6.4 / 4);
  ck_assert(isinf(ln_size(&f)));
  fixture_free(&f);
}
END_TEST

/* The same convolution by the units of the phone's file, if that tells them: 49 waves on one unit are blocks of 2 × 2 pixels and 2 slices, whose 4 groups have
 * 16 waves, 2 rounds of 12 of which the second has 4: 1.3 and 0.9. Three have 16.3 each: 2 × 1 pixels, a grid of 4 × 7 × 64 in 7 groups of 4 waves, of which a
 * unit has 3: 12 waves that compute less than most, half of what there may be of these, 1.5. Weights in constants, 3 channels to 32, are an item per pixel
 * however many units there are. */
START_TEST(launched_on_units)
{
  static const struct {
    int units;
    double rounds, pixels, written;
  } is[] = {{0, 1.1, 8, 48}, {1, 2.2, 8, 48}, {2, 1.1, 8, 48}, {3, 1.5, 4, 24}};
  struct fixture f;
  struct hs_kernel k;
  int *units;
  make(&f, "[1,7,7,512]", "'op': 'Conv', 'channels': 512, 'kernel': [3,3], 'pad': 'same'", 0, 4, 0);
  launch_on_gpu(&f, &k);
  units = &f.soc->processors[1].domains[0].compute_units;
  for (int i = 0; i < 4; i++) {
    *units = is[i].units;
    double items = is[i].rounds * 12 * (*units ? *units : 2) * 64, reads = 1152 * (is[i].pixels + 8 + 4 * log(16) + 4) + is[i].written;
    ck_assert_near(cost(&f, 0, 1, whole).cycles[0], items * reads * 6.4 / 4);
  }
  fixture_free(&f);
  make(&f, "[1,112,112,3]", "'op': 'Conv', 'channels': 32, 'kernel': [3,3], 'pad': 'same'", 0, 4, 0);
  launch_on_gpu(&f, &k);
  units = &f.soc->processors[1].domains[0].compute_units;
  for (*units = 1; *units <= 3; ++*units) {
    ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 12544.0 * 9 * 16 * 8 / 0.25 / 8);
    ck_assert_near(ln_size(&f), log(12544));
  }
  fixture_free(&f);
}
END_TEST

/* 1×1, 64 channels to 32 on 56×56: 16 waves a round, 28 of them: 1.1 and 0.9 + 0.2 · 12/16 rounds; 16 steps of 8 + 8 · (1 + ln(64/56) / 2) + 3, a
 * loop's cost of its own, 48 written, 128 MACs for each 19 reads. Constants, 28 channels: the curve is theirs, over an item per pixel. */
START_TEST(launched_pixelwise)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,56,56,64]", "'op': 'Conv', 'channels': 32, 'kernel': [1,1]", 0, 4, 0);
  launch_on_gpu(&f, &k);
  k.knot_frac[0] = k.knot_frac[1] = 0.5;
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 2.15 * 16 * 2 * 64 * (16 * (19 + 4 * log(64.0 / 56)) + 48) * 128 / 19 / 4);
  fixture_free(&f);
  /* what skips goes through a loop over a window of one pixel, in 12 waves a round: 1.3 and 1.3 of two, and a third of one for 4 more; its rate is that of
   * 1×1 all the same */
  make(&f, "[1,112,112,64]", "'op': 'Conv', 'channels': 32, 'kernel': [1,1], 'stride': [2,2]", 0, 4, 0);
  launch_on_gpu(&f, &k);
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], (2.6 + 1.0 / 3) * 12 * 2 * 64 * (16 * (20 + 4 * log(64.0 / 56)) + 48) * 128 / 19 / 4);
  fixture_free(&f);
  make(&f, "[1,56,56,64]", "'op': 'Conv', 'channels': 28, 'kernel': [1,1]", 0, 4, 0);
  launch_on_gpu(&f, &k);
  ck_assert_near(ln_size(&f), log(3136));
  double cycles = cost(&f, 0, 1, whole).cycles[0];
  k.knot_frac[0] = k.knot_frac[1] = 0.5;
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 2 * cycles);
  fixture_free(&f);
}
END_TEST

/* Rows of features are pixels; a convolution's are, where one pixel in the same place is all that it reads. */
START_TEST(pixel_by_pixel)
{
  static const struct {
    const char *op;
    bool is;
  } ops[] = {
    {"'op': 'Conv', 'channels': 8, 'kernel': [1,1]", true},
    {"'op': 'Conv', 'channels': 8, 'kernel': [1,1], 'group': 2", true},
    {"'op': 'Conv', 'channels': 8, 'kernel': [1,3], 'pad': 'same'", false},
    {"'op': 'Conv', 'channels': 8, 'kernel': [1,1], 'stride': [1,2]", false},
    {"'op': 'Conv', 'channels': 8, 'kernel': [1,1], 'dilation': [2,1]", false},
    {"'op': 'Conv', 'channels': 8, 'kernel': [1,1], 'pad': [1,0,0,0]", false},
    {"'op': 'Conv', 'channels': 8, 'kernel': [1,1], 'pad': [0,0,0,1]", false},
    {"'op': 'Gemm', 'channels': 8", true},
  };
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    struct fixture f;
    make(&f, i + 1 < sizeof ops / sizeof *ops ? "[1,6,6,4]" : "[6,4]", ops[i].op, 0, 4, 0);
    ck_assert_msg(hs_op_is_pixelwise(f.graph->ops) == ops[i].is, "%s", ops[i].op);
    fixture_free(&f);
  }
}
END_TEST

/* Products of matrices are rows of an image each: three of 48 × 48 are 24 × 3 × 12 items, two pixels each, in 6 groups of 21 × 1 × 12: on a
 * unit three, of 4 waves. */
START_TEST(launched_matrices)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(0, 4, 0, 0), &s);
  fixture_graph(&f, "[3,48,48]", "{'name': 'o', 'op': 'MatMul', 'inputs': ['x', 'x']}", "'o'");
  launch_on_gpu(&f, &k);
  double reads = 12 * (2 * 2 + 4 * (1 + log(64.0 / 21) / 2) + 3) + 2 * 6;
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 1.5 * 16 * 2 * 64 * reads * 128 / 19 / 4);
  fixture_free(&f);
}
END_TEST

static void mali_on_gpu(struct fixture *f, struct hs_kernel *k)
{
  own_kernel(f, 1, k)->mali = (struct hs_kernel_mali){12, 8, 4, 512, 3, {0.6, 0.4}, 0.8, 0.5, 2, 4};
}

/* 8 MAC/cycle at 0.5, by 12 cores. 1×1, 64 channels on 56×56: 84 warps on a core, 672 items, 1.3125 of 512, each with 16 steps of 4 · 3 for pixels, 8 for weights
 * and 32 for products, 128 MACs for each 52 of these; elements of 4 bytes, 28 · 4096 weights at 0.5 cycles a byte of a core and 200 704 written at 2. Two
 * rows have 56 · 2 · 16 / 12 = 149 outputs a core, one an item, whose steps take 3 + 4 + 4: 4 · 2 groups of 16 × 1 × 16, of which a core has one, half of the
 * 512 items: 0.6 + 0.4 / 2. On 24 cores too, where fewer share what is moved. */
START_TEST(mali_cycles)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,56,56,64]", "'op': 'Conv', 'channels': 64, 'kernel': [1,1]", 0, 4, 0);
  mali_on_gpu(&f, &k);
  double moved = 4 * (28 * 4096 * 0.5 + 200704 * 2) / 12;
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 1.3125 * 512 * 12 * 16 * 128 / 4 + moved);
  ck_assert(isinf(ln_size(&f)));
  struct hs_range two = {HS_SPLIT_HEIGHT, 0, 2};
  moved = 4 * (8 * 4096 * 0.5 + 7168 * 2);
  ck_assert_near(cost(&f, 0, 1, two).cycles[0], 0.8 * 512 * 12 * 16 * 11 * 128 / 52 / 4 + moved / 12);
  k.mali.cores = 24; /* the phone's file doesn't tell them */
  ck_assert_near(cost(&f, 0, 1, two).cycles[0], 0.8 * 512 * 24 * 16 * 11 * 128 / 52 / 4 + moved / 24);
  k.mali.cores = 12;
  f.soc->processors[1].domains[0].compute_units = 24;
  ck_assert_near(cost(&f, 0, 1, two).cycles[0], 0.8 * 512 * 24 * 16 * 11 * 128 / 52 / 4 + moved / 24);
  fixture_free(&f);
}
END_TEST

/* What goes through a loop over the window waits by its own number, a 1×1 that skips, too: 7 × 7 outputs of 512 channels are 64 warps, 512 items, which is all
 * that a core needs; of 256 channels 261 outputs a core, 2 an item: 8 groups of 4 × 4 × 16, one of 32 warps on a core, half of it: 0.4 + 0.6 / 2, and steps
 * of 2 · 3 + 4 + 8. */
START_TEST(mali_waits)
{
  static const struct {
    int channels;
    double times;
  } is[] = {{512, 1}, {256, 0.7}};
  for (int i = 0; i < 2; i++) {
    struct fixture f;
    struct hs_kernel k;
    char op[120];
    snprintf(op, sizeof op, "'op': 'Conv', 'channels': %d, 'kernel': [1,1], 'stride': [2,2]", is[i].channels);
    make(&f, "[1,13,13,64]", op, 0, 4, 0);
    mali_on_gpu(&f, &k);
    k.mali.weight_cycles_per_byte = k.mali.store_cycles_per_byte = 0;
    ck_assert_near(cost(&f, 0, 1, whole).cycles[0], is[i].times * 512 * 12 * 16 * 18 * 128 / 52 / 4);
    fixture_free(&f);
  }
}
END_TEST

/* By Winograd, 3×3 with 64 channels on 56×56, 196 tiles: 192 warps on a core, 3 · 512 items, of which the last take 0.8, that read 72 times the weights of a
 * place, 64 · 64, and write 36 of each tile; as much, and what is read, is transformed at 4 cycles a byte; and three kernels begin. With 60 channels, 15
 * slices, it's a loop over the window in one: 56 groups, 5 of 28 warps on a core, 1120 items, 2.1875 of 512, with 144 steps of 2 · 3 + 8 + 16. */
START_TEST(mali_winograd)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,56,56,64]", "'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'", 100, 4, 0);
  under(&f, "tflite");
  mali_on_gpu(&f, &k);
  double moved = 4 * (72 * 4096 * 0.5 + 196 * 36 * 64 * 2 + 196 * 36 * 128 * 4) / 12;
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 300 + 2.8 * 512 * 12 * 16 * 128 / 4 + moved);
  ck_assert_near(hs_cost_kept_weights(&f.sys, f.graph, f.graph->ops, 1, whole), 36 * 4096);
  fixture_free(&f);
  make(&f, "[1,56,56,64]", "'op': 'Conv', 'channels': 60, 'kernel': [3,3], 'pad': 'same'", 100, 4, 0);
  under(&f, "tflite");
  mali_on_gpu(&f, &k);
  k.mali.weight_cycles_per_byte = k.mali.store_cycles_per_byte = 0;
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 100 + 2.15 * 512 * 12 * 144 * 30 * 128 / 52 / 4);
  ck_assert_near(hs_cost_kept_weights(&f.sys, f.graph, f.graph->ops, 1, whole), 0);
  fixture_free(&f);
}
END_TEST

/* Cycles of a convolution on an Adreno or a Mali of an image of 32 × 32 with a border of a pixel: its own; a Pad's that is compiled into it; a Pad's that is
 * written; or of the image with that border. */
enum border { OWN, INSIDE, WRITTEN, PART_OF_IMAGE };

static double bordered(const char *conv, bool mali, enum border border)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_settings s = on_mace();
  struct hs_work w;
  bool pad = border == INSIDE || border == WRITTEN;
  char ops[600];
  fixture_make(&f, NULL, fixture_profile(0, 4, 0, 0), &s);
  snprintf(ops, sizeof ops, "%s{'name': 'o', 'op': 'Conv', 'inputs': ['%s'], %s, 'pad': %s}",
           pad ? "{'name': 'p', 'op': 'Pad', 'inputs': ['x'], 'pads': [[0,0],[1,1],[1,1],[0,0]]}, " : "", pad ? "p" : "x", conv,
           border == OWN ? "[1,1,1,1]" : "'valid'");
  fixture_graph(&f, border == PART_OF_IMAGE ? "[1,34,34,72]" : "[1,32,32,72]", ops, "'o'");
  under(&f, "tflite");
  (mali ? mali_on_gpu : launch_on_gpu)(&f, &k);
  k.fuses_light = true;
  hs_cost_exec_bordered(&f.sys, f.graph, &f.graph->ops[pad], 1, whole, (struct hs_border){0, 0}, border == WRITTEN, &w);
  fixture_free(&f);
  return w.cycles[0];
}

/* A border that isn't in memory makes a 1×1 go through a loop over the window, and counts no pixels for how many outputs Winograd's items compute: 1536 of four
 * channels on a core, two an item, where 34 × 34 pixels would have 1734, four an item. */
START_TEST(borders)
{
  static const char *const convs[] = {"'channels': 64, 'kernel': [1,1]", "'channels': 72, 'kernel': [3,3]"};
  for (int i = 0; i < 4; i++) {
    const char *conv = convs[i / 2];
    double own = bordered(conv, i % 2, OWN), image = bordered(conv, i % 2, PART_OF_IMAGE);
    ck_assert_near(bordered(conv, i % 2, INSIDE), own);
    ck_assert_near(bordered(conv, i % 2, WRITTEN), image);
    ck_assert(i == 2 ? own == image : own > image * 1.001 || own < image * 0.999); /* to a 3×3 on the Adreno a border is nothing */
  }
}
END_TEST

/* A short reduction costs constants as it does grouped convolutions, whose depth is 16 (14 channels are four slices, too) and 36 here; others' items count what
 * they read. A unit has 56 waves of the grouped one's, which compute less than most: rounds of 24. */
START_TEST(launched_shallow)
{
  static const char *const shapes[] = {"[1,10,10,16]", "[1,10,10,14]"};
  struct fixture f;
  struct hs_kernel k;
  for (int i = 0; i < 2; i++) {
    make(&f, shapes[i], "'op': 'Conv', 'channels': 8, 'kernel': [1,1]", 0, 4, 16);
    launch_on_gpu(&f, &k);
    ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 2 * 6400.0);
    fixture_free(&f);
  }
  make(&f, "[1,28,28,32]", "'op': 'Conv', 'channels': 96, 'kernel': [3,3], 'group': 8, 'pad': 'same'", 0, 4, 0);
  launch_on_gpu(&f, &k);
  double before = cost(&f, 0, 1, whole).cycles[0];
  ck_assert_near(before, 56.0 / 24 * 12 * 2 * 64 * (9 * (8 + 4 + 2 * log(6.4) + 4) + 24) * 6.4 / 4);
  k.reduction_half_grouped = 36;
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 2 * before);
  fixture_free(&f);
}
END_TEST

/* 1×1, 16 channels to 8 on 10×10: constants, 100 items of 4 steps that multiply 4 by 8 each: 12 800 MACs, 8 a cycle at 0.25. 100 rows of
 * features are no image, and have no constants: 4 waves, 1.5 rounds of 16 of items that compute less than most, with 4 steps of 2 + 4 + 3 and 6 written.
 * Depthwise 3×3 that skips pixels: twice the work by its factor, 5·5·8·9 / 4 cycles. */
START_TEST(launched_otherwise)
{
  struct fixture f;
  struct hs_kernel k;
  make(&f, "[1,10,10,16]", "'op': 'Conv', 'channels': 8, 'kernel': [1,1]", 0, 4, 0);
  launch_on_gpu(&f, &k);
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 6400.0);
  fixture_free(&f);
  make(&f, "[100,16]", "'op': 'Gemm', 'channels': 8", 0, 4, 0);
  launch_on_gpu(&f, &k);
  ck_assert_int_eq(hs_class_on(&f.sys, f.graph, f.graph->ops, 1), HS_CLASS_CONV_1X1);
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 1.5 * 16 * 2 * 64 * 42 * 128 / 19 / 4);
  fixture_free(&f);
  make(&f, "[1,10,10,8]", "'op': 'DepthwiseConv', 'kernel': [3,3], 'stride': [2,2], 'pad': 'same'", 0, 4, 0);
  own_kernel(&f, 1, &k)->strided_depthwise_factor = 2;
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 900.0);
  k.strided_depthwise_factor = 1;
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 450.0);
  fixture_free(&f);
  static const char *const one_way[] = {"'op': 'DepthwiseConv', 'kernel': [3,3], 'stride': [2,1], 'pad': 'same'",
                                        "'op': 'DepthwiseConv', 'kernel': [3,3], 'stride': [1,2], 'pad': 'same'"};
  for (int i = 0; i < 2; i++) {
    make(&f, "[1,10,10,8]", one_way[i], 0, 4, 0);
    own_kernel(&f, 1, &k)->strided_depthwise_factor = 2;
    ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 1800.0);
    fixture_free(&f);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, launched, 0, sizeof launches / sizeof *launches);
  tcase_add_loop_test(t, launched_on_mali, 0, sizeof on_malis / sizeof *on_malis);
  tcase_add_test(t, launched_cycles);
  tcase_add_test(t, launched_on_units);
  tcase_add_test(t, launched_pixelwise);
  tcase_add_test(t, pixel_by_pixel);
  tcase_add_test(t, launched_matrices);
  tcase_add_test(t, mali_cycles);
  tcase_add_test(t, mali_waits);
  tcase_add_test(t, mali_winograd);
  tcase_add_test(t, borders);
  tcase_add_test(t, launched_shallow);
  tcase_add_test(t, launched_otherwise);
}

int main(void) { return hs_test_main("launch", fill); }
