/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a table of processes can say, and what its reader refuses. A small valid text, spoilt in one place at a time. */
#include "base/files.h"
#include "tests/unit/scenario_text.h"

static char *table(void)
{
  char path[600], *text = NULL;
  size_t len;
  struct hs_error err;
  const char *root = getenv("srcdir");
  snprintf(path, sizeof path, "%s/tests/fuzz/corpus/competing/small.csv", root ? root : ".");
  hs_test_accepted(hs_file_read(path, &text, &len, &err), &err);
  return text;
}

static enum hs_status parse_table(struct hs_scenario *s, const char *text, struct hs_error *err)
{
  hs_scenario_open(s);
  return hs_competing_parse(s, "folder/t.csv", text, strlen(text), &scenario_soc, err);
}

static void check_table(const struct hs_scenario *s)
{
  ck_assert(s->living);
  ck_assert_int_eq(s->n_processes, 2);
  const struct hs_process *x = &s->processes[0], *y = &s->processes[1];
  ck_assert_str_eq(x->name, "x");
  ck_assert_int_eq(x->n_phases, 1);
  check_phase(&x->phases[0], 1.5, INFINITY, 1, 1, 0, 0, 0, 0);
  ck_assert_str_eq(y->name, "y");
  ck_assert_uint_eq(y->clusters, ALL_CPUS);
  ck_assert_double_eq(y->period_s, 0.02);
  ck_assert_double_eq(y->kernel_s, 0.005);
  ck_assert_int_eq(y->n_phases, 3);
  check_phase(&y->phases[0], 0.5, 2, 2, 0.25, 0.5, 0, 7e8, 65536);
  check_phase(&y->phases[1], 2, 3, 0, 1, 0, 0.125, 1e6, 0);
  check_phase(&y->phases[2], 4, INFINITY, 4, 0.75, 0, 0, 0, 1024);
}

START_TEST(table_is_valid)
{
  struct hs_scenario s;
  struct hs_error err;
  char *text = table();
  hs_test_accepted(parse_table(&s, text, &err), &err);
  check_table(&s);
  ck_assert_int_eq(s.n_competing, 1);
  ck_assert_str_eq(s.competing[0].name, "t.csv");
  ck_assert_int_eq(strlen(s.competing[0].sha256), 64);
  hs_scenario_free(&s);
  free(text);
}
END_TEST

/* As a spreadsheet writes it, and without the last end of line. */
START_TEST(table_lines)
{
  struct hs_scenario s;
  struct hs_error err;
  struct hs_text crlf = {0};
  char *text = table();
  hs_text_add(&crlf, "\xef\xbb\xbf");
  for (const char *c = text; *c; c++) hs_text_addf(&crlf, "%s%c", *c == '\n' ? "\r" : "", *c);
  hs_test_accepted(parse_table(&s, crlf.s, &err), &err);
  check_table(&s);
  hs_scenario_free(&s);
  text[strlen(text) - 1] = 0;
  hs_test_accepted(parse_table(&s, text, &err), &err);
  check_table(&s);
  hs_scenario_free(&s);
  hs_text_free(&crlf);
  struct hs_text noted = {0};
  hs_text_addf(&noted, "# recorded, by hand\n\n%s\n# the end", text);
  hs_test_accepted(parse_table(&s, noted.s, &err), &err);
  check_table(&s);
  hs_scenario_free(&s);
  hs_text_free(&noted);
  free(text);
}
END_TEST

