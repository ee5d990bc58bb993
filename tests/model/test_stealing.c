/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that take what others have left (hs_work.stolen), on the phone of rig.h: mid 3 × 1.6 GHz, big 2.5 GHz; latency 10 ms, granularity 3 ms, wake-up
 * 2 ms. All of 73e6 cycles takes the four cores, at 7.3 GHz together, 10 ms. */
#include "tests/model/sliced.h"

#include "model/work.h"

#define ALL 73e6

/* `whole` cycles are dealt among the cores, after each has had `own_s` for what it can't take. */
static void add_stolen(struct alive *x, double own_s, double whole, bool steals)
{
  double taken_s = whole / 7.3e9;
  struct hs_task *t = alive_add(x, CPU, (own_s + taken_s) * 1.6e9, (own_s + taken_s) * 2.5e9, 0);
  if (steals) t->work.stolen[0] = t->work.stolen[1] = whole;
}

/* Alone, at the highest frequencies as planned, at others dealt out anew: mids begin after 1 ms (1.6/0.6 of it), the big core after 1 ms
 * (2.5/0.8). As the model estimates, as a fluid and by the clock. Whoever doesn't steal waits for the slowest. */
START_TEST(alone_at_any_frequency)
{
  static const struct {
    const char *frequency;
    double seconds, others_s;
  } cases[] = {{NULL, 11 * MS, 11 * MS},
               {"cpu.big=min", (ALL + 4.8e6 + 0.8e9 * MS * 2.5 / 0.8) / 5.6e9, 11 * MS * 2.5 / 0.8},
               {"cpu.mid=min", (ALL + 1.8e9 * MS * 1.6 / 0.6 + 2.5e6) / 4.3e9, 11 * MS * 1.6 / 0.6}};
  for (int i = 0; i < 12; i++) {
    struct alive x;
    bool steals = i % 2;
    alive_open(&x, PHONE, cases[i / 4].frequency, NULL);
    if (i / 2 % 2) x.r.sys.scheduler = &rules;
    add_stolen(&x, 1 * MS, ALL, steals);
    double expected = steals ? cases[i / 4].seconds : cases[i / 4].others_s;
    ALIVE("estimate", hs_work_seconds(&x.r.sys, CPU, -1, &x.tasks[0].work), expected);
    ALIVE("simulated", alive_go(&x)->done_s[0], expected);
    alive_close(&x);
  }
}
END_TEST

/* 1 ms is the caller's, on the big core, and 5 ms more everybody's: who waits for the caller isn't slowed by its own clock meanwhile. As
 * the model estimates, as a fluid, by the clock, and cut into threads, as another has the big core at first. */
START_TEST(waiting_for_the_caller)
{
  static const struct {
    const char *frequency;
    double equal_s, stolen_s;
  } cases[] = {{NULL, 6 * MS, 6 * MS},
               {"cpu.big=min", 6 * MS * 2.5 / 0.8, 1 * MS * 2.5 / 0.8 + 7.3e9 * 5 * MS / 5.6e9},
               {"cpu.mid=min", 1 * MS + 5 * MS * 1.6 / 0.6, 1 * MS + 7.3e9 * 5 * MS / 4.3e9}};
  for (int i = 0; i < 18; i++) {
    struct alive x;
    bool steals = i % 2, cut = i / 2 % 3 == 2;
    double expected = steals ? cases[i / 6].stolen_s : cases[i / 6].equal_s;
    alive_open(&x, PHONE, cases[i / 6].frequency, NULL);
    if (i / 2 % 3) x.r.sys.scheduler = &rules;
    add_stolen(&x, 1 * MS, 7.3e9 * 5 * MS, steals);
    x.tasks[0].work.caller = 2.5e6;
    ALIVE("estimate", hs_work_seconds(&x.r.sys, CPU, -1, &x.tasks[0].work), expected);
    if (cut) alive_rival(&x, 0, 0, alive_task(CPU, 0, 1, 0), 1024);
    ck_assert_double_eq_tol(alive_go(&x)->done_s[0], expected, cut ? 1e-8 : 1e-12);
    alive_close(&x);
  }
}
END_TEST

/* Cut, as another has the big core at first. Clocks change after 0.5 of the caller's 1 ms, which the mids wait for, whatever their own clock: from
 * 0.6 to 1.6 GHz, and all 36.5e6 cycles are dealt out from 1 ms on; or the big core's to 0.8 GHz, and the caller has 1.5625 ms more. In equal shares
 * a task is stretched as a whole: the mids have 0.3e6 of 0.6e6 + 8e6 cycles behind them then, and so of 1.6e6 + 8e6; as a fluid, too. */
