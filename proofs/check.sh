#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks the theorems of this folder: compiles its files with Coq in the order of _CoqProject, requires that no theorem of
# Main.v rests on an axiom, and lets coqchk, a checker of its own, check the compiled files. Computes the known answers of
# corpus/vectors with the definitions.
#
#   proofs/check.sh [FOLDER]    leaves the compiled files in FOLDER (proofs itself if none is named)
set -euo pipefail
proofs=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$proofs}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
mapfile -t files < <(grep '\.v$' "$proofs/_CoqProject")

for file in "$proofs"/*.v; do
  [ "$(basename "$file")" != Vectors.v ] || continue
  grep -qxF "$(basename "$file")" "$proofs/_CoqProject" || { echo "proofs/_CoqProject does not name $file" >&2 && exit 1; }
done
cd "$proofs"
if grep -nwE 'Admitted|admit|Axioms?|Parameters?|Conjecture' "${files[@]}"; then
  echo "the lines above assume what they should prove" >&2
  exit 1
fi

log=$folder/check.log
for file in "${files[@]}"; do
  [ "$folder" = "$proofs" ] || cp "$proofs/$file" "$folder/"
  coqc -q -Q "$folder" Layoutcheck "$folder/$file" >"$log" || { cat "$log" >&2 && exit 1; }
done

# The log is that of Main.v, the last file: one answer per theorem.
mapfile -t asked < <(sed -nE 's/^Print Assumptions (.*)\.$/\1/p' "$proofs/Main.v")
closed=$(grep -cx 'Closed under the global context' "$log" || true)
stated=$(sed -nE 's/^(Theorem|Corollary|Lemma) ([A-Za-z0-9_]+).*/\2/p' "$proofs/Main.v" "$proofs/Lemmas.v" "$proofs/Bits.v" | sort)
if [ "$stated" != "$(printf '%s\n' "${asked[@]}" | sort)" ]; then
  echo "Main.v must print the assumptions of each of its theorems and of each of Lemmas.v and Bits.v, once" >&2
  exit 1
fi
if [ "$closed" != "${#asked[@]}" ] || [ "$(wc -l <"$log")" != "$closed" ]; then
  cat "$log" >&2
  echo "a theorem of Main.v rests on assumptions" >&2
  exit 1
fi

./vectors.py ../corpus/vectors >"$folder/Vectors.v" 2>"$folder/vectors.log"
coqc -q -Q "$folder" Layoutcheck "$folder/Vectors.v" >"$log" || { cat "$log" >&2 && exit 1; }

modules=("${files[@]%.v}")
summary=$(coqchk -o -silent -Q "$folder" Layoutcheck "${modules[@]/#/Layoutcheck.}" 2>&1) ||
  { echo "$summary" >&2 && exit 1; }
if [ "$(grep '^\*' <<<"$summary" | grep -v ': <none>$')" != "* Theory: Set is predicative" ]; then
  echo "$summary" >&2
  echo "coqchk found assumptions" >&2
  exit 1
fi
echo "proved, closed under the global context: ${asked[*]}"
cat "$folder/vectors.log"
echo "proofs: ${#asked[@]} theorems and lemmas in ${#files[@]} files, checked by coqc and coqchk"
