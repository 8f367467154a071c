// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_laws/strided_formula.h"
#include <algorithm>
#include <cctype>
#include <map>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/solver/formula_laws/law_goals.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include "layoutcheck/solver/layout_proof/numeric_laws.h"
#include "layoutcheck/solver/steps/certificate_text.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

constexpr size_t kMaxNamesOfGrid = 6;

using NameValues = std::map<std::string, int64_t>;

// Returns the text with the values of its entries, or nothing if one has none.
std::optional<std::string> NumericText(const StridedTuple& tuple, const NameValues& values) {
  if (tuple.entry) {
    std::vector<int64_t> names;
    for (const std::string& name : tuple.entry->formula.names) names.push_back(values.at(name));
    const FormulaValue<int64_t> value = FormulaEvaluator<int64_t>(tuple.entry->formula)(names);
    return value.ok() ? std::optional(StrCat(value.value)) : std::nullopt;
  }
  std::string text = "(";
  for (const StridedTuple& part : tuple.parts) {
    const std::optional<std::string> numbers = NumericText(part, values);
    if (!numbers) return std::nullopt;
    StrAppend(text, text.size() > 1 ? "," : "", *numbers);
  }
  return text + ")";
}

// Calls visit(values) for small values of the names until it returns true.
template <class Visit>
bool ForSmallValues(const std::vector<std::string>& names, NameValues& values, const Visit& visit) {
  if (values.size() == names.size()) return visit();
  const std::string& name = names[values.size()];
  for (const int64_t value : {1, 2, 3, 4}) {
    values[name] = value;
    if (ForSmallValues(names, values, visit)) return true;
    values.erase(name);
  }
  return false;
}

class StridedFormulaProver {
 public:
  StridedFormulaProver(std::string_view text, const StridedTuple& shape, const StridedTuple& stride,
                       const StridedFormula& formula, const ProveOptions& options)
      : text_(text), shape_(shape), stride_(stride), formula_(formula), options_(options) {}

  Expected<ProofResult> Prove(std::string_view law) {
    sequents_.clear();
    // An offset leads back to the one coordinate that has it if no two coordinates share an offset.
    const bool is_injective = law == "injective" || law == "inverse";
    LAYOUTCHECK_TRY(ProofResult result, is_injective ? Injective() : law == "in-bounds" ? InBounds() : Onto());
    result.layout = text_;
    result.law = law;
    result.for_all = formula_.names;
    if (!result.certificate.empty()) {
      result.certificate = StrCat(CertificateHead(law, {{"layout", text_}}), sequents_, "end\n");
    }
    return result;
  }

 private:
  using Prover = Expected<ProofResult> (*)(const FormulaRequest&, const ProveOptions&);

  // Proves a claim about formulas over the indices, and appends the cases in its certificate, if it has one, as a
  // sequent.
  Expected<ProofResult> ProveSequent(std::string_view part, std::string_view law, Prover prove, std::string formula,
                                     std::optional<std::string> equals) {
    const FormulaRequest request = {"", std::move(formula), std::move(equals), {}, {}, formula_.over};
    Expected<ProofResult> result = prove(request, options_);
    if (!result || result->certificate.empty()) return result;
    StrAppend(sequents_, "sequent ", part, "\n",
              CertificateBody(result->certificate, CertificateHead(law, ClaimLinesOf(request, law))));
    return result;
  }

  Expected<ProofResult> Injective() {
    return ProveSequent("every two indices", "injective", ProveInjective, formula_.offset, {});
  }

  Expected<ProofResult> InBounds() {
    return ProveSequent("every index", "formula", ProveFormula, StrCat("min(", formula_.offset, ", 0)"), "0");
  }

