/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What ran of a network's plan when its policy chose among alternatives and pieces: read from the events of one request. */
#ifndef HS_RAN_H
#define HS_RAN_H

#include "base/text.h"
#include "out/timeline.h"
#include "serve/serve.h"

struct hs_ran_piece {
  int alternative, from, to; /* operators [from, to) */
};

/* The pieces in the order in which they ran; *n of them, owned by the caller. The timeline holds one request. */
struct hs_ran_piece *hs_ran(const struct hs_network *network, const struct hs_timeline *timeline, int *n);

/* In one line: "3 cut, 24 gpu" (operators) of a whole plan, with the alternative's name before it where there are several;
 * "ops 0-11 on gpu, 12-29 on cpu+gpu" of pieces. Pieces next to each other on the same processors are told as one. */
void hs_ran_text(const struct hs_soc *soc, const struct hs_network *network, const struct hs_ran_piece *pieces, int n, struct hs_text *out);

#endif
