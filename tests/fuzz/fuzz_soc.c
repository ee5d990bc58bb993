/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/soc.h"

#include "fuzz.h"

HS_FUZZ(hs_soc_parse, struct hs_soc, hs_soc_free)
