#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hetsim reproduce.
. "$(dirname "$0")/helpers.sh" || exit 1

accept "nn-stretch table-9" reproduce
accept "study figure-2" list reproductions
accept "\"name\": \"mosaic table-3\"" list reproductions --format=json
accept "8 values: " reproduce nn-stretch figure-11
accept "parameters                         25.6 M     25.5 M   -0.3 %  within 10 %" reproduce nn-stretch table-6
accept "12 values: " reproduce nn-stretch table-6
accept "vgg16: the plan is N1 G14 B16: ours is N1" reproduce mosaic table-3
accept "1.40 x to 1.80 x: 1.40 x, just below (Fig. 2, text)" reproduce study figure-2
accept "factors on the CPU." reproduce study figure-4 # the end of a long note
if grep -q " -*0\.00 x" "$work/stdout"; then fail "a small factor is printed as none"; else pass; fi
accept "Can't be compared:" reproduce study table-4
accept "holds   the more is reused in parallel inference, the lower its latency: so for 5 of 5" reproduce study table-4
accept "not yet" reproduce study
if grep -q "idle at 30 °C 11 % and 5 %" "$work/stdout"; then pass; else fail "reproduce study: no errors of the idle phone"; fi
refuse 2 'there is no paper "mosiac"; did you mean mosaic?' reproduce mosiac -o r.txt --svg=b.svg
refuse 2 'there is no table or figure "table-9"; did you mean table-1?' reproduce mosaic table-9 -o r.txt
refuse 2 "(there are: table-3, table-6, table-9" reproduce nn-stretch figure-12 -o r.txt
refuse 2 "one table or figure at a time, not table-4 as well" reproduce mosaic table-3 table-4 -o r.txt
refuse 2 "--svg needs one figure" reproduce --svg=b.svg
refuse 2 "--svg needs one figure, not all of mosaic" reproduce mosaic --svg=b.svg
refuse 2 "--svg: there is nothing to draw of table-3" reproduce mosaic table-3 --svg=b.svg
refuse 2 "--soc does not go with hetsim reproduce" reproduce mosaic table-3 --soc sd855
refuse 2 "--format=csv goes with hetsim run only" reproduce mosaic table-3 --format=csv
refuse 6 "can't write" reproduce mosaic figure-7 -o r.txt --svg=/nonexistent/b.svg
"$HETSIM" reproduce study figure-4 --svg=b.svg >a && "$HETSIM" reproduce study figure-4 --svg=c.svg >b
if cmp -s a b && cmp -s b.svg c.svg; then pass; else fail "reproduce gives other bytes the second time"; fi
# a cell is what the same run by hand is, drawn numbers too
accept "\"policy\": " --soc sd855 --policy cpu --runtime tflite --precision int8 --frequency dsp=min -n 8 --governor performance,dsp=userspace resnet50 resnet50:cpu resnet50:cpu resnet50:cpu --format=json
by_hand=$(sed -n 's/^ *"latency_s": \([0-9.e+-]*\).*/\1/p' "$work/stdout" | head -1)
if grep '^3 competitors ' a | grep -qF " $(awk -v s="$by_hand" 'BEGIN { printf "%.0f ms ", s * 1e3 }')"; then pass; else fail "three competitors of the CPU aren't $by_hand s in figure-4"; fi
if [ "$(grep -o '<rect[^>]*fill="white" stroke' b.svg | wc -l)" -eq 3 ]; then pass; else fail "the figure lacks the two numbers of the paper, or the legend of them"; fi
if grep -q '>latency (ms)<' b.svg; then pass; else fail "the figure's axis doesn't say what it is"; fi
for shown in "mosaic figure-7:>communication (ms)<" "mosaic figure-8:>latency ÷ that of TF-GPU-O (x)<" "nn-stretch figure-7:>throughput (GFLOP/s)<"; do
  "$HETSIM" reproduce ${shown%%:*} --svg=b.svg >a
  if grep -qF "${shown#*:}" b.svg; then pass; else fail "${shown%%:*} doesn't say what it draws: no ${shown#*:}"; fi
done
for shown in "figure-9:71" "figure-10:41"; do # bars of the paper, each once though we have two beside it, and the legend of them
  "$HETSIM" reproduce nn-stretch ${shown%:*} --svg=b.svg >a
  if [ "$(grep -o '<rect[^>]*fill="white" stroke' b.svg | wc -l)" -eq ${shown#*:} ]; then pass; else fail "${shown%:*} lacks bars of the paper"; fi
done
if grep -Eq '^sd855 efficientnet_b5_224 .* 5\.41 W .* 3\.01 W ' a; then pass; else fail "the figure's table lacks the paper's column"; fi
if "$HETSIM" reproduce nn-stretch figure-9 | grep -Eq '^tensor resnet34  *[0-9.]+ ms  20\.4 ms  [0-9.]+ ms  21\.4 ms '; then pass; else fail "the CPU's and the GPU's bars aren't beside the paper's"; fi
# the geometric means that MOSAIC's figures end with are those that its reductions are of: in latency of -P versions, in energy of -O versions
for shown in "figure-8 TF-GPU-P, 7" "figure-9 TF-GPU-O, 15"; do
  set -- $shown
  "$HETSIM" reproduce mosaic "$1" >a
  if awk -v of="$2" -v at="$3" '/^geometric mean / { ours = 100 * (1 - $(NF - 1) / $at) } $4 == "below" && $5 == of { said = $10 }
                                END { exit !(ours > 1 && ours - said < 1 && said - ours < 1) }' a; then pass
  else fail "reproduce mosaic $1: $(grep -e '^geometric mean ' -e " below " a)"; fi
done
# a range is missed on either side
"$HETSIM" reproduce study figure-2 | sed -nE 's/^  (holds|misses) .*: ([0-9.]*) x to ([0-9.]*) x: ([0-9.]*) x \(.*/\1 \2 \3 \4/p' >a
if awk '{ low += $4 < $2; high += $4 > $3 } ($1 == "holds") != ($4 >= $2 && $4 <= $3) { wrong++ } END { exit !(low && high && !wrong) }' a; then pass
else fail "reproduce study figure-2: $(cat a)"; fi
rm -f a b b.svg c.svg

# --- where a network can't run, nothing is said of the fastest, the steadiest or the least: BERT, whose Gelu some have no kernel for, as ResNet-50 ---
mkdir -p "$work/data/workloads"
for folder in socs traces validation; do ln -s "$HETSIM_DATA/$folder" "$work/data/$folder"; done
ln -s "$HETSIM_DATA"/workloads/* "$work/data/workloads/"
other() { rm -f "$work/data/workloads/$1.json" && sed "s/\"name\": \"$2\"/\"name\": \"$1\"/" "$HETSIM_DATA/workloads/$2.json" >"$work/data/workloads/$1.json"; }
other resnet50 bert_base_128
other resnet34 vgg16
HETSIM_DATA="$work/data" "$HETSIM" reproduce study figure-4 >a
if grep -q "misses  without competitors the coarsest, sub-graphs, is fastest: not all run" a && grep -q "can't run: " a; then pass; else fail "figure 4 of what can't run: $(cat a)"; fi
HETSIM_DATA="$work/data" "$HETSIM" reproduce nn-stretch figure-13 >a
if grep -q "misses  NN-Stretch's latency is steadier than that of the CPU alone" a && grep -q "can't run: " a; then pass; else fail "figure 13 of what can't run: $(cat a)"; fi
rm -rf "$work/data"
finish
