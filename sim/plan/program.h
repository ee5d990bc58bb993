/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program: the tasks of one inference and what each waits for. Every processor takes its tasks in program order, one
 * at a time, like an in-order queue; a task starts when the one before it on its processor and all its dependencies are
 * done. A task is either work (cycles and bytes, which the engine may stretch) or a fixed delay. */
#ifndef HS_PROGRAM_H
#define HS_PROGRAM_H

#include "model/cost.h"

enum hs_task_kind {
  HS_TASK_EXEC,      /* a kernel */
  HS_TASK_TRANSFORM, /* layout or precision conversion */
  HS_TASK_MAP,       /* mapping or cache maintenance by the host */
  HS_TASK_SYNC,      /* completion becoming visible to the waiting side */
  HS_TASK_LAUNCH,    /* the host enqueues a kernel */
  HS_TASK_RPC,       /* a remote graph is invoked or returns */
  HS_TASK_KIND_N
};
extern const char *const hs_task_kind_names[HS_TASK_KIND_N + 1];

enum { HS_WEIGHT_MAX = 16 };

struct hs_task {
  enum hs_task_kind kind;
  int op;            /* operator it serves */
  int tensor;        /* that is moved, or -1 */
  int from, to;      /* between which places it moves (the host's is the host, an accelerator's the accelerator); else equal */
  int processor;
  int opp;           /* level, or -1: as the system is set */
  int launch, n_launches; /* of a kernel that is cut into several launches: which of how many; else 0 */
  struct hs_work work;
  bool starts;       /* of a kernel: an invocation begins with it, what that costs is in its work (hs_cost_start()) */
  bool apart;        /* of a kernel: its operator has one of its own, though joined to a neighbour's where that runs there, too; or its Pad
                      * has (hs_cost_exec_bordered()) */
  int first_core;    /* of its domains' cores the first that it takes; of an inference 0 */
  int weight;        /* beside other tasks on a core: with a scheduler CFS's (hs_cfs_weight(): 1024 at nice 0), else whole shares in
                      * [1, HS_WEIGHT_MAX]; 0: that of inferences */
  double delay_s;    /* > 0 only without work */
  bool from_deps;    /* of a delay: it counts from the end of what it waits for, however late its queue comes to it */
  double moved_bytes; /* payload of a communication task */
  int first_dep, n_deps; /* in program.deps: smaller task numbers */
};

struct hs_placement;

/* Memory that a place (the host's memory: the host; an accelerator's: the accelerator) needs for a tensor, or the part of it that
 * lies there, while operators [first_op, last_op] run. */
struct hs_buffer {
  int tensor, place;
  int first_op, last_op;
  double bytes;
};

struct hs_program {
  /* What it was lowered for and from, borrowed: `op` and `tensor` of its tasks are of this graph. */
  const struct hs_system *sys; /* NULL of other processes */
  const struct hs_graph *graph;
  const struct hs_placement *placement;
  int from_op, to_op;    /* operators [from, to) */
  int n_tasks, cap_tasks, n_deps, cap_deps;
  struct hs_task *tasks; /* in program order */
  int *deps;
  int n_ops, n_fallback;
  double peak_memory_bytes; /* weights, also those that kernels keep transformed, and live tensors */
  int n_buffers, cap_buffers;
  struct hs_buffer *buffers; /* of all tensors, in the order in which they are freed */
  /* Filled by hs_program_seal(): the queues and who waits for whom. */
  int queue_first[HS_PROCESSORS_MAX + 1], *queue;  /* tasks of processor p in program order: queue[queue_first[p] …) */
  int *readers_first, *readers;                    /* tasks that wait for task i: readers[readers_first[i] …) */
};

/* The last step of making a program; again, where its tasks have changed. */
void hs_program_seal(struct hs_program *p);

/* Refuses (HS_ENGINE) a program one of whose tasks has cycles, bytes or a delay that are no finite number of 0 or more, naming operator and processor: the
 * engine would never end it. Not of other processes' programs. */
enum hs_status hs_program_ends(const struct hs_program *p, struct hs_error *err);

void hs_program_free(struct hs_program *p);
/* Of a program that is its caller's, as its tasks are: frees what hs_program_seal() filled. */
void hs_program_unseal(struct hs_program *p);

/* Communication is what no computation needs: transform, map, sync and RPC (not launch). */
bool hs_task_is_communication(enum hs_task_kind kind);

/* An RPC on the way in: a DSP or NPU is called, and an invocation begins. */
bool hs_task_calls(const struct hs_task *t);
/* How it uses a processor; of another process that of the engine's system. */
static inline const struct hs_backend *hs_program_backend(const struct hs_program *p, const struct hs_system *engines, int processor)
{
  return &(p->sys ? p->sys : engines)->backends[processor];
}

/* How long a thread of its pool waits for the next operator before it sleeps. */
static inline double hs_program_spin_s(const struct hs_program *p, const struct hs_system *engines, int processor)
{
  return hs_program_backend(p, engines, processor)->spin_s;
}

/* Neither a call nor the program's first there: a DSP or NPU goes on with it without looking at anybody else, where it is ready when the
 * one before has ended (an invocation that has to wait for another processor is over). The program is sealed. */
bool hs_task_goes_on(const struct hs_program *p, int task);

#endif
