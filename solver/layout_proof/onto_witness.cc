// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/solver/layout_proof/padded_box.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMaxTriedValue = 16;
constexpr int64_t kMaxEnumeratedPoints = int64_t{1} << 16;

using Values = std::map<std::string, int64_t>;

// Returns the offset whose digits are 0 except for that of `pad`, which is the first one past the size before padding.
int64_t OffsetPast(const MixedRadix<int64_t>& chain, const PaddedBox<int64_t>::LaterPad& pad) {
  std::vector<int64_t> point(chain.boxes()[pad.step + 1].size(), 0);
  point[std::get<PadStep<int64_t>>(chain.steps()[pad.step]).first + pad.entry] = pad.size;
  for (size_t i = pad.step + 1; i < chain.steps().size(); ++i) {
    std::vector<int64_t> next(chain.boxes()[i + 1].size());
    std::visit([&](const auto& step) { step.Forward(std::span<const int64_t>(point), std::span<int64_t>(next)); },
               chain.steps()[i]);
    point = std::move(next);
  }
  return point[0];
}

// Returns true if some point of the box has the offset. Tries all points.
bool HasPoint(const TiledIndex& formula, const std::vector<int64_t>& sizes, int64_t offset) {
  std::vector<int64_t> point(sizes.size(), 0);
  do {
    if (formula(point) == offset) return true;
  } while (NextIndex(point, sizes));
  return false;
}

std::optional<int64_t> OffsetWithoutPoint(const BasicTiledLayout<SymbolicSize>& layout, const Values& values) {
  const TiledLayout numbers = ToNumbers(layout, values);
  const auto chain = MakeMixedRadix(numbers);
  const auto formula = MakeTiledIndex(numbers);
  if (!chain || !formula || chain->padded_elements() == 0) return std::nullopt;
  const PaddedBox<int64_t> box = PaddedBoxOf(*chain);
  for (const auto& pad : box.later_pads) {
    if (pad.padded_size == pad.size) continue;
    const int64_t offset = OffsetPast(*chain, pad);
    // Every step except a pad is a bijection, so the inverse would find a point of the box with this offset.
    std::vector<int64_t> point(layout.dimensions.size());
    chain->Coordinate(offset, point, [](int64_t, int64_t) { return true; });
    bool in_box = true;
    for (size_t d = 0; d < point.size(); ++d) in_box = in_box && point[d] < box.sizes[d];
    if (in_box && (*formula)(point) == offset) continue;
    CheckedInt64 points = 1;
    for (const int64_t size : box.sizes) points = points * CheckedInt64(size);
    if (!points.overflow && points.value <= kMaxEnumeratedPoints && HasPoint(*formula, box.sizes, offset)) continue;
    return offset;
  }
  return std::nullopt;
}

}  // namespace

std::optional<OntoWitness> FindOntoWitness(const SymbolicLayout& layout) {
  const BasicTiledLayout<SymbolicSize> extended = WithLeadingDimensions(layout.layout, SymbolicSize{"", 1});
  Values values;
  for (const std::string& name : layout.names) values[name] = 1;
  std::vector<std::vector<std::string>> choices = {{}};  // choices of the names whose values are not 1
  for (const std::string& name : layout.names) choices.push_back({name});
  for (size_t a = 0; a < layout.names.size(); ++a) {
    for (size_t b = a + 1; b < layout.names.size(); ++b) choices.push_back({layout.names[a], layout.names[b]});
  }
  for (const std::vector<std::string>& names : choices) {
    std::vector<int64_t> steps(names.size(), 0);
    do {
      for (size_t k = 0; k < names.size(); ++k) values[names[k]] = 2 + steps[k];
      if (const auto offset = OffsetWithoutPoint(extended, values)) return OntoWitness{values, *offset};
    } while (NextIndex(steps, std::vector<int64_t>(names.size(), kMaxTriedValue - 1)));
    for (const std::string& name : names) values[name] = 1;
  }
  return std::nullopt;
}

}  // namespace layoutcheck