  // As many different offsets as elements, none below 0 or above the number of elements less 1, are all of these.
  Expected<ProofResult> Onto() {
    if (auto refuted = RefuteOnto()) return *std::move(refuted);
    Expected<ProofResult> result = Injective();
    if (result && result->verdict == ProofVerdict::kProved) {
      const ProofResult before = *std::move(result);
      result = ProveSequent("every index", "in-bounds", ProveInRange, formula_.offset, formula_.size);
      if (!result) return result;
      result->certificate_seconds += before.certificate_seconds;
      if (!before.no_certificate.empty()) {
        result->certificate.clear();
        result->no_certificate = before.no_certificate;
      }
      result->seconds += before.seconds;
      result->obligations += before.obligations;
      result->lemma_instances += before.lemma_instances;
      if (result->no_query.empty()) result->no_query = before.no_query;
    }
    if (result && result->verdict == ProofVerdict::kRefuted) {
      // Some offset is shared or outside, which alone does not say that another one is missing.
      ProofResult unknown;
      unknown.seconds = result->seconds;
      unknown.reason = "offsets are shared, or are not those below the number of elements";
      return unknown;
    }
    return result;
  }

  std::optional<ProofResult> RefuteOnto() {
    if (formula_.names.size() > kMaxNamesOfGrid) return std::nullopt;
    std::optional<ProofResult> found;
    NameValues values;
    ForSmallValues(formula_.names, values, [&] {
      const auto shape = NumericText(shape_, values);
      const auto stride = NumericText(stride_, values);
      if (!shape || !stride) return false;
      auto results = ProveStridedLayout(StrCat(*shape, ":", *stride), {"onto"});
      if (!results || results->front().verdict != ProofVerdict::kRefuted) return false;
      found = std::move(results->front());
      std::vector<std::pair<std::string, int64_t>> witness;
      for (const std::string& name : formula_.names) witness.emplace_back(name, values.at(name));
      found->counterexample.insert(found->counterexample.begin(), witness.begin(), witness.end());
      return true;
    });
    return found;
  }

  std::string text_;
  const StridedTuple& shape_;
  const StridedTuple& stride_;
  const StridedFormula& formula_;
  const ProveOptions& options_;
  std::string sequents_;  // sequents of the certificate
};

// Returns true for a layout of one integer without parentheses, such as N:1. It is no tag, which has brackets after its
// colon, and no composition such as 16 o 4:1, which has blanks between words before its colon.
bool HasOneInteger(std::string_view text) {
  const std::string_view shape = text.substr(0, text.find(':'));
  const std::string_view integer = shape.substr(0, shape.find_last_not_of(kBlanks) + 1);
  return shape.size() < text.size() && text.find_first_of("[{") == std::string_view::npos && !integer.empty() &&
         std::ranges::all_of(integer, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

}  // namespace

bool IsStridedText(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return false;
  if (text[first] != '(') return HasOneInteger(text.substr(first));
  int depth = 0;
  for (size_t k = first; k < text.size(); ++k) {
    if (text[k] == '(') ++depth;
    if (text[k] == ')') --depth;
    if (depth == 0 && text[k] == ':') return true;
    // The shape:stride notation has no brackets or braces.
    if (text[k] == '[' || text[k] == '{') return false;
  }
  return false;
}

bool IsNamedStridedText(std::string_view text) {
  return IsStridedText(text) && std::ranges::any_of(text, [](unsigned char c) { return std::isalpha(c) != 0; });
}

Expected<StridedFormula> ReadStridedFormula(std::string_view text, const std::vector<std::string>& signed_names) {
  LAYOUTCHECK_TRY(const auto read, ReadStridedTuples(text));
  return FormulaOfTuples(read.first, read.second, signed_names);
}

Expected<std::vector<ProofResult>> ProveStridedFormula(std::string_view text, const std::vector<std::string>& laws,
                                                       const ProveOptions& options) {
  LAYOUTCHECK_TRY(const auto chosen, ChooseLaws("of shape:stride layouts with names",
                                                {"injective", "in-bounds", "onto", "inverse"}, laws));
  LAYOUTCHECK_TRY(const auto read, ReadStridedTuples(text));
  LAYOUTCHECK_TRY(const StridedFormula formula, FormulaOfTuples(read.first, read.second));
  StridedFormulaProver prover(text, read.first, read.second, formula, options);
  std::vector<ProofResult> results;
  for (const std::string_view law : chosen) {
    LAYOUTCHECK_TRY(ProofResult result, prover.Prove(law));
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace layoutcheck
