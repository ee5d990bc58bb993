/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the reader of kernel profiles refuses: a small valid file, spoilt in one place at a time; and which kernel a processor has, and what it rests on. */
#include "tests/unit/suite.h"

#include "input/profile.h"

/* A kernel that has these members, too. */
#define MORE(members) "'saturation'", members ", 'saturation'"

#define MALI "'cores': 2, 'warp': 3, 'window_outputs': 4, 'items': 5, 'pixel_reads': 41, 'wait_1x1': 0.42"
#define MALI_TIMES ", 'wait': 0.43, 'later': 0.44, 'weight_cycles_per_byte': 45, 'store_cycles_per_byte': 46, 'transform_cycles_per_byte': 47"

static const struct {
  const char *from, *to, *message;
} profile_cases[] = {
  {"'pool': 0.5", "'pool': 0", "$.kernels[0].efficiency.pool: 0 is not in [1e-09, 100]"},
  {"'pool': 0.5", "'pool': 1e-300", "$.kernels[0].efficiency.pool: 1e-300 is not in [1e-09, 100]"},
  {MORE("'depthwise_fast_path': {'kernel': 3}"), "$.kernels[0].depthwise_fast_path: key \"other_factor\" is missing"},
  {MORE("'depthwise_fast_path': {'other_factor': 2}"),
   "$.kernels[0]: has a depthwise_fast_path with none of kernel, taps and max_taps, and needs one of them"},
  {MORE("'depthwise_fast_path': {'kernel': 3, 'or_taps': 25, 'other_factor': 2}"), "$.kernels[0]: has a depthwise_fast_path with or_taps without taps"},
  {MORE("'depthwise_fast_path': {'taps': 9, 'max_taps': 25, 'other_factor': 2}"),
   "$.kernels[0]: has a depthwise_fast_path with several of kernel, taps and max_taps, and needs one of them"},
  {MORE("'depthwise_fast_path': {'kernel': 0, 'other_factor': 2}"), "$.kernels[0].depthwise_fast_path.kernel: 0 is not in [1, 1024]"},
  {MORE("'depthwise_fast_path': {'kernel': 3, 'other_factor': 0.5}"),
   "$.kernels[0].depthwise_fast_path.other_factor: 0.5 is not in [1, 100]"},
  {MORE("'depthwise_fast_path': {'taps': 9, 'or_taps': 2, 'other_factor': 2}"),
   "$.kernels[0].depthwise_fast_path.or_taps: 2 is not in [9, 1024]"},
  {MORE("'depthwise_fast_path': {'kernel': 3, 'max_pad': -1, 'other_factor': 2}"),
   "$.kernels[0].depthwise_fast_path.max_pad: -1 is not in [0, 1024]"},
  {MORE("'depthwise_fast_path': {'kernel': 3, 'dilated': 1, 'other_factor': 2}"),
   "$.kernels[0].depthwise_fast_path.dilated: unknown key \"dilated\""},
  {MORE("'depthwise_fast_path': 3"), "$.kernels[0].depthwise_fast_path: is not an object"},
  {MORE("'launch': {'units': 2}"), "$.kernels[0].launch: key \"waves_1x1\" is missing"},
  {MORE("'launch': {'units': 2, 'waves_1x1': 4, 'waves': 3, 'pixel_reads': 2, 'loop_reads_1x1': 3, 'loop_reads': 4, 'store_reads': 6, "
        "'slice_reads': 0.5, 'wait_1x1': 0.9, 'wait': 0.6, 'fill_1x1': 0.2, 'fill': 0.7, 'small_wait': 1.3, 'constant_efficiency': 0.3}, "
        "'work_group': {'blocks': 16, 'rows': 4}"),
   "$.kernels[0]: has a launch beside a winograd or work_group"},
  {MORE("'shaders': {'access_cycles': 1, 'read_cycles': 1, 'first_waves': 1}"), "$.kernels[0].shaders: key \"copy_cycles\" is missing"},
  {MORE("'shaders': {'access_cycles': 0, 'read_cycles': 1, 'first_waves': 1, 'copy_cycles': 0}"),
   "$.kernels[0].shaders.access_cycles: 0 is not in [1e-06, 1e+06]"},
  {MORE("'shaders': {'access_cycles': 1, 'read_cycles': 1, 'first_waves': 1, 'copy_cycles': 0}, 'work_group': {'blocks': 16, 'rows': 4}"),
   "$.kernels[0]: has shaders beside a launch, mali_launch, winograd or work_group"},
  {MORE("'shaders': {'access_cycles': 1, 'read_cycles': 1, 'first_waves': 1, 'copy_cycles': 0}, 'winograd': {'tile': 6, 'small_tile': 2, "
        "'above': 16, 'channels': 8, 'transform_half': 1}"), "$.kernels[0]: has shaders beside a launch, mali_launch, winograd or work_group"},
  {MORE("'launch': {'units': 2, 'waves_1x1': 4, 'waves': 3, 'pixel_reads': 2, 'loop_reads_1x1': 3, 'loop_reads': 4, 'store_reads': 6, "
        "'slice_reads': -1}"), "$.kernels[0].launch.slice_reads: -1 is not in [0, 1000]"},
  {MORE("'launch': {'units': 0}"), "$.kernels[0].launch.units: 0 is not in [1, 1024]"},
  {MORE("'mali_launch': {'cores': 2, 'warp': 8}"), "$.kernels[0].mali_launch: key \"window_outputs\" is missing"},
  {MORE("'mali_launch': {'cores': 2, 'warp': 8, 'window_outputs': 9}"), "$.kernels[0].mali_launch.window_outputs: 9 is not in [1, 8]"},
  {MORE("'mali_launch': {'cores': 2, 'warp': 3, 'window_outputs': 6, 'items': 5, 'pixel_reads': 41, 'wait_1x1': 0.42" MALI_TIMES "}"),
   "$.kernels[0]: has mali_launch.window_outputs (6), which is none of 1, 2, 4 and 8"},
  {MORE("'mali_launch': {" MALI ", 'wait': 1.1}"), "$.kernels[0].mali_launch.wait: 1.1 is not in [0, 1]"},
  {MORE("'mali_launch': {" MALI MALI_TIMES "}, 'work_group': {'blocks': 16, 'rows': 4}"),
   "$.kernels[0]: has a mali_launch beside a launch, winograd, work_group or packing"},
  {MORE("'mali_launch': {" MALI MALI_TIMES "}, 'packing': {'lanes': 4}"), "$.kernels[0]: has a mali_launch beside a launch, winograd, work_group or packing"},
  {MORE("'mali_launch': {" MALI MALI_TIMES "}, 'shaders': {'access_cycles': 1, 'read_cycles': 1, 'first_waves': 1, 'copy_cycles': 0}"),
   "$.kernels[0]: has shaders beside a launch, mali_launch, winograd or work_group"},
  {MORE("'strided_depthwise_factor': 0.5"), "$.kernels[0].strided_depthwise_factor: 0.5 is not in [1, 100]"},
  {MORE("'strided_depthwise_factor': 2, 'shaders': {'access_cycles': 1, 'read_cycles': 1, 'first_waves': 1, 'copy_cycles': 0}"),
   "$.kernels[0]: has a strided_depthwise_factor beside shaders, which have a strided_window_factor"},
  {MORE("'shaders': {'access_cycles': 1, 'read_cycles': 1, 'first_waves': 1, 'copy_cycles': 0, 'strided_window_factor': 0.5}"),
   "$.kernels[0].shaders.strided_window_factor: 0.5 is not in [1, 100]"},
  {MORE("'operator_cycles': {'Padding': 1}"), "$.kernels[0].operator_cycles.Padding: \"Padding\" is no operator"},
  {MORE("'operator_cycles': {'Conv': 1}"), "$.kernels[0].operator_cycles.Conv: Conv multiplies: its class has an efficiency"},
  {MORE("'operator_cycles': {'MatMul': 0.2, 'Gemm': 1}"),
   "$.kernels[0].operator_cycles.Gemm: Gemm multiplies: its class has an efficiency"},
  {MORE("'operator_cycles': {'Pad': 0}"), "$.kernels[0].operator_cycles.Pad: 0 is not in [0.001, 1e+06]"},
  {MORE("'operator_cycles': {'Pad': 1, 'source': 'nobody'}"), "$.kernels[0].operator_cycles.source: \"nobody\" is not in the table of sources"},
  {MORE("'rows_per_pass': 0"), "$.kernels[0].rows_per_pass: 0 is not in [1, 1024]"},
  {MORE("'matrix_block': 0"), "$.kernels[0].matrix_block: 0 is not in [1, 1024]"},
  {MORE("'matrix_block': 8, 'block_map_bytes': 1000"), "$.kernels[0].block_map_bytes: 1000 is not in [1024, 1e+09]"},
  {MORE("'gemm_factor': 0.001"), "$.kernels[0].gemm_factor: 0.001 is not in [0.01, 100]"},
  {MORE("'reread_cycles_per_byte': 0.5"), "$.kernels[0]: has reread_cycles_per_byte without rows_per_pass"},
  {MORE("'turn_miss_cycles': 8"), "$.kernels[0]: has turn_miss_cycles or turn_far_cycles without turn_cycles"},
  {MORE("'turn_far_cycles': 8"), "$.kernels[0]: has turn_miss_cycles or turn_far_cycles without turn_cycles"},
  {MORE("'turn_cycles': 1, 'turn_miss_cycles': 8"), "$.kernels[0]: has turn_miss_cycles without turn_cache_lines"},
  {MORE("'turn_cache_lines': 4096"), "$.kernels[0]: has turn_cache_lines that are no multiple of its turn_cache_ways"},
  {MORE("'turn_cache_lines': 100, 'turn_cache_ways': 8"), "$.kernels[0]: has turn_cache_lines that are no multiple of its turn_cache_ways"},
  {MORE("'block_map_bytes': 131072"), "$.kernels[0]: has block_map_bytes without a matrix_block that is a power of two"},
  {MORE("'matrix_block': 12, 'block_map_bytes': 131072"),
   "$.kernels[0]: has block_map_bytes without a matrix_block that is a power of two"},
  {MORE("'depthwise_other': 0.1"), "$.kernels[0].depthwise_other: unknown key \"depthwise_other\""},
  {MORE("'general_depthwise_factor': 2"), "$.kernels[0].general_depthwise_factor: unknown key \"general_depthwise_factor\""},
  {"'pool': 0.5, ", "", "key \"pool\" is missing"},
  {"'channel_multiple': 4", "'channel_multiple': 0", "0 is not in [1, 1024]"},
  {"'serial_frac': 0.1", "'serial_frac': 1.1", "1.1 is not in [0, 1]"},
  {"'serial_frac': 0.1", "'serial_frac': 0.1, 'serial_light_frac': 1.2", "1.2 is not in [0, 1]"},
  {"'serial_frac': 0.1", "'serial_frac': 0.1, 'start_cycles': -1", "-1 is not in [0, "},
  {"'serial_frac': 0.1", "'serial_frac': 0.1, 'spin_s': 1.5", "$.kernels[0].spin_s: 1.5 is not in [0, 1]"},
  {"[15, 1]", "[8, 1]", "knots must ascend"},
  {"'precision': 'fp32'", "'precision': 'fp64'", "\"fp64\" is not one of fp32, fp16, int8"},
  {"'processor': 'gpu'", "'kind': 'gpu'", "key \"processor\" is missing"},
  {"'n': 3", "'n': 0", "0 is not in [1,"},
  {", 'source': 'a'}]", "}]", "no source says where this number comes from"},
  {MORE("'for_cores': ['Adreno']"), "$.kernels[0]: has for_cores in a profile of one SoC, which is for its own cores"},
  {MORE("'sibling_cores': ['Mali-G76']"), "$.kernels[0]: has sibling_cores in a profile of one SoC, which is for its own cores"},
  {"hetsim-profile/1", "hetsim-soc/1", "$.format: \"hetsim-soc/1\" is not \"hetsim-profile/1\""},
  {"'overhead_cycles': 1", "'overhead_cycles': -1", "$.kernels[0].overhead_cycles: -1 is not in [0, 1e+12]"},
  {"'overhead_cycles': 1", "'overhead_s': 1", "key \"overhead_cycles\" is missing"},
  {"'channel_multiple': 4", "'dense_depthwise': 1, 'channel_multiple': 4", "$.kernels[0].dense_depthwise"},
  {"'channel_multiple': 4", "'channel_multiple': 4.5", "$.kernels[0].channel_multiple: 4.5 is not a whole number"},
  {"'reduction_half': 1", "'reduction_half': -1", "$.kernels[0].reduction_half: -1 is not in [0, 1e+06]"},
  {"'traffic_factor': 1", "'traffic_factor': 0", "$.kernels[0].traffic_factor: 0 is not > 0"},
  {"'traffic_factor': 1", "'traffic_factor': 1e999", "$.kernels[0].traffic_factor: is not a finite number"},
  {"'memory_type': 'image'", "'memory_type': 'texture'", "$.kernels[0].memory_type: \"texture\" is not one of buffer, image"},
  {"'processor': 'gpu'", "'processor': 'gpu', 'kind': 'gpu'", "$.kernels[0].kind: unknown key \"kind\""},
  {"'pool': 0.5", "'pool': 0.5, 'softmax': 0.5", "$.kernels[0].efficiency.softmax: unknown key \"softmax\""},
  {MORE("'refetch_per_mac': {'conv_3x3': -0.1}"), "$.kernels[0].refetch_per_mac.conv_3x3: -0.1 is not in [0, 2]"},
  {MORE("'refetch_per_mac': {'conv_9x9': 0.1}"), "$.kernels[0].refetch_per_mac.conv_9x9: unknown key \"conv_9x9\""},
  {"'pool': 0.5", "'pool': 0.5, 'pool': 0.5", "$.kernels[0].efficiency.pool: duplicate key"},
  {"[[8, 0.1], [15, 1]]", "[[8, 0.1]]", "$.kernels[0].saturation: has 1 elements, not 2 to 24"},
  {"[15, 1]", "[15]", "$.kernels[0].saturation[1]: is not [ln(size), fraction]"},
  {"[15, 1]", "15", "$.kernels[0].saturation[1]: is not [ln(size), fraction]"},
  {"[15, 1]", "[15, 0]", "$.kernels[0].saturation[1][1]: 0 is not in [1e-09, 10]"},
  {"[15, 1]", "[41, 1]", "$.kernels[0].saturation[1][0]: 41 is not in [0, 40]"}, /* not a logarithm */
  {"'traffic_factor': 1", "'traffic_factor': 1, 'wave': 0", "$.kernels[0].wave: 0 is not in [1, 1048576]"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'work_group': {'blocks': 16}", "$.kernels[0].work_group: key \"rows\" is missing"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'work_group': {'blocks': 16, 'rows': 0}",
   "$.kernels[0].work_group.rows: 0 is not in [1, 1024]"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'work_group': {'blocks': 16, 'rows': 4, 'lines_per_cycle': 1}",
   "$.kernels[0].work_group: key \"bytes_per_cycle\" is missing"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'work_group': {'blocks': 16, 'rows': 4, 'lines_per_cycle': 0, 'bytes_per_cycle': 64}",
   "$.kernels[0].work_group.lines_per_cycle: 0 is not in [1e-06, 1e+06]"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'work_group': {'blocks': 16, 'rows': 4, 'lines_per_cycle': 1, 'bytes_per_cycle': 64}",
   "$.kernels[0].efficiency: has \"conv_1x1\", whose rate work_group.lines_per_cycle gives"},
  {"'traffic_factor': 1",
   "'traffic_factor': 1, 'work_group': {'blocks': 16, 'rows': 4, 'lines_per_cycle': 1, 'bytes_per_cycle': 64}, 'winograd': {'tile': 6, "
   "'small_tile': 2, 'above': 16, 'channels': 8, 'transform_half': 1}", "$.kernels[0]: has a winograd beside work_group.lines_per_cycle"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'columns_half': -1", "$.kernels[0].columns_half: -1 is not in [0, 1e+06]"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'direct_block': 1.5", "$.kernels[0].direct_block: 1.5 is not a whole number"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'width_block': {'conv': 4}", "$.kernels[0].width_block.conv: unknown key \"conv\""},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'winograd': {'tile': 6, 'small_tile': 2, 'above': 16, 'tiles_per_pass': 8, 'channels': 8, 'transform_half': 1}",
   "$.kernels[0]: has winograd.above (16) beside winograd.tiles_per_pass"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'packing': {'lanes': 8, 'factor_5x5': 1}, 'winograd': {'tile': 6, 'small_tile': 4, 'above': 16, 'channels': 8, 'transform_half': 1}",
   "$.kernels[0]: has winograd.above beside packing, which decides instead"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'packing': {'lanes': 8, 'factor_5x5': 1}, 'winograd': {'tile': 6, 'small_tile': 4, 'tiles_per_pass': 8, 'channels': 8, 'transform_half': 1}",
   "$.kernels[0]: has winograd.tiles_per_pass beside packing, which decides instead"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'packing': {'lanes': 3}", "$.kernels[0].packing.lanes: 3 is not in [4, 8]"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'packing': {'lanes': 5}", "$.kernels[0]: has packing.lanes (5), which is neither 4 nor 8"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'packing': {'lanes': 7}, 'memory_type': 'buffer'",
   "$.kernels[0]: has packing.lanes (7), which is neither 4 nor 8"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'packing': {'lanes': 8}, 'memory_type': 'buffer'",
   "$.kernels[0]: has packing.lanes (8), and a GPU's shaders read vectors of 4"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'packing': {'lanes': 4, 'factor_5x5': 2}, 'memory_type': 'buffer'",
   "$.kernels[0]: has packing.factor_5x5, which only kernels of a CPU have"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'spin_s': 0", "$.kernels[0]: has spin_s, which only kernels of a CPU have"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'fork_cycles': 9", "$.kernels[0]: has fork_cycles, which only kernels of a CPU have"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'packing': {'lanes': 4}, 'shaders': {'access_cycles': 1, 'read_cycles': 1, 'first_waves': 1, 'copy_cycles': 1}",
   "$.kernels[0]: has shaders beside packing, which tells them by itself"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'winograd': {'tile': 5, 'small_tile': 2, 'tiles_per_pass': 8, 'channels': 8, 'transform_half': 1}",
   "$.kernels[0]: has winograd.tiles_per_pass, but winograd.small_tile (2) is not tile (5) less a multiple of 2"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'winograd': {'tile': 4, 'small_tile': 6, 'tiles_per_pass': 8, 'channels': 8, 'transform_half': 1}",
   "$.kernels[0]: has winograd.tiles_per_pass, but winograd.small_tile (6) is not tile (4) less a multiple of 2"},
  {"'traffic_factor': 1", "'traffic_factor': 1, 'winograd': {'tile': 6}", "$.kernels[0].winograd: key \"small_tile\" is missing"},
  {"'mape_frac': 0.1", "'mape_frac': -0.1", "$.kernels[0].fit.mape_frac: -0.1 is not in [0, 100]"},
  {"'note': 'n'", "'note': 'n', 'r2': 1", "$.kernels[0].fit.r2: unknown key \"r2\""},
  {"'runtime': 'mace'", "'runtime': ''", "$.runtime: a name has 1 to 63 characters, not 0"},
  {"'kernels'", "'version': 3, 'kernels'", "$.version: unknown key \"version\""},
  {MORE("'core_factors': {'Cortex-A75': {'others': 2}}"), "$.kernels[0]: has core_factors, which only kernels of a CPU have"},
  {MORE("'core_factors': 2"), "$.kernels[0].core_factors: is not an object"},
  {MORE("'core_factors': {}"), "$.kernels[0].core_factors: names no type of core"},
  {MORE("'core_factors': {'': {'others': 2}}"), "a type of core has 1 to 60 characters, not 0"},
  {MORE("'core_factors': {'Cortex-A75': {}}"), "$.kernels[0].core_factors.Cortex-A75: has none of products, vectors and others"},
  {MORE("'core_factors': {'Cortex-A75': {'others': 0.04}}"), "$.kernels[0].core_factors.Cortex-A75.others: 0.04 is not in [0.05, 20]"},
  {MORE("'core_factors': {'Cortex-A75': {'products': 21}}"), "$.kernels[0].core_factors.Cortex-A75.products: 21 is not in [0.05, 20]"},
  {MORE("'core_factors': {'Cortex-A75': {'moves': 2}}"), "$.kernels[0].core_factors.Cortex-A75.moves: unknown key \"moves\""},
  {MORE("'core_factors': {'A75': {'others': 2}, 'Cortex-A75': {'others': 3}}"), "$.kernels[0].core_factors.Cortex-A75: names cores that \"A75\" names, too"},
  {MORE("'scater': {}"),
   "$.kernels[0].scater: unknown key \"scater\"; did you mean scatter?"}, /* asked for behind all other optional ones */
};

