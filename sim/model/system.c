/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* The precision that was asked for where both the runtime and the hardware have it; for a float model else the other float
 * that they have, as nobody has quantised it; else the runtime's first choice that the hardware has. */
static bool choose_precision(const struct hs_runtime *rt, const struct hs_processor *p, int wanted, enum hs_precision *out)
{
  const enum hs_precision *list = rt->backends[p->kind].precisions;
  bool is_float = wanted == HS_FP32 || wanted == HS_FP16;
  int best = 0;
  for (int i = 0; i < rt->backends[p->kind].n_precisions; i++) {
    int good = (int)list[i] == wanted ? 3 : is_float && list[i] != HS_INT8 ? 2 : 1;
    if (!hs_processor_computes(p, list[i]) || good <= best) continue;
    best = good;
    *out = list[i];
  }
  return best > 0;
}

/* Threads go to the cores with the highest peak first: domains are listed slowest first. */
static void place_threads(const struct hs_processor *p, int threads, struct hs_backend *b)
{
  int left = threads;
  for (int d = p->n_domains - 1; d >= 0; d--) {
    b->cores[d] = left < p->domains[d].cores ? left : p->domains[d].cores;
    left -= b->cores[d];
  }
  b->threads = threads;
}

/* A CPU of fewer cores than asked has all of its; one of the SoC's has as many. */
static enum hs_status check_threads(const struct hs_soc *soc, int threads, struct hs_error *err)
{
  int most = 0;
  for (int p = 0; p < soc->n_processors; p++) {
    int cores = hs_processor_cores(&soc->processors[p]);
    if (soc->processors[p].kind == HS_CPU && cores > most) most = cores;
  }
  if (threads == 0 || (threads >= 1 && threads <= most)) return HS_OK;
  return hs_fail(err, HS_USAGE, "--threads: %d is not in [1, %d]: no CPU processor of %s has more than %d cores", threads, most, soc->name, most);
}

static void choose_threads(const struct hs_processor *p, const struct hs_settings *s, struct hs_backend *b)
{
  int cores = hs_processor_cores(p), threads = s->threads ? s->threads : s->runtime->default_threads;
  place_threads(p, p->kind != HS_CPU ? 1 : threads < cores ? threads : cores, b);
}

/* " (it has mid, big)", of the CPUs among n processors. */
static void list_domains(const struct hs_processor *list, int n, char *out, size_t size)
{
  int used = 0, count = 0;
  for (int p = 0; p < n; p++)
    for (int d = 0; d < list[p].n_domains && list[p].kind == HS_CPU && (size_t)used < size; d++)
      used += snprintf(out + used, size - (size_t)used, "%s%.20s", count++ ? ", " : " (it has ", list[p].domains[d].name);
  if ((size_t)used < size) snprintf(out + used, size - (size_t)used, "%s", count ? ")" : "");
}

bool hs_backend_take_cores(struct hs_backend *b, const struct hs_processor *p, const char *list, char *why, size_t size)
{
  char name[64], digits[3], has[100];
  int cores[HS_DOMAINS_MAX] = {0}, threads = 0;
  for (const char *s = list; *s || !threads;) {
    int used = 0, d = 0;
    if (sscanf(s, "%63[^:+]:%2[0-9]%n", name, digits, &used) != 2 || atoi(digits) < 1 || (s[used] && s[used] != '+') || (s[used] && !s[used + 1]))
      return snprintf(why, size, "\"%.60s\" is not domain:number+domain:number…", list), false;
    while (d < p->n_domains && strcmp(p->domains[d].name, name) != 0) d++;
    if (d == p->n_domains) {
      list_domains(p, 1, has, sizeof has);
      return snprintf(why, size, "%s has no domain \"%.40s\"%s", p->name, name, has), false;
    }
    if (cores[d]) return snprintf(why, size, "\"%.40s\" is there twice", name), false;
    cores[d] = atoi(digits);
    if (cores[d] > p->domains[d].cores) return snprintf(why, size, "%d of %s, which has %d", cores[d], name, p->domains[d].cores), false;
    threads += cores[d];
    s += used + (s[used] == '+');
  }
  memcpy(b->cores, cores, sizeof b->cores);
  b->threads = threads;
  b->cores_list = list;
  return true;
}

