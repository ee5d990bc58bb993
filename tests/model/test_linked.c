/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that cost nothing of their own, because another kernel computes them. */
#include "tests/model/costs.h"

/* r is the only reader of what a computes: it costs what it computes, no start-up and no traffic. a reads the network's input, which no kernel
 * computes: it is one of its own, and so is q, whose operand the network returns, too. Pad, which one pooling reads, is free; not where it reflects. */
START_TEST(light_operators_fuse)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_work w, plain_relu;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
  fixture_graph(&f, "[1,10,10,8]",
                "{'name': 'a', 'inputs': ['x'], 'op': 'Sigmoid'}, {'name': 'r', 'inputs': ['a'], 'op': 'Sigmoid'}, "
                "{'name': 'q', 'inputs': ['r'], 'op': 'Sigmoid'},"
                "{'name': 'p', 'inputs': ['q'], 'op': 'Pad', 'pads': [[0,0],[0,2],[0,2],[0,0]]}, "
                "{'name': 'm', 'inputs': ['p'], 'op': 'MaxPool', 'kernel': [3,3], 'pad': 'valid'}",
                "'r', 'm'");
  plain_relu = cost(&f, 1, 1, whole);
  ck_assert_near(plain_relu.bytes, 4 * 1600.0);
  own_kernel(&f, 1, &k)->fuses_light = true;
  w = cost(&f, 1, 1, whole);
  ck_assert_near(w.cycles[0], plain_relu.cycles[0] - 100);
  ck_assert_near(w.bytes, 0.0);
  for (int i = 0; i < 3; i += 2) {
    w = cost(&f, i, 1, whole);
    ck_assert(w.cycles[0] > 100 && w.bytes > 0);
  }
  w = cost(&f, 3, 1, whole);
  ck_assert_near(w.cycles[0], 0.0);
  ck_assert_near(w.bytes, 0.0);
  f.graph->ops[3].at.reflect = true;
  w = cost(&f, 3, 1, whole);
  ck_assert(w.cycles[0] > 100 - 1e-9 && w.bytes > 0);
  fixture_free(&f);
}
END_TEST

/* Pads of two branches, in whatever order the file has them: each is its own window's, which reads no border then: 10·10·8 instead of 14·14·8 elements. What an
 * element-wise operator reads, or the network returns, isn't. */
START_TEST(pads_of_branches)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
  fixture_graph(&f, "[1,10,10,8]",
                "{'name': 'p', 'inputs': ['x'], 'op': 'Pad', 'pads': [[0,0],[1,1],[1,1],[0,0]]}, "
                "{'name': 'q', 'inputs': ['x'], 'op': 'Pad', 'pads': [[0,0],[2,2],[2,2],[0,0]]}, "
                "{'name': 't', 'inputs': ['x'], 'op': 'Pad', 'pads': [[0,0],[1,1],[1,1],[0,0]]}, "
                "{'name': 'u', 'inputs': ['x'], 'op': 'Pad', 'pads': [[0,0],[1,1],[1,1],[0,0]]}, "
                "{'name': 'a', 'inputs': ['p'], 'op': 'Conv', 'channels': 8, 'kernel': [3,3]}, "
                "{'name': 'm', 'inputs': ['q'], 'op': 'MaxPool', 'kernel': [5,5], 'pad': 'valid'}, "
                "{'name': 'r', 'inputs': ['t'], 'op': 'Relu'}, {'name': 'v', 'inputs': ['u'], 'op': 'MaxPool', 'kernel': [3,3], 'pad': 'valid'}",
                "'a', 'm', 'r', 'u', 'v'");
  ck_assert_near(cost(&f, 5, 1, whole).bytes, 4 * (1568 + 800.0));
  own_kernel(&f, 1, &k)->fuses_light = true;
  ck_assert_near(cost(&f, 5, 1, whole).bytes, 4 * (800 + 800.0));
  ck_assert_near(cost(&f, 5, 1, (struct hs_range){HS_SPLIT_HEIGHT, 0, 5}).bytes, 4 * (9 * 14 * 8 * 800 / 1568. + 400));
  ck_assert_near(cost(&f, 7, 1, whole).bytes, 4 * (1152 + 800.0)); /* u is written, for the network returns it */
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(hs_cost_joined_to(&f.sys, f.graph, &f.graph->ops[i], 1), 4 + i);
    ck_assert_near(cost(&f, i, 1, whole).cycles[0], 0.0);
  }
  for (int i = 2; i < 4; i++) ck_assert_int_eq(hs_cost_joined_to(&f.sys, f.graph, &f.graph->ops[i], 1), -1);
  fixture_free(&f);
}
END_TEST

/* Of a product of two equal images the one computed last takes it, whichever is named first; of a difference, and of unequal images, the first, if
 * the other is there before it. What the other operand is read for remains: 4 bytes of each of 800 elements, or of 8. */
