/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/profile.h"

#include "fuzz.h"

HS_FUZZ(hs_profile_parse, struct hs_profile, hs_profile_free)