/* Which processor is meant its first domain says: those of a SoC have different names. */
static enum hs_status choose_cores(struct hs_system *sys, const struct hs_settings *s, struct hs_error *err)
{
  char why[240], has[100];
  if (!s->cores) return HS_OK;
  if (s->threads) return hs_fail(err, HS_USAGE, "--cores and --threads are both given");
  size_t n = strcspn(s->cores, ":+");
  for (int p = 0; p < sys->soc->n_processors; p++)
    for (int d = 0; d < sys->soc->processors[p].n_domains; d++) {
      const struct hs_processor *proc = &sys->soc->processors[p];
      if (proc->kind != HS_CPU || strlen(proc->domains[d].name) != n || strncmp(proc->domains[d].name, s->cores, n) != 0) continue;
      if (!hs_backend_take_cores(&sys->backends[p], proc, s->cores, why, sizeof why)) return hs_fail(err, HS_USAGE, "--cores: %s", why);
      return HS_OK;
    }
  list_domains(sys->soc->processors, sys->soc->n_processors, has, sizeof has);
  return hs_fail(err, HS_USAGE, "--cores: no CPU of %s has a domain \"%.*s\"%s", sys->soc->name, n < 40 ? (int)n : 40, s->cores, has);
}

/* The SoC's own table for a runtime, or NULL; `runtime` may be NULL. */
static const char *table_for(const struct hs_processor *p, const char *runtime)
{
  for (int i = 0; i < p->n_op_support; i++)
    if (runtime && strcmp(p->op_support[i].runtime, runtime) == 0) return p->op_support[i].table;
  return NULL;
}

static enum hs_status choose_table(const struct hs_processor *p, const struct hs_runtime *rt, const struct hs_system_files *f,
                                   struct hs_backend *b, struct hs_error *err)
{
  const char *name = table_for(p, rt->name);
  if (!name) name = table_for(p, rt->base);
  if (!name) name = rt->backends[p->kind].table[b->memory_type];
  b->support = f->table(f->state, name, err);
  return b->support ? HS_OK : err->status;
}

/* Has the runtime kernels for this memory, or is there nothing that it has for such a processor at all? A table of the SoC's own brings none. */
static bool suits(const struct hs_processor *p, const struct hs_runtime *rt, enum hs_memory_type type)
{
  const struct hs_runtime_backend *b = &rt->backends[p->kind];
  return !b->present || b->table[type];
}

/* The one that is asked for, else the first that the SoC's file names and the runtime has kernels for. */
static enum hs_status choose_memory_type(const struct hs_processor *p, const struct hs_runtime *rt, int asked, struct hs_backend *b, struct hs_error *err)
{
  bool there = asked < 0 || p->kind != HS_GPU;
  b->memory_type = HS_BUFFER;
  if (p->kind == HS_GPU) b->memory_type = p->memory_types[0];
  for (int i = p->n_memory_types - 1; i >= 0; i--) {
    enum hs_memory_type type = p->memory_types[i];
    if (asked < 0 ? !suits(p, rt, type) : (int)type != asked) continue;
    b->memory_type = type;
    there = true;
  }
  return there ? HS_OK : hs_fail(err, HS_USAGE, "--memory-type: the GPU of this SoC has no OpenCL %s memory", hs_memory_type_names[asked]);
}

static const struct hs_kernel *find_kernel(const struct hs_system_files *f, const struct hs_processor *p, enum hs_precision precision,
                                           enum hs_memory_type type)
{
  const struct hs_kernel *own = f->own ? hs_profile_find(f->own, p, precision, type) : NULL;
  return own ? own : hs_profile_find(f->estimate, p, precision, type);
}

void hs_backend_take_kernel(struct hs_backend *b, const struct hs_processor *p, const struct hs_kernel *kernel)
{
  b->kernel = kernel;
  for (int d = 0; d < p->n_domains; d++) b->core_factors[d] = kernel ? hs_kernel_find_core(kernel, p->domains[d].core_type) + 1 : 0;
}

/* A type that none of its clusters has is a slip in a profile of this SoC, and nothing would tell; one for all SoCs has others' types, too. */
static enum hs_status check_cores(const struct hs_profile *own, const struct hs_backend *b, const struct hs_processor *p, struct hs_error *err)
{
  char place[60];
  for (int i = 0; i < HS_CORE_TYPES_MAX && b->kernel->core_factors[i].type; i++) {
    bool there = false;
    for (int d = 0; d < p->n_domains; d++) there |= b->core_factors[d] == i + 1;
    if (there) continue;
    snprintf(place, sizeof place, "$.kernels[%d].core_factors", (int)(b->kernel - own->kernels));
    return hs_fail_at(err, HS_INPUT, own->file, 0, 0, place, "no core of %s is a \"%s\"", p->name, b->kernel->core_factors[i].type);
  }
  return HS_OK;
}

