#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs a build into an empty folder and builds and runs the project in cmake/consumer against it.
set -euo pipefail
build=$1 source=$2 compiler=$3
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cmake --install "$build" --prefix "$copy/installed" >/dev/null
cmake -S "$source/cmake/consumer" -B "$copy/consumer" -DCMAKE_PREFIX_PATH="$copy/installed" -DCMAKE_CXX_COMPILER="$compiler" >/dev/null
cmake --build "$copy/consumer" >/dev/null
result=$("$copy/consumer/consumer")
echo "$result"
[ "$result" = "17 50 0 7" ]
"$copy/consumer/layouts_test" | tail -n 1 | grep -qx '\[  PASSED  \] 4 tests.'
"$copy/consumer/proofs_test" | tail -n 1 | grep -qx '\[  PASSED  \] 2 tests.'
# A library needs nothing of the installed copy but one C header.
"$compiler" -x c -std=c11 -shared -fPIC -I "$copy/installed/include" "$source/subjects/examples/c_subject.c" -o "$copy/mine.so"
(cd "$copy" && installed/bin/layoutcheck check --subject lib:mine.so --cases 100 2>/dev/null) | grep -q ' 0 findings, '
[ -s "$copy/installed/share/man/man1/layoutcheck.1" ]
"$copy/installed/bin/layoutcheck" index 'f32[3,5]{1,0:T(2,2)}' 2,3 | grep -qx 17
