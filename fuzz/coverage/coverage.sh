#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints the region coverage of core, first by the corpus alone, then by corpus and tests. The CMake target `coverage_report`
# of a build with LAYOUTCHECK_COVERAGE (preset `coverage`) calls it:
#
#   fuzz/coverage/coverage.sh BUILD_DIR [FILE...]
#
# Lists the regions of FILE... that nothing reaches, each with its reason, and fails if one has no reason.
set -euo pipefail
shopt -s nullglob
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
shift
profiles=$build/coverage
rm -rf "$profiles"
mkdir -p "$profiles"

targets=("$build"/fuzz/*_fuzzer)
tests=("$build"/core/*_test "$build"/core/*/*_test "$build"/fuzz/*_test)

# report NAME BINARY...: prints the table of core for all profiles written so far.
report() {
  local name=$1
  shift
  llvm-profdata-19 merge -sparse "$profiles"/*.profraw -o "$profiles/$name.profdata"
  local objects=()
  for binary in "$@"; do objects+=(-object "$binary"); done
  echo "== $name"
  llvm-cov-19 report "${objects[@]:1}" -instr-profile "$profiles/$name.profdata" \
    -ignore-filename-regex='_test\.cc$|/(fuzz|properties|cli|solver|subjects)/|/usr/' -show-branch-summary=false
}

for target in "${targets[@]}"; do
  name=$(basename "$target" _fuzzer)
  folders=()
  for folder in "$source/corpus/fuzz/$name" "$source/corpus/regressions/$name"; do
    [ ! -d "$folder" ] || folders+=("$folder")
  done
  LLVM_PROFILE_FILE=$profiles/$name.profraw "$target" "${folders[@]}" >/dev/null
done
report corpus "${targets[@]}"

for test in "${tests[@]}"; do
  LLVM_PROFILE_FILE=$profiles/$(basename "$test").profraw "$test" >/dev/null
done
report "corpus and tests" "${targets[@]}" "${tests[@]}"

objects=()
for binary in "${targets[@]}" "${tests[@]}"; do objects+=(-object "$binary"); done
echo "== regions of the parser by corpus and tests"
llvm-cov-19 export "${objects[@]:1}" -instr-profile "$profiles/corpus and tests.profdata" "${@/#/$source/}" \
  >"$profiles/export.json"
"$source/fuzz/coverage/unreached_regions.py" "$profiles/export.json" "$@"
