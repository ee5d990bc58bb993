/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames that the display draws beside an inference. */
#include "tests/model/phone.h"

/* Vsyncs at 0, 1/60, …, 29/60; each frame takes 5 ms on the big core and 5 ms on the GPU. */
START_TEST(an_idle_phone_draws_every_frame)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, SCENARIO(UI("60", "0.005", "0.005")));
  x.inferences = 0;
  x.until_s = 0.5;
  const struct alive_run *run = alive_go(&x);
  ck_assert_int_eq(run->frames.vsyncs, 30);
  ck_assert_int_eq(run->frames.drawn, 30);
  ck_assert_int_eq(run->frames.janky, 0);
  ALIVE("a frame", run->frames.worst_s, 10 * MS);
  ALIVE("on the largest idle core", run->busy_s[CPU][1][0], 30 * 5 * MS);
  ALIVE("on the GPU", busy(run, GPU), 30 * 5 * MS);
  ck_assert_double_eq(hs_frames_dropped_frac(&run->frames), 0);
  alive_close(&x);
}
END_TEST

/* 50 Hz, 2 + 3 ms per frame, beside three kernels of 70 ms. The frames of 0 and 20 are ready at 2 and 22 and wait until 70, before the second
 * kernel, which was ready later: drawn at 73 and 76. With both under way, 40 waited until 60 took its place, which begins at 73 and is ready at 75: too late,
 * the kernel of 76 to 146 goes first, as before that of 80. 100 and 120 are dropped; drawn at 149 and 152. 140 begins at 149, and waits with that of 160 for
 * the kernel of 152 to 222: 225, 228. 180 and 200 are dropped; 220 begins at 225: 231. 240, 260, 280 meet an idle GPU. */
START_TEST(frames_wait_for_long_kernels)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, SCENARIO(UI("50", "0.002", "0.003")));
  for (int i = 0; i < 3; i++) alive_add(&x, GPU, 70 * 585e3, 0, 0);
  x.until_s = 0.3;
  const struct alive_run *run = alive_go(&x);
  ck_assert_int_eq(run->frames.vsyncs, 15);
  ck_assert_int_eq(run->frames.drawn, 3 * 2 + 1 + 3);
  ck_assert_int_eq(run->frames.janky, 6);
  ALIVE("the worst", run->frames.worst_s, (149 - 60) * MS);
  ALIVE("dropped", hs_frames_dropped_frac(&run->frames), 5. / 15);
  ALIVE("the inference waits for four frames", run->done_s[0], 3 * 70 * MS + 4 * 3 * MS);
  alive_close(&x);
}
END_TEST

/* A thread draws them, and what computes on the GPU is none of theirs. */
START_TEST(frames_without_gpu_time_dont_queue_for_it)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, SCENARIO(UI("50", "0.002", "0")));
  for (int i = 0; i < 3; i++) alive_add(&x, GPU, 70 * 585e3, 0, 0);
  x.until_s = 0.3;
  const struct alive_run *run = alive_go(&x);
  ck_assert_int_eq(run->frames.drawn, 15);
  ALIVE("the worst", run->frames.worst_s, 2 * MS);
  ALIVE("the inference", run->done_s[0], 3 * 70 * MS);
  alive_close(&x);
}
END_TEST

/* One thread prepares all of them. With 30 ms of it per frame at 50 Hz: it begins at 0, 30, 60, 90 and 120, for the vsyncs of 0, 20, 60, 80 and 120, so that
 * 40 and 100 are dropped; each is drawn at once. */
START_TEST(one_thread_prepares_frames)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, SCENARIO(UI("50", "0.03", "0")));
  x.inferences = 0;
  x.until_s = 0.135;
  const struct alive_run *run = alive_go(&x);
  ck_assert_int_eq(run->frames.vsyncs, 7);
  ck_assert_int_eq(run->frames.begun, 5);
  ck_assert_int_eq(run->frames.drawn, 4);
  ALIVE("the worst", run->frames.worst_s, 40 * MS);
  ALIVE("without a pause, on one core", run->busy_s[CPU][1][0], 135 * MS);
  alive_close(&x);
}
END_TEST

/* So its core is as busy as it is, and schedutil finds the clock that it needs: two frames at a time on two cores would keep both slow. */
START_TEST(schedutil_keeps_up_with_frames)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, SCENARIO("'governors': {'cpu': 'schedutil'}, " UI("60", "0.011", "0.002")));
  x.inferences = 0;
  x.until_s = 5;
  const struct alive_run *run = alive_go(&x);
  ck_assert_int_eq(run->frames.vsyncs, 300);
  ck_assert_int_ge(run->frames.drawn, 290);
  alive_close(&x);
}
END_TEST

/* A frame that the end of the run cuts off was not dropped: vsyncs at 0, 20 and 40 ms, 10 ms per frame, and the run is over at 45. */
START_TEST(a_frame_under_way_at_the_end)
{
  struct alive x;
  alive_open(&x, PHONE, NULL, SCENARIO(UI("50", "0.005", "0.005")));
  x.inferences = 0;
  x.until_s = 0.045;
  const struct alive_run *run = alive_go(&x);
  ck_assert_int_eq(run->frames.vsyncs, 3);
  ck_assert_int_eq(run->frames.begun, 3);
  ck_assert_int_eq(run->frames.drawn, 2);
  ck_assert_double_eq(hs_frames_dropped_frac(&run->frames), 0);
  alive_close(&x);
}
END_TEST

/* Kernels of 0.3 ms: a frame waits for one of them at most. With slices of 30.1 ms it waits for the rest of a slice: those of 0 and 20 until the kernel
 * end at 30.3 (drawn at 33.3 and 36.3), those of 40 and 60 for the slice that begins there, until 66.6 (69.6, 72.6), and so on. With two
 * under way none is dropped; walked through in this way, 29 of 50 take more than 20 ms, and the worst 37.7. */
START_TEST(short_kernels_let_frames_pass_unless_there_are_slices)
{
  for (int slices = 0; slices < 2; slices++) {
    struct alive x;
    char *soc = MALI("0.0301");
    alive_open(&x, slices ? soc : PHONE, NULL, SCENARIO(UI("50", "0.002", "0.003")));
    for (int i = 0; i < 100; i++) alive_add(&x, GPU, 0.3 * 585e3, 0, 0);
    x.inferences = 300;
    x.until_s = 1;
    const struct alive_run *run = alive_go(&x);
    ck_assert_int_eq(run->frames.vsyncs, 50);
    if (slices) {
      ck_assert_int_eq(run->frames.drawn, 50);
      ck_assert_int_eq(run->frames.janky, 29);
      ALIVE("the worst", run->frames.worst_s, 37.7 * MS);
    } else {
      ck_assert_int_eq(run->frames.drawn, 50);
      ck_assert_int_eq(run->frames.janky, 0);
      ck_assert_double_le(run->frames.worst_s, (2 + 0.3 + 3) * MS + 1e-12);
    }
    free(soc);
    alive_close(&x);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, an_idle_phone_draws_every_frame);
  tcase_add_test(t, frames_wait_for_long_kernels);
  tcase_add_test(t, frames_without_gpu_time_dont_queue_for_it);
  tcase_add_test(t, one_thread_prepares_frames);
  tcase_add_test(t, schedutil_keeps_up_with_frames);
  tcase_add_test(t, a_frame_under_way_at_the_end);
  tcase_add_test(t, short_kernels_let_frames_pass_unless_there_are_slices);
}

int main(void) { return hs_test_main("living_frames", fill); }
