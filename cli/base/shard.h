// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// One of `count` shares of a run, which together are the whole run. Item k of the run is in share k mod count.
struct Shard {
  uint64_t index = 0;  // from 0
  uint64_t count = 1;

  bool Has(uint64_t item) const { return item % count == index; }
  // Returns "2/3" for the second of three shares.
  std::string ToString() const;
  bool operator==(const Shard&) const = default;
};

// Returns the value of an environment variable, or nothing if it is not set.
using Environment = std::function<std::optional<std::string>(const char* name)>;

// Reads the value of --shard: K/N with 1 <= K <= N, or "auto", which takes the share from the variables of Slurm's job
// arrays, Kubernetes' indexed jobs, GoogleTest or Bazel. Errors, which name the variables: other text (syntax); no
// variable is set, one is missing, or their values do not name one share (invalid argument).
Expected<Shard> ReadShard(std::string_view text, const Environment& environment);
// Does the same with the environment of this process. For "auto" under Bazel, makes the file TEST_SHARD_STATUS_FILE,
// which tells Bazel that the program takes shares. Error (unavailable): that file cannot be written.
Expected<Shard> ReadShard(std::string_view text);

}  // namespace layoutcheck
