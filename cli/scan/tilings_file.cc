// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/tilings_file.h"
#include <fstream>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Expected<std::vector<Tiling>> ReadTilings(const std::string& name_or_file) {
  if (name_or_file == "tpu") return std::vector<Tiling>(TpuTilings().begin(), TpuTilings().end());
  std::ifstream file(name_or_file);
  if (!file) {
    return MakeError(ErrorKind::kUnavailable,
                     StrCat(name_or_file, ": expected tpu, or a file with one tiling per line; it cannot be opened"));
  }
  std::vector<Tiling> tilings;
  std::string line;
  for (int64_t number = 1; std::getline(file, line); ++number) {
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    line = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
    Expected<Tiling> tiling = ParseTiling(line);
    if (!tiling) {
      return MakeError(ErrorKind::kSyntax, StrCat(name_or_file, ":", number, ": ", tiling.error().message));
    }
    tilings.push_back(*std::move(tiling));
  }
  if (file.bad()) return MakeError(ErrorKind::kUnavailable, StrCat(name_or_file, ": it cannot be read to its end"));
  if (tilings.empty()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(name_or_file, ": expected a tiling such as T(8,128)(2,1) per line, found none"));
  }
  return tilings;
}

}  // namespace layoutcheck
