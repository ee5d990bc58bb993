/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where buffers lie: small cases by hand, properties on random ones, and what lowering says of the lives of tensors. */
#include "tests/model/rig.h"

#include "plan/memplan.h"
#include "plan/optimise.h"

/* Arena and bound; no two that are alive at once share a byte. */
static struct hs_memplan plan_of(const struct hs_buffer *b, int n, int64_t *offsets)
{
  struct hs_memplan plan;
  hs_memplan(b, n, offsets, &plan);
  double top[HS_PROCESSORS_MAX] = {0}, arena = 0;
  for (int i = 0; i < n; i++) {
    double end = (double)offsets[i] + b[i].bytes;
    ck_assert_int_ge(offsets[i], 0);
    ck_assert_int_eq(offsets[i] % 64, 0);
    top[b[i].place] = fmax(top[b[i].place], ceil(end / 64) * 64);
    for (int k = 0; k < i; k++) {
      bool together = b[i].place == b[k].place && b[i].first_op <= b[k].last_op && b[k].first_op <= b[i].last_op;
      bool apart = end <= (double)offsets[k] || (double)offsets[k] + b[k].bytes <= (double)offsets[i];
      ck_assert_msg(!together || apart, "buffers %d and %d overlap", k, i);
    }
  }
  for (int p = 0; p < HS_PROCESSORS_MAX; p++) arena += top[p];
  ck_assert_double_eq(plan.arena_bytes, arena);
  ck_assert_double_ge(plan.arena_bytes, plan.most_live_bytes);
  ck_assert_double_le(plan.arena_bytes, plan.unshared_bytes);
  return plan;
}

/* A chain: only neighbours are alive at once. */
START_TEST(chain)
{
  const struct hs_buffer b[] = {{0, 0, 0, 0, 640}, {1, 0, 0, 1, 1280}, {2, 0, 1, 2, 320}, {3, 0, 2, 3, 1920}};
  int64_t offsets[4];
  struct hs_memplan p = plan_of(b, 4, offsets);
  DERIVE("operator 2: 320 + 1920", p.most_live_bytes, 2240);
  DERIVE("1920 at 0, 1280 at 0, 640 above it, 320 above 1920", p.arena_bytes, 2240);
  DERIVE("without reuse", p.unshared_bytes, 640 + 1280 + 320 + 1920);
  ck_assert_int_eq(offsets[3], 0);
  ck_assert_int_eq(offsets[1], 0);
  ck_assert_int_eq(offsets[0], 1280);
  ck_assert_int_eq(offsets[2], 1920);
}
END_TEST

/* What has gone leaves a gap, which the next ones take. */
START_TEST(gaps)
{
  const struct hs_buffer b[] = {
    {0, 0, 0, 4, 1024}, /* at 0 */
    {1, 0, 0, 1, 512},  /* above it */
    {2, 0, 2, 4, 320},  /* there again, when the one before has gone */
    {3, 0, 3, 4, 256},  /* above that */
    {4, 0, 5, 5, 64},   /* anywhere */
  };
  int64_t offsets[5];
  struct hs_memplan p = plan_of(b, 5, offsets);
  ck_assert_int_eq(offsets[1], 1024);
  ck_assert_int_eq(offsets[2], 1024);
  ck_assert_int_eq(offsets[3], 1344);
  ck_assert_int_eq(offsets[4], 0);
  DERIVE("arena", p.arena_bytes, 1024 + 320 + 256);
}
END_TEST

/* Of gaps that fit alike the lower one is taken, as there. */
START_TEST(equal_gaps)
{
  const struct hs_buffer b[] = {{0, 0, 0, 0, 4 * 64}, {1, 0, 0, 2, 4 * 64 - 1}, {2, 0, 0, 0, 4 * 64 - 65}, {3, 0, 0, 2, 3 * 64 - 1}, {4, 0, 2, 2, 64}};
  int64_t offsets[5];
  plan_of(b, 5, offsets); /* 4, 4, 3 and 3 lines; the first and the third have gone when the last comes */
  ck_assert_int_eq(offsets[1], 4 * 64);
  ck_assert_int_eq(offsets[3], 11 * 64);
  ck_assert_int_eq(offsets[4], 8 * 64);
  const struct hs_buffer alike[] = {{0, 0, 0, 0, 4 * 64}, {1, 0, 0, 2, 4 * 64}, {2, 0, 0, 0, 4 * 64}, {3, 0, 0, 2, 4 * 64}, {4, 0, 2, 2, 64}};
  plan_of(alike, 5, offsets);
  ck_assert_int_eq(offsets[4], 0);
}
END_TEST

