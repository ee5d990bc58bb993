/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the host does for accelerators where CPU cores are shared in slices of time: maps and launches of a GPU, and the thread that calls a DSP or NPU. */
#include "tests/model/sliced.h"

/* But what the host does for a GPU needs its core all the same: beside others on all cores, whom nobody who wakes up here takes one from, a map or a launch that
 * costs nothing waits for the end of a slice. */
START_TEST(nothing_to_do_for_a_gpu_waits_for_its_core)
{
  static const enum hs_task_kind kinds[] = {HS_TASK_LAUNCH, HS_TASK_MAP, HS_TASK_EXEC};
  struct alive x;
  open_patient(&x, SCENARIO("'processes': [" PROCESS("a", ON("cpu"), ALWAYS("4")) "]"));
  alive_add(&x, CPU, 0, 0, 0)->delay_s = 1 * MS;
  struct hs_task *t = alive_add(&x, CPU, 0, 0, 0);
  t->kind = kinds[_i];
  t->work.cores[1] = 1;
  const struct seen *s = seen(alive_go(&x), 0, 1);
  if (t->kind == HS_TASK_EXEC)
    ALIVE("nobody waits", s->end_s, 1 * MS);
  else
    ck_assert_double_gt(s->end_s, 2 * MS);
  alive_close(&x);
}
END_TEST

/* What the host does for an accelerator, 1 ms on the big core beside somebody else's thread, goes to a mid if one is idle, and --cores has it: it takes as
 * long there, and draws 0.57 W + 0.021 W. Threads of operators have their cores, and so has all where none is idle. */
