/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/codl_plans.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* --- networks: which operator of ours is which of the release's --- */

struct network {
  const char *name;
  int n, n_release;          /* operators that are cut: of our workload, of the release's */
  const signed char *order;  /* [n]: the release's number of each of ours, or -1; NULL: the same */
  const char *plan;          /* whose plans are its own: a network and what CoDL kept of it have the same convolutions */
};

/* The release's last three operators aren't darknet's (1024 → 1536 and 125 → 1024 channels stand for the passthrough). */
static const signed char yolov2_order[28] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                                             14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, -1, -1, -1};

/* The release leaves the shortcuts' convolutions and poolings out and lists a level's lateral convolution after its smoothing
 * one, and the predictors of scores last. Apart from operator 45 (20x18 there) multiply-accumulates agree one by one. */
static const signed char retinaface_order[95] = {
  0,  1,  2,  3,  4,  -1, 5,  6,  7,  8,  9,  10, -1, 11, 12, 13, -1, 14, 15, 16, 17, 18, 19, 20, 21, 22, -1, 23, 24, 25, -1, 26,
  27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, -1, 41, 42, 43, -1, 44, 45, 46, 47, 48, 49, 50, -1, 52, 51, 54, 53, 56,
  55, 57, 58, 59, 60, 61, 82, 62, 63, 64, 65, 66, 83, 67, 68, 69, 70, 71, 84, 72, 73, 74, 75, 76, 85, 77, 78, 79, 80, 81, 86};

/* The same without what the release leaves out, but for the subsampling. */
static const signed char retinaface_codl_order[88] = {
  0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
  30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, -1, 52, 51, 54, 53, 56, 55, 57, 58,
  59, 60, 61, 82, 62, 63, 64, 65, 66, 83, 67, 68, 69, 70, 71, 84, 72, 73, 74, 75, 76, 85, 77, 78, 79, 80, 81, 86};

static const struct network networks[] = {
  {"yolov2", 28, 27, yolov2_order, "yolov2"}, {"yolov2_codl", 27, 27, NULL, "yolov2"}, {"posenet", 34, 34, NULL, "posenet"},
  {"vgg16", 21, 21, NULL, "vgg16"}, {"fst", 14, 14, NULL, "fst"}, {"fst_codl", 14, 14, NULL, "fst"},
  {"retinaface", 95, 87, retinaface_order, "retinaface"}, {"retinaface_codl", 88, 87, retinaface_codl_order, "retinaface"},
};
enum { N_NETWORKS = sizeof networks / sizeof *networks, OPS_MAX = 95 };

/* --- plans --- */

/* One word per chain, as "6h7": six operators cut by height (c: by output channel), 7 tenths of them on the GPU. Where the
 * release assigns a plan twice this is the last one. It lists 97 dimensions for RetinaFace's 87 operators on the sd855, and runs the first 87,
 * because nothing compares the counts: those are here. */
