#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hetsim validate: a small claims file whose every outcome is known beforehand, faults of the file that only show when it runs, and a dozen
# rows of validation/claims.csv (make validate runs all).
set -u
: "${HETSIM:?}" "${HETSIM_DATA:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
passed=0 failed=0

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); printf 'FAIL %s\n' "$*"; }

# claims NAME ROW...: a file with these rows
claims() {
  file=$1
  shift
  echo "id,group,role,command,field,expected,unit,tolerance,fit,source,note,reason" >"$file"
  printf '%s\n' "$@" >>"$file"
}

# runs STATUS ARGS...: hetsim validate ends so; output in out and err
runs() {
  want=$1
  shift
  "$HETSIM" validate "$@" >out 2>err </dev/null
  got=$?
  if [ "$got" -eq "$want" ]; then pass; else fail "validate $*: exit $got, not $want: $(cat err)"; fi
}

# says FILE TEXT: columns are as wide as they are
says() { if tr -s ' ' <"$1" | grep -qF -e "$2"; then pass; else fail "no \"$2\" in $1: $(cat "$1")"; fi; }

# Counts are sums of the networks' definition, the same whatever the profiles say: 4.09 G multiply-accumulates, 25.5 M parameters.
macs='reproduce nn-stretch table-6,"{resnet50, multiply-accumulates}"' params='reproduce nn-stretch table-6,"{resnet50, parameters}"'
squeeze="--soc sd855 --policy cpu squeezenet"
cat >nowhere.json <<'EOT'
{"format": "hetsim-workload/1", "name": "nowhere", "title": "no processor can run it", "source": "this test", "inputs": [{"name": "x", "shape": [1, 8, 8, 4]}],
 "outputs": ["y"], "ops": [{"name": "y", "op": "Relu", "inputs": ["x"], "support": {"cpu": false, "gpu": false, "dsp": false, "npu": false}}]}
EOT
claims below.csv "below,g,held-out,$params,50..60,M,,,paper,,too few"
runs 0 --claims=below.csv
says out "below held-out 50..60 M 25.53 M -48.9 % fails, known too few"
claims good.csv \
  "value,g,held-out,$macs,4.1,G,1%,,paper,," \
  "points,g,held-out,$params,25.6,M,0.2,,paper,," \
  "known,g,held-out,$params,25.6,M,0.1%,,paper,,ours has 25.53 M" \
  "range,g,held-out,$params,25.3..25.7,M,,,paper,," \
  "ratio,h,calibrated,$squeeze ; $squeeze --threads 4,2 * a.latency_s / b.latency_s,1.6,x,50%,one:3 two:4,paper,," \
  "again,h,calibrated,$squeeze,n_tasks / n_tasks,1,,1%,two:4,paper,," \
  "both,i,calibrated,$squeeze,n_ops / n_ops,1,,1%,two:4,paper,," \
  "order,o,ordering,$squeeze ; $squeeze --frequency min,0 < a.latency_s < b.latency_s,holds,,,,paper,," \
  "wrong,o,ordering,$squeeze ; $squeeze --frequency min,b.latency_s < a.latency_s,holds,,,,paper,,it is the other way round" \
  "compared,o,ordering,compare $squeeze --policies=cpu,[policy=cpu].latency_s < [policy=cpu].latency_s + 1,holds,,,,paper,," \
  "cannot,p,held-out,--soc sd855 --policy cpu ./nowhere.json,latency_s,5,ms,10%,,paper,,no processor has the operator" \
  "later,p,open,,,99.8,ms,,,paper,,what isn't modelled"
