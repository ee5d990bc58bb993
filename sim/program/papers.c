/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The papers whose tables and figures are run again. */
#include <stdio.h>

#include "program/reproduce.h"

const struct hs_paper *const hs_papers[HS_PAPERS] = {&hs_paper_mosaic, &hs_paper_nn_stretch, &hs_paper_study};

void hs_papers_words(const char *between, struct hs_text *out)
{
  for (int p = 0; p < HS_PAPERS; p++) hs_text_addf(out, "%s%s", p ? between : "", hs_papers[p]->name);
}

void hs_papers_each(void (*each)(void *state, const char *name, const char *title), void *state)
{
  char name[60];
  for (int p = 0; p < HS_PAPERS; p++)
    for (int i = 0; i < hs_papers[p]->n; i++) {
      snprintf(name, sizeof name, "%s %s", hs_papers[p]->name, hs_papers[p]->items[i].name);
      each(state, name, hs_papers[p]->items[i].title);
    }
}
