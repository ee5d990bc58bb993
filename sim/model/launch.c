/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/launch.h"

#include <math.h>

enum { SLICE = 4, GROUP_ITEMS = 256 };
enum { CONSTANT_BYTES = 3584, CONSTANT_SLICES = 8, FULL_WAVE = 128, GROUP_SLICES = 64, FULL_BLOCK = 8 }; /* an Adreno's */
enum { MALI_GROUP_SLICES = 16 };

static int64_t up(int64_t a, int64_t b) { return (a + b - 1) / b; }
static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Do all weights, in half precision, fit where every work item reads them at once, and its results into registers (conv_constants.cc,
 * IsConvConstantsSupported)? Where output channels don't fill slices, filters are padded along the input if that is less (IsDotConvBetter). */
static bool fits_constants(const struct hs_launch_conv *c)
{
  int64_t in = up(c->in_channels, SLICE), out = up(c->channels, SLICE), filters = c->in_channels * out * SLICE;
  bool along_input = c->channels % SLICE != 0 && (c->in_channels % SLICE == 0 || c->channels * in < c->in_channels * out);
  if (along_input) filters = c->channels * in * SLICE;
  return c->groups == 1 && !c->product && filters * c->window * 2 <= CONSTANT_BYTES && out <= CONSTANT_SLICES;
}

/* Outputs, four channels as one, by whose number it's chosen how many an item computes. */
static double chosen_by(const struct hs_launch_conv *c)
{
  double pixels = c->chosen_by ? (double)c->chosen_by : (double)c->width * (double)c->height;
  return pixels * (double)up(c->channels, SLICE);
}

/* Where a group's slices aren't divided by the block's, or all pixels have to be of one row (conv_generic.cc, ConvGeneric(), GuessBestParams() of
 * FullyConnectedAttributes, GuessBestParamsPointwise()). */
static void fit_block(const struct hs_launch_conv *c, int64_t block[3])
{
  if (c->groups > 1 && up(c->channels, SLICE) / c->groups % 2) block[2] = 1;
  if (!c->product && c->filters == 1) return;
  block[0] *= block[1];
  block[1] = 1;
}

/* Outputs of a work item, the fewer the fewer waves there would be: x, y, slices (conv_generic.cc, GuessBestParams). */
static void choose_block(const struct hs_launch_conv *c, int units, int64_t block[3])
{
  double waves = chosen_by(c) / units / FULL_WAVE;
  block[0] = waves > 6 ? 2 : 1;
  block[1] = waves > 24 ? 2 : 1;
  block[2] = waves > 12 ? 2 : 1;
  fit_block(c, block);
}

/* A divisor of the slices, and of the rest rows as far as they go (work_group_picking.cc, GetWorkGroupConv: TuningType::kFast). */
static void choose_group(const int64_t grid[3], int64_t slices_max, int64_t group[3])
{
  int64_t z = least(grid[2], slices_max);
  while (grid[2] % z) z--;
  group[2] = z;
  group[0] = least(grid[0], GROUP_ITEMS / z);
  group[1] = least(GROUP_ITEMS / z / group[0], grid[1]);
  if (group[1] == grid[1] && grid[1] % 2 == 0) group[1] = grid[1] / 2;
}

void hs_launch_choose(const struct hs_launch_conv *c, int units, const int resident[2], struct hs_launch *out)
{
  int64_t block[3], grid[3], group[3], in = up(c->in_channels, SLICE), groups = 1, items = 1, size[3] = {c->width, c->height, up(c->channels, SLICE)};
  if (fits_constants(c)) {
    double waves = (double)(c->width * c->height) / units / HS_WAVE_ITEMS;
    *out = (struct hs_launch){.constant = true, .waves = waves, .slices = 1, .steps = (double)(c->window * in), .pixels = 1, .outputs = (int)size[2],
                              .pixelwise = c->pixelwise};
    return;
  }
  choose_block(c, units, block);
  for (int d = 0; d < 3; d++) grid[d] = up(size[d], block[d]);
  choose_group(grid, GROUP_SLICES, group);
  for (int d = 0; d < 3; d++) {
    groups *= up(grid[d], group[d]);
    items *= group[d];
  }
  double waves = (double)(up(groups, units) * up(items, HS_WAVE_ITEMS)), held = resident[!c->pixelwise];
  double slices = (double)HS_WAVE_ITEMS / (double)(group[0] * group[1]);
  int outputs = (int)(block[0] * block[1] * block[2]);
  *out = (struct hs_launch){.waves = waves, .held = held, .full = outputs == FULL_BLOCK, .slices = fmin((double)group[2], fmax(1, slices)),
                            .steps = (double)(c->window * in), .pixels = (int)(block[0] * block[1]), .weights = (int)(SLICE * block[2]), .outputs = outputs,
                            .pixelwise = c->pixelwise};
}

/* Outputs of a work item, by how many each core has, and of what is no 1×1 no more than window_outputs (util.cc, GetRecommendedBlockSizeForConv: half
 * precision, Bifrost of the third generation or Valhall; conv_generic.cc, GuessBestParams). */
static void choose_mali_block(const struct hs_launch_conv *c, int cores, int window_outputs, int64_t block[3])
{
  int64_t slices = up(c->channels, SLICE);
  double each = chosen_by(c) / cores;
  int outputs = each <= 256 ? 1 : each <= 6 * 256 ? 2 : each <= 16 * 256 ? 4 : 8;
  if (!c->pixelwise && outputs > window_outputs) outputs = window_outputs;
  bool single = slices == 1 || slices == 3;
  block[0] = outputs > 1 ? 2 : 1;
  block[1] = outputs == 8 || (outputs == 4 && single) ? 2 : 1;
  block[2] = outputs > 2 && !single ? 2 : 1;
  fit_block(c, block);
}

void hs_launch_choose_mali(const struct hs_launch_conv *c, int cores, int warp, int window_outputs, struct hs_launch_mali *out)
{
  int64_t block[3], grid[3], group[3], groups = 1, items = 1, size[3] = {c->width, c->height, up(c->channels, SLICE)};
  choose_mali_block(c, cores, window_outputs, block);
  for (int d = 0; d < 3; d++) grid[d] = up(size[d], block[d]);
  choose_group(grid, MALI_GROUP_SLICES, group);
  for (int d = 0; d < 3; d++) {
    groups *= up(grid[d], group[d]);
    items *= group[d];
  }
  double steps = (double)(c->window * up(c->in_channels, SLICE)), channels = (double)(SLICE * size[2]);
  double passes = (double)up(grid[0], group[0]) * (double)(c->filters > 1 ? c->filters : up(grid[1], group[1]));
  *out = (struct hs_launch_mali){.warps = (double)(up(groups, cores) * up(items, warp)), .steps = steps, .pixels = (int)(block[0] * block[1]),
                                 .weights = (int)(SLICE * block[2]), .weights_read = passes * steps * SLICE * channels,
                                 .written = (double)c->width * (double)c->height * channels};
}
