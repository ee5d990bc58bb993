/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structured channel pruning. Which tensors must keep the same channels is a matter of the operators between them: sets of such
 * tensors are joined first (as in DepGraph: Fang et al., CVPR 2023, Sec. 3), then each set that a convolution makes is scaled.
 * A tensor whose channels are those of several others, one after the other (Concat, Split, SpaceToDepth, a flattening Reshape),
 * is made of parts: how many channels it keeps follows from them. What an operator needs whole keeps all. */
#include <stdio.h>
#include <stdlib.h>

#include "model/range.h"
#include "plan/pass.h"

/* `whole` has the channels of the parts, one after the other. */
struct parts {
  int whole, n;
  const int *tensors;
  bool split; /* that is what it is cut into: who makes it makes them, too */
};

struct set {
  bool fixed;     /* keeps all: an input or an output of the network is among them, or what an operator needs whole */
  bool made;      /* by a convolution */
  int64_t group;  /* channels of a group of the convolutions around, which go together; 1: of none */
  int64_t kept;   /* 0: not known yet */
};

struct prune {
  const struct hs_graph *g;
  struct hs_arena scratch;
  double width;
  int *parent;      /* [tensor]: union-find */
  struct set *sets; /* [tensor], valid at roots */
  int n_parts, cap_parts;
  struct parts *parts;
  char *why;
  size_t size;
};

static int64_t channels_of(const struct prune *p, int tensor) { return hs_shape_channels(&p->g->tensors[tensor].shape); }

static int root(struct prune *p, int tensor)
{
  while (p->parent[tensor] != tensor) tensor = p->parent[tensor] = p->parent[p->parent[tensor]];
  return tensor;
}

/* An operator can't do with fewer channels of it, or makes as many whatever it is given. */
static void keep(struct prune *p, int tensor) { p->sets[root(p, tensor)].fixed = true; }

/* Of its operands and its result. */
static void keep_all(struct prune *p, const struct hs_operator *op)
{
  for (int k = 0; k < op->n_inputs; k++) keep(p, op->inputs[k]);
  for (int k = 0; k < op->n_outputs; k++) keep(p, op->outputs[k]);
}

/* a and b keep the same channels from now on. True if that is news. */
static bool join(struct prune *p, int a, int b)
{
  a = root(p, a);
  b = root(p, b);
  if (a == b) return false;
  struct set *into = &p->sets[a], *from = &p->sets[b];
  p->parent[b] = a;
  into->fixed |= from->fixed;
  into->made |= from->made;
  into->group = hs_least_multiple(into->group, from->group);
  return true;
}

static void made_of(struct prune *p, int whole, const int *tensors, int n, bool split)
{
  if (n == 1) {
    join(p, whole, tensors[0]);
    return;
  }
  HS_GROW(p->parts, p->n_parts, p->cap_parts);
  p->parts[p->n_parts++] = (struct parts){whole, n, tensors, split};
}

/* Of one tensor, several times. */
static void made_of_copies(struct prune *p, int whole, int tensor)
{
  int64_t n = channels_of(p, whole) / channels_of(p, tensor);
  int *tensors = HS_NEW_ARRAY(&p->scratch, int, (size_t)n);
  for (int64_t k = 0; k < n; k++) tensors[k] = tensor;
  made_of(p, whole, tensors, (int)n, false);
}

/* --- what each operator asks --- */

static void link_conv(struct prune *p, int i)
{
  const struct hs_operator *op = &p->g->ops[i];
  int in = op->inputs[0], out = op->outputs[0];
  if (op->class == HS_CLASS_DEPTHWISE && channels_of(p, in) == channels_of(p, out))
    join(p, in, out);
  else if (op->class == HS_CLASS_DEPTHWISE)
    keep_all(p, op);
  else
    p->sets[root(p, out)].made = true;
  if (op->class != HS_CLASS_GROUPED) return;
  if (channels_of(p, in) != channels_of(p, out)) {
    keep_all(p, op);
    return;
  }
  join(p, in, out); /* whole groups go, so that each kernel stays as wide as it is */
  struct set *s = &p->sets[root(p, out)];
  s->group = hs_least_multiple(s->group, channels_of(p, in) / op->at.group);
}

static int64_t product(const struct hs_shape *s, int from)
{
  int64_t n = 1;
  for (int i = from; i < s->rank; i++) n *= s->dim[i];
  return n;
}

/* Are the last dimensions of s, together, `channels`? */
static bool folds(const struct hs_shape *s, int64_t channels)
{
  for (int i = 0; i < s->rank; i++)
    if (product(s, i) == channels) return true;
  return false;
}

