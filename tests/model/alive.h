/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hand-made inference on the phone of rig.h while a scenario goes on, or while the test itself changes the device: runs
 * hs_engine_run() with hs_living_turn() in a child, and keeps every task that ran, those of processes and display included. */
#ifndef HS_TEST_ALIVE_H
#define HS_TEST_ALIVE_H

#include "tests/model/rig.h"

#include "base/random.h"
#include "serve/living.h"

enum { ALIVE_SEEN = 60000, ALIVE_DONE = 400, ALIVE_SAMPLES = 64 };

/* A task that ran. */
struct seen {
  int request, task, processor, domain, core; /* domain: the first that it takes cores of */
  double ready_s, start_s, end_s, share_s, energy_j, spun_j[HS_PROCESSORS_MAX], bytes, cycles[HS_DOMAINS_MAX];
  double caller_cycles, caller_energy_j; /* of a call's thread, in caller_domain of its CPU */
  int caller_domain;
};

struct alive_run {
  enum hs_status status;
  char message[1400];
  int n, n_done;
  struct seen seen[ALIVE_SEEN];
  double done_s[ALIVE_DONE], end_s; /* of inferences; of the run */
  double energy_j[HS_PROCESSORS_MAX], busy_s[HS_PROCESSORS_MAX][HS_DOMAINS_MAX][HS_CORES_MAX], total_j[HS_PROCESSORS_MAX]; /* total: as living has it */
  struct hs_frames frames;
  int n_samples;
  struct hs_sample samples[ALIVE_SAMPLES];
  double in_j, supplied_j, stored_j, lost_j;
};

/* What the test does to the engine at a time. */
struct action {
  enum { SET_OPP, SET_CAP, SET_LEAKAGE, SET_WEIGHT, SET_TRAFFIC, SUBMIT, SUBMIT_OTHER } what;
  double at_s;
  int processor, domain; /* SUBMIT: processor is the number of the rival, and of the other inference */
  double value;
  bool done;
};

struct alive {
  struct rig r;
  struct hs_scenario scenario;
  bool has_scenario;
  uint64_t seed;
  int inferences;        /* one after the other, */
  int priority;          /* of this priority */
  const double *stretch; /* [task]: how many times as long each takes; NULL: no longer */
  double until_s;        /* INFINITY: until they and the test's rivals have ended */
  struct hs_task tasks[128], rival_tasks[4];
  int deps[128];
  struct hs_program inference, rivals[4];
  int n_actions;
  struct action actions[8];
  struct alive_run *out;
  struct hs_living *living; /* in the child, as what follows */
  bool in_flight;
  int others;
  struct hs_error err;
};

#define SCENARIO(members) "{'format': 'hetsim-scenario/1', 'name': 'n', 'title': 't', 'source': 's', " members "}"
/* A process with one phase that lasts for ever. */
#define PROCESS(name, more, phase) "{'name': '" name "', " more "'phases': [{" phase "}]}"

/* soc: RIG_PHONE, or a changed one; scenario: NULL, the test does it all; frequency: as --frequency. */
static inline void alive_open(struct alive *x, const char *soc, const char *frequency, const char *scenario)
{
  struct hs_error err;
  struct hs_settings settings = rig_settings("mace");
  *x = (struct alive){.inferences = 1, .until_s = INFINITY, .seed = 1};
  settings.frequency = frequency;
  hs_test_accepted(rig_try(&x->r, soc, NULL, RIG_MACE, &settings, &err), &err);
  x->inference = (struct hs_program){.tasks = x->tasks, .deps = x->deps};
  hs_scenario_open(&x->scenario);
  x->out = hs_test_shared(sizeof *x->out);
  if (!scenario) return;
  char *text = hs_test_json(scenario);
  hs_test_accepted(hs_scenario_parse(&x->scenario, "scenario.json", text, strlen(text), x->r.soc, &err), &err);
  x->has_scenario = true;
  free(text);
}

static inline void alive_close(struct alive *x)
{
  munmap(x->out, sizeof *x->out);
  hs_scenario_free(&x->scenario);
  rig_close(&x->r);
}

/* On all cores of the domains that have cycles: {mid, big} on the CPU; elsewhere the only domain. */
static inline struct hs_task alive_task(int p, double cycles, double big, double bytes)
{
  struct hs_task t = {.kind = HS_TASK_EXEC, .tensor = -1, .processor = p, .opp = -1, .work = {.cycles = {cycles, big}, .bytes = bytes, .power_factor = 1}};
  t.work.cores[0] = cycles > 0 ? (p == CPU ? 3 : p == LITTLE ? 4 : 1) : 0;
  t.work.cores[1] = big > 0;
  return t;
}

