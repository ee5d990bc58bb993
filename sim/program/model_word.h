/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A word of the command line that names a network: MODEL[@PATTERN][,deadline=TIME][,priority=N][:POLICY[:PARAMETER=VALUE]...]. MODEL may be a file's name, with
 * slashes, and ends in .json then. */
#ifndef HS_MODEL_WORD_H
#define HS_MODEL_WORD_H

#include "base/memory.h"
#include "base/status.h"
#include "serve/arrivals.h"

struct hs_model_word {
  const char *model;         /* name or file */
  struct hs_pattern pattern; /* when requests come; back to back where it has none */
  double deadline_s;         /* from its arrival, in (0, 1000]; of requests at a fixed rate their period, INFINITY: none */
  int priority;              /* 0 to 99 */
  const char *policy;        /* with its parameters, in the word; NULL: none */
};

/* Cuts it into its parts, which live as long as the arena and the word. HS_USAGE with the part that is wrong. */
enum hs_status hs_model_word_cut(struct hs_arena *arena, const char *word, struct hs_model_word *w, struct hs_error *err);

/* The mark behind the model's name, or the word's end. */
const char *hs_model_word_end(const char *word);
/* The policy that it names, with its parameters; NULL: none. */
const char *hs_model_word_policy(const char *word);

#endif
