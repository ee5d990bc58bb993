/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stable order: the same on any machine, whatever a library's sort does with equals. */
#ifndef HS_ORDER_H
#define HS_ORDER_H

/* order[n]: places of key[n] by ascending key, equal ones as they stand. No key is NaN. */
void hs_order_by(const double *key, int n, int *order);

#endif
