#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that check_layers.sh passes on the sources, and that it fails on a copy with an include that goes upwards, naming both
# files.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake/check_layers.sh . cmake/layers.txt
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r json core properties solver llvm verify subjects fuzz cli web "$copy"
plant() { # file, included
  cp "$1" "$copy/planted"
  echo "#include \"layoutcheck/$2\"" >>"$copy/$1"
  if message=$(cmake/check_layers.sh "$copy" cmake/layers.txt 2>&1); then
    echo "an include of $2 in $1 was not noticed" >&2
    exit 1
  fi
  grep -qF "$1 -> $2" <<<"$message"
  mv "$copy/planted" "$copy/$1"
}
plant core/base/error.h core/hlo/shape.h
plant core/hlo/parser.cc core/xla_util/bitcast.h
plant solver/certificate/certificate_check.cc solver/rewrite/rewriter.h
plant solver/rewrite/rewriter.h solver/layout_proof/prove.h
plant cli/pictures/draw_svg.cc solver/layout_proof/prove.h
plant verify/layouts/laws.cc solver/certificate/lemma.h
plant verify/layouts/tiling.cc core/tiling/tiled_layout.h
plant core/hlo/lexer.cc core/testing/small_scopes.h
plant core/hlo/parser_test.cc properties/model/law.h
cmake/check_layers.sh "$copy" cmake/layers.txt
