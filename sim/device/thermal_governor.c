/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device/thermal_governor.h"

#include <limits.h>
#include <math.h>
#include <string.h>

const char *const hs_thermal_governor_names[HS_THERMAL_GOVERNOR_N + 1] = {"none", "step_wise", "power_allocator", "soc", NULL};

static int top_level(const struct hs_soc *soc, int p) { return hs_processor_fastest(&soc->processors[p])->n_opps - 1; }

static bool lists(const struct hs_trip *trip, int p) { return trip->processors >> p & 1; }

void hs_thermal_governor_open(struct hs_thermal_governor *g, const struct hs_soc *soc, enum hs_thermal_governor_kind kind, double sustainable_w)
{
  *g = (struct hs_thermal_governor){.soc = soc, .kind = kind, .sustainable_w = sustainable_w};
  for (int p = 0; p < soc->n_processors; p++) g->cap[p] = g->allowed[p] = top_level(soc, p);
  for (int i = 0; i < soc->thermal.n_nodes; i++) g->last_mc[i] = LONG_MIN;
}

struct hs_thermal_use hs_thermal_use_at(const struct hs_soc *soc, int p, double part, int level)
{
  const struct hs_processor *proc = &soc->processors[p];
  struct hs_thermal_use use = {.level = {0}};
  for (int d = 0; d < proc->n_domains; d++) {
    use.cores[d] = part * proc->domains[d].cores;
    use.level[d] = hs_processor_opp(proc, d, level);
  }
  return use;
}

static double use_w(const struct hs_soc *soc, int p, const struct hs_thermal_use *use)
{
  const struct hs_processor *proc = &soc->processors[p];
  double w = 0;
  for (int d = 0; d < proc->n_domains; d++) w += use->cores[d] * proc->domains[d].opps[use->level[d]].dynamic_w;
  return w;
}

double hs_thermal_level_w(const struct hs_soc *soc, int p, int level)
{
  const struct hs_thermal_use all = hs_thermal_use_at(soc, p, 1, level);
  return use_w(soc, p, &all);
}

/* The deepest state that any trip asks of p is the one it has. */
static void apply(struct hs_thermal_governor *g, int p)
{
  int deepest = 0;
  for (int k = 0; k < g->soc->thermal.n_trips; k++)
    if (g->state[k][p] > deepest) deepest = g->state[k][p];
  g->allowed[p] = top_level(g->soc, p) - deepest;
}

static void step_wise(struct hs_thermal_governor *g, int k, bool rising, bool dropping)
{
  const struct hs_trip *trip = &g->soc->thermal.trips[k];
  for (int p = 0; p < g->soc->n_processors; p++) {
    if (!lists(trip, p)) continue;
    int top = top_level(g->soc, p), now = top - g->allowed[p];
    if (g->reached[k] && rising) g->state[k][p] = now < top ? now + 1 : top;
    if (!g->reached[k] && dropping && g->state[k][p] > 0) g->state[k][p] = now > 0 ? now - 1 : 0;
    apply(g, p); /* before the next trip: two trips reached make two steps */
  }
}

/* --- power_allocator --- */

/* The first and the last passive trip of a node, the same one if there is only one; -1: none. */
static void find_trips(const struct hs_thermal *net, int node, int *first, int *last)
{
  *first = *last = -1;
  for (int k = 0; k < net->n_trips; k++)
    if (net->trips[k].node == node && net->trips[k].type == HS_TRIP_PASSIVE) {
      if (*first < 0) *first = k;
      *last = k;
    }
}

static double sustainable_w(const struct hs_thermal_governor *g, const struct hs_trip *target)
{
  double w = 0;
  if (g->sustainable_w > 0) return g->sustainable_w;
  if (g->soc->thermal.zones[target->node].sustainable_w > 0) return g->soc->thermal.zones[target->node].sustainable_w;
  for (int p = 0; p < g->soc->n_processors; p++)
    if (lists(target, p)) w += hs_thermal_level_w(g->soc, p, 0);
  return w;
}

/* What the processors of the target trip may draw together. `on_c`: the switch-on trip, 0 C without one. */
static double budget_w(struct hs_thermal_governor *g, const struct hs_trip *target, double on_c, double temperature_c, double most_w)
{
  const struct hs_zone *z = &g->soc->thermal.zones[target->node];
  double sustainable = sustainable_w(g, target), error = target->temperature_c - temperature_c, *sum = &g->error_sum_k[target->node];
  double per_k = sustainable / (target->temperature_c - on_c);
  double k_po = z->k_po_w_per_k > 0 ? z->k_po_w_per_k : per_k, k_pu = z->k_pu_w_per_k > 0 ? z->k_pu_w_per_k : 2 * per_k;
  double k_i = z->k_i_w_per_k > 0 ? z->k_i_w_per_k : k_pu / 10;
  if (error < 0 && fabs(k_i * (*sum + error)) < most_w) *sum += error;
  double w = sustainable + (error < 0 ? k_po : k_pu) * error + k_i * *sum;
  return fmin(fmax(w, 0), most_w);
}

