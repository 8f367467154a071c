// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/code_proof/prove_code.h"
#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/code_proof/code_arguments.h"
#include "layoutcheck/solver/formula_proof/bind_function.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"

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

Expected<FormulaQuestion> MakeQuestion(const CodeRequest& request, const CodeCall& call) {
  FormulaRequest texts{.layout = request.layout, .equals = request.formula, .assumptions = request.assumptions};
  for (const std::string& value : call.values) {
    if (IsNumber(value)) continue;
    if (value[0] == '_') texts.more_names.push_back(value);
    StrAppend(texts.formula, texts.formula.empty() ? "" : "+", value);
  }
  if (texts.formula.empty()) texts.formula = "0";
  for (const ArgumentLimit& limit : call.limits) {
    texts.assumptions.push_back(StrCat(limit.name, " <= ", limit.largest));
  }
  Expected<FormulaQuestion> question = MakeFormulaQuestion(texts);
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

}  // namespace

Expected<CodeProof> ProveCode(const CodeRequest& request, const ProveOptions& options) {
  const Expected<ResultPlace> place = ParseResult(request.result);
  if (!place) return std::unexpected(place.error());
  const auto arguments = ParseCodeArguments(request.arguments, place->name);
  if (!arguments) {
    return MakeError(arguments.error().kind, StrCat("--args: ", arguments.error().ToString()));
  }
  const Expected<CodeModule> module = CodeModule::Read(request.file, request.compile);
  if (!module) return std::unexpected(module.error());
  const auto function = module->Find(request.function);
  if (!function) return MakeError(function.error().kind, StrCat(request.file, ": ", function.error().message));
  const Expected<CodeCall> call = BindCode(**function, *arguments, place->element);
  if (!call) return MakeError(call.error().kind, StrCat(request.file, ": ", call.error().message));
  Expected<FormulaQuestion> question = MakeQuestion(request, *call);
  if (!question) return std::unexpected(question.error());
  auto sizes = SizesOf(*question, call->values);
  if (!sizes) return std::unexpected(sizes.error());
  const SymbolicFunction code{
      .symbolic = [&](std::span<const SymbolicInteger> values) { return RunCode(call->code, values); },
      .numeric = nullptr};
  question->formula =
      BindFunction(*question, code, *std::move(sizes), StrCat(request.function, "(", request.arguments, ")"));

  CodeProof proof;
  std::optional<Int128> max_bytes;
  if (question->layout) {
    constexpr int64_t kLargest32 = std::numeric_limits<int32_t>::max();
    const bool is_narrow = call->result_bits != 0 && call->result_bits <= 32;
    proof.max_bytes = request.max_bytes.value_or(is_narrow ? kLargest32 : std::numeric_limits<int64_t>::max());
    max_bytes = proof.max_bytes;
  }
  EqualityGoal goal(*question, max_bytes);
  auto result = ProveGoal(goal, options);
  if (!result) return std::unexpected(result.error());
  proof.result = *std::move(result);
  proof.result.law = "code";
  return proof;
}

}  // namespace layoutcheck
