/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/inputs.h"
#include "base/memory.h"

enum hs_status hs_file_read(const char *path, char **s, size_t *len, struct hs_error *err)
{
  enum { LIMIT = 64 * 1024 * 1024 };
  enum hs_status status = HS_OK;
  size_t cap = 4096, n = 0, more;
  if (!*path) return hs_fail(err, HS_USAGE, "the name of a file to read is empty");
  FILE *f = fopen(path, "rb");
  if (!f) return hs_fail_at(err, HS_IO, path, 0, 0, NULL, "can't open: %s", strerror(errno));
  hs_inputs_note(f);
  char *text = hs_realloc(NULL, cap, 1);
  while (n <= LIMIT && (more = fread(text + n, 1, cap - n - 1, f)) > 0) {
    n += more;
    if (n + 1 == cap) text = hs_realloc(text, cap *= 2, 1);
  }
  if (n > LIMIT) status = hs_fail_at(err, HS_INPUT, path, 0, 0, NULL, "larger than %d MiB", LIMIT / 1024 / 1024);
  else if (ferror(f)) status = hs_fail_at(err, HS_IO, path, 0, 0, NULL, "can't read: %s", strerror(errno));
  fclose(f);
  if (status) {
    free(text);
    return status;
  }
  text[n] = 0;
  *s = text;
  *len = n;
  return HS_OK;
}

/* Temporary files that are under way. A child process has a copy of the list; they aren't its own. */
static struct unfinished {
  volatile sig_atomic_t used;
  long process;
  char path[sizeof((struct hs_output *)NULL)->temporary];
} unfinished[8];

static void begun(const char *path)
{
  size_t i = 0;
  while (i < sizeof unfinished / sizeof *unfinished && unfinished[i].used) i++;
  if (!*path || i == sizeof unfinished / sizeof *unfinished) return;
  strcpy(unfinished[i].path, path);
  unfinished[i].process = (long)getpid();
  unfinished[i].used = 1;
}

static void ended(const char *path)
{
  for (size_t i = 0; i < sizeof unfinished / sizeof *unfinished; i++)
    if (unfinished[i].used && strcmp(unfinished[i].path, path) == 0) unfinished[i].used = 0;
}

void hs_output_abandon_all(void)
{
  for (size_t i = 0; i < sizeof unfinished / sizeof *unfinished; i++)
    if (unfinished[i].used && unfinished[i].process == (long)getpid()) unlink(unfinished[i].path);
}

/* Does standard output go where this leads, a name of that type? */
static bool leads_to_stdout(const char *path, mode_t type)
{
  struct stat name, there, out;
  return lstat(path, &name) == 0 && (name.st_mode & S_IFMT) == type && stat(path, &there) == 0 && fstat(STDOUT_FILENO, &out) == 0 &&
         there.st_dev == out.st_dev && there.st_ino == out.st_ino;
}

/* Another name of standard output, as /dev/stdout is one. Where that goes to a file, a file put in its place would replace the system's link. */
static bool is_stdout(const char *path) { return leads_to_stdout(path, S_IFLNK); }

/* The report goes to standard output and so to this file, in whose place another result would be put. */
static enum hs_status check_report(const char *option, const char *path, struct hs_error *err)
{
  if (strcmp(option, "output") == 0 || !leads_to_stdout(path, S_IFREG)) return HS_OK;
  return hs_fail(err, HS_USAGE, "--%s=%.200s would replace the file that standard output goes to", option, path);
}

/* A device or a pipe, or a name of an open file as /dev/stderr and /dev/fd/3: there is nothing to rename. */
static bool is_in_place(const char *path)
{
  struct stat link, there;
  if (stat(path, &there) != 0) return false;
  bool system_link = (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0) && lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
  return system_link || !S_ISREG(there.st_mode);
}

/* A file is put where a link to one leads, and the link stays; one that leads nowhere yet is replaced. */
static bool set_path(struct hs_output *o, const char *path, bool in_place)
{
  struct stat link;
  char *real = !in_place && lstat(path, &link) == 0 && S_ISLNK(link.st_mode) ? realpath(path, NULL) : NULL;
  size_t length = strlen(real ? real : path);
  if (length < sizeof o->path) memcpy(o->path, real ? real : path, length + 1);
  free(real);
  return length < sizeof o->path;
}

/* Tells the files of this process from those that one of the same number left behind when it was killed, or writes in another container. */
static unsigned started(void)
{
  static unsigned nanoseconds;
  struct timespec t;
  if (!nanoseconds && clock_gettime(CLOCK_REALTIME, &t) == 0) nanoseconds = (unsigned)t.tv_sec * 1000000000u + (unsigned)t.tv_nsec;
  return nanoseconds;
}

/* A file of o's that nobody else writes. What replaces one is read by whom that was, from when it is there: it is born with no more rights, and gets those
 * back that the process withholds from new files; where it may not, it has fewer. */
