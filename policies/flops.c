/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/flops.h"

#include <gsl/gsl_multifit.h>
#include <math.h>
#include <string.h>

/* --- what it is trained on --- */

struct sample {
  short height, width, in, out;
  signed char kernel, stride;
};

/* Distinct layers of YOLOv2, PoseNet, VGG-16, FST and RetinaFace, in this order (op_datasets/dataset_conv2d_large_cnn.csv); those that differ
 * in nothing but the padding count once, and sizes are those before it. */
static const struct sample convs[] = {
  {416, 416, 3, 32, 3, 1}, {208, 208, 32, 64, 3, 1}, {104, 104, 64, 128, 3, 1}, {104, 104, 128, 64, 1, 1}, {52, 52, 128, 256, 3, 1},
  {52, 52, 256, 128, 1, 1}, {26, 26, 256, 512, 3, 1}, {26, 26, 512, 256, 1, 1}, {13, 13, 512, 1024, 3, 1}, {13, 13, 1024, 512, 1, 1},
  {13, 13, 1024, 1024, 3, 1}, {13, 13, 1536, 1024, 3, 1}, {13, 13, 1024, 125, 1, 1}, {256, 256, 3, 64, 3, 1}, {256, 256, 64, 64, 3, 1},
  {128, 128, 64, 128, 3, 1}, {128, 128, 128, 128, 3, 1}, {64, 64, 128, 256, 3, 1}, {64, 64, 256, 256, 3, 1}, {32, 32, 256, 512, 3, 1},
  {32, 32, 512, 512, 3, 1}, {32, 32, 512, 256, 3, 1}, {32, 32, 256, 256, 3, 1}, {32, 32, 256, 128, 3, 1}, {32, 32, 128, 512, 1, 1},
  {32, 32, 512, 21, 1, 1}, {32, 32, 149, 128, 7, 1}, {32, 32, 128, 128, 7, 1}, {32, 32, 128, 128, 1, 1}, {32, 32, 128, 21, 1, 1},
  {224, 224, 3, 64, 3, 1}, {224, 224, 64, 64, 3, 1}, {112, 112, 64, 128, 3, 1}, {112, 112, 128, 128, 3, 1}, {56, 56, 128, 256, 3, 1},
  {56, 56, 256, 256, 3, 1}, {28, 28, 256, 512, 3, 1}, {28, 28, 512, 512, 3, 1}, {14, 14, 512, 512, 3, 1}, {480, 640, 3, 32, 9, 1},
  {480, 640, 32, 64, 3, 2}, {240, 320, 64, 128, 3, 2}, {120, 160, 128, 128, 3, 1}, {480, 640, 32, 3, 9, 1}, {640, 640, 3, 64, 7, 2},
  {160, 160, 64, 256, 1, 1}, {160, 160, 64, 64, 1, 1}, {160, 160, 64, 64, 3, 1}, {160, 160, 256, 64, 1, 1}, {160, 160, 64, 64, 3, 2},
  {80, 80, 64, 256, 1, 1}, {80, 80, 256, 512, 1, 1}, {80, 80, 256, 128, 1, 1}, {80, 80, 128, 128, 3, 1}, {80, 80, 128, 512, 1, 1},
  {80, 80, 512, 128, 1, 1}, {80, 80, 128, 128, 3, 2}, {40, 40, 128, 512, 1, 1}, {40, 40, 512, 1024, 1, 1}, {40, 40, 512, 256, 1, 1},
  {40, 40, 256, 256, 3, 1}, {40, 40, 256, 1024, 1, 1}, {40, 40, 1024, 256, 1, 1}, {40, 40, 256, 256, 3, 2}, {20, 20, 256, 1024, 1, 1},
  {20, 20, 1024, 2048, 1, 1}, {20, 20, 1024, 512, 1, 1}, {20, 20, 512, 512, 3, 1}, {20, 20, 512, 2048, 1, 1}, {20, 20, 2048, 512, 1, 1},
  {20, 20, 2048, 256, 1, 1}, {80, 80, 256, 256, 3, 1}, {80, 80, 256, 256, 1, 1}, {160, 160, 256, 256, 3, 1}, {160, 160, 256, 256, 1, 1},
  {160, 160, 256, 128, 3, 1}, {160, 160, 256, 64, 3, 1}, {160, 160, 256, 12, 3, 1}, {80, 80, 256, 128, 3, 1}, {80, 80, 256, 64, 3, 1},
  {80, 80, 256, 12, 3, 1}, {40, 40, 256, 128, 3, 1}, {40, 40, 256, 64, 3, 1}, {40, 40, 256, 12, 3, 1}, {20, 20, 256, 128, 3, 1},
  {20, 20, 256, 64, 3, 1}, {20, 20, 256, 256, 3, 1}, {20, 20, 256, 12, 3, 1}, {20, 20, 256, 256, 3, 2}, {10, 10, 256, 128, 3, 1},
  {10, 10, 256, 64, 3, 1}, {10, 10, 256, 256, 3, 1}, {10, 10, 256, 12, 3, 1}, {160, 160, 256, 6, 3, 1}, {80, 80, 256, 6, 3, 1},
  {40, 40, 256, 6, 3, 1}, {20, 20, 256, 6, 3, 1}, {10, 10, 256, 6, 3, 1},
};

