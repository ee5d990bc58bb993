/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole files, and output that appears complete or not at all; each test is in a folder of its own. */
#include "base/files.h"
#include "base/inputs.h"
#include "tests/unit/suite.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[400];

static void enter_folder(void)
{
  snprintf(folder, sizeof folder, "%s/hetsim-test-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : P_tmpdir);
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_int_eq(chdir(folder), 0);
}

static void leave_folder(void)
{
  ck_assert_int_eq(chdir("/"), 0);
  ck_assert_msg(rmdir(folder) == 0, "%s is not empty", folder);
}

static int n_files(void)
{
  int n = 0;
  DIR *d = opendir(".");
  ck_assert_ptr_nonnull(d);
  for (struct dirent *e; (e = readdir(d));) n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
  closedir(d);
  return n;
}

static void check_file(const char *path, const char *content)
{
  struct hs_error err;
  char *s = NULL;
  size_t len = 0;
  hs_test_accepted(hs_file_read(path, &s, &len, &err), &err);
  ck_assert_uint_eq(len, strlen(content));
  ck_assert_str_eq(s, content);
  free(s);
}

START_TEST(appears_when_published)
{
  struct hs_output o;
  struct hs_error err;
  enter_folder();
  hs_test_accepted(hs_output_open(&o, "output", "out", &err), &err);
  fputs("half", o.stream);
  ck_assert_int_ne(access("out", F_OK), 0);
  hs_test_accepted(hs_output_finish(&o, &err), &err);
  ck_assert_int_ne(access("out", F_OK), 0);
  hs_test_accepted(hs_output_publish(&o, &err), &err);
  ck_assert_int_eq(n_files(), 1);
  check_file("out", "half");
  hs_output_discard(&o); /* harmless now */
  check_file("out", "half");
  unlink("out");
  leave_folder();
}
END_TEST

START_TEST(old_content_stays_until_published)
{
  struct hs_output o;
  struct hs_error err;
  struct hs_text t = {0};
  enter_folder();
  hs_text_add(&t, "old");
  hs_test_accepted(hs_file_write("out", &t, &err), &err);
  for (int finish = 0; finish < 2; finish++) {
    hs_test_accepted(hs_output_open(&o, "output", "out", &err), &err);
    fputs("new", o.stream);
    if (finish) hs_test_accepted(hs_output_finish(&o, &err), &err);
    check_file("out", "old");
    hs_output_discard(&o);
    ck_assert_int_eq(n_files(), 1);
    check_file("out", "old");
  }
  t.len = 0;
  hs_text_add(&t, "new");
  hs_test_accepted(hs_file_write("out", &t, &err), &err);
  check_file("out", "new");
  hs_text_free(&t);
  hs_test_accepted(hs_file_write("out", &t, &err), &err);
  check_file("out", "");
  unlink("out");
  leave_folder();
}
END_TEST

START_TEST(what_was_private_stays_so)
{
  struct hs_error err;
  struct hs_text t = {0};
  struct stat is;
  enter_folder();
  hs_test_accepted(hs_file_write("out", &t, &err), &err);
  ck_assert_int_eq(chmod("out", 0600), 0);
  hs_test_accepted(hs_file_write("out", &t, &err), &err);
  ck_assert_int_eq(stat("out", &is), 0);
  ck_assert_int_eq(is.st_mode & 0777, 0600);
  unlink("out");
  leave_folder();
}
END_TEST

START_TEST(nothing_is_left_when_it_cannot_be_named)
{
  struct hs_output o;
  struct hs_error err;
  enter_folder();
  hs_test_accepted(hs_output_open(&o, "output", "out", &err), &err);
  fputs("text", o.stream);
  ck_assert_int_eq(mkdir("out", 0777), 0); /* in the meantime */
  hs_test_accepted(hs_output_finish(&o, &err), &err);
  ck_assert_int_eq(hs_output_publish(&o, &err), HS_IO);
  ck_assert_str_eq(hs_test_message(&err), "out: can't write: Is a directory");
  ck_assert_int_eq(n_files(), 1);
  ck_assert_int_eq(rmdir("out"), 0);
  leave_folder();
}
END_TEST

START_TEST(a_full_disk_is_an_error)
{
  struct hs_output o;
  struct hs_error err;
  struct hs_text t = {0};
  hs_text_add(&t, "text");
  ck_assert_int_eq(hs_file_write("/dev/full", &t, &err), HS_IO);
  ck_assert_str_eq(hs_test_message(&err), "/dev/full: can't write: No space left on device");
  for (int i = 0; i < 100000; i++) hs_text_add(&t, "text"); /* more than any buffer: the write fails before the flush */
  ck_assert_int_eq(hs_file_write("/dev/full", &t, &err), HS_IO);
  ck_assert_int_eq(access("/dev/full", F_OK), 0);
  hs_test_accepted(hs_file_write("/dev/null", &t, &err), &err);
  struct stat st;
  ck_assert_int_eq(stat("/dev/null", &st), 0);
  ck_assert(S_ISCHR(st.st_mode));
  hs_test_accepted(hs_output_open(&o, "output", "/dev/null", &err), &err);
  hs_output_discard(&o);
  ck_assert_int_eq(access("/dev/null", F_OK), 0);
  hs_text_free(&t);
}
END_TEST

static const struct {
  const char *path, *message;
  enum hs_status status;
} unwritable[] = {
  {"no/such/folder/out", "no/such/folder/out: can't write: No such file or directory", HS_IO},
  {".", ".: can't write: Is a directory", HS_IO},
  {"", "output file name is empty", HS_USAGE},
  {NULL, "--output: a name of 512 bytes is too long, at most 511", HS_USAGE},
};

START_TEST(what_cannot_be_opened)
{
  struct hs_output o;
  struct hs_error err;
  char longest[513];
  const char *path = unwritable[_i].path;
  memset(longest, 'a', 512);
  longest[512] = 0;
  enter_folder();
  ck_assert_int_eq(hs_output_open(&o, "output", path ? path : longest, &err), unwritable[_i].status);
  ck_assert_str_eq(hs_test_message(&err), unwritable[_i].message);
  hs_output_discard(&o);
  ck_assert_int_eq(n_files(), 0);
  leave_folder();
}
END_TEST

/* What is read while a result is under way is there after it, whatever leads to it; the message has the name that was given. */
START_TEST(read_meanwhile)
{
  struct hs_error err;
  struct hs_output o;
  struct hs_text t = {0};
  char *s = NULL;
  size_t len;
  enter_folder();
  hs_inputs_open();
  hs_text_add(&t, "input");
  hs_test_accepted(hs_file_write("in", &t, &err), &err);
  ck_assert_int_eq(symlink("in", "link"), 0);
  hs_test_accepted(hs_output_open(&o, "gantt", "link", &err), &err);
  hs_test_accepted(hs_file_read("in", &s, &len, &err), &err);
  fputs("result", o.stream);
  ck_assert_int_eq(hs_output_finish(&o, &err), HS_USAGE);
  ck_assert_str_eq(hs_test_message(&err), "--gantt=link would replace what is read from it");
  check_file("in", "input");
  ck_assert_int_eq(n_files(), 2);
  free(s);
  hs_text_free(&t);
  unlink("link");
  unlink("in");
  leave_folder();
}
END_TEST

START_TEST(reads_whole_files)
{
  struct hs_error err;
  struct hs_text t = {0};
  char *s = NULL;
  size_t len;
  enter_folder();
  for (int i = 0; i < 3000; i++) hs_text_addf(&t, "%c%cxyz", i % 255 + 1, 0); /* NULs too: %c of 0 counts */
  ck_assert_uint_eq(t.len, 15000);
  hs_test_accepted(hs_file_write("in", &t, &err), &err);
  hs_test_accepted(hs_file_read("in", &s, &len, &err), &err);
  ck_assert_uint_eq(len, t.len);
  ck_assert_int_eq(memcmp(s, t.s, len), 0);
  ck_assert_int_eq(s[len], 0);
  free(s);
  hs_text_free(&t);
  ck_assert_int_eq(truncate("in", 64 * 1024 * 1024), 0);
  hs_test_accepted(hs_file_read("in", &s, &len, &err), &err);
  ck_assert_uint_eq(len, 64 * 1024 * 1024);
  free(s);
  ck_assert_int_eq(truncate("in", 64 * 1024 * 1024 + 1), 0);
  hs_test_refused(hs_file_read("in", &s, &len, &err), &err, "in: larger than 64 MiB");
  ck_assert_int_eq(hs_file_read("", &s, &len, &err), HS_USAGE);
  ck_assert_str_eq(err.text, "the name of a file to read is empty");
  unlink("in");
  leave_folder();
}
END_TEST

START_TEST(sha256)
{
  char hex[65];
  hs_sha256_hex("abc", 3, hex); /* FIPS 180-2, B.1 */
  ck_assert_str_eq(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  hs_sha256_hex("", 0, hex);
  ck_assert_str_eq(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, appears_when_published);
  tcase_add_test(t, old_content_stays_until_published);
  tcase_add_test(t, what_was_private_stays_so);
  tcase_add_test(t, nothing_is_left_when_it_cannot_be_named);
  tcase_add_test(t, a_full_disk_is_an_error);
  tcase_add_loop_test(t, what_cannot_be_opened, 0, sizeof unwritable / sizeof *unwritable);
  tcase_add_test(t, read_meanwhile);
  tcase_add_test(t, reads_whole_files);
  tcase_add_test(t, sha256);
}

int main(void) { return hs_test_main("files", fill); }
