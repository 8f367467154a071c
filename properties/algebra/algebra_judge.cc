// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/algebra/algebra_judge.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck::algebra {

Layout Question::b() const {
  if (layouts.size() > 1 || numbers.empty()) return layouts.at(1);
  return {numbers[0], numbers[0] == 1 ? 0 : 1};
}

Question ReadQuestion(std::span<const std::string> texts, std::string_view function) {
  Question question{{texts.begin(), texts.end()}, {}, {}, function};
  for (const std::string& text : texts) {
    if (auto layout = ParseShapeStrideLayout(text)) {
      question.layouts.push_back(*std::move(layout));
    } else if (const auto number = ParseIntTuple(text); number && number->is_leaf()) {
      question.numbers.push_back(number->value());
    }
  }
  return question;
}

std::optional<std::vector<int64_t>> Values(const Layout& layout) {
  auto table = StridedOffsetTable(layout, kMostCoordinates);
  return table ? std::optional(*std::move(table)) : std::nullopt;
}

std::optional<std::vector<int64_t>> ValuesAt(const Layout& a, const std::vector<int64_t>& coordinates) {
  const auto values = Values(a);
  if (!values || !AllBetween(coordinates, 0, static_cast<int64_t>(values->size()))) return std::nullopt;
  std::vector<int64_t> result;
  result.reserve(coordinates.size());
  for (const int64_t c : coordinates) result.push_back((*values)[static_cast<size_t>(c)]);
  return result;
}

bool Distinct(std::vector<int64_t> values) {
  if (values.empty()) return true;
  const auto [least, greatest] = std::ranges::minmax(values);
  // A table of bits is faster than sorting where the values lie close together.
  const uint64_t span = static_cast<uint64_t>(greatest) - static_cast<uint64_t>(least);
  if (span / 64 <= values.size()) {
    std::vector<bool> seen(span + 1);
    for (const int64_t value : values) {
      const uint64_t place = static_cast<uint64_t>(value) - static_cast<uint64_t>(least);
      if (seen[place]) return false;
      seen[place] = true;
    }
    return true;
  }
  std::ranges::sort(values);
  return std::ranges::adjacent_find(values) == values.end();
}

std::vector<int64_t> SetOf(std::vector<int64_t> values) {
  std::ranges::sort(values);
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
  return values;
}

bool AllBetween(const std::vector<int64_t>& values, int64_t begin, int64_t end) {
  return std::ranges::all_of(values, [&](int64_t value) { return begin <= value && value < end; });
}

IntegralValues::IntegralValues(const Layout& layout) {
  const auto flat = FlatModes(layout);
  if (!flat) return;
  modes_.emplace();
  for (const auto& [extent, stride] : *flat) modes_->push_back({extent, stride});
}

std::optional<int64_t> IntegralValues::operator()(int64_t coordinate) const {
  if (!modes_) return std::nullopt;
  const CheckedInt64 value = IntegralOffset<CheckedInt64>(*modes_, coordinate);
  return value.overflow ? std::nullopt : std::optional(value.value);
}

LawResult Wrong(std::string expected, const Layout& result) {
  return LawResult::Disagree(std::move(expected), ToString(result));
}

LawResult At(LawResult result, int64_t coordinate) { return std::move(result).At(std::vector<int64_t>{coordinate}); }

LawResult CountUp(const std::vector<int64_t>& values, const Layout& result) {
  for (int64_t i = 0; const int64_t value : values) {
    if (value != i) return At(LawResult::Disagree(StrCat(i), StrCat(value, " by ", ToString(result))), i);
    ++i;
  }
  return LawResult::Agree();
}

namespace {

std::string SizeText(const Layout& layout) {
  const auto size = Size(layout);
  return size ? StrCat("size ", *size) : "a size past int64";
}

}  // namespace

LawResult HasValues(const Layout& result, const std::vector<int64_t>& expected, bool whole) {
  const auto values = Values(result);
  if (!values || values->size() < expected.size() || (whole && values->size() != expected.size())) {
    return LawResult::Disagree(StrCat("size ", expected.size(), whole ? "" : " or more"),
                               StrCat(SizeText(result), ": ", ToString(result)));
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    if ((*values)[i] == expected[i]) continue;
    return At(LawResult::Disagree(StrCat(expected[i]), StrCat((*values)[i], " in ", ToString(result))),
              static_cast<int64_t>(i));
  }
  return LawResult::Agree();
}

}  // namespace layoutcheck::algebra
