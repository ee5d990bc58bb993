/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/order.h"

#include <stdlib.h>

#include "base/memory.h"

struct item {
  double key;
  int place;
};

static int ascending(const void *a, const void *b)
{
  const struct item *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

void hs_order_by(const double *key, int n, int *order)
{
  struct item *items = hs_realloc(NULL, (size_t)n + 1, sizeof *items);
  for (int i = 0; i < n; i++) items[i] = (struct item){key[i], i};
  qsort(items, (size_t)n, sizeof *items, ascending);
  for (int i = 0; i < n; i++) order[i] = items[i].place;
  free(items);
}
