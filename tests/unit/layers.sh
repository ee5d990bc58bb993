#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Layers include only what stands above them in doc/design.md, only engine_simgrid.c knows SimGrid, and no two headers have one guard. The check itself is tried on
# small trees with one breach each, so that it can't pass by finding nothing.
set -eu
export LC_ALL=C
top=${srcdir:-.}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# What a folder may include, layers or single headers; "" for an unknown folder. Of the phone that lives policies see nothing but what their view says; the rule
# that a governor goes by is none of that.
allowed() {
  case "$1" in
    sim/base) echo "base" ;;
    sim/input) echo "base input" ;;
    sim/model) echo "base input model" ;;
    sim/device) echo "base input model device" ;;
    sim/plan) echo "base input model device plan" ;;
    sim/calibrate) echo "base input model device plan calibrate" ;;
    sim/engine) echo "base input model device plan engine" ;;
    sim/serve) echo "base input model device plan engine policies serve" ;;
    sim/out) echo "base input model device plan engine policies serve out" ;;
    sim/program) echo "base input model device plan calibrate engine policies serve out program" ;;
    policies) echo "base input model plan policies device/governor.h" ;;
  esac
}

# Prints a line per breach in the tree $1, and at the end how many files it has seen.
breaches() {
  (
    cd "$1"
    find sim policies -name '*.[ch]' -o -name '*.def' | sort | while read -r file; do
      folder=$(dirname "$file")
      may=$(allowed "$folder")
      if [ -z "$may" ]; then echo "$file: a folder that no layer has"; fi
      sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file" | while read -r header; do
        layer=${header%%/*}
        case " $may " in
          *" $layer "* | *" $header "*) ;;
          *) echo "$file: may not include \"$header\"" ;;
        esac
      done
      if grep -q '^[[:space:]]*#[[:space:]]*include.*simgrid/' "$file" && [ "$file" != sim/engine/engine_simgrid.c ]; then
        echo "$file: may not include SimGrid"
      fi
    done
    find sim policies -name '*.h' -exec sed -n 's/^#ifndef \(HS_.*_H\)$/\1/p' {} + | sort | uniq -d | sed 's/$/: the guard of two headers/'
    echo "files: $(find sim policies -name '*.[ch]' | wc -l)"
  )
}

# $1 file, $2 its text, $3 the line that must come out ("": none)
try() {
  rm -rf "$work/sim" "$work/policies"
  mkdir -p "$work/$(dirname "$1")" "$work/sim/base" "$work/policies"
  printf '%s\n' "$2" >"$work/$1"
  found=$(breaches "$work" | grep -v '^files:' || true)
  if [ "$found" = "$3" ]; then
    passed=$((passed + 1))
  else
    echo "$1 with '$2': '$found', not '$3'"
    failed=$((failed + 1))
  fi
}

try sim/base/a.c '#include "base/a.h"' ""
try sim/base/a.c '#include "input/soc.h"' 'sim/base/a.c: may not include "input/soc.h"'
try sim/input/a.h '  #  include "model/cost.h"' 'sim/input/a.h: may not include "model/cost.h"'
try sim/model/a.c '#include "plan/pass.h"' 'sim/model/a.c: may not include "plan/pass.h"'
try sim/device/a.c '#include "model/system.h"' ""
try sim/device/a.c '#include "plan/program.h"' 'sim/device/a.c: may not include "plan/program.h"'
try sim/model/a.c '#include "device/thermal.h"' 'sim/model/a.c: may not include "device/thermal.h"'
try sim/plan/a.c '#include "engine/engine.h"' 'sim/plan/a.c: may not include "engine/engine.h"'
try sim/calibrate/a.c '#include "plan/lower.h"' ""
try sim/calibrate/a.c '#include "engine/engine.h"' 'sim/calibrate/a.c: may not include "engine/engine.h"'
try sim/plan/a.c '#include "calibrate/fit.h"' 'sim/plan/a.c: may not include "calibrate/fit.h"'
try sim/engine/a.c '#include "out/check.h"' 'sim/engine/a.c: may not include "out/check.h"'
try sim/out/a.c '#include "program/cli.h"' 'sim/out/a.c: may not include "program/cli.h"'
try sim/plan/a.c '#include "policies/policy.h"' 'sim/plan/a.c: may not include "policies/policy.h"'
try sim/program/a.c '#include "policies/policy.h"' ""
try policies/a.c '#include "plan/placement.h"' ""
try policies/a.c '#include "device/governor.h"' ""
try policies/a.c '#include "device/scenario.h"' 'policies/a.c: may not include "device/scenario.h"'
try sim/model/a.c '#include "device/governor.h"' 'sim/model/a.c: may not include "device/governor.h"'
try policies/a.c '#include "engine/engine.h"' 'policies/a.c: may not include "engine/engine.h"'
try policies/a.c '#include "policy.h"' 'policies/a.c: may not include "policy.h"'
try sim/plan/a.c '#include <simgrid/actor.h>' 'sim/plan/a.c: may not include SimGrid'
try sim/engine/engine_simgrid.c '#include <simgrid/actor.h>' ""
try sim/model/a.h '#ifndef HS_A_H
#ifndef HS_A_H' 'HS_A_H: the guard of two headers'
try sim/extra/a.c '#include <stdio.h>' 'sim/extra/a.c: a folder that no layer has'

breaches "$top" >"$work/found"
files=$(sed -n 's/^files: *//p' "$work/found")
if [ "$files" -ge 50 ] && [ "$(wc -l <"$work/found")" -eq 1 ]; then
  passed=$((passed + 1))
else
  cat "$work/found"
  failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
