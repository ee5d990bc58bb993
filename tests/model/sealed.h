/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs of a test's own, which lowering didn't make. */
#ifndef HS_TEST_SEALED_H
#define HS_TEST_SEALED_H

#include "plan/program.h"

/* To be unsealed; tasks and dependencies are borrowed. */
static inline void seal(struct hs_program *prog, struct hs_task *tasks, int n_tasks, int *deps, int n_deps)
{
  *prog = (struct hs_program){.tasks = tasks, .n_tasks = n_tasks, .deps = deps, .n_deps = n_deps};
  hs_program_seal(prog);
}

#endif