START_TEST(a_map_goes_to_an_idle_core)
{
  static const struct {
    const char *also;
    enum hs_task_kind kind;
    const char *list;       /* --cores */
    int mids, domain, core; /* mids: that the runtime uses */
  } cases[] = {
    {"", HS_TASK_MAP, NULL, 3, 0, 0},
    {"", HS_TASK_LAUNCH, NULL, 0, 0, 0},
    {"", HS_TASK_TRANSFORM, "mid:1+big:1", 1, 0, 0},
    {"", HS_TASK_EXEC, NULL, 3, 1, 0},
    {"", HS_TASK_MAP, "big:1", 0, 1, 0},
    {"," PROCESS("b", ON("cpu.mid"), ALWAYS("2")), HS_TASK_MAP, NULL, 1, 0, 2},
    {"," PROCESS("b", ON("cpu.mid"), ALWAYS("2")), HS_TASK_MAP, "mid:2+big:1", 2, 1, 0},
    {"," PROCESS("b", ON("cpu.mid"), ALWAYS("3")), HS_TASK_MAP, NULL, 3, 1, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hs_text all = {0};
    struct alive x;
    hs_text_addf(&all, SCENARIO("'processes': [%s%s]"), PROCESS("a", ON("cpu.big"), ALWAYS("1")), cases[i].also);
    open_sliced(&x, all.s);
    x.r.sys.backends[CPU].cores[0] = cases[i].mids;
    x.r.sys.backends[CPU].cores_list = cases[i].list;
    alive_add(&x, CPU, 0, 0, 0)->delay_s = 1 * MS;
    alive_add(&x, CPU, 0, 2.5e6, 0)->kind = cases[i].kind;
    const struct seen *s = seen(alive_go(&x), 0, 1);
    ck_assert_msg(s->domain == cases[i].domain, "case %zu: in domain %d", i, s->domain);
    ALIVE("the map", s->end_s - s->start_s, 1 * MS);
    ALIVE("cycles", s->cycles[s->domain], s->domain ? 2.5e6 : 1.6e6);
    ALIVE("the core that it took", x.out->busy_s[CPU][cases[i].domain][cases[i].core], s->domain ? x.out->end_s : 1 * MS);
    if (s->domain == 0) ALIVE("energy", s->energy_j, MS * (0.57 + 0.021 / (*cases[i].also ? 3 : 1)));
    hs_text_free(&all);
    alive_close(&x);
  }
}
END_TEST

/* The other way: from the first mid, beside threads on all three, to the big core, at its clock and for its power: 2.39 W + 0.037 W. */
START_TEST(a_map_goes_to_the_big_core)
{
  struct alive x;
  open_sliced(&x, SCENARIO("'processes': [" PROCESS("a", ON("cpu.mid"), ALWAYS("3")) "]"));
  alive_add(&x, CPU, 0, 0, 0)->delay_s = 1 * MS;
  struct hs_task *map = alive_add(&x, CPU, 1.6e6, 0, 0);
  map->kind = HS_TASK_MAP;
  map->work.cores[0] = 1;
  const struct seen *s = seen(alive_go(&x), 0, 1);
  ck_assert_int_eq(s->domain, 1);
  ALIVE("the map", s->end_s - s->start_s, 1 * MS);
  ALIVE("energy", s->energy_j, MS * (2.39 + 0.037));
  alive_close(&x);
}
END_TEST

/* Threads of its own pool that wait for the next operator aren't idle cores: Linux sees them at work. */
START_TEST(a_map_stays_beside_threads_that_wait)
{
  struct alive x;
  open_sliced(&x, SCENARIO("'processes': [" PROCESS("a", ON("cpu.big"), ALWAYS("1")) "]"));
  alive_add(&x, CPU, 0, 0, 0)->delay_s = 1 * MS;
  alive_add(&x, CPU, 1.6e5, 2.5e5, 0);
  alive_add(&x, CPU, 0, 2.5e5, 0)->kind = HS_TASK_MAP;
  ck_assert_int_eq(seen(alive_go(&x), 0, 2)->domain, 1);
  alive_close(&x);
}
END_TEST

/* A map that went elsewhere leaves nothing behind: frames of 5 ms, at 0 and 20 ms, both wake up on the big core, which is the largest idle one. */
START_TEST(a_map_that_moved_is_gone)
{
  struct alive x;
  open_sliced(&x, SCENARIO("'ui': {'rate_hz': 50, 'cpu_s': 0.005, 'gpu_s': 0.001}"));
  alive_add(&x, CPU, 0, 0, 0)->delay_s = 1 * MS;
  alive_add(&x, CPU, 0, 2.5e6, 0)->kind = HS_TASK_MAP;
  x.until_s = 30 * MS;
  const struct alive_run *run = alive_go(&x);
  ck_assert_int_eq(seen(run, 0, 1)->domain, 0);
  ALIVE("both frames", run->busy_s[CPU][1][0], 2 * 5 * MS);
  ALIVE("the map", run->busy_s[CPU][0][0], 1 * MS);
  alive_close(&x);
}
END_TEST

#define BIT(processor, domain) (1u << ((processor) * HS_DOMAINS_MAX + (domain)))

/* A call of the DSP that takes its thread 4 ms, which kernels follow that take 2 ms. */
static void add_call(struct alive *x)
{
  struct hs_task *call = alive_add(x, DSP, 0, 0, 0);
  call->kind = HS_TASK_RPC;
  call->delay_s = 4 * MS;
  alive_add(x, DSP, 2.2e6, 0, 0);
}

/* The calling thread takes a core for that time, at its power: mid 0.57 W + 0.021 W, big 2.39 W + 0.037 W; the DSP none. With nowhere to run, as without
 * slices, it takes nobody's. */
START_TEST(a_call_takes_a_core)
{
  static const struct {
    unsigned clusters;
    int processor, domain;
    double watts, hz;
  } where[] = {{BIT(CPU, 0), CPU, 0, 0.591, 1.6e9}, {BIT(CPU, 1), CPU, 1, 2.427, 2.5e9}, {BIT(LITTLE, 0), LITTLE, 0, 0.221, 1.7e9},
               {BIT(CPU, 0) | BIT(CPU, 1), CPU, 0, 0.591, 1.6e9}, {0, CPU, 0, 0, 0}};
  for (size_t i = 0; i < sizeof where / sizeof *where; i++) {
    struct alive x;
    open_sliced(&x, NULL);
    x.r.sys.rpc_clusters = where[i].clusters;
    add_call(&x);
    const struct alive_run *run = alive_go(&x);
    ALIVE("both", run->done_s[0], 6 * MS);
    ALIVE("its core", run->busy_s[where[i].processor][where[i].domain][0], where[i].clusters ? 4 * MS : 0);
    ALIVE("cycles of its clock", seen(run, 0, 0)->caller_cycles, 4 * MS * where[i].hz);
    ck_assert_int_eq(seen(run, 0, 0)->caller_domain, where[i].domain);
    ALIVE("energy of that CPU", run->energy_j[where[i].processor], 4 * MS * where[i].watts);
    ALIVE("all of it the call's", seen(run, 0, 0)->caller_energy_j, 4 * MS * where[i].watts);
    ALIVE("energy of the DSP", run->energy_j[DSP], 2 * MS * 0.86);
    alive_close(&x);
  }
}
END_TEST

/* Of the three mids the first has a thread of somebody's: it takes the second. */
START_TEST(a_call_takes_an_idle_core)
{
  struct alive x;
  open_sliced(&x, SCENARIO("'processes': [" PROCESS("a", ON("cpu.mid"), ALWAYS("1")) "]"));
  x.r.sys.rpc_clusters = BIT(CPU, 0);
  add_call(&x);
  const struct alive_run *run = alive_go(&x);
  ALIVE("both", run->done_s[0], 6 * MS);
  ALIVE("its core", run->busy_s[CPU][0][1], 4 * MS);
  alive_close(&x);
}
END_TEST

/* On the big core at its lowest OPP, 0.8 instead of 2.5 GHz; and where ondemand has 2.5 GHz from 10 ms on and 1.5 from 20, in the middle of the
 * fourth call. */
START_TEST(a_call_takes_as_long_at_any_clock)
{
  static const double clocks[2][5] = {{0.8e9, 0.8e9, 0.8e9, 0.8e9, 0.8e9}, {0.8e9, 0.8e9, 2.5e9, 2e9, 1.5e9}};
  struct alive x;
  open_sliced(&x, _i ? SCENARIO("'governors': {'cpu.big': 'ondemand'}") : NULL);
  x.r.sys.rpc_clusters = BIT(CPU, 1);
  x.r.sys.backends[CPU].opp[1] = 0;
  for (int i = 0; i < 5; i++) add_call(&x);
  const struct alive_run *run = alive_go(&x);
  ALIVE("calls and kernels", run->done_s[0], 5 * 6 * MS);
  for (int i = 0; i < 5; i++) ALIVE("cycles of a call", seen(run, 0, 2 * i)->caller_cycles, 4 * MS * clocks[_i][i]);
  alive_close(&x);
}
END_TEST

/* 4 ms of a call and 3 ms of an operator, from the start: on one core they take 7 ms, one after the other; where another core of the clusters
 * is free, or is another's, 4. While a call of a request is on another core of its CPU, half of the time there is the operator's: 1.5 of 3 ms. */
START_TEST(a_call_competes_where_it_is_placed)
{
  static const struct {
    unsigned clusters;
    double operator_ms, call_ms; /* ends, at least */
    double last_ms, share_ms; /* of the operator; 0: as the slices fall */
  } cases[] = {{BIT(CPU, 1), 3, 4, 7, 0}, {BIT(CPU, 0) | BIT(CPU, 1), 3, 4, 4, 1.5}, {BIT(LITTLE, 0), 3, 4, 4, 3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct alive x;
    open_sliced(&x, NULL);
    x.r.sys.rpc_clusters = cases[i].clusters;
    add_call(&x);
    alive_add(&x, CPU, 0, 7.5e6, 0)->n_deps = 0; /* waits for nothing */
    x.inference.n_deps--;
    const struct alive_run *run = alive_go(&x);
    double call = seen(run, 0, 0)->end_s, op = seen(run, 0, 2)->end_s;
    ck_assert_double_ge(call, cases[i].call_ms * MS - 1e-12);
    ck_assert_double_ge(op, cases[i].operator_ms * MS - 1e-12);
    if (cases[i].share_ms > 0) ck_assert_double_eq_tol(seen(run, 0, 2)->share_s, cases[i].share_ms * MS, 2e-6);
    ck_assert_double_eq_tol(fmax(call, op), cases[i].last_ms * MS, 2e-6); /* a thread lingers for a moment before it sleeps */
    alive_close(&x);
  }
}
END_TEST

/* Somebody always wants its core: a thread that slept goes first when it wakes up, but not for ever. */
START_TEST(a_call_waits_for_its_core)
{
  struct alive x;
  open_sliced(&x, SCENARIO("'processes': [" PROCESS("a", ON("cpu.big"), ALWAYS("1")) "," PROCESS("b", ON("cpu.big"), ALWAYS("1")) "]"));
  x.r.sys.rpc_clusters = BIT(CPU, 1);
  for (int i = 0; i < 30; i++) add_call(&x);
  const struct alive_run *run = alive_go(&x);
  ck_assert_double_gt(run->done_s[0], 1.5 * 30 * 6 * MS);
  ck_assert_double_lt(run->done_s[0], 30 * (3 * 4 + 2 + 2 * 5) * MS);
  alive_close(&x);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, a_map_goes_to_an_idle_core);
  tcase_add_test(t, a_map_goes_to_the_big_core);
  tcase_add_test(t, a_map_stays_beside_threads_that_wait);
  tcase_add_test(t, a_map_that_moved_is_gone);
  tcase_add_test(t, a_call_takes_a_core);
  tcase_add_test(t, a_call_takes_an_idle_core);
  tcase_add_loop_test(t, a_call_takes_as_long_at_any_clock, 0, 2);
  tcase_add_test(t, a_call_competes_where_it_is_placed);
  tcase_add_test(t, a_call_waits_for_its_core);
  tcase_add_loop_test(t, nothing_to_do_for_a_gpu_waits_for_its_core, 0, 3);
}

int main(void) { return hs_test_main("host calls", fill); }
