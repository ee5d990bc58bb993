#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hetsim --opt (opt.sh has every pass on every network).
. "$(dirname "$0")/helpers.sh" || exit 1

# --- optimisations ---
accept "optimised by prune=0.3,lowrank=0.5,fuse,memplan,reuse=1: " --soc sd855 --policy codl resnet18 --opt=prune=0.3,lowrank=0.5,fuse,memplan,reuse=1 --check
accept "per frame of a video, not simulated: scaled as in a published table, where VMAF is 47 instead of 49" --soc sd855 --policy cpu resnet18 --opt reuse=1
accept "not told here: requests waited for each other" --soc sd855 --policy cpu squeezenet@1000fps -n 20 --opt=reuse=2
accept "Reuse          30 %       of a frame's rows are as in the frame before" --soc sd855 --policy codl yolov2@5fps --opt reuse=0.3,memplan --duration 2 --check
accept "(weights, what is kept of the frame before, and live tensors)" --soc sd855 --policy mosaic mobilenet_v2_1.0 --runtime tflite --opt reuse=0.3 --check
accept "int8, 4 threads" --soc sd855 --policy cpu resnet18 --opt=quantize=int8 # MACE can't: the runtime gives way
accept "optimised by fuse,memplan" compare --soc sd855 resnet18 --policies=cpu,gpu --opt=fuse,memplan
accept "optimised by fuse" explain --soc sd855 --policy gpu resnet18 --opt=fuse
accept "Latency" --soc sd855 --policy nn-stretch regnetx_1.6gf --opt=fuse --check # a fused shortcut in a branch whose width changes
refuse 2 '--opt: there is no pass "prun"; did you mean prune?' $run --opt=prun=0.3 -o r.txt
refuse 2 '--opt: fuse is named twice' compare --soc sd855 squeezenet --opt=fuse,fuse -o r.txt --svg=b.svg
refuse 2 '--opt: lowrank=2: it takes a ratio between 0 and 1' explain --soc sd855 --policy gpu squeezenet --opt=lowrank=2 -o r.txt
refuse 2 "--opt: quantize and --precision both set the precision" $run --opt=quantize=int8 --precision=int8 -o r.txt
refuse 2 "--opt: reuse is about a stream of frames, and goes with hetsim run only" explain --soc sd855 --policy gpu squeezenet --opt=reuse=2 -o r.txt
refuse 2 "--opt: reuse is about a stream of frames, and goes with hetsim run only" compare --soc sd855 squeezenet --opt=reuse=2 -o r.txt
refuse 2 "--opt does not go with hetsim show" show model squeezenet --opt=fuse
refuse 3 "--opt: fuse on vgg16: no rule applies to what the runtime's converter left, or only where a processor would lose an operator" --soc sd855 --policy gpu vgg16 --opt=fuse -o r.txt
refuse 3 "--opt: quantize=fp16 on squeezenet: no processor of sd855 that policy cpu places operators on computes in it under runtime mace" --soc sd855 --policy cpu --runtime mace squeezenet --opt=quantize=fp16 -o r.txt
# what falls back to the CPU isn't what the policy placed
refuse 3 "quantize=int8 on mobilenet_v1: no processor of sd855 that policy gpu places operators on computes in it under runtime mace" --soc sd855 --policy gpu mobilenet_v1 --opt=quantize=int8
# where the policy's own runtime can't run the network, that isn't the reason, but what the next one that can lacks
refuse 3 "quantize=int8 on deit_tiny_224: no processor of sd855 that policy gpu places operators on computes in it under runtime tflite" --soc sd855 --policy gpu deit_tiny_224 --opt=quantize=int8
accept "policy cpu, runtime paddle-lite" --soc sd855 --policy cpu squeezenet --opt=quantize=fp16 # the one that has halves on a CPU
refuse 3 '--opt: prune=0.3 on shufflenet_v1: no convolution would lose channels' --soc sd855 --policy cpu shufflenet_v1 --opt=prune=0.3 -o r.txt
refuse 3 '--opt: prune=0.3 on shufflenet_v1: no convolution' compare --soc sd855 shufflenet_v1 --policies=cpu,npu --opt=prune=0.3 -o r.txt
accept "optimised by prune=0.3: 2.25 GMAC of 3.45 GMAC," --soc sd855 --policy cpu yolov4_tiny --opt=prune=0.3 # its boxes keep their channels
refuse 3 "--opt: fuse on vgg16" --soc sd855 --policy gpu resnet18 vgg16 --opt=fuse -o r.txt # of several networks each

finish
