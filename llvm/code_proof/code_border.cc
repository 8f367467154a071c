// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/code_proof/code_border.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/certificate_check.h"
#include "layoutcheck/solver/formula_proof/formula_search.h"
#include "layoutcheck/solver/formula_proof/function_formula.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"

namespace layoutcheck {
namespace {

constexpr size_t kMaxCandidates = 6;
constexpr int kMaxPaths = 64;        // on which candidates are sought
constexpr Int128 kLeastLimit = 127;  // of the smallest type
constexpr size_t kMaxTermNodes = 100'000;
constexpr size_t kMaxConditionLength = 120;  // no guard that an author would write is longer

Int128 GreatestDivisor(Int128 a, Int128 b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a < 0 ? -a : a;
}

// Returns true for a variable of FunctionRun::NewCount().
bool IsIteration(const std::string& variable) { return variable.contains('!'); }

// Rewrites terms with the last index of each dimension in place of the index.
class LastIndex {
 public:
  LastIndex(const FormulaQuestion& question, TermContext& terms) : terms_(terms) {
    for (const FormulaIndex& index : question.indices) {
      if (!index.size) continue;
      const Term size = index.size->variable ? terms.Variable(question.variables[*index.size->variable].name)
                                             : Term(index.size->number);
      bounds_.emplace(terms.Variable(question.variables[index.variable].name).node(), size);
    }
  }

  // Rewrites what the path says is less than a bound as the bound minus 1: the number of an iteration or of a thread,
  // and sums of such numbers. `sizes` are the names that stay.
  void AddBounds(const FormulaPathResult& path, const std::vector<std::string>& sizes) {
    for (size_t k = 0; k < path.trace.relations.size(); ++k) {
      const TermRelation& decided = path.trace.relations[k];
      if (decided.kind == TermRelation::Kind::kEqual) continue;
      const auto& [less, more] =
          path.trace.choices[k] ? std::tie(decided.left, decided.right) : std::tie(decided.right, decided.left);
      const bool is_strict = (decided.kind == TermRelation::Kind::kLess) == path.trace.choices[k];
      AddBound(less, is_strict ? more : more + Term(1), sizes);
    }
  }

  Term operator()(const Term& term) {
    if (term.IsConstant()) return term;
    // Operands have smaller numbers. Only terms up to this one are rewritten.
    while (rewritten_.size() <= term.node()) {
      const auto number = static_cast<uint32_t>(rewritten_.size());
      const auto bound = bounds_.find(number);
      rewritten_.push_back(bound == bounds_.end() ? Rewritten(terms_.node(number)) : bound->second - Term(1));
    }
    return rewritten_[term.node()];
  }

 private:
  // A bound that is a number is the limit of a type, unless it is that of a variable.
  void AddBound(const Term& term, const Term& bound, const std::vector<std::string>& sizes) {
    if (term.IsConstant() || HasOnly(term, sizes)) return;
    if (bound.IsConstant() && terms_.node(term.node()).kind != TermKind::kVariable) return;
    if (bounds_.emplace(term.node(), (*this)(bound)).second) rewritten_.clear();
  }

  // Returns true if each variable of the term is one of the names.
  bool HasOnly(const Term& term, const std::vector<std::string>& names) const {
    std::vector<uint32_t> left = {term.node()};
    std::set<uint32_t> seen;
    while (!left.empty()) {
      const uint32_t number = left.back();
      left.pop_back();
      if (!seen.insert(number).second) continue;
      const TermContext::Node& node = terms_.node(number);
      if (node.kind == TermKind::kConstant) continue;
      if (node.kind != TermKind::kVariable) {
        left.insert(left.end(), {node.a, node.b});
      } else if (std::ranges::find(names, terms_.variable_name(node.a)) == names.end()) {
        return false;
      }
    }
    return true;
  }

  Term Rewritten(const TermContext::Node node) {
    switch (node.kind) {
      case TermKind::kConstant: return Term(node.value);
      case TermKind::kVariable: return terms_.Variable(terms_.variable_name(node.a));
      case TermKind::kAdd: return rewritten_[node.a] + rewritten_[node.b];
      case TermKind::kSubtract: return rewritten_[node.a] - rewritten_[node.b];
      case TermKind::kMultiply: return rewritten_[node.a] * rewritten_[node.b];
      case TermKind::kMod: return Mod(rewritten_[node.a], rewritten_[node.b]);
      case TermKind::kFloorDiv: break;
    }
    if (rewritten_[node.b].IsConstant() && rewritten_[node.b].value().value == 1) return rewritten_[node.a];
    // (size - 1) floordiv d is size ceildiv d - 1.
    const auto size = bounds_.find(node.a);
    if (size != bounds_.end()) return CeilDiv(size->second, rewritten_[node.b]) - Term(1);
    return FloorDiv(rewritten_[node.a], rewritten_[node.b]);
  }

