/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which tasks cut operators become: parts by height and by channel, and how what they compute comes together. */
#include "tests/model/lowering.h"

#include "plan/chains.h"

/* 20 rows of 6·4 = 24 elements, 96 bytes, in all three tensors */
#define ROWS RIG_NET(RIG_IN("i", "1, 20, 6, 4"), "'b'", RIG_OP("a", "Conv", "'i'", ", 'channels': 4, 'kernel': [3, 3], 'pad': 'same'") ","     \
                     RIG_OP("b", "Conv", "'a'", ", 'channels': 4, 'kernel': [3, 3], 'pad': 'same'"))

/* 12 rows on the GPU, 8 on the CPU; each result is brought together before the next reads it. */
START_TEST(height_without_chain)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, ROWS);
  struct hs_placement *pl = hs_placement_new(&r.arena, 2);
  rig_place_cut(&pl->ops[0], HS_SPLIT_HEIGHT, GPU, 0.6, CPU);
  rig_place_cut(&pl->ops[1], HS_SPLIT_HEIGHT, GPU, 0.6, CPU);
  pl->ops[1].home = CPU;
  struct hs_program *prog = lowered(&r, pl,
                                    "0 map i cpu 1248 <-\n" /* rows 0…13: one of halo */
                                    "1 sync i cpu 1248 <- 0\n"
                                    "2 launch a cpu <-\n"
                                    "3 exec a gpu <- 2\n"
                                    "4 exec a cpu <-\n"
                                    "5 map a cpu 768 <- 4\n" /* home is the GPU: the CPU's 8 rows go there */
                                    "6 sync a cpu 768 <- 5\n"
                                    "7 sync a cpu 864 <- 6 3\n" /* and from there come rows 11…19, which the CPU's part of b reads: it kept none */
                                    "8 map a cpu 864 <- 7\n"
                                    "9 launch b cpu <-\n"
                                    "10 exec b gpu <- 9 3\n"
                                    "11 exec b cpu <- 8\n"
                                    "12 sync b cpu 1152 <- 10\n" /* home is the CPU: the GPU's 12 rows */
                                    "13 map b cpu 1152 <- 12\n");
  struct hs_work w;
  hs_cost_exec(&r.sys, r.graph, &r.graph->ops[0], CPU, (struct hs_range){HS_SPLIT_HEIGHT, 12, 20}, &w);
  DERIVE("the CPU's part: rows 12…20", hs_task_seconds(&r.sys, &prog->tasks[4]), hs_work_seconds(&r.sys, CPU, -1, &w));
  hs_program_free(prog);
  rig_close(&r);
}
END_TEST

/* The same as a chain: each part computes the row of halo itself, and nothing moves in between. */
START_TEST(height_in_a_chain)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, ROWS);
  struct hs_placement *pl = hs_placement_new(&r.arena, 2);
  for (int i = 0; i < 2; i++) {
    rig_place_cut(&pl->ops[i], HS_SPLIT_HEIGHT, GPU, 0.6, CPU);
    pl->ops[i].chain = 0;
    pl->ops[i].home = CPU;
  }
  struct hs_program *prog = lowered(&r, pl,
                                    "0 map i cpu 1344 <-\n" /* rows 0…14: two of halo */
                                    "1 sync i cpu 1344 <- 0\n"
                                    "2 launch a cpu <-\n"
                                    "3 exec a gpu <- 2\n"
                                    "4 exec a cpu <-\n"
                                    "5 launch b cpu <-\n"
                                    "6 exec b gpu <- 5 3\n"
                                    "7 exec b cpu <- 4\n"
                                    "8 sync b cpu 1152 <- 6\n"
                                    "9 map b cpu 1152 <- 8\n");
  struct hs_work w;
  const struct hs_border padded = {1, 2}; /* b's padding: above for the GPU's part, below for the CPU's, left and right for both */
  hs_cost_exec_bordered(&r.sys, r.graph, &r.graph->ops[0], GPU, (struct hs_range){HS_SPLIT_HEIGHT, 0, 13}, padded, false, &w);
  DERIVE("the GPU's part of a: 13 rows of 6 and the padding", hs_task_seconds(&r.sys, &prog->tasks[3]), hs_work_seconds(&r.sys, GPU, -1, &w));
  hs_cost_exec_bordered(&r.sys, r.graph, &r.graph->ops[0], CPU, (struct hs_range){HS_SPLIT_HEIGHT, 11, 20}, padded, false, &w);
  DERIVE("the CPU's part of a: 9 rows of 6 and the padding", hs_task_seconds(&r.sys, &prog->tasks[4]), hs_work_seconds(&r.sys, CPU, -1, &w));
  hs_cost_exec(&r.sys, r.graph, &r.graph->ops[1], CPU, (struct hs_range){HS_SPLIT_HEIGHT, 12, 20}, &w);
  DERIVE("the CPU's part of b: 8 rows", hs_task_seconds(&r.sys, &prog->tasks[7]), hs_work_seconds(&r.sys, CPU, -1, &w));
  hs_program_free(prog);
  rig_close(&r);
}
END_TEST

