/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/blocks.h"

#include <limits.h>
#include <math.h>

enum { THREADS_MAX = 64, BLOCKS_MAX = 256 }; /* beyond, what is left over at the end is below a hundredth */

static int floor_log2(int64_t n)
{
  int log2 = 0;
  while (n >>= 1) log2++;
  return log2;
}

static int ceil_log2(int64_t n) { return n <= 1 ? 0 : floor_log2(n - 1) + 1; }

static int64_t round_up(int64_t n, int64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

static int at_least(int least, int n) { return n < least ? least : n; }

static int at_most(int most, int n) { return n > most ? most : n; }

int hs_product_threads(const struct hs_product *p, int threads)
{
  int log2 = ceil_log2(p->rows) + ceil_log2(p->columns) + ceil_log2(p->depth) - 15;
  return log2 <= 0 ? 1 : log2 > 20 ? threads : at_most(threads, 1 << log2);
}

/* In how many (log2) squarish parts the longer dimension is cut first; of a narrow product none so short that fewer than eight blocks of the kernel
 * are in a part. */
static int cuts(int64_t longer, int64_t shorter, int log2_block)
{
  int parts = floor_log2(longer / shorter), few = at_least(0, 3 - (ceil_log2(shorter) - log2_block));
  return at_most(parts, at_least(0, floor_log2(longer) - log2_block - few));
}

/* Scores of blocks of 2^side by 2^side, as google/ruy has them in block_map.cc: it says that it tuned the numbers on Cortex-A55, and on
 * Snapdragon 855's big and little cores. Are there several for each thread? */
static int threads_score(const int64_t size[2], int side, int threads)
{
  int64_t whole = (size[0] >> side) * (size[1] >> side);
  int each = floor_log2(whole > 1 ? whole : 1) - ceil_log2(threads);
  if (threads == 1) return 0;
  return each < 0 ? -64 : 8 * (at_most(4, each) - 2);
}

/* Does what a block reads stay in the core's cache? Of a matrix as narrow as the kernel each byte is read once anyway. */
static int cache_score(const int64_t size[2], const struct hs_product *p, int64_t rows, int64_t columns, int log2_block, double local_bytes)
{
  if (size[0] <= 1 << log2_block || size[1] <= 1 << log2_block) return 0;
  int beyond = ceil_log2((int64_t)((double)(rows + columns) * (double)p->depth * p->bytes)) - floor_log2((int64_t)local_bytes);
  if (beyond < 0) return beyond < -1 ? 64 : 56;
  return beyond < 4 ? 48 - 16 * beyond : -64;
}

/* Is it large beside what the kernel computes at a time? */
static int kernel_score(int64_t rows, int64_t columns, int log2_block) { return 8 * at_most(8, floor_log2(rows * columns) - 2 * log2_block); }

static int score(const int64_t size[2], const struct hs_product *p, int side, int threads, int log2_block, double local_bytes)
{
  int64_t rows = (int64_t)1 << side, columns = rows;
  if (rows > size[0]) rows = size[0];
  if (columns > size[1]) columns = size[1];
  return threads_score(size, side, threads) + cache_score(size, p, rows, columns, log2_block, local_bytes) + kernel_score(rows, columns, log2_block);
}

void hs_blocks_choose(const struct hs_product *p, int threads, int block, double local_bytes, struct hs_blocks *out)
{
  const int64_t size[2] = {round_up(p->rows, block), round_up(p->columns, block)};
  int log2_block = floor_log2(block), shorter = size[0] > size[1], best = INT_MIN, side = log2_block;
  int log2_size = at_least(log2_block, floor_log2(size[shorter]));
  for (int s = log2_block; s <= at_most(log2_size, log2_block + 6); s++) {
    int now = score(size, p, s, threads, log2_block, local_bytes);
    if (now < best) continue;
    best = now;
    side = s;
  }
  *out = (struct hs_blocks){.block = block};
  for (int d = 0; d < 2; d++) {
    out->log2_n[d] = log2_size - side + (d != shorter ? cuts(size[d], size[shorter], log2_block) : 0);
    out->small[d] = (size[d] >> out->log2_n[d]) / block * block;
    out->large[d] = (size[d] - (out->small[d] << out->log2_n[d])) / block;
  }
}

static int64_t side_of(const struct hs_blocks *b, int d, int64_t i) { return b->small[d] + (i < b->large[d] ? b->block : 0); }

int hs_blocks_count(const struct hs_blocks *b)
{
  int log2_n = b->log2_n[0] + b->log2_n[1];
  return log2_n <= floor_log2(BLOCKS_MAX) ? 1 << log2_n : 0;
}

double hs_blocks_share(const struct hs_blocks *b, int threads)
{
  double busy[THREADS_MAX] = {0}, most = 0;
  int64_t n[2] = {(int64_t)1 << b->log2_n[0], (int64_t)1 << b->log2_n[1]};
  double all = (double)(b->small[0] * n[0] + b->large[0] * b->block) * (double)(b->small[1] * n[1] + b->large[1] * b->block);
  threads = at_most(THREADS_MAX, threads);
  if (hs_blocks_count(b) == 0) return 1.0 / threads;
  for (int64_t column = 0; column < n[1]; column++)
    for (int64_t row = 0; row < n[0]; row++) {
      int free = 0;
      for (int t = 1; t < threads; t++)
        if (busy[t] < busy[free]) free = t;
      busy[free] += (double)(side_of(b, 0, row) * side_of(b, 1, column)) / all;
    }
  for (int t = 0; t < threads; t++) most = fmax(most, busy[t]);
  return most;
}

double hs_blocks_unevenness(const struct hs_blocks *b, int threads)
{
  int n = hs_blocks_count(b);
  return n == 0 ? 1 : hs_blocks_share(b, threads) * n / ceil((double)n / threads);
}
