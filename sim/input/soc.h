/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A SoC description, as read from socs/NAME.json: processors with their frequency domains and OPPs, the one memory,
 * what sharing data between processors costs, the thermal network, and for every number where it comes from.
 * It describes hardware only; which kernels run on it is the business of runtime.h and profile.h.
 * Units are in the names (SI); ranges and meanings are in doc/formats.md. */
#ifndef HS_SOC_H
#define HS_SOC_H

#include "input/graph.h"
#include "input/scatter.h"

enum hs_precision { HS_FP32, HS_FP16, HS_INT8, HS_PRECISION_N };
extern const char *const hs_precision_names[HS_PRECISION_N + 1];
static inline int hs_precision_bytes(enum hs_precision p) { return p == HS_FP32 ? 4 : p == HS_FP16 ? 2 : 1; }

enum hs_memory_type { HS_BUFFER, HS_IMAGE, HS_MEMORY_TYPE_N };
extern const char *const hs_memory_type_names[HS_MEMORY_TYPE_N + 1];

/* How a processor of a kind is shared: a CPU's cores by threads in turn ("processor-shared"), any other by one batch of commands at a time ("queued"). */
enum hs_discipline { HS_PROCESSOR_SHARED, HS_QUEUED, HS_DISCIPLINE_N };
extern const char *const hs_discipline_names[HS_DISCIPLINE_N + 1];
static inline enum hs_discipline hs_kind_discipline(enum hs_kind kind) { return kind == HS_CPU ? HS_PROCESSOR_SHARED : HS_QUEUED; }

enum { HS_PROCESSORS_MAX = 8, HS_DOMAINS_MAX = 3, HS_OPPS_MAX = 64, HS_CORES_MAX = 16, HS_UNITS_MAX = 64, HS_THERMAL_MAX = 16, HS_RUNTIMES_MAX = 8 };

enum hs_source_kind { HS_MEASURED, HS_VENDOR, HS_DERIVED, HS_PRESS, HS_ASSUMED, HS_SOURCE_KIND_N };
extern const char *const hs_source_kind_names[HS_SOURCE_KIND_N + 1];

struct hs_source {
  const char *name;
  enum hs_source_kind kind;
  const char *ref;
};

/* One number of the file and the source it names. */
struct hs_provenance {
  const char *path; /* $.memory.llc_bytes; all OPPs share one path: $.processors[0].domains[1].opps[].volt */
  double value;     /* of a list: its first */
  int n_values;
  int source;       /* index in sources */
};

struct hs_sources {
  int n;
  struct hs_source *list;
  int n_numbers;
  struct hs_provenance *numbers; /* in file order */
};

struct hs_opp {
  double freq_hz, volt;
  double dynamic_w; /* one core, busy */
  double static_w;  /* the whole domain, while powered */
  double shared_w;  /* dynamic, of what its cores share (a cluster's cache and its port), while any of them is busy */
};

/* A frequency domain: the cores of a CPU cluster, or a whole accelerator as one core. */
struct hs_domain {
  const char *name, *core_type;
  int cores;
  double bandwidth_per_core_bytes_per_s;
  double macs_per_cycle[HS_PRECISION_N]; /* per core; 0: can't compute in it */
  int compute_units; /* of a GPU: into which a runtime deals out work groups; 0: not said */
  int n_opps;
  struct hs_opp opps[HS_OPPS_MAX]; /* ascending */
};

struct hs_processor {
  const char *name;
  enum hs_kind kind;
  double bandwidth_bytes_per_s;
  double slice_limit_bytes; /* 0: none */
  double local_bytes;       /* memory of its own, a CPU's last cache: that much of an operator's tensors isn't in DRAM; 0: none; none of a GPU */
  double kernel_power_factor; /* dynamic power of a network's kernel ÷ that of the OPP, where that is of other code */
  double context_slice_s;   /* GPU: how long one client keeps it while it has work queued; 0: kernel by kernel */
  int n_memory_types;
  enum hs_memory_type memory_types[HS_MEMORY_TYPE_N]; /* preferred first; GPU only */
  int n_domains;
  struct hs_domain domains[HS_DOMAINS_MAX];
  int n_op_support; /* runtime → table */
  struct {
    const char *runtime, *table;
    struct hs_place place; /* of the table's name */
  } op_support[HS_RUNTIMES_MAX];
};