static const struct {
  const char *from, *to, *message;
} table_cases[] = {
  {"time_s,process", "time,process",
   "1:1: \"time\" stands where column \"time_s\" belongs: time_s,process,threads,duty_frac,gpu_frac,dsp_frac,npu_frac,dram_bytes_per_s,footprint_bytes"},
  {"time_s,process,", "process,time_s,",
   "1:1: \"process\" stands where column \"time_s\" belongs: time_s,process,threads,duty_frac,gpu_frac,dsp_frac,npu_frac,dram_bytes_per_s,footprint_bytes"},
  {"threads,duty_frac,", "duty_frac,threads,",
   "1:16: \"duty_frac\" stands where column \"threads\" belongs: time_s,process,threads,duty_frac,gpu_frac,dsp_frac,npu_frac,dram_bytes_per_s,footprint_bytes"},
  {",footprint_bytes\n", "\n",
   "1:1: column \"footprint_bytes\" is missing after dram_bytes_per_s: time_s,process,threads,duty_frac,gpu_frac,dsp_frac,npu_frac,dram_bytes_per_s,footprint_bytes"},
  {"0.5,y,2", "0.5,y", "3:1: 8 cells, where the header names 9 columns"},
  {"0.5,y,2", "0.5,y,2,2", "3:1: 10 cells, where the header names 9 columns; a number has a decimal point, and a cell with a comma stands in quotes"},
  {"0.5,y,2,0.25", "0.5,y,2,2", "3:9: duty_frac: 2 is not in [0, 1]"},
  {"0.5,y,2", "-0.5,y,2", "3:1: time_s: -0.5 is not in [0, 1e+09]"},
  {"0.5,y,2", "0.5s,y,2", "3:1: time_s: \"0.5s\" is not a number"},
  {"0.5,y,2", ",y,2", "3:1: time_s: \"\" is not a number"},
  {"0.5,y,2", "nan,y,2", "3:1: time_s: \"nan\" is not a number"},
  {"0.5,y,2", "+ 0.5,y,2", "3:1: time_s: \"+ 0.5\" is not a number"},
  {"0.5,y,2", "1e400,y,2", "3:1: time_s: \"1e400\" is not a number"},
  {"1.5,x,1,1", "0.5,y,1,1", "4:1: time_s: 0.5 is not after the row of this process before it (0.5)"},
  {"0.5,y,2", "0.5,y,2,0.25,0,0,0,0,0,0,2", "3:1: 17 cells, where the header names 9 columns; a number has a decimal point, and a cell with a comma stands in quotes"},
  {"1.5,x", "0.25,x", "4:1: time_s: 0.25 is before the row above (0.5)"},
  {"2,y,0,0", "0.5,y,0,0", "5:1: time_s: 0.5 is before the row above (1.5)"},
  {"0.5,y,2", "0.5,,2", "3:5: process: a name has 1 to 63 characters, not 0"},
  {"0.5,y,2", "0.5,y&z,2", "3:5: process: a name has letters, digits and _ . / : + - only"},
  {"0.5,y,2", "0.5,y\"z\",2", "3:5: a quote that isn't closed, or is inside a cell: the whole cell goes into quotes, and a quote in it is doubled"},
  {"0.5,y,2", "0.5,y,2.5", "3:7: threads: 2.5 is not a whole number"},
  {"0.5,y,2", "0.5,y,17", "3:7: threads: 17 is not in [0, 16]"},
  {"2,0.25,0.5", "2,0.25,1.5", "3:14: gpu_frac: 1.5 is not in [0, 1]"},
  {"2,0.25,0.5", "2,0.25,1e-9", "3:14: gpu_frac: 1e-9 is neither 0 nor in [0.0001, 1]"},
  {"2,0.25,0.5", "2,0,0.5", "3:9: duty_frac: 0 is not in [0.0001, 1], and there are threads"},
  {"2,0.25,0.5", "0,0.25,0.5", "3:9: duty_frac: 0.25 goes with threads, and there are none"},
  {"0.5,0,0,7e8", "0.5,0,0.5,7e8", "3:20: npu_frac: phone has no npu"},
  {"7e8,65536", "7e13,65536", "3:22: dram_bytes_per_s: 7e13 is not in [0, 1e+12]"},
  {"7e8,65536", "7e8,-1", "3:26: footprint_bytes: -1 is not in [0, 1e+12]"},
  {"0,x,0,0,0,0,0,0,0", "0,x,0,0,0,0,0,5,0", "2:15: dram_bytes_per_s: 5, but this row loads no processor"},
  {"0,x,0,0,0,0,0,0,0", "0,x,0,0,0,0,0,0,5", "2:17: footprint_bytes: 5, but this row loads no processor"},
  {"0,x,0,0,0,0,0,0,0", "0,z,0,0,0,0,0,0,0", "7:1: process \"z\" never loads a processor"},
};

