/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/catalog.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/spelling.h"
#include "input/names.h"

enum { FOLDERS_MAX = 2 };
static const struct {
  const char *word, *folders[FOLDERS_MAX + 1];
} kinds[HS_CATALOG_KIND_N] = {{"SoC", {"socs"}}, {"workload", {"workloads"}}, {"scenario", {"traces", "traces/competing"}}};

/* Scenarios aren't needed for a run. */
static bool has_data(const char *root)
{
  char path[512];
  struct stat st;
  for (int k = 0; k <= HS_WORKLOADS; k++) {
    snprintf(path, sizeof path, "%s/%s", root, kinds[k].folders[0]);
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) return false;
  }
  return true;
}

static enum hs_status find_root(struct hs_catalog *c, struct hs_error *err)
{
  const char *given = getenv("HETSIM_DATA");
  if (given && *given) { /* set to nothing: as if it weren't */
    if (strlen(given) >= sizeof c->root) return hs_fail(err, HS_IO, "HETSIM_DATA=%.200s...: is longer than %zu characters", given, sizeof c->root - 1);
    snprintf(c->root, sizeof c->root, "%s", given);
    if (has_data(c->root)) return HS_OK;
    return hs_fail(err, HS_IO, "HETSIM_DATA=%.200s has no socs/ and workloads/", given);
  }
  ssize_t n = readlink("/proc/self/exe", c->root, sizeof c->root - 1);
  if (n == (ssize_t)sizeof c->root - 1)
    return hs_fail(err, HS_IO, "the program is in a folder of more than %zu characters; set HETSIM_DATA to the folder that has socs/ and workloads/",
                   sizeof c->root - 1);
  if (n > 0) {
    c->root[n] = 0;
    char *slash = strrchr(c->root, '/');
    if (slash) *slash = 0;
    if (has_data(c->root)) return HS_OK;
    size_t len = strlen(c->root); /* an installation that was moved */
    snprintf(c->root + len, sizeof c->root - len, "/../share/hetsim");
    if (has_data(c->root)) return HS_OK;
  }
  snprintf(c->root, sizeof c->root, "%s", HS_PKGDATADIR);
  if (has_data(c->root)) return HS_OK;
  return hs_fail(err, HS_IO, "no data found beside the program nor in %s; set HETSIM_DATA to the folder that has socs/ and workloads/",
                 HS_PKGDATADIR);
}

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static bool ends_in(const char *name, const char *suffix)
{
  size_t n = strlen(name), m = strlen(suffix);
  return n > m && strcmp(name + n - m, suffix) == 0;
}

static int is_json(const struct dirent *e) { return e->d_name[0] != '.' && ends_in(e->d_name, ".json"); }

static void list_folder(struct hs_catalog *c, int kind, const char *folder)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", c->root, folder);
  DIR *d = opendir(path);
  for (struct dirent *e; d && (e = readdir(d));) {
    if (!is_json(e)) continue;
    HS_GROW(c->names[kind], c->n_names[kind], c->cap_names[kind]);
    char *name = hs_arena_strdup(&c->arena, e->d_name);
    name[strlen(name) - strlen(".json")] = 0;
    c->names[kind][c->n_names[kind]++] = name;
  }
  if (d) closedir(d);
}

static void list_names(struct hs_catalog *c, int kind)
{
  for (const char *const *folder = kinds[kind].folders; *folder; folder++) list_folder(c, kind, *folder);
  if (c->n_names[kind]) qsort(c->names[kind], (size_t)c->n_names[kind], sizeof *c->names[kind], by_name);
}

enum hs_status hs_catalog_open(struct hs_catalog *c, struct hs_error *err)
{
  *c = (struct hs_catalog){0};
  HS_TRY(find_root(c, err));
  for (int k = 0; k < HS_CATALOG_KIND_N; k++) list_names(c, k);
  return HS_OK;
}

