// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the bank conflicts of a warp whose lanes access their elements of a layout:
//
//     access = "lane" "->" bytes "bytes" [ "of" element-type ] [ "in" layout ]
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/json.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/accessed_banks.h"
#include "layoutcheck/cli/pictures/fact.h"
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

struct BankAccess {
  std::string input;                  // the input of the layout that counts lanes
  int64_t bytes = 0;                  // per lane
  std::string element_type;           // empty for that of the layout, or f32 if it has none
  std::unique_ptr<AnyLayout> memory;  // from the layout's outputs to the offset, or null if they are the offset
};

// Parses an access. Errors: syntax, with the column; those of ReadLayout, with the column of the layout's error.
Expected<BankAccess> ParseBankAccess(std::string_view text);

// Returns the conflicts of an access to the elements with 0 as all other coordinates. In a layout in bits the lane is
// the input of that name, in every other one the first dimension. Errors: no such input, more than 1024 lanes, an
// element within a byte (invalid argument); those of FindBankConflicts and, with a layout of the memory,
// InvertAndCompose; a layout without bits before a layout of the memory (unsupported).
Expected<AccessedBanks> BanksOf(const AnyLayout& layout, const BankAccess& access);

// Returns what show says about the access, its lines of text, and the member "access" of its JSON.
std::vector<Fact> BanksFacts(const AccessedBanks& banks);
std::string BanksText(const AccessedBanks& banks);
Json BanksJson(const AccessedBanks& banks);

}  // namespace layoutcheck
