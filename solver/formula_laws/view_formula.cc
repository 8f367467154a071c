// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_laws/view_formula.h"
#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/core/shape_stride/view.h"
#include "layoutcheck/solver/formula_laws/strided_formula.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"

namespace layoutcheck {
namespace {

// Limit of conditions that are tried for a view. It bounds the time.
constexpr size_t kMaxTries = 64;

// The whole as texts of formulas.
struct Whole {
  std::string offset;                   // formula of the offset over i0, i1, ...
  std::vector<std::string> extents;     // size of each dimension
  std::vector<std::string> tile_names;  // names of tile sizes, which are at least 1
};

// The part of one dimension that a view has. Without an end it goes to the end of the whole.
struct Range {
  std::string begin = "0";
  std::optional<std::string> end;
  bool is_kept = true;
};

bool IsNumber(std::string_view text) { return text.find_first_not_of("0123456789") == std::string_view::npos; }

// Returns the formula without needless parentheses.
std::string Simple(const std::string& text) {
  const Expected<Formula> formula = ParseFormula(text);
  return formula ? FormulaText(*formula) : text;
}

// Returns the number of elements of a range with an end, beyond the whole or not.
std::string SizeOf(const Range& range) {
  const std::string begin = range.begin + " + ";
  return range.end->starts_with(begin) ? range.end->substr(begin.size())
                                       : StrCat("(", *range.end, ") - (", range.begin, ")");
}

Expected<Whole> ReadWhole(std::string_view text) {
  if (IsStridedText(text)) {
    LAYOUTCHECK_TRY(StridedFormula strided, ReadStridedFormula(text));
    return Whole{std::move(strided.offset), std::move(strided.extents), {}};
  }
  LAYOUTCHECK_TRY(const SymbolicLayout layout, ParseSymbolicLayout(text));
  Whole whole{LayoutFormula(layout), {}, {}};
  for (const SymbolicSize& size : layout.layout.dimensions) {
    whole.extents.push_back(size.name.empty() ? StrCat(size.value) : size.name);
  }
  for (const std::string& name : layout.names) {
    if (layout.IsTileName(name)) whole.tile_names.push_back(name);
  }
  return whole;
}

// Reads the ranges behind the '@' of a view.
class RangeReader {
 public:
  RangeReader(std::string_view text, size_t at) : cursor_(text) { cursor_.MoveTo(at); }

  Expected<std::vector<Range>> Run(size_t dimensions) {
    const int64_t column = cursor_.column();
    std::vector<Range> ranges;
    cursor_.Take("@");
    cursor_.Take("[");
    if (!cursor_.Take("]")) {
      do {
        LAYOUTCHECK_TRY(Range range, ReadRange());
        ranges.push_back(std::move(range));
      } while (cursor_.Take(","));
      if (!cursor_.Take("]")) return cursor_.Unexpected("',' or ']'");
    }
    if (!cursor_.AtEnd()) return cursor_.Unexpected("the end of the text");
    if (ranges.size() == dimensions) return ranges;
    return ErrorAt(column,
                   LayoutError("a view of ", ranges.size(), " ranges: expected ", dimensions, ", one per dimension"));
  }

 private:
  Expected<Range> ReadRange() {
    if (cursor_.Take("_")) return Range{};
    Range range;
    cursor_.SkipBlanks();
    if (!cursor_.Sees(":")) {
      LAYOUTCHECK_TRY(range.begin, ReadFormula());
    }
    if (!cursor_.Take(":")) {
      range.is_kept = false;
      return range;
    }
    cursor_.SkipBlanks();
    if (cursor_.Sees(",") || cursor_.Sees("]")) return range;
    LAYOUTCHECK_TRY(range.end, ReadFormula());
    return range;
  }

  // Reads a formula up to the ',', ':' or ']' that is in no parentheses.
  Expected<std::string> ReadFormula() {
    const int64_t column = cursor_.column();
    int depth = 0;
    const std::string_view text = cursor_.TakeWhile([&](char c) {
      if (c == '(' || c == '[') ++depth;
      if (depth == 0 && (c == ',' || c == ':' || c == ']')) return false;
      if (c == ')' || c == ']') --depth;
      return true;
    });
    LAYOUTCHECK_TRY(const Formula formula, ParseEntryFormula(text, column));
    return FormulaText(formula);
  }

