// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/triton_text.h"
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/triton_factors.h"
#include "layoutcheck/core/linear/triton_layout.h"

namespace layoutcheck {
namespace {

constexpr std::array<std::string_view, 4> kOfRegisters = {"register", "lane", "warp", "block"};
constexpr std::array<std::string_view, 2> kOfShared = {"offset", "block"};

std::string ListOf(const std::vector<uint64_t>& numbers) { return StrCat("[", StrJoin(numbers, ", "), "]"); }

// Returns the layout with all of these inputs, of which it may lack some, or nothing if it has others or another order.
std::optional<LinearLayout> WithInputs(const LinearLayout& layout, std::span<const std::string_view> names) {
  std::vector<LinearInput> inputs;
  size_t taken = 0;
  for (const std::string_view name : names) {
    const bool has = taken < layout.inputs().size() && layout.inputs()[taken].name == name;
    inputs.push_back(has ? layout.inputs()[taken++] : LinearInput{std::string(name), {}});
  }
  if (taken != layout.inputs().size()) return std::nullopt;
  std::vector<LinearOutput> outputs = layout.outputs();
  for (size_t d = 0; d < outputs.size(); ++d) outputs[d].name = DefaultOutputName(d);
  auto named = LinearLayout::Create(std::move(inputs), std::move(outputs));
  return named ? std::optional(*std::move(named)) : std::nullopt;
}

// Seeks attributes of one layout, which has all inputs.
class TritonTextSearch {
 public:
  explicit TritonTextSearch(const LinearLayout& layout) : layout_(layout) {
    for (const LinearOutput& output : layout.outputs()) sizes_.push_back(output.size());
  }

  std::optional<std::string> OfRegisters() const {
    for (const auto& order : Orders()) {
      if (auto text = Blocked(order)) return text;
    }
    for (const TritonSizes& warps : WarpCounts()) {
      for (const std::string& parent : Mmas(warps)) {
        if (auto text = IfRight(parent)) return text;
        for (const int operand : {0, 1}) {
          for (const int width : {1, 2, 4, 8}) {
            auto text =
                IfRight(StrCat("#ttg.dot_op<{opIdx = ", operand, ", parent = ", parent, ", kWidth = ", width, "}>"));
            if (text) return text;
          }
        }
      }
    }
    if (auto text = IfRight(StrCat("#ttg.linear<{", Images(), "}>"))) return text;
    return IfRight(StrCat("#ttg.generic_linear<{", Images(), "}>"));
  }

  std::optional<std::string> OfShared() const {
    for (const auto& order : Orders()) {
      if (auto text = Swizzled(order)) return text;
    }
    for (const int bytes : {0, 32, 64, 128}) {
      for (const int bits : {16, 8, 32}) {
        for (const std::string_view transposed : {"false", "true"}) {
          auto text = IfRight(StrCat("#ttg.nvmma_shared<{swizzlingByteWidth = ", bytes, ", transposed = ", transposed,
                                     ", elementBitWidth = ", bits, ", rank = ", sizes_.size(), "}>"));
          if (text) return text;
        }
      }
    }
    return IfRight(StrCat("#ttg.shared_linear<{", Images(), "}, alignment = 16>"));
  }

 private:
  // Returns the attribute with the shape if that is the layout.
  std::optional<std::string> IfRight(const std::string& attribute) const {
    std::string text = StrCat(attribute, " [", StrJoin(sizes_, ","), "]");
    const auto read = ParseTritonLayout(text);
    if (!read || !std::holds_alternative<LinearLayout>(*read) || std::get<LinearLayout>(*read) != layout_) {
      return std::nullopt;
    }
    return text;
  }

  // Returns the orders of the dimensions, the usual one first; of many dimensions only that one.
  std::vector<std::vector<uint64_t>> Orders() const {
    constexpr size_t kMostPermuted = 5;
    std::vector<uint64_t> order(sizes_.size());
    std::iota(order.rbegin(), order.rend(), 0);
    std::vector<std::vector<uint64_t>> orders;
    do {
      orders.push_back(order);
    } while (order.size() <= kMostPermuted && std::ranges::prev_permutation(order).found);
    return orders;
  }

  // Takes images from `begin` on that double the size of each dimension in this order, beginning with its size in
  // `covered`, and multiplies that by them. An image of 0 stands for a step outside of the array.
  TritonSizes TakeIdentity(const std::vector<uint64_t>& images, const std::vector<uint64_t>& order,
                           TritonSizes& covered, bool takes_zeros) const {
    TritonSizes counts(sizes_.size(), 1);
    size_t at = 0;
    for (const uint64_t d : order) {
      while (at < images.size()) {
        const std::vector<int64_t> parts = layout_.OutputParts(images[at]);
        const bool is_zero = images[at] == 0 && takes_zeros && covered[d] >= sizes_[d];
        std::vector<int64_t> step(sizes_.size());
        step[d] = static_cast<int64_t>(covered[d]);
        if (!is_zero && (covered[d] >= sizes_[d] || parts != step)) break;
        counts[d] *= 2;
        covered[d] *= 2;
        ++at;
      }
    }
    return counts;
  }

