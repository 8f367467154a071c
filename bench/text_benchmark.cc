// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses and prints the text of a layout from practice, compared with copying the text.
#include <benchmark/benchmark.h>
#include <string>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kText = "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}";

void Parse(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(ParseShape(kText));
}
BENCHMARK(Parse);

void Print(benchmark::State& state) {
  const Shape shape = *ParseShape(kText);
  for (auto _ : state) benchmark::DoNotOptimize(ToString(shape));
}
BENCHMARK(Print);

void ParseAndPrint(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(ToString(*ParseShape(kText)));
}
BENCHMARK(ParseAndPrint);

// The peer does the least that a parser with an owning result does.
void CopyText(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(std::string(kText));
}
BENCHMARK(CopyText);

}  // namespace
}  // namespace layoutcheck
