/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the readers of SoCs and profiles refuse: a small valid file, spoilt in one place at a time. */
#include "tests/unit/suite.h"

#include "input/profile.h"

static const struct {
  const char *from, *to, *message;
} soc_cases[] = {
  {"\"freq_hz\": 1000000000.0", "\"freq_hz\": 0", "$.processors[0].domains[0].opps[0].freq_hz: 0 is not > 0"},
  {"\"freq_hz\": 1000000000.0", "\"freq_hz\": 1000", "freq_hz 1000 is below 1 MHz: the unit is Hz"},
  {"\"freq_hz\": 2000000000.0", "\"freq_hz\": 1000000000.0", "$.processors[0].domains[0].opps[1]: freq_hz 1e+09 is not above the OPP before it"},
  {"\"volt\": 1.1", "\"volt\": 0.9", "volt 0.9 is below the OPP before it"},
  {"\"dynamic_w\": 1,", "\"dynamic_w\": -1,", "$.processors[0].domains[0].opps[0].dynamic_w: -1 is not in [0, 100]"},
  {"\"capacity_bytes\": 1000000000.0", "\"capacity_bytes\": 1e99", "$.memory.capacity_bytes: 1e+99 is not in"},
  {"\"type\": \"L\"", "\"typ\": \"L\"", "key \"type\" is missing"},
  {"\"name\": \"gpu\", \"kind\"", "\"name\": \"cpu\", \"kind\"", "there is already a processor \"cpu\""},
  {"\"kind\": \"gpu\"", "\"kind\": \"tpu\"", "\"tpu\" is not one of cpu, gpu, dsp, npu"},
  {"\"discipline\": \"processor-shared\"", "\"discipline\": \"queued\"", "a CPU is processor-shared, every other kind is queued"},
  {"\"memory_types\": [\"image\", \"buffer\"]", "\"memory_types\": [\"image\", \"image\"]", "is listed twice"},
  {"\"to\": \"gpu\"", "\"to\": \"dsp\"", "an entry from cpu to gpu or back is missing"},
  {"\"to\": \"gpu\"", "\"to\": \"cpu\"", "exactly one side must be cpu"},
  {"\"fixed_s\": 1e-05", "\"fixed_s\": -1e-05", "transform.fixed_s: -1e-05 is not in [0, 10]"},
  {"\"capacitance_j_per_k\": 1", "\"capacitance_j_per_k\": -1", "$.thermal.nodes[0].capacitance_j_per_k: -1 is not > 0"},
  {"\"to\": \"ambient\"", "\"to\": \"n\"", "joins a node to itself"},
  {"\"links\": [{\"from\": \"n\", \"to\": \"ambient\"", "\"links\": [{\"from\": \"nn\", \"to\": \"ambient\"", "there is no thermal node \"nn\""},
  {"\"nodes\": [{", "\"nodes\": [{\"name\": \"lost\", \"processors\": [], \"capacitance_j_per_k\": 2}, {", "node \"lost\" has no way to ambient"},
  {"\"processors\": [\"cpu\"], \"capacitance", "\"processors\": [\"npu\"], \"capacitance", "there is no processor \"npu\""},
  {"\"llc_bytes\": 0, \"source\": \"a\"", "\"llc_bytes\": 0", "$.memory.capacity_bytes: no source says where this number comes from"},
  {"\"llc_bytes\": 0, \"source\": \"a\"", "\"llc_bytes\": 0, \"source\": \"b\"", "\"b\" is not in the table of sources"},
  {"\"llc_bytes\": 0, \"source\": \"a\"", "\"llc_bytes\": 0, \"source\": {\"capacity_bytes\": \"a\", \"peak_bytes_per_s\": \"a\"}", "$.memory.llc_bytes: no source"},
  {"\"llc_bytes\": 0, \"source\": \"a\"", "\"llc_bytes\": 0, \"source\": {\"latency_s\": \"a\"}", "a source for a key that isn't there"},
  {"\"kind\": \"assumed\"", "\"kind\": \"guessed\"", "\"guessed\" is not one of measured, vendor, derived, press, assumed"},
  {"\"title\": \"t\"", "\"title\": \"t\", \"titel\": \"t\"", "unknown key \"titel\""},
  {"\"macs_per_cycle\": {\"fp32\": 8}", "\"macs_per_cycle\": {}", "names no precision"},
};

