/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Status codes and the one error record that every fallible function fills. A status is also the program's exit code.
 * Errors are born in fail() of status.c only, so that one breakpoint catches all, and are passed up untouched. */
#ifndef HS_STATUS_H
#define HS_STATUS_H

#include <stddef.h>

enum hs_status {
  HS_OK = 0,       /* done */
  HS_UNMET = 1,    /* a stated requirement failed (check, validation) */
  HS_USAGE = 2,    /* command line: unknown option, name or value */
  HS_INPUT = 3,    /* an input file is malformed, inconsistent or can't be run */
  HS_POLICY = 4,   /* a policy broke its contract */
  HS_ENGINE = 5,   /* the simulation engine broke down */
  HS_IO = 6,       /* reading or writing a file failed */
};

/* What went wrong and where. Empty parts are left out of the message. */
struct hs_error {
  enum hs_status status;
  char file[256];  /* input or output file, "" if none */
  int line, column; /* 1-based, 0 if unknown */
  char path[192];  /* place inside the file, as $.processors[2].opps[0].freq_hz */
  char text[1280]; /* value and rule */
};

#define HS_PRINTF(nth, first) __attribute__((format(printf, nth, first)))

/* Where something stands in a file, for who finds out after reading that it's wrong. */
struct hs_place {
  int line, column; /* as in struct hs_error */
};

/* Fills *err (its place is cleared) and returns `status`. err may not be NULL. */
enum hs_status hs_fail(struct hs_error *err, enum hs_status status, const char *format, ...) HS_PRINTF(3, 4);

/* The same with a place: file and path may be NULL, line 0. */
enum hs_status hs_fail_at(struct hs_error *err, enum hs_status status, const char *file, int line, int column,
                          const char *path, const char *format, ...) HS_PRINTF(7, 8);

/* Writes "file:line:column: path: text" to buf; returns buf. */
const char *hs_error_message(const struct hs_error *err, char *buf, size_t size);

/* Returns from the calling function what isn't HS_OK. */
#define HS_TRY(call)                                                                                                   \
  do {                                                                                                                 \
    enum hs_status hs_try_status_ = (call);                                                                            \
    if (hs_try_status_) return hs_try_status_;                                                                         \
  } while (0)

#endif
