#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the fuzz targets for OSS-Fuzz and ClusterFuzzLite, each with its seed corpus, dictionary and options, in $OUT.
# Both call this script; it also runs by itself with the same variables:
#
#   CC=clang-19 CXX=clang++-19 CFLAGS=... CXXFLAGS=... LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
#   SRC=/tmp/src WORK=/tmp/work OUT=/tmp/out fuzz/build_oss_fuzz.sh
#
# If $SRC has the source of fmt, it is built with the same flags, which CXXFLAGS for another C++ standard library require.
# Otherwise the installed package is used.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${CC:=clang-19}" "${CXX:=clang++-19}" "${CFLAGS:=}" "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"
: "${CXXFLAGS:=-O1 -gline-tables-only -fsanitize=address,fuzzer-no-link}"
: "${SRC:=$(dirname "$PWD")}" "${WORK:=$PWD/build/oss-fuzz}" "${OUT:=$PWD/build/oss-fuzz/out}"
export CC CXX CFLAGS CXXFLAGS LIB_FUZZING_ENGINE
mkdir -p "$WORK" "$OUT"
deps=$WORK/deps

configure() {
  cmake -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_PREFIX_PATH="$deps" "$@" >/dev/null
}

build_dependency() {
  [ -d "$SRC/$1" ] || return 0
  # Programs that configure scripts link must not get the engine's main function.
  LIB_FUZZING_ENGINE='' configure -S "$SRC/$1" -B "$WORK/$1" -DCMAKE_INSTALL_PREFIX="$deps" -DBUILD_SHARED_LIBS=OFF "${@:2}"
  cmake --build "$WORK/$1" --target install >/dev/null
}

build_dependency fmt -DFMT_TEST=OFF -DFMT_DOC=OFF

configure -S . -B "$WORK/layoutcheck" -DLAYOUTCHECK_BUILD_TESTS=OFF -DLAYOUTCHECK_BUILD_BENCHMARKS=OFF \
  -DLAYOUTCHECK_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
cmake --build "$WORK/layoutcheck" --target fuzz_targets

for fuzzer in "$WORK"/layoutcheck/fuzz/*_fuzzer; do
  [ "$(basename "$fuzzer")" != empty_fuzzer ] || continue
  name=$(basename "$fuzzer")
  target=${name%_fuzzer}
  cp "$fuzzer" "$OUT/$name"
  rm -f "$OUT/${name}_seed_corpus.zip"
  for folder in corpus/fuzz/"$target" corpus/regressions/"$target"; do
    [ ! -d "$folder" ] || zip -q -j -r "$OUT/${name}_seed_corpus.zip" "$folder"
  done
  case $target in
    laws) ;;
    formula | module | sharding | ttir) cp "fuzz/mutator/$target.dict" "$OUT/$name.dict" ;;
    *) cp fuzz/mutator/hlo.dict "$OUT/$name.dict" ;;
  esac
  printf '[libfuzzer]\nmax_len = 4096\ntimeout = 10\nrss_limit_mb = 2048\n' >"$OUT/$name.options"
done
echo "$OUT: $(cd "$OUT" && echo *_fuzzer)"
