/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the unit tests share: the main program, files of data, and the comparison of a refusal with the message it must give.
 * A table test runs once per row, so that a broken row neither hides the others nor counts as many. */
#ifndef HS_RUNNER_H
#define HS_RUNNER_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

struct unit_test {
  const TTest *test;
  int rows; /* of the table that the test reads at _i; 1 for a plain test */
};

/* Runs the tests up to the one with no function. Returns the exit code. */
static inline int run_tests(const char *suite, const struct unit_test *tests)
{
  Suite *s = suite_create(suite);
  TCase *c = tcase_create(suite);
  tcase_set_timeout(c, 60);
  for (; tests->test; tests++) tcase_add_loop_test(c, tests->test, 0, tests->rows);
  suite_add_tcase(s, c);
  SRunner *r = srunner_create(s);
  srunner_run_all(r, CK_NORMAL);
  int failed = srunner_ntests_failed(r), run = srunner_ntests_run(r);
  srunner_free(r);
  return failed || !run ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Path below the root of the data: $HETSIM_DATA, or where the test runs. buf[512]. */
static inline const char *data_path(char *buf, const char *format, const char *name)
{
  char relative[256];
  const char *root = getenv("HETSIM_DATA");
  snprintf(relative, sizeof relative, format, name);
  snprintf(buf, 512, "%s/%s", root ? root : ".", relative);
  return buf;
}

/* Copy of `base` in which the one occurrence of `from` is replaced; the caller frees it. */
static inline char *edited(const char *base, const char *from, const char *to)
{
  const char *at = strstr(base, from);
  ck_assert_msg(at != NULL, "the text to be edited has no `%s`", from);
  ck_assert_msg(strstr(at + 1, from) == NULL, "the text to be edited has `%s` twice", from);
  char *s = malloc(strlen(base) + strlen(to) + 1);
  ck_assert_ptr_nonnull(s);
  sprintf(s, "%.*s%s%s", (int)(at - base), base, to, at + strlen(from));
  return s;
}

/* A refused file: status and the whole message, as the user sees it. */
static inline void check_refusal(enum hs_status status, const struct hs_error *err, const char *message)
{
  char buf[2048];
  ck_assert_msg(status != HS_OK, "accepted, not refused with \"%s\"", message);
  ck_assert_int_eq(status, HS_INPUT);
  ck_assert_int_eq(err->status, status);
  ck_assert_str_eq(hs_error_message(err, buf, sizeof buf), message);
}

static inline void check_accepted(enum hs_status status, const struct hs_error *err)
{
  char buf[2048];
  ck_assert_msg(status == HS_OK, "%s", status ? hs_error_message(err, buf, sizeof buf) : "");
}

#endif
