/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runtimes: which framework's kernels run. A runtime says, per kind of processor, which operator-support table holds,
 * in which precisions it computes, and which activations its converter joins to the operator before. */
#ifndef HS_RUNTIME_H
#define HS_RUNTIME_H

#include "input/soc.h"

/* Padding by zeros that one window alone reads, which the framework makes the window's own, so that it writes none. */
enum hs_pads_inside {
  HS_PADS_WRITTEN,
  HS_PADS_OF_WINDOWS,
  HS_PADS_OF_CONVOLUTIONS /* in floats, that don't pad by themselves and have no groups */
};

/* From which sizes on a library does 3×3 convolutions by Winograd, whatever the kernel. */
struct hs_winograd_from {
  int slices; /* of four channels, read and written each; 0: no such rule, or none known */
  int tiles;  /* of winograd_tile outputs each way, in an image */
};

/* What it says of processors of a kind. */
struct hs_runtime_backend {
  bool present;
  const char *table[HS_MEMORY_TYPE_N];          /* operator-support table; [HS_BUFFER] for all but the GPU */
  int n_precisions;
  enum hs_precision precisions[HS_PRECISION_N]; /* preferred first */
  bool dense_pixel;  /* a 1×1 convolution of one pixel is a fully connected operator there */
  int group_slice;   /* a convolution whose groups have no multiple of so many channels, read or written, is written out: Split,
                      * convolutions, Concat; 0: none is */
  enum hs_pads_inside pads_inside;
  bool plain_groups; /* a Conv with a group for each channel is done there as any grouped one, not as a depthwise one */
  bool copies_alone; /* what joins, splits or shuffles channels is copied by the thread that calls, which finds the largest of an ArgMax, too */
  /* Of operators that the kernel has cycles for, in equal parts, of which no thread steals: */
  int least_matrices;    /* threads take whole matrices of a product of two activations, where it has so many, else the one that calls
                          * multiplies; 0: all share each */
  bool shares_functions; /* threads share what computes an exponential or error function of each element, whatever part of light operators is serial */
  int partitions;    /* most stretches of a network that its delegate takes, those of most operators; the CPU runs the rest. 0: any number */
  /* What its library does with numbers of its own, where the kernel has the coefficient that says what that takes: */
  double column_macs;    /* with weight_cycles_per_byte: a matrix times one column, for which it has a kernel of its own, keeps a thread busy for each so
                          * many; 0: it's a product as any other */
  int product_step;      /* with packing: of a product of matrices threads take output channels so many at a time; 0: as they stand together */
  double shared_turn;    /* with turn_cycles: elements from which on threads share turning a tensor; fewer are the calling thread's */
  bool joins_by_pixel;   /* with move_half_pixels: a work item joins or splits all channels of a pixel; else each slice of four has one */
  bool releases_weights; /* filters that Winograd transformed are there in no other form */
  bool sums_windows; /* a transposed convolution multiplies pixels as they are, and sums up what each makes of its window, in 32 bits; else it gathers
                      * windows of its result */
  int winograd_tile; /* largest tile of outputs in which it does 3×3 convolutions by Winograd; 0: it multiplies them out, as far as known */
  struct hs_winograd_from winograd_from;
};

/* An activation that is computed with what a convolution makes, before it's stored. */
struct hs_epilogue {
  enum hs_op_type type;
  double instructions; /* for each vector of elements, beside those of any output */
};

struct hs_runtime {
  const char *name, *title;
  const char *source;
  const char *base;         /* a runtime whose profiles and operator-support tables count where this has none of its own; NULL */
  bool xnnpack;             /* XNNPACK's kernels compute on the CPU what they can */
  int default_threads;
  bool steals;              /* a thread of its pool that is done takes what others have left; else equal shares, but in blocks (block_map_bytes) */
  bool wakes_all;           /* all threads wake for a loop that one is enough for, too; else the one that calls does it, and no other core works */
  double spin_s;            /* how long a thread of its pool waits for the next operator before it sleeps */
  struct hs_runtime_backend backends[HS_KIND_N];
  bool limits_gpu;          /* can cut long kernels of the GPU, and enqueue only so many at a time */
  int n_fused;
  enum hs_op_type fused[8]; /* activations the converter joins … */
  int n_hosts;
  enum hs_op_type hosts[10]; /* … to these operators */
  struct hs_epilogue dense_fused; /* joined, too, but to no depthwise convolution; 0 instructions: none is */
};

extern const struct hs_runtime hs_runtimes[];
extern const int hs_n_runtimes;

/* NULL if there is none of that name. */
const struct hs_runtime *hs_runtime_find(const char *name);

#endif
