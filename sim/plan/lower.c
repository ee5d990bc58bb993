/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/lower.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "model/products.h"
#include "plan/chains.h"
#include "plan/emit.h"

/* Whose memory a place's copy of a tensor is: of the operators that are joined to another's kernel the result has no memory of its own. */
struct room {
  int owner;         /* tensor + 1 whose memory it is in; 0: its own */
  int sharers;       /* other tensors in its memory */
  double left_bytes; /* of its own, where it was given up before those; else 0 */
};

/* A range that a place needs of a tensor, or lacks. */
struct need {
  int tensor;
  struct hs_range range;
};

struct needs {
  int n, cap;
  struct need *at;
};

struct lower {
  const struct hs_system *sys;
  const struct hs_graph *g;
  const struct hs_placement *pl;
  int from, to;             /* operators [from, to) */
  int chain_first;          /* of the chain at hand: its first operator in the piece */
  struct hs_program *prog;
  struct hs_emitter emitter;
  struct hs_arena scratch;
  struct hs_copy *copies;   /* [tensor][place]; all CPUs share the host's place */
  struct hs_computed *computed; /* [op] */
  int *readers_left;        /* [tensor] */
  struct hs_deps *early;    /* [tensor]: its conversion for the host where that was enqueued early; else empty */
  int *born;                /* [tensor][place]: operator for which the copy came to be */
  struct room *rooms;       /* [tensor][place] */
  int n_accelerators, accelerators[HS_PROCESSORS_MAX]; /* by kind, so that their order in the SoC file changes nothing */
  double live_bytes, most_live_bytes, weight_bytes;
  struct needs lacking, lacking_at_host; /* of the fetch at hand */
  int n_moves, cap_moves;
  struct hs_move *moves;
};

static enum hs_kind kind_of(const struct lower *l, int p) { return l->sys->soc->processors[p].kind; }
static int place_of(const struct lower *l, int p) { return kind_of(l, p) == HS_CPU ? l->sys->host : p; }
static int index_of(const struct lower *l, int tensor, int place) { return tensor * l->sys->soc->n_processors + place; }
static struct hs_copy *copy_at(struct lower *l, int tensor, int place) { return &l->copies[index_of(l, tensor, place)]; }
static struct room *room_at(struct lower *l, int tensor, int place) { return &l->rooms[index_of(l, tensor, place)]; }

/* --- copies --- */

static void hold(struct lower *l, int tensor, int place, struct hs_range range, const struct hs_deps *ready)
{
  struct hs_copy *c = copy_at(l, tensor, place);
  double before = c->elements;
  if (before <= 0) l->born[index_of(l, tensor, place)] = l->emitter.op;
  hs_copy_hold(c, &l->scratch, &l->g->tensors[tensor].shape, range, ready);
  if (!room_at(l, tensor, place)->owner) l->live_bytes += hs_place_bytes(l->sys, place, c->elements - before);
  l->most_live_bytes = fmax(l->most_live_bytes, l->live_bytes);
}

static void free_memory(struct lower *l, int tensor, int place, double bytes)
{
  l->live_bytes -= bytes;
  HS_GROW(l->prog->buffers, l->prog->n_buffers, l->prog->cap_buffers);
  l->prog->buffers[l->prog->n_buffers++] = (struct hs_buffer){tensor, place, l->born[index_of(l, tensor, place)], l->emitter.op, bytes};
}

/* Memory is freed with the last tensor in it. */
static void release_at(struct lower *l, int tensor, int place)
{
  struct hs_copy *c = copy_at(l, tensor, place);
  struct room *own = room_at(l, tensor, place), *owner = own->owner ? room_at(l, own->owner - 1, place) : NULL;
  double bytes = hs_place_bytes(l->sys, place, c->elements);
  if (c->elements <= 0) return;
  *c = (struct hs_copy){0};
  if (!owner && own->sharers) own->left_bytes += bytes;
  if (!owner && !own->sharers) free_memory(l, tensor, place, bytes);
  if (owner && --owner->sharers == 0 && owner->left_bytes > 0) {
    free_memory(l, own->owner - 1, place, owner->left_bytes);
    owner->left_bytes = 0;
  }
  own->owner = 0;
}

static void release(struct lower *l, int tensor)
{
  for (int p = 0; p < l->sys->soc->n_processors; p++) release_at(l, tensor, p);
}

/* --- fetching --- */