  TermContext& terms_;
  std::map<uint32_t, Term> bounds_;  // by the number of the node that is less
  std::vector<Term> rewritten_;
};

// A condition on the sizes.
struct Condition {
  std::string text;        // "M * N <= 2147483648"
  bool is_broken = false;  // at the counterexample
  bool operator==(const Condition&) const = default;
};

// Returns the condition that the term is at most `largest`, or with `is_negated` that the negated term is; nothing if
// it cannot be written.
std::optional<Condition> ConditionOf(FormulaPathResult& path, const Term& term, bool is_negated, Int128 largest,
                                     const NamedValues& point) {
  Certificate& certificate = *path.certificate;
  Ring& ring = certificate.ring();
  Polynomial sum = certificate.Normalize(is_negated ? Term(0) - term : term);
  std::vector<WideInteger> atoms;
  const WideInteger value = ring.ValueAt(point, atoms, sum);
  if (ring.overflow() || sum.IsConstant()) return std::nullopt;
  const Int128 rest = largest - sum.Constant();
  // A product with a larger factor must be 0: numbers that are packed into one, which no author limits so.
  if (std::ranges::any_of(sum.addends, [&](const auto& addend) { return addend.first != 0 && addend.second > rest; })) {
    return std::nullopt;
  }
  sum = ring.Plus(sum, -sum.Constant());
  Int128 divisor = 0;
  for (const auto& [monomial, factor] : sum.addends) divisor = GreatestDivisor(divisor, factor);
  for (auto& [monomial, factor] : sum.addends) factor /= divisor;
  const Int128 bound = FloorDiv(WideInteger(rest), WideInteger(divisor)).value;
  if (is_negated) sum = ring.Subtract({}, sum);
  FloorRewriter rewriter(certificate, 1, {});
  const auto text = TermText(certificate.terms(), rewriter.ToTerm(sum), path.defined);
  if (!text || ring.overflow() || text->size() > kMaxConditionLength) return std::nullopt;
  if (IsIteration(*text)) return std::nullopt;
  return Condition{StrCat(*text, is_negated ? " >= -" : " <= ", ToDecimal(bound)),
                   value.overflow || value.value > largest};
}

// Claims that the formula is wrong, or has no value, at every point.
class WrongGoal final : public FormulaGoal {
 public:
  using FormulaGoal::FormulaGoal;

  const char* law() const override { return "wrong"; }
  std::optional<bool> IsTrueAt(const FormulaPoint& point) override {
    return evaluator_.Compare(point).Agrees() ? std::optional(false) : std::nullopt;
  }
  void DescribeFailure(const FormulaPoint&, ProofResult&) override {}
  void AddGoals(FormulaPath& path) const override {
    const FormulaPath::Evaluation actual = path.Follow(question().formula);
    if (!actual.value) return;  // no value, or the path's status says that it is not known
    const auto& equals = question().equals;
    const std::optional<Term> expected = equals ? path.Evaluate(*equals).value : path.LayoutIndex();
    if (!expected || path.Claim(Less(*actual.value, *expected)) || path.Claim(Less(*expected, *actual.value))) return;
    path.AddUnshownGoal(Less(0, 0), "it may be right");
  }
  std::string Predicate() const override { return "is wrong"; }
};

class BorderFinder {
 public:
  BorderFinder(const BorderQuestion& asked, const NamedValues& point, const ProveOptions& options)
      : asked_(asked),
        point_(point),
        options_(options),
        can_be_negative_(std::ranges::any_of(asked.question.variables, &FormulaVariable::IsSigned)) {}

  std::optional<CodeBorder> Find() const {
    auto border = FindFrom(Limits::kAll);
    return border ? border : FindFrom(Limits::kBroken);
  }

 private:
  // Limits of operations that are of use for a border.
  enum class Limits : uint8_t {
    kBroken,  // those that a value breaks on some path
    kAll,     // also those that each value keeps, up to the path on which one is broken at the point
  };

