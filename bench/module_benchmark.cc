// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a dump of an HLO module and checks its rules. The peers do less than any reader must: they only cut the text
// into tokens, or into lines.
#include <benchmark/benchmark.h>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/module/module_reader.h"
#include "layoutcheck/properties/module/live_memory.h"
#include "layoutcheck/properties/module/rule.h"

namespace layoutcheck {
namespace {

// Returns a scheduled module of 8 MB, as a compiler for TPUs prints them.
std::string ModuleText() {
  std::string text = "HloModule jit_step, is_scheduled=true\n\n";
  StrAppend(text, "ENTRY %main (p: bf16[128,1024]) -> bf16[128,1024] {\n",
            "  %negate.0 = bf16[128,1024]{1,0:T(8,128)(2,1)} parameter(0)\n");
  for (int i = 1; text.size() < 8'000'000; ++i) {
    StrAppend(text, "  %negate.", i, " = bf16[128,1024]{1,0:T(8,128)(2,1)} ", i % 3 == 0 ? "copy" : "negate",
              "(bf16[128,1024]{1,0:T(8,128)(2,1)} %negate.", i - 1,
              "), metadata={op_type=\"neg\" op_name=\"jit(step)/layer_", i % 48,
              "/neg\" source_file=\"/model/layers.py\" source_line=", i % 900, "}\n");
  }
  return text + "}\n";
}

const std::string& Text() {
  static const std::string text = ModuleText();
  return text;
}

void CountBytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(Text().size()));
}

void Read(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(ReadModule(Text()));
  CountBytes(state);
}
BENCHMARK(Read)->Unit(benchmark::kMillisecond);

void ReadAndCheck(benchmark::State& state) {
  for (auto _ : state) {
    const HloModule module = ReadModule(Text());
    ModuleFacts facts(module);
    benchmark::DoNotOptimize(CheckModule(facts));
    benchmark::DoNotOptimize(ArraysOf(facts));
    benchmark::DoNotOptimize(LiveMemoryOf(facts));
  }
  CountBytes(state);
}
BENCHMARK(ReadAndCheck)->Unit(benchmark::kMillisecond);

void CutIntoTokens(benchmark::State& state) {
  for (auto _ : state) {
    int64_t tokens = 0;
    for (Lexer lexer(Text()); lexer.kind() != TokenKind::kEof; lexer.Advance()) ++tokens;
    benchmark::DoNotOptimize(tokens);
  }
  CountBytes(state);
}
BENCHMARK(CutIntoTokens)->Unit(benchmark::kMillisecond);

void CutIntoLines(benchmark::State& state) {
  for (auto _ : state) {
    int64_t lines = 0;
    for (size_t at = 0; (at = Text().find('\n', at)) != std::string::npos; ++at) ++lines;
    benchmark::DoNotOptimize(lines);
  }
  CountBytes(state);
}
BENCHMARK(CutIntoLines)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace layoutcheck
