// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds and describes the bank conflicts of a warp whose lanes access their elements of a layout, or addresses that are
// listed:
//
//     access = "lane" "->" bytes "bytes" [ "of" element-type ] [ "in" layout ]
//            | "addresses" address { "," address } bytes "bytes"
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/accessed_banks.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

struct BankAccess {
  std::string input;                  // the input of the layout that counts lanes
  int64_t bytes = 0;                  // per lane
  std::string element_type;           // empty for that of the layout, or f32 if it has none
  std::unique_ptr<AnyLayout> memory;  // from the layout's outputs to the offset, or null if they are the offset
  std::vector<int64_t> addresses;     // in bytes, per lane, if they are listed

  bool ListsAddresses() const { return !addresses.empty(); }
};

// Parses an access. Errors: syntax, with the column; more than 32 addresses, or one that is not aligned (syntax);
// overflow; those of ReadLayout, with the column of the layout's error.
Expected<BankAccess> ParseBankAccess(std::string_view text);

// Returns the conflicts of an access to the elements with 0 as all other coordinates. In a layout in bits the lane is
// the input of that name, in every other one the first dimension. Errors: no such input, more than 1024 lanes, an
// element within a byte (invalid argument); those of FindBankConflicts and, with a layout of the memory,
// InvertAndCompose; a layout without bits before a layout of the memory (unsupported).
// Listed addresses need no element of the layout.
Expected<AccessedBanks> BanksOf(const AnyLayout& layout, const BankAccess& access);

// Returns the conflicts of an access that lists its addresses.
Expected<AccessedBanks> BanksOfAddresses(const BankAccess& access);

// Returns a heading for an access without a layout, such as "32 lanes of 16 bytes".
std::string AccessTitle(const AccessedBanks& banks);

// Returns passes and conflicts of loads and of stores, the phases that loads merge, and the banks of the worst phases.
std::vector<Fact> BanksFacts(const AccessedBanks& banks);

// Returns the member "access" of show's JSON. "degree", "passes" and "phases" are those of stores.
Json BanksJson(const AccessedBanks& banks);

}  // namespace layoutcheck
