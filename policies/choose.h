/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schedulers of policies that planned alternatives and choose one of them for each request. */
#ifndef HS_CHOOSE_H
#define HS_CHOOSE_H

#include "policies/policy.h"

/* The alternative of a waiting request that is expected to end first under the competition of its last request. */
int hs_choose_alternative(const struct hs_queue_view *view, const struct hs_waiting *w);

/* hs_policy.schedule: one inference of a network at a time, in order of arrival, each whole on hs_choose_alternative(). */
int hs_choose_fastest(void *state, const struct hs_queue_view *view, struct hs_assignment *out);

#endif
