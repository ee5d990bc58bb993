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
	socs/profiles/any-paddle-lite.json \
	socs/profiles/any-tflite.json \
	socs/profiles/any-tflite-nnapi.json \
	socs/profiles/any-tflite-xnnpack.json \
	socs/profiles/kirin960-mace.json \
	socs/profiles/kirin960-paddle-lite.json \
	socs/profiles/kirin960-tflite.json \
	socs/profiles/kirin970-mace.json \
	socs/profiles/kirin970-paddle-lite.json \
	socs/profiles/kirin970-tflite.json \
	socs/profiles/kirin985-mace.json \
	socs/profiles/kirin985-paddle-lite.json \
	socs/profiles/kirin985-tflite.json \
	socs/profiles/kirin990-mace.json \
	socs/profiles/kirin990-paddle-lite.json \
	socs/profiles/kirin990-tflite.json \
	socs/profiles/kirin990-tflite-xnnpack.json \
	socs/profiles/sd855-mace.json \
	socs/profiles/sd855-paddle-lite.json \
	socs/profiles/sd855-tflite.json \
	socs/profiles/sd855-tflite-xnnpack.json \
	socs/profiles/sd865-mace.json \
	socs/profiles/sd865-paddle-lite.json \
	socs/profiles/sd865-tflite.json \
	socs/profiles/sd865-tflite-nnapi.json \
	socs/profiles/sd865-tflite-xnnpack.json \
	socs/profiles/sd870-mace.json \
	socs/profiles/sd870-paddle-lite.json \
	socs/profiles/sd870-tflite.json \
	socs/profiles/sd870-tflite-nnapi.json \
	socs/profiles/sd870-tflite-xnnpack.json \
	socs/profiles/sd888-mace.json \
	socs/profiles/sd888-paddle-lite.json \
	socs/profiles/sd888-tflite.json \
	socs/profiles/tensor-mace.json \
	socs/profiles/tensor-paddle-lite.json \
	socs/profiles/tensor-tflite.json \
	socs/profiles/tensor-tflite-xnnpack.json

EXTRA_DIST += socs/README.md
