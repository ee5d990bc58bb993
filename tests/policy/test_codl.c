/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CoDL and the µLayer: decisions worked out by hand on a system of two equal processors, the published plans, and
 * what must hold whatever the numbers are. */
#include "tests/model/fixture.h"

#include <math.h>

#include "plan/estimate.h"
#include "plan/pass.h"
#include "policies/branches.h"
#include "policies/cuts.h"
#include "program/setup.h"

/* --- a system with round numbers ---
 * CPU and GPU both do 8e9 MAC or elementary operations per second (2 GHz · 8 · 0.5; int8 on the CPU four times that, fp16 on the
 * GPU twice), the memory is never slow. Each step of a crossing takes 10 µs and 0.1 ns per byte:
 *   images or two precisions: transform, map, sync, rpc, launch = 50 µs + 0.4 ns/B; else map, sync, rpc = 30 µs + 0.3 ns/B.
 * The model replaces the 10 µs of the sync to the CPU by presync_ms, which is 0.11 here. */

static const double RATE = 8e9;

static char *fast_memory(void)
{
  char *text = hs_test_seed("soc/small"), *next;
  for (int i = 0; i < 4; i++) {
    next = hs_test_replace(text, "bytes_per_s\": 1000000000.0", "bytes_per_s\": 1e12");
    free(text);
    text = next;
  }
  next = hs_test_replace(text, "\"peak_bytes_per_s\": 10000000000.0", "\"peak_bytes_per_s\": 5e12");
  free(text);
  for (int i = 0; i < 2; i++) {
    text = next;
    next = hs_test_replace(text, "{\"fp32\": 8}", i ? "{\"fp32\": 8.0, \"fp16\": 16}" : "{\"fp32\": 8.0, \"int8\": 32}");
    free(text);
  }
  return next;
}

static char *profile(const char *runtime)
{
  static const char *const kernels[4][2] = {{"cpu", "fp32"}, {"cpu", "int8"}, {"gpu", "fp32"}, {"gpu", "fp16"}};
  struct hs_text t = {0};
  hs_text_addf(&t, "{\"format\": \"hetsim-profile/1\", \"soc\": \"any\", \"runtime\": \"%s\", \"sources\": {\"a\": {\"kind\": \"assumed\", \"ref\": \"r\"}}, \"kernels\": [", runtime);
  for (int k = 0; k < 4; k++) {
    hs_text_addf(&t, "%s{\"kind\": \"%s\", \"precision\": \"%s\", \"overhead_cycles\": 0, \"channel_multiple\": 4, \"reduction_half\": 0, \"serial_frac\": 0, "
                     "\"traffic_factor\": 1, \"power_factor\": 1, \"source\": \"a\", \"efficiency\": {", k ? ", " : "", kernels[k][0], kernels[k][1]);
    for (int c = 0; c < HS_CLASS_N; c++) hs_text_addf(&t, "%s\"%s\": 0.5", c ? ", " : "", hs_op_class_names[c]);
    hs_text_add(&t, "}}");
  }
  hs_text_add(&t, "]}");
  return t.s;
}

/* x: 40x40x64 (10 240 bytes a row), a: 58 982 400 MAC, b: 102 400 operations, c: 6 553 600, d: 29 491 200, e: 1 280 000 MAC. */
#define FIVE                                                                                                             \
  "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'}, "                       \
  "{'name': 'b', 'inputs': ['a'], 'op': 'MaxPool', 'kernel': [2,2], 'stride': [2,2]}, "                                  \
  "{'name': 'c', 'inputs': ['b'], 'op': 'Conv', 'channels': 256, 'kernel': [1,1]}, "                                     \
  "{'name': 'd', 'inputs': ['c'], 'op': 'Conv', 'channels': 32, 'kernel': [3,3], 'pad': 'same'}, "                       \
  "{'name': 'e', 'inputs': ['d'], 'op': 'Gemm', 'channels': 100}"

static void make(struct fixture *f, const char *runtime, int memory_type, int precision, const char *ops, const char *output)
{
  struct hs_settings s = {.runtime = hs_runtime_find(runtime), .precision = precision, .memory_type = memory_type};
  char *soc = fast_memory();
  fixture_make(f, soc, profile(runtime), &s);
  fixture_graph(f, "[1,40,40,64]", ops, output);
  free(soc);
}

static struct hs_placement *plan(struct fixture *f, const char *policy, const char *const *params, int n, struct hs_arena *a, struct hs_error *err)
{
  const struct hs_policy *p = hs_policy_find(policy);
  const char *values[HS_PARAMS_MAX];
  struct hs_plan made = {.arena = a, .graph = f->graph};
  hs_test_accepted(hs_policy_values(p, params, n, values, err), err);
  const struct hs_view view = {&f->sys, f->graph, values};
  return hs_policy_plan(p, &view, &made, err) == HS_OK ? made.alternatives[0] : NULL;
}

/* "a h0.5 + b gpu | c c0.3": each operator's cut with the GPU's share, + inside a chain, | between chains */
static char *text_of(const struct hs_system *sys, const struct hs_graph *g, const struct hs_placement *pl)
{
  struct hs_text t = {0};
  for (int i = 0; i < g->n_ops; i++) {
    const struct hs_op_placement *op = &pl->ops[i];
    if (i) hs_text_add(&t, op->chain >= 0 && op->chain == op[-1].chain ? " + " : " | ");
    hs_text_addf(&t, "%s ", g->ops[i].name);
    if (op->n_parts == 1)
      hs_text_add(&t, sys->soc->processors[op->parts[0].processor].name);
    else
      hs_text_addf(&t, "%c%g", hs_split_names[op->split][0], op->parts[0].fraction);
  }
  return t.s;
}

static void decides(struct fixture *f, const char *policy, const char *const *params, int n, const char *expected)
{
  struct hs_arena a = {0};
  struct hs_error err = {0};
  struct hs_placement *pl = plan(f, policy, params, n, &a, &err);
  ck_assert_msg(pl != NULL, "%s", hs_test_message(&err));
  char *is = text_of(&f->sys, pl->rewritten ? pl->rewritten : f->graph, pl);
  ck_assert_str_eq(is, expected);
  free(is);
  hs_placement_release(pl);
  hs_arena_free(&a);
}

/* --- CoDL --- */

/* One by one: a by height at 0.5: 3.686 ms + 0.2 ms + 0.4 ns/B · (21 + 20 rows · 10 240 B) = 4.054 ms; by channel the CPU's part reads
 * all 40 rows: 4.132. b: 0.013 ms on the GPU, less than any sharing. c: 0.410 + 0.2 + 0.102 = 0.712 < 0.819 on the GPU. d: 1.843 + 0.2
 * + 0.100 = 2.144. e: 0.160 ms on the GPU.
 * Heuristic: c and d are neighbours alike.
 * Greedy from a at 0.5: ab 3.799 saves 0.268; abc 4.471 saves 0.308; abcd has halo and d's padding (of a 24 rows of 44 columns each, of b and c 12 of
 * 22): 7.563 loses 0.640; e can't be cut by height. So abc. From d nothing follows. */
