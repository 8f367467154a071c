// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/kernel_prover.h"
#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel/launch_conditions.h"
#include "layoutcheck/llvm/kernel_proof/array_use.h"
#include "layoutcheck/llvm/kernel_proof/asked_laws.h"
#include "layoutcheck/llvm/kernel_proof/kernel_laws.h"
#include "layoutcheck/llvm/kernel_proof/kernel_machine_check.h"
#include "layoutcheck/llvm/kernel_proof/law_certificates.h"
#include "layoutcheck/llvm/kernel_proof/overflow_proof.h"
#include "layoutcheck/llvm/kernel_proof/race_proofs.h"
#include "layoutcheck/llvm/kernel_proof/relayout_proof.h"
#include "layoutcheck/llvm/kernel_proof/store_owners.h"
#include "layoutcheck/llvm/kernel_proof/thread_claims.h"

namespace layoutcheck {
namespace {

constexpr const char* kIsAtomic = "is changed by atomic operations";
constexpr const char* kStoresNothing = "the kernel stores nothing";

class KernelProver {
 public:
  // `any_launch` is the model without the launch. All arguments must outlive the prover.
  KernelProver(const LawsAsked& asked, KernelModel& model, KernelModel& any_launch)
      : asked_(asked),
        request_(asked.request),
        model_(model),
        any_launch_(any_launch),
        options_(asked.options),
        threads_(model, any_launch, asked.options, !asked.request.has_any_grid) {}

  Expected<std::vector<KernelProof>> Run() {
    auto done = threads_.RequireThread();
    if (done) done = threads_.LeaveOutFarThreads();
    if (threads_.no_far_threads()) rests_on_.Add(*threads_.no_far_threads(), /*has_line=*/false);
    if (done && request_.laws != std::vector<std::string>{kNoOverflow}) done = AskAccesses();
    FinishVerdicts();
    if (done) done = AskOthers();
    // Its runs learn of loops what the other laws need not know.
    if (done && IsAsked(kNoOverflow)) done = AskNoOverflow();
    if (done && IsAsked(kBankConflicts)) done = AdviseBanks();
    if (!done) return std::unexpected(done.error());
    FinishVerdicts();
    return std::move(proofs_);
  }

  // Returns what is known of the kernel's stores after Run(). Takes the model.
  EndedKernel End() {
    if (ended_where_) return *std::move(ended_where_);
    std::string why;
    for (const auto& [law, verdict] :
         {std::pair(kAccesses, accesses_), std::pair(kRaceFree, race_free_), std::pair(kDistinct, distinct_.verdict)}) {
      if (verdict == ProofVerdict::kProved) continue;
      why = StrCat("it rests on ", law, " of ", model_.name(), ", which is ", ProofVerdictName(verdict));
      break;
    }
    model_.SetFollowsStoredValues(true);
    rests_on_.Add(std::move(distinct_), /*has_line=*/true);
    return {std::move(model_),      written_,       std::move(guess_),
            std::move(simulation_), std::move(why), std::move(rests_on_)};
  }

 private:
  // Adds the ranges of numbers in arrays to the verdicts that are new, and gives these to their reader.
  void FinishVerdicts() {
    const std::vector<std::string> ranges = model_.numbers().Ranges(model_.array_names());
    for (; finished_ < proofs_.size(); ++finished_) {
      KernelProof& proof = proofs_[finished_];
      const bool is_said = !ranges.empty() && std::ranges::find(proof.where, ranges[0]) != proof.where.end();
      if (!is_said) proof.where.insert(proof.where.end(), ranges.begin(), ranges.end());
      if (asked_.done) asked_.done(proof);
    }
  }

  bool IsAsked(std::string_view law) const { return IsLawAsked(request_, model_, asked_.is_last, law); }

