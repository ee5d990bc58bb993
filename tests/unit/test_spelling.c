/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names: allowed, alike, and the nearest of one that is wrong. */
#include "tests/unit/suite.h"

#include "base/spelling.h"

START_TEST(allowed_names)
{
  char rule[80], longest[65];
  memset(longest, 'n', sizeof longest);
  longest[63] = 0;
  ck_assert(hs_name_allowed(longest, rule, sizeof rule));
  ck_assert(hs_name_allowed("Az_09./:+-", rule, sizeof rule));
  longest[63] = 'n';
  longest[64] = 0;
  ck_assert(!hs_name_allowed(longest, rule, sizeof rule));
  ck_assert_str_eq(rule, "a name has 1 to 63 characters, not 64");
  ck_assert(!hs_name_allowed("", rule, sizeof rule));
  ck_assert_str_eq(rule, "a name has 1 to 63 characters, not 0");
  ck_assert(!hs_name_allowed("ä", rule, sizeof rule));
  ck_assert_str_eq(rule, "a name has letters, digits and _ . / : + - only");
}
END_TEST

START_TEST(unknown_names)
{
  static const char *const few[] = {"gpu", "cpu"};
  const char *many[100];
  struct hs_error err;
  for (int i = 0; i < 100; i++) many[i] = "12345678"; /* 29 make a list of 288, and 288 + 8 < 300; after 30 it is 298 */
  ck_assert_int_eq(hs_fail_unknown(&err, "gpux", few, 2, "there is no kind"), HS_USAGE);
  ck_assert_str_eq(err.text, "there is no kind \"gpux\"; did you mean gpu? (there are: gpu, cpu)");
  hs_fail_unknown(&err, "something", few, 2, "--kind: %s has no", "it");
  ck_assert_str_eq(err.text, "--kind: it has no \"something\" (there are: gpu, cpu)");
  hs_fail_unknown(&err, "x", NULL, 0, "there is no kind");
  ck_assert_str_eq(err.text, "there is no kind \"x\" (there are: none)");
  hs_fail_unknown(&err, "x", many, 100, "there is no kind");
  ck_assert(strstr(err.text, ", 12345678 and 70 more)") != NULL);
}
END_TEST

static const char *const names[] = {"resnet18", "resnet34", "resnet50", "vgg16", "yolov2", "fst"};
static const struct {
  const char *name;
  int nearest;
} wrong[] = {
  {"resnet50", 2}, {"resnet_50", 2}, {"Resnet34", 1}, {"restnet18", 0}, {"yolo", 4}, {"vgg", 3}, {"VG", -1}, {"vgg-16", 3}, {"fts", -1},
  {"YOLOV3", 4}, {"RESNET34", 1}, {"ft", 5}, {"resnet", 0}, /* of three: the first */
  {"mobilenet", -1}, {"", -1}, {"x", -1},
  {"a-very-long-name-that-goes-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on", -1},
};

/* What begins like the name goes before what differs in one letter, and of several the shortest. */
START_TEST(nearest_begins)
{
  static const char *const networks[] = {"googlenet", "mobilenet_v1", "mobilenet_v2_caffe", "mobilenet_v2_0.5", "squeezenet", "squeezenext23_1.0"};
  ck_assert_int_eq(hs_nearest("MobileNet-V2", networks, 6), 3);
  ck_assert_int_eq(hs_nearest("mobilenet", networks, 6), 1);
  ck_assert_int_eq(hs_nearest("SqueezeNext", networks, 6), 5);
  ck_assert_int_eq(hs_nearest("sq", networks, 6), -1);
}
END_TEST

/* Keys of one object share words and units: a missing one isn't another that stands there rightly. */
START_TEST(nearest_key)
{
  static const char *const keys[] = {"static_w", "llc_bytes", "wakeup_granularity_s", "freq", "bandwith_bytes_per_s"};
  ck_assert_int_eq(hs_nearest_key("dynamic_w", keys, 5), -1);
  ck_assert_int_eq(hs_nearest_key("capacity_bytes", keys, 5), -1);
  ck_assert_int_eq(hs_nearest_key("min_granularity_s", keys, 5), -1);
  ck_assert_int_eq(hs_nearest_key("freq_hz", keys, 5), 3);
  ck_assert_int_eq(hs_nearest_key("bandwidth_bytes_per_s", keys, 5), 4);
}
END_TEST

static const struct {
  const char *a, *b;
  bool alike;
} spellings[] = {
  {"resnet50", "ResNet-50", true}, {"mobilenet_v2_1.0", "MobileNetV2-1_0", true}, {"squeezenet_1.1", "squeezenet1_1", true},
  {"inception_v3", " Inception V3 ", true}, {"", "-", true},
  {"resnet101", "resnet10_1", false}, {"resnet18", "resnet18_1", false}, {"resnet18", "resnet1_8", false}, {"resnet50", "resnet5", false},
  {"vgg16", "vgg19", false}, {"a.b", "ab", true},
  {"efficientnet_b5_224", "efficientnet_b5224", false}, {"mobilenet_v1", "mobilenet_v1b", false},
};

START_TEST(spelled_alike)
{
  ck_assert_int_eq(hs_spelled_alike(spellings[_i].a, spellings[_i].b), spellings[_i].alike);
  ck_assert_int_eq(hs_spelled_alike(spellings[_i].b, spellings[_i].a), spellings[_i].alike);
}
END_TEST

START_TEST(nearest)
{
  ck_assert_int_eq(hs_nearest(wrong[_i].name, names, 6), wrong[_i].nearest);
  ck_assert_int_eq(hs_nearest(wrong[_i].name, names, 0), -1);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, allowed_names);
  tcase_add_test(t, unknown_names);
  tcase_add_loop_test(t, nearest, 0, sizeof wrong / sizeof *wrong);
  tcase_add_test(t, nearest_begins);
  tcase_add_test(t, nearest_key);
  tcase_add_loop_test(t, spelled_alike, 0, sizeof spellings / sizeof *spellings);
}

int main(void) { return hs_test_main("spelling", fill); }
