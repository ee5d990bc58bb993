/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the reader of TensorFlow Lite's operator profiles (tflite_profile.c) and the rows of measurements that their nodes become. */
#ifndef HS_TFLITE_MATCH_H
#define HS_TFLITE_MATCH_H

#include "calibrate/measurements.h"

struct hs_tflite_node {
  int line, kind;   /* -1: none that we know */
  bool delegated;   /* a delegate says that it ran it */
  int number;       /* behind its name, by which the profiler counts nodes as they run; -1: none */
  const char *type; /* borrowed */
  double latency_s, rounded_s; /* as in struct hs_measurement */
};

/* The kind of a node of this type; -1: none that we know. */
int hs_tflite_kind(const char *type);

/* Of n nodes in run order adds a row for each that is an operator of the network and ran on the bench's processor, and notes of what is left out. Those that
 * aren't to be matched lose their kind. HS_INPUT with file and line: they aren't this network's, ran in another precision, or make no row. */
enum hs_status hs_tflite_match(struct hs_measurements *m, const char *file, struct hs_tflite_node *nodes, int n, const struct hs_graph *g,
                               struct hs_bench *bench, bool kept_out, struct hs_error *err);

#endif
