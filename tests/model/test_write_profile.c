/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile that a fit becomes: what was fitted with its source, everything else as it was. */
#include "tests/model/desk.h"

/* A grid of operators on a GPU, made with known coefficients and this noise, and fitted. */
static struct hs_fit *fit_grid(struct desk *d, double noise)
{
  sit_down(d, "sd855", "tflite");
  add_grid(d);
  const struct hs_kernel truth = known(d);
  pretend(d, &truth, noise);
  return fit(d, 0);
}

START_TEST(written)
{
  struct desk d;
  struct hs_fit *f = fit_grid(&d, 0.05);
  const struct hs_profile *again = write_and_read(&d);
  ck_assert_int_eq(again->n_kernels, d.own->n_kernels);
  const struct hs_processor *gpu = &d.soc->processors[hs_soc_find(d.soc, "gpu")];
  const struct hs_kernel *k = hs_profile_find(again, gpu, HS_FP16, HS_BUFFER); /* one kernel for both memory types, as before */
  ck_assert_ptr_nonnull(k);
  ck_assert_double_eq_tol(k->overhead_cycles / f->kernel.overhead_cycles, 1, 1e-3);
  ck_assert_int_eq(k->fit_n, d.m.n);
  ck_assert_str_eq(k->fit_note, note);
  /* the others are as they were, and numbers that weren't fitted keep their source */
  const struct hs_kernel *was = hs_profile_find(d.own, &d.soc->processors[0], HS_FP32, HS_BUFFER);
  const struct hs_kernel *is = hs_profile_find(again, &d.soc->processors[0], HS_FP32, HS_BUFFER);
  ck_assert_double_eq(was->efficiency[HS_CLASS_GROUPED], is->efficiency[HS_CLASS_GROUPED]);
  ck_assert_str_eq(was->fit_note, is->fit_note);
  int fitted = 0, kept = 0;
  for (int i = 0; i < again->sources.n_numbers; i++) {
    const struct hs_provenance *p = &again->sources.numbers[i];
    const struct hs_source *s = &again->sources.list[p->source];
    if (strcmp(p->path, "$.kernels[0].efficiency.conv_3x3") == 0)
      fitted += strcmp(s->name, "gpu-fp16-01234567") == 0 && s->kind == HS_DERIVED && strcmp(s->ref, ref) == 0;
    if (strcmp(p->path, "$.kernels[0].channel_multiple") == 0) kept += strcmp(s->name, "hand") == 0 && s->kind == HS_ASSUMED;
  }
  ck_assert_int_eq(fitted, 1);
  ck_assert_int_eq(kept, 1);
  stand_up(&d);
}
END_TEST

/* Blocks, waves and tiles of MACE's kernels aren't fitted: they are written as they were, for the kernel that was fitted and for others. Behind them the
 * fit finds the efficiency and columns_half. */
START_TEST(written_with_blocks)
{
  struct desk d;
  sit_down(&d, "sd855", "mace");
  add_grid(&d);
  const struct hs_processor *gpu = &d.soc->processors[hs_soc_find(d.soc, "gpu")];
  const struct hs_kernel *was = hs_profile_find(d.own, gpu, HS_FP32, HS_IMAGE);
  struct hs_kernel truth = *was;
  ck_assert_int_gt(was->wave, 1);
  truth.efficiency[HS_CLASS_CONV_3X3] *= 0.5;
  truth.columns_half *= 2;
  pretend(&d, &truth, 0);
  struct hs_fit *f = fit(&d, 0);
  ck_assert_double_eq_tol(f->kernel.efficiency[HS_CLASS_CONV_3X3] / truth.efficiency[HS_CLASS_CONV_3X3], 1, 0.01);
  ck_assert_double_eq_tol(f->kernel.columns_half / truth.columns_half, 1, 0.02);
  const struct hs_profile *again = write_and_read(&d);
  const struct hs_kernel *is = hs_profile_find(again, gpu, HS_FP32, HS_IMAGE);
  ck_assert_int_eq(is->wave, was->wave);
  ck_assert_mem_eq(is->width_block, was->width_block, sizeof is->width_block);
  ck_assert_double_eq_tol(is->columns_half / f->kernel.columns_half, 1, 1e-3);
  was = hs_profile_find(d.own, &d.soc->processors[0], HS_FP32, HS_BUFFER);
  is = hs_profile_find(again, &d.soc->processors[0], HS_FP32, HS_BUFFER);
  ck_assert_int_eq(is->direct_block, was->direct_block);
  ck_assert_int_eq(is->winograd.tile, was->winograd.tile);
  ck_assert_int_eq(is->winograd.channels, was->winograd.channels);
  ck_assert_double_eq(is->winograd.transform_half, was->winograd.transform_half);
  stand_up(&d);
}
END_TEST