sed -i 's/compare --soc sd855 --policy cpu squeezenet/compare --soc sd855 squeezenet/' good.csv
runs 0 --claims=good.csv --markdown=table.md
says out "value held-out 4.1 G 4.089 G -0.3 % pass"
says out "known held-out 25.6 M 25.53 M -0.3 % fails, known ours has 25.53 M"
says out "range held-out 25.3..25.7 M 25.53 M +0.0 % pass"
says out "ratio calibrated 1.6 x 2 x +25.0 % pass"
says out "wrong ordering holds doesn't - fails, known"
says out "cannot held-out 5 ms - - fails, known"
says out "later open 99.8 ms - - open"
says out "g held-out 4 3 1 0 3 0.3 % 0"
says out "h calibrated 2 2 0 0 2 12.5 % 7"
says out "i calibrated 1 1 0 0 1 0.0 % 4" # each group has what it was fitted with
says out "12 claims, 6 commands: 8 pass, 3 fail for a known reason, 0 fail without one, 1 are open."
says out "Pass: calibrated 3 of 3 (100 %), held-out 3 of 5 (60 %), ordering 2 of 3 (67 %)."
says table.md "| h | calibrated | 2 | 2 | 0 | 0 | 2 | 12.5 % | 7 |"
says table.md "| value | held-out | 4.1 G | 4.089 G | -0.3 % | pass | |"
runs 0 --claims=good.csv --format=json
says out '{"id": "known", "group": "g", "role": "held-out", "expected": 25.6, "simulated": 25.530472, "unit": "M", "error_frac": -0.0027159375, "pass": false, "known": true,'
says out '"expected": true, "simulated": false, "unit": "", "error_frac": null, "pass": false, "known": true,'
says out '"expected": 99.8, "simulated": null, "unit": "ms", "error_frac": null, "pass": null, "known": false,'
says out '{"name": "h", "role": "calibrated", "n": 2, "mape": 0.125, "n_fitted": 7, "n_claims": 2, "n_pass": 2, "n_known": 0, "n_fail": 0}'

# what has no value says so
claims zero.csv "zero,g,held-out,$squeeze,latency_s / (n_ops - n_ops),5,,10%,,paper,,"
runs 1 --claims=zero.csv
says out "zero held-out 5 - - FAIL is no finite number"

# ends of a range count, unless it is written with < or >; how far beyond one, with its sign; and nothing to be measured by at 0
claims ends.csv \
  "low,g,held-out,$squeeze,2 * n_ops / n_ops,2..3,,,,paper,," \
  "high,g,held-out,$squeeze,3 * n_ops / n_ops,2..3,,,,paper,," \
  "most,g,held-out,$squeeze,2 * n_ops / n_ops,<=2,,,,paper,," \
  "below,g,held-out,$squeeze,2 * n_ops / n_ops,<2,,,,paper,,not below" \
  "beyond,g,held-out,$squeeze,4 * n_ops / n_ops,2..3,,,,paper,,too many" \
  "under,g,held-out,$squeeze,0 - 5 * n_ops / n_ops,-4..-2,,,,paper,,too few" \
  "zero,g,held-out,$squeeze,2 * n_ops / n_ops,<0,,,,paper,,too many" \
  "exact,g,held-out,$squeeze,2 * n_ops / n_ops,3,,1,,paper,," \
  "nearly,g,held-out,$squeeze,2 * n_ops / n_ops,2.0002,,1%,,paper,,"
runs 0 --claims=ends.csv --markdown=ends.md
says out "low held-out 2..3 2 +0.0 % pass"
says out "high held-out 2..3 3 +0.0 % pass"
says out "most held-out <=2 2 +0.0 % pass"
says out "below held-out <2 2 +0.0 % fails, known not below"
says out "beyond held-out 2..3 4 +33.3 % fails, known too many"
says out "under held-out -4..-2 -5 -25.0 % fails, known too few"
says out "zero held-out <0 2 - fails, known too many"
says out "exact held-out 3 2 -33.3 % pass"
says out "nearly held-out 2.0002 2 +0.0 % pass"
says out "g held-out 9 5 4 0 2 16.7 % 0" # of two values, not of ranges

# a policy of a comparison that can't run, beside one that can
compared='"compare --soc sd855 bert_base_128 --policies=cpu,nn-stretch"'
claims compared.csv \
  "one,g,held-out,$compared,[policy=cpu].latency_s,>0,ms,,,paper,," \
  "other,g,held-out,$compared,[policy=nn-stretch].latency_s,1,ms,1%,,paper,,as it is"
runs 0 --claims=compared.csv
says out "one held-out >0 "
says out "other held-out 1 ms - - fails, known policy nn-stretch: bert_base_128 has no stages between stem and head that one tensor leads into and out of: as it is"

# roles of one group apart; what can't run doesn't hold, either; the numbers of an order before its reason; | in a table's cell
claims apart.csv \
  "value,g,held-out,$macs,4.1,G,1%,,paper,," \
  "order,g,ordering,reproduce nn-stretch table-6,\"{resnet50, multiply-accumulates} < {resnet50, parameters}\",holds,,,,paper,,more work than weights | so it is" \
  "stopped,g,ordering,--soc sd855 --policy cpu ./nowhere.json,stopped,holds,,,,paper,,no processor has the operator" \
  "later,g,open,,,,,,,paper,,what isn't modelled"