void hs_catalog_close(struct hs_catalog *c)
{
  for (int i = 0; i < c->n_tables; i++) hs_op_support_free(c->tables[i]);
  for (int k = 0; k < HS_CATALOG_KIND_N; k++) free(c->names[k]);
  hs_arena_free(&c->arena);
}

static bool is_path(const char *name) { return strchr(name, '/') || ends_in(name, ".json"); }

/* A network in a framework's own file. */
static bool is_foreign(const char *name)
{
  static const char *const suffixes[] = {".onnx", ".tflite", ".pb", ".pt", ".pth", ".ptl", ".caffemodel", ".prototxt", ".h5"};
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (ends_in(name, suffixes[i])) return true;
  return false;
}

/* What others call so, by the files below names/: `ours` is "" where none has it. */
static enum hs_status also_known(struct hs_catalog *c, int kind, const char *name, char *ours, size_t size, struct hs_error *err)
{
  char folder[512], file[HS_CATALOG_PATH];
  struct dirent **files;
  enum hs_status status = HS_OK;
  *ours = 0;
  snprintf(folder, sizeof folder, "%s/%s/names", c->root, kinds[kind].folders[0]);
  int n = scandir(folder, &files, is_json, alphasort);
  for (int i = 0; i < n; i++) {
    snprintf(file, sizeof file, "%s/%s", folder, files[i]->d_name);
    if (!status && !*ours) status = hs_names_find(file, name, ours, size, err);
    free(files[i]);
  }
  if (n >= 0) free(files);
  return status;
}

/* The catalogue's own name that is spelt alike; NULL: none, or several. */
static const char *spelled_otherwise(const struct hs_catalog *c, int kind, const char *name)
{
  const char *found = NULL;
  for (int i = 0; i < c->n_names[kind]; i++) {
    if (!hs_spelled_alike(name, c->names[kind][i])) continue;
    if (found) return NULL;
    found = c->names[kind][i];
  }
  return found;
}

static bool is_there(struct hs_catalog *c, int kind, const char *name, char *path, size_t size)
{
  for (const char *const *folder = kinds[kind].folders; *folder; folder++) {
    struct stat st;
    snprintf(path, size, "%s/%s/%s.json", c->root, *folder, name);
    if (stat(path, &st) == 0) return true;
  }
  return false;
}

static enum hs_status file_of(struct hs_catalog *c, int kind, const char *name, char *path, size_t size, struct hs_error *err)
{
  if (is_path(name)) {
    if (strlen(name) >= size) return hs_fail(err, HS_USAGE, "the path of a %s is longer than %zu characters: %.200s...", kinds[kind].word, size - 1, name);
    snprintf(path, size, "%s", name);
    return HS_OK;
  }
  char ours[64];
  if (is_there(c, kind, name, path, size)) return HS_OK;
  HS_TRY(also_known(c, kind, name, ours, sizeof ours, err));
  if (*ours && is_there(c, kind, ours, path, size)) return HS_OK;
  if (*ours)
    return hs_fail(err, HS_INPUT, "by %s/%s/names \"%.60s\" stands for the %s \"%.60s\", which isn't there", c->root,
                   kinds[kind].folders[0], name, kinds[kind].word, ours);
  const char *alike = spelled_otherwise(c, kind, name);
  if (alike && is_there(c, kind, alike, path, size)) return HS_OK;
  struct stat here;
  snprintf(path, size, "./%s.json", name);
  if (stat(path, &here) == 0)
    return hs_fail(err, HS_USAGE, "there is no %s \"%.60s\" among those that come with hetsim; did you mean %.200s?", kinds[kind].word, name, path);
  return hs_fail_unknown(err, name, c->names[kind], c->n_names[kind], "there is no %s", kinds[kind].word);
}

enum { TABLE_PATH = HS_CATALOG_PATH + 200 }; /* also of a profile */

/* Nothing by that name, not even a link that leads nowhere. */
static bool is_absent(const char *path)
{
  struct stat st;
  return lstat(path, &st) != 0 && errno == ENOENT;
}

