#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests the program of `./run static`: it asks for no library, and answers as it should where it is the only file.
#
#   tools/test_static.sh PROGRAM [ROOT]      ROOT is a folder with another system, such as one of debootstrap
set -euo pipefail
program=$(realpath "$1")
root=${2:-}
if [ -z "$root" ]; then
  root=$(mktemp -d)
  trap 'rm -rf "$root"' EXIT
fi

if ldd "$program" >/dev/null 2>&1 || readelf --dynamic "$program" | grep -q NEEDED; then
  echo "$program has dynamic dependencies" >&2
  exit 1
fi
cp "$program" "$root/layoutcheck"
cat >"$root/offset.ll" <<'END'
define i64 @offset(i64 %i, i64 %j, i64 %n) {
  %row = mul nsw i64 %i, %n
  %sum = add nsw i64 %row, %j
  ret i64 %sum
}
END
# Root may be without the right to make namespaces, as in containers; others may not change the root otherwise.
run=(chroot "$root" /layoutcheck)
[ "$(id -u)" = 0 ] || run=(unshare --map-root-user --root="$root" /layoutcheck)

# Fails unless the program ends with this code and a line of its output is as described.
expect() { # code, extended regular expression, argument...
  local code=0 output
  output=$("${run[@]}" "${@:3}" 2>&1) || code=$?
  if [ "$code" != "$1" ] || ! grep -Eq -- "$2" <<<"$output"; then
    printf 'layoutcheck %s: expected exit code %s and %s, got %s and\n%s\n' "${*:3}" "$1" "$2" "$code" "$output" >&2
    exit 1
  fi
}

expect 0 '^layoutcheck [0-9]' --version
expect 0 '^f32\[3,5\]\{1,0:T\(2,2\)\}$' parse 'f32[3,5]{1,0:T(2,2)}'
expect 1 'column 8' parse 'f32[3,5'
expect 0 '^17$' index 'f32[3,5]{1,0:T(2,2)}' 2,3
expect 0 '50 cases, .* 0 findings' check --cases 50
expect 0 '1000 cases, .* 0 findings' fuzz --subject reference --cases 1000
expect 0 'injective +proved for all M, N' prove 'f32[M,N]{1,0:T(8,128)}' --law injective
expect 1 'refuted: M=9 N=1 i0=8' prove 'f32[M,N]{1,0:T(8,128)}' --formula '(i0/8*(N/128)+i1/128)*1024+i0%8*128+i1%128'
# These two need Z3.
expect 0 'injective +proved \(solver only\)' prove --formula 'i0 ^ i0 >> 1' --law injective --over 'i0 < 16777216'
expect 0 'reshard +proved .*z3' prove 'f32[M] mesh[d=D,t=T] P(("t","d"))' --equals 'f32[M] sharding={devices=[6]<=[2,3]T(1,0)}' \
  --assume 'D == 2' --assume 'T == 3'
expect 0 'written to /proof.cert|proved' prove 'f32[M,N]{1,0:T(8,128)}' --law injective --certificate /proof.cert
expect 0 'certificate, [0-9]+ steps' verify /proof.cert

# It reads LLVM IR, unless it was built without LLVM.
expected=(0 'code +proved for all')
"${run[@]}" --version | grep -q LLVM || expected=(2 'built without LLVM 19')
expect "${expected[@]}" prove-code /offset.ll 'f32[M,N]{1,0}' --function offset --args i0,i1,N

# It loads no libraries, in this process and in one of their own.
refused='cannot load the library /mine.so: this program was linked without dynamic dependencies'
expect 2 "$refused" check --subject lib:/mine.so --jobs 1
run=("$program")
expect 2 "$refused" check --subject lib:/mine.so
echo "$program: $(($(stat -c %s "$program") / 1000000)) MB, no dynamic dependencies, right answers in ${2:-an empty folder}"
