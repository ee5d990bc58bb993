#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fits the TensorFlow Lite and PyTorch profiles of Snapdragon 855 again, and TensorFlow Lite's of a Mali-G76, from files of qed-usc/mobile-ml-benchmark (validation/README.md):
#   sh refit-sd855.sh FOLDER-WITH-THEM NEW-FOLDER [KERNEL]...    of gpu, mali-operators, mali-networks, pytorch-gpu and cpu-fp32, cpu-int8, little-fp32, little-int8, these also with tokens-, pytorch- and, but for little-fp32, pytorch-tokens- before
# leaves networks, measurements, and a profile and a table per kernel in NEW-FOLDER, and says where that isn't the profile that comes with hetsim.
set -eu
: "${HETSIM:=hetsim}"
[ $# -ge 2 ] || { echo "usage: $0 FOLDER NEW-FOLDER [KERNEL]..." >&2 && exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
from=$(cd "$1" && pwd)
to=$2
shift 2
all="cpu-fp32 cpu-int8 little-fp32 little-int8 gpu mali-operators mali-networks tokens-cpu-fp32 tokens-cpu-int8 tokens-little-fp32 tokens-little-int8"
all="$all pytorch-cpu-fp32 pytorch-cpu-int8 pytorch-little-fp32 pytorch-little-int8 pytorch-gpu"
all="$all pytorch-tokens-cpu-fp32 pytorch-tokens-cpu-int8 pytorch-tokens-little-int8"
[ $# -gt 0 ] || set -- $all
for kernel; do
  case " $all " in *" $kernel "*) ;; *) echo "$0: there is no kernel \"$kernel\" (but $all)" >&2 && exit 2 ;; esac
done
mkdir -p "$to/networks" "$to/pytorch/networks"
cd "$to"
torch= shaders= transformers= torch_transformers=
case " $* " in *" pytorch-cpu-"* | *" pytorch-little-"* | *" pytorch-gpu "*) torch=torch_cnn_e2e.csv ;; esac
case " $* " in *" pytorch-gpu "*) shaders=torch_cnn_ops_gpu.csv ;; esac
case " $* " in *" tokens-"*) transformers=tflite_transformer_e2e.csv ;; esac
case " $* " in *" pytorch-tokens-"* | *" pytorch-little-fp32 "*) torch_transformers=torch_transformer_e2e.csv ;; esac
for file in tflite_cnn_e2e.csv tflite_cnn_ops_gpu.csv $torch $shaders $transformers $torch_transformers; do
  [ -r "$from/$file" ] || { echo "$0: $from/$file is missing" >&2 && exit 6; }
done
awk -v make=networks -v folder=networks -f "$here/qed-usc.awk" "$from/tflite_cnn_ops_gpu.csv"
awk -v make=operators -f "$here/qed-usc.awk" "$from/tflite_cnn_ops_gpu.csv" >operators.csv
awk -v make=latencies -v folder=networks -f "$here/qed-usc.awk" "$from/tflite_cnn_e2e.csv" >latencies.csv
# PyTorch's networks have the same operators: the table's are of the same models (tf2cv and pytorchcv of imgclsmob).
if [ "$torch" ]; then
  awk -v make=networks -v runtime=pytorch -v folder=pytorch/networks -f "$here/qed-usc.awk" "$from/tflite_cnn_ops_gpu.csv"
  awk -v make=latencies -v folder=pytorch/networks -f "$here/qed-usc.awk" "$from/torch_cnn_e2e.csv" >pytorch/latencies.csv
fi
# On the GPU they end where the last kernel does: 0.06 ms more than these take, whatever the network. What hetsim has for the way to the host and back comes to it.
if [ "$shaders" ]; then
  awk -F, -v OFS=, '$2 == "gpu" { $5 += 669.5 } 1' pytorch/latencies.csv >pytorch/hosted.csv
  awk -v make=shaders -f "$here/qed-usc.awk" "$from/$shaders" >pytorch/operators.csv
fi

# Kept out: the first eight digits of SHA-256 of the name, as a fraction, below 0.33. A convolutional network that isn't in the list of those
# that the profiles were made with stays out of both parts: with more networks this would be another fit.
sum() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi; }
for file in $transformers $torch_transformers; do
  awk -v make=transformers -f "$here/qed-usc.awk" "$from/$file" >"${file%%_*}-transformers.csv"
