/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How PyTorch's Vulkan backend (v2.0) launches its compute shaders: images of four channels a texel, a work item per output texel (2 × 2 of them in
 * convolutions 1×1), and groups that are always 4 × 4 × 4 items. It knows nothing of operators, nor how long anything takes. */
#ifndef HS_SHADER_H
#define HS_SHADER_H

#include <stdint.h>

enum hs_shader_kind {
  HS_SHADER_CONV,      /* conv2d.glsl, conv_transpose2d.glsl */
  HS_SHADER_POINTWISE, /* conv2d_pw_2x2 */
  HS_SHADER_DEPTHWISE, /* conv2d_dw */
  HS_SHADER_PRODUCT,   /* addmm.glsl */
  HS_SHADER_POOL,      /* max_pool2d.glsl, avg_pool2d.glsl */
  HS_SHADER_MEAN,      /* mean.glsl: the image is the operand's */
  HS_SHADER_SOFTMAX,   /* softmax.glsl, log_softmax.glsl */
  HS_SHADER_TEXELS     /* without a loop: all that is element-wise */
};

/* Of the result: pixels, and channels in slices of four. A product's are its rows (height) and columns (width), and one slice. `window`: pixels under the
 * filter; `depth`: slices of its input, or what a product sums up. `operands`: images that are read. */
struct hs_shader_job {
  enum hs_shader_kind kind;
  int64_t width, height, slices, window, depth;
  int operands;
};

struct hs_shader {
  double waves; /* groups of 64 work items */
  double steps; /* that each makes in its loop; 0: it has none */
  int reads;    /* texels that an item reads in a step, */
  int macs;     /* and multiply-adds or elementary operations that it does */
  int accesses; /* texels that it reads and writes outside of its loop */
};

enum { HS_SHADER_ITEMS = 64 };

void hs_shader_choose(const struct hs_shader_job *job, struct hs_shader *out);

#endif
