// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include "layoutcheck/solver/steps/proof_steps.h"

namespace layoutcheck {
namespace {

constexpr int kEverything = std::numeric_limits<int>::max();

constexpr uint32_t kKeyOfKind = uint32_t{1} << 28;

bool IsConstant(const LinearForm& form) { return form.IsZero() || form.entries().back().first == 0; }
bool IsAboveMinusOne(const Rational& value) { return !value.overflow() && value.numerator() > -value.denominator(); }

// Returns the form, which is no constant, without its constant and divided by the size of its last coefficient.
LinearForm DirectionOf(const LinearForm& form) {
  const Rational last = form.entries().back().second;
  const Rational size = last.numerator() < 0 ? -last : last;
  std::vector<LinearForm::Entry> entries;
  for (const auto& [monomial, coefficient] : form.entries()) {
    if (monomial != 0) entries.emplace_back(monomial, coefficient / size);
  }
  return LinearForm(std::move(entries));
}

}  // namespace

PolynomialFact FactOf(Ring& ring, const Relation& relation) {
  if (relation.kind == TermRelation::Kind::kEqual) return {ring.Subtract(relation.left, relation.right), true};
  const Polynomial difference = ring.Subtract(relation.right, relation.left);
  return {relation.kind == TermRelation::Kind::kLess ? ring.Plus(difference, -1) : difference, false};
}

uint32_t KnownFacts::KeyOf(MonomialId monomial) const {
  uint32_t kind = 0;
  for (const AtomId atom : ring_.monomial(monomial)) {
    const AtomKind atom_kind = ring_.atoms()[atom].kind;
    kind = std::max<uint32_t>(kind, atom_kind == AtomKind::kMod ? 3 : atom_kind == AtomKind::kVariable ? 2 : 1);
  }
  return kind * kKeyOfKind + monomial;
}

LinearForm KnownFacts::FormOf(const Polynomial& polynomial, Int128 factor) const {
  std::vector<LinearForm::Entry> entries;
  for (const auto& [monomial, coefficient] : polynomial.addends) {
    entries.emplace_back(KeyOf(monomial), Rational(coefficient) * Rational(factor));
  }
  std::ranges::sort(entries, {}, &LinearForm::Entry::first);
  return LinearForm(std::move(entries));
}

void KnownFacts::Add(const PolynomialFact& fact) {
  const auto number = static_cast<FactNumber>(count_++);
  Row row = Reduce(FormOf(fact.polynomial), {});
  // The reduction says form = reduced + combination, so the reduced form is the fact less the combination.
  row.combination = Combination({{number, Rational(1)}}).Plus(row.combination, -1);
  if (row.form.HasOverflow() || row.combination.HasOverflow()) return;
  if (fact.is_equation) {
    AddEquation(row);
  } else {
    AddInequality(std::move(row));
  }
}

KnownFacts::Row KnownFacts::Reduce(LinearForm form, Combination combination) const {
  // A row has no monomial after its pivot, so one pass from the last monomial to the first suffices.
  for (auto place = form.entries().size(); place-- > 0;) {
    const auto [monomial, coefficient] = form.entries()[place];
    const auto equation = equations_.find(monomial);
    if (equation == equations_.end()) continue;
    form = form.Plus(equation->second.form, -coefficient);
    combination = combination.Plus(equation->second.combination, coefficient);
    const auto next = std::ranges::lower_bound(form.entries(), monomial, {}, &LinearForm::Entry::first);
    place = static_cast<size_t>(next - form.entries().begin());
  }
  return {std::move(form), std::move(combination)};
}

void KnownFacts::AddEquation(const Row& row) {
  if (row.form.IsZero()) return;
  if (IsConstant(row.form)) {
    // A contradiction: as an inequality, with the sign that is false.
    const Rational sign = row.form.At(0).numerator() > 0 ? -1 : 1;
    inequalities_.push_back({LinearForm().Plus(row.form, sign), Combination().Plus(row.combination, sign)});
    return;
  }
  const auto [pivot, coefficient] = row.form.entries().back();
  const Rational factor = Rational(1) / coefficient;
  equations_.emplace(pivot, Row{LinearForm().Plus(row.form, factor), Combination().Plus(row.combination, factor)});
  for (const size_t place : std::exchange(places_[pivot], {})) {
    const Row old = std::exchange(inequalities_[place], {});
    if (old.form.IsZero()) continue;
    Row reduced = Reduce(old.form, {});
    reduced.combination = old.combination.Plus(reduced.combination, -1);
    if (!reduced.form.HasOverflow() && !reduced.combination.HasOverflow()) AddInequality(std::move(reduced));
  }
}

void KnownFacts::AddInequality(Row row) {
  if (IsConstant(row.form)) {
    if (row.form.At(0).numerator() < 0) inequalities_.push_back(std::move(row));
    return;
  }
  const size_t place = inequalities_.size();
  for (const auto& [monomial, coefficient] : row.form.entries()) {
    if (monomial != 0) places_[monomial].push_back(place);
  }
  parallels_[DirectionOf(row.form)].push_back(place);
  inequalities_.push_back(std::move(row));
}

std::optional<Justification> KnownFacts::Show(const PolynomialFact& statement, Effort effort) {
  const LinearForm form = FormOf(statement.polynomial);
  if (!statement.is_equation) {
    std::optional<Combination> above = ShowNotNegative(form, effort);
    if (!above) return std::nullopt;
    return Justification{std::move(*above), std::nullopt};
  }
  Row reduced = Reduce(form, {});
  if (reduced.form.IsZero() && !reduced.combination.HasOverflow()) {
    return Justification{std::move(reduced.combination), std::nullopt};
  }
  std::optional<Combination> above = ShowNotNegative(form, effort);
  if (!above) return std::nullopt;
  std::optional<Combination> below = ShowNotNegative(FormOf(statement.polynomial, -1), effort);
  if (!below) return std::nullopt;
  return Justification{std::move(*above), std::move(below)};
}

std::optional<Polynomial> KnownFacts::Reduced(const Polynomial& polynomial) const {
  const LinearForm form = Reduce(FormOf(polynomial), {}).form;
  WideInteger scale = 1;
  for (const auto& [monomial, coefficient] : form.entries()) {
    if (coefficient.overflow() || scale.overflow) return std::nullopt;
    scale = scale * WideInteger(coefficient.denominator() / Gcd(scale.value, coefficient.denominator()));
  }
  Polynomial reduced;
  for (const auto& [monomial, coefficient] : form.entries()) {
    const WideInteger integer =
        WideInteger(coefficient.numerator()) * WideInteger(scale.value / coefficient.denominator());
    if (scale.overflow || integer.overflow) return std::nullopt;
    reduced.addends.emplace_back(monomial % kKeyOfKind, integer.value);
  }
  std::ranges::sort(reduced.addends);
  return reduced;
}

std::optional<Combination> KnownFacts::ShowContradiction() {
  return ShowNotNegative(LinearForm({{0, Rational(-1)}}), Effort::kSearch);
}

std::optional<Combination> KnownFacts::ShowNotNegative(const LinearForm& form, Effort effort) {
  const Row target = Reduce(form, {});
  if (IsConstant(target.form) && IsAboveMinusOne(target.form.At(0))) return target.combination;
  std::optional<Combination> shown = ShowByParallel(target);
  if (!shown && effort == Effort::kSearch) shown = ShowBySearch(target);
  if (shown && shown->HasOverflow()) return std::nullopt;
  return shown;
}

std::optional<Combination> KnownFacts::ShowByParallel(const Row& target) const {
  if (IsConstant(target.form)) return std::nullopt;
  const auto found = parallels_.find(DirectionOf(target.form));
  if (found == parallels_.end()) return std::nullopt;
  for (const size_t place : found->second) {
    const Row& row = inequalities_[place];
    if (row.form.IsZero()) continue;
    const Rational factor = target.form.entries().back().second / row.form.entries().back().second;
    if (!IsAboveMinusOne(target.form.At(0) - factor * row.form.At(0))) continue;
    return target.combination.Plus(row.combination, factor);
  }
  return std::nullopt;
}

std::optional<Combination> KnownFacts::ShowBySearch(const Row& target) {
  std::vector<size_t> before;
  for (const int radius : {1, 2, kEverything}) {
    std::vector<size_t> places = Neighbors(target.form, radius);
    if (places == before) continue;
    std::vector<const LinearForm*> forms;
    for (const size_t place : places) forms.push_back(&inequalities_[place].form);
    if (const auto multipliers = search_.Find(target.form, forms)) {
      Combination combination = target.combination;
      for (size_t k = 0; k < places.size(); ++k) {
        const Rational& multiplier = (*multipliers)[k];
        if (!multiplier.IsZero()) combination = combination.Plus(inequalities_[places[k]].combination, multiplier);
      }
      return combination;
    }
    before = std::move(places);
  }
  return std::nullopt;
}

std::vector<size_t> KnownFacts::Neighbors(const LinearForm& target, int radius) const {
  std::vector<size_t> places;
  if (radius == kEverything) {
    for (size_t k = 0; k < inequalities_.size(); ++k) {
      if (!inequalities_[k].form.IsZero()) places.push_back(k);
    }
    return places;
  }
  std::set<MonomialId> seen;
  std::set<size_t> near;
  std::vector<const LinearForm*> round = {&target};
  for (int k = 0; k < radius; ++k) {
    std::vector<const LinearForm*> next;
    for (const LinearForm* form : round) {
      for (const auto& [monomial, coefficient] : form->entries()) {
        const auto found = places_.find(monomial);
        if (monomial == 0 || found == places_.end() || !seen.insert(monomial).second) continue;
        for (const size_t place : found->second) {
          if (inequalities_[place].form.IsZero() || !near.insert(place).second) continue;
          next.push_back(&inequalities_[place].form);
        }
      }
    }
    round = std::move(next);
  }
  return {near.begin(), near.end()};
}

}  // namespace layoutcheck