START_TEST(profile_refused)
{
  struct hs_profile *p = NULL;
  struct hs_error err = {0};
  char *text = hs_test_spoilt("profile/small", profile_cases[_i].from, profile_cases[_i].to);
  ck_assert_int_eq(hs_profile_parse("p.json", text, strlen(text), &p, &err), HS_INPUT);
  ck_assert_msg(strstr(hs_test_message(&err), profile_cases[_i].message) != NULL, "%s", hs_test_message(&err));
  free(text);
}
END_TEST

/* One valid kernel of the seed, with the memory type replaced; "" for none. */
static char *kernel(const char *processor, const char *memory_type)
{
  char *text = hs_test_seed("profile/small"), *start = strstr(text, "{\"processor\""), *end = strstr(text, "]}");
  struct hs_text t = {0};
  while (strstr(end + 1, "]}")) end = strstr(end + 1, "]}");
  hs_text_addf(&t, "%.*s", (int)(end - start), start);
  free(text);
  char *named = hs_test_replace(t.s, "\"processor\": \"gpu\"", processor);
  hs_text_free(&t);
  char *typed = hs_test_replace(named, "\"memory_type\": \"image\", ", memory_type);
  free(named);
  return typed;
}

#define GPU "\"processor\": \"gpu\""
#define BUFFER "\"memory_type\": \"buffer\", "
#define IMAGE "\"memory_type\": \"image\", "

