// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relayout, compared with memcpy of the same bytes in the same run. bytes_per_second counts each source byte once.
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/relayout/relayout.h"

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
