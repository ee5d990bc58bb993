/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NN-Stretch's search, by hand. */
#include "tests/policy/five.h"

/* The phone of five.h, its NPU without a limit, and a network of 32×32×128: stem, three units of one 1×1 convolution each, and a head,
 * which is the network's output. A 1×1 from m to n channels takes 1024·m·n/2^14 u on the cpu, a 4th on the GPU, an 8th on the NPU.
 *
 * processors=gpu+npu: the stage takes 768 u on the GPU, 384 on the NPU: straggler bound 1.1·384 = 422.4 u (Eq. 5). Communication, 64 u,
 * isn't amortised (38.4 u, Eq. 4), but there is only one stage to join. Of a branch that keeps d units with w = width/128:
 * w + (d - 1)·w² + w/2 times 2^24 MACs, the last term for the 1×1 that restores 64 channels where there are others; 64 u and 256 (GPU), 128
 * (NPU) times that. Widths: 128, 112, 104, 88, 80, 64; units: 3, 2 (d of 2.7, 2.4, 2.1 are 3).
 *   GPU within the bound: (2, 64) 0.75 → 256 u; (3, 64) 1 → 320; (2, 80) 1.328 → 404
 *   NPU within the bound: … (2, 128) 2.5 → 384; (3, 104) 2.539 → 389; (2, 112) 2.078 → 330; (3, 88) 1.977 → 317; (2, 104) 1.879 → 304.5
 * Capacity: 0.9·3 = 2.7. The least maximum is the NPU's 317, beside which the GPU's (2, 64) makes 2.727 in all. The GPU's part of it, 0.275,
 * is within 0.1 of a third (Eq. 6). Channels: 128·64/152 = 53.9 → 56 for the GPU, 72 for the NPU. */
#define UNIT(name, input) LAYER(name, input, "1", "")
#define UNITS(side) NET(side, UNIT("a", "i"), UNIT("b", "a"), UNIT("c", "b"), UNIT("d", "c"), UNIT("e", "d"))

static struct hs_plan stretched(struct rig *r, const char *const *given, int n)
{
  const struct hs_policy *p = hs_policy_find("nn-stretch");
  static const char *values[HS_PARAMS_MAX];
  struct hs_error err;
  hs_test_accepted(hs_policy_values(p, given, n, values, &err), &err);
  const struct hs_view view = {&r->sys, r->graph, values};
  struct hs_plan all = {.arena = &r->arena, .graph = r->graph};
  hs_test_accepted(hs_policy_plan(p, &view, &all, &err), &err);
  return all;
}

static void open_unlimited(struct rig *r, const char *net)
{
  char *text = hs_test_replace(soc, "'slice_limit_bytes': 340e3, ", "");
  open_with(r, text, net);
  free(text);
}

START_TEST(by_hand)
{
  static const char *const given[] = {"processors=gpu+npu"};
  static const struct {
    const char *name;
    int channels, processor;
  } expected[] = {{"a", 128, FIVE_CPU},
                  {"branch1/b", 64, FIVE_GPU}, {"branch1/c", 64, FIVE_GPU}, {"branch1/d_restore", 56, FIVE_GPU},
                  {"branch2/b", 88, FIVE_NPU}, {"branch2/c", 88, FIVE_NPU}, {"branch2/d", 88, FIVE_NPU}, {"branch2/d_restore", 72, FIVE_NPU},
                  {"d_meet", 128, FIVE_CPU}, {"e", 128, FIVE_CPU}};
  struct rig r;
  struct hs_error err;
  open_unlimited(&r, UNITS("32"));
  struct hs_plan all = stretched(&r, given, 1);
  ck_assert_int_eq(all.n, 1);
  ck_assert_str_eq(all.names[0], "gpu+npu");
  const struct hs_graph *g = all.alternatives[0]->rewritten;
  ck_assert_int_eq(g->n_ops, 10);
  for (int i = 0; i < g->n_ops; i++) {
    ck_assert_str_eq(g->ops[i].name, expected[i].name);
    ck_assert_int_eq((int)hs_shape_channels(&g->tensors[g->ops[i].outputs[0]].shape), expected[i].channels);
    ck_assert_int_eq(all.alternatives[0]->ops[i].parts[0].processor, expected[i].processor);
  }
  /* Stem 1024; the host maps for the GPU (32), then for the NPU (32). GPU: 256·(0.5 + 0.25 + 0.5·0.4375) = 248 from 1056, SYNC: 1336.
   * NPU: 128·(0.6875 + 2·0.47265625 + 0.6875·0.5625) = 258.5 from 1088, SYNC 1378.5. The concatenation moves bytes only (1e13 B/s). */
  struct hs_program *prog = NULL;
  struct hs_estimate e;
  hs_test_accepted(hs_lower(&r.sys, g, all.alternatives[0], &prog, &err), &err);
  hs_estimate_program(&r.sys, prog, &e, NULL, NULL);
  double concat_s = 2.0 * 32 * 32 * 128 * 4 / 1e13;
  DERIVE("stretched", e.latency_s, (1024 + 64 + 258.5 + 32 + 1024) * u + concat_s);
  hs_program_free(prog);
  hs_placement_release(all.alternatives[0]);
  rig_close(&r);
}
END_TEST