  Expected<void> AskAccesses() {
    const KernelModel* last = nullptr;  // the model of whose threads the members hold what they do
    const ThreadProver::Claim claim = [&](const KernelModel& model, const auto&, const auto&, const auto& run) {
      if (std::exchange(last, &model) != &model) {
        written_.clear();
        use_ = {};
        seen_.clear();
      }
      use_.Add(run, written_);
      AddAccesses(model, run, seen_);
    };
    LAYOUTCHECK_TRY(auto result, threads_.Prove(kAccesses, claim));
    for (const size_t array : model_.numbers().arrays()) {
      const bool is_changed = written_.contains(array) && use_.read.contains(array);
      if (!is_changed || result.verdict != ProofVerdict::kProved) continue;
      result.verdict = ProofVerdict::kUnknown;
      result.reason = StrCat("numbers are read of ", model_.array_names()[array], ", to which threads store, too");
    }
    accesses_ = result.verdict;
    if (accesses_ != ProofVerdict::kProved) use_.EndWithOpenResults();
    const bool is_needed = accesses_ != ProofVerdict::kProved && !OtherLaws().empty();
    if (!is_needed && !IsAsked(kAccesses)) {
      rests_on_.Add(std::move(result), /*has_line=*/false);
      return {};
    }
    const std::optional<CodeBorder> border = BorderOf(kAccesses, result, claim);
    Add({.result = std::move(result)}, nullptr, border);
    accesses_ = proofs_.back().result.verdict;
    rests_on_.Add(proofs_.back().result, /*has_line=*/true);
    if (request_.asks_each_access) {
      LAYOUTCHECK_TRY(proofs_.back().each_access,
                      ProveEachAccess(proofs_.back().result, seen_, model_, any_launch_, threads_));
    }
    return {};
  }

  Expected<void> AskOthers() {
    if (OtherLaws().empty()) return {};
    if (accesses_ == ProofVerdict::kRefuted) {
      const std::string condition = proofs_.back().right_while;
      if (!condition.empty()) return AskWhile(condition, OtherLaws());
      for (const std::string& law : OtherLaws()) AddUnknown(law, "it rests on accesses, which is refuted");
      return {};
    }
    const bool is_shared = model_.has_barrier() || model_.has_shared_memory();
    if (IsAsked(kRaceFree) || IsAsked(kUniformBarriers) || is_shared) {
      if (auto done = AskThreads(); !done) return done;
      FinishVerdicts();
    }
    if (IsAsked(kRelayout)) {
      if (auto done = AskRelayout(); !done) return done;
    }
    FollowValues(false, nullptr);
    if (!IsAsked(kDistinct) && !IsAsked(kComplete)) return {};
    if (!use_.atomic.empty()) {
      for (const char* const law : {kDistinct, kComplete}) {
        if (!IsAsked(law)) continue;
        const std::string why = StrCat(NamesOf(model_, use_.atomic), " ", kIsAtomic);
        if (use_.atomic == written_) {
          AddNotAsked(law, why);
        } else {
          AddUnknown(law, why + ", beside stores to other arrays");
        }
      }
      return {};
    }
    const bool stores_nothing = written_.empty();
    if (stores_nothing) {                        // as far as it is known
      written_.insert(model_.own_arrays() - 1);  // an output, most likely
      if (IsAsked(kDistinct)) AddUnknown(kDistinct, kStoresNothing);
      if (!IsAsked(kComplete)) return {};
    }
    OwnerProver owners(model_, threads_, simulation_ ? *simulation_ : Simulate(model_, written_), written_,
                       accesses_ == ProofVerdict::kProved ? "" : kAccessesUnknown, options_);
    if (IsAsked(kDistinct) && !stores_nothing) {
      LAYOUTCHECK_TRY(auto proof, owners.ProveDistinct(IsRightWhile(kDistinct)));
      guess_ = std::move(proof.guess);
      Add({.result = std::move(proof.result)}, proof.fault ? &*proof.fault : nullptr, proof.border);
      distinct_ = proofs_.back().result;
    }
    return IsAsked(kComplete) ? AskComplete(owners) : Expected<void>();
  }