/* Greedy isn't best: 5 at 0, so 4 of the operators 2 and 3 go above it, and of the two from before one fits below and one doesn't. */
START_TEST(above_the_bound)
{
  const struct hs_buffer b[] = {{0, 0, 2, 3, 4 * 64}, {1, 0, 3, 3, 5 * 64}, {2, 0, 0, 2, 3 * 64}, {3, 0, 0, 2, 3 * 64}};
  int64_t offsets[4];
  struct hs_memplan p = plan_of(b, 4, offsets);
  DERIVE("operator 2 has 4 + 3 + 3 lines", p.most_live_bytes, 10 * 64);
  DERIVE("the arena ends at 5 + 4 + 3 lines", p.arena_bytes, 12 * 64);
}
END_TEST

/* Of equal size, who is there first is placed first, as in TensorFlow Lite, though it is freed last: else the one of operators 2 and 3 would lie below the
 * two from before, of which one had no room there. */
START_TEST(equal_sizes_by_when_they_begin)
{
  const struct hs_buffer b[] = {{0, 0, 2, 3, 3 * 64}, {1, 0, 3, 3, 4 * 64}, {2, 0, 0, 2, 3 * 64}, {3, 0, 0, 2, 3 * 64}};
  int64_t offsets[4];
  struct hs_memplan p = plan_of(b, 4, offsets);
  ck_assert_int_eq(offsets[2], 0);
  ck_assert_int_eq(offsets[3], 3 * 64);
  DERIVE("three of 3 lines", p.arena_bytes, 9 * 64);
}
END_TEST

/* Sizes take whole lines of 64 bytes; places have arenas of their own. */
START_TEST(places)
{
  const struct hs_buffer b[] = {{0, 0, 0, 9, 1}, {0, 2, 0, 9, 65}, {1, 0, 3, 4, 100.5}};
  int64_t offsets[3];
  struct hs_memplan p = plan_of(b, 3, offsets);
  DERIVE("64 + 128 in place 0, 128 in place 2", p.arena_bytes, 64 + 128 + 128);
  ck_assert_int_eq(offsets[1], 0);
  hs_memplan(NULL, 0, NULL, &p);
  ck_assert_double_eq(p.arena_bytes, 0);
}
END_TEST

START_TEST(random_buffers)
{
  unsigned seed = 17 + (unsigned)_i;
  struct hs_buffer b[200];
  int64_t offsets[200];
  int n = 1 + (int)(rand_r(&seed) % 200), ops = 1 + (int)(rand_r(&seed) % 60);
  for (int i = 0; i < n; i++) {
    int first = (int)(rand_r(&seed) % (unsigned)ops);
    b[i] = (struct hs_buffer){i, (int)(rand_r(&seed) % 3), first, first + (int)(rand_r(&seed) % 7), 1 + (double)(rand_r(&seed) % 9000)};
  }
  plan_of(b, n, offsets);
}
END_TEST

