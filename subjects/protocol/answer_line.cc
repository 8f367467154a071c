// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/protocol/answer_line.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

std::string AnswerLine(Json object) {
  object.SortMembers();
  return object.Dump();
}

std::string UnsupportedLine(std::string_view why) { return AnswerLine({{"unsupported", why}}); }

std::string ErrorLine(std::string_view why) { return AnswerLine({{"error", why}}); }

std::string ArrayLine(std::string_view name, std::span<const int64_t> integers) {
  std::string line;
  line.reserve(16 + 8 * integers.size());
  StrAppend(line, "{\"", name, "\":[");
  for (size_t i = 0; i < integers.size(); ++i) {
    if (i != 0) line += ',';
    StrAppend(line, integers[i]);
  }
  return line += "]}";
}

}  // namespace layoutcheck
