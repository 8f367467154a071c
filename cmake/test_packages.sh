#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the Debian packages of a build, unpacks them into an empty folder, and runs the program and pkg-config from there.
set -euo pipefail
build=$1
command -v dpkg-deb >/dev/null || { echo "dpkg-deb is not installed: no packages here"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$folder/packages" >"$folder/log") || { cat "$folder/log" >&2; exit 1; }
program=("$folder"/packages/layoutcheck_*.deb)
library=("$folder"/packages/liblayoutcheck-dev_*.deb)
dpkg-deb --field "${program[0]}" Depends | grep -q libz3
dpkg-deb --extract "${program[0]}" "$folder/root"
dpkg-deb --extract "${library[0]}" "$folder/root"
"$folder/root/usr/bin/layoutcheck" index 'f32[3,5]{1,0:T(2,2)}' 2,3 | grep -qx 17
[ -e "$folder/root/usr/include/layoutcheck/core/hlo/shape.h" ]
if find "$folder/root/usr/include" -path '*testing*' -o -path '*faults*' | grep -q .; then
  echo "test support is in the package" >&2
  exit 1
fi
if command -v pkg-config >/dev/null; then
  PKG_CONFIG_PATH=$(dirname "$(find "$folder/root" -name layoutcheck.pc)") PKG_CONFIG_SYSROOT_DIR=$folder/root \
    pkg-config --libs layoutcheck | grep -q layoutcheck_core
fi
