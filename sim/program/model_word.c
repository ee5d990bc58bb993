/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/model_word.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

static const double DEADLINE_MAX_S = 1000;
enum { PRIORITY_MAX = 99 };

static bool is_priority(const char *s, int *priority)
{
  long long v;
  if (!hs_whole_parse(s, 0, PRIORITY_MAX, &v)) return false;
  *priority = (int)v;
  return true;
}

/* "deadline=50ms" or "priority=2", each once: `seen` has a bit of each */
static enum hs_status take_setting(struct hs_model_word *w, const char *word, const char *setting, unsigned *seen, struct hs_error *err)
{
  const char *value = strchr(setting, '=');
  size_t name = value ? (size_t)(value++ - setting) : 0;
  bool deadline = name == strlen("deadline") && strncmp(setting, "deadline", name) == 0;
  bool priority = name == strlen("priority") && strncmp(setting, "priority", name) == 0;
  unsigned bit = deadline ? 1 : priority ? 2 : 0;
  if (*seen & bit) return hs_fail(err, HS_USAGE, "%.80s: %.*s is given twice", word, (int)name, setting);
  *seen |= bit;
  if (deadline) {
    if (hs_time_parse(value, &w->deadline_s) && w->deadline_s > 0 && w->deadline_s <= DEADLINE_MAX_S) return HS_OK;
    return hs_fail(err, HS_USAGE, "%.80s: deadline: \"%.40s\" is not a time: write 50ms, 1.5s or 800us, in (0, %g s]", word, value, DEADLINE_MAX_S);
  }
  if (priority) {
    if (is_priority(value, &w->priority)) return HS_OK;
    return hs_fail(err, HS_USAGE, "%.80s: priority: \"%.40s\" is not a whole number in [0, %d]", word, value, PRIORITY_MAX);
  }
  return hs_fail(err, HS_USAGE, "%.80s: \"%.40s\" is neither deadline=TIME nor priority=N", word, setting);
}

/* A pattern may have a colon of its own, and so has what looks like one, a word and a number behind it: poison:5fps. */
static const char *end_of_part(const char *from, bool pattern)
{
  size_t word = pattern ? strspn(from, "abcdefghijklmnopqrstuvwxyz") : 0;
  bool number = from[word] == ':' && from[word + 1] >= '0' && from[word + 1] <= '9';
  if (word && (number || strncmp(from, "poisson:", 8) == 0 || strncmp(from, "burst:", 6) == 0)) from += word + 1;
  return from + strcspn(from, ",:");
}

/* The part of a word after the mark at *at, which moves on to the next one. */
static const char *next_part(struct hs_arena *arena, const char **at, bool pattern)
{
  const char *from = *at + 1;
  *at = end_of_part(from, pattern);
  return hs_arena_printf(arena, "%.*s", (int)(*at - from), from);
}

/* What is before a slash belongs to a file's name, and so does all up to .json: no other part has that. */
const char *hs_model_word_end(const char *word)
{
  const char *from = word, *slash = strrchr(word, '/'), *found;
  if (slash) from = slash;
  for (const char *s = word; (found = strstr(s, ".json")); s = found + 1)
    if (found > from && strchr("@,:", found[5])) from = found + 5; /* or the end */
  return from + strcspn(from, "@,:");
}

const char *hs_model_word_policy(const char *word)
{
  const char *at = hs_model_word_end(word);
  while (*at && *at != ':') at = end_of_part(at + 1, *at == '@');
  return *at ? at + 1 : NULL;
}

enum hs_status hs_model_word_cut(struct hs_arena *arena, const char *word, struct hs_model_word *w, struct hs_error *err)
{
  const char *at = hs_model_word_end(word);
  *w = (struct hs_model_word){.model = hs_arena_printf(arena, "%.*s", (int)(at - word), word), .deadline_s = INFINITY};
  if (*at == '@') HS_TRY(hs_pattern_parse(next_part(arena, &at, true), word, &w->pattern, err));
  if (w->pattern.kind == HS_FIXED) w->deadline_s = w->pattern.period_s; /* a frame must be done before the next one comes */
  for (unsigned seen = 0; *at == ',';) HS_TRY(take_setting(w, word, next_part(arena, &at, false), &seen, err));
  w->policy = *at ? at + 1 : NULL;
  return HS_OK;
}
