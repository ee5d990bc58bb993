/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of scenarios, on a SoC with two clusters, a GPU and a DSP. */
#include "tests/fuzz/scenario.h"

static enum hs_status parse(const char *file, const char *text, size_t len, struct hs_scenario **s, struct hs_error *err)
{
  return hs_fuzz_scenario(hs_scenario_parse, file, text, len, s, err);
}

HS_FUZZ(parse, struct hs_scenario, hs_fuzz_use, hs_fuzz_release)
