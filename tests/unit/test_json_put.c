/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON that is put together value by value: commas stand between values, and nowhere else. */
#include <math.h>

#include "base/json_put.h"
#include "tests/unit/suite.h"

START_TEST(commas)
{
  struct hs_text t = {0};
  const double numbers[] = {2.385, NAN};
  const char *const names[] = {"a, ", "{"};
  hs_put_open(&t, NULL, '{');
  hs_put_open(&t, "none", '[');
  hs_put_close(&t, ']');
  hs_put_numbers(&t, "numbers", numbers, 2);
  hs_put_strings(&t, "names", names, 2);
  hs_put_bool(&t, "holds", false);
  hs_put_string(&t, "nothing", NULL);
  hs_put_json(&t, "made before", "{\"x\": 1}, not", 8);
  hs_put_close(&t, '}');
  ck_assert_str_eq(t.s,
                   "{\"none\": [], \"numbers\": [2.385, null], \"names\": [\"a, \", \"{\"], \"holds\": false, \"nothing\": null, \"made before\": {\"x\": 1}}");
  hs_text_free(&t);
}
END_TEST

/* The comma ends the line before. */
START_TEST(lines)
{
  struct hs_text t = {0};
  hs_put_open(&t, NULL, '[');
  for (int i = 0; i < 3; i++) {
    hs_put_line(&t, 2);
    hs_put_open(&t, NULL, '{');
    hs_put_number(&t, "i", i);
    hs_put_line(&t, 4);
    hs_put_string(&t, "s", " \n");
    hs_put_close(&t, '}');
  }
  hs_put_line(&t, 0);
  hs_put_close(&t, ']');
  hs_put_line(&t, 0);
  ck_assert_str_eq(t.s, "[\n  {\"i\": 0,\n    \"s\": \" \\u000a\"},\n  {\"i\": 1,\n    \"s\": \" \\u000a\"},\n  {\"i\": 2,\n    \"s\": \" \\u000a\"}\n]\n");
  hs_text_free(&t);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, commas);
  tcase_add_test(t, lines);
}

int main(void) { return hs_test_main("json_put", fill); }
