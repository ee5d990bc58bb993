/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text: a growing string, and numbers: in their one printed form, and read. */
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

/* A rate per second to three digits, and never by powers of ten. Returns buf. */
const char *hs_rate(double per_second, char *buf, size_t size);

/* The decimal number that s begins with, as "0.3" or "-1e-3", in *v, and what follows it: a unit, or nothing. NULL where it begins with none: what
 * strtod takes beside, blanks, "0x1p4", "inf" and what is too large, is none here. */
const char *hs_decimal_prefix(const char *s, double *v);

/* All of s as a decimal number; false for anything else. */
bool hs_decimal_parse(const char *s, double *v);

/* All of s, digits only, as a whole number in [min, max]; false for anything else. */
bool hs_whole_parse(const char *s, long long min, long long max, long long *v);

/* "50ms", "1.5s" or "800us" to seconds; false for anything else, and below 0. */
bool hs_time_parse(const char *s, double *seconds);

/* Calls `one` for each "where=value" of an option's list between commas; where is NULL for a "value". HS_USAGE where a place of the list or the name in it
 * is empty, and whatever `one` returns that isn't HS_OK: both end it. */
enum hs_status hs_each_setting(const char *option, const char *list,
                               enum hs_status (*one)(void *state, const char *where, const char *value, struct hs_error *err), void *state,
                               struct hs_error *err);

/* s behind the mark of UTF-8 (U+FEFF) that spreadsheets and editors write before a text; s where there is none. */
const char *hs_text_unmarked(const char *s);

/* Is s[0..len) in UTF-16, by its mark? No reader takes that; HS_TEXT_UTF16 says so. */
bool hs_text_is_utf16(const char *s, size_t len);
#define HS_TEXT_UTF16 "is UTF-16; save it as UTF-8"

/* HS_INPUT with file, line and column (in bytes, from 1) where s[0..len) has a zero byte, as a table that is read line by line must not, or is UTF-16. */
enum hs_status hs_text_check(const char *file, const char *s, size_t len, struct hs_error *err);

#endif
