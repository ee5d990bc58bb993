/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can the checker of runs fail? A good run is spoilt in one way at a time. */
#include "tests/model/rig.h"

struct spoilt {
  struct rig r;
  struct hs_placement *pl;
  struct hs_program *prog;
  struct hs_event events[64];
  int n;
  struct hs_metrics metrics;
  double period_s;
};

static void run_twice(struct spoilt *x)
{
  x->prog = rig_lower(&x->r, x->pl);
  struct rig_run *run = rig_run(&x->r, x->pl, x->prog, 2);
  ck_assert_int_le(run->n_events, (int)(sizeof x->events / sizeof *x->events));
  x->n = run->n_events;
  memcpy(x->events, run->events, (size_t)x->n * sizeof *x->events);
  hs_metrics_start(&x->metrics, &x->r.sys);
  for (int i = 0; i < x->n; i++) hs_metrics_task(&x->metrics, &x->events[i]);
  for (int i = 0; i < 2; i++) hs_metrics_done(&x->metrics, i * run->latency_s[0], (i + 1) * run->latency_s[0]);
  rig_run_free(run);
}

/* 0 map, 1 sync, 2 launch, 3 transform (gpu), 4 launch, 5 exec c, 6 launch, 7 exec p, 8 launch, 9 transform, 10 sync, 11 map; twice */
static void open_spoilt(struct spoilt *x)
{
  *x = (struct spoilt){0};
  rig_open(&x->r, "mace");
  rig_read_network(&x->r, RIG_NET(RIG_IN("image", "1, 40, 50, 3"), "'p'", RIG_OP("c", "Conv", "'image'", ", 'channels': 8, 'kernel': [3, 3], 'pad': 'same'") ","
                                  RIG_OP("p", "MaxPool", "'c'", ", 'kernel': [2, 2], 'stride': [2, 2]")));
  x->pl = rig_place_all(&x->r, GPU);
  run_twice(x);
  ck_assert_int_eq(x->n, 24);
}

/* c in parts: 12 and 10 rows on the GPU, 18 between them on the CPU, which go to the GPU, where p runs. */
static void open_cut(struct spoilt *x)
{
  *x = (struct spoilt){0};
  rig_open(&x->r, "mace");
  rig_read_network(&x->r, RIG_NET(RIG_IN("image", "1, 40, 50, 3"), "'p'", RIG_OP("c", "Conv", "'image'", ", 'channels': 8, 'kernel': [3, 3], 'pad': 'same'") ","
                                  RIG_OP("p", "MaxPool", "'c'", ", 'kernel': [2, 2], 'stride': [2, 2]")));
  x->pl = rig_place_all(&x->r, GPU);
  x->pl->ops[0] = (struct hs_op_placement){HS_SPLIT_HEIGHT, 3, {{GPU, 0.3, -1}, {CPU, 0.45, -1}, {GPU, 0.25, 0}}, GPU, -1, false};
  run_twice(x);
}

static int position(const struct spoilt *x, int request, int task)
{
  for (int i = 0; i < x->n; i++)
    if (x->events[i].request == request && x->events[i].task == task) return i;
  return -1;
}
static struct hs_event *at(struct spoilt *x, int request, int task) { return &x->events[position(x, request, task)]; }

static enum hs_status check(struct spoilt *x, struct hs_error *err)
{
  const struct hs_timeline t = {.max_requests = -1, .n = x->n, .events = x->events};
  const struct hs_checked_run run = {&x->r.sys, x->r.graph, x->pl, &t, &x->metrics, x->period_s};
  return hs_check_run(&run, err);
}

