// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions and kernels with index arithmetic, as `init` proposes them. The search is textual, because a person decides
// what becomes of each proposal.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace layoutcheck {

// Endings of the files of code that are compiled.
inline constexpr std::array<std::string_view, 6> kSourceEndings{".c", ".cc", ".cpp", ".cxx", ".cu", ".hip"};

struct CodeParameter {
  std::string name;
  std::string element;  // element type of a layout, "f32", for what a pointer points to; empty for no pointer
};

// A function that may compute the index of a layout, or a kernel that may move arrays.
struct IndexCode {
  std::string name;
  size_t line = 0;
  bool is_kernel = false;
  std::string declaration;  // one line, shortened
  std::vector<CodeParameter> parameters;
};

// Returns the kernels of a source in C, C++, CUDA or HIP that have a subscript, and the functions with a result that
// multiply, divide or take a remainder in a returned value or a subscript. Returns nothing in a build without LLVM,
// which does not read code.
std::vector<IndexCode> FindIndexCode(const std::string& source);

}  // namespace layoutcheck
