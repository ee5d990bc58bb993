#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The files that are written: whole or not at all, never over what is read, and the same bytes again.
. "$(dirname "$0")/helpers.sh" || exit 1

ops="$HETSIM_DATA/tests/data/sd855-tflite-gpu-operators.csv"
all="-o r.txt --timeline t.json --gantt g.svg"
refuse 2 "--output and --timeline both go to r.txt" $run -o r.txt --timeline=r.txt
refuse 6 "r.txt: can't write: another result of this run goes there, too" $run -o r.txt --timeline=./r.txt
refuse 2 "--output and --gantt both go to standard output" $run --gantt=-
refuse 2 "--output and --timeline both go to standard output" $run --timeline=/dev/stdout
refuse 2 "--timeline and --gantt both go to standard output" $run --gantt=/dev/fd/1 --timeline=/proc/self/fd/1 -o r.txt
"$HETSIM" $run --timeline=t.json >t.json 2>"$work/stderr"
if [ $? -eq 2 ] && [ ! -s t.json ] && grep -q "timeline=t.json would replace the file that standard output goes to" "$work/stderr"; then pass; else fail "the report is lost in the timeline: $(cat "$work/stderr")"; fi
rm -f t.json
# however the names are written
in="$work/in"
mkdir "$in"
cp "$HETSIM_DATA/socs/sd855.json" "$in/s.json"
cp "$HETSIM_DATA/workloads/squeezenet.json" "$in/n.json"
cp "$HETSIM_DATA/traces/idle.json" "$in/t.json"
for f in m.txt m.csv; do cp "$ops" "$in/$f"; done
ln -s m.csv "$in/link.csv"
sed -n '3,4p' "$HETSIM_DATA/validation/claims.csv" >"$in/c.csv"
cp "$HETSIM_DATA/traces/competing/browsing.csv" "$in/p.csv"
printf '============================== Run Order ==============================\nnode type, first, avg_ms, %%, cdf%%, mem KB, times called, name\nSOFTMAX, 0.1, 0.1, 1%%, 1%%, 0, 1, x:0\n' >"$in/tf.csv"
sums() { find "$@" -type f -exec cksum {} + | sort; }
sums "$in" >"$work/before"
calibrate="calibrate --soc sd855 --runtime tflite"
refuse 2 "--output=$in/s.json would replace what is read from it" --soc ../in/s.json --policy gpu squeezenet -o "$in/s.json"
refuse 2 "--gantt=$in/n.json would replace what is read from it" --soc sd855 ../in/n.json@30fps:cpu --gantt="$in/n.json"
refuse 2 "--timeline=$in/t.json would replace what is read from it" $run --scenario=../in/t.json --timeline="$in/t.json"
refuse 2 "--curves=$in/p.csv would replace what is read from it" $run --competing=../in/p.csv --curves="$in/p.csv"
refuse 2 "--output=.././in/s.json would replace what is read from it" show soc ../in/s.json -o .././in/s.json
refuse 2 "--output=../in/n.json would replace what is read from it" explain --soc sd855 --policy gpu "$in/n.json" -o ../in/n.json
refuse 2 "--output=.././in/m.csv would replace what is read from it" $calibrate ../in/m.csv -o .././in/m.csv
refuse 2 "--output=../in/m.txt would replace what is read from it" $calibrate ../in/m.txt -o ../in/m.txt
refuse 2 "--output=../in/m.csv would replace what is read from it" $calibrate "squeezenet:cpu=$in/tf.csv" --holdout=../in/link.csv -o ../in/m.csv
refuse 2 "--output=../in/link.csv would replace what is read from it" $calibrate ../in/m.csv -o ../in/link.csv
refuse 2 "--output=../in/tf.csv would replace what is read from it" $calibrate "squeezenet:cpu=$in/tf.csv" -o ../in/tf.csv
refuse 2 "--output=../in/tf.csv would replace what is read from it" $calibrate "$ops" --holdout="squeezenet:cpu=$in/tf.csv" -o ../in/tf.csv
refuse 2 "--markdown=../in/c.csv would replace what is read from it" validate --claims="$in/c.csv" --markdown=../in/c.csv
# of a comparison before any trial runs, which reads it, too
for file in t.json p.csv; do
  option=$([ $file = t.json ] && echo scenario || echo competing)
  refuse 2 "--svg=$in/$file would replace what is read from it" compare --soc sd855 squeezenet --policies=cpu --duration=80000 --$option=../in/$file --svg="$in/$file"
