// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cctype>
#include <cstdint>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/solver/formula_laws/strided_formula.h"

namespace layoutcheck {
namespace {

constexpr int kMaxNesting = 100;

// Returns true for CuTe's static integers, such as _4 and _-4.
bool IsStaticInteger(std::string_view text) {
  const size_t digit = text.starts_with("_-") ? 2 : 1;
  return text.starts_with("_") && text.size() > digit && std::isdigit(static_cast<unsigned char>(text[digit])) != 0;
}

class StridedReader {
 public:
  explicit StridedReader(std::string_view text) : cursor_(text, " \t\r\n") {}

  Expected<std::pair<StridedTuple, StridedTuple>> Run() {
    LAYOUTCHECK_TRY(StridedTuple shape, ReadTuple(0));
    if (!cursor_.Take(":")) return cursor_.Unexpected("':' and the strides");
    LAYOUTCHECK_TRY(StridedTuple stride, ReadTuple(0));
    if (!cursor_.AtEnd()) return cursor_.Unexpected("end of text");
    return std::pair(std::move(shape), std::move(stride));
  }

 private:
  Expected<StridedTuple> ReadTuple(int nesting) {
    if (nesting > kMaxNesting) return cursor_.Fail(StrCat("expected at most ", kMaxNesting, " nested tuples"));
    if (!cursor_.Take("(")) return ReadEntry();
    if (cursor_.Take(")")) {
      return cursor_.Fail("an empty tuple beside names: expected 1 in the shape and 0 in the stride");
    }
    StridedTuple tuple;
    do {
      LAYOUTCHECK_TRY(StridedTuple part, ReadTuple(nesting + 1));
      tuple.parts.push_back(std::move(part));
    } while (cursor_.Take(","));
    if (!cursor_.Take(")")) return cursor_.Unexpected("',' or ')'");
    return tuple;
  }

  Expected<StridedTuple> ReadEntry() {
    cursor_.SkipBlanks();
    const int64_t column = cursor_.column();
    const std::string_view text =
        cursor_.TakeWhile([](char c) { return c != ',' && c != '(' && c != ')' && c != ':'; });
    LAYOUTCHECK_TRY(Formula formula, ParseEntryFormula(IsStaticInteger(text) ? text.substr(1) : text, column));
    std::string printed = FormulaText(formula);
    return StridedTuple{StridedEntry{std::move(printed), std::move(formula)}, {}};
  }

