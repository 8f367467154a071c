// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layouts that the programs behind ./run check and prove.
#pragma once

#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/hlo/parser.h"

namespace layoutcheck {

// Reads a file with one layout per line. Returns nothing, and prints why if a line is no layout, if it cannot be used.
inline std::vector<Shape> ReadShapes(const char* path) {
  std::vector<Shape> shapes;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    auto shape = ParseShape(line);
    if (!shape) {
      std::fprintf(stderr, "%s: %s: %s\n", path, line.c_str(), shape.error().ToString().c_str());
      return {};
    }
    shapes.push_back(*std::move(shape));
  }
  return shapes;
}

}  // namespace layoutcheck
