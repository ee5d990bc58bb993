# SPDX-License-Identifier: GPL-3.0-or-later
nobase_dist_pkgdata_DATA += \
	socs/kirin960.json \
	socs/kirin970.json \
	socs/kirin985.json \
	socs/kirin990.json \
	socs/sd855.json \
	socs/sd865.json \
	socs/sd870.json \
	socs/sd888.json \
	socs/tensor.json \
	socs/profiles/any-mace.json \
	socs/profiles/any-tflite.json

EXTRA_DIST += socs/README.md
