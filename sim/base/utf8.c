/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/utf8.h"

int hs_utf8_bytes(const char *s)
{
  const unsigned char *p = (const unsigned char *)s;
  if (p[0] < 0x80) return 1;
  int n = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
  unsigned least = p[0] == 0xE0 ? 0xA0 : p[0] == 0xF0 ? 0x90 : 0x80, most = p[0] == 0xED ? 0x9F : p[0] == 0xF4 ? 0x8F : 0xBF;
  if (p[0] < 0xC2 || p[0] > 0xF4 || p[1] < least || p[1] > most) return 0;
  for (int i = 2; i < n; i++)
    if ((p[i] & 0xC0) != 0x80) return 0;
  return n;
}