/* Do the places hold r together? */
static bool together(struct lower *l, int tensor, struct hs_range r)
{
  for (int64_t next; r.begin < r.end; r.begin = next) {
    next = r.begin;
    for (int p = 0; p < l->sys->soc->n_processors && next < r.end; p++) {
      struct hs_range held = hs_copy_held(copy_at(l, tensor, p), r);
      if (held.begin == r.begin && held.end > next) next = held.end;
    }
    if (next == r.begin) return false;
  }
  return true;
}

static double elements_lacking(const struct hs_copy *c, const struct hs_shape *s, struct hs_range r)
{
  double sum = 0;
  for (struct hs_range gap; !hs_range_empty(gap = hs_copy_lacking(c, r)); r.begin = gap.end) sum += hs_range_elements(s, gap);
  return sum;
}

/* What a place that lacks some of `need` has to end up with: that, if it is a part which the places hold together in its own
 * dimension; else everything, along the dimension in which the place lacks least. There always is one: how the tensor was computed. */
static struct hs_range along(struct lower *l, struct need need, int place)
{
  const struct hs_shape *s = &l->g->tensors[need.tensor].shape;
  struct hs_range best = {HS_SPLIT_HEIGHT, 0, 0};
  double least = INFINITY;
  bool part = need.range.split != HS_SPLIT_NONE && need.range.end - need.range.begin < hs_shape_extent(s, need.range.split);
  if (part && together(l, need.tensor, need.range)) return need.range;
  for (enum hs_split split = HS_SPLIT_HEIGHT; split < HS_SPLIT_N; split++) {
    struct hs_range r = {split, 0, hs_shape_extent(s, split)};
    double lacking = elements_lacking(copy_at(l, need.tensor, place), s, r);
    if (lacking >= least || !together(l, need.tensor, r)) continue;
    least = lacking;
    best = r;
  }
  return best;
}

static void list_lacking(struct lower *l, struct need need, int place, struct needs *list)
{
  const struct hs_copy *own = copy_at(l, need.tensor, place);
  if (hs_copy_covers(own, need.range)) return;
  struct hs_range r = along(l, need, place);
  for (struct hs_range gap; !hs_range_empty(gap = hs_copy_lacking(own, r)); r.begin = gap.end) {
    HS_GROW(list->at, list->n, list->cap);
    list->at[list->n++] = (struct need){need.tensor, gap};
  }
}

static void add_move(struct lower *l, int tensor, struct hs_range range, int from)
{
  struct hs_move m = {tensor, range, hs_range_elements(&l->g->tensors[tensor].shape, range), l->early[tensor], l->early[tensor].newest[from] > 0};
  if (!m.early) hs_copy_ready(copy_at(l, tensor, from), range, &m.ready);
  HS_GROW(l->moves, l->n_moves, l->cap_moves);
  l->moves[l->n_moves++] = m;
}

/* Moves from one place to another what is lacking there and hasn't come from elsewhere. */
static void fetch_from(struct lower *l, int from, int to, const struct needs *lacking)
{
  l->n_moves = 0;
  for (int i = 0; i < lacking->n; i++) {
    int tensor = lacking->at[i].tensor;
    const struct hs_copy *source = copy_at(l, tensor, from), *own = copy_at(l, tensor, to);
    struct hs_range r = lacking->at[i].range;
    for (struct hs_range gap; !hs_range_empty(gap = hs_copy_lacking(own, r)); r.begin = gap.end)
      for (struct hs_range part = gap, held; !hs_range_empty(held = hs_copy_held(source, part)); part.begin = held.end)
        add_move(l, tensor, held, from);
  }
  if (l->n_moves == 0) return;
  hs_emit_crossing(&l->emitter, from, to, l->moves, l->n_moves);
  for (int i = 0; i < l->n_moves; i++) hold(l, l->moves[i].tensor, to, l->moves[i].range, &l->moves[i].ready);
}

/* Makes sure that `place` holds what it needs: what only other accelerators have goes to the host first. */
static void fetch(struct lower *l, int place, const struct need *needs, int n)
{
  int host = l->sys->host;
  l->lacking.n = l->lacking_at_host.n = 0;
  for (int i = 0; i < n; i++) {
    bool again = false; /* who reads a tensor twice reads the same of it */
    for (int k = 0; k < i; k++) again |= needs[k].tensor == needs[i].tensor;
    if (!again) list_lacking(l, needs[i], place, &l->lacking);
  }
  if (place != host)
    for (int i = 0; i < l->lacking.n; i++) list_lacking(l, l->lacking.at[i], host, &l->lacking_at_host);
  for (int k = 0; k < l->n_accelerators; k++)
    if (l->accelerators[k] != place) fetch_from(l, l->accelerators[k], host, place == host ? &l->lacking : &l->lacking_at_host);
  if (place != host) fetch_from(l, host, place, &l->lacking);
}