START_TEST(table_refused)
{
  struct hs_scenario s;
  struct hs_error err = {0};
  char *text = table(), *spoilt = hs_test_replace(text, table_cases[_i].from, table_cases[_i].to), message[700];
  snprintf(message, sizeof message, "folder/t.csv:%s", table_cases[_i].message);
  hs_test_refused(parse_table(&s, spoilt, &err), &err, message);
  hs_scenario_free(&s);
  free(spoilt);
  free(text);
}
END_TEST

/* --- what a process says of itself in a table --- */

#define ROW "time_s,process,threads,duty_frac,gpu_frac,dsp_frac,npu_frac,dram_bytes_per_s,footprint_bytes"
/* In another order than the documentation's, with one cell repeated and others left out. */
static const char own_table[] = ROW ",arrivals,nice,affinity,kernel_s,period_s\n"
                                "0,a,0,0,0,0,0,0,0,poisson,-3,cpu.big;cpu-little,0.004,0.05\n"
                                "1,a,2,0.5,0.25,0,0,0,0,,,cpu.big;cpu-little,,\n"
                                "1,b,1,1,0,0,0,0,0,,,,,\n";

START_TEST(table_with_own_columns)
{
  struct hs_scenario s;
  struct hs_error err;
  hs_test_accepted(parse_table(&s, own_table, &err), &err);
  const struct hs_process *a = &s.processes[0], *b = &s.processes[1];
  ck_assert(a->poisson && !b->poisson);
  ck_assert_int_eq(a->nice, -3);
  ck_assert_uint_eq(a->clusters, CPU_BIG | LITTLE);
  ck_assert_double_eq(a->kernel_s, 0.004);
  ck_assert_double_eq(a->period_s, 0.05);
  check_phase(&a->phases[0], 1, INFINITY, 2, 0.5, 0.25, 0, 0, 0);
  ck_assert_int_eq(b->nice, 0);
  ck_assert_uint_eq(b->clusters, ALL_CPUS);
  ck_assert_double_eq(b->kernel_s, 0.005);
  ck_assert_double_eq(b->period_s, 0.02);
  hs_scenario_free(&s);
}
END_TEST

/* Kernels come at random as bursts of threads do: a process needs no threads for that. */
START_TEST(kernels_have_arrivals)
{
  struct hs_scenario s;
  struct hs_error err;
  hs_test_accepted(parse_table(&s, ROW ",arrivals\n0,a,0,0,0.25,0,0,0,0,poisson\n", &err), &err);
  ck_assert(s.processes[0].poisson);
  hs_scenario_free(&s);
}
END_TEST

static const struct {
  const char *from, *to, *message;
} own_cases[] = {
  {",arrivals,nice", ",arrivals,niceness", "1:103: \"niceness\" is not one of period_s, nice, affinity, kernel_s, arrivals, which may follow footprint_bytes"},
  {",arrivals,nice", ",arrivals,", "1:103: column 11 has no name"},
  {",arrivals,nice", ",arrivals,arrivals", "1:103: column \"arrivals\" is there twice"},
  {",arrivals,nice", ",arrivals,threads", "1:103: column \"threads\" is there twice"},
  {",kernel_s,period_s", ",kernel_s", "2:1: 14 cells, where the header names 13 columns; a number has a decimal point, and a cell with a comma stands in quotes"},
  {",0.004,0.05\n", ",0.004\n", "2:1: 13 cells, where the header names 14 columns"},
  {"poisson", "burst", "2:19: arrivals: \"burst\" is not one of even, poisson"},
  {"-3", "-21", "2:27: nice: -21 is not in [-20, 19]"},
  {"-3", "20", "2:27: nice: 20 is not in [-20, 19]"},
  {"-3", "1.5", "2:27: nice: 1.5 is not a whole number"},
  {"-3", "low", "2:27: nice: \"low\" is not a number"},
  {"cpu.big;cpu-little,0.004", "gpu,0.004", "2:30: affinity: phone has no CPU or cluster \"gpu\""},
  {"cpu.big;cpu-little,0.004", "cpu;cpu.big,0.004", "2:30: affinity: \"cpu.big\" is in the list already"},
  {"cpu.big;cpu-little,0.004", ";cpu,0.004", "2:30: affinity: phone has no CPU or cluster \"\""},
  {"0.004", "0", "2:49: kernel_s: 0 is not in [1e-06, 10]"},
  {"0.05\n", "50000\n", "2:55: period_s: 50000 is not in [0.0001, 10000]"},
  {",,,cpu.big;cpu-little,,\n", ",,,cpu,,\n", "3:26: affinity: cpu, but the first row of \"a\" says cpu.big;cpu-little"},
  {"0.5,0.25,0,0,0,0,,,", "0.5,0.25,0,0,0,0,even,,", "3:24: arrivals: even, but the first row of \"a\" says poisson"},
  {"0.5,0.25,", "0.5,0,", "2:49: kernel_s: goes with gpu_frac, dsp_frac or npu_frac, and no row of \"a\" has any"},
  {"1,a,2,0.5,0.25", "1,a,0,0,0.25", "2:55: period_s: goes with threads, and no row of \"a\" has any"},
};

