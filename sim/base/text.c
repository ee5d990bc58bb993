/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <sha2.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/inputs.h"
#include "base/memory.h"
#include "base/utf8.h"

void hs_text_free(struct hs_text *t)
{
  free(t->s);
  *t = (struct hs_text){0};
}

static void reserve(struct hs_text *t, size_t more)
{
  if (t->len + more + 1 <= t->cap) return;
  t->cap = 2 * (t->len + more + 1);
  t->s = hs_realloc(t->s, t->cap, 1);
}

void hs_text_add(struct hs_text *t, const char *s)
{
  size_t n = strlen(s);
  reserve(t, n);
  memcpy(t->s + t->len, s, n + 1);
  t->len += n;
}

void hs_text_addf(struct hs_text *t, const char *format, ...)
{
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  reserve(t, (size_t)n);
  vsnprintf(t->s + t->len, (size_t)n + 1, format, again);
  t->len += (size_t)n;
  va_end(again);
  va_end(args);
}

void hs_text_pad(struct hs_text *t, char c, int n)
{
  for (int i = 0; i < n; i++) hs_text_addf(t, "%c", c);
}

static int width_of(const char *s, size_t bytes)
{
  int n = 0;
  for (size_t i = 0; i < bytes; i++) n += ((unsigned char)s[i] & 0xC0) != 0x80; /* the first bytes of UTF-8's characters */
  return n;
}

int hs_text_width(const char *s) { return width_of(s, strlen(s)); }

void hs_text_column(struct hs_text *t, const char *s, int width)
{
  hs_text_add(t, s);
  hs_text_pad(t, ' ', width - hs_text_width(s));
}

void hs_text_wrap(struct hs_text *t, const char *s, int width)
{
  for (int column = 0; *s;) {
    int bytes = (int)strcspn(s, " "), n = width_of(s, (size_t)bytes);
    bool breaks = column > 0 && column + 1 + n > width;
    hs_text_addf(t, "%s%.*s", breaks ? "\n" : column ? " " : "", bytes, s);
    column = breaks || column == 0 ? n : column + 1 + n;
    s += bytes + strspn(s + bytes, " ");
  }
  hs_text_add(t, "\n");
}

void hs_text_words(struct hs_text *t, const char *const *words)
{
  for (int i = 0; words[i]; i++) hs_text_addf(t, "%s%s", i ? ", " : "", words[i]);
}

void hs_text_number(struct hs_text *t, double v)
{
  if (!isfinite(v))
    hs_text_add(t, "null");
  else
    hs_text_addf(t, "%.12g", v == 0 ? 0.0 : v); /* no "-0" */
}

/* The character at s as it is, U+FFFD for a byte of none; returns what is behind it. */
static const char *add_character(struct hs_text *t, const char *s, bool allowed)
{
  int n = hs_utf8_bytes(s);
  hs_text_addf(t, "%.*s", n && allowed ? n : 3, n && allowed ? s : "\xef\xbf\xbd");
  return s + (n ? n : 1);
}

void hs_text_string(struct hs_text *t, const char *s)
{
  hs_text_add(t, "\"");
  while (*s)
    if (*s == '"' || *s == '\\')
      hs_text_addf(t, "\\%c", *s++);
    else if ((unsigned char)*s < 0x20)
      hs_text_addf(t, "\\u%04x", *s++);
    else
      s = add_character(t, s, true);
  hs_text_add(t, "\"");
}

void hs_text_xml(struct hs_text *t, const char *s)
{
  while (*s) {
    const char *entity = *s == '<' ? "&lt;" : *s == '>' ? "&gt;" : *s == '&' ? "&amp;" : *s == '"' ? "&quot;" : NULL;
    if (entity) hs_text_add(t, entity);
    s = entity ? s + 1 : add_character(t, s, (unsigned char)*s >= 0x20); /* XML has no control characters, not even quoted */
  }
}

double hs_no_minus_zero(double v, int decimals) { return v <= 0 && v >= -0.5 * pow(10, -decimals) ? 0 : v; }

const char *hs_si_fine(double v, double fine, const char *unit, char *buf, size_t size)
{
  static const struct {
    double scale;
    const char *prefix;
  } steps[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
  size_t i = 4;
  if (v != 0)
    for (i = strcmp(unit, "s") == 0 ? 4 : 0 /* nobody says kiloseconds */; i + 1 < sizeof steps / sizeof *steps && fabs(v) < 0.9995 * steps[i].scale; i++)
      ;
  double x = v / steps[i].scale;
  int digits = fabs(x) >= 99.95 ? 0 : fabs(x) >= 9.995 ? 1 : 2;
  while (digits < 6 && fine > 0 && pow(10, -digits) > fine / steps[i].scale) digits++;
  snprintf(buf, size, "%.*f%s%s%s", v == 0 ? 0 : digits, hs_no_minus_zero(x, digits), *steps[i].prefix || *unit ? " " : "", steps[i].prefix, unit);
  return buf;
}

const char *hs_si(double v, const char *unit, char *buf, size_t size) { return hs_si_fine(v, 0, unit, buf, size); }

const char *hs_si_tmp(double v, const char *unit)
{
  static char buffers[8][32];
  static int next;
  next = (next + 1) % 8;
  return hs_si(v, unit, buffers[next], sizeof buffers[next]);
}

/* Whoever writes ReLU or YOLOv2 means what is written with other letters here. */
static int edit_distance(const char *a, const char *b)
{
  enum { MAX = 63 };
  int row[MAX + 1];
  int n = (int)strnlen(a, MAX), m = (int)strnlen(b, MAX);
  for (int j = 0; j <= m; j++) row[j] = j;
  for (int i = 1; i <= n; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      int best = diagonal + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
      diagonal = row[j];
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
    }
  }
  return row[m];
}