static const struct {
  const char *chain, *expected;
} chains[] = {
  {"chain=none", "a h0.5 | b gpu | c h0.5 | d h0.5 | e gpu"},
  {"chain=heuristic", "a h0.5 | b gpu | c h0.5 + d h0.5 | e gpu"},
  {"chain=greedy", "a h0.5 + b h0.5 + c h0.5 | d h0.5 | e gpu"},
  {"chain=auto", "a h0.5 + b h0.5 + c h0.5 | d h0.5 | e gpu"},
};

START_TEST(codl_by_hand)
{
  struct fixture f;
  make(&f, "mace", HS_IMAGE, -1, FIVE, "'e'");
  const char *params[] = {"presync_ms=0.11", chains[_i].chain};
  decides(&f, "codl", params, 2, chains[_i].expected);
  fixture_free(&f);
}
END_TEST

/* A chain grows on where the next operator takes back some of the gain, but not all: ab saves 0.200 + 0.164 = 0.364 ms; c as much again, less 0.155 of a and b
 * (22 rows of 42 columns for 20 of 40), 0.635, and a row of x: abc has 0.09 left; d, which has no halo, makes it 0.45. */
START_TEST(a_chain_grows_through_a_dip)
{
  struct fixture f;
  make(&f, "mace", HS_IMAGE, -1,
       "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'}, "
       "{'name': 'b', 'inputs': ['a'], 'op': 'Conv', 'channels': 64, 'kernel': [1,1]}, "
       "{'name': 'c', 'inputs': ['b'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'}, "
       "{'name': 'd', 'inputs': ['c'], 'op': 'Conv', 'channels': 64, 'kernel': [1,1]}", "'d'");
  const char *params[] = {"presync_ms=0.11", "gpu_share=0.5", "chain=greedy"};
  decides(&f, "codl", params, 3, "a h0.5 + b h0.5 + c h0.5 + d h0.5");
  fixture_free(&f);
}
END_TEST

/* Two convolutions are a chain where nobody else needs what is between them: neither another reader nor who called. */
START_TEST(what_follows)
{
  static const char *const outputs[] = {"'b'", "'a', 'b'", "'b', 'c'"};
  for (int i = 0; i < 3; i++) {
    struct fixture f;
    char ops[400];
    snprintf(ops, sizeof ops, "{'name': 'a', 'op': 'Conv', 'inputs': ['x'], 'channels': 64, 'kernel': [1,1]}, {'name': 'b', 'op': 'Conv', 'inputs': ['a'], 'channels': 64, 'kernel': [1,1]}%s",
             i == 2 ? ", {'name': 'c', 'op': 'Relu', 'inputs': ['a']}" : "");
    make(&f, "mace", HS_IMAGE, -1, ops, outputs[i]);
    const struct hs_view v = {&f.sys, f.graph, NULL};
    ck_assert(!hs_cuts_follows(&v, 0));
    ck_assert_int_eq(hs_cuts_follows(&v, 1), i == 0);
    fixture_free(&f);
  }
}
END_TEST

/* Equation 2 written out for the chains above. */
START_TEST(chain_latency_by_hand)
{
  struct fixture f;
  struct hs_cuts c;
  struct hs_error err;
  const double a = 58982400 / RATE, b = 102400 / RATE, k = 6553600 / RATE, d = 29491200 / RATE;
  const double row_x = 40 * 64 * 4, row_b = 20 * 64 * 4, row_c = 20 * 256 * 4, row_d = 20 * 32 * 4, fixed = 90e-6 + 0.11e-3;
  make(&f, "mace", HS_IMAGE, -1, FIVE, "'e'");
  const struct hs_view v = {&f.sys, f.graph, NULL};
  hs_test_accepted(hs_cuts_open(&c, &v, true, 0.11e-3, "test", &err), &err);
  const struct hs_cut half = {HS_SPLIT_HEIGHT, 0.5, 0}, most = {HS_SPLIT_HEIGHT, 0.6, 0}, all_cpu = {HS_SPLIT_HEIGHT, 0, 0};
  const struct hs_cut all_gpu = {HS_SPLIT_HEIGHT, 1, 0}, oc = {HS_SPLIT_CHANNEL, 0.5, 0};
  ck_assert_near(hs_cuts_predict(&c, 0, 1, half), a / 2 + fixed + 0.4e-9 * (21 * row_x + 20 * row_x));
  ck_assert_near(hs_cuts_predict(&c, 0, 2, half), a / 2 + b / 2 + fixed + 0.4e-9 * (21 * row_x + 10 * row_b));
  ck_assert_near(hs_cuts_predict(&c, 0, 3, half), a / 2 + b / 2 + k / 2 + fixed + 0.4e-9 * (21 * row_x + 10 * row_c));
  ck_assert_near(hs_cuts_predict(&c, 0, 4, half),
                 a * 24 * 44 / 1600 + (b + k) * 12 * 22 / 400 + d / 2 + fixed + 0.4e-9 * (23 * row_x + 10 * row_d));
  ck_assert_near(hs_cuts_predict(&c, 0, 4, most), /* the GPU has 12 of d's rows, and of the others what those need, padding included */
                 a * 28 * 44 / 1600 + (b + k) * 14 * 22 / 400 + d * 12 / 20 + fixed + 0.4e-9 * (19 * row_x + 8 * row_d));
  ck_assert_near(hs_cuts_predict(&c, 0, 4, all_cpu), a + b + k + d + fixed + 0.4e-9 * (40 * row_x + 20 * row_d));
  ck_assert_near(hs_cuts_predict(&c, 0, 4, all_gpu), a + b + k + d);
  ck_assert_near(hs_cuts_predict(&c, 0, 2, oc), a / 2 + b / 2 + fixed + 0.4e-9 * (40 * row_x + 20 * row_b / 2)); /* pooling keeps to its channels */
  ck_assert_double_eq(hs_cuts_predict(&c, 0, 3, oc), INFINITY); /* a convolution reads all of them */
  ck_assert_double_eq(hs_cuts_predict(&c, 3, 2, half), INFINITY);
  const struct hs_cut sliver = {HS_SPLIT_HEIGHT, 0.1, 0}; /* d: two rows of 20 on the GPU, and the kernel has three */
  ck_assert_double_eq(hs_cuts_predict(&c, 3, 1, sliver), INFINITY);
  fixture_free(&f);
}
END_TEST

