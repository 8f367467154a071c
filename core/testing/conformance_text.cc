// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the rows about text: accepted texts and their canonical form, validity of layouts, and instruction lines.
#include <algorithm>
#include <cctype>
#include <map>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/instruction.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/core/testing/conformance.h"

namespace layoutcheck {
namespace {

using Verdict = RowResult::Verdict;

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// Passes if the error contains all the phrases.
RowResult CompareError(const std::optional<Error>& error, const std::vector<std::string_view>& phrases) {
  if (!error) return {Verdict::kFail, "expected an error, got none"};
  for (const std::string_view phrase : phrases) {
    if (Lower(error->message).find(Lower(phrase)) == std::string::npos) {
      return {Verdict::kFail, StrCat("expected an error with \"", phrase, "\"\nactual   ", error->ToString())};
    }
  }
  return {Verdict::kPass, ""};
}

template <class T>
std::optional<Error> ErrorOf(const Expected<T>& result) {
  if (result) return std::nullopt;
  return result.error();
}

template <class T>
RowResult CheckParsed(const Json& expect, const Expected<T>& result) {
  const auto outcome = [](bool ok, std::string_view text) { return StrCat(ok ? "accepted as " : "rejected: ", text); };
  const std::string expected =
      expect.at("ok").get<bool>() ? outcome(true, expect.at("text").text()) : outcome(false, expect.at("stage").text());
  const std::string actual =
      result ? outcome(true, ToString(*result)) : outcome(false, ErrorKindName(result.error().kind));
  return Compare(expected, actual);
}

RowResult CheckParseRow(const Json& row) {
  const std::string text = row.at("text").text();
  if (row.at("kind") == "layout") return CheckParsed(row.at("expect"), ParseLayout(text));
  return CheckParsed(row.at("expect"), ParseShape(text));
}

Layout WithOrder(std::vector<int64_t> order, void (*edit)(Layout&)) {
  Layout layout(std::move(order));
  edit(layout);
  return layout;
}

// Checks a row that describes a value to print in words.
RowResult CheckPrintRow(const Json& row) {
  constexpr int64_t kCombine = Tile::kCombineDimension;
  Shape dynamic = Shape::Array(ElementType::kF32, {23, 44, 55});
  dynamic.dynamic_dimensions = {true, false, true};
  const std::vector<int64_t> four = {3, 2, 1, 0};
  const std::map<std::string, std::string> printed = {
      {"dims 23,44,55 dynamic T,F,T", ToString(dynamic)},
      {"default Layout", ToString(Layout())},
      {"m2m 3,2,1,0 tile (combine,combine,42,123)", ToString(Layout(four, {{{kCombine, kCombine, 42, 123}}}))},
      {"m2m 3,2,1,0 index_primitive_type U32",
       ToString(WithOrder(four, [](Layout& l) { l.index_primitive_type = ElementType::kU32; }))},
      {"m2m 3,2,1,0 pointer_primitive_type U16",
       ToString(WithOrder(four, [](Layout& l) { l.pointer_primitive_type = ElementType::kU16; }))},
      {"m2m 3,2,1,0 element_size 42", ToString(WithOrder(four, [](Layout& l) { l.element_size_in_bits = 42; }))},
      {"m2m 3,2,1,0 memory_space 3", ToString(WithOrder(four, [](Layout& l) { l.memory_space = 3; }))},
      {"m2m 0,1 split 0:[3] 1:[0,4]",
       ToString(WithOrder({0, 1}, [](Layout& l) { l.split_configs = {{0, {3}}, {1, {0, 4}}}; }))},
      {"m2m 0,1 physical_shape s32[10,20]",
       ToString(WithOrder(
           {0, 1},
           [](Layout& l) { l.physical_shape.push_back(Shape::Array(ElementType::kS32, {10, 20}, Layout({1, 0}))); }))},
      {"Tile 7,8", ToString(Tile{{7, 8}})},
      {"Layout 0,1,2", ToString(Layout({0, 1, 2}))},
  };
  const auto found = printed.find(row.at("text").text());
  if (found == printed.end()) return {Verdict::kFail, "no value is known for this description"};
  return Compare(row.at("expect"), found->second);
}

// Returns, by description, the values without a text that validation rows describe in words.
std::map<std::string, Shape> ConstructedShapes() {
  const auto f32 = [](std::vector<int64_t> dimensions, std::vector<int64_t> order) {
    return Shape::Array(ElementType::kF32, std::move(dimensions), Layout(std::move(order)));
  };
  const Shape without_layout = Shape::Array(ElementType::kF32, {1, 2});
  Shape negative_tile = f32({8, 8}, {1, 0});
  negative_tile.layout->tiles = {{{2, -2}}};
  Shape physical_tuple = Shape::Array(ElementType::kS8, {int64_t{1} << 37}, Layout({0}));
  physical_tuple.layout->physical_shape.push_back(Shape::Tuple({Shape::Tuple({})}));
  Shape unknown_type = Shape::Token();
  unknown_type.element_type = static_cast<ElementType>(-562);
  Shape physical_unknown = Shape::Array(ElementType::kS8, {0, 8, 0, 0, 4, 1, 1, 6, 281474976710657, 1},
                                        Layout({1, 3, 0, 5, 4, 6, 8, 7, 6, 9}));
  physical_unknown.layout->physical_shape.push_back(unknown_type);
  Shape type_2000 = Shape::Token();
  type_2000.element_type = static_cast<ElementType>(2000);
  Shape unbounded = Shape::Array(ElementType::kF32, {Shape::kUnboundedSize, Shape::kUnboundedSize});
  unbounded.dynamic_dimensions = {true, false};
  return {
      {"f32[2,3]{0,1,2}", f32({2, 3}, {0, 1, 2})},
      {"(((f32[1,2]), f32[1,2] no layout), (f32[9] m2m 0,2,3)), allow_missing_layouts=true",
       Shape::Tuple(
           {Shape::Tuple({Shape::Tuple({f32({1, 2}, {1, 0})}), without_layout}), Shape::Tuple({f32({9}, {0, 2, 3})})})},
      {"f32[8,8]{1,0} tile (2,-2)", negative_tile},
      {"proto: TUPLE{S8[137438953472]{0:P(TUPLE{()})}}", Shape::Tuple({physical_tuple})},
      {"proto: S8[0,8,0,0,4,1,1,6,281474976710657,1] m2m 1,3,0,5,4,6,8,7,6,9 P(element_type -562)", physical_unknown},
      {"proto: element_type 2000", type_2000},
      {"MakeValidatedShape(F32,[unbounded,unbounded],dynamic [T,F])", unbounded},
  };
}

// Returns the phrases that the error must contain. Some rows name a rule in other words than XLA's messages.
std::vector<std::string_view> PhrasesOf(const std::string& expectation) {
  static const std::map<std::string, std::vector<std::string_view>> kInXlaWords = {
      {"minor_to_major duplicate", {"minor_to_major", "duplicate values"}},
      {"minor_to_major out-of-bounds", {"minor_to_major", "out-of-bounds value"}},
      {"index_primitive_type on dense", {"index_primitive_type, but is not a sparse array"}},
      {"pointer_primitive_type on dense", {"pointer_primitive_type, but is not a sparse array"}},
      {"element_size_in_bits negative", {"element_size_in_bits field is negative"}},
      {"split config dim duplicate", {"split config has duplicate physical dimension"}},
      {"split indices not strictly increasing/positive", {"split indices must be strictly increasing and positive"}},
      {"split index out of bounds", {"split config split index is out of bounds"}},
      {"split config dim out-of-bounds", {"split config has out-of-bounds physical dimension"}},
      {"rejected by ValidateShape", {}},
  };
  const auto found = kInXlaWords.find(expectation);
  return found == kInXlaWords.end() ? std::vector<std::string_view>{expectation} : found->second;
}

RowResult CheckValidateRow(const Json& row) {
  const std::string text = row.at("text").text();
  const std::map<std::string, Shape> constructed = ConstructedShapes();
  std::optional<Error> error;
  if (const auto found = constructed.find(text); found != constructed.end()) {
    error = ErrorOf(ValidateShape(found->second, MissingLayout::kAllowed));
  } else {
    // The parser must give the same error as the validator on the result of the grammar alone.
    error = ErrorOf(ParseShape(text));
    ParseOptions grammar_only;
    grammar_only.validate = false;
    const Expected<Shape> shape = ParseShape(text, grammar_only);
    if (!shape) return {Verdict::kFail, StrCat("expected well-formed text\nactual   ", shape.error().ToString())};
    const std::optional<Error> validated = ErrorOf(ValidateShape(*shape, MissingLayout::kRejected));
    if (RowResult same = Compare(validated ? validated->message : "", error ? error->message : "");
        same.verdict != Verdict::kPass) {
      return same;
    }
  }
  if (error && error->kind != ErrorKind::kInvalidLayout) {
    return {Verdict::kFail, StrCat("expected an invalid layout\nactual   ", error->ToString())};
  }
  const std::string expected = row.at("expect").text();
  if (row.at("kind") == "validate_ok") return Compare("", error ? error->ToString() : "");
  return CompareError(error, PhrasesOf(expected));
}

// Checks the value of an accepted instruction against the description in the row.
RowResult CheckAcceptedInstruction(const std::string& text, const std::string& expected) {
  const Expected<HloInstruction> instruction = ParseInstruction(text);
  if (!instruction) return {Verdict::kFail, StrCat("expected acceptance\nactual   ", instruction.error().ToString())};
  if (expected == "canonical form; prints back identically") return Compare(text, ToString(*instruction));
  if (expected == "root=multiply, parameters _0 and _1 created") {
    const bool unnamed = std::ranges::all_of(
        instruction->operands, [](const HloOperand& operand) { return operand.name.empty() && operand.shape; });
    return Compare("multiply of 2, all unnamed", StrCat(instruction->name, " of ", instruction->operands.size(),
                                                        unnamed ? ", all unnamed" : ", some named"));
  }
  // The description is "name foo", perhaps with a remark in parentheses.
  return Compare(expected.substr(0, expected.find(" (")), StrCat("name ", instruction->name));
}

RowResult CheckRejectedInstruction(const Json& row) {
  std::string text = row.at("text").text();
  HloScope scope;
  constexpr std::string_view kInsideModule = "   (inside a module where %constant.1 is f32[2,2])";
  if (text.ends_with(kInsideModule)) {
    text.resize(text.size() - kInsideModule.size());
    scope.emplace("constant.1", ParseShape("f32[2,2]").value());
  }
  const std::string expected = row.at("expect").text();
  static const std::map<std::string, std::vector<std::string_view>> kInOtherWords = {
      {"expects instruction name (foo= is lexed as one attribute-name token)",
       {"expected an instruction name", "found 'foo='"}},
      {"attribute name must be glued to '='", {"expected an attribute name with '=' attached to it"}},
  };
  const auto found = kInOtherWords.find(expected);
  std::vector<std::string_view> phrases;
  if (found != kInOtherWords.end()) {
    phrases = found->second;
  } else {
    // A slash separates messages that XLA prints one after the other. Our messages have no final period.
    for (const auto message : std::views::split(std::string_view(expected), std::string_view(" / "))) {
      phrases.emplace_back(message.begin(), message.end());
      if (phrases.back().ends_with('.')) phrases.back().remove_suffix(1);
    }
  }
  RowResult strict = CompareError(ErrorOf(ParseInstruction(text, scope)), phrases);
  const bool tolerated = row.contains("note") && row.at("note").text().find("lenient") != std::string::npos;
  if (strict.verdict != Verdict::kPass || !tolerated) return strict;
  const std::optional<Error> error = ErrorOf(ReadInstructionLine(text));
  return Compare("", error ? error->ToString() : "");
}

}  // namespace

std::optional<RowResult> CheckTextRow(const Json& row) {
  const std::string kind = row.value("kind", "");
  if (row.value("op", "") == "parse" && (kind == "shape" || kind == "layout")) return CheckParseRow(row);
  if (kind == "print") return CheckPrintRow(row);
  if (kind == "validate_ok" || kind == "validate_err") return CheckValidateRow(row);
  if (kind == "instr_ok") return CheckAcceptedInstruction(row.at("text").text(), row.at("expect").text());
  if (kind == "instr_err") return CheckRejectedInstruction(row);
  return std::nullopt;
}

}  // namespace layoutcheck
