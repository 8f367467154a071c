// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/code_proof/prove_code.h"
#include <llvm-c/Core.h>
#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/code_proof/code_border.h"
#include "layoutcheck/llvm/code_proof/code_question.h"
#include "layoutcheck/llvm/code_proof/machine_check.h"
#include "layoutcheck/solver/formula_laws/strided_formula.h"
#include "layoutcheck/solver/formula_proof/function_formula.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"

namespace layoutcheck {
namespace {

// Returns the values of the arguments at the counterexample.
std::vector<int64_t> ValuesAt(const FormulaQuestion& question, const ProofResult& result) {
  std::vector<int64_t> values;
  for (const FormulaSize& size : question.formula.names) {
    values.push_back(size.variable ? result.counterexample[*size.variable].second : size.number);
  }
  return values;
}

// Adds the certificate that the formula which the code computes has the expected value.
void Certify(const FormulaQuestion& question, const CodeRequest& request,
             const std::map<std::string, NameRange>& ranges, std::optional<Int128> max_bytes,
             const ProveOptions& options, CodeProof& proof) {
  auto expected =
      WithOffsetFormula({.layout = request.layout, .equals = request.formula, .assumptions = request.assumptions});
  if (!expected) {
    proof.result.no_certificate = expected.error().message;
    return;
  }
  for (const auto& [name, range] : ranges) {
    if (!range.MayBeNegative() || name[0] == '_') continue;
    expected->signed_names.push_back(name);
    std::ranges::move(range.Conditions(name), std::back_inserter(expected->assumptions));
  }
  const std::string result = request.result.empty() ? "" : StrCat(" ", request.result);
  const std::string source = StrCat(request.file, ": ", request.function, "(", request.arguments, ")", result);
  std::string formula = CertifyFunction(question, max_bytes, *std::move(expected), source, options, proof.result);
  if (!proof.result.certificate.empty()) proof.certified_formula = std::move(formula);
}

Expected<CodeProof> ProveLoaded(const LoadedCode& code, const CodeRequest& request, const ProveOptions& options) {
  LAYOUTCHECK_TRY(const FormulaQuestion question, MakeCodeQuestion(code, request));
  CodeProof proof;
  const std::optional<Int128> max_bytes = MaxBytesOf(code, request);
  proof.max_bytes = static_cast<int64_t>(max_bytes.value_or(0));
  LAYOUTCHECK_TRY(const auto ranges, NameRangesOf(code, request));
  proof.limits = LimitsOf(code, request, question, ranges);
  EqualityGoal goal(question, max_bytes);
  ProveOptions without_certificates = options;
  without_certificates.certificates = false;
  auto result = ProveGoal(goal, without_certificates);
  if (!result && IsOffsetText(request.layout)) {
    StrAppend(result.error().message, " in arrays of at most ", proof.max_bytes, " bytes");
  }
  if (!result) return std::unexpected(result.error());
  proof.result = *std::move(result);
  proof.result.law = "code";
  proof.result.layout = request.layout;
  SetRanges(ranges, proof.result.ranges);
  if (options.certificates && proof.result.verdict == ProofVerdict::kProved) {
    Certify(question, request, ranges, max_bytes, options, proof);
  }
  if (proof.result.verdict == ProofVerdict::kRefuted) {
    CheckOnMachine(request, code.call, ValuesAt(question, proof.result), proof.result, proof.machine);
  }
  if (proof.result.verdict == ProofVerdict::kRefuted) {
    if (auto border = FindBorder(code, request, question, proof.result.counterexample, options)) {
      proof.right_while = std::move(border->condition);
      proof.is_border_exact = border->is_exact;
    }
  }
  return proof;
}

}  // namespace

Expected<CodeProof> ProveCode(const CodeRequest& request, const ProveOptions& options) {
  if (request.layout.empty() && !request.formula) {
    return MakeError(ErrorKind::kInvalidArgument, "expected a LAYOUT or --formula: the value that is right");
  }
  LAYOUTCHECK_TRY(LoadedCode code, LoadCode(request));
  Expected<CodeProof> proof = ProveLoaded(code, request, options);
  if (code.call.is_sign_known || !proof || proof->result.verdict == ProofVerdict::kProved) return proof;
  // The bits of the result may be those of an unsigned integer.
  code.call.result.is_signed = false;
  code.call.code.is_unsigned = true;
  Expected<CodeProof> unsigned_proof = ProveLoaded(code, request, options);
  return unsigned_proof && unsigned_proof->result.verdict != ProofVerdict::kRefuted ? std::move(unsigned_proof)
                                                                                    : std::move(proof);
}

Expected<CodeFormula> EmitCodeFormula(const CodeRequest& request, const ProveOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  LAYOUTCHECK_TRY(const LoadedCode code, LoadCode(request));
  LAYOUTCHECK_TRY(const FormulaQuestion question, MakeCodeQuestion(code, request));
  const std::optional<Int128> max_bytes = MaxBytesOf(code, request);
  CodeFormula emitted{.layout = request.layout,
                      .function = FormulaOfFunction(question, max_bytes, options),
                      .max_bytes = static_cast<int64_t>(max_bytes.value_or(0))};
  emitted.ranges = question.ranges();
  if (const auto ranges = NameRangesOf(code, request)) SetRanges(*ranges, emitted.ranges);
  emitted.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return emitted;
}

std::string LlvmVersion() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  return StrCat(major, ".", minor, ".", patch);
}

}  // namespace layoutcheck
