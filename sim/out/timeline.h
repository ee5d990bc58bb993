/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A timeline: events of a run, kept in memory, for reports that need single tasks. Whose, its owner chooses: those of one request, or of all where the run is
 * checked. */
#ifndef HS_TIMELINE_H
#define HS_TIMELINE_H

#include "engine/engine.h"

/* Zeroed, it is empty. */
struct hs_timeline {
  int n, cap;
  struct hs_event *events; /* in order of completion */
};

void hs_timeline_add(struct hs_timeline *t, const struct hs_event *e);
void hs_timeline_free(struct hs_timeline *t);

/* The events of one request, which are no longer in `from`; to be freed. */
struct hs_timeline hs_timeline_take(struct hs_timeline *from, int request);

/* Seconds during which at least one task of these kinds (bit mask of enum hs_task_kind) ran. */
double hs_timeline_covered(const struct hs_timeline *t, unsigned kinds);

/* "conv1", "conv1 2/3" (one of several launches) or "map conv1": what a reader calls the task. Returns buf. */
const char *hs_task_label(const struct hs_program *prog, int task, char *buf, size_t size);

#endif
