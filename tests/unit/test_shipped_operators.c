/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators of networks that ship, against files that others published: what detectors and segmentations end in, how many operators there are, what pads by
 * itself. */
#include "tests/unit/shipped.h"

/* Of the shipped ones; both are the caller's to free. */
static struct hs_graph *open_network(struct hs_catalog *c, const char *name)
{
  struct hs_graph *g = NULL;
  struct hs_error err;
  open_catalog(c);
  hs_test_accepted(hs_catalog_workload(c, name, &g, &err), &err);
  return g;
}

/* Boxes of nine shapes at each point of five maps, and 90 scores of each: EfficientDet's files hand these on, as one list. */
START_TEST(detection_ends_in_lists)
{
  struct hs_catalog c;
  const int64_t boxes = 9 * (40 * 40 + 20 * 20 + 10 * 10 + 5 * 5 + 3 * 3), numbers[] = {4, 90};
  int n = 0;
  struct hs_graph *g = open_network(&c, "efficientdet_lite0");
  for (int i = 0; i < g->n_tensors; i++) {
    const struct hs_tensor *t = &g->tensors[i];
    if (!t->is_output) continue;
    ck_assert_int_lt(n, 2);
    ck_assert_int_eq(t->shape.rank, 3);
    ck_assert_int_eq(t->shape.dim[1], boxes);
    ck_assert_int_eq(t->shape.dim[2], numbers[n++]);
  }
  ck_assert_int_eq(n, 2);
  ck_assert_int_eq(g->ops[g->n_ops - 1].type, HS_OP_SIGMOID);
  hs_graph_free(g);
  hs_catalog_close(&c);
}
END_TEST

/* The files that choose among these have one result, of 25 boxes, or ten under SSD: two corners, a class and a score. */
START_TEST(detection_ends_in_a_choice)
{
  static const struct {
    const char *name;
    int64_t boxes, classes, kept;
  } cases[] = {{"efficientdet_lite0_detections", 19206, 90, 25}, {"efficientdet_lite4_detections", 76725, 90, 25},
               {"ssd_mobilenet_v1_detections", 1917, 91, 10}};
  struct hs_catalog c;
  struct hs_graph *g = open_network(&c, cases[_i].name);
  const struct hs_operator *last = &g->ops[g->n_ops - 1];
  ck_assert_int_eq(g->n_outputs, 1);
  ck_assert_int_eq(last->type, HS_OP_DETECTION_POST_PROCESS);
  ck_assert(hs_shape_equal(&g->tensors[last->inputs[0]].shape, &(struct hs_shape){3, {1, cases[_i].boxes, 4}}));
  ck_assert(hs_shape_equal(&g->tensors[last->inputs[1]].shape, &(struct hs_shape){3, {1, cases[_i].boxes, cases[_i].classes}}));
  ck_assert(hs_shape_equal(&g->tensors[last->outputs[0]].shape, &(struct hs_shape){3, {1, cases[_i].kept, 6}}));
  hs_graph_free(g);
  hs_catalog_close(&c);
}
END_TEST

/* Of AutosegEdgeTPU's published file, which Brushwork takes apart (@8082bcf, TfliteLogitsPatchTest.kt): 252 operators, in which activations are fused, up to
 * scores of 64x64 places, then 12; the last of these makes floats of the bytes, which a network here doesn't say. */
START_TEST(autoseg_has_its_files_operators)
{
  struct hs_catalog c;
  int n = 0, of_scores = 0;
  struct hs_graph *g = open_network(&c, "autoseg_edgetpu_s_fused");
  for (int i = 0; i < g->n_ops; i++) {
    const struct hs_operator *op = &g->ops[i];
    n += op->type != HS_OP_RELU && op->type != HS_OP_RELU6;
    if (strcmp(op->name, "head_conv") != 0) continue;
    of_scores = n;
    ck_assert(hs_shape_equal(&g->tensors[op->outputs[0]].shape, &(struct hs_shape){4, {1, 64, 64, 32}}));
  }
  ck_assert_int_eq(of_scores, 252);
  ck_assert_int_eq(n, 264 - 1);
  ck_assert(hs_shape_equal(&g->tensors[g->ops[g->n_ops - 1].outputs[0]].shape, &(struct hs_shape){3, {1, 512, 512}}));
  hs_graph_free(g);
  hs_catalog_close(&c);
}
END_TEST

/* A class for each pixel: of scores that were enlarged before, or numbers that are enlarged afterwards. */
START_TEST(segmentation_ends_in_classes)
{
  static const struct {
    const char *name;
    enum hs_op_type last, enlarges;
  } cases[] = {{"deeplab_v3_plus_edgetpu_v2_xs", HS_OP_ARG_MAX, HS_OP_RESIZE_BILINEAR}, {"deeplab_v3_plus_edgetpu_v2_m_fused", HS_OP_RESHAPE, HS_OP_RESIZE_NEAREST},
               {"autoseg_edgetpu_xs", HS_OP_ARG_MAX, HS_OP_RESIZE_BILINEAR}};
  struct hs_catalog c;
  struct hs_graph *g = open_network(&c, cases[_i].name);
  const struct hs_operator *last = &g->ops[g->n_ops - 1];
  ck_assert_int_eq(g->n_outputs, 1);
  ck_assert_int_eq(last->type, cases[_i].last);
  ck_assert_int_eq(last[-1].type, cases[_i].enlarges);
  ck_assert(hs_shape_equal(&g->tensors[last->outputs[0]].shape, &(struct hs_shape){3, {1, 512, 512}}));
  hs_graph_free(g);
  hs_catalog_close(&c);
}
END_TEST

/* tf2cv pads by operators of their own: before depthwise convolutions, before convolutions and poolings of some networks. */
START_TEST(pads_of_tf2cv)
{
  static const struct {
    const char *name;
    int n;
  } cases[] = {{"mnasnet_a1", 16}, {"bninception", 4},                       /* as many as their measured lists of operators leave room for */
               {"xception", 34}, {"hardnet68", 0}, {"hardnet85", 0}}; /* depthwise convolutions, none: poolings with a padding have no Pad */
  struct hs_catalog c;
  struct hs_graph *g = open_network(&c, cases[_i].name);
  int n = 0;
  for (int i = 0; i < g->n_ops; i++) n += g->ops[i].type == HS_OP_PAD;
  ck_assert_int_eq(n, cases[_i].n);
  hs_graph_free(g);
  hs_catalog_close(&c);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, detection_ends_in_lists);
  tcase_add_loop_test(t, detection_ends_in_a_choice, 0, 3);
  tcase_add_test(t, autoseg_has_its_files_operators);
  tcase_add_loop_test(t, segmentation_ends_in_classes, 0, 3);
  tcase_add_loop_test(t, pads_of_tf2cv, 0, 5);
}

int main(void) { return hs_test_main("shipped_operators", fill); }
