/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole files: read, and written so that they appear only when they are complete. */
#ifndef HS_FILES_H
#define HS_FILES_H

#include <stddef.h>

#include "base/status.h"
#include "base/text.h"

/* Reads a whole file; *s is NUL-terminated, owned by the caller, *len without the NUL. Files over 64 MiB are refused. */
enum hs_status hs_file_read(const char *path, char **s, size_t *len, struct hs_error *err);

/* A file that appears under its name only when it is complete. "-" is standard output, which gets all of it when it is finished. Several files that belong
 * together are all finished before the first is published, so that none appears when one can't be written; standard output comes last of them. It stays where
 * it was opened. */
struct hs_output {
  void *stream; /* FILE *, NULL when not open */
  const char *option, *named; /* the option that says where, and how, for messages; borrowed */
  char path[512], temporary[550];
  char *text;   /* for standard output; owned */
  size_t size;
};
/* `option`: the command line's that says `path`. HS_USAGE where it would replace what has been read. */
enum hs_status hs_output_open(struct hs_output *o, const char *option, const char *path, struct hs_error *err);
/* Flushes and closes: all that can fail for lack of space fails here, and what would replace something that was read since. On failure nothing is left. */
enum hs_status hs_output_finish(struct hs_output *o, struct hs_error *err);
/* Removes what this process has not finished of its files: for a signal handler that ends it. */
void hs_output_abandon_all(void);
/* Gives a finished file its name. */
enum hs_status hs_output_publish(struct hs_output *o, struct hs_error *err);
/* Finishes files[0..n), then gives all of them their names: files that belong together. Those that aren't open are left out. Ends the process by SIGPIPE where
 * the reader of standard output left before it had all, once files have their names. */
enum hs_status hs_output_publish_all(struct hs_output *const *files, int n, struct hs_error *err);
/* Removes what was written and not yet published; harmless in any state. */
void hs_output_discard(struct hs_output *o);
/* All of t under the name that --output says, or nothing: opens, writes, finishes and publishes. */
enum hs_status hs_file_write(const char *path, const struct hs_text *t, struct hs_error *err);

/* SHA-256 of data as 64 hexadecimal digits in hex[65]. */
void hs_sha256_hex(const void *data, size_t len, char *hex);

#endif
