// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/sharding_proof/sharded_views.h"
#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/sharding_reader.h"
#include "layoutcheck/solver/sharding_proof/prove_sharding.h"

namespace layoutcheck {
namespace {

// Returns the product of the sizes as text, such as "M*8".
std::string ProductText(std::span<const SymbolicSize> sizes) {
  std::string text;
  for (const SymbolicSize& size : sizes) {
    StrAppend(text, text.empty() ? "" : "*", size.name.empty() ? StrCat(size.value) : size.name);
  }
  return text.empty() ? "1" : text;
}

}  // namespace

bool AreEqual(const SymbolicSize& a, const SymbolicSize& b) { return a.name == b.name && a.value == b.value; }

bool HaveSameSizes(const SymbolicSharding& before, const SymbolicSharding& after) {
  return std::ranges::equal(before.dimensions, after.dimensions, AreEqual);
}

std::vector<SymbolicSize> FactorsOf(const SymbolicSharding& array) {
  std::vector<SymbolicSize> all;
  for (size_t d = 0; d < array.dimensions.size(); ++d) std::ranges::copy(array.FactorsOf(d), std::back_inserter(all));
  return all;
}

SymbolicSharding SplitIntoFactors(const SymbolicSharding& array) {
  SymbolicSharding split = array;
  split.dimensions = FactorsOf(array);
  split.products.clear();
  std::string sizes;
  for (const SymbolicSize& size : split.dimensions) StrAppend(sizes, sizes.empty() ? "" : ",", ToString(size));
  split.text = StrCat("[", sizes, "], of which a view is ", array.text);
  for (MeshCut& cut : split.mesh.cuts) {
    size_t first = 0;
    for (int64_t d = 0; d < cut.dimension; ++d) first += array.FactorsOf(static_cast<size_t>(d)).size();
    cut.dimension = static_cast<int64_t>(first);
  }
  return split;
}

std::string SameCount(const SymbolicSharding& view, const ViewedDimensions& viewed) {
  const std::span<const SymbolicSize> before(viewed.view_of);
  const size_t behind = view.dimensions.size() - viewed.last;
  return StrCat(ProductText(before.subspan(viewed.first, before.size() - behind - viewed.first)),
                " == ", ProductText(std::span(view.dimensions).subspan(viewed.first, viewed.last - viewed.first)));
}

ViewedDimensions ViewedOf(const SymbolicSharding& before, const SymbolicSharding& view) {
  const std::vector<SymbolicSize>& a = before.dimensions;
  const std::vector<SymbolicSize>& b = view.dimensions;
  ViewedDimensions viewed{0, b.size(), a};
  const size_t least = std::min(a.size(), b.size());
  while (viewed.first < least && AreEqual(a[viewed.first], b[viewed.first])) ++viewed.first;
  size_t kept = 0;
  while (viewed.first + kept < least && AreEqual(a[a.size() - 1 - kept], b[b.size() - 1 - kept])) ++kept;
  viewed.last -= kept;
  return viewed;
}

Expected<std::vector<std::string>> ShardingConditions(std::string_view text, std::optional<std::string_view> after) {
  LAYOUTCHECK_TRY(const SymbolicSharding from, ParseSymbolicSharding(text));
  std::vector<std::string> conditions = from.Conditions();
  if (!after) return conditions;
  LAYOUTCHECK_TRY(const SymbolicSharding to, ParseSymbolicSharding(*after));
  for (std::string& condition : to.Conditions()) {
    if (std::ranges::find(conditions, condition) == conditions.end()) conditions.push_back(std::move(condition));
  }
  if (HaveSameSizes(from, to) || std::ranges::equal(FactorsOf(from), FactorsOf(to), AreEqual)) return conditions;
  std::string condition = SameCount(to, ViewedOf(from, to));
  const bool has_name = condition.find_first_not_of("0123456789*= ") != std::string::npos;
  if (has_name) conditions.push_back(std::move(condition));
  return conditions;
}

}  // namespace layoutcheck
