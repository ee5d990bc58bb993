/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/setup.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "input/json_in.h"
#include "plan/lower.h"
#include "plan/pass.h"

static enum hs_status unknown(const char *what, const char *name, const char *const *names, int n, struct hs_error *err)
{
  struct hs_text list = {0};
  for (int i = 0; i < n; i++) hs_text_addf(&list, "%s%s", i ? ", " : "", names[i]);
  int near = hs_nearest(name, names, n);
  hs_fail(err, HS_USAGE, "there is no %s \"%.60s\"%s%s%s (there are: %s)", what, name, near >= 0 ? "; did you mean " : "",
          near >= 0 ? names[near] : "", near >= 0 ? "?" : "", list.s);
  hs_text_free(&list);
  return err->status;
}

static enum hs_status find_policy(struct hs_setup *s, const char *name, struct hs_error *err)
{
  const char *names[64];
  if (!name) return HS_OK;
  s->policy = hs_policy_find(name);
  for (int i = 0; i < hs_n_policies && i < 64; i++) names[i] = hs_policies[i]->name;
  return s->policy ? HS_OK : unknown("policy", name, names, hs_n_policies, err);
}

static enum hs_status find_runtime(const char *name, const struct hs_runtime **rt, struct hs_error *err)
{
  const char *names[16];
  *rt = hs_runtime_find(name);
  for (int i = 0; i < hs_n_runtimes && i < 16; i++) names[i] = hs_runtimes[i].name;
  return *rt ? HS_OK : unknown("runtime", name, names, hs_n_runtimes, err);
}

/* Index of a word that may be absent (-1). */
static enum hs_status find_word(const char *option, const char *name, const char *const *words, int *out, struct hs_error *err)
{
  int n = 0;
  *out = -1;
  if (!name) return HS_OK;
  while (words[n]) n++;
  for (int i = 0; i < n; i++)
    if (strcmp(words[i], name) == 0) *out = i;
  return *out >= 0 ? HS_OK : unknown(option, name, words, n, err);
}

static enum hs_status read_profiles(struct hs_setup *s, const struct hs_runtime *rt, struct hs_error *err)
{
  HS_TRY(hs_catalog_profile(&s->catalog, s->soc->name, rt->name, &s->own, err));
  HS_TRY(hs_catalog_profile(&s->catalog, "any", rt->name, &s->estimate, err));
  return s->estimate ? HS_OK : hs_fail(err, HS_IO, "%s/socs/profiles/any-%s.json is missing", s->catalog.root, rt->name);
}

/* What the policy needs must be there before anything else is asked of the names. */
static enum hs_status check_needs(const struct hs_setup *s, struct hs_error *err)
{
  if (s->policy && s->policy->needs && hs_soc_find(s->soc, s->policy->needs) < 0)
    return hs_fail(err, HS_USAGE, "policy %s needs a %s, and %s has none", s->policy->name, s->policy->needs, s->soc->name);
  return HS_OK;
}

enum hs_status hs_setup_system(struct hs_setup *s, const struct hs_request *req, struct hs_error *err)
{
  struct hs_settings settings = {.threads = req->threads, .frequency = req->frequency};
  HS_TRY(find_policy(s, req->policy, err));
  if (s->policy) HS_TRY(hs_policy_values(s->policy, req->params, req->n_params, s->values, err));
  HS_TRY(find_runtime(req->runtime ? req->runtime : s->policy ? s->policy->default_runtime : "tflite", &settings.runtime, err));
  HS_TRY(find_word("precision", req->precision, hs_precision_names, &settings.precision, err));
  const char *memory_type = req->memory_type || !s->policy ? req->memory_type : s->policy->default_memory_type;
  HS_TRY(find_word("memory type", memory_type, hs_memory_type_names, &settings.memory_type, err));
  if (!req->precision && s->policy) settings.precision = (int)s->policy->default_precision;
  HS_TRY(hs_catalog_open(&s->catalog, err));
  HS_TRY(hs_catalog_soc(&s->catalog, req->soc, &s->soc, err));
  HS_TRY(check_needs(s, err));
  HS_TRY(read_profiles(s, settings.runtime, err));
  const struct hs_system_files files = {s->own, s->estimate, hs_catalog_table, &s->catalog};
  return hs_system_make(&s->sys, s->soc, &settings, &files, err);
}

enum hs_status hs_setup_network(struct hs_setup *s, const struct hs_request *req, struct hs_error *err)
{
  HS_TRY(hs_catalog_workload(&s->catalog, req->model, &s->file_graph, err));
  s->graph = hs_pass_fuse(s->file_graph, s->sys.runtime);
  return HS_OK;
}

enum hs_status hs_setup_program(struct hs_setup *s, struct hs_error *err)
{
  const struct hs_view view = {&s->sys, s->graph, s->values};
  s->placement = hs_placement_new(&s->arena, s->graph->n_ops);
  HS_TRY(s->policy->plan(&view, s->placement, err));
  HS_TRY(hs_placement_check(&s->sys, s->graph, s->placement, s->policy->name, err));
  return hs_lower(&s->sys, s->graph, s->placement, &s->program, err);
}

static enum hs_status make_with(struct hs_setup *s, const struct hs_request *req, struct hs_error *err)
{
  HS_TRY(hs_setup_system(s, req, err));
  HS_TRY(hs_setup_network(s, req, err));
  return hs_setup_program(s, err);
}

enum hs_status hs_setup_make(struct hs_setup *s, const struct hs_request *req, struct hs_error *err)
{
  enum hs_status status = make_with(s, req, err);
  if (status != HS_INPUT || req->runtime || !s->graph) return status;
  const char *first = s->sys.runtime->name;
  for (int i = 0; i < hs_n_runtimes; i++) {
    struct hs_request other = *req;
    struct hs_error ignored;
    other.runtime = hs_runtimes[i].name;
    if (strcmp(other.runtime, first) == 0) continue;
    hs_setup_free(s);
    *s = (struct hs_setup){0};
    if (make_with(s, &other, &ignored) == HS_OK) return HS_OK;
  }
  return status;
}

void hs_setup_free(struct hs_setup *s)
{
  hs_program_free(s->program);
  hs_graph_free(s->graph);
  hs_graph_free(s->file_graph);
  hs_profile_free(s->own);
  hs_profile_free(s->estimate);
  hs_soc_free(s->soc);
  hs_catalog_close(&s->catalog);
  hs_arena_free(&s->arena);
}