static enum hs_status parse_two(const char *soc, char *first, char *second, struct hs_profile **p, struct hs_error *err)
{
  struct hs_text t = {0};
  hs_text_addf(&t, "{\"format\": \"hetsim-profile/1\", \"soc\": \"%s\", \"runtime\": \"mace\", \"sources\": {\"a\": {\"kind\": \"assumed\", \"ref\": \"r\"}},"
                   "\"kernels\": [%s,\n%s]}", soc, first, second);
  enum hs_status status = hs_profile_parse("p.json", t.s, t.len, p, err);
  hs_text_free(&t);
  free(first);
  free(second);
  return status;
}

START_TEST(profile_precedence)
{
  struct hs_profile *p = NULL;
  struct hs_soc *s = NULL;
  struct hs_error err;
  char *soc = hs_test_seed("soc/small");
  hs_test_accepted(hs_soc_parse("s.json", soc, strlen(soc), &s, &err), &err);
  free(soc);
  /* the special one, then the one for all memory types */
  hs_test_accepted(parse_two("x", kernel(GPU, BUFFER), kernel(GPU, ""), &p, &err), &err);
  ck_assert_int_eq(p->kernels[1].memory_type, -1);
  ck_assert(hs_profile_find(p, &s->processors[1], HS_FP32, HS_BUFFER) == &p->kernels[0]);
  ck_assert(hs_profile_find(p, &s->processors[1], HS_FP32, HS_IMAGE) == &p->kernels[1]);
  ck_assert(hs_profile_find(p, &s->processors[0], HS_FP32, HS_BUFFER) == NULL);
  hs_profile_free(p);
  /* of an estimate: by kind */
  hs_test_accepted(parse_two("any", kernel("\"kind\": \"cpu\"", ""), kernel("\"kind\": \"gpu\"", IMAGE), &p, &err), &err);
  ck_assert_ptr_null(p->kernels[0].processor);
  ck_assert(hs_profile_find(p, &s->processors[0], HS_FP32, HS_BUFFER) == &p->kernels[0]);
  ck_assert(hs_profile_find(p, &s->processors[1], HS_FP32, HS_IMAGE) == &p->kernels[1]);
  ck_assert(hs_profile_find(p, &s->processors[1], HS_FP32, HS_BUFFER) == NULL);
  hs_profile_free(p);
  /* or by the processor's name, before its kind */
  hs_test_accepted(parse_two("any", kernel("\"processor\": \"gpu\"", ""), kernel("\"kind\": \"gpu\"", ""), &p, &err), &err);
  ck_assert(hs_profile_find(p, &s->processors[1], HS_FP32, HS_IMAGE) == &p->kernels[0]);
  hs_profile_free(p);
  hs_test_accepted(parse_two("any", kernel("\"processor\": \"gpu-2\"", ""), kernel("\"kind\": \"gpu\"", ""), &p, &err), &err);
  ck_assert(hs_profile_find(p, &s->processors[1], HS_FP32, HS_IMAGE) == &p->kernels[1]);
  hs_profile_free(p);
  hs_test_refused(parse_two("any", kernel("\"kind\": \"gpu\"", ""), kernel("\"processor\": \"gpu\"", ""), &p, &err), &err,
                  "p.json:2:1: $.kernels[1]: kernels[0] already holds for this processor, precision and memory type");
  hs_soc_free(s);
}
END_TEST

