// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index evaluation: a random index by the formula, compared with code written by hand for the layout; and the table of
// all offsets, compared with plain stores.
#include <benchmark/benchmark.h>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

constexpr const char* kLargeLayout = "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}";
constexpr const char* kTableLayout = "f32[1024,2048]{1,0:T(8,128)}";  // 8 MiB of elements
constexpr size_t kTableElements = 1024 * 2048;

std::vector<std::array<int64_t, 4>> RandomIndices(const Shape& shape) {
  std::mt19937_64 random(1);
  std::vector<std::array<int64_t, 4>> indices(1024);
  for (auto& index : indices) {
    for (size_t d = 0; d < 4; ++d)
      index[d] = static_cast<int64_t>(random() % static_cast<uint64_t>(shape.dimensions[d]));
  }
  return indices;
}

void RandomIndex(benchmark::State& state) {
  const Shape shape = *ParseShape(kLargeLayout);
  const TiledIndex index = *MakeTiledIndex(shape);
  const auto indices = RandomIndices(shape);
  size_t k = 0;
  for (auto _ : state) benchmark::DoNotOptimize(index(indices[k++ % 1024]));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(RandomIndex);

// The peer is what a kernel author writes for these sizes, known at compile time.
void RandomIndexByHand(benchmark::State& state) {
  const auto indices = RandomIndices(*ParseShape(kLargeLayout));
  size_t k = 0;
  for (auto _ : state) {
    const auto& i = indices[k++ % 1024];
    const int64_t tile = (i[0] * 160 + i[2] / 8) * 128 + i[3] / 128;
    benchmark::DoNotOptimize(tile * 1024 + i[2] % 8 / 2 * 256 + i[3] % 128 * 2 + i[2] % 2);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(RandomIndexByHand);

void Table(benchmark::State& state) {
  const Shape shape = *ParseShape(kTableLayout);
  const TiledLayout layout = *TiledLayoutOf(shape);
  const TiledIndex index = *MakeTiledIndex(layout);
  std::vector<int64_t> offsets(kTableElements);
  for (auto _ : state) {
    OffsetTable::Create(layout, index)->Fill(offsets);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kTableElements));
}
BENCHMARK(Table);

// The peer stores as many numbers without computing anything.
void TableOfCounts(benchmark::State& state) {
  std::vector<int64_t> offsets(kTableElements);
  for (auto _ : state) {
    std::iota(offsets.begin(), offsets.end(), 0);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kTableElements));
}
BENCHMARK(TableOfCounts);

void TableElementByElement(benchmark::State& state) {
  const TiledIndex index = *MakeTiledIndex(*ParseShape(kTableLayout));
  std::vector<int64_t> offsets(kTableElements);
  for (auto _ : state) {
    size_t k = 0;
    for (int64_t y = 0; y < 1024; ++y) {
      for (int64_t x = 0; x < 2048; ++x) offsets[k++] = index(std::array<int64_t, 2>{y, x});
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kTableElements));
}
BENCHMARK(TableElementByElement);

}  // namespace
}  // namespace layoutcheck