static void share_out(double budget, int n, const double *asked, const double *most, double *granted)
{
  double total = 0, spare = 0, room = 0;
  for (int i = 0; i < n; i++) total += asked[i];
  for (int i = 0; i < n; i++) {
    granted[i] = total > 0 ? budget * asked[i] / total : 0;
    if (granted[i] > most[i]) {
      spare += granted[i] - most[i];
      granted[i] = most[i];
    }
    room += most[i] - granted[i];
  }
  if (!(spare > 0 && room > 0)) return;
  double part = fmin(spare, room) / room;
  for (int i = 0; i < n; i++) granted[i] += part * (most[i] - granted[i]);
}

/* What the same cores would take at a level of the processor. Linux takes a load of 0 for 1 % of one core. */
static double use_at_level_w(const struct hs_soc *soc, int p, const struct hs_thermal_use *use, int level)
{
  const double least = .01;
  int cores = hs_processor_cores(&soc->processors[p]);
  struct hs_thermal_use at = hs_thermal_use_at(soc, p, least / cores, level);
  double busy = 0;
  for (int d = 0; d < HS_DOMAINS_MAX; d++) busy += use->cores[d];
  if (busy > least) memcpy(at.cores, use->cores, sizeof at.cores);
  return use_w(soc, p, &at);
}

/* What is lacking of a level's power because a grant was divided and put together again doesn't count: who is granted all that it asked for keeps its
 * level. */
static int affordable(const struct hs_soc *soc, int p, double granted_w, const struct hs_thermal_use *use)
{
  int level = top_level(soc, p);
  while (level > 0 && use_at_level_w(soc, p, use, level) > granted_w * (1 + 1e-9)) level--;
  return level;
}

static void allocate(struct hs_thermal_governor *g, int target, double on_c, double temperature_c, const struct hs_thermal_use *use)
{
  const struct hs_trip *trip = &g->soc->thermal.trips[target];
  double asked[HS_PROCESSORS_MAX], most[HS_PROCESSORS_MAX], granted[HS_PROCESSORS_MAX], all = 0;
  int n = 0, who[HS_PROCESSORS_MAX];
  for (int p = 0; p < g->soc->n_processors; p++) {
    if (!lists(trip, p)) continue;
    asked[n] = use_w(g->soc, p, &use[p]);
    most[n] = hs_thermal_level_w(g->soc, p, top_level(g->soc, p));
    all += most[n];
    who[n++] = p;
  }
  share_out(budget_w(g, trip, on_c, temperature_c, all), n, asked, most, granted);
  for (int i = 0; i < n; i++) g->state[target][who[i]] = top_level(g->soc, who[i]) - affordable(g->soc, who[i], granted[i], &use[who[i]]);
}

static void power_allocator(struct hs_thermal_governor *g, int node, long mc, const struct hs_thermal_use *use)
{
  const struct hs_thermal *net = &g->soc->thermal;
  int first, last;
  find_trips(net, node, &first, &last);
  if (first < 0) return;
  if (first != last && mc < lround(net->trips[first].temperature_c * 1000)) {
    g->error_sum_k[node] = 0;
    memset(g->state[last], 0, sizeof g->state[last]);
  } else {
    allocate(g, last, first == last ? 0 : net->trips[first].temperature_c, mc / 1000., use);
  }
  for (int p = 0; p < g->soc->n_processors; p++) apply(g, p);
}

/* Between two OPPs it steps up and down as evenly as polls allow, the mean frequency being the cap. */
static int vendor_level(struct hs_thermal_governor *g, int k)
{
  const struct hs_vendor_cap *v = &g->soc->thermal.vendor_caps[k];
  g->vendor_due[k] += v->above_frac;
  if (g->vendor_due[k] < .5) return v->level;
  g->vendor_due[k] -= 1;
  return v->level + 1;
}