/* Buffers: output channels only. a 3.686 + 0.16 + 0.3 ns/B · (409 600 + 204 800) = 4.031; c 0.662; d 2.134, at
 * 0.4 as well, because the GPU's 12.8 channels of 32 are rounded up to 16: the earlier share wins. Greedy: pooling keeps to its channels, and leaves a
 * quarter to be shared: ab 3.686 + 0.006 + 0.16 + 0.3 ns/B · (409 600 + 51 200) = 3.991 saves 0.053. */
START_TEST(buffers_are_cut_by_channel)
{
  struct fixture f;
  const char *params[] = {"presync_ms=0.11", "predictor=exact"};
  make(&f, "mace", HS_BUFFER, -1, FIVE, "'e'");
  decides(&f, "codl", params, 1, "a c0.5 + b c0.5 | c c0.5 | d c0.4 | e gpu");
  decides(&f, "mulayer", params, 2, "a c0.5 | b gpu | c c0.5 | d c0.4 | e gpu");
  fixture_free(&f);
}
END_TEST

/* A given share. Greedy leaves d out of the chain: its halo and padding would cost the CPU 0.185 of a, b and c, 0.84 ms (34 rows of 44 columns of a), and save
 * 0.2 + 0.4 ns/B · (15 + 16 rows of c) = 0.454. 0 and 1 leave nothing to cut. */
static const struct {
  const char *share, *chain, *expected;
} shares[] = {
  {"gpu_share=0.25", "chain=none", "a h0.25 | b h0.25 | c h0.25 | d h0.25 | e c0.25"},
  {"gpu_share=0.25", "chain=heuristic", "a h0.25 + b h0.25 + c h0.25 + d h0.25 | e c0.25"},
  {"gpu_share=0.25", "chain=greedy", "a h0.25 + b h0.25 + c h0.25 | d h0.25 | e c0.25"},
  {"gpu_share=0", "chain=none", "a cpu | b cpu | c cpu | d cpu | e cpu"},
  {"gpu_share=1", "chain=none", "a gpu | b gpu | c gpu | d gpu | e gpu"},
};

START_TEST(given_shares)
{
  struct fixture f;
  const char *params[] = {"presync_ms=0.11", shares[_i].share, shares[_i].chain};
  make(&f, "mace", HS_IMAGE, -1, FIVE, "'e'");
  decides(&f, "codl", params, 3, shares[_i].expected);
  fixture_free(&f);
}
END_TEST

/* An operator that can't have the given share takes none of those behind it along: in a chain with it, on its processor, they would share nothing, which
 * saves more than they lose there. */
#define CHAIN_OF(a, b) CONV3("a", "x", a) ", " CONV3("b", "a", b) ", " CONV3("c", "b", "") ", " CONV3("d", "c", "")
#define CONV3(name, from, more) "{'name': '" name "', 'inputs': ['" from "'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same'" more "}"
static const struct {
  const char *ops, *share, *expected;
} impossible[] = {
  {CHAIN_OF("", ", 'support': {'cpu': false}"), "gpu_share=0", "a cpu | b gpu | c cpu + d cpu"},
  {CHAIN_OF("", ", 'support': {'gpu': false}"), "gpu_share=1", "a gpu | b cpu | c gpu | d gpu"},
  {CHAIN_OF("", ", 'support': {'cpu': false}"), "gpu_share=0.5", "a h0.5 | b gpu | c h0.5 + d h0.5"},
};

START_TEST(given_share_of_those_behind)
{
  struct fixture f;
  const char *params[] = {"presync_ms=10", impossible[_i].share};
  make(&f, "mace", HS_IMAGE, -1, impossible[_i].ops, "'d'");
  decides(&f, "codl", params, 2, impossible[_i].expected);
  fixture_free(&f);
}
END_TEST

/* Of three channels the GPU, with blocks of four, computes all when they are to be halved: 4/3 · 2 764 800 MAC, 0.461 ms. By height it is half of that, and
 * 0.15 + 0.05 ms + 0.4 ns/B · (21 rows of x + 20 of a) = 0.290 for sharing. */
START_TEST(few_channels_are_the_gpus)
{
  struct fixture f;
  const char *params[] = {"presync_ms=0.11", "gpu_share=0.5", "cut=height"};
  make(&f, "mace", HS_IMAGE, -1, "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 3, 'kernel': [3,3], 'pad': 'same'}", "'a'");
  decides(&f, "codl", params, 2, "a gpu");
  decides(&f, "codl", params, 3, "a h0.5");
  fixture_free(&f);
}
END_TEST

/* --- the µLayer --- */

/* Cut: p and r 4.031 ms each, q 0.410 + 0.16 + 0.184 = 0.754, together 8.815. Distributed: q and r on the GPU 0.819 + 7.373 = 8.192, p on
 * the CPU 0.253 + 7.373 + 0.153 = 7.779; the other way round 8.598. */
#define STEM "{'name': 's', 'inputs': ['x'], 'op': 'Relu'}, "
#define CONV(name, from, kernel) "{'name': '" name "', 'inputs': ['" from "'], 'op': 'Conv', 'channels': 64, 'kernel': [" kernel "], 'pad': 'same'}, "
#define JOIN(inputs) "{'name': 'j', 'inputs': [" inputs "], 'op': 'Concat'}"

START_TEST(branches_by_hand)
{
  struct fixture f;
  const char *distribute[] = {"presync_ms=0.11", "predictor=exact", "branches=distribute"}, *split[] = {"presync_ms=0.11", "predictor=exact", "branches=split"};
  make(&f, "mace", HS_BUFFER, -1, STEM CONV("p", "s", "3,3") CONV("q", "s", "1,1") CONV("r", "q", "3,3") JOIN("'p','r'"), "'j'");
  decides(&f, "mulayer", split, 3, "s gpu | p c0.5 | q c0.5 | r c0.5 | j gpu");
  decides(&f, "mulayer", distribute, 3, "s gpu | q gpu | r gpu | p cpu | j gpu"); /* the GPU's branch is handed out first */
  hs_graph_free(f.graph);
  /* Branches of 7.373 and 0.819 ms: cut 4.785 in all, less than the longer one. */
  fixture_graph(&f, "[1,40,40,64]", STEM CONV("p", "s", "3,3") CONV("q", "s", "1,1") JOIN("'p','q'"), "'j'");
  decides(&f, "mulayer", distribute, 3, "s gpu | p c0.5 | q c0.5 | j gpu");
  fixture_free(&f);
}
END_TEST

/* Branches that are alike: 7.373 + 0.253 + 0.153 = 7.779 whichever the CPU gets, less than 2 · 4.031, and it gets the first. Then one of two 1×1 convolutions,
 * p and r, and one that multiplies as much, q: the CPU gets the first, since p's result, read by r only, doesn't cross; it would cost 0.123 ms. */
