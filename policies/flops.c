/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/flops.h"

#include <gsl/gsl_fit.h>
#include <math.h>
#include <string.h>

/* --- what it is trained on --- */

/* The input is with its padding: the release times layers so. */
struct sample {
  short height, width, in, out;
  signed char kernel, stride;
  signed char trained, tested; /* how often it is among those that the line is fitted to, and among those kept out */
};

/* YOLOv2, PoseNet, VGG-16, FST and RetinaFace, in this order (op_datasets/dataset_conv2d_large_cnn.csv), as measure.py leaves them. It means
 * to time every layer once, but compares a layer without its padding to those that already have it, and so repeats what is padded. And
 * what is padded at stride 2 it gives an input twice as high and wide as the network's, so that the result has the size of the network's input:
 * MACE's CPU takes longer for the two of FST (961x1281 and 481x641) than for any other, and one of them is trained on. Which are kept
 * out is what the release's seed draws (data_loader.py: 0.7 of 149 rows, random_state 66). */
static const struct sample convs[] = {
  {418, 418, 3, 32, 3, 1, 1, 0}, {210, 210, 32, 64, 3, 1, 1, 0}, {106, 106, 64, 128, 3, 1, 1, 1}, {104, 104, 128, 64, 1, 1, 1, 0},
  {54, 54, 128, 256, 3, 1, 1, 1}, {52, 52, 256, 128, 1, 1, 0, 1}, {28, 28, 256, 512, 3, 1, 3, 0}, {26, 26, 512, 256, 1, 1, 0, 1},
  {15, 15, 512, 1024, 3, 1, 2, 1}, {13, 13, 1024, 512, 1, 1, 1, 0}, {15, 15, 1024, 1024, 3, 1, 1, 1}, {15, 15, 1536, 1024, 3, 1, 1, 0},
  {13, 13, 1024, 125, 1, 1, 1, 0}, {258, 258, 3, 64, 3, 1, 0, 1}, {258, 258, 64, 64, 3, 1, 1, 0}, {130, 130, 64, 128, 3, 1, 1, 0},
  {130, 130, 128, 128, 3, 1, 1, 0}, {66, 66, 128, 256, 3, 1, 1, 0}, {66, 66, 256, 256, 3, 1, 2, 1}, {34, 34, 256, 512, 3, 1, 1, 0},
  {34, 34, 512, 512, 3, 1, 1, 0}, {34, 34, 512, 256, 3, 1, 1, 0}, {34, 34, 256, 256, 3, 1, 2, 1}, {34, 34, 256, 128, 3, 1, 0, 1},
  {32, 32, 128, 512, 1, 1, 0, 1}, {32, 32, 512, 21, 1, 1, 1, 0}, {38, 38, 149, 128, 7, 1, 1, 1}, {38, 38, 128, 128, 7, 1, 6, 2},
  {32, 32, 128, 128, 1, 1, 0, 1}, {32, 32, 128, 21, 1, 1, 1, 0}, {226, 226, 3, 64, 3, 1, 1, 0}, {226, 226, 64, 64, 3, 1, 1, 0},
  {114, 114, 64, 128, 3, 1, 0, 1}, {114, 114, 128, 128, 3, 1, 1, 0}, {58, 58, 128, 256, 3, 1, 0, 1}, {58, 58, 256, 256, 3, 1, 2, 0},
  {30, 30, 256, 512, 3, 1, 1, 0}, {30, 30, 512, 512, 3, 1, 1, 1}, {16, 16, 512, 512, 3, 1, 2, 1}, {488, 648, 3, 32, 9, 1, 1, 0},
  {961, 1281, 32, 64, 3, 2, 1, 0}, {481, 641, 64, 128, 3, 2, 0, 1}, {122, 162, 128, 128, 3, 1, 7, 3}, {488, 648, 32, 3, 9, 1, 0, 1},
  {646, 646, 3, 64, 7, 2, 1, 0}, {160, 160, 64, 256, 1, 1, 1, 0}, {160, 160, 64, 64, 1, 1, 0, 1}, {162, 162, 64, 64, 3, 1, 1, 1},
  {160, 160, 256, 64, 1, 1, 1, 0}, {162, 162, 64, 64, 3, 2, 1, 0}, {80, 80, 64, 256, 1, 1, 0, 1}, {80, 80, 256, 512, 1, 1, 1, 0},
  {80, 80, 256, 128, 1, 1, 1, 0}, {82, 82, 128, 128, 3, 1, 2, 1}, {80, 80, 128, 512, 1, 1, 0, 1}, {80, 80, 512, 128, 1, 1, 1, 0},
  {82, 82, 128, 128, 3, 2, 1, 0}, {40, 40, 128, 512, 1, 1, 0, 1}, {40, 40, 512, 1024, 1, 1, 1, 0}, {40, 40, 512, 256, 1, 1, 0, 2},
  {42, 42, 256, 256, 3, 1, 5, 2}, {40, 40, 256, 1024, 1, 1, 1, 0}, {40, 40, 1024, 256, 1, 1, 1, 0}, {42, 42, 256, 256, 3, 2, 1, 0},
  {20, 20, 256, 1024, 1, 1, 1, 0}, {20, 20, 1024, 2048, 1, 1, 1, 0}, {20, 20, 1024, 512, 1, 1, 1, 0}, {22, 22, 512, 512, 3, 1, 3, 0},
  {20, 20, 512, 2048, 1, 1, 1, 0}, {20, 20, 2048, 512, 1, 1, 1, 0}, {20, 20, 2048, 256, 1, 1, 1, 0}, {82, 82, 256, 256, 3, 1, 1, 1},
  {80, 80, 256, 256, 1, 1, 1, 0}, {162, 162, 256, 256, 3, 1, 1, 1}, {160, 160, 256, 256, 1, 1, 1, 0}, {162, 162, 256, 128, 3, 1, 1, 0},
  {162, 162, 256, 64, 3, 1, 0, 2}, {162, 162, 256, 12, 3, 1, 0, 1}, {82, 82, 256, 128, 3, 1, 1, 0}, {82, 82, 256, 64, 3, 1, 2, 0},
  {82, 82, 256, 12, 3, 1, 1, 0}, {42, 42, 256, 128, 3, 1, 1, 0}, {42, 42, 256, 64, 3, 1, 2, 0}, {42, 42, 256, 12, 3, 1, 0, 1},
  {22, 22, 256, 128, 3, 1, 1, 0}, {22, 22, 256, 64, 3, 1, 1, 1}, {22, 22, 256, 256, 3, 1, 1, 0}, {22, 22, 256, 12, 3, 1, 1, 0},
  {41, 41, 256, 256, 3, 2, 1, 0}, {12, 12, 256, 128, 3, 1, 1, 0}, {12, 12, 256, 64, 3, 1, 2, 0}, {12, 12, 256, 256, 3, 1, 0, 1},
  {12, 12, 256, 12, 3, 1, 1, 0}, {162, 162, 256, 6, 3, 1, 0, 1}, {82, 82, 256, 6, 3, 1, 0, 1}, {42, 42, 256, 6, 3, 1, 1, 0},
  {22, 22, 256, 6, 3, 1, 0, 1}, {12, 12, 256, 6, 3, 1, 1, 0},
};

