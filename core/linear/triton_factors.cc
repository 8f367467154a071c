// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/triton_factors.h"
#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_algebra.h"

namespace layoutcheck {
namespace {

std::vector<std::string> NamesInOrder(const std::vector<size_t>& order) {
  std::vector<std::string> names;
  for (const size_t d : order) names.push_back(DefaultOutputName(d));
  return names;
}

std::vector<size_t> StandardOrder(size_t rank) {
  std::vector<size_t> order(rank);
  std::iota(order.begin(), order.end(), size_t{0});
  return order;
}

size_t DimensionOf(const LinearOutput& output, size_t rank) {
  size_t d = 0;
  while (d < rank && DefaultOutputName(d) != output.name) ++d;
  return d;
}

// Requires that the blocks that are no copies number the parts of each dimension, one bit per image.
Expected<void> CheckCluster(TritonEntries& entries, const LinearLayout& cluster) {
  uint64_t seen = 0;
  for (const uint64_t image : cluster.images()) {
    if (image == 0) continue;
    if (!std::has_single_bit(image) || (seen & image) != 0) {
      entries.Wrong("CGALayout", "expected images of one bit each, no two the same, besides those of copies");
    }
    seen |= image;
  }
  if (seen + 1 != uint64_t{1} << cluster.output_bits()) {
    entries.Wrong("CGALayout", "expected an image for each bit of a number of parts");
  }
  if (entries.error()) return std::unexpected(*entries.error());
  return {};
}

}  // namespace

std::vector<size_t> RowMajorOrder(size_t rank) {
  std::vector<size_t> order = StandardOrder(rank);
  std::ranges::reverse(order);
  return order;
}

std::vector<size_t> ColumnMajorOrder(size_t rank) {
  std::vector<size_t> order = RowMajorOrder(rank);
  if (rank >= 2) std::swap(order[0], order[1]);
  return order;
}

void Factors::Multiply(const Expected<LinearLayout>& factor) {
  if (product_) product_ = factor ? Product(*product_, *factor) : factor;
}

void Factors::MultiplyIdentity(uint64_t size, std::string_view input, size_t dimension) {
  Multiply(IdentityLayout(size, std::string(input), DefaultOutputName(dimension)));
}

void Factors::MultiplyZero(uint64_t size, std::string_view input, size_t dimension) {
  Multiply(ZeroLayout(size, std::string(input), DefaultOutputName(dimension)));
}

Expected<LinearLayout> InOrder(const Expected<LinearLayout>& layout, const std::vector<size_t>& order) {
  return layout ? TransposeOutputs(*layout, NamesInOrder(order)) : layout;
}

Expected<LinearLayout> InStandardOrder(const Expected<LinearLayout>& layout) {
  return layout ? InOrder(layout, StandardOrder(layout->outputs().size())) : layout;
}

Expected<LinearLayout> WithoutDimension(const LinearLayout& layout, size_t dimension) {
  std::vector<LinearOutput> outputs = layout.outputs();
  for (LinearOutput& output : outputs) {
    if (output.name == DefaultOutputName(dimension)) output.bits = 0;
  }
  std::vector<LinearInput> inputs = layout.inputs();
  for (LinearInput& input : inputs) {
    for (uint64_t& image : input.images) {
      const std::vector<int64_t> parts = layout.OutputParts(image);
      image = 0;
      for (size_t k = 0; k < outputs.size(); ++k) {
        const uint64_t kept = (uint64_t{1} << outputs[k].bits) - 1;
        image = image << outputs[k].bits | (static_cast<uint64_t>(parts[k]) & kept);
      }
    }
  }
  return LinearLayout::Create(std::move(inputs), std::move(outputs));
}

Expected<LinearLayout> LayoutOfImages(TritonEntries& entries, const std::vector<std::string_view>& names, size_t rank) {
  std::vector<std::vector<TritonSizes>> images;
  TritonSizes bits(rank);
  for (const std::string_view name : names) {
    for (const TritonSizes& image : images.emplace_back(entries.Images(name, rank))) {
      for (size_t d = 0; d < rank; ++d) bits[d] |= image[d];
    }
  }
  std::vector<LinearOutput> outputs;
  for (size_t d = 0; d < rank; ++d)
    outputs.push_back({DefaultOutputName(d), static_cast<size_t>(std::bit_width(bits[d]))});
  if (auto fits = LinearLayout::Create({}, outputs); !fits) return fits;
  std::vector<LinearInput> inputs;
  for (size_t k = 0; k < names.size(); ++k) {
    LinearInput& input = inputs.emplace_back(LinearInput{std::string(names[k]), {}});
    for (const TritonSizes& image : images[k]) {
      uint64_t index = 0;
      for (size_t d = 0; d < rank; ++d) index = index << outputs[d].bits | image[d];
      input.images.push_back(index);
    }
  }
  return LinearLayout::Create(std::move(inputs), std::move(outputs));
}

Expected<LinearLayout> NotSmallerThan(const LinearLayout& layout, const TritonSizes& sizes) {
  Factors factors;
  factors.Multiply(layout);
  for (const LinearOutput& output : layout.outputs()) {
    const size_t dimension = DimensionOf(output, sizes.size());
    if (output.size() < sizes[dimension]) {
      factors.MultiplyIdentity(sizes[dimension] / output.size(), layout.inputs().front().name, dimension);
    }
  }
  return factors.product();
}

Expected<LinearLayout> NotLargerThan(const LinearLayout& layout, const TritonSizes& sizes, CutBit cut_bit) {
  std::vector<LinearOutput> outputs = layout.outputs();
  for (LinearOutput& output : outputs) {
    const uint64_t size = std::min(output.size(), sizes[DimensionOf(output, sizes.size())]);
    output.bits = static_cast<size_t>(std::countr_zero(size));
  }
  std::vector<LinearInput> inputs;
  for (const LinearInput& input : layout.inputs()) {
    inputs.push_back({input.name, {}});
    const bool removes = cut_bit == CutBit::kIsRemovedFromRegisters && input.name == "register";
    for (const uint64_t image : input.images) {
      const std::vector<int64_t> parts = layout.OutputParts(image);
      bool is_cut = false;
      uint64_t index = 0;
      for (size_t k = 0; k < outputs.size(); ++k) {
        const auto part = static_cast<uint64_t>(parts[k]);
        const bool is_outside = part >= outputs[k].size();
        index = index << outputs[k].bits | (is_outside ? 0 : part);
        is_cut = is_cut || is_outside;
      }
      if (!(is_cut && removes)) inputs.back().images.push_back(index);
    }
  }
  return LinearLayout::Create(std::move(inputs), std::move(outputs));
}

Expected<LinearLayout> Fitted(const Expected<LinearLayout>& layout, const TritonSizes& sizes, CutBit cut_bit) {
  if (!layout) return layout;
  const Expected<LinearLayout> large = NotSmallerThan(*layout, sizes);
  return large ? NotLargerThan(*large, sizes, cut_bit) : large;
}

Expected<LinearLayout> ClusterLayout(TritonEntries& entries, size_t rank) {
  if (entries.Has("CGALayout")) {
    LAYOUTCHECK_TRY(const LinearLayout layout, LayoutOfImages(entries, {"CGALayout"}, rank));
    LAYOUTCHECK_RETURN_IF_ERROR(CheckCluster(entries, layout));
    return LinearLayout::Create({{"block", layout.images()}}, layout.outputs());
  }
  Factors factors;
  if (!entries.Has("CTAsPerCGA") && !entries.Has("CTASplitNum") && !entries.Has("CTAOrder")) {
    for (size_t d = 0; d < rank; ++d) factors.MultiplyIdentity(1, "block", d);
    return factors.product();
  }
  const TritonSizes blocks = entries.PowersOfTwo("CTAsPerCGA", rank);
  const TritonSizes split = entries.PowersOfTwo("CTASplitNum", rank);
  for (const size_t d : entries.Order("CTAOrder", rank)) {
    if (split[d] > blocks[d]) {
      entries.Wrong("CTASplitNum", StrCat("expected at most ", blocks[d], " parts of dimension ", d,
                                          ", the number of blocks, found ", split[d]));
    }
    factors.MultiplyIdentity(split[d], "block", d);
    factors.MultiplyZero(std::max(blocks[d] / split[d], uint64_t{1}), "block", d);
  }
  return factors.product();
}

TritonSizes PartSizes(const LinearLayout& cluster, TritonSizes sizes) {
  for (const LinearOutput& output : cluster.outputs()) {
    uint64_t& size = sizes[DimensionOf(output, sizes.size())];
    size /= std::min(size, output.size());
  }
  return sizes;
}

Expected<LinearLayout> Joined(const Expected<LinearLayout>& within, const LinearLayout& cluster,
                              const TritonSizes& sizes) {
  LAYOUTCHECK_TRY(const LinearLayout part, Fitted(within, PartSizes(cluster, sizes)));
  std::vector<std::string> order;
  for (const LinearOutput& output : part.outputs()) order.push_back(output.name);
  const Expected<LinearLayout> cut = NotLargerThan(cluster, sizes, CutBit::kHasNoEffect);
  LAYOUTCHECK_TRY(const LinearLayout blocks, cut ? TransposeOutputs(*cut, order) : cut);
  return InStandardOrder(Product(part, blocks));
}

}  // namespace layoutcheck
