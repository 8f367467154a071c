// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/layout_proof/layout_formula.h"
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

// An integer that records its computation as text, except operators of constants, which it computes.
class WrittenInteger {
 public:
  WrittenInteger(int64_t value = 0) : value_(value) {}  // NOLINT(google-explicit-constructor): mixes with literals
  explicit WrittenInteger(std::string text) : text_(std::move(text)) {}

  std::string text() const { return text_.empty() ? StrCat(value_.value) : text_; }

  friend WrittenInteger operator+(const WrittenInteger& a, const WrittenInteger& b) {
    if (a.Is(0)) return b;
    if (b.Is(0)) return a;
    return Written(a, " + ", b, a.value_ + b.value_);
  }
  friend WrittenInteger operator*(const WrittenInteger& a, const WrittenInteger& b) {
    if (a.Is(1) || b.Is(0)) return b;
    if (b.Is(1) || a.Is(0)) return a;
    return Written(a, " * ", b, a.value_ * b.value_);
  }
  friend WrittenInteger FloorDiv(const WrittenInteger& a, const WrittenInteger& b) {
    return b.Is(1) ? a : Written(a, " / ", b, FloorDiv(a.value_, b.value_));
  }
  friend WrittenInteger Mod(const WrittenInteger& a, const WrittenInteger& b) {
    return b.Is(1) ? WrittenInteger(0) : Written(a, " % ", b, Mod(a.value_, b.value_));
  }
  friend WrittenInteger CeilDiv(const WrittenInteger& a, const WrittenInteger& b) {
    if (b.Is(1)) return a;
    if (a.text_.empty() && b.text_.empty()) return Constant(CeilDiv(a.value_, b.value_));
    const std::string less_one = b.text_.empty() ? StrCat(" + ", b.value_.value - 1) : StrCat(" + ", b.text_, " - 1");
    return Written(WrittenInteger(StrCat("(", a.text(), less_one, ")")), " / ", b, {});
  }

 private:
  bool Is(int64_t number) const { return text_.empty() && !value_.overflow && value_.value == number; }
  // A number that does not fit int64 becomes a product that does not fit either; the layout has no index then.
  static WrittenInteger Constant(CheckedInt64 value) {
    WrittenInteger result;
    result.value_ = value;
    return result;
  }
  static WrittenInteger Written(const WrittenInteger& a, const char* op, const WrittenInteger& b, CheckedInt64 value) {
    if (a.text_.empty() && b.text_.empty()) return Constant(value);
    return WrittenInteger(StrCat("(", a.text(), op, b.text(), ")"));
  }

  std::string text_;  // empty for a constant
  CheckedInt64 value_;
};

}  // namespace

std::string LayoutFormula(const SymbolicLayout& layout) {
  const auto written = [](const SymbolicSize& size) {
    return size.name.empty() ? WrittenInteger(size.value) : WrittenInteger(size.name);
  };
  BasicTiledLayout<WrittenInteger> sizes{{}, layout.layout.minor_to_major, {}};
  std::vector<WrittenInteger> index;
  for (const SymbolicSize& size : layout.layout.dimensions) {
    index.emplace_back(StrCat("i", index.size()));
    sizes.dimensions.push_back(written(size));
  }
  for (const auto& tile : layout.layout.tiles) {
    auto& entries = sizes.tiles.emplace_back();
    for (const auto& entry : tile) {
      entries.push_back({entry.combine, entry.combine ? WrittenInteger(1) : written(entry.size)});
    }
  }
  return BasicTiledIndex<WrittenInteger>(sizes)(index).text();
}

}  // namespace layoutcheck