/* The same networks (dataset_pooling_large_cnn.csv), and the same draw of 17. */
static const struct sample pools[] = {
  {416, 416, 32, 32, 2, 2, 1, 0}, {208, 208, 64, 64, 2, 2, 1, 0}, {104, 104, 128, 128, 2, 2, 1, 0}, {52, 52, 256, 256, 2, 2, 0, 1},
  {26, 26, 512, 512, 2, 2, 1, 0}, {256, 256, 64, 64, 2, 2, 0, 1}, {128, 128, 128, 128, 2, 2, 1, 0}, {64, 64, 256, 256, 2, 2, 1, 0},
  {224, 224, 64, 64, 2, 2, 1, 0}, {112, 112, 128, 128, 2, 2, 1, 0}, {56, 56, 256, 256, 2, 2, 0, 1}, {28, 28, 512, 512, 2, 2, 1, 0},
  {14, 14, 512, 512, 2, 2, 1, 0}, {320, 320, 64, 64, 2, 2, 0, 1}, {160, 160, 256, 256, 2, 2, 1, 0}, {80, 80, 512, 512, 2, 2, 0, 1},
  {40, 40, 1024, 1024, 2, 2, 1, 0},
};

/* AlexNet, VGG-16, DenseNet, Inception V3 (dataset_fully_connected_cnn.csv), and the same draw of 6. */
static const struct sample gemms[] = {
  {7, 7, 256, 4096, 1, 1, 1, 0}, {1, 1, 4096, 4096, 1, 1, 1, 0}, {1, 1, 4096, 1000, 1, 1, 1, 0}, {7, 7, 512, 4096, 1, 1, 1, 0},
  {1, 1, 1024, 1000, 1, 1, 0, 1}, {1, 1, 2048, 1001, 1, 1, 0, 1},
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
enum { SAMPLES_MAX = 149 }; /* convs, with repetitions */

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
                                    .multiplier = 1, .bias = true, .pad_mode = HS_PAD_VALID};
  memset(l->op.override, -1, sizeof l->op.override);
  return hs_op_infer(&l->graph, &l->op, why, sizeof why);
}

