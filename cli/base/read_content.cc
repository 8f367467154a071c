// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/read_content.h"
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Expected<std::string> ReadContent(const std::string& name, size_t most) {
  const auto close = [](FILE* file) {
    if (file != stdin) std::fclose(file);
  };
  const std::unique_ptr<FILE, decltype(close)> file(name == "-" ? stdin : std::fopen(name.c_str(), "rb"), close);
  const auto fail = [&](std::string_view why) {
    return UnavailableError("cannot read ", name == "-" ? "standard input" : name, ": ", why);
  };
  if (file == nullptr) return fail(std::strerror(errno));
  std::string content;
  std::array<char, size_t{64} << 10> block{};
  while (std::feof(file.get()) == 0 && std::ferror(file.get()) == 0) {
    const size_t size = std::fread(block.data(), 1, block.size(), file.get());
    content.append(block.data(), size);
    if (content.size() > most) return fail(StrCat("expected at most ", most, " bytes"));
  }
  if (std::ferror(file.get()) != 0) return fail(std::strerror(errno));
  return content;
}

}  // namespace layoutcheck
