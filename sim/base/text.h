/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text: a growing string, numbers in their one printed form, names and their nearest neighbours, whole files. */
#ifndef HS_TEXT_H
#define HS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A string that grows; {0} is empty. `s` is NUL-terminated once something was added. */
struct hs_text {
  char *s;
  size_t len, cap;
};

void hs_text_free(struct hs_text *t);
void hs_text_add(struct hs_text *t, const char *s);
void hs_text_addf(struct hs_text *t, const char *format, ...) HS_PRINTF(2, 3);
void hs_text_pad(struct hs_text *t, char c, int n);
/* Characters of s, not bytes: a column of a terminal each. */
int hs_text_width(const char *s);
/* s, then spaces up to `width` characters. */
void hs_text_column(struct hs_text *t, const char *s, int width);

/* s and a line feed, broken between words into lines of at most `width` characters; a longer word has a line of its own. */
void hs_text_wrap(struct hs_text *t, const char *s, int width);

/* "a, b, c": the words up to NULL, for messages. */
void hs_text_words(struct hs_text *t, const char *const *words);

/* A JSON number: shortest of at most 12 significant digits, so that equal results give equal bytes; null where v is none (NaN) or infinite,
 * which JSON doesn't know. */
void hs_text_number(struct hs_text *t, double v);
/* A JSON string with its quotes. Bytes that are no UTF-8 (a name cut short, an argument in another encoding) become U+FFFD. */
void hs_text_string(struct hs_text *t, const char *s);
/* s with <, >, & and quotes replaced for XML, and what XML can't hold by U+FFFD: control characters, bytes that are no UTF-8. */
void hs_text_xml(struct hs_text *t, const char *s);

/* v, or 0 where it would be printed as -0 with so many decimals. */
double hs_no_minus_zero(double v, int decimals);

/* "12.3 ms", "850 MHz", "1.20 GB": three significant digits and an SI prefix (decimal). Returns buf. */
const char *hs_si(double v, const char *unit, char *buf, size_t size);

/* With as many more decimals as a step of `fine` (in the unit; 0: none) takes, up to 6 in all: for values that lie close together. */
const char *hs_si_fine(double v, double fine, const char *unit, char *buf, size_t size);

/* As hs_si, in one of eight buffers that take turns: for the values of one printed line. */
const char *hs_si_tmp(double v, const char *unit);

/* The decimal number that s begins with, as "0.3" or "-1e-3", in *v, and what follows it: a unit, or nothing. NULL where it begins with none: what
 * strtod takes beside, blanks, "0x1p4", "inf" and what is too large, is none here. */
const char *hs_decimal_prefix(const char *s, double *v);

/* All of s as a decimal number; false for anything else. */
bool hs_decimal_parse(const char *s, double *v);

/* All of s, digits only, as a whole number in [min, max]; false for anything else. */
bool hs_whole_parse(const char *s, long long min, long long max, long long *v);

/* "50ms", "1.5s" or "800us" to seconds; false for anything else, and below 0. */
bool hs_time_parse(const char *s, double *seconds);

/* Do two people mean the same name? Capitals don't matter, nor separators (- _ . and blanks), but that there is one between two digits:
 * "ResNet-50" is resnet50, "squeezenet1_1" is squeezenet_1.1, and "resnet101" isn't resnet10_1. */
bool hs_spelled_alike(const char *a, const char *b);

/* Index of the name in names[0..n) that is nearest to `name`: the shortest that begins with it, spelt in whatever way, where it has at least
 * three characters, else by edit distance (ties: first); -1 if none is near. */
int hs_nearest(const char *name, const char *const *names, int n);
/* The key in keys[0..n) that `key` may be meant by: one that it begins with, else as above, but nearer, as keys of one object share words and units
 * (static_w isn't dynamic_w, nor llc_bytes capacity_bytes); -1: none. */
int hs_nearest_key(const char *key, const char *const *keys, int n);

/* HS_USAGE: "there is no WHAT "name"; did you mean X? (there are: …)", with as many of names[0..n) as fit into a message. */
enum hs_status hs_fail_unknown(struct hs_error *err, const char *what, const char *name, const char *const *names, int n);

/* Whether s may name a thing of an input file: 1 to 63 letters, digits and _ . / : + -; if not, the rule that it breaks in rule[size]. */
bool hs_name_allowed(const char *s, char *rule, size_t size);

/* s behind the mark of UTF-8 (U+FEFF) that spreadsheets and editors write before a text; s where there is none. */
const char *hs_text_unmarked(const char *s);

/* Is s[0..len) in UTF-16, by its mark? No reader takes that; HS_TEXT_UTF16 says so. */
bool hs_text_is_utf16(const char *s, size_t len);
#define HS_TEXT_UTF16 "is UTF-16; save it as UTF-8"

/* HS_INPUT with file, line and column (in bytes, from 1) where s[0..len) has a zero byte, as a table that is read line by line must not, or is UTF-16. */
enum hs_status hs_text_check(const char *file, const char *s, size_t len, struct hs_error *err);

/* Reads a whole file; *s is NUL-terminated, owned by the caller, *len without the NUL. Files over 64 MiB are refused. */
enum hs_status hs_file_read(const char *path, char **s, size_t *len, struct hs_error *err);

/* A file that appears under its name only when it is complete. "-" is standard output, which gets all of it when it is finished. Several files that belong
 * together are all finished before the first is published, so that none appears when one can't be written; standard output comes last of them. It stays where
 * it was opened. */
struct hs_output {
  void *stream; /* FILE *, NULL when not open */
  char path[512], temporary[540];
  char *text;   /* for standard output; owned */
  size_t size;
};
enum hs_status hs_output_open(struct hs_output *o, const char *path, struct hs_error *err);
/* HS_USAGE where a result at `path` (NULL: none) would replace what has been read. Opening and finishing ask that, too. */
enum hs_status hs_output_check(const char *path, struct hs_error *err);
/* Flushes and closes: all that can fail for lack of space fails here. On failure nothing is left. */
enum hs_status hs_output_finish(struct hs_output *o, struct hs_error *err);
/* Removes what this process has not finished of its files: for a signal handler that ends it. */
void hs_output_abandon_all(void);
/* Gives a finished file its name. */
enum hs_status hs_output_publish(struct hs_output *o, struct hs_error *err);
/* Finishes files[0..n), then gives all of them their names: files that belong together. Those that aren't open are left out. */
enum hs_status hs_output_publish_all(struct hs_output *const *files, int n, struct hs_error *err);
/* Removes what was written and not yet published; harmless in any state. */
void hs_output_discard(struct hs_output *o);
/* All of t under that name, or nothing: opens, writes, finishes and publishes. */
enum hs_status hs_file_write(const char *path, const struct hs_text *t, struct hs_error *err);

/* SHA-256 of data as 64 hexadecimal digits in hex[65]. */
void hs_sha256_hex(const void *data, size_t len, char *hex);

#endif
