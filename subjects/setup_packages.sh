#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the optional implementations from Debian: oneDNN, MLIR 19, libc++ 19, PyTorch. Exits 3 with a reason on
# failure.
set -u

packages=(libdnnl-dev mlir-19-tools libmlir-19-dev llvm-19-dev libc++-19-dev libc++abi-19-dev python3-torch)

absent() {
  echo "setup_packages.sh: some of the subjects onednn, mlir, mdspan and pytorch stay absent: $1" >&2
  exit 3
}

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
command -v apt-get >/dev/null || absent "there is no apt-get to install ${missing[*]} with"
echo "installing: ${missing[*]}" >&2
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get update -qq >&2 || absent "apt-get update failed"
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 ||
  absent "apt-get install failed"
