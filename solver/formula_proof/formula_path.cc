// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/formula_path.h"
#include <algorithm>
#include <map>
#include <span>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_proof/formula_goal.h"
#include "layoutcheck/solver/formula_proof/index_digits.h"

namespace layoutcheck {
namespace {

constexpr size_t kMaxPaths = 200;              // per question
constexpr uint64_t kLinearRlimit = 300'000;    // of Z3, per question of linear arithmetic
constexpr int64_t kMaxLinearQuestions = 8000;  // on all paths together
// Solvers take too long to confirm normal forms of terms that multiply out to more addends.
constexpr double kMaxExpandedAddends = 20'000;
// Larger values would overflow 128 bits in most certificates.
constexpr int64_t kMaxSampleValue = int64_t{1} << 24;
constexpr int kMaxCaseDistinctions = 8;  // decisions per path taken only to show the equality at its end

bool IsSmall(const NamedValues& values) {
  return std::ranges::all_of(
      values, [](const auto& value) { return -kMaxSampleValue < value.second && value.second < kMaxSampleValue; });
}

// Returns the largest number of addends of any multiplied-out term, with equal addends counted separately.
double MaxExpandedAddends(const TermContext& terms) {
  std::vector<double> addends;
  double most = 0;
  for (uint32_t k = 0; k < terms.size(); ++k) {
    const TermContext::Node& node = terms.node(k);
    double count = 1;
    if (node.kind == TermKind::kAdd || node.kind == TermKind::kSubtract) count = addends[node.a] + addends[node.b];
    if (node.kind == TermKind::kMultiply) count = addends[node.a] * addends[node.b];
    addends.push_back(count);
    most = std::max(most, count);
  }
  return most;
}

}  // namespace

FormulaPath::FormulaPath(const FormulaQuestion& question, const std::vector<NamedValues>& samples,
                         const PathModes& modes, std::vector<bool> choices)
    : question_(question),
      result_{.certificate = std::make_unique<Certificate>()},
      rewriter_(*result_.certificate, kLinearRlimit, samples),
      decisions_(*result_.certificate, rewriter_, std::move(choices)),
      arithmetic_(*result_.certificate, rewriter_, decisions_, modes) {}

FormulaPathResult FormulaPath::Run(const FormulaGoal& goal) {
  Certificate& certificate = *result_.certificate;
  std::string& failure = result_.failure;
  AssumeDomain();
  goal.AddScope(*this);
  if (AssumptionsHold()) goal.AddGoals(*this);
  if (MaxExpandedAddends(certificate.terms()) > kMaxExpandedAddends) certificate.ring().SetOverflow();
  if (failure.empty()) failure = rewriter_.failure();
  if (failure.empty() && certificate.ring().overflow()) failure = "the polynomials become too large";
  if (has_sample_ && rewriter_.samples().size() > 0 && IsSmall(rewriter_.samples().first())) {
    certificate.sample = rewriter_.samples().first();
  }
  certificate.title = StrCat(question_.formula.formula.text, "\n", goal.Predicate());
  for (const auto& assumption : question_.assumptions) {
    StrAppend(certificate.title, "\nwhere ", assumption.formula.text);
  }
  result_.has_unknown_shifts = arithmetic_.has_unknown_shifts();
  if (!arithmetic_.bits().powers().all().empty()) {
    certificate.title +=
        "\npower!N are powers of two; the hypotheses about them hold for all exponents in their ranges";
  }
  result_.has_conjunctions = arithmetic_.bits().functions().HasConjunctions();
  if (result_.has_conjunctions) {
    certificate.title += "\nand!N are bits that some terms have in common; the hypotheses about them hold for all such";
  }
  BitFunctions& bits = arithmetic_.bits().functions();
  if (bits.steps().failed()) decisions_.RecordUntraced("the steps about its bits are not known");
  result_.trace = decisions_.trace();
  result_.derived = bits.derived();
  result_.bit_instances = bits.steps().instances();
  result_.bit_operands = bits.steps().operands();
  result_.defined = Defined();
  return std::move(result_);
}

DefinedVariables FormulaPath::Defined() {
  return {arithmetic_.bits().functions().common_bits(), arithmetic_.bits().powers().exponents()};
}

void FormulaPath::KeepValue(const Evaluation& evaluation, bool simplify) {
  result_.value = evaluation.value;
  result_.fault = evaluation.fault;
  // Only a function that FunctionEnd ended gets here on an excluded path.
  if (result_.status == PathStatus::kExcluded) result_.fault = "nothing is claimed about the value on this path";
  if (!result_.value || !simplify) return;
  const TermContext& terms = result_.certificate->terms();
  const DefinedVariables defined = Defined();
  const Term canonical = rewriter_.ToTerm(rewriter_.Canonical(*result_.value));
  const auto shorter = TermText(terms, canonical, defined);
  const auto text = TermText(terms, *result_.value, defined);
  if (!shorter || (text && text->size() <= shorter->size())) return;
  result_.certificate->AddGoal(Equal(*result_.value, canonical));
  result_.value = canonical;
}

void FormulaPath::AssumeDomain() {
  for (const FormulaVariable& variable : question_.variables) {
    variables_.push_back(result_.certificate->terms().Variable(variable.name));
  }
  for (size_t k = 0; k < variables_.size(); ++k) {
    const FormulaVariable& variable = question_.variables[k];
    if (!variable.IsSigned()) decisions_.Assume(LessEqual(variable.least, variables_[k]));
  }
  for (const FormulaIndex& index : question_.indices) {
    if (index.size) decisions_.Assume(Less(variables_[index.variable], ToTerm(*index.size)));
  }
}

bool FormulaPath::AssumptionsHold() {
  for (const FormulaQuestion::BoundFormula& assumption : question_.assumptions) {
    if (assumption.function) {
      Fail(PathStatus::kUnsupported, NoAssumptionText(assumption));
      return false;
    }
    const std::vector<Term> names = ToTerms(assumption.names);
    PathEvaluator evaluator(assumption.formula, names, arithmetic_);
    const std::optional<bool> truth = evaluator.Assume();
    if (truth.value_or(false)) continue;
    result_.status = PathStatus::kExcluded;
    if (!truth && !evaluator.unsupported().empty()) Fail(PathStatus::kUnsupported, evaluator.unsupported());
    return false;
  }
  return true;
}

FormulaPath::Evaluation FormulaPath::FollowFunction(const FormulaQuestion::BoundFormula& bound,
                                                    const std::vector<Term>& arguments, CastMode casts,
                                                    const MachineInteger* integer) {
  decisions_.RecordUntraced("it is about a function");
  const MachineInteger& type = integer != nullptr ? *integer : kInt64OfCpp;
  PathRun run(arithmetic_, casts, type);
  const FunctionResult result = run.Call(bound.function, arguments);
  decisions_.SetPlace(nullptr);  // it may refer to what the function has left
  Evaluation evaluation{.value = result.value,
                        .fault = result.fault,
                        .parts = {},
                        .has_unsigned_complement = run.has_unsigned_complement()};
  for (const PathOperation& operation : run.computed()) {
    if (!operation.value || operation.op == FormulaOp::kLiteral) continue;
    evaluation.parts.push_back({std::nullopt, operation.op, *operation.value, operation.a, operation.b});
  }
  if (result.end) result_.status = PathStatus::kExcluded;
  if (!result.end.value_or("").empty()) RequireUnreachable(*result.end, *result.end);
  if (!result.unknown.empty()) {
    Fail(PathStatus::kAbandoned, result.unknown);
  } else if (!RepeatedPathRun(run.computed(), type).Repeats(bound.function, arguments, result)) {
    Fail(PathStatus::kAbandoned, kFunctionHasState);
  }
  if (evaluation.fault.empty() && integer != nullptr && run.machine_fault()) {
    evaluation.fault = run.machine_fault()->operation;
  }
  return evaluation;
}

FormulaPath::Evaluation FormulaPath::Follow(const FormulaQuestion::BoundFormula& bound, CastMode casts,
                                            const MachineInteger* integer) {
  const std::vector<Term> names = ToTerms(bound.names);
  if (bound.function) return FollowFunction(bound, names, casts, integer);
  Evaluation evaluation;
  PathEvaluator evaluator(bound.formula, names, arithmetic_);
  evaluation.value = evaluator.Value();
  evaluation.fault = evaluator.fault();
  std::vector<std::optional<Term>> values(bound.formula.nodes.size());
  for (const auto& [number, value] : evaluator.evaluated()) {
    const FormulaNode& node = bound.formula.nodes[number];
    Part& part = evaluation.parts.emplace_back(Part{number, node.op, value, std::nullopt, std::nullopt});
    if (OperandCount(node.op) == 2) {
      part.a = values[node.operands[0]];
      part.b = values[node.operands[1]];
    }
    values[number] = value;
  }
  if (!evaluator.unsupported().empty()) Fail(PathStatus::kUnsupported, evaluator.unsupported());
  return evaluation;
}

FormulaPath::Evaluation FormulaPath::Evaluate(const FormulaQuestion::BoundFormula& bound,
                                              const MachineInteger* integer) {
  Evaluation evaluation = Follow(bound, CastMode::kDecide, integer);
  if (!evaluation.fault.empty()) {
    RequireUnreachable(evaluation.fault, StrCat("it was not shown that this does not happen: ", evaluation.fault));
  }
  return evaluation;
}

BasicTiledIndex<Term> FormulaPath::TiledIndexOfLayout() const {
  return BasicTiledIndex<Term>(layoutcheck::ToTerms(question_.layout->layout, result_.certificate->terms()));
}

Term FormulaPath::LayoutIndex() const {
  std::vector<Term> index;
  for (const FormulaIndex& i : question_.indices) index.push_back(variables_[i.variable]);
  return TiledIndexOfLayout()(index);
}

std::vector<Term> FormulaPath::ToTerms(const std::vector<FormulaSize>& sizes) const {
  std::vector<Term> terms;
  for (const FormulaSize& size : sizes) terms.push_back(ToTerm(size));
  return terms;
}

// The value does not exist on this path, so the only possible proof is that no point takes the path.
void FormulaPath::RequireUnreachable(const std::string& what, const std::string& why) {
  decisions_.SetPlace([&what] { return what; });
  decisions_.Record("", {Less(0, 0)});
  decisions_.SetPlace(nullptr);
  AddUnshownGoal(Less(0, 0), why);
}

void FormulaPath::Require(const TermRelation& relation, const std::string& why) {
  const bool is_shown = Claim(relation);
  const bool is_about_numbers = decisions_.IsNumber(relation.left) && decisions_.IsNumber(relation.right);
  if (!is_shown || !is_about_numbers) decisions_.Record("", {relation});
  if (!is_shown) AddUnshownGoal(relation, why);
}

void FormulaPath::SuggestQuotients(Int128 least, Int128 largest) {
  Certificate& certificate = *result_.certificate;
  Ring& ring = certificate.ring();
  std::map<Polynomial, std::pair<Int128, Int128>> bounds;  // of quotients, which may be dividends of later ones
  const size_t count = ring.atoms().size();
  for (size_t k = 0; k < count; ++k) {
    const Ring::Atom atom = ring.atoms()[k];
    if (atom.kind == AtomKind::kVariable || !atom.divisor.IsConstant() || atom.divisor.Constant() < 2) continue;
    certificate.Apply(LemmaId::kEuclid, {atom.dividend, atom.divisor});
    const Polynomial quotient = ring.Division(AtomKind::kFloorDiv, atom.dividend, atom.divisor);
    const auto known = bounds.find(atom.dividend);
    const auto [low, high] = known == bounds.end() ? std::pair(least, largest) : known->second;
    const Int128 divisor = atom.divisor.Constant();
    const auto [lowest, highest] = bounds[quotient] = {FloorOf(low, divisor), FloorOf(high, divisor)};
    certificate.Suggest(ring.Plus(quotient, -lowest));
    certificate.Suggest(ring.Plus(ring.Times(quotient, -1), highest));
  }
}

void FormulaPath::AddUnshownGoal(const TermRelation& relation, const std::string& why) {
  result_.certificate->AddGoal(relation);
  Fail(result_.status, why);
}

void FormulaPath::Fail(PathStatus status, const std::string& why) {
  result_.status = status;
  if (result_.failure.empty()) result_.failure = why;
}

void FormulaPath::AddEquality(const Term& actual, const Term& expected) {
  result_.certificate->AddGoal(Equal(actual, expected));
  decisions_.Record("", {Equal(actual, expected)});
  Ring& ring = result_.certificate->ring();
  for (int distinctions = 0;; ++distinctions) {
    const Polynomial difference = ring.Subtract(rewriter_.Canonical(actual), rewriter_.Canonical(expected));
    if (rewriter_.ShowZero(difference)) return;
    if (distinctions == 0 && !decisions_.subjects().empty() && ShowEqualAfresh(actual, expected)) return;
    const auto distinction =
        distinctions < kMaxCaseDistinctions ? rewriter_.SuggestCaseDistinction(difference) : std::nullopt;
    if (!distinction) {
      return Fail(result_.status, StrCat("the difference was not shown to be 0: ", ring.ToString(difference)));
    }
    decisions_.Split(*distinction);
  }
}

void FormulaPath::AddEqualIndices(const std::vector<std::pair<Term, Term>>& values) {
  Certificate& certificate = *result_.certificate;
  has_sample_ = false;
  IndexDigits digits(question_, certificate, decisions_, variables_);
  for (const auto& [first, second] : values) {
    certificate.AddLateHypothesis(Equal(first, second));
    digits.DeriveEqual(first, second);
  }
  const size_t rank = question_.indices.size() / 2;
  std::vector<TermRelation> goals;
  for (size_t k = 0; k < rank; ++k) {
    goals.push_back(Equal(variables_[question_.indices[k].variable], variables_[question_.indices[rank + k].variable]));
    certificate.AddGoal(goals.back());
  }
  decisions_.Record("", std::move(goals));
  // No index: any two are equal.
  if (rank == 0) certificate.AddGoal(Equal(0, 0));
}

void FormulaPath::AddInRange(const Term& value, const Term& bound) {
  decisions_.Record("", {Less(value, bound), LessEqual(0, value)});
  const auto is_shown = [&] { return decisions_.Claim(LessEqual(0, value)) && decisions_.Claim(Less(value, bound)); };
  if (is_shown()) return;
  rewriter_.LearnRoundedBound(bound);
  if (is_shown()) return;
  IndexDigits(question_, *result_.certificate, decisions_, variables_).DeriveInRange(value, bound);
  result_.certificate->AddGoal(LessEqual(0, value));
  result_.certificate->AddGoal(Less(value, bound));
}

// Computes the canonical forms again with all that is known, because forms from before a decision do not use it.
bool FormulaPath::ShowEqualAfresh(const Term& actual, const Term& expected) {
  Certificate& certificate = *result_.certificate;
  FloorRewriter afresh(certificate, kLinearRlimit, rewriter_.samples().all());
  const std::vector<TermRelation> known = certificate.hypothesis_terms();
  for (const TermRelation& relation : known) afresh.LearnHypothesis(relation);
  const Polynomial reference = afresh.Canonical(expected);
  const bool shown = afresh.ShowZero(certificate.ring().Subtract(afresh.Canonical(actual), reference));
  questions_afresh_ = afresh.questions();
  return shown;
}

FormulaPaths ExplorePaths(const FormulaGoal& goal, const std::vector<NamedValues>& samples, const PathModes& modes,
                          const std::function<bool(FormulaPathResult& path)>& is_last) {
  const LinearAnswers answers;
  FormulaPaths all;
  std::vector<FormulaPathResult>& results = all.paths;
  const auto fail = [&](std::string why) {
    all.failure = std::move(why);
    return std::move(all);
  };
  std::vector<bool> choices;
  std::vector<PathDecisions::Subject> subjects;  // subjects of the previous path's decisions
  int64_t questions = 0;
  while (true) {
    if (results.size() == kMaxPaths || questions > kMaxLinearQuestions) {
      return fail(StrCat("more than ", kMaxPaths, " cases, or too much work for them"));
    }
    FormulaPath path(goal.question(), samples, modes, choices);
    results.push_back(path.Run(goal));
    if (results.back().status == PathStatus::kAbandoned) return fail(results.back().failure);
    if (is_last && is_last(results.back())) return fail("other paths were not asked for");
    questions += path.questions();
    // A function that depends only on its arguments meets the same decisions in the same places.
    const auto& met = path.decisions().subjects();
    subjects.resize(choices.size());
    if (met.size() < subjects.size() || !std::ranges::equal(subjects, std::span(met).first(subjects.size()))) {
      return fail("the function took another path when it was run again: its arguments are not all that it uses");
    }
    subjects = met;
    // The next path takes the other side of the last decision with only one side tried.
    choices = path.decisions().trace().choices;
    while (!choices.empty() && !choices.back()) choices.pop_back();
    if (choices.empty()) return all;
    choices.back() = false;
  }
}

std::vector<FormulaPathResult> ExploreTurns(const FormulaGoal& goal, const std::vector<NamedValues>& samples,
                                            const PathModes& modes, const std::vector<bool>& choices) {
  constexpr int kMostTurns = 16;
  const LinearAnswers answers;
  std::vector<FormulaPathResult> found;
  std::vector<bool> turned;
  int turns = 0;
  for (const bool choice : choices) {
    if (choice && turns < kMostTurns) {
      turned.push_back(false);
      FormulaPathResult path = FormulaPath(goal.question(), samples, modes, turned).Run(goal);
      if (path.status != PathStatus::kExcluded) ++turns;  // others leave the domain
      const bool is_claimed = path.status == PathStatus::kStated || path.status == PathStatus::kUnsupported;
      if (is_claimed && !path.failure.empty()) found.push_back(std::move(path));
      turned.pop_back();
    }
    turned.push_back(choice);
  }
  return found;
}

}  // namespace layoutcheck
