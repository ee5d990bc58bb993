/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How TensorFlow Lite's GPU delegate launches a convolution in OpenCL, on an Adreno 6xx or a Mali: which kernel it takes, how many outputs a work item
 * computes, and in what groups these run. It knows nothing of operators, nor how long anything takes. */
#ifndef HS_LAUNCH_H
#define HS_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

/* An image of output pixels (of several images side by side), `in_channels` of one group, `window` the filter's pixels. */
struct hs_launch_conv {
  int64_t width, height, in_channels, channels, window, groups;
  bool pixelwise;    /* 1×1, nothing skipped, dilated or padded: a kernel without loops over the window */
  int64_t filters;   /* 1: the same for all rows; or one for each of them: of matrices, or of Winograd's, a row per place in a tile */
  bool product;      /* of rows of features: an item's pixels are of one row, and no weights are constants */
  int64_t chosen_by; /* pixels by whose number an item's outputs are chosen; 0: those of the image */
};

struct hs_launch {
  bool constant;       /* a work item per pixel, weights in constant memory */
  double waves;        /* of 64 work items, on the compute unit that has most of them */
  double held;         /* of them, that a unit holds at a time of items that compute most; 0: of constants no rounds are counted */
  bool full;           /* items compute most */
  double slices;       /* of output that a wave works on at a time: it reads the weights of each */
  double steps;        /* of a work item: pixels of the filter × slices of input */
  int pixels, weights; /* that it reads in each, from textures, four channels a read */
  int outputs;         /* that it writes, four channels each */
  bool pixelwise;      /* as the convolution is */
};

enum { HS_WAVE_ITEMS = 64 };

/* resident: waves that a unit holds at a time of items that compute most, [0] where these are pixelwise, [1] else. */
void hs_launch_choose(const struct hs_launch_conv *c, int units, const int resident[2], struct hs_launch *out);

/* On a Mali. */
struct hs_launch_mali {
  double warps;        /* of work items, on the core that has most of them */
  double steps;        /* of a work item: pixels of the filter × slices of input */
  int pixels, weights; /* that it reads in each, four channels a read, and multiplies all by all */
  double weights_read; /* elements that all groups together read, each those of its slices */
  double written;      /* elements, of whole slices */
};

/* warp: work items that run in step. window_outputs: the most that an item computes of what isn't pixelwise, 1, 2, 4 or 8. */
void hs_launch_choose_mali(const struct hs_launch_conv *c, int cores, int warp, int window_outputs, struct hs_launch_mali *out);

#endif
