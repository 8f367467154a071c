// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/steps/proof_steps.h"
#include <algorithm>
#include <map>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/smt_printer.h"

namespace layoutcheck {
namespace {

class StepSearch {
 public:
  StepSearch(Certificate& certificate, const std::vector<Relation>& goals, uint64_t rlimit)
      : certificate_(certificate), goals_(goals), ring_(certificate.ring()), facts_(ring_, rlimit) {}

  std::expected<ProofSteps, std::string> Run() {
    for (const Relation& hypothesis : certificate_.hypotheses()) facts_.Add(FactOf(ring_, hypothesis));
    for (const LemmaInstance& instance : certificate_.instances()) pending_.push_back({&instance, {}});
    // An instance may rest on conclusions of later ones.
    while (ApplyInstances()) {
    }
    for (const Relation& goal : goals_) {
      const Fact fact = FactOf(ring_, goal);
      const bool is_false = !fact.is_equation && fact.polynomial.IsConstant() && fact.polynomial.Constant() < 0;
      std::optional<Justification> shown = is_false ? std::nullopt : facts_.Show(fact);
      if (!shown) return ShowContradiction(goal);
      proof_.goals.push_back(std::move(*shown));
    }
    return std::move(proof_);
  }

 private:
  struct Pending {
    const LemmaInstance* instance;
    std::vector<Justification> premises;  // of the first premises, which follow
  };

  // Applies the instances whose premises follow. Returns true if there were some and others are left.
  bool ApplyInstances() {
    std::vector<Pending> left;
    const size_t before = pending_.size();
    for (Pending& pending : pending_) {
      if (ShowPremises(pending)) {
        for (const Relation& conclusion : pending.instance->conclusions) facts_.Add(FactOf(ring_, conclusion));
        proof_.steps.push_back({pending.instance, std::move(pending.premises)});
      } else {
        left.push_back(std::move(pending));
      }
    }
    pending_ = std::move(left);
    return !pending_.empty() && pending_.size() < before;
  }

  bool ShowPremises(Pending& pending) {
    while (pending.premises.size() < pending.instance->premises.size()) {
      std::optional<Justification> shown =
          facts_.Show(FactOf(ring_, pending.instance->premises[pending.premises.size()]));
      if (!shown) return false;
      pending.premises.push_back(std::move(*shown));
    }
    return true;
  }

  std::expected<ProofSteps, std::string> ShowContradiction(const Relation& goal) {
    proof_.goals.clear();
    proof_.contradiction = facts_.ShowContradiction();
    if (proof_.contradiction) return std::move(proof_);
    return std::unexpected(StrCat("no multipliers were found for the goal ", ring_.ToString(goal.left), " ",
                                  SmtRelation(goal.kind), " ", ring_.ToString(goal.right)));
  }

  Certificate& certificate_;
  const std::vector<Relation>& goals_;
  Ring& ring_;
  KnownFacts facts_;
  std::vector<Pending> pending_;
  ProofSteps proof_;
};

class Pruning {
 public:
  Pruning(ProofSteps& proof, size_t hypotheses) : proof_(proof), needed_(hypotheses, false) {
    for (const LemmaStep& step : proof.steps) {
      first_facts_.push_back(needed_.size());
      needed_.resize(needed_.size() + step.instance->conclusions.size(), false);
    }
    hypotheses_ = hypotheses;
  }

  // Removes the steps whose facts are not used and numbers the others' facts anew.
  void Run() {
    for (const Justification& goal : proof_.goals) Need(goal);
    if (proof_.contradiction) Need(*proof_.contradiction);
    std::vector<bool> kept(proof_.steps.size(), false);
    for (size_t k = proof_.steps.size(); k-- > 0;) {
      const size_t end = first_facts_[k] + proof_.steps[k].instance->conclusions.size();
      for (size_t fact = first_facts_[k]; fact < end; ++fact) kept[k] = kept[k] || needed_[fact];
      if (!kept[k]) continue;
      for (const Justification& premise : proof_.steps[k].premises) Need(premise);
    }
    std::vector<FactNumber> numbers(needed_.size());
    FactNumber next = 0;
    for (; next < hypotheses_; ++next) numbers[next] = next;
    std::vector<LemmaStep> steps;
    for (size_t k = 0; k < proof_.steps.size(); ++k) {
      if (!kept[k]) continue;
      const size_t conclusions = proof_.steps[k].instance->conclusions.size();
      for (size_t fact = 0; fact < conclusions; ++fact) numbers[first_facts_[k] + fact] = next++;
      steps.push_back(std::move(proof_.steps[k]));
      for (Justification& premise : steps.back().premises) Renumber(premise, numbers);
    }
    proof_.steps = std::move(steps);
    for (Justification& goal : proof_.goals) Renumber(goal, numbers);
    if (proof_.contradiction) Renumber(*proof_.contradiction, numbers);
  }

 private:
  void Need(const Combination& combination) {
    for (const auto& entry : combination.entries()) needed_[entry.first] = true;
  }
  void Need(const Justification& justification) {
    Need(justification.above);
    if (justification.below) Need(*justification.below);
  }
  static void Renumber(Combination& combination, const std::vector<FactNumber>& numbers) {
    std::vector<Combination::Entry> entries = combination.entries();
    for (auto& entry : entries) entry.first = numbers[entry.first];
    combination = Combination(std::move(entries));
  }
  static void Renumber(Justification& justification, const std::vector<FactNumber>& numbers) {
    Renumber(justification.above, numbers);
    if (justification.below) Renumber(*justification.below, numbers);
  }

  ProofSteps& proof_;
  size_t hypotheses_ = 0;
  std::vector<bool> needed_;         // by fact
  std::vector<size_t> first_facts_;  // of each step
};

}  // namespace

std::expected<ProofSteps, std::string> FindProofSteps(Certificate& certificate, const std::vector<Relation>& goals,
                                                      uint64_t rlimit) {
  auto proof = StepSearch(certificate, goals, rlimit).Run();
  if (proof) Pruning(*proof, certificate.hypotheses().size()).Run();
  return proof;
}

}  // namespace layoutcheck
