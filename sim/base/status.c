/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Names and values in a message come from files: they must not move the reader's cursor. A message that is cut to its room may end within a
 * character. */
static void make_printable(char *s)
{
  for (int n; *s; s += n ? n : 1) {
    n = hs_utf8_bytes(s);
    if ((unsigned char)*s < 0x20 || *s == 0x7f || n == 0) *s = '?';
  }
}

static enum hs_status fail(struct hs_error *err, enum hs_status status, const char *file, int line, int column,
                           const char *path, const char *format, va_list args)
{
  memset(err, 0, sizeof *err);
  err->status = status;
  err->line = line;
  err->column = column;
  if (file) snprintf(err->file, sizeof err->file, "%s", file);
  if (path) snprintf(err->path, sizeof err->path, "%s", path);
  vsnprintf(err->text, sizeof err->text, format, args);
  make_printable(err->file);
  make_printable(err->path);
  make_printable(err->text);
  return status;
}

enum hs_status hs_fail(struct hs_error *err, enum hs_status status, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fail(err, status, NULL, 0, 0, NULL, format, args);
  va_end(args);
  return status;
}

enum hs_status hs_fail_at(struct hs_error *err, enum hs_status status, const char *file, int line, int column,
                          const char *path, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fail(err, status, file, line, column, path, format, args);
  va_end(args);
  return status;
}

const char *hs_error_message(const struct hs_error *err, char *buf, size_t size)
{
  char place[320] = "";
  if (err->file[0] && err->line > 0 && err->column == 0)
    snprintf(place, sizeof place, "%s:%d: ", err->file, err->line);
  else if (err->file[0] && err->line > 0)
    snprintf(place, sizeof place, "%s:%d:%d: ", err->file, err->line, err->column);
  else if (err->file[0])
    snprintf(place, sizeof place, "%s: ", err->file);
  snprintf(buf, size, "%s%s%s%s", place, err->path, err->path[0] ? ": " : "", err->text);
  return buf;
}
