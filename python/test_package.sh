#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the wheel from the libraries of a finished build, installs it into a fresh virtual environment and runs the package's
# tests there. Ends with 77 (skipped) where there is no package index. The wheel is left in BUILD_DIR/python.
#
#   python/test_package.sh BUILD_DIR CXX_COMPILER [PYTEST_OPTION]...
#   PYTHON=python3.13 python/test_package.sh ...                         for another interpreter
set -euo pipefail
build=$(realpath "$1") compiler=$2
shift 2
source=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
work=$build/python
rm -rf "$work"
mkdir -p "$work"
"${PYTHON:-python3}" -m venv "$work/venv"
pip() { "$work/venv/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }
if ! pip install --retries 1 -r "$source/requirements.txt"; then
  # With an index, the requirements are wrong.
  ! pip install --retries 1 numpy || exit 1
  echo "skipped: there is no package index"
  exit 77
fi
CXX=$compiler pip wheel --no-deps --no-build-isolation --wheel-dir "$work" "$source" \
  --config-settings=build-dir="$work/build" --config-settings=cmake.define.LAYOUTCHECK_BUILD_DIR="$build" \
  --config-settings=cmake.define.CMAKE_CXX_FLAGS_RELEASE=-O1  # which the compiler needs half the time for
pip install --no-deps --no-index "$work"/layoutcheck-*.whl
# Only the installed package is imported, not the folder of the sources.
cp -r "$source/tests" "$source/README.md" "$work"
mkdir -p "$work/docs" "$work/corpus/triton"
cp -r "$source/../docs/python.md" "$source/../docs/sharding.md" "$source/../docs/triton.md" "$source/../docs/notebooks" "$work/docs"
cp "$source/../corpus/triton/kernels.py" "$work/corpus/triton"
cd "$work"
environment=() tests=(tests README.md)
if grep -q '^LAYOUTCHECK_SANITIZE:STRING=.*address' "$build/CMakeCache.txt"; then
  # The interpreter has no sanitizers, so their runtime is loaded before it. It reports objects that live until the end as leaks.
  environment=(LD_PRELOAD="$("$compiler" -print-file-name=libclang_rt.asan-x86_64.so)" PYTHONMALLOC=malloc
    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 LAYOUTCHECK_PYTHON_EXAMPLES=60)
  tests=(tests/test_bad_input.py tests/test_arrays.py)
fi
env "${environment[@]}" venv/bin/python -m pytest -q --doctest-glob=README.md "${tests[@]}" "$@"
