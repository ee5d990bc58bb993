/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Children: as many at a time as processors, told of as they end, no more once the caller has enough; one that dies is told as dead, and
 * none outlives its parent. */
#define _GNU_SOURCE
#include "tests/unit/suite.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program/child.h"
#include "program/interrupt.h"

enum { N = 12 };

/* What all children see. */
static struct {
  atomic_int running, most, ended;
} *all;

static struct child_state {
  int number;
  double seconds; /* it takes at least */
  bool is_last, dies, exits; /* is_last: it waits for all others, but not forever */
} states[N];

static int answers[N];
static struct hs_child children[N];

static void pause_for(double seconds)
{
  struct timespec t = {0, (long)(1e9 * seconds)};
  nanosleep(&t, NULL);
}

static void work(const void *state, void *answer)
{
  const struct child_state *s = state;
  int running = atomic_fetch_add(&all->running, 1) + 1, most = atomic_load(&all->most);
  while (most < running && !atomic_compare_exchange_weak(&all->most, &most, running)) {}
  pause_for(s->seconds);
  for (int i = 0; s->is_last && i < 2000 && atomic_load(&all->ended) < N - 1; i++) pause_for(0.01);
  atomic_fetch_add(&all->ended, 1);
  atomic_fetch_sub(&all->running, 1);
  if (s->dies) raise(SIGKILL);
  *(int *)answer = 100 + s->number;
  if (s->exits) _exit(1);
}

static struct told {
  int n, numbers[N], enough; /* numbers: in order; enough: of how many */
} told;

static bool ended(void *caller, int i)
{
  struct told *t = caller;
  t->numbers[t->n++] = i;
  return t->n != t->enough;
}

static void make(int enough)
{
  told = (struct told){.enough = enough};
  for (int i = 0; i < N; i++) {
    states[i].number = i;
    children[i] = (struct hs_child){&states[i], &answers[i], sizeof answers[i], false};
  }
}

static void run(int enough)
{
  struct hs_error err;
  make(enough);
  ck_assert_int_eq(hs_in_children(work, N, children, ended, &told, &err), HS_OK);
}

static void setup(void)
{
  all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ck_assert(all != MAP_FAILED);
}

static int processors(void)
{
  cpu_set_t set;
  ck_assert_int_eq(sched_getaffinity(0, sizeof set, &set), 0);
  return CPU_COUNT(&set);
}

START_TEST(all_answer)
{
  bool seen[N] = {false};
  for (int i = 0; i < N; i++) states[i].seconds = 0.02;
  run(N + 1);
  ck_assert_int_eq(told.n, N);
  for (int i = 0; i < N; i++) {
    ck_assert_int_eq(answers[i], 100 + i);
    ck_assert(!children[i].died && !seen[told.numbers[i]]);
    seen[told.numbers[i]] = true;
  }
  ck_assert_int_le(all->most, processors());
  ck_assert_int_eq(all->running, 0);
}
END_TEST

/* The first is still at work when the others have ended: none of them waits for it. */
START_TEST(at_the_same_time)
{
  if (processors() == 1) return;
  states[0].is_last = true;
  run(N + 1);
  ck_assert_int_eq(told.numbers[N - 1], 0);
  ck_assert_int_ge(all->most, 2);
}
END_TEST

static void leave_one_processor(void)
{
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
}

START_TEST(on_one_processor)
{
  leave_one_processor();
  run(N + 1);
  ck_assert_int_eq(all->most, 1);
  for (int i = 0; i < N; i++) ck_assert_int_eq(told.numbers[i], i);
}
END_TEST

/* Those under way end; the rest doesn't begin, whatever is said of these. */
START_TEST(enough)
{
  run(2);
  ck_assert_int_ge(told.n, 2);
  ck_assert_int_le(told.n, 1 + processors());
  for (int i = 0; i < N; i++) ck_assert_int_eq(answers[i], i < told.n ? 100 + i : 0);
}
END_TEST

START_TEST(one_dies)
{
  states[3].dies = true;
  run(N + 1);
  ck_assert_int_eq(told.n, N);
  for (int i = 0; i < N; i++) {
    ck_assert_int_eq(children[i].died, i == 3);
    ck_assert_int_eq(answers[i], i == 3 ? 0 : 100 + i);
  }
}
END_TEST

/* Nobody says when it's enough: a dead one does. One by one, as others may end while it dies. */
START_TEST(one_dies_unheard)
{
  struct hs_error err;
  leave_one_processor();
  states[3].dies = true;
  make(0);
  ck_assert_int_eq(hs_in_children(work, N, children, NULL, NULL, &err), HS_OK);
  ck_assert_int_eq(all->ended, 4);
  ck_assert_int_eq(hs_child_lived(&children[2], "run 3 of 5", &err), HS_OK);
  ck_assert_int_eq(hs_child_lived(&children[3], "run 4 of 5", &err), HS_ENGINE);
  ck_assert_str_eq(hs_test_message(&err), "run 4 of 5: the child process that simulates died");
}
END_TEST

static void have_children(const void *state, void *answer)
{
  struct hs_error err;
  (void)state;
  make(0);
  for (int i = 0; i < N; i++) states[i].seconds = 0.005;
  *(int *)answer = hs_in_children(work, N, children, NULL, NULL, &err) == HS_OK && answers[N - 1] == 100 + N - 1;
}