/* WAKE: of a GPU to the host only, how much longer SYNC is where that converts. */
enum hs_comm { HS_TRANSFORM, HS_MAP, HS_SYNC, HS_RPC, HS_LAUNCH, HS_WAKE, HS_COMM_N };
extern const char *const hs_comm_names[HS_COMM_N + 1];

struct hs_comm_cost {
  double fixed_s, s_per_byte; /* at the highest OPP of the processor that does the work */
  struct hs_quantiles scatter;
};

/* What a trip is for: to slow processors down, to notify, to switch the device off. */
enum hs_trip_type { HS_TRIP_PASSIVE, HS_TRIP_HOT, HS_TRIP_CRITICAL, HS_TRIP_TYPE_N };
extern const char *const hs_trip_type_names[HS_TRIP_TYPE_N + 1];

struct hs_trip {
  int node;
  enum hs_trip_type type;
  double temperature_c, hysteresis_c;
  unsigned processors; /* bit mask */
};

/* Who looks after the passive trips of a node, and how: the properties of its thermal zone in the device tree, or of a vendor's thermal HAL. */
struct hs_zone {
  bool said, power_allocator; /* else step_wise, Linux's default */
  double period_s;            /* from look to look; 0: at every poll */
  double sustainable_w, k_po_w_per_k, k_pu_w_per_k, k_i_w_per_k; /* of power_allocator; 0: Linux's estimates */
};

/* What a vendor's thermal daemon does below the trips of the device tree: while a node is that warm, a processor runs no faster. */
struct hs_vendor_cap {
  int node, processor, level; /* level: of the processor, see hs_processor_opp() */
  double temperature_c, hysteresis_c;
  double above_frac; /* of the time the level above is allowed, < 1: the daemon steps up and down between the two */
};

struct hs_thermal {
  double ambient_c;
  int n_nodes, n_links, n_trips, n_vendor_caps;
  struct {
    const char *name;
    unsigned processors; /* whose power flows in; every processor heats one node */
    double capacitance_j_per_k;
  } nodes[HS_THERMAL_MAX];
  struct {
    int from, to; /* node, or -1: ambient */
    double resistance_k_per_w;
  } links[2 * HS_THERMAL_MAX];
  struct hs_zone zones[HS_THERMAL_MAX]; /* of each node */
  struct hs_trip trips[2 * HS_THERMAL_MAX];
  struct hs_vendor_cap vendor_caps[2 * HS_THERMAL_MAX];
};

/* How the system shares a CPU core in time (device/cfs.h). latency_s 0: not said, cores are shared as a fluid, which is slices of no length. */
struct hs_scheduler {
  double latency_s, min_granularity_s, wakeup_granularity_s;
};

struct hs_soc {
  struct hs_arena arena; /* owns the strings */
  const char *name, *title;
  const char *file;      /* that it was read from, for messages */
  char sha256[65];
  double idle_w; /* whole device, not part of any processor */
  struct {
    double capacity_bytes, peak_bytes_per_s, llc_bytes;
    double llc_hit_frac; /* of accesses, with the phone to oneself; < 0: not said */
    const char *type;
  } memory;
  int n_processors;
  struct hs_processor processors[HS_PROCESSORS_MAX];
  /* [from kind][to kind]; pairs with no entry have has_sharing false */
  bool has_sharing[HS_KIND_N][HS_KIND_N];
  struct hs_comm_cost sharing[HS_KIND_N][HS_KIND_N][HS_COMM_N];
  struct hs_thermal thermal;
  struct hs_scheduler scheduler;
  struct hs_sources sources;
};

