/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of an operator on a processor, as its kernel sees it: what each term of its cost is counted over. (Where a placement puts which part, says
 * plan/placement.h.) */
#ifndef HS_PORTION_H
#define HS_PORTION_H

#include "model/range.h"
#include "model/system.h"

struct hs_portion {
  const struct hs_system *sys; /* borrowed, as what follows */
  const struct hs_graph *graph;
  const struct hs_operator *op;
  const struct hs_processor *processor;
  const struct hs_backend *backend;
  const struct hs_runtime_backend *runtime_rules; /* for processors of this kind */
  enum hs_op_class class;       /* that which op's kernel has here */
  struct hs_range range;        /* of the output */
  struct hs_border border;      /* computed around it */
  const struct hs_operator *pad; /* that is compiled into its kernel (hs_linked_pad()); NULL: none is, or nobody has asked */
  double work_share, weight_share; /* of the operator's, without the border */
  double border_factor;         /* computed with the border ÷ without */
  double elements;              /* of the first output, with the border */
  double rows, width, channels; /* rows of all images; rows of features, and of each matrix, lie side by side */
  double matrices;              /* products that are computed one by one */
  double group_channels;        /* input channels of one group */
  double depth;                 /* products that are summed up to one output */
  double element_bytes;
};

struct hs_portion hs_portion_of(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, struct hs_range range,
                          struct hs_border border);

/* Rows, columns, channels or tiles that n of a part are, which is a fraction of the whole's: the next count, but for what rounding made of one. */
double hs_portion_count(double n);

/* Images of a part, which lie below each other. */
double hs_portion_images(const struct hs_portion *p);

/* All of it. */
struct hs_portion hs_portion_whole(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p);

/* A convolution 1×1 that skips, dilates and pads nothing, or no convolution: rows of features are pixels. */
bool hs_op_is_pixelwise(const struct hs_operator *op);

/* The class that op's kernel has on processor p: a product of several rows (Gemm, MatMul) is done as a 1×1 convolution is, rows being pixels side by side (but
 * takes no less than one row of each matrix does); and where the runtime makes a fully connected operator of a 1×1 convolution of one pixel, that one's. */
enum hs_op_class hs_class_on(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p);

#endif
