// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/shard.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

std::optional<uint64_t> ReadNumber(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The environment variables with which a scheduler tells a process its share.
struct Scheduler {
  std::string_view name;
  std::array<const char*, 2> index_and_count;
  std::array<const char*, 2> first_and_last = {};  // of the indices; null if they are 0 and count - 1
  const char* step = nullptr;                      // distance of the indices; null if it is 1
};

constexpr Scheduler kSchedulers[] = {
    {"Slurm",
     {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT"},
     {"SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX"},
     "SLURM_ARRAY_TASK_STEP"},
    {"Kubernetes", {"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"}},
    {"GoogleTest", {"GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS"}},
    {"Bazel", {"TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS"}},
};

std::unexpected<Error> Invalid(std::string message) {
  return MakeError(ErrorKind::kInvalidArgument, std::move(message));
}

// Returns the share that the scheduler's variables name, or nothing if neither index nor count is set.
Expected<std::optional<Shard>> ShardOf(const Scheduler& scheduler, const Environment& environment) {
  const auto is_set = [&](const char* name) { return environment(name).has_value(); };
  const auto present = std::ranges::find_if(scheduler.index_and_count, is_set);
  if (present == scheduler.index_and_count.end()) return std::nullopt;
  std::string values;  // "A=1, B=2", for messages
  uint64_t index = 0;
  uint64_t count = 0;
  uint64_t first = 0;
  uint64_t last = 0;
  uint64_t step = 1;
  const std::pair<const char*, uint64_t*> variables[] = {{scheduler.index_and_count[0], &index},
                                                         {scheduler.index_and_count[1], &count},
                                                         {scheduler.first_and_last[0], &first},
                                                         {scheduler.first_and_last[1], &last},
                                                         {scheduler.step, &step}};
  for (const auto& [name, number] : variables) {
    if (name == nullptr) continue;
    const auto value = environment(name);
    if (!value && name == scheduler.step) continue;
    if (!value) return Invalid(StrCat(scheduler.name, ": ", *present, " is set, but ", name, " is not"));
    StrAppend(values, values.empty() ? "" : ", ", name, "=", *value);
    const auto read = ReadNumber(*value);
    if (!read) return Invalid(StrCat(name, ": expected an integer >= 0, got '", *value, "'"));
    *number = *read;
  }
  const auto inconsistent = [&](std::string_view why) {
    return Invalid(StrCat(scheduler.name, ": expected ", why, ", got ", values));
  };
  if (count == 0) return inconsistent("at least one share");
  if (step == 0) return inconsistent("a step of at least 1");
  if (scheduler.first_and_last[0] == nullptr) last = count - 1;
  if (last < first || (last - first) / step != count - 1) {
    return inconsistent("an array without gaps, such as 1-64 (otherwise give --shard K/N)");
  }
  if (index < first || index > last || (index - first) % step != 0) return inconsistent("an index of the array");
  return Shard{(index - first) / step, count};
}

Expected<Shard> ShardOfSchedulers(const Environment& environment) {
  std::optional<Shard> shard;
  std::string source;
  std::vector<std::string> names;
  for (const Scheduler& scheduler : kSchedulers) {
    names.push_back(StrJoin(scheduler.index_and_count, " and "));
    LAYOUTCHECK_TRY(const auto found, ShardOf(scheduler, environment));
    if (!found) continue;
    if (shard && *shard != *found) {
      return Invalid(StrCat(source, " say ", shard->ToString(), ", but ", names.back(), " say ", found->ToString()));
    }
    shard = *found;
    source = names.back();
  }
  if (shard) return *shard;
  return Invalid(StrCat("auto: no scheduler has set its variables: ", StrJoin(names, ", ")));
}

}  // namespace

std::string Shard::ToString() const { return StrCat(index + 1, "/", count); }

Expected<Shard> ReadShard(std::string_view text, const Environment& environment) {
  if (text == "auto") return ShardOfSchedulers(environment);
  const size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const auto number = ReadNumber(text.substr(0, slash));
    const auto count = ReadNumber(text.substr(slash + 1));
    if (number && count && *number >= 1 && *number <= *count) return Shard{*number - 1, *count};
  }
  return MakeError(ErrorKind::kSyntax, StrCat("expected auto, or K/N with 1 <= K <= N, got '", text, "'"));
}

Expected<Shard> ReadShard(std::string_view text) {
  const auto environment = [](const char* name) -> std::optional<std::string> {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  const auto shard = ReadShard(text, environment);
  const auto status_file = environment("TEST_SHARD_STATUS_FILE");
  if (shard && text == "auto" && status_file) {
    std::FILE* const file = std::fopen(status_file->c_str(), "a");
    if (file == nullptr || std::fclose(file) != 0) {
      return MakeError(ErrorKind::kUnavailable, StrCat("cannot write TEST_SHARD_STATUS_FILE=", *status_file));
    }
  }
  return shard;
}

}  // namespace layoutcheck
