/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other people's names for what the catalogue has: of a data set or a library for networks, of a vendor for SoCs. Whoever
 * comes with a table of theirs need not translate it first. What a name stands for is never guessed. */
#ifndef HS_NAMES_H
#define HS_NAMES_H

#include <stddef.h>

#include "base/status.h"

/* Looks `also` up in a file (doc/formats.md, "Other names"), as hs_spelled_alike() has it. `name` gets the catalogue's name of it, or ""
 * where the file hasn't it; `size` is the room there. HS_IO, or HS_INPUT with the place of what is wrong in the file:
 * also where `also` has two meanings there. */
enum hs_status hs_names_find(const char *file, const char *also, char *name, size_t size, struct hs_error *err);

#endif