/* What the threads of a CPU's pool do is in no kernel that is another processor's. */
START_TEST(profile_of_threads)
{
  static const struct {
    const char *kind, *member, *message; /* NULL: accepted */
  } cases[] = {
    {"\"kind\": \"cpu\"", "\"spin_s\": 0.1, \"fork_cycles\": 9, ", NULL},
    {"\"processor\": \"cpu\"", "\"spin_s\": 0.1, \"fork_cycles\": 9, ", NULL},
    {"\"kind\": \"cpu\"", "\"core_factors\": {\"Cortex-A75\": {\"vectors\": 0.05}, \"source\": \"a\"}, ", NULL},
    {"\"kind\": \"gpu\"", "\"spin_s\": 0.1, ", "p.json:2:1: $.kernels[1]: has spin_s, which only kernels of a CPU have"},
    {"\"kind\": \"dsp\"", "\"fork_cycles\": 9, ", "p.json:2:1: $.kernels[1]: has fork_cycles, which only kernels of a CPU have"},
    {"\"kind\": \"npu\"", "\"packing\": {\"lanes\": 4, \"factor_5x5\": 2}, ", "p.json:2:1: $.kernels[1]: has packing.factor_5x5, which only kernels of a CPU have"},
  };
  struct hs_profile *p = NULL;
  struct hs_error err;
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
    enum hs_status status = parse_two("any", kernel("\"processor\": \"x\"", ""), kernel(cases[i].kind, cases[i].member), &p, &err);
    if (cases[i].message)
      hs_test_refused(status, &err, cases[i].message);
    else
      hs_test_accepted(status, &err);
    if (!status) hs_profile_free(p);
  }
}
END_TEST

