# SPDX-License-Identifier: GPL-3.0-or-later
nobase_dist_pkgdata_DATA += validation/claims.csv
EXTRA_DIST += validation/adaptive.sh validation/figures.sh validation/qed-usc.awk validation/qed-usc.networks validation/refit-sd855.sh
CLEANFILES += validation.txt
