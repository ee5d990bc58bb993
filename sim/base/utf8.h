/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UTF-8: what of a text from outside is a character. */
#ifndef HS_UTF8_H
#define HS_UTF8_H

/* Bytes of the UTF-8 character that s begins with (RFC 3629, Table 3-7 of Unicode: no overlong forms, no surrogates), 1 at its end; 0: none. */
int hs_utf8_bytes(const char *s);

#endif
