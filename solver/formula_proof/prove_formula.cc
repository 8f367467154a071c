// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <set>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/certificate_check.h"
#include "layoutcheck/solver/certificate/query_export.h"
#include "layoutcheck/solver/certificate/z3_solver.h"
#include "layoutcheck/solver/formula_proof/bounded_question.h"
#include "layoutcheck/solver/formula_proof/formula_search.h"
#include "layoutcheck/solver/layout_proof/prove.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMaxBoxPoints = int64_t{1} << 20;
constexpr std::string_view kEnumeration = "enumeration";
// Z3's budgets for statements with products of unknowns, in place of a certificate: per path, and for all paths.
constexpr uint64_t kPathRlimit = 5'000'000;
constexpr uint64_t kPathsRlimit = 30'000'000;

enum class Outcome : uint8_t {
  kProved,
  kRefuted,
  kUndecided,
  kUnstable,  // A function returned two values at one point, so nothing is known about it.
  kMisled,    // A run at a point that stepped over iterations of a loop found a fault, and a whole one did not.
};

class FormulaProver {
 public:
  FormulaProver(FormulaGoal& goal, const ProveOptions& options, const ClaimLines& claim,
                std::vector<NamedValues>* samples)
      : goal_(goal),
        question_(goal.question()),
        options_(options),
        claim_(claim),
        search_(goal),
        shared_samples_(samples) {
    result_.layout = question_.layout ? question_.layout->text : "";
    result_.law = goal.law();
    result_.for_all = question_.names();
    result_.ranges = question_.ranges();
    for (const FormulaVariable& variable : question_.variables) symbols_.push_back(variable.name);
  }

  // Returns true if Run() has ended because runs that step over iterations are not what the function does.
  bool is_misled() const { return is_misled_; }