/* On top of the governor: the lowest of what both allow. */
static void vendor(struct hs_thermal_governor *g, const struct hs_thermal_model *t)
{
  const struct hs_thermal *net = &g->soc->thermal;
  for (int p = 0; p < g->soc->n_processors; p++) g->cap[p] = g->allowed[p];
  for (int k = 0; k < net->n_vendor_caps && g->kind != HS_THERMAL_NONE; k++) {
    const struct hs_vendor_cap *v = &net->vendor_caps[k];
    g->vendor[k] = t->temperature_c[v->node] >= v->temperature_c - (g->vendor[k] ? v->hysteresis_c : 0);
    if (!g->vendor[k]) continue;
    int level = vendor_level(g, k);
    if (g->cap[v->processor] > level) g->cap[v->processor] = level;
  }
}

static enum hs_thermal_governor_kind kind_at(const struct hs_soc *soc, enum hs_thermal_governor_kind kind, int node)
{
  if (kind != HS_THERMAL_SOC) return kind;
  return soc->thermal.zones[node].power_allocator ? HS_POWER_ALLOCATOR : HS_STEP_WISE;
}

int hs_thermal_steps_held(const struct hs_soc *soc, enum hs_thermal_governor_kind kind, int node, double c, int p)
{
  int n = 0;
  for (int k = 0; k < soc->thermal.n_trips && kind_at(soc, kind, node) == HS_STEP_WISE; k++) {
    const struct hs_trip *trip = &soc->thermal.trips[k];
    n += trip->node == node && trip->type == HS_TRIP_PASSIVE && lists(trip, p) && c >= trip->temperature_c;
  }
  return n < top_level(soc, p) ? n : top_level(soc, p);
}

bool hs_thermal_always_on(const struct hs_soc *soc, enum hs_thermal_governor_kind kind, int node)
{
  int first, last;
  find_trips(&soc->thermal, node, &first, &last);
  return first >= 0 && first == last && kind_at(soc, kind, node) == HS_POWER_ALLOCATOR;
}

static void mean_loads(struct hs_thermal_looked *since, int n, struct hs_thermal_use *use)
{
  for (int p = 0; p < n; p++)
    for (int d = 0; d < HS_DOMAINS_MAX; d++) use[p].cores[d] = since->cores_sum[p][d] / since->polls;
  *since = (struct hs_thermal_looked){.polls = 0};
}

/* One look of a node's governor, the one before it some polls ago. */
static void look(struct hs_thermal_governor *g, int node, long mc, const struct hs_thermal_use *now)
{
  struct hs_thermal_use use[HS_PROCESSORS_MAX];
  memcpy(use, now, (size_t)g->soc->n_processors * sizeof *use);
  mean_loads(&g->since[node], g->soc->n_processors, use);
  const struct hs_thermal *net = &g->soc->thermal;
  enum hs_thermal_governor_kind kind = kind_at(g->soc, g->kind, node);
  long before = g->last_mc[node];
  for (int k = 0; k < net->n_trips; k++) {
    if (net->trips[k].node != node) continue;
    long at = lround(net->trips[k].temperature_c * 1000), until = at - lround(net->trips[k].hysteresis_c * 1000);
    g->reached[k] = mc >= (g->reached[k] ? until : at);
    if (kind == HS_STEP_WISE && net->trips[k].type == HS_TRIP_PASSIVE) step_wise(g, k, mc > before, mc < before);
  }
  if (kind == HS_POWER_ALLOCATOR) power_allocator(g, node, mc, use);
  g->last_mc[node] = mc;
}

/* Has it come to the temperature at which the device shuts down? */
static bool too_hot(const struct hs_thermal *net, int node, double c)
{
  for (int k = 0; k < net->n_trips; k++)
    if (net->trips[k].node == node && net->trips[k].type == HS_TRIP_CRITICAL && lround(c * 1000) >= lround(net->trips[k].temperature_c * 1000)) return true;
  return c > HS_TEMPERATURE_MAX_C;
}

int hs_thermal_govern(struct hs_thermal_governor *g, const struct hs_thermal_model *t, const struct hs_thermal_use *use)
{
  const struct hs_thermal *net = &g->soc->thermal;
  int down = -1;
  for (int i = 0; i < net->n_nodes; i++) {
    long every = (long)ceil(net->zones[i].period_s / HS_THERMAL_PERIOD_S - 1e-9);
    g->since[i].polls++;
    for (int p = 0; p < g->soc->n_processors; p++)
      for (int d = 0; d < HS_DOMAINS_MAX; d++) g->since[i].cores_sum[p][d] += use[p].cores[d];
    if (g->polls % (every > 1 ? every : 1) == 0) look(g, i, lround(t->temperature_c[i] * 1000), use);
    if (down < 0 && too_hot(net, i, t->temperature_c[i])) down = i;
  }
  g->polls++;
  vendor(g, t);
  return down;
}
