// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/prove_kernel.h"
#include <llvm/IR/Function.h>
#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/nearest_name.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/llvm/kernel/array_layout.h"
#include "layoutcheck/llvm/kernel/derived_sizes.h"
#include "layoutcheck/llvm/kernel_proof/asked_laws.h"
#include "layoutcheck/llvm/kernel_proof/kernel_prover.h"
#include "layoutcheck/llvm/triton/ttir_lowering.h"
#include "layoutcheck/solver/certificate/z3_solver.h"
#include "layoutcheck/solver/formula_proof/path_claims.h"
#include "layoutcheck/solver/rewrite/linear_facts.h"

namespace layoutcheck {
namespace {

Expected<void> CheckLaws(const KernelRequest& request) {
  for (const std::string& law : request.laws) {
    if (std::ranges::find(kLaws, law) == kLaws.end()) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("--law: expected ", StrJoin(std::vector<std::string>(kLaws.begin(), kLaws.end()), ", "),
                              "; found '", law, "'", DidYouMean(law, {kLaws.begin(), kLaws.end()})));
    }
    if (law == kComplete && request.grid.empty()) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("--law ", law, ": expected --grid and --block, too: the threads that store"));
    }
  }
  return {};
}

Expected<CodeModule> ReadModule(const KernelRequest& request) {
  if (request.file.ends_with(".ttir")) return ReadTtir(request.file);
  return CodeModule::Read(request.file, {.flags = request.compiler_flags,
                                         .for_device = true,
                                         .instance = request.function.contains('<') ? request.function : ""});
}

// Returns the request with the launch of a kernel whose source says how many threads a block has.
Expected<KernelRequest> WithLaunchOfSource(KernelRequest request, const CodeModule& module) {
  const auto found = module.Find(request.function);
  if (!found) return MakeError(found.error().kind, StrCat(request.file, ": ", found.error().message));
  const llvm::Function* const function = *found;
  if (!function->hasFnAttribute(kBlockAttribute)) return request;
  if (!request.block.empty()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     "--block: expected none for a Triton kernel, whose threads are the elements of its tensors");
  }
  request.block = function->getFnAttribute(kBlockAttribute).getValueAsString();
  request.has_any_grid = request.grid.empty();
  if (!request.has_any_grid) return request;
  request.grid = function->getFnAttribute(kGridAttribute).getValueAsString();
  for (const std::string_view name : SplitAtCommas(request.grid)) request.earlier_names.emplace_back(name);
  return request;
}

}  // namespace

Expected<std::vector<KernelProof>> ProveKernel(const KernelRequest& request, const ProveOptions& options,
                                               const KernelProofReader& done) {
  LAYOUTCHECK_TRY(auto proofs, ProveKernels({request}, options, done));
  return std::move(proofs[0]);
}

Expected<std::vector<std::vector<KernelProof>>> ProveKernels(const std::vector<KernelRequest>& requests,
                                                             const ProveOptions& options,
                                                             const KernelProofReader& done) {
  const LinearAnswers linear_answers;  // of all laws
  const SolverAnswers solver_answers;
  const ClaimCertificates claim_certificates;
  std::vector<CodeModule> modules;
  std::vector<std::vector<KernelProof>> proofs;
  std::shared_ptr<const EarlierKernel> earlier;
  KernelRequest before;
  modules.reserve(requests.size());
  for (const KernelRequest& asked : requests) {
    LAYOUTCHECK_RETURN_IF_ERROR(CheckLaws(asked));
    if (&asked == &requests.back()) break;
    const auto expected = [&](std::string_view what) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat(asked.function, ": expected ", what));
    };
    if (asked.grid.empty()) {
      return expected("--grid and --block before --then: which thread stores what is read behind it");
    }
    if (!asked.sources.empty()) return expected("--source behind the last --then: what belongs in the last output");
  }
  for (const KernelRequest& asked : requests) {
    LAYOUTCHECK_TRY(auto module, ReadModule(asked));
    modules.push_back(std::move(module));
    const bool is_last = modules.size() == requests.size();
    KernelRequest request = asked;
    request.derived = before.derived;
    request.earlier_arrays = before.earlier_arrays;
    request.earlier_names = before.earlier_names;
    request.earlier_kernels = before.earlier_kernels;
    // A trace rests on it.
    if (!is_last && !request.laws.empty()) request.laws.emplace_back(kDistinct);
    LAYOUTCHECK_TRY(request, WithLaunchOfSource(request, modules.back()));
    LAYOUTCHECK_TRY(request, NameFormulas(request));
    LAYOUTCHECK_TRY(request, AssumeNestedStrides(request));
    std::optional<EndedKernel> ended;
    const auto added = request.assumptions.begin() + static_cast<ptrdiff_t>(asked.assumptions.size());
    const auto add_where = [&](KernelProof& proof) {
      if (proof.not_asked.empty()) proof.where.insert(proof.where.begin(), added, request.assumptions.end());
    };
    const auto report = [&](KernelProof proof) {
      add_where(proof);
      done(proof);
    };
    LAYOUTCHECK_TRY(auto verdicts, ProveLaws({.request = request,
                                              .module = modules.back(),
                                              .options = options,
                                              .earlier = earlier.get(),
                                              .is_last = is_last,
                                              .done = done ? KernelProofReader(report) : nullptr},
                                             &ended));
    std::ranges::for_each(verdicts, add_where);
    proofs.push_back(std::move(verdicts));
    request.earlier_arrays.insert(request.earlier_arrays.end(), request.arrays.begin(), request.arrays.end());
    request.earlier_names = ended->model.names();
    request.earlier_kernels.push_back(request.function);
    before = std::move(request);
    earlier = std::make_shared<const EarlierKernel>(*std::move(ended), std::move(earlier));
  }
  return proofs;
}

}  // namespace layoutcheck
