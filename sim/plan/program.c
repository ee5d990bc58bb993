/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/program.h"

#include <stdlib.h>

const char *const hs_task_kind_names[HS_TASK_KIND_N + 1] = {"exec", "transform", "map", "sync", "launch", "rpc", NULL};

void hs_program_free(struct hs_program *p)
{
  if (!p) return;
  free(p->tasks);
  free(p->deps);
  free(p);
}

bool hs_task_is_communication(enum hs_task_kind kind)
{
  return kind == HS_TASK_TRANSFORM || kind == HS_TASK_MAP || kind == HS_TASK_SYNC || kind == HS_TASK_RPC;
}
