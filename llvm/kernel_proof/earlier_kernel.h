// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that has ended when another one begins. It traces the elements that the later kernel reads to the arrays
// from which this one has stored them.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/llvm/kernel/kernel_model.h"
#include "layoutcheck/llvm/kernel_proof/launch_simulation.h"
#include "layoutcheck/llvm/kernel_proof/law_certificates.h"

namespace layoutcheck {

// A kernel whose laws have been asked, and what is known of its stores.
struct EndedKernel {
  KernelModel model;
  std::set<size_t> written;             // the arrays that it stores to
  ThreadGuess guess;                    // which thread stores an element, as is proved
  std::optional<Simulation> shared;     // which thread writes a place of shared memory, as is proved
  std::string why_no_trace;             // why it is not known what it stores; empty if that is known
  LawCertificates rests_on;             // the proofs of all this
  std::vector<std::string> where = {};  // conditions under which it is proved
};

class EarlierKernel {
 public:
  // `before` is the kernel before this one, or null. The code of the models must outlive the kernel.
  EarlierKernel(EndedKernel ended, std::shared_ptr<const EarlierKernel> before)
      : ended_(std::move(ended)), before_(std::move(before)) {
    ended_.model.SetSharedWriters(ended_.shared ? &ended_.shared->writers : nullptr);
  }
  EarlierKernel(const EarlierKernel&) = delete;
  EarlierKernel& operator=(const EarlierKernel&) = delete;

  // Returns the names of the kernels, in the order in which they run.
  std::vector<std::string> Names() const;
  // Returns why it is not known what the kernels store, or an empty text.
  std::string WhyNoTrace() const;
  // Returns the conditions under which it is known.
  std::vector<std::string> Where() const;

  // Adds to the certificate of a proved law of a later kernel, which rests on what these kernels store, those of the
  // proofs of that.
  void CompleteLater(ProofResult& result) const;

  // Returns the store of a later kernel in parts of one element each; nothing for sizes that the kernels are not asked
  // about. Where its value was read from an array to which
  // these kernels store, the source of a part is where they have it from: an element of an array of `later`, or none.
  // `values` has the names of `later`. Throws FunctionUnknown if that cannot be followed.
  std::vector<KernelStore> Trace(const KernelModel& later, const KernelModel::Point& point,
                                 const SymbolicValues& values, const KernelStore& store) const;

 private:
  // Returns true if the request about each kernel is about these sizes.
  bool IsAsked(const SymbolicValues& values) const;
  // Gives the part the source of what this kernel has stored where it was read. Returns false if it stores nothing
  // there.
  bool TracePart(const KernelModel& later, const SymbolicValues& values, KernelStore& part) const;
  // Returns the store to the array around the source of the part; nothing if no thread stores there.
  std::optional<KernelStore> StoreAt(size_t array, const SymbolicValues& sizes, const KernelStore& part) const;

  EndedKernel ended_;
  std::shared_ptr<const EarlierKernel> before_;
};

}  // namespace layoutcheck