  TextCursor cursor_;
};

// Returns the words of a text and what stands between them.
std::vector<std::string_view> Words(std::string_view text) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const auto end = std::ranges::find_if(text, [&](char c) { return is_word(c) != is_word(text[0]); });
    words.push_back(text.substr(0, static_cast<size_t>(end - text.begin())));
    text.remove_prefix(words.back().size());
  }
  return words;
}

// Returns the formula with a text in place of each index i0, i1, ...
std::string WithIndices(std::string_view formula, const std::vector<std::string>& indices) {
  std::string result;
  for (const std::string_view word : Words(formula)) {
    const bool is_index = word.size() > 1 && word[0] == 'i' && IsNumber(word.substr(1));
    result += is_index ? indices[static_cast<size_t>(std::stoul(std::string(word.substr(1))))] : std::string(word);
  }
  return result;
}

bool Mentions(const Formula& formula, uint32_t node, std::string_view name) {
  const FormulaNode& part = formula.nodes[node];
  if (part.op == FormulaOp::kName) return formula.names[part.name] == name;
  for (int k = 0; k < OperandCount(part.op); ++k) {
    if (Mentions(formula, part.operands[k], name)) return true;
  }
  return false;
}

// Returns the numbers and names that divide the index i<dimension> in the offset: numbers first, in ascending order.
std::vector<std::string> BlockSizes(const Formula& offset, size_t dimension) {
  std::set<int64_t> numbers;
  std::vector<std::string> others;
  for (const FormulaNode& node : offset.nodes) {
    const bool divides = node.op == FormulaOp::kDivide || node.op == FormulaOp::kRemainder ||
                         node.op == FormulaOp::kFloorDiv || node.op == FormulaOp::kMod;
    if (!divides || !Mentions(offset, node.operands[0], StrCat("i", dimension))) continue;
    const FormulaNode& divisor = offset.nodes[node.operands[1]];
    std::string text = FormulaText(offset, node.operands[1]);
    if (divisor.op == FormulaOp::kLiteral) {
      if (divisor.value > 1) numbers.insert(divisor.value);
    } else if (std::ranges::find(others, text) == others.end()) {
      others.push_back(std::move(text));
    }
  }
  std::vector<std::string> sizes;
  for (const int64_t number : numbers) sizes.push_back(StrCat(number));
  sizes.insert(sizes.end(), others.begin(), others.end());
  return sizes;
}

// Returns the claim that the strides of the whole are right for the view.
FormulaRequest ClaimOf(const Whole& whole, const std::vector<Range>& ranges,
                       const std::vector<std::string>& assumptions) {
  FormulaRequest request;
  std::vector<std::string> in_whole;  // coordinate of an element in the whole
  std::vector<std::string> in_view;   // coordinate of the element in the view
  std::vector<std::string> origin;
  for (const std::string& name : whole.tile_names) request.assumptions.push_back(StrCat(name, " >= 1"));
  size_t kept = 0;
  for (size_t k = 0; k < ranges.size(); ++k) {
    const Range& range = ranges[k];
    origin.push_back(StrCat("(", range.begin, ")"));
    in_view.push_back(range.is_kept ? StrCat("i", kept++) : "0");
    in_whole.push_back(range.is_kept ? StrCat("(", range.begin, " + ", in_view.back(), ")") : origin.back());
    if (!IsNumber(range.begin)) request.assumptions.push_back(StrCat(range.begin, " >= 0"));
    if (range.is_kept) {
      StrAppend(request.over, request.over.empty() ? "" : ", ", in_view.back(), " < ",
                range.end.value_or(whole.extents[k]), range.begin == "0" ? "" : StrCat(" - (", range.begin, ")"));
    }
    if (range.end || !range.is_kept) request.assumptions.push_back(StrCat(in_whole.back(), " < ", whole.extents[k]));
  }
  request.assumptions.insert(request.assumptions.end(), assumptions.begin(), assumptions.end());
  request.formula = StrCat(WithIndices(whole.offset, origin), " + ", WithIndices(whole.offset, in_view));
  request.equals = WithIndices(whole.offset, in_whole);
  return request;
}

