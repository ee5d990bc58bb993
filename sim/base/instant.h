/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instants that were added up, or that the engine's clock rounded, are one within a nanosecond, which a double tells from the next until 4e6 s (its step
 * there is 9e-10). */
#ifndef HS_INSTANT_H
#define HS_INSTANT_H

#include <stdbool.h>

#define HS_SLACK_S 1e-9
#define HS_TICK_S 1e-11 /* of the engine's clock, which may come so much too early: what takes less takes no time */

static inline bool hs_has_come(double at_s, double now_s) { return at_s <= now_s + HS_SLACK_S; }
static inline bool hs_is_past(double limit_s, double at_s) { return at_s > limit_s + HS_SLACK_S; }

#endif
