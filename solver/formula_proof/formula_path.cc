#include "layoutcheck/solver/formula_proof/formula_path.h"

#include <algorithm>
#include <array>
#include <span>

#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/solver/formula_proof/formula_terms.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kLinearRlimit = 300'000;
constexpr int64_t kMaxQuestions = 8000;  // of linear arithmetic, on all paths
constexpr double kMaxMultipliedOut = 20'000;
constexpr int64_t kMaxSampleValue = int64_t{1} << 24;
constexpr int kMaxSplits = 8;  // of one path, for the equality at its end

class Path {
 public:
  Path(const FormulaQuestion& question, const std::vector<NamedValues>& samples, const MachineInteger* integer,
       std::vector<bool> choices)
      : question_(question),
        integer_(integer),
        certificate_(std::make_unique<Certificate>()),
        rewriter_(*certificate_, kLinearRlimit, samples),
        decisions_(*certificate_, rewriter_, std::move(choices)),
        arithmetic_(*certificate_, rewriter_, decisions_) {}

  FormulaPathResult Run() {
    FormulaPathResult result;
    AssumeDomain();
    if (integer_ != nullptr && question_.layout) AssumeSize();
    result.excluded = !AssumptionsHold();
    if (!result.excluded && integer_ == nullptr) Compare();
    if (!result.excluded && integer_ != nullptr) Fit();
    if (MultipliedOut() > kMaxMultipliedOut) certificate_->ring().SetOverflow();
    if (failure_.empty() && !rewriter_.failure().empty()) failure_ = rewriter_.failure();
    if (failure_.empty() && certificate_->ring().overflow()) failure_ = "the polynomials become too large";
    // A sample with large values would leave 128 bits somewhere.
    if (rewriter_.samples().size() > 0 && IsSmall(rewriter_.samples().first())) {
      certificate_->sample = rewriter_.samples().first();
    }
    certificate_->title = Title();
    result.unsupported = unsupported_;
    result.gave_up = gave_up_;
    result.certificate = std::move(certificate_);
    result.failure = std::move(failure_);
    return result;
  }

  // How many questions of linear arithmetic it took.
  int64_t questions() const { return rewriter_.questions() + questions_afresh_; }

  // What the decisions were about.
  const std::vector<std::array<uint32_t, 3>>& subjects() const { return decisions_.subjects(); }
  // The decisions that were taken.
  std::vector<bool> choices() const {
    std::vector<bool> all = decisions_.choices();
    all.resize(decisions_.taken());
    return all;
  }

 private:
  static bool IsSmall(const NamedValues& values) {
    return std::ranges::all_of(values, [](const auto& value) { return value.second < kMaxSampleValue; });
  }

  // The most summands that a term has once it is multiplied out, with nothing joined: what it costs a solver to confirm
  // a normal form.
  double MultipliedOut() const {
    const TermContext& terms = certificate_->terms();
    std::vector<double> summands;
    double most = 0;
    for (uint32_t k = 0; k < terms.size(); ++k) {
      const TermContext::Node& node = terms.node(k);
      double count = 1;
      if (node.kind == TermKind::kAdd || node.kind == TermKind::kSubtract) count = summands[node.a] + summands[node.b];
      if (node.kind == TermKind::kMultiply) count = summands[node.a] * summands[node.b];
      summands.push_back(count);
      most = std::max(most, count);
    }
    return most;
  }

  void AssumeDomain() {
    for (const FormulaVariable& variable : question_.variables) {
      variables_.push_back(certificate_->terms().Variable(variable.name));
    }
    for (size_t k = 0; k < variables_.size(); ++k) {
      rewriter_.Assume(LessEqual(question_.variables[k].least, variables_[k]));
    }
    for (const FormulaIndex& index : question_.indices) {
      if (index.size) rewriter_.Assume(Less(variables_[index.variable], SizeTerm(*index.size)));
    }
  }

  // The bytes of the padded elements are at most as many as the integer counts.
  void AssumeSize() {
    const BasicTiledIndex<Term> formula(ToTerms(question_.layout->layout, certificate_->terms()));
    const Term bits = formula.padded_elements() * Term(question_.layout->element_bits);
    rewriter_.Assume(LessEqual(bits, Term(static_cast<int64_t>(integer_->largest)) * Term(8)));
  }

  Term SizeTerm(const FormulaSize& size) const {
    return size.variable ? variables_[*size.variable] : Term(size.number);
  }

