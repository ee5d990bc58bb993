/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text and numbers in pictures and tables: lines that a text is broken into, the digits and ticks of bars, columns. */
#include "tests/unit/suite.h"

#include <math.h>

#include "out/chart_bars.h"
#include "out/chart_groups.h"
#include "out/chart_text.h"
#include "out/table.h"

/* A word that is longer than a line is broken where the line ends; letters count, not bytes. */
static const struct {
  const char *text;
  int chars;
  const char *lines; /* | between two */
} broken[] = {
  {"one two three", 13, "one two three"}, {"one two three", 12, "one two|three"}, {"one two three", 8, "one two|three"},
  {"one two three", 7, "one two|three"},
  {"one two three", 6, "one|two|three"},  {"onetwothree", 4, "onet|woth|ree"},    {"one twothree", 5, "one|twoth|ree"},
  {"größe größe", 5, "größe|größe"},      {"", 5, ""},
};

START_TEST(lines_end_at_spaces)
{
  struct hs_text t = {0}, expected = {0};
  int n = 0;
  for (const char *s = broken[_i].lines; *s; n++) {
    int length = (int)strcspn(s, "|");
    hs_text_addf(&expected, "<text x=\"8.0\" y=\"%.1f\" a=\"b\">%.*s</text>\n", 20. + n * HS_CHART_LINE, length, s);
    s += length + (s[length] == '|');
  }
  hs_chart_put_lines(broken[_i].text, broken[_i].chars, 8, 20, "a=\"b\"", &t);
  ck_assert_int_eq(hs_chart_lines(broken[_i].text, broken[_i].chars), n);
  ck_assert_str_eq(n ? t.s : "", n ? expected.s : "");
  hs_text_free(&t);
  hs_text_free(&expected);
}
END_TEST

START_TEST(ticks)
{
  static const struct {
    double end, step;
  } axes[] = {{4, 1}, {7.9, 1}, {8, 2}, {19, 2}, {20, 5}, {39, 5}, {40, 10}, {0.08, 0.02}, {0.021, 0.005}, {0, 0.2}};
  for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) ck_assert_double_eq_tol(hs_chart_step(axes[i].end), axes[i].step, 1e-12);
}
END_TEST

/* Three digits, also where they are rounded to a power of ten. */
START_TEST(bars_have_three_digits)
{
  static const struct {
    double seconds;
    const char *text;
  } cases[] = {{0.1659, ">166 ms<"},    {0.09997, ">100 ms<"},     {0.01234, ">12.3 ms<"},    {0.0099961, ">10.0 ms<"},
               {0.009994, ">9.99 ms<"}, {0.00099961, ">1.00 ms<"}, {0.0009994, ">0.999 ms<"}, {4.5, ">4500 ms<"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct hs_bar bar = {.policy = "p", .ran_in = "r", .latency_s = cases[i].seconds, .kernel_s = cases[i].seconds};
    const struct hs_bars bars = {.soc = "s", .soc_title = "t", .model = "m", .command = "c", .n = 1, .bars = &bar};
    struct hs_text t = {0};
    hs_bars_svg(&bars, &t);
    ck_assert_msg(strstr(t.s, cases[i].text), "no %s in %s", cases[i].text, t.s);
    hs_text_free(&t);
  }
}
END_TEST

/* The longest bar is as long as the axis, wherever it stands; what was refused has none. */
START_TEST(bars_beside_the_longest)
{
  const struct hs_bar half = {.policy = "half", .ran_in = "r", .latency_s = 0.002, .kernel_s = 0.002},
                      all = {.policy = "all", .ran_in = "r", .latency_s = 0.004, .kernel_s = 0.004},
                      refused = {.policy = "none", .reason = "why", .latency_s = 0.008};
  const struct hs_bar orders[][3] = {{half, all, refused}, {refused, all, half}};
  for (int i = 0; i < 2; i++) {
    const struct hs_bars bars = {.soc = "s", .soc_title = "t", .model = "m", .command = "c", .n = 3, .bars = orders[i]};
    struct hs_text t = {0};
    hs_bars_svg(&bars, &t);
    ck_assert_msg(strstr(t.s, "width=\"520.00\"") && strstr(t.s, "width=\"260.00\""), "%s", t.s);
    hs_text_free(&t);
  }
}
END_TEST

/* What has no value isn't drawn, and where nothing is the paper's it isn't said how that would look. */
START_TEST(groups_without_values)
{
  for (int paper = 0; paper < 2; paper++)
    for (int lines = 0; lines < 2; lines++) {
      struct hs_chart g = {.title = "t", .unit = "s", .lines = lines};
      struct hs_text t = {0};
      hs_chart_groups_set(&g, "a", "x", 1, paper ? 2 : NAN);
      hs_chart_groups_set(&g, "b", "x", NAN, NAN);
      hs_chart_groups_svg(&g, &t);
      ck_assert(!strstr(t.s, "outlined: the paper") == !paper);
      ck_assert_ptr_null(strstr(t.s, "nan"));
      int rects = 0; /* the picture, one of each kind in the legend, and bars */
      for (const char *s = t.s; (s = strstr(s, "<rect ")); s++) rects++;
      ck_assert_int_eq(rects, 1 + (1 + paper) * (lines ? 1 : 2));
      hs_text_free(&t);
      hs_chart_groups_free(&g);
    }
}
END_TEST

/* What goes over the rest of its row neither widens a column nor stands at its right. No line ends with spaces. */
START_TEST(columns)
{
  static const char *const cells[] = {"a", "1", "x", "bb", "22", "y", "d", "3", ""};
  struct hs_table table = {.n_columns = 3, .right = {false, true, false}};
  struct hs_text t = {0};
  for (int i = 0; i < 9; i++) {
    if (i % 3 == 0 && i > 0) {
      hs_table_add(&table, "c");
      hs_table_rest(&table, i == 3 ? "a remark" : "-");
    }
    hs_table_add(&table, "%s", cells[i]);
  }
  hs_table_print(&table, &t);
  ck_assert_str_eq(t.s, "a    1  x\n"
                        "c   a remark\n"
                        "bb  22  y\n"
                        "c   -\n"
                        "d    3\n");
  hs_text_free(&t);
  hs_table_free(&table);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, lines_end_at_spaces, 0, sizeof broken / sizeof *broken);
  tcase_add_test(t, ticks);
  tcase_add_test(t, bars_have_three_digits);
  tcase_add_test(t, bars_beside_the_longest);
  tcase_add_test(t, groups_without_values);
  tcase_add_test(t, columns);
}

int main(void) { return hs_test_main("charts", fill); }