/* m, which is no part of it, runs on the CPU in the middle of a chain of a and b. */
#define AROUND RIG_NET(RIG_IN("i", "1, 20, 6, 4") "," RIG_IN("j", "1, 20, 6, 4"), "'b', 'm'",                                                   \
                       RIG_OP("a", "Conv", "'i'", ", 'channels': 4, 'kernel': [3, 3], 'pad': 'same'") "," RIG_OP("m", "Relu", "'j'", "") ","    \
                       RIG_OP("b", "Conv", "'a'", ", 'channels': 4, 'kernel': [3, 3], 'pad': 'same'"))

static void place_around(struct hs_placement *pl)
{
  for (int i = 0; i < 3; i++) {
    rig_place_cut(&pl->ops[i], HS_SPLIT_HEIGHT, GPU, 0.6, CPU);
    pl->ops[i].chain = 0;
  }
  pl->ops[2].home = CPU;
}

/* Where it leaves them the chain ends: their tasks are those of height_without_chain, and m's. */
START_TEST(an_operator_leaves_a_chain)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, AROUND);
  struct hs_placement *pl = hs_placement_new(&r.arena, 3);
  place_around(pl);
  hs_placement_move(pl, 1, CPU, -1);
  lowers_to(&r, pl,
            "0 map i cpu 1248 <-\n" /* no row of halo */
            "1 sync i cpu 1248 <- 0\n"
            "2 launch a cpu <-\n"
            "3 exec a gpu <- 2\n"
            "4 exec a cpu <-\n"
            "5 map a cpu 768 <- 4\n"
            "6 sync a cpu 768 <- 5\n"
            "7 exec m cpu <-\n"
            "8 sync a cpu 864 <- 6 3\n"
            "9 map a cpu 864 <- 8\n"
            "10 launch b cpu <-\n"
            "11 exec b gpu <- 10 3\n"
            "12 exec b cpu <- 9\n"
            "13 sync b cpu 1152 <- 11\n"
            "14 map b cpu 1152 <- 13\n");
  rig_close(&r);
}
END_TEST

