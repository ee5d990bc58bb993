/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory: an arena that owns everything one loaded object or one run allocates, and checked growth of plain arrays.
 * Exhaustion ends the process by abort(): input sizes are limited by the readers, and a simulator has no state
 * that would be worth saving then. */
#ifndef HS_MEMORY_H
#define HS_MEMORY_H

#include <stddef.h>

struct hs_arena {
  struct hs_arena_block *first; /* newest block */
};

/* Zeroed memory, aligned for any type, that lives until hs_arena_free(). size 0 gives a valid pointer. */
void *hs_arena_alloc(struct hs_arena *a, size_t size);
char *hs_arena_strdup(struct hs_arena *a, const char *s);
char *hs_arena_printf(struct hs_arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
void hs_arena_free(struct hs_arena *a);

#define HS_NEW(arena, type) ((type *)hs_arena_alloc((arena), sizeof(type)))
#define HS_NEW_ARRAY(arena, type, n) ((type *)hs_arena_alloc_array((arena), (n), sizeof(type)))
void *hs_arena_alloc_array(struct hs_arena *a, size_t n, size_t size);

/* realloc(3) of n elements that never returns NULL. */
void *hs_realloc(void *p, size_t n, size_t size);

/* The same, new and zeroed. */
void *hs_calloc(size_t n, size_t size);

/* Makes room for one more element: *p holds n of *cap elements. */
#define HS_GROW(p, n, cap)                                                                                             \
  do {                                                                                                                 \
    if ((n) == (cap)) {                                                                                                \
      (cap) = (cap) ? 2 * (cap) : 16;                                                                                  \
      (p) = hs_realloc((p), (size_t)(cap), sizeof *(p));                                                               \
    }                                                                                                                  \
  } while (0)

#endif