#define OF_A "{'name': 'b', 'inputs': ['a'], 'op': 'Sigmoid'}, "
#define OF_X "{'name': 'b', 'inputs': ['x'], 'op': 'Sigmoid'}, "
#define MEAN "{'name': 'g', 'inputs': ['x'], 'op': 'GlobalAveragePool'}, "
static const struct {
  const char *before, *op, *operands;
  double bytes; /* -1: a kernel of its own */
} sides[] = {
  {OF_A, "Mul", "'a', 'b'", 3200}, /* a has two readers more, b this one: x · f(x) */
  {OF_A, "Mul", "'b', 'a'", 3200},
  {OF_X, "Add", "'a', 'b'", 3200},
  {OF_X, "Add", "'x', 'b'", 3200},
  {OF_A, "Sub", "'a', 'b'", -1},
  {OF_A, "Sub", "'b', 'a'", 3200},
  {MEAN OF_X, "Mul", "'g', 'b'", -1}, /* g, one value per channel, isn't of b's size */
  {MEAN OF_X, "Mul", "'b', 'g'", 32},
  {OF_X MEAN, "Mul", "'g', 'b'", -1}, /* nor where it is computed last */
  {OF_X MEAN, "Mul", "'b', 'g'", -1}, /* where b is computed g isn't there yet */
};

START_TEST(linked_to_what_is_computed_last)
{
  struct fixture f;
  struct hs_kernel k;
  char ops[600];
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
  snprintf(ops, sizeof ops,
           "{'name': 'a', 'inputs': ['x'], 'op': 'Sigmoid'}, {'name': 'n', 'inputs': ['a'], 'op': 'Sigmoid'}, %s{'name': 'm', 'inputs': [%s], 'op': '%s'}",
           sides[_i].before, sides[_i].operands, sides[_i].op);
  fixture_graph(&f, "[1,10,10,8]", ops, "'a', 'n', 'm'");
  int last = f.graph->n_ops - 1;
  struct hs_work plain = cost(&f, last, 1, whole);
  own_kernel(&f, 1, &k)->fuses_light = true;
  struct hs_work w = cost(&f, last, 1, whole);
  bool linked = sides[_i].bytes >= 0;
  ck_assert_near(w.cycles[0], plain.cycles[0] - (linked ? 100 : 0));
  ck_assert_near(w.bytes, linked ? sides[_i].bytes : plain.bytes);
  fixture_free(&f);
}
END_TEST

/* Who reads a tensor twice, or writes a constant so, is one reader and reads it once: a square moves two images, and is part of the kernel that computes its
 * operand, unless somebody else reads that or it is a result. */
START_TEST(one_operand_twice)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
  fixture_graph(&f, "[1,10,10,8]",
                "{'name': 'a', 'inputs': ['x'], 'op': 'Sigmoid'}, {'name': 'm', 'inputs': ['a', 'a'], 'op': 'Mul'}, "
                "{'name': 'b', 'inputs': ['x'], 'op': 'Sigmoid'}, {'name': 'n', 'inputs': ['b', 'b'], 'op': 'Add'}, {'name': 'r', 'inputs': ['b'], 'op': 'Tanh'}, "
                "{'name': 'c', 'inputs': ['x'], 'op': 'Sigmoid'}, {'name': 'o', 'inputs': ['c', 'c'], 'op': 'Add'}",
                "'m', 'n', 'r', 'c', 'o'");
  const int twice[] = {1, 3, 6};
  for (int i = 0; i < 3; i++) {
    ck_assert_near(cost(&f, twice[i], 1, whole).bytes, 4 * 1600.0);
    ck_assert_near(cost(&f, twice[i], 1, (struct hs_range){HS_SPLIT_HEIGHT, 0, 5}).bytes, 4 * 800.0);
  }
  own_kernel(&f, 1, &k)->fuses_light = true;
  for (int i = 0; i < 3; i++) ck_assert_int_eq(hs_cost_joined_to(&f.sys, f.graph, &f.graph->ops[twice[i]], 1), i == 0 ? 0 : -1);
  ck_assert_near(cost(&f, 1, 1, whole).bytes, 0);
  fixture_free(&f);
}
END_TEST

/* A row of features is an image of one pixel, so that this Reshape is none: free where light operators are compiled in. */
static const struct {
  const char *shape;
  bool free;
} reshapes[] = {
  {"[1, 800]", false}, {"[1, 10, 80]", false}, {"[1, 1, 1, 800]", false}, {"[1, 10, 10, 8]", true}, {"[1, 100, 8]", false},
};

