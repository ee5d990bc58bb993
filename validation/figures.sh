#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do the documents say of the validation what it prints? Compares README.md, NEWS and validation/README.md with a report of `hetsim validate`:
# which shares of rows pass, by role and by what was held out; of the groups under "What was held out" their rows and mean errors; and the rows that
# README.md shows.
# usage, from the project's root: sh validation/figures.sh REPORT
set -u
[ $# -eq 1 ] || { echo "usage: sh validation/figures.sh REPORT" >&2; exit 2; }
awk -v report="$1" '
function kind(group) {
  if (group ~ /(all|unequal)-cores/) return "other core sets"
  if (group ~ /kept-out/) return "kept out"
  if (group ~ /^(paddle|bolt)/) return "Paddle-Lite, Bolt"
  return group ~ /^ncnn/ ? "ncnn" : "others"
}
function share(what) { return rows[what] ? sprintf("%.0f", 100 * passed[what] / rows[what]) : "-" }
function check(right, message) { checked++; if (!right) { wrong++; print message } }
function says(document, text) { check(index(all[document], text) > 0, document ": nowhere \"" text "\"") }
# * and {a,b} as in a shell
function matches(group, glob) { gsub(/[*]/, ".*", glob); gsub(/[{]/, "(", glob); gsub(/[}]/, ")", glob); gsub(/,/, "|", glob); return group ~ "^" glob "$" }
# "| what | `groups` | n | MAPE |": as many rows, and every mean error, with one decimal or none
function held_out_row(cells,   words, n, i, group, listed, sum) {
  n = split(cells[3], words, "`")
  for (group in held)
    for (i = 2; i <= n; i += 2) if (matches(group, words[i]) && !(group in listed)) {
      listed[group] = 1
      times[group]++
      sum += held[group]
      if (cells[5] ~ /[0-9]/ && mape[group] != "-")
        check((" " cells[5]) ~ "[ (](" mape[group] "|" sprintf("%.0f", mape[group]) ")[ ,;)]", "validation/README.md: " group " has " mape[group] " %, which isn’t in" cells[5])
    }
  check(sum == cells[4] + 0, "validation/README.md:" cells[3] "have " sum + 0 " rows, not " cells[4] + 0)
}
BEGIN {
  while ((getline line < report) > 0) {
    gsub(/ +/, " ", line); printed[++n_printed] = line
    split(line, f, " ")
    if (line ~ /^Held out, but measured again/) { again = f[split(line, f, " ")]; sub(/[.]$/, "", again) }
    if (line ~ /^group +role/) summary = 1
    if (!summary || f[3] !~ /^[0-9]+$/ || f[1] ~ /:$/) continue
    what = f[2] == "held-out" ? kind(f[1]) : f[2]
    rows[what] += f[3]; passed[what] += f[4]
    if (f[2] != "held-out") continue
    rows["held out"] += f[3]; passed["held out"] += f[4]
    held[f[1]] = f[3]; mape[f[1]] = f[8]
  }
  if (!summary) { print report ": no report of hetsim validate"; exit 2 }
  for (i = 1; i < ARGC; i++) while ((getline line < ARGV[i]) > 0) {
    all[ARGV[i]] = all[ARGV[i]] line " "
    if (line ~ /^    [$] /) showing = line ~ /hetsim validate$/
    else if (showing && line ~ /^    [^ …]/) { gsub(/ +/, " ", line); sub(/^ /, "", line); sub(/ ?…?$/, "", line); shown[++n_shown] = line }
    else if (line !~ /^    /) showing = 0
    if (line ~ /^## /) section = line
    if (section == "## What was held out" && split(line, cells, "|") == 6 && cells[4] ~ /^ [0-9]+ $/) held_out_row(cells)
  }
  for (i = 1; i <= n_shown; i++) {
    for (j = 1; j <= n_printed && index(printed[j], shown[i]) != 1; j++) ;
    check(j <= n_printed, "README.md: hetsim validate prints otherwise: " shown[i])
  }
  check(n_shown == 4, "README.md: " n_shown + 0 " rows of hetsim validate, not 4")
  for (group in held) check(times[group] == 1, "validation/README.md: " group " is in " times[group] + 0 " rows of What was held out")
  low = 100; high = 0
  for (what in passed) if (what ~ /^(other core sets|transformers|Paddle-Lite, Bolt|ncnn)$/) {
    if (share(what) + 0 < low) low = share(what) + 0
    if (share(what) + 0 > high) high = share(what) + 0
  }
  says("README.md", "| fitted to | " share("calibrated") " % |")
  says("README.md", "| held out | " share("held out") " % |")
  says("README.md", "| … networks kept out of a table whose other networks a kernel was fitted to | " share("kept out") " % |")
  says("README.md", "Paddle-Lite, Bolt, ncnn | " low " to " high " % |")
  says("README.md", "| … everything else that others measured or claim | " share("others") " % |")
  says("NEWS", "fitted to " share("calibrated") " % are met, of those held out " share("held out") " %: " share("kept out") " % of networks")
  says("validation/README.md", share("calibrated") " % pass, of those held out " share("held out") " %: " share("kept out") " % of " rows["kept out"] " rows")
  says("validation/README.md", share("others") " % of " rows["others"] " that others measured or claim besides, ")
  says("validation/README.md", share("Paddle-Lite, Bolt") " % of " rows["Paddle-Lite, Bolt"] " of Paddle-Lite and Bolt, " share("ncnn") " % of " rows["ncnn"] " of ncnn and " share("other core sets") " % of " rows["other core sets"] " of transformers on other core sets")
  says("validation/README.md", "Of the rows held out " again " are of the same run")
  says("validation/README.md", "Of orders and trends " passed["ordering"] " of " rows["ordering"] " hold")
  printf "%d passed, %d failed\n", checked - wrong, wrong
  exit wrong > 0
}' README.md NEWS validation/README.md
