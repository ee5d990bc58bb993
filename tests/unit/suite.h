/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every Check program of ours has in common: one suite, and small helpers to read inline JSON. */
#ifndef HS_TEST_SUITE_H
#define HS_TEST_SUITE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/text.h"

/* Runs one suite whose test cases `fill` adds; returns main's status. */
static inline int hs_test_main(const char *name, void (*fill)(TCase *))
{
  Suite *suite = suite_create(name);
  TCase *t = tcase_create(name);
  tcase_set_timeout(t, 300);
  fill(t);
  suite_add_tcase(suite, t);
  SRunner *r = srunner_create(suite);
  srunner_run_all(r, CK_NORMAL);
  int failed = srunner_ntests_failed(r);
  srunner_free(r);
  return failed != 0;
}

/* Is a grid to be tried in whole, as make validate does (HETSIM_GRID=full)? */
static inline bool hs_test_full_grid(void)
{
  const char *grid = getenv("HETSIM_GRID");
  ck_assert_msg(!grid || strcmp(grid, "full") == 0, "HETSIM_GRID: \"%s\" is not \"full\"", grid);
  return grid;
}

/* JSON with ' for ", so that tests are readable. Owned by the caller. */
static inline char *hs_test_json(const char *s)
{
  char *copy = strdup(s);
  for (char *p = copy; *p; p++)
    if (*p == '\'') *p = '"';
  return copy;
}

/* A copy of s with the first `from` replaced by `to`; `from` must be there. */
static inline char *hs_test_replace(const char *s, const char *from, const char *to)
{
  const char *at = strstr(s, from);
  struct hs_text out = {0};
  ck_assert_msg(at != NULL, "\"%s\" is not in the test's text", from);
  hs_text_addf(&out, "%.*s%s%s", (int)(at - s), s, to, at + strlen(from));
  return out.s;
}

/* A new file with this content, its name ending in `suffix`, for the test to remove: not where the test runs, so that one that is broken off leaves nothing
 * in the tree. Its path, owned by the caller. */
static inline char *hs_test_file(const char *suffix, const char *content, size_t len)
{
  struct hs_text path = {0};
  const char *folder = getenv("TMPDIR");
  hs_text_addf(&path, "%s/hetsim-test-XXXXXX%s", folder ? folder : P_tmpdir, suffix);
  int fd = mkstemps(path.s, (int)strlen(suffix));
  FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
  ck_assert_msg(f && fwrite(content, 1, len, f) == len && fclose(f) == 0, "%s", path.s);
  return path.s;
}

/* Text of a seed of the fuzz corpus (TARGET/NAME.json): small valid files that tests spoil. Owned by the caller. Not inlined,
 * because gcc 12 then warns of a dangling pointer that isn't one. */
__attribute__((noinline, unused)) static char *hs_test_seed(const char *name)
{
  char path[600], *s = NULL;
  size_t len;
  struct hs_error err;
  const char *root = getenv("srcdir");
  snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s.json", root ? root : ".", name);
  ck_assert_msg(hs_file_read(path, &s, &len, &err) == HS_OK, "%s", path);
  return s;
}

/* That seed with the first `from` replaced by `to`, both with ' for ". Owned by the caller. */
__attribute__((noinline, unused)) static char *hs_test_spoilt(const char *seed, const char *from, const char *to)
{
  char *text = hs_test_seed(seed), *old = hs_test_json(from), *new = hs_test_json(to), *s = hs_test_replace(text, old, new);
  free(text);
  free(old);
  free(new);
  return s;
}

/* The message of an error as a user sees it. */
static inline const char *hs_test_message(const struct hs_error *err)
{
  static char buf[1400];
  return hs_error_message(err, buf, sizeof buf);
}

/* A refused file: status and the whole message, as the user sees it. */
static inline void hs_test_refused(enum hs_status status, const struct hs_error *err, const char *message)
{
  ck_assert_msg(status != HS_OK, "accepted, not refused with \"%s\"", message);
  ck_assert_int_eq(status, HS_INPUT);
  ck_assert_int_eq(err->status, status);
  ck_assert_str_eq(hs_test_message(err), message);
}

static inline void hs_test_accepted(enum hs_status status, const struct hs_error *err)
{
  ck_assert_msg(status == HS_OK, "%s", status ? hs_test_message(err) : "");
}

#define ck_assert_near(a, b) ck_assert_double_eq_tol((a), (b), 1e-12 * (1e-30 + ((b) < 0 ? -(b) : (b))))

#endif
