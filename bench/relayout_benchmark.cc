// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relayout, beside memcpy of the same bytes and, where it is installed, oneDNN's reorder, all on one thread.
// bytes_per_second counts each source byte once. bench/relayout_peers.py prints the ratios, also to NumPy and PyTorch.
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/relayout/relayout.h"

#ifdef LAYOUTCHECK_HAS_ONEDNN
#include "onednn_reorder.h"
#endif

namespace layoutcheck {
namespace {

struct Move {
  const char* name;
  const char* from;
  const char* to;
};

constexpr Move kMoves[] = {
    {"f32_rows_to_8x128", "f32[4096,4096]{1,0}", "f32[4096,4096]{1,0:T(8,128)}"},
    {"f32_8x128_to_rows", "f32[4096,4096]{1,0:T(8,128)}", "f32[4096,4096]{1,0}"},
    {"f32_rows_to_8x128_padded", "f32[4095,4095]{1,0}", "f32[4095,4095]{1,0:T(8,128)}"},
    {"f32_rows_to_8x128_small", "f32[512,512]{1,0}", "f32[512,512]{1,0:T(8,128)}"},
    {"bf16_rows_to_8x128_2x1", "bf16[4096,4096]{1,0}", "bf16[4096,4096]{1,0:T(8,128)(2,1)}"},
    {"bf16_8x128_2x1_to_rows", "bf16[4096,4096]{1,0:T(8,128)(2,1)}", "bf16[4096,4096]{1,0}"},
    {"s8_rows_to_8x128_4x1", "s8[4096,4096]{1,0}", "s8[4096,4096]{1,0:T(8,128)(4,1)}"},
    {"s8_8x128_4x1_to_rows", "s8[4096,4096]{1,0:T(8,128)(4,1)}", "s8[4096,4096]{1,0}"},
    {"f32_transpose", "f32[4096,4096]{1,0}", "f32[4096,4096]{0,1}"},
    {"bf16_transpose", "bf16[4096,4096]{1,0}", "bf16[4096,4096]{0,1}"},
    {"s8_transpose", "s8[4096,4096]{1,0}", "s8[4096,4096]{0,1}"},
    {"f32_rows_to_transposed_8x128", "f32[4096,4096]{1,0}", "f32[4096,4096]{0,1:T(8,128)}"},
    {"f32_nhwc_to_nchw", "f32[64,56,56,64]{3,2,1,0}", "f32[64,56,56,64]{2,1,3,0}"},
    {"s4_pack", "s4[4096,4096]{1,0}", "s4[4096,4096]{1,0:E(4)}"},
};

void RelayoutArray(benchmark::State& state, const Move& move) {
  const auto plan = Relayout::Create(ParseShape(move.from).value(), ParseShape(move.to).value()).value();
  const std::vector<std::byte> source(static_cast<size_t>(plan.source_bytes()), std::byte{1});
  std::vector<std::byte> destination(static_cast<size_t>(plan.destination_bytes()), std::byte{2});
  for (auto _ : state) {
    const bool moved = plan.Run(source, destination).has_value();
    benchmark::DoNotOptimize(moved);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * plan.source_bytes());
}

void Memcpy(benchmark::State& state, const Move& move) {
  const auto plan = Relayout::Create(ParseShape(move.from).value(), ParseShape(move.to).value()).value();
  const std::vector<std::byte> source(static_cast<size_t>(plan.source_bytes()), std::byte{1});
  std::vector<std::byte> destination(source.size(), std::byte{2});
  for (auto _ : state) {
    std::memcpy(destination.data(), source.data(), source.size());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * plan.source_bytes());
}

#ifdef LAYOUTCHECK_HAS_ONEDNN
// Fails where oneDNN has no such reorder, and where it moves the elements elsewhere than Relayout does.
void OneDnn(benchmark::State& state, const Move& move) {
  const Shape from = ParseShape(move.from).value();
  const Shape to = ParseShape(move.to).value();
  const auto plan = Relayout::Create(from, to).value();
  std::vector<std::byte> source(static_cast<size_t>(plan.source_bytes()));
  // Bytes from 1 to 63 make finite numbers of every type, which a reorder keeps.
  for (size_t k = 0; k < source.size(); ++k) source[k] = static_cast<std::byte>(1 + k % 61);
  std::vector<std::byte> expected(static_cast<size_t>(plan.destination_bytes()), std::byte{0});
  std::vector<std::byte> destination(expected.size(), std::byte{0});
  const std::function<void()> reorder = OneDnnReorder(from, to, source, destination);
  if (!reorder) return state.SkipWithError("oneDNN has no such reorder");
  reorder();
  if (!plan.Run(source, expected) || destination != expected) return state.SkipWithError("the results differ");
  for (auto _ : state) {
    reorder();
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * plan.source_bytes());
}
#endif

void PlanRelayout(benchmark::State& state, const Move& move) {
  const Shape from = ParseShape(move.from).value();
  const Shape to = ParseShape(move.to).value();
  for (auto _ : state) {
    auto plan = Relayout::Create(from, to);
    benchmark::DoNotOptimize(plan);
  }
}

void RegisterAll() {
  for (const Move& move : kMoves) {
    const std::string name = move.name;
    benchmark::RegisterBenchmark(("Relayout/" + name).c_str(), RelayoutArray, move);
    benchmark::RegisterBenchmark(("Memcpy/" + name).c_str(), Memcpy, move);
#ifdef LAYOUTCHECK_HAS_ONEDNN
    benchmark::RegisterBenchmark(("OneDnn/" + name).c_str(), OneDnn, move);
#endif
    benchmark::RegisterBenchmark(("Plan/" + name).c_str(), PlanRelayout, move);
  }
}

}  // namespace
}  // namespace layoutcheck

int main(int argc, char** argv) {
  layoutcheck::RegisterAll();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
