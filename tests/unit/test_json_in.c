/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The strict reader refuses what cJSON lets pass, and says where. */
#include "tests/unit/suite.h"

#include "input/json_in.h"

/* Reads {"n": number > 0, "s": word, "list": [whole numbers]} and returns the message, "" if all is well. */
static const char *read_example(const char *json, size_t len)
{
  static char message[1400];
  static const char *const words[] = {"red", "green", NULL};
  struct hs_json doc;
  struct hs_error err = {0};
  struct hs_json_at root, list, at;
  char *text = hs_test_json(json);
  double n = 0;
  int word = 0, count = 0;
  int64_t v = 0;
  enum hs_status status = hs_json_parse(&doc, "x.json", text, len ? len : strlen(text), &err);
  bool open = !status;
  if (!status) status = hs_json_root(&doc, &root, &err);
  if (!status) status = hs_json_get_positive(&root, "n", 100, &n, &err);
  if (!status && hs_json_has(&root, "s")) status = hs_json_get_word(&root, "s", words, &word, &err);
  if (!status && hs_json_has(&root, "list")) {
    status = hs_json_get_array(&root, "list", 1, 3, &list, &count, &err);
    for (int i = 0; !status && i < count; i++) {
      status = hs_json_element(&list, i, &at, &err);
      if (!status) status = hs_json_int(&at, -5, 5, &v, &err);
    }
  }
  if (!status) status = hs_json_end(&root, &err);
  ck_assert_int_eq(status, status ? HS_INPUT : HS_OK);
  hs_error_message(&err, message, sizeof message);
  if (open) hs_json_close(&doc);
  free(text);
  return status ? message : "";
}

static const struct {
  const char *json, *message;
} cases[] = {
  {"{'n': 1}", ""},
  {"{'n': 1, 's': 'green', 'list': [1, -5, 5]}", ""},
  {"", "x.json:1:1: not JSON: the text ends too early"},
  {"{'n': 1", "x.json:1:8: not JSON: the text ends too early"},
  {"{'n': 1}\n x", "x.json:2:2: not JSON: unexpected character"},
  {"{\n 'n': 01x}", "x.json:2:9: not JSON: unexpected character"},
  {"[1]", "x.json:1:1: $: is not an object"},
  {"{}", "x.json:1:1: $: key \"n\" is missing"},
  {"{'N': 1}", "x.json:1:1: $: key \"n\" is missing"},
  {"{'n': 0}", "x.json:1:7: $.n: 0 is not > 0"},
  {"{'n': -3}", "x.json:1:7: $.n: -3 is not > 0"},
  {"{'n': 1e3}", "x.json:1:7: $.n: 1000 is not <= 100"},
  {"{'n': 1e999}", "x.json:1:7: $.n: is not a finite number"},
  {"{'n': '1'}", "x.json:1:7: $.n: is not a number"},
  {"{'n': null}", "x.json:1:7: $.n: is not a number"},
  {"{'n': 1,\n  'n': 2}", "x.json:2:3: $.n: duplicate key"},
  {"{'n': 1,\n  'm': {'a': [1, 2]}}", "x.json:2:3: $.m: unknown key \"m\""},
  {"{'n': 1, 's': 'blue'}", "x.json:1:15: $.s: \"blue\" is not one of red, green"},
  {"{'n': 1, 's': 3}", "x.json:1:15: $.s: is not a string"},
  {"{'n': 1, 'list': {}}", "x.json:1:18: $.list: is not an array"},
  {"{'n': 1, 'list': []}", "x.json:1:18: $.list: has 0 elements, not 1 to 3"},
  {"{'n': 1, 'list': [1,\n 2.5]}", "x.json:2:2: $.list[1]: 2.5 is not a whole number"},
  {"{'n': 1, 'list': [1, 2, 6]}", "x.json:1:25: $.list[2]: 6 is not in [-5, 5]"},
  {"{'n': 1, 'list': ['a,]', -9]}", "x.json:1:19: $.list[0]: is not a number"},
};

START_TEST(messages)
{
  ck_assert_str_eq(read_example(cases[_i].json, 0), cases[_i].message);
}
END_TEST

START_TEST(nul_in_text)
{
  ck_assert_str_eq(read_example("{'n': 1}\0 ", 10), "x.json:1:9: a NUL character in the text");
}
END_TEST

START_TEST(deep_nesting_is_refused)
{
  char deep[4001];
  memset(deep, '[', 4000);
  deep[4000] = 0;
  ck_assert(strstr(read_example(deep, 0), "not JSON") != NULL);
}
END_TEST

START_TEST(strings_with_quotes_do_not_confuse_places)
{
  struct hs_json doc;
  struct hs_error err;
  struct hs_json_at root, at;
  const char *text = "{\"a\": \"\\\"}],\\\\\", \"b\": [\"]\"],\n \"n\": -1}";
  double v;
  ck_assert_int_eq(hs_json_parse(&doc, "x.json", text, strlen(text), &err), HS_OK);
  ck_assert_int_eq(hs_json_root(&doc, &root, &err), HS_OK);
  ck_assert_int_eq(hs_json_get(&root, "n", &at, &err), HS_OK);
  ck_assert_int_eq(hs_json_positive(&at, 1, &v, &err), HS_INPUT);
  ck_assert_str_eq(hs_test_message(&err), "x.json:2:7: $.n: -1 is not > 0");
  hs_json_close(&doc);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, messages, 0, sizeof cases / sizeof *cases);
  tcase_add_test(t, nul_in_text);
  tcase_add_test(t, deep_nesting_is_refused);
  tcase_add_test(t, strings_with_quotes_do_not_confuse_places);
}

int main(void) { return hs_test_main("json_in", fill); }
