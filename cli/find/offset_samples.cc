// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/find/offset_samples.h"
#include <algorithm>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/solver/formula_proof/formula_point.h"
#include "layoutcheck/solver/formula_proof/formula_question.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"

namespace layoutcheck {
namespace {

// Returns the sizes of the array at the values of the names. Error: too many elements.
Expected<std::vector<int64_t>> SizesAt(const UnplacedArray& array, const std::map<std::string, int64_t>& names) {
  std::vector<int64_t> sizes;
  CheckedInt64 elements = 1;
  for (const SymbolicSize& size : array.dimensions) {
    sizes.push_back(size.name.empty() ? size.value : names.at(size.name));
    elements = elements * sizes.back();
  }
  if (!elements.overflow && elements.value <= kMostSampled) return sizes;
  return ArgumentError("expected an array of at most ", kMostSampled,
                       " elements, or names for its sizes: ", array.ToString());
}

int64_t CountOf(const std::vector<int64_t>& sizes) {
  int64_t count = 1;
  for (const int64_t size : sizes) count *= size;
  return count;
}

// Returns the sizes of an array without names. Errors: a name; too many elements.
Expected<std::vector<int64_t>> NumbersOf(const UnplacedArray& array) {
  const std::vector<std::string> names = array.Names();
  if (!names.empty()) return ArgumentError("expected numbers as sizes, found the name ", names.front());
  return SizesAt(array, {});
}

Expected<std::vector<int64_t>> ReadIntegers(std::string_view text) {
  std::vector<int64_t> integers;
  TextCursor cursor(text, " \t\r\n,;[](){}");
  while (!cursor.AtEnd()) {
    LAYOUTCHECK_TRY(integers.emplace_back(), cursor.TakeInteger());
  }
  return integers;
}

// Returns 2 for "i2" and the letter i, or nothing.
std::optional<size_t> NumberOf(char letter, std::string_view name) {
  TextCursor cursor(name, "");
  if (!cursor.Take(std::string_view(&letter, 1)) || !cursor.AtDigit()) return std::nullopt;
  const auto number = cursor.TakeInteger();
  return number && cursor.AtEnd() ? std::optional(static_cast<size_t>(*number)) : std::nullopt;
}

// The formula with values for its names.
class FormulaSampler {
 public:
  FormulaSampler(const UnplacedArray& array, const FormulaQuestion& question)
      : array_(array), question_(question), formula_(question.formula), domain_(question) {
    for (const FormulaIndex& index : question.indices) {
      indices_.emplace_back(index.variable, NumberOf('i', question.variables[index.variable].name).value_or(0));
    }
  }

  // Returns the values of the names to try: the array's own, or many, those that show the most first.
  std::vector<std::map<std::string, int64_t>> Tries() const {
    const std::vector<std::string> sizes = array_.Names();
    std::vector<std::string> others;  // strides and sizes of tiles
    for (const FormulaVariable& variable : question_.variables) {
      const bool is_known = variable.kind == FormulaVariable::Kind::kIndex || NumberOf('d', variable.name);
      if (!is_known && std::ranges::find(sizes, variable.name) == sizes.end()) others.push_back(variable.name);
    }
    // No usual tile divides these sizes, and the last of them are larger than one.
    constexpr int64_t kOdd[] = {300, 37, 5, 3, 2};
    constexpr int64_t kPrimes[] = {11, 7, 13, 5, 17, 19, 23};
    constexpr int64_t kAny[] = {256, 128, 384, 300, 64, 32, 16, 24, 40, 8, 5, 4, 3, 2, 1};
    std::vector<std::map<std::string, int64_t>> tries;
    std::mt19937_64 random(1);
    constexpr size_t kTries = 2000;
    while (tries.size() < kTries) {
      auto& values = tries.emplace_back();
      for (size_t k = 0; k < sizes.size(); ++k) {
        const size_t from_end = tries.size() == 1 ? sizes.size() - 1 - k : k;
        values[sizes[k]] =
            tries.size() <= 2 ? kOdd[std::min(from_end, std::size(kOdd) - 1)] : kAny[random() % std::size(kAny)];
      }
      for (size_t k = 0; k < others.size(); ++k) {
        values[others[k]] = tries.size() <= 2 ? kPrimes[k % std::size(kPrimes)] : kAny[random() % std::size(kAny)];
      }
      if (values.empty()) break;
    }
    return tries;
  }

  // Returns the sample, or nothing if the assumptions do not hold for these names or the array is too large for one of
  // several samples.
  Expected<std::optional<OffsetSample>> SampleAt(std::map<std::string, int64_t> names) {
    auto sizes = SizesAt(array_, names);
    if (!sizes && !names.empty()) return std::nullopt;
    if (!sizes) return std::unexpected(sizes.error());
    FormulaPoint point;
    for (const FormulaVariable& variable : question_.variables) {
      const auto value = names.find(variable.name);
      const auto dimension = NumberOf('d', variable.name);
      point.push_back(value != names.end()                                ? value->second
                      : dimension.value_or(sizes->size()) < sizes->size() ? (*sizes)[*dimension]
                                                                          : 0);
    }
    if (!domain_.IsInDomain(point)) return std::nullopt;
    OffsetSample sample{std::move(names), {*std::move(sizes), {}}};
    std::optional<std::string> fault;
    ForEachIndex(sample.elements.sizes, [&](std::span<const int64_t> coordinate) {
      for (const auto& [variable, dimension] : indices_) point[variable] = coordinate[dimension];
      const FormulaValue<Int128> value = formula_(point);
      const bool fits = value.ok() && value.value == static_cast<int64_t>(value.value);
      if (!fits)
        fault = StrCat("(", StrJoin(coordinate, ","),
                       "): ", value.ok() ? "expected a value of 64 bits" : formula_.FaultText(value));
      sample.elements.offsets.push_back(static_cast<int64_t>(value.value));
      return fits;
    });
    if (!fault) return sample;
    return ArgumentError("--formula: at ", Text(sample.names), "and element ", *fault);
  }

