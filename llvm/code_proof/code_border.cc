// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/code_proof/code_border.h"
#include <algorithm>
#include <map>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/certificate_check.h"
#include "layoutcheck/solver/formula_proof/formula_search.h"
#include "layoutcheck/solver/formula_proof/function_formula.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"

namespace layoutcheck {
namespace {

constexpr size_t kMaxCandidates = 6;
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
      sizes_.emplace(question.variables[index.variable].name, size);
    }
  }

  // Rewrites the number of an iteration as that of the last one, where the path says that it is less than a bound.
  void AddIterations(const FormulaPathResult& path) {
    for (size_t k = 0; k < path.decisions.size(); ++k) {
      const TermRelation& decided = path.decisions[k];
      if (!path.choices[k] || decided.kind != TermRelation::Kind::kLess || decided.left.IsConstant()) continue;
      const TermContext::Node& node = terms_.node(decided.left.node());
      if (node.kind != TermKind::kVariable || !IsIteration(terms_.variable_name(node.a))) continue;
      sizes_.emplace(terms_.variable_name(node.a), (*this)(decided.right));
    }
  }

  Term operator()(const Term& term) {
    if (term.IsConstant()) return term;
    // Operands have smaller numbers. Only terms up to this one are rewritten.
    while (rewritten_.size() <= term.node()) {
      rewritten_.push_back(Rewritten(terms_.node(static_cast<uint32_t>(rewritten_.size()))));
    }
    return rewritten_[term.node()];
  }

 private:
  const Term* SizeOf(const TermContext::Node& node) const {
    if (node.kind != TermKind::kVariable) return nullptr;
    const auto size = sizes_.find(terms_.variable_name(node.a));
    return size == sizes_.end() ? nullptr : &size->second;
  }

  Term Rewritten(const TermContext::Node node) {
    switch (node.kind) {
      case TermKind::kConstant: return Term(node.value);
      case TermKind::kVariable: {
        const Term* const size = SizeOf(node);
        return size == nullptr ? terms_.Variable(terms_.variable_name(node.a)) : *size - Term(1);
      }
      case TermKind::kAdd: return rewritten_[node.a] + rewritten_[node.b];
      case TermKind::kSubtract: return rewritten_[node.a] - rewritten_[node.b];
      case TermKind::kMultiply: return rewritten_[node.a] * rewritten_[node.b];
      case TermKind::kMod: return Mod(rewritten_[node.a], rewritten_[node.b]);
      case TermKind::kFloorDiv: break;
    }
    if (rewritten_[node.b].IsConstant() && rewritten_[node.b].value().value == 1) return rewritten_[node.a];
    // (size - 1) floordiv d is size ceildiv d - 1.
    const Term* const size = SizeOf(terms_.node(node.a));
    if (size != nullptr) return CeilDiv(*size, rewritten_[node.b]) - Term(1);
    return FloorDiv(rewritten_[node.a], rewritten_[node.b]);
  }

  TermContext& terms_;
  std::map<std::string, Term> sizes_;
  std::vector<Term> rewritten_;
};

// Returns "M * N <= 2147483648" for a term that must be at most `largest`, or nothing if the condition is true at the
// point or cannot be written.
std::optional<std::string> ConditionOf(FormulaPathResult& path, const Term& term, Int128 largest,
                                       const NamedValues& point) {
  Certificate& certificate = *path.certificate;
  Ring& ring = certificate.ring();
  Polynomial sum = certificate.Normalize(term);
  std::vector<WideInteger> atoms;
  const WideInteger value = ring.ValueAt(point, atoms, sum);
  if (ring.overflow() || sum.IsConstant() || (!value.overflow && value.value <= largest)) return std::nullopt;
  const Int128 rest = largest - sum.Constant();
  // A product with a larger factor must be 0: numbers that are packed into one, which no author limits so.
  if (std::ranges::any_of(sum.addends, [&](const auto& addend) { return addend.first != 0 && addend.second > rest; })) {
    return std::nullopt;
  }
  sum = ring.Plus(sum, -sum.Constant());
  Int128 divisor = 0;
  for (const auto& [monomial, factor] : sum.addends) divisor = GreatestDivisor(divisor, factor);
  for (auto& [monomial, factor] : sum.addends) factor /= divisor;
  FloorRewriter rewriter(certificate, 1, {});
  const auto text = TermText(certificate.terms(), rewriter.ToTerm(sum), path.common_bits);
  const auto bound = TermText(certificate.terms(), Term(FloorDiv(WideInteger(rest), WideInteger(divisor))));
  if (!text || !bound || ring.overflow() || text->size() > kMaxConditionLength) return std::nullopt;
  if (IsIteration(*text)) return std::nullopt;
  return StrCat(*text, " <= ", *bound);
}

// Claims that the formula is wrong, or has no value, at every point.
class WrongGoal final : public FormulaGoal {
 public:
  using FormulaGoal::FormulaGoal;

