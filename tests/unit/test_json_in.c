/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The strict JSON reader: what it refuses, and that every refusal names line, column, path, value and rule. */
#include "tests/unit/suite.h"

#include "input/json_in.h"

/* --- the text itself --- */

static const struct {
  const char *text;
  int len; /* 0: strlen */
  const char *message;
} syntax[] = {
  {"", 0, "x.json:1:1: not JSON: the text ends too early"},
  {" \n ", 0, "x.json:2:2: not JSON: the text ends too early"},
  {"{", 0, "x.json:1:2: not JSON: the text ends too early"},
  {"{\"a\": [1, 2", 0, "x.json:1:12: not JSON: the text ends too early"},
  {"{\"a\": 1,}", 0, "x.json:1:8: not JSON: a comma before the closing bracket"},
  {"{\"a\": [1,\n 2, \n]}", 0, "x.json:2:3: not JSON: a comma before the closing bracket"},
  {"{\"a\": [1,, 2]}", 0, "x.json:1:10: not JSON: unexpected character"},
  {"{\n  \"a\": 1\n  \"b\": 2\n}", 0, "x.json:3:3: not JSON: unexpected character"},
  {"{\n  \"a\": nope\n}", 0, "x.json:2:8: not JSON: unexpected character"},
  {"{\"a\": NaN}", 0, "x.json:1:7: not JSON: NaN and Infinity are no numbers there"},
  {"{\"a\": infra}", 0, "x.json:1:7: not JSON: unexpected character"},
  {"{\"a\": [1, -Infinity]}", 0, "x.json:1:11: not JSON: NaN and Infinity are no numbers there"},
  {"{\"a\": 1} x", 0, "x.json:1:10: not JSON: unexpected character"},
  {"{}\n{}", 0, "x.json:2:1: not JSON: unexpected character"},
  {"{'a': 1}", 0, "x.json:1:2: not JSON: unexpected character"},
  {"{} // no comments", 0, "x.json:1:4: not JSON: unexpected character"},
  {"{\"a\"\0: 1}", 9, "x.json:1:5: a NUL character in the text"},
  {"{}\0", 3, "x.json:1:3: a NUL character in the text"},
  {"{\"a\": \"b\\u0000c\"}", 0, "x.json:1:9: a NUL character in the text"},
  {"{\"a\": \"b\\\\\\u0000\"}", 0, "x.json:1:11: a NUL character in the text"},
  {"{\"a\": \"b\nc\"}", 0, "x.json:1:9: not JSON: a control character"},
  {"{\"a\":\x01 1}", 0, "x.json:1:6: not JSON: a control character"},
  {"{\"a\": 01}", 0, "x.json:1:7: not JSON: a number in another form"},
  {"{\"a\": -01}", 0, "x.json:1:7: not JSON: a number in another form"},
  {"{\"a\": 1.}", 0, "x.json:1:7: not JSON: a number in another form"},
  {"{\"a\": -.5}", 0, "x.json:1:7: not JSON: a number in another form"},
  {"{\"a\": 1e}", 0, "x.json:1:7: not JSON: a number in another form"},
  {"{\"a\": 1e+}", 0, "x.json:1:7: not JSON: a number in another form"},
  {"{\"a\": 1.5.5}", 0, "x.json:1:7: not JSON: a number in another form"},
  {"{\"a\": -}", 0, "x.json:1:7: not JSON: a number in another form"},
  {"{\"a\": \"\xff\"}", 0, "x.json:1:8: not JSON: the text is not UTF-8"},
  {"{\"a\": \"\xc3\"}", 0, "x.json:1:8: not JSON: the text is not UTF-8"},
  {"{\"a\": \"\xc0\xaf\"}", 0, "x.json:1:8: not JSON: the text is not UTF-8"},
  {"{\"a\": \"\xed\xa0\x80\"}", 0, "x.json:1:8: not JSON: the text is not UTF-8"},
  {"{\"a\": \"\xf5\x80\x80\x80\"}", 0, "x.json:1:8: not JSON: the text is not UTF-8"},
  {"\xff\xfe", 2, "x.json:1: is UTF-16; save it as UTF-8"},
  {"\xff\xfe{\0}", 6, "x.json:1: is UTF-16; save it as UTF-8"},
  {"\xfe\xff\0{\0}", 6, "x.json:1: is UTF-16; save it as UTF-8"},
};

