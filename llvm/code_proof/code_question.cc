// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/code_proof/code_question.h"
#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_laws/strided_formula.h"
#include "layoutcheck/solver/formula_proof/bind_function.h"

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

Expected<FormulaQuestion> MakeQuestion(const CodeRequest& request, const std::string& result, const CodeCall& call) {
  FormulaRequest texts{.layout = request.layout, .equals = request.formula, .assumptions = request.assumptions};
  for (const std::string& value : call.values) {
    if (value[0] == '_') texts.more_names.push_back(value);
  }
  texts.formula = SumOf(request.arguments, result, call.values);
  for (const ArgumentLimit& limit : call.limits) {
    texts.assumptions.push_back(StrCat(limit.name, " <= ", limit.largest));
  }
  auto resolved = WithStridedFormula(std::move(texts));
  if (!resolved) return std::unexpected(resolved.error());
  if (resolved->layout.empty() && !resolved->equals) resolved->equals = "0";
  Expected<FormulaQuestion> question = MakeFormulaQuestion(*resolved);
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

}  // namespace

Expected<LoadedCode> LoadCode(const CodeRequest& request) {
  const Expected<ResultPlace> place = ParseResult(request.result);
  if (!place) return std::unexpected(place.error());
  const auto arguments = ParseCodeArguments(request.arguments, place->name);
  if (!arguments) {
    return MakeError(arguments.error().kind, StrCat("--args: ", arguments.error().ToString()));
  }
  Expected<CodeModule> module = CodeModule::Read(request.file, request.compile);
  if (!module) return std::unexpected(module.error());
  const auto function = module->Find(request.function);
  if (!function) return MakeError(function.error().kind, StrCat(request.file, ": ", function.error().message));
  Expected<CodeCall> call = BindCode(**function, *arguments, place->element);
  if (!call) return MakeError(call.error().kind, StrCat(request.file, ": ", call.error().message));
  return LoadedCode{*std::move(module), *std::move(call), place->name};
}

Expected<FormulaQuestion> MakeCodeQuestion(const LoadedCode& code, const CodeRequest& request) {
  Expected<FormulaQuestion> question = MakeQuestion(request, code.result, code.call);
  if (!question) return std::unexpected(question.error());
  auto sizes = SizesOf(*question, code.call.values);
  if (!sizes) return std::unexpected(sizes.error());
  const SymbolicFunction function{
      .symbolic = [&code](std::span<const SymbolicInteger> values) { return RunCode(code.call.code, values); },
      .numeric = nullptr};
  question->formula =
      BindFunction(*question, function, *std::move(sizes), StrCat(request.function, "(", request.arguments, ")"));
  return question;
}

std::optional<Int128> MaxBytesOf(const LoadedCode& code, const CodeRequest& request) {
  // A shape:stride layout has no type of its elements.
  if (request.layout.empty() || IsStridedText(request.layout)) return std::nullopt;
  return LargestOf(code, request);
}

std::vector<std::string> LimitsOf(const LoadedCode& code, const CodeRequest& request, const FormulaQuestion& question) {
  std::map<std::string, Int128> limits;
  for (const auto& [name, largest] : code.call.limits) {
    Int128& limit = limits.emplace(name, largest).first->second;
    limit = std::min<Int128>(limit, largest);
  }
  std::map<std::string, Int128> largest;  // by the array
  const Int128 elements = MostElements(question, LargestOf(code, request));
  for (const FormulaVariable& variable : question.variables) largest[variable.name] = elements;
  for (const FormulaIndex& index : question.indices) {
    Int128 size = elements;
    if (index.size && index.size->variable) {
      const std::string& name = question.variables[*index.size->variable].name;
      size = limits.contains(name) ? std::min(elements, limits.at(name)) : elements;
    } else if (index.size) {
      size = index.size->number;
    }
    largest[question.variables[index.variable].name] = size - 1;
  }
  std::vector<std::string> texts;
  for (const auto& [name, limit] : limits) {
    if (limit < largest[name]) texts.push_back(StrCat(name, " <= ", static_cast<int64_t>(limit)));
  }
  return texts;
}

}  // namespace layoutcheck
