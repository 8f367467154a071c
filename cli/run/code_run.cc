// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/code_run.h"
#include <fmt/format.h>
#include <cstdio>
#include <sstream>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/base/shared_options.h"
#include "layoutcheck/cli/reports/next_steps.h"
#include "layoutcheck/cli/run/certificate_file.h"
#include "layoutcheck/cli/run/kernel_accesses.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

std::vector<Option> CodeOptions(CodeArguments& arguments) {
  return {
      {"--clang-flags TEXT", "more flags for clang 19, which compiles the source", &arguments.clang_flags,
       kMayBeEmpty | kDetail},
      {"--max-bytes SIZE",
       "prove for padded arrays of at most so many bytes, such as 4GiB (default: 2^31 - 1 for a function whose result "
       "has 32 bits, otherwise 2^63 - 1)",
       &arguments.max_bytes},
      JobsOption(arguments.jobs, kUnlisted)};
}

bool ReadCodeArguments(std::string_view command, const CodeArguments& arguments, std::vector<std::string>& flags,
                       std::optional<int64_t>& max_bytes) {
  std::istringstream words(arguments.clang_flags);
  for (std::string word; words >> word;) flags.push_back(word);
  if (arguments.max_bytes.empty()) return true;
  const auto bytes = ParseBytes(arguments.max_bytes);
  if (!bytes) return Unusable(command, "--max-bytes", bytes.error()), false;
  max_bytes = *bytes;
  return true;
}

#ifdef LAYOUTCHECK_HAS_LLVM

// Adds the condition under which a refuted law is right, unless it is empty.
static void AddBorder(const std::string& right_while, bool is_exact, Json& document) {
  if (right_while.empty()) return;
  document["right_while"] = right_while;
  document["right_while_is_exact"] = is_exact;
}

// Has the certificates of the document say what the file of the code is now.
static void AddSourceHash(const std::string& file, Json& document) {
  Json* const certificate = document.find("certificate");
  if (certificate != nullptr) *certificate = WithSourceHash(certificate->text(), file);
}

Expected<std::vector<Json>> ProveCodeJson(const CodeRequest& request, const ProveOptions& options) {
  LAYOUTCHECK_TRY(const CodeProof proof, ProveCode(request, options));
  Json document = ProofJson(proof.result, request.assumptions);
  if (proof.max_bytes > 0) document["max_bytes"] = proof.max_bytes;
  for (const std::string& limit : proof.limits) document["assume"].push_back(limit);
  AddBorder(proof.right_while, proof.is_border_exact, document);
  if (!proof.machine.empty()) document["machine"] = proof.machine;
  if (!proof.certified_formula.empty()) document["certified_formula"] = proof.certified_formula;
  AddSourceHash(request.file, document);
  return std::vector<Json>{document};
}

static Json KernelProofJson(const KernelProof& proof, const KernelRequest& request) {
  std::vector<std::string> assumptions = request.assumptions;
  assumptions.insert(assumptions.end(), proof.where.begin(), proof.where.end());
  Json document = ProofJson(proof.result, assumptions);
  document["max_bytes"] = request.max_bytes.value_or(kLargestArray);
  if (proof.result.verdict == ProofVerdict::kProved && proof.result.certificate.empty()) document["solver_only"] = true;
  if (!proof.result.certificate.empty()) {
    document["certified_claims"] = SplitCertificates(proof.result.certificate).size();
  }
  if (!proof.not_asked.empty()) document["verdict"] = kNotAsked;
  if (!proof.each_access.empty()) AddAccessVerdicts(proof.each_access, document);
  if (!proof.banks.empty()) AddBanks(proof.banks, document);
  AddBorder(proof.right_while, proof.is_border_exact, document);
  if (!proof.machine.empty()) document["machine"] = proof.machine;
  AddSourceHash(request.file, document);
  std::vector<std::string> layouts;
  for (const auto& [name, layout] : request.arrays) layouts.push_back(layout);
  AddNextSteps(document, NextStepsOfProof(document, layouts));
  return document;
}

Expected<std::vector<std::vector<Json>>> ProveKernelsJson(const std::vector<KernelRequest>& requests,
                                                          const ProveOptions& options) {
  LAYOUTCHECK_TRY(const auto proofs, ProveKernels(requests, options));
  std::vector<std::vector<Json>> documents;
  Json after = Json::array();
  for (size_t kernel = 0; kernel < proofs.size(); ++kernel) {
    documents.emplace_back();
    for (const KernelProof& proof : proofs[kernel]) {
      documents.back().push_back(KernelProofJson(proof, requests[kernel]));
      if (kernel > 0) documents.back().back()["after"] = after;
    }
    after.push_back(requests[kernel].function);
  }
  return documents;
}

Expected<Json> CodeFormulaJson(const CodeRequest& request, const ProveOptions& options) {
  LAYOUTCHECK_TRY(const CodeFormula emitted, EmitCodeFormula(request, options));
  const FunctionFormula& function = emitted.function;
  Json document{{"layout", emitted.layout.empty() ? Json(nullptr) : Json(emitted.layout)},
                {"function", request.function},
                {"formula", function.text.empty() ? Json(nullptr) : Json(function.text)}};
  if (function.text.empty()) document["reason"] = function.reason;
  document["no_value"] = Json::array();
  for (const FunctionFormula::NoValue& none : function.no_value) {
    document["no_value"].push_back({{"where", none.where}, {"reason", none.reason}});
  }
  document["ranges"] = emitted.ranges;
  if (emitted.max_bytes > 0) document["max_bytes"] = emitted.max_bytes;
  document["seconds"] = emitted.seconds;
  return document;
}

#else

std::unexpected<Error> NoLlvm(const std::string& file) {
  return MakeError(ErrorKind::kUnavailable,
                   file + ": this build cannot read code: it was built without LLVM 19 (llvm-19-dev)");
}

Expected<std::vector<Json>> ProveCodeJson(const CodeRequest& request, const ProveOptions&) {
  return NoLlvm(request.file);
}

Expected<std::vector<std::vector<Json>>> ProveKernelsJson(const std::vector<KernelRequest>& requests,
                                                          const ProveOptions&) {
  return NoLlvm(requests[0].file);
}

Expected<Json> CodeFormulaJson(const CodeRequest& request, const ProveOptions&) { return NoLlvm(request.file); }

#endif

ExitCode PrintCodeFormula(const Expected<Json>& emitted, bool json) {
  if (!emitted) return Unusable("prove-code", emitted.error());
  const Json& document = *emitted;
  if (json) PrintJson(document);
  if (document["formula"].is_null()) {
    if (!json) fmt::print("unknown: {}\n", OneLine(document["reason"].text()));
    return ExitCode::kUndecided;
  }
  if (json) return ExitCode::kAccepted;
  fmt::print("{}\n", document["formula"].text());
  std::fflush(stdout);
  for (const Json& none : document["no_value"]) {
    fmt::print(stderr, "no value where {}: {}\n", none["where"].text(), none["reason"].text());
  }
  return ExitCode::kAccepted;
}

}  // namespace layoutcheck
