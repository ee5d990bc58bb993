/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules of one core's run queue against sequences worked out by hand, with latency 10 ms, granularity 3 ms, wake-up 2 ms. */
#include "tests/unit/suite.h"

#include <math.h>

#include "device/cfs.h"

#define MS 1e-3
static const struct hs_scheduler rules = {10 * MS, 3 * MS, 2 * MS};

static struct hs_cfs_thread thread(double vruntime_s, double weight) { return (struct hs_cfs_thread){.vruntime_s = vruntime_s, .weight = weight}; }

/* As the kernel's table says, and between two a factor of about 1.25. */
START_TEST(weights)
{
  static const struct { int nice; double weight; } table[] = {{19, 15}, {5, 335}, {0, 1024}, {-5, 3121}, {-20, 88761}};
  for (int i = 0; i < 5; i++) ck_assert_double_eq(hs_cfs_weight(table[i].nice), table[i].weight);
  for (int nice = -19; nice <= 19; nice++) ck_assert_double_eq_tol(hs_cfs_weight(nice - 1) / hs_cfs_weight(nice), 1.25, 0.06);
}
END_TEST

/* n threads alike: 10/n ms each, and 3 from the fifth on (sched_nr_latency is 10/3, rounded up); a weight of 3 among two of 1 gets 3/5 of the 10 ms; one alone runs on. */
START_TEST(slices)
{
  struct hs_cfs q = {0};
  struct hs_cfs_thread t[5];
  static const double expected[] = {INFINITY, 5, 10. / 3, 2.5, 3};
  for (int n = 0; n < 5; n++) {
    t[n] = thread(0, 1024);
    hs_cfs_wake(&q, &rules, &t[n]);
    hs_cfs_pick(&q);
    if (n) ck_assert_near(hs_cfs_slice_s(&q, &rules), expected[n] * MS);
    else ck_assert(isinf(hs_cfs_slice_s(&q, &rules)));
  }
  q = (struct hs_cfs){0};
  for (int n = 0; n < 3; n++) {
    t[n] = thread(n ? 1 : 0, n ? 1024 : 3 * 1024);
    hs_cfs_wake(&q, &rules, &t[n]);
  }
  ck_assert_ptr_eq(hs_cfs_pick(&q), &t[0]);
  ck_assert_near(hs_cfs_slice_s(&q, &rules), 6 * MS);
}
END_TEST

/* Three alike take turns in the order in which they woke up, and all have the same after each round. */
START_TEST(turns)
{
  struct hs_cfs q = {0};
  struct hs_cfs_thread t[3];
  for (int n = 0; n < 3; n++) {
    t[n] = thread(0, 1024);
    hs_cfs_wake(&q, &rules, &t[n]);
  }
  for (int k = 0; k < 9; k++) {
    ck_assert_ptr_eq(hs_cfs_pick(&q), &t[k % 3]);
    hs_cfs_ran(&q, 3 * MS);
  }
  for (int n = 0; n < 3; n++) ck_assert_near(t[n].vruntime_s, 9 * MS);
}
END_TEST

/* Weights 2048 and 1024 over 30 ms in steps of 1 ms: the heavy one has 20 ms of them, both the same virtual time. */
START_TEST(weights_share_the_time)
{
  struct hs_cfs q = {0};
  struct hs_cfs_thread heavy = thread(0, 2048), light = thread(0, 1024);
  double had = 0;
  hs_cfs_wake(&q, &rules, &heavy);
  hs_cfs_wake(&q, &rules, &light);
  for (int k = 0; k < 30; k++) {
    had += hs_cfs_pick(&q) == &heavy ? MS : 0;
    hs_cfs_ran(&q, MS);
  }
  ck_assert_near(had, 20 * MS);
  ck_assert_near(heavy.vruntime_s, light.vruntime_s);
}
END_TEST

/* The one that runs is at 100 ms. Who slept since 0 wakes up at 100 - 5 ms, ahead by more than 2: it takes the core; who slept since
 * 99 keeps its 99 and waits; nice 19 has to be ahead by 2 ms * 1024 / 15. */
