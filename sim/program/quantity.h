/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A quantity of validation/claims.csv: a number out of the JSON results of commands, or a small expression over several. The grammar is in
 * doc/formats.md; nothing here runs anything. */
#ifndef HS_QUANTITY_H
#define HS_QUANTITY_H

#include <stdbool.h>

#include "base/memory.h"
#include "base/status.h"

enum { HS_QUANTITY_NODES_MAX = 64, HS_QUANTITY_LEAVES_MAX = 24, HS_QUANTITY_COMMANDS_MAX = 12 };

/* One step of the expression in postfix order. */
struct hs_quantity_node {
  enum hs_quantity_op { HS_Q_NUMBER, HS_Q_LEAF, HS_Q_ADD, HS_Q_SUB, HS_Q_MUL, HS_Q_DIV, HS_Q_MIN, HS_Q_MAX, HS_Q_LESS } op;
  double number; /* of HS_Q_NUMBER */
  int n;         /* HS_Q_LEAF: index of the leaf; of min, max and less: how many operands */
};

/* A place in the result of one of the row's commands. */
struct hs_quantity_leaf {
  int command;      /* 0 is a */
  const char *path; /* without the letter */
};

struct hs_quantity {
  int n, n_leaves;
  struct hs_quantity_node nodes[HS_QUANTITY_NODES_MAX];
  struct hs_quantity_leaf leaves[HS_QUANTITY_LEAVES_MAX];
  bool is_order; /* a chain of <: its value is 1 or 0, NAN where it compares what isn't finite */
};

/* Parses the text, which may name commands a, b, … of `n_commands`; paths are copied to the arena. On a mistake false, and `why`[size]
 * holds value and rule. */
bool hs_quantity_parse(const char *text, int n_commands, struct hs_arena *arena, struct hs_quantity *q, char *why, size_t size);

/* What it is in, by the endings of its fields (latency_s, energy_j, power_w, peak_bytes, communication_frac): powers of seconds, joules and bytes. */
struct hs_dimension {
  bool known;          /* false: an ending says nothing, or what is added isn't alike */
  bool mixed;          /* that isn't, by what the endings say: seconds and joules */
  int s, j, b;
  bool is_fraction;    /* of 1, as a field is that ends in _frac, `times` a number: 100, or 50 of its half, make it a percentage */
  double times;
  bool is_number;      /* no field is in it */
};
struct hs_dimension hs_quantity_dimension(const struct hs_quantity *q);

/* Its value from those of its leaves; NAN where one that counts is NAN. A chain of < is NAN, too, where one of what it compares
 * isn't finite. */
double hs_quantity_value(const struct hs_quantity *q, const double *leaves);
/* Of an order the values that it compares, [HS_QUANTITY_NODES_MAX]; of any other quantity its own. Returns how many. */
int hs_quantity_compared(const struct hs_quantity *q, const double *leaves, double *out);

/* What stands at a path of a result. */
struct hs_found {
  enum { HS_FOUND_NOTHING, HS_FOUND_NUMBER, HS_FOUND_TRUTH, HS_FOUND_FAILURE } kind; /* the last: of what can't run */
  double value;   /* 1 or 0 for a truth; NAN for null: it can't run */
  double paper;   /* of a reproduced value: the paper's; else NAN */
  char seen[400]; /* of a reproduced statement: the numbers; why it can't run */
};

/* Looks paths up in one JSON text. false: the text isn't JSON. What isn't there, or there twice, or neither number nor truth is
 * HS_FOUND_NOTHING; where what it would be of has an `error` instead, that is found. */
bool hs_quantity_find(const char *json, int n, const char *const *paths, struct hs_found *found);

#endif