  std::vector<Term> NamesOf(const FormulaQuestion::BoundFormula& bound) const {
    std::vector<Term> names;
    for (const FormulaSize& name : bound.names) names.push_back(SizeTerm(name));
    return names;
  }

  bool AssumptionsHold() {
    for (const FormulaQuestion::BoundFormula& assumption : question_.assumptions) {
      const std::vector<Term> names = NamesOf(assumption);
      FormulaTerms terms(assumption.formula, names, arithmetic_);
      const std::optional<bool> truth = terms.Assume();
      if (!truth && !terms.unsupported().empty()) Unsupported(terms);
      if (!truth || !*truth) return false;
    }
    return true;
  }

  std::optional<Term> ValueOf(const FormulaQuestion::BoundFormula& bound) {
    const std::vector<Term> names = NamesOf(bound);
    if (bound.function) return ValueOfFunction(bound, names);
    FormulaTerms terms(bound.formula, names, arithmetic_);
    const std::optional<Term> value = terms.Value();
    NoteMissingValue(terms, value);
    return value;
  }

  std::optional<Term> ValueOfFunction(const FormulaQuestion::BoundFormula& bound, std::span<const Term> arguments) {
    FunctionRun run(arithmetic_);
    const FunctionResult result = run.Call(bound.function, arguments);
    computed_ = run.computed();
    if (!result.unknown.empty()) GiveUp(result.unknown);
    if (!result.fault.empty()) ShowThatThisPathIsNone(result.fault);
    return result.value;
  }

  // Nothing is left to prove but that this path does not exist.
  void ShowThatThisPathIsNone(const std::string& fault) {
    failure_ = StrCat("it was not shown that this does not happen: ", fault);
    certificate_->AddGoal(Less(0, 0));
  }

  void GiveUp(const std::string& why) {
    gave_up_ = true;
    unsupported_ = true;
    failure_ = why;
  }

  void NoteMissingValue(const FormulaTerms& terms, const std::optional<Term>& value) {
    if (value) return;
    if (!terms.unsupported().empty()) Unsupported(terms);
    if (!terms.fault().empty()) ShowThatThisPathIsNone(terms.fault());
  }

  void Unsupported(const FormulaTerms& terms) {
    unsupported_ = true;
    failure_ = terms.unsupported();
  }

  Term LayoutIndex() {
    const BasicTiledIndex<Term> formula(ToTerms(question_.layout->layout, certificate_->terms()));
    std::vector<Term> index;
    for (const FormulaIndex& i : question_.indices) index.push_back(variables_[i.variable]);
    return formula(index);
  }

  // Every part that was evaluated is in the range of the integer, every shift below its width.
  void Fit() {
    if (question_.formula.function) return FitFunction();
    const Formula& formula = question_.formula.formula;
    const std::vector<Term> names = NamesOf(question_.formula);
    FormulaTerms terms(formula, names, arithmetic_);
    NoteMissingValue(terms, terms.Value());
    const auto claim = [&](uint32_t node, const TermRelation& relation) {
      ClaimThatFits(relation, [&] { return FormulaText(formula, node); });
    };
    for (const auto& [node, value] : terms.evaluated()) {
      claim(node, LessEqual(static_cast<int64_t>(integer_->least), value));
      claim(node, LessEqual(value, static_cast<int64_t>(integer_->largest)));
    }
    for (const FormulaNode& node : formula.nodes) {
      if (node.op != FormulaOp::kShiftLeft && node.op != FormulaOp::kShiftRight) continue;
      const auto amount = std::ranges::find(terms.evaluated(), node.operands[1], &std::pair<uint32_t, Term>::first);
      if (amount != terms.evaluated().end()) claim(node.operands[1], Less(amount->second, integer_->width));
    }
  }

  void FitFunction() {
    ValueOf(question_.formula);
    const auto text = [] { return std::string("a value that the function computes"); };
    for (const Term& value : computed_) {
      ClaimThatFits(LessEqual(static_cast<int64_t>(integer_->least), value), text);
      ClaimThatFits(LessEqual(value, static_cast<int64_t>(integer_->largest)), text);
    }
  }

  template <class Text>
  void ClaimThatFits(const TermRelation& relation, const Text& text) {
    if (decisions_.Claim(relation)) return;
    certificate_->AddGoal(relation);
    if (failure_.empty()) failure_ = StrCat("it was not shown that this fits: ", text());
  }

