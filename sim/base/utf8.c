/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/utf8.h"

int hs_utf8_bytes(const char *s)
{
  const unsigned char *p = (const unsigned char *)s;
  if (p[0] < 0x80) return 1;
  int n = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
  unsigned least = 0x80, most = 0xBF; /* of the second byte */
  if (p[0] == 0xE0) least = 0xA0;     /* below: would fit into two bytes */
  if (p[0] == 0xED) most = 0x9F;      /* above: surrogates */
  if (p[0] == 0xF0) least = 0x90;     /* below: would fit into three bytes */
  if (p[0] == 0xF4) most = 0x8F;      /* above: beyond U+10FFFF */
  if (p[0] < 0xC2 || p[0] > 0xF4 || p[1] < least || p[1] > most) return 0;
  for (int i = 2; i < n; i++)
    if ((p[i] & 0xC0) != 0x80) return 0;
  return n;
}
