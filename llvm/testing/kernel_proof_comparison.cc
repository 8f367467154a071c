// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/llvm/testing/kernel_comparison.h"

namespace layoutcheck {
namespace {

using Kind = KernelStatement::Kind;

// The index of in that belongs at an index i of out by a map "out[i]=in[FORMULA]", or i if there is none.
class SourceIndex {
 public:
  explicit SourceIndex(const std::string& map) {
    if (map.empty()) return;
    const size_t begin = map.find("in[") + 3;
    formula_ = *ParseFormula(map.substr(begin, map.size() - 1 - begin));
  }

  int64_t operator()(int64_t i) const {
    if (!formula_) return i;
    const std::vector<int64_t> values(formula_->names.size(), i);
    return FormulaEvaluator<int64_t>(*formula_)(values).value;
  }

 private:
  std::optional<Formula> formula_;
};

// Returns true if the launch keeps the law, and nothing if that does not follow from what the kernel does.
std::optional<bool> Keeps(const KernelRequest& request, const std::string& law, const KernelTruth& truth) {
  if (law == "accesses") return true;
  if (law == "race-free") return truth.races.empty();
  if (law == "uniform-barriers") {
    if (truth.barriers == KernelTruth::Barriers::kSomeEnd) return std::nullopt;
    return truth.barriers <= KernelTruth::Barriers::kReturned;
  }
  const SourceIndex source(request.sources.empty() ? "" : request.sources[0]);
  bool are_right = true;
  for (const std::vector<ThreadEvent>& events : truth.threads) {
    for (const ThreadEvent& event : events) {
      if (event.array != 1 || event.kind == Kind::kLoad) continue;
      if (event.kind == Kind::kAtomicAdd) return std::nullopt;
      for (size_t k = 0; k < event.values.size(); ++k) {
        const KernelValue& value = event.values[k];
        const bool is_element = value.kind == KernelValue::Kind::kElement;
        if (is_element && value.array == 1) return std::nullopt;
        const int64_t right = source(event.index + static_cast<int64_t>(k));
        are_right = are_right && is_element && value.index == right;
      }
    }
  }
  if (law == "distinct-stores") return std::ranges::all_of(truth.stores, [](int64_t count) { return count <= 1; });
  if (law == "complete") return std::ranges::all_of(truth.stores, [](int64_t count) { return count >= 1; });
  if (!truth.races.empty() || !truth.has_ended) return std::nullopt;
  return are_right;
}

}  // namespace

int64_t StoresThatFit(const SeededKernel& seeded, const std::string& source) {
  const SourceIndex right(source);
  int64_t count = 0;
  for (const std::vector<ThreadEvent>& events : seeded.truth.threads) {
    for (const ThreadEvent& event : events) {
      if (event.array != 1) continue;
      for (size_t k = 0; k < event.values.size(); ++k) {
        const KernelValue& value = event.values[k];
        const bool is_of_in = value.kind == KernelValue::Kind::kElement && value.array == 0;
        count += is_of_in && value.index == right(event.index + static_cast<int64_t>(k)) ? 1 : 0;
      }
    }
  }
  return count;
}

std::vector<std::string> WrongProofs(const SeededKernel& seeded, const KernelRequest& request,
                                     std::span<const KernelProof> proofs, std::span<const KernelLaunch> launches) {
  std::vector<std::string> wrong;
  for (const KernelProof& proof : proofs) {
    const ProofResult& result = proof.result;
    if (!proof.not_asked.empty() || !proof.where.empty() || result.verdict == ProofVerdict::kUnknown) continue;
    std::vector<KernelLaunch> tried(launches.begin(), launches.end());
    const bool is_proved = result.verdict == ProofVerdict::kProved;
    if (!is_proved) {
      KernelLaunch launch = seeded.launch;
      for (const auto& [name, value] : result.counterexample) {
        if (name == "G") launch.blocks = value;
        if (name == "n") launch.argument = value;
      }
      // Longer runs are not worth their time.
      if (launch.blocks > 64 || launch.argument > 64) continue;
      tried = {launch};
    }
    for (const KernelLaunch& launch : tried) {
      const std::optional<bool> keeps = Keeps(request, result.law, TruthOf(seeded.kernel, launch));
      if (keeps.value_or(is_proved) == is_proved) continue;
      wrong.push_back(StrCat(result.law, " is ", ProofVerdictName(result.verdict), ", but with ", launch.blocks,
                             " blocks and n = ", launch.argument, " it is ", is_proved ? "broken" : "kept", " (",
                             result.subexpression, ")"));
      break;
    }
  }
  return wrong;
}

}  // namespace layoutcheck