START_TEST(soc_is_valid)
{
  struct hs_soc *s = NULL;
  struct hs_error err;
  char *text = hs_test_seed("soc/small");
  ck_assert_msg(hs_soc_parse("s.json", text, strlen(text), &s, &err) == HS_OK, "%s", hs_test_message(&err));
  ck_assert_int_eq(s->n_processors, 2);
  ck_assert_double_eq(s->processors[1].slice_limit_bytes, 1e8);
  ck_assert_double_eq(s->sharing[HS_CPU][HS_GPU][HS_MAP].fixed_s, 1e-5);
  /* the two OPPs of a domain are one entry of two values */
  bool found = false;
  for (int i = 0; i < s->sources.n_numbers; i++)
    if (strcmp(s->sources.numbers[i].path, "$.processors[0].domains[0].opps[].volt") == 0) {
      found = true;
      ck_assert_int_eq(s->sources.numbers[i].n_values, 2);
      ck_assert_double_eq(s->sources.numbers[i].value, 1);
    }
  ck_assert(found);
  hs_soc_free(s);
  free(text);
}
END_TEST

START_TEST(soc_refused)
{
  struct hs_soc *s = NULL;
  struct hs_error err = {0};
  char *text = hs_test_seed("soc/small"), *spoilt = hs_test_replace(text, soc_cases[_i].from, soc_cases[_i].to);
  ck_assert_int_eq(hs_soc_parse("s.json", spoilt, strlen(spoilt), &s, &err), HS_INPUT);
  ck_assert_msg(strstr(hs_test_message(&err), soc_cases[_i].message) != NULL, "%s", hs_test_message(&err));
  ck_assert_int_gt(err.column, 0);
  free(spoilt);
  free(text);
}
END_TEST

static const struct {
  const char *from, *to, *message;
} profile_cases[] = {
  {"\"pool\": 0.5", "\"pool\": 0", "$.kernels[0].efficiency.pool: 0 is not > 0"},
  {"\"pool\": 0.5, ", "", "key \"pool\" is missing"},
  {"\"channel_multiple\": 4", "\"channel_multiple\": 0", "0 is not in [1, 1024]"},
  {"\"serial_frac\": 0.1", "\"serial_frac\": 1.1", "1.1 is not in [0, 1]"},
  {"[15, 1]", "[8, 1]", "knots must ascend"},
  {"\"precision\": \"fp32\"", "\"precision\": \"fp64\"", "\"fp64\" is not one of fp32, fp16, int8"},
  {"\"soc\": \"x\"", "\"soc\": \"any\"", "key \"kind\" is missing"},
  {"\"n\": 3", "\"n\": 0", "0 is not in [1,"},
  {", \"source\": \"a\"}]", "}]", "no source says where this number comes from"},
};

START_TEST(profile_refused)
{
  struct hs_profile *p = NULL;
  struct hs_error err = {0};
  char *text = hs_test_seed("profile/small"), *spoilt = hs_test_replace(text, profile_cases[_i].from, profile_cases[_i].to);
  ck_assert_int_eq(hs_profile_parse("p.json", spoilt, strlen(spoilt), &p, &err), HS_INPUT);
  ck_assert_msg(strstr(hs_test_message(&err), profile_cases[_i].message) != NULL, "%s", hs_test_message(&err));
  free(spoilt);
  free(text);
}
END_TEST

START_TEST(profile_lookup)
{
  struct hs_profile *p = NULL;
  struct hs_soc *s = NULL;
  struct hs_error err;
  char *text = hs_test_seed("profile/small"), *soc = hs_test_seed("soc/small");
  ck_assert_int_eq(hs_profile_parse("p.json", text, strlen(text), &p, &err), HS_OK);
  ck_assert_int_eq(hs_soc_parse("s.json", soc, strlen(soc), &s, &err), HS_OK);
  ck_assert(hs_profile_find(p, &s->processors[1], HS_FP32, HS_IMAGE) == &p->kernels[0]);
  ck_assert(hs_profile_find(p, &s->processors[1], HS_FP32, HS_BUFFER) == NULL); /* another memory type */
  ck_assert(hs_profile_find(p, &s->processors[1], HS_FP16, HS_IMAGE) == NULL);  /* another precision */
  ck_assert(hs_profile_find(p, &s->processors[0], HS_FP32, HS_IMAGE) == NULL);  /* another processor */
  hs_profile_free(p);
  hs_soc_free(s);
  free(text);
  free(soc);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, soc_is_valid);
  tcase_add_loop_test(t, soc_refused, 0, sizeof soc_cases / sizeof *soc_cases);
  tcase_add_loop_test(t, profile_refused, 0, sizeof profile_cases / sizeof *profile_cases);
  tcase_add_test(t, profile_lookup);
}

int main(void) { return hs_test_main("soc and profile", fill); }
