/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in its printed form, numbers read, the error record, memory, order. */
#include "tests/unit/suite.h"

#include <signal.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"
#include "base/utf8.h"

/* --- text --- */

static const struct {
  double v;
  const char *text;
} numbers[] = {
  {0, "0"}, {-0.0, "0"}, {1, "1"}, {-2.385, "-2.385"}, {0.1, "0.1"}, {1e21, "1e+21"}, {2.5e-9, "2.5e-09"}, {34.1e9, "34100000000"},
  {1.0 / 3, "0.333333333333"}, {123456789012.0, "123456789012"}, {1234567890123.0, "1.23456789012e+12"}, {0.1 + 0.2, "0.3"},
  {NAN, "null"}, {INFINITY, "null"}, {-INFINITY, "null"},
};

START_TEST(number)
{
  struct hs_text t = {0};
  hs_text_number(&t, numbers[_i].v);
  ck_assert_str_eq(t.s, numbers[_i].text);
  ck_assert_uint_eq(t.len, strlen(t.s));
  hs_text_free(&t);
}
END_TEST

static const struct {
  double v;
  const char *unit, *text;
} units[] = {
  {0, "s", "0 s"}, {1, "W", "1.00 W"}, {0.0123, "s", "12.3 ms"}, {850e6, "Hz", "850 MHz"}, {1.2e9, "B", "1.20 GB"}, {2.383e-6, "s", "2.38 µs"},
  {3.7e-8, "s", "37.0 ns"}, {999.4, "J", "999 J"}, {999.6, "J", "1.00 kJ"}, {9.994, "J", "9.99 J"}, {9.996, "J", "10.0 J"}, {99.94, "J", "99.9 J"},
  {99.96, "J", "100 J"}, {0.9996, "s", "1.00 s"}, {0.9994, "s", "999 ms"}, {-1500, "B", "-1.50 kB"}, {7e15, "B", "7000 TB"}, {4e-12, "s", "0.00 ns"},
  {1200, "s", "1200 s"}, {-4e-12, "s", "0.00 ns"}, {-6e-12, "s", "-0.01 ns"}, {86400, "s", "86400 s"},
};

static const struct {
  double v, fine;
  const char *text;
} fines[] = {
  {0.1276, 0, "128 ms"}, {0.1276, 4e-5, "127.60 ms"}, {0.1276, 0.02, "128 ms"}, {9.616e-3, 2.6e-6, "9.616 ms"}, {1.5, 0.001, "1.500 s"},
  {1.5, 1e-12, "1.500000 s"},
};

START_TEST(si_fine)
{
  char buf[64];
  ck_assert_str_eq(hs_si_fine(fines[_i].v, fines[_i].fine, "s", buf, sizeof buf), fines[_i].text);
}
END_TEST

START_TEST(si_prefix)
{
  char buf[64];
  ck_assert_str_eq(hs_si(units[_i].v, units[_i].unit, buf, sizeof buf), units[_i].text);
  ck_assert_str_eq(hs_si_tmp(units[_i].v, units[_i].unit), units[_i].text);
}
END_TEST

START_TEST(eight_values_of_a_line)
{
  const char *line[8];
  char want[8][20];
  for (int i = 0; i < 8; i++) line[i] = hs_si_tmp(i + 1, "W");
  for (int i = 0; i < 8; i++) {
    snprintf(want[i], sizeof want[i], "%d.00 W", i + 1);
    ck_assert_str_eq(line[i], want[i]);
  }
}
END_TEST

START_TEST(no_minus_zero)
{
  static const struct {
    double v;
    int decimals;
    const char *text;
  } cases[] = {{-0.0, 1, "0.0"}, {-0.003887, 2, "0.00"}, {-0.0051, 2, "-0.01"}, {-0.5, 0, "0"}, {-0.51, 0, "-1"}, {0.003887, 2, "0.00"}, {-12.34, 1, "-12.3"}};
  char buf[64];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    snprintf(buf, sizeof buf, "%.*f", cases[i].decimals, hs_no_minus_zero(cases[i].v, cases[i].decimals));
    ck_assert_str_eq(buf, cases[i].text);
  }
}
END_TEST

