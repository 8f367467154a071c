// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/laws_internal.h"

namespace layoutcheck {
namespace {

// Returns the memory of the array: element numbers at their offsets, -1 in padding.
std::vector<int64_t> MemoryOf(const LayoutCase& layout_case) {
  std::vector<int64_t> memory(static_cast<size_t>(layout_case.sizes.padded_elements), -1);
  for (size_t e = 0; e < layout_case.offsets.size(); ++e) {
    memory[static_cast<size_t>(layout_case.offsets[e])] = static_cast<int64_t>(e);
  }
  return memory;
}

// Returns the same array in row-major order without tiles, where element e is at offset e.
LayoutCase RowMajorOf(const LayoutCase& layout_case) {
  Shape shape = Shape::Array(layout_case.shape.element_type, layout_case.layout.dimensions,
                             MakeDescendingLayout(layout_case.layout.rank()));
  shape.layout->element_size_in_bits = layout_case.shape.layout->element_size_in_bits;
  auto result = LayoutCase::Create(shape);
  return result ? std::move(*result) : layout_case;  // never an error: the array is no larger than the given one
}

template <bool from_row_major>
LawResult CheckRelayout(Subject& subject, const LayoutCase& layout_case) {
  const LayoutCase row_major = RowMajorOf(layout_case);
  const LayoutCase& from = from_row_major ? row_major : layout_case;
  const LayoutCase& to = from_row_major ? layout_case : row_major;
  const auto answer = subject.Relayout(from.shape, to.shape, MemoryOf(from));
  if (auto unanswered = Unanswered(answer)) return *std::move(unanswered);
  const auto& actual = std::get<std::vector<int64_t>>(answer);
  const std::vector<int64_t> expected = MemoryOf(to);
  const auto difference = std::ranges::mismatch(expected, actual);
  if (difference.in1 == expected.end() && difference.in2 == actual.end()) return LawResult::Agree();
  const auto text = [](auto at, auto end) {
    if (at == end) return std::string("the end");
    return *at < 0 ? std::string("padding") : "element " + std::to_string(*at);
  };
  return LawResult::Disagree(text(difference.in1, expected.end()), text(difference.in2, actual.end()))
      .AtOffset(difference.in1 - expected.begin());
}

}  // namespace

std::span<const Law> RelayoutLaws() {
  static constexpr Law kLaws[] = {
      {"relayout",
       "Moving a row-major array into the layout puts every element at its offset and nothing into padding.",
       "every layout", CheckRelayout<true>},
      {"relayout-back", "Moving an array out of the layout into row-major order gives back every element.",
       "every layout", CheckRelayout<false>},
  };
  return kLaws;
}

}  // namespace layoutcheck
