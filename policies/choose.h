/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schedulers of policies that planned alternatives and choose one of them for each request. */
#ifndef HS_CHOOSE_H
#define HS_CHOOSE_H

#include "policies/policy.h"

/* The alternative that a waiting request should take. */
typedef int (*hs_chooser)(void *state, const struct hs_queue_view *view, const struct hs_waiting *w);

/* What hs_policy.schedule fills and returns when one inference of a network runs at a time, in order of arrival, whole on the
 * alternative that is chosen for it. */
int hs_one_at_a_time(void *state, const struct hs_queue_view *view, struct hs_assignment *out, hs_chooser choose);

/* hs_policy.schedule: one at a time, on the alternative that is expected to end first under the competition of the network's last requests. */
int hs_schedule_fastest(void *state, const struct hs_queue_view *view, struct hs_assignment *out);

#endif