/* A number that ends at the value which it has where the file leaves it out is written all the same: its source is. */
START_TEST(written_at_its_end)
{
  struct desk d;
  struct hs_fit *f = fit_grid(&d, 0);
  ck_assert_double_gt(f->kernel.strided_depthwise_factor, 1);
  f->kernel.strided_depthwise_factor = 1;
  const struct hs_kernel *k = hs_profile_find(write_and_read(&d), &d.soc->processors[hs_soc_find(d.soc, "gpu")], HS_FP16, HS_BUFFER);
  ck_assert_double_eq(k->strided_depthwise_factor, 1);
  stand_up(&d);
}
END_TEST

/* --- nothing is lost --- */

/* Every member that a kernel may have, in the form of doc/formats.md, each number with a source of its own name. */
#define EVERY(processor, precision, cores) \
  "{\"processor\": \"" processor "\", \"precision\": \"" precision "\", \"overhead_cycles\": 12345.678, \"channel_multiple\": 4, " \
  "\"dense_depthwise\": true, \"core_factors\": {\"" cores "\": {\"products\": 2.0123456, \"others\": 1.8765432}},\n" \
  "\"reduction_half\": 5.4321012, \"reduction_half_grouped\": 6, \"serial_frac\": 0.25, \"serial_light_frac\": 0.25, " \
  "\"serial_grouped_frac\": 0.75,\n" \
  "\"serial_depthwise_frac\": 0.25, \"serial_window_frac\": 1, \"light_move_cycles_per_byte\": 0.0123456,\n" \
  "\"traffic_factor\": 1.5, \"columns_half\": 12.5, \"direct_block\": 4, \"matrix_block\": 8, " \
  "\"rows_per_pass\": 6, \"gemm_factor\": 0.8123456, \"group_of_one_factor\": 0.7212345, \"norm_block\": 32, \"block_map_bytes\": 65536, " \
  "\"operator_cycles\": {\"Pad\": 4.0123456, \"Tanh\": 6.5}, \"wave\": 2048, \"work_group\": {\"blocks\": 16, \"rows\": 4}, " \
  "\"width_block\": {\"conv_1x1\": 1, \"pool\": 2},\n" \
  "\"winograd\": {\"tile\": 6, \"small_tile\": 2, \"above\": 16, \"channels\": 8, \"transform_half\": 155},\n" \
  "\"move_cycles_per_byte\": 0.0123456, \"window_cycles_per_byte\": 0, \"pack_cycles_per_byte\": 0.0312345, " \
  "\"weight_cycles_per_byte\": 0.2112345, \"reread_cycles_per_byte\": 0.4712345, \"layout_cycles_per_byte\": 1.2512345, \"turn_cycles\": 1.5012345, " \
  "\"turn_miss_cycles\": 8.2512345, \"turn_far_cycles\": 55.2512345, \"turn_cache_lines\": 4096, \"turn_cache_ways\": 8, " \
  "\"flat_mean_cycles\": 31.5, \"start_cycles\": 1000, \"spin_s\": 0.00012, \"move_half_pixels\": 300, " \
  "\"depthwise_fast_path\": {\"taps\": 25, \"or_taps\": 49, \"channel_multiple\": 16, \"max_stride\": 3, \"max_pad\": 0, " \
  "\"other_factor\": 3.2512345}, " \
  "\"split_output_cycles\": 777, \"fork_cycles\": 31.25, \"fuses_light\": true,\n" \
  "\"efficiency\": {\"conv_1x1\": 0.5, \"conv_3x3\": 0.51234567, \"conv_3x3_strided\": 0.4, \"conv_other\": 0.3, \"depthwise\": 0.2, " \
  "\"grouped\": 0.1,\n" \
  "\"transposed\": 0.15, \"matmul\": 0.25, \"pool\": 0.05, \"elementwise\": 0.06, \"reduce\": 0.07, \"move\": 0.08},\n" \
  "\"refetch_per_mac\": {\"conv_1x1\": 0.0241912, \"matmul\": 0},\n" \
  "\"scatter\": {\"run_std_frac\": 0.0029, \"kernel_std_frac\": 0.0123456, \"n\": 445, \"source\": \"s-scatter\"},\n" \
  "\"fit\": {\"n\": 77, \"mape_frac\": 0.0345678, \"note\": \"as it was\"},\n" \
  "\"source\": {\"overhead_cycles\": \"s-rest\", \"channel_multiple\": \"s-rest\", \"reduction_half\": \"s-rest\", " \
  "\"reduction_half_grouped\": \"s-rest\",\n" \
  "\"serial_frac\": \"s-serial\", \"serial_light_frac\": \"s-light\", \"serial_grouped_frac\": \"s-rest\", " \
  "\"traffic_factor\": \"s-rest\",\n" \
  "\"core_factors\": {\"" cores "\": {\"products\": \"s-half\", \"others\": \"s-move\"}}, " \
  "\"serial_depthwise_frac\": \"s-rest\", \"serial_window_frac\": \"s-light\", \"light_move_cycles_per_byte\": \"s-move\",\n" \
  "\"columns_half\": \"s-rest\", \"direct_block\": \"s-rest\", \"matrix_block\": \"s-tile\", " \
  "\"rows_per_pass\": \"s-group\", \"gemm_factor\": \"s-half\", \"group_of_one_factor\": \"s-move\", \"norm_block\": \"s-wave\", \"block_map_bytes\": \"s-wave\", " \
  "\"operator_cycles\": {\"Pad\": \"s-move\", \"Tanh\": \"s-rest\"}, \"wave\": \"s-wave\", \"work_group\": \"s-group\", " \
  "\"width_block\": \"s-width\",\n" \
  "\"winograd\": {\"tile\": \"s-tile\", \"small_tile\": \"s-tile\", \"above\": \"s-width\", \"channels\": \"s-tile\", " \
  "\"transform_half\": \"s-half\"},\n" \
  "\"move_cycles_per_byte\": \"s-move\", \"window_cycles_per_byte\": \"s-window\", \"pack_cycles_per_byte\": \"s-move\", " \
  "\"weight_cycles_per_byte\": \"s-window\", \"reread_cycles_per_byte\": \"s-light\", \"layout_cycles_per_byte\": \"s-window\", \"turn_cycles\": \"s-move\", " \
  "\"turn_miss_cycles\": \"s-half\", \"turn_far_cycles\": \"s-light\", \"turn_cache_lines\": \"s-tile\", " \
  "\"turn_cache_ways\": \"s-group\", \"flat_mean_cycles\": \"s-rest\", \"start_cycles\": \"s-rest\", \"spin_s\": \"s-rest\", " \
  "\"move_half_pixels\": \"s-rest\", \"depthwise_fast_path\": {\"taps\": \"s-tile\", \"or_taps\": \"s-tile\", " \
  "\"channel_multiple\": \"s-tile\", " \
  "\"max_stride\": \"s-tile\", \"max_pad\": \"s-tile\", \"other_factor\": \"s-half\"}, \"split_output_cycles\": \"s-move\", " \
  "\"fork_cycles\": \"s-half\",\n" \
  "\"efficiency\": \"s-rest\", \"refetch_per_mac\": {\"conv_1x1\": \"s-refetch\", \"matmul\": \"s-rest\"}, \"fit\": \"s-rest\"}}"

