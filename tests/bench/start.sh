#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Start to exit of one small run against `hetsim --version`, which pays the same loading of SimGrid's libraries; and how time
# and memory grow with the number of inferences. Medians. An empty program that is linked with Debian's libsimgrid takes as long as --version:
# that SimGrid is built with ns-3, whose 15 libraries the loader relocates (33 000 symbols) and whose constructors register classes.
set -eu
: "${HETSIM:?}"

now_ns() { date +%s%N; }

# median of 21 runs in microseconds
median_us() {
  i=0
  while [ $i -lt 21 ]; do
    t=$(now_ns)
    "$@" >/dev/null
    echo $((($(now_ns) - t) / 1000))
    i=$((i + 1))
  done | sort -n | sed -n 11p
}

run=$(median_us "$HETSIM" --soc sd855 --policy gpu yolov2)
version=$(median_us "$HETSIM" --version)
echo "start to exit: run ${run} us (goal 25000), --version ${version} us, ratio $(awk "BEGIN {printf \"%.2f\", $run / $version}")"
small=$(median_us "$HETSIM" --soc sd855 --policy gpu yolov2 -n 1000 --format=csv)
t=$(now_ns)
"$HETSIM" --soc sd855 --policy gpu yolov2 -n 10000 --format=csv >/dev/null
large=$((($(now_ns) - t) / 1000))
echo "10000 inferences: ${large} us, 1000: ${small} us, ratio without the start $(awk "BEGIN {printf \"%.1f\", ($large - $run) / ($small - $run)}") (linear: 10)"
if [ -x /usr/bin/time ]; then
  for n in 1 1000 10000; do
    peak=$( (/usr/bin/time -f %M "$HETSIM" --soc sd855 --policy gpu yolov2 -n $n --format=csv >/dev/null) 2>&1)
    echo "peak memory with $n inferences: $peak KiB (goal 40 MB)"
  done
fi