START_TEST(wrapped)
{
  static const struct {
    const char *s;
    int width;
    const char *text;
  } cases[] = {{"", 5, "\n"}, {"one two", 7, "one two\n"}, {"one two", 6, "one\ntwo\n"}, {"a  b c", 3, "a b\nc\n"}, {"longer than", 4, "longer\nthan\n"},
               {"µs µs", 5, "µs µs\n"}, {"o longer", 3, "o\nlonger\n"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hs_text t = {0};
    hs_text_wrap(&t, cases[i].s, cases[i].width);
    ck_assert_str_eq(t.s, cases[i].text);
    hs_text_free(&t);
  }
}
END_TEST

START_TEST(pieces)
{
  struct hs_text t = {0};
  hs_text_add(&t, "a");
  hs_text_addf(&t, "%d%s", 42, "%");
  hs_text_pad(&t, '.', 3);
  hs_text_pad(&t, '.', -1);
  ck_assert_str_eq(t.s, "a42%...");
  hs_text_column(&t, "µs", 4); /* two characters in three bytes */
  hs_text_add(&t, "|");
  hs_text_column(&t, "long", 2);
  ck_assert_str_eq(t.s, "a42%...µs  |long");
  ck_assert_uint_eq(t.len, strlen(t.s));
  hs_text_free(&t);
  ck_assert_ptr_null(t.s);
  ck_assert_uint_eq(t.len, 0);
}
END_TEST

START_TEST(grows)
{
  struct hs_text t = {0};
  for (int i = 0; i < 10000; i++) hs_text_addf(&t, "%04d", i);
  ck_assert_uint_eq(t.len, 40000);
  ck_assert_int_eq(strncmp(t.s + 4 * 2385, "23852386", 8), 0);
  hs_text_free(&t);
}
END_TEST

static const struct {
  const char *s;
  int bytes;
} characters[] = {
  {"a", 1}, {"", 1}, {"µ", 2}, {"\xc2", 0}, {"\xb5", 0}, {"\xc1\xb5", 0}, {"\xe0\x9f\xbf", 0}, {"\xe2\x80\x93", 3}, {"\xe2\x80", 0},
  {"\xed\xa0\x80", 0}, {"\xf0\x9f\x93\xb1", 4}, {"\xf0\x8f\xbf\xbf", 0}, {"\xf0\x9f\x93", 0}, {"\xf4\x90\x80\x80", 0}, {"\xff", 0},
};

START_TEST(utf8) { ck_assert_int_eq(hs_utf8_bytes(characters[_i].s), characters[_i].bytes); }
END_TEST

START_TEST(quoting)
{
  struct hs_text t = {0};
  hs_text_string(&t, "a\"b\\c\n\x01µ");
  ck_assert_str_eq(t.s, "\"a\\\"b\\\\c\\u000a\\u0001µ\"");
  hs_text_free(&t);
  hs_text_xml(&t, "<a b=\"c\">&amp;</a>");
  ck_assert_str_eq(t.s, "&lt;a b=&quot;c&quot;&gt;&amp;amp;&lt;/a&gt;");
  hs_text_free(&t);
  hs_text_string(&t, "\xe2\x80\x93 \xe4nderung \xc2");
  ck_assert_str_eq(t.s, "\"\xe2\x80\x93 \xef\xbf\xbdnderung \xef\xbf\xbd\"");
  hs_text_free(&t);
  hs_text_xml(&t, "\xe2\x80\x93\x01\xe4");
  ck_assert_str_eq(t.s, "\xe2\x80\x93\xef\xbf\xbd\xef\xbf\xbd");
  hs_text_free(&t);
  hs_text_xml(&t, "\xef\xbf\xbd,\xef\xbf\xbe,\xef\xbf\xbf"); /* U+FFFD is a character, the next two are none */
  ck_assert_str_eq(t.s, "\xef\xbf\xbd,\xef\xbf\xbd,\xef\xbf\xbd");
  hs_text_free(&t);
}
END_TEST

/* --- errors --- */

START_TEST(error_messages)
{
  struct hs_error err;
  char small[8], longest[400];
  ck_assert_int_eq(hs_fail(&err, HS_USAGE, "no %s %d", "x", 3), HS_USAGE);
  ck_assert_str_eq(hs_test_message(&err), "no x 3");
  hs_fail_at(&err, HS_INPUT, "f", 12, 7, "$.a", "bad");
  ck_assert_str_eq(hs_test_message(&err), "f:12:7: $.a: bad");
  hs_fail_at(&err, HS_INPUT, "f", 0, 0, NULL, "bad");
  ck_assert_str_eq(hs_test_message(&err), "f: bad");
  hs_fail_at(&err, HS_INPUT, NULL, 3, 4, "$.a", "bad");
  ck_assert_str_eq(hs_test_message(&err), "$.a: bad");
  ck_assert_str_eq(hs_error_message(&err, small, sizeof small), "$.a: ba");
  hs_fail(&err, HS_IO, "later"); /* nothing of the place is left */
  ck_assert_str_eq(hs_test_message(&err), "later");
  hs_fail_at(&err, HS_INPUT, "a\nb", 1, 1, "$.\x1b[2J", "\x7f\ttext µ"); /* names from files must not steer the terminal */
  ck_assert_str_eq(hs_test_message(&err), "a?b:1:1: $.?[2J: ??text µ");
  memset(longest, 'p', 399);
  longest[399] = 0;
  hs_fail_at(&err, HS_INPUT, longest, 1, 1, longest, "%s%s%s%s", longest, longest, longest, longest);
  ck_assert_uint_eq(strlen(err.file), sizeof err.file - 1);
  ck_assert_uint_eq(strlen(err.path), sizeof err.path - 1);
  ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
  hs_fail(&err, HS_INPUT, "\xe4-µ");
  ck_assert_str_eq(hs_test_message(&err), "?-µ");
  hs_fail_at(&err, HS_INPUT, NULL, 0, 0, NULL, "%s%s%s%.81sµ", longest, longest, longest, longest); /* the room ends within the last character */
  ck_assert_str_eq(err.text + sizeof err.text - 3, "p?");
}
END_TEST

/* --- memory --- */

START_TEST(arena)
{
  struct hs_arena a = {0};
  char *first = hs_arena_alloc(&a, 1);
  ck_assert_ptr_nonnull(hs_arena_alloc(&a, 0));
  for (size_t n = 1; n < 100000; n = 2 * n + 1) {
    unsigned char *p = hs_arena_alloc(&a, n);
    ck_assert_uint_eq((uintptr_t)p % _Alignof(max_align_t), 0);
    for (size_t i = 0; i < n; i++) {
      ck_assert_int_eq(p[i], 0);
      p[i] = 0xA5; /* the next allocation must not overlap */
    }
  }
  ck_assert_int_eq(*first, 0);
  char *s = hs_arena_printf(&a, "%s-%05d", hs_arena_strdup(&a, "copy"), 42), *t = hs_arena_strdup(&a, "");
  ck_assert_str_eq(s, "copy-00042");
  ck_assert_str_eq(t, "");
  for (int n = 120; n < 140; n++) { /* short texts are printed once, long ones twice */
    s = hs_arena_printf(&a, "%0*d", n, 7);
    ck_assert_uint_eq(strlen(s), (size_t)n);
    ck_assert_uint_eq(strspn(s, "0"), (size_t)n - 1);
    ck_assert_int_eq(s[n - 1], '7');
  }
  hs_arena_free(&a);
  ck_assert_ptr_null(a.first);
  hs_arena_free(&a);
}
END_TEST

START_TEST(absurd_sizes_abort)
{
  struct hs_arena a = {0};
  hs_arena_alloc_array(&a, SIZE_MAX / 4, 8);
}
END_TEST

START_TEST(growing_arrays)
{
  int *p = NULL, n = 0, cap = 0;
  for (int i = 0; i < 1000; i++) {
    HS_GROW(p, n, cap);
    p[n++] = i;
  }
  for (int i = 0; i < 1000; i++) ck_assert_int_eq(p[i], i);
  free(p);
}
END_TEST

START_TEST(words)
{
  static const char *const none[] = {NULL}, *const three[] = {"a", "µ b", "c", NULL};
  struct hs_text t = {0};
  hs_text_words(&t, none);
  ck_assert_int_eq(t.len, 0);
  hs_text_words(&t, three);
  ck_assert_str_eq(t.s, "a, µ b, c");
  ck_assert_int_eq(hs_text_width(t.s), 9);
  hs_text_column(&t, "µs", 4);
  ck_assert_str_eq(t.s, "a, µ b, cµs  ");
  hs_text_free(&t);
}
END_TEST

START_TEST(decimals)
{
  static const char *const bad[] = {"", "x", " 1", "1 ", "0x10", "0x1p4", "inf", "nan", "-", "1e", "1.2.3", "1e999", "1,5"};
  double v = -1;
  ck_assert(hs_decimal_parse("0.3", &v) && v == 0.3);
  ck_assert(hs_decimal_parse("-1.5e-3", &v) && v == -1.5e-3);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) ck_assert_msg(!hs_decimal_parse(bad[i], &v), "\"%s\"", bad[i]);
}
END_TEST

