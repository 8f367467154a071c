// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/jobs.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <string>
#include <thread>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

void AddJobs(CLI::App& command, size_t& jobs) {
  static constexpr size_t kMost = 1024;
  jobs = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, kMost);
  const auto is_valid = [](const std::string& text) -> std::string {
    size_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && rest == end && number >= 1 && number <= kMost) return "";
    return StrCat("expected a number from 1 to ", kMost, ", got '", text, "'");
  };
  command.add_option("--jobs", jobs, "work on this many cores (default: all); the result is the same for every number")
      ->type_name("N")
      ->check(is_valid);
}

}  // namespace layoutcheck
