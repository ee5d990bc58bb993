/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The SoCs that ship, against facts. */
#include "tests/unit/shipped.h"

#include "device/cache.h"

START_TEST(every_soc)
{
  struct hs_soc *s = shipped(soc_names[_i]);
  ck_assert_str_eq(s->name, soc_names[_i]);
  ck_assert_int_eq(hs_soc_find(s, "cpu"), 0);
  ck_assert_int_eq(hs_soc_find(s, "cpu-little"), 1);
  ck_assert_int_ge(hs_soc_find(s, "gpu"), 2);
  ck_assert_int_eq(hs_processor_cores(&s->processors[0]) + hs_processor_cores(&s->processors[1]), 8);
  ck_assert_int_gt(s->thermal.n_trips, 0);
  int assumed = 0;
  for (int i = 0; i < s->sources.n_numbers; i++) assumed += s->sources.list[s->sources.numbers[i].source].kind == HS_ASSUMED;
  ck_assert_int_gt(assumed, 0); /* nobody knows the leakage or the heat capacity of a phone */
  ck_assert_int_lt(assumed, s->sources.n_numbers);
  hs_soc_free(s);
}
END_TEST

/* Linux drivers: kbase's DEFAULT_JS_CTX_TIMESLICE_NS, kgsl's _cmdbatch_timeout. A footprint as large as the cache leaves half of the hits;
 * at 0.2 instead of h the DRAM sees (1 - 0.2) / (1 - h) of the traffic. On the Snapdragon 855 h is fitted, elsewhere assumed. */
START_TEST(turns_on_the_gpu_and_the_cache)
{
  struct hs_soc *s = shipped(soc_names[_i]);
  bool adreno = strncmp(s->name, "sd", 2) == 0;
  ck_assert_double_eq(s->processors[hs_soc_find(s, "gpu")].context_slice_s, adreno ? 2 : 0.05);
  double h = strcmp(s->name, "sd855") == 0 ? 0.7481 : 0.5;
  ck_assert_double_eq(s->memory.llc_hit_frac, h);
  ck_assert_double_eq_tol(hs_cache_hit_frac(s, 0), h, 1e-12);
  ck_assert_double_eq_tol(hs_cache_hit_frac(s, s->memory.llc_bytes > 0 ? s->memory.llc_bytes : 1e6), s->memory.llc_bytes > 0 ? h / 2 : h, 1e-12);
  ck_assert_double_eq_tol(hs_cache_traffic(s, 0.2), 0.8 / (1 - h), 1e-12);
  hs_soc_free(s);
}
END_TEST

/* TensorFlow Lite's AdrenoInfo::GetComputeUnitsCount(), and of a Mali its cores, as OpenCL counts them. */
START_TEST(compute_units_of_gpus)
{
  static const struct {
    const char *type;
    int units;
  } adrenos[] = {{"Adreno 640", 2}, {"Adreno 650", 3}, {"Adreno 660", 3}};
  struct hs_soc *s = shipped(soc_names[_i]);
  const struct hs_domain *gpu = &s->processors[hs_soc_find(s, "gpu")].domains[0];
  int units = 0;
  for (size_t k = 0; k < sizeof adrenos / sizeof *adrenos; k++)
    if (strcmp(gpu->core_type, adrenos[k].type) == 0) units = adrenos[k].units;
  const char *cores = strstr(gpu->core_type, " MP");
  if (cores) units = atoi(cores + 3);
  ck_assert_int_gt(units, 0);
  ck_assert_int_eq(gpu->compute_units, units);
  hs_soc_free(s);
}
END_TEST

START_TEST(kirin970_has_mosaics_opps)
{
  /* MOSAIC (PACT 2019), Table II */
  static const double big[][2] = {{.7, 682}, {.8, 1018}, {.8, 1210}, {.8, 1364}, {.9, 1498}, {.9, 1652}, {.9, 1863}, {1.0, 2093}, {1.1, 2362}};
  static const double little[][2] = {{.7, 509}, {.8, 1018}, {.9, 1210}, {.9, 1402}, {1.0, 1556}, {1.0, 1690}, {1.1, 1844}};
  static const double gpu[][2] = {{.6, 104}, {.7, 151}, {.7, 237}, {.7, 332}, {.8, 415}, {.8, 550}, {.9, 667}, {1.0, 767}};
  static const struct {
    const char *name;
    const double (*opps)[2];
    int n;
  } tables[] = {{"cpu", big, 9}, {"cpu-little", little, 7}, {"gpu", gpu, 8}};
  struct hs_soc *s = shipped("kirin970");
  for (int k = 0; k < 3; k++) {
    const struct hs_domain *d = &s->processors[hs_soc_find(s, tables[k].name)].domains[0];
    ck_assert_int_eq(d->n_opps, tables[k].n);
    for (int i = 0; i < d->n_opps; i++) {
      ck_assert_double_eq_tol(d->opps[i].volt, tables[k].opps[i][0], 1e-9);
      ck_assert_double_eq_tol(d->opps[i].freq_hz, tables[k].opps[i][1] * 1e6, 1);
      /* Eq. 5: dynamic power scales by V²f from the highest OPP */
      const struct hs_opp *top = &d->opps[d->n_opps - 1], *o = &d->opps[i];
      ck_assert_double_eq_tol(o->dynamic_w, top->dynamic_w * o->volt * o->volt * o->freq_hz / (top->volt * top->volt * top->freq_hz), 0.01 * o->dynamic_w);
    }
  }
  const struct hs_processor *npu = &s->processors[hs_soc_find(s, "npu")];
  ck_assert_int_eq(npu->domains[0].n_opps, 1);
  ck_assert_double_eq(npu->slice_limit_bytes, 100e6);
  hs_soc_free(s);
}
END_TEST