START_TEST(refuses_what_is_not_json)
{
  struct hs_json doc;
  struct hs_error err;
  size_t len = syntax[_i].len ? (size_t)syntax[_i].len : strlen(syntax[_i].text);
  hs_test_refused(hs_json_parse(&doc, "x.json", syntax[_i].text, len, &err), &err, syntax[_i].message);
}
END_TEST

static const char *const good[] = {
  "{\"a\": -0.5e-3}", "{\"a\": 0}", "{\"a\": 1E+2}", "{\"a\": 0.25}", "\t{\r\n\"a\" : 10 } \n", "{\"a\": \"\\\\u0000 \\\" \\u00e9\"}",
  "{\"a\": \"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"}", "\xef\xbb\xbf{\"a\": 1}",
};

START_TEST(accepts_what_is_json)
{
  struct hs_json doc;
  struct hs_error err;
  struct hs_json_at root, at;
  hs_test_accepted(hs_json_parse(&doc, "x.json", good[_i], strlen(good[_i]), &err), &err);
  hs_test_accepted(hs_json_root(&doc, &root, &err), &err);
  hs_test_accepted(hs_json_get(&root, "a", &at, &err), &err);
  hs_test_accepted(hs_json_end(&root, &err), &err);
  hs_json_close(&doc);
}
END_TEST

START_TEST(deep_nesting_is_an_error_not_a_crash)
{
  enum { DEPTH = 200000 };
  struct hs_json doc;
  struct hs_error err;
  char *s = malloc(2 * DEPTH);
  ck_assert_ptr_nonnull(s);
  memset(s, '[', DEPTH);
  memset(s + DEPTH, ']', DEPTH);
  hs_test_refused(hs_json_parse(&doc, "x.json", s, 2 * DEPTH, &err), &err, "x.json:1:1001: not JSON: more than 1000 levels");
  free(s);
}
END_TEST

START_TEST(missing_file)
{
  struct hs_json doc;
  struct hs_error err;
  char buf[1200];
  ck_assert_int_eq(hs_json_open(&doc, "/nonexistent/x.json", &err), HS_IO);
  ck_assert_str_eq(hs_error_message(&err, buf, sizeof buf), "/nonexistent/x.json: can't open: No such file or directory");
  ck_assert_int_eq(hs_json_open(&doc, "/", &err), HS_IO);
  ck_assert_str_eq(hs_error_message(&err, buf, sizeof buf), "/: can't read: Is a directory");
}
END_TEST

START_TEST(the_text_need_not_end_in_nul)
{
  struct hs_json doc;
  struct hs_error err;
  struct hs_json_at root;
  int64_t a = 0;
  hs_test_accepted(hs_json_parse(&doc, "x.json", "{\"a\": 12}345", 9, &err), &err);
  hs_test_accepted(hs_json_root(&doc, &root, &err), &err);
  hs_test_accepted(hs_json_get_int(&root, "a", 0, 100, &a, &err), &err);
  ck_assert_int_eq(a, 12);
  hs_json_close(&doc);
  hs_test_refused(hs_json_parse(&doc, "x.json", NULL, 0, &err), &err, "x.json:1:1: not JSON: the text ends too early");
}
END_TEST

/* --- keys and values: every row spoils one place of the text below --- */