static void close_spoilt(struct spoilt *x)
{
  struct hs_summary s;
  hs_metrics_summary(&x->metrics, &s);
  hs_metrics_free(&x->metrics);
  hs_program_free(x->prog);
  rig_close(&x->r);
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
static void busy(struct spoilt *x) { x->metrics.busy_s[GPU] *= 1 + 1e-6; }
static void energy(struct spoilt *x) { x->metrics.energy_j[CPU] *= 1 - 1e-6; }
static void kind(struct spoilt *x) { x->metrics.kind_s[HS_TASK_SYNC] *= 1 + 1e-6; }
static void busier_than_time(struct spoilt *x) { x->metrics.end_s = 0.9 * x->metrics.busy_s[GPU]; }
static void latency(struct spoilt *x) { x->metrics.latencies_s[1] *= 1 + 1e-6; }
static void waited(struct spoilt *x) { x->period_s = x->metrics.latencies_s[0] / 2; } /* the second came in the middle of the first */
static void latency_of_less(struct spoilt *x) { x->metrics.n_requests = 1; }
static void latency_of_more(struct spoilt *x) { hs_metrics_done(&x->metrics, 0, x->metrics.end_s); }
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
  {lost_request, HS_UNMET, "is not the sum over its tasks"},
  {busy, HS_UNMET, "time or energy of gpu is not the sum over its tasks"},
  {energy, HS_UNMET, "time or energy of cpu is not the sum over its tasks"},
  {kind, HS_UNMET, "time of sync tasks is not their sum"},
  {busier_than_time, HS_UNMET, "time or energy of gpu is not the sum over its tasks"},
  {latency, HS_UNMET, "not the latency of"},
  {waited, HS_UNMET, "request 1 took"},
  {latency_of_less, HS_UNMET, "2 requests ran, and there are latencies of 1"},
  {latency_of_more, HS_UNMET, "2 requests ran, and there are latencies of 3"},
  {ends_later, HS_UNMET, "the last task ended at"},
  {twice_there, HS_UNMET, "(map): more of \"image\" came to gpu than that lacked"},
  {bad_part, HS_POLICY, "a part is on no processor"},
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
};

/* A request that had to wait has a longer latency. */
START_TEST(latency_counts_from_the_arrival)
{
  struct spoilt x;
  struct hs_error err;
  open_spoilt(&x);
  x.period_s = x.metrics.latencies_s[0] / 2;
  x.metrics.latencies_s[1] *= 1.5;
  hs_test_accepted(check(&x, &err), &err);
  close_spoilt(&x);
}
END_TEST

START_TEST(refuses_of_cut_operators)
{
  struct spoilt x;
  struct hs_error err;
  open_cut(&x);
  cut_cases[_i].spoil(&x);
  enum hs_status status = check(&x, &err);
  const char *message = cut_cases[_i].message;
  ck_assert_msg(message ? status == HS_UNMET && strstr(err.text, message) : status == HS_OK, "status %d, %s", status, status ? err.text : "accepted");
  close_spoilt(&x);
}
END_TEST

START_TEST(refuses)
{
  struct spoilt x;
  struct hs_error err;
  open_spoilt(&x);
  cases[_i].spoil(&x);
  enum hs_status status = check(&x, &err);
  ck_assert_msg(status == cases[_i].status && strstr(err.text, cases[_i].message), "status %d, %s", status, status ? err.text : "accepted");
  close_spoilt(&x);
}
END_TEST

/* Keeping only some requests is a choice of the timeline, not of the run. */
START_TEST(timeline_keeps_what_it_is_told)
{
  struct spoilt x;
  open_spoilt(&x);
  for (int max = -1; max < 4; max++) {
    struct hs_timeline t = {.max_requests = max};
    for (int i = 0; i < x.n; i++) hs_timeline_add(&t, &x.events[i]);
    ck_assert_int_eq(t.n, max == 0 ? 0 : max == 1 ? 12 : 24);
    hs_timeline_free(&t);
    ck_assert_ptr_null(t.events);
  }
  char label[40];
  ck_assert_str_eq(hs_task_label(x.prog, 5, label, sizeof label), "c");
  ck_assert_str_eq(hs_task_label(x.prog, 3, label, sizeof label), "transform image");
  ck_assert_str_eq(hs_task_label(x.prog, 4, label, sizeof label), "launch c");
  close_spoilt(&x);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, the_run_itself_is_good);
  tcase_add_loop_test(t, refuses, 0, (int)(sizeof cases / sizeof *cases));
  tcase_add_loop_test(t, refuses_of_cut_operators, 0, (int)(sizeof cut_cases / sizeof *cut_cases));
  tcase_add_test(t, latency_counts_from_the_arrival);
  tcase_add_test(t, timeline_keeps_what_it_is_told);
}

int main(void) { return hs_test_main("check", fill); }
