#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What README.md, doc/cost-model.md and doc/gantt.svg show is what hetsim prints and draws.
. "$(dirname "$0")/helpers.sh" || exit 1

# its picture is what the command that it names draws
"$HETSIM" $(sed -n 's/^    hetsim \(.*--gantt=\)gantt\.svg .*happens when.*/\1picture.svg/p' "$HETSIM_DATA/README.md") >"$work/stdout" 2>"$work/stderr"
if cmp -s picture.svg "$HETSIM_DATA/doc/gantt.svg"; then pass; else fail "doc/gantt.svg is another picture: $(cat "$work/stderr")"; fi
rm -f picture.svg

# the lines of the first file, in their order, with nothing but blank lines in between, are in the second; … stands for other lines. Prints what isn't there
shows() { awk 'NR == FNR { shown[++n] = $0; next } { sub(/ +$/, ""); if ($0 != "") printed[++m] = $0 } END {
  for (i = 1; i <= n; i++) {
    if (shown[i] == "…") { skips = 1; continue }
    at++
    while (skips && at <= m && printed[at] != shown[i]) at++
    if (at > m || printed[at] != shown[i]) { print shown[i]; exit 1 }
    skips = 0
  } }' "$1" "$2"; }

# documents are installed as they stand in the source: each leads to others that are installed, too
documents=$(sed '/^#/d; s/^nobase_dist_doc_DATA = //; s/\\$//' "$HETSIM_DATA/doc/local.mk" | tr -s ' \t' '\n')
for document in $documents; do
  grep -o '](\([^)#]*\)' "$HETSIM_DATA/$document" | sed 's/^](//; /^$/d; /^https*:/d' | sort -u | while read -r link; do
    echo "$document $link"
    file=$(realpath -m --relative-to="$HETSIM_DATA" "$HETSIM_DATA/$(dirname "$document")/$link")
    printf '%s\n' "$documents" | grep -qxF "$file" || echo "$document leads to $link" >>"$work/uninstalled"
  done >>"$work/links"
done
if [ "$(wc -l <"$work/links")" -ge 20 ] && [ ! -s "$work/uninstalled" ]; then pass; else fail "documents lead to what isn't installed: $(cat "$work/uninstalled")"; fi

# what README.md shows of its runs is what they print, but for hetsim validate, which takes long (validation/figures.sh has that)
mkdir "$work/shown"
awk -v to="$work/shown/" '/^    \$ / { sub(/^    \$ (hetsim )?/, ""); file = to (++n); print >file; next } /^[^ ]/ { file = "" } file && /[^ ]/ { print substr($0, 5) >file }' "$HETSIM_DATA/README.md"
for example in "$work"/shown/*; do
  command=$(head -n 1 "$example")
  case $command in
    validate*) continue ;;
    "./setup run") command="--soc sd855 --policy codl yolov2" ;;
  esac
  # shellcheck disable=SC2086
  "$HETSIM" $command >"$work/stdout" 2>"$work/stderr" </dev/null || fail "README.md: hetsim $command: $(cat "$work/stderr")"
  sed 1d "$example" >"$work/example"
  if [ "$(wc -l <"$work/example")" -gt 2 ] && other=$(shows "$work/example" "$work/stdout"); then pass; else fail "README.md: hetsim $command prints otherwise: $other"; fi
done

# an operator that doc/cost-model.md counts by hand takes so long
sed -n 's/^    hetsim \(explain .*[^ ]\)  *# \([a-z0-9_]*\), \([a-z]*\): \([0-9.]*\) ms$/\2 \3 \4 \1/p' "$HETSIM_DATA/doc/cost-model.md" >"$work/by-hand"
while read -r operator processor ms command; do
  # shellcheck disable=SC2086
  "$HETSIM" $command </dev/null | sed -n "s/^.*\"name\": \"$operator\".*\"estimated_s\": {[^}]*\"$processor\": \([-0-9.e]*\).*$/\1/p" >"$work/seconds"
  if awk -v ms="$ms" '{ digits = length(ms) - index(ms, "."); said = sprintf("%.*f", digits, $1 * 1000) } END { exit said != ms }' "$work/seconds"; then pass
  else fail "doc/cost-model.md: $operator takes $ms ms on $processor: hetsim $command has $(cat "$work/seconds") s"; fi
done <"$work/by-hand"
if [ "$(wc -l <"$work/by-hand")" -eq 2 ]; then pass; else fail "doc/cost-model.md: counts $(wc -l <"$work/by-hand") operators by hand, not 2"; fi

# where a sentence has a run and its latency in brackets, that is what it prints; so it is with an option that follows
for document in README.md doc/policies.md doc/design.md doc/formats.md doc/cost-model.md doc/calibrate.md; do
  tr '\n' ' ' <"$HETSIM_DATA/$document" | sed 's/  */ /g' >"$work/line"
  grep -o '`hetsim [^`]*`: [0-9.]* ms' "$work/line" | sed 's/^`hetsim \(.*\)`: \([0-9.]*\) ms$/\2 \1/' |
    grep -v '^[0-9.]* compare' | sed "s|^|$document |" >>"$work/said"
  grep -o '`hetsim [^`]*`: [0-9.]* ms, with `[^`]*` [0-9.]*[0-9]' "$work/line" |
    sed "s|^\`hetsim \(.*\)\`: [0-9.]* ms, with \`\(.*\)\` \([0-9.]*\)$|$document \3 \1 \2|" | tee -a "$work/said" >>"$work/with"
