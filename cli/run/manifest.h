// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file manifest.json, with which one share of a run says what it did, so that `merge` can put the shares together.
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/option.h"
#include "layoutcheck/cli/base/shard.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// The work of a command, apart from the share of it: two shares with equal work and count are parts of one run.
struct Work {
  std::string version;  // of layoutcheck
  std::string command;
  // The given options that determine the result, each with its values. Options about the output, the share or the
  // number of threads are left out.
  Json options = Json::object();
  Json files = Json::object();  // a hash of the content of each file among the options

  // Returns the parts in which the other work differs, such as "--seed: 1 and 2", or an empty text.
  std::string DifferenceFrom(const Work& other) const;
};

// Returns the work that the arguments of a command ask for. Anything but a regular file has the hash of "".
Work WorkOf(std::string_view command, const std::vector<GivenOption>& given);

struct Manifest {
  Work work;
  Shard shard;
  bool complete = false;          // the share ended and did everything that was asked of it
  Json totals = Json::object();   // as `--json` prints them at the end; empty until then
  Json details = Json::object();  // what else `merge` needs about the share, by command
};

// Writes DIRECTORY/manifest.json, which at every moment is either the old one or the new one. Makes the directory.
// Error (unavailable): the file cannot be written.
Expected<void> WriteManifest(const std::string& directory, const Manifest& manifest);
// Errors, which name the file: it cannot be read (unavailable), or is no manifest (syntax).
Expected<Manifest> ReadManifest(const std::string& directory);

// Writes the manifest of a share that begins. Errors: those of WriteManifest; the directory has another share or a
// share of other work (invalid argument).
Expected<void> BeginShare(const std::string& directory, const Manifest& manifest);

// Returns the files findings.before-1.jsonl, ... of a directory, which have the findings of runs of the share that were
// killed. `merge` names them and does not list them: the last run asked everything again.
std::vector<std::string> EarlierFindings(const std::string& directory);
// Makes findings.jsonl of a directory, if it has one, the next file of earlier findings. Error (unavailable): it cannot
// be renamed.
Expected<void> KeepEarlierFindings(const std::string& directory);

}  // namespace layoutcheck
