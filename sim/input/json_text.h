/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The grammar of RFC 8259 over a whole text, because cJSON is laxer and keeps no positions: it takes 01, 1., raw control
 * characters, \u0000 (which would cut a string short) and bytes that are not UTF-8. Knows nothing of values. */
#ifndef HS_JSON_TEXT_H
#define HS_JSON_TEXT_H

#include <stddef.h>

enum { HS_JSON_LEVELS_MAX = 1000 }; /* cJSON's own limit */

/* NULL if text[0..len), which is followed by a NUL, is one JSON value, perhaps behind the mark of UTF-8; else the rule that is broken, and where. */
const char *hs_json_check(const char *text, size_t len, size_t *offset);

#endif