START_TEST(branches_alike)
{
  struct fixture f;
  const char *params[] = {"presync_ms=0.11", "predictor=exact", "branches=distribute"};
  make(&f, "mace", HS_BUFFER, -1, STEM CONV("p", "s", "3,3") CONV("q", "s", "3,3") JOIN("'p','q'"), "'j'");
  decides(&f, "mulayer", params, 3, "s gpu | q gpu | p cpu | j gpu");
  hs_graph_free(f.graph);
  fixture_graph(&f, "[1,40,40,64]", STEM CONV("p", "s", "1,1") CONV("r", "p", "1,1") CONV("q", "s", "1,2") JOIN("'r','q'"), "'j'");
  decides(&f, "mulayer", params, 3, "s gpu | q gpu | p cpu | r cpu | j gpu");
  fixture_free(&f);
}
END_TEST

/* With images, what the GPU alone computes is converted early for the branch on the CPU; of what is cut, or is the CPU's as the GPU has no such kernel, the
 * result simply belongs to the CPU. */
START_TEST(who_makes_the_forked_tensor)
{
  static const char *const stems[] = {STEM, CONV("s", "x", "3,3"), "{'name': 's', 'inputs': ['x'], 'op': 'Relu', 'support': {'gpu': false}}, "};
  static const int parts[] = {1, 2, 1};
  const char *params[] = {"presync_ms=0.11", "predictor=exact", "branches=distribute"};
  for (int i = 0; i < 3; i++) {
    struct fixture f;
    struct hs_arena a = {0};
    struct hs_error err = {0};
    char *ops = hs_test_replace(STEM CONV("p", "s", "3,3") CONV("q", "s", "3,3") JOIN("'p','q'"), STEM, stems[i]);
    make(&f, "mace", HS_IMAGE, -1, ops, "'j'");
    struct hs_placement *pl = plan(&f, "mulayer", params, 3, &a, &err);
    ck_assert_msg(pl != NULL, "%s", hs_test_message(&err));
    ck_assert(pl->rewritten != NULL); /* distributed */
    ck_assert_int_eq(pl->ops[0].n_parts, parts[i]);
    ck_assert_int_eq(pl->ops[0].early, i == 0);
    if (i) ck_assert_int_eq(pl->ops[0].home, 0);
    hs_placement_release(pl);
    hs_arena_free(&a);
    fixture_free(&f);
    free(ops);
  }
}
END_TEST

/* The uLayer's plan of two branches behind s, p and q with r, lowered, and when each task starts and ends, seconds. */
struct distributed {
  struct fixture f;
  struct hs_arena a;
  struct hs_placement *pl;
  struct hs_program *prog;
  double *start, *end;
};

static void distribute(struct distributed *d, int memory)
{
  struct hs_error err;
  struct hs_estimate e;
  const char *params[] = {"presync_ms=0.11", "predictor=exact", "branches=distribute"};
  make(&d->f, "mace", memory, -1, STEM CONV("p", "s", "3,3") CONV("q", "s", "1,1") CONV("r", "q", "3,3") JOIN("'p','r'"), "'j'");
  d->a = (struct hs_arena){0};
  d->pl = plan(&d->f, "mulayer", params, 3, &d->a, &err);
  hs_test_accepted(hs_lower(&d->f.sys, d->pl->rewritten, d->pl, &d->prog, &err), &err);
  d->start = calloc((size_t)d->prog->n_tasks, sizeof *d->start);
  d->end = calloc((size_t)d->prog->n_tasks, sizeof *d->end);
  hs_estimate_program(&d->f.sys, d->prog, &e, d->start, d->end);
}

static void distributed_free(struct distributed *d)
{
  free(d->start);
  free(d->end);
  hs_program_free(d->prog);
  hs_placement_release(d->pl);
  hs_arena_free(&d->a);
  fixture_free(&d->f);
}

/* The distributed branches do run at once: the latency is that of the longer side and what stands before and after it. */
START_TEST(branches_overlap)
{
  struct distributed d;
  distribute(&d, HS_BUFFER);
  int p = -1, q = -1, r = -1;
  for (int i = 0; i < d.prog->n_tasks; i++) {
    if (d.prog->tasks[i].kind != HS_TASK_EXEC) continue;
    const char *name = d.pl->rewritten->ops[d.prog->tasks[i].op].name;
    *(*name == 'p' ? &p : *name == 'q' ? &q : *name == 'r' ? &r : &(int){0}) = i;
  }
  ck_assert(p >= 0 && q >= 0 && r >= 0);
  ck_assert_double_lt(d.start[p], d.end[q]);
  ck_assert_double_lt(fabs(d.end[p] - d.end[r]), 1e-3);
  distributed_free(&d);
}
END_TEST

/* With images the forked tensor is converted for the CPU: right behind s, and the GPU goes on with its own branch while the host waits for that. */
START_TEST(gpus_branch_does_not_wait)
{
  struct distributed d;
  distribute(&d, HS_IMAGE);
  double converted = 0;
  bool distributed = false;
  for (int i = 0; i < d.prog->n_tasks; i++) {
    const struct hs_task *t = &d.prog->tasks[i];
    const char *name = t->op >= 0 ? d.pl->rewritten->ops[t->op].name : "";
    if (t->kind == HS_TASK_TRANSFORM && *name == 's' && d.start[i] > 0) converted = d.end[i];
    if (t->kind == HS_TASK_EXEC && *name == 'q') ck_assert_double_eq_tol(d.start[i], converted, 1e-12);
    if (t->kind == HS_TASK_EXEC && *name == 'p') {
      distributed = true;
      ck_assert_double_gt(d.start[i], converted); /* the host waits for it */
    }
  }
  ck_assert(distributed && converted > 0);
  distributed_free(&d);
}
END_TEST

/* int8 on the CPU at 32e9, fp16 on the GPU at 16e9 MAC/s, conversion at the sharing: fixed 0.2 ms, 0.4 ns/B.
 * a: 1.843 ms on the CPU, 3.686 on the GPU; at 0.3 the GPU takes 20 of 64 channels (rounded up to 4): CPU 44/64 · 1.843 = 1.267, in 102 400
 * elements of 2 bytes, out 70 400 of 1: 0.2 + 0.110 = 1.577; at 0.4 28 channels: 1.613 for the GPU alone. All on the CPU: 1.843 + 0.2 +
 * 0.123. c: 0.410 on the GPU; at 0.3 80 of 256 channels: 0.141 + 0.2 + 0.049 = 0.390. d: 0.922 and 1.843; at 0.3 12 of 32: 0.691 + 0.2 + 0.085 = 0.977; all on the CPU
 * 0.922 + 0.2 + 0.087; at 0.4 16 of 32. */
