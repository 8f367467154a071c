// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a source in C or C++, found by its brackets. Open it to see how a function that does not compile is
// left out of its file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace layoutcheck {

// A function with a body. Offsets are in bytes, lines count from 1.
struct SourceFunction {
  std::string name;               // name without scopes and arguments
  bool is_called_by_name = true;  // false for operators, constructors and destructors, which code calls without a name
  size_t begin = 0;               // the first byte of the declaration
  size_t body = 0;                // the `{` of the body, or the `:` before the initializers of a constructor
  size_t end = 0;                 // one past the `}` of the body
  size_t first_line = 0;
  size_t body_line = 0;
  size_t last_line = 0;
};

// Returns the functions of namespaces and classes in the order of the text. Macros are not expanded: a function whose
// brackets a macro holds is not found.
std::vector<SourceFunction> FindSourceFunctions(std::string_view text);

// Returns the text without the bodies of the functions, which are only declared, or without the functions at all if
// `with_declarations` is false. All other lines keep their numbers.
std::string WithoutFunctions(std::string text, const std::vector<SourceFunction>& functions, bool with_declarations);

// Returns true if the word occurs in the text outside of comments, literals and lines of the preprocessor.
bool HasWord(std::string_view text, std::string_view word);
// Returns true if the word occurs in a line of the preprocessor, such as a macro.
bool HasWordInDirective(std::string_view text, std::string_view word);

}  // namespace layoutcheck
