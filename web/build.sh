#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the page build/page/index.html, one file that needs no other: compiles the module to WebAssembly and puts it, the style
# and the scripts into the page.
#
#   web/build.sh [JOBS]
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}
mkdir -p build/web
cmake -S web -B build/web -G Ninja >build/web/configure.log 2>&1 || { cat build/web/configure.log >&2 && exit 1; }  # it does not know WASI
cmake --build build/web --target layoutcheck_web -- -j"$jobs" >build/web/build.log 2>&1 || { tail -n 40 build/web/build.log >&2 && exit 1; }
mkdir -p build/page
wasm-opt -Oz --strip-debug --strip-producers --enable-bulk-memory --enable-sign-ext --enable-mutable-globals --enable-nontrapping-float-to-int \
  build/web/layoutcheck_web.wasm -o build/page/layoutcheck.wasm
python3 -B web/bundle.py web build/page/layoutcheck.wasm docs/notations.md build/page/index.html
