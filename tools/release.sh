#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prepares a release of HEAD: the source as an archive, the Debian packages, what ./run wheels and ./run static left, a bill of
# materials (SPDX) and SHA-256 sums, and the tag, which is not pushed. The version is that of CMakeLists.txt.
#
#   tools/release.sh             checks HEAD, builds, leaves the files in build/release-files, and makes the tag vVERSION
#   tools/release.sh --dry-run   does the same without the tag, and reports what would stop it
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
version=$(sed -nE 's/^project\(layoutcheck VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
out=build/release-files
is_dry=${1:-}
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

status=0
wrong() {
  echo "release: $1" >&2
  status=1
}
[ -z "$(git status --porcelain)" ] || wrong "the working tree has changes: commit them"
grep -qE "^## $version - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md || wrong "CHANGELOG.md: expected '## $version - YYYY-MM-DD'"
! git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null || wrong "the tag v$version exists: raise the version in CMakeLists.txt"
for place in 'rev: v' 'action@v'; do
  grep -qF "$place$version" docs/ci.md || wrong "docs/ci.md: expected '$place$version'"
done
[ "$status" = 0 ] || [ "$is_dry" = --dry-run ] || exit 1

cmake --preset release >/dev/null
cmake --build --preset release
rm -rf "$out"
mkdir -p "$out"
git archive --format=tar --prefix="layoutcheck-$version/" HEAD | gzip -n -9 >"$out/layoutcheck-$version.tar.gz"
(cd build/release && cpack -G DEB -B "$OLDPWD/$out" >/dev/null)
rm -rf "$out/_CPack_Packages"
python3 -B tools/sbom.py build/release/cli/layoutcheck "$version" build/release >"$out/layoutcheck-$version.spdx.json"
[ ! -d build/wheels ] || cp build/wheels/*.whl "$out"
[ ! -x build/static/cli/layoutcheck ] || cp build/static/cli/layoutcheck "$out/layoutcheck-$version-linux-$(uname -m)"
(cd "$out" && sha256sum -- * >SHA256SUMS && cat SHA256SUMS)
if [ "$is_dry" = --dry-run ]; then exit "$status"; fi
git tag --annotate "v$version" --message "layoutcheck $version"
echo "v$version is tagged: git push origin v$version, and upload $out"
