// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first program that `./run` builds, because it needs neither the prover nor the commands: checks every law on the
// layouts of a file and prints one line.
#include <fmt/format.h>
#include <cstdint>
#include <vector>
#include "layoutcheck/cli/overview_layouts.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {
namespace {

int Run(int argc, char** argv) {
  const std::vector<Shape> shapes = argc == 2 ? ReadShapes(argv[1]) : std::vector<Shape>();
  if (shapes.empty()) {
    fmt::print(stderr, "usage: first_verdict LAYOUTS\nLAYOUTS is a file with one layout per line.\n");
    return 2;
  }
  ReferenceSubject reference;
  const CheckSummary summary = CheckLayouts(reference, shapes, {});
  int64_t agreed = 0;
  for (const auto& [law, tally] : summary.laws) agreed += tally.agreed;
  for (const Finding& finding : summary.findings) {
    fmt::print("{} {}: expected {}, actual {}\n", finding.law, finding.layout, finding.expected, finding.actual);
  }
  fmt::print("first verdict: {} laws on {} layouts that occur: {} answers, {}\n", AllLaws().size(), shapes.size(),
             agreed,
             summary.findings.empty() ? "all right" : fmt::format("{} findings: see above", summary.findings.size()));
  return summary.findings.empty() ? 0 : 1;
}

}  // namespace
}  // namespace layoutcheck

int main(int argc, char** argv) { return layoutcheck::Run(argc, argv); }
