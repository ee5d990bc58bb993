/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can the checker of runs fail? A good run of one network is spoilt in one way at a time. */
#include "tests/model/spoilt.h"

/* c in parts: 12 and 10 rows on the GPU, 18 between them on the CPU, which go to the GPU, where p runs. */
static void open_cut(struct spoilt *x)
{
  place_on_gpu(x);
  x->pl->ops[0] = (struct hs_op_placement){HS_SPLIT_HEIGHT, 3, {{GPU, 0.3, -1}, {CPU, 0.45, -1}, {GPU, 0.25, 0}}, .home = GPU, .chain = -1};
  run_twice(x);
}

START_TEST(the_run_itself_is_good)
{
  struct spoilt x;
  struct hs_error err;
  open_spoilt(&x);
  hs_test_accepted(check(&x, &err), &err);
  close_spoilt(&x);
}
END_TEST

static void twice(struct spoilt *x)
{
  memmove(&x->events[2], &x->events[1], (size_t)(x->n - 1) * sizeof *x->events);
  x->n++;
}
static void backwards(struct spoilt *x) { at(x, 1, 5)->end_s = at(x, 1, 5)->start_s - 1e-6; }
static void fast(struct spoilt *x) { at(x, 1, 5)->end_s -= 1e-6 * (at(x, 1, 5)->end_s - at(x, 1, 5)->start_s); }
static void slowly(struct spoilt *x) { at(x, 1, 5)->stretch = 1.5; }
static void early(struct spoilt *x) { at(x, 0, 5)->start_s -= 1e-7; }
static void before_it_ran(struct spoilt *x) /* the transform in the list before the launch that it waits for */
{
  struct hs_event e = *at(x, 0, 3);
  int from = position(x, 0, 3), to = position(x, 0, 2);
  memmove(&x->events[to + 1], &x->events[to], (size_t)(from - to) * sizeof e);
  x->events[to] = e;
}
static void out_of_order(struct spoilt *x)
{
  struct hs_event *a = at(x, 0, 2), *b = at(x, 0, 4);
  a->task = 4;
  b->task = 2;
}
static void overlapping(struct spoilt *x) { at(x, 0, 4)->start_s -= 1e-6; }
static void where_it_must_not(struct spoilt *x)
{
  x->r.graph->ops[1].override[HS_GPU] = 0;
  x->pl->ops[1].parts[0].processor = CPU;
}
static void other_bytes(struct spoilt *x) { x->prog->tasks[11].moved_bytes *= 1.0001; }
static void twice_the_operator(struct spoilt *x) { x->prog->tasks[7].op = 0; }
static void lost(struct spoilt *x) { x->n--; }
static void lost_in_the_middle(struct spoilt *x)
{
  memmove(&x->events[11], &x->events[12], (size_t)(x->n - 12) * sizeof *x->events);
  x->n--;
}
static void too_much_memory(struct spoilt *x) { x->prog->peak_memory_bytes = 2.001e9; }
static void lost_request(struct spoilt *x) { x->n = 12; }
static void busy(struct spoilt *x) { x->metrics.all.busy_s[GPU] *= 1 + 1e-6; }
static void energy(struct spoilt *x) { x->metrics.all.energy_j[CPU] *= 1 - 1e-6; }
static void spin_for(struct spoilt *x, double part) /* of what the cores can take since the event before */
{
  struct hs_event *e = at(x, 0, 9);
  e->spun_j[CPU] = part * (e->end_s - e[-1].end_s) * (3 * 0.57 + 2.39 + 0.021 + 0.037);
}
static void spun(struct spoilt *x) { spin_for(x, 1.001); }
static void spun_before(struct spoilt *x) { at(x, 1, 0)->spun_j[CPU] = 1e-9; }
static void spun_by_the_gpu(struct spoilt *x) { at(x, 0, 9)->spun_j[GPU] = 1e-9; }
static void spun_less(struct spoilt *x) { at(x, 0, 9)->spun_j[CPU] = -1e-15; }
static void spun_uncounted(struct spoilt *x) { spin_for(x, 0.999); }
static void kind(struct spoilt *x) { x->metrics.all.kind_s[HS_TASK_SYNC] *= 1 + 1e-6; }
static void reported_end(struct spoilt *x) { x->outcomes[1].end_s *= 1 + 1e-6; }
static void reported_arrival(struct spoilt *x) { x->outcomes[1].arrival_s *= 1 + 1e-6; }
static void reported_twice(struct spoilt *x) { x->outcomes[1].request = 0; }
static void reported_late(struct spoilt *x) { x->outcomes[1].late = true; }
static void reported_dropped(struct spoilt *x) { x->outcomes[0].late = x->outcomes[0].dropped = true; }
static void later_ready(struct spoilt *x) { at(x, 0, 5)->ready_s += 1e-7; }
static void idle(struct spoilt *x) /* as it ends first of its request, the others follow it */
{
  for (int i = 0; i < x->n; i++) {
    struct hs_event *e = &x->events[i];
    bool first = e->request == 1 && e->task == 0;
    e->ready_s += e->request == 1 && !first ? 1e-6 : 0;
    e->start_s += e->request == 1 ? 1e-6 : 0;
    e->end_s += e->request == 1 ? 1e-6 : 0;
  }
}
static void share(struct spoilt *x) { at(x, 0, 5)->share_s *= 1 - 1e-6; }
static void share_of_the_host(struct spoilt *x) { scale_share(at(x, 0, 0), 1 - 1e-6); }
static void overclocked(struct spoilt *x) { at(x, 0, 5)->cycles[0] *= 1 + 1e-6; }
static void clock_of_the_caller(struct spoilt *x) { at(x, 0, 5)->caller.cycles = 1e3; }
static void share_of_the_caller(struct spoilt *x) { at(x, 0, 5)->caller.share_s = 1e-6; }
static void energy_of_the_caller(struct spoilt *x) { at(x, 0, 5)->caller.energy_j = 1e-6; }
static void mean_clock(struct spoilt *x) { x->metrics.cycles[GPU][0] *= 1 - 1e-6; }
static void n_tasks(struct spoilt *x) { x->metrics.n_tasks++; }
static void dram(struct spoilt *x) { x->metrics.all.dram_bytes *= 1 + 1e-6; }
static void dram_of_ended(struct spoilt *x) { x->metrics.ended.dram_bytes *= 1 + 1e-6; }
static void busy_of_ended(struct spoilt *x) { x->metrics.ended.busy_s[CPU] *= 1 + 1e-6; }
static void kind_of_ended(struct spoilt *x) { x->metrics.ended.kind_s[HS_TASK_SYNC] *= 1 + 1e-6; }
static void spun_of_all(struct spoilt *x) { x->metrics.all.spun_j += 1; }
static void energy_of_ended(struct spoilt *x) { x->metrics.ended.energy_j[GPU] *= 1 - 1e-6; }
static void n_late(struct spoilt *x) { x->metrics.n_late++; }
static void n_dropped(struct spoilt *x) { x->metrics.n_dropped++; }
static void of_no_plan(struct spoilt *x) { x->prog->placement = NULL; }
static void half(struct spoilt *x) { x->prog->to_op = 1; }
static void other_half(struct spoilt *x) { x->prog->from_op = 1; }
static void latency(struct spoilt *x) { x->metrics.latencies_s[1] *= 1 + 1e-6; }
static void waited(struct spoilt *x) { x->period_s = x->metrics.latencies_s[0] / 2; } /* the second came in the middle of the first */
static void latency_of_less(struct spoilt *x) { x->metrics.n_requests = 1; }
static void latency_of_more(struct spoilt *x) { hs_metrics_ended(&x->metrics, &(struct hs_outcome){.request = 99, .end_s = x->metrics.end_s}); }
static void ends_later(struct spoilt *x) { x->metrics.end_s *= 1 + 1e-6; }
static void twice_there(struct spoilt *x) /* the result's way out becomes another way in of the image */
{
  x->prog->tasks[11].tensor = x->prog->tasks[0].tensor;
  x->prog->tasks[11].from = CPU;
  x->prog->tasks[11].to = GPU;
}
static void bad_part(struct spoilt *x) { x->pl->ops[0].parts[0].processor = 9; }

