// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace CLI {
class App;
}  // namespace CLI

namespace layoutcheck {

// Adds --jobs N, the number of threads. Sets `jobs` to the default, the number of processors, at once.
void AddJobs(CLI::App& command, size_t& jobs);

}  // namespace layoutcheck
