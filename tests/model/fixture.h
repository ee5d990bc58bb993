/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small system whose numbers can be worked out by hand: the corpus's SoC (CPU of one core, GPU; both 8 MAC per cycle at
 * 1 or 2 GHz, 1 GB/s; crossing steps 10 µs + 0.1 ns/B each) with kernels of round coefficients, on which every operator runs. */
#ifndef HS_TEST_FIXTURE_H
#define HS_TEST_FIXTURE_H

#include "tests/unit/suite.h"

#include "model/comm.h"
#include "plan/lower.h"

struct fixture {
  struct hs_soc *soc;
  struct hs_profile *profile;
  struct hs_op_support *table;
  struct hs_graph *graph;
  struct hs_system sys;
  struct hs_arena arena; /* of what a test makes */
};

static inline const struct hs_op_support *fixture_table(void *state, const char *name, struct hs_error *err)
{
  (void)name, (void)err;
  return state;
}

/* Efficiency 0.5 for all classes; `more` is put in front of the kernel's other keys' defaults. */
static inline char *fixture_profile(double overhead, int multiple, double half, double serial)
{
  struct hs_text t = {0};
  hs_text_add(&t,
              "{\"format\": \"hetsim-profile/1\", \"soc\": \"any\", \"runtime\": \"mace\", \"sources\": {\"a\": {\"kind\": \"assumed\", "
              "\"ref\": \"r\"}}, \"kernels\": [");
  for (int k = 0; k < 2; k++) {
    hs_text_addf(&t,
                 "%s{\"kind\": \"%s\", \"precision\": \"fp32\", \"overhead_cycles\": %g, \"channel_multiple\": %d, \"reduction_half\": %g, "
                 "\"serial_frac\": %g, "
                     "\"traffic_factor\": 1, \"source\": \"a\", \"efficiency\": {",
                 k ? ", " : "", k ? "gpu" : "cpu", overhead, k ? multiple : 1, half, serial);
    for (int c = 0; c < HS_CLASS_N; c++) hs_text_addf(&t, "%s\"%s\": 0.5", c ? ", " : "", hs_op_class_names[c]);
    hs_text_add(&t, "}}");
  }
  hs_text_add(&t, "]}");
  return t.s;
}

static inline void fixture_graph(struct fixture *f, const char *shape, const char *ops, const char *outputs)
{
  struct hs_text t = {0};
  struct hs_error err;
  hs_text_addf(&t,
               "{'format': 'hetsim-workload/1', 'name': 'n', 'title': 't', 'source': 's', 'inputs': [{'name': 'x', 'shape': %s}], "
               "'outputs': [%s], 'ops': [%s]}",
               shape, outputs, ops);
  char *json = hs_test_json(t.s);
  ck_assert_msg(hs_graph_parse("n.json", json, strlen(json), &f->graph, &err) == HS_OK, "%s", hs_test_message(&err));
  free(json);
  hs_text_free(&t);
}

static inline void fixture_make(struct fixture *f, const char *soc_text, char *profile_text, const struct hs_settings *settings)
{
  struct hs_error err;
  struct hs_text t = {0};
  *f = (struct fixture){0};
  char *own = soc_text ? NULL : hs_test_seed("soc/small");
  const char *soc = soc_text ? soc_text : own;
  ck_assert_msg(hs_soc_parse("s.json", soc, strlen(soc), &f->soc, &err) == HS_OK, "%s", hs_test_message(&err));
  ck_assert_msg(hs_profile_parse("p.json", profile_text, strlen(profile_text), &f->profile, &err) == HS_OK, "%s", hs_test_message(&err));
  hs_text_add(&t, "{\"format\": \"hetsim-op-support/1\", \"name\": \"all\", \"title\": \"t\", \"source\": \"s\", \"ops\": {");
  for (int i = 0; i < HS_OP_N; i++) hs_text_addf(&t, "%s\"%s\": {\"support\": true}", i ? ", " : "", hs_op_name((enum hs_op_type)i));
  hs_text_add(&t, "}}");
  ck_assert_int_eq(hs_op_support_parse("t.json", t.s, t.len, &f->table, &err), HS_OK);
  const struct hs_system_files files = {NULL, f->profile, fixture_table, f->table};
  ck_assert_msg(hs_system_make(&f->sys, f->soc, settings, &files, &err) == HS_OK, "%s", hs_test_message(&err));
  hs_text_free(&t);
  free(own);
  free(profile_text);
}

static inline struct hs_placement *fixture_place_all(struct fixture *f, int processor)
{
  struct hs_placement *pl = hs_placement_new(&f->arena, f->graph->n_ops);
  for (int i = 0; i < f->graph->n_ops; i++) hs_place_whole(&pl->ops[i], processor);
  return pl;
}

static inline void fixture_free(struct fixture *f)
{
  hs_arena_free(&f->arena);
  hs_graph_free(f->graph);
  hs_op_support_free(f->table);
  hs_profile_free(f->profile);
  hs_soc_free(f->soc);
}

#endif
