#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Wrong usage: exit status 2, and what is said.
. "$(dirname "$0")/helpers.sh" || exit 1

refuse 2 "squeezenet,deadline=5ms,deadline=6ms: deadline is given twice" --soc sd855 --policy cpu squeezenet,deadline=5ms,deadline=6ms
refuse 2 "--soc is given twice" compare --soc sd855 --soc sd888 squeezenet
refuse 2 "squeezenet,deadline=5ms,dedline=6ms: \"dedline=6ms\" is neither deadline=TIME nor priority=N" --soc sd855 --policy cpu squeezenet,deadline=5ms,dedline=6ms
refuse 2 "squeezenet,priority=1,prio=2: \"prio=2\" is neither deadline=TIME nor priority=N" --soc sd855 --policy cpu squeezenet,priority=1,prio=2
long=$(printf '%01030d' 0 | tr 0 .)/x
refuse 2 "the path of a SoC is longer than 1023 characters: ...." --soc "$long.json" --policy cpu squeezenet
refuse 2 "the path of a workload is longer than 1023 characters: ...." --soc sd855 --policy cpu "$long.json"
refuse 6 "can't open: File name too long" validate --claims="$long.csv"
refuse 2 "priority is given twice" --soc sd855 --policy cpu squeezenet,priority=1,deadline=6ms,priority=1
refuse 2 'there is no runtime "tflit"; did you mean tflite?' show model squeezenet --runtime tflit
refuse 2 'there is no policy "codel"; did you mean codl? (there are: cpu, ' show policy codel
refuse 2 " more)" --soc sd855 --policy gpu squeezenett -o r.txt
# --- usage: 2 ---
refuse 2 "--soc is missing" --policy gpu squeezenet
refuse 2 "--soc is missing, or did you mean hetsim list?" lsit socs
refuse 2 "--policy is missing, or did you mean hetsim compare?" comprae --soc sd855 squeezenet
refuse 2 "--policy is missing" --soc sd855 squeezenet
commands="run, list, show, compare, explain, reproduce, validate, calibrate"
refuse 2 "\"foo\" is neither a command (there are: $commands) nor a network (hetsim list models)" foo
refuse 2 '"foo" is neither a command' foo bar --policy gpu
refuse 2 '"foo@30fps" is neither a command' foo@30fps --soc sd855
refuse 2 "hetsim: --soc is missing" run foo
refuse 2 "hetsim: --soc is missing" ./foo
refuse 2 "hetsim: --soc is missing" mobilenet_wd4@30fps:cpu
accept '"params": {"plan": "published"' --soc sd855 yolov2:codl squeezenet:cpu --param plan=published --format=json # of the first one's policy
refuse 2 "policy cpu has no parameter" --soc sd855 squeezenet:cpu yolov2:codl --param plan=published
for how in "codl --param chain=none" "codl:chain=none" "mosaic --objective=energy"; do
  refuse 2 "parameters of policy ${how%%[ :]*} have no effect: each network has a policy of its own" --soc kirin970 yolov2:gpu squeezenet:cpu --policy $how
done
refuse 2 "--policy: heft has no effect: each network has a policy of its own" --soc sd855 --policy heft yolov2:codl
refuse 2 "--policy: npu has no effect: each network has a policy of its own" --soc sd855 --policy npu yolov2:codl squeezenet@30fps:cpu
accept "squeezenet:codl" --soc sd855 --policy codl yolov2:gpu squeezenet:codl # as for its parameters: it's there
refuse 2 '--policy is missing, and "squeezenet@burst:2x5fps" names none' --soc sd855 mobilenet_v1:cpu squeezenet@burst:2x5fps
accept 'yolov2 on sd855' --soc SD855 --policy gpu YOLO-v2
refuse 2 'there is no workload "YOLOv22"; did you mean yolov2?' --soc sd855 --policy gpu YOLOv22
refuse 2 "MODEL is missing" --soc sd855 --policy gpu
refuse 2 'squeezenet@30: "30" is not a rate' --soc sd855 --policy gpu squeezenet@30
refuse 2 'squeezenet@0fps: "0fps" is not a rate' --soc sd855 --policy gpu squeezenet@0fps
refuse 2 'squeezenet@burst:x5fps: "x5fps" is not a burst' --soc sd855 --policy gpu squeezenet@burst:x5fps
refuse 2 'squeezenet,deadline=5: deadline: "5" is not a time' --soc sd855 --policy gpu squeezenet,deadline=5
refuse 2 'squeezenet,priority=x: priority: "x" is not a whole number in [0, 99]' --soc sd855 --policy gpu squeezenet,priority=x
refuse 2 "--inferences and --duration: a run ends by one of them" $run --duration 1 -n 2
for duration in 0 -1 0s 1h 1ss s inf 1e5 0x1 86401 ''; do
  refuse 2 "--duration: \"$duration\" is not a number of seconds in (0, 86400]" $run "--duration=$duration"
