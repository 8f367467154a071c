// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for two indices with the same value: all indices of a shape are evaluated once, not in pairs.
#include <map>
#include <set>
#include "layoutcheck/solver/formula_proof/formula_search.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMaxElements = 4096;            // of a shape that has names
constexpr int64_t kMaxNumericElements = 400'000;  // of the only shape
constexpr int64_t kUnboundedSize = 12;            // tried for an index without a size
constexpr size_t kEnoughSizes = 16;

class CollisionSearch {
 public:
  explicit CollisionSearch(PointSearch& search) : search_(search), rank_(search.question.indices.size() / 2) {}

  // Visits the indices of the shape in `point`. Returns true if the search is over.
  bool TryShape() {
    int64_t elements = 1;
    for (size_t k = 0; k < rank_; ++k) {
      const int64_t size = SizeOf(k);
      if (size < 1 || size > (search_.name_count == 0 ? kMaxNumericElements : kMaxElements) / elements) return false;
      elements *= size;
    }
    seen_.clear();
    return TryIndices(0);
  }

 private:
  int64_t SizeOf(size_t k) const {
    const FormulaIndex& index = search_.question.indices[k];
    return index.size ? index.size->At(search_.point) : kUnboundedSize;
  }
  int64_t& First(size_t k) { return search_.point[search_.question.indices[k].variable]; }
  int64_t& Second(size_t k) { return search_.point[search_.question.indices[rank_ + k].variable]; }

  bool TryIndices(size_t k) {
    if (k == rank_) return TryIndex();
    const int64_t size = SizeOf(k);
    for (int64_t i = 0; i < size; ++i) {
      First(k) = i;
      if (TryIndices(k + 1)) return true;
    }
    return false;
  }

  // Tries the pair of this index and an earlier one with the same value, or of twice this index.
  bool TryIndex() {
    search_.budget.SpendPoint();
    for (size_t k = 0; k < rank_; ++k) Second(k) = First(k);
    if (search_.budget.IsSpent() || !search_.goal.IsInDomain(search_.point)) return search_.budget.IsSpent();
    std::vector<Int128> values;
    if (!search_.goal.AppendDistinctValues(search_.point, values)) return search_.Try();
    std::vector<int64_t> index;
    for (size_t k = 0; k < rank_; ++k) index.push_back(First(k));
    const auto [place, is_new] = seen_.try_emplace(std::move(values), std::move(index));
    if (is_new) return false;
    for (size_t k = 0; k < rank_; ++k) Second(k) = place->second[k];
    return search_.Try();
  }

  PointSearch& search_;
  size_t rank_;
  std::map<std::vector<Int128>, std::vector<int64_t>> seen_;
};

}  // namespace

void TryCollisions(PointSearch& search) {
  if (!search.goal.HasDistinctValues()) return;
  std::set<int64_t> sizes = {1, 2, 3, 4, 5, 8};
  for (const int64_t constant : search.dictionary.constants) {
    if (sizes.size() < kEnoughSizes) sizes.insert({constant - 1, constant, constant + 1});
  }
  CollisionSearch collisions(search);
  ForAll(
      search.point, 0, search.name_count, [&](size_t) -> const auto& { return sizes; },
      [&] { return collisions.TryShape(); });
}

}  // namespace layoutcheck
