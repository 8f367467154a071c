// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/int_tuple.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

IntTuple UnflattenFrom(const IntTuple& profile, std::span<const IntTuple> leaves, size_t& next) {
  if (profile.is_leaf()) return leaves[next++];
  std::vector<IntTuple> elements;
  elements.reserve(profile.elements().size());
  for (const IntTuple& element : profile.elements()) elements.push_back(UnflattenFrom(element, leaves, next));
  return IntTuple::Tuple(std::move(elements));
}

size_t CountLeaves(const IntTuple& tuple) {
  if (tuple.is_leaf()) return 1;
  size_t count = 0;
  for (const IntTuple& element : tuple.elements()) count += CountLeaves(element);
  return count;
}

void AppendLeaves(const IntTuple& tuple, std::vector<IntTuple>& leaves) {
  if (tuple.is_leaf()) {
    leaves.push_back(tuple);
    return;
  }
  for (const IntTuple& element : tuple.elements()) AppendLeaves(element, leaves);
}

void AppendText(const IntTuple& tuple, std::string& out) {
  if (tuple.is_leaf()) {
    if (tuple.is_static()) out.push_back('_');
    StrAppend(out, tuple.value());
    for (auto step = tuple.basis().rbegin(); step != tuple.basis().rend(); ++step) StrAppend(out, '@', *step);
    return;
  }
  out.push_back('(');
  for (size_t i = 0; i < tuple.elements().size(); ++i) {
    if (i > 0) out.push_back(',');
    AppendText(tuple.elements()[i], out);
  }
  out.push_back(')');
}

enum class Division { kCeil, kExact };

Expected<int64_t> DivideLeaf(int64_t a, int64_t b, Division division) {
  if (a < 1 || b < 1) return ArgumentError("division of extent ", a, " by ", b, ": both must be at least 1");
  if (division == Division::kExact && a % b != 0 && b % a != 0) {
    return ArgumentError("neither of ", a, " and ", b, " divides the other");
  }
  return CeilDiv(a, b);
}

Expected<IntTuple> Divide(const IntTuple& a, const IntTuple& b, Division division) {
  if (a.is_leaf()) {
    LAYOUTCHECK_TRY(const int64_t divisor, Product(b));
    LAYOUTCHECK_TRY(const int64_t quotient, DivideLeaf(a.value(), divisor, division));
    return IntTuple(quotient);
  }
  std::vector<IntTuple> result;
  result.reserve(a.elements().size());
  if (b.is_tuple()) {
    const size_t rank = b.elements().size();
    if (rank > a.elements().size() || (division == Division::kExact && rank != a.elements().size())) {
      return ArgumentError("a shape of ", Rank(a), " modes cannot be divided by one of ", Rank(b), " modes");
    }
    for (size_t i = 0; i < a.elements().size(); ++i) {
      LAYOUTCHECK_TRY(IntTuple quotient, Divide(a.elements()[i], i < rank ? b.elements()[i] : IntTuple(1), division));
      result.push_back(std::move(quotient));
    }
    return IntTuple::Tuple(std::move(result));
  }
  IntTuple rest = b;
  for (const IntTuple& element : a.elements()) {
    LAYOUTCHECK_TRY(IntTuple quotient, Divide(element, rest, division));
    result.push_back(std::move(quotient));
    LAYOUTCHECK_TRY(rest, Divide(rest, element, division));
  }
  return IntTuple::Tuple(std::move(result));
}

}  // namespace

IntTuple IntTuple::Static(int64_t value) {
  IntTuple leaf(value);
  leaf.is_static_ = true;
  return leaf;
}

IntTuple IntTuple::Tuple(std::vector<IntTuple> elements) {
  IntTuple tuple;
  tuple.is_tuple_ = true;
  tuple.elements_ = std::move(elements);
  return tuple;
}

IntTuple IntTuple::Basis(int64_t value, std::vector<int64_t> path) {
  IntTuple leaf(value);
  leaf.basis_ = std::move(path);
  return leaf;
}

IntTuple IntTuple::WithValue(int64_t value) const {
  IntTuple leaf = *this;
  leaf.value_ = value;
  return leaf;
}

void IntTuple::SetStatic(bool is_static) {
  if (is_leaf()) is_static_ = is_static;
  for (IntTuple& element : elements_) element.SetStatic(is_static);
}

IntTuple IntTuple::WithStatic(bool is_static) const {
  IntTuple leaf = *this;
  leaf.is_static_ = is_static;
  return leaf;
}

bool IntTuple::operator==(const IntTuple& other) const {
  return is_tuple_ == other.is_tuple_ && value_ == other.value_ && basis_ == other.basis_ &&
         elements_ == other.elements_;
}

int64_t Rank(const IntTuple& tuple) { return tuple.is_leaf() ? 1 : static_cast<int64_t>(tuple.elements().size()); }