#define SIBLINGS(cores) "\"kind\": \"cpu\", \"sibling_cores\": " cores

static enum hs_basis basis_on(const struct hs_profile *p, const char *first, const char *second)
{
  const struct hs_processor cpu = {.name = "cpu", .kind = HS_CPU, .n_domains = 2, .domains = {{.core_type = first}, {.core_type = second}}};
  return hs_profile_basis(p, &p->kernels[1], &cpu);
}

/* A kernel for some cores stands before the one for all. */
START_TEST(profile_for_cores)
{
  static const char mine[] = "\"kind\": \"gpu\", \"for_cores\": [\"Adreno\", \"G77\"]";
  static const struct {
    const char *first, *second;
  } hidden[] = {{"\"kind\": \"gpu\"", mine}, {mine, mine}, {mine, "\"kind\": \"gpu\", \"for_cores\": [\"g77\"]"},
               {mine, "\"kind\": \"gpu\", \"for_cores\": [\"Adreno 640\", \"Mali-G77\"]"}};
  struct hs_profile *p = NULL;
  struct hs_error err;
  struct hs_processor gpu = {.name = "gpu", .kind = HS_GPU, .n_domains = 1, .domains = {{.core_type = "Adreno 730"}}};
  hs_test_accepted(parse_two("any", kernel(mine, ""), kernel("\"kind\": \"gpu\"", ""), &p, &err), &err);
  ck_assert(hs_profile_find(p, &gpu, HS_FP32, HS_IMAGE) == &p->kernels[0]);
  gpu.domains[0].core_type = "Qualcomm ADRENO730";
  ck_assert(hs_profile_find(p, &gpu, HS_FP32, HS_IMAGE) == &p->kernels[0]);
  gpu.domains[0].core_type = "adrenox";
  ck_assert(hs_profile_find(p, &gpu, HS_FP32, HS_IMAGE) == &p->kernels[1]);
  gpu.domains[0].core_type = "Mali-G77 MP8";
  ck_assert(hs_profile_find(p, &gpu, HS_FP32, HS_IMAGE) == &p->kernels[0]);
  gpu.domains[0].core_type = "Mali-G76";
  ck_assert(hs_profile_find(p, &gpu, HS_FP32, HS_IMAGE) == &p->kernels[1]);
  gpu.domains[0].core_type = "";
  ck_assert(hs_profile_find(p, &gpu, HS_FP32, HS_IMAGE) == &p->kernels[1]);
  hs_profile_free(p);
  for (int i = 0; i < (int)(sizeof hidden / sizeof *hidden); i++)
    hs_test_refused(parse_two("any", kernel(hidden[i].first, ""), kernel(hidden[i].second, ""), &p, &err), &err,
                    "p.json:2:1: $.kernels[1]: kernels[0] already holds for this processor, precision and memory type");
  hs_test_accepted(parse_two("any", kernel("\"kind\": \"gpu\", \"for_cores\": [\"Adreno\"]", ""), kernel(mine, ""), &p, &err), &err);
  hs_profile_free(p);
}
END_TEST

