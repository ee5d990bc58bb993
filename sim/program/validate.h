/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims against the model: runs every command once, in a child, and judges every row. How it is shown is for cmd_validate.c. */
#ifndef HS_VALIDATE_H
#define HS_VALIDATE_H

#include "program/claims.h"

/* What became of a row. */
enum hs_verdict {
  HS_VERDICT_PASS,
  HS_VERDICT_FAIL,
  HS_VERDICT_KNOWN, /* fails, and the file says why */
  HS_VERDICT_OPEN,  /* not run */
  HS_VERDICT_N
};

struct hs_judged {
  const struct hs_claim_row *row;
  enum hs_verdict verdict;
  double simulated;  /* in the row's unit; 1 or 0 where it holds or not; NAN where it can't run */
  double error_frac; /* of a value: simulated ÷ expected − 1; of a range: how far outside, 0 inside; else NAN */
  const char *seen;  /* of an order or statement: the numbers; why it can't run; or empty */
  bool asked_fitted; /* held out, but a calibrated row, of another source or figure, asks the same of the same command */
};

/* Rows of one group and role. */
struct hs_claim_group {
  const char *name;
  enum hs_role role;
  int n;           /* rows that expect a number and have an error: those that `mape_frac` is of */
  double mape_frac; /* NAN where n is 0 */
  int n_fitted;    /* free parameters of the fits that used one of its rows */
  int n_claims, n_pass, n_known, n_fail;
};

struct hs_validation {
  struct hs_arena arena;
  int n; /* as many as rows, in their order */
  struct hs_judged *judged;
  int n_groups; /* in the order in which they come first */
  struct hs_claim_group *groups;
  int n_commands; /* that ran */
};

/* Zeroed before; hs_validation_free() in any state; borrows the claims. HS_INPUT with the file's line for a command, a field or an expected value
 * that can't be; a network that can't run there is a failed claim. */
enum hs_status hs_validate(const char *file, const struct hs_claims *claims, struct hs_validation *v, struct hs_error *err);
void hs_validation_free(struct hs_validation *v);

#endif
