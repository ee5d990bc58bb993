/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The uLayer: branches distributed and precisions chosen by hand on a system of two equal processors, and both on a chip. */
#include "tests/policy/cutting.h"

#include <math.h>

#include "policies/flops.h"

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

/* Branches that are alike: 7.373 + 0.253 + 0.153 = 7.779 whichever the CPU gets, less than 2 · 4.031, and it gets the first. Then one of
 * two 1×1 convolutions, p and r, and one that multiplies as much, q: the CPU gets the first, since p's result, read by r only, doesn't
 * cross; it would cost 0.123 ms. */
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

/* A fork inside a branch: r and t, 7.373 ms each, would be distributed by themselves, one to the CPU for 7.779, as above. Behind two such convolutions, which the
 * CPU has for 14.746 + 0.406 of sharing, all of the other branch, 0.819 + 14.746 + 0.026, stays on the GPU: it is distributed once. */
START_TEST(what_is_distributed_stays_so)
{
  struct fixture f;
  const char *params[] = {"presync_ms=0.11", "predictor=exact", "branches=distribute"};
  make(&f, "mace", HS_BUFFER, -1,
       STEM CONV("o", "s", "3,3") CONV("p", "o", "3,3") CONV("q", "s", "1,1") CONV("r", "q", "3,3") CONV("t", "q", "3,3")
       "{'name': 'u', 'inputs': ['r','t'], 'op': 'Concat'}, " JOIN("'p','u'"), "'j'");
  decides(&f, "mulayer", params, 3, "s gpu | q gpu | r gpu | t gpu | u gpu | o cpu | p cpu | j gpu");
  fixture_free(&f);
}
END_TEST

/* Two branches of 0.307 ms, on the GPU as sharing costs more than half of one: one after the other they take 0.614, and 0.636 where the CPU fetches the
 * forked tensor for 0.16 + 0.123 ms and gives its result back for 0.046. */
START_TEST(branches_that_are_not_worth_the_way)
{
  struct fixture f;
  const char *params[] = {"presync_ms=0.11", "predictor=exact", "branches=distribute"};
  make(&f, "mace", HS_BUFFER, -1,
       STEM "{'name': 'p', 'inputs': ['s'], 'op': 'Conv', 'channels': 24, 'kernel': [1,1]}, "
            "{'name': 'q', 'inputs': ['s'], 'op': 'Conv', 'channels': 24, 'kernel': [1,1]}, " JOIN("'p','q'"), "'j'");
  decides(&f, "mulayer", params, 3, "s gpu | p gpu | q gpu | j gpu");
  fixture_free(&f);
}
END_TEST

/* Two branches of 8 channels, 0.922 ms each, and on the GPU 1.843. The CPU fetches the forked tensor, 410 kB, and gives back 51: 0.922 + 0.16 + 0.138 = 1.220.
 * A slow map, 2 ns per byte more, costs it 0.819 on the way to it, and 0.102 on the way back. */
START_TEST(ways_differ)
{
  struct fixture f;
  const char *params[] = {"presync_ms=0.11", "predictor=exact", "branches=distribute"};
  make(&f, "mace", HS_BUFFER, -1,
       STEM "{'name': 'p', 'inputs': ['s'], 'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'pad': 'same'}, "
            "{'name': 'q', 'inputs': ['s'], 'op': 'Conv', 'channels': 8, 'kernel': [3,3], 'pad': 'same'}, " JOIN("'p','q'"), "'j'");
  f.soc->sharing[HS_CPU][HS_GPU][HS_MAP].s_per_byte += 2e-9;
  decides(&f, "mulayer", params, 3, "s gpu | q gpu | p cpu | j gpu");
  f.soc->sharing[HS_CPU][HS_GPU][HS_MAP].s_per_byte -= 2e-9;
  f.soc->sharing[HS_GPU][HS_CPU][HS_MAP].s_per_byte += 2e-9;
  decides(&f, "mulayer", params, 3, "s gpu | p gpu | q gpu | j gpu");
  fixture_free(&f);
}
END_TEST

