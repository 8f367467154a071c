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

class RelayoutLaw : public Law {
 public:
  std::string_view domain() const override { return "every layout"; }
  LawResult Check(Subject& subject, const LayoutCase& layout_case) const override {
    const LayoutCase row_major = RowMajorOf(layout_case);
    const LayoutCase& from = FromRowMajor() ? row_major : layout_case;
    const LayoutCase& to = FromRowMajor() ? layout_case : row_major;
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
    LawResult result = LawResult::Disagree(text(difference.in1, expected.end()), text(difference.in2, actual.end()));
    result.offset = difference.in1 - expected.begin();
    return result;
  }

 protected:
  virtual bool FromRowMajor() const = 0;
};

class RelayoutInLaw final : public RelayoutLaw {
 public:
  std::string_view name() const override { return "relayout"; }
  std::string_view statement() const override {
    return "Moving a row-major array into the layout puts every element at its offset and nothing into padding.";
  }

 private:
  bool FromRowMajor() const override { return true; }
};

class RelayoutBackLaw final : public RelayoutLaw {
 public:
  std::string_view name() const override { return "relayout-back"; }
  std::string_view statement() const override {
    return "Moving an array out of the layout into row-major order gives back every element.";
  }

 private:
  bool FromRowMajor() const override { return false; }
};

}  // namespace

std::span<const Law* const> RelayoutLaws() {
  static const RelayoutInLaw in;
  static const RelayoutBackLaw back;
  static const Law* const laws[] = {&in, &back};
  return laws;
}

}  // namespace layoutcheck
