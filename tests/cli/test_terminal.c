/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
/* Long runs in front of a person: progress on a terminal and nowhere else, and Ctrl-C. Runs the real program. */
#include "tests/unit/suite.h"

#include <cjson/cJSON.h>
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NEVER_MS = 120000 };

struct started {
  pid_t pid;
  int out, err; /* what we read */
};

/* A child that is the program, in a group of its own, as a shell's job; it reports to err, or to ours where that is -1. */
static pid_t launch(char *const arguments[], int out, int err)
{
  const char *program = getenv("HETSIM");
  pid_t pid = fork();
  ck_assert(pid >= 0);
  if (pid > 0) return pid;
  setpgid(0, 0);
  dup2(out, STDOUT_FILENO);
  if (err >= 0) dup2(err, STDERR_FILENO);
  signal(SIGINT, SIG_DFL);
  execv(program ? program : "./hetsim", arguments);
  _exit(127);
}

/* A run of a day, which takes minutes. */
static struct started start(bool terminal, char *policy)
{
  struct started s;
  int out[2], err[2];
  ck_assert_int_eq(pipe(out), 0);
  ck_assert_int_eq(terminal ? openpty(&err[0], &err[1], NULL, NULL, NULL) : pipe(err), 0);
  s.pid = launch((char *[]){"hetsim", "--soc", "sd855", "--policy", policy, "squeezenet@poisson:30fps", "mobilenet_v1,priority=1", "--duration=86400",
                            "--format=json", "--check", NULL}, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  s.out = out[0];
  s.err = err[0];
  return s;
}

/* Reads until the text has as many lines, or its end. */
static void read_lines(int fd, int lines, struct hs_text *t)
{
  char buf[4096];
  for (int n = 0; n < lines;) {
    struct pollfd p = {fd, POLLIN, 0};
    ck_assert_int_eq(poll(&p, 1, NEVER_MS), 1);
    ssize_t got = read(fd, buf, sizeof buf - 1);
    if (got <= 0) return; /* a terminal that nobody has open any more is an error, not an end */
    buf[got] = 0;
    hs_text_add(t, buf);
    for (const char *c = buf; (c = strchr(c, '\n')); c++) n++;
  }
}

/* The result is whole and says that it was stopped; then *err is what else was told. A result is longer than a pipe holds, and is read first. */
static void check_result(struct started *s, double at_least_s, struct hs_text *err)
{
  struct hs_text out = {0};
  int status = -1;
  read_lines(s->out, 1 << 30, &out);
  read_lines(s->err, 1 << 30, err);
  ck_assert_int_eq(waitpid(s->pid, &status, 0), s->pid);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
  cJSON *json = cJSON_ParseWithOpts(out.s, NULL, 1);
  ck_assert_msg(json != NULL, "not JSON: %s", out.s);
  double run_s = cJSON_GetObjectItem(json, "run_s")->valuedouble;
  ck_assert_double_ge(run_s, at_least_s);
  ck_assert_double_lt(run_s, 86400);
  ck_assert_int_gt(cJSON_GetArraySize(cJSON_GetObjectItem(json, "latencies_s")), 0);
  ck_assert(cJSON_IsTrue(cJSON_GetObjectItem(json, "stopped")));
  ck_assert_str_eq(cJSON_GetObjectItem(json, "stop_reason")->valuestring, "interrupted");
  cJSON_Delete(json);
  hs_text_free(&out);
  close(s->out);
  close(s->err);
}

/* "hetsim: 57.3 s simulated, 1985 inferences", about once a second. */
START_TEST(terminal)
{
  struct started s = start(true, _i ? "band-heft" : "gpu");
  struct hs_text err = {0};
  struct timespec from, to;
  double seen_s = 0;
  int inferences = 0;
  char unit[3];
  clock_gettime(CLOCK_MONOTONIC, &from);
  read_lines(s.err, 2, &err);
  clock_gettime(CLOCK_MONOTONIC, &to);
  kill(s.pid, SIGINT);
  ck_assert_double_ge((double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec), 2);
  ck_assert_msg(sscanf(err.s, "hetsim: %lf %2s simulated, %d inferences", &seen_s, unit, &inferences) == 3 && inferences > 0, "%s", err.s);
  check_result(&s, strcmp(unit, "ms") == 0 ? seen_s * 0.9e-3 : seen_s * 0.9, &err);
  hs_text_free(&err);
}
END_TEST

START_TEST(no_terminal)
{
  struct started s = start(false, "gpu");
  struct hs_text err = {0};
  sleep(3);
  kill(s.pid, SIGINT);
  check_result(&s, 0, &err);
  ck_assert_msg(!err.s || strstr(err.s, "ASan"), "%s", err.s);
  hs_text_free(&err);
}
END_TEST

/* On one processor, so that the first policy runs and the second hasn't begun. */
static struct started start_comparison(void)
{
  struct started s = {.err = -1};
  int out[2];
  cpu_set_t all, one;
  ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
  one = all;
  for (int i = CPU_SETSIZE - 1; i >= 0 && CPU_COUNT(&one) > 1; i--) CPU_CLR(i, &one);
  ck_assert_int_eq(pipe(out), 0);
  ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0); /* the child inherits it */
  s.pid = launch((char *[]){"hetsim", "compare", "--soc", "sd855", "--policies=gpu,cpu", "squeezenet", "--duration=86400", "--format=json", NULL}, out[1], -1);
  sched_setaffinity(0, sizeof all, &all);
  close(out[1]);
  s.out = out[0];
  return s;
}

/* Ctrl-C comes to all of a group, so to the child that simulates, too. */
START_TEST(comparison)
{
  struct started s = start_comparison();
  struct hs_text out = {0};
  int status = -1;
  sleep(4);
  kill(-s.pid, SIGINT);
  read_lines(s.out, 1 << 30, &out);
  ck_assert_int_eq(waitpid(s.pid, &status, 0), s.pid);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
  cJSON *json = cJSON_ParseWithOpts(out.s, NULL, 1), *first = cJSON_GetArrayItem(json, 0), *second = cJSON_GetArrayItem(json, 1);
  ck_assert_int_eq(cJSON_GetArraySize(json), 2);
  ck_assert(cJSON_IsTrue(cJSON_GetObjectItem(first, "stopped")));
  ck_assert_str_eq(cJSON_GetObjectItem(first, "stop_reason")->valuestring, "interrupted");
  double run_s = cJSON_GetObjectItem(first, "run_s")->valuedouble;
  ck_assert(run_s > 0 && run_s < 86400);
  ck_assert_str_eq(cJSON_GetObjectItem(second, "error")->valuestring, "interrupted");
  cJSON_Delete(json);
  hs_text_free(&out);
  close(s.out);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, comparison);
  tcase_add_loop_test(t, terminal, 0, 2);
  tcase_add_test(t, no_terminal);
}

int main(void) { return hs_test_main("terminal", fill); }
