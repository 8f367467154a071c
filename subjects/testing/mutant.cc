// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/testing/mutant.h"
#include <algorithm>
#include <map>
#include <regex>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {
namespace {

using enum Mutation::Change;

// How XLA begins the refusal of an instruction.
constexpr const char* kRefusal =
    "INVALID_ARGUMENT: Syntax error when trying to parse the text as a single HloInstruction:\nrefused";
// std::regex recurses per byte of a text, so longer ones pass unchanged.
constexpr size_t kLongest = 1000;

// Returns the text with 1 added to its last integer, or unchanged if it has none.
std::string Shifted(const std::string& text) {
  static const std::regex last("-?[0-9]{1,18}(?=[^0-9]*$)");
  std::smatch match;
  if (!std::regex_search(text, match, last)) return text;
  return StrCat(match.prefix().str(), std::stoll(match.str()) + 1, match.suffix().str());
}

// Returns the parts between separators in the opposite order.
std::string Reversed(const std::string& text, const std::string& separator) {
  std::string result;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    result = StrCat(text.substr(begin, end - begin), begin == 0 ? "" : separator, result);
    begin = end + separator.size();
  }
  return result;
}

std::string ChangedField(const std::string& value, Mutation::Change change) {
  if (change == kDrop) return "";
  if (change == kShift) {
    static const std::map<std::string, std::string> words = {{"f32", "f64"}, {"bf16", "f16"},     {"s4", "u4"},
                                                             {"pred", "s8"}, {"add", "subtract"}, {"copy", "negate"}};
    const auto word = words.find(value);
    return word == words.end() ? Shifted(value) : word->second;
  }
  static const std::regex parts(R"(([A-Z]*\(?)([^]*?)(\)?))");
  std::smatch match;
  std::regex_match(value, match, parts);
  const std::string inner = match[2];
  const char* const separator = inner.find(")(") != std::string::npos   ? ")("
                                : inner.find(", ") != std::string::npos ? ", "
                                                                        : ",";
  return StrCat(match[1].str(), Reversed(inner, separator), match[3].str());
}

}  // namespace

std::string_view ChangeName(Mutation::Change change) {
  constexpr std::string_view kNames[] = {"none", "constant", "shift", "swap", "drop", "refuse"};
  return kNames[static_cast<size_t>(change)];
}

std::span<const MutableField> MutableFields(std::string_view kind) {
  const std::vector<Mutation::Change> every = {kDrop, kSwap, kShift, kRefuse};
  const std::vector<Mutation::Change> number = {kDrop, kShift, kRefuse};
  static const std::vector<MutableField> layout = {
      {"order", R"((\{)([0-9]+(?:,[0-9]+)+)((?=[:}])))", {kSwap, kRefuse}},
      {"T", R"(()(T(?:\([0-9,*]+\))+)())", every},
      {"L", R"(()(L\([0-9]+\))())", number},
      {"E", R"(()(E\([0-9]+\))())", number},
      {"M", R"(()(M\([0-9]+\))())", number},
      {"SC", R"(()(SC(?:\([^()]*\))+)())", number},
  };
  static const std::vector<MutableField> shape = [&] {
    std::vector<MutableField> fields = layout;
    fields.push_back({"type", R"(()(\b(?:f32|bf16|s4|pred)\b)())", {kShift, kRefuse}});
    fields.push_back({"dimensions", R"((\b[a-z][a-z0-9]*\[)([0-9]+(?:,[0-9]+)*)(\]))", every});
    // PJRT keeps the memory space apart, so the texts of layouts alone have none.
    fields.push_back({"S", R"(()(S\([0-9]+\))())", number});
    fields.push_back({"T before S", R"(()(T(?:\([0-9,*]+\))+)((?=[^{}]*S\()))", every});
    fields.push_back({"order before S", R"((\{)([0-9]+(?:,[0-9]+)+)((?=:[^{}]*S\()))", {kSwap, kRefuse}});
    return fields;
  }();
  static const std::vector<MutableField> instruction = {
      {"order", R"((\{)([0-9]+(?:,[0-9]+)+)((?=[:}])))", {kSwap, kRefuse}},
      {"T", R"(()(T(?:\([0-9,*]+\))+)())", every},
      {"type", R"(()(\b(?:f32|bf16|s4|pred)\b)())", {kShift, kRefuse}},
      {"dimensions", R"((\b[a-z][a-z0-9]*\[)([0-9]+(?:,[0-9]+)*)(\]))", every},
      {"add", R"(( )(add)((?=\()))", {kShift, kRefuse}},
      {"copy", R"(( )(copy)((?=\()))", {kShift, kRefuse}},
      {"operands", R"(((?:add|subtract|multiply)\()([^()]*\S, [^()]*)(\)))", {kSwap}},
  };
  return kind == "shape" ? shape : kind == "layout" ? layout : instruction;
}

