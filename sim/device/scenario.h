/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scenario: what else happens on the phone while networks run. Governors, temperature, processes that compete, the cache
 * and the display; doc/formats.md describes the files. Everything is resolved against one SoC: names of processors and clusters,
 * and a processor that the SoC lacks is an error. So is whatever would have no effect. */
#ifndef HS_SCENARIO_H
#define HS_SCENARIO_H

#include "device/governor.h"
#include "device/thermal_governor.h"

enum { HS_PROCESSES_MAX = 32, HS_PHASES_MAX = 4096, HS_POINTS_MAX = 65536, HS_THREADS_MAX = 16, HS_COMPETING_MAX = 2 };

/* Load of a process in [from_s, to_s). */
struct hs_phase {
  double from_s, to_s;          /* to_s: INFINITY, until the end */
  int threads;                  /* of the CPU */
  double duty_frac;             /* of each: part of its period in which it computes, on a core at its highest OPP; (0, 1] */
  double load_frac[HS_KIND_N];  /* of GPU, DSP, NPU: the same for kernels there; 0: none */
  double dram_bytes_per_s;      /* of each thread and kernel while it computes */
  double footprint_bytes;       /* in the last-level cache */
};

struct hs_process {
  const char *name;
  double period_s;     /* of threads: one burst in each */
  double kernel_s;     /* of accelerators: one kernel, at the highest OPP */
  bool poisson;        /* bursts and kernels come at random with that mean distance, not evenly */
  int nice;            /* [-20, 19] */
  unsigned clusters;   /* domains that threads may run on (hs_soc_domain_bit) */
  int n_phases;
  struct hs_phase *phases; /* in order, not overlapping */
};

/* Who sets the OPP of a domain: kind -1 leaves it as the system is set. */
struct hs_governed {
  int kind;  /* enum hs_governor_kind */
  int level; /* of userspace: -1 stays as the system is set */
};

struct hs_scenario {
  struct hs_arena arena;
  const char *name;
  char sha256[65];     /* of the file; empty where there was none */
  int n_competing;     /* tables of processes that were read */
  struct {
    const char *name;  /* of the file, without its folder */
    char sha256[65];
  } competing[HS_COMPETING_MAX];
  bool living;         /* anything at all is asked for */
  struct hs_governed governed[HS_PROCESSORS_MAX][HS_DOMAINS_MAX];
  bool thermal;        /* temperatures are simulated, held or replayed */
  double start_c;      /* of all nodes; NaN: the SoC's ambient */
  enum hs_thermal_governor_kind thermal_governor;
  double sustainable_w; /* of power_allocator; 0: Linux's estimate */
  bool held[HS_PROCESSORS_MAX];
  double held_c[HS_PROCESSORS_MAX];
  struct hs_temperature_trace trace[HS_PROCESSORS_MAX]; /* n = 0: none */
  double fallback_frac[HS_PROCESSORS_MAX]; /* of the time of operators planned for it: they turn out to run on a CPU only */
  int fallback_to[HS_PROCESSORS_MAX];      /* on which; at first the host's, processor 0 */
  unsigned rpc_clusters; /* that the thread may run on that calls a DSP or NPU, as `clusters` of a process; 0: the efficiency cores */
  double cache_hit_frac; /* set by hand; < 0: as it comes */
  double ui_rate_hz, ui_cpu_s, ui_gpu_s; /* frames of the display and what one costs at the highest OPPs; rate 0: none */
  int n_processes;
  struct hs_process processes[HS_PROCESSES_MAX];
};

/* A scenario in which nothing happens. */
void hs_scenario_open(struct hs_scenario *s);
void hs_scenario_free(struct hs_scenario *s);

/* Adds what a file says to an opened scenario; after an error it is to be freed and not used. */
enum hs_status hs_scenario_read(struct hs_scenario *s, const char *file, const struct hs_soc *soc, struct hs_error *err);
enum hs_status hs_scenario_parse(struct hs_scenario *s, const char *file, const char *text, size_t len, const struct hs_soc *soc,
                                 struct hs_error *err);
/* The same with a table of processes (CSV): a row per process and moment. It can say all that the file can of a process. */
enum hs_status hs_competing_parse(struct hs_scenario *s, const char *file, const char *text, size_t len, const struct hs_soc *soc,
                                  struct hs_error *err);

/* Title of a file, owned by the arena; of the rest, only that it is JSON of a scenario's format. HS_IO or HS_INPUT. */
enum hs_status hs_scenario_title(const char *file, struct hs_arena *arena, const char **title, struct hs_error *err);

/* Options of the command line, as written; NULL: not given. */
struct hs_scenario_options {
  const char *file;
  const char *governor;    /* schedutil; gpu=userspace:427MHz,cpu.big=ondemand */
  const char *temperature; /* simulated; gpu=60C,cpu=70C */
  const char *competing;   /* a table of processes */
  const char *rivals;      /* cpu=2,gpu=1 */
  const char *ui;          /* 60 */
  const char *cache_hit;   /* 0.2 */
  const char *fallback;    /* gpu=0.5 */
  const char *rpc_thread;  /* cpu, or cpu.mid */
};

/* The file first, then the other options on top of it; errors name the option. */
enum hs_status hs_scenario_make(struct hs_scenario *s, const struct hs_scenario_options *o, const struct hs_soc *soc, struct hs_error *err);

/* Where the thread may run that calls a DSP or NPU: as it was set, or on the first cluster of the last CPU. NN-Stretch (Sec. 5) keeps its thread
 * there, and Linux puts threads there that sleep most of the time. */
unsigned hs_scenario_rpc_clusters(const struct hs_scenario *s, const struct hs_soc *soc);

/* Does a process compute on the CPU's cores, ever? */
bool hs_scenario_takes_cores(const struct hs_scenario *s);

/* Does a governor that samples set a clock? It finds the phone idle, and so begins with the lowest OPP. */
bool hs_scenario_begins_slow(const struct hs_scenario *s, const struct hs_soc *soc);

/* Highest level of each processor once thermal governors have settled on temperatures that are held, or with which a trace begins, as a
 * profiler finds it that loads one processor at a time (power_allocator grants by load), and the factor on its static power; without
 * thermal, all and 1. */
void hs_scenario_caps(const struct hs_scenario *s, const struct hs_soc *soc, int *cap, double *leakage);

#endif