  // Looks for a border at the counterexample, and then at points where the conditions that were found are not enough.
  std::optional<CodeBorder> FindFrom(Limits limits) const {
    constexpr int kMostPoints = 3;
    std::vector<std::string> known;  // conditions that are not enough
    NamedValues point = point_;
    for (int k = 0; k < kMostPoints; ++k) {
      std::vector<Condition> candidates = Candidates(point, limits);
      // Short ones are the limits of single operations.
      std::ranges::stable_sort(candidates, {}, [](const Condition& condition) { return condition.text.size(); });
      std::vector<std::string> all = known;
      std::vector<std::string> both = known;  // those that hold at the point, too
      for (const Condition& condition : candidates) {
        both.push_back(condition.text);
        if (condition.is_broken) all.push_back(condition.text);
      }
      if (all.size() == known.size()) return std::nullopt;
      const AnswerWhile answer = Ask(all);
      // Where all conditions are not enough, one of them is not, either.
      for (size_t one = known.size(); answer.counterexample.empty() && one < all.size(); ++one) {
        std::vector<std::string> conditions = known;
        conditions.push_back(all[one]);
        if ((conditions.size() == all.size() ? answer : Ask(conditions)).is_right) return BorderOf(conditions);
      }
      if (answer.is_right) return BorderOf(all);
      if (both.size() > all.size() && Ask(both).is_right) return BorderOf(both);
      if (answer.counterexample.empty()) return std::nullopt;
      point = NamedValues(answer.counterexample.begin(), answer.counterexample.end());
      known = std::move(all);
    }
    return std::nullopt;
  }

  AnswerWhile Ask(const std::vector<std::string>& conditions) const {
    return asked_.is_right_while(StrJoin(conditions, " && "));
  }

  CodeBorder BorderOf(std::vector<std::string> conditions) const {
    std::ranges::stable_sort(conditions, {}, &std::string::size);
    const auto is_wrong = [this](const std::string& condition) { return IsWrongUnless(condition); };
    return {StrJoin(conditions, " && "), std::ranges::all_of(conditions, is_wrong)};
  }

  std::vector<Condition> Candidates(const NamedValues& point, Limits wanted) const {
    std::vector<Condition> found;
    int paths = 0;
    const auto is_last = [&](FormulaPathResult& path) {
      AddCandidates(path, point, wanted, found);
      const bool is_broken = std::ranges::any_of(found, &Condition::is_broken);
      return ++paths >= kMaxPaths || found.size() >= kMaxCandidates || (wanted == Limits::kAll && is_broken);
    };
    // On the paths on which an operation overflows, small points of a search are none.
    const FormulaPaths explored =
        ExploreValues(asked_.question, asked_.max_bytes, {.samples = {point}, .is_last = is_last});
    if (!explored.failure.empty() && wanted == Limits::kBroken && found.size() < kMaxCandidates) return {};
    return found;
  }

  // Adds the limits of the operations that do not fit their type on the path.
  void AddCandidates(FormulaPathResult& path, const NamedValues& point, Limits wanted,
                     std::vector<Condition>& found) const {
    TermContext& terms = path.certificate->terms();
    if (terms.size() > kMaxTermNodes || path.status == PathStatus::kExcluded) return;
    LastIndex last(asked_.question, terms);
    last.AddBounds(path, asked_.sizes);
    for (size_t k = 0; k < path.trace.relations.size() && found.size() < kMaxCandidates; ++k) {
      const TermRelation decided = path.trace.relations[k];
      if (path.trace.choices[k] && wanted == Limits::kBroken) continue;
      // The limit of a type is a power of two that the value is not below, or a negative one that it is below.
      const bool is_lower = decided.kind == TermRelation::Kind::kLessEqual;
      if (decided.kind != TermRelation::Kind::kLess && !is_lower) continue;
      const Term& constant = is_lower ? decided.left : decided.right;
      if (!constant.IsConstant()) continue;
      const Int128 limit = is_lower ? -constant.value().value : constant.value().value;
      if (limit <= kLeastLimit || (limit & (limit - 1)) != 0) continue;
      const Term value = last(is_lower ? decided.right : decided.left);
      // An unsigned value is right up to twice the limit of the signed type as which it is followed.
      const auto limits = is_lower ? std::vector{limit} : std::vector{2 * limit - 1, limit - 1};
      for (const Int128 largest : limits) {
        const auto condition = ConditionOf(path, value, is_lower, largest, point);
        if (!condition || std::ranges::find(found, *condition) != found.end()) continue;
        // A limit that the counterexample keeps is of use only together with the other end of the type.
        const bool is_end = wanted == Limits::kBroken && can_be_negative_ && largest < 2 * limit - 1;
        const bool is_useful = condition->is_broken || is_end;
        if (is_useful && IsOverSizes(condition->text)) found.push_back(*condition);
      }
    }
  }