done
if [ "$(wc -l <"$work/with")" -eq 2 ]; then pass; else fail "documents have $(wc -l <"$work/with") runs in sentences with another option, not 2"; fi
while read -r document ms command; do
  # shellcheck disable=SC2086
  "$HETSIM" $command --format=json </dev/null | sed -n 's/^  "latency_s": \([-0-9.e]*\),$/\1/p' >"$work/seconds"
  if awk -v ms="$ms" '{ digits = length(ms) - index(ms, "."); said = sprintf("%.*f", digits, $1 * 1000) } END { exit index(ms, ".") ? said != ms : sprintf("%.0f", $1 * 1000) != ms }' "$work/seconds"; then pass
  else fail "$document: hetsim $command takes $(cat "$work/seconds") s, not $ms ms"; fi
done <"$work/said"
if [ "$(wc -l <"$work/said")" -ge 10 ]; then pass; else fail "documents have $(wc -l <"$work/said") runs in sentences, not 10"; fi

# and where README.md has a run of two networks and how often each ends, without and with an option, so does that
two='\([0-9.]*\) and \([0-9.]*[0-9]\)'
{ tr '\n' ' ' <"$HETSIM_DATA/README.md" && echo; } | sed 's/  */ /g' |
  sed -n "s/.*\`hetsim \([^\`]*\)\` runs $two inferences per second, with \`\([^\`]*\)\` $two.*/\2 \3 \1\n\5 \6 \1 \4/p" >"$work/rates"
