// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands for a LAYOUT argument that has a sharding behind its shape. Each command of cli/commands hands its
// arguments over if IsSharded says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/sharding/sharded_answers.h"
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// The line of the program's help.
inline constexpr std::string_view kShardedExample = "f32[8,128]{1,0} sharding={devices=[2,4]<=[8]}";
inline constexpr std::string_view kShardedDescription = "devices: HLO, JAX, DTensor and others";

// Returns true if the text, valid or not, is meant as a shape with a sharding.
bool IsSharded(std::string_view layout);

// Returns true if a value of `convert --to` is one of kShardingTargets.
bool IsShardingTarget(std::string_view to);

// Returns the canonical text. Errors: those of ParseSharded, except that {replicated} needs no number of devices.
Expected<std::string> CanonicalSharded(std::string_view text);

struct ShardedIndexArguments {
  std::string layout;
  std::string coordinate;
  bool json = false;
};
ExitCode RunShardedIndex(const ShardedIndexArguments& arguments);

struct ShardedCoordArguments {
  std::string layout;
  std::string offset;
  std::optional<uint64_t> device;
  bool json = false;
};
ExitCode RunShardedCoord(const ShardedCoordArguments& arguments);

struct ShardedShowArguments {
  std::string layout;
  std::string svg;   // name of a file, or empty
  std::string html;  // name of a file, or empty
  bool json = false;
};
ExitCode RunShardedShow(const ShardedShowArguments& arguments);

struct ShardedCompareArguments {
  std::string a;
  std::string b;
  std::string transpose;  // order of A's dimensions in B, or empty
  std::string svg;        // name of a file, or empty
  bool picture = false;
  bool json = false;
};
ExitCode RunShardedCompare(const ShardedCompareArguments& arguments);

struct ShardedConvertArguments {
  std::string layout;
  std::string to;
  bool json = false;
};
ExitCode RunShardedConvert(const ShardedConvertArguments& arguments);

}  // namespace layoutcheck
