/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/shader.h"

enum { TEXEL = 4, SIDE = 4, TILE = 2 };

static int64_t up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* Where there is but one slice a group is flat (ops/Utils.cpp, adaptive_work_group_size). */
static double groups(int64_t x, int64_t y, int64_t z)
{
  if (z > 1) return (double)(up(x, SIDE) * up(y, SIDE) * up(z, SIDE));
  return y < 2 * SIDE ? (double)(up(x, 4 * SIDE) * up(y, SIDE)) : (double)(up(x, 2 * SIDE) * up(y, 2 * SIDE));
}

/* Items are as many as the operand has texels: each group sums up the whole image, a sixteenth an item, and the first items add these up again
 * (ops/Mean.cpp, mean.glsl). */
static void mean(const struct hs_shader_job *j, struct hs_shader *s)
{
  s->waves = groups(j->width, j->height, j->slices);
  s->steps = (double)(up(j->width, SIDE) * up(j->height, SIDE) + SIDE * SIDE);
  s->accesses = 1;
}

/* An item for each pixel goes through its slices for their largest and for the sum, and then for each of them (ops/Softmax.cpp, softmax.glsl). */
static void softmax(const struct hs_shader_job *j, struct hs_shader *s)
{
  s->waves = groups(j->width, j->height, 1);
  s->steps = 2 * (double)j->slices;
  s->accesses = (int)j->slices;
}

void hs_shader_choose(const struct hs_shader_job *j, struct hs_shader *s)
{
  *s = (struct hs_shader){groups(j->width, j->height, j->slices), (double)(j->window * j->depth), 1, TEXEL, 1 + j->operands};
  switch (j->kind) {
  case HS_SHADER_CONV: /* a pixel, four texels of weights; bias */
    s->reads = 1 + TEXEL;
    s->macs = TEXEL * TEXEL;
    break;
  case HS_SHADER_POINTWISE:
    s->waves = groups(up(j->width, TILE), up(j->height, TILE), j->slices);
    s->reads = TILE * TILE + TEXEL;
    s->macs = TILE * TILE * TEXEL * TEXEL;
    s->accesses = 1 + TILE * TILE;
    break;
  case HS_SHADER_DEPTHWISE: /* a pixel, a texel of weights; bias */
    s->reads = 2;
    break;
  case HS_SHADER_PRODUCT: /* 2 × 2 outputs; two of each operand a step, of one of them each in a texel of its own */
    s->waves = groups(up(j->width, TILE), up(j->height, TILE), 1);
    s->steps = (double)up(j->depth, TILE);
    s->reads = TILE * TILE + 1;
    s->macs = TILE * TILE * TILE;
    s->accesses = 1 + TILE * TILE;
    break;
  case HS_SHADER_POOL: s->accesses = 1; break;
  case HS_SHADER_MEAN: mean(j, s); break;
  case HS_SHADER_SOFTMAX: softmax(j, s); break;
  case HS_SHADER_TEXELS: s->steps = 0; break;
  }
}