  // Adds the advice about banks, if it is named or there are conflicts.
  Expected<void> AdviseBanks() {
    BankMeasures banks = simulation_ ? simulation_->banks : Simulate(model_, written_).banks;
    if (request_.laws.empty() && !HasConflict(banks)) return {};
    if (accesses_ == ProofVerdict::kProved) {
      LAYOUTCHECK_RETURN_IF_ERROR(FindMostPasses(threads_, banks));
    }
    AddNotAsked(kBankConflicts, banks.empty() ? WhyNoBanks(model_) : "");
    proofs_.back().banks = std::move(banks);
    return {};
  }

  Expected<void> AskNoOverflow() {
    const RightWhile is_right_while = asked_.finds_borders ? IsRightWhile(kNoOverflow) : nullptr;
    LAYOUTCHECK_TRY(auto proof, ProveNoOverflow(model_, any_launch_, threads_, is_right_while));
    Add({.result = std::move(proof.result)}, nullptr, proof.border);
    return {};
  }

  std::vector<std::string> OtherLaws() const { return LawsOnAccesses(request_, model_, asked_.is_last); }

  // Asks laws at the sizes at which a condition holds.
  Expected<void> AskWhile(std::string condition, std::vector<std::string> laws) {
    KernelRequest request = request_;
    request.laws = std::move(laws);
    request.assumptions.push_back(condition);
    std::optional<EndedKernel> ended;
    LAYOUTCHECK_TRY(auto proofs, ProveAt(request, options_, /*finds_borders=*/true, &ended));
    for (KernelProof& proof : proofs) {
      proof.where.insert(proof.where.begin(), condition);
      proofs_.push_back(std::move(proof));
    }
    if (accesses_ != ProofVerdict::kRefuted) return {};
    ended->where.insert(ended->where.begin(), std::move(condition));
    ended_where_ = std::move(ended);
    return {};
  }

  // Asks how the threads meet. What is read of shared memory rests on it.
  Expected<void> AskThreads() {
    simulation_ = Simulate(model_, written_);
    // Small launches need not reach all atomic operations.
    for (auto& [name, memory] : simulation_->writers.memories) {
      const auto accessed = use_.intervals.memories.find(name);
      if (accessed != use_.intervals.memories.end() && !accessed->second.atomics.empty()) memory.has_atomics = true;
    }
    const RaceQuestion asked{.model = model_,
                             .threads = threads_,
                             .simulation = *simulation_,
                             .intervals = use_.intervals,
                             .written = written_,
                             .atomic = use_.atomic,
                             .are_accesses_proved = accesses_ == ProofVerdict::kProved};
    if (IsAsked(kRaceFree) || model_.has_shared_memory()) {
      LAYOUTCHECK_TRY(auto races, ProveRaceFree(asked));
      race_free_ = races.verdict;
      rests_on_.Add(races, IsAsked(kRaceFree));
      if (IsAsked(kRaceFree) || race_free_ != ProofVerdict::kProved) AddOfThreads(std::move(races));
    }
    if (!IsAsked(kUniformBarriers)) return {};
    LAYOUTCHECK_TRY(auto barriers, ProveUniformBarriers(asked));
    AddOfThreads(std::move(barriers));
    return {};
  }

  // Adds a verdict about several threads, which this machine runs one after another.
  void AddOfThreads(ProofResult result) {
    if (options_.certificates) rests_on_.Complete(result);
    KernelProof& proof = proofs_.emplace_back(KernelProof{.result = std::move(result)});
    const ProofResult& added = proof.result;
    if (added.law == kRaceFree && request_.asks_each_access) proof.each_access = RaceVerdicts(seen_, added);
    if (added.verdict == ProofVerdict::kRefuted) proof.machine = "was not run: its threads run one after another there";
  }

