/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests of lowering: two convolutions on the fixture's system, a cut in halves, and programs written out. x is 1·10·10·4 elements, a and o are 1·10·10·8. */
#ifndef HS_TEST_TWO_CONVS_H
#define HS_TEST_TWO_CONVS_H

#include "tests/model/fixture.h"

#define TWO_CONVS                                                                                                      \
  "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'pad': 'same'}, "                      \
  "{'name': 'o', 'inputs': ['a'], 'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'pad': 'same'}"

static inline void make(struct fixture *f, const char *shape, const char *ops, const char *outputs, int memory_type)
{
  struct hs_settings s = {.runtime = hs_runtime_find("mace"), .precision = -1, .memory_type = memory_type};
  fixture_make(f, NULL, fixture_profile(0, 4, 0, 0), &s);
  fixture_graph(f, shape, ops, outputs);
}

/* The first half for the GPU, the second one for the CPU. */
static inline void halve(struct hs_op_placement *op, enum hs_split split, int home, int chain)
{
  *op = (struct hs_op_placement){.split = split, .n_parts = 2, .parts = {{1, 0.5, -1}, {0, 0.5, -1}}, .home = home, .chain = chain};
}

/* One line per task: kind, processor, bytes moved, dependencies. */
static inline char *listing(const struct fixture *f, const struct hs_program *p)
{
  struct hs_text t = {0};
  hs_text_add(&t, "");
  for (int i = 0; i < p->n_tasks; i++) {
    const struct hs_task *k = &p->tasks[i];
    hs_text_addf(&t, "%d %s %s %.0f", i, hs_task_kind_names[k->kind], f->soc->processors[k->processor].name, k->moved_bytes);
    for (int d = 0; d < k->n_deps; d++) hs_text_addf(&t, "%s%d", d ? "," : " <", p->deps[k->first_dep + d]);
    hs_text_add(&t, "\n");
  }
  return t.s;
}

static inline void check_program(struct fixture *f, struct hs_placement *pl, const char *expected)
{
  struct hs_program *p = NULL;
  struct hs_error err;
  ck_assert_msg(hs_placement_check(&f->sys, f->graph, pl, "test", &err) == HS_OK, "%s", hs_test_message(&err));
  ck_assert_msg(hs_lower(&f->sys, f->graph, pl, &p, &err) == HS_OK, "%s", hs_test_message(&err));
  char *text = listing(f, p);
  ck_assert_str_eq(text, expected);
  free(text);
  hs_program_free(p);
}

#endif
