#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds a target of HEAD in two folders with different names and fails unless both give the same bytes.
#
#   tools/reproducible.sh [TARGET]      TARGET is layoutcheck (the program) by default; layoutcheck_json takes a minute
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
target=${1:-layoutcheck}
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Writes a line per library and program that was built: its hash and its path in the build folder.
build() { # folder
  mkdir -p "$1"
  git archive HEAD | tar -x -C "$1"
  cmake -S "$1" -B "$1/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="${CXX:-g++-12}" \
    -DLAYOUTCHECK_BUILD_TESTS=OFF >/dev/null
  cmake --build "$1/build" --parallel "${JOBS:-$(nproc)}" --target "$target" >/dev/null
  (cd "$1/build" && find . -type f \( -name '*.a' -o -name '*.o' -o -perm -u+x ! -path '*/CMakeFiles/*' \) -print0 |
    sort -z | xargs -0 sha256sum)
}

build "$work/one" >"$work/one.txt"
build "$work/another-folder" >"$work/another.txt"
diff "$work/one.txt" "$work/another.txt" || { echo "$target: the two builds differ in the files above" >&2 && exit 1; }
echo "$target: $(wc -l <"$work/one.txt") files are the same in both builds"
