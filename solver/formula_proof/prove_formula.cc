#include "layoutcheck/solver/formula_proof/prove_formula.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>

#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/certificate_check.h"
#include "layoutcheck/solver/certificate/query_export.h"
#include "layoutcheck/solver/formula_proof/formula_path.h"
#include "layoutcheck/solver/formula_proof/formula_search.h"
#include "layoutcheck/solver/layout_proof/layout_formula.h"
#include "layoutcheck/solver/certificate/z3_solver.h"

namespace layoutcheck {
namespace {

constexpr int64_t kFirstSearch = 20'000;         // points before a proof is tried
constexpr int64_t kSecondSearch = 1'000'000;     // and after none was found
constexpr int64_t kUsualNodes = 100;             // of a formula
constexpr int64_t kUsualOperations = 50;         // of a function
constexpr int64_t kMostFunctionCalls = 100'000;  // in one search, of a usual one
constexpr int64_t kMinimizeBudget = 150'000;
constexpr size_t kMaxSamplePoints = 60;
constexpr size_t kMaxPaths = 200;
constexpr uint64_t kDirectRlimit = 1'200'000;  // for one path that Z3 is asked about as it stands

class FormulaProver {
 public:
  // With `integer` the question is whether the formula overflows it.
  FormulaProver(const FormulaQuestion& question, std::string_view layout_text, const MachineInteger* integer,
                const ProveOptions& options)
      : question_(question), options_(options), integer_(integer), evaluator_(question) {
    if (integer != nullptr) {
      machine_.emplace(question.formula, *integer);
      wrong_ = [this](const FormulaPoint& point) {
        return HasBudget() && FitsMemory() && machine_->FirstFault(point).has_value();
      };
    } else {
      wrong_ = [this](const FormulaPoint& point) { return HasBudget() && evaluator_.Compare(point).Differs(); };
    }
    result_.layout = layout_text;
    result_.law = integer != nullptr ? kOverflowLaw : kFormulaLaw;
    result_.for_all = question.names();
  }

  Expected<ProofResult> Run() {
    const auto begin = std::chrono::steady_clock::now();
    Expected<void> done = Decide();
    result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (done && result_.verdict == ProofVerdict::kProved) done = Export();
    if (!done) return std::unexpected(std::move(done.error()));
    return std::move(result_);
  }

 private:
  Expected<void> Decide() {
    if (Search(kFirstSearch)) return {};
    Expected<std::vector<FormulaPathResult>> paths = ExplorePaths(question_, samples_, kMaxPaths, integer_);
    if (!paths) {
      result_.reason = paths.error().message;
    } else {
      paths_ = std::move(*paths);
      if (ProvePaths()) return {};
      if (result_.verdict == ProofVerdict::kProved) return AskForAPoint();
    }
    Search(kSecondSearch);
    return {};
  }

  // Whether the padded elements of the layout at the last point take few enough bytes.
  bool FitsMemory() const {
    if (!question_.layout) return true;  // the sizes are known
    return Int128{evaluator_.padded_elements()} * question_.layout->element_bits <= integer_->largest * 8;
  }

  int64_t Operations() const { return evaluator_.operations() + (machine_ ? machine_->operations() : 0); }
  // A function may take long at large points: what is spent on it is bounded, too.
  bool HasBudget() const { return Operations() < most_operations_; }
  void AddBudget(int64_t points) {
    most_operations_ = Operations() + std::min(points, kMostFunctionCalls) * kUsualOperations;
  }

  // Whether a counterexample was found.
  bool Search(int64_t budget) {
    AddBudget(budget);
    if (integer_ != nullptr && samples_.empty()) {
      const PointPredicate in_scope = [this](const FormulaPoint& point) {
        return evaluator_.IsInDomain(point) && FitsMemory();
      };
      if (const auto found = SearchExtremes(question_, in_scope, wrong_)) {
        Refute(*found);
        return true;
      }
    }
    // A point of a long formula costs more.
    const auto nodes = static_cast<int64_t>(question_.formula.formula.nodes.size());
    const SearchResult search =
        SearchPoints(question_, evaluator_, wrong_, budget / std::max<int64_t>(nodes / kUsualNodes, 1));
    if (samples_.empty()) {
      const size_t step = std::max<size_t>(search.samples.size() / kMaxSamplePoints, 1);
      for (size_t k = 0; k < search.samples.size(); k += step) {
        NamedValues& values = samples_.emplace_back();
        for (size_t v = 0; v < question_.variables.size(); ++v) {
          values[question_.variables[v].name] = search.samples[k][v];
        }
      }
      // Small ones first: they are those that can stand for a case.
      std::ranges::stable_sort(samples_, {}, [](const NamedValues& values) {
        int64_t largest = 0;
        for (const auto& [name, value] : values) largest = std::max(largest, value);
        return largest;
      });
    }
    if (search.found) Refute(*search.found);
    return search.found.has_value();
  }

