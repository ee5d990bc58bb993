/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bar chart of policies side by side: one bar of latency each, its energy at the right; a policy that couldn't run, or ended no
 * inference, has the reason in place of the bar. */
#ifndef HS_CHART_BARS_H
#define HS_CHART_BARS_H

#include "base/text.h"

struct hs_bar {
  const char *policy, *ran_in; /* "tflite, int8, fitted": runtime, precisions, what kernels rest on */
  const char *reason;     /* NULL: inferences ended, and the rest is filled */
  double latency_s;
  double kernel_s;        /* of the latency: with at least one kernel running */
  double communication_s; /* of the latency: with communication and no kernel running */
  double energy_j;
};

struct hs_bars {
  const char *soc, *soc_title, *model;
  const char *command;          /* that made it, without the program's name */
  bool means;                   /* of several inferences each */
  int n;
  const struct hs_bar *bars; /* [n], top to bottom */
};

void hs_bars_svg(const struct hs_bars *bars, struct hs_text *out);

#endif
