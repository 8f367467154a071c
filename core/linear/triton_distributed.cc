// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of elements in registers: blocked, slice, and layouts by their images.
#include <algorithm>
#include <string>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/triton_encodings.h"

namespace layoutcheck {

Expected<LinearLayout> BlockedLayout(TritonEntries& entries, const TritonSizes& sizes) {
  const size_t rank = sizes.size();
  const std::vector<size_t> order = entries.Order("order", rank);
  Factors factors;
  constexpr std::pair<std::string_view, std::string_view> kLevels[] = {
      {"sizePerThread", "register"}, {"threadsPerWarp", "lane"}, {"warpsPerCTA", "warp"}};
  for (const auto& [key, input] : kLevels) {
    const TritonSizes counts = entries.PowersOfTwo(key, rank);
    for (const size_t d : order) factors.MultiplyIdentity(counts[d], input, d);
  }
  const Expected<LinearLayout> cluster = ClusterLayout(entries, rank);
  return cluster ? Joined(factors.product(), *cluster, sizes) : cluster;
}

Expected<LinearLayout> SliceLayout(TritonEntries& entries, const TritonSizes& sizes) {
  const size_t rank = sizes.size() + 1;
  std::vector<uint64_t> dimensions(rank);
  for (size_t d = 0; d < rank; ++d) dimensions[d] = d;
  const size_t sliced = entries.OneOf("dim", dimensions);
  const TritonAttribute* const parent = entries.Attribute("parent");
  if (entries.error()) return std::unexpected(*entries.error());
  TritonSizes of_parent = sizes;
  of_parent.insert(of_parent.begin() + static_cast<std::ptrdiff_t>(sliced), 1);
  LAYOUTCHECK_TRY(const LinearLayout whole, LayoutOfTritonAttribute(*parent, of_parent, TritonMemory::kRegisters));
  // The dimension has size 1, so that images and the order of the others stay as they are.
  std::vector<LinearOutput> outputs = whole.outputs();
  outputs.erase(outputs.begin() + static_cast<std::ptrdiff_t>(sliced));
  for (size_t d = 0; d < outputs.size(); ++d) outputs[d].name = DefaultOutputName(d);
  std::vector<LinearInput> inputs = whole.inputs();
  for (LinearInput& input : inputs) {
    if (input.name == "register") std::erase(input.images, uint64_t{0});  // a thread holds an element once
  }
  return LinearLayout::Create(std::move(inputs), std::move(outputs));
}

Expected<LinearLayout> ImagesLayout(TritonEntries& entries, const std::vector<std::string_view>& inputs,
                                    const std::optional<TritonSizes>& sizes) {
  const size_t rank = sizes ? sizes->size() : entries.RankOfImages(inputs).value_or(0);
  const Expected<LinearLayout> layout = LayoutOfImages(entries, inputs, rank);
  if (entries.error() || !layout || !sizes) return layout;
  // The first dimension that a register moves in is the first to be repeated, then the others, last one first.
  std::vector<std::string> order;
  const auto add = [&](size_t d) {
    if (std::ranges::find(order, DefaultOutputName(d)) == order.end()) order.push_back(DefaultOutputName(d));
  };
  for (const uint64_t image : layout->inputs().front().images) {
    const std::vector<int64_t> parts = layout->OutputParts(image);
    const auto first = std::ranges::find_if(parts, [](int64_t part) { return part != 0; });
    if (first != parts.end()) add(static_cast<size_t>(first - parts.begin()));
  }
  for (size_t d = rank; d-- > 0;) add(d);
  const Expected<LinearLayout> fitted =
      Fitted(TransposeOutputs(*layout, order), *sizes, CutBit::kIsRemovedFromRegisters);
  return InStandardOrder(fitted);
}

}  // namespace layoutcheck
