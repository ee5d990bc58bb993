/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/report.h"

#include <math.h>
#include <stdlib.h>

static int64_t picoseconds(double s) { return llround(s * 1e12); }

/* One process (the SoC); per processor a thread for each of the tasks that it has at a time, since viewers drop events of one thread that overlap.
 * As events come in the order of their ends, of the threads that are free by then the one that was busy last takes the fewest. */
static int find_lane(const struct hs_trace *t, int p, const struct hs_event *e)
{
  int n = t->n_lanes[p], free = -1, soonest = 0;
  for (int i = 0; i < n; i++) {
    int64_t end = t->lane_end_ps[p][i];
    if (end <= picoseconds(e->start_s) && (free < 0 || end > t->lane_end_ps[p][free])) free = i;
    if (end < t->lane_end_ps[p][soonest]) soonest = i;
  }
  if (free >= 0) return free;
  return n < HS_TRACE_LANES_MAX ? n : soonest;
}

static int thread_of(int p, int lane) { return lane * HS_PROCESSORS_MAX + p + 1; }

static void begin_lane(struct hs_trace *t, int p, int lane)
{
  char number[16] = "";
  if (lane > 0) snprintf(number, sizeof number, " (%d)", lane + 1);
  fprintf(t->f, ",\n{\"ph\": \"M\", \"pid\": 1, \"tid\": %d, \"name\": \"thread_name\", \"args\": {\"name\": \"%s%s\"}}", thread_of(p, lane),
          t->sys->soc->processors[p].name, number);
  fprintf(t->f, ",\n{\"ph\": \"M\", \"pid\": 1, \"tid\": %d, \"name\": \"thread_sort_index\", \"args\": {\"sort_index\": %d}}", thread_of(p, lane),
          p * HS_TRACE_LANES_MAX + lane);
  t->n_lanes[p] = lane + 1;
}

void hs_trace_begin(struct hs_trace *t, FILE *f, const struct hs_system *sys)
{
  *t = (struct hs_trace){.f = f, .sys = sys};
  fprintf(f, "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n{\"ph\": \"M\", \"pid\": 1, \"name\": \"process_name\", \"args\": {\"name\": \"%s\"}}",
          sys->soc->name);
  for (int p = 0; p < sys->soc->n_processors; p++) begin_lane(t, p, 0);
}

/* A task draws its mean power from start to end. */
static void add_power(struct hs_trace *t, int p, const struct hs_event *e, double joules)
{
  double watts = joules / (e->end_s - e->start_s);
  if (!(joules > 0 && e->end_s > e->start_s)) return;
  for (int side = 1; side >= -1; side -= 2) {
    HS_GROW(t->steps, t->n_steps, t->cap_steps);
    t->steps[t->n_steps++] = (struct hs_trace_step){picoseconds(side > 0 ? e->start_s : e->end_s), side * watts, p, side};
  }
}

void hs_trace_event(struct hs_trace *t, const struct hs_event *e, int network, const char *label)
{
  const struct hs_task *task = &e->program->tasks[e->task];
  int p = task->processor, lane = find_lane(t, p, e);
  char buf[140];
  struct hs_text name = {0}, of = {0};
  if (lane == t->n_lanes[p]) begin_lane(t, p, lane);
  t->lane_end_ps[p][lane] = picoseconds(e->end_s);
  hs_text_string(&name, hs_task_label(e->program, e->task, buf, sizeof buf));
  hs_text_string(&of, label);
  fprintf(t->f, ",\n{\"ph\": \"X\", \"pid\": 1, \"tid\": %d, \"name\": %s, \"cat\": \"%s\", \"ts\": %.6f, \"dur\": %.6f, \"args\": "
                "{\"network\": %s, \"network_index\": %d, \"inference\": %d, \"operator\": \"%s\", \"dram_bytes\": %.0f, \"moved_bytes\": %.0f}}",
          thread_of(p, lane), name.s, hs_task_kind_names[task->kind], e->start_s * 1e6, (e->end_s - e->start_s) * 1e6, of.s, network, e->request,
          e->program->graph->ops[task->op].name, e->bytes, task->moved_bytes);
  hs_text_free(&name);
  hs_text_free(&of);
  add_power(t, p, e, e->energy_j);
  add_power(t, e->caller.processor, e, e->caller.energy_j);
}

static int in_order(const void *a, const void *b)
{
  const struct hs_trace_step *x = a, *y = b;
  if (x->at_ps != y->at_ps) return x->at_ps < y->at_ps ? -1 : 1;
  if (x->processor != y->processor) return x->processor - y->processor;
  if (x->tasks != y->tasks) return x->tasks - y->tasks;
  return (x->watts > y->watts) - (x->watts < y->watts);
}

/* What changes at one time is one value of the counter. */
static void write_power(const struct hs_trace *t)
{
  double watts[HS_PROCESSORS_MAX] = {0};
  int tasks[HS_PROCESSORS_MAX] = {0};
  for (int i = 0; i < t->n_steps; i++) {
    const struct hs_trace_step *s = &t->steps[i];
    tasks[s->processor] += s->tasks;
    watts[s->processor] = tasks[s->processor] ? watts[s->processor] + s->watts : 0;
    if (i + 1 < t->n_steps && s[1].at_ps == s->at_ps && s[1].processor == s->processor) continue;
    fprintf(t->f, ",\n{\"ph\": \"C\", \"pid\": 1, \"name\": \"power of %s (W)\", \"ts\": %.6f, \"args\": {\"W\": %.6g}}",
            t->sys->soc->processors[s->processor].name, (double)s->at_ps * 1e-6, watts[s->processor]);
  }
}

void hs_trace_end(struct hs_trace *t)
{
  if (t->n_steps) qsort(t->steps, (size_t)t->n_steps, sizeof *t->steps, in_order);
  write_power(t);
  fprintf(t->f, "\n]}\n");
  hs_trace_free(t);
}

void hs_trace_free(struct hs_trace *t)
{
  free(t->steps);
  t->steps = NULL;
  t->n_steps = t->cap_steps = 0;
}
