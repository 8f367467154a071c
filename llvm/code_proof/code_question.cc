// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/code_proof/code_question.h"
#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <map>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_laws/strided_formula.h"
#include "layoutcheck/solver/formula_proof/formula_point.h"

namespace layoutcheck {
namespace {

// The memory that the function writes: "out[3]".
struct ResultPlace {
  std::string name;
  std::optional<int64_t> element;
};

Expected<ResultPlace> ParseResult(const std::string& text) {
  if (text.empty()) return ResultPlace{};
  const size_t bracket = text.find('[');
  int64_t element = -1;
  if (bracket != std::string::npos && bracket > 0 && text.ends_with(']')) {
    const char* const end = text.data() + text.size() - 1;
    const auto read = std::from_chars(text.data() + bracket + 1, end, element);
    if (read.ec == std::errc() && read.ptr == end && element >= 0) return ResultPlace{text.substr(0, bracket), element};
  }
  return MakeError(ErrorKind::kInvalidArgument,
                   StrCat("--result: expected NAME[NUMBER] such as out[0], found '", text, "'"));
}

bool IsNumber(const std::string& value) { return value[0] == '-' || (value[0] >= '0' && value[0] <= '9'); }

// Returns a formula in which each name of the arguments stands at its column, for messages.
std::string SumOf(std::string arguments, const std::string& result, const std::vector<std::string>& values) {
  for (size_t at = 0; at < arguments.size();) {
    const char c = arguments[at];
    const size_t end = std::min(arguments.find_first_of("[]{}, ", at), arguments.size());
    if (end == at) {
      arguments[at++] = c == ',' ? '+' : ' ';
      continue;
    }
    const std::string word = arguments.substr(at, end - at);
    if (word == "_" || word == result) arguments.replace(at, end - at, StrCat("0", std::string(end - at - 1, ' ')));
    at = end;
  }
  for (const std::string& value : values) {
    if (value[0] == '_') StrAppend(arguments, "+", value);
  }
  return arguments;
}

// Returns true for i0, i1, ... and d0, d1, ...
bool IsIndexOrDimension(const std::string& name) {
  return name.size() > 1 && (name[0] == 'i' || name[0] == 'd') &&
         name.find_first_not_of("0123456789", 1) == std::string::npos;
}

// Finds the names that assumptions bound from below by an index, by a number that is not negative, or by such a name.
class LowerBounds {
 public:
  explicit LowerBounds(std::map<std::string, NameRange>& ranges) : ranges_(ranges) {}

  // Reads a part of an assumption that must be true.
  void Read(const Formula& formula, uint32_t number) {
    const FormulaNode& node = formula.nodes[number];
    const uint32_t left = node.operands[0];
    const uint32_t right = node.operands[1];
    switch (node.op) {
      case FormulaOp::kAnd:
        Read(formula, left);
        Read(formula, right);
        return;
      case FormulaOp::kLess:
      case FormulaOp::kLessEqual: return Bound(formula, left, right);
      case FormulaOp::kGreater:
      case FormulaOp::kGreaterEqual: return Bound(formula, right, left);
      case FormulaOp::kEqual:
        Bound(formula, left, right);
        Bound(formula, right, left);
        return;
      default: return;
    }
  }
  bool has_changed() const { return has_changed_; }

 private:
  // Reads smaller <= larger.
  void Bound(const Formula& formula, uint32_t smaller, uint32_t larger) {
    if (formula.nodes[larger].op != FormulaOp::kName || !IsNotNegative(formula, formula.nodes[smaller])) return;
    const auto found = ranges_.find(formula.names[formula.nodes[larger].name]);
    if (found == ranges_.end() || !found->second.MayBeNegative()) return;
    found->second.is_not_negative = true;
    has_changed_ = true;
  }

  bool IsNotNegative(const Formula& formula, const FormulaNode& node) const {
    if (node.op == FormulaOp::kLiteral) return node.value >= 0;
    if (node.op != FormulaOp::kName) return false;
    const std::string& name = formula.names[node.name];
    const auto found = ranges_.find(name);
    return IsIndexOrDimension(name) || (found != ranges_.end() && !found->second.MayBeNegative());
  }