done
sums "$in" >"$work/after"
if cmp -s "$work/before" "$work/after"; then pass; else fail "what is read was written to"; fi
# and whoever reads them: by a name, in a table, as the default, in a child process
data=$HETSIM_DATA HETSIM_DATA="$work/copy"
mkdir "$work/copy"; for f in socs workloads validation policies traces; do cp -r "$data/$f" "$work/copy/"; done
chmod -R u+w "$work/copy" # the source may be read-only, as for make distcheck
sed -n '3,4p' "$data/validation/claims.csv" >"$work/copy/validation/claims.csv"
cp "$data/workloads/squeezenet.json" "$work/in/mine.json"
printf 'model,processor,latency_ms\n../in/mine.json,gpu,20\n' >"$work/in/table.csv"
sums "$work/copy" "$work/in/mine.json" >"$work/before"
for file in socs/sd855.json workloads/squeezenet.json socs/profiles/sd855-mace.json; do
  refuse 2 "$file would replace what is read from it" $run -o "$work/copy/$file"
  refuse 2 "$file would replace what is read from it" compare --soc=sd855 squeezenet --policies=gpu -o "$work/copy/$file"
done
refuse 2 "claims.csv would replace what is read from it" validate --markdown="$work/copy/validation/claims.csv"
refuse 2 "sd855.json would replace what is read from it" validate --markdown="$work/copy/socs/sd855.json"
refuse 2 "mine.json would replace what is read from it" calibrate --soc=sd855 --runtime=tflite ../in/table.csv -o ../in/mine.json
sums "$work/copy" "$work/in/mine.json" >"$work/after"
if cmp -s "$work/before" "$work/after"; then pass; else fail "what is read was written to"; fi
HETSIM_DATA=$data
if "$HETSIM" $run -o /dev/null --timeline=/dev/null; then pass; else fail "two results to /dev/null"; fi
if [ -e /proc/self/fd/1 ]; then # standard output by another name, as /dev/stdout: a link that must stay one
  ln -s /proc/self/fd/1 "$work/in/stdout"
  "$HETSIM" $run >"$work/plain"
  "$HETSIM" $run -o "$work/in/stdout" >"$work/all"
  if [ -L "$work/in/stdout" ] && [ -z "$(ls)" ] && cmp -s "$work/plain" "$work/all"; then pass; else fail "-o to a link to standard output, which is a file"; fi
  "$HETSIM" $run -o /dev/null --timeline=/dev/fd/3 3>"$work/all"
  if grep -q traceEvents "$work/all"; then pass; else fail "--timeline to an open file by /dev/fd/3"; fi
fi
refuse 6 "can't write" reproduce mosaic figure-7 -o /nonexistent/r.txt --svg=b.svg
refuse 6 "missing.json: can't open" --soc sd855 --policy gpu ./missing.json $all
refuse 6 "can't write" $run -o /nonexistent/r.txt --timeline t.json --gantt g.svg
refuse 6 "can't write" $run -o r.txt --timeline /nonexistent/t.json --gantt g.svg
if [ -e /dev/full ]; then
  refuse 6 "can't write" $run -o /dev/full --timeline t.json --gantt g.svg
  refuse 6 "can't write" $run -o r.txt --timeline /dev/full --gantt g.svg
  refuse 6 "can't write" $run --gantt /dev/full
  refuse 6 "can't write" compare --soc sd855 squeezenet --policies=gpu --svg=/dev/full
