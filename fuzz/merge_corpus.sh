#!/usr/bin/env bash
# Reduces corpus/fuzz/TARGET, together with new inputs, to a smallest set of files that covers the same code.
#
#   fuzz/merge_corpus.sh BUILD_DIR TARGET [FOLDER...]
#
# BUILD_DIR is one of the preset `fuzz`. FOLDER... hold new inputs, such as the corpus that a long run has grown.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -lt 2 ]; then
  sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
fuzzer=$1/fuzz/$2_fuzzer
corpus=corpus/fuzz/$2
shift 2
mkdir -p "$corpus"
merged=$(mktemp -d)
trap 'rm -rf "$merged"' EXIT
before=$(find "$corpus" -type f | wc -l)
"$fuzzer" -set_cover_merge=1 -use_counters=0 -timeout=10 -rss_limit_mb=2048 "$merged" "$corpus" "$@" 2>"$merged.log" || {
  cat "$merged.log" >&2
  exit 1
}
rm -f "$merged.log"
find "$corpus" -type f -delete
find "$merged" -type f -exec cp {} "$corpus/" \;
echo "Now: build/dev/fuzz/write_outcomes corpus > corpus/fuzz/outcomes.txt"
echo "$corpus: $before files before, $(find "$corpus" -type f | wc -l) after"