  std::map<std::string, NameRange>& ranges_;
  bool has_changed_ = false;
};

void MarkNotNegative(const std::vector<std::string>& assumptions, std::map<std::string, NameRange>& ranges) {
  for (bool has_changed = true; has_changed;) {
    LowerBounds bounds(ranges);
    for (const std::string& text : assumptions) {
      const Expected<Formula> assumption = ParseFormula(text);
      if (assumption) bounds.Read(*assumption, assumption->root());
    }
    has_changed = bounds.has_changed();
  }
}

Expected<FormulaQuestion> MakeQuestion(const CodeRequest& request, const std::string& result, const CodeCall& call,
                                       const std::map<std::string, NameRange>& ranges, int64_t max_bytes) {
  FormulaRequest texts{.layout = request.layout, .equals = request.formula, .assumptions = request.assumptions};
  for (const std::string& value : call.values) {
    if (value[0] == '_') texts.more_names.push_back(value);
  }
  texts.formula = SumOf(request.arguments, result, call.values);
  for (const auto& [name, range] : ranges) {
    if (range.MayBeNegative()) texts.signed_names.push_back(name);
    std::ranges::move(range.Conditions(name), std::back_inserter(texts.assumptions));
  }
  LAYOUTCHECK_TRY(auto resolved, WithOffsetFormula(std::move(texts)));
  if (!resolved.extent.empty()) resolved.assumptions.push_back(ExtentAssumption(resolved, max_bytes));
  if (resolved.layout.empty() && !resolved.equals) resolved.equals = "0";
  Expected<FormulaQuestion> question = MakeFormulaQuestion(resolved);
  if (question || !question.error().message.starts_with("--formula: ")) return question;
  return MakeError(question.error().kind, StrCat("--args", question.error().message.substr(9)));
}

// Returns the variables and numbers that the values name. Errors (overflow): a number that does not fit int64.
Expected<std::vector<FormulaSize>> SizesOf(const FormulaQuestion& question, const std::vector<std::string>& values) {
  std::vector<FormulaSize> sizes;
  for (const std::string& value : values) {
    if (!IsNumber(value)) {
      const auto& names = question.formula.formula.names;
      const auto name = std::ranges::find(names, value) - names.begin();
      sizes.push_back(question.formula.names[static_cast<size_t>(name)]);
      continue;
    }
    int64_t number = 0;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
    if (read.ec != std::errc() || read.ptr != value.data() + value.size()) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("--args: expected a name or a number within int64, found '", value, "'"));
    }
    sizes.push_back({std::nullopt, number});
  }
  return sizes;
}

int64_t LargestOf(const LoadedCode& code, const CodeRequest& request) {
  constexpr int64_t kLargest32 = std::numeric_limits<int32_t>::max();
  return request.max_bytes.value_or(code.call.result.bits <= 32 ? kLargest32 : std::numeric_limits<int64_t>::max());
}

// Returns the largest number of elements of an array of `bytes` bytes, for one index of all dimensions that are
// numbers.
Int128 MostElements(const FormulaQuestion& question, int64_t bytes) {
  if (!question.layout) return bytes;
  Int128 most = Int128{bytes} * 8 / question.layout->element_bits;
  for (const SymbolicSize& size : question.layout->layout.dimensions) {
    if (size.name.empty() && size.value > 0) most /= size.value;
  }
  return most;
}

// Returns the names of a layout of strides that may be larger than its array: strides, and sizes with a stride of 0.
std::vector<std::string> NamesBeyondExtent(const std::string& layout) {
  if (!IsOffsetText(layout)) return {};
  Expected<StridedFormula> formula = ReadOffsetFormula(layout);
  if (!formula) return {};
  std::erase_if(formula->names, [&](const std::string& name) {
    return std::ranges::find(formula->names_within_extent, name) != formula->names_within_extent.end();
  });
  return std::move(formula->names);
}

}  // namespace

Expected<LoadedCode> LoadCode(const CodeRequest& request) {
  LAYOUTCHECK_TRY(const ResultPlace place, ParseResult(request.result));
  const auto arguments = ParseCodeArguments(request.arguments, place.name);
  if (!arguments) {
    return MakeError(arguments.error().kind, StrCat("--args: ", arguments.error().ToString()));
  }
  LAYOUTCHECK_TRY(CodeModule module, CodeModule::Read(request.file, request.compile));
  const auto function = module.Find(request.function);
  if (!function) return MakeError(function.error().kind, StrCat(request.file, ": ", function.error().message));
  Expected<CodeCall> call = BindCode(**function, *arguments, place.element);
  if (!call) return MakeError(call.error().kind, StrCat(request.file, ": ", call.error().message));
  return LoadedCode{std::move(module), *std::move(call), place.name};
}