/* Is there such a file? One that is there and can't be reached isn't absent, lest another be taken in its place: HS_IO; nor is one in a folder of which that is
 * true. */
static enum hs_status look_for(const char *path, bool *found, struct hs_error *err)
{
  struct stat st;
  char folder[TABLE_PATH];
  *found = stat(path, &st) == 0;
  if (*found) return HS_OK;
  int why = errno;
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
  if (why == ENOENT && is_absent(path) && (is_absent(folder) || stat(folder, &st) == 0)) return HS_OK;
  return hs_fail_at(err, HS_IO, path, 0, 0, NULL, "can't open: %s", strerror(why));
}

/* Of a SoC given by path the one in op-support/ beside its file, else the one that comes with hetsim; *found: there is one. */
static enum hs_status find_table(const struct hs_catalog *c, const char *name, char path[TABLE_PATH], bool *found, struct hs_error *err)
{
  *found = false;
  snprintf(path, TABLE_PATH, "%sop-support/%s.json", c->soc_folder, name);
  if (*c->soc_folder) HS_TRY(look_for(path, found, err));
  if (*found) return HS_OK;
  snprintf(path, TABLE_PATH, "%s/workloads/op-support/%s.json", c->root, name);
  return look_for(path, found, err);
}

/* Here, since a run that doesn't use the table wouldn't miss it. */
static enum hs_status check_tables(const struct hs_catalog *c, const char *file, const struct hs_soc *soc, struct hs_error *err)
{
  char path[TABLE_PATH], at[100];
  bool found;
  for (int p = 0; p < soc->n_processors; p++)
    for (int i = 0; i < soc->processors[p].n_op_support; i++) {
      const struct hs_processor *proc = &soc->processors[p];
      HS_TRY(find_table(c, proc->op_support[i].table, path, &found, err));
      snprintf(at, sizeof at, "$.processors[%d].op_support.%.60s", p, proc->op_support[i].runtime);
      if (!found)
        return hs_fail_at(err, HS_INPUT, file, proc->op_support[i].place.line, proc->op_support[i].place.column, at,
                          "processor \"%s\" has no operator-support table \"%.60s\" (a file of op-support/ beside this one, or of workloads/op-support)",
                          proc->name, proc->op_support[i].table);
    }
  return HS_OK;
}

/* Documents borrow their file's name for messages only while they are read. */
enum hs_status hs_catalog_soc(struct hs_catalog *c, const char *name, struct hs_soc **soc, struct hs_error *err)
{
  char path[HS_CATALOG_PATH];
  HS_TRY(file_of(c, HS_SOCS, name, path, sizeof path, err));
  if (is_path(name)) {
    const char *slash = strrchr(path, '/');
    snprintf(c->soc_folder, sizeof c->soc_folder, "%.*s", slash ? (int)(slash - path) + 1 : 2, slash ? path : "./");
  }
  HS_TRY(hs_soc_read(path, soc, err));
  enum hs_status status = check_tables(c, path, *soc, err);
  if (!status) return HS_OK;
  hs_soc_free(*soc);
  *soc = NULL;
  return status;
}

enum hs_status hs_catalog_workload(struct hs_catalog *c, const char *name, struct hs_graph **g, struct hs_error *err)
{
  char path[HS_CATALOG_PATH];
  if (is_foreign(name))
    return hs_fail(err, HS_INPUT, "%s: networks are read as lists of operators in JSON only "
                   "(doc/formats.md, \"Workload\", has other frameworks' names)", name);
  HS_TRY(file_of(c, HS_WORKLOADS, name, path, sizeof path, err));
  return hs_graph_read(path, g, err);
}

enum hs_status hs_catalog_scenario(struct hs_catalog *c, const char *name, char *path, struct hs_error *err)
{
  return file_of(c, HS_SCENARIOS, name, path, HS_CATALOG_PATH, err);
}

