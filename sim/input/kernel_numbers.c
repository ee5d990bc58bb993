/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/kernel_numbers.h"

#include <stddef.h>

/* Lines and bytes per cycle, or cycles per texel: below, kernels take years. */
#define LOADS_MIN 1e-6
#define POSITIVE (-1)

#define OWN(member) .key = #member, .offset = offsetof(struct hs_kernel, member)
#define OF(object, field, member) .group = object, .key = #member, .offset = offsetof(struct hs_kernel, field.member)
#define IS(least, most) .low = least, .high = most
#define COUNTS(least, most) .count = true, .low = least, .high = most
#define ELSE(value) .optional = true, .otherwise = value
#define TIME .times = 1
#define RATE .times = -1
#define LIKE(member) .optional = true, .follows = offsetof(struct hs_kernel, member)

static const char group[] = "work_group", winograd[] = "winograd", packing[] = "packing", path[] = "depthwise_fast_path", launch[] = "launch",
                  mali[] = "mali_launch", shaders[] = "shaders";

const struct hs_kernel_number hs_kernel_numbers[HS_KERNEL_NUMBERS] = {
  {OWN(overhead_cycles), TIME, IS(0, 1e12)},
  {OWN(channel_multiple), COUNTS(1, 1024)},
  {OWN(reduction_half), IS(0, 1e6)},
  {OWN(serial_frac), IS(0, 1)},

  {OWN(traffic_factor), IS(POSITIVE, 1000), ELSE(1)},
  {OWN(columns_half), IS(0, 1e6), ELSE(0)},
  {OWN(direct_block), COUNTS(1, 1024), ELSE(0)},
  {OWN(matrix_block), COUNTS(1, 1024), ELSE(1)},
  {OWN(rows_per_pass), COUNTS(1, 1024), ELSE(0)},
  {OWN(gemm_factor), IS(0.01, 100), ELSE(1)},
  {OWN(norm_block), COUNTS(1, 1024), ELSE(0)},
  {OWN(block_map_bytes), IS(1024, 1e9), ELSE(0)},
  {OWN(wave), COUNTS(1, 1 << 20), ELSE(0)},
  {OWN(strided_depthwise_factor), IS(1, 100), ELSE(1)},

  {OWN(group_of_one_factor), IS(0.01, 100), ELSE(1)},
  {OWN(reduction_half_grouped), IS(0, 1e6), LIKE(reduction_half)},
  {OWN(serial_grouped_frac), IS(0, 1), LIKE(serial_frac)},
  {OWN(serial_light_frac), IS(0, 1), LIKE(serial_frac)},
  {OWN(serial_depthwise_frac), IS(0, 1), LIKE(serial_light_frac)},
  {OWN(serial_window_frac), IS(0, 1), LIKE(serial_frac)},
  {OWN(move_cycles_per_byte), TIME, IS(0, 1e6), ELSE(0)},
  {OWN(light_move_cycles_per_byte), TIME, IS(0, 1e6), LIKE(move_cycles_per_byte)},
  {OWN(window_cycles_per_byte), TIME, IS(0, 1e6), ELSE(0)},
  {OWN(pack_cycles_per_byte), TIME, IS(0, 1e6), ELSE(0)},
  {OWN(weight_cycles_per_byte), TIME, IS(0, 1e6), ELSE(0)},
  {OWN(reread_cycles_per_byte), TIME, IS(0, 1e6), ELSE(0)},
  {OWN(layout_cycles_per_byte), TIME, IS(0, 1e6), ELSE(0)},
  {OWN(turn_cycles), TIME, IS(0, 1e6), ELSE(0)},
  {OWN(turn_miss_cycles), TIME, IS(0, 1e6), ELSE(0)},
  {OWN(turn_far_cycles), TIME, IS(0, 1e6), ELSE(0)},
  {OWN(turn_cache_lines), COUNTS(1, 1 << 30), ELSE(0)},
  {OWN(turn_cache_ways), COUNTS(1, 1024), ELSE(0)},
  {OWN(flat_mean_cycles), TIME, IS(0, 1e6), ELSE(0)},
  {OWN(start_cycles), TIME, IS(0, 1e12), ELSE(0)},
  {OWN(move_half_pixels), IS(0, 1e9), ELSE(0)},
  {OWN(spin_s), IS(0, 1), ELSE(-1)},
  {OWN(split_output_cycles), TIME, IS(0, 1e9), ELSE(0)},
  {OWN(fork_cycles), TIME, IS(0, 1e9), ELSE(0)},

  {OF(group, group, blocks), COUNTS(1, 1024)},
  {OF(group, group, rows), COUNTS(1, 1024)},
  {OF(group, group, lines_per_cycle), RATE, IS(LOADS_MIN, 1e6), ELSE(0), .with = "bytes_per_cycle"},
  {OF(group, group, bytes_per_cycle), RATE, IS(LOADS_MIN, 1e6), ELSE(0), .with = "lines_per_cycle"},

  {OF(winograd, winograd, tile), COUNTS(2, 64)},
  {OF(winograd, winograd, small_tile), COUNTS(2, 64)},
  {OF(winograd, winograd, above), COUNTS(0, 65536), ELSE(0)},
  {OF(winograd, winograd, channels), COUNTS(1, 65536)},
  {OF(winograd, winograd, transform_half), IS(0, 1e6)},
  {OF(winograd, winograd, tiles_per_pass), COUNTS(1, 1024), ELSE(0)},

  {OF(packing, packing, lanes), COUNTS(4, 8)},
  {OF(packing, packing, factor_5x5), IS(1, 100), ELSE(1)},

  {OF(path, depthwise_fast_path, kernel), COUNTS(1, 1024), ELSE(0)},
  {OF(path, depthwise_fast_path, taps), COUNTS(1, 1024), ELSE(0)},
  {OF(path, depthwise_fast_path, or_taps), COUNTS(1, 1024), LIKE(depthwise_fast_path.taps)},
  {OF(path, depthwise_fast_path, max_taps), COUNTS(1, 1024), ELSE(0)},
  {OF(path, depthwise_fast_path, channel_multiple), COUNTS(1, 1024), ELSE(0)},
  {OF(path, depthwise_fast_path, max_stride), COUNTS(1, 1024), ELSE(0)},
  {OF(path, depthwise_fast_path, max_pad), COUNTS(0, 1024), ELSE(-1)},
  {OF(path, depthwise_fast_path, other_factor), IS(1, 100), .otherwise = 1},

  {OF(launch, launch, units), COUNTS(1, 1024)},
  {.group = launch, .key = "waves_1x1", .offset = offsetof(struct hs_kernel, launch.resident[0]), COUNTS(1, 1024)},
  {.group = launch, .key = "waves", .offset = offsetof(struct hs_kernel, launch.resident[1]), COUNTS(1, 1024)},
  {OF(launch, launch, pixel_reads), IS(0, 1e3)},
  {OF(launch, launch, loop_reads_1x1), IS(0, 1e3)},
  {OF(launch, launch, loop_reads), IS(0, 1e3)},
  {OF(launch, launch, store_reads), IS(0, 1e3)},
  {OF(launch, launch, slice_reads), IS(0, 1e3)},
  {.group = launch, .key = "wait_1x1", .offset = offsetof(struct hs_kernel, launch.wait[0]), IS(0, 1e3)},
  {.group = launch, .key = "wait", .offset = offsetof(struct hs_kernel, launch.wait[1]), IS(0, 1e3)},
  {.group = launch, .key = "fill_1x1", .offset = offsetof(struct hs_kernel, launch.fill[0]), IS(0, 1e3)},
  {.group = launch, .key = "fill", .offset = offsetof(struct hs_kernel, launch.fill[1]), IS(0, 1e3)},
  {OF(launch, launch, small_wait), IS(0, 1e3)},
  {OF(launch, launch, constant_efficiency), RATE, IS(HS_EFFICIENCY_MIN, 100)},

  {OF(mali, mali, cores), COUNTS(1, 1024)},
  {OF(mali, mali, warp), COUNTS(1, 1024)},
  {OF(mali, mali, window_outputs), COUNTS(1, 8)},
  {OF(mali, mali, items), COUNTS(1, 1 << 20)},
  {OF(mali, mali, pixel_reads), IS(0, 1e3)},
  {.group = mali, .key = "wait_1x1", .offset = offsetof(struct hs_kernel, mali.wait[0]), IS(0, 1)},
  {.group = mali, .key = "wait", .offset = offsetof(struct hs_kernel, mali.wait[1]), IS(0, 1)},
  {OF(mali, mali, later), IS(0, 1)},
  {OF(mali, mali, weight_cycles_per_byte), TIME, IS(0, 1e6)},
  {OF(mali, mali, store_cycles_per_byte), TIME, IS(0, 1e6)},
  {OF(mali, mali, transform_cycles_per_byte), TIME, IS(0, 1e6)},

  {OF(shaders, shaders, access_cycles), TIME, IS(LOADS_MIN, 1e6)},
  {OF(shaders, shaders, read_cycles), TIME, IS(0, 1e6)},
  {OF(shaders, shaders, first_waves), IS(0, 1e6)},
  {OF(shaders, shaders, copy_cycles), TIME, IS(0, 1e9)},
  {OF(shaders, shaders, strided_window_factor), IS(1, 100), ELSE(1)},
};

