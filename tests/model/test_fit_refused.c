/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a fit refuses, though each row by itself may be read: too few rows, columns that are constant, latencies in another unit, of one row, of half of them or
 * of all. */
#include "tests/model/desk.h"

static const struct {
  int n;
  const char *row, *message; /* row: %d is the row's number */
} unfit[] = {
  {7, "gpu,Conv,%1$d,16,16,1,0.%1$d\n", "m.csv:2: too few rows for gpu, fp16, image: 7 to fit to, and it takes 8"},
  {20, "gpu,Conv,%d,16,16,1,0.001\n", "m.csv:2: constant column: all latencies of gpu, fp16, image are 0.001 s"},
  {20, "gpu,Conv,7,16,16,1,0.%d\n", "m.csv:2: constant columns: all rows of gpu, fp16, image are of the same operator or network, run alike"},
};

START_TEST(not_fitted)
{
  struct desk d;
  struct hs_error err;
  struct hs_fit f;
  struct hs_text t = {0};
  sit_down(&d, "sd855", "tflite");
  hs_text_add(&t, "processor,op,h,cin,cout,kernel,latency_s\n");
  for (int i = 0; i < unfit[_i].n; i++) {
    char row[80];
    snprintf(row, sizeof row, unfit[_i].row, 10 + i);
    hs_text_add(&t, row);
  }
  add_rows(&d, t.s, false);
  hs_test_refused(fit_only(&d.m, 0, NULL, &f, &err), &err, unfit[_i].message);
  hs_fit_free(&f);
  hs_text_free(&t);
  stand_up(&d);
}
END_TEST

/* One row written in milliseconds where the others are in seconds. */
START_TEST(other_unit)
{
  struct desk d;
  struct hs_error err;
  struct hs_fit f;
  sit_down(&d, "sd855", "tflite");
  add_grid(&d);
  const struct hs_kernel truth = known(&d);
  pretend(&d, &truth, 0.05);
  d.m.rows[17].latency_s *= 1000;
  ck_assert_int_eq(fit_only(&d.m, 0, NULL, &f, &err), HS_INPUT);
  ck_assert_int_eq(err.line, 19);
  ck_assert_ptr_eq(strstr(err.text, "mixed units? "), err.text);
  hs_fit_free(&f);
  stand_up(&d);
}
END_TEST

/* Beside the kernel as it is, a row that is a thousand times too long or too short is told, whether it was fitted to or kept out: from a hundred times on. */
START_TEST(other_unit_either_way)
{
  static const struct {
    bool kept_out;
    double times;
    bool told;
  } cases[] = {{false, 1000, true}, {false, 1e-3, true}, {true, 1000, true}, {true, 1e-3, true}, {true, 1, false},
               {true, 125, true},   {true, 80, false},   {true, 1 / 125., true}, {true, 1 / 80., false}}; /* 5 % of noise aside */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct desk d;
    struct hs_error err = {0};
    struct hs_fit f;
    sit_down(&d, "sd855", "tflite");
    add_networks_on_a_gpu(&d);
    add_rows(&d, "model,processor,latency_s\nresnet26,gpu,1\n", true);
    const struct hs_kernel truth = *d.m.rows[0].bench->sys.backends[d.m.rows[0].bench->processor].kernel;
    pretend(&d, &truth, 0.05);
    d.m.rows[cases[i].kept_out ? d.m.n - 1 : 7].latency_s *= cases[i].times;
    hs_test_accepted(hs_fit_begin(&d.m, 0, NULL, &f, &err), &err);
    if (!cases[i].told)
      hs_test_accepted(hs_fit_judge(&f, &err), &err);
    else {
      ck_assert_int_eq(hs_fit_judge(&f, &err), HS_INPUT);
      ck_assert_ptr_eq(strstr(err.text, "mixed units? "), err.text);
      ck_assert_int_eq(err.line, cases[i].kept_out ? 2 : 9);
    }
    hs_fit_free(&f);
    stand_up(&d);
  }
}
END_TEST

