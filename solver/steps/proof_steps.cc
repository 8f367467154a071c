// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/steps/proof_steps.h"
#include <algorithm>
#include <set>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/smt_printer.h"

namespace layoutcheck {
namespace {

class StepSearch {
 public:
  StepSearch(Certificate& certificate, const Sequent& sequent, uint64_t rlimit)
      : certificate_(certificate), sequent_(sequent), ring_(certificate.ring()), facts_(rlimit) {}

  std::expected<ProofSteps, std::string> Run() {
    for (const Relation& hypothesis : sequent_.hypotheses) facts_.Add(FactOf(ring_, hypothesis));
    for (const LemmaInstance& instance : certificate_.instances()) pending_.push_back({&instance, {}});
    suggestions_ = certificate_.suggestions();
    ApplyInstances();
    std::optional<Relation> open = ShowGoals();
    while (open && (CutSuggestions() || CutDifferences())) {
      ApplyInstances();
      open = ShowGoals();
    }
    if (!open) return std::move(proof_);
    proof_.goals.clear();
    proof_.contradiction = facts_.ShowContradiction();
    if (proof_.contradiction) return std::move(proof_);
    return std::unexpected(StrCat("no multipliers were found for the goal ", ring_.ToString(open->left), " ",
                                  SmtRelation(open->kind), " ", ring_.ToString(open->right)));
  }

 private:
  struct Pending {
    const LemmaInstance* instance;
    std::vector<Justification> premises;  // of the first premises, which follow
  };

  // Applies the instances whose premises follow. One may rest on conclusions of later ones, so that a premise is
  // searched for only where no other instance can be applied without a search.
  void ApplyInstances() {
    do {
      while (ApplyInstances(Effort::kDirect)) {
      }
    } while (ApplyInstances(Effort::kSearch));
  }

  // Returns true if an instance was applied.
  bool ApplyInstances(Effort effort) {
    const size_t before = pending_.size();
    std::erase_if(pending_, [&](Pending& pending) { return Apply(pending, effort); });
    return pending_.size() < before;
  }

  bool Apply(Pending& pending, Effort effort) {
    const LemmaInstance& instance = *pending.instance;
    while (pending.premises.size() < instance.premises.size()) {
      const Fact premise = FactOf(ring_, instance.premises[pending.premises.size()]);
      std::optional<Justification> shown =
          effort == Effort::kSearch ? Show(premise) : facts_.Show(premise, Effort::kDirect);
      if (!shown) return false;
      pending.premises.push_back(std::move(*shown));
    }
    for (const Relation& conclusion : instance.conclusions) facts_.Add(FactOf(ring_, conclusion));
    proof_.steps.push_back({&instance, {}, std::move(pending.premises)});
    return true;
  }

  // Shows the goals that are not shown yet, in order. Returns the first for which it fails.
  std::optional<Relation> ShowGoals() {
    while (proof_.goals.size() < sequent_.goals.size()) {
      const Relation& goal = sequent_.goals[proof_.goals.size()];
      const Fact fact = FactOf(ring_, goal);
      const bool is_false = !fact.is_equation && fact.polynomial.IsConstant() && fact.polynomial.Constant() < 0;
      std::optional<Justification> shown = is_false ? std::nullopt : Show(fact);
      if (!shown) return goal;
      proof_.goals.push_back(std::move(*shown));
    }
    return std::nullopt;
  }

  // Shows the statement, by cuts if needed.
  std::optional<Justification> Show(const Fact& statement) {
    if (std::optional<Justification> shown = facts_.Show(statement)) return shown;
    const bool has_cut = CutMultiple(statement.polynomial) &&
                         (!statement.is_equation || CutMultiple(ring_.Times(statement.polynomial, -1)));
    return has_cut ? facts_.Show(statement) : std::nullopt;
  }

  // For a polynomial g * x + c with a constant c, cuts x + floor(c / g) >= 0, from which it follows to be >= 0.
  bool CutMultiple(const Polynomial& polynomial) {
    Int128 divisor = 0;
    for (const auto& [monomial, coefficient] : polynomial.addends) {
      if (monomial != 0) divisor = Gcd(divisor, coefficient);
    }
    if (divisor < 2) return facts_.Show({polynomial}).has_value();
    Polynomial quotient = polynomial;
    for (auto& [monomial, coefficient] : quotient.addends) coefficient = FloorOf(coefficient, divisor);
    std::erase_if(quotient.addends, [](const auto& addend) { return addend.second == 0; });
    return Cut(quotient);
  }

