// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of elements in registers: blocked, slice, and layouts by their images.
#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/f2_span.h"
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/triton_encodings.h"

namespace layoutcheck {

namespace {

// Requires what Triton requires of images; `rule` says which.
void CheckImages(TritonEntries& entries, const LinearLayout& layout, ImageRule rule) {
  if (rule == ImageRule::kAny) return;
  std::vector<uint64_t> moving;  // images that are not those of copies
  for (const LinearInput& input : layout.inputs()) {
    const bool takes_any = rule == ImageRule::kInvertible || (rule == ImageRule::kOnto && input.name == "warp");
    const bool takes_bits = rule == ImageRule::kOnto && input.name != "register";
    for (const uint64_t image : input.images) {
      if (image == 0) continue;
      moving.push_back(image);
      const std::vector<int64_t> parts = layout.OutputParts(image);
      const bool is_in_one_dimension = std::ranges::count(parts, int64_t{0}) + 1 == std::ssize(parts);
      if (takes_any || (takes_bits ? is_in_one_dimension : std::has_single_bit(image))) continue;
      entries.Wrong(input.name, StrCat("expected images of ", takes_bits ? "one dimension" : "a single bit", " in '",
                                       input.name, "'"));
    }
  }
  const bool repeats = rule != ImageRule::kOnto && F2Span(moving).rank() != moving.size();
  if (!entries.error() && (repeats || !layout.IsOnto())) {
    entries.Wrong("", repeats ? "expected images of which none is a sum of others"
                              : "expected images that reach each element up to the last one");
  }
}

}  // namespace

Expected<LinearLayout> BlockedLayout(TritonEntries& entries, const TritonSizes& sizes) {
  const size_t rank = sizes.size();
  const std::vector<size_t> order = entries.Order("order", rank);
  TritonSizes elements = entries.PowersOfTwo("sizePerThread", rank);
  const TritonSizes threads = entries.PowersOfTwo("threadsPerWarp", rank);
  const TritonSizes warps = entries.PowersOfTwo("warpsPerCTA", rank);
  const Expected<LinearLayout> cluster = ClusterLayout(entries, rank);
  if (entries.error() || !cluster) return cluster;
  // Unlike other registers, those of a thread have an element of a small array only once.
  const TritonSizes part = PartSizes(*cluster, sizes);
  for (size_t d = 0; d < rank; ++d) elements[d] = std::min(elements[d], part[d]);
  Factors factors;
  for (const size_t d : order) factors.MultiplyIdentity(elements[d], "register", d);
  for (const size_t d : order) factors.MultiplyIdentity(threads[d], "lane", d);
  for (const size_t d : order) factors.MultiplyIdentity(warps[d], "warp", d);
  return Joined(factors.product(), *cluster, sizes);
}

Expected<LinearLayout> SliceLayout(TritonEntries& entries, const TritonSizes& sizes) {
  const size_t rank = sizes.size() + 1;
  const size_t sliced = entries.Dimension("dim", rank);
  const TritonAttribute* const parent = entries.Attribute("parent");
  if (sizes.empty()) entries.Wrong("parent", "expected a parent of at least 2 dimensions for an array of at least 1");
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
                                    const std::optional<TritonSizes>& sizes, ImageRule rule) {
  const std::optional<size_t> rank_of_images = entries.RankOfImages(inputs);
  if (!rank_of_images) entries.Wrong("", "expected at least one image, which may be 0");
  if (entries.Has("alignment")) entries.PowerOfTwo("alignment");
  const size_t rank = sizes ? sizes->size() : rank_of_images.value_or(0);
  const Expected<LinearLayout> layout = LayoutOfImages(entries, inputs, rank);
  if (!entries.error() && layout) CheckImages(entries, *layout, rule);
  if (entries.error() || !layout || !sizes) return layout;
  if (rule == ImageRule::kInvertible) {
    for (size_t d = 0; d < rank; ++d) {
      if (layout->outputs()[d].size() == (*sizes)[d]) continue;
      return LayoutError("expected the shape of the images, ", layout->outputs()[d].size(), " in dimension ", d,
                         ", found ", (*sizes)[d]);
    }
  }
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