  std::optional<std::string> Blocked(const std::vector<uint64_t>& order) const {
    TritonSizes covered(sizes_.size(), 1);
    std::array<TritonSizes, 3> counts;
    for (size_t k = 0; k < counts.size(); ++k) {
      counts[k] = TakeIdentity(layout_.inputs()[k].images, order, covered, /*takes_zeros=*/k > 0);
    }
    return IfRight(StrCat("#ttg.blocked<{sizePerThread = ", ListOf(counts[0]), ", threadsPerWarp = ", ListOf(counts[1]),
                          ", warpsPerCTA = ", ListOf(counts[2]), ", order = ", ListOf(order), "}>"));
  }

  // Returns the ways to arrange the warps in two dimensions; none for an array of other dimensions.
  std::vector<TritonSizes> WarpCounts() const {
    std::vector<TritonSizes> counts;
    const uint64_t warps = layout_.inputs()[2].size();
    for (uint64_t rows = warps; sizes_.size() == 2 && rows >= 1; rows /= 2) counts.push_back({rows, warps / rows});
    return counts;
  }

  // Returns the attributes of results of mma and wgmma with these warps.
  static std::vector<std::string> Mmas(const TritonSizes& warps) {
    const auto text = [&](int version, const TritonSizes& shape) {
      return StrCat("#ttg.nvidia_mma<{versionMajor = ", version, ", versionMinor = 0, warpsPerCTA = ", ListOf(warps),
                    ", instrShape = ", ListOf(shape), "}>");
    };
    std::vector<std::string> mmas = {text(2, {16, 8})};
    for (uint64_t columns = 8; columns <= 256; columns *= 2) mmas.push_back(text(3, {16, columns, 16}));
    return mmas;
  }

  std::optional<std::string> Swizzled(const std::vector<uint64_t>& order) const {
    const uint64_t row = order.empty() ? 1 : sizes_[order[0]];
    const auto text = [&](uint64_t vec, uint64_t per_phase, uint64_t phases) {
      return IfRight(StrCat("#ttg.swizzled_shared<{vec = ", vec, ", perPhase = ", per_phase, ", maxPhase = ", phases,
                            ", order = ", ListOf(order), "}>"));
    };
    if (auto plain = text(1, 1, 1)) return plain;
    if (order.size() < 2) return std::nullopt;
    constexpr uint64_t kMostPhases = 64;
    for (uint64_t phases = 2; phases <= std::min(kMostPhases, row); phases *= 2) {
      for (uint64_t vec = 1; vec * phases <= row; vec *= 2) {
        for (uint64_t per_phase = 1; per_phase <= std::min(kMostPhases, sizes_[order[1]]); per_phase *= 2) {
          if (auto found = text(vec, per_phase, phases)) return found;
        }
      }
    }
    return std::nullopt;
  }

  // Returns the images of all inputs: "register = [[0, 1], [8, 0]], lane = []".
  std::string Images() const {
    std::vector<std::string> entries;
    for (const LinearInput& input : layout_.inputs()) {
      std::vector<std::string> images;
      for (const uint64_t image : input.images) {
        images.push_back(StrCat("[", StrJoin(layout_.OutputParts(image), ", "), "]"));
      }
      entries.push_back(StrCat(input.name, " = [", StrJoin(images, ", "), "]"));
    }
    return StrJoin(entries, ", ");
  }

  const LinearLayout& layout_;
  TritonSizes sizes_;  // of the array
};

}  // namespace

Expected<std::string> TritonTextOf(const LinearLayout& layout) {
  std::optional<std::string> text;
  const bool has_inputs = !layout.inputs().empty();
  if (const auto of_registers = WithInputs(layout, kOfRegisters); has_inputs && of_registers) {
    text = TritonTextSearch(*of_registers).OfRegisters();
  } else if (const auto of_shared = WithInputs(layout, kOfShared); has_inputs && of_shared) {
    text = TritonTextSearch(*of_shared).OfShared();
  } else {
    std::vector<std::string> names;
    for (const LinearInput& input : layout.inputs()) names.push_back(input.name);
    return UnsupportedError("expected the inputs register, lane, warp and block, or offset and block, found ",
                            names.empty() ? "none" : StrJoin(names, ", "));
  }
  if (text) return *std::move(text);
  return UnsupportedError(
      "no attribute of Triton is this layout: none of blocked, nvidia_mma, dot_op, linear, generic_linear, "
      "swizzled_shared, nvmma_shared and shared_linear");
}

}  // namespace layoutcheck