/* Who computes what goes by neighbours, as all of lowering does, not by numbers alone. */
START_TEST(a_number_that_comes_back_is_no_chain)
{
  struct rig r;
  struct hs_error err;
  struct hs_computed out[3];
  open_buffers(&r);
  rig_read_network(&r, AROUND);
  struct hs_placement *pl = hs_placement_new(&r.arena, 3);
  place_around(pl);
  hs_chains_compute(&r.sys, r.graph, pl->ops, 0, 3, out);
  ck_assert_int_eq(out[0].range[0].end, 13);
  hs_place_whole(&pl->ops[1], CPU);
  hs_chains_compute(&r.sys, r.graph, pl->ops, 0, 3, out);
  for (int k = 0; k < 2; k++) {
    ck_assert_int_eq(out[0].range[k].begin, out[0].share[k].begin);
    ck_assert_int_eq(out[0].range[k].end, out[0].share[k].end);
    ck_assert_int_eq(out[0].border[k].rows, 0);
  }
  rig_refused(hs_placement_check(&r.sys, r.graph, pl, "test", &err), &err, HS_POLICY,
              "policy test broke its contract: operator \"b\": chain 0 has ended before");
  rig_close(&r);
}
END_TEST

/* A chain that goes on where an operator joins or leaves it at an end keeps its number. */
START_TEST(chains_behind_a_move)
{
  static const struct {
    int chains[5], op, to, moved[5];
  } cases[] = {
    {{3, 3, 3, 3, 5}, 1, -1, {3, -1, 6, 6, 5}}, {{3, 3, 3, 3, 5}, 0, -1, {-1, 3, 3, 3, 5}}, {{3, 3, 3, 3, 5}, 3, 5, {3, 3, 3, 5, 5}},
    {{3, 3, 3, 3, 5}, 2, 3, {3, 3, 3, 3, 5}},   {{3, 3, 3, 3, 5}, 4, 3, {3, 3, 3, 3, 3}},   {{-1, -1, -1, 0, 1}, 1, -1, {-1, -1, -1, 0, 1}},
  };
  struct rig r;
  rig_open(&r, "tflite");
  struct hs_placement *pl = hs_placement_new(&r.arena, 5);
  for (int i = 0; i < 5; i++) {
    hs_place_whole(&pl->ops[i], GPU);
    pl->ops[i].chain = cases[_i].chains[i];
  }
  hs_placement_move(pl, cases[_i].op, CPU, cases[_i].to);
  for (int i = 0; i < 5; i++) ck_assert_int_eq(pl->ops[i].chain, cases[_i].moved[i]);
  ck_assert_int_eq(pl->ops[cases[_i].op].parts[0].processor, CPU);
  rig_close(&r);
}
END_TEST

/* Two of the chain read a: what c pads, and b doesn't, a's parts compute, whichever of them comes first in the network. */
START_TEST(the_widest_border)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 20, 6, 4"), "'b', 'c'",
                               RIG_OP("a", "Conv", "'i'", ", 'channels': 4, 'kernel': [3, 3], 'pad': 'same'") ","
                               RIG_OP("b", "Conv", "'a'", ", 'channels': 4, 'kernel': [1, 1]") ","
                               RIG_OP("c", "Conv", "'a'", ", 'channels': 4, 'kernel': [3, 3], 'pad': 'same'")));
  struct hs_placement *pl = hs_placement_new(&r.arena, 3);
  for (int i = 0; i < 3; i++) {
    rig_place_cut(&pl->ops[i], HS_SPLIT_HEIGHT, GPU, 0.6, CPU);
    pl->ops[i].chain = 0;
    pl->ops[i].home = CPU;
  }
  struct hs_program *prog = rig_lower(&r, pl);
  struct hs_work w;
  int found = 0;
  hs_cost_exec_bordered(&r.sys, r.graph, &r.graph->ops[0], GPU, (struct hs_range){HS_SPLIT_HEIGHT, 0, 13}, (struct hs_border){1, 2}, false, &w);
  for (int i = 0; i < prog->n_tasks; i++) {
    const struct hs_task *t = &prog->tasks[i];
    if (t->kind != HS_TASK_EXEC || t->op != 0 || t->processor != GPU) continue;
    DERIVE("the GPU's part of a: 13 rows of 6 and c's padding", hs_task_seconds(&r.sys, t), hs_work_seconds(&r.sys, GPU, -1, &w));
    found++;
  }
  ck_assert_int_eq(found, 1);
  hs_program_free(prog);
  rig_close(&r);
}
END_TEST