/* A child has its own one by one. */
START_TEST(of_a_child)
{
  struct hs_error err;
  int answer = 0;
  ck_assert_int_eq(hs_in_child(have_children, NULL, &answer, sizeof answer, "it", &err), HS_OK);
  ck_assert_int_eq(answer, 1);
  ck_assert_int_eq(all->ended, N);
  ck_assert_int_eq(all->most, 1);
}
END_TEST

/* As where the memory is used up. */
START_TEST(one_exits)
{
  states[3].exits = true;
  run(N + 1);
  ck_assert_int_eq(told.n, N);
  for (int i = 0; i < N; i++) ck_assert_int_eq(children[i].died, i == 3);
}
END_TEST

/* No memory for the third's answer: the two before it end, and nobody after it begins. */
START_TEST(one_does_not_start)
{
  struct hs_error err;
  make(N + 1);
  children[2].size = SIZE_MAX / 2;
  ck_assert_int_eq(hs_in_children(work, N, children, ended, &told, &err), HS_ENGINE);
  ck_assert_str_eq(hs_test_message(&err), "no memory to share with a child process");
  ck_assert_int_eq(told.n, 2);
  ck_assert_int_eq(all->ended, 2);
  for (int i = 0; i < N; i++) ck_assert_int_eq(answers[i], i < 2 ? 100 + i : 0);
}
END_TEST

static void wake(int signal) { (void)signal; }

/* A signal with a handler interrupts the wait, and nobody is dead for that. */
START_TEST(interrupted)
{
  const struct sigaction act = {.sa_handler = wake}; /* no SA_RESTART */
  const struct itimerval often = {{0, 2000}, {0, 2000}}, off = {{0, 0}, {0, 0}};
  for (int i = 0; i < N; i++) states[i].seconds = 0.02;
  sigaction(SIGALRM, &act, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  run(N + 1);
  setitimer(ITIMER_REAL, &off, NULL);
  for (int i = 0; i < N; i++) ck_assert(!children[i].died && answers[i] == 100 + i);
}
END_TEST

/* It interrupts its parent alone, and goes on until it is interrupted itself, for 5 s at most. */
static void interrupt_parent(const void *state, void *answer)
{
  (void)state;
  pause_for(0.1);
  kill(getppid(), SIGINT);
  for (int i = 0; i < 500 && !hs_interrupted; i++) pause_for(0.01);
  *(int *)answer = hs_interrupted;
}

/* kill -INT is for the parent alone, where Ctrl-C is for all of them. */
START_TEST(parent_interrupted)
{
  struct hs_error err;
  make(N);
  signal(SIGINT, SIG_DFL); /* which a shell's background job ignores */
  hs_interrupt_catch();
  ck_assert_int_eq(hs_in_children(interrupt_parent, 2, children, NULL, NULL, &err), HS_OK);
  ck_assert_int_eq(hs_interrupted, 1);
  for (int i = 0; i < 2; i++) ck_assert_int_eq(answers[i], 1);
}
END_TEST

/* The caller of the program may have it so that ended children can't be waited for: no answer is trusted then, and nothing hangs. */
START_TEST(nobody_to_wait_for)
{
  signal(SIGCHLD, SIG_IGN);
  run(N + 1);
  ck_assert_int_eq(told.n, N);
  for (int i = 0; i < N; i++) ck_assert(children[i].died);
}
END_TEST

static int begun[2];

/* It holds the pipe's end open until it dies, for 20 s at most. */
static void stay(const void *state, void *answer)
{
  (void)state, (void)answer;
  if (write(begun[1], "x", 1) == 1)
    for (int i = 0; i < 40; i++) pause_for(0.5);
}

/* kill ends the parent alone, where Ctrl-C ends all of them. */
START_TEST(parent_ended)
{
  char c;
  struct hs_error err;
  ck_assert_int_eq(pipe(begun), 0);
  struct pollfd end = {.fd = begun[0], .events = POLLIN};
  pid_t parent = fork();
  if (parent == 0) _exit(hs_in_child(stay, NULL, answers, sizeof *answers, "it", &err) != HS_OK);
  close(begun[1]);
  ck_assert_int_eq(read(begun[0], &c, 1), 1);
  kill(parent, SIGKILL); /* SIGTERM has a handler of the test library, which ends all */
  waitpid(parent, NULL, 0);
  ck_assert_int_eq(poll(&end, 1, 10000), 1);
  ck_assert_int_eq(read(begun[0], &c, 1), 0); /* nobody has it open */
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_checked_fixture(t, setup, NULL);
  tcase_add_test(t, all_answer);
  tcase_add_test(t, at_the_same_time);
  tcase_add_test(t, on_one_processor);
  tcase_add_test(t, enough);
  tcase_add_test(t, one_dies);
  tcase_add_test(t, one_dies_unheard);
  tcase_add_test(t, of_a_child);
  tcase_add_test(t, one_exits);
  tcase_add_test(t, one_does_not_start);
  tcase_add_test(t, interrupted);
  tcase_add_test(t, parent_interrupted);
  tcase_add_test(t, nobody_to_wait_for);
  tcase_add_test(t, parent_ended);
}

int main(void) { return hs_test_main("child", fill); }
