// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs of one entry or of many: several at a time, in order, resumable.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/base/stop_signals.h"
#include "layoutcheck/solver/files/prove_results_file.h"
#include "layoutcheck/solver/files/tile_set.h"
#include "layoutcheck/solver/layout_proof/prove.h"
#include "layoutcheck/solver/paths/machine_integer.h"

namespace layoutcheck {

struct ProveRunOptions {
  std::vector<std::string> laws;  // names; all laws if empty
  ProveOptions prove;
  std::optional<MachineInteger> integer;
  size_t jobs = 1;
};

// Returns a text that differs for options with which an entry may have other results.
std::string AskedText(const ProveRunOptions& options);

// Returns what the manifest of a share says about its entries; `merge` reads it.
Json ProofDetails(const std::vector<ProveEntry>& entries, const ProveRunOptions& options);
// Returns the path of the file of results in the directory of a share.
std::string ResultsPath(const std::string& directory);

// Proves one entry: its laws or its formula; with options.integer also that the formula, or the layout's own, does not
// overflow that type. Returns the lines of `prove --json`. Errors: as of ProveLayout and ProveFormula.
Expected<std::vector<Json>> ProveEntryJson(const ProveEntry& entry, const ProveRunOptions& options);

// Calls consume(entry, results) for each entry in order, until it returns false, while other threads prove entries that
// follow. Takes results that `file` has, and adds those that it lacks, except where memory did not suffice; the error
// is then that of the file. Shows progress on stderr if that is a terminal. Returns false if the run was interrupted
// (StopSignals) before every entry was decided; the others are left out.
bool ProveInOrder(
    const std::vector<ProveEntry>& entries, const ProveRunOptions& options, ProveResultsFile& file,
    const std::function<bool(const ProveEntry& entry, const Expected<std::vector<Json>>& results)>& consume);

}  // namespace layoutcheck