/* Ten rows of a, of which b reads every second one, from 0 on: its rows 0…2 read 0…4, 3…4 read 6…8. */
#define EVERY_SECOND(outputs, a, input)                                                                                                              \
  RIG_NET(RIG_IN("i", "1, 10, 6, 4"), outputs, a "," RIG_OP("b", "Conv", input, ", 'channels': 4, 'kernel': [1, 1], 'stride': [2, 2]"))
#define RELU EVERY_SECOND("'b'", RIG_OP("a", "Relu", "'i'", ""), "'a'")

#define HALVES {{GPU, 0.5, -1}, {CPU, 0.5, -1}}
#define MOST {{GPU, 0.6, -1}, {CPU, 0.4, -1}}
#define TEN(rows_or_images, b) RIG_NET(RIG_IN("i", rows_or_images), "'b'", RIG_OP("a", "Relu", "'i'", "") "," b)

/* Only if all that a makes is read by b alone, part by part on the processor that made it, and each part of b reads some, do a's parts compute what is read
 * and no more; else their shares, too. A part that reads nothing asks for nothing, and none asks for anything where the two are cut in other ways. */
static const struct {
  const char *network;
  enum hs_split split_a, split_b;
  struct hs_part a[3], b[3];
  int64_t begin_end[3][2]; /* of a's parts */
} read_by[] = {
  {RELU, HS_SPLIT_HEIGHT, HS_SPLIT_HEIGHT, HALVES, MOST, {{0, 5}, {6, 9}}},
  {RELU, HS_SPLIT_HEIGHT, HS_SPLIT_HEIGHT, HALVES, {{CPU, 0.6, -1}, {GPU, 0.4, -1}}, {{0, 5}, {5, 10}}},
  {RELU, HS_SPLIT_HEIGHT, HS_SPLIT_HEIGHT, HALVES, {{GPU, 0.4, -1}, {CPU, 0.4, -1}, {GPU, 0.2, -1}}, {{0, 5}, {4, 10}}},
  {RELU, HS_SPLIT_HEIGHT, HS_SPLIT_HEIGHT, {{GPU, 0.6, -1}, {CPU, 0.2, -1}, {GPU, 0.2, -1}}, {{GPU, 0.4, -1}, {CPU, 0.01, -1}, {GPU, 0.59, -1}},
   {{0, 6}, {6, 8}, {4, 10}}},
  {EVERY_SECOND("'b', 'y'", RIG_OP("a", "Split", "'i'", ", 'outputs': ['x', 'y']"), "'x'"), HS_SPLIT_HEIGHT, HS_SPLIT_HEIGHT, HALVES, MOST,
   {{0, 5}, {5, 10}}},
  {TEN("1, 10, 6, 4", RIG_OP("b", "Add", "'i', 'a'", "")), HS_SPLIT_HEIGHT, HS_SPLIT_HEIGHT, HALVES, MOST, {{0, 6}, {6, 10}}},
  {TEN("10, 2, 2, 4", RIG_OP("b", "Relu", "'a'", "")), HS_SPLIT_BATCH, HS_SPLIT_BATCH, HALVES, MOST, {{0, 6}, {6, 10}}},
  {TEN("10, 10, 2, 4", RIG_OP("b", "Relu", "'a'", "")), HS_SPLIT_BATCH, HS_SPLIT_HEIGHT, HALVES, MOST, {{0, 5}, {5, 10}}},
};

static void place_parts(struct hs_op_placement *op, enum hs_split split, const struct hs_part *parts)
{
  *op = (struct hs_op_placement){.split = split, .home = CPU, .chain = 0};
  while (op->n_parts < 3 && parts[op->n_parts].fraction > 0) {
    op->parts[op->n_parts] = parts[op->n_parts];
    op->n_parts++;
  }
}

