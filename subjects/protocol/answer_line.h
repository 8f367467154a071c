// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lines of answers of the subject protocol, without a newline.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// Returns the object as text, with its members sorted by name. Bytes that are not UTF-8 are replaced.
std::string AnswerLine(Json object);
// Returns {"unsupported":"why"}.
std::string UnsupportedLine(std::string_view why);
// Returns {"error":"why"}.
std::string ErrorLine(std::string_view why);
// Returns {"name":[1,2,3]}, without a JSON tree of the integers.
std::string ArrayLine(std::string_view name, std::span<const int64_t> integers);

// Returns the line for an answer, from `write(value)` if the question was neither declined nor failed.
template <class T, class Write>
std::string LineOf(const Answer<T>& answer, Write write) {
  if (const auto* declined = std::get_if<Declined>(&answer)) return UnsupportedLine(declined->why);
  if (const auto* failed = std::get_if<Failed>(&answer)) return ErrorLine(failed->what);
  return write(std::get<T>(answer));
}

}  // namespace layoutcheck
