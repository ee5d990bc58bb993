/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A system: a SoC with a runtime on it, and everything about "how it is run" resolved to one value per processor:
 * table, precision, memory type, threads, OPP, kernel coefficients. Nothing downstream asks for a default again. */
#ifndef HS_SYSTEM_H
#define HS_SYSTEM_H

#include "input/op_support.h"
#include "input/profile.h"
#include "input/runtime.h"

enum { HS_GPU_KERNEL_MAX_S = 1, HS_GPU_WINDOW_MAX = 10000 };

/* What a user may set; unset members take the runtime's and the SoC's preference. */
struct hs_settings {
  const struct hs_runtime *runtime;
  int precision;        /* enum hs_precision, or -1 */
  int memory_type;      /* of the GPU: enum hs_memory_type, or -1 */
  int threads;          /* of each CPU processor that has so many cores, else all of its; one must. 0: the runtime's */
  const char *cores;    /* of one CPU processor instead, a thread on each: "mid:3+big:1"; or NULL */
  double gpu_kernel_s;  /* longest kernel of the GPU, in (0, HS_GPU_KERNEL_MAX_S]; longer ones are cut. 0: any */
  int gpu_window;       /* how many of its kernels the host enqueues before it waits until they are done, in [1, HS_GPU_WINDOW_MAX]. 0: any number */
  const char *frequency; /* "max", "min", or list "cpu=1.8e9,gpu=min,cpu.mid=max" (domains before processors before all); NULL is max */
};

/* How the runtime uses one processor. */
struct hs_backend {
  bool available;                      /* has the runtime code for this kind and the SoC a precision for it? */
  const struct hs_op_support *support; /* borrowed */
  enum hs_precision precision;
  enum hs_memory_type memory_type;     /* HS_BUFFER for all but the GPU */
  int threads;
  double spin_s;                       /* CPU: how long a thread of the pool waits for the next operator before it sleeps */
  int cores[HS_DOMAINS_MAX];           /* how many cores of each domain: fastest first, */
  const char *cores_list;              /* unless these were asked for */
  int opp[HS_DOMAINS_MAX];             /* the OPP it runs at unless a part says otherwise */
  double kernel_s;                     /* GPU: gpu_kernel_s */
  int window;                          /* GPU: gpu_window */
  const struct hs_kernel *kernel;
  int core_factors[HS_DOMAINS_MAX];    /* which of the kernel's the cores of each domain have, counted from 1; 0: none */
  const struct hs_kernel *image_kernel; /* of a GPU that has images: the kernel that reads those, also where it keeps buffers; or NULL */
  enum hs_basis basis;                 /* of the kernel's speed */
};

struct hs_system {
  const struct hs_soc *soc;         /* borrowed */
  const struct hs_runtime *runtime; /* borrowed */
  int host;                         /* processor that runs the host program: 0 */
  struct hs_backend backends[HS_PROCESSORS_MAX];
  const struct hs_scheduler *scheduler; /* CPU cores are shared in its slices of time; NULL: as a fluid */
  uint64_t slices_seed;             /* of the random lengths of slices */
  unsigned rpc_clusters;            /* with a scheduler: where the thread may run that calls a DSP or NPU, a set of domains (hs_soc_domain_bit) */
  unsigned clocks_asked;            /* domains whose OPP --frequency sets (hs_soc_domain_bit) */
  double traffic;                   /* factor on the DRAM traffic of kernels: 1 with the last-level cache to oneself */
  double leakage[HS_PROCESSORS_MAX]; /* factor on static power: 1 at the temperature that the SoC file's is of */
};

/* Files a system is made of, besides the SoC: filled by the catalogue, borrowed here. */
struct hs_system_files {
  const struct hs_profile *own;      /* may be NULL */
  const struct hs_profile *estimate; /* "any" */
  /* table by name; NULL with *err filled when it can't be read */
  const struct hs_op_support *(*table)(void *state, const char *name, struct hs_error *err);
  void *state;
};

/* Fills *sys, which borrows all it is made from; nothing is to be freed. HS_USAGE for a setting that this SoC or runtime doesn't have, HS_INPUT
 * where no file has a kernel for a processor, else what files->table() says. */
enum hs_status hs_system_make(struct hs_system *sys, const struct hs_soc *soc, const struct hs_settings *settings,
                              const struct hs_system_files *files, struct hs_error *err);

/* HS_USAGE: a limit of the GPU's kernels, --OPTION, that a runtime doesn't have, or with NULL, that no network's has; with those that do. */
enum hs_status hs_system_no_gpu_limits(const char *option, const struct hs_runtime *runtime, struct hs_error *err);

/* Takes a kernel, and finds what that says of the cores of p, the processor of b. */
void hs_backend_take_kernel(struct hs_backend *b, const struct hs_processor *p, const struct hs_kernel *kernel);

/* How many times as many cycles of a kind cores of domain d take as the kernel's numbers say. */
static inline double hs_backend_core_factor(const struct hs_backend *b, int d, enum hs_core_work work)
{
  return b->core_factors[d] ? b->kernel->core_factors[b->core_factors[d] - 1].times[work] : 1;
}

/* Takes one thread on each core of a list "mid:3+big:1" of domains of p, the processor of b; false, with the reason, if p hasn't these. */
bool hs_backend_take_cores(struct hs_backend *b, const struct hs_processor *p, const char *list, char *why, size_t size);

/* OPP of domain d of processor p when it runs at level `opp` (see hs_processor_opp()): -1 is the system's own. */
static inline int hs_system_opp(const struct hs_system *sys, int p, int d, int opp)
{
  return opp < 0 ? sys->backends[p].opp[d] : hs_processor_opp(&sys->soc->processors[p], d, opp);
}

/* Of so many elements of a tensor in a place (the host's memory, or an accelerator's), in its precision. */
static inline double hs_place_bytes(const struct hs_system *sys, int place, double elements)
{
  return elements * hs_precision_bytes(sys->backends[place].precision);
}

/* What the cores in use of processor p get from the memory at most, together: their lane. */
double hs_system_lane_bytes_per_s(const struct hs_system *sys, int p);

/* Refuses a processor that isn't available, to a policy: HS_USAGE where the runtime has no code for its kind, HS_INPUT with the place in
 * the SoC's file where it has, but in other precisions than the processor's; HS_USAGE also where a GPU's memory is of another type than its
 * kernels. */
enum hs_status hs_system_refuse(const struct hs_system *sys, int p, const char *policy, struct hs_error *err);

/* Why a processor isn't available. */
void hs_system_lacks(const struct hs_system *sys, int p, char *why, size_t size);

/* Operator × processor: may op run there? `why` may be NULL. */
bool hs_system_supports(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, char *why,
                        size_t size);

#endif
