#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that Coq accepts certificates of laws and formulas that the program writes, and rejects one whose claim was changed.
#
#   proofs/certificates_test.sh LAYOUTCHECK FOLDER    FOLDER has the compiled files of proofs/
set -euo pipefail
layoutcheck=$(realpath "$1")
folder=$(realpath "$2")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

write() { # NAME, arguments of prove: writes NAME.v
  local name=$1
  shift
  "$layoutcheck" prove "$@" --certificate "$work/$name.cert" >/dev/null
  tools/certificate_to_coq.py "$work/$name.cert" >"$work/$name.v"
}

accept() { # NAME, arguments of prove
  write "$@"
  if ! coqc -q -Q "$folder" Layoutcheck "$work/$1.v" >"$work/log" 2>&1 ||
    ! grep -qx 'Closed under the global context' "$work/log"; then
    cat "$work/$1.v" "$work/log" >&2
    echo "Coq does not accept the certificate above" >&2
    exit 1
  fi
  accepted=$((${accepted:-0} + 1))
}

reject() { # NAME, arguments of sed that change NAME.v to a theorem that is false
  sed "$2" "$work/$1.v" >"$work/changed.v"
  if cmp -s "$work/$1.v" "$work/changed.v" || coqc -q -Q "$folder" Layoutcheck "$work/changed.v" >"$work/log" 2>&1; then
    cat "$work/changed.v" >&2
    echo "Coq accepts the file above, which was changed by $2" >&2
    exit 1
  fi
}

for law in in-bounds injective inverse equals-pad-reshape-transpose equals-mixed-radix padding-minimal; do
  accept "${law//-/_}" 'f32[M,A,N]{1,2,0:T(*,8,P)(2,1)}' --law "$law"
done
accept onto 'f32[M,N]{1,0:T(8,128)(4,1)}' --law onto-padded-box
reject onto 's/Some 4; Some 1/Some 3; Some 1/'
reject injective 's/Some 8;/Some 0;/'

tiled='((i0 / 8) * ((N + 127) / 128) + i1 / 128) * 1024 + (i0 % 8) * 128 + i1 % 128'
accept formula 'f32[M,N]{1,0:T(8,128)}' --formula "$tiled"
reject formula 's/(Value 1024)/(Value 1025)/'
accept condition 'f32[M,N]{1,0:T(8,128)}' --formula "${tiled/(N + 127) \/ 128/N \/ 128 + (N % 128 == 0 ? 0 : 1)}"
reject condition '0,/(Value 0) (Value 1)/s//(Value 1) (Value 1)/'
accept assumption 'f32[M,N]{1,0:T(8,128)}' --assume 'N % 128 == 0' --formula "${tiled/(N + 127)/N}"
reject assumption 's/  Holds .* ->//; s/ Holds .* ->//'
echo "$accepted certificates as Coq files, 0 failures; changed ones are rejected"