static void link_reshape(struct prune *p, int i)
{
  const struct hs_operator *op = &p->g->ops[i];
  int64_t in = channels_of(p, op->inputs[0]), out = channels_of(p, op->outputs[0]);
  if (in == out)
    join(p, op->inputs[0], op->outputs[0]);
  else if (out % in == 0 && folds(&p->g->tensors[op->inputs[0]].shape, out))
    made_of_copies(p, op->outputs[0], op->inputs[0]);
  else if (in % out == 0) /* so many runs of channels in a row, whichever dimension counts them then */
    made_of_copies(p, op->inputs[0], op->outputs[0]);
  else
    keep_all(p, op);
}

static bool reduces_channels(const struct hs_graph *g, const struct hs_operator *op)
{
  int last = g->tensors[op->inputs[0]].shape.rank - 1;
  for (int i = 0; i < op->at.n_axes; i++)
    if (op->at.axes[i] == last) return true;
  return false;
}

static bool touches_channels(const struct hs_graph *g, const struct hs_operator *op)
{
  const struct hs_attributes *a = &op->at;
  int last = g->tensors[op->inputs[0]].shape.rank - 1;
  switch (op->type) {
  case HS_OP_PAD: return a->pads[last][0] || a->pads[last][1];
  case HS_OP_SLICE: return hs_shape_channels(&g->tensors[op->inputs[0]].shape) != hs_shape_channels(&g->tensors[op->outputs[0]].shape) || a->strides[last] != 1;
  case HS_OP_TRANSPOSE: return a->perm[last] != last;
  case HS_OP_ARG_MAX: return a->axis == last;
  default: return false;
  }
}

static void link_op(struct prune *p, int i)
{
  const struct hs_operator *op = &p->g->ops[i];
  int in = op->inputs[0], out = op->outputs[0], last = p->g->tensors[in].shape.rank - 1;
  switch (op->type) {
  case HS_OP_CONV:
  case HS_OP_DEPTHWISE_CONV:
  case HS_OP_CONV_TRANSPOSE: link_conv(p, i); return;
  case HS_OP_GEMM: keep(p, out); return;
  case HS_OP_GATHER: /* numbers of rows in, rows of a table out */
  case HS_OP_MAT_MUL:
  case HS_OP_DETECTION_POST_PROCESS: /* corners and classes in, a detection out */
    keep_all(p, op);
    return;
  case HS_OP_RESHAPE: link_reshape(p, i); return;
  case HS_OP_SPACE_TO_DEPTH: made_of_copies(p, out, in); return;
  case HS_OP_DEPTH_TO_SPACE: made_of_copies(p, in, out); return;
  case HS_OP_CONCAT:
    if (op->at.axis == last) made_of(p, out, op->inputs, op->n_inputs, false);
    for (int k = 0; k < op->n_inputs && op->at.axis != last; k++) join(p, op->inputs[k], out);
    return;
  case HS_OP_SPLIT:
    if (op->at.axis == last) made_of(p, in, op->outputs, op->n_outputs, true);
    for (int k = 0; k < op->n_outputs && op->at.axis != last; k++) join(p, in, op->outputs[k]);
    return;
  default: break;
  }
  if (touches_channels(p->g, op))
    keep_all(p, op);
  else if (reduces_channels(p->g, op))
    keep(p, out);
  else /* channel by channel; a single one is broadcast */
    for (int k = 0; k < op->n_inputs; k++)
      if (channels_of(p, op->inputs[k]) == channels_of(p, out)) join(p, op->inputs[k], out);
}

/* --- what follows from that --- */

/* Two lists of parts of one set: their parts are the same, one by one. Where they divide it at different places, it keeps all. True if that is news. */
static bool match(struct prune *p, const struct parts *a, const struct parts *b)
{
  struct set *whole = &p->sets[root(p, a->whole)];
  bool same = a->n == b->n, news = false;
  for (int k = 0; k < a->n && same; k++) same = channels_of(p, a->tensors[k]) == channels_of(p, b->tensors[k]);
  for (int k = 0; k < a->n && same; k++) news |= join(p, a->tensors[k], b->tensors[k]);
  if (same || whole->fixed) return news;
  return whole->fixed = true;
}

/* Nothing is pruned from a whole whose channels all stay, nor the other way round. Whole groups go, in one part each: where a group is of two, all stay.
 * True if that is news. */
static bool fix(struct prune *p, const struct parts *a)
{
  struct set *whole = &p->sets[root(p, a->whole)];
  bool was = whole->fixed, all = true, news = false;
  for (int k = 0; k < a->n; k++) whole->fixed |= channels_of(p, a->tensors[k]) % whole->group != 0;
  for (int k = 0; k < a->n; k++) {
    struct set *s = &p->sets[root(p, a->tensors[k])];
    int64_t group = whole->fixed ? s->group : hs_least_multiple(s->group, whole->group);
    bool made = s->made || (a->split && whole->made);
    news |= group != s->group || made != s->made || (whole->fixed && !s->fixed);
    s->made = made;
    s->group = group;
    s->fixed |= whole->fixed;
    all &= s->fixed;
  }
  whole->fixed |= all;
  return news || whole->fixed != was;
}

