// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/text/outcomes.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/fuzz/text/random.h"

namespace layoutcheck {
namespace {

namespace fs = std::filesystem;

std::string Printable(std::string_view text) {
  std::string printable;
  for (const char c : text) {
    if (c >= ' ' && c <= '~' && c != '\\') {
      printable += c;
      continue;
    }
    char escape[5];
    std::snprintf(escape, sizeof(escape), "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    printable += escape;
  }
  return printable;
}

}  // namespace

std::string OutcomeOf(TextKind kind, std::string_view text) {
  constexpr size_t kLongest = 300;
  const Expected<std::string> canonical = CanonicalText(kind, text);
  const std::string outcome =
      canonical ? StrCat("accepted: ", Printable(*canonical))
                : StrCat(ErrorKindName(canonical.error().kind), ", ", Printable(canonical.error().ToString()));
  if (outcome.size() <= kLongest) return outcome;
  return StrCat(outcome.substr(0, kLongest), "... of ", outcome.size(), " bytes, hash ", HashDigits(HashText(outcome)));
}

std::string OutcomesOfCorpus(const std::string& corpus) {
  std::string lines;
  for (const std::string_view folder : {"fuzz", "regressions"}) {
    for (const TextKind kind : {TextKind::kShape, TextKind::kLayout, TextKind::kInstruction}) {
      const std::string name = StrCat(folder, "/", TextKindName(kind));
      std::vector<fs::path> files;
      std::error_code error;
      for (fs::directory_iterator entry(fs::path(corpus) / name, error), end; !error && entry != end;
           entry.increment(error)) {
        files.push_back(entry->path());
      }
      std::ranges::sort(files);
      for (const fs::path& file : files) {
        std::ifstream stream(file, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        StrAppend(lines, name, "/", file.filename().string(), " ", OutcomeOf(kind, text), "\n");
      }
    }
  }
  return lines;
}

}  // namespace layoutcheck