/* Where nobody says which processors, one branch is a choice, too: the network as it is on each of them, here 5·16 = 80 u on the CPU, 5·4 + 64 on the GPU,
 * 5·2 + 64 on the NPU, beside the sets of two and three, whose stem and head on the CPU alone take 32. */
START_TEST(unbranched)
{
  static const char *const given[] = {"processors=cpu+npu"};
  struct rig r;
  open_unlimited(&r, UNITS("4"));
  struct hs_plan all = stretched(&r, NULL, 0);
  int alone = 0;
  for (int i = 0; i < all.n; i++) {
    if (strchr(all.names[i], '+')) continue;
    alone++;
    ck_assert_ptr_null(all.alternatives[i]->rewritten);
  }
  ck_assert_int_eq(alone, 3);
  ck_assert_str_eq(all.names[0], "npu");
  DERIVE("as it is", lowered(&r, all.alternatives[0]).latency_s, (5 * 2 + 64) * u);
  for (int i = 0; i < all.n; i++) hs_placement_release(all.alternatives[i]);
  all = stretched(&r, given, 1);
  ck_assert_int_eq(all.n, 1);
  ck_assert_str_eq(all.names[0], "cpu+npu");
  hs_placement_release(all.alternatives[0]);
  rig_close(&r);
}
END_TEST

/* The units stay as they are, each on the processor that is expected, and none is early. `limited`: with the NPU's limit. */
static void stays_whole(const char *net, bool limited, const char *const *given, int n_given, const int *expected)
{
  struct rig r;
  if (limited) open_with(&r, soc, net);
  else open_unlimited(&r, net);
  struct hs_plan all = stretched(&r, given, n_given);
  ck_assert_int_eq(all.alternatives[0]->n_ops, 5);
  for (int i = 0; i < 5; i++) {
    ck_assert_int_eq(all.alternatives[0]->ops[i].parts[0].processor, expected[i]);
    ck_assert(!all.alternatives[0]->ops[i].early);
  }
  hs_placement_release(all.alternatives[0]);
  rig_close(&r);
}

/* No two branches have four times the original's MACs, so the segment stays whole. Of 4×4×128 a unit takes 16 u on the cpu, where the
 * segment would be fastest: 48 u, against 12 + 64 (GPU) and 6 + 64 (NPU). But the CPU has stem and head only. */
START_TEST(whole_within_the_set)
{
  static const char *const given[] = {"processors=gpu+npu", "capacity=4"};
  static const int expected[] = {FIVE_CPU, FIVE_NPU, FIVE_NPU, FIVE_NPU, FIVE_CPU};
  stays_whole(UNITS("4"), false, given, 2, expected);
}
END_TEST

/* Of 5×5×128 a unit takes 25 u on the cpu: 75, against 18.75 + 64 on the GPU. A 1×1 that brings 64 channels, half a unit more, isn't there: with it the GPU would
 * be faster. */
START_TEST(whole_restores_nothing)
{
  static const char *const given[] = {"processors=cpu+gpu", "capacity=4"};
  static const int expected[] = {FIVE_CPU, FIVE_CPU, FIVE_CPU, FIVE_CPU, FIVE_CPU};
  stays_whole(UNITS("5"), false, given, 2, expected);
}
END_TEST

/* A segment that stays whole on the GPU has no other branch to be early for. */
START_TEST(whole_is_not_early)
{
  static const char *const given[] = {"processors=cpu+gpu", "capacity=2"};
  static const int expected[] = {FIVE_CPU, FIVE_GPU, FIVE_GPU, FIVE_GPU, FIVE_CPU};
  stays_whole(UNITS("16"), false, given, 2, expected);
}
END_TEST

