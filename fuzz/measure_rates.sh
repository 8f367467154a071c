#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints the executions per second of processor time of each fuzz target and of an empty target with the same engine,
# mutator and number of texts. Processor time is independent of the machine's load. Most of the difference is the
# engine's own cost of looking at the coverage of each text, because the empty target has one covered place.
#
#   fuzz/measure_rates.sh BUILD_DIR [SECONDS] [TARGET...]
#
# BUILD_DIR is a build with libFuzzer: preset `fuzz`, or without sanitizers:
#   cmake --preset fuzz -B build/fuzz-plain -DLAYOUTCHECK_SANITIZE= -DCMAKE_BUILD_TYPE=Release
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
seconds=${2:-10}
shift $(($# < 2 ? $# : 2))
targets=("$@")
if [ ${#targets[@]} = 0 ]; then
  for fuzzer in "$build"/fuzz/*_fuzzer; do targets+=("$(basename "$fuzzer" _fuzzer)"); done
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'

# run TARGET OPTION: prints the number of executions and their processor time in seconds.
run() {
  local name=$1 corpus=corpus/fuzz/$1 log=$work/$1.log reduce=1
  # All texts of the empty target have the same coverage and would be reduced to the empty text.
  [ "$name" != empty ] || { corpus=corpus/fuzz/shape && reduce=0; }
  { time "$build/fuzz/${name}_fuzzer" "$2" -max_len=256 -seed=1 -reduce_inputs="$reduce" -print_final_stats=1 "$work/$name" \
    "$corpus" >"$log" 2>&1; } 2>"$work/time"
  awk 'NR == FNR { used = $1 + $2; next } /^stat::number_of_executed_units/ { print $2, used }' "$work/time" "$log"
}

# rate TARGET: prints the executions per second of processor time, measured after its corpus has grown and was read.
rate() {
  mkdir -p "$work/$1"
  run "$1" -max_total_time="$seconds" >"$work/grown"
  { run "$1" -runs=1 && run "$1" -max_total_time="$seconds"; } |
    awk 'NR == 1 { n = $1; used = $2; next } { printf "%d\n", ($1 - n) / ($2 - used) }'
}

empty=$(rate empty)
printf '%-13s %9s executions/s\n' empty "$empty"
for name in "${targets[@]}"; do
  [ "$name" != empty ] || continue
  now=$(rate "$name")
  printf '%-13s %9s executions/s, %3d %% of the empty target\n' "$name" "$now" $((100 * now / empty))
done
