// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/differential/differential.h"
#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/process/ordered_work.h"
#include "layoutcheck/fuzz/differential/investigator.h"
#include "layoutcheck/fuzz/differential/text_novelty.h"
#include "layoutcheck/fuzz/differential/text_source.h"
#include "layoutcheck/properties/run/confirm.h"

namespace layoutcheck {
namespace {

using Clock = std::chrono::steady_clock;

// Limits on texts minimized although their apparent cause or fault is known. They may still have other causes.
constexpr int kMinimizedPerCause = 4;
constexpr int kMinimizedPerFault = 24;
// Number of texts that are drawn before the subjects are asked about them. The coverage of a text guides the draws of
// later generations, which therefore do not depend on the number of subjects.
constexpr uint64_t kGuidedGeneration = 256;
// The same without coverage, by which the draws depend on no answer.
constexpr uint64_t kGeneration = 4096;
// The same at first, until the rate of the subjects is known.
constexpr uint64_t kFirstGeneration = 64;
// Time that a batch should take, so that its subject is busy and a run ends in time.
constexpr std::chrono::milliseconds kBatchTime{50};

// Returns a minimized text without its numbers and types. Findings with equal skeletons have one cause.
std::string SkeletonOf(std::string_view text) {
  std::string skeleton;
  for (Lexer lexer(text); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
    switch (lexer.kind()) {
      case TokenKind::kInt: skeleton += lexer.token().integer < 0 ? "-N" : "N"; break;
      case TokenKind::kPrimitiveType: skeleton += "type"; break;
      case TokenKind::kError: StrAppend(skeleton, lexer.token().problem); break;
      default: skeleton += lexer.token().text;
    }
  }
  return skeleton;
}

// A part of a generation, asked of one subject.
struct Batch {
  std::shared_ptr<const Texts> texts;
  std::vector<DrawnText::Role> roles;  // one per text
};

// Draws texts, has the subjects asked about them, and reports each cause once.
class Run {
 public:
  Run(std::span<const FuzzedSubject> subjects, const FuzzOptions& options)
      : options_(options),
        start_(Clock::now()),
        source_(options.kind, options.seed, options.corpus),
        investigator_(MakeAskers(subjects), options.kind, options.minimize_evaluations, [this] { return End(); }),
        novelty_(options.kind) {
    for (TextAsker& asker : askers_) {
      asker.subject().EndWith([this] { return interrupted_ ? RunEnd::kInterrupted : RunEnd::kNone; });
    }
    askers_.front().subject().EndWith([this] { return EndOfQuestions(); });
  }
  ~Run() {
    for (TextAsker& asker : askers_) asker.subject().EndWith(nullptr);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  FuzzSummary Finish() {
    while (!Stopped() && !AllDrawn()) AskGeneration();
    FinishSubjects();
    summary_.complete = !interrupted_ && !found_first() && (!options_.cases || summary_.cases >= *options_.cases);
    summary_.elapsed = Clock::now() - start_;
    if (has_counters_) summary_.counters = feedback_.reached();
    return std::move(summary_);
  }

 private:
  // Makes the askers and returns the one that investigates.
  TextAsker& MakeAskers(std::span<const FuzzedSubject> subjects) {
    for (const FuzzedSubject& subject : subjects) {
      is_guided_ |= subject.coverage_counters != nullptr;
      askers_.emplace_back(subject, options_.kind);
    }
    return askers_.front();
  }
  // Returns the number of askers that answer texts, which are the last ones.
  size_t workers() const { return std::max<size_t>(askers_.size() - 1, 1); }
  TextAsker& Worker(size_t number) { return askers_[askers_.size() - workers() + number]; }

  bool TimeIsUp() const { return options_.time && Clock::now() - start_ >= *options_.time; }

  bool Stopped() {
    if (options_.stop_requested && options_.stop_requested()) interrupted_ = true;
    if (interrupted_ || found_first() || TimeIsUp()) ended_ = true;
    return ended_;
  }
  RunEnd End() {
    if (!Stopped()) return RunEnd::kNone;
    return interrupted_ ? RunEnd::kInterrupted : RunEnd::kTimeUp;
  }
  // Returns why the subject that investigates is asked no more: an interruption, or some time after the time was up.
  RunEnd EndOfQuestions() {
    const RunEnd end = End();
    const bool goes_on = end == RunEnd::kTimeUp && (!confirm_until_ || Clock::now() < *confirm_until_);
    return goes_on ? RunEnd::kNone : end;
  }
  // Allows questions that confirm faults for a while after these answers, or after the time is up.
  void ConfirmAfter(Clock::time_point answered) {
    if (options_.time) confirm_until_ = std::max(answered, start_ + *options_.time) + kTimeAfterEnd;
  }
  bool found_first() const { return options_.stop_at_first && !summary_.findings.empty(); }
  bool AllDrawn() const { return options_.cases && drawn_ >= *options_.cases; }

  void AskGeneration() {
    std::deque<Batch> batches = DrawGeneration();
    const Clock::time_point begin = Clock::now();
    const uint64_t cases_before = summary_.cases;
    struct AskedBatch {
      Batch batch;
      AskedTexts asked;
      Clock::time_point answered;
    };
    WorkInOrder(
        {.jobs = workers(),
         .on_wait =
             [&] {
               ShowProgress();
               Stopped();
             }},
        [&]() -> std::optional<Batch> {
          // Threads other than the caller's call no function of the options.
          if (ended_ || TimeIsUp() || batches.empty()) return std::nullopt;
          Batch batch = std::move(batches.front());
          batches.pop_front();
          return batch;
        },
        [&](size_t worker, Batch batch) {
          AskedTexts asked = Worker(worker).Ask(batch.texts);
          return AskedBatch{std::move(batch), std::move(asked), Clock::now()};
        },
        [&](AskedBatch result) {
          ConfirmAfter(result.answered);
          Take(result.batch, std::move(result.asked));
          confirm_until_.reset();
          ShowProgress();
          Stopped();
          return !found_first();
        });
    // Adapts the size of batches to the rate of the subjects.
    const uint64_t cases = std::max<uint64_t>(summary_.cases - cases_before, 1);
    const auto time_per_text = (Clock::now() - begin) * workers() / cases + std::chrono::nanoseconds(1);
    in_flight_ = std::clamp<size_t>(static_cast<size_t>(kBatchTime / time_per_text), 1, kGuidedGeneration);
  }

  std::deque<Batch> DrawGeneration() {
    uint64_t left = is_guided_ ? kGuidedGeneration : std::clamp<uint64_t>(drawn_, kFirstGeneration, kGeneration);
    if (options_.cases) left = std::min(left, *options_.cases - drawn_);
    drawn_ += left;
    // Each worker gets a part of the generation.
    const size_t most = (left + workers() - 1) / workers();
    const size_t texts_per_batch = std::min({in_flight_, most, std::max<size_t>(Worker(0).max_in_flight(), 1)});
    std::deque<Batch> batches;
    while (left > 0) {
      Batch& batch = batches.emplace_back();
      Texts texts;
      for (; left > 0 && texts.size() < texts_per_batch; --left) {
        DrawnText drawn = source_.Draw();
        texts.push_back(std::move(drawn.text));
        batch.roles.push_back(drawn.role);
      }
      batch.texts = std::make_shared<const Texts>(std::move(texts));
    }
    return batches;
  }

  void Take(const Batch& batch, AskedTexts asked) {
    has_counters_ |= asked.has_counters;
    for (size_t number = 0; number < asked.outcomes.size() && !found_first(); ++number) {
      const std::string& text = (*batch.texts)[number];
      TextOutcome& outcome = asked.outcomes[number];
      ++summary_.cases;
      if (outcome.declined) ++summary_.declined;
      const bool covers = feedback_.Add(outcome.coverage);
      std::string answer = outcome.declined ? "declined" : "right";
      if (outcome.found) answer = StrCat(TextFaultName(outcome.found->fault), "\n", outcome.found->cause);
      if (outcome.found) Report({text, *std::move(outcome.found), ""}, outcome.only_together, asked.history);
      using enum DrawnText::Role;
      const DrawnText::Role role = batch.roles[number];
      if (covers && role != kTooLong) source_.KeepCovering(text);
      if (!options_.on_new_text || role == kTooLong) continue;
      const bool is_new = novelty_.Add(text, answer);
      if ((is_new || covers) && role != kStart) options_.on_new_text(text);
    }
    if (asked.memory_growth && !std::exchange(reported_memory_, true)) {
      Add({"", *std::move(asked.memory_growth), ""}, "");
    }
  }

  void ShowProgress() {
    if (!options_.on_progress) return;
    options_.on_progress(
        {summary_.cases, summary_.declined, summary_.findings.size(), feedback_.reached(), Clock::now() - start_});
  }

  void Report(FaultyText fault, bool only_together, std::span<const std::shared_ptr<const Texts>> history) {
    if (DiedWithTheRun(fault.disagreement.actual, options_.stop_requested)) {
      interrupted_ = true;
      return;
    }
    // Known differences do not count against the budget of unknown ones.
    if (options_.is_known && options_.is_known(FindingOf(fault))) return;
    const TextFault kind = fault.disagreement.fault;
    const std::string apparent = StrCat(TextFaultName(kind), "\n", fault.disagreement.cause);
    // At the end of the run, a text that is not minimized counts with the apparent cause.
    const bool is_late = End() != RunEnd::kNone && last_of_.contains(apparent);
    if (is_late || minimized_[apparent] >= kMinimizedPerCause || minimized_per_fault_[kind] >= kMinimizedPerFault) {
      if (const auto known = last_of_.find(apparent); known != last_of_.end()) ++summary_.findings[known->second].count;
      return;
    }
    ++minimized_[apparent];
    ++minimized_per_fault_[kind];
    if (only_together && !investigator_.IsTooLateFor(fault)) fault = investigator_.Reproduce(fault, history);
    FaultyText smallest = fault.repeats.empty() ? investigator_.Minimize(fault) : fault;
    if (CountKnown(apparent, smallest)) return;
    if (smallest.repeats.empty() && !investigator_.Repeats(smallest)) {
      if (!investigator_.IsTooLateFor(smallest)) {
        const bool repeats = smallest.text != fault.text && investigator_.Repeats(fault);
        smallest = repeats ? fault : investigator_.Reproduce(fault, history);
        investigator_.IsTooLateFor(smallest);
      }
      if (CountKnown(apparent, smallest)) return;
    }
    const std::string cause = KeyOf(apparent, smallest);
    if (Add(smallest, cause)) causes_[cause] = last_of_[apparent] = summary_.findings.size() - 1;
  }

  static std::string KeyOf(const std::string& apparent, const FaultyText& fault) {
    return StrCat(apparent, "\n", fault.repeats.empty() ? SkeletonOf(fault.text) : "not at once");
  }

  // Counts one more text of a cause that was reported. Returns false if it was not.
  bool CountKnown(const std::string& apparent, const FaultyText& fault) {
    const auto known = causes_.find(KeyOf(apparent, fault));
    if (known == causes_.end()) return false;
    ++summary_.findings[known->second].count;
    last_of_[apparent] = known->second;
    return true;
  }

  void FinishSubjects() {
    ConfirmAfter(Clock::now());
    std::vector<std::optional<BadEnd>> ends(askers_.size());
    {
      // All end together, because the end of a process may take seconds.
      std::vector<std::jthread> ending;
      for (size_t k = 1; k < askers_.size(); ++k) ending.emplace_back([&, k] { ends[k] = askers_[k].Finish(); });
      ends.front() = askers_.front().Finish();
    }
    for (const auto& bad_end : ends) {
      if (!bad_end || DiedWithTheRun(bad_end->failed.what, options_.stop_requested)) continue;
      Add(investigator_.ReproduceEnd(*bad_end), "");
      return;  // the others are the same implementation
    }
  }

  Finding FindingOf(const FaultyText& fault) const {
    Finding finding;
    finding.subject = askers_.front().subject().info().name;
    finding.law = TextFaultName(fault.disagreement.fault);
    if (!fault.text.empty()) {
      finding.layout = fault.text;
      finding.text = fault.text;
      finding.kind = TextKindName(options_.kind);
    }
    finding.expected = fault.disagreement.expected;
    finding.actual = fault.disagreement.actual;
    finding.repeats = fault.repeats;
    finding.shrinking = fault.shrinking;
    finding.seed = options_.seed;
    return finding;
  }

  // Returns false if the finding is known.
  bool Add(const FaultyText& fault, const std::string& cause) {
    Finding finding = FindingOf(fault);
    if (options_.is_known && options_.is_known(finding)) return false;
    if (options_.on_finding) options_.on_finding(finding);
    summary_.findings.push_back(std::move(finding));
    summary_.causes.push_back(cause);
    return true;
  }

  const FuzzOptions& options_;
  Clock::time_point start_;
  std::atomic<bool> ended_ = false;  // no further batch is asked
  std::atomic<bool> interrupted_ = false;
  // When questions that confirm faults end, while faults are reported in a run with a time.
  std::optional<Clock::time_point> confirm_until_;
  FuzzSummary summary_;
  TextSource source_;
  bool is_guided_ = false;
  std::deque<TextAsker> askers_;  // the first one investigates
  Investigator investigator_;
  uint64_t drawn_ = 0;
  size_t in_flight_ = 1;
  CoverageFeedback feedback_;
  TextNovelty novelty_;  // only if new texts are wanted
  bool has_counters_ = false;
  bool reported_memory_ = false;
  std::map<std::string, int> minimized_;  // number of minimized texts per apparent cause
  std::map<TextFault, int> minimized_per_fault_;
  std::map<std::string, size_t> causes_;   // finding per cause and skeleton
  std::map<std::string, size_t> last_of_;  // latest finding per apparent cause
};

}  // namespace

FuzzSummary FuzzSubjects(std::span<const FuzzedSubject> subjects, const FuzzOptions& options) {
  return Run(subjects, options).Finish();
}

FuzzSummary FuzzSubject(Subject& subject, const FuzzOptions& options) {
  const FuzzedSubject only{&subject, nullptr};
  return FuzzSubjects(std::span(&only, 1), options);
}

}  // namespace layoutcheck