START_TEST(what_a_chain_computes)
{
  struct rig r;
  struct hs_op_placement ops[2];
  struct hs_computed out[2];
  open_buffers(&r);
  rig_read_network(&r, read_by[_i].network);
  place_parts(&ops[0], read_by[_i].split_a, read_by[_i].a);
  place_parts(&ops[1], read_by[_i].split_b, read_by[_i].b);
  hs_chains_compute(&r.sys, r.graph, ops, 0, 2, out);
  for (int k = 0; k < ops[0].n_parts; k++) {
    ck_assert_int_eq(out[0].range[k].begin, read_by[_i].begin_end[k][0]);
    ck_assert_int_eq(out[0].range[k].end, read_by[_i].begin_end[k][1]);
  }
  rig_close(&r);
}
END_TEST

/* 10 channels of 1x6x5 (30 elements): half is 5, rounded up to the GPU's block of 4: 8; of 8.5 the fraction is cut off first. Both need all input channels. */
START_TEST(channels)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 5, 8"), "'c'", RIG_OP("c", "Conv", "'i'", ", 'channels': 10, 'kernel': [1, 1]")));
  struct hs_placement *pl = hs_placement_new(&r.arena, 1);
  rig_place_cut(&pl->ops[0], HS_SPLIT_CHANNEL, GPU, 0.5, CPU);
  pl->ops[0].home = CPU;
  struct hs_program *prog = lowered(&r, pl,
                                    "0 map i cpu 960 <-\n"
                                    "1 sync i cpu 960 <- 0\n"
                                    "2 launch c cpu <-\n"
                                    "3 exec c gpu <- 2\n"
                                    "4 exec c cpu <-\n"
                                    "5 sync c cpu 960 <- 3\n" /* 8 channels of 30 */
                                    "6 map c cpu 960 <- 5\n");
  hs_program_free(prog);
  static const struct {
    int first, second;
    double fraction;
    int64_t border;
  } cases[] = {
    {GPU, CPU, 0.5, 8}, {CPU, GPU, 0.5, 5}, /* the last part takes what is left */
    {GPU, CPU, 0.07, 0}, /* cut to nothing, and nothing stays nothing */
    {GPU, CPU, 0.19, 4}, {GPU, CPU, 0.85, 8}, {GPU, CPU, 0.95, 10}, {CPU, GPU, 0.97, 10}, {CPU, GPU, 0.24, 2}, {CPU, GPU, 0.25, 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hs_range ranges[HS_PARTS_MAX];
    rig_place_cut(&pl->ops[0], HS_SPLIT_CHANNEL, cases[i].first, cases[i].fraction, cases[i].second);
    hs_placement_ranges(&r.sys, r.graph, &r.graph->ops[0], &pl->ops[0], ranges);
    ck_assert_int_eq(ranges[0].begin, 0);
    ck_assert_int_eq(ranges[0].end, cases[i].border);
    ck_assert_int_eq(ranges[1].begin, cases[i].border);
    ck_assert_int_eq(ranges[1].end, 10);
  }
  rig_place_cut(&pl->ops[0], HS_SPLIT_CHANNEL, GPU, 0.01, CPU); /* an empty part makes no task and moves nothing */
  pl->ops[0].home = CPU;
  lowers_to(&r, pl, "0 exec c cpu <-\n");
  rig_close(&r);
}
END_TEST

/* 20 channels, the GPU's in the middle: its 9 from the seventh on are three blocks of 4. */
START_TEST(blocks_begin_where_the_share_does)
{
  struct rig r;
  struct hs_range ranges[HS_PARTS_MAX];
  open_buffers(&r);
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 5, 8"), "'c'", RIG_OP("c", "Conv", "'i'", ", 'channels': 20, 'kernel': [1, 1]")));
  const struct hs_op_placement pl = {HS_SPLIT_CHANNEL, 3, {{CPU, 0.3, -1}, {GPU, 0.45, -1}, {CPU, 0.25, -1}}, .home = CPU, .chain = -1};
  hs_placement_ranges(&r.sys, r.graph, &r.graph->ops[0], &pl, ranges);
  ck_assert_int_eq(ranges[1].begin, 6);
  ck_assert_int_eq(ranges[1].end, 18);
  ck_assert_int_eq(ranges[2].end, 20);
  rig_close(&r);
}
END_TEST