/* The regression leaves sharing out and cuts p and q, 0.307 ms each, in halves (0.4 of 24 channels are 9, so three
 * fours), which is 0.46 with it. Distributed they take 0.636: less than both so, if more than the 0.614 of the GPU alone, which is no
 * distribution. */
START_TEST(the_gpu_alone_is_no_distribution)
{
  struct fixture f;
  const char *params[] = {"presync_ms=0.11", "branches=distribute"};
  make(&f, "mace", HS_BUFFER, -1,
       STEM "{'name': 'p', 'inputs': ['s'], 'op': 'Conv', 'channels': 24, 'kernel': [1,1]}, "
            "{'name': 'q', 'inputs': ['s'], 'op': 'Conv', 'channels': 24, 'kernel': [1,1]}, " JOIN("'p','q'"), "'j'");
  decides(&f, "mulayer", NULL, 0, "s gpu | p c0.4 | q c0.4 | j gpu");
  decides(&f, "mulayer", params, 2, "s gpu | q gpu | p cpu | j gpu");
  fixture_free(&f);
}
END_TEST

/* What distributing is compared with is by the cost model, whoever decided on the cuts: p, 2.765 ms, takes 1.382 + 0.306 cut in halves, and q 0.46, as
 * above: 2.148. Distributed p alone takes longer, but less than the cuts by the regression, each of whose lines begins above 0.6 ms. */
START_TEST(distributes_by_the_cost_model)
{
  struct fixture f;
  struct hs_flops flops;
  const char *params[] = {"presync_ms=0.11", "branches=distribute"};
  make(&f, "mace", HS_BUFFER, -1,
       STEM "{'name': 'p', 'inputs': ['s'], 'op': 'Conv', 'channels': 24, 'kernel': [3,3], 'pad': 'same'}, "
            "{'name': 'q', 'inputs': ['s'], 'op': 'Conv', 'channels': 24, 'kernel': [1,1]}, " JOIN("'p','q'"), "'j'");
  decides(&f, "mulayer", params, 2, "s gpu | p c0.4 | q c0.4 | j gpu");
  for (int p = 0; p < 2; p++) {
    hs_flops_train(&f.sys, p, &flops);
    ck_assert_double_gt(flops.line[HS_LAYER_CONV].constant, 0.62e-3);
  }
  fixture_free(&f);
}
END_TEST

/* p and q, which the GPU has no kernel for, fetch what they read and give back what they make, 7.373 + 0.16 + 0.246 = 7.779 ms each, and r is cut: 0.754, as
 * above. All branches on the CPU have one way to it and back, of two results: 2 · 7.373 + 0.819 + 0.16 + 0.369 = 16.094, less than 16.312. */