START_TEST(own_columns_refused)
{
  struct hs_scenario s;
  struct hs_error err = {0};
  char *spoilt = hs_test_replace(own_table, own_cases[_i].from, own_cases[_i].to), message[700];
  snprintf(message, sizeof message, "folder/t.csv:%s", own_cases[_i].message);
  hs_test_refused(parse_table(&s, spoilt, &err), &err, message);
  hs_scenario_free(&s);
  free(spoilt);
}
END_TEST

/* All that a file can say of processes a table can say too: the same struct comes out. */
START_TEST(table_says_what_the_file_says)
{
  struct hs_scenario file, csv;
  struct hs_error err;
  char *text = hs_test_seed("scenario/small");
  hs_test_accepted(parse(&file, &scenario_soc, text, &err), &err);
  hs_test_accepted(parse_table(&csv, ROW ",period_s,nice,arrivals,affinity,kernel_s\n"
                                     "0,b,0,0,0,0.125,0,0,0,,,,,0.004\n"
                                     "1.5,a,3,0.25,0,0,0,7e8,65536,0.05,-3,poisson,cpu.big;cpu-little,\n"
                                     "4,a,2,1,0,0,0,0,0,,,,,\n"
                                     "5,a,0,0,0,0,0,0,0,,,,,\n"
                                     "6,a,1,1,0.3,0,0,0,0,,,,,\n", &err), &err);
  for (int i = 0; i < 2; i++) {
    const struct hs_process *a = &file.processes[i], *b = &csv.processes[1 - i];
    ck_assert_str_eq(a->name, b->name);
    ck_assert(a->period_s == b->period_s && a->kernel_s == b->kernel_s && a->poisson == b->poisson);
    ck_assert(a->nice == b->nice && a->clusters == b->clusters && a->n_phases == b->n_phases);
    for (int k = 0; k < a->n_phases; k++) {
      const struct hs_phase *p = &a->phases[k];
      check_phase(&b->phases[k], p->from_s, p->to_s, p->threads, p->duty_frac, p->load_frac[HS_GPU], p->load_frac[HS_DSP],
                  p->dram_bytes_per_s, p->footprint_bytes);
    }
  }
  hs_scenario_free(&file);
  hs_scenario_free(&csv);
  free(text);
}
END_TEST

START_TEST(table_of_nothing)
{
  struct hs_scenario s;
  struct hs_error err;
  hs_test_refused(parse_table(&s, "", &err), &err, "folder/t.csv:1:1: is empty: a line with the names of the columns is missing");
  hs_scenario_free(&s);
  hs_test_refused(parse_table(&s, header, &err), &err, "folder/t.csv:1:1: the table has no rows");
  hs_scenario_free(&s);
  hs_test_refused(parse_table(&s, "# a\n\ntime\n", &err), &err,
                  "folder/t.csv:3:1: \"time\" stands where column \"time_s\" belongs: time_s,process,threads,duty_frac,gpu_frac,dsp_frac,npu_frac,dram_bytes_per_s,footprint_bytes");
  hs_scenario_free(&s);
  hs_scenario_open(&s);
  hs_test_refused(hs_competing_parse(&s, "t.csv", "a\nb\0c", 5, &scenario_soc, &err), &err, "t.csv:2:2: is no text: it has a zero byte");
  hs_scenario_free(&s);
}
END_TEST