  Expected<void> AskRelayout() {
    const bool is_named = !request_.laws.empty();
    if (asked_.earlier != nullptr) {
      if (const std::string why = asked_.earlier->WhyNoTrace(); !why.empty()) {
        AddUnknown(kRelayout, why);
        return {};
      }
      for (const std::string& condition : asked_.earlier->Where()) {
        const bool is_assumed = std::ranges::find(request_.assumptions, condition) != request_.assumptions.end();
        if (!is_assumed) return AskWhile(condition, {kRelayout});
      }
    }
    RelayoutClaim relayout(
        model_, written_, is_named ? std::set<size_t>() : use_.ComputedOf(written_, accesses_ == ProofVerdict::kProved),
        is_named, asked_.earlier);
    const ThreadProver::Claim claim = relayout.OfThread();
    const bool is_followed = accesses_ == ProofVerdict::kProved;
    const bool reads_shared = simulation_ && race_free_ == ProofVerdict::kProved;
    // Where only results of arithmetic are stored, nobody asks what is read.
    FollowValues(relayout.IsAsked(), reads_shared ? &simulation_->writers : nullptr);
    LAYOUTCHECK_TRY(auto result, is_followed ? threads_.Prove(kRelayout, claim) : threads_.Refute(kRelayout, claim));
    relayout.Weaken(result);
    if (result.verdict == ProofVerdict::kProved && written_.empty()) {
      AddUnknown(kRelayout, kStoresNothing);
      return {};
    }
    if (const std::string why = relayout.WhyNotAsked(result, use_.PerhapsComputed()); !why.empty()) {
      AddNotAsked(kRelayout, use_.atomic.empty() ? why : StrCat(NamesOf(model_, use_.atomic), " ", kIsAtomic));
      return {};
    }
    if (result.verdict == ProofVerdict::kUnknown && !is_followed) result.reason = kAccessesUnknown;
    if (result.verdict == ProofVerdict::kUnknown && race_free_ != ProofVerdict::kProved) {
      result.reason = StrCat("it rests on race-free, which is ", ProofVerdictName(race_free_));
    }
    const std::optional<CodeBorder> border = is_followed ? BorderOf(kRelayout, result, claim) : std::nullopt;
    Add({.result = std::move(result)}, nullptr, border);
    return {};
  }

  // Says if claims follow the values that are stored. Reads of shared memory then give what `writers` stored, if any.
  void FollowValues(bool are_followed, const SharedWriters* writers) {
    for (KernelModel* const model : {&model_, &any_launch_}) {
      model->SetFollowsStoredValues(are_followed);
      model->SetSharedWriters(are_followed ? writers : nullptr);
    }
  }

  Expected<void> AskComplete(OwnerProver& owners) {
    LAYOUTCHECK_TRY(auto proof, owners.ProveComplete());
    std::optional<CodeBorder> border;
    if (proof.result.verdict == ProofVerdict::kRefuted && !proof.fault && asked_.finds_borders) {
      const auto is_right = [ask = IsRightWhile(kComplete)](const auto& text) { return ask(text).is_right; };
      const LaunchBorder launch = BorderOfLaunch(model_, proof.result.counterexample, is_right);
      if (launch.is_largest_x && !request_.max_bytes) return AskWhile(launch.condition, {kComplete});
      if (!launch.condition.empty()) border = {launch.condition, /*is_exact=*/true};
    }
    Add({.result = std::move(proof.result)}, proof.fault ? &*proof.fault : nullptr, border);
    return {};
  }

  RightWhile IsRightWhile(const std::string& law) {
    return [this, law](const std::string& condition) {
      if (!asked_.finds_borders) return AnswerWhile();
      KernelRequest request = request_;
      request.laws = {law};
      request.asks_each_access = false;
      request.assumptions.push_back(condition);
      ProveOptions options = options_;
      options.exports = {};
      options.certificates = false;
      const auto proofs = ProveAt(request, options, /*finds_borders=*/false);
      AnswerWhile answer{.is_right = proofs.has_value()};
      for (size_t k = 0; answer.is_right && k < proofs->size(); ++k) {
        answer = {(*proofs)[k].result.verdict == ProofVerdict::kProved, (*proofs)[k].result.counterexample};
      }
      return answer;
    };
  }

