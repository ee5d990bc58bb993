/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the readers of a scenario share (the file, its table of processes, the command line). For them alone. */
#ifndef HS_SCENARIO_PARTS_H
#define HS_SCENARIO_PARTS_H

#include "device/scenario.h"

/* Less load than this is a mistake (of the unit, most likely). */
#define HS_LOAD_MIN_FRAC 1e-4
#define HS_PROCESS_PERIOD_MIN_S 1e-4
#define HS_PROCESS_PERIOD_MAX_S 1e4
#define HS_PROCESS_KERNEL_MIN_S 1e-6
#define HS_PROCESS_KERNEL_MAX_S 10
#define HS_TRAFFIC_MAX_BYTES_PER_S 1e12
#define HS_FOOTPRINT_MAX_BYTES 1e12
#define HS_TIME_MAX_S 1e9
enum { HS_NICE_MIN = -20, HS_NICE_MAX = 19 };
/* Of the display: frames per second. */
enum { HS_UI_MIN_HZ = 1, HS_UI_MAX_HZ = 240 };

/* A governor as written: "schedutil", or "userspace:427MHz". */
struct hs_governor_wish {
  int kind;              /* enum hs_governor_kind; -1: there is none of that name */
  const char *frequency; /* of userspace, in the text; NULL: none */
};
struct hs_governor_wish hs_scenario_governor(const char *text);

/* Gives domains a governor, where none was given more closely (hs_soc_name_domains). False: the frequency can't be set, `why` says
 * the reason. */
bool hs_scenario_govern(struct hs_scenario *s, const struct hs_soc *soc, unsigned mask, enum hs_scope scope, struct hs_governor_wish wish,
                        unsigned *named, char why[HS_NO_OPP]);

/* Another processor that heats the same node and has a temperature of its own, held or replayed; -1: none. */
int hs_scenario_node_taken(const struct hs_scenario *s, const struct hs_soc *soc, int p);
/* The node that processor p heats. */
const char *hs_scenario_node(const struct hs_soc *soc, int p);
bool hs_scenario_same_node(const struct hs_soc *soc, int p, int q);

/* Accelerators' part of a load, as files name it: gpu_frac, dsp_frac, npu_frac; NULL for the CPU. */
extern const char *const hs_scenario_loads[HS_KIND_N];

/* The process of that name; -1: none. */
int hs_scenario_find_process(const struct hs_scenario *s, const char *name);
/* As a process is where nobody says otherwise, on any CPU and without phases. name: in the scenario's arena. */
struct hs_process hs_scenario_process(const struct hs_soc *soc, const char *name);

/* Rules that are the same for each reader. False: `why` says which is broken. */
enum { HS_RULE = 200 };
/* Part of the accelerators of a kind (not HS_CPU): nothing, or at least HS_LOAD_MIN_FRAC of what the SoC has. written: as the reader found it. */
bool hs_scenario_load_allowed(const struct hs_soc *soc, enum hs_kind kind, double frac, const char *written, char why[HS_RULE]);
/* Adds a CPU or one of its clusters to those where threads may run. */
bool hs_scenario_add_cluster(const struct hs_soc *soc, const char *name, unsigned *clusters, char why[HS_RULE]);
/* Whether any phase has threads, or kernels of an accelerator: keys that shape what none has would be without effect. */
bool hs_process_has_threads(const struct hs_process *pr);
bool hs_process_has_kernels(const struct hs_process *pr);

/* Why it would have no effect to say where the thread runs that calls a DSP or NPU; NULL: it has one. */
const char *hs_scenario_no_rpc_thread(const struct hs_soc *soc);

/* Adds the processes of a table. The file's name is kept for the recipe. HS_INPUT with line and column, or HS_IO. */
enum hs_status hs_competing_read(struct hs_scenario *s, const char *file, const struct hs_soc *soc, struct hs_error *err);

#endif
