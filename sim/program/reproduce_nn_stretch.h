/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two halves of NN-Stretch's evaluation share: its runs, as its release makes them. */
#ifndef HS_REPRODUCE_NN_STRETCH_H
#define HS_REPRODUCE_NN_STRETCH_H

#include "program/reproduce.h"

extern const char *const hs_nn_stretch_models[];
enum { HS_NN_STRETCH_MODELS = 6 };

/* How the DSP is set for a network there; NULL: not at all. */
const char *hs_nn_stretch_dsp_level(const char *soc, const char *model);
/* One processor alone, in TensorFlow Lite. */
struct hs_cell hs_nn_stretch_single(const char *soc, const char *processor, const char *model);
/* Branches: "processors=cpu+dsp", and another parameter of the policy, "structure=published" or one of the search. What it points to
 * lives as long as r. */
struct hs_cell hs_nn_stretch_branches(struct hs_reproduction *r, const char *soc, const char *processors, const char *param, const char *model);
#define HS_NN_STRETCH_SEARCHED "branches as our search finds them, with as many multiply-accumulates as the released ones have, as accuracy isn't modelled"
/* Is operator `op` of the graph that runs one of the network as given: of stem or head? */
bool hs_nn_stretch_is_kept(const struct hs_setup *s, int op);

/* Fig. 9 and 10: all phones, networks and sets of processors. */
enum hs_status hs_nn_stretch_figure_9(struct hs_reproduction *r, struct hs_error *err);
enum hs_status hs_nn_stretch_figure_10(struct hs_reproduction *r, struct hs_error *err);

#endif