/* The next task of the inference, which waits for the one before. */
static inline struct hs_task *alive_add(struct alive *x, int p, double cycles, double big, double bytes)
{
  struct hs_program *prog = &x->inference;
  struct hs_task *t = &x->tasks[prog->n_tasks];
  *t = alive_task(p, cycles, big, bytes);
  t->first_dep = prog->n_deps;
  if (prog->n_tasks) x->deps[prog->n_deps++] = prog->n_tasks - 1;
  t->n_deps = prog->n_tasks > 0;
  prog->n_tasks++;
  return t;
}

static inline void alive_do(struct alive *x, int what, double at_s, int processor, int domain, double value)
{
  x->actions[x->n_actions++] = (struct action){what, at_s, processor, domain, value, false};
}

/* A task of another process, at a time; weight as the engine has it. */
static inline void alive_rival(struct alive *x, int number, double at_s, struct hs_task t, int weight)
{
  x->rival_tasks[number] = t;
  x->rival_tasks[number].weight = weight;
  x->rivals[number] = (struct hs_program){.n_tasks = 1, .tasks = &x->rival_tasks[number]};
  alive_do(x, SUBMIT, at_s, number, 0, 0);
}

enum { ALIVE_RIVAL = -1000, ALIVE_OTHER = 100000 }; /* request numbers of the test's rival 0, below those of a scenario, and of another inference */

/* Another inference beside those of the test, at a time: two tasks, one after the other. It is number 0 of the rivals. */
static inline void alive_other(struct alive *x, double at_s, struct hs_task first, struct hs_task second)
{
  static int deps[] = {0};
  x->rival_tasks[0] = first;
  x->rival_tasks[1] = second;
  x->rival_tasks[1].n_deps = 1;
  x->rivals[0] = (struct hs_program){.n_tasks = 2, .tasks = x->rival_tasks, .n_deps = 1, .deps = deps};
  alive_do(x, SUBMIT_OTHER, at_s, 0, 0, 0);
}

static inline void alive_act(struct alive *x, struct hs_engine *e, struct action *a)
{
  a->done = true;
  if (a->what == SET_OPP) hs_engine_set_opp(e, a->processor, a->domain, (int)a->value);
  if (a->what == SET_CAP) hs_engine_set_cap(e, a->processor, a->domain, (int)a->value);
  if (a->what == SET_LEAKAGE) hs_engine_set_leakage(e, a->processor, a->value);
  if (a->what == SET_WEIGHT) hs_engine_set_weight(e, (int)a->value);
  if (a->what == SET_TRAFFIC) hs_engine_set_traffic(e, a->value);
  if (a->what != SUBMIT && a->what != SUBMIT_OTHER) return;
  x->others++;
  hs_engine_submit(e, a->what == SUBMIT ? ALIVE_RIVAL - a->processor : ALIVE_OTHER + a->processor, &x->rivals[a->processor]);
}

static inline double alive_turn(void *state, struct hs_engine *e, double now_s)
{
  struct alive *x = state;
  double next = x->until_s;
  bool acted = true;
  for (int i = 0; i < x->n_actions; i++) acted &= x->actions[i].done;
  if (now_s >= x->until_s - 1e-12 || (x->until_s == INFINITY && x->out->n_done == x->inferences && x->others == 0 && acted)) return -1;
  if (x->living) next = fmin(next, hs_living_turn(x->living, e, now_s, &x->out->status, &x->err));
  for (int i = 0; i < x->n_actions; i++) {
    struct action *a = &x->actions[i];
    if (!a->done && a->at_s <= now_s + 1e-12) alive_act(x, e, a);
    if (!a->done) next = fmin(next, a->at_s);
  }
  if (!x->in_flight && x->out->n_done < x->inferences) {
    x->in_flight = true;
    hs_engine_submit_stretched(e, x->out->n_done, x->priority, &x->inference, x->stretch);
  }
  return x->out->status ? -1 : next;
}

static inline void alive_on_task(void *state, const struct hs_event *e)
{
  struct alive *x = state;
  const struct hs_task t = hs_event_task(e, x->r.soc);
  int domain = 0;
  while (domain < HS_DOMAINS_MAX - 1 && !t.work.cores[domain]) domain++;
  if (x->out->n == ALIVE_SEEN) abort();
  struct seen *s = &x->out->seen[x->out->n++];
  *s = (struct seen){.request = e->request, .task = e->task, .processor = t.processor, .domain = domain, .core = t.first_core, .ready_s = e->ready_s,
                     .start_s = e->start_s, .end_s = e->end_s, .share_s = e->share_s, .energy_j = e->energy_j, .bytes = e->bytes,
                     .caller_cycles = e->caller.cycles, .caller_energy_j = e->caller.energy_j, .caller_domain = e->caller.domain};
  memcpy(s->spun_j, e->spun_j, sizeof s->spun_j);
  memcpy(s->cycles, e->cycles, sizeof s->cycles);
}

