// Laws about how much is allocated.
#include "layoutcheck/core/pad_reshape_transpose.h"
#include "layoutcheck/properties/law.h"
#include "layoutcheck/properties/laws_internal.h"

namespace layoutcheck {
namespace {

// Compares the sizes that the subject gives with `expected`; a size left out by either is not compared.
LawResult CompareSizes(Subject& subject, const Shape& shape, const SizeAnswer& expected) {
  const Answer<SizeAnswer> answer = subject.Size(shape);
  if (const auto* declined = std::get_if<Declined>(&answer)) return NotAnswered(*declined);
  if (const auto* failed = std::get_if<Failed>(&answer)) return NotAnswered(*failed);
  const SizeAnswer& actual = std::get<SizeAnswer>(answer);
  bool compared = false;
  struct Pair {
    std::string_view name;
    std::optional<int64_t> SizeAnswer::*member;
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

class PaddingMinimalLaw final : public Law {
 public:
  std::string_view name() const override { return "padding-minimal"; }
  std::string_view statement() const override {
    return "The allocation is the least that holds whole tiles of every level and a whole tail alignment.";
  }
  std::string_view domain() const override { return "every layout"; }
  LawResult Check(Subject& subject, const LayoutCase& layout_case) const override {
    // The padded array itself, not the formula, says how much the tiles need.
    const std::vector<int64_t> elements(layout_case.offsets.size());
    const auto memory = PadReshapeTranspose<int64_t>(layout_case.layout, elements, -1);
    if (!memory) return LawResult::Decline(memory.error().ToString());
    const int64_t alignment = layout_case.shape.layout->tail_padding_alignment_in_elements;
    const auto tiled = static_cast<int64_t>(memory->size());
    int64_t padded = tiled;
    while (padded % alignment != 0) ++padded;
    return CompareSizes(subject, layout_case.shape,
                        {.elements = {}, .padded_elements = padded, .bytes = {}, .extent = {}});
  }
};

class SizesLaw final : public Law {
 public:
  std::string_view name() const override { return "sizes"; }
  std::string_view statement() const override {
    return "Elements, padded elements, extent and bytes are four numbers: the product of the dimensions, the "
           "allocation, 1 + the "
           "largest offset, and the allocation's elements packed by their width.";
  }
  std::string_view domain() const override { return "every layout"; }
  LawResult Check(Subject& subject, const LayoutCase& layout_case) const override {
    int64_t extent = 0;
    for (const int64_t offset : layout_case.offsets) extent = std::max(extent, offset + 1);
    return CompareSizes(
        subject, layout_case.shape,
        {layout_case.sizes.elements, layout_case.sizes.padded_elements, layout_case.sizes.bytes, extent});
  }
  LawResult CheckHuge(Subject& subject, const HugeCase& huge_case) const override {
    return CompareSizes(subject, huge_case.shape,
                        {huge_case.sizes.elements, huge_case.sizes.padded_elements, huge_case.sizes.bytes, {}});
  }
};

}  // namespace

std::span<const Law* const> SizeLaws() {
  static const PaddingMinimalLaw padding_minimal;
  static const SizesLaw sizes;
  static const Law* const laws[] = {&padding_minimal, &sizes};
  return laws;
}

}  // namespace layoutcheck