START_TEST(facts_of_snapdragons)
{
  struct hs_soc *s = shipped("sd855");
  const struct hs_domain *gpu = &s->processors[hs_soc_find(s, "gpu")].domains[0];
  ck_assert_double_eq(gpu->opps[gpu->n_opps - 1].freq_hz, 585e6);
  ck_assert_double_eq(gpu->opps[0].freq_hz, 257e6);
  ck_assert_double_eq_tol(s->memory.peak_bytes_per_s, 34.1e9, 0.1e9);
  ck_assert_int_eq(s->processors[0].n_domains, 2);
  ck_assert_int_eq(s->processors[0].domains[0].cores, 3);
  ck_assert_double_eq(s->processors[0].domains[1].opps[s->processors[0].domains[1].n_opps - 1].freq_hz, 2841.6e6);
  hs_soc_free(s);
  s = shipped("sd870");
  gpu = &s->processors[hs_soc_find(s, "gpu")].domains[0];
  ck_assert_double_eq(gpu->opps[gpu->n_opps - 1].freq_hz, 670e6);
  ck_assert_double_eq(s->processors[0].domains[1].opps[s->processors[0].domains[1].n_opps - 1].freq_hz, 3187.2e6);
  hs_soc_free(s);
}
END_TEST

/* Cores and highest clock per cluster, slowest first (vendors' device trees; press for Kirin 985 and 990), highest GPU clock, DRAM clock
 * in MHz: a 64-bit bus moves 16 bytes per clock. */
static const struct {
  const char *name;
  struct {
    int cores;
    double mhz;
  } clusters[3];
  double gpu_mhz, dram_mhz;
  const char *dram;
  bool dsp, npu;
} facts[] = {
  {"sd855", {{3, 2419.2}, {1, 2841.6}, {4, 1785.6}}, 585, 2133, "LPDDR4X", true, true},
  {"sd865", {{3, 2419.2}, {1, 2841.6}, {4, 1804.8}}, 587, 2092, "LPDDR4X", true, true},
  {"sd870", {{3, 2419.2}, {1, 3187.2}, {4, 1804.8}}, 670, 2736, "LPDDR5", true, true},
  {"sd888", {{3, 2419.2}, {1, 2841.6}, {4, 1804.8}}, 840, 3196, "LPDDR5", true, true},
  {"kirin960", {{0, 0}, {4, 2362}, {4, 1844}}, 1037, 1866, "LPDDR4", false, false},
  {"kirin970", {{0, 0}, {4, 2362}, {4, 1844}}, 767, 1866, "LPDDR4X", false, true},
  {"kirin985", {{3, 2400}, {1, 2580}, {4, 1840}}, 804, 2133, "LPDDR4X", false, true},
  {"kirin990", {{2, 2360}, {2, 2860}, {4, 1950}}, 700, 2133, "LPDDR4X", false, true},
  {"tensor", {{2, 2253}, {2, 2802}, {4, 1803}}, 848, 3172, "LPDDR5", false, true},
};

static double top_mhz(const struct hs_domain *d) { return d->opps[d->n_opps - 1].freq_hz / 1e6; }

START_TEST(facts_of_every_soc)
{
  struct hs_soc *s = shipped(facts[_i].name);
  const struct hs_domain *clusters[3] = {NULL};
  int n = s->processors[0].n_domains;
  ck_assert_int_eq(n, facts[_i].clusters[0].cores ? 2 : 1);
  for (int k = 0; k < n; k++) clusters[2 - n + k] = &s->processors[0].domains[k];
  clusters[2] = &s->processors[1].domains[0];
  for (int k = 2 - n; k < 3; k++) {
    ck_assert_int_eq(clusters[k]->cores, facts[_i].clusters[k].cores);
    ck_assert_double_eq_tol(top_mhz(clusters[k]), facts[_i].clusters[k].mhz, 0.05);
  }
  ck_assert_double_eq_tol(top_mhz(&s->processors[hs_soc_find(s, "gpu")].domains[0]), facts[_i].gpu_mhz, 0.5);
  ck_assert_double_eq_tol(s->memory.peak_bytes_per_s, 16e6 * facts[_i].dram_mhz, 0.002 * s->memory.peak_bytes_per_s);
  ck_assert_str_eq(s->memory.type, facts[_i].dram);
  ck_assert_int_eq(hs_soc_first(s, HS_DSP) >= 0, facts[_i].dsp);
  ck_assert_int_eq(hs_soc_first(s, HS_NPU) >= 0, facts[_i].npu);
  for (int p = 0; p < s->n_processors; p++) { /* nobody gets more than there is */
    const struct hs_processor *q = &s->processors[p];
    ck_assert_double_le(q->bandwidth_bytes_per_s, s->memory.peak_bytes_per_s);
    for (int k = 0; k < q->n_domains; k++) ck_assert_double_le(q->domains[k].bandwidth_per_core_bytes_per_s, q->bandwidth_bytes_per_s);
    ck_assert_int_eq(q->slice_limit_bytes > 0, strcmp(s->name, "kirin970") == 0 && q->kind == HS_NPU);
  }
  hs_soc_free(s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, every_soc, 0, N_SOCS);
  tcase_add_loop_test(t, turns_on_the_gpu_and_the_cache, 0, N_SOCS);
  tcase_add_loop_test(t, compute_units_of_gpus, 0, N_SOCS);
  tcase_add_test(t, kirin970_has_mosaics_opps);
  tcase_add_test(t, facts_of_snapdragons);
  tcase_add_loop_test(t, facts_of_every_soc, 0, sizeof facts / sizeof *facts);
}

int main(void) { return hs_test_main("shipped_socs", fill); }