done
for network in networks/*.json $([ -z "$transformers$torch_transformers" ] || sed '/^model,/d; s/,.*//' ./*-transformers.csv | sort -u); do
  name=$(basename "$network" .json)
  printf '%s %s %s\n' "$name" "$(printf %s "$name" | sum | cut -c 1-8)" "$(case $network in networks/*) echo cnn ;; *) echo transformer ;; esac)"
done | awk 'FNR == NR { listed[$1]; next } { print $1, $3 == "cnn" && !($1 in listed) ? "aside" : ("x" $2) < "x547ae148" ? "out" : "fit" }' "$here/qed-usc.networks" - >split
aside=$(awk '$2 == "aside" { print $1 }' split | paste -sd ' ' -)
[ -z "$aside" ] || echo "put aside, as hetsim's profiles are of other networks of these tables: $aside"

# Rows whose network is in `split`, to NAME-fit.csv and NAME-out.csv; $2: a condition on columns of latencies.csv.
divide() {
  for part in fit out; do
    awk -F, -v part=$part '
      FNR == NR { split($0, s, " "); side[s[1]] = s[2]; next }
      FNR == 1 { print; next }
      { name = $1; sub(/^.*networks\//, "", name); sub(/\.json$/, "", name) }
      '"$2"' && side[name] == part { print }' split "$3" >"$1-$part.csv"
  done
}
# Networks with grouped convolutions were left out when hetsim's table of the delegate still refused these, and stay out as long as the
# profile is that fit; branches of the seven others aren't told by a list.
on_gpu='$2 == "gpu" && name !~ /^(regnet|resnext)/ && name !~ /^(bagnet9|densenet121|densenet169|ghostnet|hardnet39ds|hrnet_w18_small_v2|peleenet)$/'
# Of a table (before is what comes with hetsim): what is now elsewhere by more than a standard error.
compare() {
  awk '
    function number(s) { return s ~ /^[-+0-9.e]+$/ }
    /^condition/ { exit }
    !/^coefficient/ && !in_table { next }
    !in_table++ { next }
    sub(/ +hardly determined: leans on before$/, "") { $0 = $0 }
    number($NF) && number($(NF - 1)) && number($(NF - 2)) { before = $(NF - 2); now = $(NF - 1); error = $NF; last = NF - 3 }
    / not determined by the data: kept$/ { next }
    {
      fitted++
      if ((before - now) ^ 2 <= error ^ 2) next
      name = $1
      for (i = 2; i <= last; i++) name = name " " $i
      print "differs: " name ", " before " in the profile that comes with hetsim, " now " here"
      differ++
    }
    END { print fitted - differ " of " fitted " coefficients as in the profile that comes with hetsim, within a standard error" }' "$1"
}
# SOC RUNTIME ROWS PROFILE: what the rows speak of, as hetsim says it to who asks for something else.
all_but_traffic() {
  all=$("$HETSIM" calibrate --soc "$1" --runtime "$2" "$3" --only=? -o "$4" 2>&1 | sed -n 's/^.*(but of: \(.*\))$/\1/p' | sed 's/, /,/g')
  case $all in "" | *,"and others") echo "$0: hetsim calibrate doesn't say all that $3 speaks of" >&2 && exit 1 ;; esac
  printf %s "$all" | sed 's/,traffic_factor//'
}
# Over what the networks above gave for all else; on efficiency cores in fp32 both kinds of networks together tell how long cores wait for weights.
tokens="cycles LayerNormalization,cycles Gelu"
torch_tokens="cycles Gelu,cycles MatMul,cycles Softmax,cycles Sigmoid"
torch_little="overhead_cycles,efficiency conv_1x1,efficiency conv_3x3,efficiency conv_3x3_strided,efficiency conv_other,efficiency depthwise"
torch_little="$torch_little,layout_cycles_per_byte,turn_cycles,turn_miss_cycles,turn_far_cycles,depthwise other_factor,cycles Add"
torch_little="$torch_little,gemm_factor,reread_cycles_per_byte,$torch_tokens"
# A Mali-G76 of 12 cores, in an Exynos 9820, where kirin990 has one of 16. An operator that is measured by itself doesn't show what its tensors cost in a network.
case " $* " in *" mali-"*)
  mkdir -p mali/alone/profiles
  sed 's/Mali-G76 MP16", "compute_units": 16/Mali-G76 MP12", "compute_units": 12/; s/{"fp32": 384, "fp16": 768}/{"fp32": 288, "fp16": 576}/; s/"freq_hz": 700e6/"freq_hz": 702e6/' \
    "$here/../socs/kirin990.json" | tee mali/kirin990.json >mali/alone/kirin990.json
  [ "$(grep -c 'MP12", "compute_units": 12\|"fp32": 288, "fp16": 576\|702e6' mali/kirin990.json)" -eq 3 ] || { echo "$0: socs/kirin990.json has another GPU" >&2 && exit 1; }
  sed '/"processor": "gpu"/,/"efficiency"/ s/"move_cycles_per_byte": [0-9.]*, //' "$here/../socs/profiles/kirin990-tflite.json" >mali/alone/profiles/kirin990-tflite.json
  awk -v make=operators -v phone=s10 -f "$here/qed-usc.awk" "$from/tflite_cnn_ops_gpu.csv" >mali/operators.csv
  awk -v make=latencies -v phone=s10 -v folder=networks -f "$here/qed-usc.awk" "$from/tflite_cnn_e2e.csv" >mali/latencies.csv
  ;;
esac
for kernel; do
  soc=sd855 more= only= runtime=tflite latencies=latencies.csv
  case $kernel in
    pytorch-tokens-cpu-fp32) runtime=pytorch only="--only=$torch_tokens,gemm_factor" latencies=torch-transformers.csv ;;
    pytorch-tokens-*) runtime=pytorch only="--only=$torch_tokens,cycles Transpose" latencies=torch-transformers.csv ;;
    pytorch-little-fp32)
      runtime=pytorch only="--only=$torch_little" latencies=pytorch/both.csv
      { cat pytorch/latencies.csv && sed 1d torch-transformers.csv; } >$latencies
      ;;
    pytorch-*) runtime=pytorch latencies=pytorch/latencies.csv ;;
    tokens-little-*) only="--only=$tokens,group_of_one_factor" latencies=tflite-transformers.csv ;;
    tokens-*) only="--only=$tokens" latencies=tflite-transformers.csv ;;
  esac
  case $kernel in
    cpu-* | tokens-cpu-* | pytorch-cpu-* | pytorch-tokens-cpu-*) divide "$kernel" "\$2 == \"cpu\" && \$3 == \"${kernel##*-}\"" $latencies ;;
    little-* | tokens-little-* | pytorch-little-* | pytorch-tokens-little-*) divide "$kernel" "\$2 == \"cpu-little\" && \$3 == \"${kernel##*-}\"" $latencies ;;
    mali-operators) soc=mali/alone/kirin990.json && divide mali-operators 1 mali/operators.csv ;;
    mali-networks) soc=mali/kirin990.json only=--only=start_cycles,move_cycles_per_byte && divide mali-networks '$2 == "gpu"' mali/latencies.csv ;;
    gpu) divide gpu "$on_gpu" latencies.csv && divide gpu-operators 1 operators.csv ;;
    pytorch-gpu) divide pytorch-gpu '$2 == "gpu"' pytorch/hosted.csv && divide pytorch-gpu-operators 1 pytorch/operators.csv ;;
  esac
  case $kernel in gpu | pytorch-gpu) more=$kernel-operators-fit.csv ;; esac
  # Two networks without Pad operators, which tell depthwise convolutions from these: published for a Pixel 4 (claims.csv, tflite-sd855-public-int8).
  [ "$kernel" = cpu-int8 ] && printf '%s\n' mobilenet_v1,cpu,int8,mid:3+big:1,5000 efficientnet_lite1,cpu,int8,mid:3+big:1,9100 >>cpu-int8-fit.csv
  # No CPU has a traffic_factor: of the tensors what exceeds the cache is in DRAM, and nothing of that is free. The Mali's memory is its phone's; the rate of fully
  # connected operators is in its curve, and its convolutions have no depth.
  [ "$only" ] || case $kernel in
    cpu-* | little-* | pytorch-cpu-* | pytorch-little-*) only=--only=$(all_but_traffic sd855 $runtime "$kernel-fit.csv" "$kernel.json") ;;
    mali-operators) only=--only=$(all_but_traffic $soc tflite "$kernel-fit.csv" "$kernel.json" | sed 's/,efficiency matmul//; s/,reduction_half[a-z_]*//g') ;;
  esac
  "$HETSIM" calibrate --soc "$soc" --runtime $runtime "$kernel-fit.csv" $more ${only:+"$only"} --holdout="$kernel-out.csv" -o "$kernel.json" >"$kernel.txt"
  echo "== $kernel" && grep -A 6 '^error' "$kernel.txt" && compare "$kernel.txt"
done