static inline void alive_on_done(void *state, int request, double start_s, double end_s)
{
  struct alive *x = state;
  (void)start_s;
  if (request >= ALIVE_DONE && request < ALIVE_OTHER) abort();
  if (request <= ALIVE_RIVAL || request >= ALIVE_OTHER)
    x->others--;
  else if (request < 0)
    hs_living_done(x->living, request, end_s);
  else {
    x->out->done_s[x->out->n_done++] = end_s;
    x->in_flight = false;
  }
}

static inline void alive_over(void *state, struct hs_engine *e, double now_s)
{
  struct alive *x = state;
  struct alive_run *out = x->out;
  out->end_s = now_s;
  for (int p = 0; p < x->r.soc->n_processors; p++) {
    out->energy_j[p] = hs_engine_energy_j(e, p);
    for (int d = 0; d < x->r.soc->processors[p].n_domains; d++)
      for (int c = 0; c < x->r.soc->processors[p].domains[d].cores; c++) out->busy_s[p][d][c] = hs_engine_busy_s(e, p, d, c);
  }
  struct hs_error err;
  if (x->living && hs_living_end(x->living, e, now_s, &err) && !out->status) abort();
}

static inline void alive_keep(struct alive *x)
{
  struct alive_run *out = x->out;
  const struct hs_thermal_model *heat = hs_living_thermal(x->living);
  out->frames = hs_living_frames(x->living);
  const struct hs_sample *samples = hs_living_samples(x->living, &out->n_samples);
  for (int i = 0; i < out->n_samples && i < ALIVE_SAMPLES; i++) out->samples[i] = samples[i];
  for (int p = 0; p < x->r.soc->n_processors; p++) out->total_j[p] = hs_living_energy_j(x->living, p);
  if (!heat) return;
  out->in_j = heat->in_j;
  out->supplied_j = heat->supplied_j;
  out->stored_j = hs_thermal_stored_j(heat);
  out->lost_j = heat->lost_j;
}

/* Prints what SimGrid complained of: its lines begin with the time in brackets. Sanitizers, too, write there, of its stacks. */
static inline bool alive_quiet(FILE *complaints)
{
  bool quiet = true;
  char line[1000];
  rewind(complaints);
  while (fgets(line, sizeof line, complaints)) {
    if (line[0] != '[') continue;
    fputs(line, stdout);
    quiet = false;
  }
  fclose(complaints);
  return quiet;
}

/* In a child, because SimGrid allows one platform per process. Parts of the result may be looked at afterwards, until the next run. */
static inline const struct alive_run *alive_try(struct alive *x)
{
  memset(x->out, 0, sizeof *x->out);
  FILE *complaints = tmpfile();
  ck_assert(complaints);
  pid_t child = hs_test_fork();
  if (child == 0) {
    dup2(fileno(complaints), STDERR_FILENO);
    const struct hs_engine_calls calls = {.state = x, .task = alive_on_task, .done = alive_on_done, .turn = alive_turn, .over = alive_over};
    hs_program_seal(&x->inference);
    for (int i = 0; i < 4; i++)
      if (x->rivals[i].n_tasks) hs_program_seal(&x->rivals[i]);
    if (x->has_scenario) x->living = hs_living_open(&x->r.sys, &x->scenario, x->seed);
    if (hs_engine_run(&x->r.sys, &calls, &x->err)) abort();
    if (x->out->status) hs_error_message(&x->err, x->out->message, sizeof x->out->message);
    if (x->living) alive_keep(x);
    _exit(0);
  }
  ck_assert_int_eq(hs_test_wait(child), 0);
  ck_assert_msg(alive_quiet(complaints), "the engine complains");
  return x->out;
}

static inline const struct alive_run *alive_go(struct alive *x)
{
  const struct alive_run *run = alive_try(x);
  ck_assert_msg(run->status == HS_OK, "%s", run->message);
  return run;
}

/* Task `task` of a request. */
static inline const struct seen *seen(const struct alive_run *run, int request, int task)
{
  for (int i = 0; i < run->n; i++)
    if (run->seen[i].request == request && run->seen[i].task == task) return &run->seen[i];
  ck_abort_msg("task %d of request %d did not run", task, request);
  return NULL;
}

#define ALIVE(situation, is, expected) rig_derive(situation, #expected, is, expected, 1e-9)

#endif
