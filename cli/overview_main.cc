// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program behind `./run`: one table of all laws, checked, fuzzed and proved on layouts that occur in practice.
#include <fmt/format.h>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/overview_layouts.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/properties/run/runner.h"
#include "layoutcheck/solver/layout_proof/prove.h"

namespace layoutcheck {
namespace {

struct Proofs {
  int64_t proved = 0;
  int64_t refuted = 0;
  int64_t unknown = 0;
  double seconds = 0;
};

struct Fuzzed {
  int64_t text_executions = 0;
  int64_t laws_executions = 0;
  int64_t seconds = 0;
};

std::string Count(int64_t number, std::string_view what) {
  return number == 0 ? "" : fmt::format("{} {}", number, what);
}

// Prints the table. Returns true if nothing was found and nothing is unknown.
bool PrintTable(const CheckSummary& given, const CheckSummary& random, const std::map<std::string, Proofs>& proofs,
                const Fuzzed& fuzzed) {
  fmt::print("{:<30} {:>26} {:>8}  {:>14} {:>6}  {:>24} {:>8}\n", "law", "check: layouts agreeing", "seconds",
             "fuzz: runs", "s", "proof: layouts", "seconds");
  bool clean = true;
  const auto row = [&](const std::string& law) {
    std::string checked = "not checked";
    double seconds = 0;
    if (const auto tally = random.laws.find(law); tally != random.laws.end()) {
      const LawTally& occurring = given.laws.at(law);
      const int64_t agreed = tally->second.agreed + occurring.agreed;
      const int64_t asked = agreed + tally->second.disagreed + occurring.disagreed;
      checked = fmt::format("{} of {}", agreed, asked);
      seconds = tally->second.seconds + occurring.seconds;
      clean = clean && agreed == asked;
    }
    std::string proved = "checked only";
    double proof_seconds = 0;
    if (const auto proof = proofs.find(law); proof != proofs.end()) {
      const Proofs& p = proof->second;
      proved = Count(p.proved, "proved");
      for (const std::string& part : {Count(p.refuted, "refuted"), Count(p.unknown, "unknown")}) {
        if (!part.empty()) proved += (proved.empty() ? "" : ", ") + part;
      }
      proof_seconds = p.seconds;
      clean = clean && p.unknown == 0 && p.refuted == 0;
    }
    const int64_t executions = law.starts_with("text") ? fuzzed.text_executions : fuzzed.laws_executions;
    // The fuzzer of the laws draws small layouts, so size-overflow applies to none of them.
    const bool is_fuzzed = executions > 0 && checked != "not checked" && law != "size-overflow";
    fmt::print("{:<30} {:>26} {:>8.2f}  {:>14} {:>6}  {:>24} {:>8.3f}\n", law, checked, seconds,
               is_fuzzed ? fmt::format("{}", executions) : "", is_fuzzed ? fmt::format("{}", fuzzed.seconds) : "",
               proved, proof_seconds);
  };
  for (const Law* law : AllLaws()) row(std::string(law->name));
  for (const auto& [law, unused] : proofs) {
    if (FindLaw(law) == nullptr) row(law);
  }
  return clean;
}

int Run(std::span<const char* const> arguments) {
  int64_t cases = 20000;
  Fuzzed fuzzed;
  const std::map<std::string_view, int64_t*> options = {{"--cases", &cases},
                                                        {"--text-fuzzed", &fuzzed.text_executions},
                                                        {"--laws-fuzzed", &fuzzed.laws_executions},
                                                        {"--fuzz-seconds", &fuzzed.seconds}};
  bool usable = arguments.size() % 2 == 0;
  for (size_t k = 2; usable && k < arguments.size(); k += 2) {
    const auto option = options.find(arguments[k]);
    const std::string_view value = arguments[k + 1];
    usable = option != options.end() && std::from_chars(value.begin(), value.end(), *option->second).ptr == value.end();
  }
  const std::vector<Shape> shapes = usable ? ReadShapes(arguments[1]) : std::vector<Shape>();
  if (shapes.empty()) {
    fmt::print(stderr,
               "usage: overview LAYOUTS [--cases N] [--text-fuzzed N] [--laws-fuzzed N] [--fuzz-seconds N]\n"
               "LAYOUTS is a file with one layout per line; N random ones are checked as well.\n");
    return 2;
  }
  ReferenceSubject reference;
  CheckOptions check;
  check.cases = static_cast<uint64_t>(cases);
  const CheckSummary given = CheckLayouts(reference, shapes, check);
  const CheckSummary random = CheckRandom(reference, check);
  std::map<std::string, Proofs> proofs;
  for (const Shape& shape : shapes) {
    const std::string text = ToString(shape);
    const auto results = ProveLayout(text);
    if (!results) {
      fmt::print(stderr, "{}: {}\n", text, results.error().ToString());
      return 2;
    }
    for (const ProofResult& result : *results) {
      Proofs& tally = proofs[result.law];
      tally.seconds += result.seconds;
      (result.verdict == ProofVerdict::kProved    ? tally.proved
       : result.verdict == ProofVerdict::kRefuted ? tally.refuted
                                                  : tally.unknown) += 1;
    }
  }

  fmt::print("\nThe reference on {} layouts that occur, and on {} random ones ({}, seed {}):\n\n", shapes.size(), cases,
             random.scope.ToString(), check.seed);
  const bool clean = PrintTable(given, random, proofs, fuzzed);
  for (const CheckSummary* summary : {&given, &random}) {
    for (const Finding& finding : summary->findings) {
      fmt::print("{} {}: expected {}, actual {}\n", finding.law, finding.layout, finding.expected, finding.actual);
    }
  }
  fmt::print("\n{}\n", clean ? "Every law holds." : "Something was found, refuted or left unknown: see above.");
  return clean ? 0 : 1;
}

}  // namespace
}  // namespace layoutcheck

int main(int argc, char** argv) { return layoutcheck::Run({argv, static_cast<size_t>(argc)}); }