runs 0 --claims=apart.csv --markdown=apart.md
says out "order ordering holds doesn't - fails, known 4.089e+09, 2.553e+07: more work than weights | so it is"
says out "stopped ordering holds - - fails, known"
says out "later open - - - open what isn't modelled"
says out "g held-out 1 1 0 0 1 0.3 % 0"
says out "g ordering 2 0 2 0 0 - 0"
says out "g open 1 0 0 0 0 - 0"
says apart.md '2.553e+07: more work than weights \| so it is |'
runs 0 --claims=apart.csv --format=json
says out '"role": "ordering", "expected": true, "simulated": null, "unit": "", "error_frac": null, "pass": false, "known": true,'
says out '"role": "open", "expected": null, "simulated": null,'

# a failure without a reason; the table is printed all the same
sed 's/,ours has 25.53 M$/,/' good.csv >fails.csv
runs 1 --claims=fails.csv
says err "1 claim fails without a known reason"
says out "known held-out 25.6 M 25.53 M -0.3 % FAIL"
# a reason that is out of date
sed 's/^\(value,.*\),$/\1,not any more/' good.csv >passes.csv
runs 0 --claims=passes.csv
says out "passes, though the file says that it fails"

# a device that shuts down is a result, too, and the other claims are tried
echo '{"format": "hetsim-scenario/1", "name": "hot", "title": "t", "source": "s", "thermal": {"replay_c": {"cpu": [[0, 90], [1, 150]]}}}' >hot.json
claims hot.csv "hot,g,held-out,--soc sd855 --policy cpu mobilenet_v1 -n 100 --scenario=hot.json,latency_s,5,ms,10%,,paper,,its limit is another phone's" "value,g,held-out,$macs,4.1,G,1%,,paper,,"
runs 0 --claims=hot.csv
says out "hot held-out 5 ms - - fails, known"
says out "value held-out 4.1 G 4.089 G -0.3 % pass"

# faults that only a run shows
bad() {
  message=$1
  shift
  claims bad.csv "$@"
  rm -f result
  runs 3 --claims=bad.csv -o result
  says err "$message"
  if [ -e result ]; then fail "left a result"; else pass; fi
}
bad "bad.csv:2: command: --soc sd899 --policy cpu squeezenet: " "a,g,held-out,--soc sd899 --policy cpu squeezenet,latency_s,5,ms,10%,,paper,,"
bad "bad.csv:2: command: --soc kirin970 --policy dsp squeezenet: policy dsp needs a dsp, and kirin970 has none" \
  "a,g,held-out,--soc kirin970 --policy dsp squeezenet,latency_s,5,ms,10%,,paper,,"
bad 'bad.csv:2: field: "1" asks for no field of a result' "a,g,held-out,$squeeze,1,5,,10%,,paper,,"
bad "bad.csv:2: command: no field is asked of $squeeze --threads 4" "a,g,held-out,$squeeze ; $squeeze --threads 4,a.latency_s,5,ms,10%,,paper,,"
# of several faults the first in the file, however many commands run at a time
bad "bad.csv:3: command: --soc sd898 --policy cpu squeezenet: " "v,g,held-out,$macs,4.1,G,1%,,paper,," \
  "a,g,held-out,--soc sd898 --policy cpu squeezenet,latency_s,5,ms,10%,,paper,," "b,g,held-out,--soc sd899 --policy cpu squeezenet,latency_s,5,ms,10%,,paper,,"
set -- # seven rows of 23 fields: 161
for row in 0 1 2 3 4 5 6; do
  sum=0 i=0
  while [ $i -lt 23 ]; do sum="$sum + latencies_s[$((23 * row + i))]" i=$((i + 1)); done
  set -- "$@" "r$row,g,held-out,$squeeze,$sum,5,ms,10%,,paper,,"
done
bad "bad.csv:8: command: more than 160 fields are asked of it" "$@"
bad "bad.csv:3: command: list socs: a claim's command is hetsim run, compare" "v,g,held-out,$macs,4.1,G,1%,,paper,," "a,g,held-out,list socs,x,5,ms,10%,,paper,,"
for option in gantt timeline curves output; do
  bad "a claim's command is hetsim run, compare, explain, or reproduce with a table or figure, and writes no files" "a,g,held-out,$squeeze --$option=result,latency_s,5,ms,10%,,paper,,"
