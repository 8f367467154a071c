// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/certificate/query_file.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr size_t kMaxStem = 64;

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

// Returns the text with a single '_' in place of each run of other characters.
std::string Plain(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (IsPlain(c)) {
      plain.push_back(c);
    } else if (!plain.empty() && plain.back() != '_') {
      plain.push_back('_');
    }
  }
  while (!plain.empty() && plain.back() == '_') plain.pop_back();
  return plain;
}

}  // namespace

std::string QueryFileName(std::string_view layout, std::string_view part) {
  if (layout.empty()) return StrCat(Plain(part), ".smt2");
  return StrCat(Plain(layout).substr(0, kMaxStem), "-", HashDigits(HashText(layout)), "-", Plain(part), ".smt2");
}

Expected<void> EmitQuery(const std::string& directory, const std::string& file_name, const SmtQuery& query) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    return MakeError(ErrorKind::kUnavailable,
                     StrCat("the directory '", directory, "' cannot be made: ", error.message()));
  const std::filesystem::path path = std::filesystem::path(directory) / file_name;
  std::ofstream file(path, std::ios::binary);
  file << query.text;
  file.close();
  if (!file) return MakeError(ErrorKind::kUnavailable, StrCat("the file '", path.string(), "' cannot be written"));
  return {};
}

}  // namespace layoutcheck
