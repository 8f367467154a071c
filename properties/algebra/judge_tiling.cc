// Judges of what cuts a layout into tiles, repeats it, or distributes a shape.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/properties/algebra/algebra_judge.h"

namespace layoutcheck::algebra {

namespace {

// What all products are: as many values as the block has, for each of the copies, and no two at one offset unless the
// operands have them. `judge_first` is told the block's values, and judges where the first of the copies is.
template <class JudgeFirst>
LawResult JudgeCopies(const Question& q, const Layout& result, const JudgeFirst& judge_first) {
  const auto block = Values(q.a());
  const auto copies = Values(q.b());
  if (!block || !copies) return LawResult::OutsideDomain();
  const size_t size = block->size() * copies->size();
  if (size > static_cast<size_t>(kMostCoordinates)) return LawResult::OutsideDomain();
  const auto values = Values(result);
  if (!values || values->size() != size) return Wrong(StrCat("size ", size), result);
  LawResult first = judge_first(*block);
  if (first.verdict != LawResult::Verdict::kAgree) return first;
  if (Distinct(*block) && Distinct(*copies) && !Distinct(*values)) {
    return Wrong("no two elements at one offset", result);
  }
  return LawResult::Agree();
}

// Mode k is (A_k, T_k), or (T_k, A_k) for raked: at 0 in T, the values of A.
LawResult JudgeZippedProduct(const Question& q, const Layout& result, bool block_first) {
  return JudgeCopies(q, result, [&](const std::vector<int64_t>& block) {
    const int64_t rank = std::max(Rank(q.a()), Rank(q.b()));
    if (Rank(result) != rank) return Wrong(StrCat(rank, " modes"), result);
    for (size_t i = 0; i < block.size(); ++i) {
      auto rest = static_cast<int64_t>(i);
      std::vector<IntTuple> coordinate;
      for (int64_t d = 0; d < rank; ++d) {
        const int64_t extent = d < Rank(q.a()) ? CheckedProduct(*Get(q.a().shape, d)).value : 1;
        const IntTuple inside(rest % extent);
        rest /= extent;
        coordinate.push_back(block_first ? IntTuple::Tuple({inside, 0}) : IntTuple::Tuple({0, inside}));
      }
      const auto value = Crd2Idx(IntTuple::Tuple(std::move(coordinate)), result);
      if (value && *value == block[i]) continue;
      return At(LawResult::Disagree(StrCat(block[i]),
                                    StrCat(value ? StrCat(*value) : value.error().message, " in ", ToString(result))),
                static_cast<int64_t>(i));
    }
    return LawResult::Agree();
  });
}

}  // namespace

// The tile is the first size(T) coordinates, in every form of division.
LawResult JudgeDivide(const Question& q, const Layout& result) {
  const auto tile = Values(q.b());
  const auto all = Values(q.a());
  if (!tile || !all) return LawResult::OutsideDomain();
  const auto expected = ValuesAt(q.a(), *tile);
  if (!expected) return LawResult::OutsideDomain();
  LawResult first = HasValues(result, *expected, /*whole=*/false);
  if (first.verdict != LawResult::Verdict::kAgree) return first;
  const auto values = Values(result);
  const std::set<int64_t> reached(values->begin(), values->end());
  for (size_t i = 0; i < all->size(); ++i) {
    if (reached.contains((*all)[i])) continue;
    return At(LawResult::Disagree("every element in some tile", StrCat("none has ", (*all)[i], ": ", ToString(result))),
              static_cast<int64_t>(i));
  }
  if (values->size() == all->size()) {
    std::vector<int64_t> before = *all;
    std::vector<int64_t> after = *values;
    std::ranges::sort(before);
    std::ranges::sort(after);
    if (before != after) return Wrong("every element once", result);
  }
  return LawResult::Agree();
}

LawResult JudgeZippedDivide(const Question& q, const Layout& result) {
  if (Rank(result) != 2) return Wrong("two modes, the tile and the rest", result);
  const auto tile = Mode(result, 0);
  if (CheckedProduct(tile->shape).value != CheckedProduct(q.b().shape).value)
    return Wrong("a first mode of the tile's size", result);
  return JudgeDivide(q, result);
}

LawResult JudgeProduct(const Question& q, const Layout& result) {
  return JudgeCopies(q, result, [&](const std::vector<int64_t>& block) {
    if (Rank(result) != 2) return Wrong("two modes, the block and its copies", result);
    return HasValues(result, block, /*whole=*/false);
  });
}

LawResult JudgeBlockedProduct(const Question& q, const Layout& result) { return JudgeZippedProduct(q, result, true); }
LawResult JudgeRakedProduct(const Question& q, const Layout& result) { return JudgeZippedProduct(q, result, false); }

// Mode i of the result has the size of the shape's; every block is A shifted; blocks follow each other as ordered.
LawResult JudgeTileToShape(const Question& q, const Layout& result) {
  const auto shape = ParseIntTuple(q.texts.at(1));
  const auto order = ParseIntTuple(q.texts.at(2));
  const auto block = Values(q.a());
  constexpr int64_t kFar = int64_t{1} << 61;  // so that differences of values fit
  if (!shape || !order || !block || block->empty() || Rank(q.a()) > Rank(*shape)) return LawResult::OutsideDomain();
  if (!AllBetween(*block, -kFar, kFar)) return LawResult::OutsideDomain();
  const auto rank = static_cast<size_t>(Rank(*shape));
  if (Modes(*order).size() != rank) return LawResult::OutsideDomain();
  if (static_cast<size_t>(Rank(result)) != rank) return Wrong(StrCat(rank, " modes"), result);
  std::vector<int64_t> sizes;
  std::vector<int64_t> block_sizes(rank, 1);
  for (size_t d = 0; d < rank; ++d) {
    const CheckedInt64 size = CheckedProduct(Modes(*shape)[d]);
    if (size.overflow || CheckedProduct(Modes(result.shape)[d]).value != size.value) {
      return Wrong(StrCat("mode ", d, " of size ", size.value), result);
    }
    sizes.push_back(size.value);
    if (d < static_cast<size_t>(Rank(q.a()))) block_sizes[d] = CheckedProduct(Modes(q.a().shape)[d]).value;
    if (size.value % block_sizes[d] != 0) return LawResult::OutsideDomain();
  }
  const auto values = Values(result);
  if (!values || !AllBetween(*values, -kFar, kFar)) return Wrong("a layout of the shape's size", result);
  // The place of each mode in the order of blocks, the fastest first.
  std::vector<size_t> fastest(rank);
  std::iota(fastest.begin(), fastest.end(), size_t{0});
  std::ranges::stable_sort(fastest, std::ranges::less{}, [&](size_t d) { return Modes(*order)[d].value(); });
  std::map<int64_t, int64_t> shifts;  // of each block, by its number
  for (size_t i = 0; i < values->size(); ++i) {
    auto rest = static_cast<int64_t>(i);
    int64_t inside = 0;
    int64_t step = 1;
    std::vector<int64_t> number(rank);
    for (size_t d = 0; d < rank; ++d) {
      const int64_t index = rest % sizes[d];
      rest /= sizes[d];
      inside += index % block_sizes[d] * step;
      step *= block_sizes[d];
      number[d] = index / block_sizes[d];
    }
    int64_t block_number = 0;
    for (size_t k = rank; k-- > 0;) {
      block_number = block_number * (sizes[fastest[k]] / block_sizes[fastest[k]]) + number[fastest[k]];
    }
    const int64_t in_block = (*block)[static_cast<size_t>(inside)];
    const auto [shift, is_new] = shifts.try_emplace(block_number, (*values)[i] - in_block);
    if (shift->second == (*values)[i] - in_block) continue;
    return At(LawResult::Disagree(StrCat(shift->second + in_block), StrCat((*values)[i], " in ", ToString(result))),
              static_cast<int64_t>(i));
  }
  int64_t last = -1;
  for (const auto& [block_number, shift] : shifts) {
    if (shift > last && (block_number > 0 || shift == 0)) {
      last = shift;
      continue;
    }
    return Wrong(StrCat("block ", block_number, block_number == 0 ? " at 0" : " behind the one before"), result);
  }
  if (Distinct(*block) && !Distinct(*values)) return Wrong("no two elements at one offset", result);
  return LawResult::Agree();
}

// The indices of the box whose extents are the greatest common divisors, taken in turn.
LawResult JudgeDomainDistribute(const Question& q, const Layout& result) {
  const auto shape = ParseIntTuple(q.texts.at(0));
  int64_t count = q.numbers.back();
  if (!shape || count < 1) return LawResult::OutsideDomain();
  std::vector<int64_t> expected = {0};
  int64_t step = 1;
  for (const IntTuple& extent : Leaves(*shape)) {
    if (extent.value() < 1 || step > kMostCoordinates / extent.value()) return LawResult::OutsideDomain();
    const int64_t part = std::gcd(extent.value(), count);
    count /= part;
    const size_t before = expected.size();
    for (int64_t c = 1; c < part; ++c) {
      for (size_t i = 0; i < before; ++i) expected.push_back(expected[i] + c * step);
    }
    step *= extent.value();
  }
  return HasValues(result, expected);
}

}  // namespace layoutcheck::algebra
