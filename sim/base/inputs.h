/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that this process and its children have read: a result in the place of one would destroy it. */
#ifndef HS_INPUTS_H
#define HS_INPUTS_H

#include <stdbool.h>
#include <stdio.h>

/* Before there are children, whose files would be unknown else. */
void hs_inputs_open(void);

void hs_inputs_note(FILE *f);
/* However its name is written; false where there is no such file. */
bool hs_inputs_have(const char *path);
/* A new version of it may be put in its place: a profile is calibrated again. */
void hs_inputs_release(const char *path);

#endif
