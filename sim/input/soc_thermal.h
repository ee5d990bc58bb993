/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thermal part of a SoC description: nodes, links, trips and a vendor's caps, and whether heat can leave every node at a rate that a die can have. */
#ifndef HS_SOC_THERMAL_H
#define HS_SOC_THERMAL_H

#include "input/json_in.h"
#include "input/soc.h"

/* Reads $.thermal into soc, whose processors are there already. */
enum hs_status hs_soc_read_thermal(struct hs_json_at *root, struct hs_soc *soc, struct hs_error *err);

#endif