START_TEST(all_branches_on_the_cpu)
{
  struct fixture f;
  const char *split[] = {"presync_ms=0.11", "predictor=exact"}, *distribute[] = {"presync_ms=0.11", "predictor=exact", "branches=distribute"};
  make(&f, "mace", HS_BUFFER, -1,
       STEM "{'name': 'p', 'inputs': ['s'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same', 'support': {'gpu': false}}, "
            "{'name': 'q', 'inputs': ['s'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same', 'support': {'gpu': false}}, "
            CONV("r", "q", "1,1") JOIN("'p','r'"), "'j'");
  decides(&f, "mulayer", split, 2, "s gpu | p cpu | q cpu | r c0.5 | j gpu");
  decides(&f, "mulayer", distribute, 3, "s gpu | p cpu | q cpu | r cpu | j gpu");
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

/* With buffers in one precision nothing is converted, so that nothing can be enqueued early for the CPU's branch: what the GPU makes, whole or in part, stays
 * with it until that is asked for. */
START_TEST(nothing_is_early_without_a_conversion)
{
  static const char *const stems[] = {STEM, CONV("s", "x", "3,3")};
  const char *params[] = {"presync_ms=0.11", "predictor=exact", "branches=distribute"};
  for (int i = 0; i < 2; i++) {
    struct fixture f;
    struct hs_arena a = {0};
    struct hs_error err = {0};
    char *ops = hs_test_replace(STEM CONV("p", "s", "3,3") CONV("q", "s", "3,3") JOIN("'p','q'"), STEM, stems[i]);
    make(&f, "mace", HS_BUFFER, -1, ops, "'j'");
    struct hs_placement *pl = plan(&f, "mulayer", params, 3, &a, &err);
    ck_assert_msg(pl != NULL, "%s", hs_test_message(&err));
    ck_assert(pl->rewritten != NULL); /* distributed */
    ck_assert(!pl->ops[0].early);
    ck_assert_int_eq(pl->ops[0].home, 1);
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

/* int8 on the CPU at 32e9, fp16 on the GPU at 16e9 MAC/s, conversion at the sharing: fixed 0.2 ms, 0.4 ns/B. a: 1.843 ms on the CPU, 3.686
 * on the GPU; at 0.3 the GPU takes 20 of 64 channels (rounded up to 4): CPU 44/64 · 1.843 = 1.267, in 102 400 elements of 2 bytes, out 70
 * 400 of 1: 0.2 + 0.110 = 1.577; at 0.4 28 channels: 1.613 for the GPU alone. All on the CPU: 1.843 + 0.2 + 0.123. c: 0.410 on the GPU; at
 * 0.3 80 of 256 channels: 0.141 + 0.2 + 0.049 = 0.390. d: 0.922 and 1.843; at 0.3 12 of 32: 0.691 + 0.2 + 0.085 = 0.977; all on the CPU
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

/* By regression, too, what can't be cut by channel goes whole to the GPU: lines of dense layers say nothing of groups. */
START_TEST(groups_go_to_the_gpu)
{
  struct fixture f;
  make(&f, "mace", HS_BUFFER, -1, "{'name': 'a', 'inputs': ['x'], 'op': 'Conv', 'channels': 64, 'kernel': [3,3], 'pad': 'same', 'group': 4}", "'a'");
  decides(&f, "mulayer", NULL, 0, "a gpu");
  fixture_free(&f);
}
END_TEST

/* The regression knows of no waits. */
START_TEST(a_wait_nobody_takes_is_refused)
{
  struct fixture f;
  struct hs_arena a = {0};
  struct hs_error err;
  const char *params[] = {"presync_ms=9"}, *same[] = {"presync_ms=1.0"};
  make(&f, "mace", HS_BUFFER, -1, FIVE, "'e'");
  ck_assert_ptr_null(plan(&f, "mulayer", params, 1, &a, &err));
  ck_assert_int_eq(err.status, HS_USAGE);
  ck_assert_str_eq(hs_test_message(&err), "policy mulayer: presync_ms=9 is for predictor=exact and branches=distribute, and neither is given");
  ck_assert_ptr_nonnull(plan(&f, "mulayer", same, 1, &a, &err));
  hs_arena_free(&a);
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
  tcase_add_test(t, branches_by_hand);
  tcase_add_test(t, branches_alike);
  tcase_add_test(t, what_is_distributed_stays_so);
  tcase_add_test(t, branches_that_are_not_worth_the_way);
  tcase_add_test(t, ways_differ);
  tcase_add_test(t, the_gpu_alone_is_no_distribution);
  tcase_add_test(t, distributes_by_the_cost_model);
  tcase_add_test(t, all_branches_on_the_cpu);
  tcase_add_test(t, who_makes_the_forked_tensor);
  tcase_add_test(t, nothing_is_early_without_a_conversion);
  tcase_add_test(t, branches_overlap);
  tcase_add_test(t, gpus_branch_does_not_wait);
  tcase_add_test(t, friendly_by_hand);
  tcase_add_test(t, groups_go_to_the_gpu);
  tcase_add_test(t, a_wait_nobody_takes_is_refused);
  tcase_add_test(t, friendly_needs_the_precisions);
  tcase_add_test(t, friendly_on_a_chip);
}

int main(void) { return hs_test_main("mulayer", fill); }
