/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The catalogue: finds SoCs, workloads, scenarios, profiles and operator-support tables by name or path, and keeps the tables
 * it has read. Data lives below one root with socs/ and workloads/, and traces/ (with competing/, for those that are nothing but
 * processes) where it has scenarios: $HETSIM_DATA, or where the program stands, or where it was installed. */
#ifndef HS_CATALOG_H
#define HS_CATALOG_H

#include "input/op_support.h"
#include "input/profile.h"
#include "input/runtime.h"

enum hs_catalog_kind { HS_SOCS, HS_WORKLOADS, HS_SCENARIOS, HS_CATALOG_KIND_N };

enum { HS_CATALOG_PATH = 1024 }; /* room for a file's name */

struct hs_catalog {
  char root[400];
  char soc_folder[HS_CATALOG_PATH]; /* of the SoC that was given by path, with its slash; "" else */
  struct hs_arena arena;
  int n_names[HS_CATALOG_KIND_N], cap_names[HS_CATALOG_KIND_N];
  const char **names[HS_CATALOG_KIND_N]; /* sorted */
  int n_tables;
  struct hs_op_support *tables[32];
};

enum hs_status hs_catalog_open(struct hs_catalog *c, struct hs_error *err);
void hs_catalog_close(struct hs_catalog *c);

/* By name, by another's name for it (names.h), or by path where it has a slash or ends in .json. A wrong name is HS_USAGE with the
 * list and the nearest. The result is owned by the caller. */
enum hs_status hs_catalog_soc(struct hs_catalog *c, const char *name, struct hs_soc **soc, struct hs_error *err);
enum hs_status hs_catalog_workload(struct hs_catalog *c, const char *name, struct hs_graph **g, struct hs_error *err);

/* Where the scenario is (device/scenario.h reads it); found alike. `path` has room for HS_CATALOG_PATH. */
enum hs_status hs_catalog_scenario(struct hs_catalog *c, const char *name, char *path, struct hs_error *err);

/* Profile of (soc, runtime): of a SoC given by path the one in profiles/ beside its file, else the one below the root; *profile is NULL
 * when there's none of that name. */
enum hs_status hs_catalog_profile(struct hs_catalog *c, const char *soc, const char *runtime, struct hs_profile **profile,
                                  struct hs_error *err);
/* What holds where (soc, runtime) has no kernel: the estimate for any SoC, and after it the same two of the runtime that this one is based on. */
enum hs_status hs_catalog_estimate(struct hs_catalog *c, const char *soc, const struct hs_runtime *rt, struct hs_profile **estimate,
                                   struct hs_error *err);

/* Table of a backend, kept by the catalogue; NULL with *err filled. `catalog` is a struct hs_catalog *. */
const struct hs_op_support *hs_catalog_table(void *catalog, const char *name, struct hs_error *err);

#endif