  bool IsOverSizes(const std::string& condition) const {
    const Expected<Formula> formula = ParseFormula(condition);
    return formula && std::ranges::all_of(formula->names, [this](const std::string& name) {
             return std::ranges::find(asked_.sizes, name) != asked_.sizes.end();
           });
  }

  bool IsWrongUnless(const std::string& condition) const {
    const std::vector<FormulaQuestion> questions = asked_.at_last(condition);
    return std::ranges::any_of(questions, [this](const FormulaQuestion& question) { return IsWrong(question); });
  }

  // Returns true if it is proved that the code is wrong at every point of the question.
  bool IsWrong(const FormulaQuestion& question) const {
    WrongGoal goal(question, asked_.max_bytes);
    const SearchResult search = SearchPoints(goal, SearchRound::kFirst);
    if (search.found) return false;
    FormulaPaths explored = ExplorePaths(goal, PickSamples(question, search.samples), {.masks = MaskMode::kSplit});
    uint64_t work = 0;
    return explored.failure.empty() && std::ranges::all_of(explored.paths, [&](FormulaPathResult& path) {
             return path.status != PathStatus::kUnsupported && path.failure.empty() &&
                    WhyNotConfirmed(*path.certificate, options_.rlimit, work).empty();
           });
  }

  const BorderQuestion& asked_;
  const NamedValues& point_;
  const ProveOptions& options_;
  bool can_be_negative_ = false;  // a name
};

// Returns the question about the function with one more assumption.
Expected<FormulaQuestion> QuestionWhile(const LoadedCode& code, CodeRequest request, const std::string& condition) {
  request.assumptions.push_back(condition);
  return MakeCodeQuestion(code, request);
}

// Returns the question about the function at the last index of each shape that breaks the condition.
std::vector<FormulaQuestion> QuestionsAtLast(const LoadedCode& code, CodeRequest request,
                                             const FormulaQuestion& question, const std::string& condition) {
  for (const FormulaIndex& index : question.indices) {
    if (!index.size) continue;
    const std::string size =
        index.size->variable ? question.variables[*index.size->variable].name : StrCat(index.size->number);
    request.assumptions.push_back(StrCat(question.variables[index.variable].name, " == ", size, " - 1"));
  }
  std::vector<FormulaQuestion> questions;
  Expected<FormulaQuestion> at_last = QuestionWhile(code, std::move(request), StrCat("!(", condition, ")"));
  if (at_last) questions.push_back(*std::move(at_last));
  return questions;
}

}  // namespace

std::optional<CodeBorder> FindBorder(const BorderQuestion& asked,
                                     const std::vector<std::pair<std::string, int64_t>>& counterexample,
                                     const ProveOptions& options) {
  const NamedValues point(counterexample.begin(), counterexample.end());
  double elements = 1;
  for (const std::string& name : asked.question.names()) {
    elements *= static_cast<double>(std::max<uint64_t>(MagnitudeOf(point.at(name)), 1));
  }
  if (elements <= static_cast<double>(kLeastLimit)) return std::nullopt;  // it is wrong for small shapes
  return BorderFinder(asked, point, options).Find();
}

std::optional<CodeBorder> FindBorder(const LoadedCode& code, const CodeRequest& request,
                                     const FormulaQuestion& question,
                                     const std::vector<std::pair<std::string, int64_t>>& counterexample,
                                     const ProveOptions& options) {
  ProveOptions without_exports = options;
  without_exports.exports = {};
  const std::optional<Int128> max_bytes = MaxBytesOf(code, request);
  BorderQuestion asked{.question = question, .max_bytes = max_bytes, .sizes = {}};
  for (const FormulaVariable& variable : question.variables) asked.sizes.push_back(variable.name);
  asked.is_right_while = [&](const std::string& condition) {
    const Expected<FormulaQuestion> narrower = QuestionWhile(code, request, condition);
    if (!narrower) return AnswerWhile();
    EqualityGoal goal(*narrower, max_bytes);
    const auto result = ProveGoal(goal, without_exports);
    if (!result) return AnswerWhile();
    return AnswerWhile{result->verdict == ProofVerdict::kProved, result->counterexample};
  };
  asked.at_last = [&](const std::string& condition) { return QuestionsAtLast(code, request, question, condition); };
  return FindBorder(asked, counterexample, without_exports);
}

}  // namespace layoutcheck
