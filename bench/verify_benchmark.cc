// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks long certificates with the checker in C++, and with the one in Python, a process per file.
#include <benchmark/benchmark.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/layout_proof/prove.h"
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

// Returns certificates of the proved laws of the last layout of corpus/tiles/ranks.txt, whose polynomials are long.
std::string RankCertificates() {
  ProveOptions options;
  options.certificates = true;
  const auto results = ProveLayout("f32[A,B,C,D,E,F,G,H]{7,6,5,4,3,2,1,0:T(p0,*,p1)(r0,*,r1)}", {}, options);
  std::string text;
  if (!results) return text;
  for (const ProofResult& result : *results) text += result.certificate;
  return text;
}

// Reports the steps and the lines per second. `steps` counts those of all iterations, `text` is that of one.
void SetRates(benchmark::State& state, std::string_view text, int64_t steps) {
  const auto iterations = static_cast<double>(state.iterations());
  const auto lines = static_cast<double>(std::ranges::count(text, '\n'));
  // A step is an atom, a goal, or a lemma instance with its premises.
  state.counters["steps"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
  state.counters["lines"] = benchmark::Counter(lines * iterations, benchmark::Counter::kIsRate);
}

void Verify(benchmark::State& state, const std::string& text) {
  int64_t steps = 0;
  for (auto _ : state) {
    const auto verdicts = verify::VerifyCertificates(text);
    if (!verdicts || !std::ranges::all_of(*verdicts, &verify::Verdict::proved))
      return state.SkipWithError("not proved");
    for (const verify::Verdict& verdict : *verdicts) steps += verdict.steps;
  }
  SetRates(state, text, steps);
}

void VerifyInPython(benchmark::State& state, const std::string& text) {
  const std::string path =
      StrCat(std::getenv("TMPDIR") == nullptr ? "/tmp" : std::getenv("TMPDIR"), "/verify_benchmark.cert");
  FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return state.SkipWithError("cannot write the certificate");
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) != 0 || !is_written) return state.SkipWithError("cannot write the certificate");
  const std::string command =
      StrCat("python3 -B " LAYOUTCHECK_SOURCE "/tools/verify_certificate.py ", path, " >/dev/null");
  for (auto _ : state) {
    if (std::system(command.c_str()) != 0) return state.SkipWithError("not proved");
  }
  std::remove(path.c_str());
  const auto verdicts = verify::VerifyCertificates(text);
  int64_t steps = 0;
  for (const verify::Verdict& verdict : *verdicts) steps += verdict.steps;
  SetRates(state, text, steps * state.iterations());
}

void VerifyLongCertificate(benchmark::State& state) { Verify(state, LongCertificate(state.range(0))); }
BENCHMARK(VerifyLongCertificate)->Arg(1)->Arg(1000)->Arg(30'000)->Unit(benchmark::kMillisecond);

void VerifyLongCertificateInPython(benchmark::State& state) { VerifyInPython(state, LongCertificate(state.range(0))); }
BENCHMARK(VerifyLongCertificateInPython)->Arg(1)->Arg(1000)->Unit(benchmark::kMillisecond)->UseRealTime();

void VerifyRankCertificates(benchmark::State& state) { Verify(state, RankCertificates()); }
BENCHMARK(VerifyRankCertificates)->Unit(benchmark::kMillisecond);

void VerifyRankCertificatesInPython(benchmark::State& state) { VerifyInPython(state, RankCertificates()); }
BENCHMARK(VerifyRankCertificatesInPython)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace layoutcheck
