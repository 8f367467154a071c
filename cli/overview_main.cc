// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program behind `./run`: one table of all laws, checked, fuzzed and proved on layouts that occur in practice.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>
#include "layoutcheck/core/hlo/parser.h"
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
  double seconds = 0;
};

std::vector<std::string> ReadLines(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

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
               is_fuzzed ? fmt::format("{}", executions) : "", is_fuzzed ? fmt::format("{:.0f}", fuzzed.seconds) : "",
               proved, proof_seconds);
  };
  for (const Law* law : AllLaws()) row(std::string(law->name()));
  for (const auto& [law, unused] : proofs) {
    if (FindLaw(law) == nullptr) row(law);
  }
  return clean;
}

int Run(int argc, char** argv) {
  CLI::App app("Each law by check, fuzzing and proof on the layouts of a file, as one table.");
  std::string path;
  uint64_t cases = 20000;
  Fuzzed fuzzed;
  app.add_option("LAYOUTS", path, "a file with one layout per line")->required()->check(CLI::ExistingFile);
  app.add_option("--cases", cases, "the number of random layouts to check as well");
  app.add_option("--text-fuzzed", fuzzed.text_executions, "executions of the fuzzer of shape texts, for the table");
  app.add_option("--laws-fuzzed", fuzzed.laws_executions, "executions of the fuzzer of laws, for the table");
  app.add_option("--fuzz-seconds", fuzzed.seconds, "the seconds that each fuzzer ran");
  CLI11_PARSE(app, argc, argv);

  const std::vector<std::string> texts = ReadLines(path);
  std::vector<Shape> shapes;
  for (const std::string& text : texts) {
    auto shape = ParseShape(text);
    if (!shape) {
      fmt::print(stderr, "{}: {}: {}\n", path, text, shape.error().ToString());
      return 2;
    }
    shapes.push_back(std::move(*shape));
  }
  ReferenceSubject reference;
  CheckOptions options;
  options.cases = cases;
  const CheckSummary given = CheckLayouts(reference, shapes, options);
  const CheckSummary random = CheckRandom(reference, options);
  std::map<std::string, Proofs> proofs;
  for (const std::string& text : texts) {
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

  fmt::print("\nThe reference on {} layouts that occur, and on {} random ones ({}, seed {}):\n\n", texts.size(), cases,
             random.scope.ToString(), options.seed);
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

int main(int argc, char** argv) { return layoutcheck::Run(argc, argv); }
