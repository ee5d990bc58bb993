/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/pieces.h"

#include <math.h>
#include <stdlib.h>

#include "plan/estimate.h"
#include "plan/lower.h"

struct piece {
  int from, to;
  struct hs_program *program; /* NULL: nobody has asked for more than its duration, or it is impossible */
  double seconds;             /* INFINITY: impossible */
  struct piece *next;
};

/* Pieces of one alternative that start at the same operator: a list each, the longest first, as schedulers ask for longer and longer ones. */
struct hs_pieces {
  const struct hs_system *sys;
  const struct hs_network *network;
  struct hs_arena arena;
  struct piece **lists[HS_ALTERNATIVES_MAX]; /* [operator] */
};

struct hs_pieces *hs_pieces_new(const struct hs_system *sys, const struct hs_network *network)
{
  struct hs_pieces *p = hs_realloc(NULL, 1, sizeof *p);
  *p = (struct hs_pieces){.sys = sys, .network = network};
  for (int i = 0; i < network->plan.n; i++)
    p->lists[i] = HS_NEW_ARRAY(&p->arena, struct piece *, (size_t)network->plan.alternatives[i]->n_ops);
  return p;
}

const struct hs_system *hs_pieces_system(const struct hs_pieces *p) { return p->sys; }

void hs_pieces_free(struct hs_pieces *p)
{
  if (!p) return;
  for (int i = 0; i < p->network->plan.n; i++)
    for (int op = 0; op < p->network->plan.alternatives[i]->n_ops; op++)
      for (struct piece *at = p->lists[i][op]; at; at = at->next) hs_program_free(at->program);
  hs_arena_free(&p->arena);
  free(p);
}

static enum hs_status lower(const struct hs_pieces *p, int alternative, struct piece *piece, struct hs_error *err)
{
  const struct hs_placement *pl = p->network->plan.alternatives[alternative];
  return hs_lower_piece(p->sys, hs_placement_graph(pl, p->network->graph), pl, piece->from, piece->to, &piece->program, err);
}

static void make(struct hs_pieces *p, int alternative, struct piece *piece, struct hs_error *err)
{
  const struct hs_placement *pl = p->network->plan.alternatives[alternative];
  struct hs_estimate estimate;
  piece->seconds = INFINITY;
  for (int i = piece->from; i < piece->to; i++)
    if (pl->ops[i].n_parts == 0) return;
  if (lower(p, alternative, piece, err)) return;
  hs_estimate_program(p->sys, piece->program, &estimate, NULL, NULL);
  piece->seconds = estimate.latency_s;
}

/* NULL: nobody has asked for it yet; *end is where it goes. */
static struct piece *find(const struct hs_pieces *p, int alternative, int from, int to, struct piece ***end)
{
  struct piece **at = &p->lists[alternative][from];
  while (*at && (*at)->to > to) at = &(*at)->next;
  *end = at;
  return *at && (*at)->to == to ? *at : NULL;
}

static struct piece *add(struct hs_pieces *p, int alternative, int from, int to, struct piece **end, struct hs_error *err)
{
  struct piece *piece = HS_NEW(&p->arena, struct piece);
  *piece = (struct piece){.from = from, .to = to, .next = *end};
  *end = piece;
  make(p, alternative, piece, err);
  return piece;
}

const struct hs_program *hs_pieces_get(struct hs_pieces *p, int alternative, int from, int to, struct hs_error *err)
{
  struct hs_error ignored;
  struct piece **end, *piece = find(p, alternative, from, to, &end);
  if (!err) err = &ignored;
  if (!piece) return add(p, alternative, from, to, end, err)->program;
  if (!piece->program && piece->seconds < INFINITY) lower(p, alternative, piece, err);
  return piece->program;
}

/* Schedulers ask for the durations of all pieces of a network, thousands, and run some: a program that nobody has asked for isn't kept. */
double hs_pieces_seconds(struct hs_pieces *p, int alternative, int from, int to)
{
  struct hs_error ignored;
  struct piece **end, *piece = find(p, alternative, from, to, &end);
  if (piece) return piece->seconds;
  piece = add(p, alternative, from, to, end, &ignored);
  hs_program_free(piece->program);
  piece->program = NULL;
  return piece->seconds;
}

bool hs_pieces_find(const struct hs_pieces *p, const struct hs_program *program, int *alternative, int *from, int *to)
{
  for (*alternative = 0; *alternative < p->network->plan.n; ++*alternative)
    for (*from = 0; *from < p->network->plan.alternatives[*alternative]->n_ops; ++*from)
      for (const struct piece *at = p->lists[*alternative][*from]; at; at = at->next) {
        *to = at->to;
        if (at->program == program) return true;
      }
  return false;
}