static const struct {
  void (*spoil)(struct spoilt *);
  enum hs_status status;
  const char *message; /* somewhere in it */
} cases[] = {
  {twice, HS_UNMET, "ran twice"},
  {backwards, HS_UNMET, "ended before it started"},
  {fast, HS_UNMET, "was faster than alone"},
  {slowly, HS_UNMET, "was stretched, and nothing is known of its scatter"},
  {early, HS_UNMET, "started before a dependency was done"},
  {before_it_ran, HS_UNMET, "(transform image, on gpu"},
  {before_it_ran, HS_UNMET, "started before a dependency was done"},
  {out_of_order, HS_UNMET, "ran out of program order"},
  {overlapping, HS_UNMET, "overlaps another task of its queue"},
  {where_it_must_not, HS_UNMET, "ran where its mask forbids"},
  {other_bytes, HS_UNMET, "moved more bytes than its tensor has"},
  {twice_the_operator, HS_UNMET, "operator \"c\" did not run in its parts"},
  {lost, HS_UNMET, "request 1 ran 11 of 12 tasks"},
  {lost_in_the_middle, HS_UNMET, "request 0 ran 11 of 12 tasks"},
  {too_much_memory, HS_UNMET, "more memory in use than there is"},
  {lost_request, HS_UNMET, "request 1 ended after 0 operators"},
  {later_ready, HS_UNMET, "was ready at another time than what it waited for"},
  {idle, HS_UNMET, "request 1, task 0 (map image, on cpu"},
  {idle, HS_UNMET, "waited for nothing"},
  {share, HS_UNMET, "has another share of its processor than its time there"},
  {share_of_the_host, HS_UNMET, "shares of cpu are"},
  {reported_end, HS_UNMET, "request 1 ended at"},
  {reported_arrival, HS_UNMET, "request 1 came at"},
  {reported_twice, HS_UNMET, "request 0 ended twice"},
  {reported_late, HS_UNMET, "request 1 is not late"},
  {reported_dropped, HS_UNMET, "1 requests ran, and there are latencies of 2"},
  {n_tasks, HS_UNMET, "other tasks than ran"},
  {dram, HS_UNMET, "DRAM bytes are not the sum over its tasks"},
  {dram_of_ended, HS_UNMET, "DRAM bytes are not the sum over the tasks of requests that ended"},
  {energy_of_ended, HS_UNMET, "time or energy of gpu is not the sum over the tasks of requests that ended"},
  {busy_of_ended, HS_UNMET, "time or energy of cpu is not the sum over the tasks of requests that ended"},
  {kind_of_ended, HS_UNMET, "time of sync tasks is not the sum over the tasks of requests that ended"},
  {spun_of_all, HS_UNMET, "energy of what spins is not the sum over its tasks"},
  {n_late, HS_UNMET, "0 late and 0 dropped"},
  {n_dropped, HS_UNMET, "0 late and 0 dropped"},
  {of_no_plan, HS_UNMET, "of a program that is in no plan"},
  {half, HS_UNMET, "request 0 ended after 1 operators"},
  {other_half, HS_UNMET, "ran of a piece that doesn't follow the one before"},
  {busy, HS_UNMET, "time or energy of gpu is not the sum over its tasks"},
  {energy, HS_UNMET, "time or energy of cpu is not the sum over its tasks"},
  {spun, HS_UNMET, "threads that took more than their cores' power"},
  {spun_before, HS_UNMET, "threads that took more than their cores' power"},
  {spun_by_the_gpu, HS_UNMET, "threads that took more than their cores' power"},
  {spun_less, HS_UNMET, "threads that took more than their cores' power"},
  {spun_uncounted, HS_UNMET, "time or energy of cpu is not the sum over its tasks"},
  {overclocked, HS_UNMET, "ran at a frequency outside of its OPPs"},
  {clock_of_the_caller, HS_UNMET, "ran at a frequency outside of its OPPs"},
  {share_of_the_caller, HS_UNMET, "has a caller that takes more than a core"}, /* nobody calls a GPU */
  {energy_of_the_caller, HS_UNMET, "has a caller that takes more than a core"},
  {mean_clock, HS_UNMET, "frequency of gpu is not the mean over its tasks"},
  {kind, HS_UNMET, "time of sync tasks is not the sum over its tasks"},
  {latency, HS_UNMET, "not the latency of"},
  {waited, HS_UNMET, "request 1 came at"},
  {latency_of_less, HS_UNMET, "2 requests ran, and there are latencies of 1"},
  {latency_of_more, HS_UNMET, "2 requests ran, and there are latencies of 3"},
  {ends_later, HS_UNMET, "the last request ended at"},
  {twice_there, HS_UNMET, "(map): more of \"image\" came to gpu than that lacked"},
  {bad_part, HS_POLICY, "a part is on 9, which is no processor"},
};

