#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where SoCs, networks and profiles are found: by path, by name, by another's name, below HETSIM_DATA and beside the program.
. "$(dirname "$0")/helpers.sh" || exit 1

# --- success ---
mkdir -p "$work/phone/profiles" # a phone of one's own: the profile beside its file
cp "$HETSIM_DATA/socs/kirin970.json" "$work/phone/mine.json"
for there in "$work/phone/mine.json" kirin970; do "$HETSIM" --soc "$there" --policy cpu --runtime tflite squeezenet --format=json >"$work/$(basename "$there" .json)"; done
if [ "$(grep fingerprint "$work/mine")" = "$(grep fingerprint "$work/kirin970")" ]; then pass; else fail "a SoC by its path has another profile than by its name"; fi
sed 's/"overhead_cycles": [0-9][0-9.]*/"overhead_cycles": 9e5/' "$HETSIM_DATA/socs/profiles/kirin970-tflite.json" >"$work/phone/profiles/kirin970-tflite.json"
for there in mine.json ./mine.json; do (cd "$work/phone" && "$HETSIM" --soc "$there" --policy cpu --runtime tflite squeezenet --format=json) >"$work/mine"
  if [ "$(grep fingerprint "$work/mine")" != "$(grep fingerprint "$work/kirin970")" ] &&
     grep -q "\"profile\".*$(sha256sum "$work/phone/profiles/kirin970-tflite.json" | cut -c1-64)" "$work/mine"; then pass; else fail "the profile beside $there isn't used"; fi
done
cp "$HETSIM_DATA/socs/profiles/any-mace.json" "$work/phone/profiles/" # estimates are those that come with hetsim
accept "  socs/profiles/any-mace.json" show soc "$work/phone/mine.json"
sed 's/"name": "squeezenet",/"name": "fire",/' "$HETSIM_DATA/workloads/squeezenet.json" >"$work/a:b@1,2 x.json"
accept "fire on sd855" --soc sd855 --policy cpu "$work/a:b@1,2 x.json" --check # no mark of a pattern, setting or policy
(cd "$work" && "$HETSIM" --soc sd855 "a:b@1,2 x.json@30fps,deadline=20ms:gpu" -n 2 --format=json -o "$work/json")
if grep -q '"policy": "gpu", "params": {[^}]*}, "runtime": "mace", "precision": "fp32", "kernels": "fitted", "inferences": 2.*"pattern": "fixed".*"deadline_s": 0.02' "$work/json"; then pass; else fail "a file's name with marks, and a pattern behind it"; fi
mkdir -p "$work/root/socs/names" # another's name that stands for nothing; and a root whose name would be cut
ln -s "$HETSIM_DATA/workloads" "$work/root/workloads"
cp "$HETSIM_DATA/socs/kirin970.json" "$work/root/socs/"
printf '{"format": "hetsim-names/1", "source": "theirs", "names": [{"also": "SM1", "name": "SM2"}, {"also": "SM2", "name": "kirin970"}]}' >"$work/root/socs/names/theirs.json"
shipped=$HETSIM_DATA
export HETSIM_DATA="$work/root"
refuse 3 "/socs/names \"sm1\" stands for the SoC \"SM2\", which isn't there" --soc sm1 --policy cpu squeezenet
refuse 2 "there is no SoC \"SM3\" (there are: kirin970)" --soc SM3 --policy cpu squeezenet
long="$work/root"
while [ ${#long} -lt 399 ]; do long="$long/"; done
export HETSIM_DATA="$long/"
refuse 6 ": is longer than 399 characters" --soc kirin970 --policy cpu squeezenet
export HETSIM_DATA="$long"
refuse 2 "there is no SoC \"SM3\" (there are: kirin970)" --soc SM3 --policy cpu squeezenet
export HETSIM_DATA="$shipped"
HETSIM_DATA=/nonexistent refuse 6 "has no socs/ and workloads/" $run
# without HETSIM_DATA, or where it is empty, the data beside the program, or of an installation that was moved as a whole
mkdir -p "$work/beside" "$work/moved/bin" "$work/moved/share/hetsim"
cp "$HETSIM" "$work/beside/hetsim" && cp "$HETSIM" "$work/moved/bin/hetsim"
for part in socs workloads; do ln -s "$HETSIM_DATA/$part" "$work/beside/$part" && ln -s "$HETSIM_DATA/$part" "$work/moved/share/hetsim/$part"; done
for program in "$work/beside/hetsim" "$work/moved/bin/hetsim"; do
  if (unset HETSIM_DATA && "$program" list socs) | grep -q "^sd855 "; then pass; else fail "$program doesn't find its data"; fi
  if HETSIM_DATA= "$program" list socs | grep -q "^sd855 "; then pass; else fail "$program doesn't find its data where HETSIM_DATA is empty"; fi
done
# what is there, but can't be reached, is told, and nothing that comes with hetsim takes its place
for part in profiles/sd855-mace.json op-support/mace-cpu.json; do
  mkdir -p "$work/lost/${part%/*}" && cp "$HETSIM_DATA/socs/sd855.json" "$work/lost/sd855.json"
  ln -s nowhere.json "$work/lost/$part"
  refuse 6 "/lost/$part: can't open: No such file or directory" --soc "$work/lost/sd855.json" --policy cpu squeezenet
  rm -r "${work:?}/lost/${part%/*}" && ln -s nowhere "$work/lost/${part%/*}"
  refuse 6 "/lost/$part: can't open: No such file or directory" --soc "$work/lost/sd855.json" --policy cpu squeezenet
  rm "$work/lost/${part%/*}" && echo >"$work/lost/${part%/*}"
  refuse 6 "/lost/$part: can't open: Not a directory" --soc "$work/lost/sd855.json" --policy cpu squeezenet
  rm -r "$work/lost"
done
# a profile by another's name
mkdir -p "$work/data/socs/profiles"
cp "$HETSIM_DATA"/socs/*.json "$work/data/socs" && cp "$HETSIM_DATA/socs/profiles/sd865-mace.json" "$work/data/socs/profiles/sd855-mace.json"
chmod -R u+w "$work/data" # the source may be read-only, as for make distcheck
ln -s "$HETSIM_DATA/workloads" "$work/data/workloads"
HETSIM_DATA=$work/data refuse 3 "sd855-mace.json:3:10: \$.soc: \"sd865\" is not \"sd855\", as in the file's name SOC-RUNTIME.json" --soc sd855 --policy gpu squeezenet --runtime mace
sed 's/"soc": "sd865"/"soc": "sd855"/; s/"runtime": "mace"/"runtime": "tflite"/' "$HETSIM_DATA/socs/profiles/sd865-mace.json" >"$work/data/socs/profiles/sd855-mace.json"
HETSIM_DATA=$work/data refuse 3 "sd855-mace.json:3:30: \$.runtime: \"tflite\" is not \"mace\", as in the file's name SOC-RUNTIME.json" --soc sd855 --policy gpu squeezenet --runtime mace

finish
