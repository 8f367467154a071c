#!/usr/bin/env bash
# Executions a second of each fuzz target beside an empty one, with the same engine, mutator and corpus.
#
#   fuzz/measure_rates.sh BUILD_DIR [SECONDS]
#
# BUILD_DIR is a build with libFuzzer: preset `fuzz`, or without sanitizers:
#   cmake --preset fuzz -B build/fuzz-plain -DLAYOUTCHECK_SANITIZE= -DCMAKE_BUILD_TYPE=Release
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
seconds=${2:-10}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for fuzzer in "$build"/fuzz/empty_fuzzer "$build"/fuzz/*_fuzzer; do
  name=$(basename "$fuzzer" _fuzzer)
  corpus=corpus/fuzz/$name
  [ "$name" != empty ] || corpus=corpus/fuzz/shape
  mkdir -p "$work/$name"
  rate=$("$fuzzer" -max_total_time="$seconds" -max_len=256 -seed=1 -print_final_stats=1 "$work/$name" "$corpus" 2>&1 |
    sed -n 's/^stat::average_exec_per_sec: *//p')
  printf '%-12s %8s executions/s\n' "$name" "$rate"
done | awk '!seen[$1]++'
