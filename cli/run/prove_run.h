// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs of one entry, and of the entries of a file: several at a time, resumable.
#pragma once

#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/solver/files/tile_set.h"
#include "layoutcheck/solver/formula_proof/machine_integer.h"
#include "layoutcheck/solver/layout_proof/prove.h"

namespace layoutcheck {

struct ProveRunOptions {
  std::vector<std::string> laws;  // names; all laws if empty
  ProveOptions prove;
  std::optional<MachineInteger> integer;
  std::string results;  // file that keeps results and supplies known ones; empty for none
  bool json = false;
};

// Proves one entry: its laws or its formula; with options.integer also that the formula, or the layout's own, does not
// overflow that type. Returns the lines of `prove --json`. Errors: as of ProveLayout and ProveFormula.
Expected<std::vector<Json>> ProveEntryJson(const ProveEntry& entry, const ProveRunOptions& options);

// Proves all entries on all processors. Prints each entry once those before it are done, then a total, and progress on
// stderr if that is a terminal.
ExitCode RunTileSet(const std::vector<ProveEntry>& entries, const ProveRunOptions& options);

}  // namespace layoutcheck
