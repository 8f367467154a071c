// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <optional>
#include <string>
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/tiling/pad_reshape_transpose.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/laws_internal.h"

namespace layoutcheck {
namespace {

// Compares the subject's sizes with the expected ones, where both are present.
LawResult CompareSizes(Subject& subject, const Shape& shape, const SizeAnswer& expected) {
  const Answer<SizeAnswer> answer = subject.Size(shape);
  if (auto unanswered = Unanswered(answer)) return *std::move(unanswered);
  const SizeAnswer& actual = std::get<SizeAnswer>(answer);
  bool compared = false;
  struct Pair {
    std::string_view name;
    std::optional<int64_t> SizeAnswer::* member;
  };
  constexpr Pair kSizes[] = {{"elements", &SizeAnswer::elements},
                             {"padded elements", &SizeAnswer::padded_elements},
                             {"bytes", &SizeAnswer::bytes},
                             {"extent", &SizeAnswer::extent}};
  for (const auto& [name, member] : kSizes) {
    if (!(expected.*member) || !(actual.*member)) continue;
    compared = true;
    if (*(expected.*member) == *(actual.*member)) continue;
    return LawResult::Disagree(std::to_string(*(expected.*member)) + " " + std::string(name),
                               std::to_string(*(actual.*member)) + " " + std::string(name));
  }
  return compared ? LawResult::Agree() : LawResult::Decline("none of the sizes");
}

LawResult CheckAllocationMinimal(Subject& subject, const LayoutCase& layout_case) {
  // The array that definition (b) would make is computed independently of the formula.
  const auto steps = MakePadReshapeTransposeSteps(layout_case.layout);
  if (!steps) return LawResult::Decline(steps.error().ToString());
  const int64_t alignment = layout_case.shape.layout->tail_padding_alignment_in_elements;
  int64_t padded = steps->padded_elements;
  while (padded % alignment != 0) ++padded;
  return CompareSizes(subject, layout_case.shape,
                      {.elements = {}, .padded_elements = padded, .bytes = {}, .extent = {}});
}

LawResult CheckSizes(Subject& subject, const LayoutCase& layout_case) {
  int64_t extent = 0;
  for (const int64_t offset : layout_case.offsets) extent = std::max(extent, offset + 1);
  return CompareSizes(subject, layout_case.shape,
                      {layout_case.sizes.elements, layout_case.sizes.padded_elements, layout_case.sizes.bytes, extent});
}

LawResult CheckHugeSizes(Subject& subject, const HugeCase& huge_case) {
  return CompareSizes(subject, huge_case.shape,
                      {huge_case.sizes.elements, huge_case.sizes.padded_elements, huge_case.sizes.bytes, {}});
}

// Returns true if the padded element count overflows, not only the size in bytes.
bool PaddingOverflows(Shape shape) {
  shape.element_type = ElementType::kS8;
  shape.layout->element_size_in_bits = 0;
  return !SizesOf(shape).has_value();
}

LawResult CheckHugeSizeOverflow(Subject& subject, const HugeCase& huge_case) {
  // Asks for several sizes: one in bytes fits uint64 one step longer, and a wrapped product may look right by chance.
  constexpr int kStepsPastOverflow = 4;
  Shape shape = huge_case.shape;
  if (shape.HasDynamicDimension()) return LawResult::OutsideDomain();
  std::optional<Declined> declined;
  bool refused = false;
  size_t d = 0;
  for (int past = 0; past < kStepsPastOverflow;) {
    while (d < shape.dimensions.size() && shape.dimensions[d] > int64_t{1} << 61) ++d;
    if (d == shape.dimensions.size()) break;
    shape.dimensions[d] *= 2;
    const auto sizes = SizesOf(shape);
    if (sizes || sizes.error().kind != ErrorKind::kOverflow) continue;
    ++past;
    const Answer<SizeAnswer> answer = subject.Size(shape);
    if (const auto* why = std::get_if<Declined>(&answer)) {
      declined = *why;
      continue;
    }
    LawResult result = LawResult::Agree();
    if (const auto* failed = std::get_if<Failed>(&answer)) {
      refused = true;
      if (failed->kind != Failed::Kind::kError) result = NotAnswered(*failed);
    } else {
      const auto& given = std::get<SizeAnswer>(answer);
      // The subject may leave out the number that overflows.
      if (const auto number = given.bytes               ? given.bytes
                              : PaddingOverflows(shape) ? given.padded_elements
                                                        : std::nullopt) {
        result = LawResult::Disagree("refused: the size overflows int64",
                                     std::to_string(*number) + (given.bytes ? " bytes" : " padded elements"));
      }
    }
    if (result.verdict != LawResult::Verdict::kDisagree) continue;
    result.text = ToString(shape);
    return result;
  }
  if (refused) return LawResult::Agree();
  return declined ? NotAnswered(*declined) : LawResult::OutsideDomain();
}

}  // namespace

std::span<const Law> SizeLaws() {
  static constexpr Law kLaws[] = {
      {"allocation-minimal",
       "The allocation is the least that holds whole tiles of every level and a whole tail alignment.", "every layout",
       CheckAllocationMinimal},
      {"sizes",
       "Elements, padded elements, extent and bytes are four numbers: the product of the dimensions, the allocation, 1 "
       "+ the largest offset, and the allocation's elements packed by their width.",
       "every layout", CheckSizes, CheckHugeSizes},
      {"size-overflow", "A size that int64 does not hold is refused, not given as another number.",
       "layouts of huge arrays, grown until their size overflows", nullptr, CheckHugeSizeOverflow},
  };
  return kLaws;
}

}  // namespace layoutcheck