/* --- lines --- */

static enum hs_layer layer_of(const struct hs_operator *op)
{
  return op->type == HS_OP_CONV ? HS_LAYER_CONV : op->type == HS_OP_GEMM ? HS_LAYER_GEMM : HS_LAYER_POOL;
}

double hs_flops_of(const struct hs_graph *g, const struct hs_operator *op, struct hs_range range)
{
  double share, weights;
  hs_range_shares(g, op, range, &share, &weights);
  return share * (op->macs > 0 ? op->macs : op->work);
}

static double at(const struct hs_line *line, double flops) { return line->constant + line->per_flop * flops; }

struct hs_line hs_flops_fit(const double *flops, const double *seconds, int n)
{
  struct hs_line line;
  double cov[3], sum;
  gsl_fit_linear(flops, 1, seconds, 1, (size_t)n, &line.constant, &line.per_flop, &cov[0], &cov[1], &cov[2], &sum);
  return line;
}

/* --- training --- */

static void train_layer(const struct hs_system *sys, int processor, enum hs_layer layer, struct hs_flops *f)
{
  double flops[2][SAMPLES_MAX], seconds[2][SAMPLES_MAX];
  int n[2] = {0, 0};
  for (int i = 0; i < sets[layer].n; i++) {
    const struct sample *s = &sets[layer].samples[i];
    struct layer l;
    if (!make_layer(&l, sets[layer].type, s) || !hs_system_supports(sys, &l.graph, &l.op, processor, NULL, 0)) continue;
    for (int k = 0; k < s->trained + s->tested; k++) {
      int out = k >= s->trained;
      flops[out][n[out]] = hs_flops_of(&l.graph, &l.op, hs_range_whole);
      seconds[out][n[out]++] = hs_cost_seconds(sys, &l.graph, &l.op, processor, -1);
    }
  }
  if (n[0] < 2) return;
  f->line[layer] = hs_flops_fit(flops[0], seconds[0], n[0]);
  f->n_trained[layer] = n[0];
  f->n_tested[layer] = n[1];
  for (int i = 0; i < n[1]; i++) f->n_within[layer] += fabs(at(&f->line[layer], flops[1][i]) - seconds[1][i]) <= 0.1 * seconds[1][i];
}

void hs_flops_train(const struct hs_system *sys, int processor, struct hs_flops *f)
{
  struct hs_system timed = *sys;
  struct hs_backend *b = &timed.backends[processor];
  *f = (struct hs_flops){0};
  if (b->image_kernel) b->kernel = b->image_kernel;
  for (int layer = 0; layer < HS_LAYER_N; layer++) train_layer(&timed, processor, (enum hs_layer)layer, f);
}

double hs_flops_seconds(const struct hs_flops *f, const struct hs_graph *g, const struct hs_operator *op, struct hs_range range)
{
  enum hs_layer layer = layer_of(op);
  return f->n_trained[layer] ? at(&f->line[layer], hs_flops_of(g, op, range)) : INFINITY;
}