static enum hs_status make_backend(struct hs_system *sys, int p, const struct hs_settings *s, const struct hs_system_files *f,
                                   struct hs_error *err)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  struct hs_backend *b = &sys->backends[p];
  for (int d = 0; d < proc->n_domains; d++) b->opp[d] = proc->domains[d].n_opps - 1;
  choose_threads(proc, s, b);
  HS_TRY(choose_memory_type(proc, s->runtime, s->memory_type, b, err));
  if (!s->runtime->backends[proc->kind].present || !suits(proc, s->runtime, b->memory_type)) return HS_OK;
  if (!choose_precision(s->runtime, proc, s->precision, &b->precision)) return HS_OK;
  b->available = true;
  HS_TRY(choose_table(proc, s->runtime, f, b, err));
  hs_backend_take_kernel(b, proc, find_kernel(f, proc, b->precision, b->memory_type));
  for (int i = 0; i < proc->n_memory_types; i++)
    if (proc->memory_types[i] == HS_IMAGE) b->image_kernel = find_kernel(f, proc, b->precision, HS_IMAGE);
  if (!b->kernel)
    return hs_fail(err, HS_INPUT, "no kernel profile for %s, %s, %s, %s", s->runtime->name, proc->name,
                   hs_precision_names[b->precision], hs_memory_type_names[b->memory_type]);
  const struct hs_profile *own = hs_profile_of(f->own, b->kernel);
  if (own) HS_TRY(check_cores(own, b, proc, err));
  b->basis = hs_profile_basis(own ? own : hs_profile_of(f->estimate, b->kernel), b->kernel, proc);
  if (proc->kind == HS_CPU) b->spin_s = b->kernel->spin_s < 0 ? s->runtime->spin_s : b->kernel->spin_s;
  return HS_OK;
}

/* --- frequency --- */

struct frequencies {
  struct hs_system *sys;
  unsigned named[HS_SCOPE_N];
};

/* As with --governor, what names a domain most closely counts, wherever in the list that stands. */
static enum hs_status set_frequency(void *state, const char *where, const char *value, struct hs_error *err)
{
  struct frequencies *f = state;
  const struct hs_soc *soc = f->sys->soc;
  enum hs_scope scope;
  char why[HS_NO_OPP];
  unsigned mask = hs_soc_domains(soc, where, &scope);
  bool again = f->named[scope] & mask;
  unsigned set = hs_soc_name_domains(f->named, mask, scope);
  if (!mask) return hs_soc_no_place(soc, "frequency", where, true, err);
  for (int p = 0; p < soc->n_processors; p++)
    for (int d = 0; d < soc->processors[p].n_domains; d++) {
      if (!(mask & hs_soc_domain_bit(p, d))) continue;
      int opp = hs_processor_find_opp(&soc->processors[p], d, value, why);
      if (opp < 0) return hs_fail(err, HS_USAGE, "--frequency: %s", why);
      if (set & hs_soc_domain_bit(p, d)) f->sys->backends[p].opp[d] = opp;
    }
  if (again) return hs_fail(err, HS_USAGE, "--frequency: %.60s is named twice", where ? where : "a frequency of all processors");
  f->sys->clocks_asked |= mask;
  return HS_OK;
}

static enum hs_status set_frequencies(struct hs_system *sys, const char *list, struct hs_error *err)
{
  struct frequencies f = {.sys = sys};
  return list ? hs_each_setting("frequency", list, set_frequency, &f, err) : HS_OK;
}

/* --- limits of the GPU's kernels --- */

enum hs_status hs_system_no_gpu_limits(const char *option, const struct hs_runtime *runtime, struct hs_error *err)
{
  struct hs_text can = {0};
  for (int i = 0; i < hs_n_runtimes; i++)
    if (hs_runtimes[i].limits_gpu) hs_text_addf(&can, "%s--runtime=%s", can.len ? " or " : "", hs_runtimes[i].name);
  const char *rest = can.s ? can.s : "none";
  if (runtime)
    hs_fail(err, HS_USAGE, "--%s: runtime %s can't do that; %s can", option, runtime->name, rest);
  else
    hs_fail(err, HS_USAGE, "--%s: none of the networks' runtimes can do that; %s can", option, rest);
  hs_text_free(&can);
  return err->status;
}

/* The range is for callers that read no command line, which refuses the text as it was written. */
static enum hs_status check_limit(const struct hs_system *sys, const char *option, double value, const char *min, double max, struct hs_error *err)
{
  if (!(value >= 0 && value <= max)) return hs_fail(err, HS_USAGE, "--%s: %g is not in %s, %g]", option, value, min, max);
  if (value > 0 && !sys->runtime->limits_gpu) return hs_system_no_gpu_limits(option, sys->runtime, err);
  if (value > 0 && hs_soc_first(sys->soc, HS_GPU) < 0) return hs_fail(err, HS_USAGE, "--%s: %s has no GPU", option, sys->soc->name);
  return HS_OK;
}

