/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "program/child.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "program/interrupt.h"

struct running {
  int number;
  pid_t pid;
  void *shared; /* the answer */
};

static bool is_child; /* of a process that uses all processors already */

/* Nobody waits for a child whose parent was ended, and it has no files of its own to take away. */
static void end_with(pid_t parent)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1); /* which was over before */
}

static enum hs_status start(hs_child_work *work, const struct hs_child *c, struct running *r, struct hs_error *err)
{
  r->shared = mmap(NULL, c->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (r->shared == MAP_FAILED) return hs_fail(err, HS_ENGINE, "no memory to share with a child process");
  fflush(NULL);
  pid_t parent = getpid();
  r->pid = fork();
  if (r->pid == 0) {
    end_with(parent);
    is_child = true;
    work(c->state, r->shared);
    _exit(0);
  }
  if (r->pid > 0) return HS_OK;
  munmap(r->shared, c->size);
  return hs_fail(err, HS_ENGINE, "can't fork");
}

/* Until one has ended, or a signal is caught: waitpid() begins again by itself after one whose handler has SA_RESTART. */
static pid_t wait_or_interrupted(int *status)
{
  struct sigaction before, during;
  sigaction(SIGINT, NULL, &before);
  during = before;
  during.sa_flags &= ~SA_RESTART;
  sigaction(SIGINT, &during, NULL);
  pid_t pid = waitpid(-1, status, 0);
  int why = errno;
  sigaction(SIGINT, &before, NULL);
  errno = why;
  return pid;
}

/* Ctrl-C reaches all of them, but kill -INT this one alone. Once is enough, whatever other signals wake it up. */
static void pass_on(const struct running *running, int n, bool *passed)
{
  for (int i = 0; i < n && hs_interrupted && !*passed; i++) kill(running[i].pid, SIGINT);
  *passed |= hs_interrupted;
}

/* The place in `running` of one that has ended. Where nobody can be waited for (the caller of hetsim may have it so), each counts as dead. */
static int wait_for_one(const struct running *running, int n, int *status, bool *passed)
{
  for (;;) {
    pass_on(running, n, passed);
    pid_t pid = wait_or_interrupted(status);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) *status = -1;
    for (int i = 0; i < n; i++)
      if (pid < 0 || running[i].pid == pid) return i;
  }
}

static void take_answer(struct hs_child *c, const struct running *r, int status)
{
  memcpy(c->answer, r->shared, c->size);
  munmap(r->shared, c->size);
  c->died = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

static int processors(void)
{
  cpu_set_t set;
  return is_child || sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

enum hs_status hs_in_children(hs_child_work *work, int n, struct hs_child *children, bool (*ended)(void *caller, int i), void *caller, struct hs_error *err)
{
  int at_a_time = processors(), n_running = 0, next = 0, exit_status;
  struct running *running = hs_realloc(NULL, (size_t)at_a_time, sizeof *running);
  enum hs_status status = HS_OK;
  bool go_on = true, passed = false;
  for (;;) {
    for (; !status && go_on && next < n && n_running < at_a_time; next++) {
      running[n_running].number = next;
      status = start(work, &children[next], &running[n_running], err);
      n_running += !status;
    }
    if (n_running == 0) break;
    int i = wait_for_one(running, n_running, &exit_status, &passed), number = running[i].number;
    take_answer(&children[number], &running[i], exit_status);
    running[i] = running[--n_running];
    go_on &= ended ? ended(caller, number) : !children[number].died;
  }
  free(running);
  return status;
}

enum hs_status hs_child_lived(const struct hs_child *c, const char *what, struct hs_error *err)
{
  return c->died ? hs_fail(err, HS_ENGINE, "%.200s: the child process that simulates died", what) : HS_OK;
}

enum hs_status hs_in_child(hs_child_work *work, const void *state, void *answer, size_t size, const char *what, struct hs_error *err)
{
  struct hs_child c = {state, answer, size, false};
  HS_TRY(hs_in_children(work, 1, &c, NULL, NULL, err));
  return hs_child_lived(&c, what, err);
}
