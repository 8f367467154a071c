// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/formulas/strided.h"
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/verify/formulas/formula.h"
#include "layoutcheck/verify/proof/lines.h"

namespace layoutcheck::verify {
namespace {

constexpr int kMaxNesting = 100;
constexpr int64_t kMaxSwizzleBit = 62;
constexpr size_t kMaxEntries = 200;  // of a shape; the texts of formulas have each of them several times

// Returns true for CuTe's static integers, such as _4 and _-4.
bool IsStaticInteger(std::string_view text) {
  const size_t digit = text.starts_with("_-") ? 2 : 1;
  return text.starts_with("_") && text.size() > digit && TextCursor::IsDigit(text[digit]);
}

// An integer of a shape or stride.
struct Entry {
  std::string_view text;
  std::optional<int64_t> number;  // if it is one, perhaps with a minus sign
  bool is_literal = false;        // a number without one
  bool is_name = false;
  size_t mode = 0;
};

// A shape or stride: its integers, and its parentheses and commas.
struct Side {
  std::vector<Entry> entries;
  std::string structure;
  size_t modes = 0;  // so far
};

// Returns true for names of indices and of their sizes.
bool IsReserved(std::string_view name) {
  return name.size() >= 2 && (name[0] == 'i' || name[0] == 'j' || name[0] == 'd') &&
         std::ranges::all_of(name.substr(1), TextCursor::IsDigit);
}

class StridedReader {
 public:
  explicit StridedReader(std::string_view text) : cursor_(text, " \t\r") {}

  // Reads the layout. Sets the swizzle and the offset before it in `layout`.
  Expected<std::pair<Side, Side>> Run(StridedLayout& layout) {
    LAYOUTCHECK_RETURN_IF_ERROR(TakePrefix(layout));
    Side shape;
    Side stride;
    LAYOUTCHECK_RETURN_IF_ERROR(TakeTuple(shape, 0));
    if (!cursor_.Take(":")) return cursor_.Unexpected("':' and the strides");
    LAYOUTCHECK_RETURN_IF_ERROR(TakeTuple(stride, 0));
    if (!cursor_.AtEnd()) return cursor_.Unexpected("the end of the layout");
    if (shape.structure != stride.structure) return cursor_.Fail("expected a stride of the structure of the shape");
    return std::pair(std::move(shape), std::move(stride));
  }

 private:
  // Reads "Sw<B,M,S> o" and "K o", each of which may be missing.
  Expected<void> TakePrefix(StridedLayout& layout) {
    if (cursor_.Take("Sw<") || cursor_.Take("S<")) {
      int64_t numbers[3];
      for (size_t k = 0; k < 3; ++k) {
        const Expected<int64_t> number = cursor_.TakeInteger();
        if (!number || !cursor_.Take(k == 2 ? ">" : ",")) return cursor_.Fail("expected a swizzle Sw<B,M,S>");
        numbers[k] = std::clamp(*number, -kMaxSwizzleBit - 1, kMaxSwizzleBit + 1);  // the others are refused below
      }
      const auto [bits, base, shift] = layout.swizzle.emplace(numbers[0], numbers[1], numbers[2]);
      const bool is_valid = bits >= 0 && base >= 0 && bits <= std::abs(shift);
      if (!is_valid || bits + base + std::abs(shift) > kMaxSwizzleBit) {
        return cursor_.Fail("expected a swizzle with B >= 0, M >= 0, |S| >= B and M + B + |S| <= 62");
      }
      if (!cursor_.Take("o")) return cursor_.Unexpected("'o' after the swizzle");
    }
    cursor_.SkipBlanks();
    const size_t begin = cursor_.position();
    cursor_.Take("_");  // CuTe's static integer
    const bool is_integer = !cursor_.AtBlank();
    const Expected<int64_t> start = cursor_.TakeInteger();
    if (is_integer && start && cursor_.Take("o")) {
      layout.start = *start;
    } else {
      cursor_.MoveTo(begin);  // an integer of the shape
    }
    return {};
  }

  Expected<void> TakeTuple(Side& side, int nesting) {
    if (nesting > kMaxNesting) return cursor_.Fail(StrCat("expected at most ", kMaxNesting, " nested tuples"));
    if (nesting == 0 && !cursor_.Sees("(")) side.modes = 1;
    if (!cursor_.Take("(")) return TakeEntry(side);
    char separator = '(';
    do {
      side.structure += std::exchange(separator, ',');
      if (nesting == 0) ++side.modes;
      if (auto taken = TakeTuple(side, nesting + 1); !taken) return taken;
    } while (cursor_.Take(","));
    side.structure += ')';
    if (!cursor_.Take(")")) return cursor_.Unexpected("',' or ')'");
    return {};
  }