 private:
  static std::string Text(const std::map<std::string, int64_t>& names) {
    std::string text;
    for (const auto& [name, value] : names) StrAppend(text, name, "=", value, " ");
    return text;
  }

  const UnplacedArray& array_;
  const FormulaQuestion& question_;
  PointFormula formula_;
  PointEvaluator domain_;
  std::vector<std::pair<size_t, size_t>> indices_;  // variable and dimension of each index
};

}  // namespace

std::vector<std::string> UnplacedArray::Names() const {
  std::vector<std::string> names;
  for (const SymbolicSize& size : dimensions) {
    if (!size.name.empty() && std::ranges::find(names, size.name) == names.end()) names.push_back(size.name);
  }
  return names;
}

std::string UnplacedArray::ToString() const {
  std::vector<std::string> sizes;
  for (const SymbolicSize& size : dimensions) sizes.push_back(size.name.empty() ? StrCat(size.value) : size.name);
  return StrCat(type, "[", StrJoin(sizes, ","), "]");
}

Expected<UnplacedArray> ReadUnplacedArray(std::string_view text) {
  if (text.find('{') != std::string_view::npos) {
    return ArgumentError("expected a shape without a layout, which is looked for: ", text);
  }
  LAYOUTCHECK_TRY(const SymbolicLayout read, ParseSymbolicLayout(text));
  if (read.fractal) return ArgumentError("expected a shape of XLA, such as f32[M,N]: ", text);
  UnplacedArray array{std::string(text.substr(0, text.find('['))), read.layout.dimensions};
  for (const SymbolicSize& size : array.dimensions) {
    if (size.name.empty() && size.value == 0) return ArgumentError("expected sizes of at least 1: ", text);
  }
  return array;
}

Expected<OffsetSample> SampleOfTable(const UnplacedArray& array, std::string_view table) {
  LAYOUTCHECK_TRY(auto sizes, NumbersOf(array));
  LAYOUTCHECK_TRY(auto offsets, ReadIntegers(table));
  if (std::ssize(offsets) != CountOf(sizes)) {
    return ArgumentError("expected an offset for each of the ", CountOf(sizes), " elements of ", array.ToString(),
                         ", found ", offsets.size(), " integers");
  }
  return OffsetSample{{}, {std::move(sizes), std::move(offsets)}};
}

Expected<OffsetSample> SampleOfMemory(const UnplacedArray& array, std::string_view memory) {
  LAYOUTCHECK_TRY(auto sizes, NumbersOf(array));
  LAYOUTCHECK_TRY(const auto numbers, ReadIntegers(memory));
  const int64_t count = CountOf(sizes);
  std::vector<int64_t> offsets(static_cast<size_t>(count), -1);
  for (size_t offset = 0; offset < numbers.size(); ++offset) {
    const int64_t number = numbers[offset];
    if (number < 0) continue;
    if (number >= count) {
      return ArgumentError("offset ", offset, ": expected the number of an element, 0 to ", count - 1,
                           ", or a negative one for padding, found ", number);
    }
    int64_t& known = offsets[static_cast<size_t>(number)];
    if (known >= 0) return ArgumentError("offset ", offset, ": element ", number, " is at offset ", known, ", too");
    known = static_cast<int64_t>(offset);
  }
  const auto missing = std::ranges::find(offsets, -1);
  if (missing != offsets.end()) {
    return ArgumentError("element ", missing - offsets.begin(), " of ", count, " is at none of the ", numbers.size(),
                         " offsets");
  }
  return OffsetSample{{}, {std::move(sizes), std::move(offsets)}};
}

Expected<std::vector<OffsetSample>> SamplesOfFormula(const UnplacedArray& array, const std::string& formula,
                                                     const std::vector<std::string>& assumptions) {
  constexpr size_t kSamples = 3;
  const auto parsed = ParseFormula(formula);
  for (const std::string& name : parsed ? parsed->names : std::vector<std::string>()) {
    const auto dimension = NumberOf('i', name);
    if (!dimension || *dimension < array.dimensions.size()) continue;
    return ArgumentError("--formula: ", array.ToString(), " has no dimension for ", name);
  }
  std::vector<std::string> bounds;
  for (size_t d = 0; d < array.dimensions.size(); ++d) {
    const SymbolicSize& size = array.dimensions[d];
    bounds.push_back(StrCat("i", d, " < ", size.name.empty() ? StrCat(size.value) : size.name));
  }
  // Nothing is expected of the formula yet: it equals itself.
  LAYOUTCHECK_TRY(const FormulaQuestion question, MakeFormulaQuestion({.formula = formula,
                                                                       .equals = formula,
                                                                       .assumptions = assumptions,
                                                                       .more_names = array.Names(),
                                                                       .over = StrJoin(bounds, ", ")}));
  FormulaSampler sampler(array, question);
  std::vector<OffsetSample> samples;
  for (auto& names : sampler.Tries()) {
    LAYOUTCHECK_TRY(auto sample, sampler.SampleAt(std::move(names)));
    if (sample) samples.push_back(*std::move(sample));
    if (samples.size() == kSamples) break;
  }
  if (samples.empty()) {
    return ArgumentError("expected other assumptions or sizes: of those tried, none has at most ", kMostSampled,
                         " elements and fulfills --assume");
  }
  return samples;
}

}  // namespace layoutcheck
