#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The help, the man page and the completion.
. "$(dirname "$0")/helpers.sh" || exit 1

accept "Usage: hetsim [run] --soc NAME" --help
"$HETSIM" --help >"$work/help"
accept "Usage: hetsim [run] --soc NAME" help
if cmp -s "$work/stdout" "$work/help"; then pass; else fail "hetsim help isn't hetsim --help"; fi
accept "Exit status:" help compare
cp "$work/stdout" "$work/compare"
for other in "compare --help" "--help compare squeezenet"; do
  accept "Usage: hetsim compare --soc NAME" $other
  if cmp -s "$work/stdout" "$work/compare"; then pass; else fail "hetsim $other isn't hetsim help compare"; fi
done
# of a command all options that go with it, and no others
for command in compare calibrate list; do
  "$HETSIM" $command --help | sed -n 's/^  -., --\([a-z-]*\).*/\1/p' >"$work/goes"
  for option in $(sed -n 's/^  -., --\([a-z-]*\)=.*/\1/p' "$work/help"); do
    case $option in output | timeline | gantt | curves | svg | markdown) continue ;; esac # which write files
    "$HETSIM" $command --$option=1 >"$work/stdout" 2>"$work/stderr"
    refused=$(grep -c "does not go with hetsim $command" "$work/stderr")
    shown=$(grep -cx -- "$option" "$work/goes")
    if [ "$refused$shown" = 10 ] || [ "$refused$shown" = 01 ] || grep -q -- "--$option: " "$work/stderr"; then pass # the last: this value, before all else
    else fail "$command --help and --$option: $(cat "$work/stderr")"; fi
  done
done
accept "hetsim 0." --version
accept ".TH HETSIM 1" --man
accept " --completion  " --help
accept '\fB\-\-completion\fR' --man
# --- one option table: the help, the man page and the completion name the same options ---
"$HETSIM" --help | sed -n 's/^  -., --\([a-z-]*\).*/\1/p' | sort >"$work/help"
"$HETSIM" --man | sed -n 's/^\\fB\\-.\\fR, \\fB\\-\\-\([^=\]*\(\\-[a-z]*\)*\)\\fR.*/\1/p' | sed 's/\\-/-/g' | sort >"$work/man"
"$HETSIM" --man >"$work/all"
if LC_ALL=C grep -q '[^ -~]' "$work/all"; then fail "the man page has characters that troff doesn't read: $(LC_ALL=C grep '[^ -~]' "$work/all")"; else pass; fi
if [ -s "$work/help" ] && cmp -s "$work/help" "$work/man"; then pass; else fail "help and man page list different options"; fi
"$HETSIM" --completion | sed -n "s/^  [a-z]*) options='\(.*\)' ;;/\1/p" | tr ' ' '\n' | sed 's/^--//; s/=$//' | sort -u >"$work/completion"
if cmp -s "$work/help" "$work/completion"; then pass; else fail "help and completion list different options"; fi

finish