/* --- operators --- */

/* Brings the inputs of part k of operator i to its place. */
static void fetch_part(struct lower *l, int i, int k)
{
  const struct hs_operator *op = &l->g->ops[i];
  struct hs_range range = l->computed[i].range[k];
  struct need needs[HS_INPUTS_MAX];
  for (int n = 0; n < op->n_inputs; n++) needs[n] = (struct need){op->inputs[n], hs_input_range(l->g, op, n, range)};
  fetch(l, place_of(l, l->pl->ops[i].parts[k].processor), needs, op->n_inputs);
}

/* Of a frame before this one: stays in memory as weights do. */
static double kept_bytes(const struct lower *l, int tensor, int p, struct hs_range range)
{
  const struct hs_tensor *t = &l->g->tensors[tensor];
  if (t->kept == 0) return 0;
  return hs_place_bytes(l->sys, p, (double)t->kept * hs_range_elements(&t->shape, range) / (double)hs_shape_elements(&t->shape));
}

/* Of a part on p. What another part, elsewhere, reads or makes as well is written to memory: so is the Pad of a window that is cut. */
static enum hs_kernel_of kernel_of(const struct lower *l, int i, int p, int *joined)
{
  enum hs_kernel_of of = hs_placement_kernel_of(l->sys, l->g, l->pl, i, p, l->from, l->to, joined);
  if (of == HS_KERNEL_OWN && l->pl->ops[i].n_parts > 1) return HS_KERNEL_APART;
  return of == HS_KERNEL_JOINED && *joined != i && hs_placement_elsewhere(l->pl, i, p) ? HS_KERNEL_APART : of;
}

/* A remote graph gets all that it reads when it is invoked, also what only its later operators read. */
static void fetch_for_slice(struct lower *l, int first)
{
  const struct hs_op_placement *pl = &l->pl->ops[first];
  int end = first + 1;
  struct needs read = {0};
  if (pl->n_parts != 1 || pl->chain < 0 || !hs_kind_is_remote(kind_of(l, pl->parts[0].processor))) return;
  if (first != l->chain_first) return;
  while (end < l->to && hs_placement_chained(l->pl, end - 1)) end++;
  for (int i = first; i < end; i++)
    for (int n = 0; n < l->g->ops[i].n_inputs; n++) {
      int tensor = l->g->ops[i].inputs[n];
      if (l->g->tensors[tensor].producer >= first) continue;
      HS_GROW(read.at, read.n, read.cap);
      read.at[read.n++] = (struct need){tensor, hs_range_whole};
    }
  fetch(l, pl->parts[0].processor, read.at, read.n);
  free(read.at);
}

/* What an operator makes that is joined to a kernel of the same place is in the memory of its operand: an element-wise operator's is written in place of that
 * of the kernel before it, a Pad's by nobody, as the window that reads it goes over the border. */
static void share_memory(struct lower *l, int i, int place, int joined)
{
  const struct hs_operator *op = &l->g->ops[i];
  int operand = 0;
  if (copy_at(l, op->outputs[0], place)->elements > 0) return;
  while (joined < i && operand < op->n_inputs - 1 && l->g->tensors[op->inputs[operand]].producer != joined) operand++;
  int owner = op->inputs[operand];
  if (room_at(l, owner, place)->owner) owner = room_at(l, owner, place)->owner - 1;
  room_at(l, op->outputs[0], place)->owner = owner + 1;
  room_at(l, owner, place)->sharers++;
}

static double weights_of(const struct lower *l, const struct hs_operator *op, int p, struct hs_range range)
{
  struct hs_portion portion = hs_portion_of(l->sys, l->g, op, p, range, (struct hs_border){0, 0});
  double kept = hs_cost_kept_weights(l->sys, l->g, op, p, range), biases = op->at.bias ? (double)op->at.channels : 0;
  double params = kept > 0 && portion.runtime_rules->releases_weights ? biases : hs_products_params(portion.backend->kernel, l->g, op);
  return hs_place_bytes(l->sys, p, kept + portion.weight_share * params);
}