static enum hs_status read_all(struct hs_json *doc, struct hs_error *err)
{
  static const char *const words[] = {"red", "green", NULL};
  struct hs_json_at root, list, element;
  int64_t whole = 7;
  double number, positive;
  const char *name, *string = "absent";
  bool flag = true;
  int n, word;
  HS_TRY(hs_json_root(doc, &root, err));
  HS_TRY(hs_json_format(&root, "test/1", err));
  HS_TRY(hs_json_get_number(&root, "number", -1, 5, &number, err));
  HS_TRY(hs_json_get_positive(&root, "positive", 10, &positive, err));
  HS_TRY(hs_json_get_name(&root, "name", &name, err));
  HS_TRY(hs_json_get_word(&root, "word", words, &word, err));
  HS_TRY(hs_json_opt_int(&root, "whole", 1, 1000000, &whole, err));
  HS_TRY(hs_json_opt_string(&root, "string", &string, err));
  HS_TRY(hs_json_opt_bool(&root, "flag", &flag, err));
  HS_TRY(hs_json_get_array(&root, "list", 1, 3, &list, &n, err));
  for (int i = 0; i < n; i++) {
    HS_TRY(hs_json_element_object(&list, i, &element, err));
    HS_TRY(hs_json_get_positive(&element, "freq_hz", 1e11, &number, err));
    HS_TRY(hs_json_end(&element, err));
  }
  return hs_json_end(&root, err);
}

static const char base[] = "{\"format\": \"test/1\",\n"
                           " \"number\": 2.5,\n"
                           " \"positive\": 3,\n"
                           " \"name\": \"conv_1/x\",\n"
                           " \"word\": \"green\",\n"
                           " \"whole\": 4, \"string\": \"\", \"flag\": false,\n"
                           " \"list\": [{\"freq_hz\": 1}, {\"freq_hz\": 2385}]}";