START_TEST(waiting_while_clocks_change)
{
  const double ends_s[][2] = {{0.5 * MS + (1 - 0.3 / 8.6) * 9.6e6 / 1.6e9, 6 * MS}, {0.5 * MS + 13.75e6 / 0.8e9, 0.5 * MS + 1.25e6 / 0.8e9 + 36.5e6 / 5.6e9}};
  for (int i = 0; i < 6; i++) {
    struct alive x;
    bool mids = i / 3 == 0, steals = i % 3 == 1, cut = i % 3 < 2;
    alive_open(&x, PHONE, mids ? "cpu.mid=min" : NULL, NULL);
    if (cut) x.r.sys.scheduler = &rules;
    add_stolen(&x, 1 * MS, 7.3e9 * 5 * MS, steals);
    x.tasks[0].work.caller = 2.5e6;
    if (cut) alive_rival(&x, 0, 0, alive_task(CPU, 0, 1, 0), 1024);
    alive_do(&x, SET_OPP, 0.5 * MS, CPU, mids ? 0 : 1, mids ? 2 : 0);
    ck_assert_double_eq_tol(alive_go(&x)->done_s[0], ends_s[i / 3][steals], 1e-8);
    alive_close(&x);
  }
}
END_TEST

/* A core that is too slow to begin before the others are done takes nothing, but is waited for: 4 ms of its own are 12.5 ms at 0.8 GHz, where the mids
 * have done all at 4 ms + 73e5 / 4.8e9. */
START_TEST(too_slow_to_take_part)
{
  struct alive x;
  alive_open(&x, PHONE, "cpu.big=min", NULL);
  add_stolen(&x, 4 * MS, ALL / 10, true);
  ALIVE("estimate", hs_work_seconds(&x.r.sys, CPU, -1, &x.tasks[0].work), 4 * MS * 2.5 / 0.8);
  const struct hs_taker takers[] = {{4 * MS, 4.8e9 / ALL}, {12.5 * MS, 0.8e9 / ALL}};
  ALIVE("the others' end", hs_takers_end_s(takers, 2, 0.1), 4 * MS + ALL / 10 / 4.8e9);
  alive_close(&x);
}
END_TEST

/* The big core slows down to 0.8 GHz after 4 ms: 6/10 are left for 5.6 GHz. Cut, because another had its core for 1 ms before,
 * 2.5e6 more are left. */
START_TEST(frequency_changes_in_the_middle)
{
  for (int cut = 0; cut < 2; cut++) {
    struct alive x;
    open_sliced(&x, NULL);
    add_stolen(&x, 0, ALL, true);
    if (cut) alive_rival(&x, 0, 2 * MS, alive_task(CPU, 0, 2.5e6, 0), 1024);
    alive_do(&x, SET_OPP, 4 * MS, CPU, 1, 0);
    double away_s = cut ? 1 * MS : 0;
    ALIVE("end", alive_go(&x)->done_s[0], 4 * MS + (ALL - 7.3e9 * 4 * MS + 2.5e9 * away_s) / 5.6e9);
    alive_close(&x);
  }
}
END_TEST

/* Another wants the big core for 1 ms after 4 ms: meanwhile the mids go on, and all end together. Else the big core's part ends so much later. */
START_TEST(others_go_on)
{
  for (int steals = 0; steals < 2; steals++) {
    struct alive x;
    open_sliced(&x, NULL);
    add_stolen(&x, 0, ALL, steals);
    alive_rival(&x, 0, 4 * MS, alive_task(CPU, 0, 2.5e6, 0), 1024);
    ALIVE("end", alive_go(&x)->done_s[0], steals ? (ALL + 2.5e9 * MS) / 7.3e9 : 11 * MS);
    alive_close(&x);
  }
}
END_TEST

/* In eight pieces each thread has two, 73e6 / 4 cycles, which take a mid 11.40625 ms; so long all four are busy. Nobody takes what another has begun or
 * reserved: of 2 ms in which somebody else has the big core nearly all are lost. In 64 pieces it has its last 1/32 of all to itself, and the mids take of what
 * is before. */
