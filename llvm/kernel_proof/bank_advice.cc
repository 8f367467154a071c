// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/bank_advice.h"
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <vector>
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/llvm/kernel_proof/warp_recorder.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

// The addresses of an access at each position in the code, as formulas.
using AddressTexts = std::map<WarpAccess, std::map<std::vector<int64_t>, std::set<std::string>>>;

// Returns the addresses of all threads of the block, in the order of their warps; nothing if they depend on anything
// but the numbers of the thread.
std::optional<std::vector<int64_t>> AddressesOf(const std::string& text, const std::array<int64_t, 3>& block) {
  const auto formula = ParseFormula(text);
  if (!formula) return std::nullopt;
  std::vector<size_t> axes;  // of each name
  for (const std::string& name : formula->names) {
    size_t axis = 0;
    while (axis < kAxes.size() && name != ThreadName("thread", axis)) ++axis;
    if (axis == kAxes.size()) return std::nullopt;
    axes.push_back(axis);
  }
  FormulaEvaluator<int64_t> evaluate(*formula);
  std::vector<int64_t> addresses;
  for (int64_t number = 0; number < block[0] * block[1] * block[2]; ++number) {
    const std::array<int64_t, 3> thread{number % block[0], number / block[0] % block[1], number / block[0] / block[1]};
    std::vector<int64_t> values;
    for (const size_t axis : axes) values.push_back(thread[axis]);
    const auto address = evaluate(values);
    if (!address.ok()) return std::nullopt;
    addresses.push_back(address.value);
  }
  return addresses;
}

// Returns the passes of the worst warp whose threads all access these addresses; nothing if that is not known.
std::optional<PassCount> WorstOf(const std::set<std::string>& texts, const std::array<int64_t, 3>& block,
                                 const WarpAccess& access) {
  std::optional<std::vector<int64_t>> addresses;
  for (const std::string& text : texts) {
    auto some = AddressesOf(text, block);
    // Where addresses differ by the path, threads of a warp may take several paths.
    if (!some || (addresses && *some != *addresses)) return std::nullopt;
    addresses = std::move(some);
  }
  std::optional<PassCount> worst;
  const size_t threads = addresses ? addresses->size() : 0;
  for (size_t first = 0; first < threads; first += kWarpLanes) {
    std::array<std::optional<int64_t>, kWarpLanes> lanes;
    for (size_t lane = 0; lane < kWarpLanes && first + lane < threads; ++lane) lanes[lane] = (*addresses)[first + lane];
    // Loads of which a lane is missing merge no phases, as stores do not.
    for (const bool is_store : {true, access.is_store}) {
      const auto count = CountPasses(lanes, access.bytes, is_store);
      if (!count) return std::nullopt;
      if (!worst || PassCount::IsWorse(*count, *worst)) worst = count;
    }
  }
  return worst;
}

}  // namespace

bool HasBanks(const KernelModel& model) {
  const bool is_nvidia = !model.function().getParent()->getTargetTriple().starts_with("amdgcn");
  return model.has_shared_memory() && model.has_launch() && is_nvidia;
}

std::string WhyNoBanks(const KernelModel& model) {
  if (!model.has_shared_memory()) return "the kernel has no shared memory";
  if (!model.has_launch()) return "--grid and --block say which threads are a warp";
  return HasBanks(model) ? "no warp of a small launch could be followed" : "the banks of AMD's GPUs are not known";
}

Expected<void> FindMostPasses(const ThreadProver& threads, BankMeasures& measures) {
  AddressTexts texts;
  std::array<int64_t, 3> block{};
  const ThreadProver::Claim claim = [&](const KernelModel&, const KernelModel::Point& point, const auto&,
                                        const KernelRun& run) {
    if (!FunctionRun::IsOnNames() || FunctionRun::IsRepeated()) return;
    for (size_t axis = 0; axis < block.size(); ++axis)
      block[axis] = point.block[axis] ? NumberOf(*point.block[axis]) : 1;
    for (const SharedAccess& access : run.shared) {
      const bool is_store = access.kind == SharedAccess::Kind::kWrite;
      texts[{access.name, std::string(access.place), is_store, access.bytes}][access.position].insert(
          FunctionRun::Text(access.offset));
    }
  };
  LAYOUTCHECK_TRY(const auto result, threads.ProveOfLaunch(kBankConflicts, claim));
  const bool is_number = std::ranges::all_of(block, [](int64_t size) { return size > 0; });
  if (result.verdict != ProofVerdict::kProved || !is_number) return {};
  for (auto& [access, measured] : measures) {
    const auto known = texts.find(access);
    if (known == texts.end()) continue;
    measured.is_most = true;
    for (const auto& [position, addresses] : known->second) {
      const auto worst = WorstOf(addresses, block, access);
      measured.is_most = measured.is_most && worst && !PassCount::IsWorse(*worst, measured.count);
    }
  }
  return {};
}

}  // namespace layoutcheck
