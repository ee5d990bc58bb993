/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/ran.h"

#include "serve/pieces.h"

struct hs_ran_piece *hs_ran(const struct hs_network *network, const struct hs_timeline *timeline, int *n)
{
  struct hs_ran_piece *pieces = NULL;
  const struct hs_program *last = NULL;
  int cap = 0;
  *n = 0;
  for (int i = 0; i < timeline->n; i++) { /* a request's pieces run one after the other */
    const struct hs_program *program = timeline->events[i].program;
    if (program == last) continue;
    last = program;
    HS_GROW(pieces, *n, cap);
    struct hs_ran_piece *p = &pieces[*n];
    if (hs_pieces_find(network->pieces, program, &p->alternative, &p->from, &p->to)) ++*n;
  }
  return pieces;
}

/* Bit mask of the processors that have a part. */
static unsigned processors_of(const struct hs_network *network, const struct hs_ran_piece *piece)
{
  const struct hs_placement *pl = network->plan.alternatives[piece->alternative];
  unsigned mask = 0;
  for (int i = piece->from; i < piece->to; i++)
    for (int k = 0; k < pl->ops[i].n_parts; k++) mask |= 1u << pl->ops[i].parts[k].processor;
  return mask;
}

static void counts(const struct hs_soc *soc, const struct hs_placement *pl, struct hs_text *t)
{
  const char *comma = "";
  int cut = 0;
  for (int i = 0; i < pl->n_ops; i++) cut += pl->ops[i].n_parts > 1;
  if (cut) {
    hs_text_addf(t, "%d cut", cut);
    comma = ", ";
  }
  for (int p = 0; p < soc->n_processors; p++) {
    int whole = 0;
    for (int i = 0; i < pl->n_ops; i++) whole += pl->ops[i].n_parts == 1 && pl->ops[i].parts[0].processor == p;
    if (!whole) continue;
    hs_text_addf(t, "%s%d %s", comma, whole, soc->processors[p].name);
    comma = ", ";
  }
}

void hs_ran_text(const struct hs_soc *soc, const struct hs_network *network, const struct hs_ran_piece *pieces, int n, struct hs_text *t)
{
  if (n == 1) {
    if (network->plan.n > 1) hs_text_addf(t, "%s: ", network->plan.names[pieces[0].alternative]);
    counts(soc, network->plan.alternatives[pieces[0].alternative], t);
    return;
  }
  for (int i = 0, next; i < n; i = next) {
    unsigned mask = processors_of(network, &pieces[i]);
    const char *plus = "";
    for (next = i + 1; next < n && processors_of(network, &pieces[next]) == mask;) next++;
    int from = pieces[i].from, last = pieces[next - 1].to - 1;
    hs_text_addf(t, "%s%d", i ? ", " : "ops ", from);
    if (from < last) hs_text_addf(t, "-%d", last);
    hs_text_add(t, " on ");
    for (int p = 0; p < soc->n_processors; p++) {
      if (!(mask >> p & 1)) continue;
      hs_text_addf(t, "%s%s", plus, soc->processors[p].name);
      plus = "+";
    }
  }
}
