#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hetsim calibrate.
. "$(dirname "$0")/helpers.sh" || exit 1

cat >"$work/says.json" <<'END'
{"format": "hetsim-workload/1", "name": "says", "title": "t", "source": "s", "inputs": [{"name": "x", "shape": [1, 8]}],
 "outputs": ["y"], "ops": [{"name": "y", "op": "Relu", "inputs": ["x"], "support": {"gpu": false, "dsp": true}}]}
END
# --- calibration ---
ops="$HETSIM_DATA/tests/data/sd855-tflite-gpu-operators.csv"
accept "efficiency conv_1x1 " calibrate --soc sd855 --runtime tflite "$ops" -o p.json --holdout=0.4
if grep -q "kept out: operators" "$work/stdout" && grep -q '"kind": "derived", "ref": "measurements in ' p.json && grep -q "SHA-256" p.json; then pass; else fail "calibrate: no error of kept-out rows, or no source"; fi
mv p.json "$work/first.json"
accept "warning: of these classes no operator was measured by itself; their efficiencies stay as in the profile before: conv_3x3 0.2114, conv_other 0.1842, grouped" calibrate --soc sd855 --runtime tflite "$ops" -o p.json --holdout=0.4
if cmp -s p.json "$work/first.json"; then pass; else fail "calibrate: not the same bytes again"; fi
accept "overhead_cycles " calibrate --soc sd855 --runtime tflite "$ops" -o p.json --only="traffic_factor, overhead_cycles"
accept "overhead_cycles " calibrate --soc sd855 --runtime tflite "$ops" -o p.json --only=overhead_cycles
if ! grep -q "^reduction_half" "$work/stdout" && grep -q "; no others were looked for than overhead_cycles" p.json; then pass; else fail "calibrate: --only, and others are fitted"; fi
accept "warning: 61 kept-out operators are outside the range of work that was fitted" calibrate --soc sd855 --runtime tflite "$ops" -o p.json --holdout=0.4 \
  --only=overhead_cycles
# a phone ten times as slow: that is no wrong unit
grep -v int8 "$HETSIM_DATA/tests/data/sd855-tflite-cpu-networks.csv" | awk -F, -v OFS=, '/^#/ || /^model/ { print; next } n < 10 { $5 *= 10; print; n++ }' >"$work/slow.csv"
accept "fitted: networks, end to end  10  2." calibrate --soc sd855 --runtime tflite "$work/slow.csv" -o p.json
grep -v int8 "$HETSIM_DATA/tests/data/sd855-tflite-cpu-networks.csv" | awk -F, -v OFS=, '/^#/ || /^model/ { print; next } { $5 *= 10; print }' >"$work/slower.csv" # of four networks: three tell a pace
accept "times as long as with the profile before, whose numbers are taken at that pace" calibrate --soc sd855 --runtime tflite "$work/slower.csv" -o p.json
if grep -q "free coefficients; what was before at the pace of the networks, which take" p.json; then pass; else fail "calibrate: no pace in the profile's note"; fi
# of both memory types of a GPU, in one profile: a source for each, with its own errors
(printf 'processor,op,h,cin,cout,kernel,memory_type,latency_us\n'
 for i in 0 1 2 3 4 5 6 7 8 9 10 11; do for type in image:130 buffer:370; do
   echo "gpu,Conv,$((10 + 2 * i)),64,$((32 + 8 * (i % 5))),3,${type%:*},$((${type#*:} + (10 + i) * (10 + i)))"; done; done) >"$work/types.csv"
