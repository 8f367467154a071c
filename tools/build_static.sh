#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the program as one file without dynamic dependencies, with Z3 and the part of LLVM that reads code, and runs it in a folder
# that holds nothing else. Without llvm-19-dev the program reads no compiled code. Ends with 77 (skipped) where there is no package
# index.
#
#   tools/build_static.sh      leaves the program in build/static/cli/layoutcheck
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
source .ci/functions.sh
trap show_phases EXIT
build=$PWD/build/static
z3=$build/z3/libz3.a
mkdir -p "$build"

# Debian has Z3 as a shared library alone.
if [ ! -e "$z3" ]; then
  phase "downloading the sources of Z3"
  [ -x "$build/tools/bin/python" ] || python3 -m venv "$build/tools"
  pip() { "$build/tools/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }
  if ! pip download --retries 1 --no-deps --no-binary :all: --dest "$build/z3-download" -r python/requirements-static.txt; then
    # With an index, the requirements are wrong.
    ! pip download --retries 1 --no-deps --dest "$build/z3-download" nanobind || exit 1
    echo "skipped: there is no package index"
    exit 77
  fi
  mkdir -p "$build/z3-source"
  tar -x -f "$build"/z3-download/z3-solver-*.tar.gz -C "$build/z3-source" --strip-components 1
  phase "building Z3"
  cmake -G Ninja -S "$build/z3-source/core" -B "$build/z3" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=g++-12 -DCMAKE_CXX_FLAGS=-w \
    -DZ3_BUILD_LIBZ3_SHARED=OFF -DZ3_BUILD_EXECUTABLE=OFF -DZ3_BUILD_TEST_EXECUTABLES=OFF -DZ3_ENABLE_EXAMPLE_TARGETS=OFF \
    >"$build/z3.log" 2>&1 || { cat "$build/z3.log" >&2 && exit 1; }
  cmake --build "$build/z3" --target libz3 2>&1 | grep --line-buffered -v '^INFO:' | show_progress "building Z3"
fi

phase "building static: layoutcheck"
llvm=()
if command -v llvm-config-19 >/dev/null; then
  .ci/setup --only libzstd-dev
  mapfile -t llvm < <(llvm-config-19 --link-static --libs irreader passes | tr ' ' '\n' | sed "s#^-l\(.*\)#$(llvm-config-19 --libdir)/lib\1.a#")
  llvm=("-Wl,--start-group" "${llvm[@]}" "$z3" "-Wl,--end-group" z zstd)
fi
libraries=$(printf '%s;' "${llvm[@]}")
cmake --preset static -DZ3_LIBRARY="$z3" -DLLVM19_LIBRARY="${libraries%;}" >/dev/null
build_targets static layoutcheck

phase "running the program in a folder that holds nothing else"
tools/test_static.sh "$build/cli/layoutcheck"