while read -r first second command; do
  # shellcheck disable=SC2086
  "$HETSIM" $command --format=json </dev/null | sed -n 's/^    {"label": .*"throughput_per_s": \([-0-9.e]*\),.*/\1/p' >"$work/per-second"
  for said in "$first" "$second"; do
    digits=${said#*.}
    echo "$said $(sed -n 1p "$work/per-second") ${#digits}"
    sed -i 1d "$work/per-second"
  done >"$work/both"
  if awk '{ other += $1 != sprintf("%.*f", $3, $2); n += NF == 3 } END { exit other || n != 2 }' "$work/both"; then pass
  else fail "README.md: hetsim $command runs (said, simulated, digits): $(tr '\n' ' ' <"$work/both")"; fi
done <"$work/rates"
if [ "$(wc -l <"$work/rates")" -eq 2 ]; then pass; else fail "README.md: has $(wc -l <"$work/rates") runs with their rates, not 2"; fi

# and so many frames are dropped under the other policy that README.md names
{ tr '\n' ' ' <"$HETSIM_DATA/README.md" && echo; } | sed 's/  */ /g' |
  sed -n 's/.*\$ hetsim \(--soc [^ ]* --policy\) [^ ]* \([^…]*--scenario video-playback\) .* Under `\([a-z-]*\)`, which [^.]*, \([0-9.]*\) % are dropped.*/\4 \1 \3 \2/p' >"$work/dropped"
read -r percent command <"$work/dropped"
# shellcheck disable=SC2086
"$HETSIM" $command </dev/null >"$work/stdout"
if [ -n "$percent" ] && grep -q "^Frames .* drawn, $percent % dropped" "$work/stdout"; then pass
else fail "README.md: hetsim $command doesn't drop '$percent' % of the frames: $(grep '^Frames' "$work/stdout")"; fi

# what doc/formats.md changes in a SoC's file with jq is a SoC that runs
sed -n '/^    jq /,/> [a-z/-]*\.json$/p' "$HETSIM_DATA/doc/formats.md" | sed "s|socs/|$HETSIM_DATA/socs/|" >"$work/changes"
(cd "$work" && mkdir profiles && sh ./changes) || fail "doc/formats.md: $(cat "$work/changes")"
for soc in slower without-npu wider; do
  if "$HETSIM" --soc "$work/$soc.json" --policy gpu squeezenet >"$work/stdout" 2>&1; then pass; else fail "doc/formats.md, $soc.json: $(cat "$work/stdout")"; fi
done
# more units at the same rate are slower, at a rate of their own faster
jq '.processors[2].domains[0].compute_units = 4' "$HETSIM_DATA/socs/sd855.json" >"$work/narrow.json"
for soc in sd855 "$work/narrow.json" "$work/wider.json"; do
  "$HETSIM" --soc "$soc" --policy gpu --runtime tflite resnet50 --format=json | sed -n 's/^  "latency_s": \([-0-9.e]*\),$/\1/p'
done | awk '{ printf "%.1f ", $1 * 1000 }' >"$work/units"
if [ "$(cat "$work/units")" = "$(tr '\n' ' ' <"$HETSIM_DATA/doc/formats.md" | sed 's/.* takes \([0-9.]*\) ms with its 2, \([0-9.]*\) ms with 4 that share the old rate, and \([0-9.]*\) ms with 4 .*/\1 \2 \3 /')" ]; then pass
else fail "doc/formats.md, units of a GPU: $(cat "$work/units")"; fi
jq '.name = "newname"' "$HETSIM_DATA/socs/sd888.json" >"$work/newname.json" # with a relative's profile beside it
if "$HETSIM" show soc "$work/newname.json" | grep "^  tflite  *gpu .* sibling " | grep -q "$work/profiles/newname-tflite.json"; then pass; else fail "doc/formats.md, newname"; fi
# and so it is with every profile of a SoC that comes with hetsim
for profile in "$HETSIM_DATA"/socs/profiles/*.json; do
  name=$(basename "$profile" .json) soc=${name%%-*} runtime=${name#*-}
  [ "$soc" = any ] && continue
  sed -n '/newname-tflite\.json$/{x;G;p;d;}; h' "$work/changes" | sed "s|sd888-tflite|$name|; s|newname-tflite|newname-$runtime|" >"$work/other"
  rm -f "$work"/profiles/newname-*.json
  jq '.name = "newname"' "$HETSIM_DATA/socs/$soc.json" >"$work/newname.json"
  (cd "$work" && sh ./other)
  if "$HETSIM" show soc "$work/newname.json" >"$work/stdout" 2>&1 && grep "^  $runtime  *[a-z]" "$work/stdout" | grep -v ' fitted ' | grep -q "$work/profiles/newname-$runtime.json"; then pass
  else fail "doc/formats.md, newname from $name: $(head -n 3 "$work/stdout")"; fi
done
for gone in gpu dsp cpu-little; do # and so it is with another processor
  sed "s/--arg gone npu/--arg gone $gone/" "$work/changes" >"$work/other"
  rm "$work/without-npu.json"
  (cd "$work" && sh ./other)
  if "$HETSIM" --soc "$work/without-npu.json" --policy cpu squeezenet >"$work/stdout" 2>&1 && ! grep -q "^$gone " "$work/stdout"; then pass; else fail "doc/formats.md, without $gone: $(cat "$work/stdout")"; fi
done

# doc/calibrate.md: latencies of an idle phone depend on no power, voltage or thermal resistance
jq '.device.idle_w *= 3 | .processors[].domains[].opps[] |= (.volt = 0.9 | .dynamic_w *= 0.3 | .static_w *= 0.1) | .thermal.nodes[].capacitance_j_per_k *= 0.2 |
  .thermal.links[].resistance_k_per_w *= 5' "$HETSIM_DATA/socs/sd855.json" >"$work/hot.json"
for policy in cpu cpu-little gpu dsp; do
  for soc in sd855 "$work/hot.json"; do
    "$HETSIM" --soc "$soc" --policy $policy --runtime tflite --precision int8 mobilenet_v1 --format=json 2>&1 | grep -e '^  "latency_s"' -e hetsim: >"$work/$(basename "$soc").latency"
  done
  if [ -s "$work/sd855.latency" ] && cmp -s "$work/sd855.latency" "$work/hot.json.latency"; then pass; else fail "doc/calibrate.md, $policy: $(cat "$work/sd855.latency" "$work/hot.json.latency")"; fi
done

# and its many variants make one table, a row each
sed -n '/^    mkdir -p variants$/,/^    awk .*> all\.csv/p' "$HETSIM_DATA/doc/formats.md" | sed "s|socs/|$HETSIM_DATA/socs/|; s|'hetsim |'$HETSIM |" >"$work/sweep"
(cd "$work" && sh ./sweep) >"$work/stdout" 2>&1 || fail "doc/formats.md, many variants: $(cat "$work/stdout")"
if [ "$(sed 1d "$work/all.csv" | cut -d, -f6 | sort -u | wc -l)" -eq 4 ] && [ "$(wc -l <"$work/all.csv")" -eq 5 ]; then pass
else fail "doc/formats.md: its four variants make $(cat "$work/all.csv")"; fi
if command -v gnuplot >"$work/stdout"; then # which ./setup doesn't install
  sed -n '/^    gnuplot /,/"$/p' "$HETSIM_DATA/doc/formats.md" >"$work/plot"
  if (cd "$work" && sh ./plot) >"$work/stdout" 2>&1 && grep -q 'npu-2048' "$work/all.svg"; then pass; else fail "doc/formats.md, gnuplot: $(cat "$work/stdout")"; fi
fi

finish
