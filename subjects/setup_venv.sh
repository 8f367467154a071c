#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the optional Python implementations of requirements.txt into .venv/ at the root of the repository, where the
# adapters look for them. Exits 3 with a reason on failure.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv="$root/.venv"

absent() {
  echo "setup_venv.sh: the Python subjects (xla, pycute, ...) stay absent: $1" >&2
  exit 3
}

# Compiles the programs of cute-cpp-dynamic and of catlass in advance, so that no request waits for them.
compile() {
  "$venv/bin/python" "$root/subjects/cute_cpp/cute_cpp_dynamic_subject.py" --build ||
    echo "setup_venv.sh: the subject cute-cpp-dynamic does not compile" >&2
  [ -z "${CATLASS_HOME:-}" ] || "$venv/bin/python" "$root/subjects/catlass/catlass_subject.py" tla --build ||
    echo "setup_venv.sh: the subject catlass does not compile" >&2
}

command -v python3 >/dev/null || absent "python3 is not installed"
if cmp -s "$root/requirements.txt" "$venv/installed.txt"; then
  compile
  exit 0
fi
[ -x "$venv/bin/python" ] || python3 -m venv "$venv" || absent "python3 -m venv failed"
# --no-deps, because the list is complete and nvidia-cutlass would bring in all of CUDA.
if "$venv/bin/python" -m pip install --quiet --no-deps -r "$root/requirements.txt"; then
  cp "$root/requirements.txt" "$venv/installed.txt"
  compile
  exit 0
fi
# A package that cannot be installed does not prevent the others; the next run tries it again.
failed=()
while IFS= read -r requirement; do
  case $requirement in '' | '#'*) continue ;; esac
  "$venv/bin/python" -m pip install --quiet --no-deps "$requirement" || failed+=("$requirement")
done <"$root/requirements.txt"
echo "setup_venv.sh: not installed: ${failed[*]}; the subjects that are about them stay absent" >&2
exit 3
