// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/algebra/tag_generator.h"
#include <iterator>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns the tags of tensors, or those of matrices in blocks.
std::vector<const TagOrder*> TagsOf(bool tensors) {
  std::vector<const TagOrder*> tags;
  for (const TagOrder& order : kTagOrders) {
    if (tensors ? order.rank() > 2 : order.rank() == 2 && order.cuts() > 0) tags.push_back(&order);
  }
  return tags;
}

}  // namespace

DrawnTag DrawTag(Choices& choices, TlaTag tag, int64_t rows, int64_t columns) {
  static const std::vector<const TagOrder*> matrices = TagsOf(false);
  static const std::vector<const TagOrder*> tensors = TagsOf(true);
  constexpr int64_t kBlocks[] = {1, 2, 3, 4, 8, 16, 17, 32, 64, 128};
  constexpr int64_t kLarge[] = {16, 20, 24, 28, 31, 32, 33};
  const uint64_t kind = choices.Choose(6);
  if (kind < 4) return {std::string(TlaTagName(tag)), {rows, columns}};
  if (kind == 4) {
    const TagOrder& order = *matrices[choices.Choose(matrices.size())];
    std::vector<int64_t> blocks(order.cuts());
    for (int64_t& block : blocks) block = kBlocks[choices.Choose(std::size(kBlocks))];
    return {StrCat(order.name, "<", StrJoin(blocks, ","), ">"), {rows, columns}};
  }
  const TagOrder& order = *tensors[choices.Choose(tensors.size())];
  std::vector<int64_t> sizes(order.rank());
  for (size_t d = 0; d < sizes.size(); ++d) {
    sizes[d] = 1 + static_cast<int64_t>(choices.Choose(order.CutOf(d) ? 40 : 5));
  }
  if (choices.Choose(4) == 3) {
    int64_t& size = sizes[choices.Choose(sizes.size())];
    size = (int64_t{1} << kLarge[choices.Choose(std::size(kLarge))]) + static_cast<int64_t>(choices.Choose(3)) - 1;
  }
  return {std::string(order.name), sizes};
}

}  // namespace layoutcheck
