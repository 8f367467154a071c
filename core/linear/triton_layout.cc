// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/triton_layout.h"
#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/linear_strides.h"

namespace layoutcheck {
namespace {

using Sizes = std::vector<uint64_t>;

std::vector<std::string> DimensionNames(size_t rank) {
  std::vector<std::string> names;
  for (size_t d = 0; d < rank; ++d) names.push_back(DefaultOutputName(d));
  return names;
}

// A product of layouts, or the first error of a factor.
class Factors {
 public:
  void Multiply(const Expected<LinearLayout>& factor) {
    if (product_) product_ = factor ? Product(*product_, *factor) : factor;
  }
  // Multiplies by the identity of one input to the dimension of an array.
  void MultiplyIdentity(uint64_t size, std::string_view input, size_t dimension) {
    Multiply(IdentityLayout(size, std::string(input), DefaultOutputName(dimension)));
  }
  const Expected<LinearLayout>& product() const { return product_; }

 private:
  Expected<LinearLayout> product_ = LinearLayout();
};

size_t DimensionOf(const LinearOutput& output, size_t rank) {
  const std::vector<std::string> names = DimensionNames(rank);
  return static_cast<size_t>(std::ranges::find(names, output.name) - names.begin());
}

// Repeats the layout until each dimension has at least its size; the repetitions count in the first input.
Expected<LinearLayout> NotSmallerThan(const LinearLayout& layout, const Sizes& sizes) {
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

// Says what becomes of a bit of the input that would lead outside the array.
enum class CutBit { kHasNoEffect, kIsRemovedFromRegisters };

// Cuts each dimension to its size. Error: an image has several bits in a dimension that it leaves.
Expected<LinearLayout> NotLargerThan(const LinearLayout& layout, const Sizes& sizes, CutBit cut_bit) {
  std::vector<LinearOutput> outputs = layout.outputs();
  std::vector<uint64_t> kept;
  for (LinearOutput& output : outputs) {
    const uint64_t size = std::min(output.size(), sizes[DimensionOf(output, sizes.size())]);
    output.bits = static_cast<size_t>(std::countr_zero(size));
    kept.push_back(size - 1);
  }
  std::vector<LinearInput> inputs;
  for (const LinearInput& input : layout.inputs()) {
    inputs.push_back({input.name, {}});
    const bool removes = cut_bit == CutBit::kIsRemovedFromRegisters && input.name == "register";
    for (const uint64_t image : input.images) {
      std::vector<int64_t> parts = layout.OutputParts(image);
      bool is_cut = false;
      uint64_t index = 0;
      for (size_t k = 0; k < outputs.size(); ++k) {
        const auto part = static_cast<uint64_t>(parts[k]);
        if ((part & ~kept[k]) != 0 && !std::has_single_bit(part)) {
          return LayoutError("the image ", part, " in ", outputs[k].name, " has several bits: expected a shape of ",
                             layout.outputs()[k].size(), " there, found ", kept[k] + 1);
        }
        is_cut = is_cut || (part & ~kept[k]) != 0;
        index = index << outputs[k].bits | (part & kept[k]);
      }
      if (!(is_cut && removes)) inputs.back().images.push_back(index);
    }
  }
  return LinearLayout::Create(std::move(inputs), std::move(outputs));
}

Expected<LinearLayout> Fitted(const Expected<LinearLayout>& layout, const Sizes& sizes,
                              CutBit cut_bit = CutBit::kHasNoEffect) {
  if (!layout) return layout;
  const Expected<LinearLayout> large = NotSmallerThan(*layout, sizes);
  return large ? NotLargerThan(*large, sizes, cut_bit) : large;
}

// Returns the layout of the images of these inputs, with outputs just large enough.
Expected<LinearLayout> LayoutOfImages(TritonEntries& entries, const std::vector<std::string>& names, size_t rank) {
  std::vector<std::vector<Sizes>> images;
  Sizes bits(rank);
  for (const std::string& name : names) {
    for (const Sizes& image : images.emplace_back(entries.Images(name, rank))) {
      for (size_t d = 0; d < rank; ++d) bits[d] |= image[d];
    }
  }
  std::vector<LinearOutput> outputs;
  for (size_t d = 0; d < rank; ++d)
    outputs.push_back({DefaultOutputName(d), static_cast<size_t>(std::bit_width(bits[d]))});
  if (auto fits = LinearLayout::Create({}, outputs); !fits) return fits;
  std::vector<LinearInput> inputs;
  for (size_t k = 0; k < names.size(); ++k) {
    LinearInput& input = inputs.emplace_back(LinearInput{names[k], {}});
    for (const Sizes& image : images[k]) {
      uint64_t index = 0;
      for (size_t d = 0; d < rank; ++d) index = index << outputs[d].bits | image[d];
      input.images.push_back(index);
    }
  }
  return LinearLayout::Create(std::move(inputs), std::move(outputs));
}

// Returns the layout of the blocks of a cluster: from `block` to the part of the array, counted in parts.
Expected<LinearLayout> ClusterLayout(TritonEntries& entries, size_t rank) {
  if (entries.Has("CGALayout")) {
    LAYOUTCHECK_TRY(const LinearLayout layout, LayoutOfImages(entries, {"CGALayout"}, rank));
    return LinearLayout::Create({{"block", layout.images()}}, layout.outputs());
  }
  Factors factors;
  if (!entries.Has("CTAsPerCGA") && !entries.Has("CTASplitNum") && !entries.Has("CTAOrder")) {
    for (size_t d = 0; d < rank; ++d) factors.MultiplyIdentity(1, "block", d);
    return factors.product();
  }
  const Sizes blocks = entries.PowersOfTwo("CTAsPerCGA", rank);
  const Sizes split = entries.PowersOfTwo("CTASplitNum", rank);
  for (const size_t d : entries.Order("CTAOrder", rank)) {
    if (split[d] > blocks[d]) {
      entries.Wrong("CTASplitNum", StrCat("expected at most ", blocks[d], " parts of dimension ", d,
                                          ", the number of blocks, found ", split[d]));
    }
    factors.MultiplyIdentity(split[d], "block", d);
    factors.Multiply(ZeroLayout(std::max(blocks[d] / split[d], uint64_t{1}), "block", DefaultOutputName(d)));
  }
  return factors.product();
}

// Returns the part of each dimension that one block has.
Sizes PartSizes(const LinearLayout& cluster, Sizes sizes) {
  for (const LinearOutput& output : cluster.outputs()) {
    uint64_t& size = sizes[DimensionOf(output, sizes.size())];
    size /= std::min(size, output.size());
  }
  return sizes;
}

// Joins the layout within a block and that of the blocks. `within` has no `block`.
Expected<LinearLayout> Joined(const Expected<LinearLayout>& within, const LinearLayout& cluster, const Sizes& sizes) {
  LAYOUTCHECK_TRY(const LinearLayout part, Fitted(within, PartSizes(cluster, sizes)));
  std::vector<std::string> order;
  for (const LinearOutput& output : part.outputs()) order.push_back(output.name);
  const Expected<LinearLayout> cut = NotLargerThan(cluster, sizes, CutBit::kHasNoEffect);
  LAYOUTCHECK_TRY(const LinearLayout blocks, cut ? TransposeOutputs(*cut, order) : cut);
  const Expected<LinearLayout> whole = Product(part, blocks);
  return whole ? TransposeOutputs(*whole, DimensionNames(sizes.size())) : whole;
}

Expected<LinearLayout> Blocked(TritonEntries& entries, const Sizes& sizes) {
  const size_t rank = sizes.size();
  const std::vector<size_t> order = entries.Order("order", rank);
  Factors factors;
  constexpr std::pair<std::string_view, std::string_view> kLevels[] = {
      {"sizePerThread", "register"}, {"threadsPerWarp", "lane"}, {"warpsPerCTA", "warp"}};
  for (const auto& [key, input] : kLevels) {
    const Sizes counts = entries.PowersOfTwo(key, rank);
    for (const size_t d : order) factors.MultiplyIdentity(counts[d], input, d);
  }
  const Expected<LinearLayout> cluster = ClusterLayout(entries, rank);
  return cluster ? Joined(factors.product(), *cluster, sizes) : cluster;
}

Expected<LinearLayout> SwizzledShared(TritonEntries& entries, const Sizes& sizes) {
  const size_t rank = sizes.size();
  const std::vector<size_t> order = entries.Order("order", rank);
  const uint64_t vec = entries.PowerOfTwo("vec");
  const uint64_t per_phase = entries.PowerOfTwo("perPhase");
  const uint64_t max_phase = entries.PowerOfTwo("maxPhase");
  const Expected<LinearLayout> cluster = ClusterLayout(entries, rank);
  if (entries.error() || !cluster) return cluster;
  const Sizes part = PartSizes(*cluster, sizes);
  Factors factors;
  for (const size_t d : order) factors.MultiplyIdentity(part[d], "offset", d);
  if (!factors.product() || rank < 2) return Joined(factors.product(), *cluster, sizes);
  // The bits of a row also exchange vectors of its columns.
  const LinearLayout& plain = *factors.product();
  const uint64_t columns = part[order[0]];
  std::vector<LinearInput> inputs = plain.inputs();
  for (uint64_t& image : inputs.front().images) {
    std::vector<int64_t> parts = plain.OutputParts(image);  // in the order of the layout, columns first
    const auto row = static_cast<uint64_t>(parts[1]);
    const uint64_t phase = row / per_phase % max_phase;
    parts[0] ^= static_cast<int64_t>(vec * phase % columns);
    image = plain.OutputIndex(parts);
  }
  return Joined(LinearLayout::Create(std::move(inputs), plain.outputs()), *cluster, sizes);
}

// Returns the layout that the entries give by their images, repeated or cut to the shape if there is one.
Expected<LinearLayout> Images(TritonEntries& entries, const std::vector<std::string>& inputs,
                              const std::optional<Sizes>& sizes) {
  const size_t rank = sizes ? sizes->size() : entries.RankOfImages(inputs);
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
  return fitted ? TransposeOutputs(*fitted, DimensionNames(rank)) : fitted;
}

// Returns the strides from the array to the padded offset. An offset o has o / interval * padding elements more before
// it, and these quotients add up, because intervals are powers of two and the bits of an offset are added without
// carry.
Expected<ShapeStrideLayout> PaddedShared(TritonEntries& entries, const std::optional<Sizes>& sizes) {
  const auto padding = entries.Padding();
  Expected<LinearLayout> plain = LinearLayout();
  if (entries.Has("shape")) {
    const Sizes own = entries.PowersOfTwo("shape", std::nullopt);
    if (sizes && *sizes != own) {
      entries.Wrong("shape", StrCat("expected the shape [", StrJoin(*sizes, ","), "] behind the attribute"));
    }
    Factors factors;
    for (const size_t d : entries.Order("order", own.size())) factors.MultiplyIdentity(own[d], "offset", d);
    plain = factors.product();
    if (!entries.error() && plain) plain = TransposeOutputs(*plain, DimensionNames(own.size()));
  } else {
    plain = Images(entries, {"offset", "block"}, sizes);
    if (plain && !plain->inputs().back().images.empty()) {
      entries.Wrong("block", "expected one block: the offsets of padded_shared are those within a block");
    }
  }
  if (entries.error()) return std::unexpected(*entries.error());
  if (!plain) return std::unexpected(plain.error());
  LAYOUTCHECK_TRY(const LinearLayout offsets, Inverse(*plain));
  uint64_t seen = 0;
  std::vector<ShapeStrideLayout> modes;
  for (const LinearInput& dimension : offsets.inputs()) {
    std::vector<uint64_t> strides;
    for (const uint64_t offset : dimension.images) {
      if ((seen & offset) != 0) {
        entries.Wrong("offset", "expected images of single bits, because padding adds up only for these");
        return std::unexpected(*entries.error());
      }
      seen |= offset;
      CheckedInt64 stride = static_cast<int64_t>(offset);
      for (const auto& [interval, elements] : padding) {
        stride = stride + CheckedInt64(static_cast<int64_t>(offset / interval)) * static_cast<int64_t>(elements);
      }
      LAYOUTCHECK_TRY(const int64_t fits, ValueOrOverflow(stride, "a padded offset"));
      strides.push_back(static_cast<uint64_t>(fits));
    }
    modes.push_back(ModeOfBits(strides));
  }
  return ConcatenateModes(modes);
}

}  // namespace

Expected<TritonLayout> ParseTritonLayout(std::string_view text) {
  LAYOUTCHECK_TRY(const TritonAttribute attribute, ParseTritonAttribute(text));
  TritonEntries entries(attribute);
  const std::optional<Sizes> shape = entries.Shape();
  if (entries.error()) return std::unexpected(*entries.error());
  const auto finish = [&](auto layout) -> Expected<TritonLayout> {
    if (entries.error() || !layout) return std::unexpected(entries.error() ? *entries.error() : layout.error());
    return *std::move(layout);
  };
  const std::vector<std::string> of_cluster = {"CTAsPerCGA", "CTASplitNum", "CTAOrder", "CGALayout"};
  const auto with_cluster = [&](std::vector<std::string> keys) {
    keys.insert(keys.end(), of_cluster.begin(), of_cluster.end());
    return keys;
  };
  struct Kind {
    std::string_view name;
    std::vector<std::string> keys;
    bool needs_shape;
  };
  const Kind kinds[] = {
      {"blocked", with_cluster({"sizePerThread", "threadsPerWarp", "warpsPerCTA", "order"}), true},
      {"swizzled_shared", with_cluster({"vec", "perPhase", "maxPhase", "order"}), true},
      {"linear", {"register", "lane", "warp", "block"}, false},
      {"shared_linear", {"offset", "block", "alignment"}, false},
      {"padded_shared", {"order", "shape", "offset", "block"}, false},
  };
  const auto* const kind = std::ranges::find(kinds, attribute.name, &Kind::name);
  if (kind == std::end(kinds)) {
    std::vector<std::string_view> names;
    for (const Kind& known : kinds) names.push_back(known.name);
    return ErrorAt(attribute.name_column, UnsupportedError("expected one of the attributes ", StrJoin(names, ", "),
                                                           ", found '", attribute.name, "'"));
  }
  entries.CheckKeys(kind->keys, kind->name == "padded_shared");
  if (entries.error()) return std::unexpected(*entries.error());
  if (kind->needs_shape && !shape) {
    return SyntaxErrorAt(attribute.end_column, "expected the shape of the array after the attribute, such as [128,64]");
  }
  if (kind->name == "blocked") return finish(Blocked(entries, *shape));
  if (kind->name == "swizzled_shared") return finish(SwizzledShared(entries, *shape));
  if (kind->name == "linear") return finish(Images(entries, {"register", "lane", "warp", "block"}, shape));
  if (kind->name == "shared_linear") return finish(Images(entries, {"offset", "block"}, shape));
  return finish(PaddedShared(entries, shape));
}

}  // namespace layoutcheck