/* Of 16×16×128 three results are 393 kB, more than the NPU's 340: the segment is the GPU's, though three units take half as long on the NPU. */
START_TEST(what_no_slice_holds)
{
  static const char *const given[] = {"processors=gpu+npu"};
  static const int expected[] = {FIVE_CPU, FIVE_GPU, FIVE_GPU, FIVE_GPU, FIVE_CPU};
  stays_whole(UNITS("16"), true, given, 1, expected);
}
END_TEST

/* Two branches can't share one channel: each would end in one, and the head would read two. Of the same network with two both have one. */
START_TEST(a_channel_for_each_branch)
{
  static const char *const given[] = {"processors=gpu+npu"};
  for (int channels = 1; channels <= 2; channels++) {
    char *last = hs_test_replace(UNIT("d", "c"), "'channels': 128", channels == 1 ? "'channels': 1" : "'channels': 2");
    char *net = hs_test_replace(UNITS("32"), UNIT("d", "c"), last);
    struct rig r;
    open_unlimited(&r, net);
    struct hs_plan all = stretched(&r, given, 1);
    const struct hs_graph *g = hs_placement_graph(all.alternatives[0], r.graph);
    int meet = g->n_ops - 2;
    ck_assert_int_eq(g->ops[meet].type == HS_OP_CONCAT, channels == 2);
    ck_assert_int_eq((int)hs_shape_channels(&g->tensors[g->ops[meet].outputs[0]].shape), channels);
    hs_placement_release(all.alternatives[0]);
    rig_close(&r);
    free(net);
    free(last);
  }
}
END_TEST

/* From three quarters on all three units stay (2.25 are 3), of 96 channels at least: 0.75 + 2·0.5625 + 0.375 = 2.25, 576 u on the GPU. Nothing is within its bound
 * of 422.4 u, and the NPU has the segment. */
START_TEST(nothing_below_the_floor)
{
  static const char *const given[] = {"processors=gpu+npu", "floor=0.75"};
  static const int expected[] = {FIVE_CPU, FIVE_NPU, FIVE_NPU, FIVE_NPU, FIVE_CPU};
  stays_whole(UNITS("32"), false, given, 2, expected);
}
END_TEST

/* On the CPU a unit takes 1024 u, so that of the candidates above (2, 64) alone is within 1.1·768 = 844.8 u, with 768. That is with 64 of the channels where
 * branches meet. Beside a wider branch it brings fewer, which takes another 1×1: 24 make (0.75 + 0.5·24/128)·1024 = 864. (2, 64) on both has 1.5 of 2.7. */
START_TEST(stragglers_as_built)
{
  static const char *const given[] = {"processors=cpu+gpu"};
  static const int expected[] = {FIVE_CPU, FIVE_GPU, FIVE_GPU, FIVE_GPU, FIVE_CPU};
  stays_whole(UNITS("32"), false, given, 1, expected);
}
END_TEST

struct width {
  const char *name;
  int channels;
};

static void widths_are(const struct hs_graph *g, const struct width *expected, int n)
{
  ck_assert_int_eq(g->n_ops, n);
  for (int i = 0; i < n; i++) {
    ck_assert_str_eq(g->ops[i].name, expected[i].name);
    ck_assert_int_eq((int)hs_shape_channels(&g->tensors[g->ops[i].outputs[0]].shape), expected[i].channels);
  }
}

/* Within 1.3·768 = 998 u that is possible, and (2, 64), 768 u, is the slower branch beside all that the GPU has in time. Of these (3, 104) has 2.539, but the
 * CPU's branch is at least as deep as the others: (2, 128), 2.5. Channels: 128·128/192 = 85.3 → 88 for the GPU and 40 for the CPU, which then takes
 * (0.75 + 0.5·40/128)·1024 = 928. */
START_TEST(the_cpus_branch_is_deep)
{
  static const char *const given[] = {"processors=cpu+gpu", "beta=1.3"};
  static const struct width expected[] = {{"a", 128}, {"branch1/b", 128}, {"branch1/c", 128}, {"branch1/d_restore", 88}, {"branch2/b", 64}, {"branch2/c", 64},
                                          {"branch2/d_restore", 40}, {"d_meet", 128}, {"e", 128}};
  struct rig r;
  open_unlimited(&r, UNITS("32"));
  struct hs_plan all = stretched(&r, given, 2);
  widths_are(all.alternatives[0]->rewritten, expected, 9);
  hs_placement_release(all.alternatives[0]);
  rig_close(&r);
}
END_TEST