START_TEST(friendly_by_hand)
{
  struct fixture f;
  const char *params[] = {"presync_ms=0.11", "predictor=exact", "quantization=friendly"};
  make(&f, "tflite", HS_BUFFER, HS_INT8, FIVE, "'e'");
  ck_assert_int_eq(f.sys.backends[0].precision, HS_INT8);
  ck_assert_int_eq(f.sys.backends[1].precision, HS_FP16);
  decides(&f, "mulayer", params, 3, "a c0.3 | b gpu | c c0.3 | d c0.3 | e gpu");
  fixture_free(&f);
}
END_TEST

START_TEST(friendly_needs_the_precisions)
{
  struct fixture f;
  struct hs_arena a = {0};
  struct hs_error err;
  const char *params[] = {"quantization=friendly"};
  make(&f, "mace", HS_BUFFER, -1, FIVE, "'e'");
  ck_assert_ptr_null(plan(&f, "mulayer", params, 1, &a, &err));
  ck_assert_int_eq(err.status, HS_USAGE);
  ck_assert_str_eq(hs_test_message(&err), "policy mulayer: quantization=friendly needs int8 on the CPU and fp16 on the GPU, and runtime mace computes in "
                                          "fp32 and fp32 on x");
  hs_arena_free(&a);
  fixture_free(&f);
}
END_TEST

/* --- the regression --- */

/* Points on a line: it is found. */
START_TEST(fits_a_line)
{
  const double x[] = {1e6, 2e7, 3e5, 4e6, 5e4};
  double y[5];
  for (int i = 0; i < 5; i++) y[i] = 3e-9 * x[i] - 1e-3;
  struct hs_line line = hs_flops_fit(x, y, 5);
  ck_assert_double_eq_tol(line.per_flop, 3e-9, 1e-15);
  ck_assert_double_eq_tol(line.constant, -1e-3, 1e-9);
}
END_TEST

/* Not on one, by the normal equations of y = b·x + c over (0, 0), (1, 1), (2, 0), (3, 3): b = 0.8, c = -0.2. */
START_TEST(fits_least_squares)
{
  const double x[] = {0, 1, 2, 3}, y[] = {0, 1, 0, 3};
  struct hs_line line = hs_flops_fit(x, y, 4);
  ck_assert_double_eq_tol(line.per_flop, 0.8, 1e-12);
  ck_assert_double_eq_tol(line.constant, -0.2, 1e-12);
}
END_TEST

/* Of FIVE, and of the upper half of their channels; s is a convolution of 5x3 with strides 2 and 1. A pooling counts what it reads. */
START_TEST(flops_by_hand)
{
  static const struct {
    int op;
    int64_t channels;
    double whole;
  } rows[] = {
    {0, 64, 40.0 * 40 * 64 * 64 * 9}, {1, 64, 4.0 * 20 * 20 * 64}, {2, 256, 20.0 * 20 * 64 * 256}, {4, 100, 12800.0 * 100}, {5, 8, 20.0 * 40 * 8 * 64 * 15},
  };
  struct fixture f;
  make(&f, "mace", HS_BUFFER, -1, FIVE ", {'name': 's', 'inputs': ['x'], 'op': 'Conv', 'channels': 8, 'kernel': [5,3], 'stride': [2,1], 'pad': 'same'}", "'e','s'");
  for (int i = 0; i < 5; i++) {
    const struct hs_operator *op = &f.graph->ops[rows[i].op];
    ck_assert_double_eq_tol(hs_flops_of(f.graph, op, (struct hs_range){HS_SPLIT_NONE, 0, 1}), rows[i].whole, 1e-6);
    ck_assert_double_eq_tol(hs_flops_of(f.graph, op, (struct hs_range){HS_SPLIT_CHANNEL, rows[i].channels / 2, rows[i].channels}), rows[i].whole / 2, 1e-6);
  }
  fixture_free(&f);
}
END_TEST

/* In the fixture an operator takes its operations at one rate: the regression knows it, whole and cut. The release times 149 convolutions
 * (104 and 45), 17 poolings and 6 fully connected layers. */
START_TEST(regression_of_a_linear_world)
{
  static const int trained[HS_LAYER_N] = {104, 12, 4}, tested[HS_LAYER_N] = {45, 5, 2};
  struct fixture f;
  struct hs_flops flops;
  make(&f, "mace", HS_BUFFER, -1, FIVE, "'e'");
  hs_flops_train(&f.sys, 0, &flops);
  for (int k = 0; k < HS_LAYER_N; k++) {
    ck_assert_int_eq(flops.n_trained[k], trained[k]);
    ck_assert_int_eq(flops.n_tested[k], tested[k]);
    ck_assert_int_gt(3 * flops.n_within[k], 2 * tested[k]); /* channels are padded to fours: 3, 6 and 21 of them are off the line */
  }
  ck_assert_near(hs_flops_seconds(&flops, f.graph, &f.graph->ops[1], (struct hs_range){HS_SPLIT_NONE, 0, 1}), 102400 / RATE);
  ck_assert_near(hs_flops_seconds(&flops, f.graph, &f.graph->ops[1], (struct hs_range){HS_SPLIT_CHANNEL, 0, 32}), 51200 / RATE);
  fixture_free(&f);
}
END_TEST

/* Lines given by hand: of a the CPU's part takes 102.4 µs whatever its size, and the GPU's 576 µs · its share: at most the CPU's up to 0.1 of
 * the channels (8 of 64, 72 µs), where none on the GPU ties and is first. With 300 µs less the CPU predicts less than nothing: then nothing is
 * what the GPU's absence takes. A processor without lines has no say: whole on the GPU. */
START_TEST(decides_by_regression)
{
  struct fixture f;
  struct hs_cuts c;
  struct hs_error err;
  const double per_flop = 576e-6 / (40 * 40 * 64 * 64 * 9);
  struct hs_flops cpu = {.n_trained = {9}, .line = {{.constant = 102.4e-6}}}, gpu = {.n_trained = {9}, .line = {{.per_flop = per_flop}}}, none = {.n_trained = {0}};
  make(&f, "mace", HS_BUFFER, -1, FIVE, "'e'");
  const struct hs_view v = {&f.sys, f.graph, NULL};
  hs_test_accepted(hs_cuts_open(&c, &v, false, 0.11e-3, "test", &err), &err);
  c.cpu_flops = &cpu;
  c.gpu_flops = &gpu;
  struct hs_cut cut = hs_cuts_best(&c, 0);
  ck_assert_double_eq(cut.share, 0);
  ck_assert_near(cut.seconds, 102.4e-6);
  cpu.line[0].per_flop = per_flop; /* and its share of the channels: 0.4 rounds to 28 of 64, the CPU has 102.4 + 324 µs, and the GPU 252; 0.5: 390.4 */
  cut = hs_cuts_best(&c, 0);
  ck_assert_double_eq(cut.share, 0.6); /* 40 and 24: 360 and 318.4; 0.5 has 288 and 390.4 */
  ck_assert_int_eq(cut.split, HS_SPLIT_CHANNEL);
  ck_assert_near(cut.seconds, 360e-6);
  cpu.line[0].constant = -1;
  cut = hs_cuts_best(&c, 0);
  ck_assert_double_eq(cut.share, 0);
  ck_assert_double_eq(cut.seconds, 0);
  c.gpu_flops = c.cpu_flops = &none;
  ck_assert_double_eq(hs_cuts_best(&c, 0).share, 1);
  fixture_free(&f);
}
END_TEST