  void Refute(const FormulaPoint& found) {
    const auto nodes = static_cast<int64_t>(question_.formula.formula.nodes.size());
    AddBudget(kMinimizeBudget);
    const FormulaPoint point = MinimizePoint(question_, evaluator_, wrong_, found,
                                             kMinimizeBudget / std::max<int64_t>(nodes / kUsualNodes, 1));
    // Evaluated again, here, as it is shown.
    AddBudget(kMinimizeBudget);
    if (!evaluator_.IsInDomain(point) || !wrong_(point)) return;
    result_.verdict = ProofVerdict::kRefuted;
    result_.method = "witness";
    result_.reason.clear();
    for (size_t k = 0; k < point.size(); ++k) {
      result_.counterexample.emplace_back(question_.variables[k].name, point[k]);
    }
    if (integer_ != nullptr) {
      ShowFault(*machine_->FirstFault(point));
      return;
    }
    const FormulaComparison comparison = evaluator_.Compare(point);
    Show("expected", comparison.expected, evaluator_.ExpectedFault(comparison));
    Show("actual", comparison.actual, evaluator_.ActualFault(comparison));
  }

  void ShowFault(const MachineFault& fault) {
    const Formula& formula = question_.formula.formula;
    const bool of_function = static_cast<bool>(question_.formula.function);
    result_.subexpression = of_function ? fault.text : FormulaText(formula, fault.node);
    if (fault.fault != FormulaFault::kOverflow) {
      result_.without_value.emplace_back("actual",
                                         of_function ? fault.text : FaultText(formula, fault.node, fault.fault));
      return;
    }
    Show("expected", {fault.value}, {});
    const Int128 modulus = Int128{1} << integer_->width;
    Int128 wrapped = (fault.value - integer_->least) % modulus;
    if (wrapped < 0) wrapped += modulus;
    Show("actual", {wrapped + integer_->least}, {});
  }

  void Show(const char* side, const FormulaValue<Int128>& value, const std::string& fault) {
    using Limits = std::numeric_limits<int64_t>;
    if (!value.ok()) {
      result_.without_value.emplace_back(side, fault);
    } else if (value.value < Limits::min() || value.value > Limits::max()) {
      result_.without_value.emplace_back(side, StrCat(ToDecimal(value.value), " does not fit int64"));
    } else {
      result_.counterexample.emplace_back(side, static_cast<int64_t>(value.value));
    }
  }

  // Whether there is nothing more to do: a counterexample was found. The verdict is proved where all paths were.
  bool ProvePaths() {
    result_.obligations = static_cast<int64_t>(paths_.size());
    bool direct = false;
    bool all = true;
    for (FormulaPathResult& path : paths_) {
      Certificate& certificate = *path.certificate;
      result_.lemma_instances += static_cast<int64_t>(certificate.instances().size());
      std::string reason = path.failure;
      if (reason.empty() && !certificate.sample.empty()) {
        reason = certificate.FailsForSample();
        if (!reason.empty()) reason = StrCat("the certificate is false for a sample: ", reason);
      }
      if (reason.empty()) reason = WhyNotConfirmed(certificate, options_.rlimit, result_.rlimit);
      path.failure = reason;
      if (reason.empty()) continue;
      SolverModel model;
      if (!certificate.ring().overflow()) {
        model = FindModel(StatementQuery(certificate), Symbols(), std::min(options_.rlimit, kDirectRlimit));
      }
      result_.rlimit += model.run.rlimit;
      if (model.run.answer == SolverAnswer::kUnsat && !path.unsupported) {
        direct = true;
        continue;
      }
      if (model.run.answer == SolverAnswer::kSat && RefuteByModel(model)) return true;
      all = false;
      if (result_.reason.empty()) result_.reason = reason;
    }
    if (!all) return false;
    result_.verdict = ProofVerdict::kProved;
    result_.method = direct ? "z3" : "canonical-form";
    return false;
  }

  std::vector<std::string> Symbols() const {
    std::vector<std::string> symbols;
    for (const FormulaVariable& variable : question_.variables) symbols.push_back(variable.name);
    return symbols;
  }