static const char every_member[] =
  "{\"format\": \"hetsim-profile/1\", \"soc\": \"sd855\", \"runtime\": \"tflite\", \"kernels\": [" EVERY("cpu", "fp32", "prime") ", "
  EVERY("gpu", "fp16", "Adreno") "], \"sources\": {"
#define SOURCE(name) "\"s-" name "\": {\"kind\": \"assumed\", \"ref\": \"" name "\"}"
  SOURCE("rest") ", " SOURCE("serial") ", " SOURCE("light") ", " SOURCE("power") ", "
  SOURCE("wave") ", " SOURCE("group") ", " SOURCE("width") ", " SOURCE("tile") ", " SOURCE("half") ", "
  SOURCE("move") ", " SOURCE("window") ", " SOURCE("refetch") ", " SOURCE("scatter") "}}";

static const char *source_name(const struct hs_profile *p, int kernel, const char *key)
{
  char path[120];
  snprintf(path, sizeof path, "$.kernels[%d].%s", kernel, key);
  for (int i = 0; i < p->sources.n_numbers; i++)
    if (strcmp(p->sources.numbers[i].path, path) == 0) return p->sources.list[p->sources.numbers[i].source].name;
  ck_abort_msg("%s has no source", path);
  return NULL;
}

/* Everything but strings, which live elsewhere, and the fit. */
static void assert_same_numbers(const struct hs_kernel *is, const struct hs_kernel *was)
{
  struct hs_kernel a = *is, b = *was;
  a.processor = b.processor = a.fit_note = b.fit_note = NULL;
  for (int i = 0; i < HS_CORE_TYPES_MAX; i++) {
    ck_assert_pstr_eq(a.core_factors[i].type, b.core_factors[i].type);
    a.core_factors[i].type = b.core_factors[i].type = NULL;
  }
  for (size_t i = 0; i < sizeof a; i++)
    if (((char *)&a)[i] != ((char *)&b)[i]) ck_abort_msg("byte %zu of the kernel differs (overhead_cycles is at %zu, jitter at %zu)", i,
                                                        offsetof(struct hs_kernel, overhead_cycles), offsetof(struct hs_kernel, jitter));
}