/* --- branches and the order of operators --- */

#define RELU(name, from) "{'name': '" name "', 'inputs': ['" from "'], 'op': 'Relu'}, "
#define ADD(name, a, b) "{'name': '" name "', 'inputs': ['" a "','" b "'], 'op': 'Add'}"

/* Branches of the fork at operator `first`: "0 1 1 -> 4", or "none" */
static const struct {
  const char *ops, *output;
  int first;
  const char *expected;
} forks[] = {
  {RELU("a", "x") RELU("b", "x") ADD("o", "a", "b"), "'o'", 0, "0 1 -> 2"},
  {RELU("s", "x") RELU("a", "s") RELU("b", "s") RELU("c", "a") ADD("o", "b", "c"), "'o'", 1, "0 1 0 -> 4"},
  {RELU("s", "x") RELU("a", "s") RELU("b", "s") RELU("c", "a") ADD("o", "b", "c"), "'o'", 0, "none"},  /* s is a chain of its own */
  {RELU("s", "x") RELU("a", "s") RELU("b", "a") ADD("o", "s", "b"), "'o'", 1, "none"},                 /* the other branch has no operator */
  {RELU("a", "x") RELU("b", "x") RELU("c", "b") ADD("o", "a", "b"), "'o','c'", 0, "none"},             /* a result leaves in between */
  {RELU("a", "x") RELU("b", "x") RELU("c", "x") ADD("o", "b", "c"), "'o','a'", 1, "none"},             /* the fork begins before */
  {RELU("a", "x") RELU("b", "a") RELU("c", "a") ADD("d", "b", "c") ", " RELU("e", "x") ADD("o", "d", "e"), "'o'", 0, "0 0 0 0 1 -> 5"},
  {RELU("a", "x") RELU("b", "a") RELU("c", "a") ADD("d", "b", "c") ", " RELU("e", "x") ADD("o", "d", "e"), "'o'", 1, "0 1 -> 3"}, /* inside the branch */
  {RELU("a", "x") RELU("b", "x") RELU("c", "x") RELU("d", "c") ADD("e", "a", "d") ", " ADD("o", "b", "e"), "'o'", 0, "0 1 0 0 0 -> 5"},
};

START_TEST(finds_branches)
{
  struct fixture f;
  struct hs_arena a = {0};
  struct hs_fork fork;
  struct hs_text t = {0};
  make(&f, "mace", HS_BUFFER, -1, forks[_i].ops, forks[_i].output);
  hs_text_add(&t, "");
  if (hs_fork_at(f.graph, forks[_i].first, &fork, &a)) {
    for (int i = 0; i < fork.join - fork.first; i++) hs_text_addf(&t, "%d ", fork.branch[i]);
    hs_text_addf(&t, "-> %d", fork.join);
  } else
    hs_text_add(&t, "none");
  ck_assert_str_eq(t.s, forks[_i].expected);
  hs_text_free(&t);
  hs_arena_free(&a);
  fixture_free(&f);
}
END_TEST

START_TEST(another_order_is_the_same_network)
{
  struct fixture f;
  make(&f, "mace", HS_BUFFER, -1, forks[1].ops, forks[1].output);
  const int order[] = {0, 1, 3, 2, 4};
  struct hs_graph *g = hs_pass_order(f.graph, order);
  ck_assert_int_eq(g->n_ops, 5);
  ck_assert_int_eq(g->n_tensors, f.graph->n_tensors);
  for (int i = 0; i < g->n_ops; i++) {
    ck_assert_str_eq(g->ops[i].name, f.graph->ops[order[i]].name);
    ck_assert_int_eq(g->tensors[g->ops[i].outputs[0]].producer, i);
    for (int k = 0; k < g->ops[i].n_inputs; k++) {
      ck_assert_int_lt(g->tensors[g->ops[i].inputs[k]].producer, i);
      ck_assert_str_eq(g->tensors[g->ops[i].inputs[k]].name, f.graph->tensors[f.graph->ops[order[i]].inputs[k]].name);
    }
  }
  ck_assert_str_eq(g->tensors[g->outputs[0]].name, "o");
  ck_assert(g->tensors[g->outputs[0]].is_output);
  hs_graph_free(g);
  fixture_free(&f);
}
END_TEST

/* --- on real chips --- */

static void set_up(struct hs_setup *s, const char *soc, const char *policy, const char *model, const char *memory_type, const char *const *params, int n)
{
  const struct hs_request req = {.soc = soc, .policy = policy, .model = model, .memory_type = memory_type, .params = params, .n_params = n};
  struct hs_error err;
  *s = (struct hs_setup){0};
  hs_test_accepted(hs_setup_make(s, &req, &err), &err);
}

static double latency(const struct hs_setup *s)
{
  struct hs_estimate e;
  hs_estimate_program(&s->sys, s->program, &e, NULL, NULL);
  return e.latency_s;
}

static const char *const published_param[] = {"plan=published"};

/* nn_model_builder.cc, VGG-16, hint 11, the second assignment for the Snapdragon 855, operator by operator. */
START_TEST(published_vgg16)
{
  static const int tenths[] = {10, 6, 6, 5, 5, 5, 5, 5, 5, 5, 4, 4, 5, 10, 5, 5, 5, 10, 6, 2, 5}, oc[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1};
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
  {"sd855", "vgg16", "presync_ms=auto", "policy codl, parameter presync_ms: \"auto\" is not a number in [0, 100]", HS_USAGE},
  {"sd855", "vgg16", "chain=0.5", "policy codl, parameter chain: \"0.5\" is not one of auto, greedy, heuristic, none", HS_USAGE},
};

START_TEST(refuses)
{
  const char *params[] = {"plan=published", refusals[_i].param};
  const struct hs_request req = {.soc = refusals[_i].soc, .policy = "codl", .model = refusals[_i].model, .params = params, .n_params = 2};
  struct hs_setup s = {0};
  struct hs_error err;
  ck_assert_int_eq(hs_setup_make(&s, &req, &err), refusals[_i].status);
  ck_assert_str_eq(hs_test_message(&err), refusals[_i].message);
  hs_setup_free(&s);
}
END_TEST

