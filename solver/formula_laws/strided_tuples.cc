// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_laws/strided_tuples.h"
#include <algorithm>
#include <cctype>
#include <cstdint>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"

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
    Expected<StridedTuple> shape = ReadTuple(0);
    if (!shape) return std::unexpected(shape.error());
    if (!cursor_.Take(":")) return cursor_.Unexpected("':' and the strides");
    Expected<StridedTuple> stride = ReadTuple(0);
    if (!stride) return std::unexpected(stride.error());
    if (!cursor_.AtEnd()) return cursor_.Unexpected("end of text");
    return std::pair(*std::move(shape), *std::move(stride));
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
      Expected<StridedTuple> part = ReadTuple(nesting + 1);
      if (!part) return part;
      tuple.parts.push_back(*std::move(part));
    } while (cursor_.Take(","));
    if (!cursor_.Take(")")) return cursor_.Unexpected("',' or ')'");
    return tuple;
  }

  Expected<StridedTuple> ReadEntry() {
    cursor_.SkipBlanks();
    const int64_t column = cursor_.column();
    const std::string_view text =
        cursor_.TakeWhile([](char c) { return c != ',' && c != '(' && c != ')' && c != ':'; });
    Expected<Formula> formula = ParseFormula(IsStaticInteger(text) ? text.substr(1) : text);
    if (!formula) {
      return MakeError(ErrorKind::kSyntax, std::move(formula.error().message), column + formula.error().column - 1);
    }
    for (const std::string& name : formula->names) {
      if (IsReservedName(name)) {
        return MakeError(ErrorKind::kSyntax, StrCat("expected another name: ", name, " is an index or a dimension"),
                         column);
      }
    }
    std::string printed = FormulaText(*formula);
    return StridedTuple{StridedEntry{std::move(printed), *std::move(formula)}, {}};
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

class Converter {
 public:
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
    return std::move(result_);
  }

 private:
  static std::unexpected<Error> Different() {
    return MakeError(ErrorKind::kInvalidLayout, "expected a shape and a stride of the same structure");
  }

  // Adds the integers of a mode, the fastest first; `weight` is the product of the sizes so far. Returns false and sets
  // failure_ if the structures differ.
  bool AddMode(const StridedTuple& shape, const StridedTuple& stride, const std::string& index, Product& weight) {
    if (shape.entry.has_value() != stride.entry.has_value() || shape.parts.size() != stride.parts.size()) return false;
    for (size_t k = 0; k < shape.parts.size(); ++k) {
      if (!AddMode(shape.parts[k], stride.parts[k], index, weight)) return false;
    }
    if (!shape.entry) return true;
    FinishLeaf(/*is_last=*/false);
    pending_ = Leaf{weight.IsOne() ? index : StrCat("(", index, " floordiv (", weight.Text(), "))"), &*shape.entry,
                    &*stride.entry};
    if (weight.Multiply(*shape.entry) && size_.Multiply(*shape.entry)) return true;
    failure_ = MakeError(ErrorKind::kOverflow, "the number of elements does not fit int64");
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
  std::optional<Leaf> pending_;
  std::unexpected<Error> failure_ = Different();
};

}  // namespace

Expected<std::pair<StridedTuple, StridedTuple>> ReadStridedTuples(std::string_view text) {
  return StridedReader(text).Run();
}

Expected<StridedFormula> FormulaOfTuples(const StridedTuple& shape, const StridedTuple& stride) {
  return Converter().Run(shape, stride);
}

}  // namespace layoutcheck