  Expected<void> TakeEntry(Side& side) {
    if (side.entries.size() == kMaxEntries) return cursor_.Fail(StrCat("expected at most ", kMaxEntries, " integers"));
    cursor_.SkipBlanks();
    std::string_view text = cursor_.TakeWhile([](char c) { return c != ',' && c != '(' && c != ')' && c != ':'; });
    text = text.substr(0, text.find_last_not_of(" \t\r") + 1);
    if (IsStaticInteger(text)) text.remove_prefix(1);
    const auto formulas = ReadFormulas(text);
    if (!formulas) return cursor_.Fail(StrCat("the integer ", Quoted(text), ": ", formulas.error()));
    const Formula& formula = formulas->front();
    std::vector<std::string_view> names;
    AppendFreeNames(formula, names);
    if (std::ranges::any_of(names, IsReserved)) {
      return cursor_.Fail(StrCat("expected a name that is none of an index or its size, found ", Quoted(text)));
    }
    const FormulaNode& root = formula.nodes[formula.root];
    Entry& entry = side.entries.emplace_back(Entry{.text = text, .number = {}, .mode = side.modes - 1});
    entry.is_name = root.op == Operator::kName;
    entry.is_literal = root.op == Operator::kNumber;
    if (entry.is_literal) entry.number = root.number;
    if (root.op == Operator::kNegate && formula.nodes[root.operands[0]].op == Operator::kNumber) {
      entry.number = -formula.nodes[root.operands[0]].number;
    }
    side.structure += '.';
    return {};
  }

  TextCursor cursor_;
};

// A product of integers as a text, with the numbers multiplied.
class Product {
 public:
  // Returns false if the number does not fit int64.
  bool Multiply(const Entry& entry) {
    if (entry.is_literal) return !__builtin_mul_overflow(number_, *entry.number, &number_);
    if (!factors_.empty()) factors_ += " * ";
    factors_ += entry.is_name ? std::string(entry.text) : StrCat("(", entry.text, ")");
    return true;
  }
  bool IsOne() const { return number_ == 1 && factors_.empty(); }
  std::string Text() const {
    if (factors_.empty()) return StrCat(number_);
    return number_ == 1 ? factors_ : StrCat(number_, " * ", factors_);
  }

 private:
  int64_t number_ = 1;
  std::string factors_;
};

// Appends the share of one integer in the offset: the part of the mode's index above those before it, whose product is
// `weight`, reduced by its extent unless it is the mode's last.
void AppendShare(const Entry& extent, const Entry& stride, const Product& weight, bool is_last, std::string& offset) {
  if (stride.is_literal && *stride.number == 0) return;
  std::string digit = StrCat("i", extent.mode);
  if (!weight.IsOne()) digit = StrCat("(", digit, " floordiv (", weight.Text(), "))");
  if (!is_last) digit = StrCat("(", digit, " mod (", extent.text, "))");
  if (!stride.is_literal || *stride.number != 1) StrAppend(digit, " * (", stride.text, ")");
  StrAppend(offset, offset.empty() ? "" : " + ", digit);
}

}  // namespace

Int128 StridedLayout::Swizzle::Apply(Int128 value) const {
  const Int128 ones = (Int128{1} << bits) - 1;
  const Int128 read = value & (ones << (base + std::max(shift, int64_t{0})));
  return value ^ (shift >= 0 ? read >> shift : read << -shift);
}

bool IsStrided(std::string_view text) { return text.find('[') == std::string_view::npos; }

std::expected<StridedLayout, std::string> ReadStrided(std::string_view text) {
  StridedLayout layout;
  const auto read = StridedReader(text).Run(layout);
  if (!read) return std::unexpected(read.error().ToString());
  const std::vector<Entry>& shape = read->first.entries;
  const std::vector<Entry>& stride = read->second.entries;
  layout.leaves.emplace();
  layout.structure = read->first.structure;
  Product weight;  // of the integers before in the mode
  Product size;
  for (size_t k = 0; k < shape.size(); ++k) {
    const bool is_last = k + 1 == shape.size() || shape[k + 1].mode != shape[k].mode;
    layout.integers.push_back({shape[k].text, stride[k].text});
    AppendShare(shape[k], stride[k], weight, is_last, layout.offset);
    if (!weight.Multiply(shape[k]) || !size.Multiply(shape[k])) {
      return std::unexpected("expected a number of elements that fits int64");
    }
    if (is_last) {
      const std::string bound = std::exchange(weight, {}).Text();
      StrAppend(layout.over, layout.over.empty() ? "" : ", ", "i", shape[k].mode, " < ", bound);
    }
    if (shape[k].number.value_or(0) < 0) return std::unexpected("expected sizes that are at least 0");
    const bool is_number = shape[k].number && stride[k].number;
    if (!is_number) layout.leaves.reset();
    if (layout.leaves) layout.leaves->push_back({*shape[k].number, *stride[k].number});
  }
  if (layout.IsComposed() && !layout.leaves) {
    return std::unexpected("expected a layout of numbers after a swizzle or an offset");
  }
  if (layout.offset.empty()) layout.offset = "0";
  layout.size = size.Text();
  return layout;
}

}  // namespace layoutcheck::verify