/* The first task of its kind that moves the tensor; the nth kernel of an operator. */
static struct hs_task *mover(struct spoilt *x, enum hs_task_kind kind, const char *tensor)
{
  for (int i = 0; i < x->prog->n_tasks; i++)
    if (x->prog->tasks[i].kind == kind && strcmp(x->r.graph->tensors[x->prog->tasks[i].tensor].name, tensor) == 0) return &x->prog->tasks[i];
  return NULL;
}
static struct hs_task *part(struct spoilt *x, int op, int nth)
{
  for (int i = 0; i < x->prog->n_tasks; i++)
    if (x->prog->tasks[i].kind == HS_TASK_EXEC && x->prog->tasks[i].op == op && nth-- == 0) return &x->prog->tasks[i];
  return NULL;
}

static void nothing(struct spoilt *x) { (void)x; }
static void more_than_the_tensor(struct spoilt *x) { mover(x, HS_TASK_MAP, "c")->moved_bytes = 4 * 16000.01; }
static void more_than_lacked(struct spoilt *x) { mover(x, HS_TASK_MAP, "c")->moved_bytes *= 1.0001; }
static void more_than_lacked_converted(struct spoilt *x) { mover(x, HS_TASK_TRANSFORM, "c")->moved_bytes *= 1.0001; }
static void to_where_it_came_from(struct spoilt *x)
{
  mover(x, HS_TASK_MAP, "image")->from = GPU;
  mover(x, HS_TASK_MAP, "image")->to = CPU;
}
static void missing_part(struct spoilt *x) { part(x, 0, 1)->kind = HS_TASK_LAUNCH; }
static void part_twice(struct spoilt *x) { part(x, 0, 1)->opp = -1; } /* the first once more, and not the third */
static void part_elsewhere(struct spoilt *x) { x->pl->ops[0].parts[1].processor = LITTLE; }

