// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include "layoutcheck/properties/algebra/function_law.h"

namespace layoutcheck::algebra {
namespace {

// Returns the offset of each copy of a block that fills the offsets from 0 to its size: copy j is at size times
// copies[j]. Returns nothing for other blocks, whose copies may be wherever they do not overlap.
std::optional<std::vector<int64_t>> CopiesOfCompact(std::vector<int64_t> block, std::vector<int64_t> copies) {
  std::ranges::sort(block);
  for (size_t i = 0; i < block.size(); ++i) {
    if (block[i] != static_cast<int64_t>(i)) return std::nullopt;
  }
  const auto size = static_cast<int64_t>(block.size());
  for (int64_t& copy : copies) {
    const CheckedInt64 end = (CheckedInt64(copy) + 1) * size;
    if (copy < 0 || end.overflow) return std::nullopt;
    copy = end.value - size;
  }
  return copies;
}

// Judges any product: it has size(block) * size(copies) values, no two of them at one offset unless an operand repeats
// values. `judge` gets the values of both and judges the rest.
template <class Judge>
LawResult JudgeCopies(const Question& q, const Layout& result, const Judge& judge) {
  const auto block = Values(q.a());
  const auto copies = Values(q.b());
  if (!block || !copies) return LawResult::OutsideDomain();
  const size_t size = block->size() * copies->size();
  if (size > static_cast<size_t>(kMostCoordinates)) return LawResult::OutsideDomain();
  const auto values = Values(result);
  if (!values || values->size() != size) return Wrong(StrCat("size ", size), result);
  LawResult judged = judge(*block, *copies);
  if (judged.verdict != LawResult::Verdict::kAgree) return judged;
  if (Distinct(*block) && Distinct(*copies) && !Distinct(*values)) {
    return Wrong("no two elements at one offset", result);
  }
  return LawResult::Agree();
}

// Returns the size of each mode, and 1 for the modes that the shape lacks.
std::vector<int64_t> ModeSizes(const IntTuple& shape, size_t rank) {
  std::vector<int64_t> sizes(rank, 1);
  for (size_t d = 0; d < Modes(shape).size(); ++d) sizes[d] = CheckedProduct(Modes(shape)[d]).value;
  return sizes;
}

// Judges a product whose mode k is (A_k, T_k), or (T_k, A_k) if raked, in any nesting; the rank that is lower counts as
// padded with modes of one element. Every copy is A shifted, the one at coordinate 0 of T by 0, and those of a compact
// A as CopiesOfCompact says.
template <bool block_first>
LawResult JudgeZippedProduct(const Question& q, const Layout& result) {
  return JudgeCopies(q, result, [&](const std::vector<int64_t>& block, const std::vector<int64_t>& copies) {
    const auto rank = static_cast<size_t>(std::max(Rank(q.a()), Rank(q.b())));
    if (static_cast<size_t>(Rank(result)) != rank) return Wrong(StrCat(rank, " modes"), result);
    const std::vector<int64_t> block_sizes = ModeSizes(q.a().shape, rank);
    const std::vector<int64_t> copy_sizes = ModeSizes(q.b().shape, rank);
    for (size_t d = 0; d < rank; ++d) {
      const int64_t size = block_sizes[d] * copy_sizes[d];
      if (ModeSizes(result.shape, rank)[d] != size) return Wrong(StrCat("mode ", d, " of size ", size), result);
    }
    const auto values = Values(result);
    std::vector<std::optional<int64_t>> shifts(copies.size());  // first offset of each copy
    if (const auto known = CopiesOfCompact(block, copies)) shifts.assign(known->begin(), known->end());
    if (!shifts.empty() && !shifts[0]) shifts[0] = 0;
    for (size_t i = 0; i < values->size(); ++i) {
      auto rest = static_cast<int64_t>(i);
      int64_t inside = 0;
      int64_t copy = 0;
      int64_t inside_step = 1;
      int64_t copy_step = 1;
      for (size_t d = 0; d < rank; ++d) {
        const int64_t index = rest % (block_sizes[d] * copy_sizes[d]);
        rest /= block_sizes[d] * copy_sizes[d];
        const int64_t fast = block_first ? block_sizes[d] : copy_sizes[d];
        inside += (block_first ? index % fast : index / fast) * inside_step;
        copy += (block_first ? index / fast : index % fast) * copy_step;
        inside_step *= block_sizes[d];
        copy_step *= copy_sizes[d];
      }
      const CheckedInt64 shift = CheckedInt64((*values)[i]) - block[static_cast<size_t>(inside)];
      if (shift.overflow) return LawResult::OutsideDomain();
      std::optional<int64_t>& first = shifts[static_cast<size_t>(copy)];
      if (!first) first = shift.value;
      if (*first == shift.value) continue;
      return At(LawResult::Disagree(StrCat(*first + block[static_cast<size_t>(inside)]),
                                    StrCat((*values)[i], " in ", ToString(result))),
                static_cast<int64_t>(i));
    }
    return LawResult::Agree();
  });
}

// Judges any division: in each form, the tile is the first size(T) coordinates.
LawResult JudgeDivide(const Question& q, const Layout& result) {
  const auto tile = Values(q.b());
  const auto all = Values(q.a());
  if (!tile || !all) return LawResult::OutsideDomain();
  const auto expected = ValuesAt(q.a(), *tile);
  if (!expected) return LawResult::OutsideDomain();
  LawResult first = HasValues(result, *expected, /*whole=*/false);
  if (first.verdict != LawResult::Verdict::kAgree) return first;
  const auto values = Values(result);
  const std::vector<int64_t> reached = SetOf(*values);
  for (size_t i = 0; i < all->size(); ++i) {
    if (std::ranges::binary_search(reached, (*all)[i])) continue;
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
  return JudgeCopies(q, result, [&](const std::vector<int64_t>& block, const std::vector<int64_t>& copies) {
    if (Rank(result) != 2) return Wrong("two modes, the block and its copies", result);
    const auto shifts = CopiesOfCompact(block, copies);
    if (!shifts) return HasValues(result, block, /*whole=*/false);
    std::vector<int64_t> expected;
    expected.reserve(block.size() * shifts->size());
    for (const int64_t shift : *shifts) {
      for (const int64_t offset : block) expected.push_back(shift + offset);
    }
    return HasValues(result, expected, /*whole=*/true);
  });
}

// Judges that mode i of the result has the size of mode i of the shape, that every block is A shifted, and that the
// blocks follow one another in the requested order.
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
  const std::vector<int64_t> block_sizes = ModeSizes(q.a().shape, rank);
  for (size_t d = 0; d < rank; ++d) {
    const CheckedInt64 size = CheckedProduct(Modes(*shape)[d]);
    if (size.overflow || ModeSizes(result.shape, rank)[d] != size.value) {
      return Wrong(StrCat("mode ", d, " of size ", size.value), result);
    }
    sizes.push_back(size.value);
    if (size.value % block_sizes[d] != 0) return LawResult::OutsideDomain();
  }
  const auto values = Values(result);
  if (!values || !AllBetween(*values, -kFar, kFar)) return Wrong("a layout of the shape's size", result);
  // The place of each mode in the order of blocks, the fastest first.
  std::vector<size_t> fastest(rank);
  std::iota(fastest.begin(), fastest.end(), size_t{0});
  std::ranges::stable_sort(fastest, std::ranges::less{}, [&](size_t d) { return Modes(*order)[d].value(); });
  std::map<int64_t, int64_t> shifts;  // block number to the block's first offset
  std::vector<int64_t> number(rank);
  for (size_t i = 0; i < values->size(); ++i) {
    auto rest = static_cast<int64_t>(i);
    int64_t inside = 0;
    int64_t step = 1;
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

// Judges that the result lists the box of gcd(extent, rest of the count) for each extent of the shape in turn.
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

Texts ShapeAndNumber(const AlgebraCase& c) { return {ToString(c.a.shape), StrCat(c.number)}; }
Texts AAndTiledShape(const AlgebraCase& c) { return {ToString(c.a), ToString(c.tiled_shape), ToString(c.order)}; }

}  // namespace

std::span<const FunctionLaw> TilingLaws() {
  using enum FirstArgument;
  static constexpr std::string_view kDivisible = "layouts A and T, where the values of T are coordinates of A";
  static constexpr FunctionLaw kLaws[] = {
      {"logical-divide", "logical_divide", "The tile is A o T, and every element of A is in some tile.", kDivisible,
       AAndB, IsLayout<JudgeDivide>, kLayout},
      {"zipped-divide", "zipped_divide",
       "The result has two modes, the tile A o T and the rest, and every element of A is in some tile.", kDivisible,
       AAndB, IsLayout<JudgeZippedDivide>, kLayout},
      {"tiled-divide", "tiled_divide", "The tile A o T comes first, and every element of A is in some tile.",
       kDivisible, AAndB, IsLayout<JudgeDivide>, kLayout},
      {"flat-divide", "flat_divide", "The tile A o T comes first, and every element of A is in some tile.", kDivisible,
       AAndB, IsLayout<JudgeDivide>, kLayout},
      {"logical-product", "logical_product",
       "The product is A and its copies, which do not overlap where T is injective; copy j of a compact A is at "
       "size(A) * T(j).",
       "layouts A and T", AAndB, IsLayout<JudgeProduct>, kLayout},
      {"blocked-product", "blocked_product",
       "In each mode of the product A is inside T; the copies are A shifted, as in logical-product.", "layouts A and T",
       AAndB, IsLayout<JudgeZippedProduct<true>>, kLayout},
      {"raked-product", "raked_product",
       "In each mode of the product T is inside A; the copies are A shifted, as in logical-product.", "layouts A and T",
       AAndB, IsLayout<JudgeZippedProduct<false>>, kLayout},
      {"domain-distribute", "domain_distribute",
       "The result lists, in increasing order, the indices of a box in the shape; each extent of the box is the common "
       "divisor of the shape's extent and what is left of the count.",
       "shapes and a count", ShapeAndNumber, IsLayout<JudgeDomainDistribute>},
      {"tile-to-shape", "tile_to_shape",
       "Each mode of the result has the size of the shape's mode, and blocks of A follow one another in the order of "
       "the modes.",
       "layouts, shapes that they divide, and an order of the modes", AAndTiledShape, IsLayout<JudgeTileToShape>,
       kLayout},
  };
  return kLaws;
}

}  // namespace layoutcheck::algebra
