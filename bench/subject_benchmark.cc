// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets checked per second, by the way in which an implementation is asked, compared with the cost of computing them.
// Whole tables are computed, handed over, and compared with the reference's.
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/properties/cxx/implementation.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/subjects/factory/subject_factory.h"

namespace layoutcheck {
namespace {

constexpr const char* kLayout = "f32[1000,1000]{1,0:T(8,128)}";

// The formula of this one tiling as in a kernel.
int64_t OffsetOf(std::span<const int64_t> dimensions, std::span<const int64_t> index) {
  const int64_t columns = (dimensions[1] + 127) / 128;
  const int64_t tile = index[0] / 8 * columns + index[1] / 128;
  return tile * 1024 + index[0] % 8 * 128 + index[1] % 128;
}

struct ByOffset {
  int64_t offset(const Shape& shape, std::span<const int64_t> index) { return OffsetOf(shape.dimensions, index); }
};

struct ByTable : ByOffset {
  std::vector<int64_t> table(const Shape& shape) {
    std::vector<int64_t> offsets;
    offsets.reserve(static_cast<size_t>(shape.dimensions[0] * shape.dimensions[1]));
    int64_t index[2];
    for (index[0] = 0; index[0] < shape.dimensions[0]; ++index[0]) {
      for (index[1] = 0; index[1] < shape.dimensions[1]; ++index[1]) {
        offsets.push_back(OffsetOf(shape.dimensions, index));
      }
    }
    return offsets;
  }
};

// Asks for the whole table and compares it, like the law.
void CheckTables(benchmark::State& state, Subject& subject) {
  const auto shape = ParseShape(kLayout);
  const Law* const law = FindLaw("linear-index");
  int64_t offsets = 0;
  for (auto _ : state) {
    const auto layout_case = LayoutCase::Create(*shape);
    const LawResult result = law->Check(subject, *layout_case);
    if (result.verdict != LawResult::Verdict::kAgree) return state.SkipWithError("the law does not hold");
    offsets += static_cast<int64_t>(layout_case->offsets.size());
  }
  state.SetItemsProcessed(offsets);
}

void CheckNamed(benchmark::State& state, const std::string& name) {
  auto created = CreateSubject(name, {});
  auto* subject = std::get_if<std::unique_ptr<Subject>>(&created);
  if (subject == nullptr) return state.SkipWithError("no such subject");
  CheckTables(state, **subject);
}

void BareTable(benchmark::State& state) {
  const auto shape = ParseShape(kLayout);
  ByTable mine;
  int64_t offsets = 0;
  for (auto _ : state) {
    const std::vector<int64_t> table = mine.table(*shape);
    benchmark::DoNotOptimize(table.data());
    offsets += static_cast<int64_t>(table.size());
  }
  state.SetItemsProcessed(offsets);
}

void ConceptByOffset(benchmark::State& state) {
  ByOffset mine;
  ImplementationSubject subject(mine);
  CheckTables(state, subject);
}

void ConceptByTable(benchmark::State& state) {
  ByTable mine;
  ImplementationSubject subject(mine);
  CheckTables(state, subject);
}

void CLibrary(benchmark::State& state) { CheckNamed(state, std::string("lib:") + LAYOUTCHECK_CPP_SUBJECT); }

void Process(benchmark::State& state) {
  CheckNamed(state, std::string("exec:exec ") + LAYOUTCHECK_PROGRAM + " serve --subject lib:" LAYOUTCHECK_CPP_SUBJECT);
}

BENCHMARK(BareTable)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(ConceptByOffset)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(ConceptByTable)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(CLibrary)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(Process)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace layoutcheck
