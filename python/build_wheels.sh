#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds wheels that hold the package, the program, Z3 and the part of LLVM that reads code, one per Python on this machine,
# and tests each in a fresh virtual environment without a compiler. From Python 3.12 on, one wheel serves all versions. They are for
# every glibc since 2.28 (glibc_2_28/link.sh). Ends with 77 (skipped) where there is no package index.
#
#   python/build_wheels.sh [FOLDER]      leaves the wheels and their SHA-256 sums in FOLDER (build/wheels)
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
source .ci/functions.sh
out=${1:-build/wheels}
build=$PWD/build/wheel
rm -rf "$out"
mkdir -p "$out"
pip() { "$1/bin/python" -m pip --quiet --disable-pip-version-check "${@:2}"; }

[ -x "$build/zig/bin/python" ] || python3 -m venv "$build/zig"
if ! pip "$build/zig" install --retries 1 --only-binary :all: -r python/glibc_2_28/requirements.txt; then
  # With an index, the requirements are wrong.
  ! pip "$build/zig" install --retries 1 nanobind || exit 1
  echo "skipped: there is no package index"
  exit 77
fi
export LAYOUTCHECK_ZIG=$build/zig/bin/python
link=$PWD/python/glibc_2_28/link.sh
z3=$("$LAYOUTCHECK_ZIG" -c 'import importlib.util, pathlib; print(pathlib.Path(importlib.util.find_spec("z3").origin).parent)')

# LLVM is linked from its archives: the part that is needed takes a tenth of the shared library.
.ci/setup --only libzstd-dev
mapfile -t llvm < <(llvm-config-19 --link-static --libs irreader passes | tr ' ' '\n' | sed "s#^-l\(.*\)#$(llvm-config-19 --libdir)/lib\1.a#")
archive() { g++-12 -print-file-name="$1"; }
llvm+=("$(archive libz.a)" "$(archive libzstd.a)")
libraries=$(printf '%s;' -Wl,--start-group "${llvm[@]}" -Wl,--end-group)
cmake --preset wheel -DLLVM19_LIBRARY="${libraries%;}" -DZ3_LIBRARY="$z3/lib/libz3.so" -DZ3_INCLUDE_DIR="$z3/include" \
  -DPCRE2_LIBRARY="$(archive libpcre2-8.a)" -DCMAKE_CXX_LINKER_LAUNCHER="$link" >/dev/null
build_targets wheel layoutcheck layoutcheck_reports layoutcheck_scan layoutcheck_verify layoutcheck_solver layoutcheck_llvm

for python in python3.1{0,1,2,3,4}; do
  "$python" -c '' 2>/dev/null || continue
  work=$build/$python
  rm -rf "$work"
  "$python" -m venv "$work/tools"
  pip "$work/tools" install -r python/requirements-wheels.txt
  CXX=g++-12 PATH="$work/tools/bin:$PATH" pip "$work/tools" wheel --no-deps --no-build-isolation --wheel-dir "$work" ./python \
    --config-settings=cmake.define.LAYOUTCHECK_BUILD_DIR="$build" --config-settings=cmake.define.CMAKE_CXX_LINKER_LAUNCHER="$link"
  LD_LIBRARY_PATH=$z3/lib PATH="$work/tools/bin:$PATH" "$work/tools/bin/auditwheel" repair --wheel-dir "$work/repaired" "$work"/layoutcheck-*.whl >"$work/auditwheel.log" 2>&1 ||
    { cat "$work/auditwheel.log" >&2 && exit 1; }
  wheel=("$work"/repaired/*.whl)

  # From nothing to a first verdict, as a user would.
  begin=$EPOCHSECONDS
  "$python" -m venv "$work/user"
  pip "$work/user" install "${wheel[0]}"
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