Expected<FormulaQuestion> MakeCodeQuestion(const LoadedCode& code, const CodeRequest& request) {
  LAYOUTCHECK_TRY(const auto ranges, NameRangesOf(code, request));
  LAYOUTCHECK_TRY(FormulaQuestion question,
                  MakeQuestion(request, code.result, code.call, ranges, LargestOf(code, request)));
  LAYOUTCHECK_TRY(auto sizes, SizesOf(question, code.call.values));
  const SymbolicFunction function{
      .symbolic = [&code](std::span<const SymbolicInteger> values) { return RunCode(code.call.code, values); },
      .numeric = nullptr};
  question.formula =
      BindFunction(question, function, std::move(sizes), StrCat(request.function, "(", request.arguments, ")"));
  return question;
}

std::optional<Int128> MaxBytesOf(const LoadedCode& code, const CodeRequest& request) {
  return request.layout.empty() ? std::nullopt : std::optional<Int128>(LargestOf(code, request));
}

std::string NameRange::ToString() const {
  for (const int bits : {8, 16, 32, 64}) {
    const Int128 half = Int128{1} << (bits - 1);
    if (least == -half && largest == half - 1) return StrCat("int", bits);
    if (least == 0 && largest == 2 * half - 1) return StrCat("uint", bits);
  }
  return StrCat(ToDecimal(least), " to ", ToDecimal(largest));
}

std::vector<std::string> NameRange::Conditions(const std::string& name) const {
  using Limits = std::numeric_limits<int64_t>;
  // Numbers in formulas are at most 2^63 - 1.
  const std::string most =
      largest > Limits::max() ? StrCat(Limits::max(), " * 2 + 1") : StrCat(static_cast<int64_t>(largest));
  std::vector<std::string> conditions = {StrCat(name, " <= ", most)};
  if (MayBeNegative()) {
    const std::string lowest =
        least == Limits::min() ? StrCat("-", Limits::max(), " - 1") : StrCat(static_cast<int64_t>(least));
    conditions.push_back(StrCat(name, " >= ", lowest));
  }
  return conditions;
}

Expected<std::map<std::string, NameRange>> NameRangesOf(const LoadedCode& code, const CodeRequest& request) {
  std::map<std::string, NameRange> ranges;
  const auto is_signed = [&](const std::string& name) {
    return std::ranges::find(request.signed_names, name) != request.signed_names.end();
  };
  for (const ArgumentLimit& limit : code.call.limits) {
    const bool is_unused = limit.name[0] == '_';
    NameRange range{limit.least, limit.largest,
                    is_unused || (request.layout.empty() && !IsIndexOrDimension(limit.name))};
    const bool may_be_negative = range.is_free && (limit.is_sign_known || is_signed(limit.name));
    if (!may_be_negative) range.least = std::max<Int128>(range.least, 0);
    NameRange& all = ranges.emplace(limit.name, range).first->second;
    all.least = std::max(all.least, range.least);
    all.largest = std::min(all.largest, range.largest);
  }
  for (const std::string& name : request.signed_names) {
    const auto found = ranges.find(name);
    if (found != ranges.end() && found->second.least < 0) continue;
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("--signed: expected a name in --args that is no size, no index and not unsigned, found '",
                            name.substr(0, 40), "'"));
  }
  MarkNotNegative(request.assumptions, ranges);
  return ranges;
}

void SetRanges(const std::map<std::string, NameRange>& types, NameRanges& ranges) {
  for (const auto& [name, range] : types) {
    if (range.is_free) ranges[name] = range.ToString();
  }
}

std::vector<std::string> LimitsOf(const LoadedCode& code, const CodeRequest& request, const FormulaQuestion& question,
                                  const std::map<std::string, NameRange>& ranges) {
  std::map<std::string, Int128> limits;
  for (const auto& [name, range] : ranges) {
    if (!range.is_free) limits.emplace(name, range.largest);
  }
  constexpr Int128 kUnbounded = std::numeric_limits<int64_t>::max();
  std::map<std::string, Int128> largest;  // by the array
  const Int128 elements = MostElements(question, LargestOf(code, request));
  for (const FormulaVariable& variable : question.variables) largest[variable.name] = elements;
  for (const std::string& name : NamesBeyondExtent(request.layout)) largest[name] = kUnbounded;
  for (const FormulaIndex& index : question.indices) {
    Int128 size = elements;
    if (index.size && index.size->variable) {
      const std::string& name = question.variables[*index.size->variable].name;
      size = largest.at(name);
      if (limits.contains(name)) size = std::min(size, limits.at(name));
    } else if (index.size) {
      size = index.size->number;
    }
    largest[question.variables[index.variable].name] = size - 1;
  }
  std::vector<std::string> texts;
  for (const auto& [name, limit] : limits) {
    if (limit < largest[name]) texts.push_back(StrCat(name, " <= ", ToDecimal(limit)));
  }
  return texts;
}

}  // namespace layoutcheck