  // Nothing where a variable has no value.
  std::optional<FormulaPoint> PointOf(const NamedValues& values) const {
    FormulaPoint point;
    for (const FormulaVariable& variable : question_.variables) {
      const auto value = values.find(variable.name);
      if (value == values.end()) return std::nullopt;
      point.push_back(value->second);
    }
    return point;
  }

  bool RefuteByModel(const SolverModel& model) {
    const std::optional<FormulaPoint> point = PointOf(model.values);
    if (!point || !evaluator_.IsInDomain(*point) || !wrong_(*point)) return false;
    Refute(*point);
    return true;
  }

  // A statement about no point at all is true, and of no use: shows a point, or says that there is none.
  Expected<void> AskForAPoint() {
    const auto is_of_use = [this](const std::optional<FormulaPoint>& point) {
      return point && evaluator_.IsInDomain(*point) && (integer_ == nullptr || FitsMemory());
    };
    for (const NamedValues& sample : samples_) {
      if (is_of_use(PointOf(sample))) return {};
    }
    bool none = true;
    for (const FormulaPathResult& path : paths_) {
      if (path.excluded) continue;
      const SolverModel model = FindModel(HypothesesQuery(*path.certificate), Symbols(), kDirectRlimit);
      if (is_of_use(PointOf(model.values))) return {};
      none = none && model.run.answer == SolverAnswer::kUnsat;
    }
    if (none && integer_ != nullptr && !samples_.empty()) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("no shape's padded elements take ", ToDecimal(integer_->largest),
                              " bytes or less: there is nothing to prove about ", integer_->name));
    }
    if (none) {
      return MakeError(ErrorKind::kInvalidArgument, question_.assumptions.empty()
                                                        ? "the layout has no element: nothing is said of any index"
                                                        : "the assumptions contradict each other or leave no element: "
                                                          "there is nothing to prove");
    }
    result_.verdict = ProofVerdict::kUnknown;
    result_.method.clear();
    result_.reason = "no values were found for which the assumptions hold";
    return {};
  }

  Expected<void> Export() {
    if (options_.emit_directory.empty() && options_.second_solver.empty()) return {};
    std::vector<NamedQuery> queries;
    std::set<LemmaId> lemmas;
    const std::string about = StrCat(result_.layout, " ", question_.formula.formula.text);
    for (size_t k = 0; k < paths_.size(); ++k) {
      const std::string name = StrCat(result_.law, " case ", k + 1);
      FormulaPathResult& path = paths_[k];
      if (path.failure.empty()) {
        AppendQueries(*path.certificate, about, name, /*satisfiable=*/!path.certificate->sample.empty(), lemmas,
                      queries);
      } else {
        queries.push_back({StrCat(name, ".statement"), about, StatementQuery(*path.certificate)});
      }
    }
    return ExportQueries(queries, options_, result_);
  }

  const FormulaQuestion& question_;
  const ProveOptions& options_;
  const MachineInteger* integer_;
  PointEvaluator evaluator_;
  std::optional<MachineFormula> machine_;
  PointPredicate wrong_;
  int64_t most_operations_ = 0;
  std::vector<NamedValues> samples_;
  std::vector<FormulaPathResult> paths_;
  ProofResult result_;
};

}  // namespace

Expected<ProofResult> ProveFormula(const FormulaRequest& request, const ProveOptions& options) {
  const Expected<FormulaQuestion> question = MakeFormulaQuestion(request);
  if (!question) return std::unexpected(question.error());
  return ProveQuestion(*question, request.layout, nullptr, options);
}

Expected<ProofResult> ProveQuestion(const FormulaQuestion& question, std::string_view layout_text,
                                    const MachineInteger* integer, const ProveOptions& options) {
  return FormulaProver(question, layout_text, integer, options).Run();
}

Expected<ProofResult> ProveNoOverflow(const FormulaRequest& request, const MachineInteger& integer,
                                      const ProveOptions& options) {
  if (request.layout.empty()) {
    return MakeError(ErrorKind::kInvalidArgument, "expected a LAYOUT: its padded size bounds the shapes");
  }
  FormulaRequest complete = request;
  if (complete.formula.empty()) {
    const Expected<SymbolicLayout> layout = ParseSymbolicLayout(request.layout);
    if (!layout) return MakeError(layout.error().kind, StrCat(request.layout, ": ", layout.error().ToString()));
    complete.formula = LayoutFormula(*layout);
  }
  const Expected<FormulaQuestion> question = MakeFormulaQuestion(complete);
  if (!question) return std::unexpected(question.error());
  return ProveQuestion(*question, complete.layout, &integer, options);
}

}  // namespace layoutcheck