bool hs_kernel_counts_lines(const struct hs_kernel *k, enum hs_op_class class)
{
  return k->group.lines_per_cycle > 0 && hs_class_is_dense_conv(class);
}

const char *const hs_core_work_names[HS_CORE_WORK_N + 1] = {"products", "vectors", "others", NULL};

const double *hs_kernel_rate(const struct hs_kernel *k, enum hs_op_class class)
{
  return hs_kernel_counts_lines(k, class) ? &k->group.lines_per_cycle : &k->efficiency[class];
}

const struct hs_kernel_number *hs_kernel_number_of(const struct hs_kernel *k, const void *number)
{
  for (int i = 0; i < HS_KERNEL_NUMBERS; i++)
    if ((const char *)number == (const char *)k + hs_kernel_numbers[i].offset) return &hs_kernel_numbers[i];
  return NULL;
}

static double value(const struct hs_kernel *k, size_t offset, bool count)
{
  const void *at = (const char *)k + offset;
  return count ? *(const int *)at : *(const double *)at;
}

double hs_kernel_get(const struct hs_kernel *k, const struct hs_kernel_number *n) { return value(k, n->offset, n->count); }

void hs_kernel_set(struct hs_kernel *k, const struct hs_kernel_number *n, double v)
{
  void *at = (char *)k + n->offset;
  if (n->count)
    *(int *)at = (int)v;
  else
    *(double *)at = v;
}

void hs_kernel_slow_down(struct hs_kernel *k, double times)
{
  for (int i = 0; i < HS_KERNEL_NUMBERS; i++) {
    const struct hs_kernel_number *n = &hs_kernel_numbers[i];
    if (n->times) hs_kernel_set(k, n, hs_kernel_get(k, n) * (n->times > 0 ? times : 1 / times));
  }
  for (int c = 0; c < HS_CLASS_N; c++)
    if (!hs_kernel_counts_lines(k, (enum hs_op_class)c)) k->efficiency[c] /= times;
  for (int type = 0; type < HS_OP_N; type++) k->operator_cycles[type] *= times;
}

double hs_kernel_default(const struct hs_kernel *k, const struct hs_kernel_number *n) { return n->follows ? value(k, n->follows, n->count) : n->otherwise; }

int hs_kernel_group(int i)
{
  int n = 1;
  while (i + n < HS_KERNEL_NUMBERS && hs_kernel_numbers[i + n].group == hs_kernel_numbers[i].group) n++;
  return n;
}