enum hs_status hs_catalog_profile(struct hs_catalog *c, const char *soc, const char *runtime, struct hs_profile **profile,
                                  struct hs_error *err)
{
  char path[TABLE_PATH];
  bool found = false;
  *profile = NULL;
  snprintf(path, sizeof path, "%sprofiles/%s-%s.json", c->soc_folder, soc, runtime);
  if (*c->soc_folder && strcmp(soc, "any") != 0) HS_TRY(look_for(path, &found, err));
  if (!found) {
    snprintf(path, sizeof path, "%s/socs/profiles/%s-%s.json", c->root, soc, runtime);
    HS_TRY(look_for(path, &found, err));
  }
  if (!found) return HS_OK;
  HS_TRY(hs_profile_read(path, profile, err));
  bool soc_differs = strcmp((*profile)->soc, soc) != 0;
  const struct hs_place place = soc_differs ? (*profile)->soc_place : (*profile)->runtime_place;
  if (!soc_differs && strcmp((*profile)->runtime, runtime) == 0) return HS_OK;
  hs_fail_at(err, HS_INPUT, path, place.line, place.column, soc_differs ? "$.soc" : "$.runtime",
             "\"%.60s\" is not \"%.60s\", as in the file's name SOC-RUNTIME.json", soc_differs ? (*profile)->soc : (*profile)->runtime,
             soc_differs ? soc : runtime);
  hs_profile_free(*profile);
  *profile = NULL;
  return err->status;
}

static enum hs_status read_estimate(struct hs_catalog *c, const char *runtime, struct hs_profile **estimate, struct hs_error *err)
{
  HS_TRY(hs_catalog_profile(c, "any", runtime, estimate, err));
  return *estimate ? HS_OK : hs_fail(err, HS_IO, "%s/socs/profiles/any-%s.json is missing", c->root, runtime);
}

/* The runtime's own, and behind it those of the one whose profiles count where it has none. */
static enum hs_status read_estimates(struct hs_catalog *c, const char *soc, const struct hs_runtime *rt, struct hs_profile **estimate, struct hs_error *err)
{
  HS_TRY(read_estimate(c, rt->name, estimate, err));
  if (!rt->base) return HS_OK;
  struct hs_profile **next = &(*estimate)->next;
  HS_TRY(hs_catalog_profile(c, soc, rt->base, next, err));
  if (*next) next = &(*next)->next;
  return read_estimate(c, rt->base, next, err);
}

enum hs_status hs_catalog_estimate(struct hs_catalog *c, const char *soc, const struct hs_runtime *rt, struct hs_profile **estimate, struct hs_error *err)
{
  enum hs_status status = read_estimates(c, soc, rt, estimate, err);
  if (!status) return HS_OK;
  hs_profile_free(*estimate);
  *estimate = NULL;
  return status;
}

const struct hs_op_support *hs_catalog_table(void *catalog, const char *name, struct hs_error *err)
{
  struct hs_catalog *c = catalog;
  char path[TABLE_PATH];
  for (int i = 0; i < c->n_tables; i++)
    if (strcmp(hs_op_support_name(c->tables[i]), name) == 0) return c->tables[i];
  if (c->n_tables == (int)(sizeof c->tables / sizeof *c->tables)) {
    hs_fail(err, HS_INPUT, "more than %d operator-support tables in use", c->n_tables);
    return NULL;
  }
  bool found; /* reading tells where it isn't */
  if (find_table(c, name, path, &found, err) || hs_op_support_read(path, &c->tables[c->n_tables], err)) return NULL;
  const struct hs_op_support *t = c->tables[c->n_tables++];
  if (strcmp(hs_op_support_name(t), name) == 0) return t;
  const struct hs_place place = hs_op_support_name_place(t);
  hs_fail_at(err, HS_INPUT, path, place.line, place.column, "$.name", "\"%.60s\" is not \"%.60s\", as in the file's name", hs_op_support_name(t), name);
  return NULL;
}
