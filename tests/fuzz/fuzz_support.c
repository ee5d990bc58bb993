/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/op_support.h"

#include "fuzz.h"

HS_FUZZ(hs_op_support_parse, struct hs_op_support, hs_op_support_free)
