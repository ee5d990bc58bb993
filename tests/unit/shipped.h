/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data that ships: the catalogue, its SoCs, and the files of a folder. */
#ifndef HS_TEST_SHIPPED_H
#define HS_TEST_SHIPPED_H

#include "tests/unit/suite.h"

#include <dirent.h>

#include "input/catalog.h"

static inline void open_catalog(struct hs_catalog *c)
{
  struct hs_error err;
  ck_assert_msg(hs_catalog_open(c, &err) == HS_OK, "%s", hs_test_message(&err));
}

static inline struct hs_soc *shipped(const char *name)
{
  struct hs_catalog c;
  struct hs_soc *s = NULL;
  struct hs_error err;
  open_catalog(&c);
  ck_assert_msg(hs_catalog_soc(&c, name, &s, &err) == HS_OK, "%s", hs_test_message(&err));
  hs_catalog_close(&c);
  return s;
}

static const char *const soc_names[] = {"sd855", "sd865", "sd870", "sd888", "kirin960", "kirin970", "kirin985", "kirin990", "tensor"};
enum { N_SOCS = sizeof soc_names / sizeof *soc_names };

/* Names of the JSON files in a folder below the data root. */
static inline int each_file(const struct hs_catalog *c, const char *folder, void (*visit)(const char *path, const char *name))
{
  char path[900];
  int n = 0;
  snprintf(path, sizeof path, "%s/%s", c->root, folder);
  DIR *d = opendir(path);
  ck_assert(d != NULL);
  for (struct dirent *e; (e = readdir(d));) {
    size_t len = strlen(e->d_name);
    if (len < 6 || strcmp(e->d_name + len - 5, ".json") != 0) continue;
    char name[200];
    snprintf(name, sizeof name, "%.*s", (int)(len - 5), e->d_name);
    snprintf(path, sizeof path, "%s/%s/%s", c->root, folder, e->d_name);
    visit(path, name);
    n++;
  }
  closedir(d);
  return n;
}

#endif