bool hs_name_allowed(const char *s, char *rule, size_t size)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:+-";
  size_t n = strlen(s);
  if (n == 0 || n > 63)
    snprintf(rule, size, "a name has 1 to 63 characters, not %zu", n);
  else if (s[strspn(s, letters)])
    snprintf(rule, size, "a name has letters, digits and _ . / : + - only");
  else
    return true;
  return false;
}

const char *hs_text_unmarked(const char *s) { return strncmp(s, "\xef\xbb\xbf", 3) == 0 ? s + 3 : s; }

bool hs_text_is_utf16(const char *s, size_t len) { return len > 1 && (memcmp(s, "\xFF\xFE", 2) == 0 || memcmp(s, "\xFE\xFF", 2) == 0); }

enum hs_status hs_text_check(const char *file, const char *s, size_t len, struct hs_error *err)
{
  const char *zero = len ? memchr(s, 0, len) : NULL;
  if (hs_text_is_utf16(s, len)) return hs_fail_at(err, HS_INPUT, file, 1, 0, NULL, HS_TEXT_UTF16);
  int line = 1, column = 1;
  for (const char *c = s; zero && c < zero; c++) {
    column = *c == '\n' ? 1 : column + 1;
    line += *c == '\n';
  }
  return zero ? hs_fail_at(err, HS_INPUT, file, line, column, NULL, "is no text: it has a zero byte") : HS_OK;
}

const char *hs_decimal_prefix(const char *s, double *v)
{
  const char *digits = s + strspn(s, "+-.");
  char *end;
  if (!isdigit((unsigned char)*digits) || strncasecmp(digits, "0x", 2) == 0) return NULL;
  *v = strtod(s, &end);
  return end != s && isfinite(*v) ? end : NULL;
}

bool hs_decimal_parse(const char *s, double *v)
{
  const char *end = hs_decimal_prefix(s, v);
  return end && !*end;
}

bool hs_whole_parse(const char *s, long long min, long long max, long long *v)
{
  errno = 0;
  *v = strtoll(s, NULL, 10);
  return *s && !s[strspn(s, "0123456789")] && !errno && *v >= min && *v <= max;
}

bool hs_time_parse(const char *s, double *seconds)
{
  static const struct {
    const char *unit;
    double s;
  } units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}};
  double v;
  const char *unit = hs_decimal_prefix(s, &v);
  for (size_t i = 0; unit && v >= 0 && i < sizeof units / sizeof *units; i++)
    if (strcmp(unit, units[i].unit) == 0) {
      *seconds = v * units[i].s;
      return true;
    }
  return false;
}

/* The next character of a spelling, behind `before`; 0 at its end. */
static int next_of_spelling(const char **s, int before)
{
  size_t separators = strspn(*s, "-_. ");
  *s += separators;
  if (separators && isdigit(before) && isdigit((unsigned char)**s)) return '.';
  return **s ? tolower((unsigned char)*(*s)++) : 0;
}

/* Is all of a spelt as b is? `begins`: or as b begins. */
static bool spelled(const char *a, const char *b, bool begins)
{
  for (int i = 0, j = 0;;) {
    i = next_of_spelling(&a, i);
    j = next_of_spelling(&b, j);
    if (i == 0) return begins || j == 0;
    if (i != j) return false;
  }
}

bool hs_spelled_alike(const char *a, const char *b) { return spelled(a, b, false); }

static int shortest_beginning(const char *name, const char *const *names, int n)
{
  int best = -1;
  for (int i = 0; i < n && strlen(name) >= 3; i++)
    if (spelled(name, names[i], true) && (best < 0 || strlen(names[i]) < strlen(names[best]))) best = i;
  return best;
}

/* With fewer than `least` edits. */
static int nearest(const char *name, const char *const *names, int n, int least)
{
  int best = shortest_beginning(name, names, n);
  if (best >= 0) return best;
  for (int i = 0; i < n; i++) {
    int d = edit_distance(name, names[i]);
    if (d < least) {
      least = d;
      best = i;
    }
  }
  return best;
}

int hs_nearest(const char *name, const char *const *names, int n) { return nearest(name, names, n, 1 + (int)strlen(name) / 2); }

