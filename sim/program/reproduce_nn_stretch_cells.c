/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of NN-Stretch's evaluation, as in its release (github.com/caoting-dotcom/multiBranchModel): every network reads 224 x 224 pixels, and
 * the DSP is at the lowest voltage corner (Hexagon power-save level 255) for ResNet and RegNetX and at the nominal one (128) for
 * EfficientNet, and for what was released for GPU and DSP: files of these name no level, and the release's log of one has 128. */
#include <string.h>

#include "program/reproduce_nn_stretch.h"

const char *const hs_nn_stretch_models[] = {"resnet34", "resnet50", "regnetx_1.6gf", "regnetx_4.0gf", "efficientnet_lite4_224", "efficientnet_b5_224"};

const char *hs_nn_stretch_dsp_level(const char *soc, const char *model)
{
  return strcmp(soc, "sd855") == 0 && strncmp(model, "efficientnet", 12) != 0 ? "dsp=min" : NULL;
}

/* Where a branch is the CPU's, ReLU6 stands for swish (Sec. 7.2). The paper does so on the CPU's branch only; a branch beside it has two
 * light operators more per swish, which the GPU fuses. Alone the CPU has swish, as the numbers behind Fig. 9 tell: 46.7 ms, of which the
 * release has 26.7 with ReLU6. */
static const char *as_deployed(const char *processors, const char *model)
{
  return strstr(processors, "cpu") && strcmp(model, "efficientnet_b5_224") == 0 ? "efficientnet_b5_relu6_224" : model;
}

/* The graph with its grouped convolutions written out, as the paper deploys RegNetX (Sec. 7.2); branches write out their own. */
static const char *groups_written_out(const char *model)
{
  if (strcmp(model, "regnetx_1.6gf") == 0) return "regnetx_1.6gf_split";
  return strcmp(model, "regnetx_4.0gf") == 0 ? "regnetx_4.0gf_split" : model;
}

struct hs_cell hs_nn_stretch_single(const char *soc, const char *processor, const char *model)
{
  model = groups_written_out(model);
  return (struct hs_cell){.soc = soc, .policy = processor, .model = model, .runtime = "tflite", .precision = "int8",
                          .frequency = hs_nn_stretch_dsp_level(soc, model)};
}

static bool has_operator(const struct hs_graph *g, const char *name)
{
  for (int i = 0; i < g->n_ops; i++)
    if (strcmp(g->ops[i].name, name) == 0) return true;
  return false;
}

bool hs_nn_stretch_is_kept(const struct hs_setup *s, int op) { return has_operator(s->networks[0].graph, s->graph->ops[op].name); }

/* MACs of the branches, of those that they stand for. */
static double capacity_of(const struct hs_setup *s)
{
  const struct hs_graph *before = s->networks[0].graph, *after = s->graph;
  double branches = 0, original = 0;
  for (int i = 0; i < after->n_ops; i++) branches += hs_nn_stretch_is_kept(s, i) ? 0 : after->ops[i].macs;
  for (int i = 0; i < before->n_ops; i++) original += has_operator(after, before->ops[i].name) ? 0 : before->ops[i].macs;
  return branches / original;
}

/* How small its authors let this network become is what accuracy left them (Eq. 3), which is no matter of ours: a search gets as many MACs
 * as the released branches of the same set have. */
struct hs_cell hs_nn_stretch_branches(struct hs_reproduction *r, const char *soc, const char *processors, const char *param, const char *model)
{
  model = as_deployed(processors, model);
  struct hs_cell cell = {.soc = soc, .policy = "nn-stretch", .model = model, .params = {processors, "structure=published"},
                         .frequency = hs_nn_stretch_dsp_level(soc, model)};
  struct hs_setup s;
  if (strcmp(param, cell.params[1]) == 0) {
    if (strcmp(processors, "processors=gpu+dsp") == 0) cell.frequency = NULL;
    return cell;
  }
  cell.params[2] = hs_cell_plan(r, &cell, &s) ? hs_arena_printf(&r->arena, "capacity=%.3f", capacity_of(&s)) : NULL;
  hs_setup_free(&s);
  cell.params[1] = param;
  return cell;
}