static FILE *open_temporary(const struct hs_output *o)
{
  struct stat old;
  bool replaces = stat(o->path, &old) == 0;
  int fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL, replaces ? old.st_mode & 0666 : 0666);
  if (fd < 0) return NULL;
  if (replaces) fchmod(fd, old.st_mode & 0777);
  return fdopen(fd, "wb");
}

static enum hs_status check_replaced(const char *option, const char *path, struct hs_error *err)
{
  if (is_in_place(path) || !hs_inputs_have(path)) return HS_OK;
  return hs_fail(err, HS_USAGE, "--%s=%.200s would replace what is read from it", option, path);
}

enum hs_status hs_output_open(struct hs_output *o, const char *option, const char *path, struct hs_error *err)
{
  *o = (struct hs_output){.option = option, .named = path};
  if (strcmp(path, "-") == 0 || is_stdout(path)) {
    o->stream = open_memstream(&o->text, &o->size);
    return o->stream ? HS_OK : hs_fail(err, HS_IO, "no memory for the result");
  }
  if (!*path) return hs_fail(err, HS_USAGE, "output file name is empty");
  HS_TRY(check_report(option, path, err));
  HS_TRY(check_replaced(option, path, err));
  bool special = is_in_place(path);
  if (!set_path(o, path, special))
    return hs_fail(err, HS_USAGE, "--%s: a name of %zu bytes is too long, at most %zu", option, strlen(path), sizeof o->path - 1);
  if (!special) snprintf(o->temporary, sizeof o->temporary, "%s.%ld-%x.part", o->path, (long)getpid(), started());
  begun(o->temporary); /* before it is there: a signal may come in between */
  o->stream = special ? fopen(path, "wb") : open_temporary(o);
  if (o->stream) return HS_OK;
  int why = errno;
  ended(o->temporary);
  *o = (struct hs_output){0};
  /* the name has this process in it */
  return hs_fail_at(err, HS_IO, path, 0, 0, NULL, "can't write: %s", why == EEXIST ? "another result of this run goes there, too" : strerror(why));
}

static enum hs_status cannot_write(struct hs_output *o, struct hs_error *err)
{
  int why = errno;
  if (o->temporary[0]) remove(o->temporary);
  ended(o->temporary);
  o->temporary[0] = 0;
  return hs_fail_at(err, HS_IO, o->path[0] ? o->path : "standard output", 0, 0, NULL, "can't write: %s", strerror(why));
}

/* Who reads standard output has had enough of it (| head), and the process ends by SIGPIPE, silently; but the files beside it come first. */
static bool reader_left;

static bool write_stdout(const char *text, size_t size)
{
  void (*before)(int) = signal(SIGPIPE, SIG_IGN);
  bool whole = fwrite(text, 1, size, stdout) == size && fflush(stdout) == 0;
  reader_left |= !whole && errno == EPIPE && before != SIG_IGN;
  signal(SIGPIPE, before);
  return whole || reader_left;
}

enum hs_status hs_output_finish(struct hs_output *o, struct hs_error *err)
{
  FILE *f = o->stream;
  if (!f) return HS_OK;
  bool bad = ferror(f) || fflush(f) != 0;
  bad = fclose(f) != 0 || bad;
  if (!bad && o->text) bad = !write_stdout(o->text, o->size);
  o->stream = NULL;
  enum hs_status status = bad ? cannot_write(o, err) : o->temporary[0] ? check_replaced(o->option, o->named, err) : HS_OK;
  free(o->text);
  o->text = NULL;
  if (status) hs_output_discard(o);
  return status;
}

enum hs_status hs_output_publish(struct hs_output *o, struct hs_error *err)
{
  if (!o->temporary[0]) return HS_OK;
  if (rename(o->temporary, o->path) != 0) return cannot_write(o, err);
  ended(o->temporary);
  o->temporary[0] = 0;
  return HS_OK;
}

enum hs_status hs_output_publish_all(struct hs_output *const *files, int n, struct hs_error *err)
{
  for (int i = 0; i < n; i++) HS_TRY(hs_output_finish(files[i], err));
  for (int i = 0; i < n; i++) HS_TRY(hs_output_publish(files[i], err));
  if (reader_left) raise(SIGPIPE);
  return HS_OK;
}

void hs_output_discard(struct hs_output *o)
{
  if (o->stream) fclose(o->stream);
  free(o->text);
  if (o->temporary[0]) remove(o->temporary);
  ended(o->temporary);
  *o = (struct hs_output){0};
}

enum hs_status hs_file_write(const char *path, const struct hs_text *t, struct hs_error *err)
{
  struct hs_output o;
  enum hs_status status = hs_output_open(&o, "output", path, err);
  if (status) return status;
  if (t->len) fwrite(t->s, 1, t->len, o.stream);
  return hs_output_publish_all((struct hs_output *[]){&o}, 1, err);
}

void hs_sha256_hex(const void *data, size_t len, char *hex)
{
  SHA256Data(data, len, hex);
}
