// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of layoutcheck.toml. claim_entries.cc is the only file that knows the library behind them, toml++.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// A place in the file; both numbers count from 1.
struct ClaimPlace {
  int64_t line = 1;
  int64_t column = 1;
};

// A key with its value. An integer is the text of its decimal digits, as an option of the command takes it.
struct ClaimKey {
  std::string name;
  ClaimPlace place;
  std::variant<bool, std::string, std::vector<std::string>> value;
};

// The table [KIND.NAME].
struct ClaimEntry {
  std::string kind;
  std::string name;
  ClaimPlace place;
  std::vector<ClaimKey> keys;  // in the order of the file
};

// Returns an error (syntax) whose message begins with the place: "7:3: expected ...".
std::unexpected<Error> ErrorAtPlace(const ClaimPlace& place, std::string_view message);

// Returns the tables of a file in their order. Errors: those of ErrorAtPlace, for a text that is not TOML and for
// tables and values of another form.
Expected<std::vector<ClaimEntry>> ReadClaimEntries(std::string_view text);

}  // namespace layoutcheck
