/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/report.h"

/* One process (the SoC), one thread per processor, named by metadata events. */
void hs_trace_begin(FILE *f, const struct hs_system *sys)
{
  fprintf(f, "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n{\"ph\": \"M\", \"pid\": 1, \"name\": \"process_name\", \"args\": {\"name\": \"%s\"}}",
          sys->soc->name);
  for (int p = 0; p < sys->soc->n_processors; p++) {
    fprintf(f, ",\n{\"ph\": \"M\", \"pid\": 1, \"tid\": %d, \"name\": \"thread_name\", \"args\": {\"name\": \"%s\"}}", p + 1,
            sys->soc->processors[p].name);
    fprintf(f, ",\n{\"ph\": \"M\", \"pid\": 1, \"tid\": %d, \"name\": \"thread_sort_index\", \"args\": {\"sort_index\": %d}}", p + 1, p);
  }
}

static void power(FILE *f, const struct hs_system *sys, const struct hs_task *t, double at_s, double watts)
{
  fprintf(f, ",\n{\"ph\": \"C\", \"pid\": 1, \"name\": \"power of %s (W)\", \"ts\": %.6f, \"args\": {\"W\": %.6g}}",
          sys->soc->processors[t->processor].name, at_s * 1e6, watts);
}

void hs_trace_event(FILE *f, const struct hs_system *sys, const struct hs_event *e)
{
  const struct hs_task *t = &e->program->tasks[e->task];
  double seconds = e->end_s - e->start_s;
  char label[140];
  struct hs_text name = {0};
  hs_text_string(&name, hs_task_label(e->program, e->task, label, sizeof label));
  fprintf(f, ",\n{\"ph\": \"X\", \"pid\": 1, \"tid\": %d, \"name\": %s, \"cat\": \"%s\", \"ts\": %.6f, \"dur\": %.6f, \"args\": "
             "{\"inference\": %d, \"operator\": \"%s\", \"dram_bytes\": %.0f, \"moved_bytes\": %.0f}}",
          t->processor + 1, name.s, hs_task_kind_names[t->kind], e->start_s * 1e6, seconds * 1e6, e->request,
          e->program->graph->ops[t->op].name, e->bytes, t->moved_bytes);
  hs_text_free(&name);
  if (t->delay_s > 0 || seconds <= 0) return;
  power(f, sys, t, e->start_s, e->energy_j / seconds); /* mean, as clocks and shares may change under way */
  power(f, sys, t, e->end_s, 0);
}

void hs_trace_end(FILE *f) { fprintf(f, "\n]}\n"); }