/* The GPU reads all of i for its channels of a. The host didn't fetch i for its own, so it gives nothing up, and reads it again for b. */
START_TEST(what_was_the_hosts_stays)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 6, 5, 8"), "'a', 'b'", RIG_OP("a", "Conv", "'i'", ", 'channels': 8, 'kernel': [1, 1]") ","
                               RIG_OP("b", "Relu", "'i'", "")));
  struct hs_placement *pl = rig_place_all(&r, CPU);
  rig_place_cut(&pl->ops[0], HS_SPLIT_CHANNEL, GPU, 0.5, CPU);
  pl->ops[0].home = GPU;
  lowers_to(&r, pl,
            "0 map i cpu 960 <-\n"
            "1 sync i cpu 960 <- 0\n"
            "2 launch a cpu <-\n"
            "3 exec a gpu <- 2\n"
            "4 exec a cpu <-\n"
            "5 map a cpu 480 <- 4\n"
            "6 sync a cpu 480 <- 5\n"
            "7 exec b cpu <-\n"
            "8 sync a cpu 960 <- 6 3\n"
            "9 map a cpu 960 <- 8\n");
  rig_close(&r);
}
END_TEST

/* Rows 0…5 and 14…19 of a on the GPU, 6…13 on the CPU: the GPU doesn't have those in between. */
START_TEST(the_middle_elsewhere)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, ROWS);
  struct hs_placement *pl = rig_place_all(&r, GPU);
  pl->ops[0] = (struct hs_op_placement){HS_SPLIT_HEIGHT, 3, {{GPU, 0.3, -1}, {CPU, 0.4, -1}, {GPU, 0.3, -1}}, .home = CPU, .chain = -1};
  lowers_to(&r, pl,
            "0 map i cpu 672 <-\n" /* rows 0…6 */
            "1 sync i cpu 672 <- 0\n"
            "2 map i cpu 672 <-\n" /* rows 13…19 */
            "3 sync i cpu 672 <- 2\n"
            "4 launch a cpu <-\n"
            "5 exec a gpu <- 4\n"
            "6 launch a cpu <-\n"
            "7 exec a gpu <- 6\n"
            "8 exec a cpu <-\n"
            "9 sync a cpu 1152 <- 7\n" /* home is the CPU: both ends */
            "10 map a cpu 576 <- 9\n"
            "11 map a cpu 576 <- 9\n"
            "12 map a cpu 768 <- 8\n" /* the middle */
            "13 sync a cpu 768 <- 12\n"
            "14 launch b cpu <-\n"
            "15 exec b gpu <- 14 7\n"
            "16 sync b cpu 1920 <- 15\n"
            "17 map b cpu 1920 <- 16\n");
  rig_close(&r);
}
END_TEST

