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
# a line every few seconds. Compiler messages are shown in both cases.
build_targets() { # preset, target...
  local preset=$1
  shift
  local command=(cmake --build --preset "$preset" --parallel "$(nproc)")
  [ $# -eq 0 ] || command+=(--target "$@")
  if [ -t 1 ]; then
    "${command[@]}"
  else
    "${command[@]}" | show_progress "building $preset"
  fi
}

# Copies its input, without the lines that begin with a count, "[12/400]" or "12/400": of these it shows one every
# LAYOUTCHECK_PROGRESS_SECONDS (5) seconds.
show_progress() { # what is under way
  local what=$1 seconds=${LAYOUTCHECK_PROGRESS_SECONDS:-5} shown=$SECONDS line
  while IFS= read -r line; do
    if [[ ! $line =~ ^\[?\ *([0-9]+)/([0-9]+)\]?\  ]]; then
      printf '%s\n' "$line"
    elif ((SECONDS - shown >= seconds)); then
      shown=$SECONDS
      printf '%s: %d of %d\n' "$what" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
    fi
  done
}