static void use_profile(struct desk *d, const char *text)
{
  struct hs_error err;
  hs_profile_free(d->own);
  hs_test_accepted(hs_profile_parse("own.json", text, strlen(text), &d->own, &err), &err);
  d->m.own = d->own;
}

/* A kernel that wasn't measured comes out bit by bit, with its sources; of the one that was, what no row can tell. */
START_TEST(every_member_written)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  use_profile(&d, every_member);
  add_grid(&d);
  struct hs_kernel truth = d.own->kernels[1];
  truth.overhead_cycles = 30000;
  truth.efficiency[HS_CLASS_CONV_3X3] = 0.3;
  pretend(&d, &truth, 0.02);
  fit(&d, 0);
  const struct hs_profile *again = write_and_read(&d);
  ck_assert_int_eq(again->n_kernels, 2);
  ck_assert_str_eq(again->kernels[0].processor, "gpu"); /* what was fitted comes first */
  assert_same_numbers(&again->kernels[1], &d.own->kernels[0]);
  ck_assert_str_eq(again->kernels[1].fit_note, "as it was");
  const char *const kept[] = {
    "serial_frac", "s-serial", "serial_light_frac", "s-light", "direct_block", "s-rest", "wave", "s-wave", "work_group.rows", "s-group",
    "width_block.conv_1x1", "s-width", "winograd.channels", "s-tile", "winograd.above", "s-width", "refetch_per_mac.conv_1x1", "s-refetch",
    "refetch_per_mac.matmul", "s-rest",
    "scatter.run_std_frac", "s-scatter", "scatter.n", "s-scatter", "window_cycles_per_byte", "s-window", "pack_cycles_per_byte", "s-move",
    "weight_cycles_per_byte", "s-window", "reread_cycles_per_byte", "s-light", "layout_cycles_per_byte", "s-window", "turn_cycles", "s-move", "turn_miss_cycles", "s-half",
    "turn_far_cycles", "s-light", "turn_cache_lines", "s-tile", "turn_cache_ways", "s-group", "flat_mean_cycles", "s-rest", "efficiency.transposed", "s-rest",
    "serial_window_frac", "s-light", "light_move_cycles_per_byte", "s-move", "depthwise_fast_path.max_pad", "s-tile",
    "depthwise_fast_path.or_taps", "s-tile", "matrix_block", "s-tile", "rows_per_pass", "s-group", "gemm_factor", "s-half", "group_of_one_factor", "s-move", "norm_block", "s-wave", "block_map_bytes", "s-wave",
    "fork_cycles", "s-half", "operator_cycles.Pad", "s-move", "operator_cycles.Tanh", "s-rest", NULL};
  for (int k = 0; k < 2; k++)
    for (int i = 0; kept[i]; i += 2) ck_assert_str_eq(source_name(again, k, kept[i]), kept[i + 1]);
  ck_assert_str_eq(source_name(again, 1, "winograd.transform_half"), "s-half");
  ck_assert_str_eq(source_name(again, 1, "core_factors.prime.products"), "s-half");
  ck_assert_str_eq(source_name(again, 0, "core_factors.Adreno.others"), "s-move");
  ck_assert_double_eq(again->kernels[0].core_factors[0].times[HS_WORK_PRODUCTS], 2.0123456);
  ck_assert_str_eq(source_name(again, 1, "depthwise_fast_path.other_factor"), "s-half");
  ck_assert_str_eq(source_name(again, 1, "overhead_cycles"), "s-rest");
  ck_assert_str_eq(source_name(again, 0, "overhead_cycles"), "gpu-fp16-01234567");
  ck_assert_str_eq(source_name(again, 0, "efficiency.conv_3x3"), "gpu-fp16-01234567");
  stand_up(&d);
}
END_TEST