/* Launches of a kernel are all there, in order. */
static void launched(struct spoilt *x, int nth, int launch, int n)
{
  part(x, 0, nth)->launch = launch;
  part(x, 0, nth)->n_launches = n;
}
static void first_of_two(struct spoilt *x) { launched(x, 0, 0, 2); }
static void last_of_two(struct spoilt *x) { launched(x, 0, 1, 2); }
static void no_last_of_two(struct spoilt *x) { launched(x, 2, 0, 2); } /* the CPU's only kernel: nothing follows that could be the other launch */
static void one_of_one(struct spoilt *x) { launched(x, 0, 0, 1); }

static const struct {
  void (*spoil)(struct spoilt *);
  const char *message; /* NULL: accepted */
} cut_cases[] = {
  {nothing, NULL},
  {more_than_the_tensor, "moved more bytes than its tensor has"},
  {more_than_lacked, "(map): more of \"c\" came to gpu than that lacked"},
  {more_than_lacked_converted, "(transform): more of \"c\" came to gpu than that lacked"},
  {to_where_it_came_from, "(map): more of \"image\" came to cpu than that lacked"},
  {missing_part, "operator \"c\" did not run in its parts"},
  {part_twice, "operator \"c\" did not run in its parts"},
  {part_elsewhere, "operator \"c\" did not run in its parts"},
  {one_of_one, NULL},
  {first_of_two, "operator \"c\" did not run in its parts"},
  {no_last_of_two, "operator \"c\" did not run in its parts"},
  {last_of_two, "operator \"c\" did not run in its parts"},
};

/* A request that had to wait has a longer latency. */
START_TEST(latency_counts_from_the_arrival)
{
  struct spoilt x;
  struct hs_error err;
  open_spoilt(&x);
  x.period_s = x.metrics.latencies_s[0] / 2;
  x.outcomes[1].arrival_s = x.period_s;
  x.metrics.latencies_s[1] *= 1.5;
  hs_test_accepted(check(&x, &err), &err);
  close_spoilt(&x);
}
END_TEST

START_TEST(a_piece_has_tasks_of_its_operators)
{
  struct spoilt x;
  struct hs_error err;
  open_spoilt(&x);
  hs_test_accepted(hs_check_program(x.prog, &err), &err);
  half(&x);
  ck_assert_int_eq(hs_check_program(x.prog, &err), HS_UNMET);
  ck_assert_str_eq(err.text, "invariant broken: task 6 (launch p, on cpu): is of an operator outside the piece");
  x.prog->to_op = 2;
  other_half(&x);
  ck_assert_int_eq(hs_check_program(x.prog, &err), HS_UNMET);
  ck_assert_str_eq(err.text, "invariant broken: task 0 (map image, on cpu): is of an operator outside the piece");
  close_spoilt(&x);
}
END_TEST

