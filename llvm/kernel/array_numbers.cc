// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/array_numbers.h"
#include <algorithm>
#include <memory>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kDistinctElements = ":distinct";
// A number that is outside of the arrays that are searched.
constexpr int64_t kFarNumber = 1'000'000;

// Returns the value of an expression that is a number. Throws FunctionUnknown for another one.
int64_t Numeric(const SymbolicInteger& value) {
  const auto number = value.number();
  if (!number) throw FunctionUnknown{"the numbers in an array at sizes that are not known"};
  return static_cast<int64_t>(*number);
}

bool AreSame(const SymbolicInteger& a, const SymbolicInteger& b) {
  if (a.number() && b.number()) return *a.number() == *b.number();
  return FunctionRun::IsOnNames() && FunctionRun::CanShowAtMost(a, b) && FunctionRun::CanShowAtMost(b, a);
}

}  // namespace

bool ArrayNumbers::IsOfIntegers(const SymbolicLayout& layout) {
  const bool is_integer = layout.text.starts_with('s') || layout.text.starts_with('u');
  return is_integer && layout.element_bits % kBitsPerByte == 0 && layout.element_bits <= 64;
}

Expected<void> ArrayNumbers::Add(const std::string& text, std::span<const std::string> arrays,
                                 std::span<const ArrayLayout> layouts, std::span<const std::string> names) {
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const std::string option = StrCat("--values ", name);
  std::string range = equals == std::string::npos ? "" : text.substr(equals + 1);
  const bool is_distinct = range.ends_with(kDistinctElements);
  if (is_distinct) range.resize(range.size() - kDistinctElements.size());
  const size_t colon = range.find(':');
  if (name.empty() || colon == std::string::npos || range.find(':', colon + 1) != std::string::npos) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("--values: expected NAME=LOW:HIGH or NAME=LOW:HIGH:distinct, found '", text, "'"));
  }
  const auto found = std::ranges::find(arrays, name);
  if (found == arrays.end()) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat(option, ": expected the name of an --array"));
  }
  const auto array = static_cast<size_t>(found - arrays.begin());
  if (!IsOfIntegers(layouts[array])) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(option, ": expected an array of integers of 8 to 64 bits, found ", layouts[array].text));
  }
  if (Contains(array)) return MakeError(ErrorKind::kInvalidArgument, StrCat(option, ": expected one range per array"));
  LAYOUTCHECK_TRY(auto low, ParseFormulaOf(option, range.substr(0, colon), names));
  LAYOUTCHECK_TRY(auto high, ParseFormulaOf(option, range.substr(colon + 1), names));
  Follow(array, layouts[array]);
  ranges_[array].bounds = {std::move(low), std::move(high)};
  ranges_[array].is_distinct = is_distinct;
  return {};
}

bool ArrayNumbers::Follow(size_t array, const SymbolicLayout& layout) {
  if (Contains(array) || !IsOfIntegers(layout)) return false;
  ranges_[array] = {
      .width = static_cast<int>(layout.element_bits), .is_unsigned = layout.text.starts_with('u'), .bounds = {}};
  return true;
}

std::vector<size_t> ArrayNumbers::arrays() const {
  std::vector<size_t> arrays;
  for (const auto& [array, range] : ranges_) arrays.push_back(array);
  return arrays;
}

NumberPattern ArrayNumbers::PatternOf(size_t array, int64_t number, int64_t elements,
                                      const SymbolicValues& values) const {
  const Range& range = ranges_.at(array);
  if (elements == 0) return {};
  // As far as the type has it.
  const int bits = range.width - (range.is_unsigned ? 0 : 1);
  const int64_t largest = bits >= 62 ? int64_t{1} << 62 : (int64_t{1} << bits) - 1;
  const int64_t least = range.is_unsigned ? 0 : -largest - 1;
  if (!range.bounds) {
    const int64_t far = std::min(largest, kFarNumber);
    switch (number) {
      case 0: return {};
      case 1: return {.first = far};
      case 2: return {.step = 1, .period = largest};
      default: return {.first = std::max<int64_t>(least, -1)};
    }
  }
  const int64_t low = std::max(least, Numeric(ValueOf(range.bounds->first, values)));
  const int64_t end = std::min(largest, Numeric(ValueOf(range.bounds->second, values)) - 1) + 1;
  const int64_t count = end - low;
  if (count <= 0 || (range.is_distinct && count < elements)) {
    throw FunctionUnknown{"an array whose elements can have no values"};
  }
  const bool is_backward = number % 2 == 1;
  const bool is_constant = number < 2 && !range.is_distinct;
  return {.first = is_backward ? end - 1 : low, .step = is_constant ? 0 : is_backward ? -1 : 1, .period = count};
}

ElementReader ArrayNumbers::ReaderAt(SymbolicValues values, std::vector<SymbolicInteger> sizes) const {
  struct Read {
    int64_t array;
    SymbolicInteger offset;
    SymbolicInteger number;
  };
  const auto reads = std::make_shared<std::vector<Read>>();
  return [this, values = std::move(values), sizes = std::move(sizes), reads](
             int64_t array, const SymbolicInteger& offset, int width) -> std::optional<SymbolicInteger> {
    const auto known = ranges_.find(static_cast<size_t>(array));
    if (known == ranges_.end() || known->second.width != width) return std::nullopt;
    const Range& range = known->second;
    for (const Read& read : *reads) {
      if (read.array == array && AreSame(read.offset, offset)) return read.number;
    }
    SymbolicInteger number = 0;
    if (FunctionRun::IsOnNames()) {
      const SymbolicInteger least = range.is_unsigned ? SymbolicInteger(0) : -PowerOfTwo(width - 1);
      const SymbolicInteger end = PowerOfTwo(range.is_unsigned ? width : width - 1);
      number = FunctionRun::NewCount();
      if (range.bounds) {
        number = number + ValueOf(range.bounds->first, values);
        // Other numbers are not in the array.
        if (!(number < ValueOf(range.bounds->second, values))) throw FunctionEnd{};
        if (number < least) throw FunctionEnd{};
      } else {
        number = number + least;
      }
      if (!(number < end)) throw FunctionEnd{};
    } else {
      const auto pattern = values.find(kPattern);
      const int64_t bytes = width / kBitsPerByte;
      const int64_t elements = Numeric(sizes[static_cast<size_t>(array)]) / bytes;
      const int64_t chosen = pattern == values.end() ? 0 : Numeric(pattern->second);
      number = PatternOf(static_cast<size_t>(array), chosen, elements, values).At(Numeric(offset) / bytes);
    }
    reads->push_back({array, offset, number});
    return number;
  };
}

std::vector<std::string> ArrayNumbers::Ranges(std::span<const std::string> arrays) const {
  std::vector<std::string> texts;
  for (const auto& [array, range] : ranges_) {
    if (!range.bounds) continue;
    texts.push_back(
        StrCat(FormulaText(range.bounds->first), " <= ", arrays[array], "[...] < ", FormulaText(range.bounds->second)));
    if (range.is_distinct) texts.push_back(StrCat("no two elements of ", arrays[array], " are equal"));
  }
  return texts;
}

}  // namespace layoutcheck