/* All clusters are of a type that the kernel of an estimate names, as words; but what is assumed is nobody's. */
START_TEST(profile_sibling_cores)
{
  struct hs_profile *p = NULL;
  struct hs_error err;
  hs_test_refused(parse_two("any", kernel("\"kind\": \"gpu\"", ""), kernel(SIBLINGS("[]"), ""), &p, &err), &err,
                  "p.json:2:34: $.kernels[1].sibling_cores: has 0 elements, not 1 to 8");
  hs_test_refused(parse_two("any", kernel("\"kind\": \"gpu\"", ""), kernel(SIBLINGS("[\"A\", \"\"]"), ""), &p, &err), &err,
                  "p.json:2:40: $.kernels[1].sibling_cores[1]: is empty");
  for (int assumed = 0; assumed < 2; assumed++) {
    char *whole = kernel(SIBLINGS("[\"A76\", \"Big 2\"]"), "");
    char *unfitted = hs_test_replace(whole, ", \"fit\": {\"n\": 3, \"mape_frac\": 0.1, \"note\": \"n\"}", "");
    free(whole);
    hs_test_accepted(parse_two("any", kernel("\"kind\": \"gpu\"", ""), unfitted, &p, &err), &err);
    p->sources.list[0].kind = assumed ? HS_ASSUMED : HS_DERIVED;
    enum hs_basis named = assumed ? HS_BASIS_ESTIMATE : HS_BASIS_SIBLING;
    ck_assert_int_eq(basis_on(p, "Kryo (A76)", "A76 prime"), named);
    ck_assert_int_eq(basis_on(p, "A76", "Big 2"), named);
    ck_assert_int_eq(basis_on(p, "A761 and A76", "Big 2"), named);
    ck_assert_int_eq(basis_on(p, "A76", "X1"), HS_BASIS_ESTIMATE);
    ck_assert_int_eq(basis_on(p, "A76", "A761"), HS_BASIS_ESTIMATE);
    ck_assert_int_eq(basis_on(p, "A76", "SA76"), HS_BASIS_ESTIMATE);
    ck_assert_int_eq(basis_on(p, "A76", ""), HS_BASIS_ESTIMATE);
    hs_profile_free(p);
  }
}
END_TEST