START_TEST(reshapes_to_the_same_image)
{
  struct fixture f;
  struct hs_kernel k;
  char ops[300];
  struct hs_settings s = on_mace();
  fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
  snprintf(ops, sizeof ops,
           "{'name': 'g', 'inputs': ['x'], 'op': 'GlobalAveragePool'}, {'name': 'row', 'inputs': ['g'], 'op': 'Reshape', 'shape': [1, 8]}, "
           "{'name': 'back', 'inputs': ['row'], 'op': 'Reshape', 'shape': [1, 1, 8]}, {'name': 'r', 'inputs': ['x'], 'op': 'Reshape', 'shape': %s}",
           reshapes[_i].shape);
  fixture_graph(&f, "[1,10,10,8]", ops, "'back', 'r'");
  for (int i = 1; i < 4; i++) {
    ck_assert(cost(&f, i, 1, whole).cycles[0] > 99);
    own_kernel(&f, 1, &k)->fuses_light = true;
    struct hs_work w = cost(&f, i, 1, whole);
    bool free = i < 3 || reshapes[_i].free;
    ck_assert((w.cycles[0] > 99) == !free);
    ck_assert((w.bytes > 0) == !free);
    k.fuses_light = false;
  }
  fixture_free(&f);
  make(&f, "[2,1,1,8]", "'op': 'Reshape', 'shape': [2, 8]", 100, 1, 0); /* two of them are two images */
  own_kernel(&f, 1, &k)->fuses_light = true;
  ck_assert(cost(&f, 0, 1, whole).cycles[0] < 99);
  fixture_free(&f);
}
END_TEST

/* A convolution of one pixel is a fully connected operator on TensorFlow Lite's GPU, at that one's rate; not on its CPU, in MACE, with more pixels or
 * with a window. */
static const struct {
  const char *shape, *kernel, *runtime;
  int processor;
  double slower;
} pixels[] = {
  {"[1,1,1,64]", "[1,1]", "tflite", 1, 2}, {"[3,1,1,64]", "[1,1]", "tflite", 1, 2}, {"[1,1,1,64]", "[1,1]", "tflite", 0, 1},
  {"[1,1,1,64]", "[1,1]", "mace", 1, 1},
  {"[1,1,2,64]", "[1,1]", "tflite", 1, 1}, {"[1,2,1,64]", "[1,1]", "tflite", 1, 1}, {"[1,3,3,64]", "[3,3]", "tflite", 1, 1},
};

START_TEST(convolution_of_one_pixel)
{
  struct fixture f;
  struct hs_kernel k;
  char op[100];
  int p = pixels[_i].processor;
  snprintf(op, sizeof op, "'op': 'Conv', 'channels': 32, 'kernel': %s", pixels[_i].kernel);
  make(&f, pixels[_i].shape, op, 0, 1, 0);
  f.sys.runtime = hs_runtime_find(pixels[_i].runtime);
  own_kernel(&f, p, &k);
  double cycles = cost(&f, 0, p, whole).cycles[0];
  k.efficiency[HS_CLASS_MATMUL] /= 2;
  ck_assert_near(cost(&f, 0, p, whole).cycles[0], pixels[_i].slower * cycles);
  ck_assert_int_eq(hs_class_on(&f.sys, f.graph, f.graph->ops, p) == HS_CLASS_MATMUL, pixels[_i].slower > 1);
  fixture_free(&f);
}
END_TEST

/* Through a Reshape that is taken out an operator is part of the kernel before that, if there is one and nobody else reads what it makes: not of the
 * network's input, nor of b, which r reads, too. */
START_TEST(linked_through_a_reshape)
{
  struct fixture f;
  struct hs_kernel k;
  struct hs_settings s = on_mace();
  const int through[] = {2, 4, 7}, joined_to[] = {1, -1, -1};
  fixture_make(&f, NULL, fixture_profile(100, 1, 0, 0), &s);
  fixture_graph(&f, "[1,10,10,8]",
                "{'name': 'a', 'inputs': ['x'], 'op': 'Sigmoid'}, {'name': 'p', 'inputs': ['a'], 'op': 'Reshape', 'shape': [1, 10, 10, 8]}, "
                "{'name': 'm', 'inputs': ['p'], 'op': 'Tanh'}, "
                "{'name': 'q', 'inputs': ['x'], 'op': 'Reshape', 'shape': [1, 10, 10, 8]}, {'name': 'n', 'inputs': ['q'], 'op': 'Tanh'}, "
                "{'name': 'b', 'inputs': ['x'], 'op': 'Sigmoid'}, {'name': 't', 'inputs': ['b'], 'op': 'Reshape', 'shape': [1, 10, 10, 8]}, "
                "{'name': 'o', 'inputs': ['t'], 'op': 'Tanh'}, {'name': 'r', 'inputs': ['b'], 'op': 'Tanh'}",
                "'m', 'n', 'o', 'r'");
  own_kernel(&f, 1, &k)->fuses_light = true;
  for (int i = 0; i < 3; i++) ck_assert_int_eq(hs_cost_joined_to(&f.sys, f.graph, &f.graph->ops[through[i]], 1), joined_to[i]);
  fixture_free(&f);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, light_operators_fuse);
  tcase_add_test(t, pads_of_branches);
  tcase_add_test(t, one_operand_twice);
  tcase_add_test(t, linked_through_a_reshape);
  tcase_add_loop_test(t, linked_to_what_is_computed_last, 0, sizeof sides / sizeof *sides);
  tcase_add_loop_test(t, convolution_of_one_pixel, 0, sizeof pixels / sizeof *pixels);
  tcase_add_loop_test(t, reshapes_to_the_same_image, 0, sizeof reshapes / sizeof *reshapes);
}

int main(void) { return hs_test_main("linked", fill); }