static void exec_part(struct lower *l, int i, int k)
{
  const struct hs_operator *op = &l->g->ops[i];
  const struct hs_part *part = &l->pl->ops[i].parts[k];
  struct hs_range range = l->computed[i].range[k];
  int p = part->processor, place = place_of(l, p), joined;
  enum hs_kernel_of of = kernel_of(l, i, p, &joined);
  struct hs_deps wait = {{0}};
  for (int n = 0; n < op->n_inputs; n++) hs_copy_ready(copy_at(l, op->inputs[n], place), hs_input_range(l->g, op, n, range), &wait);
  int chain = l->pl->ops[i].chain >= 0 ? l->chain_first : -1;
  struct hs_deps done = hs_emit_exec(&l->emitter, op, part, chain, range, l->computed[i].border[k], of, wait);
  l->weight_bytes += weights_of(l, op, p, range);
  if (of == HS_KERNEL_JOINED) share_memory(l, i, place, joined);
  for (int o = 0; o < op->n_outputs; o++) {
    l->weight_bytes += kept_bytes(l, op->outputs[o], p, range);
    hold(l, op->outputs[o], place, range, &done);
  }
}

static bool chain_goes_on(const struct lower *l, int i) { return i + 1 < l->to && hs_placement_chained(l->pl, i); }

/* A slice on an accelerator has ended with its results in the host's memory: the next one gets what it reads from there, as a driver keeps no tensor from one
 * invocation to the next (MOSAIC's Eq. 8 pays for both ends of every slice; NNAPI has memory domains from 1.3 on only). */
static void close_slice(struct lower *l, int place)
{
  for (int t = 0; t < l->g->n_tensors; t++)
    if (copy_at(l, t, l->sys->host)->whole) release_at(l, t, place);
}

/* What the operators [first, i] of a slice made for the host and somebody still reads; how many tensors. */
static int leaves_slice(const struct lower *l, int first, int i, struct need *needs)
{
  int n = 0;
  for (int k = first; k <= i; k++)
    for (int o = 0; o < l->g->ops[k].n_outputs && l->pl->ops[k].home == l->pl->ops[i].home; o++) {
      int tensor = l->g->ops[k].outputs[o];
      if (!l->readers_left[tensor]) continue;
      if (needs) needs[n] = (struct need){tensor, hs_range_whole};
      n++;
    }
  return n;
}

/* An invocation that ends with operator i hands over all its results at once. */
static void end_slice(struct lower *l, int i)
{
  struct need *needs = HS_NEW_ARRAY(&l->scratch, struct need, (size_t)leaves_slice(l, l->chain_first, i, NULL));
  fetch(l, l->sys->host, needs, leaves_slice(l, l->chain_first, i, needs));
  close_slice(l, l->pl->ops[i].parts[0].processor);
}

/* Brings a cut or displaced result together at its home. Where that is an accelerator, the tensor between operators is the accelerator's: what the
 * host computed is written into it and given up. Who needs it there later fetches it again, as CoDL's executor does for every operator or chain. */
static void bring_home(struct lower *l, int i)
{
  const struct hs_operator *op = &l->g->ops[i];
  const struct hs_op_placement *pl = &l->pl->ops[i];
  int home = pl->home >= 0 ? pl->home : pl->parts[0].processor;
  if (pl->home < 0 && pl->n_parts == 1) return;
  if (place_of(l, home) == l->sys->host && pl->chain >= 0 && pl->n_parts == 1 && kind_of(l, pl->parts[0].processor) != HS_CPU) {
    end_slice(l, i);
    return;
  }
  struct need needs[HS_INPUTS_MAX];
  for (int o = 0; o < op->n_outputs; o++) needs[o] = (struct need){op->outputs[o], hs_range_whole};
  fetch(l, place_of(l, home), needs, op->n_outputs);
  if (place_of(l, home) == l->sys->host) return;
  for (int o = 0; o < op->n_outputs; o++) release_at(l, op->outputs[o], l->sys->host);
}

static bool runs_on_host(const struct lower *l, const struct hs_op_placement *pl)
{
  for (int k = 0; k < pl->n_parts; k++)
    if (place_of(l, pl->parts[k].processor) == l->sys->host) return true;
  return false;
}

