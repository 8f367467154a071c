#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Uses the sources as a part of another project (add_subdirectory): only the libraries are configured, core needs no package, and a
# compilation without C++23 says so.
set -euo pipefail
source=$2 compiler=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
foreach(package GTest rapidcheck benchmark CLI11 fmt nlohmann_json)
  set(CMAKE_DISABLE_FIND_PACKAGE_\${package} ON)
endforeach()
add_subdirectory("$source" layoutcheck)
foreach(target layoutcheck overview properties_test layoutcheck_properties layoutcheck_subjects)
  if(TARGET \${target})
    message(FATAL_ERROR "\${target} is a part of the project")
  endif()
endforeach()
add_executable(user main.cc)
target_link_libraries(user PRIVATE layoutcheck::core)
EOF
cat >"$folder/main.cc" <<EOF
#include <layoutcheck/core/hlo/parser.h>

int main() { return layoutcheck::ParseShape("f32[3,5]{1,0:T(2,2)}") ? 0 : 1; }
EOF
cmake -S "$folder" -B "$folder/build" -DCMAKE_CXX_COMPILER="$compiler" >"$folder/log" || { cat "$folder/log" >&2; exit 1; }
grep -q 'was not found: layoutcheck::properties is left out' "$folder/log"
grep -q 'layoutcheck_core' <<<"$(cmake --build "$folder/build" --target help)"
# Every build shows that the libraries compile, so this test compiles one translation unit of the user only.
"$compiler" -std=c++23 -fsyntax-only -I "$folder/build/layoutcheck/include" "$folder/main.cc"
if message=$("$compiler" -std=c++17 -fsyntax-only -I "$folder/build/layoutcheck/include" "$folder/main.cc" 2>&1); then
  echo "a compilation as C++17 was taken" >&2
  exit 1
fi
grep -q 'layoutcheck needs C++23' <<<"$message"
