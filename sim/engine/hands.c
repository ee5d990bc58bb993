/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hands: actors that do threads' parts of tasks as executions of the simulator, where memory is short. They are stopped and let go on at turns. */
#include "engine/slices.h"

/* The code of a thread's hand. */
static void be_hand(void *thread)
{
  struct hs_thread *th = thread;
  struct hs_core *c = th->core;
  struct hs_queue *q = c->of->q;
  for (;;) {
    hs_semaphore_acquire(th->go);
    double cycles = th->flow.left * th->cycles;
    hs_exec_wait(hs_exec_new(1, &q->hosts[c->host], &cycles, q->port, th->flow.left * th->flow.bytes));
    hs_cores_settle(c->of);
    th->in_hand = false;
    c->n_in_hand--;
    c->of->n_simulated--;
    struct hs_worker *w = hs_thread_end_part(th);
    if (w) hs_semaphore_release(w->together);
    hs_core_ring(c);
  }
}

static void take_in_hand(struct hs_thread *th)
{
  th->in_hand = true;
  th->core->n_in_hand++;
  th->core->of->n_simulated++;
  if (!th->hand) {
    th->go = hs_semaphore_new();
    th->hand = hs_actor_start("thread", be_hand, th);
  }
  hs_semaphore_release(th->go);
}

/* A thread that is in hand stands still while others have the core. */
static void stop_or_let_go_on(struct hs_thread *th)
{
  bool stop = th != hs_core_current(th->core);
  if (!th->in_hand || stop == th->stopped) return;
  th->stopped = stop;
  if (stop)
    hs_actor_suspend(th->hand);
  else
    hs_actor_resume(th->hand);
}

void hs_core_use_hands(struct hs_core *c)
{
  for (struct hs_thread *th = c->all; th && c->n_in_hand > 0; th = th->next_of_core) stop_or_let_go_on(th);
  if (c->of->crowded && hs_core_flow(c) && hs_core_flow(c)->bytes > 0) take_in_hand(hs_core_current(c));
}