  void Compare() {
    const std::optional<Term> expected = question_.equals ? ValueOf(*question_.equals) : LayoutIndex();
    if (!expected) return;
    // The digits of the reference are those that the formula is to be read in.
    rewriter_.Canonical(*expected);
    const std::optional<Term> actual = ValueOf(question_.formula);
    if (!actual) return;
    certificate_->AddGoal(Equal(*actual, *expected));
    for (int splits = 0;; ++splits) {
      Ring& ring = certificate_->ring();
      const Polynomial difference = ring.Subtract(rewriter_.Canonical(*actual), rewriter_.Canonical(*expected));
      if (rewriter_.ShowZero(difference)) return;
      if (splits == 0 && decisions_.taken() > 0 && ShowEqualAfresh(*actual, *expected)) return;
      const auto split = splits < kMaxSplits ? rewriter_.SuggestSplit(difference) : std::nullopt;
      if (!split) {
        failure_ = StrCat("the difference was not shown to be 0: ", ring.ToString(difference));
        return;
      }
      decisions_.Choose(*split);
    }
  }

  // Normal forms that were worked out before a decision do not know of it. Once more, then, with all that is known.
  bool ShowEqualAfresh(const Term& actual, const Term& expected) {
    FloorRewriter afresh(*certificate_, kLinearRlimit, rewriter_.samples().all());
    const std::vector<TermRelation> known = certificate_->hypothesis_terms();
    for (const TermRelation& relation : known) afresh.Assume(relation);
    const Polynomial reference = afresh.Canonical(expected);
    const bool shown = afresh.ShowZero(certificate_->ring().Subtract(afresh.Canonical(actual), reference));
    questions_afresh_ = afresh.questions();
    return shown;
  }

  std::string Title() const {
    std::string title = question_.formula.formula.text;
    if (integer_ != nullptr) {
      StrAppend(title, "\nhas no part that overflows ", integer_->name);
      if (question_.layout) StrAppend(title, " where the bytes of ", question_.layout->text, " fit it");
      return title;
    }
    StrAppend(
        title, "\nis equal to ",
        question_.equals ? question_.equals->formula.text : StrCat("the linear index of ", question_.layout->text));
    for (const auto& assumption : question_.assumptions) StrAppend(title, "\nwhere ", assumption.formula.text);
    if (arithmetic_.HasConjunctions()) {
      title += "\nand!N are bits that some terms have in common; the hypotheses about them hold for all such";
    }
    return title;
  }

  const FormulaQuestion& question_;
  const MachineInteger* integer_;
  std::unique_ptr<Certificate> certificate_;
  FloorRewriter rewriter_;
  PathDecisions decisions_;
  PathArithmetic arithmetic_;
  std::vector<Term> variables_;
  std::string failure_;
  bool unsupported_ = false;
  bool gave_up_ = false;
  int64_t questions_afresh_ = 0;
  std::vector<Term> computed_;  // by a function
};

}  // namespace

Expected<std::vector<FormulaPathResult>> ExplorePaths(const FormulaQuestion& question,
                                                      const std::vector<NamedValues>& samples, size_t max_paths,
                                                      const MachineInteger* integer) {
  std::vector<FormulaPathResult> results;
  std::vector<bool> choices;
  std::vector<std::array<uint32_t, 3>> subjects;  // of the decisions of the last path
  int64_t questions = 0;
  while (true) {
    if (results.size() == max_paths || questions > kMaxQuestions) {
      return MakeError(ErrorKind::kUnsupported, StrCat("more than ", max_paths, " cases, or too much work for them"));
    }
    Path path(question, samples, integer, choices);
    results.push_back(path.Run());
    if (results.back().gave_up) return MakeError(ErrorKind::kUnsupported, results.back().failure);
    questions += path.questions();
    // A function of its arguments alone takes the decisions that were given in the same places.
    subjects.resize(choices.size());
    if (path.subjects().size() < subjects.size() ||
        !std::ranges::equal(subjects, std::span(path.subjects()).first(subjects.size()))) {
      return MakeError(ErrorKind::kUnsupported,
                       "the function took another path when it was run again: its arguments are not all that it uses");
    }
    subjects = path.subjects();
    // The next path takes the other side of the last decision of which only one was tried.
    choices = path.choices();
    while (!choices.empty() && !choices.back()) choices.pop_back();
    if (choices.empty()) return results;
    choices.back() = false;
  }
}

}  // namespace layoutcheck
