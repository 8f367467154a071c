// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The budgets of `scan --budget`: limits to which every module is held.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include "layoutcheck/cli/scan/module_scan.h"
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

enum class BudgetAmount {
  kWaste,   // the part of the allocated bytes that is padding
  kBytes,   // allocated by all arrays
  kCopies,  // written by copies, transposes and reshapes
  kPeak,    // alive at the peak of a scheduled module
};

// One limit. A module keeps it if its amount is less.
struct Budget {
  std::string text;  // as the user wrote it, without blanks at its ends
  BudgetAmount amount = BudgetAmount::kBytes;
  int64_t bytes = 0;   // the limit of an amount in bytes
  double percent = 0;  // the limit of kWaste
};

// Parses "waste<20%", "bytes<2GiB", "copies<64MiB" or "peak<1GiB". Errors (syntax) have the column.
Expected<Budget> ParseBudget(std::string_view text);

// Returns why a module cannot be held to a budget, or an empty text.
std::string WhyNotHeld(const Budget& budget, const ModuleScan& scan);

// Returns the JSON object of `scan --json` about a module that exceeds the budget, with the arrays that make most of
// the amount, or nothing if the module keeps it.
std::optional<Json> ExceededJson(const Budget& budget, ModuleScan& scan);

}  // namespace layoutcheck
