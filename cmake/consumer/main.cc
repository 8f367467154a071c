// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <layoutcheck/core/hlo/parser.h>
#include <layoutcheck/core/tiling/tiled_index.h>
#include <layoutcheck/properties/reference/reference_subject.h>
#include <layoutcheck/properties/run/runner.h>
#include <layoutcheck/solver/layout_proof/prove.h>
#include <cstdio>

// Prints the index of an element, the cases in which the reference kept every law, and the laws proved for all sizes.
int main() {
  const auto shape = layoutcheck::ParseShape("f32[3,5]{1,0:T(2,2)}");
  const auto index = layoutcheck::MakeTiledIndex(*shape);
  layoutcheck::ReferenceSubject reference;
  layoutcheck::CheckOptions options;
  options.cases = 50;
  const auto summary = layoutcheck::CheckRandom(reference, options);
  const auto proofs = layoutcheck::ProveLayout("f32[M,N]{1,0:T(8,128)}");
  size_t proved = 0;
  for (const auto& proof : *proofs) proved += proof.verdict == layoutcheck::ProofVerdict::kProved ? 1 : 0;
  const int64_t element[] = {2, 3};
  std::printf("%lld %llu %zu %zu\n", static_cast<long long>((*index)(element)),
              static_cast<unsigned long long>(summary.cases), summary.findings.size(), proved);
  return 0;
}
