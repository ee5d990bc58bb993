/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured latencies, of single operators and of whole networks, and what they were measured on: the rows that a kernel profile
 * is fitted to (calibrate/fit.h). Formats: doc/formats.md. */
#ifndef HS_MEASUREMENTS_H
#define HS_MEASUREMENTS_H

#include "input/catalog.h"
#include "model/system.h"
#include "plan/program.h"

/* How a row was run. Rows with the same settings share one. */
struct hs_bench {
  int processor;
  int threads;        /* 0: the runtime's */
  const char *cores;  /* "mid:3+big:1", or "" */
  struct hs_system sys; /* its backend of `processor` is set so */
};

struct hs_measurement {
  const char *file;
  int line;
  struct hs_bench *bench;
  const struct hs_graph *graph;
  int op;                     /* of graph; -1: the whole network */
  struct hs_program *program; /* of the whole network, on this processor alone, with fallback; NULL for an operator */
  double latency_s;
  double rounded_s;           /* it may be off by so much as it was written; 0: by less than rows scatter */
  const char *network;        /* that an operator was measured in, "" where nobody says */
  const char *text;           /* its cells but the latency: what tells it from others */
  const char *index;          /* its place there, "" where nobody says */
  const char *operator;       /* what it computes, the same however the cells say it; "" of a network, and where a file says it */
  bool kept_out;
  double elsewhere_frac;      /* of a network: part of the expected time that kernels take which nothing is fitted to (hs_measured_elsewhere_frac()) */
};

struct hs_measurements {
  struct hs_arena arena;
  struct hs_catalog *catalog;      /* borrowed, as all up to `estimate` */
  const struct hs_soc *soc;
  const struct hs_runtime *runtime;
  const struct hs_profile *own, *estimate;
  /* for rows that don't say: enum or -1; threads or cores of a CPU: 0, NULL */
  int precision, memory_type, threads;
  const char *cores; /* borrowed */
  int n_benches, cap_benches;
  struct hs_bench **benches;
  int n_graphs, cap_graphs;
  struct hs_measured_graph {
    const char *model; /* as the rows name it: a name of the catalogue or a file; NULL: of one row's operator */
    struct hs_graph *graph; /* fused as the runtime does; owned. Names of one network share it */
  } *graphs;
  int n, cap;
  struct hs_measurement *rows;
  int n_notes, cap_notes;
  const char **notes; /* what was left out */
};

/* Adds the rows of a CSV file, which has been read; `kept_out` marks all of them. HS_INPUT names file and line. After an error `m` is to be freed and
 * not used. Text ends in a zero byte beyond its length; `file` is borrowed. */
enum hs_status hs_measurements_parse(struct hs_measurements *m, const char *file, const char *text, size_t len, bool kept_out, struct hs_error *err);

/* Adds the operator profile that TensorFlow Lite's benchmark_model wrote for a network of the catalogue on a processor, of a CPU also on some of its
 * cores: "cpu", "cpu@mid:3+big:1" (borrowed). Its nodes are matched with the network's operators kind by kind, in order. HS_USAGE where there is no
 * such network, processor or core, which the command line names. */
enum hs_status hs_measurements_parse_tflite(struct hs_measurements *m, const char *file, const char *text, size_t len, const char *model,
                                            const char *processor, bool kept_out, struct hs_error *err);

/* Marks about this fraction of the rows as kept out, by a hash of their network's name, or of the row where it has none: the same
 * ones on any machine, and operators of one network stay together, because a network repeats its blocks. */
void hs_measurements_keep_out(struct hs_measurements *m, double fraction);

/* Name of what a row was measured of, and is kept out with: its network, or where it has none its operator. */
const char *hs_measurement_subject(const struct hs_measurement *row);

void hs_measurements_free(struct hs_measurements *m);

/* What the model says that the row takes, under the kernels that its bench has now: the work of its program's tasks is counted anew, and kept there. */
double hs_measurement_model_s(const struct hs_measurement *row);

/* --- for the readers; all HS_INPUT with file and line (0: of no line), or HS_USAGE without: file NULL, the command line says so --- */
#define HS_LATENCY_MAX_S 3600.0
/* The bench for these settings, which rows share; m owns it. precision and memory_type: enum, or -1 for the runtime's own; threads: 0 for the
 * runtime's; cores: "mid:3+big:1", or "". What the system can't do exactly is refused. */
enum hs_status hs_measurements_bench(struct hs_measurements *m, const char *file, int line, int processor, int precision, int memory_type,
                                     int threads, const char *cores, struct hs_bench **bench, struct hs_error *err);
/* The network that rows call so (a name of the catalogue or a file), as the runtime fuses it; read once, m owns it. */
enum hs_status hs_measurements_network(struct hs_measurements *m, const char *file, int line, const char *name, const struct hs_graph **graph,
                                       struct hs_error *err);
/* A network's program on the bench's processor alone, and on the host what that doesn't run. */
enum hs_status hs_measurements_lower(struct hs_measurements *m, const char *file, int line, const struct hs_bench *bench, const struct hs_graph *graph,
                                     struct hs_program **program, struct hs_error *err);
/* From now on m owns the graph. `model`: what rows call it, in m's arena; NULL: it is one row's operator. */
void hs_measurements_own(struct hs_measurements *m, const char *model, struct hs_graph *graph);
/* Copies the row; from now on m owns its program. After an error the caller still does. */
enum hs_status hs_measurements_add(struct hs_measurements *m, const struct hs_measurement *row, struct hs_error *err);
/* Something that was left out, for the report. */
void hs_measurements_note(struct hs_measurements *m, const char *format, ...) HS_PRINTF(2, 3);
/* Index of a processor by name; HS_INPUT with the list. */
enum hs_status hs_measurements_processor(const struct hs_measurements *m, const char *file, int line, const char *name, int *p, struct hs_error *err);

#endif