static const struct {
  const char *from, *to, *message;
} values[] = {
  {"\"test/1\"", "\"test/2\"", "x.json:1:12: $.format: \"test/2\" is not \"test/1\""},
  {"\"format\": \"test/1\",", "", "x.json:1:1: $: key \"format\" is missing"},
  {"\"format\": \"test/1\",\n \"number\"", "\"format\": \"test/1\",\n \"nubmer\"", "x.json:1:1: $: key \"number\" is missing; is \"nubmer\" meant?"},
  {"2.5", "5.0625", "x.json:2:12: $.number: 5.0625 is not in [-1, 5]"},
  {"2.5", "-1.5", "x.json:2:12: $.number: -1.5 is not in [-1, 5]"},
  {"2.5", "1e999", "x.json:2:12: $.number: is not a finite number"},
  {"2.5", "-1e999", "x.json:2:12: $.number: is not a finite number"},
  {"2.5", "\"2.5\"", "x.json:2:12: $.number: is not a number, but \"2.5\""},
  {"2.5", "null", "x.json:2:12: $.number: is not a number, but null"},
  {"2.5", "[2.5]", "x.json:2:12: $.number: is not a number, but an array"},
  {"3,", "0,", "x.json:3:14: $.positive: 0 is not > 0"},
  {"3,", "-0.0,", "x.json:3:14: $.positive: -0 is not > 0"},
  {"3,", "10.5,", "x.json:3:14: $.positive: 10.5 is not <= 10"},
  {"3,", "1e999,", "x.json:3:14: $.positive: is not a finite number"},
  {"conv_1/x", "", "x.json:4:10: $.name: a name has 1 to 63 characters, not 0"},
  {"conv_1/x", "0123456789012345678901234567890123456789012345678901234567890123",
   "x.json:4:10: $.name: a name has 1 to 63 characters, not 64"},
  {"conv_1/x", "a b", "x.json:4:10: $.name: a name has letters, digits and _ . / : + - only"},
  {"conv_1/x", "caf\xc3\xa9", "x.json:4:10: $.name: a name has letters, digits and _ . / : + - only"},
  {"\"conv_1/x\"", "17", "x.json:4:10: $.name: is not a string, but 17"},
  {"green", "Green", "x.json:5:10: $.word: \"Green\" is not one of red, green"},
  {"4,", "4.5,", "x.json:6:11: $.whole: 4.5 is not a whole number"},
  {"4,", "0,", "x.json:6:11: $.whole: 0 is not in [1, 1000000]"},
  {"4,", "1000001,", "x.json:6:11: $.whole: 1000001 is not in [1, 1000000]"},
  {"4,", "1e300,", "x.json:6:11: $.whole: 1e+300 is not in [1, 1000000]"},
  {"4,", "true,", "x.json:6:11: $.whole: is not a number, but true"},
  {"\"string\": \"\"", "\"string\": {}", "x.json:6:24: $.string: is not a string, but an object"},
  {"false", "0", "x.json:6:36: $.flag: is not true or false, but 0"},
  {"[{\"freq_hz\": 1}, {\"freq_hz\": 2385}]", "{}", "x.json:7:10: $.list: is not an array, but an object"},
  {"[{\"freq_hz\": 1}, {\"freq_hz\": 2385}]", "[]", "x.json:7:10: $.list: has 0 elements, not 1 to 3"},
  {"{\"freq_hz\": 1}", "[], [], []", "x.json:7:10: $.list: has 4 elements, not 1 to 3"},
  {"{\"freq_hz\": 2385}", "2385", "x.json:7:27: $.list[1]: is not an object, but 2385"},
  {"2385", "0", "x.json:7:39: $.list[1].freq_hz: 0 is not > 0"},
  {"2385", "1e12", "x.json:7:39: $.list[1].freq_hz: 1e+12 is not <= 1e+11"},
  {"{\"freq_hz\": 1}", "{}", "x.json:7:11: $.list[0]: key \"freq_hz\" is missing"},
  {"{\"freq_hz\": 1}", "{\"Freq_hz\": 1}", "x.json:7:11: $.list[0]: key \"freq_hz\" is missing; is \"Freq_hz\" meant?"},
  {"{\"freq_hz\": 1}", "{\"freq\": 1}", "x.json:7:11: $.list[0]: key \"freq_hz\" is missing; is \"freq\" meant?"},
  {"{\"freq_hz\": 1}", "{\"freq_hz\": 1, \"freq_hz\": 1}", "x.json:7:26: $.list[0].freq_hz: duplicate key"},
  {"{\"freq_hz\": 1}", "{\"freq_hz\": 1, \"volt\": 1}", "x.json:7:26: $.list[0].volt: unknown key \"volt\""},
  {"{\"freq_hz\": 1}", "{\"no\\u001bne\": \"}]\\\"{\", \"freq_hz\": 1}", "x.json:7:12: $.list[0].no?ne: unknown key \"no?ne\""},
  {"\"flag\": false", "\"flag\": false, \"whole\": 4", "x.json:6:43: $.whole: duplicate key"},
  {"\"flag\"", "\"Flag\"", "x.json:6:28: $.Flag: unknown key \"Flag\"; did you mean flag?"},
  /* a sweep's */
  {"\"flag\"", "\"pozitive\": 1, \"flag\"", "x.json:6:28: $.pozitive: unknown key \"pozitive\"; did you mean positive, which is there already?"},
  {"\"flag\"", "\"\"", "x.json:6:28: $.: unknown key \"\""},
};

START_TEST(refuses_keys_and_values)
{
  struct hs_json doc;
  struct hs_error err;
  char *s = hs_test_replace(base, values[_i].from, values[_i].to);
  hs_test_accepted(hs_json_parse(&doc, "x.json", s, strlen(s), &err), &err);
  hs_test_refused(read_all(&doc, &err), &err, values[_i].message);
  hs_json_close(&doc);
  free(s);
}
END_TEST

START_TEST(reads_what_is_right)
{
  struct hs_json doc;
  struct hs_error err;
  hs_test_accepted(hs_json_parse(&doc, "x.json", base, strlen(base), &err), &err);
  hs_test_accepted(read_all(&doc, &err), &err);
  hs_json_close(&doc);
}
END_TEST