START_TEST(what_is_reserved_isnt_taken)
{
  for (int i = 0; i < 4; i++) {
    struct alive x;
    bool many = i / 2, rival = i % 2;
    open_sliced(&x, NULL);
    add_stolen(&x, 0, ALL, true);
    struct hs_work *w = &x.tasks[0].work;
    w->pieces = many ? 64 : 8;
    double planned_s = hs_work_stolen_s(&x.r.sys.soc->processors[CPU], w);
    w->cycles[0] = planned_s * 1.6e9;
    w->cycles[1] = planned_s * 2.5e9;
    if (rival) alive_rival(&x, 0, 4 * MS, alive_task(CPU, 0, 2 * 2.5e6, 0), 1024);
    double end_s = alive_go(&x)->done_s[0];
    if (!many) ALIVE("planned", planned_s, ALL / 4 / 1.6e9);
    if (!rival)
      ALIVE("end, alone", end_s, planned_s);
    else if (many)
      ck_assert(end_s > planned_s + 2 * MS * 2.5 / 7.3 - 1e-9 && end_s < planned_s + 0.5 * 2 * MS);
    else
      ck_assert(end_s > planned_s + 0.9 * 2 * MS && end_s <= planned_s + 2 * MS + 1e-9);
    alive_close(&x);
  }
}
END_TEST

/* But where less than a twentieth is left for it, of 2.5e6 cycles a ms, nobody takes of that: after 8.4 ms of 10 it is 0.055 of all, after 8.6 ms 0.048. */
START_TEST(little_is_left_alone)
{
  for (int late = 0; late < 2; late++) {
    struct alive x;
    open_sliced(&x, NULL);
    add_stolen(&x, 0, ALL, true);
    alive_rival(&x, 0, late ? 8.6 * MS : 8.4 * MS, alive_task(CPU, 0, 5e6, 0), 1024);
    ALIVE("end", alive_go(&x)->done_s[0], late ? 12 * MS : (ALL + 2.5e9 * 2 * MS) / 7.3e9);
    alive_close(&x);
  }
}
END_TEST

/* Somebody else has a mid for 3 ms; what the test adds begins after 1 ms. */
static void open_beside_a_rival(struct alive *x)
{
  struct hs_task t = alive_task(CPU, 4.8e6, 0, 0);
  t.work.cores[0] = 1;
  open_patient(x, NULL);
  alive_rival(x, 0, 0, t, 1024);
  alive_add(x, CPU, 0, 0, 0)->delay_s = 1 * MS;
}

/* What only the thread that calls does, 1 ms on the big core, is over for one that comes 2 ms late, since somebody else had its core: it helps at once. From
 * 2 ms on two mids and the big core, 5.7 GHz, then all. */
START_TEST(who_comes_late_helps_at_once)
{
  struct alive x;
  open_beside_a_rival(&x);
  add_stolen(&x, 1 * MS, ALL, true);
  ALIVE("end", alive_go(&x)->done_s[0], 3 * MS + (ALL - 5.7e9 * MS) / 7.3e9);
  alive_close(&x);
}
END_TEST

/* So do threads that still have their cores from the operator before, beside somebody who waits for the big one: of mids at 0.6 GHz 0.4 ms at 1.6 GHz are
 * theirs, which they leave when the caller has done his; then all take of 3.65e6 cycles, 4.3 GHz together. */
START_TEST(who_goes_on_helps_at_once)
{
  struct alive x;
  alive_open(&x, PHONE, "cpu.mid=min", SCENARIO("'processes': [" PROCESS("a", ON("cpu.big"), ALWAYS("1")) "]"));
  x.r.sys.scheduler = &rules;
  for (int k = 0; k < 2; k++) add_stolen(&x, 0.4 * MS, ALL / 20, true);
  const struct alive_run *run = alive_go(&x);
  for (int k = 0; k < 2; k++) ALIVE("operator", seen(run, 0, k)->end_s - seen(run, 0, k)->start_s, 0.4 * MS + ALL / 20 / 4.3e9);
  alive_close(&x);
}
END_TEST

/* Of cores that are equally fast the first is the caller's. Somebody else has that one until 3 ms: from then on its thread does what is its own, 1 ms, and helps
 * from 4 ms on; the other mids have waited for a ms, and take what they can from 2 ms on. */
START_TEST(the_caller_is_on_the_first_of_equal_cores)
{
  const double mids = 48e6;
  struct alive x;
  open_beside_a_rival(&x);
  alive_add(&x, CPU, 1.6e9 * MS + mids / 3, 0, 0)->work.stolen[0] = mids;
  ALIVE("end", alive_go(&x)->done_s[0], 4 * MS + (mids - 2 * 1.6e9 * 2 * MS) / 4.8e9);
  alive_close(&x);
}
END_TEST