START_TEST(prefixes)
{
  static const char *const bad[] = {"", "MHz", " 1MHz", "0x1MHz", "inf", "nan", "-", ".", "e3", "1e999x"};
  double v = -1;
  ck_assert_str_eq(hs_decimal_prefix("850MHz", &v), "MHz");
  ck_assert_double_eq(v, 850);
  ck_assert_str_eq(hs_decimal_prefix("-.5e1..2", &v), "..2");
  ck_assert_double_eq(v, -5);
  ck_assert_str_eq(hs_decimal_prefix("3eyes", &v), "eyes");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) ck_assert_msg(!hs_decimal_prefix(bad[i], &v), "\"%s\"", bad[i]);
}
END_TEST

START_TEST(wholes)
{
  static const char *const bad[] = {"", " 1", "+1", "-1", "1 ", "1.0", "1e1", "0", "10", "0x1", "99999999999999999999"};
  long long v;
  ck_assert(hs_whole_parse("1", 1, 9, &v) && v == 1);
  ck_assert(hs_whole_parse("9", 1, 9, &v) && v == 9);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) ck_assert_msg(!hs_whole_parse(bad[i], 1, 9, &v), "\"%s\"", bad[i]);
}
END_TEST

START_TEST(times)
{
  static const char *const bad[] = {"", "1", "ms", "1 ms", "1m", "1min", "-1ms", "1.2.3ms", "1ms ", "nan", "1Ms", "0x1s"};
  double s = -1;
  ck_assert(hs_time_parse("1ms", &s) && s == 1 * 1e-3);
  ck_assert(hs_time_parse("1.5s", &s) && s == 1.5);
  ck_assert(hs_time_parse("800us", &s) && s == 800 * 1e-6);
  ck_assert(hs_time_parse("2e-3s", &s) && s == 2e-3);
  ck_assert(hs_time_parse("0s", &s) && s == 0);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) ck_assert_msg(!hs_time_parse(bad[i], &s), "\"%s\"", bad[i]);
  ck_assert_double_eq(s, 0);
}
END_TEST

