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

#else

Expected<Json> ProveCodeJson(const CodeRequest& request, const ProveOptions&) {
  return MakeError(ErrorKind::kUnavailable,
                   request.file + ": this build cannot read code: it was built without LLVM 19 (llvm-19-dev)");
}

#endif

}  // namespace layoutcheck