/* A kernel that is cut in several launches has them in order. */
START_TEST(launches_come_in_order)
{
  struct spoilt x;
  struct hs_error err;
  struct hs_task *launches[3];
  place_on_gpu(&x);
  x.r.sys.backends[GPU].kernel_s = 3e-6;
  x.prog = rig_lower(&x.r, x.pl);
  hs_test_accepted(hs_check_program(x.prog, &err), &err);
  for (int i = 0; i < 3; i++) launches[i] = part(&x, 0, i);
  ck_assert(launches[2] && launches[2]->launch == 2);
  launches[1]->launch = 2;
  launches[2]->launch = 1;
  ck_assert_int_eq(hs_check_program(x.prog, &err), HS_UNMET);
  ck_assert_str_eq(err.text, "invariant broken: operator \"c\" did not run in its parts");
  hs_program_free(x.prog);
  rig_close(&x.r);
}
END_TEST

START_TEST(refuses_of_cut_operators)
{
  struct spoilt x;
  struct hs_error err;
  open_cut(&x);
  cut_cases[_i].spoil(&x);
  rig_says(check(&x, &err), &err, HS_UNMET, cut_cases[_i].message);
  close_spoilt(&x);
}
END_TEST

START_TEST(refuses)
{
  struct spoilt x;
  struct hs_error err;
  open_spoilt(&x);
  cases[_i].spoil(&x);
  rig_says(check(&x, &err), &err, cases[_i].status, cases[_i].message);
  close_spoilt(&x);
}
END_TEST

START_TEST(timeline_hands_out_a_request)
{
  struct spoilt x;
  struct hs_timeline t = {0};
  open_spoilt(&x);
  for (int i = 0; i < x.n; i++) hs_timeline_add(&t, &x.events[i]);
  ck_assert_int_eq(t.n, 24);
  struct hs_timeline first = hs_timeline_take(&t, 0);
  ck_assert_int_eq(first.n, 12);
  ck_assert_int_eq(t.n, 12);
  for (int i = 0; i < 12; i++) {
    ck_assert_int_eq(first.events[i].request, 0);
    ck_assert_int_eq(t.events[i].request, 1);
  }
  hs_timeline_free(&first);
  hs_timeline_free(&t);
  ck_assert_ptr_null(t.events);
  char label[40];
  ck_assert_str_eq(hs_task_label(x.prog, 5, label, sizeof label), "c");
  ck_assert_str_eq(hs_task_label(x.prog, 3, label, sizeof label), "transform image");
  ck_assert_str_eq(hs_task_label(x.prog, 4, label, sizeof label), "launch c");
  close_spoilt(&x);
}
END_TEST

/* Kernels from 0 to 2, 2.5 to 2.8, 1 to 3 and 5 to 6 s, the third with the second in it, and a launch, which isn't asked for: in order of their ends. */
START_TEST(timeline_covers_each_moment_once)
{
  static const double spans[][2] = {{0, 2}, {2.5, 2.8}, {1, 3}, {3, 4}, {5, 6}};
  static const int tasks[] = {5, 5, 7, 4, 7};
  struct spoilt x;
  struct hs_timeline t = {0};
  open_spoilt(&x);
  for (int i = 0; i < 5; i++) {
    const struct hs_event e = {.program = x.prog, .task = tasks[i], .start_s = spans[i][0], .end_s = spans[i][1]};
    hs_timeline_add(&t, &e);
  }
  ck_assert_double_eq_tol(hs_timeline_covered(&t, 1u << HS_TASK_EXEC), 3 + 1, 1e-12);
  ck_assert_double_eq_tol(hs_timeline_covered(&t, 1u << HS_TASK_EXEC | 1u << HS_TASK_LAUNCH), 4 + 1, 1e-12);
  hs_timeline_free(&t);
  close_spoilt(&x);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, the_run_itself_is_good);
  tcase_add_loop_test(t, refuses, 0, (int)(sizeof cases / sizeof *cases));
  tcase_add_loop_test(t, refuses_of_cut_operators, 0, (int)(sizeof cut_cases / sizeof *cut_cases));
  tcase_add_test(t, a_piece_has_tasks_of_its_operators);
  tcase_add_test(t, launches_come_in_order);
  tcase_add_test(t, latency_counts_from_the_arrival);
  tcase_add_test(t, timeline_hands_out_a_request);
  tcase_add_test(t, timeline_covers_each_moment_once);
}

int main(void) { return hs_test_main("check", fill); }
