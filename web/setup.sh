#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what the page is built with and, with --test or --bench, the browser that tests it; from Debian's or Ubuntu's archive.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=(clang-19 lld-19 wasi-libc libc++-19-dev-wasm32 libclang-rt-19-dev-wasm32 binaryen cmake ninja-build python3
  libfmt-dev nlohmann-json3-dev)
[ -z "${1:-}" ] || packages+=(chromium chromium-driver)
.ci/setup --only "${packages[@]}"