  std::optional<CodeBorder> BorderOf(const std::string& law, const ProofResult& result,
                                     const ThreadProver::Claim& claim) {
    if (result.verdict != ProofVerdict::kRefuted || !asked_.finds_borders) return std::nullopt;
    return threads_.FindBorder(claim, result.counterexample, IsRightWhile(law),
                               [this] { return GuessThreads(model_, written_); });
  }

  // Asks the request on models of its own.
  Expected<std::vector<KernelProof>> ProveAt(const KernelRequest& request, const ProveOptions& options,
                                             bool finds_borders, std::optional<EndedKernel>* ended = nullptr) const {
    return ProveLaws({.request = request,
                      .module = asked_.module,
                      .options = options,
                      .earlier = asked_.earlier,
                      .is_last = asked_.is_last,
                      .finds_borders = finds_borders},
                     ended);
  }

  void AddUnknown(const std::string& law, const std::string& why) {
    proofs_.push_back({.result = Undecided(model_, law, why)});
  }

  // Adds a law that is not asked, because of what the kernel does with its arrays: "out is computed".
  void AddNotAsked(const std::string& law, std::string why) {
    AddUnknown(law, why);
    proofs_.back().not_asked = std::move(why);
  }

  // Adds a result, after a run on the machine if it refutes.
  void Add(KernelProof proof, const SimulationFault* fault, const std::optional<CodeBorder>& border) {
    const bool rests_on_earlier = asked_.earlier != nullptr && proof.result.law == kRelayout;
    if (options_.certificates && rests_on_earlier) asked_.earlier->CompleteLater(proof.result);
    if (options_.certificates) rests_on_.Complete(proof.result);
    if (!rests_on_earlier) {
      CheckKernelOnMachine(request_, model_, fault, proof);
    } else if (proof.result.verdict == ProofVerdict::kRefuted) {
      proof.machine = "was not run: it reads what earlier kernels have stored";
    }
    ShowNumbers(model_, fault == nullptr ? HostThread() : fault->storing[0], proof.result);
    if (border && proof.result.verdict == ProofVerdict::kRefuted) {
      proof.right_while = border->condition;
      proof.is_border_exact = border->is_exact;
    }
    proofs_.push_back(std::move(proof));
  }

  const LawsAsked& asked_;
  const KernelRequest& request_;
  KernelModel& model_;
  KernelModel& any_launch_;
  const ProveOptions& options_;
  ThreadProver threads_;
  ProofVerdict accesses_ = ProofVerdict::kUnknown;
  ProofResult distinct_;      // of distinct-stores, unknown until it is asked
  std::set<size_t> written_;  // the arrays that are stored to
  ArrayUse use_;
  KernelAccesses seen_;                     // the accesses of all threads
  std::optional<Simulation> simulation_;    // set if threads are compared
  std::optional<EndedKernel> ended_where_;  // what is known of the stores where the kernel is right, if that is asked
  ThreadGuess guess_;                       // which thread stores an element, as is proved
  ProofVerdict race_free_ = ProofVerdict::kProved;  // verdict on the races of a kernel that has shared memory
  LawCertificates rests_on_;                        // proofs on which the laws that are asked next rest
  std::vector<KernelProof> proofs_;
  size_t finished_ = 0;  // number of verdicts that FinishVerdicts() has seen
};

}  // namespace

Expected<std::vector<KernelProof>> ProveLaws(const LawsAsked& asked, std::optional<EndedKernel>* ended) {
  LAYOUTCHECK_TRY(auto model, KernelModel::Make(asked.request, asked.module));
  KernelRequest without_launch = asked.request;
  without_launch.grid.clear();
  without_launch.block.clear();
  LAYOUTCHECK_TRY(auto any_launch, KernelModel::Make(without_launch, asked.module));
  any_launch.ShareKnown(model);
  KernelProver prover(asked, model, any_launch);
  auto proofs = prover.Run();
  if (proofs && ended != nullptr) *ended = prover.End();
  return proofs;
}

}  // namespace layoutcheck