/* The same with the middle on the DSP and all of it going home to the CPU: three pieces from two places. */
START_TEST(pieces_from_several_places)
{
  struct rig r;
  static const double bytes[] = {2 * 144, 2 * 144, 192}; /* rows 0…5 and 14…19 in fp16, 6…13 in int8 */
  int n = 0;
  rig_open(&r, "tflite");
  rig_read_network(&r, ROWS);
  struct hs_placement *pl = rig_place_all(&r, CPU);
  pl->ops[0] = (struct hs_op_placement){HS_SPLIT_HEIGHT, 3, {{GPU, 0.3, -1}, {DSP, 0.4, -1}, {GPU, 0.3, -1}}, .home = CPU, .chain = -1};
  struct hs_program *prog = rig_lower(&r, pl);
  for (int i = 0; i < prog->n_tasks; i++) {
    const struct hs_task *t = &prog->tasks[i];
    if (t->kind != HS_TASK_MAP || strcmp(r.graph->tensors[t->tensor].name, "a") != 0) continue;
    ck_assert_int_lt(n, 3);
    ck_assert_int_eq(t->from, n < 2 ? GPU : DSP);
    ck_assert_int_eq(t->to, CPU);
    DERIVE("a piece", t->moved_bytes, bytes[n]);
    n++;
  }
  ck_assert_int_eq(n, 3);
  hs_program_free(prog);
  rig_close(&r);
}
END_TEST

/* The GPU reads rows 0…11 of a, then channels 0…3 of it, then all: the channels come whole, with the rows that are
 * there already, and at the end 8 of 20 rows, which is less than 4 of 8 channels. */
START_TEST(two_dimensions_in_turn)
{
  struct rig r;
  open_buffers(&r);
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 20, 6, 8"), "'b', 'c', 'd'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("b", "Tanh", "'a'", "") ","
                               RIG_OP("c", "Relu", "'a'", "") "," RIG_OP("d", "Conv", "'a'", ", 'channels': 4, 'kernel': [1, 1]")));
  struct hs_placement *pl = rig_place_all(&r, CPU);
  rig_place_cut(&pl->ops[1], HS_SPLIT_HEIGHT, GPU, 0.6, CPU);
  rig_place_cut(&pl->ops[2], HS_SPLIT_CHANNEL, GPU, 0.5, CPU);
  pl->ops[1].home = pl->ops[2].home = CPU;
  hs_place_whole(&pl->ops[3], GPU);
  lowers_to(&r, pl,
            "0 exec a cpu <-\n"
            "1 map a cpu 2304 <- 0\n" /* 12 rows of 20, 192 bytes each */
            "2 sync a cpu 2304 <- 1\n"
            "3 launch b cpu <-\n"
            "4 exec b gpu <- 3\n"
            "5 exec b cpu <- 0\n"
            "6 sync b cpu 2304 <- 4\n"
            "7 map b cpu 2304 <- 6\n"
            "8 map a cpu 1920 <- 0\n" /* 4 channels of 8, 480 bytes each */
            "9 sync a cpu 1920 <- 8\n"
            "10 launch c cpu <-\n"
            "11 exec c gpu <- 10\n"
            "12 exec c cpu <- 0\n"
            "13 sync c cpu 1920 <- 11\n"
            "14 map c cpu 1920 <- 13\n"
            "15 map a cpu 1536 <- 0\n" /* 8 rows, rather than 4 channels */
            "16 sync a cpu 1536 <- 15\n"
            "17 launch d cpu <-\n"
            "18 exec d gpu <- 17\n"
            "19 sync d cpu 1920 <- 18\n"
            "20 map d cpu 1920 <- 19\n");
  rig_close(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, height_without_chain);
  tcase_add_test(t, height_in_a_chain);
  tcase_add_test(t, an_operator_leaves_a_chain);
  tcase_add_test(t, a_number_that_comes_back_is_no_chain);
  tcase_add_loop_test(t, chains_behind_a_move, 0, 6);
  tcase_add_test(t, the_widest_border);
  tcase_add_loop_test(t, what_a_chain_computes, 0, (int)(sizeof read_by / sizeof *read_by));
  tcase_add_test(t, channels);
  tcase_add_test(t, blocks_begin_where_the_share_does);
  tcase_add_test(t, what_was_the_hosts_stays);
  tcase_add_test(t, the_middle_elsewhere);
  tcase_add_test(t, pieces_from_several_places);
  tcase_add_test(t, two_dimensions_in_turn);
}

int main(void) { return hs_test_main("program_cut", fill); }
