/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A SoC for scenarios: two clusters of fast cores and one of slow ones that heat one node, a GPU, a DSP, and no NPU. Only what the
 * readers of scenarios look at. */
#ifndef HS_TEST_SCENARIO_SOC_H
#define HS_TEST_SCENARIO_SOC_H

#include "device/scenario.h"

#define SCENARIO_OPPS(low, high) .n_opps = 2, .opps = {{.freq_hz = (low)}, {.freq_hz = (high)}}

static const struct hs_soc scenario_soc = {
  .name = "phone",
  .memory = {.peak_bytes_per_s = 32e9, .llc_bytes = 3e6, .llc_hit_frac = 0.5},
  .n_processors = 4,
  .processors = {{.name = "cpu", .kind = HS_CPU, .n_domains = 2,
                  .domains = {{.name = "mid", .cores = 3, SCENARIO_OPPS(0.6e9, 1.6e9)}, {.name = "big", .cores = 1, SCENARIO_OPPS(0.8e9, 1.6e9)}}},
                 {.name = "cpu-little", .kind = HS_CPU, .n_domains = 1, .domains = {{.name = "little", .cores = 4, SCENARIO_OPPS(0.3e9, 0.9e9)}}},
                 {.name = "gpu", .kind = HS_GPU, .n_domains = 1, .domains = {{.name = "gpu", .cores = 1, SCENARIO_OPPS(257e6, 427e6)}}},
                 {.name = "dsp", .kind = HS_DSP, .n_domains = 1, .domains = {{.name = "dsp", .cores = 1, SCENARIO_OPPS(300e6, 427e6)}}}},
  .thermal = {.n_nodes = 3, .nodes = {{.name = "cores", .processors = 0x3}, {.name = "gpu", .processors = 0x4}, {.name = "dsp", .processors = 0x8}}},
  .scheduler = {10e-3, 3e-3, 2e-3},
};

#endif