  // The paths of a proof are moved to `paths`, if it is given.
  Expected<ProofResult> Run(std::vector<FormulaPathResult>* paths) {
    const auto begin = std::chrono::steady_clock::now();
    Expected<Outcome> outcome = Outcome::kUndecided;
    try {
      ThrowIfInterrupted();
      outcome = Decide();
    } catch (const std::bad_alloc&) {
      result_.reason = kOutOfMemory;
    } catch (const SolverStopped& stopped) {
      result_.reason = stopped.reason;
    }
    result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!outcome) return std::unexpected(outcome.error());
    is_misled_ = *outcome == Outcome::kMisled;
    if (*outcome == Outcome::kRefuted) result_.verdict = ProofVerdict::kRefuted;
    if (*outcome == Outcome::kProved) {
      result_.verdict = ProofVerdict::kProved;
      LAYOUTCHECK_RETURN_IF_ERROR(Export());
      if (options_.certificates) Certify();
      if (paths != nullptr) *paths = std::move(paths_);
    }
    return std::move(result_);
  }

 private:
  Expected<Outcome> Decide() {
    if (question_.formula.function_has_state || (question_.equals && question_.equals->function_has_state)) {
      result_.reason = kFunctionHasState;
      return Outcome::kUnstable;
    }
    if (const auto found = search_.Begin(shared_samples_)) return Refute(*found);
    PathModes modes;
    for (const ShiftMode shifts : ShiftModes()) {
      for (const MaskMode masks : {MaskMode::kBits, MaskMode::kSplit}) {
        const Outcome outcome = ProvePaths(modes = {masks, shifts});
        if (outcome == Outcome::kProved) return RequirePoint();
        if (outcome != Outcome::kUndecided) return outcome;
        if (!are_all_ || std::ranges::none_of(paths_, &FormulaPathResult::has_conjunctions)) break;
      }
      if (std::ranges::none_of(paths_, &FormulaPathResult::has_unknown_shifts)) break;
    }
    if (const Outcome outcome = RefuteOnTurns(modes); outcome != Outcome::kUndecided) return outcome;
    if (const std::optional<FiniteBox> box = FiniteBoxOf(question_, kMaxBoxPoints)) {
      const Expected<Outcome> outcome = Enumerate(*box);
      if (!outcome || *outcome != Outcome::kUndecided) return outcome;
    }
    if (const Expected<Outcome> outcome = DecideByBits(); !outcome || *outcome != Outcome::kUndecided) return outcome;
    const std::optional<FormulaPoint> found = HasValues() ? search_.Long() : std::nullopt;
    return found ? Refute(*found) : Outcome::kUndecided;
  }

  // Returns the treatments of shifts, the more promising one first. Code decides about each result of a shift whether
  // it overflows, so that it would have several paths per amount; of a formula, a path per amount has a certificate.
  std::vector<ShiftMode> ShiftModes() const {
    if (question_.formula.function) return {ShiftMode::kPowers, ShiftMode::kSplit};
    return {ShiftMode::kSplit, ShiftMode::kPowers};
  }

  // Returns false if the claim holds at no sample: a function that cannot be followed there can hardly be elsewhere.
  bool HasValues() {
    const auto holds = [this](const NamedValues& values) {
      const std::optional<FormulaPoint> point = search_.DomainPoint(values);
      return point && goal_.IsTrueAt(*point) == true;
    };
    return search_.samples().empty() || std::ranges::any_of(search_.samples(), holds);
  }

  // Decides a claim about bounded names by a query over bit vectors.
  Expected<Outcome> DecideByBits() {
    const std::optional<FiniteBox> box = BoundedBoxOf(question_);
    if (!box) return Outcome::kUndecided;
    BitVectorQuery claim(question_, *box);
    if (!goal_.RequireWrong(claim)) return Outcome::kUndecided;
    std::optional<SmtQuery> query = claim.Finish(StrCat(question_.formula.formula.text, "\n", goal_.Predicate()));
    if (!query) return Outcome::kUndecided;
    const uint64_t budget = options_.rlimit - std::min(options_.rlimit, result_.rlimit);
    if (budget == 0) return Outcome::kUndecided;
    const SolverModel model = FindModel(*query, symbols_, budget);
    result_.rlimit += model.run.rlimit;
    if (model.run.answer == SolverAnswer::kSat) return RefuteBy(model);
    if (model.run.answer != SolverAnswer::kUnsat) return Outcome::kUndecided;
    const Expected<Outcome> outcome = RequirePoint();
    if (!outcome || *outcome != Outcome::kProved) return outcome;
    bit_vectors_ = std::move(query);
    return ProvedWithoutPaths("bit-vectors", 1);
  }

  // Decides the goal at every point of a small box.
  Expected<Outcome> Enumerate(const FiniteBox& box) {
    const BoxResult result = DecideBox(goal_, box);
    if (result.found) return Refute(*result.found);
    if (!result.holds) return Outcome::kUndecided;
    if (!result.has_point) return NoPoint();
    return ProvedWithoutPaths(kEnumeration, 0);
  }

  Outcome ProvedWithoutPaths(std::string_view method, int64_t obligations) {
    paths_.clear();
    result_.obligations = obligations;
    result_.lemma_instances = 0;
    result_.reason.clear();
    result_.method = method;
    return Outcome::kProved;
  }

  Outcome Refute(const FormulaPoint& found) {
    const FormulaPoint point = MinimizePoint(goal_, found);
    if (!goal_.FailsInWholeRunAt(point)) {
      result_.reason = kFunctionHasState;
      return goal_.has_guessed() ? Outcome::kMisled : Outcome::kUnstable;
    }
    result_.method = "witness";
    result_.reason.clear();
    for (size_t k = 0; k < point.size(); ++k) result_.counterexample.emplace_back(symbols_[k], point[k]);
    goal_.DescribeFailure(point, result_);
    return Outcome::kRefuted;
  }

  // Refutes the goal at the point of the model, if it fails there.
  Outcome RefuteBy(const SolverModel& model) {
    const std::optional<FormulaPoint> point = search_.DomainPoint(model.values);
    return point && goal_.FailsAt(*point) ? Refute(*point) : Outcome::kUndecided;
  }

  Outcome ProvePaths(const PathModes& modes) {
    FormulaPaths explored = ExplorePaths(goal_, search_.samples(), modes);
    paths_ = std::move(explored.paths);
    are_all_ = explored.failure.empty();
    result_.reason = std::move(explored.failure);
    const bool is_proof = are_all_ && std::ranges::all_of(paths_, &std::string::empty, &FormulaPathResult::failure);
    if (const auto found = is_proof ? std::nullopt : search_.First()) return Refute(*found);
    if (!are_all_) return Outcome::kUndecided;
    result_.lemma_instances = 0;
    result_.obligations = std::ssize(paths_);
    bool all_proved = true;
    for (FormulaPathResult& path : paths_) {
      const Outcome outcome = ProvePath(path);
      if (outcome == Outcome::kProved) continue;
      if (outcome != Outcome::kUndecided) return outcome;
      all_proved = false;
      if (result_.reason.empty()) result_.reason = path.failure;
    }
    if (!all_proved) return Outcome::kUndecided;
    const bool by_certificates = std::ranges::all_of(paths_, &std::string::empty, &FormulaPathResult::failure);
    result_.method = by_certificates ? "canonical-form" : "z3";
    return Outcome::kProved;
  }

  // Asks about paths beside those that were followed, if they were too many.
  Outcome RefuteOnTurns(const PathModes& modes) {
    if (are_all_ || paths_.empty()) return Outcome::kUndecided;
    for (FormulaPathResult& path : ExploreTurns(goal_, search_.samples(), modes, paths_.back().trace.choices)) {
      const Outcome outcome = ProvePath(path);
      if (outcome != Outcome::kProved && outcome != Outcome::kUndecided) return outcome;
    }
    return Outcome::kUndecided;
  }

  // Confirms the path's certificate or, if that fails, asks Z3 about the statement itself.
  Outcome ProvePath(FormulaPathResult& path) {
    Certificate& certificate = *path.certificate;
    result_.lemma_instances += std::ssize(certificate.instances());
    if (path.failure.empty()) path.failure = WhyNotConfirmed(certificate, options_.rlimit, result_.rlimit);
    if (path.failure.empty()) return Outcome::kProved;
    if (const auto found = search_.First()) return Refute(*found);
    if (certificate.ring().overflow()) return Outcome::kUndecided;
    // Arithmetic knows little about bits in common. Where all names are bounded, a query over bit vectors decides.
    has_conjunctions_ = has_conjunctions_ || path.has_conjunctions;
    if (has_conjunctions_ && BoundedBoxOf(question_)) return Outcome::kUndecided;
    for (const SmtQuery& query : StatementQueries(certificate)) {
      const SolverModel model = AskDirectly(query);
      if (model.run.answer == SolverAnswer::kSat) return RefuteBy(model);
      if (model.run.answer != SolverAnswer::kUnsat) return Outcome::kUndecided;
    }
    return path.status != PathStatus::kUnsupported ? Outcome::kProved : Outcome::kUndecided;
  }

  // Asks Z3 about terms themselves, within what is left of the budgets.
  SolverModel AskDirectly(const SmtQuery& query) {
    const auto left = [](uint64_t budget, uint64_t work) { return budget - std::min(budget, work); };
    const uint64_t budget =
        std::min({kPathRlimit, left(kPathsRlimit, direct_work_), left(options_.rlimit, result_.rlimit)});
    if (budget == 0) return {{SolverAnswer::kUnknown, kBudgetSpent, 0}, {}};
    SolverModel model = FindModel(query, symbols_, budget);
    direct_work_ += model.run.rlimit;
    result_.rlimit += model.run.rlimit;
    return model;
  }

  // Returns kProved if the scope has a point: a claim about none is useless. Errors: no point (invalid argument).
  Expected<Outcome> RequirePoint() {
    const auto is_in_scope = [this](const NamedValues& values) {
      return search_.DomainPoint(values) && goal_.IsInScope();
    };
    if (std::ranges::any_of(search_.samples(), is_in_scope)) return Outcome::kProved;
    if (const auto found = search_.First()) return Refute(*found);
    if (std::ranges::any_of(search_.samples(), is_in_scope)) return Outcome::kProved;
    bool none = true;
    for (const FormulaPathResult& path : paths_) {
      if (path.status == PathStatus::kExcluded) continue;
      const SolverModel model = AskDirectly(HypothesesQuery(*path.certificate));
      if (is_in_scope(model.values)) return Outcome::kProved;
      none = none && model.run.answer == SolverAnswer::kUnsat;
    }
    if (!none) {
      result_.method.clear();
      result_.reason = "no values were found for which the assumptions hold";
      return Outcome::kUndecided;
    }
    return NoPoint();
  }

  // Returns the error that the scope has no point.
  std::unexpected<Error> NoPoint() {
    const std::string why = search_.samples().empty() ? "" : goal_.WhyNoneInScope();
    if (!why.empty()) return ArgumentError(why);
    if (question_.assumptions.empty()) return ArgumentError("the layout has no element: nothing is said of any index");
    return ArgumentError("the assumptions contradict each other or leave no element: there is nothing to prove",
                         HintAboutSigns(question_));
  }

  Expected<void> Export() {
    if (!options_.exports.IsWanted()) return {};
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
        const std::vector<SmtQuery> statement = StatementQueries(*path.certificate);
        for (const SmtQuery& query : statement) {
          const bool is_first = &query == &statement.front();
          queries.push_back({StrCat(name, is_first ? ".statement" : ".outcomes"), about, query});
        }
      }
    }
    if (bit_vectors_) queries.push_back({StrCat(result_.law, " bit vectors"), about, *bit_vectors_});
    if (queries.empty()) result_.no_query = NoQuery(options_.exports, result_.method);
    return ExportQueries(queries, options_.exports, result_);
  }

  // Returns true if the claim holds at every point of a box that checkers enumerate, too. They bound the number of
  // operators in all evaluations, of which a text has no more than bytes.
  bool CanEnumerate() {
    constexpr int64_t kMaxOperators = 8'000'000;
    int64_t bytes = 0;
    for (const auto& [word, text] : claim_) bytes += std::ssize(text);
    if (bytes == 0 || (result_.law != "formula" && result_.law != "in-bounds")) return false;
    const std::optional<FiniteBox> box = FiniteBoxOf(question_, std::min(kMaxBoxPoints, kMaxOperators / bytes));
    return box && (result_.method == kEnumeration || DecideBox(goal_, *box).holds);
  }

  // Inserts the sequents that the fractal layout equals its XLA layout, which the proof is about.
  void AddEqualLayouts(std::expected<std::string, std::string>& text) {
    const SymbolicLayout& layout = *question_.layout;
    const std::string law = "equals-hlo";
    ProveOptions options;
    options.rlimit = options_.rlimit;
    options.certificates = true;
    const auto proofs = ProveLayout(layout, {law}, options);
    const std::string certificate = proofs ? proofs->front().certificate : "";
    if (certificate.empty()) {
      text = std::unexpected("the fractal layout has none that it equals its XLA layout");
      return;
    }
    text->insert(CertificateHead(goal_.law(), claim_).size(),
                 CertificateBody(certificate, CertificateHead(law, {{"layout", layout.text}})));
  }

  // Makes the text of the certificate of a proved claim.
  void Certify() {
    const auto begin = std::chrono::steady_clock::now();
    std::expected<std::string, std::string> text = std::unexpected(NoCertificate(result_.method));
    const ClaimLines claim = ReadableClaim(question_, claim_);
    if (!paths_.empty()) text = FormulaCertificate(goal_.law(), claim, paths_, options_.rlimit);
    if (!text && CanEnumerate()) text = EnumerationCertificate(goal_.law(), claim);
    if (text && HasReadFractal(question_)) AddEqualLayouts(text);
    (text ? result_.certificate : result_.no_certificate) = text ? *text : text.error();
    result_.certificate_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  FormulaGoal& goal_;
  const FormulaQuestion& question_;
  const ProveOptions& options_;
  const ClaimLines& claim_;
  GoalSearch search_;
  std::vector<NamedValues>* shared_samples_;  // or null
  std::vector<std::string> symbols_;          // names of the variables
  std::vector<FormulaPathResult> paths_;
  bool are_all_ = false;                 // paths_ cover the domain
  std::optional<SmtQuery> bit_vectors_;  // the query that proved the claim
  ProofResult result_;
  uint64_t direct_work_ = 0;       // part of result_.rlimit
  bool has_conjunctions_ = false;  // a path so far had conjunctions
  bool is_misled_ = false;
};

}  // namespace