/* What the host fetched for its part, or for all of it, it gives up, too, where the accelerator has all of it: the next who reads it fetches it for itself. */
static void give_up_inputs(struct lower *l, int i)
{
  const struct hs_operator *op = &l->g->ops[i];
  const struct hs_op_placement *pl = &l->pl->ops[i];
  if (pl->home < 0 || place_of(l, pl->home) == l->sys->host || !runs_on_host(l, pl)) return;
  for (int n = 0; n < op->n_inputs; n++)
    if (l->g->tensors[op->inputs[n]].producer >= l->from && copy_at(l, op->inputs[n], pl->home)->whole) release_at(l, op->inputs[n], l->sys->host);
}

/* While the parts of a result are computed all of it has its place where they are to meet: nothing grows between kernels. */
static void make_room_at_home(struct lower *l, int i)
{
  const struct hs_operator *op = &l->g->ops[i];
  const struct hs_op_placement *pl = &l->pl->ops[i];
  int home = place_of(l, pl->home >= 0 ? pl->home : pl->parts[0].processor);
  double bytes = 0;
  for (int o = 0; o < op->n_outputs; o++) {
    double all = (double)hs_shape_elements(&l->g->tensors[op->outputs[o]].shape);
    bytes += hs_place_bytes(l->sys, home, all - copy_at(l, op->outputs[o], home)->elements);
  }
  l->most_live_bytes = fmax(l->most_live_bytes, l->live_bytes + bytes);
}

static void bring_early(struct lower *l, int i)
{
  const struct hs_operator *op = &l->g->ops[i];
  int p = l->pl->ops[i].parts[0].processor;
  for (int o = 0; o < op->n_outputs; o++) {
    struct hs_move m = {op->outputs[o], hs_range_whole, (double)hs_shape_elements(&l->g->tensors[op->outputs[o]].shape), {{0}}, false};
    hs_copy_ready(copy_at(l, m.tensor, p), m.range, &m.ready);
    l->early[m.tensor] = hs_emit_early(&l->emitter, p, &m);
  }
}

/* First the inputs of all parts move (a conversion on the GPU must not queue behind the GPU's own share), then the
 * accelerators' kernels are enqueued, then the CPU starts its share. */
static void lower_op(struct lower *l, int i)
{
  const struct hs_operator *op = &l->g->ops[i];
  const struct hs_op_placement *pl = &l->pl->ops[i];
  l->emitter.op = i;
  if (i == l->from || !hs_placement_chained(l->pl, i - 1)) l->chain_first = i;
  fetch_for_slice(l, i);
  for (int k = 0; k < pl->n_parts; k++)
    if (!hs_range_empty(l->computed[i].share[k])) fetch_part(l, i, k);
  for (int accelerators = 1; accelerators >= 0; accelerators--)
    for (int k = 0; k < pl->n_parts; k++)
      if ((kind_of(l, pl->parts[k].processor) != HS_CPU) == accelerators && !hs_range_empty(l->computed[i].share[k]))
        exec_part(l, i, k);
  bool ends = !chain_goes_on(l, i);
  if (ends && pl->n_parts > 1) make_room_at_home(l, i);
  give_up_inputs(l, i);
  if (ends) bring_home(l, i);
  if (pl->early) bring_early(l, i);
  for (int n = 0; n < op->n_inputs; n++)
    if (--l->readers_left[op->inputs[n]] == 0) release(l, op->inputs[n]);
  for (int o = 0; o < op->n_outputs; o++)
    if (l->readers_left[op->outputs[o]] == 0) release(l, op->outputs[o]); /* of a Split, what nobody wants */
  l->prog->n_fallback += pl->fallback;
}

static void list_accelerators(struct lower *l)
{
  for (int kind = HS_CPU + 1; kind < HS_KIND_N; kind++)
    for (int p = 0; p < l->sys->soc->n_processors; p++)
      if ((int)kind_of(l, p) == kind) l->accelerators[l->n_accelerators++] = p;
}

/* What the piece reads from before it (or the network's inputs) is in the host's memory. */
static void start_inputs(struct lower *l)
{
  const struct hs_deps none = {{0}};
  for (int t = 0; t < l->g->n_tensors; t++) l->readers_left[t] = l->g->tensors[t].n_consumers + l->g->tensors[t].is_output;
  for (int i = l->from; i < l->to; i++)
    for (int n = 0; n < l->g->ops[i].n_inputs; n++) {
      int t = l->g->ops[i].inputs[n];
      if (l->g->tensors[t].producer >= l->from || copy_at(l, t, l->sys->host)->whole) continue;
      hold(l, t, l->sys->host, hs_range_whole, &none);
      if (l->g->tensors[t].producer < 0) l->weight_bytes += kept_bytes(l, t, l->sys->host, hs_range_whole);
    }
}