/* Of shaders the fit finds what waves cost, what skipping pixels does, and one rate for all convolutions that are neither 1×1 nor depthwise; what is
 * element-wise has none, and there is no curve. All of it is written, with the sources of what no row tells: how long a copy takes. */
#define SKIPS(h) "gpu,DepthwiseConv," h ",96,,3,2,1\ngpu,DepthwiseConv," h ",256,,5,2,1\n"
START_TEST(written_with_shaders)
{
  struct desk d;
  sit_down(&d, "sd855", "pytorch");
  add_grid(&d);
  add_rows(&d, "processor,op,h,cin,cout,kernel,stride,latency_s\n" SKIPS("14") SKIPS("28") SKIPS("56") SKIPS("112"), false);
  struct hs_kernel truth = *hs_profile_find(d.own, &d.soc->processors[hs_soc_find(d.soc, "gpu")], HS_FP16, HS_IMAGE);
  truth.shaders.access_cycles = 30;
  truth.shaders.read_cycles = 150;
  truth.shaders.first_waves = 25;
  truth.shaders.strided_window_factor = 1.5;
  for (int c = 0; c < HS_CLASS_N; c++) truth.efficiency[c] *= c == HS_CLASS_CONV_1X1 || c == HS_CLASS_DEPTHWISE ? 0.6 : 0.8;
  pretend(&d, &truth, 0);
  struct hs_fit *f = fit(&d, 0);
  for (int i = 0; i < f->n_coefficients; i++) {
    const struct hs_coefficient *c = &f->coefficients[i];
    ck_assert_str_ne(c->name, "efficiency elementwise");
    ck_assert_str_ne(c->name, "efficiency conv_other");
    ck_assert_str_ne(c->name, "efficiency pool"); /* no row has one, */
    ck_assert_str_ne(c->name, "copy_cycles");     /* nor copies */
    ck_assert_str_ne(c->name, "reduction_half");
    ck_assert(!of_curve(c));
    if (c->state == HS_FITTED) ck_assert_msg(fabs(c->value / true_value(&truth, f, i) - 1) < 0.02, "%s: %g", c->name, c->value);
  }
  ck_assert_int_eq(find(f, "access_cycles")->state, HS_FITTED);
  ck_assert_int_eq(find(f, "read_cycles")->state, HS_FITTED);
  ck_assert_int_eq(find(f, "first_waves")->state, HS_FITTED);
  ck_assert_int_eq(find(f, "strided_window_factor")->state, HS_FITTED);
  ck_assert_double_eq(f->kernel.efficiency[HS_CLASS_CONV_OTHER], f->kernel.efficiency[HS_CLASS_CONV_3X3]);
  ck_assert_double_eq(f->kernel.efficiency[HS_CLASS_GROUPED], f->kernel.efficiency[HS_CLASS_CONV_3X3]);
  const struct hs_kernel_shaders *is = &write_and_read(&d)->kernels[0].shaders, *was = &f->kernel.shaders;
  ck_assert_double_eq_tol(is->access_cycles / was->access_cycles, 1, 1e-3);
  ck_assert_double_eq_tol(is->read_cycles / was->read_cycles, 1, 1e-3);
  ck_assert_double_eq_tol(is->first_waves / was->first_waves, 1, 1e-3);
  ck_assert_double_eq(is->copy_cycles, was->copy_cycles);
  ck_assert_double_eq_tol(is->strided_window_factor / was->strided_window_factor, 1, 1e-3);
  ck_assert_int_eq(d.again->kernels[0].n_knots, 0);
  ck_assert_str_eq(source_name(d.again, 0, "shaders.first_waves"), "gpu-fp16-01234567");
  ck_assert_str_eq(source_name(d.again, 0, "shaders.copy_cycles"), "gpu-copies");
  stand_up(&d);
}
END_TEST

