/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of TensorFlow Lite's operator profiles. */
#include "tests/fuzz/desk.h"

static enum hs_status parse(const char *file, const char *text, size_t len, struct hs_measurements **m, struct hs_error *err)
{
  struct hs_measurements *made = hs_fuzz_desk();
  char *copy = hs_fuzz_copy(text, len);
  enum hs_status status = hs_measurements_parse_tflite(made, file, copy, len, "squeezenet", "cpu", false, err);
  free(copy);
  return hs_fuzz_measured(status, made, m, err);
}

HS_FUZZ(parse, struct hs_measurements, hs_fuzz_use, hs_fuzz_release)
