# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
# Functions that ./run and ./test share. Read by `source`.

# Names what the script does from here on. The last phase ends where the next one begins.
phase() { # name
  local now=${EPOCHREALTIME/[.,]/}
  if [ -n "${phase_name:-}" ]; then
    phases+=("$(awk -v us=$((now - phase_begin)) -v what="$phase_name" 'BEGIN { printf "%8.1f s  %s", us / 1e6, what }')")
  fi
  phase_name=$1
  phase_begin=$now
}
phases=()

# Prints the time of each phase, one per line.
show_phases() {
  phase ''
  [ ${#phases[@]} -eq 0 ] || printf '%s\n' '' 'Time per phase:' "${phases[@]}"
}

# Builds targets of a preset (all targets where none is named) and shows progress: ninja's own line on a terminal, otherwise
# one line per tenth of the work. Compiler messages are shown in both cases.
build_targets() { # preset, target...
  local preset=$1
  shift
  local command=(cmake --build --preset "$preset" --parallel "$(nproc)")
  [ $# -eq 0 ] || command+=(--target "$@")
  if [ -t 1 ]; then
    "${command[@]}"
  else
    "${command[@]}" | show_tenths "building $preset"
  fi
}

# Copies its input, with one line per tenth of the work in place of lines that begin with a count, "[12/400]" or "12/400".
show_tenths() { # what is under way
  awk -v what="$1" '
    match($0, /^\[? *[0-9]+\/[0-9]+\]? /) {
      split(substr($0, RSTART, RLENGTH), count, /[^0-9]+/)
      first = count[1] == "" ? 2 : 1
      tenth = int(10 * count[first] / count[first + 1])
      if (tenth > shown) { shown = tenth; printf "%s: %d %%\n", what, 10 * tenth; fflush() }
      next
    }
    { print; fflush() }'
}