START_TEST(plan_of_is_for_replays)
{
  const char *params[] = {"plan_of=kirin990"};
  const struct hs_request req = {.soc = "kirin985", .policy = "codl", .model = "vgg16", .params = params, .n_params = 1};
  struct hs_setup s = {0};
  struct hs_error err;
  ck_assert_int_eq(hs_setup_make(&s, &req, &err), HS_USAGE);
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

/* One dimension only: fully connected operators keep theirs, and neither is faster than both together by the model that decides. */
START_TEST(one_dimension)
{
  static const char *const by[][2] = {{"cut=both", "chain=none"}, {"cut=height", "chain=none"}, {"cut=channel", "chain=none"}};
  double predicted[3] = {0, 0, 0};
  for (int k = 0; k < 3; k++) {
    struct hs_setup s;
    int height = 0, channel = 0;
    set_up(&s, "sd855", "codl", "vgg16", "image", by[k], 2);
    for (int i = 0; i < s.graph->n_ops; i++) {
      const struct hs_op_placement *op = &s.placement->ops[i];
      height += op->split == HS_SPLIT_HEIGHT;
      channel += op->split == HS_SPLIT_CHANNEL && s.graph->ops[i].type != HS_OP_GEMM;
    }
    ck_assert_int_eq(height > 0, k != 2);
    ck_assert_int_eq(channel > 0, k != 1);
    predicted[k] = latency(&s);
    hs_setup_free(&s);
  }
  ck_assert_double_lt(predicted[0], predicted[1]);
  ck_assert_double_lt(predicted[0], predicted[2]);
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

static const struct {
  const char *soc, *memory_type, *model;
} chips[] = {
  {"sd855", "image", "yolov2"}, {"kirin990", "image", "yolov2"}, {"sd855", "image", "vgg16"}, {"sd855", "buffer", "vgg16"},
  {"kirin990", "image", "vgg16"}, {"kirin990", "buffer", "vgg16"},
  {"sd855", "buffer", "yolov2"}, {"kirin990", "buffer", "yolov2"}, /* where the GPU can't run the passthrough's SpaceToDepth */
  {"sd855", "image", "shufflenet_v2"},                              /* nor the shuffles, several operators in a row */
};

enum { GPU_RUNS_ALL = 6, WITH_HEIGHTS = 8 }; /* of the first so many chips */

/* With the whole share CoDL is the GPU alone, also where this has to leave operators to the CPU: what these hand to each other stays there. */
START_TEST(share_1_is_the_gpu)
{
  static const char *const one[] = {"gpu_share=1"};
  struct hs_setup s, gpu;
  set_up(&s, chips[_i].soc, "codl", chips[_i].model, chips[_i].memory_type, one, 1);
  set_up(&gpu, chips[_i].soc, "gpu", chips[_i].model, chips[_i].memory_type, NULL, 0);
  ck_assert_int_eq(s.program->n_fallback, gpu.program->n_fallback);
  ck_assert(_i < GPU_RUNS_ALL ? s.program->n_fallback == 0 : s.program->n_fallback > 0);
  ck_assert_double_eq(latency(&s), latency(&gpu));
  hs_setup_free(&s);
  hs_setup_free(&gpu);
}
END_TEST

/* With none, the CPU computes exactly what it does under policy cpu, and the results go to the GPU's memory, where CoDL's boundary tensors
 * live, but those of operators that the GPU can't run: every task more is sharing. */
START_TEST(share_0_is_the_cpu_and_sharing)
{
  static const char *const zero[] = {"gpu_share=0", "chain=none"};
  struct hs_setup s, cpu;
  set_up(&s, chips[_i].soc, "codl", chips[_i].model, chips[_i].memory_type, zero, 2);
  set_up(&cpu, chips[_i].soc, "cpu", chips[_i].model, chips[_i].memory_type, NULL, 0);
  int shared = 0, execs = 0, at_the_gpu = 0;
  for (int i = 0; i < s.graph->n_ops; i++) {
    const struct hs_op_placement *is = &s.placement->ops[i], *as = &cpu.placement->ops[i];
    int gpu = hs_soc_find(s.soc, "gpu");
    ck_assert_int_eq(is->n_parts, 1);
    ck_assert_int_eq(is->parts[0].processor, as->parts[0].processor);
    ck_assert_int_eq(is->home == gpu, hs_system_supports(&s.sys, s.graph, &s.graph->ops[i], gpu, NULL, 0));
    at_the_gpu += is->home == gpu;
    ck_assert(!is->fallback);
  }
  for (int i = 0; i < s.program->n_tasks; i++) {
    const struct hs_task *t = &s.program->tasks[i];
    shared += hs_task_is_communication(t->kind);
    if (t->kind != HS_TASK_EXEC) continue;
    ck_assert_double_eq(hs_task_seconds(&s.sys, t), hs_task_seconds(&cpu.sys, &cpu.program->tasks[execs])); /* whose tasks are kernels only */
    execs++;
  }
  ck_assert_int_eq(execs, cpu.program->n_tasks);
  ck_assert_int_eq(at_the_gpu == s.graph->n_ops, _i < GPU_RUNS_ALL);
  ck_assert_int_ge(shared, at_the_gpu);
  ck_assert_double_gt(latency(&s), latency(&cpu));
  hs_setup_free(&s);
  hs_setup_free(&cpu);
}
END_TEST

/* Cutting by height is for images: in buffers both ways are channels, and there are cuts. */
START_TEST(memory_type_decides_the_dimension)
{
  static const char *const by_search[] = {"chain=heuristic", "chain=greedy"};
  for (int k = 0; k < 2; k++) {
    struct hs_setup s;
    int count[HS_SPLIT_N] = {0};
    set_up(&s, chips[_i].soc, "codl", chips[_i].model, chips[_i].memory_type, &by_search[k], 1);
    for (int i = 0; i < s.graph->n_ops; i++) count[s.placement->ops[i].split]++;
    if (strcmp(chips[_i].memory_type, "buffer") == 0) {
      ck_assert_int_eq(count[HS_SPLIT_HEIGHT], 0);
      ck_assert_int_gt(count[HS_SPLIT_CHANNEL], 0);
    } else
      ck_assert_int_gt(count[HS_SPLIT_HEIGHT], 0);
    hs_setup_free(&s);
  }
}
END_TEST

/* What a policy ignores doesn't matter to it: every rate of the DSP ten times higher. A faster GPU does matter. */
static void quicken(struct hs_soc *soc, enum hs_kind kind, double factor)
{
  struct hs_processor *p = &soc->processors[hs_soc_first(soc, kind)];
  p->bandwidth_bytes_per_s *= factor;
  for (int d = 0; d < p->n_domains; d++) {
    p->domains[d].bandwidth_per_core_bytes_per_s *= factor;
    for (int i = 0; i < HS_PRECISION_N; i++) p->domains[d].macs_per_cycle[i] *= factor;
  }
}

static const char *const all_params[][2] = {{"chain=heuristic", "plan=search"}, {"chain=greedy", "plan=search"}, {"chain=none", "plan=published"}};

START_TEST(ignores_the_dsp)
{
  struct hs_setup s;
  struct hs_error err;
  char *before, *after;
  set_up(&s, "sd855", "codl", "vgg16", NULL, all_params[_i], 2);
  double latency_before = latency(&s);
  for (int k = 0; k < 2; k++) {
    struct hs_plan again = {.arena = &s.arena, .graph = s.graph};
    struct hs_program *prog;
    struct hs_estimate e;
    const struct hs_view v = {&s.sys, s.graph, s.values};
    before = text_of(&s.sys, s.graph, s.placement);
    quicken(s.soc, k ? HS_GPU : HS_DSP, 10);
    hs_test_accepted(hs_policy_plan(s.policy, &v, &again, &err), &err);
    after = text_of(&s.sys, s.graph, again.alternatives[0]);
    hs_test_accepted(hs_lower(&s.sys, s.graph, again.alternatives[0], &prog, &err), &err);
    hs_estimate_program(&s.sys, prog, &e, NULL, NULL);
    ck_assert_int_eq(strcmp(before, after) == 0, k == 0 || _i == 2); /* a published plan stays what it is */
    ck_assert_int_eq(e.latency_s == latency_before, k == 0);
    hs_program_free(prog);
    free(before);
    free(after);
  }
  hs_setup_free(&s);
}
END_TEST

/* Deciding by the regression, the plan is another one, worse, and says how good the regression is. */
START_TEST(predictors_differ)
{
  static const char *const exact[] = {"predictor=exact"};
  struct hs_setup by_regression, by_model;
  set_up(&by_regression, "sd855", "mulayer", "fst", NULL, NULL, 0);
  set_up(&by_model, "sd855", "mulayer", "fst", NULL, exact, 1);
  ck_assert_double_gt(latency(&by_regression), latency(&by_model));
  ck_assert_ptr_null(by_model.placement->note);
  ck_assert_ptr_nonnull(strstr(by_regression.placement->note, "within 10 %: convolutions cpu "));
  for (int i = 0; i < by_regression.graph->n_ops; i++) ck_assert_int_ne(by_regression.placement->ops[i].split, HS_SPLIT_HEIGHT);
  hs_setup_free(&by_regression);
  hs_setup_free(&by_model);
}
END_TEST

/* CoDL, Fig. 5: of the 3x3 convolution of 240x320x64 to 128 channels its regression gives 60 % to the GPU of a Snapdragon 855, though the
 * GPU would be fastest with 90 %. It is trained from images, whatever memory the plan is for. */
START_TEST(plan_of_figure_5)
{
  static const char *const memory_types[] = {"buffer", "image"};
  struct hs_setup s;
  set_up(&s, "sd855", "mulayer", "fst_codl", memory_types[_i], NULL, 0);
  const struct hs_op_placement *pl = &s.placement->ops[2];
  ck_assert_str_eq(s.graph->ops[2].name, "down3");
  ck_assert_int_eq(pl->split, HS_SPLIT_CHANNEL);
  ck_assert_int_eq(s.soc->processors[pl->parts[0].processor].kind, HS_GPU);
  ck_assert_double_eq_tol(pl->parts[0].fraction, 0.6, 1e-9);
  hs_setup_free(&s);
}
END_TEST

/* The parameter chooses runtime and precisions, and every crossing between the two precisions converts. */
START_TEST(friendly_on_a_chip)
{
  static const char *const friendly[] = {"quantization=friendly"};
  struct hs_setup s;
  int cuts = 0, conversions = 0;
  set_up(&s, "sd855", "mulayer", "vgg16", NULL, friendly, 1);
  ck_assert_str_eq(s.sys.runtime->name, "tflite");
  ck_assert_int_eq(s.sys.backends[hs_soc_find(s.soc, "cpu")].precision, HS_INT8);
  ck_assert_int_eq(s.sys.backends[hs_soc_first(s.soc, HS_GPU)].precision, HS_FP16);
  for (int i = 0; i < s.graph->n_ops; i++) cuts += s.placement->ops[i].n_parts == 2;
  for (int i = 0; i < s.program->n_tasks; i++) conversions += s.program->tasks[i].kind == HS_TASK_TRANSFORM;
  ck_assert_int_gt(cuts, 0);
  ck_assert_int_ge(conversions, cuts);
  hs_setup_free(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, codl_by_hand, 0, sizeof chains / sizeof *chains);
  tcase_add_test(t, a_chain_grows_through_a_dip);
  tcase_add_test(t, chain_latency_by_hand);
  tcase_add_test(t, buffers_are_cut_by_channel);
  tcase_add_loop_test(t, given_share_of_those_behind, 0, sizeof impossible / sizeof *impossible);
  tcase_add_loop_test(t, given_shares, 0, sizeof shares / sizeof *shares);
  tcase_add_test(t, few_channels_are_the_gpus);
  tcase_add_test(t, what_follows);
  tcase_add_test(t, branches_by_hand);
  tcase_add_test(t, branches_alike);
  tcase_add_test(t, who_makes_the_forked_tensor);
  tcase_add_test(t, branches_overlap);
  tcase_add_test(t, gpus_branch_does_not_wait);
  tcase_add_test(t, friendly_by_hand);
  tcase_add_test(t, friendly_needs_the_precisions);
  tcase_add_test(t, fits_a_line);
  tcase_add_test(t, fits_least_squares);
  tcase_add_test(t, flops_by_hand);
  tcase_add_test(t, regression_of_a_linear_world);
  tcase_add_test(t, decides_by_regression);
  tcase_add_test(t, predictors_differ);
  tcase_add_loop_test(t, plan_of_figure_5, 0, 2);
  tcase_add_loop_test(t, finds_branches, 0, sizeof forks / sizeof *forks);
  tcase_add_test(t, another_order_is_the_same_network);
  tcase_add_test(t, published_vgg16);
  tcase_add_loop_test(t, published_plans, 0, sizeof sums / sizeof *sums);
  tcase_add_loop_test(t, refuses, 0, sizeof refusals / sizeof *refusals);
  tcase_add_test(t, plan_of_is_for_replays);
  tcase_add_test(t, published_for_another_soc);
  tcase_add_test(t, published_for_any_memory);
  tcase_add_test(t, one_dimension);
  tcase_add_test(t, published_for_another_network);
  tcase_add_loop_test(t, share_1_is_the_gpu, 0, sizeof chips / sizeof *chips);
  tcase_add_loop_test(t, share_0_is_the_cpu_and_sharing, 0, sizeof chips / sizeof *chips);
  tcase_add_loop_test(t, memory_type_decides_the_dimension, 0, WITH_HEIGHTS);
  tcase_add_loop_test(t, ignores_the_dsp, 0, sizeof all_params / sizeof *all_params);
  tcase_add_test(t, friendly_on_a_chip);
}

int main(void) { return hs_test_main("codl", fill); }
