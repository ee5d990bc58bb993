/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The latency regression that CoDL gave to the µLayer: seconds over multiply-accumulates (of poolings: over the elements they read), one
 * line per processor and kind of layer.
 *
 * Source: csu-eis/CoDL@0a0c89d, measure.py, flops_lr_fit.py and the predictors of FLOPS_BACKEND. What they are trained on, and how the
 * part of an operator is predicted, is theirs. But the release has two regressions, this one and one over two features (input
 * elements, and (K/S)² times output channels) that took its place in the code, and its scripts can time the GPU from images or from
 * buffers. Which of the four drew the µLayer's bars isn't said. The paper shows one decision (Fig. 5, sd855: of a 3x3 convolution of
 * 240x320x64 to 128 channels at stride 2, 60 % goes to the GPU, where 90 % would be fastest), and of the four only this one, timed from images,
 * takes it: from buffers it gives 30 %, and two features give all of it. So the GPU is timed from images, where
 * it has them, whatever memory runs later.
 *
 * It is trained here as there: on whole layers of the networks that CoDL was measured with, each timed by itself, least squares (the release's
 * 10000 steps of gradient descent lead there) over seconds; 30 % are kept out, on which it is tested. Its times are those of the
 * simulated kernels, so nothing of it comes from a published latency. Nothing keeps a prediction from being negative. */
#ifndef HS_FLOPS_H
#define HS_FLOPS_H

#include "model/cost.h"

/* seconds = per_flop · flops + constant */
struct hs_line {
  double per_flop, constant;
};

enum hs_layer { HS_LAYER_CONV, HS_LAYER_POOL, HS_LAYER_GEMM, HS_LAYER_N };

/* One processor's. */
struct hs_flops {
  struct hs_line line[HS_LAYER_N];
  int n_trained[HS_LAYER_N];                      /* 0: the processor runs too few of the layers for a line */
  int n_tested[HS_LAYER_N], n_within[HS_LAYER_N]; /* layers kept out; those predicted within 10 % */
};

/* The line of least squares through n > 1 points. */
struct hs_line hs_flops_fit(const double *flops, const double *seconds, int n);

/* Of the part of a convolution, a pooling or a fully connected operator that computes `range`. */
double hs_flops_of(const struct hs_graph *g, const struct hs_operator *op, struct hs_range range);

void hs_flops_train(const struct hs_system *sys, int processor, struct hs_flops *f);

/* INFINITY where there's no line. */
double hs_flops_seconds(const struct hs_flops *f, const struct hs_graph *g, const struct hs_operator *op, struct hs_range range);

#endif