/* Reads and checks a SoC file. *soc is owned by the caller. */
enum hs_status hs_soc_read(const char *file, struct hs_soc **soc, struct hs_error *err);
enum hs_status hs_soc_parse(const char *file, const char *text, size_t len, struct hs_soc **soc, struct hs_error *err);
void hs_soc_free(struct hs_soc *soc);

/* "max", "min", "2419.2e6", "2.4192GHz" or "585MHz" to an OPP of domain d, within a thousandth; -1 if it names none: `why` then says so
 * and lists them. */
enum { HS_NO_OPP = 700 };
int hs_processor_find_opp(const struct hs_processor *p, int d, const char *value, char why[HS_NO_OPP]);

/* Index of a processor, or -1. */
int hs_soc_find(const struct hs_soc *soc, const char *name);
/* First processor of a kind, or -1. */
int hs_soc_first(const struct hs_soc *soc, enum hs_kind kind);
/* A set of domains of a SoC is an OR of these. */
unsigned hs_soc_domain_bit(int processor, int domain);
/* The set of all domains of all CPUs. */
unsigned hs_soc_cpu_domains(const struct hs_soc *soc);
/* How closely a name names domains: everything, a processor, one domain of it. */
enum hs_scope { HS_SCOPE_ALL, HS_SCOPE_PROCESSOR, HS_SCOPE_DOMAIN, HS_SCOPE_N };
/* The set of domains that "cpu" or "cpu.big" names, none: 0, and how closely. NULL names all. */
unsigned hs_soc_domains(const struct hs_soc *soc, const char *where, enum hs_scope *scope);
/* HS_USAGE: --OPTION names a processor that isn't there, or where `domains`, a processor or domain; with the names of those that are. */
enum hs_status hs_soc_no_place(const struct hs_soc *soc, const char *option, const char *where, bool domains, struct hs_error *err);
/* Which of `mask`, named that closely, weren't named more closely before: cpu.big counts before cpu, and that before all, in whatever order they are named.
 * named[] is the set of what was named so far; `mask` joins it. */
unsigned hs_soc_name_domains(unsigned named[HS_SCOPE_N], unsigned mask, enum hs_scope scope);
/* Index of the thermal node that processor p heats. */
int hs_soc_node(const struct hs_soc *soc, int p);
/* Those that no processor heats itself (board, skin): fills nodes[], returns how many. */
int hs_soc_bare_nodes(const struct hs_soc *soc, int nodes[HS_THERMAL_MAX]);
/* Its highest OPP. */
static inline const struct hs_opp *hs_domain_top(const struct hs_domain *d) { return &d->opps[d->n_opps - 1]; }
static inline double hs_domain_top_hz(const struct hs_domain *d) { return hs_domain_top(d)->freq_hz; }
/* Its mean frequency where its clock had so many cycles in so many seconds, > 0: an OPP's where only the rounding of these sums is between. */
double hs_domain_mean_hz(const struct hs_domain *d, double cycles, double seconds);
/* The fastest domain, which stands last; its OPPs are the processor's levels. */
static inline const struct hs_domain *hs_processor_fastest(const struct hs_processor *p) { return &p->domains[p->n_domains - 1]; }
/* What so many cores of each domain get from the memory at most, together: as much as they take, or the processor's port gives. */
double hs_processor_lane_bytes_per_s(const struct hs_processor *p, const int *cores);
/* Sum over the domains. */
int hs_processor_cores(const struct hs_processor *p);
/* Of a set of cores, cores[d] of domain d, the domain of the fastest: the thread that calls runs there. The slowest domains stand first. -1: there are none. */
int hs_lead_domain(const struct hs_processor *p, const int *cores);
/* OPP of domain d when the processor runs at a level, which is the OPP of its fastest domain: other domains take their
 * lowest OPP that isn't relatively slower. */
int hs_processor_opp(const struct hs_processor *p, int d, int level);
/* Can any core of it compute in this precision? (All its domains can, the reader sees to it.) */
bool hs_processor_computes(const struct hs_processor *p, enum hs_precision precision);

#endif