static void close_sets(struct prune *p)
{
  for (bool news = true; news;) {
    news = false;
    for (int i = 0; i < p->n_parts; i++) {
      news |= fix(p, &p->parts[i]);
      for (int k = 0; k < i; k++)
        if (root(p, p->parts[i].whole) == root(p, p->parts[k].whole)) news |= match(p, &p->parts[k], &p->parts[i]);
    }
  }
}

static int64_t kept(struct prune *p, int tensor)
{
  struct set *s = &p->sets[root(p, tensor)];
  if (s->kept > 0) return s->kept;
  s->kept = channels_of(p, tensor);
  if (s->fixed) return s->kept;
  for (int i = 0; i < p->n_parts; i++) { /* parts are narrower than the whole, so this ends */
    const struct parts *a = &p->parts[i];
    if (root(p, a->whole) != root(p, tensor)) continue;
    s->kept = 0;
    for (int k = 0; k < a->n; k++) s->kept += kept(p, a->tensors[k]);
    return s->kept;
  }
  if (s->made) s->kept = hs_pass_scale(s->kept, p->width, hs_least_multiple(HS_CHANNEL_GRAIN, s->group));
  return s->kept;
}

/* --- the pruned network --- */

static void set_attributes(struct prune *p, const struct hs_operator *from, struct hs_operator *op)
{
  struct hs_attributes *a = &op->at;
  int last = p->g->tensors[from->inputs[0]].shape.rank - 1;
  int64_t in = kept(p, from->inputs[0]), out = kept(p, from->outputs[0]);
  switch (op->type) {
  case HS_OP_CONV:
    if (a->group > 1) a->group = in * a->group / channels_of(p, from->inputs[0]); /* as many channels in each */
    a->channels = out;
    break;
  case HS_OP_CONV_TRANSPOSE: a->channels = out; break;
  case HS_OP_SPLIT:
    if (a->axis != last) break;
    a->n_sizes = from->n_outputs;
    for (int k = 0; k < a->n_sizes; k++) a->sizes[k] = kept(p, from->outputs[k]);
    break;
  case HS_OP_SLICE: a->size[last] = out; break;
  case HS_OP_RESHAPE:
    if (a->size[a->n_size - 1] > 0) a->size[a->n_size - 1] = out;
    break;
  default: break;
  }
}

static struct hs_graph *rebuild(struct prune *p)
{
  struct hs_graph *out = hs_pass_order(p->g, NULL);
  char why[160];
  for (int i = 0; i < out->n_ops; i++) {
    struct hs_operator *op = &out->ops[i];
    set_attributes(p, &p->g->ops[i], op);
    bool valid = hs_op_infer(out, op, why, sizeof why);
    for (int k = 0; k < op->n_outputs && valid; k++) valid = hs_shape_channels(&out->tensors[op->outputs[k]].shape) == kept(p, op->outputs[k]);
    if (valid) continue;
    snprintf(p->why, p->size, "operator \"%s\" (%s) can't be pruned together with what is around it", op->name, hs_op_name(op->type));
    hs_graph_free(out);
    return NULL;
  }
  return out;
}

static bool solve(struct prune *p)
{
  const struct hs_graph *g = p->g;
  bool fewer = false;
  for (int t = 0; t < g->n_tensors; t++) {
    p->parent[t] = t;
    p->sets[t] = (struct set){.fixed = g->tensors[t].producer < 0 || g->tensors[t].is_output, .group = 1};
  }
  for (int i = 0; i < g->n_ops; i++) link_op(p, i);
  close_sets(p);
  for (int t = 0; t < g->n_tensors; t++) fewer |= kept(p, t) < channels_of(p, t);
  if (!fewer) snprintf(p->why, p->size, "no convolution would lose channels");
  return fewer;
}

struct hs_graph *hs_pass_prune(const struct hs_graph *g, double ratio, char *why, size_t size)
{
  struct prune p = {.g = g, .width = 1 - ratio, .why = why, .size = size};
  p.parent = HS_NEW_ARRAY(&p.scratch, int, (size_t)g->n_tensors);
  p.sets = HS_NEW_ARRAY(&p.scratch, struct set, (size_t)g->n_tensors);
  struct hs_graph *out = solve(&p) ? rebuild(&p) : NULL;
  free(p.parts);
  hs_arena_free(&p.scratch);
  return out;
}