/* Each number of a launch and of shaders comes to its own place. */
START_TEST(profile_launch_and_shaders)
{
  struct hs_profile *p = NULL;
  struct hs_error err;
  char *launch = hs_test_spoilt("profile/small", MORE("'launch': {'units': 2, 'waves_1x1': 4, 'waves': 3, 'pixel_reads': 21, 'loop_reads_1x1': 22, "
                                              "'loop_reads': 23, 'store_reads': 24, 'slice_reads': 25, 'wait_1x1': 26, "
                                              "'wait': 27, 'fill_1x1': 28, 'fill': 29, 'small_wait': 30, "
                                              "'constant_efficiency': 0.3}"));
  hs_test_accepted(hs_profile_parse("p.json", launch, strlen(launch), &p, &err), &err);
  const struct hs_kernel_launch *l = &p->kernels[0].launch;
  ck_assert_int_eq(l->units, 2);
  ck_assert_int_eq(l->resident[0], 4);
  ck_assert_int_eq(l->resident[1], 3);
  const double numbers[] = {l->pixel_reads, l->loop_reads_1x1, l->loop_reads, l->store_reads, l->slice_reads,
                            l->wait[0],     l->wait[1],        l->fill[0],    l->fill[1],     l->small_wait};
  for (int i = 0; i < 10; i++) ck_assert_double_eq(numbers[i], 21 + i);
  ck_assert_double_eq(l->constant_efficiency, 0.3);
  hs_profile_free(p);
  char *mali = hs_test_spoilt("profile/small", MORE("'mali_launch': {" MALI MALI_TIMES "}"));
  hs_test_accepted(hs_profile_parse("p.json", mali, strlen(mali), &p, &err), &err);
  const struct hs_kernel_mali *m = &p->kernels[0].mali;
  const int counts[] = {m->cores, m->warp, m->window_outputs, m->items};
  const double times[] = {m->pixel_reads,           m->wait[0] * 100,        m->wait[1] * 100,  m->later * 100,
                          m->weight_cycles_per_byte, m->store_cycles_per_byte, m->transform_cycles_per_byte};
  for (int i = 0; i < 4; i++) ck_assert_int_eq(counts[i], 2 + i);
  for (int i = 0; i < 7; i++) ck_assert_near(times[i], 41 + i);
  hs_profile_free(p);
  free(mali);
  char *shaders = hs_test_spoilt("profile/small", MORE("'shaders': {'access_cycles': 31, 'read_cycles': 32, 'first_waves': 33, 'copy_cycles': 34, "
                                               "'strided_window_factor': 35}"));
  hs_test_accepted(hs_profile_parse("p.json", shaders, strlen(shaders), &p, &err), &err);
  const struct hs_kernel_shaders *s = &p->kernels[0].shaders;
  const double cycles[] = {s->access_cycles, s->read_cycles, s->first_waves, s->copy_cycles, s->strided_window_factor};
  for (int i = 0; i < 5; i++) ck_assert_double_eq(cycles[i], 31 + i);
  ck_assert_double_eq(p->kernels[0].strided_depthwise_factor, 1);
  hs_profile_free(p);
  free(shaders);
  free(launch);
}
END_TEST

