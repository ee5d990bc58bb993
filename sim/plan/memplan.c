/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/memplan.h"

#include <math.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };

struct item {
  const struct hs_buffer *buffer;
  int number;
  int64_t size, offset;
};

static int by_size(const void *a, const void *b)
{
  const struct item *x = a, *y = b;
  if (x->size != y->size) return x->size > y->size ? -1 : 1;
  if (x->buffer->first_op != y->buffer->first_op) return x->buffer->first_op < y->buffer->first_op ? -1 : 1;
  return x->number - y->number;
}

/* Do they exist in one place at one time? The operator that frees one runs while it makes the other. */
static bool meet(const struct hs_buffer *a, const struct hs_buffer *b)
{
  return a->place == b->place && a->first_op <= b->last_op && b->first_op <= a->last_op;
}

/* The smallest gap that fits between what lies in the way; `lying` is in order of offset. */
static int64_t find_gap(struct item *const *lying, int n, const struct item *new)
{
  int64_t end = 0, best = -1, least = INT64_MAX;
  for (int i = 0; i < n; i++) {
    if (!meet(lying[i]->buffer, new->buffer)) continue;
    int64_t gap = lying[i]->offset - end;
    if (gap >= new->size && gap < least) {
      least = gap;
      best = end;
    }
    if (lying[i]->offset + lying[i]->size > end) end = lying[i]->offset + lying[i]->size;
  }
  return best >= 0 ? best : end;
}

static void insert(struct item **lying, int n, struct item *new)
{
  int i = n;
  for (; i > 0 && lying[i - 1]->offset > new->offset; i--) lying[i] = lying[i - 1];
  lying[i] = new;
}

/* Of every place the most that is alive at once: some buffer has just begun then. */
static double most_live(const struct item *items, int n)
{
  double sum = 0;
  for (int place = 0; place < HS_PROCESSORS_MAX; place++) {
    int64_t most = 0;
    for (int i = 0; i < n; i++) {
      int64_t live = 0;
      if (items[i].buffer->place != place) continue;
      for (int k = 0; k < n; k++) {
        const struct hs_buffer *b = items[k].buffer;
        if (b->place == place && b->first_op <= items[i].buffer->first_op && b->last_op >= items[i].buffer->first_op) live += items[k].size;
      }
      if (live > most) most = live;
    }
    sum += (double)most;
  }
  return sum;
}

void hs_memplan(const struct hs_buffer *buffers, int n, int64_t *offsets, struct hs_memplan *plan)
{
  struct item *items = hs_realloc(NULL, (size_t)n + 1, sizeof *items), **lying = hs_realloc(NULL, (size_t)n + 1, sizeof *lying);
  int64_t ends[HS_PROCESSORS_MAX] = {0};
  *plan = (struct hs_memplan){0};
  for (int i = 0; i < n; i++) items[i] = (struct item){&buffers[i], i, (int64_t)ceil(buffers[i].bytes / ALIGNMENT) * ALIGNMENT, 0};
  qsort(items, (size_t)n, sizeof *items, by_size);
  for (int i = 0; i < n; i++) {
    items[i].offset = find_gap(lying, i, &items[i]);
    insert(lying, i, &items[i]);
    int64_t end = items[i].offset + items[i].size, *top = &ends[items[i].buffer->place];
    if (end > *top) *top = end;
    if (offsets) offsets[items[i].number] = items[i].offset;
    plan->unshared_bytes += (double)items[i].size;
  }
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) plan->arena_bytes += (double)ends[p];
  plan->most_live_bytes = most_live(items, n);
  free(items);
  free(lying);
}