fi
# what a killed process of the same number left behind is in nobody's way (exec keeps the number)
HETSIM=$HETSIM sh -c ': >"r.txt.$$.part"; exec "$HETSIM" '"$run"' -o r.txt'
if [ $? -eq 0 ] && grep -q "^squeezenet on sd855" r.txt; then pass; else fail "a killed process is in the way: $(ls)"; fi
rm -f ./*
for signal in ABRT XCPU; do
  "$HETSIM" $run --duration=80000 -o r.txt & pid=$!
  until [ -n "$(ls)" ] || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
  kill -$signal $pid
  wait $pid 2>/dev/null
  if [ $? -gt 128 ] && [ -z "$(ls | grep part)" ]; then pass; else fail "SIG$signal: left $(ls)"; fi
  rm -f ./*
done
# nor does a file that may not get so large, which is one more that can't be written
(ulimit -f 32 && "$HETSIM" $run --duration=5 -o r.txt --timeline=t.json 2>"$work/stderr")
if [ $? -eq 6 ] && [ -z "$(ls)" ] && grep -q "t.json: can't write: File too large" "$work/stderr"; then pass; else fail "ulimit -f: $(cat "$work/stderr"), left $(ls)"; rm -f ./*; fi
# nor an engine that can't open what it is handed: of four descriptors the fourth is the file in memory, and there is none to open it by
(exec >"$work/stdout" 2>"$work/stderr" 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&- && ulimit -n 4 && exec "$HETSIM" $run)
if [ $? -eq 5 ] && [ ! -s "$work/stdout" ] && grep -q "^hetsim: can't hand the platform to the engine as /proc/self/fd/3: Too many open files$" "$work/stderr"; then pass
else fail "ulimit -n: $(cat "$work/stderr")"; fi
# a signal that ends it leaves nothing, either
"$HETSIM" $run --duration=80000 -o r.txt --timeline=t.json --gantt=g.svg & pid=$!
until [ "$(ls | wc -l)" -eq 3 ] || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
if [ "$(ls | grep -c '[.]part$')" -eq 3 ]; then pass; else fail "the run to be ended has no files yet: $(ls)"; fi
kill -TERM $pid
wait $pid 2>/dev/null
if [ $? -eq 143 ] && [ -z "$(ls)" ]; then pass; else fail "SIGTERM: left $(ls)"; rm -f ./*; fi
# Ctrl-C is for who is in front: a shell's background job ignores it
"$HETSIM" $run --inferences=3000 -o r.txt & pid=$!
until [ -n "$(ls)" ] || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
kill -INT $pid
wait $pid
if grep -q "mean of 3000 inferences" r.txt; then pass; else fail "SIGINT ends what ignored it: $(grep '^Latency' r.txt)"; fi
rm -f r.txt

# --- files, and the same bytes again ---
mkdir "$work/far" && echo before >"$work/far/b" && ln -s "$work/far/b" link && "$HETSIM" $run -o link
if [ -L link ] && grep -q "^squeezenet on sd855" "$work/far/b" && [ "$(ls "$work/far")" = b ]; then pass; else fail "-o LINK replaces the link, not the file it leads to"; fi
ln -sf "$work/far/none" link && "$HETSIM" $run -o link
if grep -q "^squeezenet on sd855" link; then pass; else fail "-o LINK writes nothing where the link leads nowhere"; fi
rm -f link
rm -rf "$work/far"
"$HETSIM" $run -n 2 --format=json >a && "$HETSIM" $run -n 2 --format=json -o b --timeline=t.json --gantt=g.svg
for f in a b; do # planning takes another time each time
  grep -v wall_clock $f > $f.same && mv $f.same $f
done
if cmp -s a b; then pass; else fail "-o FILE differs from standard output"; fi
if (cd / && LC_ALL=de_DE.UTF-8 "$HETSIM" $run -n 2 --format=json) | grep -v wall_clock | cmp -s - a; then pass; else fail "another folder or locale gives other bytes"; fi
# operators of two networks that are called alike are told apart, and so are two networks of one model
"$HETSIM" --soc sd855 --policy gpu squeezenet squeezenet:cpu --timeline=t.json -o a
if grep -q '"network": "squeezenet", "network_index": 0, "inference": [0-9]*, "operator": "conv1"' t.json &&
  grep -q '"network": "squeezenet:cpu", "network_index": 1, "inference": [0-9]*, "operator": "conv1"' t.json; then pass
else fail "the timeline doesn't say which network a task is of"; fi
# other processes evict from the cache: the tasks of the timeline moved what the report says
"$HETSIM" $run -n 2 --scenario=study-s3 --timeline=t.json --format=json >a
moved=$(grep -o '"dram_bytes": [0-9]*' t.json | awk '{ n += $2 } END { printf "%.0f", n / 2 }')
if awk -v moved="$moved" -F'[:,]' '/^  "dram_bytes"/ { n++; off = moved / $2 - 1 } END { exit !(n == 1 && off < 1e-6 && off > -1e-6) }' a; then pass
else fail "the timeline's tasks move $moved bytes per inference, the report says $(grep dram_bytes a)"; fi
# nor are frequencies those of the idle device: its counter of power adds up to the energy
"$HETSIM" --soc sd855 --policy cpu resnet18 -n 3 --scenario=gaming --timeline=t2.json --format=json >a
joules=$(sed -n 's/.*"name": "power of cpu (W)", "ts": \([^,]*\), "args": {"W": \([^}]*\)}.*/\1 \2/p' t2.json |
         awk '{ j += w * ($1 - t); t = $1; w = $2 } END { printf "%.9g", j * 1e-6 / 3 }')