int64_t Depth(const IntTuple& tuple) {
  if (tuple.is_leaf()) return 0;
  int64_t deepest = 0;
  for (const IntTuple& element : tuple.elements()) deepest = std::max(deepest, Depth(element));
  return deepest + 1;
}

Expected<IntTuple> Get(const IntTuple& tuple, int64_t index) {
  if (index < 0 || index >= Rank(tuple)) {
    return ArgumentError("no mode ", index, " in ", ToString(tuple), ", which has ", Rank(tuple));
  }
  return tuple.is_leaf() ? tuple : tuple.elements()[static_cast<size_t>(index)];
}

Expected<IntTuple> Get(const IntTuple& tuple, std::span<const int64_t> path) {
  Expected<IntTuple> place = tuple;
  for (const int64_t index : path) {
    place = Get(*place, index);
    if (!place) return place;
  }
  return place;
}

std::vector<IntTuple> Modes(const IntTuple& tuple) {
  return tuple.is_leaf() ? std::vector<IntTuple>{tuple} : tuple.elements();
}

std::vector<IntTuple> Leaves(const IntTuple& tuple) {
  std::vector<IntTuple> leaves;
  leaves.reserve(CountLeaves(tuple));
  AppendLeaves(tuple, leaves);
  return leaves;
}

CheckedInt64 CheckedProduct(const IntTuple& tuple) {
  if (tuple.is_leaf()) return tuple.value();
  CheckedInt64 product = 1;
  for (const IntTuple& element : tuple.elements()) product = product * CheckedProduct(element);
  return product;
}

Expected<int64_t> Product(const IntTuple& tuple) { return ValueOrOverflow(CheckedProduct(tuple), "the product"); }

bool HasBasis(const IntTuple& tuple) {
  return !tuple.basis().empty() || std::ranges::any_of(tuple.elements(), HasBasis);
}

bool IsStatic(const IntTuple& tuple) {
  const auto is_static = [](const IntTuple& element) { return IsStatic(element); };
  return tuple.is_leaf() ? tuple.is_static() : std::ranges::all_of(tuple.elements(), is_static);
}

IntTuple WithStaticLeaves(IntTuple tuple, bool is_static) {
  tuple.SetStatic(is_static);
  return tuple;
}

IntTuple Unflatten(const IntTuple& profile, std::span<const IntTuple> leaves) {
  size_t next = 0;
  return UnflattenFrom(profile, leaves, next);
}

bool Congruent(const IntTuple& a, const IntTuple& b) {
  const auto congruent = [](const IntTuple& x, const IntTuple& y) { return Congruent(x, y); };
  return a.is_leaf() == b.is_leaf() && std::ranges::equal(a.elements(), b.elements(), congruent);
}

bool WeaklyCongruent(const IntTuple& a, const IntTuple& b) {
  if (a.is_leaf()) return true;
  return b.is_tuple() && std::ranges::equal(a.elements(), b.elements(), WeaklyCongruent);
}

bool Compatible(const IntTuple& a, const IntTuple& b) {
  if (a.is_leaf()) {
    const CheckedInt64 size = CheckedProduct(b);
    return !size.overflow && size.value == a.value();
  }
  const auto compatible = [](const IntTuple& x, const IntTuple& y) { return Compatible(x, y); };
  return b.is_tuple() && std::ranges::equal(a.elements(), b.elements(), compatible);
}

Expected<IntTuple> CeilDivShape(const IntTuple& shape, const IntTuple& divisor) {
  return Divide(shape, divisor, Division::kCeil);
}

Expected<IntTuple> ShapeDiv(const IntTuple& shape, const IntTuple& divisor) {
  return Divide(shape, divisor, Division::kExact);
}

Expected<bool> EvenlyDivides(const IntTuple& shape, const IntTuple& tiler) {
  if (tiler.is_tuple()) {
    if (Rank(tiler) > Rank(shape)) return false;
    for (int64_t i = 0; i < Rank(tiler); ++i) {
      const Expected<bool> divides = EvenlyDivides(*Get(shape, i), tiler.elements()[static_cast<size_t>(i)]);
      if (!divides || !*divides) return divides;
    }
    return true;
  }
  LAYOUTCHECK_TRY(const IntTuple quotient, CeilDivShape(shape, tiler));
  const CheckedInt64 whole = CheckedProduct(shape);
  const CheckedInt64 covered = CheckedInt64(tiler.value()) * CheckedProduct(quotient);
  if (whole.overflow || covered.overflow) return OverflowError("the size does not fit int64");
  return whole.value == covered.value;
}

std::string ToString(const IntTuple& tuple) {
  std::string out;
  AppendText(tuple, out);
  return out;
}

}  // namespace layoutcheck
