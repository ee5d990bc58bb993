/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exactly which tasks a placement becomes: kind, what it serves, processor, payload, and what it waits for. The lists of the tests are
 * written down from the table in lower.h; the phone is rig.h's, which has every accelerator and every step. */
#ifndef HS_TEST_LOWERING_H
#define HS_TEST_LOWERING_H

#include "tests/model/rig.h"

/* "3 transform image gpu 1440 <- 2": number, kind, tensor (operator for kernels and launches), processor, payload, dependencies. */
static inline char *program_text(const struct rig *r, const struct hs_program *prog)
{
  struct hs_text x = {0};
  for (int i = 0; i < prog->n_tasks; i++) {
    const struct hs_task *t = &prog->tasks[i];
    bool moves = t->tensor >= 0 && t->kind != HS_TASK_EXEC;
    hs_text_addf(&x, "%d %s %s %s", i, hs_task_kind_names[t->kind], moves ? r->graph->tensors[t->tensor].name : r->graph->ops[t->op].name,
                 r->soc->processors[t->processor].name);
    if (moves) hs_text_addf(&x, " %.12g", t->moved_bytes);
    hs_text_add(&x, " <-");
    for (int k = 0; k < t->n_deps; k++) hs_text_addf(&x, " %d", prog->deps[t->first_dep + k]);
    hs_text_add(&x, "\n");
  }
  return x.s;
}

/* Lowers and compares. */
static inline struct hs_program *lowered(const struct rig *r, const struct hs_placement *pl, const char *expected)
{
  struct hs_program *prog = rig_lower(r, pl);
  char *text = program_text(r, prog);
  ck_assert_str_eq(text, expected);
  free(text);
  return prog;
}

static inline void lowers_to(const struct rig *r, const struct hs_placement *pl, const char *expected) { hs_program_free(lowered(r, pl, expected)); }

static inline void open_buffers(struct rig *r)
{
  struct hs_error err;
  struct hs_settings s = rig_settings("mace");
  s.memory_type = HS_BUFFER;
  hs_test_accepted(rig_try(r, RIG_PHONE("2e9"), NULL, RIG_MACE, &s, &err), &err);
}

/* image 1x10x12x3 (360 elements) → c 1x10x12x8 (960; 224 weights) → p 1x5x6x8 (240) */
#define TWO RIG_NET(RIG_IN("image", "1, 10, 12, 3"), "'p'",                                                              \
                    RIG_OP("c", "Conv", "'image'", ", 'channels': 8, 'kernel': [3, 3], 'pad': 'same'") ","               \
                    RIG_OP("p", "MaxPool", "'c'", ", 'kernel': [2, 2], 'stride': [2, 2]"))

#endif