  const char* law() const override { return "wrong"; }
  bool FailsAt(const FormulaPoint& point) override { return IsInScope() && evaluator_.Compare(point).Agrees(); }
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
  BorderFinder(const LoadedCode& code, const CodeRequest& request, const FormulaQuestion& question,
               const NamedValues& point, const ProveOptions& options)
      : code_(code), request_(request), question_(question), point_(point), options_(options) {
    options_.exports = {};
  }

  std::optional<CodeBorder> Find() {
    const std::vector<std::string> candidates = Candidates();
    for (const std::string& candidate : candidates) {
      if (IsRightWhile(candidate)) return CodeBorder{candidate, IsWrongUnless(candidate)};
    }
    if (candidates.size() < 2) return std::nullopt;
    const std::string all = StrJoin(candidates, " && ");
    if (!IsRightWhile(all)) return std::nullopt;
    const auto is_wrong = [this](const std::string& candidate) { return IsWrongUnless(candidate); };
    return CodeBorder{all, std::ranges::all_of(candidates, is_wrong)};
  }

 private:
  std::vector<std::string> Candidates() {
    std::vector<std::string> found;
    auto paths = ExploreValues(question_, MaxBytesOf(code_, request_), {});
    if (!paths) return found;
    for (FormulaPathResult& path : *paths) {
      TermContext& terms = path.certificate->terms();
      if (terms.size() > kMaxTermNodes) continue;
      LastIndex last(question_, terms);
      last.AddIterations(path);
      for (size_t k = 0; k < path.decisions.size() && found.size() < kMaxCandidates; ++k) {
        const TermRelation decided = path.decisions[k];
        // The limit of a type is a power of two that the value is not below.
        if (path.choices[k] || decided.kind != TermRelation::Kind::kLess || !decided.right.IsConstant()) continue;
        const Int128 limit = decided.right.value().value;
        if (limit <= kLeastLimit || (limit & (limit - 1)) != 0) continue;
        const Term value = last(decided.left);
        // An unsigned value is right up to twice the limit of the signed type as which it is followed.
        for (const Int128 largest : {2 * limit - 1, limit - 1}) {
          const auto condition = ConditionOf(path, value, largest, point_);
          if (condition && std::ranges::find(found, *condition) == found.end()) found.push_back(*condition);
        }
      }
    }
    return found;
  }

  bool IsRightWhile(const std::string& condition) const {
    CodeRequest request = request_;
    request.assumptions.push_back(condition);
    const Expected<FormulaQuestion> question = MakeCodeQuestion(code_, request);
    if (!question) return false;
    EqualityGoal goal(*question, MaxBytesOf(code_, request));
    const auto result = ProveGoal(goal, options_);
    return result && result->verdict == ProofVerdict::kProved;
  }

  // Returns true if it is proved that the function is wrong at the last index of every shape that breaks the condition.
  bool IsWrongUnless(const std::string& condition) const {
    CodeRequest request = request_;
    request.assumptions.push_back(StrCat("!(", condition, ")"));
    for (const FormulaIndex& index : question_.indices) {
      if (!index.size) continue;
      const std::string size =
          index.size->variable ? question_.variables[*index.size->variable].name : StrCat(index.size->number);
      request.assumptions.push_back(StrCat(question_.variables[index.variable].name, " == ", size, " - 1"));
    }
    const Expected<FormulaQuestion> question = MakeCodeQuestion(code_, request);
    if (!question) return false;
    WrongGoal goal(*question, MaxBytesOf(code_, request));
    const SearchResult search = SearchPoints(goal, SearchRound::kFirst);
    if (search.found) return false;
    auto paths = ExplorePaths(goal, PickSamples(*question, search.samples), MaskMode::kSplit);
    uint64_t work = 0;
    return paths && std::ranges::all_of(*paths, [&](FormulaPathResult& path) {
             return path.status != PathStatus::kUnsupported && path.failure.empty() &&
                    WhyNotConfirmed(*path.certificate, options_.rlimit, work).empty();
           });
  }

  const LoadedCode& code_;
  const CodeRequest& request_;
  const FormulaQuestion& question_;
  const NamedValues& point_;
  ProveOptions options_;
};

}  // namespace

std::optional<CodeBorder> FindBorder(const LoadedCode& code, const CodeRequest& request,
                                     const FormulaQuestion& question,
                                     const std::vector<std::pair<std::string, int64_t>>& counterexample,
                                     const ProveOptions& options) {
  const NamedValues point(counterexample.begin(), counterexample.end());
  double elements = 1;
  for (const std::string& name : question.names()) {
    elements *= static_cast<double>(std::max<int64_t>(point.at(name), 1));
  }
  if (elements <= static_cast<double>(kLeastLimit)) return std::nullopt;  // it is wrong for small shapes
  return BorderFinder(code, request, question, point, options).Find();
}

}  // namespace layoutcheck
