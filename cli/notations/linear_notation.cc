// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The notation of layouts in bits, attributes of Triton, which are such layouts for a given shape, and layouts by name.
#include "layoutcheck/core/linear/linear_notation.h"
#include <utility>
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/notations/notations.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/fragment_layout.h"
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/linear_strides.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/shape_stride/scale_factors.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

bool IsNamedLayout(std::string_view text) { return IsFragmentName(text) || IsScaleFactorText(text); }

class LinearNotationLayout final : public AnyLayout {
 public:
  explicit LinearNotationLayout(LinearLayout layout)
      : layout_(std::move(layout)), span_(layout_.Span()), strides_(StridesOfLinear(layout_)) {}

  std::string Text() const override { return ToString(layout_); }

  // The allocation is as large as the outputs.
  AllocationSizes Sizes() const override {
    return {int64_t{1} << layout_.input_bits(), int64_t{1} << layout_.output_bits(), std::nullopt, 0};
  }

  CoreForms Forms() const override {
    if (strides_) return {std::nullopt, *strides_, layout_};
    return {std::unexpected(strides_.error()), std::nullopt, layout_};
  }

  std::vector<int64_t> Dimensions() const override { return layout_.InputSizes(); }
  int64_t Index(std::span<const int64_t> coordinate) const override { return layout_.Index(coordinate); }

  Expected<int64_t> IndexOf(std::string_view text) const override {
    LAYOUTCHECK_TRY(const std::vector<int64_t> coordinate, ReadFlatCoordinate(text));
    const std::vector<LinearInput>& inputs = layout_.inputs();
    if (coordinate.size() != inputs.size()) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("expected ", inputs.size(), inputs.size() == 1 ? " integer, " : " integers, ",
                              StrJoin(InputNames(), ","), ", found ", coordinate.size()));
    }
    for (size_t k = 0; k < inputs.size(); ++k) {
      const int64_t value = coordinate[k];
      if (value >= 0 && static_cast<uint64_t>(value) < inputs[k].size()) continue;
      return MakeError(ErrorKind::kInvalidArgument, StrCat(inputs[k].name, "=", value, " is outside the input of size ",
                                                           inputs[k].size(), ": expected 0 to ", inputs[k].size() - 1));
    }
    return layout_.Index(coordinate);
  }

  std::vector<Fact> Facts() const override {
    std::vector<Fact> facts;
    std::vector<std::string> inputs;
    for (const LinearInput& input : layout_.inputs()) inputs.push_back(StrCat(input.name, " ", input.size()));
    if (!inputs.empty()) facts.push_back({"inputs", StrJoin(inputs, " x ")});
    facts.push_back({"rank", StrCat(span_.rank(), " of ", layout_.input_bits(), " bits of the inputs, ",
                                    layout_.output_bits(), " of the outputs")});
    facts.push_back({"injective", InjectiveText()});
    facts.push_back({"onto", OntoText()});
    if (!layout_.inputs().empty()) {
      facts.push_back({"consecutive", StrCat(Consecutive(), " of ", layout_.inputs().front().name)});
    }
    if (strides_) facts.push_back({"shape:stride", ToString(*strides_)});
    return facts;
  }

  std::optional<std::vector<int64_t>> ExpandedSizes() const override {
    if (!span_.kernel().empty()) return std::nullopt;
    std::vector<int64_t> sizes;
    for (const LinearOutput& output : layout_.outputs()) sizes.push_back(static_cast<int64_t>(output.size()));
    return sizes;
  }

  // Memory is the array of the outputs, with a line per row of the last one.
  std::optional<MemoryBoxes> Boxes() const override {
    MemoryBoxes boxes;
    boxes.dimensions = Dimensions();
    boxes.names = InputNames();
    boxes.shared = !span_.kernel().empty();
    boxes.end = Sizes().padded_elements;
    const size_t line_bits = layout_.outputs().empty() ? 0 : layout_.outputs().back().bits;
    boxes.groups = {int64_t{1} << line_bits};
    boxes.lines = int64_t{1} << (layout_.output_bits() - line_bits);
    boxes.element = [this](int64_t offset) { return *FindCoordinate(offset); };
    return boxes;
  }

 private:
  // Returns the one of several coordinates that has 0 where bits before it suffice.
  Expected<std::optional<std::vector<int64_t>>> FindCoordinate(int64_t offset) const override {
    const std::optional<uint64_t> number = span_.Combination(static_cast<uint64_t>(offset));
    if (!number) return std::nullopt;
    return layout_.InputCoordinate(*number);
  }

  std::vector<std::string> InputNames() const {
    std::vector<std::string> names;
    for (const LinearInput& input : layout_.inputs()) names.push_back(input.name);
    return names;
  }

  std::string InjectiveText() const {
    if (span_.kernel().empty()) return "yes";
    const std::vector<int64_t> coordinate = layout_.InputCoordinate(span_.kernel().front());
    std::string text = "no: the element at 0 is also that of";
    for (size_t k = 0; k < coordinate.size(); ++k) {
      if (coordinate[k] != 0) StrAppend(text, " ", layout_.inputs()[k].name, "=", coordinate[k]);
    }
    return StrCat(text, "; ", int64_t{1} << span_.kernel().size(), " elements share each place");
  }

  std::string OntoText() const {
    const std::optional<uint64_t> missed = span_.SmallestOutside(layout_.output_bits());
    if (!missed) return "yes";
    return StrCat("no: no element is at ", *missed, ", (", StrJoin(layout_.OutputParts(*missed), ","), ")");
  }

  // Returns how many neighbors in the first input are neighbors in memory.
  uint64_t Consecutive() const {
    const auto flat = LinearLayout::Create(layout_.inputs(), {{"offset", layout_.output_bits()}});
    return flat ? NumConsecutive(*flat) : 1;
  }

  LinearLayout layout_;
  F2Span span_;
  Expected<ComposedLayout> strides_;
};

Expected<std::unique_ptr<AnyLayout>> ReadLinear(std::string_view text) {
  LAYOUTCHECK_TRY(auto layout, ReadLinearNotation(text));
  if (const auto* const strides = std::get_if<ShapeStrideLayout>(&layout)) return ReadLayout(ToString(*strides));
  return std::make_unique<LinearNotationLayout>(std::get<LinearLayout>(std::move(layout)));
}

}  // namespace

constinit const Notation kLinearNotation = {"ll{register:[1,2],lane:[4,8,16]} -> [32]",
                                            "Triton: a linear layout, or #ttg.blocked<...>", IsLinearNotation,
                                            ReadLinear};
constinit const Notation kNamedNotation = {"mma.m16n8k16.f16.A", "PTX: mma, wgmma, ldmatrix, tcgen05.ld, sf128x4",
                                           IsNamedLayout, ReadLinear};

}  // namespace layoutcheck
