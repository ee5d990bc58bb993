/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plans that CoDL's release runs instead of searching: per network and SoC, how each convolution, pooling and fully
 * connected operator is cut, and the chains.
 *
 * Source of the numbers: csu-eis/CoDL@0a0c89d, nn_model_builder.cc, chain_param_hint 11. */
#ifndef HS_CODL_PLANS_H
#define HS_CODL_PLANS_H

#include "model/cost.h"

struct hs_published_cut {
  enum hs_split split;
  int tenths; /* of the GPU */
  int chain;  /* number, counted over the release's operators; -1: the release's network doesn't have this operator */
};

/* The plan for the `n` operators of `network` that CoDL cuts, in execution order, as the release has it for `soc`. HS_INPUT names
 * what there is, or both counts where they differ. */
enum hs_status hs_codl_published(const char *network, const char *soc, int n, struct hs_published_cut *cuts, struct hs_error *err);

#endif