Expected<ProofResult> ProveGoal(FormulaGoal& goal, const ProveOptions& options, const ClaimLines& claim,
                                std::vector<NamedValues>* samples, std::vector<FormulaPathResult>* paths) {
  for (const FormulaQuestion::BoundFormula& assumption : goal.question().assumptions) {
    if (assumption.function) return ArgumentError(NoAssumptionText(assumption));
  }
  FormulaProver prover(goal, options, claim, samples);
  auto result = prover.Run(paths);
  if (!prover.is_misled()) return result;
  goal.SetRunLength(RunLength::kUsual);
  return FormulaProver(goal, options, claim, samples).Run(paths);
}

Expected<ProofResult> ProveFormula(const FormulaRequest& request, const ProveOptions& options) {
  if (request.layout.empty() && !request.equals) {
    return ArgumentError("expected a LAYOUT or --equals: what the formula is to be equal to");
  }
  LAYOUTCHECK_TRY(const FormulaQuestion question, MakeFormulaQuestion(request));
  EqualityGoal goal(question);
  return ProveGoal(goal, options, ClaimLinesOf(request));
}

Expected<ProofResult> ProveNoOverflow(const FormulaRequest& request, const MachineInteger& integer,
                                      const ProveOptions& options) {
  if (request.layout.empty() && request.over.empty()) {
    return ArgumentError("expected a LAYOUT, whose padded size bounds the shapes, or --over and --formula");
  }
  FormulaRequest complete = request;
  const Expected<size_t> components = ComponentCount(request);
  // The other formula has no part in the claim, except that it may have as many components.
  if (components && *components == 1) complete.equals.reset();
  if (!complete.extent.empty()) complete.assumptions.push_back(ExtentAssumption(complete, integer.largest));
  const bool is_own = complete.formula.empty();
  if (is_own) {
    const Expected<SymbolicLayout> layout = ParseSymbolicLayout(request.layout);
    if (!layout) return MakeError(layout.error().kind, StrCat(request.layout, ": ", layout.error().ToString()));
    complete.formula = LayoutFormula(*layout);
  }
  LAYOUTCHECK_TRY(const FormulaQuestion question, MakeFormulaQuestion(complete));
  OverflowGoal goal(question, integer, /*is_index=*/is_own && options.certificates);
  return ProveGoal(goal, options, NoOverflowClaimLines(complete, is_own, integer));
}

}  // namespace layoutcheck
