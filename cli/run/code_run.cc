// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/code_run.h"
#include <nlohmann/json.hpp>
#include "layoutcheck/cli/run/proof_output.h"

namespace layoutcheck {

#ifdef LAYOUTCHECK_HAS_LLVM

Expected<Json> ProveCodeJson(const CodeRequest& request, const ProveOptions& options) {
  const Expected<CodeProof> proof = ProveCode(request, options);
  if (!proof) return std::unexpected(proof.error());
  Json document = ProofJson(proof->result);
  if (proof->max_bytes > 0) document["max_bytes"] = proof->max_bytes;
  if (!proof->machine.empty()) document["machine"] = proof->machine;
  return document;
}

Expected<std::vector<Json>> ProveKernelJson(const KernelRequest& request, const ProveOptions& options) {
  const auto proofs = ProveKernel(request, options);
  if (!proofs) return std::unexpected(proofs.error());
  std::vector<Json> documents;
  for (const ProofResult& result : *proofs) {
    documents.push_back(ProofJson(result));
    documents.back()["max_bytes"] = request.max_bytes;
  }
  return documents;
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

#endif

}  // namespace layoutcheck
