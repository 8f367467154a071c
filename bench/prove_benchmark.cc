// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides the laws of a layout with 2^40 elements by proof, by isl, and by visiting the elements.
#include <benchmark/benchmark.h>
#include <cstdint>
#include <vector>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/solver/layout_proof/prove.h"
#include "layoutcheck/solver/testing/isl_decision.h"

namespace layoutcheck {
namespace {

constexpr const char* kLayout = "f32[1048583,1048589]{1,0:T(8,128)}";
constexpr double kElements = 1048583.0 * 1048589.0;

void ProveThreeLaws(benchmark::State& state) {
  for (auto _ : state) {
    const auto results = ProveLayout(kLayout, {"injective", "in-bounds", "onto-padded-box"});
    for (const ProofResult& result : *results) {
      if (result.verdict != ProofVerdict::kProved) state.SkipWithError("not proved");
    }
  }
}
BENCHMARK(ProveThreeLaws)->Unit(benchmark::kMillisecond);

void DecideThreeLawsWithIsl(benchmark::State& state) {
  const TiledLayout layout = *TiledLayoutOf(*ParseShape(kLayout));
  for (auto _ : state) {
    const auto decision = DecideWithIsl(layout, 1'000'000'000);
    if (!decision || !decision->injective) state.SkipWithError("not decided");
  }
}
BENCHMARK(DecideThreeLawsWithIsl)->Unit(benchmark::kMillisecond);

// Computes and marks the offsets of as many elements as fit in memory. `seconds_for_all` extrapolates to all elements.
void Enumerate(benchmark::State& state) {
  const Shape part = *ParseShape("f32[4096,4096]{1,0:T(8,128)}");
  const int64_t elements = int64_t{4096} * 4096;
  std::vector<bool> seen(static_cast<size_t>(elements));
  for (auto _ : state) {
    const std::vector<int64_t> offsets = *AllOffsets(part);
    seen.assign(seen.size(), false);
    for (const int64_t offset : offsets) {
      if (seen[static_cast<size_t>(offset)]) state.SkipWithError("not injective");
      seen[static_cast<size_t>(offset)] = true;
    }
  }
  state.counters["seconds_for_all"] =
      benchmark::Counter(static_cast<double>(elements) / kElements,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(Enumerate)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace layoutcheck
