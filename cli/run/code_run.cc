// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/code_run.h"
#include <fmt/format.h>
#include <cstdio>
#include <nlohmann/json.hpp>
#include "layoutcheck/cli/run/proof_output.h"

namespace layoutcheck {

#ifdef LAYOUTCHECK_HAS_LLVM

Expected<Json> ProveCodeJson(const CodeRequest& request, const ProveOptions& options) {
  const Expected<CodeProof> proof = ProveCode(request, options);
  if (!proof) return std::unexpected(proof.error());
  Json document = ProofJson(proof->result, request.assumptions);
  if (proof->max_bytes > 0) document["max_bytes"] = proof->max_bytes;
  for (const std::string& limit : proof->limits) document["assume"].push_back(limit);
  if (!proof->right_while.empty()) {
    document["right_while"] = proof->right_while;
    document["right_while_is_exact"] = proof->is_border_exact;
  }
  if (!proof->machine.empty()) document["machine"] = proof->machine;
  if (!proof->certified_formula.empty()) document["certified_formula"] = proof->certified_formula;
  return document;
}

Expected<std::vector<Json>> ProveKernelJson(const KernelRequest& request, const ProveOptions& options) {
  const auto proofs = ProveKernel(request, options);
  if (!proofs) return std::unexpected(proofs.error());
  std::vector<Json> documents;
  for (const KernelProof& proof : *proofs) {
    documents.push_back(ProofJson(proof.result, request.assumptions));
    documents.back()["max_bytes"] = request.max_bytes;
    // Certificates have no claims about kernels.
    if (proof.result.verdict == ProofVerdict::kProved) documents.back()["solver_only"] = true;
    if (!proof.machine.empty()) documents.back()["machine"] = proof.machine;
  }
  return documents;
}

Expected<Json> CodeFormulaJson(const CodeRequest& request, const ProveOptions& options) {
  const Expected<CodeFormula> emitted = EmitCodeFormula(request, options);
  if (!emitted) return std::unexpected(emitted.error());
  const FunctionFormula& function = emitted->function;
  Json document{{"layout", emitted->layout.empty() ? Json(nullptr) : Json(emitted->layout)},
                {"function", request.function},
                {"formula", function.text.empty() ? Json(nullptr) : Json(function.text)}};
  if (function.text.empty()) document["reason"] = function.reason;
  document["no_value"] = Json::array();
  for (const FunctionFormula::NoValue& none : function.no_value) {
    document["no_value"].push_back({{"where", none.where}, {"reason", none.reason}});
  }
  if (emitted->max_bytes > 0) document["max_bytes"] = emitted->max_bytes;
  document["seconds"] = emitted->seconds;
  return document;
}

#else

std::unexpected<Error> NoLlvm(const std::string& file) {
  return MakeError(ErrorKind::kUnavailable,
                   file + ": this build cannot read code: it was built without LLVM 19 (llvm-19-dev)");
}

Expected<Json> ProveCodeJson(const CodeRequest& request, const ProveOptions&) { return NoLlvm(request.file); }

Expected<std::vector<Json>> ProveKernelJson(const KernelRequest& request, const ProveOptions&) {
  return NoLlvm(request.file);
}

Expected<Json> CodeFormulaJson(const CodeRequest& request, const ProveOptions&) { return NoLlvm(request.file); }

#endif

ExitCode PrintCodeFormula(const Expected<Json>& emitted, bool json) {
  if (!emitted) return Unusable("prove", emitted.error().ToString());
  const Json& document = *emitted;
  if (json) PrintJson(document);
  if (document["formula"].is_null()) {
    if (!json) fmt::print("unknown: {}\n", OneLine(document["reason"].get<std::string>()));
    return ExitCode::kUndecided;
  }
  if (json) return ExitCode::kAccepted;
  fmt::print("{}\n", document["formula"].get<std::string>());
  std::fflush(stdout);
  for (const Json& none : document["no_value"]) {
    fmt::print(stderr, "no value where {}: {}\n", none["where"].get<std::string>(), none["reason"].get<std::string>());
  }
  return ExitCode::kAccepted;
}

}  // namespace layoutcheck