int hs_nearest_key(const char *key, const char *const *keys, int n)
{
  for (int i = 0; i < n; i++)
    if (strlen(keys[i]) >= 3 && spelled(keys[i], key, true)) return i;
  return nearest(key, keys, n, 1 + (int)strlen(key) / 3);
}

enum hs_status hs_fail_unknown(struct hs_error *err, const char *what, const char *name, const char *const *names, int n)
{
  enum { LIST_MAX = 300 };
  struct hs_text list = {0};
  int near = hs_nearest(name, names, n), listed = 0;
  for (; listed < n && list.len + strlen(names[listed]) < LIST_MAX; listed++) hs_text_addf(&list, "%s%s", listed ? ", " : "", names[listed]);
  if (listed < n) hs_text_addf(&list, " and %d more", n - listed);
  hs_fail(err, HS_USAGE, "there is no %s \"%.60s\"%s%s%s (there are: %s)", what, name, near >= 0 ? "; did you mean " : "",
          near >= 0 ? names[near] : "", near >= 0 ? "?" : "", list.s ? list.s : "none");
  hs_text_free(&list);
  return err->status;
}

enum hs_status hs_file_read(const char *path, char **s, size_t *len, struct hs_error *err)
{
  enum { LIMIT = 64 * 1024 * 1024 };
  enum hs_status status = HS_OK;
  struct hs_text t = {0};
  if (!*path) return hs_fail(err, HS_USAGE, "the name of a file to read is empty");
  FILE *f = fopen(path, "rb");
  if (!f) return hs_fail_at(err, HS_IO, path, 0, 0, NULL, "can't open: %s", strerror(errno));
  hs_inputs_note(f);
  reserve(&t, 4096);
  size_t n;
  while ((n = fread(t.s + t.len, 1, t.cap - t.len - 1, f)) > 0) {
    t.len += n;
    if (t.len > LIMIT) {
      status = hs_fail_at(err, HS_INPUT, path, 0, 0, NULL, "larger than %d MiB", LIMIT / 1024 / 1024);
      goto out;
    }
    if (t.len + 1 == t.cap) reserve(&t, t.len);
  }
  if (ferror(f)) {
    status = hs_fail_at(err, HS_IO, path, 0, 0, NULL, "can't read: %s", strerror(errno));
    goto out;
  }
  t.s[t.len] = 0;
  *s = t.s;
  *len = t.len;
  t.s = NULL;
out:
  free(t.s);
  fclose(f);
  return status;
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

/* Another name of standard output, as /dev/stdout is one. Where that goes to a file, a file put in its place would replace the system's link. */
static bool is_stdout(const char *path)
{
  struct stat link, there, out;
  return lstat(path, &link) == 0 && S_ISLNK(link.st_mode) && stat(path, &there) == 0 && fstat(STDOUT_FILENO, &out) == 0 &&
         there.st_dev == out.st_dev && there.st_ino == out.st_ino;
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

enum hs_status hs_output_check(const char *path, struct hs_error *err)
{
  if (!path || is_in_place(path) || !hs_inputs_have(path)) return HS_OK;
  return hs_fail_at(err, HS_USAGE, path, 0, 0, NULL, "the result would replace what was read from there");
}

enum hs_status hs_output_open(struct hs_output *o, const char *path, struct hs_error *err)
{
  *o = (struct hs_output){0};
  if (strcmp(path, "-") == 0 || is_stdout(path)) {
    o->stream = open_memstream(&o->text, &o->size);
    return o->stream ? HS_OK : hs_fail(err, HS_IO, "no memory for the result");
  }
  if (!*path) return hs_fail(err, HS_USAGE, "output file name is empty");
  HS_TRY(hs_output_check(path, err));
  bool special = is_in_place(path);
  if (!set_path(o, path, special)) return hs_fail(err, HS_USAGE, "output file name too long");
  if (!special) snprintf(o->temporary, sizeof o->temporary, "%s.%ld.part", o->path, (long)getpid());
  begun(o->temporary); /* before it is there: a signal may come in between */
  o->stream = fopen(special ? path : o->temporary, special ? "wb" : "wbx"); /* x: nobody else writes there */
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

enum hs_status hs_output_finish(struct hs_output *o, struct hs_error *err)
{
  FILE *f = o->stream;
  if (!f) return HS_OK;
  bool bad = ferror(f) || fflush(f) != 0;
  bad = fclose(f) != 0 || bad;
  if (!bad && o->text) bad = fwrite(o->text, 1, o->size, stdout) != o->size || fflush(stdout) != 0;
  o->stream = NULL;
  enum hs_status status = bad ? cannot_write(o, err) : o->temporary[0] ? hs_output_check(o->path, err) : HS_OK;
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
  enum hs_status status = hs_output_open(&o, path, err);
  if (status) return status;
  if (t->len) fwrite(t->s, 1, t->len, o.stream);
  status = hs_output_finish(&o, err);
  return status ? status : hs_output_publish(&o, err);
}

void hs_sha256_hex(const void *data, size_t len, char *hex)
{
  SHA256Data(data, len, hex);
}