static const struct plan {
  const char *network, *soc;
  const char *chains;
} plans[] = {
  {"yolov2", "sd855", "2h10 6h7 3h5 7h5 c5 h10 c5 h10 c5 c5 c5 c5 h10"},
  {"yolov2", "sd865", "2h8 5h7 5h5 2h5 2h5 4h4 2h4 c5 c5 c5 c5 h10"},
  {"yolov2", "sd888", "8h7 4h5 4h5 2h4 2h5 2h5 2h4 c5 c5 h10"},
  {"yolov2", "kirin990", "h5 h10 h10 h10 h10 h5 h4 h10 h3 h5 h3 h10 h3 h4 h3 h4 h3 h10 h3 h4 h3 h4 h3 h3 h3 h3 h3"},
  {"posenet", "sd855", "2h6 h10 2h5 h10 2h4 3h4 3h5 2h5 4h6 h6 2h7 h7 3h7 h6 c7 2h7 3h6"},
  {"posenet", "sd865", "5h6 h10 2h4 h4 2h4 c5 c5 2h5 5h5 h6 h7 h6 4h7 h7 2h7 h7 3h7"},
  {"posenet", "sd888", "2h6 2h6 h5 3h5 3h4 2h5 3h5 4h5 2h7 3h7 h10 3h7 2h7 3h7"},
  {"posenet", "kirin990", "h7 h5 h10 h10 h4 h10 h4 h3 h3 h3 h10 h3 h3 h3 h3 h3 h3 h3 h5 h5 h4 h4 h4 h4 h4 h7 h6 h4 h4 h4 h4 h4 h7 h7"},
  {"vgg16", "sd855", "h10 2h6 5h5 2h5 2h4 c5 h10 c5 c5 c5 h10 c6 c2 c5"},
  {"vgg16", "sd865", "3h6 5h5 2h5 2h4 2h3 c5 c5 c5 h10 c5 c2 c1"},
  {"vgg16", "sd888", "2h6 2h6 h5 4h5 3h5 2h5 c5 c5 c5 h10 c5 c2 c1"},
  {"vgg16", "kirin990", "h4 h4 h10 h4 h3 h10 h3 h3 h3 h10 h3 h3 h3 h10 h3 h3 h10 h10 h2 h1 h2"},
  {"fst", "sd855", "h6 h9 h9 h5 h5 2h5 h5 h5 2h5 2h5 c10"},
  {"fst", "sd865", "h6 2h9 2h5 h5 6h5 h5 h9"},
  {"fst", "sd888", "h7 2h9 3h5 h5 h5 h5 h5 h5 h5 h5 c10"},
  {"fst", "kirin990", "h4 h8 h8 h4 h3 h3 h3 h3 h3 h3 h3 h3 h3 h4"},
  {"retinaface", "sd855",
   "18h7 21h6 10h10 2h7 h5 h10 h5 h10 h3 h7 h5 h6 h6 h3 c9 h5 h7 h6 h5 h10 h7 h10 h10 h6 c8 h10 h10 h10 h10 h8 h10 h10 "
   "h10 h10 c9 h10 h10 h9 h10 c10"},
  {"retinaface", "sd865",
   "18h7 11h6 10h6 3h10 6h5 3h5 c5 h10 h4 h7 h3 h7 h5 h5 h5 h3 h9 h5 h6 h6 h5 c10 h6 h7 h8 h6 h10 h10 h10 h10 h10 h10 h10 "
   "h10 h10 h10 c10 h9 h10 h10 h10 h10"},
  {"retinaface", "sd888",
   "h7 2h8 6h7 3h10 7h6 2h7 h10 h10 6h6 6h6 4h6 3h8 3h6 3h6 3h6 c5 h10 h4 h7 h3 h7 h5 h5 h5 h3 h9 h5 h6 h6 h5 c10 h6 h7 h8 "
   "h6 h10 h10 h10 h10 h10 h10 h10 h10 h10 h10 c10 h9 h10 h10 h10 h10"},
  {"retinaface", "kirin990",
   "h4 h10 h6 h5 h6 h6 h4 h6 h6 h7 h5 h5 h3 h5 h5 h4 h5 h5 h3 h5 h5 h6 h4 h4 h3 h4 h5 h3 h4 h5 h3 h4 h4 h3 h4 h4 h3 h4 h4 "
   "h6 h4 h4 h3 h4 h4 h3 h4 h4 h3 h4 h4 h10 h4 h10 h5 h3 h6 h3 h4 h4 h3 h4 h3 h4 h4 h3 h4 h3 h3 h3 h3 h4 h4 h3 h3 h3 h2 h1 "
   "h1 h1 h2 h1 h10 h1 h2 h1 h10"},
};
enum { N_PLANS = sizeof plans / sizeof *plans };

/* Operators of the release, in its order. */
static int parse(const char *text, struct hs_published_cut *cuts)
{
  int n = 0;
  for (int chain = 0; *text; chain++) {
    char *end;
    int length = isdigit((unsigned char)*text) ? (int)strtol(text, &end, 10) : 1;
    if (isdigit((unsigned char)*text)) text = end;
    enum hs_split split = *text == 'h' ? HS_SPLIT_HEIGHT : HS_SPLIT_CHANNEL;
    int tenths = (int)strtol(text + 1, &end, 10);
    for (int i = 0; i < length && n < OPS_MAX; i++) cuts[n++] = (struct hs_published_cut){split, tenths, chain};
    text = *end ? end + 1 : end;
  }
  return n;
}

static enum hs_status none(const char *network, const char *soc, struct hs_error *err)
{
  struct hs_text list = {0};
  for (int i = 0; i < N_PLANS; i++) {
    bool same = i > 0 && strcmp(plans[i].network, plans[i - 1].network) == 0;
    hs_text_addf(&list, "%s%s%s%s", !list.len ? "" : same ? "/" : ", ", same ? "" : plans[i].network, same ? "" : " on ", plans[i].soc);
  }
  hs_fail(err, HS_INPUT, "CoDL published no plan for %s on %s (there are: %s; plan_of says whose to replay)", network, soc, list.s);
  hs_text_free(&list);
  return err->status;
}

enum hs_status hs_codl_published(const char *network, const char *soc, int n, struct hs_published_cut *cuts, struct hs_error *err)
{
  const struct plan *plan = NULL;
  const struct network *net = NULL;
  struct hs_published_cut release[OPS_MAX];
  for (int i = 0; i < N_NETWORKS; i++)
    if (strcmp(networks[i].name, network) == 0) net = &networks[i];
  for (int i = 0; i < N_PLANS && net; i++)
    if (strcmp(plans[i].network, net->plan) == 0 && strcmp(plans[i].soc, soc) == 0) plan = &plans[i];
  if (!plan) return none(network, soc, err);
  if (n != net->n)
    return hs_fail(err, HS_INPUT, "CoDL's published plan for %s is mapped onto %d operators that can be cut, and this network has %d", network, net->n, n);
  int n_cuts = parse(plan->chains, release);
  assert(n_cuts == net->n_release);
  for (int i = 0; i < n; i++) {
    int of = net->order ? net->order[i] : i;
    cuts[i] = of < 0 ? (struct hs_published_cut){HS_SPLIT_NONE, 0, -1} : release[of];
  }
  return HS_OK;
}
