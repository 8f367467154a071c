// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// write_conformance CORPUS: writes the files of CORPUS/conformance/.
#include <fstream>
#include <iostream>
#include "layoutcheck/properties/conformance/conformance_files.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_conformance CORPUS\n";
    return 2;
  }
  const std::string corpus = argv[1];
  std::ifstream lines(corpus + "/layouts/occurring.txt");
  std::vector<std::string> occurring;
  for (std::string line; std::getline(lines, line);) occurring.push_back(line);
  const auto files = layoutcheck::MakeConformanceFiles(occurring);
  if (!files || occurring.empty()) {
    std::cerr << "write_conformance: " << (files ? "no layouts in occurring.txt" : files.error().ToString()) << "\n";
    return 2;
  }
  for (const auto& [name, text] : *files) {
    std::ofstream file(corpus + "/conformance/" + name);
    file << text;
    if (!file.flush()) {
      std::cerr << "write_conformance: cannot write " << name << "\n";
      return 2;
    }
  }
  return 0;
}
