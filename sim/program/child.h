/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work in child processes: for commands that run the engine more than once, which it allows once per process. */
#ifndef HS_CHILD_H
#define HS_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Fills the answer to `state`, which is zeroed before and holds no pointers; whether the work itself failed is for the answer to say. */
typedef void hs_child_work(const void *state, void *answer);

/* Does the work in a child and brings answer[size] back. HS_ENGINE if the child dies, as hs_child_lived(). */
enum hs_status hs_in_child(hs_child_work *work, const void *state, void *answer, size_t size, const char *what, struct hs_error *err);

struct hs_child {
  const void *state;
  void *answer;
  size_t size;
  bool died; /* without an answer */
};

/* The same for many, in the order of the list, as many at a time as this process may use processors. ended(caller, i) is told of each in
 * the order in which they end; once it returns false, no more are started, and those not started have no answer. NULL stands for: until one has
 * died. A child has one at a time of its own: its siblings use the other processors. None outlives this process, and where
 * that has caught an interrupt (hs_interrupted), those under way get one, too. */
enum hs_status hs_in_children(hs_child_work *work, int n, struct hs_child *children, bool (*ended)(void *caller, int i), void *caller, struct hs_error *err);

/* HS_ENGINE if it died; `what` is what it was to simulate, for the error. */
enum hs_status hs_child_lived(const struct hs_child *c, const char *what, struct hs_error *err);

#endif