START_TEST(absent_options_keep_their_defaults)
{
  struct hs_json doc;
  struct hs_error err;
  struct hs_json_at root;
  int64_t whole = 7;
  const char *string = "default";
  bool flag = true;
  hs_test_accepted(hs_json_parse(&doc, "x.json", "{}", 2, &err), &err);
  hs_test_accepted(hs_json_root(&doc, &root, &err), &err);
  hs_test_accepted(hs_json_opt_int(&root, "whole", 0, 1, &whole, &err), &err);
  hs_test_accepted(hs_json_opt_string(&root, "string", &string, &err), &err);
  hs_test_accepted(hs_json_opt_bool(&root, "flag", &flag, &err), &err);
  ck_assert_int_eq(whole, 7);
  ck_assert_str_eq(string, "default");
  ck_assert(flag);
  hs_json_close(&doc);
}
END_TEST

START_TEST(the_place_is_found_behind_anything)
{
  /* The text before the bad value holds every character that could mislead a search for it. */
  static const char text[] = "\xef\xbb\xbf{\"a\": {\"x\": \"}]\\\\\", \"y\": [[], {}, [1, {\"b\": 2}]]},\n"
                             " \"s,\\\"{\" : \"\\\"\",\n"
                             " \"processors\": [0, [\"]\"], {\"opps\":\n"
                             "   [ {\"freq_hz\" :\t0 } ] } ] }";
  struct hs_json doc;
  struct hs_error err;
  struct hs_json_at root, processors, third, opps, first;
  double v;
  int n;
  hs_test_accepted(hs_json_parse(&doc, "x.json", text, strlen(text), &err), &err);
  hs_test_accepted(hs_json_root(&doc, &root, &err), &err);
  hs_test_accepted(hs_json_get_array(&root, "processors", 3, 3, &processors, &n, &err), &err);
  hs_test_accepted(hs_json_element_object(&processors, 2, &third, &err), &err);
  hs_test_accepted(hs_json_get_array(&third, "opps", 1, 1, &opps, &n, &err), &err);
  hs_test_accepted(hs_json_element_object(&opps, 0, &first, &err), &err);
  hs_test_refused(hs_json_get_positive(&first, "freq_hz", 1, &v, &err), &err,
                "x.json:4:19: $.processors[2].opps[0].freq_hz: 0 is not > 0");
  hs_json_close(&doc);
}
END_TEST

/* Between a colon or a comma and a value there need be no space. */
START_TEST(the_place_is_found_without_spaces)
{
  static const char text[] = "{\"a\":{\"b\":[1,-2]},\"c\":3}";
  struct hs_json doc;
  struct hs_error err;
  struct hs_json_at root, a, b, at;
  int n;
  hs_test_accepted(hs_json_parse(&doc, "x.json", text, strlen(text), &err), &err);
  hs_test_accepted(hs_json_root(&doc, &root, &err), &err);
  hs_test_accepted(hs_json_get_object(&root, "a", &a, &err), &err);
  hs_test_accepted(hs_json_get_array(&a, "b", 2, 2, &b, &n, &err), &err);
  hs_test_accepted(hs_json_element(&b, 1, &at, &err), &err);
  hs_json_fail(&a, &err, "is wrong");
  ck_assert_str_eq(hs_test_message(&err), "x.json:1:6: $.a: is wrong");
  hs_json_fail(&at, &err, "is wrong");
  ck_assert_str_eq(hs_test_message(&err), "x.json:1:14: $.a.b[1]: is wrong");
  hs_test_accepted(hs_json_get(&root, "c", &at, &err), &err);
  hs_json_fail(&at, &err, "is wrong");
  ck_assert_str_eq(hs_test_message(&err), "x.json:1:23: $.c: is wrong");
  hs_json_close(&doc);
}
END_TEST

START_TEST(a_root_that_is_no_object)
{
  struct hs_json doc;
  struct hs_error err;
  struct hs_json_at root;
  hs_test_accepted(hs_json_parse(&doc, "x.json", "\n [1]", 5, &err), &err);
  hs_test_refused(hs_json_root(&doc, &root, &err), &err, "x.json:2:2: $: is not an object, but an array");
  hs_json_close(&doc);
}
END_TEST

