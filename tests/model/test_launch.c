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
 * 4 × 1 × 48, 3 waves each. With 4 channels a group would have all rows: of 16 it takes half, and each unit has one, but 7 aren't halved. */
static const struct {
  struct hs_launch_conv conv;
  struct hs_launch is;
} launches[] = {
  {{7, 7, 512, 512, 9, 1, false}, {false, 8, 12, true, 16, 1152, 4, 8, 8, false}},
  {{7, 7, 360, 1432, 1, 1, true}, {false, 179, 16, true, 1, 90, 4, 8, 8, true}},
  {{14, 14, 64, 16, 9, 1, false}, {false, 8, 12, false, 64.0 / 56, 144, 1, 4, 1, false}},
  {{14, 14, 128, 32, 9, 1, false}, {false, 8, 12, false, 64.0 / 28, 288, 2, 4, 2, false}},
  {{14, 14, 64, 64, 9, 1, false}, {false, 8, 12, false, 64.0 / 28, 144, 2, 8, 4, false}},
  {{64, 64, 512, 4, 9, 1, false}, {false, 16, 12, false, 1, 1152, 2, 8, 4, false}},
  {{7, 7, 112, 112, 9, 1, false}, {false, 16, 12, false, 64.0 / 7, 252, 1, 4, 1, false}},
  {{56, 56, 32, 256, 9, 1, false}, {false, 224, 12, true, 8, 72, 4, 8, 8, false}},
  {{56, 56, 32, 256, 1, 1, true}, {false, 224, 16, true, 8, 8, 4, 8, 8, true}},
  {{28, 28, 12, 96, 9, 8, false}, {false, 56, 12, false, 6.4, 27, 4, 4, 4, false}},
  {{112, 112, 3, 32, 9, 1, false}, {true, 98, 0, false, 1, 9, 1, 0, 8, false}},
  {{56, 56, 32, 32, 1, 1, true}, {true, 24.5, 0, false, 1, 8, 1, 0, 8, true}},
  {{56, 56, 64, 28, 1, 1, true}, {true, 24.5, 0, false, 1, 16, 1, 0, 7, true}},
  {{56, 56, 64, 32, 1, 1, true}, {false, 28, 16, true, 64.0 / 56, 16, 4, 8, 8, true}},
  {{56, 56, 4, 36, 1, 1, true}, {false, 42, 16, true, 64.0 / 28, 1, 4, 8, 8, true}},
  {{14, 14, 72, 18, 1, 1, true}, {true, 1.53125, 0, false, 1, 18, 1, 0, 5, true}},
  {{8, 8, 64, 96, 9, 1, false}, {false, 12, 12, false, 8, 144, 1, 4, 1, false}},
  {{8, 8, 64, 192, 9, 1, false}, {false, 12, 12, false, 16, 144, 2, 4, 2, false}},
  {{8, 8, 64, 384, 9, 1, false}, {false, 12, 12, false, 16, 144, 2, 8, 4, false}},
  {{16, 16, 512, 4, 9, 1, false}, {false, 2, 12, false, 1, 1152, 1, 4, 1, false}},
  {{7, 7, 512, 4, 9, 1, false}, {false, 1, 12, false, 1, 1152, 1, 4, 1, false}},
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

/* 1×1, 16 channels to 8 on 10×10: constants, 100 items of 4 steps that multiply 4 by 8 each: 12 800 MACs, 8 a cycle at 0.25. A row of features is no
 * image, 100 of them are convolved: the same MACs. Depthwise 3×3 that skips pixels: twice the work by its factor, 5·5·8·9 / 4 cycles. */
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
  ck_assert_near(cost(&f, 0, 1, whole).cycles[0], 6400.0);
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
  tcase_add_test(t, launched_cycles);
  tcase_add_test(t, launched_on_units);
  tcase_add_test(t, launched_pixelwise);
  tcase_add_test(t, launched_matrices);
  tcase_add_test(t, launched_shallow);
  tcase_add_test(t, launched_otherwise);
}

int main(void) { return hs_test_main("launch", fill); }
