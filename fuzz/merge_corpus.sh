#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Merges new inputs into corpus/fuzz/TARGET.
#
#   fuzz/merge_corpus.sh BUILD_DIR TARGET [FOLDER...]        reduces all inputs to a smallest set that covers the same code
#   fuzz/merge_corpus.sh --add BUILD_DIR TARGET FOLDER...    keeps the corpus, adds inputs with new coverage, shortest first
#
# BUILD_DIR is a build of the preset `fuzz`. FOLDER... hold new inputs, such as the corpus of a long run. Inputs are cut
# to 4096 bytes, because libFuzzer makes texts as long as the longest seed and is a quarter slower with longer ones.
set -euo pipefail
cd "$(dirname "$0")/.."
merge=-set_cover_merge=1
if [ "${1-}" = --add ]; then
  merge=-merge=1
  shift
fi
if [ $# -lt 2 ]; then
  sed -n '3,9s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
fuzzer=$1/fuzz/$2_fuzzer
corpus=corpus/fuzz/$2
shift 2
mkdir -p "$corpus"
merged=$(mktemp -d)
trap 'rm -rf "$merged" "$merged.log"' EXIT
before=$(find "$corpus" -type f | wc -l)
[ $merge = -set_cover_merge=1 ] || cp -r "$corpus/." "$merged"
"$fuzzer" $merge -max_len=4096 -use_counters=0 -timeout=10 -rss_limit_mb=2048 "$merged" "$corpus" "$@" 2>"$merged.log" || {
  cat "$merged.log" >&2
  exit 1
}
find "$corpus" -type f -delete
find "$merged" -type f -exec cp {} "$corpus/" \;
echo "Now: build/dev/fuzz/write_outcomes corpus > corpus/fuzz/outcomes.txt"
echo "$corpus: $before files before, $(find "$corpus" -type f | wc -l) after"