/* What convolutions are launched by is looked for number by number, and written so. */
START_TEST(written_with_launch)
{
  struct desk d;
  struct hs_fit *f = fit_grid(&d, 0);
  for (int i = 0; i < f->n_coefficients; i++)
    for (int k = 0; k < i; k++)
      ck_assert_msg(f->coefficients[i].target != f->coefficients[k].target, "%s is %s", f->coefficients[i].name, f->coefficients[k].name);
  const struct hs_kernel_launch *is = &write_and_read(&d)->kernels[0].launch, *was = &f->kernel.launch;
  ck_assert_int_eq(is->units, was->units);
  ck_assert_int_eq(is->resident[0], was->resident[0]);
  ck_assert_int_eq(is->resident[1], was->resident[1]);
  const double read[] = {is->pixel_reads, is->loop_reads_1x1, is->loop_reads, is->store_reads, is->slice_reads,        is->wait[0],
                         is->wait[1],     is->fill[0],        is->fill[1],    is->small_wait,  is->constant_efficiency};
  const double fitted[] = {was->pixel_reads, was->loop_reads_1x1, was->loop_reads, was->store_reads, was->slice_reads,        was->wait[0],
                           was->wait[1],     was->fill[0],        was->fill[1],    was->small_wait,  was->constant_efficiency};
  for (int i = 0; i < 11; i++) ck_assert_double_eq_tol(read[i] / fitted[i], 1, 1e-3);
  stand_up(&d);
}
END_TEST

