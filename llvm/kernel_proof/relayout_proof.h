// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The law "relayout": what a kernel stores is the element that belongs there, and which of its arrays that is asked of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include "layoutcheck/llvm/kernel_proof/earlier_kernel.h"
#include "layoutcheck/llvm/kernel_proof/thread_claims.h"
#include "layoutcheck/solver/certificate/proof_result.h"

namespace layoutcheck {

// Returns the arrays' names, with commas between them.
std::string NamesOf(const KernelModel& model, const std::set<size_t>& arrays);

class RelayoutClaim {
 public:
  // `written` are the arrays to which the kernel stores, `computed` those of which nothing is asked. Where the law is
  // named, all arrays are asked about. `earlier` are the kernels that have stored what this one reads, or null. The
  // arguments must outlive the claim.
  RelayoutClaim(const KernelModel& model, const std::set<size_t>& written, std::set<size_t> computed, bool is_named,
                const EarlierKernel* earlier)
      : model_(model), written_(written), computed_(std::move(computed)), is_named_(is_named), earlier_(earlier) {}
  RelayoutClaim(const RelayoutClaim&) = delete;
  RelayoutClaim& operator=(const RelayoutClaim&) = delete;

  // Returns the claim about one thread. It records what threads read and store, for the functions below.
  ThreadProver::Claim OfThread();
  // Returns true if an array is asked about.
  bool IsAsked() const;
  // Makes a proof unknown that rests on what threads store while others read, or says too little.
  void Weaken(ProofResult& result);
  // Returns "out is computed", or another reason why the law is not asked; empty if it is. A result that is unknown
  // says nothing of the arrays `perhaps_computed`.
  std::string WhyNotAsked(const ProofResult& result, const std::set<size_t>& perhaps_computed) const;

 private:
  const KernelModel& model_;
  const std::set<size_t>& written_;
  std::set<size_t> computed_;
  bool is_named_;
  const EarlierKernel* earlier_;
  std::set<int64_t> read_;           // arrays whose elements are stored
  std::set<size_t> sources_;         // arrays in which these elements were before the first kernel
  std::set<size_t> found_computed_;  // arrays to which results of arithmetic are stored, as the values show
  std::set<size_t> found_moved_;     // arrays to which elements are stored
};

}  // namespace layoutcheck