done
no_result="a claim's command is hetsim run, compare, explain, or reproduce with a table or figure, and writes no files"
bad "$no_result" "a,g,held-out,compare --soc sd855 squeezenet --svg=result,[policy=cpu].latency_s,5,ms,10%,,paper,,"
bad "$no_result" "a,g,held-out,$squeeze --help,latency_s,5,ms,10%,,paper,,"
bad "$no_result" "a,g,held-out,reproduce mosaic,latency_s,5,ms,10%,,paper,,"
for option in -Fjson --format=json; do
  bad "a claim's command has no --format: its result is JSON" "a,g,held-out,$squeeze $option,latency_s,5,ms,10%,,paper,,"
done
words=$squeeze
while [ "$(printf '%s\n' "$words" | wc -w)" -le 60 ]; do words="$words -v"; done
bad "the command has more than 60 words" "a,g,held-out,$words,latency_s,5,ms,10%,,paper,,"
long=x
while [ ${#long} -lt 2000 ]; do long=$long$long; done
bad "the command is longer than 1999 characters" "a,g,held-out,$squeeze $long,latency_s,5,ms,10%,,paper,,"
bad "bad.csv:2: field: \"latency\": the result of --soc" "a,g,held-out,$squeeze,latency,5,ms,10%,,paper,,"
bad "bad.csv:2: field: \"{resnet51}\": the result of reproduce" "a,g,held-out,reproduce nn-stretch table-6,{resnet51},5,G,10%,,paper,,"
bad "bad.csv:2: expected: 4.2, but hetsim reproduce nn-stretch table-6 has 4.1 for it" "a,g,held-out,$macs,4.2,G,10%,,paper,,"
bad 'bad.csv:2: expected: "holds": the field is a number' "a,g,held-out,$macs,holds,,,,paper,,"
bad 'bad.csv:2: field: "processors[name=gpu].available - 1": processors[name=gpu].available holds or not, and is no number' \
  "a,g,held-out,--soc sd855 --policy gpu squeezenet,processors[name=gpu].available - 1,0,,1,,paper,,"
bad "has no such" "a,g,held-out,--soc sd855 --policy gpu squeezenet,latencies_s[4294967296],1,ms,10%,,paper,,"
bad 'bad.csv:2: expected: "1": the field holds or not' "a,g,held-out,reproduce mosaic figure-7,{communication with the NPU costs more than with the GPU},1,,1,,paper,,"
# four threads are MACE's own: one figure, spelt in two ways; of another source it is another measurement, which the sum tells
bad "bad.csv:3: role: held-out, but line 2, calibrated, has the same figure of the same source, and the same result: nothing is both" \
  "fitted,g,calibrated,$squeeze,latency_s,22,ms,10%,one:1,paper,," "kept,h,held-out,$squeeze --threads 4,latency_s,22,ms,10%,,paper,,"
claims both.csv "fitted,g,calibrated,$squeeze,latency_s,22,ms,10%,one:1,paper,," "kept,h,held-out,$squeeze,latency_s,23,ms,10%,,another paper,," \
  "else,h,held-out,$squeeze,energy_j,115,mJ,10%,,paper,," "twice,h,held-out,$squeeze --threads 4,latency_s,24,ms,10%,,paper,," \
  "slower,h,held-out,$squeeze --threads 2,latency_s,22,ms,300%,,paper,," \
  "agrees,h,held-out,$squeeze,latency_s,22,ms,10%,,another paper,,"
runs 0 --claims=both.csv
says out "Held out, but measured again by others of what a calibrated row asks: 2."
runs 6 --claims=none.csv
runs 2 --claims=good.csv squeezenet
says err "hetsim validate takes no name: squeezenet"
runs 6 --claims=good.csv --markdown=/nonexistent/a.md

# a dozen rows of the real file
real="$HETSIM_DATA/validation/claims.csv"
grep '^id,' "$real" >short.csv
for id in codl.sd855.gpu-image.yolov2 codl.sd855.cpu.vgg16 codl.kirin990.codl-buffer.yolov2 codl.sd855.codl-image.yolov2 codl.power.gpu-image.yolov2 \
  study.f2.best.yolov2 study.f2.kirin985.yolov2 nnstretch.sample.resnet50.dsp nnstretch.t9.depth nnstretch.t6.resnet50.macs mosaic.f7.linear study.t4.00; do
  grep "^$id," "$real" >>short.csv || fail "$id is not in validation/claims.csv"
done
runs 0 --claims=short.csv
says out "12 claims, "

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
