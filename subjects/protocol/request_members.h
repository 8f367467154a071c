// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of a request of the subject protocol.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// A member of a request that is missing or mistyped. It is thrown, and caught where the request was read.
class WrongMember : public std::runtime_error {
 public:
  explicit WrongMember(const char* missing);
  WrongMember(const char* member, const char* expected, const Json& found);
};

// These functions return a member of a request. They throw WrongMember if it is missing or mistyped; integers must fit
// int64.
const std::string& TextIn(const Json& request, const char* member);
std::vector<std::string> TextsIn(const Json& request, const char* member);
int64_t IntegerIn(const Json& request, const char* member);
std::vector<int64_t> IntegersIn(const Json& request, const char* member);

}  // namespace layoutcheck