/* A process of the scenario, and one more row or process than there may be. */
START_TEST(table_too_many)
{
  struct hs_scenario s;
  struct hs_error err;
  struct hs_text t = {0};
  char *text = hs_test_seed("scenario/small");
  hs_test_accepted(parse(&s, &scenario_soc, text, &err), &err);
  hs_text_addf(&t, "%s0,a,1,1,0,0,0,0,0\n", header);
  hs_test_refused(hs_competing_parse(&s, "t.csv", t.s, t.len, &scenario_soc, &err), &err, "t.csv:2:3: process: there is already a process \"a\"");
  hs_text_free(&t);
  hs_scenario_free(&s);
  hs_text_add(&t, header);
  for (int i = 0; i < 33; i++) hs_text_addf(&t, "0,p%d,1,1,0,0,0,0,0\n", i);
  hs_test_refused(parse_table(&s, t.s, &err), &err, "folder/t.csv:34:3: process: more than 32 processes");
  hs_text_free(&t);
  hs_scenario_free(&s);
  hs_text_add(&t, header);
  for (int i = 0; i <= HS_PHASES_MAX; i++) hs_text_addf(&t, "%d,p,1,1,0,0,0,0,0\n", i);
  hs_test_refused(parse_table(&s, t.s, &err), &err, "folder/t.csv:4098:6: process: more than 4096 rows of \"p\"");
  hs_text_free(&t);
  hs_scenario_free(&s);
  free(text);
}
END_TEST

/* A scenario's table is beside it, wherever the scenario is. */
START_TEST(table_of_a_scenario)
{
  struct hs_scenario s;
  struct hs_error err;
  char file[600];
  const char *root = getenv("srcdir");
  snprintf(file, sizeof file, "%s/tests/fuzz/corpus/scenario/table.json", root ? root : ".");
  hs_scenario_open(&s);
  hs_test_accepted(hs_scenario_read(&s, file, &scenario_soc, &err), &err);
  check_table(&s);
  ck_assert_str_eq(s.competing[0].name, "small.csv");
  hs_scenario_free(&s);
}
END_TEST

/* The piece of doc/formats.md from `start` to the end of its block. */
static char *documented(const char *start)
{
  char path[600], *text = NULL;
  size_t len;
  struct hs_error err;
  const char *root = getenv("srcdir");
  snprintf(path, sizeof path, "%s/doc/formats.md", root ? root : ".");
  hs_test_accepted(hs_file_read(path, &text, &len, &err), &err);
  char *from = strstr(text, start), *to = from ? strstr(from, "```") : NULL;
  ck_assert_msg(to != NULL, "%s is not in doc/formats.md", start);
  *to = 0;
  memmove(text, from, strlen(from) + 1);
  return text;
}

START_TEST(examples_of_the_documentation)
{
  struct hs_scenario s;
  struct hs_error err;
  char *scenario = documented("{\n  \"format\": \"hetsim-scenario/1\""), *processes = documented("time_s,process"), *own = documented(ROW ",nice");
  char *alone = hs_test_replace(scenario, "\"processes_csv\": \"evening.csv\",", "");
  hs_test_accepted(parse(&s, &scenario_soc, alone, &err), &err);
  ck_assert_int_eq(s.n_processes, 2);
  hs_test_accepted(hs_competing_parse(&s, "evening.csv", processes, strlen(processes), &scenario_soc, &err), &err);
  ck_assert_int_eq(s.n_processes, 4);
  hs_test_accepted(hs_competing_parse(&s, "evening.csv", own, strlen(own), &scenario_soc, &err), &err);
  ck_assert_int_eq(s.n_processes, 5);
  hs_scenario_free(&s);
  free(own);
  free(alone);
  free(scenario);
  free(processes);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, table_is_valid);
  tcase_add_test(t, table_lines);
  tcase_add_loop_test(t, table_refused, 0, sizeof table_cases / sizeof *table_cases);
  tcase_add_test(t, table_with_own_columns);
  tcase_add_test(t, kernels_have_arrivals);
  tcase_add_loop_test(t, own_columns_refused, 0, sizeof own_cases / sizeof *own_cases);
  tcase_add_test(t, table_says_what_the_file_says);
  tcase_add_test(t, table_of_nothing);
  tcase_add_test(t, table_too_many);
  tcase_add_test(t, table_of_a_scenario);
  tcase_add_test(t, examples_of_the_documentation);
}

int main(void) { return hs_test_main("scenario_table", fill); }
