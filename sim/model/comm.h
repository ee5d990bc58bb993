/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sharing data between processors costs, from the SoC's table: seconds for one step of one direction, and who does
 * it. Only plan/emit.c makes tasks of the steps; hs_comm_transfer() sums them up for policies that plan by a cost of their own. */
#ifndef HS_COMM_H
#define HS_COMM_H

#include "model/cost.h"

/* Seconds at the highest OPP of whoever does it; 0 within one kind. */
double hs_comm_seconds(const struct hs_system *sys, enum hs_kind from, enum hs_kind to, enum hs_comm step, double bytes);

/* What moving `elements` of a tensor between the host's memory and accelerator p costs in all: every step of lower.h, one
 * invocation included, one after the other. `to_host` is the direction. Energy is what the steps that work take. */
struct hs_transfer {
  double seconds, joules;
};
struct hs_transfer hs_comm_transfer(const struct hs_system *sys, int p, bool to_host, double elements);

/* How long the host takes to see that GPU p is done with what it brings to it. Where that is converted, an idle GPU has to begin with it first. */
double hs_comm_wait_seconds(const struct hs_system *sys, int p, double bytes);

/* Work on one core of p, the fastest of those taken, that takes `seconds` at the highest OPP. */
void hs_comm_work(const struct hs_system *sys, int p, double seconds, struct hs_work *out);

/* Must a tensor be converted when it goes from processor a to b: other precision, or another layout (images)? */
bool hs_comm_converts(const struct hs_system *sys, int a, int b);

#endif