/* Convolutions from buffers on an Adreno have no efficiency: a fit finds lines_per_cycle, and it and the shape of a group are written. */
START_TEST(written_with_lines)
{
  struct desk d;
  sit_down(&d, "sd855", "mace");
  d.m.memory_type = HS_BUFFER;
  add_grid(&d);
  const struct hs_processor *gpu = &d.soc->processors[hs_soc_find(d.soc, "gpu")];
  const struct hs_kernel *was = hs_profile_find(d.own, gpu, HS_FP32, HS_BUFFER);
  struct hs_kernel truth = *was;
  truth.group.lines_per_cycle *= 0.4;
  truth.efficiency[HS_CLASS_DEPTHWISE] *= 0.5;
  pretend(&d, &truth, 0);
  struct hs_fit *f = fit(&d, 0);
  ck_assert_int_eq(find(f, "lines_per_cycle")->state, HS_FITTED);
  ck_assert_double_eq_tol(f->kernel.group.lines_per_cycle / truth.group.lines_per_cycle, 1, 0.01);
  ck_assert_double_eq_tol(f->kernel.efficiency[HS_CLASS_DEPTHWISE] / truth.efficiency[HS_CLASS_DEPTHWISE], 1, 0.01);
  const struct hs_profile *again = write_and_read(&d);
  const struct hs_kernel *is = hs_profile_find(again, gpu, HS_FP32, HS_BUFFER);
  ck_assert_double_eq_tol(is->group.lines_per_cycle / f->kernel.group.lines_per_cycle, 1, 1e-3);
  ck_assert_int_eq(is->group.blocks, was->group.blocks);
  ck_assert_int_eq(is->group.rows, was->group.rows);
  ck_assert_double_eq(is->group.bytes_per_cycle, was->group.bytes_per_cycle);
  ck_assert_str_eq(source_name(again, (int)(is - again->kernels), "work_group.lines_per_cycle"), "gpu-buffer-fp32-01234567");
  ck_assert_str_eq(source_name(again, (int)(is - again->kernels), "work_group.bytes_per_cycle"), "stream");
  stand_up(&d);
}
END_TEST

/* Convolutions on 1 to 4 threads of a CPU. */
static void add_threads(struct desk *d)
{
  struct hs_text t = {0};
  hs_text_add(&t, "processor,op,h,cin,cout,kernel,threads,latency_s\n");
  for (int i = 0; i < 60; i++) hs_text_addf(&t, "cpu,Conv,%d,64,%d,3,%d,1\n", 20 + i / 2, 32 + 8 * (i % 5), 1 + i % 4);
  add_rows(d, t.s, false);
  hs_text_free(&t);
}

/* A coefficient that the rows leave open keeps value and source, one that follows another keeps following. */
START_TEST(undetermined_source)
{
  struct desk d;
  sit_down(&d, "sd855", "mace");
  d.m.own = NULL;
  add_threads(&d);
  struct hs_kernel truth = *d.m.rows[0].bench->sys.backends[0].kernel;
  truth.efficiency[HS_CLASS_CONV_3X3] = 0.4;
  truth.serial_frac = 0.3;
  pretend(&d, &truth, 0.01);
  struct hs_fit *f = fit(&d, 0);
  const struct hs_profile *again = write_and_read(&d);
  ck_assert_int_eq(find(f, "traffic_factor")->state, HS_FIT_UNDETERMINED);
  ck_assert_str_eq(source_name(again, 0, "reduction_half"), "any-cpu");
  ck_assert_double_eq(again->kernels[0].traffic_factor, f->base->traffic_factor);
  ck_assert_str_eq(source_name(again, 0, "serial_frac"), "cpu-fp32-01234567");
  ck_assert_double_eq_tol(again->kernels[0].serial_frac, 0.3, 0.02);
  ck_assert_double_eq(again->kernels[0].serial_light_frac, again->kernels[0].serial_frac);
  stand_up(&d);
}
END_TEST

/* And is of the fit where the file says it itself: no row has told s-light what it now is. What had a value of its own keeps that and its source. */
START_TEST(source_of_what_follows)
{
  struct desk d;
  sit_down(&d, "sd855", "tflite");
  use_profile(&d, every_member);
  add_threads(&d);
  struct hs_kernel truth = d.own->kernels[0];
  truth.serial_frac = 0.5;
  pretend(&d, &truth, 0);
  ck_assert_int_eq(find(fit(&d, 0), "serial_frac")->state, HS_FITTED);
  const struct hs_profile *again = write_and_read(&d);
  ck_assert_double_eq_tol(again->kernels[0].serial_light_frac, 0.5, 0.02);
  ck_assert_str_eq(source_name(again, 0, "serial_light_frac"), "cpu-fp32-01234567");
  ck_assert_double_eq(again->kernels[0].serial_grouped_frac, 0.75);
  ck_assert_str_eq(source_name(again, 0, "serial_grouped_frac"), "s-rest");
  stand_up(&d);
}
END_TEST

/* Rows under the profile that was written have the errors that the table has: 0 networks and 1 operators with the SoC's profile before,
 * 2 and 3 with the estimate, 4 operators and networks. */
