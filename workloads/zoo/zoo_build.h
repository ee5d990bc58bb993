/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How an operator and its results are added to a network: what the files
 * need that write operators (zoo_build.c, zoo_moves.c). Networks use zoo.h.
 * What doesn't fit (a name, a list, a tensor that isn't there) ends in an
 * assertion: networks are part of the program.
 */
#ifndef ZOO_BUILD_H
#define ZOO_BUILD_H

#include "zoo.h"

const struct zoo_tensor *zoo_get(const struct zoo *z, int x);

/* out: "prefix_name", or just the name where the prefix is empty. */
void zoo_join(char out[ZOO_NAME_MAX], const char *prefix, const char *name);

/* A tensor of this shape; its number. */
int zoo_add_tensor(struct zoo *z, const char *name, int rank, const int *dim);

/* An operator in the current block, named after the current scope; what it makes is added by the functions below. */
struct zoo_op *zoo_add_op(struct zoo *z, const char *kind, const char *name, int n_inputs, const int *input);

/* The one output tensor of op, named after it; as an image of batch 1. */
int zoo_result(struct zoo *z, const struct zoo_op *op, int rank, const int *dim);
int zoo_image_result(struct zoo *z, const struct zoo_op *op, int height, int width, int channels);

/* Attributes, of which the keys are the workload format's. */
void zoo_attr_list(struct zoo_op *op, const char *key, enum zoo_attr_kind kind, int n, const int *value);
void zoo_attr_int(struct zoo_op *op, const char *key, int value);
void zoo_attr_pair(struct zoo_op *op, const char *key, int a, int b);

#endif