template <class T, class ChangeValue>
Answer<T> Mutant::Changed(std::string_view operation, Answer<T> answer, const ChangeValue& change_value) const {
  if (operation != mutation_.operation || mutation_.change == kNone) return answer;
  auto* const value = std::get_if<T>(&answer);
  if (value == nullptr) return answer;
  if (mutation_.change == kRefuse) return Failed{Failed::Kind::kError, "refused"};
  return change_value(std::move(*value));
}

int64_t Mutant::Number(int64_t value) const {
  return mutation_.change == kConstant ? 7 : mutation_.change == kShift ? value + 1 : value;
}

std::vector<int64_t> Mutant::List(std::vector<int64_t> values) const {
  if (mutation_.change == kConstant) std::ranges::fill(values, 0);
  if (mutation_.change == kShift && !values.empty()) ++values.back();
  if (mutation_.change == kSwap) std::ranges::reverse(values);
  return values;
}

std::string Mutant::LayoutText(const std::string& text) const {
  if (mutation_.change == kConstant) return text.starts_with("memref") ? "memref<7xf32, strided<[13]>>" : "7:13";
  if (mutation_.change == kShift) return Shifted(text);
  const auto layout = ParseShapeStrideLayout(text);
  if (!layout || Rank(*layout) < 2) return text;
  std::vector<IntTuple> shape = Modes(layout->shape);
  std::vector<IntTuple> stride = Modes(layout->stride);
  std::ranges::reverse(shape);
  std::ranges::reverse(stride);
  return ToString(ShapeStrideLayout{IntTuple::Tuple(std::move(shape)), IntTuple::Tuple(std::move(stride))});
}

Answer<ParseAnswer> Mutant::Parse(std::string_view kind, std::string_view text) {
  Answer<ParseAnswer> answer = subject_.Parse(kind, text);
  auto* const parsed = std::get_if<ParseAnswer>(&answer);
  if (mutation_.operation != "parse" || parsed == nullptr || !parsed->ok || parsed->text.size() > kLongest)
    return answer;
  const auto fields = MutableFields(kind);
  const auto field = std::ranges::find(fields, mutation_.field, &MutableField::name);
  if (field == fields.end()) return answer;
  const std::regex expression(field->expression);
  std::smatch match;
  std::string changed;
  std::string rest = parsed->text;
  while (std::regex_search(rest, match, expression)) {
    if (mutation_.change == kRefuse) return ParseAnswer{false, {}, kRefusal};
    StrAppend(changed, match.prefix().str(), match[1].str(), ChangedField(match[2], mutation_.change), match[3].str());
    rest = match.suffix().str();
  }
  parsed->text = std::regex_replace(changed + rest, std::regex(":\\}"), "}");
  return answer;
}

Answer<int64_t> Mutant::Offset(const Shape& shape, std::span<const int64_t> coordinate) {
  return Changed("offset", subject_.Offset(shape, coordinate), [&](int64_t value) { return Number(value); });
}

Answer<std::vector<int64_t>> Mutant::Table(const Shape& shape) {
  return Changed("table", subject_.Table(shape), [&](std::vector<int64_t> values) { return List(std::move(values)); });
}

Answer<std::optional<Subject::Coordinate>> Mutant::CoordinateAt(const Shape& shape, int64_t offset) {
  return Changed("coordinate", subject_.CoordinateAt(shape, offset), [&](std::optional<Coordinate> coordinate) {
    if (coordinate) coordinate = List(*std::move(coordinate));
    return coordinate;
  });
}

Answer<SizeAnswer> Mutant::Size(const Shape& shape) {
  return Changed("size", subject_.Size(shape), [&](SizeAnswer size) {
    if (mutation_.change == kSwap) std::swap(size.elements, size.padded_elements);
    for (auto* member : {&size.elements, &size.padded_elements, &size.bytes, &size.extent}) {
      if (*member) *member = Number(**member);
    }
    return size;
  });
}

Answer<std::vector<int64_t>> Mutant::Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data) {
  return Changed("relayout", subject_.Relayout(from, to, data),
                 [&](std::vector<int64_t> values) { return List(std::move(values)); });
}

Answer<std::string> Mutant::Make(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes) {
  return Changed("make", subject_.Make(tag, element_bits, sizes),
                 [&](const std::string& text) { return LayoutText(text); });
}

Answer<ApplyAnswer> Mutant::Apply(std::string_view function, std::span<const std::string> arguments) {
  Answer<ApplyAnswer> answer = subject_.Apply(function, arguments);
  auto* const applied = std::get_if<ApplyAnswer>(&answer);
  if (mutation_.operation != "apply" || mutation_.change == kNone || applied == nullptr || applied->rejected)
    return answer;
  if (mutation_.change == kRefuse) return ApplyAnswer{{}, {}, "refused"};
  if (applied->layout) applied->layout = LayoutText(*applied->layout);
  if (applied->value) applied->value = Number(*applied->value);
  return answer;
}

}  // namespace layoutcheck