/* So are all rows that are more than three times as long, or as short, as the kernel has them after the fit. */
START_TEST(all_further_than_a_fit)
{
  static const double times[] = {2.2, 4, 1 / 2.2, 0.25};
  for (int i = 0; i < 4; i++) {
    struct desk d;
    struct hs_error err;
    struct hs_fit f;
    sit_down(&d, "sd855", "tflite");
    add_networks_on_a_gpu(&d);
    const struct hs_kernel truth = *d.m.rows[0].bench->sys.backends[d.m.rows[0].bench->processor].kernel;
    pretend(&d, &truth, 0.05);
    for (int k = 0; k < d.m.n; k++) d.m.rows[k].latency_s *= times[i];
    hs_test_accepted(hs_fit_begin(&d.m, 0, NULL, &f, &err), &err);
    enum hs_status status = hs_fit_judge(&f, &err);
    if (i % 2 == 0)
      hs_test_accepted(status, &err);
    else
      ck_assert_msg(status == HS_INPUT && strncmp(err.text, "wrong unit", 10) == 0, "%g times: %s", times[i], status ? err.text : "accepted");
    hs_fit_free(&f);
    stand_up(&d);
  }
}
END_TEST

/* Networks that take what the profile says, scattered by 5 %. */
static void sit_down_with_networks(struct desk *d)
{
  sit_down(d, "sd855", "tflite");
  add_networks(d);
  const struct hs_kernel truth = *d->m.rows[0].bench->sys.backends[d->m.rows[0].bench->processor].kernel;
  pretend(d, &truth, 0.05);
}

/* Where so many are in another unit that a fit lies in between, a thousand times leaves one of them more than a hundred off. Of 60 times none is, and half of the
 * rows are told together. */
START_TEST(half_in_another_unit)
{
  static const struct {
    double times;
    const char *says;
  } cases[] = {{1000, " times what the other rows make of this: "}, {60, "mixed units? half of the rows of cpu, fp32 are off by more than "}};
  struct desk d;
  struct hs_error err;
  struct hs_fit f;
  sit_down_with_networks(&d);
  for (int i = 0; i < d.m.n; i += 2) d.m.rows[i].latency_s *= cases[_i].times;
  ck_assert_int_eq(fit_only(&d.m, 0, NULL, &f, &err), HS_INPUT);
  ck_assert_ptr_eq(strstr(err.text, "mixed units? "), err.text);
  ck_assert_msg(strstr(err.text, cases[_i].says) != NULL, "%s", err.text);
  hs_fit_free(&f);
  stand_up(&d);
}
END_TEST

/* Seconds under latency_ms, or the other way round, in every row: none is odd among the others. And 30 times as fast, which is another phone's pace, but no
 * rate gets there. */
START_TEST(all_in_another_unit)
{
  static const struct {
    double times;
    const char *begins, *ends;
  } cases[] = {
    {1e3, "wrong unit? all 40 rows of cpu, fp32 are ", " times as long as the profile before has them"},
    {1e-3, "wrong unit? all 40 rows of cpu, fp32 are ", " times as long as the profile before has them"},
    {1 / 30., "wrong unit, or faster than the peak in the SoC's file? all 40 rows of cpu, fp32 are ", " times as long as any fit has them"},
  };
  struct desk d;
  struct hs_error err;
  struct hs_fit f;
  sit_down_with_networks(&d);
  for (int i = 0; i < d.m.n; i++) d.m.rows[i].latency_s *= cases[_i].times;
  ck_assert_int_eq(fit_only(&d.m, 0, NULL, &f, &err), HS_INPUT);
  ck_assert_int_eq(err.line, d.m.rows[0].line);
  ck_assert_msg(strstr(err.text, cases[_i].begins) == err.text && strstr(err.text, cases[_i].ends), "%s", err.text);
  hs_fit_free(&f);
  stand_up(&d);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, not_fitted, 0, sizeof unfit / sizeof *unfit);
  tcase_add_test(t, other_unit);
  tcase_add_test(t, other_unit_either_way);
  tcase_add_test(t, all_further_than_a_fit);
  tcase_add_loop_test(t, half_in_another_unit, 0, 2);
  tcase_add_loop_test(t, all_in_another_unit, 0, 3);
}

int main(void) { return hs_test_main("fit_refused", fill); }
