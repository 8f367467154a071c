#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Reads every #include of the sources in a folder against a file of layers (cmake/layers.txt says how it is read). Names each
# include that the file does not allow, with its line and both files, and each folder that the file does not know.
#
#   cmake/check_layers.sh SOURCE_FOLDER LAYERS_FILE
set -euo pipefail
layers=$(realpath "$2")
cd "$1"
find json core properties solver llvm verify subjects fuzz cli web -name '*.cc' -o -name '*.h' | LC_ALL=C sort |
  xargs grep -n '^#include "layoutcheck/' /dev/null |
  awk -v layers="$layers" '
    function layer_of(room) { return index(room, "/") ? substr(room, 1, index(room, "/") - 1) : room }
    function room_of(path) {
      if (path == "subject.h") return "subjects/include"
      if (path == "properties/rapidcheck.h") return "properties/rapidcheck"
      return match(path, "^[^/]+/[^/]+/") ? substr(path, 1, RLENGTH - 1) : substr(path, 1, index(path, "/") - 1)
    }
    BEGIN {
      while ((getline line < layers) > 0) {
        sub(/#.*/, "", line)
        count = split(line, words, " ")
        if (count == 0) continue
        room = words[1]
        sub(/:$/, "", room)
        known[room] = ++rooms
        if (!(layer_of(room) in height)) height[layer_of(room)] = ++heights
        for (k = 2; k <= count; ++k) {
          if (!(words[k] in known) && !(words[k] in height)) Fail(layers ": " room " may not use " words[k] ", which is not above it")
          allowed[room, words[k]] = 1
        }
      }
      if (rooms == 0) Fail(layers ": no rooms, expected lines of the form room: rooms that it may use")
    }
    function Fail(text) { print text > "/dev/stderr"; failed = 1 }
    {
      split($0, parts, ":")
      file = parts[1]
      split($0, quoted, "\"layoutcheck/|\"")
      included = quoted[2]
      from = room_of(file)
      to = room_of(included)
      if (from == to) next
      if (from == layer_of(from "/") && !(from in known)) next  # a program above all rooms of its layer
      if (!(from in known)) { Fail(file ": the folder " from " is not in " layers); next }
      if (!(to in known)) { Fail(file ":" parts[2] ": includes " included ", and the folder " to " is not in " layers); next }
      testing = file ~ /_test\.cc$/ || from ~ /\/testing$/
      if (testing && (layer_of(to) == layer_of(from) || height[layer_of(to)] < height[layer_of(from)])) next
      if ((from, to) in allowed || ((from, layer_of(to)) in allowed && to !~ /\/testing$/)) next
      Fail(file ":" parts[2] ": " from " may not include " to ": " file " -> " included)
    }
    END { exit failed }'