  // Cuts the suggestions that follow and are not cut yet. Returns true if there is one.
  bool CutSuggestions() {
    const size_t before = suggestions_.size();
    std::erase_if(suggestions_, [&](const Polynomial& suggestion) { return Cut(suggestion); });
    return suggestions_.size() < before;
  }

  // Cuts bounds of the differences of quotients by the same number. Returns true if there is a new one.
  bool CutDifferences() {
    constexpr size_t kMaxCuts = 60;
    std::vector<AtomId> quotients;
    for (size_t k = 0; k < ring_.atoms().size(); ++k) {
      const Ring::Atom& atom = ring_.atoms()[k];
      if (atom.kind == AtomKind::kFloorDiv && atom.divisor.IsConstant()) quotients.push_back(static_cast<AtomId>(k));
    }
    const size_t before = difference_cuts_.size();
    for (const AtomId a : quotients) {
      for (const AtomId b : quotients) {
        if (a == b || ring_.atoms()[a].divisor != ring_.atoms()[b].divisor) continue;
        if (difference_cuts_.size() < kMaxCuts) CutDifference(ring_.Subtract(ring_.FromAtom(a), ring_.FromAtom(b)));
      }
    }
    return difference_cuts_.size() > before;
  }

  // Cuts difference >= k for the largest k near 0 for which that follows.
  void CutDifference(const Polynomial& difference) {
    for (const Int128 least : {1, 0, -1}) {
      const Polynomial cut = ring_.Plus(difference, -least);
      if (difference_cuts_.contains(cut)) return;
      if (!Cut(cut)) continue;
      difference_cuts_.insert(cut);
      return;
    }
  }

  bool Cut(const Polynomial& polynomial) {
    std::optional<Justification> shown = facts_.Show({polynomial});
    if (!shown) return false;
    facts_.Add({polynomial});
    proof_.steps.push_back({nullptr, polynomial, {std::move(*shown)}});
    return true;
  }

  Certificate& certificate_;
  const Sequent& sequent_;
  Ring& ring_;
  KnownFacts facts_;
  std::vector<Pending> pending_;
  std::vector<Polynomial> suggestions_;  // those that are not cut yet
  std::set<Polynomial> difference_cuts_;
  ProofSteps proof_;
};

class Pruning {
 public:
  Pruning(ProofSteps& proof, size_t hypotheses) : proof_(proof), needed_(hypotheses, false) {
    for (const ProofStep& step : proof.steps) {
      first_facts_.push_back(needed_.size());
      needed_.resize(needed_.size() + step.FactCount(), false);
    }
    hypotheses_ = hypotheses;
  }

  // Removes the steps whose facts are not used and numbers the others' facts anew.
  void Run() {
    for (const Justification& goal : proof_.goals) Need(goal);
    if (proof_.contradiction) Need(*proof_.contradiction);
    std::vector<bool> kept(proof_.steps.size(), false);
    for (size_t k = proof_.steps.size(); k-- > 0;) {
      const size_t end = first_facts_[k] + proof_.steps[k].FactCount();
      for (size_t fact = first_facts_[k]; fact < end; ++fact) kept[k] = kept[k] || needed_[fact];
      if (!kept[k]) continue;
      for (const Justification& premise : proof_.steps[k].premises) Need(premise);
    }
    std::vector<FactNumber> numbers(needed_.size());
    FactNumber next = 0;
    for (; next < hypotheses_; ++next) numbers[next] = next;
    std::vector<ProofStep> steps;
    for (size_t k = 0; k < proof_.steps.size(); ++k) {
      if (!kept[k]) continue;
      const size_t count = proof_.steps[k].FactCount();
      for (size_t fact = 0; fact < count; ++fact) numbers[first_facts_[k] + fact] = next++;
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

std::expected<ProofSteps, std::string> FindProofSteps(Certificate& certificate, const Sequent& sequent,
                                                      uint64_t rlimit) {
  auto proof = StepSearch(certificate, sequent, rlimit).Run();
  if (proof) Pruning(*proof, sequent.hypotheses.size()).Run();
  return proof;
}

}  // namespace layoutcheck
