/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenarios that ship: each runs on each SoC, and is listed and in its folder. */
#include "tests/unit/shipped.h"

#include <dirent.h>

#include "base/files.h"
#include "device/scenario.h"

/* Each scenario that ships runs on each SoC, is called as its file, and MANIFEST says where it and every other file there comes from. */
START_TEST(every_scenario)
{
  struct hs_catalog c;
  struct hs_soc *s = shipped(soc_names[_i]);
  open_catalog(&c);
  ck_assert_int_ge(c.n_names[HS_SCENARIOS], 11);
  for (int i = 0; i < c.n_names[HS_SCENARIOS]; i++) {
    struct hs_scenario scenario;
    struct hs_error err;
    char path[HS_CATALOG_PATH];
    const char *title;
    hs_test_accepted(hs_catalog_scenario(&c, c.names[HS_SCENARIOS][i], path, &err), &err);
    hs_test_accepted(hs_scenario_make(&scenario, &(struct hs_scenario_options){.file = path}, s, &err), &err);
    hs_test_accepted(hs_scenario_title(path, &c.arena, &title, &err), &err);
    ck_assert_str_eq(scenario.name, c.names[HS_SCENARIOS][i]);
    ck_assert_int_gt(strlen(title), 10);
    ck_assert(scenario.living == (strcmp(scenario.name, "idle") != 0));
    hs_scenario_free(&scenario);
  }
  hs_catalog_close(&c);
  hs_soc_free(s);
}
END_TEST

/* Each file of traces/ and traces/competing/, by its path from there. */
static void every_file_is_listed(const char *root, const char *folder, const char *manifest)
{
  char path[600], line[320];
  int n = 0;
  snprintf(path, sizeof path, "%s/traces/%s", root, folder);
  DIR *d = opendir(path);
  for (struct dirent *e; d && (e = readdir(d));) {
    if (e->d_name[0] == '.' || strcmp(e->d_name, "MANIFEST") == 0 || strcmp(e->d_name, "local.mk") == 0 || strcmp(e->d_name, "competing") == 0) continue;
    snprintf(line, sizeof line, "\n%s%s ", folder, e->d_name);
    ck_assert_msg(strstr(manifest, line) != NULL, "%s%s is not in the MANIFEST", folder, e->d_name);
    n++;
  }
  if (d) closedir(d);
  ck_assert_int_gt(n, 0);
}

START_TEST(manifest_of_traces)
{
  struct hs_catalog c;
  struct hs_error err;
  char path[600], *manifest;
  size_t len;
  open_catalog(&c);
  snprintf(path, sizeof path, "%s/traces/MANIFEST", c.root);
  hs_test_accepted(hs_file_read(path, &manifest, &len, &err), &err);
  every_file_is_listed(c.root, "", manifest);
  every_file_is_listed(c.root, "competing/", manifest);
  free(manifest);
  hs_catalog_close(&c);
}
END_TEST

/* A name is found in either folder of scenarios, once; competing/ holds what is nothing but processes. */
START_TEST(folders_of_traces)
{
  struct hs_catalog c;
  struct hs_soc *s = shipped("sd855");
  int n = 0;
  open_catalog(&c);
  for (int i = 0; i < c.n_names[HS_SCENARIOS]; i++) {
    struct hs_scenario scenario;
    struct hs_error err;
    char path[HS_CATALOG_PATH];
    if (i) ck_assert_str_lt(c.names[HS_SCENARIOS][i - 1], c.names[HS_SCENARIOS][i]);
    hs_test_accepted(hs_catalog_scenario(&c, c.names[HS_SCENARIOS][i], path, &err), &err);
    hs_test_accepted(hs_scenario_make(&scenario, &(struct hs_scenario_options){.file = path}, s, &err), &err);
    bool rivals = strncmp(scenario.name, "rivals-", 7) == 0, competing = strstr(path, "/traces/competing/") != NULL;
    ck_assert_msg(rivals == competing, "%s is in the wrong folder: %s", scenario.name, path);
    if (competing) ck_assert(scenario.n_processes > 0 && !scenario.thermal && scenario.ui_rate_hz <= 0 && scenario.cache_hit_frac < 0);
    n += competing;
    hs_scenario_free(&scenario);
  }
  ck_assert_int_eq(n, 5);
  hs_catalog_close(&c);
  hs_soc_free(s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, every_scenario, 0, N_SOCS);
  tcase_add_test(t, manifest_of_traces);
  tcase_add_test(t, folders_of_traces);
}

int main(void) { return hs_test_main("shipped_traces", fill); }