accept "gpu, fp32, buffer, 12 rows" calibrate --soc sd855 --runtime mace "$work/types.csv" -o p.json
# each kernel's errors are its own; no depth that is always the same is looked for
if grep -q '^fitted: operators  12  19[.]' "$work/stdout"; then pass; else fail "calibrate: errors of images: $(grep '^fitted' "$work/stdout")"; fi
if ! grep -q '^reduction_half' "$work/stdout"; then pass; else fail "calibrate: depths that don't differ"; fi
if [ "$(grep -c '^ *"gpu-\(image\|buffer\)-fp32-.*: {"kind": "derived", "ref": "measurements in types.csv' p.json)" = 2 ]; then pass; else fail "calibrate: one source for two kernels"; fi
(cat "$work/types.csv"; echo 'gpu,Relu,20,64,,,image,90') >"$work/relus.csv" # which has no MACs, and no say in this:
accept "warning: outputs from 3.20 k to 50.2 k elements were measured" calibrate --soc sd855 --runtime mace "$work/relus.csv" -o p.json
if [ "$(grep -c '^warning: outputs from 3.20 k to 50.2 k elements' "$work/stdout")" = 2 ]; then pass; else fail "calibrate: a Relu has a size of outputs"; fi
# on a GPU with images only, beside the kernel for buffers that the profile keeps
sed 's/"memory_types": \["image", "buffer"\]/"memory_types": ["image"]/' "$HETSIM_DATA/socs/sd855.json" >"$work/imgonly.json"
grep -v ,buffer, "$work/types.csv" >"$work/images.csv"
accept "gpu, fp32, image, 12 rows" calibrate --soc "$work/imgonly.json" --runtime mace "$work/images.csv" -o p.json
# sources that two profiles call alike stay two; and what was measured already is no news of others
awk -F, -v OFS=, '!/^#/ && header++ { $NF *= 1.01 } { print }' "$ops" >"$work/again.csv"
accept "note: 90 of the operators kept out were measured for the fit, too, or others of their network" \
  calibrate --soc sd855 --runtime tflite-xnnpack "$ops" -o p.json --only=overhead_cycles "--holdout=$work/again.csv"
if grep -q '"hand": {"kind": "assumed", "ref": "by hand: transposed' p.json && grep -q '"hand-2": {"kind": "assumed", "ref": "by hand: depthwise' p.json &&
  grep -q '"depthwise": "hand-2"' p.json; then pass; else fail "calibrate: two sources are one: $(grep '"hand' p.json)"; fi
rm p.json
printf '%s\n' "====== Run Order ======" "node type, first, avg_ms, %, cdf%, mem KB, times called, name" "RELU, 0.1, 0.1, 1%, 1%, 0, 1, Delegate/x:0" >"$work/relu.csv"
refuse 3 "note: $work/relu.csv:3: 1 of RELU left out: by hetsim's table the gpu doesn't run them: the model file says so" \
  calibrate --soc sd855 --runtime tflite "$work/says.json:gpu=$work/relu.csv" -o p.json
# of networks of which nothing runs on the DSP, and one that says little of the GPU
for i in 1 2 3 4 5 6 7 8; do
  printf '{"format": "hetsim-workload/1", "name": "m%d", "title": "t", "source": "s", "inputs": [{"name": "i", "shape": [1, %d, 56, 64]}], "outputs": ["o"], "ops": [{"name": "o", "op": "Gelu", "inputs": ["i"]}]}' \
    $i $((20 + i)) >"$work/m$i.json"
done
(printf 'model,processor,precision,latency_ms\n'; for i in 1 2 3 4 5 6 7 8; do echo "$work/m$i.json,dsp,int8,0.$i"; done) >"$work/nothing.csv"
rm p.json
refuse 3 "nothing.csv:2: too few rows for dsp, int8: 0 to fit to (others only move data or run elsewhere, which says nothing of rates), and it takes 8" \
  calibrate --soc sd855 --runtime tflite "$work/nothing.csv" -o p.json
(printf 'model,processor,latency_ms\n'; i=5; for n in mobilenet_v1 mobilenet_v2_1.0 squeezenet resnet18 resnet50 vgg16 googlenet shufflenet_v2; do i=$((i + 3)); echo "$n,gpu,$i"; done) >"$work/little.csv"
accept "warning: most of these networks' time is expected on processors to which nothing is fitted, so they say little: shufflenet_v2 (" \
  calibrate --soc sd855 --runtime tflite "$work/little.csv" -o p.json
# a curve that too few rows speak of
(echo processor,op,h,cin,cout,kernel,latency_us; for n in 10 12 14 16 18 20 22 24 26 28 30 32; do echo "gpu,Conv,$n,64,64,3,$((400 + n * n))"; done) >"$work/few.csv"
accept "warning: the curve of rates over sizes (saturation) stays as it was: 12 operators speak of it, and 30 are needed" \
  calibrate --soc kirin970 --runtime tflite "$work/few.csv" -o p.json
# one network beside operators tells no rates of classes
(echo model,op,h,cin,cout,kernel,processor,precision,latency_ms; i=5
  for n in 10 12 14 16 18 20 22 24; do i=$((i + 9)); echo ",Conv,$n,64,64,3,cpu,fp32,0.$i"; done
  echo squeezenet,,,,,,cpu,fp32,20) >"$work/one.csv"
accept "efficiency conv_3x3 " calibrate --soc sd855 --runtime tflite "$work/one.csv" -o p.json
if ! grep -q '^efficiency conv_1x1' "$work/stdout"; then pass; else fail "calibrate: a class by one network"; fi
# on tiles of 4 × 4 by Winograd, which the kernel doesn't count, four times the peak at most
(echo processor,op,h,cin,cout,kernel,latency_us; for n in 40 48 56 64 72 80 88 96 104 112 120 128; do echo "gpu,Conv,$n,64,64,3,$((100 + n * n * 73728 / 6000000))"; done) >"$work/winograd.csv"
accept "efficiency conv_3x3     0.379          4 " calibrate --soc kirin970 --runtime tflite "$work/winograd.csv" -o p.json
accept '"pace": 1,' calibrate --soc sd855 --runtime tflite "$ops" -o p.json --format=json
# rows that name no cores are of --cores
(printf 'model,processor,precision,latency_ms\n'; i=5; for n in mobilenet_v1 mobilenet_v2_1.0 squeezenet resnet18 resnet50 vgg16 googlenet shufflenet_v2; do i=$((i + 9)); echo "$n,cpu,fp32,$i"; done) >"$work/cores.csv"
sed 's/fp32,/fp32,mid:3,/; s/precision,/precision,cores,/' "$work/cores.csv" >"$work/named.csv"
accept "cpu, fp32, 8 rows" calibrate --soc sd855 --runtime tflite "$work/cores.csv" --cores=mid:3 -o p.json
plain() { sed 's/ (SHA-256.*//; s/^warning: .*csv:[0-9]* is/warning: a row is/; s/ (processor cpu.*//' "$work/stdout" | grep -v "^written"; } # but for the file's name and its cells
plain >"$work/cores.txt"
accept "cpu, fp32, 8 rows" calibrate --soc sd855 --runtime tflite "$work/named.csv" -o p.json
if plain | cmp -s - "$work/cores.txt"; then pass; else fail "calibrate: --cores isn't the column cores"; fi
rm p.json
refuse 2 "--cores and --threads are both given" calibrate --soc sd855 --runtime tflite "$work/cores.csv" --cores=mid:3 --threads=2 -o p.json
refuse 2 "--cores: 9 of mid, which has 3" calibrate --soc sd855 --runtime tflite "$work/cores.csv" --cores=mid:9 -o p.json
# one on whose cores more is multiplied than the SoC file says, held against networks that were fitted
grep -v int8 "$HETSIM_DATA/tests/data/sd855-tflite-cpu-networks.csv" | awk -F, -v OFS=, '/^#/ || /^model/ { print; next } /^mnasnet/ || /^resnet18/ { $5 /= 1.4; print }' >"$work/fast.csv"
printf 'model,processor,precision,cores,latency_ms\n%s,cpu,fp32,big:1,30\n' "$(awk -F, '!/^#/ && !/^model/ { print $1; exit }' "$work/slow.csv")" >"$work/known.csv"
accept "warning: at the peak of the SoC's macs_per_cycle and clock, which may be too low there: efficiency conv_3x3" calibrate --soc sd855 --runtime tflite "$work/fast.csv" -o p.json --holdout="$work/known.csv"
if grep -qF "note: 1 of the rows kept out are of networks that were measured for the fit, too" "$work/stdout"; then pass; else fail "calibrate: a network is fitted and kept out in silence"; fi
rm p.json
for word in 30% nan 0.3x; do refuse 2 "--holdout: $word is not a fraction in (0, 1), nor a file" calibrate --soc sd855 --runtime tflite "$ops" -o p.json --holdout=$word; done
refuse 2 '"squeezenet=none.csv" is neither a file nor an operator profile, MODEL:PROCESSOR[@CORES]=FILE' calibrate --soc sd855 --runtime tflite squeezenet=none.csv -o p.json
# the run that doc/calibrate.md shows
accept "sd855 under tflite: cpu, fp32, 15 rows" calibrate --soc sd855 --runtime tflite "$HETSIM_DATA/tests/data/sd855-tflite-cpu-networks.csv" -o p.json --holdout=0.3
sed -n 's/^    //; /^sd855 under tflite/,/^kept out/p' "$HETSIM_DATA/doc/calibrate.md" >"$work/sample"
if [ -s "$work/sample" ] && head -n "$(wc -l <"$work/sample")" "$work/stdout" | cmp -s - "$work/sample"; then pass; else fail "doc/calibrate.md shows another run"; fi
if [ "$(grep -c '^fitted, on cores  *n  *MAPE' "$work/stdout")" -eq 2 ] && [ "$(grep -c '^mid:1+big:1  *3 ' "$work/stdout")" -eq 2 ]; then pass; else fail "calibrate: no errors by cores"; fi
# its rows that are kept out are about as well off as before; where those that are fitted were measured on a slower phone, they aren't
warned() { [ "$(grep -c '^warning: the rows kept out are off by .* with the profile before: that serves them better$' "$work/stdout")" -eq "$1" ]; }
few='^warning: kept out: 5 rows, of mnasnet_1.0_tf2cv alone: what it is off by there says little of others$'
if [ "$(grep -c "$few" "$work/stdout")" -eq 2 ]; then pass; else fail "calibrate: one network kept out in silence"; fi
if warned 0; then pass; else fail "calibrate: a fit that kept-out rows don't speak against"; fi
awk -F, -v OFS=, '/^#/ || !header++ { print; next } $1 != "resnet18" { $NF *= 1.5; print }' "$HETSIM_DATA/tests/data/sd855-tflite-cpu-networks.csv" >"$work/slower.csv"
awk '/^#/ || !header++ || /^resnet18,/' "$HETSIM_DATA/tests/data/sd855-tflite-cpu-networks.csv" >"$work/resnet18.csv"
accept "sd855 under tflite: cpu, int8, 15 rows" calibrate --soc sd855 --runtime tflite "$work/slower.csv" -o p.json "--holdout=$work/resnet18.csv"
if warned 2; then pass; else fail "calibrate: a fit that kept-out rows speak against"; fi
awk '/^#/ || !header++ { print; next } { n++; if (n > 60) print }' "$ops" >"$work/last.csv"
awk '/^#/ || !header++ { print; next } { n++; if (n <= 60) print }' "$ops" >"$work/first.csv"
accept "kept out: sums of a network's operators   1 " calibrate --soc sd855 --runtime tflite "$work/first.csv" -o p.json "--holdout=$work/last.csv"
accept '"standard_error": ' calibrate --soc sd855 --runtime tflite "$ops" -o p.json --holdout=0.4 --format=json
if cmp -s p.json "$work/first.json"; then pass; else fail "calibrate: another profile with --format=json"; fi
if jq -e '.kernels | map(.cores | length) == [0]' <"$work/stdout" >"$work/jq"; then pass; else fail "calibrate: errors by cores of a GPU"; fi
awk -F, -v OFS=, '!/^#/ && header++ { $NF *= 40 } { print }' "$ops" >"$work/slow.csv"
accept " times as long as the profile before has it: is the unit of the latencies right?" calibrate --soc sd855 --runtime tflite "$work/slow.csv" -o p.json
rm p.json
awk -F, -v OFS=, '!/^#/ && header++ { $NF *= 1000 } { print }' "$ops" >"$work/long.csv" # rates would follow that far, with an error as small as before
refuse 3 "wrong unit? all 90 rows of gpu, fp16, image are 905.7 to 1413 times as long as the profile before has them" calibrate --soc sd855 --runtime tflite "$work/long.csv" -o p.json
awk -F, -v OFS=, '!/^#/ && header++ == 9 { $NF /= 40 } { print }' "$HETSIM_DATA/tests/data/sd855-tflite-cpu-networks.csv" >"$work/odd.csv" # one row: a slip
line=$(awk '!/^#/ && header++ == 9 { print NR }' "$work/odd.csv")
accept "warning: $work/odd.csv:$line is 0.0" calibrate --soc sd855 --runtime tflite "$work/odd.csv" -o p.json
if grep -q "the rows are about" "$work/stdout"; then fail "calibrate: one row off, and all are told to be: $(grep warning "$work/stdout")"; else pass; fi
awk -F, -v OFS=, '!/^#/ && header++ == 9 { $NF *= 1000 } { print }' "$ops" >"$work/ms.csv" # one row in another unit
rm p.json
refuse 3 "mixed units?" calibrate --soc sd855 --runtime tflite "$work/ms.csv" -o ms.json
cp "$ops" "$work/a=b:c.csv" # a file, whatever is behind its "="
accept "efficiency conv_1x1 " calibrate --soc sd855 --runtime tflite "$work/a=b:c.csv" -o p.json --holdout=0.4
# an operator profile that is there twice, however it is called
cat >"$work/tf.csv" <<'END'
============================== Run Order ==============================
node type, first, avg_ms, %, cdf%, mem KB, times called, name
SOFTMAX, 0.1, 0.1, 1%, 1%, 0, 1, x:0
END
cp "$work/tf.csv" "$work/tf2.csv"
rm p.json
# two networks of one name in two files aren't copies of each other; one that has two is
for h in 8 16; do
  printf '{"format": "hetsim-workload/1", "name": "mine", "title": "t", "source": "s", "inputs": [{"name": "i", "shape": [1, %s, 8, 4]}], "outputs": ["o"], "ops": [{"name": "o", "op": "Relu", "inputs": ["i"]}]}' \
    $h >"$work/mine$h.json"
done
printf 'processor,network,model,latency_ms\ncpu,morning,%s,1\ncpu,evening,%s,1\n' "$work/mine8.json" "$work/mine16.json" >"$work/two.csv"
refuse 3 "too few rows" calibrate --soc sd855 --runtime tflite "$work/two.csv" -o p2.json
cp "$work/mine8.json" "$work/mine16.json"
refuse 3 "two.csv:3: duplicate: the same row as line 2" calibrate --soc sd855 --runtime tflite "$work/two.csv" -o p2.json
refuse 2 'there is no workload "squeezed"; did you mean squeezenet?' calibrate --soc sd855 --runtime tflite "squeezed:cpu=$work/tf.csv" -o p.json
refuse 2 'processor: sd855 has no "cup" (it has cpu, cpu-little, gpu, dsp, npu)' calibrate --soc sd855 --runtime tflite "squeezenet:cup=$work/tf.csv" -o p.json
refuse 3 "tf2.csv: duplicate: the same measurements as in" calibrate --soc sd855 --runtime tflite "squeezenet:cpu=$work/tf.csv" "squeezenet:cpu=$work/tf2.csv" -o p.json
sed 's/$/\r/; s/first, /start, first, /; s/0.1, 0.1, 1%/0.0, 0.1, 0.1, 1%/' "$work/tf.csv" >"$work/tf3.csv" # as an older version writes it
refuse 3 "tf3.csv: duplicate: the same measurements as in" calibrate --soc sd855 --runtime tflite "squeezenet:cpu=$work/tf.csv" "--holdout=squeezenet:cpu=$work/tf3.csv" -o p.json
# each operator profile with cores of its own: together they tell what part of dense layers is serial, which the profile before has none of
mkdir -p "$work/phone/profiles" && cp "$HETSIM_DATA/socs/sd855.json" "$work/phone/"
jq '(.kernels[] | select(.processor == "cpu" and .precision == "fp32") | .serial_frac) = 0.15' "$HETSIM_DATA/socs/profiles/sd855-tflite.json" \
  >"$work/phone/profiles/sd855-tflite.json"
for cores in big:1 mid:3+big:1; do
  (head -n 2 "$work/tf.csv"
    "$HETSIM" explain --soc "$work/phone/sd855.json" --policy cpu --runtime tflite squeezenet --cores=$cores --format=json |
      jq -r '{Conv: "CONV_2D", MaxPool: "MAX_POOL_2D", Concat: "CONCATENATION", GlobalAveragePool: "MEAN", Softmax: "SOFTMAX"} as $kind |
        .ops | to_entries[] | "\($kind[.value.op]), 0, \(.value.estimated_s.cpu * 1000), 1%, 1%, 0, 1, \(.value.name):\(.key)"') >"$work/$cores.csv"
done
one="squeezenet:cpu@big:1=$work/big:1.csv" four="squeezenet:cpu@mid:3+big:1=$work/mid:3+big:1.csv"
same="warning: all rows ran on the same 4 cores: how threads scale, and so what other cores take, is as in the profile before"
accept "$same" calibrate --soc sd855 --runtime tflite "$four" -o p.json --threads=2 # which is of files without cores of their own
if ! grep -q "^serial_frac" "$work/stdout"; then pass; else fail "calibrate: a serial part by one core set"; fi
accept "serial_frac                         0     0.1499 " calibrate --soc sd855 --runtime tflite "$four" "$one" -o p.json
if ! grep -q "^$same" "$work/stdout"; then pass; else fail "calibrate: two core sets are one"; fi
printf 'model,processor,cores,latency_ms\n' >"$work/slower.csv"
for model in squeezenet mobilenet_v1 resnet18; do
  printf '%s,cpu,mid:3+big:1,%s\n' $model "$("$HETSIM" --soc sd855 --policy cpu --runtime tflite $model --cores=mid:3+big:1 --format=json | jq '.latency_s * 1500')"
done >>"$work/slower.csv"
accept "warning: the fit has networks 3" calibrate --soc sd855 --runtime tflite "$four" "$work/slower.csv" --only="efficiency pool" -o p.json
if grep -q "too fast on average, nearly all of them: what makes them so is in no coefficient here" "$work/stdout"; then pass; else fail "calibrate: networks on one side: $(cat "$work/stdout")"; fi
rm p.json
refuse 2 "cores: 9 of mid, which has 3" calibrate --soc sd855 --runtime tflite "squeezenet:cpu@mid:9=$work/tf.csv" -o p.json
refuse 2 'cores: "mid" is not domain:number+domain:number' calibrate --soc sd855 --runtime tflite "squeezenet:cpu@mid=$work/tf.csv" -o p.json
refuse 2 "cores: gpu is no CPU" calibrate --soc sd855 --runtime tflite "squeezenet:gpu@mid:1=$work/tf.csv" -o p.json
refuse 2 "cores: cpu@ names none, as mid:3+big:1" calibrate --soc sd855 --runtime tflite "squeezenet:cpu@=$work/tf.csv" -o p.json
cp "$HETSIM_DATA/workloads/squeezenet.json" "$work/a:b@c:1.json"
refuse 3 "too few rows" calibrate --soc sd855 --runtime tflite "$work/a:b@c:1.json:cpu=$work/tf.csv" -o p.json
# a table may have a latency that another table has, of other cores
for cores in big mid; do printf 'model,processor,cores,latency_ms\nsqueezenet,cpu,%s:1,20\n' $cores >"$work/$cores.csv"; done
refuse 3 "too few rows" calibrate --soc sd855 --runtime tflite "$work/big.csv" "$work/mid.csv" -o p.json
sed 's/0.1, 0.1, 1%/0.1, 0.11, 1%/' "$work/tf.csv" >"$work/tf4.csv" # another run
refuse 3 "too few rows" calibrate --soc sd855 --runtime tflite "squeezenet:cpu=$work/tf.csv" "squeezenet:cpu=$work/tf4.csv" -o p.json
refuse 3 "tf.csv: duplicate: the same measurements as in" calibrate --soc sd855 --runtime tflite "squeezenet:cpu=$work/tf.csv" "--holdout=squeezenet:cpu=$work/./tf.csv" -o p.json
# a source's number of rows is that of its error, and of those that were fitted: not of concatenations on a CPU, which have no say
{
  echo "============================== Run Order =============================="
  echo "node type, first, avg_ms, %, cdf%, mem KB, times called, name"
  awk 'BEGIN { for (i = 0; i < 26; i++) printf "CONV_2D, 0, %d.%d, 1%%, 1%%, 0, 1, [x]:%d\n", 1 + i % 3, i, i
    for (i = 0; i < 8; i++) printf "CONCATENATION, 0, 0.1%d, 1%%, 1%%, 0, 1, [x]:%d\n", i, 26 + i }'
} >"$work/concat.csv"
accept "sd855 under tflite: cpu, fp32, 34 rows" calibrate --soc sd855 --runtime tflite "squeezenet:cpu=$work/concat.csv" -o p.json
if grep -q "n = 26, MAPE" p.json && grep -q '"fit": {"n": 26, ' p.json && grep -q "^fitted: operators  *26 " "$work/stdout"; then pass; else fail "calibrate: rows and error of a source are of two sets"; fi
accept "hetsim reads it as profiles/sd855-tflite.json beside the SoC's file" calibrate --soc sd855 --runtime tflite "squeezenet:cpu=$work/concat.csv" -o p.json
rm p.json
mkdir "$work/profiles"
ln -s profiles "$work/kernels"
refuse 2 "profiles/sd855-tflite.json: in a folder of profiles its name must be sd855-tflite-xnnpack.json" calibrate --soc sd855 --runtime tflite-xnnpack \
  "squeezenet:cpu=$work/concat.csv" -o "$work/profiles/sd855-tflite.json"
# however that folder is written
for there in profiles//sd855-mace.json ./profiles/./sd855-mace.json profiles/../profiles/sd855-mace.json kernels/sd855-mace.json; do
  refuse 2 "$there: in a folder of profiles its name must be sd855-tflite.json" calibrate --soc sd855 --runtime tflite "squeezenet:cpu=$work/concat.csv" \
    -o "$work/$there"
done
mkdir "$work/linked" && ln -s ../profiles "$work/linked/profiles"
refuse 2 "linked/profiles/sd855-mace.json: in a folder of profiles" calibrate --soc sd855 --runtime tflite "squeezenet:cpu=$work/concat.csv" \
  -o "$work/linked/profiles/sd855-mace.json"
rm -r "$work/linked"
mkdir -p "$work/data" "$work/real" && ln -s ../data "$work/real/profiles"
refuse 2 "real/profiles/sd855-mace.json: in a folder of profiles" calibrate --soc sd855 --runtime tflite "squeezenet:cpu=$work/concat.csv" \
  -o "$work/real/profiles/sd855-mace.json"
rm -r "$work/data" "$work/real"
here=$PWD
cd "$work/profiles" || exit 1
refuse 2 "sd855-mace.json: in a folder of profiles its name must be sd855-tflite.json" calibrate --soc sd855 --runtime tflite "squeezenet:cpu=$work/concat.csv" \
  -o sd855-mace.json
cd "$here" || exit 1
rm "$work/kernels"
rmdir "$work/profiles" || fail "calibrate: something was written"
# a second time, on the profile that was fitted to them
mkdir "$work/again" "$work/again/profiles"
cp "$HETSIM_DATA/socs/sd855.json" "$work/again/"
for time in 1 2; do
  "$HETSIM" calibrate --soc "$work/again/sd855.json" --runtime tflite "squeezenet:cpu=$work/concat.csv" -o "$work/again/profiles/sd855-tflite.json" >"$work/stdout" 2>&1
done
if grep -q "^note: .*concat.csv: .*/again/profiles/sd855-tflite.json was fitted to it: its measurements count once more" "$work/stdout"; then pass
else fail "calibrate: the same measurements a second time: $(cat "$work/stdout")"; fi
rm -f ./*
printf 'processor,op,h,cin,cout,latency_s\ngpu,Conv,7,16,16,-1\n' >"$work/bad.csv"
calibrate="calibrate --soc sd855 --runtime tflite"
refuse 3 "bad.csv:2: latency_s: -1 is not a latency" $calibrate "$work/bad.csv" -o p.json
printf 'processor,op,h,cin,cout,latency_s\ngpu,Conv,7,16,16,1\n' >"$work/bad.csv"
refuse 3 "too few rows for gpu, fp16, image: 1 to fit to, and it takes 8" $calibrate "$work/bad.csv" -o p.json
refuse 6 "can't write" $calibrate "$work/bad.csv" -o /nonexistent/p.json # before the fit, which takes long
for i in 1 2 3 4 5 6 7 8 9; do echo "gpu,Conv,7,16,16,0.00$i"; done >"$work/rows"
{ echo 'processor,op,h,cin,cout,latency_s' && cat "$work/rows"; } >"$work/bad.csv"
refuse 3 "bad.csv:2: constant columns: all rows of gpu, fp16, image are of the same operator" $calibrate "$work/bad.csv" -o p.json
{ echo 'processor,op,h,cin,cin,latency_s' && cat "$work/rows"; } >"$work/bad.csv"
refuse 3 "bad.csv:1:20: column \"cin\" is there twice" $calibrate "$work/bad.csv" -o p.json
{ echo 'processor,op,h,cin,cout,latency_s' && sed 's/Conv/Cnov/' "$work/rows"; } >"$work/bad.csv"
refuse 3 "bad.csv:2: op: there is no operator \"Cnov\"; did you mean Conv?" $calibrate "$work/bad.csv" -o p.json
{ echo 'processor,op,h,cin,cout,latency_s' && sed '$s/$/ms/' "$work/rows"; } >"$work/bad.csv"
refuse 3 "bad.csv:10: latency_s: \"0.009ms\": mixed units" $calibrate "$work/bad.csv" -o p.json
echo kept >"$work/p.json"
refuse 3 "bad.csv:10" $calibrate "$work/bad.csv" -o "$work/p.json"
if [ "$(cat "$work/p.json")" = kept ]; then pass; else fail "calibrate: what was there is gone, although the measurements were refused"; fi
if [ -w /dev/full ]; then
  "$HETSIM" $calibrate "$ops" -o p.json >/dev/full 2>"$work/stderr" && fail "calibrate: standard output is full, and it says nothing"
  if [ ! -e p.json ] && grep -q "can't write" "$work/stderr"; then pass; else fail "calibrate: a profile, and its report is lost"; fi
  refuse 6 "can't write" $calibrate "$ops" -o /dev/full
fi
sed 's/"gpu": false, "dsp": true/"gpu": false, "cpu": false/' "$work/says.json" >"$work/nowhere.json"
printf 'processor,model,latency_s\ngpu,%s,1\n' "$work/nowhere.json" >"$work/bad.csv"
refuse 3 "bad.csv:2: says: neither the processor nor cpu runs operator \"y\": the model file says so" $calibrate "$work/bad.csv" -o p.json
cat >"$work/nowhere.json" <<'END'
{"format": "hetsim-workload/1", "name": "two", "title": "t", "source": "s", "inputs": [{"name": "x", "shape": [1, 20, 20, 8]}], "outputs": ["d"], "ops": [
  {"name": "a", "op": "Conv", "inputs": ["x"], "channels": 8, "kernel": [1, 1]},
  {"name": "b", "op": "Conv", "inputs": ["a"], "channels": 8, "kernel": [1, 1]},
  {"name": "c", "op": "Tanh", "inputs": ["b"], "support": {"gpu": false}},
  {"name": "d", "op": "Conv", "inputs": ["c"], "channels": 8, "kernel": [1, 1], "support": {"cpu": false}}]}
END
refuse 3 "bad.csv:2: two: neither the processor nor cpu runs operator \"d\": in no partition that its delegate takes" $calibrate "$work/bad.csv" -o p.json
: >"$work/nowhere.json"
refuse 3 "bad.csv:2: model: $work/nowhere.json:1:1: not JSON" $calibrate "$work/bad.csv" -o p.json
refuse 3 "bad.csv:1: has no table \"Run Order\"" $calibrate squeezenet:gpu="$work/bad.csv" -o p.json
refuse 6 "can't" $calibrate "$work/none.csv" -o p.json
refuse 6 "can't write" $calibrate "$ops" -o /nonexistent/p.json
refuse 2 "--holdout: 1.5 is not a fraction in (0, 1), nor a file" $calibrate "$ops" -o p.json --holdout=1.5
printf 'processor,precision,threads,model,latency_ms\ncpu,fp32,4,vgg16,180\ncpu,fp32,4,resnet18,30\n' >"$work/larger.csv"
accept "warning: networks of 314 MMAC to 1.81 GMAC were measured; beyond that the profile extrapolates: to 1 of the rows kept out, too" \
  calibrate --soc sd855 --runtime tflite "$HETSIM_DATA/tests/data/sd855-tflite-cpu-networks.csv" -o p.json "--holdout=$work/larger.csv"
rm p.json
refuse 2 "--only: \"overhead_cycles\" is named twice" $calibrate "$ops" -o p.json --only=overhead_cycles,overhead_cycles
refuse 2 "--only: the rows of gpu, fp16, image don't speak of a coefficient \"cycles Gelu\" (but of: overhead_cycles," $calibrate "$ops" -o p.json "--only=cycles Gelu"
refuse 3 "keeps none of 90 rows out, as those with one \`network\` stay together: a larger fraction, or --holdout=FILE" $calibrate "$ops" -o p.json --holdout=0.0001
refuse 3 "too few rows" $calibrate "$ops" -o p.json --holdout=0.9999
refuse 2 "--format=csv goes with hetsim run only" $calibrate "$ops" -o p.json --format=csv
refuse 2 "--holdout: $ops is given twice" $calibrate "$ops" -o p.json "--holdout=$ops"
refuse 2 "$ops is given twice" $calibrate "$ops" "$ops" -o p.json
refuse 3 "first.csv:4: duplicate: the same row as line 4 of $ops" $calibrate "$ops" -o p.json "--holdout=$work/first.csv"
refuse 2 "--output=FILE.json is missing" $calibrate "$ops"
refuse 2 "MEASUREMENTS.csv is missing" $calibrate -o p.json
refuse 2 "--runtime: measurements are of one runtime's kernels" calibrate --soc sd855 "$ops" -o p.json
refuse 2 "--soc is missing" calibrate --runtime tflite "$ops" -o p.json
refuse 2 'there is no precision "fp8" (there are: ' calibrate --soc sd855 --runtime tflite --precision fp8 "$ops" -o p.json
refuse 2 'there is no runtime "tf" (there are: mace, tflite, tflite-xnnpack, tflite-nnapi, pytorch, paddle-lite, bolt, ncnn)' calibrate --soc sd855 --runtime tf "$ops" -o p.json
refuse 2 "--holdout does not go with hetsim run" $run --holdout=0.5

finish
