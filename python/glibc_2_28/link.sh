#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Links what g++ compiled so that it runs with every glibc since 2.28 (2018), whatever this machine has: with libstdc++ within, and by
# Zig, which brings the symbols of every glibc. A launcher of CMake (CMAKE_CXX_LINKER_LAUNCHER); LAYOUTCHECK_ZIG is a Python that has
# the package ziglang.
#
#   python/glibc_2_28/link.sh g++ ARGUMENT...
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
compiler=$1
shift
# Zig has no option that exports single symbols: it exports all, of which symbols.map keeps those that are wanted.
arguments=("${@/#-Wl,--export-dynamic-symbol=*/-rdynamic}")
exec "$LAYOUTCHECK_ZIG" -m ziglang cc -target "$(uname -m)-linux-gnu.2.28" "${arguments[@]}" -O2 "$here/symbols.c" \
  "$("$compiler" -print-file-name=libstdc++.a)" "$("$compiler" -print-file-name=libgcc_s.so.1)" \
  -Wl,--version-script="$here/symbols.map" -Wl,--allow-shlib-undefined