START_TEST(keys_that_are_data)
{
  struct hs_json doc;
  struct hs_error err;
  struct hs_json_at root, at;
  static const char text[] = "{\"b\": 1, \"a\": 2, \"b\": 3}";
  hs_test_accepted(hs_json_parse(&doc, "x.json", text, strlen(text), &err), &err);
  hs_test_accepted(hs_json_root(&doc, &root, &err), &err);
  ck_assert_int_eq(hs_json_length(&root), 3);
  hs_test_accepted(hs_json_child(&root, 1, &at, &err), &err);
  ck_assert_str_eq(at.key, "a");
  hs_test_refused(hs_json_child(&root, 2, &at, &err), &err, "x.json:1:18: $.b: duplicate key");
  hs_test_refused(hs_json_child(&root, 3, &at, &err), &err, "x.json:1:1: $: has no key number 3");
  hs_json_close(&doc);
}
END_TEST

/* However many optional keys a reader asks for, those beyond the first 64 aren't proposed. */
START_TEST(more_keys_than_are_proposed)
{
  static char keys[100][8];
  struct hs_json doc;
  struct hs_error err;
  struct hs_json_at root, list;
  int n;
  hs_test_accepted(hs_json_parse(&doc, "x.json", "{\"kez3\": [1]}", 13, &err), &err);
  hs_test_accepted(hs_json_root(&doc, &root, &err), &err);
  for (int i = 0; i < 100; i++) {
    sprintf(keys[i], "key%d", i);
    ck_assert(!hs_json_has(&root, keys[i]));
  }
  ck_assert_int_eq(root.n_absent, HS_JSON_MAX_KEYS);
  hs_test_refused(hs_json_end(&root, &err), &err, "x.json:1:2: $.kez3: unknown key \"kez3\"; did you mean key3?");
  hs_test_refused(hs_json_get_array(&root, "kez3", 2, 2, &list, &n, &err), &err, "x.json:1:10: $.kez3: has 1 elements, not 2");
  hs_json_close(&doc);
}
END_TEST

START_TEST(more_keys_than_can_be_marked)
{
  struct hs_json doc;
  struct hs_error err;
  struct hs_json_at root, at;
  char text[1024] = "{";
  for (int i = 0; i < 65; i++) sprintf(text + strlen(text), "%s\"k%d\": %d", i ? ", " : "", i, i);
  strcat(text, "}");
  hs_test_accepted(hs_json_parse(&doc, "x.json", text, strlen(text), &err), &err);
  hs_test_accepted(hs_json_root(&doc, &root, &err), &err);
  for (int i = 0; i < 64; i++) hs_test_accepted(hs_json_child(&root, i, &at, &err), &err);
  hs_test_refused(hs_json_get(&root, "k64", &at, &err), &err, "x.json:1:1: $: more than 64 keys");
  ck_assert_int_eq(hs_json_end(&root, &err), HS_INPUT);
  ck_assert_str_eq(err.text, "unknown key \"k64\"; did you mean k4, which is there already?");
  hs_json_close(&doc);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, refuses_what_is_not_json, 0, sizeof syntax / sizeof *syntax);
  tcase_add_loop_test(t, accepts_what_is_json, 0, sizeof good / sizeof *good);
  tcase_add_test(t, deep_nesting_is_an_error_not_a_crash);
  tcase_add_test(t, missing_file);
  tcase_add_test(t, the_text_need_not_end_in_nul);
  tcase_add_loop_test(t, refuses_keys_and_values, 0, sizeof values / sizeof *values);
  tcase_add_test(t, reads_what_is_right);
  tcase_add_test(t, absent_options_keep_their_defaults);
  tcase_add_test(t, the_place_is_found_behind_anything);
  tcase_add_test(t, the_place_is_found_without_spaces);
  tcase_add_test(t, a_root_that_is_no_object);
  tcase_add_test(t, keys_that_are_data);
  tcase_add_test(t, more_keys_than_are_proposed);
  tcase_add_test(t, more_keys_than_can_be_marked);
}

int main(void) { return hs_test_main("json_in", fill); }
