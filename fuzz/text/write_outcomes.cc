// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the reference's outcome for each text of the corpus:
//   write_outcomes corpus > corpus/fuzz/outcomes.txt
#include <cstdio>
#include "layoutcheck/fuzz/text/outcomes.h"

int main(int argc, char** argv) {
  const std::string lines = argc == 2 ? layoutcheck::OutcomesOfCorpus(argv[1]) : "";
  if (lines.empty()) {
    std::fputs("usage: write_outcomes CORPUS\n", stderr);
    return 2;
  }
  return std::fwrite(lines.data(), 1, lines.size(), stdout) == lines.size() && std::fflush(stdout) == 0 ? 0 : 1;
}