/* Where processors aren't named, each of a set has work in its network, if another set has that network: with none for the GPU, cpu+gpu+npu is cpu+npu. */
START_TEST(sets_have_no_idle_processor)
{
  static const char letters[] = "clgn";
  struct rig r;
  open_unlimited(&r, UNITS("16"));
  struct hs_plan all = stretched(&r, NULL, 0);
  for (int i = 0; i < all.n; i++) {
    const struct hs_placement *pl = all.alternatives[i];
    bool works[4] = {false};
    for (int k = 0; k < pl->n_ops; k++) works[pl->ops[k].parts[0].processor] = true;
    ck_assert_msg(works[FIVE_GPU] == (strstr(all.names[i], "gpu") != NULL), "%s: %c", all.names[i], letters[FIVE_GPU]);
    ck_assert_msg(works[FIVE_NPU] == (strstr(all.names[i], "npu") != NULL), "%s: %c", all.names[i], letters[FIVE_NPU]);
    hs_placement_release(all.alternatives[i]);
  }
  rig_close(&r);
}
END_TEST

/* Of 4×4×128 all that have a CPU leave the segment to it, so that the first of them stands for three; the others leave it to the NPU. */
START_TEST(one_set_of_several_with_one_network)
{
  static const char *const names[] = {"npu", "cpu+gpu", "cpu", "gpu", "gpu+npu"};
  struct rig r;
  open_unlimited(&r, UNITS("4"));
  struct hs_plan all = stretched(&r, NULL, 0);
  ck_assert_int_eq(all.n, 5);
  for (int i = 0; i < all.n; i++) {
    ck_assert_str_eq(all.names[i], names[i]);
    hs_placement_release(all.alternatives[i]);
  }
  rig_close(&r);
}
END_TEST

/* Within 2·96 u and from 1.2·3 on, the GPU's (2, 80) takes 64·1.328 + 64 = 149 u, longer than the NPU's (2, 128), 144, or (3, 104), 145.2: of these the one
 * with more MACs, 2.539, not 2.5. */
START_TEST(equally_fast_and_larger)
{
  static const char *const given[] = {"processors=gpu+npu", "capacity=1.2", "beta=2"};
  struct rig r;
  open_unlimited(&r, UNITS("16"));
  struct hs_plan all = stretched(&r, given, 3);
  const struct hs_graph *g = all.alternatives[0]->rewritten;
  ck_assert_int_eq(g->n_ops, 10);
  ck_assert_str_eq(g->ops[6].name, "branch2/d");
  ck_assert_int_eq((int)hs_shape_channels(&g->tensors[g->ops[6].outputs[0]].shape), 104);
  hs_placement_release(all.alternatives[0]);
  rig_close(&r);
}
END_TEST

/* Where half of the MACs is enough and the NPU begins with 128 u of its own, (2, 64) on both would take 192 + 96 = 288 u. But the GPU's 0.75 are a half of
 * 1.5, not within 0.1 of a third (Eq. 6); of the 1.75 with the NPU's (3, 64), in 192 + 128 = 320 u, they are 3/7. Nearer to a third, (2, 80) takes 362. */
START_TEST(the_band_decides)
{
  static const char *const given[] = {"processors=gpu+npu", "capacity=0.5"};
  static const char *const names[] = {"a", "branch1/b", "branch1/c", "branch2/b", "branch2/c", "branch2/d", "d_meet", "e"};
  struct rig r;
  open_unlimited(&r, UNITS("32"));
  struct hs_kernel k = *r.sys.backends[FIVE_NPU].kernel;
  k.start_cycles = 128 * 1024;
  r.sys.backends[FIVE_NPU].kernel = &k;
  struct hs_plan all = stretched(&r, given, 2);
  const struct hs_graph *g = all.alternatives[0]->rewritten;
  ck_assert_int_eq(g->n_ops, 8);
  for (int i = 0; i < g->n_ops; i++) ck_assert_str_eq(g->ops[i].name, names[i]);
  hs_placement_release(all.alternatives[0]);
  rig_close(&r);
}
END_TEST

/* Of what is above within 422.4 u the most is (2, 80) and (3, 104), 1.328 + 2.539: less than 1.3·3 = 3.9. Beyond it, beside the GPU's (2, 80),
 * there would be the NPU's (3, 112): 2.84 in 428 u. */
