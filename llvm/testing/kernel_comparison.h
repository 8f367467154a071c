// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what the model of threads says of a random kernel with what the kernel does by definition.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/llvm/ir/code_module.h"
#include "layoutcheck/llvm/kernel/kernel_request.h"
#include "layoutcheck/llvm/kernel_proof/prove_kernel.h"
#include "layoutcheck/llvm/testing/kernel_truth.h"

namespace layoutcheck {

// A file with kernels as a model with a mistake sees them.
class KernelFile {
 public:
  KernelFile(std::span<const SeededKernel> kernels, ModelMistake mistake);

  std::string path() const { return directory_.path() + "/kernels.cu"; }
  ModelMistake mistake() const { return mistake_; }
  // Returns null if the file does not compile, which is a failure of the test.
  const CodeModule* module() const { return module_ ? &*module_ : nullptr; }

 private:
  TemporaryDirectory directory_;
  ModelMistake mistake_;
  std::optional<CodeModule> module_;
};

struct KernelComparison {
  // Verdicts and stored values that are wrong.
  std::vector<std::string> verdicts;
  // Accesses of a thread that are not those of the kernel.
  std::vector<std::string> accesses;
  int64_t values = 0;          // elements whose stored value was compared
  int64_t unknown_values = 0;  // elements of whose stored value the model knows nothing
  bool is_race_found = false;
  bool is_race_excluded = false;
};

// Compares the runs of all threads of the launch on numbers, and what is concluded of them: races, barriers, elements
// that are stored twice or never, and the value of each store.
KernelComparison CompareOnNumbers(const SeededKernel& seeded, const KernelFile& file);

// Returns the request about the launch, or with `is_symbolic` about every number of blocks G and every argument n.
KernelRequest RequestOf(const SeededKernel& seeded, const std::string& file, ModelMistake mistake, bool is_symbolic);

// Returns the number of stores to out in the launch that bring what belongs there by the map, "out[i]=in[FORMULA]".
int64_t StoresThatFit(const SeededKernel& seeded, const std::string& source);

// Returns the proofs that are wrong: a law that is proved must hold for the launches, a law that is refuted must be
// broken at the counterexample.
std::vector<std::string> WrongProofs(const SeededKernel& seeded, const KernelRequest& request,
                                     std::span<const KernelProof> proofs, std::span<const KernelLaunch> launches);

}  // namespace layoutcheck
