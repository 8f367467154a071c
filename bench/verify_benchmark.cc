// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a long certificate with the checker in C++, and with the one in Python, a process per certificate.
#include <benchmark/benchmark.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/verify_certificate.h"

namespace layoutcheck {
namespace {

// Returns a certificate that f32[M,N]{1,0:T(8,128)} is in bounds, whose steps are repeated.
std::string LongCertificate(int64_t repetitions) {
  std::string text =
      "layoutcheck certificate 1\nlaw in-bounds\nlayout f32[M,N]{1,0:T(8,128)}\nsequent every index\n"
      "atom !1 floordiv i0 ; 8\natom !2 floordiv M + 7 ; 8\natom !3 floordiv i1 ; 128\natom !4 floordiv N + 127 ; "
      "128\n";
  for (int64_t k = 0; k < repetitions; ++k) {
    const int64_t first = 7 + 12 * k;  // number of the first fact
    StrAppend(text, "lemma K8 i0 ; M ; 8 ; !2\nby\nby 3\nby 4\nby\nlemma K8 i1 ; N ; 128 ; !4\nby\nby 5\nby 6\nby\n");
    StrAppend(text, "lemma K1 i0 ; 8\nby\nlemma K1 i1 ; 128\nby\nlemma K7 !1 ; !2 ; !3 ; !4\nby ", first + 1, "\nby ",
              first + 2, "\nby ", first + 3, "\nlemma K6 !1 ; !3 ; !4\nby ", first, "\nby ", first + 2, "\nby ",
              first + 3, "\n");
  }
  return text + "goal 128*13 16 1024*17\ngoal 128*12 15 1024*18\nend\n";
}

// The steps are lemma instances with their premises; `lines` counts the lines of the file.
void VerifyLongCertificate(benchmark::State& state) {
  const std::string text = LongCertificate(state.range(0));
  int64_t steps = 0;
  for (auto _ : state) {
    const auto verdicts = verify::VerifyCertificates(text);
    if (!verdicts || !verdicts->front().proved) return state.SkipWithError("not proved");
    steps += verdicts->front().steps;
  }
  state.counters["steps"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
  state.counters["lines"] =
      benchmark::Counter(static_cast<double>(22 * state.range(0) * state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(VerifyLongCertificate)->Arg(1)->Arg(1000)->Arg(30'000)->Unit(benchmark::kMillisecond);

void VerifyLongCertificateInPython(benchmark::State& state) {
  const std::string path =
      StrCat(std::getenv("TMPDIR") == nullptr ? "/tmp" : std::getenv("TMPDIR"), "/verify_benchmark.cert");
  FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return state.SkipWithError("cannot write the certificate");
  const std::string text = LongCertificate(state.range(0));
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) != 0 || !is_written) return state.SkipWithError("cannot write the certificate");
  const std::string command =
      StrCat("python3 -B " LAYOUTCHECK_SOURCE "/tools/verify_certificate.py ", path, " >/dev/null");
  for (auto _ : state) {
    if (std::system(command.c_str()) != 0) return state.SkipWithError("not proved");
  }
  std::remove(path.c_str());
  state.counters["lines"] =
      benchmark::Counter(static_cast<double>(22 * state.range(0) * state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(VerifyLongCertificateInPython)->Arg(1)->Arg(1000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace layoutcheck
