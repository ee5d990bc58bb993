/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plans that CoDL's release ships: replayed as they are, for whom and for what there is none, and what contradicts them. */
#include "tests/policy/cutting.h"

#include <math.h>

#include "policies/cuts.h"

static const char *const published_param[] = {"plan=published"};

/* nn_model_builder.cc, VGG-16, hint 11, the second assignment for the Snapdragon 855, operator by operator. */
START_TEST(published_vgg16)
{
  static const int tenths[] = {10, 6, 6, 5, 5, 5, 5, 5, 5, 5, 4, 4, 5, 10, 5, 5, 5, 10, 6, 2, 5};
  static const int oc[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1};
  static const bool goes_on[] = {0, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  struct hs_setup s;
  set_up(&s, "sd855", "codl", "vgg16", NULL, published_param, 1);
  ck_assert_int_eq(s.graph->n_ops, 22);
  for (int i = 0; i < 21; i++) {
    const struct hs_op_placement *op = &s.placement->ops[i];
    ck_assert_int_eq(op->n_parts, tenths[i] == 10 ? 1 : 2);
    ck_assert_int_eq(s.soc->processors[op->parts[0].processor].kind, HS_GPU);
    ck_assert_double_eq(op->parts[0].fraction, tenths[i] / 10.0);
    if (tenths[i] < 10) ck_assert_int_eq(op->split, oc[i] ? HS_SPLIT_CHANNEL : HS_SPLIT_HEIGHT);
    if (i) ck_assert_int_eq(op->chain == op[-1].chain, goes_on[i]);
  }
  ck_assert_int_eq(s.placement->ops[21].n_parts, 1); /* Softmax isn't cut */
  hs_setup_free(&s);
}
END_TEST

/* What codl decides with these values after the system or the network was changed. */
static const struct hs_op_placement *decided_again(struct hs_setup *s, struct hs_arena *a)
{
  struct hs_error err;
  const char *values[HS_PARAMS_MAX];
  const struct hs_policy *codl = hs_policy_find("codl");
  hs_test_accepted(hs_policy_values(codl, published_param, 1, values, &err), &err);
  struct hs_plan made = {.arena = a, .graph = s->graph};
  const struct hs_view view = {&s->sys, s->graph, values};
  hs_test_accepted(hs_policy_plan(codl, &view, &made, &err), &err);
  return made.alternatives[0]->ops;
}

/* Of VGG-16's first fully connected operator the plan gives the GPU six tenths, 247 MB of weights: where its slices take 100 MB it is cut as a search would. What
 * the GPU has no kernel for is the CPU's. */
START_TEST(what_the_gpu_cannot_hold_or_run)
{
  struct hs_setup s;
  struct hs_arena a = {0};
  set_up(&s, "sd855", "codl", "vgg16", NULL, published_param, 1);
  int gpu = hs_soc_first(s.soc, HS_GPU), fc = 18;
  ck_assert_double_eq(s.placement->ops[fc].parts[0].fraction, 0.6);
  s.soc->processors[gpu].slice_limit_bytes = 100e6;
  s.graph->ops[0].override[HS_GPU] = 0;
  const struct hs_op_placement *op = decided_again(&s, &a);
  ck_assert_int_eq(s.soc->processors[op[0].parts[0].processor].kind, HS_CPU);
  ck_assert(op[fc].parts[0].processor != gpu || op[fc].parts[0].fraction < 0.6);
  hs_arena_free(&a);
  hs_setup_free(&s);
}
END_TEST

/* Every plan that is said to be there replays; the sums guard the tables: of the shares in tenths, over the release's operators that we have. */
static const struct {
  const char *soc, *model;
  int tenths;
} sums[] = {
  {"sd855", "yolov2", 157},  {"sd865", "yolov2", 135},  {"sd888", "yolov2", 137},  {"kirin990", "yolov2", 135},
  {"sd855", "posenet", 204}, {"sd865", "posenet", 201}, {"sd888", "posenet", 202}, {"kirin990", "posenet", 167},
  {"sd855", "vgg16", 118},   {"sd865", "vgg16", 100},   {"sd888", "vgg16", 107},   {"kirin990", "vgg16", 104},
  {"sd855", "fst", 84},      {"sd865", "fst", 83},      {"sd888", "fst", 85},      {"kirin990", "fst", 55},
  {"sd855", "fst_codl", 84}, {"sd855", "yolov2_codl", 172}, {"sd855", "retinaface_codl", 655}, {"kirin990", "yolov2_codl", 141},
  {"sd855", "retinaface", 655}, {"sd865", "retinaface", 608}, {"sd888", "retinaface", 626}, {"kirin990", "retinaface", 363},
};

static int sum_of(const struct hs_setup *s, bool (*counts)(const char *name))
{
  int sum = 0;
  for (int i = 0; i < s->graph->n_ops; i++) {
    const struct hs_op_placement *op = &s->placement->ops[i];
    if (!hs_cuts_partitionable(&s->graph->ops[i]) || !counts(s->graph->ops[i].name)) continue;
    if (s->soc->processors[op->parts[0].processor].kind == HS_GPU) sum += (int)lround(10 * op->parts[0].fraction);
  }
  return sum;
}

/* The release has no shortcuts and no subsampling in RetinaFace, and other last operators in YOLOv2 (conv21 to conv23 of 23). */
static bool in_release(const char *name) { return !strstr(name, "shortcut") && !strstr(name, "subsample"); }

static bool in_yolov2(const char *name) { return strcmp(name, "conv21") != 0 && strcmp(name, "conv22") != 0 && strcmp(name, "conv23") != 0; }

START_TEST(published_plans)
{
  struct hs_setup s;
  set_up(&s, sums[_i].soc, "codl", sums[_i].model, NULL, published_param, 1);
  ck_assert_str_eq(s.sys.runtime->name, "mace");
  ck_assert_int_eq(sum_of(&s, strcmp(sums[_i].model, "yolov2") == 0 ? in_yolov2 : in_release), sums[_i].tenths);
  hs_setup_free(&s);
}
END_TEST

/* What the release doesn't have is placed as the search places it by itself. */
START_TEST(what_the_release_lacks)
{
  static const struct {
    const char *model;
    bool (*has)(const char *name);
  } release[] = {{"yolov2", in_yolov2}, {"retinaface", in_release}};
  static const char *const alone[] = {"plan=search", "chain=none"};
  struct hs_setup s, by_search;
  int n = 0;
  set_up(&s, "sd855", "codl", release[_i].model, NULL, published_param, 1);
  set_up(&by_search, "sd855", "codl", release[_i].model, NULL, alone, 2);
  for (int i = 0; i < s.graph->n_ops; i++) {
    const struct hs_op_placement *is = &s.placement->ops[i], *as = &by_search.placement->ops[i];
    if (!hs_cuts_partitionable(&s.graph->ops[i]) || release[_i].has(s.graph->ops[i].name)) continue;
    n++;
    ck_assert_int_eq(is->split, as->split);
    ck_assert_int_eq(is->parts[0].processor, as->parts[0].processor);
    ck_assert_double_eq(is->parts[0].fraction, as->parts[0].fraction);
  }
  ck_assert_int_gt(n, 0);
  hs_setup_free(&s);
  hs_setup_free(&by_search);
}
END_TEST

/* Nor is it in a chain, though it were placed like the one before: YOLOv2's conv23 goes to the GPU, and so does conv22 where the CPU has no kernel for it. */
START_TEST(what_the_release_lacks_is_in_no_chain)
{
  struct hs_setup s;
  struct hs_arena a = {0};
  set_up(&s, "sd855", "codl", "yolov2", NULL, published_param, 1);
  int last = s.graph->n_ops - 1;
  ck_assert_str_eq(s.graph->ops[last].name, "conv23");
  s.graph->ops[last - 1].override[HS_CPU] = 0;
  const struct hs_op_placement *op = decided_again(&s, &a);
  ck_assert_int_eq(op[last].parts[0].processor, op[last - 1].parts[0].processor);
  ck_assert_int_ne(op[last].chain, op[last - 1].chain);
  hs_arena_free(&a);
  hs_setup_free(&s);
}
END_TEST

START_TEST(published_without_chains)
{
  static const char *const params[] = {"plan=published", "chain=none"};
  struct hs_setup s;
  set_up(&s, "sd855", "codl", "vgg16", NULL, params, 2);
  for (int i = 1; i < s.graph->n_ops; i++) ck_assert_int_ne(s.placement->ops[i].chain, s.placement->ops[i - 1].chain);
  hs_setup_free(&s);
}
END_TEST

static const struct {
  const char *soc, *model, *param, *message;
  enum hs_status status;
} refusals[] = {
  {"sd870", "vgg16", "chain=auto",
   "CoDL published no plan for vgg16 on sd870 (there are: yolov2 on sd855/sd865/sd888/kirin990, posenet on sd855/sd865/sd888/kirin990, vgg16 on "
   "sd855/sd865/sd888/kirin990, fst on sd855/sd865/sd888/kirin990, retinaface on sd855/sd865/sd888/kirin990; plan_of says whose to replay)", HS_INPUT},
  {"sd855", "vgg16", "cut=channel", "policy codl: plan=published has dimensions of its own, and cut=channel gives others", HS_USAGE},
  {"sd855", "vgg16", "plan_of=sd870", "policy codl, parameter plan_of: \"sd870\" is not one of auto, sd855, sd865, sd888, kirin990", HS_USAGE},
  {"kirin990", "vgg16", "cut=height",
   "policy codl: cut=height needs images, and the GPU of kirin990 keeps its tensors in buffers here (--memory-type=image)", HS_USAGE},
  {"sd855", "vgg16", "chain=greedy",
   "policy codl: chain=greedy searches, and plan=published doesn't: give chain=heuristic (the published chains) or none", HS_USAGE},
  {"sd855", "vgg16", "gpu_share=0.5", "policy codl: plan=published has shares of its own, and gpu_share=0.5 gives others", HS_USAGE},
  {"sd855", "vgg16", "gpu_share=1.5", "policy codl, parameter gpu_share: \"1.5\" is not auto or a number in [0, 1]", HS_USAGE},
  {"sd855", "vgg16", "gpu_share=half", "policy codl, parameter gpu_share: \"half\" is not auto or a number in [0, 1]", HS_USAGE},
  {"sd855", "vgg16", "presync_ms=2", "policy codl: presync_ms=2 is for a search, and plan=published doesn't", HS_USAGE},
  {"sd855", "vgg16", "presync_ms=auto", "policy codl, parameter presync_ms: \"auto\" is not a number in [0, 100]", HS_USAGE},
  {"sd855", "vgg16", "chain=0.5", "policy codl, parameter chain: \"0.5\" is not one of auto, greedy, heuristic, none", HS_USAGE},
};

START_TEST(refuses)
{
  const char *params[] = {"plan=published", refusals[_i].param};
  const struct hs_run_options options = {.soc = refusals[_i].soc, .policy = "codl", .model = refusals[_i].model, .params = params, .n_params = 2};
  struct hs_setup s = {0};
  struct hs_error err;
  ck_assert_int_eq(hs_setup_make(&s, &options, &err), refusals[_i].status);
  ck_assert_str_eq(hs_test_message(&err), refusals[_i].message);
  hs_setup_free(&s);
}
END_TEST

START_TEST(plan_of_is_for_replays)
{
  const char *params[] = {"plan_of=kirin990"};
  const struct hs_run_options options = {.soc = "kirin985", .policy = "codl", .model = "vgg16", .params = params, .n_params = 1};
  struct hs_setup s = {0};
  struct hs_error err;
  ck_assert_int_eq(hs_setup_make(&s, &options, &err), HS_USAGE);
  ck_assert_str_eq(hs_test_message(&err), "policy codl: plan_of=kirin990 says whose plan plan=published replays, and plan=search replays none");
  hs_setup_free(&s);
}
END_TEST

/* On a SoC that the release doesn't know: that of another, as it is there. */
START_TEST(published_for_another_soc)
{
  static const char *const params[] = {"plan=published", "plan_of=kirin990"};
  struct hs_setup s, of;
  set_up(&s, "kirin985", "codl", "posenet", NULL, params, 2);
  set_up(&of, "kirin990", "codl", "posenet", NULL, params, 1);
  char *a = text_of(&s.sys, s.graph, s.placement), *b = text_of(&of.sys, of.graph, of.placement);
  ck_assert_str_eq(a, b);
  free(a);
  free(b);
  hs_setup_free(&s);
  hs_setup_free(&of);
}
END_TEST

/* The release's plans know nothing of memory types: the same one for images and buffers, though it searches buffers by channel only. */
START_TEST(published_for_any_memory)
{
  struct hs_setup image, buffer;
  set_up(&image, "sd855", "codl", "vgg16", "image", published_param, 1);
  set_up(&buffer, "sd855", "codl", "vgg16", "buffer", published_param, 1);
  for (int i = 0; i < 21; i++) {
    ck_assert_int_eq(image.placement->ops[i].split, buffer.placement->ops[i].split);
    ck_assert_int_eq(image.placement->ops[i].chain, buffer.placement->ops[i].chain);
    ck_assert_double_eq(image.placement->ops[i].parts[0].fraction, buffer.placement->ops[i].parts[0].fraction);
  }
  hs_setup_free(&image);
  hs_setup_free(&buffer);
}
END_TEST

/* A network that only has the name of a published one. */
START_TEST(published_for_another_network)
{
  struct fixture f;
  struct hs_arena a = {0};
  struct hs_error err;
  make(&f, "mace", HS_IMAGE, -1, FIVE, "'e'");
  f.graph->name = "vgg16";
  f.soc->name = "sd855";
  ck_assert_ptr_null(plan(&f, "codl", published_param, 1, &a, &err));
  ck_assert_int_eq(err.status, HS_INPUT);
  ck_assert_str_eq(hs_test_message(&err), "CoDL's published plan for vgg16 is mapped onto 21 operators that can be cut, and this network has 5");
  hs_arena_free(&a);
  fixture_free(&f);
}
END_TEST

/* A published chain ends where an operator of ours doesn't read just the one before it, or isn't the only one to: YOLOv2's passthrough. */
START_TEST(chains_end_where_another_reads)
{
  struct hs_setup s;
  int goes_on = 0;
  set_up(&s, "sd855", "codl", "yolov2", NULL, published_param, 1);
  const struct hs_view v = {&s.sys, s.graph, s.values};
  for (int i = 1; i < s.graph->n_ops; i++) {
    bool joined = s.placement->ops[i].chain == s.placement->ops[i - 1].chain;
    ck_assert_msg(!joined || hs_cuts_follows(&v, i), "%s", s.graph->ops[i].name);
    goes_on += joined;
  }
  ck_assert_int_gt(goes_on, 0);
  hs_setup_free(&s);
}
END_TEST

/* The release lists a level's lateral convolution, 1×1, after its smoothing one, and the predictors of scores last: in its plan for the Snapdragon 865 the
 * smoothing ones are c5, h4 and h3 of "c5 h10 h4 h7 h3 h7", and the laterals all the GPU's or h7. */
START_TEST(order_of_retinaface)
{
  static const char *const laterals[] = {"gpu", "h0.7", "h0.7"}, *const smooth[] = {"c0.5", "h0.4", "h0.3"};
  struct hs_setup s;
  set_up(&s, "sd865", "codl", _i ? "retinaface_codl" : "retinaface", NULL, published_param, 1);
  char *text = text_of(&s.sys, s.graph, s.placement);
  for (int i = 0; i < 3; i++) {
    char lateral[60], smoothed[60];
    snprintf(lateral, sizeof lateral, "p%d_lateral %s ", 4 - i, laterals[i]);
    snprintf(smoothed, sizeof smoothed, "p%d_smooth %s ", 4 - i, smooth[i]);
    ck_assert_msg(strstr(text, lateral) != NULL, "%s in %s", lateral, text);
    ck_assert_msg(strstr(text, smoothed) != NULL, "%s in %s", smoothed, text);
  }
  free(text);
  hs_setup_free(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, chains_end_where_another_reads);
  tcase_add_loop_test(t, order_of_retinaface, 0, 2);
  tcase_add_test(t, published_vgg16);
  tcase_add_test(t, what_the_gpu_cannot_hold_or_run);
  tcase_add_loop_test(t, published_plans, 0, sizeof sums / sizeof *sums);
  tcase_add_loop_test(t, what_the_release_lacks, 0, 2);
  tcase_add_test(t, what_the_release_lacks_is_in_no_chain);
  tcase_add_test(t, published_without_chains);
  tcase_add_loop_test(t, refuses, 0, sizeof refusals / sizeof *refusals);
  tcase_add_test(t, plan_of_is_for_replays);
  tcase_add_test(t, published_for_another_soc);
  tcase_add_test(t, published_for_any_memory);
  tcase_add_test(t, published_for_another_network);
}

int main(void) { return hs_test_main("codl_published", fill); }