START_TEST(who_slept_goes_first)
{
  struct hs_cfs q = {0};
  struct hs_cfs_thread busy = thread(100 * MS, 1024), rested = thread(0, 1024), tired = thread(99 * MS, 1024), nice = thread(0, 15);
  hs_cfs_wake(&q, &rules, &busy);
  hs_cfs_pick(&q);
  hs_cfs_wake(&q, &rules, &tired);
  ck_assert_near(tired.vruntime_s, 99 * MS);
  ck_assert(!hs_cfs_preempts(&q, &rules, &tired));
  hs_cfs_sleep(&q, &tired);
  hs_cfs_wake(&q, &rules, &nice);
  ck_assert(!hs_cfs_preempts(&q, &rules, &nice));
  hs_cfs_sleep(&q, &nice);
  hs_cfs_wake(&q, &rules, &rested);
  ck_assert_near(rested.vruntime_s, 95 * MS);
  ck_assert(hs_cfs_preempts(&q, &rules, &rested));
  ck_assert_ptr_eq(hs_cfs_pick(&q), &rested);
  hs_cfs_sleep(&q, &rested);
  ck_assert_ptr_null(q.current);
  ck_assert_ptr_eq(hs_cfs_pick(&q), &busy);
  hs_cfs_sleep(&q, &busy);
  ck_assert_ptr_null(hs_cfs_pick(&q));
  ck_assert_int_eq(q.n, 0);
}
END_TEST

/* The queue's clock never goes back: who slept long starts 5 ms behind 100 ms, however far behind somebody else started just before. */
START_TEST(clock_of_the_queue)
{
  struct hs_cfs q = {0};
  struct hs_cfs_thread busy = thread(100 * MS, 1024), first = thread(0, 1024), second = thread(0, 1024);
  hs_cfs_wake(&q, &rules, &busy);
  hs_cfs_wake(&q, &rules, &first);
  hs_cfs_wake(&q, &rules, &second);
  ck_assert_near(first.vruntime_s, 95 * MS);
  ck_assert_near(second.vruntime_s, 95 * MS);
}
END_TEST

/* Nor does it stay behind while a thread has the core to itself: who wakes up when that one sleeps starts 5 ms behind what it ran to, and doesn't have all
 * of that time before it. */
START_TEST(clock_of_a_core_that_one_had_alone)
{
  struct hs_cfs q = {0};
  struct hs_cfs_thread alone = thread(0, 1024), other = thread(0, 1024);
  hs_cfs_wake(&q, &rules, &alone);
  hs_cfs_pick(&q);
  hs_cfs_ran(&q, 100 * MS);
  hs_cfs_sleep(&q, &alone);
  hs_cfs_wake(&q, &rules, &other);
  ck_assert_near(other.vruntime_s, 95 * MS);
  hs_cfs_wake(&q, &rules, &alone);
  ck_assert_near(alone.vruntime_s, 100 * MS);
}
END_TEST

/* At the same time it is the other's turn, and who is ahead by the granularity, not more, doesn't break in. */
START_TEST(ties)
{
  const struct hs_scheduler exact = {8, 2, 0.5};
  struct hs_cfs q = {0};
  struct hs_cfs_thread current = thread(10, 1024), as_far = thread(10, 1024), ahead = thread(9.5, 1024);
  hs_cfs_wake(&q, &exact, &current);
  ck_assert_ptr_eq(hs_cfs_pick(&q), &current);
  hs_cfs_wake(&q, &exact, &as_far);
  ck_assert(!hs_cfs_preempts(&q, &exact, &as_far));
  ck_assert_ptr_eq(hs_cfs_pick(&q), &as_far);
  hs_cfs_wake(&q, &exact, &ahead);
  ck_assert(!hs_cfs_preempts(&q, &exact, &ahead));
  ahead.vruntime_s = 9.25;
  ck_assert(hs_cfs_preempts(&q, &exact, &ahead));
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, weights);
  tcase_add_test(t, slices);
  tcase_add_test(t, turns);
  tcase_add_test(t, weights_share_the_time);
  tcase_add_test(t, who_slept_goes_first);
  tcase_add_test(t, clock_of_the_queue);
  tcase_add_test(t, clock_of_a_core_that_one_had_alone);
  tcase_add_test(t, ties);
}

int main(void) { return hs_test_main("cfs", fill); }