done
fingerprint() { "$HETSIM" --soc sd855 --policy gpu squeezenet@10fps --format=csv --duration=$1 | sed -n '2s/.*,//p'; }
seconds=$(fingerprint 0.2)
for duration in 0.2s 200ms 200000us; do
  if [ -n "$seconds" ] && [ "$(fingerprint $duration)" = "$seconds" ]; then pass; else fail "--duration=$duration isn't 0.2"; fi
done
if [ "$(fingerprint 0.3s)" != "$seconds" ]; then pass; else fail "--duration=0.3s is 0.2"; fi
refuse 2 "--duration does not go with hetsim explain" explain --soc sd855 --policy gpu squeezenet --duration 1
refuse 2 "rates in [0.001, 1000]" --soc sd855 --policy gpu squeezenet@1e-310fps # the clock would come to infinity
refuse 2 'there is no policy "gpux"; did you mean gpu?' $run yolov2:gpux
refuse 6 "./mobilenet: can't open" $run yolov2@30fps:cpu ./mobilenet
refuse 2 'there is no SoC "sd8555"; did you mean sd855?' --soc sd8555 --policy gpu squeezenet
refuse 2 'there is no policy "gpuu"; did you mean gpu?' --soc sd855 --policy gpuu squeezenet
# the right words with the wrong marks between them
refuse 2 "\"gpu@30fps\": a network's policy comes last: MODEL@30fps,deadline=50ms,priority=1:POLICY" --soc sd855 squeezenet:gpu@30fps
refuse 2 "\"gpu,deadline=50ms\": a network's policy comes last: " --soc sd855 squeezenet:gpu,deadline=50ms
refuse 2 "\"codl:chain=none@30fps\": a network's policy comes last: " --soc sd855 squeezenet:codl:chain=none@30fps
refuse 2 "\"codl:plan=search,chain=none\": a policy's parameters follow it with colons: NAME:PARAMETER=VALUE:" --soc sd855 --policy codl:plan=search,chain=none squeezenet
refuse 2 "\"chain=none\": a policy's parameters follow it with colons: " compare --soc sd855 squeezenet --policies=codl:plan=search,chain=none
refuse 2 '"gpu,cpu": one policy at a time; hetsim compare --policies=gpu,cpu runs one after the other' --soc sd855 --policy gpu,cpu squeezenet
refuse 2 "squeezenet:cpu: a policy of its own goes with hetsim run only; write --policy=cpu" explain --soc sd855 squeezenet:cpu
refuse 2 'policy codl has no parameter "chian"; did you mean chain? (there are: plan, plan_of, chain, cut,' --soc sd855 --policy codl --param chian=none squeezenet
refuse 2 'parameter chain: "noen" is not one of' --soc sd855 --policy codl:chain=noen squeezenet
refuse 2 'there is no workload "squeeznet"; did you mean squeezenet?' --soc sd855 --policy gpu squeeznet
refuse 2 'there is no runtime "tflit"; did you mean tflite?' $run --runtime tflit
refuse 2 "policy npu needs an npu, and kirin960 has none" --soc kirin960 --policy npu squeezenet
sed 's/"name": "npu", "kind"/"name": "tpu", "kind"/; s/"dsp", "npu"\]/"dsp", "tpu"]/' "$HETSIM_DATA/socs/sd888.json" >"$work/tpu.json"
refuse 2 "policy npu goes by the name, and no processor of sd888 is called npu; that of this kind is \"tpu\"" --soc "$work/tpu.json" --policy npu squeezenet
refuse 2 "runtime mace has no code for the dsp" --soc sd855 --policy dsp squeezenet --runtime mace
refuse 2 '--gpu-kernel-time: "1" is not a time: write 1ms or 800us, in (0, 1 s]' $run --gpu-kernel-time=1
refuse 2 '--gpu-kernel-time: "0ms" is not a time' $run --gpu-kernel-time=0ms
refuse 2 '--gpu-kernel-time: "1.01s" is not a time' $run --gpu-kernel-time=1.01s
refuse 2 "--gpu-kernel-time: 5.00 µs is not longer than the 10.3 µs that a kernel takes to start on gpu at 585 MHz" $run --gpu-kernel-time=5us
refuse 2 "--gpu-kernel-time: runtime tflite can't do that; --runtime=mace can" $run --runtime tflite --gpu-kernel-time=1ms
refuse 2 '--gpu-window: "0" is not a whole number in [1, 10000]' $run --gpu-window=0
refuse 2 "--gpu-window does not go with hetsim list" list socs --gpu-window=4
refuse 2 '--threads: "0" is not a whole number in [1, 16]' $run --threads 0
refuse 2 "--cores and --threads are both given" $run --threads 2 --cores=mid:2
refuse 2 '--cores: no CPU of sd855 has a domain "gpu" (it has mid, big, little)' $run --cores=gpu:1
refuse 2 '--cores: no CPU of sd855 has a domain ""' $run --cores=
refuse 2 "--cores: 4 of mid, which has 3" $run --cores=mid:4
refuse 2 '--cores: cpu has no domain "little"' $run --cores=mid:1+little:1
refuse 2 '--cores: "mid" is there twice' $run --cores=mid:1+mid:1
refuse 2 '--cores: "mid:1+" is not domain:number' $run --cores=mid:1+
refuse 2 '--cores: "mid: 1" is not domain:number' $run '--cores=mid: 1'
refuse 2 "--cores does not go with hetsim validate" validate --cores=mid:1
refuse 2 '--inferences: "1e3"' $run -n 1e3
refuse 2 '"1GHz" is not max, min or an OPP of gpu.gpu' $run --frequency gpu=1GHz
refuse 2 '--frequency: sd855 has no processor or domain "tpu"; did you mean cpu? (there are: cpu, cpu.mid, cpu.big, cpu-little, gpu, dsp, npu)' $run --frequency tpu=max
refuse 2 '--frequency: sd855 has no processor or domain "cpu.bgi"; did you mean cpu.big?' $run --frequency cpu.bgi=max
refuse 2 'there is no precision "fp8"' $run --precision fp8
refuse 2 'there is no memory type "texture"' $run --memory-type texture
refuse 2 'there is no format "xml" (there are: text, json, csv)' $run --format xml
refuse 2 'there is no format "jsno"; did you mean json?' $run --format jsno
refuse 2 "unknown option --bogus" $run --bogus
refuse 2 "unknown option --frequncy=min; did you mean --frequency?" $run --frequncy=min
refuse 2 '--frequency: "1056" is no frequency of cpu.mid without a unit: write 1056MHz, or in GHz' $run --frequency=1056
refuse 2 "--soc needs an argument" --soc
refuse 2 "--inferences does not go with hetsim list" list socs --inferences 2
refuse 2 "hetsim list takes one of" list
refuse 2 "hetsim list takes one word, not models as well" list socs models
refuse 2 "hetsim show takes soc, model or policy" show squeezenet
refuse 2 'policy mosaic, parameter objective: "speed" is not one of latency, energy, edp' --soc sd855 --policy mosaic squeezenet --param objective=speed
refuse 2 'policy exhaustive, parameter samples: "2.5" is not a whole number' --soc kirin970 --policy exhaustive squeezenet --param samples=2.5
refuse 2 'policy exhaustive, parameter samples: "0" is not a whole number in [1, 1e+06]' --soc kirin970 --policy exhaustive squeezenet --param samples=0
refuse 2 'policy mosaic, parameter objective: "speed" is not one of latency, energy, edp' --soc sd855 --policy mosaic squeezenet --objective=speed
refuse 2 '"foo:5fps" is not a rate' --soc sd855 squeezenet@foo:5fps:cpu
refuse 2 '--fallback: "gpu" says no part of whose operators' $run --fallback=gpu
refuse 2 '--objective: policy gpu has no objective to choose' $run --objective=energy
refuse 2 "--objective: policy codl, which is the first network's, has no objective" --soc sd855 resnet50:codl mobilenet_v1:mosaic --objective=energy
refuse 2 "policy mosaic, parameter objective is given twice" --soc sd855 --policy mosaic squeezenet --objective=energy --param objective=latency
refuse 2 "policy mosaic, parameter objective has no value: write objective=VALUE" --soc sd855 --policy mosaic squeezenet --param objective
refuse 2 'there is no policy "mosaik"; did you mean mosaic?' --soc sd855 --policy mosaik squeezenet --objective=energy
refuse 2 "--objective does not go with hetsim compare" compare --soc sd855 squeezenet --objective=energy
refuse 2 'policy gpu has no parameter "x"' $run --param x=1

finish
