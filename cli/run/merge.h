// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts the shares of one run together.
#pragma once

#include <span>
#include <string>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/run/manifest.h"
#include "layoutcheck/properties/model/finding.h"

namespace layoutcheck {

struct ShareDirectory {
  std::string directory;
  Manifest manifest;
};

// Reads the manifests and returns the shares in order, from 1/N to N/N. Errors, which name the directories or the
// shares: those of ReadManifest; shares of different runs, a share twice, a missing one (invalid argument).
Expected<std::vector<ShareDirectory>> ReadShares(std::span<const std::string> directories);

// Returns the totals of the run: numbers are added up, except those that are the same in every share.
Json MergedTotals(std::span<const ShareDirectory> shares);

// The results of one entry of a tile set; `missing` if its share has none.
struct MergedProof {
  std::string entry;
  std::vector<Json> results;
  bool missing = false;
};

// Returns the results of all entries in the order of the tile set. Error: a file of results that is not one.
Expected<std::vector<MergedProof>> MergedProofs(std::span<const ShareDirectory> shares);

struct MergedRun {
  std::vector<Finding> findings;  // `reproduce` names the file of the share
  Json totals;
};

// Returns the findings of all shares, once per cause and with added counts. Those of `check` are the findings of one
// process, in its order. Completes `totals`, which are those of MergedTotals. Errors: those of ReadFindings; a manifest
// or findings.jsonl that was changed (syntax).
Expected<MergedRun> MergeFindings(std::span<const ShareDirectory> shares, Json totals);

}  // namespace layoutcheck
