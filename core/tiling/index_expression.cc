// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/index_expression.h"
#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

IndexExpression IndexExpression::TooLarge() {
  IndexExpression result;
  result.parts_ = kMaxParts + 1;
  return result;
}

IndexExpression IndexExpression::OfPart(Part part) {
  IndexExpression result;
  result.parts_ = 1 + part.operand.parts_;
  if (result.parts_ > kMaxParts) return TooLarge();
  result.summands_.push_back({1, std::make_shared<const Part>(std::move(part))});
  return result;
}

IndexExpression IndexExpression::Coordinate(int64_t dimension, int64_t size) {
  if (size <= 1) return 0;
  return OfPart({Part::Kind::kCoordinate, size - 1, dimension, {}, 1});
}

bool IndexExpression::Same(const Part& a, const Part& b) {
  if (&a == &b) return true;
  return a.kind == b.kind && a.dimension == b.dimension && a.divisor == b.divisor && Same(a.operand, b.operand);
}

bool IndexExpression::Same(const IndexExpression& a, const IndexExpression& b) {
  if (a.parts_ != b.parts_ || a.constant_ != b.constant_) return false;
  return std::ranges::equal(a.summands_, b.summands_, [](const Summand& x, const Summand& y) {
    return x.coefficient == y.coefficient && Same(*x.part, *y.part);
  });
}

void IndexExpression::Add(int64_t coefficient, const std::shared_ptr<const Part>& part) {
  const auto found =
      std::ranges::find_if(summands_, [&](const Summand& summand) { return Same(*summand.part, *part); });
  if (found == summands_.end()) {
    summands_.push_back({coefficient, part});
    parts_ += 1 + part->operand.parts_;
    return;
  }
  found->coefficient += coefficient;
  if (found->coefficient != 0) return;
  parts_ -= 1 + part->operand.parts_;
  summands_.erase(found);
}