if awk -v joules="$joules" -F'[:,]' '/^  "energy_j"/ { n++; off = joules / $2 - 1 } END { exit !(n == 1 && off < 1e-5 && off > -1e-5) }' a; then pass
else fail "the timeline's power is $joules J per inference, the report says $(grep '^  "energy_j"' a)"; fi
# and of all processors to all of it, with what calling a DSP takes of the CPU
"$HETSIM" --soc sd888 --policy dsp mobilenet_v1 -n 5 --rivals=1 --timeline=t2.json --format=json >a
joules=$(sed -n 's/.*"name": "power of \([a-z-]*\) (W)", "ts": \([^,]*\), "args": {"W": \([^}]*\)}.*/\1 \2 \3/p' t2.json |
         awk '{ j += w[$1] * ($2 - t[$1]); t[$1] = $2; w[$1] = $3 } END { printf "%.9g", j * 1e-6 / 5 }')
if grep -q "power of cpu-little" t2.json &&
  awk -v joules="$joules" -F'[:,]' '/^  "energy_j"/ { n++; off = joules / $2 - 1 } END { exit !(n == 1 && off < 1e-5 && off > -1e-5) }' a; then pass
else fail "the timeline's power of all processors is $joules J per inference, the report says $(grep '^  "energy_j"' a)"; fi
rm -f t2.json
if grep -q '</svg>' g.svg && [ "$(grep -c '<rect' g.svg)" -gt 20 ]; then pass; else fail "the Gantt chart is no drawing"; fi
if grep -q 'text-anchor="middle">2.00 ms<' g.svg; then pass; else fail "the Gantt chart's time axis has no round numbers"; fi
"$HETSIM" $run --temperature=gpu=-15C --duration=2 -o a2 --curves=c.svg
if grep -q ">-20 °C<" c.svg; then pass; else fail "the curves leave out what is below 0 °C"; fi
# where samples are more than points, the axis is of these: one of them is in the upper half of the first panel
"$HETSIM" --soc sd855 --policy gpu mobilenet_v1@0.5fps --duration=1800 --scenario=browsing -o a2 --curves=c.svg
if sed -n "s/<polyline.* points='\(.*\)'.*/\1/p" c.svg | head -n 5 | tr ' ' '\n' | awk -F, 'NF && $2 < 46 + 190 / 2 { n++ } END { exit !n }'; then pass
else fail "the curves' power is in the lower half of its panel: $(grep -o '>[0-9.]* W<' c.svg | tail -n 1)"; fi
rm -f a2 c.svg
if [ "$(grep -o '"ph": "[^XCM]"' t.json | wc -l)" -eq 0 ] && [ "$(grep -c '"ph": "X"' t.json)" -gt 40 ]; then pass; else fail "the trace has other events"; fi
for seed in 1 1 2; do "$HETSIM" $run@poisson:20fps -n 9 --seed $seed --format=json | grep fingerprint >>seeds; done
if [ "$(sort seeds | uniq -c | sed 's/^ *//; s/ .*//' | sort | tr '\n' ' ')" = "1 2 " ]; then pass; else fail "a seed gives other arrivals, or another the same"; fi
rm -f a b t.json g.svg seeds
# whoever reads standard output may leave at once: the files are there all the same, and nothing else is
for of in "$run -T" "compare --soc sd855 squeezenet --policies=cpu --svg" "calibrate --soc sd855 --runtime tflite $HETSIM_DATA/tests/data/sd855-tflite-gpu-operators.csv -o"; do
  "$HETSIM" $of "$work/out/left.json" 2>"$work/all" | true
  without_remarks <"$work/all" >"$work/stderr"
  if [ "$(ls)" = left.json ] && [ -s left.json ] && [ ! -s "$work/stderr" ]; then pass; else fail "$of: a reader that left takes the file with it: $(ls) $(cat "$work/stderr")"; fi
  rm -f ./*
done

finish