/* Somebody always wants the big core, half of which he gets. Long operators (100 ms) take as long as if it were half as fast, to within a round of slices
 * each; in equal parts they wait for it, and take twice as long. Of shorter ones (2 and 0.5 ms) each is waited for until all threads had their cores: longer
 * than that, but what the thread left that lost its core is done by then. */
START_TEST(beside_a_busy_core)
{
  static const struct {
    int n;
    double whole;
  } operators[] = {{4, 10 * ALL}, {50, ALL / 5}, {100, ALL / 20}};
  double seconds[3][2];
  for (int i = 0; i < 6; i++) {
    struct alive x;
    open_sliced(&x, SCENARIO("'processes': [" PROCESS("a", ON("cpu.big"), ALWAYS("1")) "]"));
    for (int k = 0; k < operators[i / 2].n; k++) add_stolen(&x, 0, operators[i / 2].whole, i % 2);
    seconds[i / 2][i % 2] = alive_go(&x)->done_s[0];
    alive_close(&x);
  }
  ck_assert_double_eq_tol(seconds[0][1], 4 * 10 * ALL / (4.8e9 + 1.25e9), 4 * 10 * MS);
  ck_assert_double_gt(seconds[0][0], 1.9 * 400 * MS);
  for (int i = 1; i < 3; i++) {
    ck_assert_double_gt(seconds[i][1], 1.3 * operators[i].n * operators[i].whole / (4.8e9 + 1.25e9));
    ck_assert_double_lt(seconds[i][1], (i == 1 ? 0.9 : 0.98) * seconds[i][0]);
  }
}
END_TEST

/* Bytes go with the work: ten times 180 MB over a port of 9 GB/s take 20 ms each, whoever moves them, and until the big core's thread had its core once more:
 * it is away for 6 ms at most, a slice and a fifth. */
START_TEST(bytes_go_with_the_work)
{
  struct alive x;
  open_sliced(&x, SCENARIO("'processes': [" PROCESS("a", ON("cpu.big"), ALWAYS("1")) "]"));
  for (int k = 0; k < 10; k++) {
    add_stolen(&x, 0, ALL, true);
    x.tasks[k].work.bytes = 180e6;
  }
  double seconds = alive_go(&x)->done_s[0];
  ck_assert_msg(seconds >= 10 * 20 * MS - 1e-9 && seconds < 10 * 26 * MS, "%g s", seconds);
  alive_close(&x);
}
END_TEST

/* Cut into threads by a rival of 0.1 ms and beside a GPU, where there are 7 GB/s in all, each thread gets as much as the GPU, 1.4 GB/s. The big core wants the
 * most for its part, 62 of 180 MB, which would take it 44 ms. The others have theirs after 28 and take of it, as long as a twentieth of all is left: the end is
 * between 180 MB at 5.6 GB/s and the last 9 of them at the 3.5 of one thread. */
START_TEST(who_is_done_takes_more)
{
  struct alive x;
  alive_open(&x, WITH_MEMORY("7e9"), NULL, NULL);
  x.r.sys.scheduler = &rules;
  add_stolen(&x, 0, ALL, true);
  x.tasks[0].work.bytes = 180e6;
  alive_rival(&x, 0, 0, alive_task(CPU, 0, 0.25e6, 0), 1024);
  alive_rival(&x, 1, 0, alive_task(GPU, 10, 0, 1e9), 1024);
  double seconds = alive_go(&x)->done_s[0];
  ck_assert_msg(seconds > 180e6 / 5.6e9 - 0.1 * MS && seconds < 171e6 / 5.6e9 + 9e6 / 3.5e9 + 0.2 * MS, "%g s", seconds);
  alive_close(&x);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, alone_at_any_frequency);
  tcase_add_test(t, waiting_for_the_caller);
  tcase_add_test(t, waiting_while_clocks_change);
  tcase_add_test(t, too_slow_to_take_part);
  tcase_add_test(t, frequency_changes_in_the_middle);
  tcase_add_test(t, others_go_on);
  tcase_add_test(t, what_is_reserved_isnt_taken);
  tcase_add_test(t, little_is_left_alone);
  tcase_add_test(t, who_comes_late_helps_at_once);
  tcase_add_test(t, who_goes_on_helps_at_once);
  tcase_add_test(t, the_caller_is_on_the_first_of_equal_cores);
  tcase_add_test(t, beside_a_busy_core);
  tcase_add_test(t, bytes_go_with_the_work);
  tcase_add_test(t, who_is_done_takes_more);
}

int main(void) { return hs_test_main("stealing", fill); }
