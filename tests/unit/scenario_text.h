/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of scenarios, read and looked at. */
#ifndef HS_TEST_SCENARIO_TEXT_H
#define HS_TEST_SCENARIO_TEXT_H

#include "tests/unit/suite.h"

#include <math.h>

#include "tests/unit/scenario_soc.h"

static const unsigned CPU_MID = 1u << 0, CPU_BIG = 1u << 1, LITTLE = 1u << HS_DOMAINS_MAX, ALL_CPUS = 0xb;

/* Of a table without columns that may be missing. */
static const char header[] = "time_s,process,threads,duty_frac,gpu_frac,dsp_frac,npu_frac,dram_bytes_per_s,footprint_bytes\n";

static inline enum hs_status parse(struct hs_scenario *s, const struct hs_soc *soc, const char *text, struct hs_error *err)
{
  hs_scenario_open(s);
  return hs_scenario_parse(s, "s.json", text, strlen(text), soc, err);
}

static inline void check_phase(const struct hs_phase *ph, double from_s, double to_s, int threads, double duty, double gpu, double dsp,
                               double dram, double footprint)
{
  ck_assert_double_eq(ph->from_s, from_s);
  ck_assert_double_eq(ph->to_s, to_s);
  ck_assert_int_eq(ph->threads, threads);
  ck_assert_double_eq(ph->duty_frac, duty);
  ck_assert_double_eq(ph->load_frac[HS_GPU], gpu);
  ck_assert_double_eq(ph->load_frac[HS_DSP], dsp);
  ck_assert_double_eq(ph->load_frac[HS_NPU], 0);
  ck_assert_double_eq(ph->dram_bytes_per_s, dram);
  ck_assert_double_eq(ph->footprint_bytes, footprint);
}

#endif
