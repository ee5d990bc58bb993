/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON of the real program, and what tests take out of it. */
#ifndef HS_TEST_JSON_H
#define HS_TEST_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "tests/unit/suite.h"

/* What the program prints; owned by the caller. */
static inline cJSON *run(const char *arguments)
{
  char command[2000];
  struct hs_text out = {0};
  char buf[4096];
  const char *program = getenv("HETSIM");
  snprintf(command, sizeof command, "%s %s", program ? program : "./hetsim", arguments);
  FILE *f = popen(command, "r");
  ck_assert(f != NULL);
  while (fgets(buf, sizeof buf, f)) hs_text_add(&out, buf);
  ck_assert_int_eq(pclose(f), 0);
  cJSON *json = cJSON_ParseWithOpts(out.s, NULL, 1);
  ck_assert_msg(json != NULL, "not JSON: %s", arguments);
  hs_text_free(&out);
  return json;
}

static inline double number(const cJSON *o, const char *key)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, key);
  ck_assert_msg(cJSON_IsNumber(item), "no number \"%s\"", key);
  return item->valuedouble;
}

static inline const cJSON *array(const cJSON *o, const char *key)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, key);
  ck_assert_msg(cJSON_IsArray(item), "no array \"%s\"", key);
  return item;
}

static inline const char *text(const cJSON *o, const char *key)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, key);
  ck_assert_msg(cJSON_IsString(item), "no text \"%s\"", key);
  return item->valuestring;
}

#endif