/* The same networks (dataset_pooling_large_cnn.csv). */
static const struct sample pools[] = {
  {416, 416, 32, 32, 2, 2}, {208, 208, 64, 64, 2, 2}, {104, 104, 128, 128, 2, 2}, {52, 52, 256, 256, 2, 2}, {26, 26, 512, 512, 2, 2},
  {256, 256, 64, 64, 2, 2}, {128, 128, 128, 128, 2, 2}, {64, 64, 256, 256, 2, 2}, {224, 224, 64, 64, 2, 2}, {112, 112, 128, 128, 2, 2},
  {56, 56, 256, 256, 2, 2}, {28, 28, 512, 512, 2, 2}, {14, 14, 512, 512, 2, 2}, {320, 320, 64, 64, 2, 2}, {160, 160, 256, 256, 2, 2},
  {80, 80, 512, 512, 2, 2}, {40, 40, 1024, 1024, 2, 2},
};

/* AlexNet, VGG-16, DenseNet, Inception V3 (dataset_fully_connected_cnn.csv). */
static const struct sample gemms[] = {
  {7, 7, 256, 4096, 1, 1}, {1, 1, 4096, 4096, 1, 1}, {1, 1, 4096, 1000, 1, 1}, {7, 7, 512, 4096, 1, 1}, {1, 1, 1024, 1000, 1, 1}, {1, 1, 2048, 1001, 1, 1},
};

static const struct {
  enum hs_op_type type;
  const struct sample *samples;
  int n;
} sets[HS_LAYER_N] = {
  [HS_LAYER_CONV] = {HS_OP_CONV, convs, sizeof convs / sizeof *convs},
  [HS_LAYER_POOL] = {HS_OP_MAX_POOL, pools, sizeof pools / sizeof *pools},
  [HS_LAYER_GEMM] = {HS_OP_GEMM, gemms, sizeof gemms / sizeof *gemms},
};
enum { SAMPLES_MAX = sizeof convs / sizeof *convs };

/* A network of one operator. Its two tensors and their numbers are in it. */
struct layer {
  struct hs_graph graph;
  struct hs_operator op;
  struct hs_tensor tensors[2];
  int numbers[2];
};

static bool make_layer(struct layer *l, enum hs_op_type type, const struct sample *s)
{
  char why[160];
  *l = (struct layer){.graph = {.name = "layer", .n_tensors = 2, .n_ops = 1}, .numbers = {0, 1}};
  l->graph.tensors = l->tensors;
  l->graph.ops = &l->op;
  l->tensors[0] = (struct hs_tensor){.name = "in", .shape = {4, {1, s->height, s->width, s->in}}, .producer = -1, .n_consumers = 1};
  l->tensors[1] = (struct hs_tensor){.name = "out", .is_output = true};
  l->op = (struct hs_operator){.name = "layer", .type = type, .n_inputs = 1, .n_outputs = 1, .inputs = &l->numbers[0], .outputs = &l->numbers[1]};
  l->op.at = (struct hs_attributes){.channels = s->out, .kernel = {s->kernel, s->kernel}, .stride = {s->stride, s->stride}, .dilation = {1, 1}, .group = 1,
                                    .multiplier = 1, .bias = true, .pad_mode = HS_PAD_SAME};
  memset(l->op.override, -1, sizeof l->op.override);
  return hs_op_infer(&l->graph, &l->op, why, sizeof why);
}

/* --- features and lines --- */

static const struct hs_range whole = {HS_SPLIT_NONE, 0, 1};

