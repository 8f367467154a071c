// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of `check`: drawing layouts, beside RapidCheck's generators of values of the same size; coordinates at all
// offsets in one walk, beside decoding each offset; and whole cases on the reference.
#include <benchmark/benchmark.h>
#include <rapidcheck.h>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <vector>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/generate/layout_generator.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {
namespace {

void DrawLayouts(benchmark::State& state) {
  uint64_t number = 0;
  for (auto _ : state) {
    RandomChoices choices(1, number++);
    benchmark::DoNotOptimize(DrawLayout(choices, {}));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(DrawLayouts);

void DrawLayoutsIntoOneShape(benchmark::State& state) {
  RandomChoices choices(1, 0);
  Shape shape;
  uint64_t number = 0;
  for (auto _ : state) {
    choices.Restart(number++);
    DrawLayout(choices, {}, shape);
    benchmark::DoNotOptimize(shape);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(DrawLayoutsIntoOneShape);

// The peer draws dimensions, their order and one tile: at most 24 integers, without a relation between them.
void DrawListsByRapidCheck(benchmark::State& state) {
  const auto list = rc::gen::resize(8, rc::gen::container<std::vector<int64_t>>(rc::gen::inRange<int64_t>(0, 128)));
  const auto lists = rc::gen::tuple(list, list, list);
  uint64_t number = 0;
  for (auto _ : state) benchmark::DoNotOptimize(lists(rc::Random(number++), 8).value());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(DrawListsByRapidCheck);

struct AllOffsets {
  Shape shape = *ParseShape("bf16[13,12,100]{1,2,0:T(8,16)(2,1)}");
  std::vector<int64_t> offsets = std::vector<int64_t>(static_cast<size_t>(SizesOf(shape)->padded_elements));
  AllOffsets() { std::iota(offsets.begin(), offsets.end(), 0); }
};

void CoordinatesInOneWalk(benchmark::State& state) {
  const AllOffsets all;
  ReferenceSubject reference;
  for (auto _ : state) benchmark::DoNotOptimize(reference.CoordinatesAt(all.shape, all.offsets));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(all.offsets.size()));
}
BENCHMARK(CoordinatesInOneWalk);

void CoordinatesOneByOne(benchmark::State& state) {
  const AllOffsets all;
  ReferenceSubject reference;
  for (auto _ : state) benchmark::DoNotOptimize(reference.Subject::CoordinatesAt(all.shape, all.offsets));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(all.offsets.size()));
}
BENCHMARK(CoordinatesOneByOne);

// Items are cases. Each is asked about under every law of its kind.
void CheckLayoutsOfReference(benchmark::State& state) {
  ReferenceSubject reference;
  CheckOptions options;
  options.cases = 1000;
  for (auto _ : state) benchmark::DoNotOptimize(CheckRandom(reference, options));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(options.cases));
}
BENCHMARK(CheckLayoutsOfReference)->Unit(benchmark::kMillisecond);

void CheckAlgebraOfReference(benchmark::State& state) {
  ReferenceSubject reference;
  CheckOptions options;
  options.cases = 1000;
  for (auto _ : state) benchmark::DoNotOptimize(CheckAlgebra(reference, AlgebraLaws(), options));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(options.cases));
}
BENCHMARK(CheckAlgebraOfReference)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace layoutcheck
