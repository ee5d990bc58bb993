/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of kernel profiles. */
#include "input/profile.h"

#include <math.h>

#include "fuzz.h"

static void check_fraction(double frac) { hs_fuzz_promise(frac >= 0 && frac <= 1); }

/* What a file leaves out has a value, too. */
static void check_optional(const struct hs_kernel *k)
{
  check_fraction(k->serial_frac);
  check_fraction(k->serial_grouped_frac);
  check_fraction(k->serial_light_frac);
  check_fraction(k->serial_window_frac);
  check_fraction(k->serial_depthwise_frac);
  hs_fuzz_promise(k->move_cycles_per_byte >= 0 && k->light_move_cycles_per_byte >= 0 && k->window_cycles_per_byte >= 0);
  hs_fuzz_promise(k->pack_cycles_per_byte >= 0 && k->weight_cycles_per_byte >= 0 && k->layout_cycles_per_byte >= 0 &&
                  k->flat_mean_cycles >= 0 && k->fork_cycles >= 0);
  hs_fuzz_promise(k->gemm_factor >= 0.01 && (k->reread_cycles_per_byte == 0 || (k->reread_cycles_per_byte > 0 && k->rows_per_pass > 0)));
  hs_fuzz_promise(k->turn_cycles >= 0 && k->turn_miss_cycles >= 0 && k->turn_far_cycles >= 0 &&
                  (k->turn_miss_cycles == 0 || k->turn_cache_lines >= k->turn_cache_ways));
  hs_fuzz_promise(k->turn_cache_ways == 0 ? k->turn_cache_lines == 0 : k->turn_cache_ways > 0 && k->turn_cache_lines % k->turn_cache_ways == 0);
  const struct hs_depthwise_path *path = &k->depthwise_fast_path;
  hs_fuzz_promise(path->other_factor >= 1 && path->other_factor <= 100 && (path->kernel + path->taps + path->max_taps > 0 || path->other_factor == 1));
  const struct hs_kernel_launch *launch = &k->launch;
  hs_fuzz_promise(launch->units == 0 || (launch->units > 0 && launch->resident[0] > 0 && launch->resident[1] > 0 && launch->constant_efficiency > 0));
  hs_fuzz_promise(k->strided_depthwise_factor >= 1 && k->strided_depthwise_factor <= 100);
  hs_fuzz_promise(k->shaders.strided_window_factor >= 1 && k->shaders.strided_window_factor <= 100);
  hs_fuzz_promise(k->mali.cores == 0 || (k->mali.cores > 0 && k->mali.warp > 0 && k->mali.items > 0 && k->mali.window_outputs > 0));
  for (int i = 0; i < HS_OP_N; i++) hs_fuzz_promise(k->operator_cycles[i] == 0 || (k->operator_cycles[i] > 0 && k->operator_cycles[i] <= 1e6));
  hs_fuzz_promise(k->matrix_block >= 1 && (k->block_map_bytes == 0 || (k->block_map_bytes >= 1024 && k->matrix_block >= 2)));
  hs_fuzz_promise((path->kernel > 0) + (path->taps > 0) + (path->max_taps > 0) <= 1 && (path->taps ? path->or_taps >= path->taps : path->or_taps == 0));
  for (int i = 0; i < HS_CORE_TYPES_MAX && k->core_factors[i].type; i++)
    for (int w = 0; w < HS_CORE_WORK_N; w++)
      hs_fuzz_promise(k->core_factors[i].times[w] >= HS_CORE_FACTOR_MIN && k->core_factors[i].times[w] <= HS_CORE_FACTOR_MAX);
  hs_fuzz_promise(path->channel_multiple >= 0 && path->max_stride >= 0 && path->max_pad >= -1);
}

static void use(struct hs_profile *p)
{
  hs_fuzz_promise(p->n_kernels >= 1 && p->n_kernels <= HS_KERNELS_MAX && strlen(p->sha256) == 64);
  for (int i = 0; i < p->n_kernels; i++) {
    const struct hs_kernel *k = &p->kernels[i];
    struct hs_processor processor = {.name = k->processor ? k->processor : "", .kind = k->kind, .n_domains = 1};
    processor.domains[0].core_type = k->for_cores[0] ? k->for_cores[0] : "";
    enum hs_memory_type type = k->memory_type < 0 ? HS_BUFFER : (enum hs_memory_type)k->memory_type;
    const struct hs_kernel *found = hs_profile_find(p, &processor, k->precision, type);
    hs_fuzz_promise(found && found <= k && (k->memory_type < 0 || found == k)); /* none is hidden */
    for (int c = 0; c < HS_CLASS_N; c++) hs_fuzz_promise(k->efficiency[c] > 0 && isfinite(1e290 / k->efficiency[c]));
    check_optional(k);
    for (int n = 1; n < k->n_knots; n++) hs_fuzz_promise(k->knot_ln[n] > k->knot_ln[n - 1]);
  }
}

HS_FUZZ(hs_profile_parse, struct hs_profile, use, hs_profile_free)