void IndexExpression::Remove(size_t a, size_t b) {
  for (const size_t k : {std::max(a, b), std::min(a, b)}) {
    parts_ -= 1 + summands_[k].part->operand.parts_;
    summands_.erase(summands_.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

const IndexExpression::Part* IndexExpression::OnlyPart() const {
  const bool is_part = constant_ == 0 && summands_.size() == 1 && summands_[0].coefficient == 1;
  return is_part ? summands_[0].part.get() : nullptr;
}

bool IndexExpression::Join() {
  for (size_t q = 0; q < summands_.size(); ++q) {
    const Summand quotient = summands_[q];
    if (quotient.part->kind != Part::Kind::kQuotient) continue;
    const int64_t divisor = quotient.part->divisor;
    if (quotient.coefficient % divisor != 0) continue;
    const int64_t coefficient = quotient.coefficient / divisor;
    const IndexExpression& whole = quotient.part->operand;
    // If c divides D, (x / D) * D * s + ((x mod D) / c) * c * s is (x / c) * c * s.
    for (size_t r = 0; r < summands_.size(); ++r) {
      const Summand lower = summands_[r];
      if (lower.part->kind != Part::Kind::kQuotient || divisor % lower.part->divisor != 0 ||
          lower.coefficient != coefficient * lower.part->divisor) {
        continue;
      }
      const Part* const remainder = lower.part->operand.OnlyPart();
      if (remainder == nullptr || remainder->kind != Part::Kind::kRemainder || remainder->divisor != divisor ||
          !Same(remainder->operand, whole)) {
        continue;
      }
      Remove(q, r);
      *this = *this + IndexExpression(lower.coefficient) * FloorDiv(whole, IndexExpression(lower.part->divisor));
      return true;
    }
    // The dividend may itself be a remainder modulo a multiple of the divisor; then its operand has the same remainder.
    const IndexExpression* inner = &whole;
    if (const Part* const part = whole.OnlyPart();
        part != nullptr && part->kind == Part::Kind::kRemainder && part->divisor % divisor == 0) {
      inner = &part->operand;
    }
    for (size_t r = 0; r < summands_.size(); ++r) {
      const Summand& remainder = summands_[r];
      if (remainder.coefficient != coefficient || remainder.part->kind != Part::Kind::kRemainder ||
          remainder.part->divisor != divisor || !Same(remainder.part->operand, *inner)) {
        continue;
      }
      Remove(q, r);
      *this = *this + IndexExpression(coefficient) * quotient.part->operand;
      return true;
    }
  }
  return false;
}

IndexExpression operator+(const IndexExpression& a, const IndexExpression& b) {
  if (std::max(a.parts_, b.parts_) > IndexExpression::kMaxParts) return IndexExpression::TooLarge();
  IndexExpression sum = a;
  sum.constant_ += b.constant_;
  for (const auto& summand : b.summands_) sum.Add(summand.coefficient, summand.part);
  while (sum.Join()) {
  }
  return sum.parts_ > IndexExpression::kMaxParts ? IndexExpression::TooLarge() : sum;
}

IndexExpression operator*(const IndexExpression& a, const IndexExpression& b) {
  if (std::max(a.parts_, b.parts_) > IndexExpression::kMaxParts) return IndexExpression::TooLarge();
  const bool a_is_constant = a.summands_.empty();
  const int64_t factor = a_is_constant ? a.constant_ : b.constant_;
  if (factor == 0) return 0;
  IndexExpression product = a_is_constant ? b : a;
  product.constant_ *= factor;
  for (auto& summand : product.summands_) summand.coefficient *= factor;
  return product;
}

int64_t IndexExpression::Largest() const {
  CheckedInt64 sum = constant_;
  for (const Summand& summand : summands_) sum = sum + CheckedInt64(summand.coefficient) * summand.part->largest;
  return sum.overflow ? std::numeric_limits<int64_t>::max() : sum.value;
}

IndexExpression FloorDiv(const IndexExpression& a, const IndexExpression& b) {
  using Part = IndexExpression::Part;
  const int64_t divisor = b.constant_;
  if (a.parts_ > IndexExpression::kMaxParts) return a;
  if (divisor == 1) return a;
  IndexExpression multiple = a.constant_ / divisor;
  IndexExpression rest = a.constant_ % divisor;
  int64_t common = std::gcd(divisor, rest.constant_);
  for (const auto& [coefficient, part] : a.summands_) {
    const bool divides = coefficient % divisor == 0;
    (divides ? multiple : rest).Add(divides ? coefficient / divisor : coefficient, part);
    if (!divides) common = std::gcd(common, coefficient);
  }
  if (rest.Largest() < divisor) return multiple;
  rest.constant_ /= common;
  for (auto& summand : rest.summands_) summand.coefficient /= common;
  int64_t rest_divisor = divisor / common;
  if (const Part* const inner = rest.OnlyPart(); inner != nullptr && inner->kind == Part::Kind::kQuotient) {
    const CheckedInt64 product = CheckedInt64(inner->divisor) * rest_divisor;
    if (!product.overflow) {
      rest_divisor = product.value;
      rest = IndexExpression(inner->operand);  // copies the operand first, because `rest` owns it
    }
  }
  const int64_t largest = rest.Largest() / rest_divisor;
  return multiple + IndexExpression::OfPart({Part::Kind::kQuotient, largest, 0, std::move(rest), rest_divisor});
}

IndexExpression Mod(const IndexExpression& a, const IndexExpression& b) {
  using Part = IndexExpression::Part;
  const int64_t divisor = b.constant_;
  if (a.parts_ > IndexExpression::kMaxParts) return a;
  if (divisor == 1) return 0;
  IndexExpression rest = a.constant_ % divisor;
  int64_t common = std::gcd(divisor, rest.constant_);
  for (const auto& [coefficient, part] : a.summands_) {
    if (coefficient % divisor == 0) continue;
    rest.Add(coefficient, part);
    common = std::gcd(common, coefficient);
  }
  if (rest.Largest() < divisor) return rest;
  rest.constant_ /= common;
  for (auto& summand : rest.summands_) summand.coefficient /= common;
  const int64_t rest_divisor = divisor / common;
  if (const Part* const part = rest.OnlyPart(); part != nullptr) {
    if (part->kind == Part::Kind::kRemainder && part->divisor % rest_divisor == 0) {
      // A remainder of a remainder modulo a multiple is the remainder of the inner operand.
      rest = IndexExpression(part->operand);
    } else if (part->kind == Part::Kind::kQuotient) {
      // ((x mod D) / c) mod m is (x / c) mod m if c * m divides D.
      const Part* const inner = part->operand.OnlyPart();
      const CheckedInt64 product = CheckedInt64(part->divisor) * rest_divisor;
      if (inner != nullptr && inner->kind == Part::Kind::kRemainder && !product.overflow &&
          inner->divisor % product.value == 0) {
        return IndexExpression(common) *
               Mod(FloorDiv(inner->operand, IndexExpression(part->divisor)), IndexExpression(rest_divisor));
      }
    }
  }
  const int64_t largest = std::min(rest.Largest(), rest_divisor - 1);
  return IndexExpression(common) *
         IndexExpression::OfPart({Part::Kind::kRemainder, largest, 0, std::move(rest), rest_divisor});
}

bool IndexExpression::Uses(int64_t dimension) const {
  return std::ranges::any_of(summands_, [dimension](const Summand& summand) {
    const Part& part = *summand.part;
    return part.kind == Part::Kind::kCoordinate ? part.dimension == dimension : part.operand.Uses(dimension);
  });
}

int64_t IndexExpression::Evaluate(std::span<const int64_t> coordinates) const {
  int64_t sum = constant_;
  for (const auto& [coefficient, part] : summands_) {
    switch (part->kind) {
      case Part::Kind::kCoordinate: sum += coefficient * coordinates[static_cast<size_t>(part->dimension)]; break;
      case Part::Kind::kQuotient: sum += coefficient * (part->operand.Evaluate(coordinates) / part->divisor); break;
      case Part::Kind::kRemainder: sum += coefficient * (part->operand.Evaluate(coordinates) % part->divisor); break;
    }
  }
  return sum;
}

std::string IndexExpression::Print(const Part& part, bool c) {
  if (part.kind == Part::Kind::kCoordinate) return StrCat(c ? "i" : "d", part.dimension);
  std::string operand = part.operand.Print(c);
  if (operand.find(' ') != std::string::npos) operand = StrCat("(", operand, ")");
  const bool quotient = part.kind == Part::Kind::kQuotient;
  const std::string_view sign = c ? (quotient ? " / " : " % ") : (quotient ? " floordiv " : " mod ");
  return StrCat(operand, sign, part.divisor);
}

std::vector<IndexExpression::Summand> IndexExpression::InPrintedOrder() const {
  std::vector<Summand> sorted = summands_;
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &Summand::coefficient);
  return sorted;
}

std::string IndexExpression::Print(bool c) const {
  std::string text;
  for (const auto& [coefficient, part] : InPrintedOrder()) {
    std::string factor = Print(*part, c);
    const bool minus = coefficient < 0 && !text.empty();
    if (!text.empty()) text += minus ? " - " : " + ";
    const int64_t shown = minus ? -coefficient : coefficient;  // no coefficient of a layout is the minimum of int64
    if (shown == 1) {
      text += factor;
      continue;
    }
    if (factor.find(' ') != std::string::npos) factor = StrCat("(", factor, ")");
    StrAppend(text, factor, " * ", shown);
  }
  if (text.empty()) return StrCat(constant_);
  if (constant_ != 0) StrAppend(text, constant_ < 0 ? " - " : " + ", constant_ < 0 ? -constant_ : constant_);
  return text;
}

std::string IndexExpression::ToAffine() const { return Print(false); }
std::string IndexExpression::ToC() const { return Print(true); }

}  // namespace layoutcheck
