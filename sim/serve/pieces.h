/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of a network: operators [from, to) of one alternative of its plan. Durations are kept once somebody has asked for them, programs
 * once they are to run. */
#ifndef HS_PIECES_H
#define HS_PIECES_H

#include "serve/serve.h"

struct hs_pieces; /* of one network, whose plan is made */

struct hs_pieces *hs_pieces_new(const struct hs_system *sys, const struct hs_network *network);
const struct hs_system *hs_pieces_system(const struct hs_pieces *p);
void hs_pieces_free(struct hs_pieces *p); /* NULL is fine */

/* NULL if it can't be: an operator without parts, or more memory than there is (then *err, which may be NULL, says so, but only to the first
 * who asks for that piece). */
const struct hs_program *hs_pieces_get(struct hs_pieces *p, int alternative, int from, int to, struct hs_error *err);

/* What a program from here is of; false for one from elsewhere. */
bool hs_pieces_find(const struct hs_pieces *p, const struct hs_program *program, int *alternative, int *from, int *to);

/* Its duration on the idle device, or INFINITY. */
double hs_pieces_seconds(struct hs_pieces *p, int alternative, int from, int to);

#endif