/* "where=value" as "where value;", so that each place shows. */
static enum hs_status write_down(void *state, const char *where, const char *value, struct hs_error *err)
{
  hs_text_addf(state, "%s %s;", where ? where : "-", value);
  return strcmp(value, "bad") ? HS_OK : hs_fail(err, HS_INPUT, "bad");
}

/* Lists of an option, of any length: what each place says, and what ends them. */
START_TEST(settings)
{
  static const char *const empty[] = {"", ",a=1", "a=1,", "a=1,,b=2", "=1"};
  struct hs_text long_list = {0}, wanted = {0}, seen = {0};
  struct hs_error err;
  hs_test_accepted(hs_each_setting("o", "max,cpu=min,gpu=,a=b=c", write_down, &seen, &err), &err);
  ck_assert_str_eq(seen.s, "- max;cpu min;gpu ;a b=c;");
  seen.len = 0;
  for (int i = 0; i < 300; i++) {
    hs_text_addf(&long_list, "%sname%d=%d", i ? "," : "", i, i);
    hs_text_addf(&wanted, "name%d %d;", i, i);
  }
  hs_test_accepted(hs_each_setting("o", long_list.s, write_down, &seen, &err), &err);
  ck_assert_str_eq(seen.s, wanted.s);
  seen.len = 0;
  ck_assert_int_eq(hs_each_setting("o", "a=1,b=bad,c=2", write_down, &seen, &err), HS_INPUT);
  ck_assert_str_eq(seen.s, "a 1;b bad;");
  for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
    char message[100];
    snprintf(message, sizeof message, "--o: \"%s\" has an empty name or an empty place in the list", empty[i]);
    ck_assert_int_eq(hs_each_setting("o", empty[i], write_down, &seen, &err), HS_USAGE);
    ck_assert_str_eq(hs_test_message(&err), message);
  }
  hs_text_free(&long_list);
  hs_text_free(&wanted);
  hs_text_free(&seen);
}
END_TEST

/* Of 60 keys, each there six times; and of none. */
START_TEST(equals_stay_in_order)
{
  double key[60];
  int order[60];
  for (int i = 0; i < 60; i++) key[i] = i * 7 % 10 - 4.5;
  hs_order_by(key, 60, order);
  for (int i = 0; i < 60; i++) {
    ck_assert_double_eq(key[order[i]], i / 6 - 4.5);
    if (i % 6) ck_assert_int_lt(order[i - 1], order[i]);
  }
  hs_order_by(key, 0, order);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, settings);
  tcase_add_test(t, words);
  tcase_add_test(t, decimals);
  tcase_add_test(t, prefixes);
  tcase_add_test(t, wholes);
  tcase_add_test(t, times);
  tcase_add_loop_test(t, number, 0, sizeof numbers / sizeof *numbers);
  tcase_add_loop_test(t, si_fine, 0, sizeof fines / sizeof *fines);
  tcase_add_loop_test(t, si_prefix, 0, sizeof units / sizeof *units);
  tcase_add_test(t, eight_values_of_a_line);
  tcase_add_test(t, no_minus_zero);
  tcase_add_test(t, wrapped);
  tcase_add_test(t, pieces);
  tcase_add_test(t, grows);
  tcase_add_loop_test(t, utf8, 0, sizeof characters / sizeof *characters);
  tcase_add_test(t, quoting);
  tcase_add_test(t, error_messages);
  tcase_add_test(t, arena);
  tcase_add_test_raise_signal(t, absurd_sizes_abort, SIGABRT);
  tcase_add_test(t, growing_arrays);
  tcase_add_test(t, equals_stay_in_order);
}

int main(void) { return hs_test_main("text", fill); }