/* And what is read after it (or is an output of the network) ends there. */
static void finish_outputs(struct lower *l)
{
  struct need needs[HS_INPUTS_MAX];
  int n = 0;
  l->emitter.op = l->to - 1;
  for (int i = l->from; i < l->to; i++)
    for (int o = 0; o < l->g->ops[i].n_outputs; o++) {
      int t = l->g->ops[i].outputs[o];
      if (l->readers_left[t] == 0) continue;
      if (n == HS_INPUTS_MAX) {
        fetch(l, l->sys->host, needs, n);
        n = 0;
      }
      needs[n++] = (struct need){t, hs_range_whole};
    }
  fetch(l, l->sys->host, needs, n);
  for (int t = 0; t < l->g->n_tensors; t++) release(l, t);
}

static enum hs_status fits_memory(const struct hs_program *p, struct hs_error *err)
{
  const struct hs_soc *soc = p->sys->soc;
  char a[32], b[32];
  if (p->peak_memory_bytes <= soc->memory.capacity_bytes) return HS_OK;
  return hs_fail(err, HS_INPUT, "%s needs %s of memory (weights and live tensors) under runtime %s, %s has %s", p->graph->name,
                 hs_si(p->peak_memory_bytes, "B", a, sizeof a), p->sys->runtime->name, soc->name, hs_si(soc->memory.capacity_bytes, "B", b, sizeof b));
}

enum hs_status hs_lower(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl,
                        struct hs_program **program, struct hs_error *err)
{
  return hs_lower_piece(sys, g, pl, 0, g->n_ops, program, err);
}

enum hs_status hs_lower_piece(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl, int from, int to,
                              struct hs_program **program, struct hs_error *err)
{
  struct lower l = {.sys = sys, .g = g, .pl = pl, .from = from, .to = to};
  l.prog = hs_realloc(NULL, 1, sizeof *l.prog);
  *l.prog = (struct hs_program){.sys = sys, .graph = g, .placement = pl, .from_op = from, .to_op = to, .n_ops = to - from};
  l.copies = HS_NEW_ARRAY(&l.scratch, struct hs_copy, (size_t)g->n_tensors * (size_t)sys->soc->n_processors);
  l.computed = HS_NEW_ARRAY(&l.scratch, struct hs_computed, (size_t)g->n_ops);
  l.rooms = HS_NEW_ARRAY(&l.scratch, struct room, (size_t)g->n_tensors * (size_t)sys->soc->n_processors);
  l.born = HS_NEW_ARRAY(&l.scratch, int, (size_t)g->n_tensors * (size_t)sys->soc->n_processors);
  l.readers_left = HS_NEW_ARRAY(&l.scratch, int, (size_t)g->n_tensors);
  l.early = HS_NEW_ARRAY(&l.scratch, struct hs_deps, (size_t)g->n_tensors);
  hs_emitter_open(&l.emitter, sys, g, l.prog);
  l.emitter.op = from;
  list_accelerators(&l);
  hs_chains_compute(sys, g, &pl->ops[from], from, to, &l.computed[from]);
  start_inputs(&l);
  for (int i = from; i < to; i++) lower_op(&l, i);
  finish_outputs(&l);
  hs_arena_free(&l.scratch);
  free(l.lacking.at);
  free(l.lacking_at_host.at);
  free(l.moves);
  l.prog->peak_memory_bytes = l.most_live_bytes + l.weight_bytes; /* a runtime loads all weights before it runs */
  hs_program_seal(l.prog);
  *program = l.prog;
  enum hs_status status = fits_memory(l.prog, err);
  if (!status) status = hs_program_ends(l.prog, err);
  if (!status) return HS_OK;
  hs_program_free(l.prog);
  *program = NULL;
  return status;
}

enum hs_status hs_lower_estimate(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl, int from, int to,
                                 struct hs_estimate *out, struct hs_error *err)
{
  struct hs_program *program;
  HS_TRY(hs_lower_piece(sys, g, pl, from, to, &program, err));
  hs_estimate_program(sys, program, out, NULL, NULL);
  hs_program_free(program);
  return HS_OK;
}
