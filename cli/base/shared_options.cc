// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/shared_options.h"
#include <algorithm>
#include <charconv>
#include <thread>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Option JobsOption(uint64_t& jobs, OptionTraits traits) {
  static constexpr uint64_t kMost = 1024;
  jobs = std::clamp<uint64_t>(std::thread::hardware_concurrency(), 1, kMost);
  Option option{"--jobs N", "work on this many cores (default: all); the result is the same for every number", &jobs,
                traits};
  option.check = [](const std::string& text) -> std::string {
    uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && rest == end && number >= 1 && number <= kMost) return "";
    return StrCat("expected a number from 1 to ", kMost, ", got '", text, "'");
  };
  return option;
}

Option ShardOption(std::string_view what, std::string& shard) {
  return {"--shard K/N|auto",
          StrCat(what,
                 " only share K of N of the run, from 1/N to N/N; auto takes the share from Slurm, Kubernetes, "
                 "GoogleTest or Bazel. With --out, the shares can be put together with layoutcheck merge"),
          &shard, kDetail};
}

}  // namespace layoutcheck
