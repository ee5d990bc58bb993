#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Requests that come in a stream: a network that starves, requests that are dropped.
. "$(dirname "$0")/helpers.sh" || exit 1

# --- a network that starves: reported until then ---
"$HETSIM" --soc kirin990 --policy band-sel resnet50 vgg16 mobilenet_v1 -n 3 --check >"$work/stdout" 2>"$work/stderr"
got=$?
if [ "$got" -eq 1 ] && grep -q "resnet50 starves: policy band-sel lets it wait since 0 s" "$work/stderr" && grep -q "^resnet50 *band-sel *tflite *0 " "$work/stdout"; then pass
else fail "a run that can't end: exit $got, $(cat "$work/stderr")"; fi
accept "3 waiting or in flight when the time was up" --soc kirin990 --policy band-sel resnet50 vgg16 mobilenet_v1 --duration 1 --check
# one waits that came together with those that are dropped, which is no breach of the order in which they come
"$HETSIM" --soc kirin970 --policy tf-little ghostnet,deadline=1ms:band-lst resnet34@30fps --duration 1 --check >"$work/stdout" 2>"$work/stderr"
got=$?
if [ "$got" -eq 1 ] && grep -q "ghostnet,deadline=1ms:band-lst starves" "$work/stderr" && grep -q "^resnet34@30fps *tf-little *tflite *0 " "$work/stdout"; then pass
else fail "a request that waits beside refused ones: exit $got, $(cat "$work/stderr")"; fi
# of a network that runs back to back each request is dropped as it comes: time would stand still
for end in "--duration 0.1" "-n 3"; do
  timeout 60 "$HETSIM" --soc sd888 --runtime mace --precision fp32 --policy cpu-little yolov2 resnet18,deadline=5ms:band-lst $end --check >"$work/stdout" 2>"$work/stderr"
  got=$?
  if [ "$got" -eq 1 ] && grep -q "policy band-lst drops each of its requests as it comes" "$work/stderr" && grep -q "1000     1000$" "$work/stdout"; then pass
  else fail "requests dropped as they come, $end: exit $got, $(cat "$work/stderr")"; fi
done
accept "1500     1500" --soc sd888 --runtime mace --precision fp32 resnet18,deadline=5ms:band-lst -n 1500 --check
# in a queue that grows it gets its turn
accept "yolov2" --soc sd855 --policy task-parallel mobilenet_v1@1000fps yolov2 -n 4 --check

finish