START_TEST(stragglers_stay_out)
{
  static const char *const given[] = {"processors=gpu+npu", "capacity=1.3"};
  struct rig r;
  open_unlimited(&r, UNITS("32"));
  struct hs_plan all = stretched(&r, given, 2);
  ck_assert_int_eq(all.alternatives[0]->n_ops, 5);
  hs_placement_release(all.alternatives[0]);
  rig_close(&r);
}
END_TEST

/* The CPU is the faster here: a 1×1 takes 1024 u, on the GPU 4096. By Eq. 6 (a fifth for the GPU) its (2, 64), 0.75, would go best with a wide branch of the
 * CPU, (3, 112). But the CPU's is no wider than the other: (3, 64) with (2, 64) makes 1.75, with (3, 64) 2, less than 2.7; (3, 80) with (2, 80)
 * 1.719 + 1.328. Channels: 64 each. */
START_TEST(the_cpus_branch_is_narrow)
{
  static const char *const given[] = {"processors=cpu+gpu", "beta=10"};
  static const struct width expected[] = {{"a", 128}, {"branch1/b", 80}, {"branch1/c", 80}, {"branch1/d_restore", 64}, {"branch2/b", 80}, {"branch2/c", 80},
                                          {"branch2/d", 80}, {"branch2/d_restore", 64}, {"d_meet", 128}, {"e", 128}};
  struct rig r;
  char *text = hs_test_replace(soc, "'fp16': 64", "'fp16': 4");
  open_with(&r, text, UNITS("32"));
  struct hs_plan all = stretched(&r, given, 2);
  widths_are(all.alternatives[0]->rewritten, expected, 10);
  hs_placement_release(all.alternatives[0]);
  rig_close(&r);
  free(text);
}
END_TEST

/* Within 1.1 times the CPU's 3072 u, 3379, the GPU's (2, 64), 0.75·4096 + 64 = 3136, has none beside it that is wide enough: (3, 64) makes 1.75. So nothing is
 * branched, though there would be something within 1.1 times the GPU's 12288. */
START_TEST(stragglers_behind_the_fastest)
{
  static const char *const given[] = {"processors=cpu+gpu"};
  struct rig r;
  char *text = hs_test_replace(soc, "'fp16': 64", "'fp16': 4");
  open_with(&r, text, UNITS("32"));
  struct hs_plan all = stretched(&r, given, 1);
  ck_assert_int_eq(all.alternatives[0]->n_ops, 5);
  hs_placement_release(all.alternatives[0]);
  rig_close(&r);
  free(text);
}
END_TEST

/* So is invoking an NPU, where the first stage takes 3 · 4608 u, the second 512 + 2 · 1152: a tenth of either is more than the 64 u of communication.
 * With 400 u for each invocation the second doesn't amortise it, and is left over for the first. A GPU has one start in a program, however many segments
 * there are. Of the second stage's result a branch gives half: at 320 u for all of it that is 64 + 160, less than the tenth, 281.6. */
START_TEST(amortised_with_its_start)
{
#define THREE(name, input) RIG_OP(name, "Conv", "'" input "'", ", 'channels': 128, 'kernel': [3, 3], 'pad': 'same'")
  enum { NOTHING, NPU_STARTS, GPU_STARTS, RESULTS_TAKE_TIME, CASES };
  static const char *const given[] = {"processors=gpu+npu"};
  for (int what = 0; what < CASES; what++) {
    struct rig r;
    int meetings = 0;
    open_unlimited(&r, RIG_NET(RIG_IN("i", "1, 64, 64, 128"), "'h'", UNIT("a", "i") "," THREE("b", "a") "," THREE("c", "b") "," THREE("d", "c") ","
                               RIG_OP("e", "Conv", "'d'", ", 'channels': 128, 'kernel': [2, 2], 'stride': [2, 2]") "," THREE("f", "e") ","
                               THREE("g", "f") "," UNIT("h", "g")));
    struct hs_backend *b = &r.sys.backends[what == GPU_STARTS ? FIVE_GPU : FIVE_NPU];
    struct hs_kernel k = *b->kernel;
    if (what == NPU_STARTS || what == GPU_STARTS) k.start_cycles = 400 * 1024;
    b->kernel = &k;
    if (what == RESULTS_TAKE_TIME) r.soc->sharing[HS_NPU][HS_CPU][HS_SYNC].s_per_byte = 320 * u / (32 * 32 * 128 * 2);
    struct hs_plan all = stretched(&r, given, 1);
    const struct hs_graph *g = all.alternatives[0]->rewritten;
    for (int i = 0; i < g->n_ops; i++) meetings += strstr(g->ops[i].name, "_meet") != NULL;
    ck_assert_int_eq(meetings, what == NPU_STARTS ? 1 : 2);
    hs_placement_release(all.alternatives[0]);
    rig_close(&r);
  }
}
END_TEST