  TextCursor cursor_;
};

// Returns the value of an entry that is a literal.
std::optional<int64_t> NumberOf(const StridedEntry& entry) {
  const FormulaNode& root = entry.formula.nodes.back();
  return root.op == FormulaOp::kLiteral ? std::optional(root.value) : std::nullopt;
}

// A product of entries, with the numbers multiplied.
class Product {
 public:
  // Returns false if the number does not fit int64.
  bool Multiply(const StridedEntry& entry) {
    if (const auto number = NumberOf(entry)) return !__builtin_mul_overflow(number_, *number, &number_);
    const bool is_name = entry.formula.nodes.size() == 1;
    if (!factors_.empty()) factors_ += " * ";
    factors_ += is_name ? entry.text : StrCat("(", entry.text, ")");
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

// The numbers of elements between the smallest and the largest offset, by sizes and strides.
class Extent {
 public:
  // All names are >= 0 but `signed_names`.
  explicit Extent(const std::vector<std::string>& signed_names) : signed_names_(signed_names) {}

  void Add(const StridedEntry& size, const StridedEntry& stride) { leaves_.emplace_back(&size, &stride); }

  // Returns 1 + the sum of (size - 1) * |stride|.
  std::string Text() const {
    std::string text = "1";
    for (const auto& [size, stride] : leaves_) {
      if (NumberOf(*stride) == 0) continue;
      const bool has_sign = !IsNotNegative(stride->formula, stride->formula.root());
      const std::string distance =
          has_sign ? StrCat("max(", stride->text, ", 0 - (", stride->text, "))") : stride->text;
      StrAppend(text, " + (", size->text, " - 1) * (", distance, ")");
    }
    const Expected<Formula> formula = ParseFormula(text);
    return formula ? FormulaText(*formula) : text;
  }

  // Returns the names of sizes whose strides are at least 1 where there is an element: they are at most the extent.
  std::vector<std::string> NamesWithin() const {
    std::vector<std::string> names;
    for (const auto& [size, stride] : leaves_) {
      if (IsName(*size) && IsPositive(stride->formula, stride->formula.root())) names.push_back(size->text);
    }
    return names;
  }

 private:
  static bool IsName(const StridedEntry& entry) { return entry.formula.nodes.back().op == FormulaOp::kName; }

  bool IsSigned(const std::string& name) const { return std::ranges::find(signed_names_, name) != signed_names_.end(); }

  bool IsNotNegative(const Formula& formula, uint32_t number) const {
    const FormulaNode& node = formula.nodes[number];
    switch (node.op) {
      case FormulaOp::kLiteral: return node.value >= 0;
      case FormulaOp::kName: return !IsSigned(formula.names[node.name]);
      case FormulaOp::kAdd:
      case FormulaOp::kMultiply:
      case FormulaOp::kFloorDiv:
      case FormulaOp::kCeilDiv:
      case FormulaOp::kDivide:
        return IsNotNegative(formula, node.operands[0]) && IsNotNegative(formula, node.operands[1]);
      default: return false;
    }
  }

  // A size is at least 1 where there is an element.
  bool IsPositive(const Formula& formula, uint32_t number) const {
    const FormulaNode& node = formula.nodes[number];
    const auto is_positive = [&](int operand) { return IsPositive(formula, node.operands[operand]); };
    const auto is_not_negative = [&](int operand) { return IsNotNegative(formula, node.operands[operand]); };
    switch (node.op) {
      case FormulaOp::kLiteral: return node.value >= 1;
      case FormulaOp::kName: return !IsSigned(formula.names[node.name]) && IsSize(formula.names[node.name]);
      case FormulaOp::kAdd: return (is_positive(0) && is_not_negative(1)) || (is_not_negative(0) && is_positive(1));
      case FormulaOp::kMultiply: return is_positive(0) && is_positive(1);
      case FormulaOp::kCeilDiv: return is_positive(0) && is_not_negative(1);
      default: return false;
    }
  }

  bool IsSize(const std::string& name) const {
    return std::ranges::any_of(leaves_,
                               [&](const auto& leaf) { return IsName(*leaf.first) && leaf.first->text == name; });
  }

  const std::vector<std::string>& signed_names_;
  std::vector<std::pair<const StridedEntry*, const StridedEntry*>> leaves_;
};

class Converter {
 public:
  explicit Converter(const std::vector<std::string>& signed_names) : extent_(signed_names) {}

  Expected<StridedFormula> Run(const StridedTuple& shape, const StridedTuple& stride) {
    const std::vector<StridedTuple> whole_shape = {shape};
    const std::vector<StridedTuple> whole_stride = {stride};
    const auto& shapes = shape.entry ? whole_shape : shape.parts;
    const auto& strides = stride.entry ? whole_stride : stride.parts;
    if (shape.entry.has_value() != stride.entry.has_value() || shapes.size() != strides.size()) return Different();
    for (size_t k = 0; k < shapes.size(); ++k) {
      Product weight;
      pending_.reset();
      if (!AddMode(shapes[k], strides[k], StrCat("i", k), weight)) return failure_;
      FinishLeaf(/*is_last=*/true);
      if (!result_.over.empty()) result_.over += ", ";
      result_.extents.push_back(weight.Text());
      StrAppend(result_.over, "i", k, " < ", result_.extents.back());
    }
    if (result_.offset.empty()) result_.offset = "0";
    AddNames(shape);
    AddNames(stride);
    result_.size = size_.Text();
    result_.extent = extent_.Text();
    result_.names_within_extent = extent_.NamesWithin();
    return std::move(result_);
  }

 private:
  static std::unexpected<Error> Different() {
    return LayoutError("expected a shape and a stride of the same structure");
  }

  // Adds the integers of a mode, the fastest first; `weight` is the product of the sizes so far. Returns false and sets
  // failure_ if the structures differ.
  bool AddMode(const StridedTuple& shape, const StridedTuple& stride, const std::string& index, Product& weight) {
    if (shape.entry.has_value() != stride.entry.has_value() || shape.parts.size() != stride.parts.size()) return false;
    for (size_t k = 0; k < shape.parts.size(); ++k) {
      if (!AddMode(shape.parts[k], stride.parts[k], index, weight)) return false;
    }
    if (!shape.entry) return true;
    extent_.Add(*shape.entry, *stride.entry);
    FinishLeaf(/*is_last=*/false);
    pending_ = Leaf{weight.IsOne() ? index : StrCat("(", index, " floordiv (", weight.Text(), "))"), &*shape.entry,
                    &*stride.entry};
    if (weight.Multiply(*shape.entry) && size_.Multiply(*shape.entry)) return true;
    failure_ = OverflowError("the number of elements does not fit int64");
    return false;
  }

  // Adds the offset of the leaf before. The last leaf of a mode is not reduced, because the index is below its bound.
  void FinishLeaf(bool is_last) {
    if (!pending_) return;
    const auto [digit, extent, stride] = *std::exchange(pending_, std::nullopt);
    if (NumberOf(*stride) == 0) return;
    const std::string reduced = is_last ? digit : StrCat("(", digit, " mod (", extent->text, "))");
    if (!result_.offset.empty()) result_.offset += " + ";
    result_.offset += NumberOf(*stride) == 1 ? reduced : StrCat(reduced, " * (", stride->text, ")");
  }

  void AddNames(const StridedTuple& tuple) {
    for (const StridedTuple& part : tuple.parts) AddNames(part);
    if (!tuple.entry) return;
    for (const std::string& name : tuple.entry->formula.names) {
      if (std::ranges::find(result_.names, name) == result_.names.end()) result_.names.push_back(name);
    }
  }

  struct Leaf {
    std::string digit;
    const StridedEntry* extent;
    const StridedEntry* stride;
  };

  StridedFormula result_;
  Product size_;
  Extent extent_;
  std::optional<Leaf> pending_;
  std::unexpected<Error> failure_ = Different();
};

}  // namespace

Expected<Formula> ParseEntryFormula(std::string_view text, int64_t column) {
  Expected<Formula> formula = ParseFormula(text);
  if (!formula) {
    return MakeError(ErrorKind::kSyntax, std::move(formula.error().message), column + formula.error().column - 1);
  }
  const auto is_reserved = [](std::string_view name) {
    return name.size() >= 2 && (name[0] == 'i' || name[0] == 'd' || name[0] == 'j') &&
           std::ranges::all_of(name.substr(1), [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  const auto reserved = std::ranges::find_if(formula->names, is_reserved);
  if (reserved == formula->names.end()) return formula;
  return MakeError(ErrorKind::kSyntax, StrCat("expected another name: ", *reserved, " is an index or a dimension"),
                   column);
}

Expected<std::pair<StridedTuple, StridedTuple>> ReadStridedTuples(std::string_view text) {
  return StridedReader(text).Run();
}

Expected<StridedFormula> FormulaOfTuples(const StridedTuple& shape, const StridedTuple& stride,
                                         const std::vector<std::string>& signed_names) {
  return Converter(signed_names).Run(shape, stride);
}

}  // namespace layoutcheck
