/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validation/claims.csv: what others measured or claim, the command that gives ours, and the part each row had in the profiles. Reads and
 * checks the file; runs nothing. The format is in doc/formats.md. */
#ifndef HS_CLAIMS_H
#define HS_CLAIMS_H

#include "program/quantity.h"

/* What a row is to the model. A row is never both of the first two. */
enum hs_role {
  HS_ROLE_CALIBRATED, /* coefficients were fitted to it */
  HS_ROLE_HELD_OUT,   /* nothing was */
  HS_ROLE_ORDERING,   /* an order or a trend, to which nothing was fitted */
  HS_ROLE_OPEN,       /* it needs what isn't modelled: not run */
  HS_ROLE_N
};
extern const char *const hs_role_names[HS_ROLE_N];

enum hs_expected { HS_EXPECT_VALUE, HS_EXPECT_RANGE, HS_EXPECT_HOLDS };

/* A fit that used the row, and how many free parameters it had. */
struct hs_claim_fit {
  const char *name;
  int n_free;
};
enum { HS_CLAIM_FITS_MAX = 4 };

/* Strings are empty where the cell is. */
struct hs_claim_row {
  int line;
  const char *id, *group, *command_text, *field, *expected_text, *unit, *source, *note;
  const char *reason; /* of a known failure, or why the row is open */
  enum hs_role role;
  int n_commands;
  const char *commands[HS_QUANTITY_COMMANDS_MAX];
  const char *same_commands; /* of all ways to spell them one, for comparison */
  struct hs_quantity quantity;
  enum hs_expected kind;
  double expected;  /* of a value, in `unit` */
  double low, high; /* of a range, in `unit`; infinite where open */
  bool strict;      /* of a range: its ends don't count */
  double scale;     /* SI value of one `unit` */
  double tolerance; /* of a value, in `unit` */
  int n_fits;
  struct hs_claim_fit fits[HS_CLAIM_FITS_MAX];
};

struct hs_claims {
  struct hs_arena arena;
  int n, cap;
  struct hs_claim_row *rows;
};

/* Zeroed before; hs_claims_free() in any state. HS_INPUT with file and line, value and rule. */
enum hs_status hs_claims_read(const char *file, struct hs_claims *claims, struct hs_error *err);
/* `text` is NUL-terminated and is copied. */
enum hs_status hs_claims_parse(const char *file, const char *text, struct hs_claims *claims, struct hs_error *err);
/* The file that comes with the other data, into file[size]. */
enum hs_status hs_claims_path(char *file, size_t size, struct hs_error *err);
void hs_claims_free(struct hs_claims *claims);

#endif
