/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operator-support tables: which operators a backend (a framework's code for one kind of processor) can run, with
 * conditions that are evaluated on the real operator. A table never says how fast. */
#ifndef HS_OP_SUPPORT_H
#define HS_OP_SUPPORT_H

#include "input/graph.h"

struct hs_op_support; /* one table */

/* Reads and checks a table. *table is owned by the caller. HS_IO, or HS_INPUT with the place, the value and the rule. */
enum hs_status hs_op_support_read(const char *file, struct hs_op_support **table, struct hs_error *err);
enum hs_status hs_op_support_parse(const char *file, const char *text, size_t len, struct hs_op_support **table,
                                   struct hs_error *err);
void hs_op_support_free(struct hs_op_support *table);

const char *hs_op_support_name(const struct hs_op_support *table);
struct hs_place hs_op_support_name_place(const struct hs_op_support *table);
const char *hs_op_support_title(const struct hs_op_support *table);
const char *hs_op_support_source(const struct hs_op_support *table); /* where the list was read */
const char *hs_op_support_sha256(const struct hs_op_support *table);

/* Does the table list `op` (its fused activations included) and do all conditions hold, where an element has so many
 * `bits`, 8 to 32? If not, `why` (may be NULL) gets the reason, as "input_channels = 3 is not a multiple of 4". The model
 * file's override is not looked at. */
bool hs_op_supported(const struct hs_op_support *table, const struct hs_graph *g, const struct hs_operator *op, int bits, char *why,
                     size_t size);
/* The same on a kind of processor, where the model file's override of that kind decides before the table. */
bool hs_op_supported_on(const struct hs_op_support *table, enum hs_kind kind, const struct hs_graph *g, const struct hs_operator *op, int bits,
                        char *why, size_t size);

#endif
