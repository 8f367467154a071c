// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/protocol/request_members.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/subjects/protocol/answer_line.h"

namespace layoutcheck {
namespace {

// Returns the beginning of a JSON value as text.
std::string Shown(const Json& value) {
  constexpr size_t kShown = 60;
  const std::string text = AnswerLine(value);
  return text.size() <= kShown ? text : text.substr(0, kShown) + "...";
}

const Json& MemberOf(const Json& request, const char* member) {
  const Json* const found = request.find(member);
  if (found == nullptr) throw WrongMember(member);
  return *found;
}

}  // namespace

WrongMember::WrongMember(const char* missing) : runtime_error(StrCat("\"", missing, "\" is missing")) {}

WrongMember::WrongMember(const char* member, const char* expected, const Json& found)
    : runtime_error(StrCat("\"", member, "\": expected ", expected, ", found ", Shown(found))) {}

const std::string& TextIn(const Json& request, const char* member) {
  const Json& found = MemberOf(request, member);
  if (!found.is_string()) throw WrongMember(member, "text", found);
  return found.text();
}

std::vector<std::string> TextsIn(const Json& request, const char* member) {
  const Json& found = MemberOf(request, member);
  auto texts = found.as<std::vector<std::string>>();
  if (!texts) throw WrongMember(member, "an array of texts", found);
  return *std::move(texts);
}

int64_t IntegerIn(const Json& request, const char* member) {
  const auto integer = MemberOf(request, member).as<int64_t>();
  if (!integer) throw WrongMember(member, "an integer within int64", MemberOf(request, member));
  return *integer;
}

std::vector<int64_t> IntegersIn(const Json& request, const char* member) {
  auto integers = MemberOf(request, member).as<std::vector<int64_t>>();
  if (!integers) throw WrongMember(member, "an array of integers within int64", MemberOf(request, member));
  return *std::move(integers);
}

}  // namespace layoutcheck
