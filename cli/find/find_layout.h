// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inverse question: which layout has these offsets?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/cli/find/offset_samples.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/llvm/code_proof/prove_code.h"

namespace layoutcheck {

// An array, and where its elements lie by one of four sources.
struct FindRequest {
  UnplacedArray array;
  std::optional<std::string> table;      // text for SampleOfTable
  std::optional<std::string> memory;     // text for SampleOfMemory
  std::optional<std::string> formula;    // of the linear index
  std::optional<CodeRequest> code;       // a function that returns the linear index; its layout is not read
  std::vector<std::string> assumptions;  // of the formula or the function
};

struct FoundLayout {
  std::string layout;       // text of the simplest layout; empty for none
  bool is_complete = true;  // false: the search ended before all tilings were tried
  int64_t elements = 0;     // elements at which it was compared, if nothing was to be proved
  // The line of `prove --json` or `prove-code --json` that the formula or the function is the index of the layout;
  // absent for a table, for memory, and for a formula of an array of numbers, of which every element was compared.
  std::optional<Json> proof;
  std::vector<std::string> other_notations;  // of the same offsets
  // Other XLA layouts with these offsets, which have others at other sizes.
  std::vector<std::string> not_determined;
};

// Returns the simplest layout that has the offsets. Of an array with names, it is proved for all of their values; the
// first layout about which nothing was proved is returned only if none is proved. Errors: those of the source; a
// function whose formula is not known (unsupported); those of proofs.
Expected<FoundLayout> FindLayout(const FindRequest& request, const ProveOptions& options);

}  // namespace layoutcheck