// Returns the conditions that may make the strides right in one dimension, the weakest first; the first is empty.
std::vector<std::string> ConditionsOf(const Formula& offset, size_t dimension, const Range& range) {
  std::vector<std::string> conditions = {""};
  const bool has_name = std::ranges::any_of(range.begin, [](unsigned char c) { return std::isalpha(c) != 0; });
  if (!has_name || !range.is_kept) return conditions;
  for (const std::string& size : BlockSizes(offset, dimension)) {
    const std::string place = StrCat("(", range.begin, ") % (", size, ")");
    std::string condition = StrCat(place, " == 0");
    const bool may_fit =
        range.end && !(IsNumber(SizeOf(range)) && IsNumber(size) && std::stoll(SizeOf(range)) >= std::stoll(size));
    if (may_fit) StrAppend(condition, " || ", place, " + ", SizeOf(range), " <= ", size);
    conditions.push_back(Simple(condition));
  }
  return conditions;
}

// Sorts names, or pairs of names and values, by where they first stand in the text; others stay behind.
template <class Items, class Name>
void SortByPlace(std::string_view text, Items& items, const Name& name) {
  const std::vector<std::string_view> words = Words(text);
  std::ranges::stable_sort(items, {}, [&](const auto& item) { return std::ranges::find(words, name(item)); });
}

// Calls visit(places) for one place per list, with the smallest sums of places first, until it returns true.
template <class Visit>
void ForPlaces(const std::vector<std::vector<std::string>>& lists, const Visit& visit) {
  size_t largest = 0;
  for (const auto& list : lists) largest += list.size() - 1;
  std::vector<size_t> places(lists.size());
  const auto fill = [&](const auto& self, size_t list, size_t sum) -> bool {
    if (list == lists.size()) return sum == 0 && visit(places);
    for (places[list] = 0; places[list] < lists[list].size() && places[list] <= sum; ++places[list]) {
      if (self(self, list + 1, sum - places[list])) return true;
    }
    return false;
  };
  for (size_t sum = 1; sum <= largest; ++sum) {
    if (fill(fill, 0, sum)) return;
  }
}

}  // namespace

Expected<ViewProof> ProveStridedForm(std::string_view text, const std::vector<std::string>& assumptions,
                                     const ProveOptions& options) {
  const size_t at = FindView(text);
  if (at == std::string_view::npos) return MakeError(ErrorKind::kSyntax, "expected a view behind '@'");
  const std::string_view layout = text.substr(0, at);
  if (FindView(layout) != std::string_view::npos) {
    return ErrorAt(static_cast<int64_t>(FindView(layout)) + 1,
                   UnsupportedError("expected a view of a layout, found a view of a view"));
  }
  LAYOUTCHECK_TRY(const Whole whole, ReadWhole(layout));
  LAYOUTCHECK_TRY(const auto ranges, RangeReader(text, at).Run(whole.extents.size()));
  const auto prove = [&](const std::vector<std::string>& conditions) {
    return ProveFormula(ClaimOf(whole, ranges, conditions), options);
  };
  LAYOUTCHECK_TRY(ProofResult result, prove(assumptions));
  ViewProof proof{std::move(result), {}};
  if (std::string& certificate = proof.result.certificate; !certificate.empty()) {
    certificate = WithSource(certificate, "formula", ClaimLinesOf(ClaimOf(whole, ranges, assumptions)), text);
  }
  proof.result.layout = text;
  proof.result.law = kStridedFormLaw;
  for (const std::string& name : whole.tile_names) proof.result.ranges[name] = kPositiveRange;
  SortByPlace(text, proof.result.for_all, [](const std::string& name) { return name; });
  SortByPlace(text, proof.result.counterexample, [](const auto& value) { return value.first; });
  if (proof.result.verdict != ProofVerdict::kRefuted) return proof;
  const Expected<Formula> offset = ParseFormula(whole.offset);
  if (!offset) return proof;
  std::vector<std::vector<std::string>> conditions;
  for (size_t k = 0; k < ranges.size(); ++k) conditions.push_back(ConditionsOf(*offset, k, ranges[k]));
  size_t tries = 0;
  ForPlaces(conditions, [&](const std::vector<size_t>& places) {
    std::vector<std::string> all = assumptions;
    std::vector<std::string> added;
    for (size_t k = 0; k < places.size(); ++k) {
      if (places[k] > 0) added.push_back(conditions[k][places[k]]);
    }
    all.insert(all.end(), added.begin(), added.end());
    const Expected<ProofResult> tried = prove(all);
    if (tried && tried->verdict == ProofVerdict::kProved) {
      proof.right_while = added.size() == 1 ? added[0] : Simple(StrCat("(", StrJoin(added, ") && ("), ")"));
    }
    return !proof.right_while.empty() || ++tries == kMaxTries;
  });
  return proof;
}

}  // namespace layoutcheck
