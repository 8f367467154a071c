// Proving one entry, and a file of them: several at a time, resumable.
#ifndef LAYOUTCHECK_CLI_COMMANDS_PROVE_RUN_H_
#define LAYOUTCHECK_CLI_COMMANDS_PROVE_RUN_H_

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
  std::string results;  // a file that results are kept in, and taken from; none if empty
  bool json = false;
};

// The results for one entry, as lines of `prove --json`: its laws or, with a formula, whether that is right; with
// integers, whether the formula, or the layout's own, overflows them. Errors: as ProveLayout and ProveFormula.
Expected<std::vector<Json>> ProveEntryJson(const ProveEntry& entry, const ProveRunOptions& options);

// Proves all entries on all processors, prints each as soon as those before it are done, and a table at the end.
// Progress goes to stderr where that is a terminal.
ExitCode RunTileSet(const std::vector<ProveEntry>& entries, const ProveRunOptions& options);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_COMMANDS_PROVE_RUN_H_
