/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON written into a text, value after value: commas come by themselves. It doesn't see to it that brackets match. */
#ifndef HS_JSON_PUT_H
#define HS_JSON_PUT_H

#include "base/text.h"

/* In all of these `name` is the member's, or NULL for an element of an array. */

/* '{' or '['. */
void hs_put_open(struct hs_text *t, const char *name, char bracket);
/* '}' or ']'. */
void hs_put_close(struct hs_text *t, char bracket);
/* As hs_text_number(): null where v is none or infinite. */
void hs_put_number(struct hs_text *t, const char *name, double v);
/* All digits. */
void hs_put_whole(struct hs_text *t, const char *name, unsigned long long v);
/* As hs_text_string(); NULL: null. */
void hs_put_string(struct hs_text *t, const char *name, const char *v);
void hs_put_bool(struct hs_text *t, const char *name, bool v);
/* What is JSON already. */
void hs_put_json(struct hs_text *t, const char *name, const char *json, size_t len);
/* n numbers, n strings. */
void hs_put_numbers(struct hs_text *t, const char *name, const double *v, int n);
void hs_put_strings(struct hs_text *t, const char *name, const char *const *v, int n);

/* What comes next, a bracket too, begins a line, behind so many blanks. */
void hs_put_line(struct hs_text *t, int indent);

#endif
