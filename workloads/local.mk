# SPDX-License-Identifier: GPL-3.0-or-later
nobase_dist_pkgdata_DATA += \
	workloads/efficientnet_b5.json \
	workloads/efficientnet_b5_224.json \
	workloads/efficientnet_b5_relu6_224.json \
	workloads/efficientnet_lite0.json \
	workloads/efficientnet_lite2.json \
	workloads/efficientnet_lite4.json \
	workloads/efficientnet_lite4_224.json \
	workloads/fdmobilenet_0.5.json \
	workloads/fst.json \
	workloads/fst_codl.json \
	workloads/ghostnet.json \
	workloads/inception_resnet_v2.json \
	workloads/inception_v4.json \
	workloads/mnasnet_0.5.json \
	workloads/mnasnet_1.0.json \
	workloads/mnasnet_1.0_tf2cv.json \
	workloads/mnasnet_1.3.json \
	workloads/mobilenet_v1.json \
	workloads/mobilenet_v2_1.0.json \
	workloads/mobilenet_v2_1.0_tf2cv.json \
	workloads/mobilenet_v2_1.3.json \
	workloads/mobilenet_v2_1.4.json \
	workloads/mobilenet_v3_large_0.5.json \
	workloads/mobilenet_v3_small_0.75.json \
	workloads/posenet.json \
	workloads/preresnet18.json \
	workloads/regnetx_0.6gf.json \
	workloads/regnetx_1.6gf.json \
	workloads/regnetx_1.6gf_split.json \
	workloads/regnetx_4.0gf.json \
	workloads/regnetx_4.0gf_split.json \
	workloads/resnet18.json \
	workloads/resnet26.json \
	workloads/resnet34.json \
	workloads/resnet50.json \
	workloads/resnet56.json \
	workloads/resnet_v2_152.json \
	workloads/resnet_v2_152_slim.json \
	workloads/retinaface.json \
	workloads/seresnet16.json \
	workloads/shufflenet_v2.json \
	workloads/spnasnet.json \
	workloads/squeezenet.json \
	workloads/squeezenet_1.1.json \
	workloads/vgg16.json \
	workloads/vovnet27_slim.json \
	workloads/yolov2.json \
	workloads/op-support/armnn-nnapi-1.0.json \
	workloads/op-support/codl-gpu-buffer.json \
	workloads/op-support/codl-gpu-image.json \
	workloads/op-support/edgetpu-coral.json \
	workloads/op-support/kirin-npu-hiai.json \
	workloads/op-support/kirin-npu-mindspore.json \
	workloads/op-support/kirin-npu-paddle.json \
	workloads/op-support/mace-cpu.json \
	workloads/op-support/mace-gpu-buffer.json \
	workloads/op-support/mace-gpu-image.json \
	workloads/op-support/mace-hexagon.json \
	workloads/op-support/mace-qnn-htp.json \
	workloads/op-support/nnapi-1.0.json \
	workloads/op-support/nnapi-1.1.json \
	workloads/op-support/nnapi-1.2.json \
	workloads/op-support/nnapi-1.3.json \
	workloads/op-support/qnn-htp-ort.json \
	workloads/op-support/snpe-dsp.json \
	workloads/op-support/tensor-nnapi.json \
	workloads/op-support/tflite-cpu.json \
	workloads/op-support/tflite-gpu.json \
	workloads/op-support/tflite-hexagon.json \
	workloads/op-support/tflite-xnnpack-fp32.json \
	workloads/op-support/tflite-xnnpack-int8.json

noinst_PROGRAMS += hetsim-zoo
hetsim_zoo_SOURCES = \
	workloads/zoo/zoo.h \
	workloads/zoo/zoo_blocks.c \
	workloads/zoo/zoo_blocks.h \
	workloads/zoo/zoo_build.c \
	workloads/zoo/zoo_detect.c \
	workloads/zoo/zoo_efficientnet.c \
	workloads/zoo/zoo_inception.c \
	workloads/zoo/zoo_main.c \
	workloads/zoo/zoo_mobile.c \
	workloads/zoo/zoo_resnet.c \
	workloads/zoo/zoo_style.c \
	workloads/zoo/zoo_tf2cv.c \
	workloads/zoo/zoo_vgg.c \
	workloads/zoo/zoo_write.c

# writes the networks anew into the source folder
.PHONY: zoo
zoo: hetsim-zoo$(EXEEXT)
	./hetsim-zoo$(EXEEXT) $(srcdir)/workloads
