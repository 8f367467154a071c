// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets and compositions per second of shape:stride layouts, compared with pycute, CuTe's Python reference. Without
// the optional Python environment (made by `./run subjects`), the peer's lines say that it is absent.
#include <benchmark/benchmark.h>
#include <array>
#include <cstdio>
#include <string>
#include <vector>
#include "layoutcheck/core/algebra/composition.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/child_process.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {
namespace {

const std::vector<std::string> kLayouts = {
    "((4,2),(4,3)):((4,16),(1,32))",
    "((16,64),(16,64)):((16,256),(1,16384))",
    "(128,64):(64,1)",
    "((8,16),(4,(2,8))):((1,64),(8,(32,1024)))",
};
// Both sides compose each of these pairs correctly.
const std::vector<std::string> kPairs = {
    "(20,2):(16,4); (4,5):(1,4)",
    "((4,2),(4,3)):((4,16),(1,32)); (2,4):(1,2)",
    "(128,64):(64,1); (16,8):(1,128)",
    "((16,64),(16,64)):((16,256),(1,16384)); (64,32):(1,64)",
};
constexpr int64_t kCoordinates = 20000;

int64_t g_offsets_sum = 0;
int64_t g_compositions_sum = 0;

void Offsets(benchmark::State& state) {
  std::vector<StridedLayout> layouts;
  std::vector<std::vector<std::array<int64_t, 2>>> coordinates;
  for (const std::string& text : kLayouts) {
    const ShapeStrideLayout layout = *ParseShapeStrideLayout(text);
    layouts.push_back(*StridedLayoutOf(layout));
    const int64_t rows = *Product(*Get(layout.shape, 0));
    const int64_t columns = *Product(*Get(layout.shape, 1));
    for (auto& list = coordinates.emplace_back(); std::ssize(list) < kCoordinates;) {
      const auto i = std::ssize(list);
      list.push_back({17 * i % rows, 29 * i % columns});
    }
  }
  for (auto _ : state) {
    g_offsets_sum = 0;
    for (size_t k = 0; k < layouts.size(); ++k) {
      for (const auto& coordinate : coordinates[k]) g_offsets_sum += StridedOffset<int64_t>(layouts[k], coordinate);
    }
    benchmark::DoNotOptimize(g_offsets_sum);
  }
  state.SetItemsProcessed(state.iterations() * kCoordinates * std::ssize(kLayouts));
}
BENCHMARK(Offsets);

void Compositions(benchmark::State& state) {
  std::vector<std::pair<ShapeStrideLayout, ShapeStrideLayout>> pairs;
  g_compositions_sum = 0;
  for (const std::string& text : kPairs) {
    const size_t semicolon = text.find(';');
    pairs.emplace_back(*ParseShapeStrideLayout(text.substr(0, semicolon)),
                       *ParseShapeStrideLayout(text.substr(semicolon + 1)));
    const ShapeStrideLayout result = *Composition(pairs.back().first, pairs.back().second);
    const auto table = *StridedOffsetTable(result, 1 << 16);
    for (const int64_t offset : table) g_compositions_sum += offset;
  }
  for (auto _ : state) {
    for (const auto& [a, b] : pairs) benchmark::DoNotOptimize(Composition(a, b));
  }
  state.SetItemsProcessed(state.iterations() * std::ssize(pairs));
}
BENCHMARK(Compositions);

// Runs the script once. The script times itself, so starting Python does not count.
void Peer(benchmark::State& state, const char* kind, const std::vector<std::string>& texts, const int64_t& sum) {
  std::string command =
      StrCat(LAYOUTCHECK_SOURCE, "/.venv/bin/python ", LAYOUTCHECK_SOURCE, "/bench/pycute_benchmark.py ", kind);
  for (const std::string& text : texts) StrAppend(command, " '", text, "'");
  const auto result = RunProgram(std::vector<std::string>{"sh", "-c", command}, "", ErrorStream::kDiscard);
  long long operations = 0;
  double seconds = 0;
  long long checksum = 0;
  if (!result || std::sscanf(result->out.c_str(), "%lld %lf %lld", &operations, &seconds, &checksum) != 3) {
    state.SkipWithError("pycute is not installed: ./run subjects sets it up");
    return;
  }
  if (checksum != sum) {
    state.SkipWithError("pycute has other offsets");
    return;
  }
  for (auto _ : state) state.SetIterationTime(seconds);
  state.SetItemsProcessed(operations);
}
void OffsetsOfPycute(benchmark::State& state) { Peer(state, "offsets", kLayouts, g_offsets_sum); }
BENCHMARK(OffsetsOfPycute)->Iterations(1)->UseManualTime();
void CompositionsOfPycute(benchmark::State& state) { Peer(state, "compositions", kPairs, g_compositions_sum); }
BENCHMARK(CompositionsOfPycute)->Iterations(1)->UseManualTime();

}  // namespace
}  // namespace layoutcheck
