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
      : certificate_(certificate), sequent_(sequent), ring_(certificate.ring()), facts_(ring_, rlimit) {}

  std::expected<ProofSteps, std::string> Run() {
    for (const Relation& hypothesis : sequent_.hypotheses) facts_.Add(FactOf(ring_, hypothesis));
    for (const LemmaInstance& instance : certificate_.instances()) pending_.push_back({&instance, {}});
    for (const LemmaInstance& instance : sequent_.instances) pending_.push_back({&instance, {}});
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
    std::vector<Justification> premises;  // reasons of the first premises, which follow
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
      const PolynomialFact premise = FactOf(ring_, instance.premises[pending.premises.size()]);
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
      const PolynomialFact fact = FactOf(ring_, goal);
      const bool is_false = !fact.is_equation && fact.polynomial.IsConstant() && fact.polynomial.Constant() < 0;
      std::optional<Justification> shown = is_false ? std::nullopt : Show(fact);
      if (!shown) return goal;
      proof_.goals.push_back(std::move(*shown));
    }
    return std::nullopt;
  }

  // Shows the statement, by cuts if needed.
  std::optional<Justification> Show(const PolynomialFact& statement) {
    if (std::optional<Justification> shown = facts_.Show(statement)) return shown;
    const bool has_cut = CutMultiple(statement.polynomial) &&
                         (!statement.is_equation || CutMultiple(ring_.Times(statement.polynomial, -1)));
    return has_cut ? facts_.Show(statement) : std::nullopt;
  }

  // For a polynomial g * x + c with a constant c, cuts x + floor(c / g) >= 0, from which it follows to be >= 0. Where
  // that does not follow, the same for what known equations make of the polynomial.
  bool CutMultiple(const Polynomial& polynomial) {
    const std::optional<Polynomial> quotient = Primitive(polynomial);
    if (quotient == polynomial ? facts_.Show({polynomial}).has_value() : quotient && Cut(*quotient)) return true;
    const std::optional<Polynomial> reduced = facts_.Reduced(polynomial);
    const std::optional<Polynomial> other = reduced ? Primitive(*reduced) : std::nullopt;
    return other && other != quotient && Cut(*other);
  }

  // Returns x + floor(c / g) for a polynomial g * x + c with the largest g, or nothing for a constant.
  static std::optional<Polynomial> Primitive(Polynomial polynomial) {
    Int128 divisor = 0;
    for (const auto& [monomial, coefficient] : polynomial.addends) {
      if (monomial != 0) divisor = Gcd(divisor, coefficient);
    }
    if (divisor == 0) return std::nullopt;
    for (auto& [monomial, coefficient] : polynomial.addends) coefficient = FloorOf(coefficient, divisor);
    std::erase_if(polynomial.addends, [](const auto& addend) { return addend.second == 0; });
    return polynomial;
  }

  // Cuts the suggestions that follow and are not cut yet. Returns true if there is one.
  bool CutSuggestions() {
    const size_t before = suggestions_.size();
    std::erase_if(suggestions_, [&](const Polynomial& suggestion) { return Cut(suggestion); });
    return suggestions_.size() < before;
  }

  // Cuts bounds of quotients by numbers and of differences (x floordiv s) - k (y floordiv k s). Returns true if one is
  // new.
  bool CutDifferences() {
    std::vector<AtomId> quotients;
    for (size_t k = 0; k < ring_.atoms().size(); ++k) {
      const Ring::Atom& atom = ring_.atoms()[k];
      const bool is_quotient = atom.kind == AtomKind::kFloorDiv && atom.divisor.IsConstant();
      if (is_quotient && atom.divisor.Constant() > 0) quotients.push_back(static_cast<AtomId>(k));
    }
    // Quotients by the same number first: these are often enough.
    const size_t before = difference_cuts_.size();
    CutDifferences(quotients, /*same_divisor=*/true);
    if (difference_cuts_.size() > before) return true;
    for (const AtomId quotient : quotients) CutBounds(ring_.FromAtom(quotient));
    CutDifferences(quotients, /*same_divisor=*/false);
    return difference_cuts_.size() > before;
  }

  void CutDifferences(const std::vector<AtomId>& quotients, bool same_divisor) {
    constexpr size_t kMaxCuts = 60;
    const size_t most = difference_cuts_.size() + kMaxCuts;
    for (const AtomId a : quotients) {
      for (const AtomId b : quotients) {
        const bool is_same = ring_.atoms()[a].divisor == ring_.atoms()[b].divisor;
        if (is_same == same_divisor && !(is_same && a >= b) && difference_cuts_.size() < most) CutDifference(a, b);
      }
    }
  }

  // Cuts bounds of the difference of two quotients, if the divisor of b is a multiple of that of a.
  void CutDifference(AtomId a, AtomId b) {
    const Polynomial x = ring_.atoms()[a].dividend;
    const Polynomial y = ring_.atoms()[b].dividend;
    const Int128 divisor = ring_.atoms()[a].divisor.Constant();
    const Int128 factor = ring_.atoms()[b].divisor.Constant() / divisor;
    if (factor * divisor != ring_.atoms()[b].divisor.Constant()) return;
    const Polynomial difference = ring_.Subtract(ring_.FromAtom(a), ring_.Times(ring_.FromAtom(b), factor));
    CutBounds(difference);
    const Polynomial shift = ring_.Subtract(y, x);
    if (!shift.IsConstant()) return;
    // For y = x + c s, it is ((y floordiv s) mod k) - c.
    const Int128 c = FloorOf(shift.Constant(), divisor);
    const Int128 least = shift.Constant() == c * divisor ? -c : -c - 1;
    const Int128 most = factor - 1 - c;
    if (least < -1 || least > 1) CutBound(difference, least);
    if (most < -1 || most > 1) CutBound(ring_.Times(difference, -1), -most);
  }

  // Cuts bounds near 0 of a difference and of its negation.
  void CutBounds(const Polynomial& difference) {
    for (const Polynomial& side : {difference, ring_.Times(difference, -1)}) {
      for (const Int128 least : {1, 0, -1}) {
        if (CutBound(side, least)) break;
      }
    }
  }

  // Cuts difference >= least. Returns true if that follows.
  bool CutBound(const Polynomial& difference, Int128 least) {
    const Polynomial cut = ring_.Plus(difference, -least);
    if (difference_cuts_.contains(cut)) return true;
    if (!Cut(cut)) return false;
    difference_cuts_.insert(cut);
    return true;
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
  std::vector<Polynomial> suggestions_;  // suggestions that are not cut yet
  std::set<Polynomial> difference_cuts_;
  ProofSteps proof_;
};

