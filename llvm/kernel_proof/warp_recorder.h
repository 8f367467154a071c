// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the passes that the warps of small launches take to access shared memory, by the model of core's
// bank_conflicts.h. The banks are those of NVIDIA's GPUs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/linear/bank_conflicts.h"
#include "layoutcheck/llvm/kernel/host_run.h"
#include "layoutcheck/llvm/kernel/kernel_model.h"
#include "layoutcheck/llvm/kernel_proof/bank_passes.h"

namespace layoutcheck {

// The address that each lane of a warp accesses; none for lanes that do not.
using LaneAddresses = std::array<std::optional<int64_t>, kWarpLanes>;

// Returns the passes of lanes that each access `bytes` bytes from their address on; lanes without an address do not
// access. Returns nothing if no lane does, or the hardware has no such access.
std::optional<PassCount> CountPasses(const LaneAddresses& addresses, int64_t bytes, bool is_store);

// Records the runs of the threads of one launch after another.
class WarpRecorder {
 public:
  // Records nothing of a kernel without banks (HasBanks).
  explicit WarpRecorder(const KernelModel& model);

  void BeginLaunch() { executions_.clear(); }
  // Adds a thread of the launch, whose block has so many threads in x, y and z.
  void Add(const LaunchSizes& block, const HostThread& thread, const KernelRun& run);
  // Counts the passes of a launch whose threads are all added. `values` are those of its sizes, and of kPattern.
  void EndLaunch(std::vector<std::pair<std::string, int64_t>> values);

  const BankMeasures& measures() const { return measures_; }

 private:
  using Warp = std::pair<std::array<int64_t, 3>, int64_t>;  // block, and number in it
  // The executions of an access by one warp, by the position in the code.
  using Executions = std::map<std::vector<int64_t>, LaneAddresses>;

  bool has_banks_;
  std::map<WarpAccess, std::map<Warp, Executions>> executions_;
  BankMeasures measures_;
};

}  // namespace layoutcheck
