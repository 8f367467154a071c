// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/mutator/grammar_tokens.h"
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/element_type.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kFixedTokens[] = {
    // Punctuation.
    "[", "]", "{", "}", "(", ")", ",", ":", "=", "*", "?", "#", "+", "~", "<=", "->", "...", "/*c*/", "//c\n",
    // Attributes of layouts.
    "D(D,C+~)", "T(8,128)", "(2,1)", "T(*,2)", "L(2)", "#(u32)", "*(u8)", "E(4)", "S(1)", "SC(0:1)", "P(f32[])", "M(8)",
    "T", "L", "E", "S", "SC", "P", "M", "D", "b(",
    // Integers.
    "0", "1", "8", "128", "-1", "-0", "007", "2147483647", "2147483648", "4294967296", "4611686018427387904",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "99999999999999999999",
    // Words that look like integers.
    "1.5", "1e3", "2x3", "1_1", "0x10", "-inf", "nan",
    // Words of instruction lines.
    "ROOT", "ENTRY", "HloModule", "true", "maximal", "%a", "a =", "add(", "parameter(0)", "kind=kLoop", "calls=%c",
    "b01f_01io->b01f", "\"s\"",
    // Names of types elsewhere.
    "tuple", "buffer", "opaque_type", "F32", "i32", "bool"};

constexpr std::string_view kModuleTokens[] = {
    // Attributes of the header.
    "is_scheduled=true", "entry_computation_layout={", "input_output_alias={", "must-alias",
    // Attributes of instructions.
    "to_apply=", "body=", "condition=", "calls=", "branch_computations={", "index=0", "operand_layout_constraints={",
    "metadata={", "stack_frame_id=1",
    // Opcodes.
    "get-tuple-element(", "while(", "fusion(", "tuple(", "bitcast(", "copy(",
    // Tables of source lines.
    "FileNames", "FileLocations", "StackFrames", "file_name_id=1", "file_location_id=1", "line=1",
    // Words of logs.
    "Shape: ", "shape |", "(size=", "label:"};

}  // namespace

std::span<const std::string_view> GrammarTokens() {
  static const std::vector<std::string_view> tokens = [] {
    std::vector<std::string_view> all;
    for (const ElementType type : ArrayElementTypes()) all.push_back(ElementTypeName(type));
    all.push_back(ElementTypeName(ElementType::kToken));
    all.push_back(ElementTypeName(ElementType::kOpaque));
    all.insert(all.end(), std::begin(kFixedTokens), std::end(kFixedTokens));
    return all;
  }();
  return tokens;
}

std::span<const std::string_view> ModuleTokens() {
  static const std::vector<std::string_view> tokens = [] {
    std::vector<std::string_view> all(GrammarTokens().begin(), GrammarTokens().end());
    all.insert(all.end(), std::begin(kModuleTokens), std::end(kModuleTokens));
    return all;
  }();
  return tokens;
}

std::string DictionaryText(std::string_view source, std::span<const std::string_view> tokens) {
  std::string text = StrCat("# Written by write_dictionary from ", source, "; grammar_tokens_test keeps it equal.\n");
  for (const std::string_view token : tokens) {
    text += '"';
    for (const char c : token) {
      if (c == '"' || c == '\\') {
        StrAppend(text, '\\', c);
      } else if (c == '\n') {
        text += "\\x0A";
      } else {
        text += c;
      }
    }
    text += "\"\n";
  }
  return text;
}

}  // namespace layoutcheck