static enum hs_layer layer_of(const struct hs_operator *op)
{
  return op->type == HS_OP_CONV ? HS_LAYER_CONV : op->type == HS_OP_GEMM ? HS_LAYER_GEMM : HS_LAYER_POOL;
}

void hs_flops_features(const struct hs_graph *g, const struct hs_operator *op, struct hs_range range, double *features)
{
  const struct hs_shape *out = &g->tensors[op->outputs[0]].shape;
  const struct hs_attributes *a = &op->at;
  features[0] = (double)hs_shape_elements(&g->tensors[op->inputs[0]].shape);
  features[1] = hs_range_elements(out, range);
  if (op->type == HS_OP_CONV)
    features[1] *= (double)(a->kernel[0] * a->kernel[1]) / (double)(a->stride[0] * a->stride[1]) / (double)(hs_shape_height(out) * hs_shape_width(out));
}

static double at(const struct hs_line *line, const double *features)
{
  double seconds = line->constant;
  for (int k = 0; k < HS_FEATURES; k++) seconds += line->of[k] * features[k];
  return seconds;
}

struct hs_line hs_flops_fit(const double (*features)[HS_FEATURES], const double *seconds, int n)
{
  enum { COLUMNS = HS_FEATURES + 1 };
  struct hs_line line;
  double chisq;
  gsl_multifit_linear_workspace *w = gsl_multifit_linear_alloc((size_t)n, COLUMNS);
  gsl_matrix *x = gsl_matrix_alloc((size_t)n, COLUMNS), *cov = gsl_matrix_alloc(COLUMNS, COLUMNS);
  gsl_vector *c = gsl_vector_alloc(COLUMNS);
  gsl_vector_const_view y = gsl_vector_const_view_array(seconds, (size_t)n);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < HS_FEATURES; k++) gsl_matrix_set(x, (size_t)i, (size_t)k, features[i][k]);
    gsl_matrix_set(x, (size_t)i, HS_FEATURES, 1);
  }
  gsl_multifit_linear(x, &y.vector, c, cov, &chisq, w);
  for (int k = 0; k < HS_FEATURES; k++) line.of[k] = gsl_vector_get(c, (size_t)k);
  line.constant = gsl_vector_get(c, HS_FEATURES);
  gsl_vector_free(c);
  gsl_matrix_free(cov);
  gsl_matrix_free(x);
  gsl_multifit_linear_free(w);
  return line;
}

/* --- training --- */

/* Of ten samples one after the other three: fixed, and spread over the networks. */
static bool kept_out(int i) { return i % 10 == 2 || i % 10 == 5 || i % 10 == 8; }

static void train_layer(const struct hs_system *sys, int processor, enum hs_layer layer, struct hs_flops *f)
{
  double features[2][SAMPLES_MAX][HS_FEATURES], seconds[2][SAMPLES_MAX];
  int n[2] = {0, 0};
  for (int i = 0; i < sets[layer].n; i++) {
    struct layer l;
    int out = kept_out(i);
    if (!make_layer(&l, sets[layer].type, &sets[layer].samples[i]) || !hs_system_supports(sys, &l.graph, &l.op, processor, NULL, 0)) continue;
    hs_flops_features(&l.graph, &l.op, whole, features[out][n[out]]);
    seconds[out][n[out]++] = hs_cost_seconds(sys, &l.graph, &l.op, processor, -1);
  }
  if (n[0] <= HS_FEATURES) return;
  f->line[layer] = hs_flops_fit((const double (*)[HS_FEATURES])features[0], seconds[0], n[0]);
  f->n_trained[layer] = n[0];
  f->n_tested[layer] = n[1];
  for (int i = 0; i < n[1]; i++) f->n_within[layer] += fabs(at(&f->line[layer], features[1][i]) - seconds[1][i]) <= 0.1 * seconds[1][i];
}

void hs_flops_train(const struct hs_system *sys, int processor, struct hs_flops *f)
{
  *f = (struct hs_flops){0};
  for (int layer = 0; layer < HS_LAYER_N; layer++) train_layer(sys, processor, (enum hs_layer)layer, f);
}

double hs_flops_seconds(const struct hs_flops *f, const struct hs_graph *g, const struct hs_operator *op, struct hs_range range)
{
  double features[HS_FEATURES];
  enum hs_layer layer = layer_of(op);
  if (!f->n_trained[layer]) return INFINITY;
  hs_flops_features(g, op, range, features);
  return at(&f->line[layer], features);
}
