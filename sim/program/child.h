/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work in a child process: for commands that run the engine more than once, which it allows once per process. */
#ifndef HS_CHILD_H
#define HS_CHILD_H

#include <stddef.h>

#include "base/status.h"

/* Has `work` fill answer[size], which is zeroed before and holds no pointers, in a child, and brings it back. HS_ENGINE if
 * the child dies; whether the work itself failed is for the answer to say. */
enum hs_status hs_in_child(void (*work)(const void *state, void *answer), const void *state, void *answer, size_t size, struct hs_error *err);

#endif
