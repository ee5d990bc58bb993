/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source: github.com/caoting-dotcom/multiBranchModel, commit 88ad0b7, configs/mi and configs/pixel (depths and widths of the
 * networks in NN-Stretch's Table 7). The Xiaomi 11 (Snapdragon 888) shares the Xiaomi 9's structures (Sec. 7.3).
 * STEM_DEVICE and HEAD_DEVICE are the CPU but in three files of GPU and DSP.
 * RegNetX on three processors: 696 and 1896 channels (1.6GF, stages 3 and 4) and 2360 (4.0GF, stage 4) are said to meet there, and the
 * branches add up to 624, 1872 and 2320, which is what is used. So are groups of the network's own width, also in the GPU's third stage of 1.6GF, where
 * that configuration alone has others (48 channels instead of 24). */
#include "policies/stretch_released.h"

#include <stdio.h>
#include <string.h>

#define MI " sd855 sd888 "
#define PIXEL " tensor "

static const struct hs_released released[] = {
  {MI, "efficientnet_b5", "cpu+dsp", 7, true, HS_CPU,
   {[HS_CPU] = {{3, 24}, {4, 32}, {3, 56}, {6, 112}, {4, 160}, {7, 272}, {3, 448}},
    [HS_DSP] = {{2, 24}, {3, 32}, {3, 48}, {5, 96}, {5, 136}, {6, 232}, {2, 384}}}},
  {MI, "efficientnet_b5", "cpu+gpu", 7, true, HS_CPU,
   {[HS_CPU] = {{3, 24}, {4, 32}, {3, 56}, {6, 112}, {4, 160}, {7, 272}, {3, 448}},
    [HS_GPU] = {{3, 24}, {4, 32}, {4, 48}, {6, 96}, {4, 136}, {5, 232}, {2, 384}}}},
  {MI, "efficientnet_b5", "gpu+dsp", 7, true, HS_DSP,
   {[HS_GPU] = {{3, 24}, {4, 32}, {4, 48}, {6, 96}, {4, 136}, {5, 232}, {2, 384}},
    [HS_DSP] = {{3, 24}, {4, 32}, {3, 56}, {6, 112}, {4, 160}, {7, 272}, {3, 448}}}},
  {MI, "efficientnet_lite4", "cpu+dsp", 7, true, HS_CPU,
   {[HS_CPU] = {{1, 24}, {2, 32}, {2, 48}, {5, 96}, {4, 120}, {6, 232}, {1, 448}},
    [HS_DSP] = {{0, 0}, {3, 24}, {3, 40}, {5, 88}, {5, 128}, {6, 176}, {0, 0}}}},
  {MI, "efficientnet_lite4", "cpu+gpu", 7, true, HS_CPU,
   {[HS_CPU] = {{1, 24}, {2, 32}, {2, 48}, {5, 96}, {5, 120}, {7, 232}, {1, 448}},
    [HS_GPU] = {{0, 0}, {3, 32}, {3, 48}, {5, 96}, {4, 128}, {5, 176}, {0, 0}}}},
  {MI, "efficientnet_lite4", "gpu+dsp", 7, true, HS_DSP,
   {[HS_GPU] = {{0, 0}, {3, 32}, {3, 48}, {5, 96}, {4, 128}, {5, 176}, {0, 0}},
    [HS_DSP] = {{1, 24}, {2, 32}, {2, 48}, {5, 96}, {5, 120}, {7, 232}, {1, 448}}}},
  {MI, "resnet34", "cpu+dsp", 4, false, HS_CPU,
   {[HS_CPU] = {{3, 32}, {3, 80}, {6, 144}, {3, 256}},
    [HS_DSP] = {{2, 64}, {3, 64}, {5, 160}, {2, 320}}}},
  {MI, "resnet34", "cpu+gpu+dsp", 4, false, HS_CPU,
   {[HS_CPU] = {{2, 32}, {2, 80}, {6, 136}, {3, 240}},
    [HS_GPU] = {{2, 32}, {3, 48}, {3, 88}, {2, 120}},
    [HS_DSP] = {{2, 32}, {3, 64}, {5, 128}, {2, 224}}}},
  {MI, "resnet34", "cpu+gpu", 4, false, HS_CPU,
   {[HS_CPU] = {{3, 40}, {3, 80}, {6, 160}, {3, 352}},
    [HS_GPU] = {{2, 56}, {3, 64}, {4, 144}, {2, 224}}}},
  {MI, "resnet34", "gpu+dsp", 4, false, HS_CPU,
   {[HS_GPU] = {{2, 56}, {3, 64}, {4, 144}, {2, 224}},
    [HS_DSP] = {{3, 40}, {3, 80}, {6, 160}, {3, 352}}}},
  {MI, "resnet50", "cpu+dsp", 4, false, HS_CPU,
   {[HS_CPU] = {{3, 160}, {3, 384}, {4, 832}, {2, 1632}},
    [HS_DSP] = {{2, 224}, {4, 256}, {6, 512}, {2, 1184}}}},
  {MI, "resnet50", "cpu+gpu+dsp", 4, false, HS_CPU,
   {[HS_CPU] = {{2, 128}, {3, 320}, {4, 576}, {2, 1344}},
    [HS_GPU] = {{2, 160}, {3, 256}, {3, 448}, {2, 736}},
    [HS_DSP] = {{2, 128}, {4, 256}, {5, 448}, {2, 1120}}}},
  {MI, "resnet50", "cpu+gpu", 4, false, HS_CPU,
   {[HS_CPU] = {{2, 192}, {3, 352}, {4, 864}, {2, 1696}},
    [HS_GPU] = {{3, 192}, {4, 288}, {6, 480}, {2, 992}}}},
  {MI, "resnet50", "gpu+dsp", 4, false, HS_DSP,
   {[HS_GPU] = {{3, 192}, {4, 288}, {6, 480}, {2, 992}},
    [HS_DSP] = {{2, 192}, {3, 352}, {4, 864}, {2, 1696}}}},
  {MI, "regnetx_1.6gf", "cpu+dsp", 4, false, HS_CPU,
   {[HS_CPU] = {{1, 48}, {2, 168}, {6, 384}, {2, 768}},
    [HS_DSP] = {{2, 24}, {4, 96}, {10, 192}, {1, 720}}}},
  {MI, "regnetx_1.6gf", "cpu+gpu+dsp", 4, false, HS_CPU,
   {[HS_CPU] = {{1, 48}, {2, 120}, {6, 312}, {2, 696}},
    [HS_GPU] = {{0, 0}, {2, 48}, {6, 144}, {1, 504}},
    [HS_DSP] = {{2, 24}, {3, 96}, {8, 168}, {1, 672}}}},
  {MI, "regnetx_1.6gf", "cpu+gpu", 4, false, HS_CPU,
   {[HS_CPU] = {{1, 48}, {3, 144}, {6, 360}, {2, 816}},
    [HS_GPU] = {{2, 24}, {3, 72}, {10, 192}, {1, 648}}}},
  {MI, "regnetx_1.6gf", "gpu+dsp", 4, false, HS_CPU,
   {[HS_GPU] = {{2, 24}, {3, 72}, {9, 192}, {1, 672}},
    [HS_DSP] = {{1, 48}, {3, 144}, {7, 360}, {2, 792}}}},
  {MI, "regnetx_4.0gf", "cpu+dsp", 4, false, HS_CPU,
   {[HS_CPU] = {{1, 80}, {3, 200}, {8, 480}, {2, 1120}},
    [HS_DSP] = {{2, 40}, {5, 160}, {13, 280}, {2, 720}}}},
  {MI, "regnetx_4.0gf", "cpu+gpu+dsp", 4, false, HS_CPU,
   {[HS_CPU] = {{2, 40}, {3, 160}, {8, 400}, {2, 960}},
    [HS_GPU] = {{2, 40}, {2, 80}, {5, 240}, {1, 640}},
    [HS_DSP] = {{2, 40}, {5, 120}, {13, 240}, {2, 720}}}},
  {MI, "regnetx_4.0gf", "cpu+gpu", 4, false, HS_CPU,
   {[HS_CPU] = {{1, 80}, {4, 240}, {12, 400}, {2, 1120}},
    [HS_GPU] = {{2, 40}, {3, 160}, {9, 280}, {1, 720}}}},
  {MI, "regnetx_4.0gf", "gpu+dsp", 4, false, HS_CPU,
   {[HS_GPU] = {{2, 40}, {3, 160}, {9, 280}, {1, 720}},
    [HS_DSP] = {{1, 80}, {4, 240}, {12, 400}, {2, 1120}}}},
  {PIXEL, "efficientnet_b5", "cpu+gpu", 7, true, HS_CPU,
   {[HS_CPU] = {{3, 24}, {3, 32}, {3, 48}, {6, 112}, {4, 160}, {7, 248}, {3, 512}},
    [HS_GPU] = {{0, 0}, {4, 32}, {3, 48}, {4, 96}, {4, 136}, {5, 200}, {0, 0}}}},
  {PIXEL, "efficientnet_lite4", "cpu+gpu", 7, true, HS_CPU,
   {[HS_CPU] = {{1, 24}, {2, 32}, {2, 48}, {5, 96}, {5, 120}, {7, 232}, {1, 448}},
    [HS_GPU] = {{1, 24}, {3, 32}, {3, 48}, {5, 96}, {4, 128}, {5, 176}, {0, 0}}}},
  {PIXEL, "resnet34", "cpu+gpu", 4, false, HS_CPU,
   {[HS_CPU] = {{3, 40}, {3, 80}, {6, 160}, {3, 352}},
    [HS_GPU] = {{2, 56}, {3, 64}, {4, 144}, {2, 224}}}},
  {PIXEL, "resnet50", "cpu+gpu", 4, false, HS_CPU,
   {[HS_CPU] = {{2, 192}, {4, 320}, {4, 896}, {2, 1664}},
    [HS_GPU] = {{3, 160}, {3, 256}, {4, 480}, {1, 1216}}}},
};

/* Is `model` the network of this name, or it at another input size ("efficientnet_lite4_224")? */
static bool is_named(const char *model, const char *name)
{
  size_t n = strlen(name);
  return strncmp(model, name, n) == 0 && (!model[n] || model[n] == '_');
}

const struct hs_released *hs_released_find(const char *soc, const char *model, const char *processors)
{
  char word[80];
  snprintf(word, sizeof word, " %.70s ", soc);
  for (size_t i = 0; i < sizeof released / sizeof *released; i++)
    if (strstr(released[i].socs, word) && is_named(model, released[i].model) && strcmp(released[i].processors, processors) == 0) return &released[i];
  return NULL;
}
