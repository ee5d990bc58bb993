/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of a kernel's numbers: complete, in an order that it can be read in, and what doc/formats.md says. */
#include "base/files.h"
#include "input/kernel_numbers.h"
#include "tests/unit/suite.h"

START_TEST(each_once)
{
  for (int i = 0; i < HS_KERNEL_NUMBERS; i++) {
    const struct hs_kernel_number *n = &hs_kernel_numbers[i];
    ck_assert_ptr_nonnull(n->key);
    ck_assert_msg(n->low < n->high && n->offset + sizeof(int) <= sizeof(struct hs_kernel), "%s", n->key);
    for (int k = 0; k < i; k++) ck_assert_msg(hs_kernel_numbers[k].offset != n->offset, "%s and %s are one", hs_kernel_numbers[k].key, n->key);
  }
}
END_TEST

START_TEST(by_address)
{
  const struct hs_kernel k = {0}, another = {0};
  for (int i = 0; i < HS_KERNEL_NUMBERS; i++) {
    const struct hs_kernel_number *n = &hs_kernel_numbers[i];
    const void *at = (const char *)&k + n->offset;
    ck_assert_msg(hs_kernel_number_of(&k, at) == n && !hs_kernel_number_of(&another, at), "%s", n->key);
  }
  ck_assert_str_eq(hs_kernel_number_of(&k, &k.depthwise_fast_path.other_factor)->key, "other_factor");
  ck_assert_ptr_null(hs_kernel_number_of(&k, &k.efficiency[HS_CLASS_CONV_3X3]));
}
END_TEST

/* What a number follows has been read before, and is of its kind; a group isn't begun twice. */
START_TEST(in_order)
{
  for (int i = 0; i < HS_KERNEL_NUMBERS; i++) {
    const struct hs_kernel_number *n = &hs_kernel_numbers[i];
    int followed = 0;
    while (n->follows && followed < i && hs_kernel_numbers[followed].offset != n->follows) followed++;
    if (n->follows) ck_assert_msg(followed < i && hs_kernel_numbers[followed].count == n->count, "what %s follows", n->key);
    for (int k = 0; n->group && k + 1 < i; k++)
      ck_assert_msg(hs_kernel_numbers[k].group != n->group || hs_kernel_numbers[k + 1].group == n->group, "%s begins %s again", n->key, n->group);
  }
}
END_TEST

static bool ends_in(const char *key, const char *end) { return strlen(key) >= strlen(end) && strcmp(key + strlen(key) - strlen(end), end) == 0; }

/* A kernel at half the pace takes twice the cycles, has half the rates, and everything else as it was. */
START_TEST(slowed_down)
{
  struct hs_kernel k = {0};
  for (int i = 0; i < HS_KERNEL_NUMBERS; i++) hs_kernel_set(&k, &hs_kernel_numbers[i], 8);
  hs_kernel_slow_down(&k, 2);
  for (int i = 0; i < HS_KERNEL_NUMBERS; i++) {
    const struct hs_kernel_number *n = &hs_kernel_numbers[i];
    bool rate = ends_in(n->key, "_per_cycle") || ends_in(n->key, "_efficiency"), time = ends_in(n->key, "_cycles") || strstr(n->key, "_cycles_per_");
    ck_assert_msg(hs_kernel_get(&k, n) == (time ? 16 : rate ? 4 : 8), "%s: %g", n->key, hs_kernel_get(&k, n));
  }
}
END_TEST

START_TEST(documented)
{
  char file[512], mark[60];
  struct hs_error err;
  char *text = NULL;
  size_t len;
  const char *root = getenv("srcdir");
  snprintf(file, sizeof file, "%s/doc/formats.md", root ? root : ".");
  hs_test_accepted(hs_file_read(file, &text, &len, &err), &err);
  for (int i = 0; i < HS_KERNEL_NUMBERS; i++) {
    snprintf(mark, sizeof mark, "`%s`", hs_kernel_numbers[i].key);
    ck_assert_msg(strstr(text, mark) != NULL, "doc/formats.md doesn't say what %s is", mark);
  }
  free(text);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, each_once);
  tcase_add_test(t, by_address);
  tcase_add_test(t, in_order);
  tcase_add_test(t, slowed_down);
  tcase_add_test(t, documented);
}

int main(void) { return hs_test_main("kernel_numbers", fill); }