// Calls visit(combination) for each combination of the justifications.
template <class Visit>
void VisitCombinations(std::span<Justification> justifications, const Visit& visit) {
  for (Justification& justification : justifications) {
    visit(justification.above);
    if (justification.below) visit(*justification.below);
  }
}

// Removes the steps whose facts are not used and numbers the others' facts anew.
void Prune(ProofSteps& proof, size_t hypotheses) {
  std::vector<size_t> first_facts;  // number of each step's first fact
  size_t count = hypotheses;
  for (const ProofStep& step : proof.steps) {
    first_facts.push_back(count);
    count += step.FactCount();
  }
  std::vector<bool> needed(count, false);  // one per fact
  const auto need = [&](const Combination& combination) {
    for (const auto& entry : combination.entries()) needed[entry.first] = true;
  };
  VisitCombinations(proof.goals, need);
  if (proof.contradiction) need(*proof.contradiction);
  std::vector<bool> kept(proof.steps.size(), false);
  for (size_t k = proof.steps.size(); k-- > 0;) {
    for (size_t fact = 0; fact < proof.steps[k].FactCount(); ++fact) kept[k] = kept[k] || needed[first_facts[k] + fact];
    if (kept[k]) VisitCombinations(proof.steps[k].premises, need);
  }
  std::vector<FactNumber> numbers(count);
  FactNumber next = 0;
  for (; next < hypotheses; ++next) numbers[next] = next;
  const auto renumber = [&](Combination& combination) {
    std::vector<Combination::Entry> entries = combination.entries();
    for (auto& entry : entries) entry.first = numbers[entry.first];
    combination = Combination(std::move(entries));
  };
  std::vector<ProofStep> steps;
  for (size_t k = 0; k < proof.steps.size(); ++k) {
    if (!kept[k]) continue;
    for (size_t fact = 0; fact < proof.steps[k].FactCount(); ++fact) numbers[first_facts[k] + fact] = next++;
    VisitCombinations(proof.steps[k].premises, renumber);
    steps.push_back(std::move(proof.steps[k]));
  }
  proof.steps = std::move(steps);
  VisitCombinations(proof.goals, renumber);
  if (proof.contradiction) renumber(*proof.contradiction);
}

}  // namespace

std::expected<ProofSteps, std::string> FindProofSteps(Certificate& certificate, const Sequent& sequent,
                                                      uint64_t rlimit) {
  auto proof = StepSearch(certificate, sequent, rlimit).Run();
  if (proof) Prune(*proof, sequent.hypotheses.size());
  return proof;
}

}  // namespace layoutcheck
