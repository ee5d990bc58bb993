/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a product of matrices is shared out among threads by ruy, which multiplies for TensorFlow Lite: in a grid of blocks, of which each thread takes
 * the next one as it gets free. It knows nothing of operators, nor how long a block takes on which core. */
#ifndef HS_BLOCKS_H
#define HS_BLOCKS_H

#include <stdint.h>

/* rows × depth times depth × columns, of elements of `bytes` each. */
struct hs_product {
  int64_t rows, columns, depth;
  double bytes;
};

/* The grid: 2^n sides per dimension, whose first `large` are a kernel's block longer than the others. [0] rows, [1] columns. */
struct hs_blocks {
  int log2_n[2];
  int64_t small[2], large[2];
  int block; /* that the kernel computes at a time, both ways */
};

/* Threads that a product is worth, at most `threads`: one for each 2^15 multiplications, sizes rounded up to powers of two
 * (google/ruy, trmul.cc, GetThreadCount). */
int hs_product_threads(const struct hs_product *p, int threads);

/* The grid for so many threads. local_bytes: the cache of one core that it is chosen for (google/ruy, block_map.cc, MakeBlockMap). */
void hs_blocks_choose(const struct hs_product *p, int threads, int block, double local_bytes, struct hs_blocks *out);

/* How many blocks there are; 0: so many that what is left over at the end doesn't count. */
int hs_blocks_count(const struct hs_blocks *b);

/* Largest part of the product that one of so many threads gets, which are alike: 1 ÷ threads or more. */
double hs_blocks_share(const struct hs_blocks *b, int threads);

/* By how many times that is more than if all blocks were as large. */
double hs_blocks_unevenness(const struct hs_blocks *b, int threads);

#endif
