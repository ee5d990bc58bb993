/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MobileSeg's decoder, which PP-HumanSeg has, too.
 */
#ifndef ZOO_MOBILESEG_H
#define ZOO_MOBILESEG_H

#include "zoo_paddle.h"

/* MobileSeg's decoder over n levels, the largest one first: scores of a class for every pixel of height by width. fused, of_scores: widths of
 * the levels it fuses, of what the scores are made of; all_levels: it joins these once more in the end. */
struct zoo_mobileseg {
	int n, fused[ZOO_PADDLE_LEVELS], of_scores, classes;
	bool all_levels;
};
int zoo_mobileseg(struct zoo *z, const struct zoo_mobileseg *m, int height, int width, const int *level);

#endif