/* A kernel that no lookup can reach is a mistake in the file. */
START_TEST(profile_hidden_kernels)
{
  struct hs_profile *p = NULL;
  struct hs_error err;
  const char *message = "p.json:2:1: $.kernels[1]: kernels[0] already holds for this processor, precision and memory type";
  hs_test_refused(parse_two("x", kernel(GPU, IMAGE), kernel(GPU, IMAGE), &p, &err), &err, message);
  hs_test_refused(parse_two("x", kernel(GPU, ""), kernel(GPU, IMAGE), &p, &err), &err, message);
  hs_test_refused(parse_two("x", kernel(GPU, ""), kernel(GPU, ""), &p, &err), &err, message);
  hs_test_refused(parse_two("any", kernel("\"kind\": \"npu\"", ""), kernel("\"kind\": \"npu\"", ""), &p, &err), &err, message);
  hs_test_accepted(parse_two("x", kernel(GPU, ""), kernel("\"processor\": \"cpu\"", ""), &p, &err), &err);
  hs_profile_free(p);
}
END_TEST

START_TEST(profile_lookup)
{
  struct hs_profile *p = NULL;
  struct hs_soc *s = NULL;
  struct hs_error err;
  char *text = hs_test_seed("profile/small"), *soc = hs_test_seed("soc/small");
  ck_assert_int_eq(hs_profile_parse("p.json", text, strlen(text), &p, &err), HS_OK);
  ck_assert_int_eq(hs_soc_parse("s.json", soc, strlen(soc), &s, &err), HS_OK);
  ck_assert(hs_profile_find(p, &s->processors[1], HS_FP32, HS_IMAGE) == &p->kernels[0]);
  ck_assert(hs_profile_find(p, &s->processors[1], HS_FP32, HS_BUFFER) == NULL); /* another memory type */
  ck_assert(hs_profile_find(p, &s->processors[1], HS_FP16, HS_IMAGE) == NULL);  /* another precision */
  ck_assert(hs_profile_find(p, &s->processors[0], HS_FP32, HS_IMAGE) == NULL);  /* another processor */
  hs_profile_free(p);
  hs_soc_free(s);
  free(text);
  free(soc);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, profile_refused, 0, sizeof profile_cases / sizeof *profile_cases);
  tcase_add_test(t, profile_lookup);
  tcase_add_test(t, profile_of_threads);
  tcase_add_test(t, profile_precedence);
  tcase_add_test(t, profile_for_cores);
  tcase_add_test(t, profile_sibling_cores);
  tcase_add_test(t, profile_launch_and_shaders);
  tcase_add_test(t, profile_hidden_kernels);
}

int main(void) { return hs_test_main("profile", fill); }