/* i → a → (b, c) → s, on the CPU: elements of 9·9·C in fp32. */
START_TEST(lives)
{
  struct rig r;
  rig_open(&r, "mace");
  rig_read_network(&r, RIG_NET(RIG_IN("i", "1, 9, 9, 5"), "'s'",
    RIG_OP("a", "Conv", "'i'", ", 'channels': 6, 'kernel': [1, 1]") ", " RIG_OP("b", "Relu", "'a'", "") ", " RIG_OP("c", "Tanh", "'a'", "") ", "
    RIG_OP("s", "Add", "'b', 'c'", "")));
  struct hs_program *prog = rig_lower(&r, rig_place_all(&r, CPU));
  static const struct hs_buffer expected[] = {{0, 0, 0, 0, 81 * 5 * 4}, {1, 0, 0, 2, 81 * 6 * 4}, {2, 0, 1, 3, 81 * 6 * 4},
                                              {3, 0, 2, 3, 81 * 6 * 4}, {4, 0, 3, 3, 81 * 6 * 4}};
  ck_assert_int_eq(prog->n_buffers, 5);
  for (int i = 0; i < 5; i++) {
    const struct hs_buffer *b = &prog->buffers[i], *e = &expected[i];
    ck_assert_msg(b->tensor == e->tensor && b->place == e->place && b->first_op == e->first_op && b->last_op == e->last_op && b->bytes == e->bytes,
                  "buffer %d: tensor %d at %d, operators %d to %d, %g bytes", i, b->tensor, b->place, b->first_op, b->last_op, b->bytes);
  }
  int64_t offsets[5];
  struct hs_memplan p = plan_of(prog->buffers, 5, offsets);
  DERIVE("three of 1944 → 1984 bytes", p.arena_bytes, 3 * 1984.);
  DERIVE("what the program says, without rounding, and the weights", prog->peak_memory_bytes, 3 * 1944. + 4 * 36);
  hs_program_free(prog);
  /* of b to s by themselves: what they read is there from b on */
  struct hs_error err;
  static const int first[] = {1, 1, 2, 3}, last[] = {2, 3, 3, 3};
  hs_test_accepted(hs_lower_piece(&r.sys, r.graph, rig_place_all(&r, CPU), 1, 4, &prog, &err), &err);
  ck_assert_int_eq(prog->n_buffers, 4);
  for (int i = 0; i < 4; i++) {
    const struct hs_buffer *b = &prog->buffers[i];
    ck_assert_msg(b->tensor == i + 1 && b->first_op == first[i] && b->last_op == last[i], "tensor %d, operators %d to %d", b->tensor, b->first_op, b->last_op);
  }
  hs_program_free(prog);
  /* cut over two places: every place has what it computes and what it is brought */
  struct hs_placement *pl = rig_place_all(&r, GPU);
  rig_place_cut(&pl->ops[0], HS_SPLIT_HEIGHT, GPU, 1. / 3, CPU);
  prog = rig_lower(&r, pl);
  double bytes[HS_PROCESSORS_MAX] = {0};
  for (int i = 0; i < prog->n_buffers; i++)
    if (prog->buffers[i].tensor == 1) bytes[prog->buffers[i].place] += prog->buffers[i].bytes;
  DERIVE("on the GPU all rows of a, six of them brought", bytes[GPU], 81 * 6 * 4.);
  DERIVE("on the CPU the six that it computed", bytes[CPU], 6 * 9 * 6 * 4.);
  hs_program_free(prog);
  rig_close(&r);
}
END_TEST

/* An operator's input and output are there at the same time: 192 bytes beside 192. With another one behind it, the last shares with the first. */
START_TEST(nothing_to_share)
{
  static const char *const nets[] = {RIG_NET(RIG_IN("i", "1, 4, 4, 3"), "'a'", RIG_OP("a", "Relu", "'i'", "")),
                                     RIG_NET(RIG_IN("i", "1, 4, 4, 3"), "'b'", RIG_OP("a", "Relu", "'i'", "") "," RIG_OP("b", "Tanh", "'a'", ""))};
  for (int i = 0; i < 2; i++) {
    struct rig r;
    struct hs_error err;
    struct hs_memplan p;
    rig_open(&r, "mace");
    rig_read_network(&r, nets[i]);
    struct hs_program *prog = rig_lower(&r, rig_place_all(&r, CPU));
    enum hs_status status = hs_optimise_memory(prog, &p, &err);
    DERIVE("arena", p.arena_bytes, 2 * 192.);
    if (i == 0)
      rig_refused(status, &err, HS_INPUT, "--opt: memplan on net: no two of its buffers can share memory");
    else
      hs_test_accepted(status, &err);
    hs_program_free(prog);
    rig_close(&r);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, chain);
  tcase_add_test(t, gaps);
  tcase_add_test(t, equal_gaps);
  tcase_add_test(t, above_the_bound);
  tcase_add_test(t, equal_sizes_by_when_they_begin);
  tcase_add_test(t, places);
  tcase_add_loop_test(t, random_buffers, 0, 200);
  tcase_add_test(t, lives);
  tcase_add_test(t, nothing_to_share);
}

int main(void) { return hs_test_main("memplan", fill); }
