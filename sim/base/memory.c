/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hs_arena_block {
  struct hs_arena_block *next;
  size_t used, size;
  _Alignas(max_align_t) char data[];
};

enum { BLOCK = 16 * 1024, ALIGN = _Alignof(max_align_t) };

void *hs_realloc(void *p, size_t n, size_t size)
{
  if (size && n > SIZE_MAX / size) abort();
  void *q = realloc(p, n * size + (n * size == 0));
  if (!q) abort();
  return q;
}

void *hs_calloc(size_t n, size_t size)
{
  void *p = calloc(n ? n : 1, size ? size : 1);
  if (!p) abort();
  return p;
}

void *hs_arena_alloc(struct hs_arena *a, size_t size)
{
  if (size > SIZE_MAX / 2) abort();
  size = (size + ALIGN - 1) / ALIGN * ALIGN;
  struct hs_arena_block *b = a->first;
  if (!b || b->size - b->used < size) {
    size_t room = size > BLOCK ? size : BLOCK;
    b = hs_realloc(NULL, 1, sizeof *b + room);
    b->next = a->first;
    b->used = 0;
    b->size = room;
    a->first = b;
  }
  void *p = b->data + b->used;
  b->used += size;
  return memset(p, 0, size);
}

void *hs_arena_alloc_array(struct hs_arena *a, size_t n, size_t size)
{
  if (size && n > SIZE_MAX / 2 / size) abort();
  return hs_arena_alloc(a, n * size);
}

char *hs_arena_strdup(struct hs_arena *a, const char *s)
{
  size_t n = strlen(s) + 1;
  return memcpy(hs_arena_alloc(a, n), s, n);
}

char *hs_arena_printf(struct hs_arena *a, const char *format, ...)
{
  char most[128]; /* names are short, and printed once so */
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  size_t size = (size_t)vsnprintf(most, sizeof most, format, args) + 1;
  char *s = hs_arena_alloc(a, size);
  if (size <= sizeof most)
    memcpy(s, most, size);
  else
    vsnprintf(s, size, format, again);
  va_end(again);
  va_end(args);
  return s;
}

void hs_arena_free(struct hs_arena *a)
{
  while (a->first) {
    struct hs_arena_block *next = a->first->next;
    free(a->first);
    a->first = next;
  }
}