/* What the search makes of the second of two segments on CPU and GPU, of which the first may be the CPU's alone, when one of both takes so long to begin. */
static char *second_segment(const char *text, bool first_on_gpu, int slow, double start_u)
{
  static const char *const given[] = {"processors=cpu+gpu", "beta=10"};
  char *net = hs_test_replace(RIG_NET(RIG_IN("i", "1, 64, 64, 128"), "'h'", UNIT("a", "i") "," THREE("b", "a") "," THREE("c", "b") "," THREE("d", "c") ","
                                      RIG_OP("e", "Conv", "'d'", ", 'channels': 128, 'kernel': [2, 2], 'stride': [2, 2]") "," THREE("f", "e") ","
                                      THREE("g", "f") "," UNIT("h", "g")),
                              "'name': 'b',", first_on_gpu ? "'name': 'b'," : "'name': 'b', 'support': {'gpu': false},");
  struct rig r;
  struct hs_text names = {0};
  open_with(&r, text, net);
  struct hs_kernel k = *r.sys.backends[slow].kernel;
  k.start_cycles = start_u * u * hs_domain_top_hz(hs_processor_fastest(&r.soc->processors[slow]));
  r.sys.backends[slow].kernel = &k;
  struct hs_plan all = stretched(&r, given, 2);
  const struct hs_graph *g = all.alternatives[0]->rewritten;
  int i = 0;
  while (i < g->n_ops && !strstr(g->ops[i].name, "/e")) i++;
  ck_assert_int_lt(i, g->n_ops);
  bool any = false;
  for (int op = 0; op < i; op++) any |= all.alternatives[0]->ops[op].parts[0].processor == FIVE_GPU;
  ck_assert_int_eq(any, first_on_gpu);
  for (; i < g->n_ops; i++) hs_text_addf(&names, "%s %d; ", g->ops[i].name, (int)hs_shape_channels(&g->tensors[g->ops[i].outputs[0]].shape));
  hs_placement_release(all.alternatives[0]);
  rig_close(&r);
  free(net);
  return names.s;
}

/* The CPU has begun with the stem, the GPU with the first segment: what that takes, 1500 u, changes nothing of the second. Where the CPU has the first alone,
 * the GPU begins with the second, and gets less of it. */
START_TEST(begun_before)
{
  char *text = hs_test_replace(soc, "'fp16': 64", "'fp16': 16");
  for (int first_on_gpu = 0; first_on_gpu < 2; first_on_gpu++)
    for (int kind = 0; kind < 2; kind++) {
      int slow = kind ? FIVE_GPU : FIVE_CPU;
      char *fast = second_segment(text, first_on_gpu, slow, 0), *starts = second_segment(text, first_on_gpu, slow, 1500);
      ck_assert_int_eq(strcmp(fast, starts) == 0, first_on_gpu || slow == FIVE_CPU);
      free(fast);
      free(starts);
    }
  free(text);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, by_hand);
  tcase_add_test(t, whole_within_the_set);
  tcase_add_test(t, whole_restores_nothing);
  tcase_add_test(t, whole_is_not_early);
  tcase_add_test(t, what_no_slice_holds);
  tcase_add_test(t, a_channel_for_each_branch);
  tcase_add_test(t, sets_have_no_idle_processor);
  tcase_add_test(t, one_set_of_several_with_one_network);
  tcase_add_test(t, equally_fast_and_larger);
  tcase_add_test(t, unbranched);
  tcase_add_test(t, the_band_decides);
  tcase_add_test(t, stragglers_stay_out);
  tcase_add_test(t, nothing_below_the_floor);
  tcase_add_test(t, stragglers_as_built);
  tcase_add_test(t, stragglers_behind_the_fastest);
  tcase_add_test(t, the_cpus_branch_is_narrow);
  tcase_add_test(t, the_cpus_branch_is_deep);
  tcase_add_test(t, amortised_with_its_start);
  tcase_add_test(t, begun_before);
}

int main(void) { return hs_test_main("stretch-search", fill); }
