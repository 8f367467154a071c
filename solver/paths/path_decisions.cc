// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/paths/path_decisions.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

void PathDecisions::Assume(const TermRelation& relation) {
  certificate_.AddHypothesis(relation);
  rewriter_.LearnHypothesis(relation);
}

Term PathDecisions::NewVariable() {
  const std::string name = StrCat("loop!", ++new_variables_);  // no name of a user has a '!'
  rewriter_.SampleCount(name);
  const Term variable = certificate_.terms().Variable(name);
  Assume(LessEqual(0, variable));
  return variable;
}

Term PathDecisions::Simplified(const Term& term) {
  const Term simple = rewriter_.ToTerm(rewriter_.Canonical(term));
  certificate_.AddGoal(Equal(term, simple));
  Record("=", {Equal(term, simple)});
  return simple;
}

bool PathDecisions::Claim(const TermRelation& relation) {
  if (!rewriter_.Show(relation)) return false;
  certificate_.AddGoal(relation);
  return true;
}

bool PathDecisions::Decide(const TermRelation& relation) {
  if (Claim(relation)) {
    Record("+", {relation});
    return true;
  }
  if (Claim(Negation(relation))) {
    Record("-", {Negation(relation)});
    return false;
  }
  const bool choice = Choose(relation);
  trace_.outcomes.push_back({choice ? "Y" : "N"});
  return choice;
}

bool PathDecisions::Split(const TermRelation& relation) {
  const bool choice = Choose(relation);
  trace_.outcomes.push_back({choice ? "Y" : "N", {}, relation});
  return choice;
}

void PathDecisions::Record(std::string line, std::vector<TermRelation> goals) {
  const bool about_numbers = !goals.empty() && std::ranges::all_of(goals, [this](const TermRelation& goal) {
    return IsNumber(goal.left) && IsNumber(goal.right);
  });
  if (line.empty() || !about_numbers) {
    trace_.outcomes.push_back({std::move(line), std::move(goals), std::nullopt, Place()});
  }
}

void PathDecisions::RecordBefore(size_t place, std::string line) {
  trace_.outcomes.insert(trace_.outcomes.begin() + static_cast<std::ptrdiff_t>(place), PathOutcome{std::move(line)});
}

bool PathDecisions::DecideEqual(const Term& left, const Term& right) {
  if (Claim(Equal(left, right))) {
    Record("=", {Equal(left, right)});
    return true;
  }
  return !Decide(Less(left, right)) && !Decide(Less(right, left));
}

std::optional<int64_t> PathDecisions::DecideNumber(const Term& term, int max_bits) {
  const Polynomial canonical = rewriter_.Canonical(term);
  if (canonical.IsConstant()) {
    const Int128 constant = canonical.Constant();
    const auto number = static_cast<int64_t>(constant);
    if (number != constant) return std::nullopt;
    if (!term.IsConstant()) certificate_.AddGoal(Equal(term, Term(number)));
    Record(StrCat("= ", number), {Equal(term, Term(number))});
    return number;
  }
  if (!Claim(LessEqual(0, term))) return std::nullopt;
  for (int bits = 1; bits <= max_bits; ++bits) {
    const int64_t end = int64_t{1} << bits;
    if (!Claim(Less(term, end))) continue;
    Record(StrCat("# ", bits), {LessEqual(0, term), Less(term, end)});
    return DecideBetween(term, 0, end - 1);
  }
  return std::nullopt;
}

std::optional<int64_t> PathDecisions::DecideBelow(const Term& term, int64_t end) {
  if (!Decide(LessEqual(0, term)) || !Decide(Less(term, end))) return std::nullopt;
  return DecideBetween(term, 0, end - 1);
}

int64_t PathDecisions::DecideBetween(const Term& term, int64_t least, int64_t most) {
  return FirstWhere(least, most, [&](int64_t number) { return Decide(LessEqual(term, number)); });
}

std::optional<int> PathDecisions::BitsOf(const Term& term) {
  constexpr int kMaxBits = 62;
  const auto fits = [&](int bits) { return rewriter_.Show(Less(term, TwoToThe(bits))); };
  if (!Claim(LessEqual(0, term))) return std::nullopt;
  if (!fits(kMaxBits)) return kUnboundedBits;
  const int least = FirstWhere(0, kMaxBits, fits);
  return Claim(Less(term, TwoToThe(least))) ? std::optional(least) : std::nullopt;
}

bool PathDecisions::Choose(const TermRelation& relation) {
  if (subjects_.size() == trace_.choices.size()) trace_.choices.push_back(true);
  const bool choice = trace_.choices[subjects_.size()];
  TermContext& terms = certificate_.terms();
  const uint32_t left = terms.NodeOf(relation.left);
  subjects_.push_back({static_cast<uint32_t>(relation.kind), left, terms.NodeOf(relation.right)});
  trace_.relations.push_back(relation);
  Assume(choice ? relation : Negation(relation));
  return choice;
}

}  // namespace layoutcheck
