/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names: which are allowed, which mean the same, and which was meant by one that is wrong. */
#ifndef HS_SPELLING_H
#define HS_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/text.h"

/* Do two people mean the same name? Capitals don't matter, nor separators (- _ . and blanks), but that there is one between two digits:
 * "ResNet-50" is resnet50, "squeezenet1_1" is squeezenet_1.1, and "resnet101" isn't resnet10_1. */
bool hs_spelled_alike(const char *a, const char *b);

/* Index of the name in names[0..n) that is nearest to `name`: the shortest that begins with it, spelt in whatever way, where it has at least
 * three characters, else by edit distance (ties: first); -1 if none is near. */
int hs_nearest(const char *name, const char *const *names, int n);
/* The key in keys[0..n) that `key` may be meant by: one that it begins with, else as above, but nearer, as keys of one object share words and units
 * (static_w isn't dynamic_w, nor llc_bytes capacity_bytes); -1: none. */
int hs_nearest_key(const char *key, const char *const *keys, int n);

/* Adds: "name"; did you mean X? (there are: …), with as many of names[0..n) as fit into a message. What there isn't stands before that. */
void hs_unknown_name(struct hs_text *out, const char *name, const char *const *names, int n);
/* HS_USAGE: WHAT "name"; did you mean X? (there are: …). `what` is a format, such as "there is no policy" or "policy %s has no parameter". */
enum hs_status hs_fail_unknown(struct hs_error *err, const char *name, const char *const *names, int n, const char *what, ...) HS_PRINTF(5, 6);

/* Whether s may name a thing of an input file: 1 to 63 letters, digits and _ . / : + -; if not, the rule that it breaks in rule[size]. */
bool hs_name_allowed(const char *s, char *rule, size_t size);

#endif