START_TEST(written_errors)
{
  struct desk d;
  bool cpu = _i == 0 || _i == 2;
  sit_down(&d, "sd855", "tflite");
  if (_i == 2 || _i == 3) d.m.own = NULL;
  (cpu ? add_networks : add_grid)(&d);
  if (_i == 4) add_rows(&d, "model,processor,latency_ms\nresnet18,gpu,1\nvgg16,gpu,1\nsqueezenet,gpu,1\nmobilenet_v1,gpu,1\n", false);
  struct hs_kernel truth = *d.m.rows[0].bench->sys.backends[d.m.rows[0].bench->processor].kernel;
  truth.overhead_cycles *= 2;
  truth.reduction_half = 20;
  for (int c = 0; c < HS_CLASS_N; c++) truth.efficiency[c] *= c % 3 ? 0.4 : 0.7;
  pretend(&d, &truth, 0.05);
  hs_measurements_keep_out(&d.m, 0.25);
  struct hs_fit *f = fit(&d, 0);
  const struct hs_profile *again = write_and_read(&d);
  for (int i = 0; i < d.m.n_benches; i++) {
    struct hs_bench *b = d.m.benches[i];
    struct hs_backend *backend = &b->sys.backends[b->processor];
    backend->kernel = hs_profile_find(again, &d.soc->processors[b->processor], backend->precision, backend->memory_type);
  }
  for (int kept_out = 0; kept_out < 2; kept_out++)
    for (int kind = 0; kind < HS_ROW_KIND_N; kind++) {
      struct hs_errors is = hs_fit_errors(f, kept_out, (enum hs_row_kind)kind);
      ck_assert_int_eq(is.n, f->after[kept_out][kind].n);
      ck_assert_double_eq_tol(is.mape_frac, f->after[kept_out][kind].mape_frac, 1e-9);
      ck_assert_double_eq_tol(is.bias_frac, f->after[kept_out][kind].bias_frac, 1e-9);
    }
  ck_assert_double_gt(f->before[0][HS_ROWS_ALL].mape_frac, 0.2);
  ck_assert_int_gt(f->n_kept_out, 5);
  stand_up(&d);
}
END_TEST

/* A SoC without a profile gets one; what wasn't measured is the estimate, with its source. */
START_TEST(written_first)
{
  struct desk d;
  sit_down(&d, "kirin970", "mace");
  d.m.own = NULL; /* every SoC of the catalogue has one */
  struct hs_text rows = {0};
  hs_text_add(&rows, "processor,op,h,cin,cout,kernel,latency_us\n");
  for (int i = 0; i < 40; i++) hs_text_addf(&rows, "gpu,Conv,%d,64,%d,3,%d\n", 10 + i, 32 + 8 * (i % 5), 100 + (10 + i) * (10 + i));
  add_rows(&d, rows.s, false);
  struct hs_fit *f = fit(&d, 0);
  ck_assert(f->base_unfitted);
  f->kernel.dense_depthwise = true; /* isn't fitted, but must not be lost */
  const struct hs_profile *again = write_and_read(&d);
  ck_assert_str_eq(again->soc, "kirin970");
  ck_assert_int_eq(again->n_kernels, 1);
  ck_assert(again->kernels[0].dense_depthwise);
  bool any = false;
  for (int i = 0; i < again->sources.n; i++) any |= strncmp(again->sources.list[i].name, "any-", 4) == 0;
  ck_assert(any);
  hs_text_free(&rows);
  stand_up(&d);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, written);
  tcase_add_test(t, written_with_blocks);
  tcase_add_test(t, written_at_its_end);
  tcase_add_test(t, written_with_lines);
  tcase_add_test(t, written_with_launch);
  tcase_add_test(t, written_with_shaders);
  tcase_add_test(t, every_member_written);
  tcase_add_test(t, undetermined_source);
  tcase_add_test(t, source_of_what_follows);
  tcase_add_loop_test(t, written_errors, 0, 5);
  tcase_add_test(t, written_first);
}

int main(void) { return hs_test_main("write_profile", fill); }
