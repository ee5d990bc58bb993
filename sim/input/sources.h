/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where numbers come from: reads the `sources` table of a file and walks the whole document, so that no number is
 * without a source, no source name dangles and no `source` speaks of a key that isn't there (doc/formats.md). */
#ifndef HS_SOURCES_H
#define HS_SOURCES_H

#include "input/json_in.h"
#include "input/soc.h"

/* Reads $.sources, ends the root object, whose other keys must have been read, then collects every number below it. Strings
 * live in `arena`, the lists in it too. */
enum hs_status hs_sources_read(struct hs_json_at *root, struct hs_arena *arena, struct hs_sources *s, struct hs_error *err);

/* Ends an object that may have a key "source"; hs_sources_read() checks that. */
enum hs_status hs_sources_end(struct hs_json_at *object, struct hs_error *err);

#endif