/* A launch can't be shorter than a kernel's start-up. */
static enum hs_status limit_kernels(struct hs_system *sys, int p, const struct hs_settings *s, struct hs_error *err)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  struct hs_backend *b = &sys->backends[p];
  char asked[32], least[32];
  if (proc->kind != HS_GPU || !b->available) return HS_OK;
  double hz = proc->domains[0].opps[b->opp[0]].freq_hz, start_s = b->kernel->overhead_cycles / hz;
  b->kernel_s = s->gpu_kernel_s;
  b->window = s->gpu_window;
  if (b->kernel_s == 0 || b->kernel_s > start_s) return HS_OK;
  return hs_fail(err, HS_USAGE, "--gpu-kernel-time: %s is not longer than the %s that a kernel takes to start on %s at %g MHz",
                 hs_si(b->kernel_s, "s", asked, sizeof asked), hs_si(start_s, "s", least, sizeof least), proc->name, hz / 1e6);
}

static enum hs_status limit_gpu(struct hs_system *sys, const struct hs_settings *s, struct hs_error *err)
{
  HS_TRY(check_limit(sys, "gpu-kernel-time", s->gpu_kernel_s, "(0", HS_GPU_KERNEL_MAX_S, err));
  HS_TRY(check_limit(sys, "gpu-window", s->gpu_window, "[1", HS_GPU_WINDOW_MAX, err));
  for (int p = 0; p < sys->soc->n_processors; p++) HS_TRY(limit_kernels(sys, p, s, err));
  return HS_OK;
}

enum hs_status hs_system_make(struct hs_system *sys, const struct hs_soc *soc, const struct hs_settings *settings,
                              const struct hs_system_files *files, struct hs_error *err)
{
  *sys = (struct hs_system){.soc = soc, .runtime = settings->runtime, .host = 0, .traffic = 1};
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) sys->leakage[p] = 1;
  HS_TRY(check_threads(soc, settings->threads, err));
  for (int p = 0; p < soc->n_processors; p++) HS_TRY(make_backend(sys, p, settings, files, err));
  HS_TRY(choose_cores(sys, settings, err));
  HS_TRY(set_frequencies(sys, settings->frequency, err));
  return limit_gpu(sys, settings, err);
}

double hs_system_lane_bytes_per_s(const struct hs_system *sys, int p)
{
  return hs_processor_lane_bytes_per_s(&sys->soc->processors[p], sys->backends[p].cores);
}

void hs_system_lacks(const struct hs_system *sys, int p, char *why, size_t size)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  const struct hs_runtime_backend *rt = &sys->runtime->backends[proc->kind];
  char wants[32] = "", has[32] = "";
  size_t n = 0, m = 0;
  for (int i = 0; i < rt->n_precisions; i++) n += (size_t)snprintf(wants + n, sizeof wants - n, "%s%s", n ? " or " : "", hs_precision_names[rt->precisions[i]]);
  for (int i = 0; i < HS_PRECISION_N; i++)
    if (hs_processor_computes(proc, (enum hs_precision)i)) m += (size_t)snprintf(has + m, sizeof has - m, "%s%s", m ? " and " : "", hs_precision_names[i]);
  if (rt->present && !suits(proc, sys->runtime, sys->backends[p].memory_type))
    snprintf(why, size, "runtime %s has no kernels for the %s's %s memory", sys->runtime->name, hs_kind_names[proc->kind],
             hs_memory_type_names[sys->backends[p].memory_type]);
  else if (rt->present)
    snprintf(why, size, "runtime %s computes in %s on the %s, which has %s only", sys->runtime->name, wants, hs_kind_names[proc->kind], has);
  else
    snprintf(why, size, "runtime %s has no code for the %s", sys->runtime->name, hs_kind_names[proc->kind]);
}

enum hs_status hs_system_refuse(const struct hs_system *sys, int p, const char *policy, struct hs_error *err)
{
  const struct hs_processor *proc = &sys->soc->processors[p];
  char why[160], place[64];
  if (!sys->runtime->backends[proc->kind].present)
    return hs_fail(err, HS_USAGE, "policy %s: runtime %s has no code for the %s of %s", policy, sys->runtime->name, proc->name, sys->soc->name);
  hs_system_lacks(sys, p, why, sizeof why);
  if (!suits(proc, sys->runtime, sys->backends[p].memory_type)) return hs_fail(err, HS_USAGE, "policy %s: %s", policy, why);
  snprintf(place, sizeof place, "$.processors[%d].domains[].macs_per_cycle", p);
  return hs_fail_at(err, HS_INPUT, sys->soc->file, 0, 0, place, "policy %s: %s", policy, why);
}

bool hs_system_supports(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, char *why,
                        size_t size)
{
  const struct hs_backend *b = &sys->backends[p];
  enum hs_kind kind = sys->soc->processors[p].kind;
  if (!b->available) {
    if (why) hs_system_lacks(sys, p, why, size);
    return false;
  }
  return hs_op_supported_on(b->support, kind, g, op, 8 * hs_precision_bytes(b->precision), why, size);
}
