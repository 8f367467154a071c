// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/differential/differential.h"
#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/fuzz/differential/coverage_feedback.h"
#include "layoutcheck/fuzz/differential/judge.h"
#include "layoutcheck/fuzz/differential/minimize.h"
#include "layoutcheck/fuzz/mutator/mutator.h"
#include "layoutcheck/fuzz/text/random.h"

namespace layoutcheck {
namespace {

using Clock = std::chrono::steady_clock;

// Limits on texts minimized although their apparent cause or fault is known. They may still have other causes.
constexpr int kMinimizedPerCause = 4;
constexpr int kMinimizedPerFault = 24;
// Calls for minimizing a timeout, each of which takes the whole timeout.
constexpr int64_t kEvaluationsOfTimeout = 3;
// Calls for minimizing a crash, each of which starts a process.
constexpr int64_t kEvaluationsOfCrash = 400;
// After this many failures in a row the subject gets a simple text, because minimizing a crash must not make it look as
// if it never answered.
constexpr int kFailuresInARow = 50;
constexpr size_t kLongestKept = 400;  // in bytes
constexpr size_t kMostKept = 8192;

std::vector<std::string> Seeds(TextKind kind) {
  switch (kind) {
    case TextKind::kShape:
      return {"f32[]",
              "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}",
              "(f32[2,<=3]{1,0:T(8,128)M(8)}, token[], b(u8[4]{0}))",
              "s32[6]{0:T(128)S(1)SC(0:3)}",
              "f32[200001,128]{1,0:T(8)L(1024)}",
              "s4[20,?]{0,1:T(64,128)(8,1)E(4)}",
              "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}"};
    case TextKind::kLayout:
      return {"{}", "{1,0:T(8,128)(2,1)}", "{0:T(128)L(1024)E(4)S(1)SC(0:3)M(8)}", "{2,0,1:D(D,C,S)T(*,8)#(u32)*(u8)}"};
    case TextKind::kInstruction:
      return {"add.936 = bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)} add(exponential.183, broadcast.3115)",
              "%multiply = f32[2,4]{1,0} multiply(f32[2,4]{1,0} %a, f32[2,4]{1,0} %b), metadata={op_name=\"m\"}"};
  }
  return {};
}

// Returns a number shared by texts with the same kinds of tokens (ignoring repetition) and the same first letters of
// words.
uint64_t SignatureOf(std::string_view text) {
  std::string signature;
  for (Lexer lexer(text); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
    const char kind = static_cast<char>(lexer.kind());
    if (!signature.ends_with(kind)) signature += kind;
    if (lexer.kind() == TokenKind::kIdent) signature += lexer.token().text.front();
  }
  return HashText(signature);
}

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

// The texts of a run: the seeds and the corpus, then random texts and mutants of kept texts. The order does not depend
// on how many texts are in flight, because a text is drawn before earlier ones are answered.
class TextSource {
 public:
  enum class Role : char { kStart, kNew, kLikeAnother, kTooLong };

  explicit TextSource(const FuzzOptions& options) : kind_(options.kind), random_(options.seed) {
    for (const std::string& text : Seeds(options.kind)) Keep(text);
    simplest_ = kept_.front();
    for (const std::string& text : options.corpus) Keep(text);
    starts_ = kept_.size();
  }

  const std::string& simplest() const { return simplest_; }

  std::pair<std::string, Role> Draw() {
    if (drawn_ < starts_) return {kept_[drawn_++], Role::kStart};
    std::string text = NextText();
    if (text.size() > kLongestKept) return {std::move(text), Role::kTooLong};
    if (!signatures_.insert(SignatureOf(text)).second) return {std::move(text), Role::kLikeAnother};
    if (kept_.size() < kMostKept) {
      kept_.push_back(text);
    } else {
      random_.Pick(kept_) = text;
    }
    return {std::move(text), Role::kNew};
  }

  // Keeps a text that reached new code of the subject. Half of the mutants come from such texts.
  void KeepCovering(const std::string& text) { covering_.push_back(text); }

 private:
  void Keep(const std::string& text) {
    signatures_.insert(SignatureOf(text));
    kept_.push_back(text);
  }

  std::string NextText() {
    switch (random_.Below(8)) {
      case 0: return RandomText(kind_, random_);
      case 1: {
        const std::string& text = PickKept();
        return CrossTexts(kind_, text, PickKept(), random_);
      }
      default: return MutateText(kind_, PickKept(), random_);
    }
  }

  const std::string& PickKept() {
    if (covering_.empty() || random_.OneIn(2)) return random_.Pick(kept_);
    // Prefers the latest texts, which are closest to new code.
    const size_t newest = random_.Index(covering_.size()) + 1;
    return covering_[covering_.size() - 1 - random_.Index(newest)];
  }

  TextKind kind_;
  Random random_;
  std::string simplest_;
  std::vector<std::string> kept_;
  size_t starts_ = 0;  // number of initial texts, at the front of kept_
  size_t drawn_ = 0;   // number of initial texts that were drawn
  std::vector<std::string> covering_;
  std::unordered_set<uint64_t> signatures_;
};

// Detects memory that the subject keeps after it has answered texts.
class MemoryWatch {
 public:
  // Checks the memory after `cases` texts. Returns one finding if it has grown by half a GiB.
  std::optional<Finding> Look(Subject& subject, uint64_t cases) {
    constexpr uint64_t kCasesPerLook = 1024;
    constexpr uint64_t kCasesBeforeBaseline = 8 * kCasesPerLook;
    constexpr int64_t kGrowth = int64_t{512} << 20;  // in bytes; AddressSanitizer keeps 256 MiB of freed memory
    if (reported_ || cases % kCasesPerLook != 0) return std::nullopt;
    const std::optional<int64_t> now = subject.ResidentBytes();
    if (!now) return std::nullopt;
    if (cases <= kCasesBeforeBaseline || !baseline_) {
      baseline_ = now;
      baseline_cases_ = cases;
      return std::nullopt;
    }
    if (*now - *baseline_ < kGrowth) return std::nullopt;
    reported_ = true;
    Finding finding;
    finding.subject = subject.info().name;
    finding.law = TextFaultName(TextFault::kMemoryGrowth);
    finding.expected = StrCat("about ", *baseline_, " bytes, as after ", baseline_cases_, " texts");
    finding.actual = StrCat(*now, " bytes after ", cases, " texts");
    return finding;
  }

 private:
  std::optional<int64_t> baseline_;  // in bytes
  uint64_t baseline_cases_ = 0;
  bool reported_ = false;
};

// Asks the subject about texts, judges its answers, and reports each cause once.
class Run {
 public:
  Run(Subject& subject, const FuzzOptions& options)
      : subject_(subject),
        options_(options),
        start_(Clock::now()),
        source_(options),
        max_in_flight_(options.coverage_counters ? 1 : subject.info().max_texts_in_flight) {}

  FuzzSummary Finish() {
    while (!Ends()) {
      texts_.clear();
      roles_.clear();
      while (texts_.size() < in_flight_ && !(options_.cases && summary_.cases + texts_.size() >= *options_.cases)) {
        auto [text, role] = source_.Draw();
        texts_.push_back(std::move(text));
        roles_.push_back(role);
      }
      AskDrawn();
    }
    summary_.elapsed = Clock::now() - start_;
    if (has_counters_) summary_.counters = feedback_.reached();
    return std::move(summary_);
  }

 private:
  bool Ends() {
    if (options_.cases && summary_.cases >= *options_.cases) return true;
    if (options_.stop_at_first && !summary_.findings.empty()) return true;
    if (options_.stop_requested && options_.stop_requested()) return true;
    // Reads the clock every few texts and after a report, which may have taken long.
    constexpr uint64_t kCasesPerLook = 16;
    if (summary_.cases % kCasesPerLook != 0 && !look_at_clock_) return false;
    look_at_clock_ = false;
    const auto elapsed = Clock::now() - start_;
    if (options_.on_progress && elapsed - last_progress_ >= std::chrono::seconds(1)) {
      last_progress_ = elapsed;
      options_.on_progress({summary_.cases, summary_.findings.size(), feedback_.reached(), elapsed});
    }
    return options_.time && elapsed >= *options_.time;
  }

  void AskDrawn() {
    const std::string_view kind = TextKindName(options_.kind);
    if (max_in_flight_ == 1) {
      if (options_.on_text) options_.on_text(texts_.front());
      return Case(0, subject_.Parse(kind, texts_.front()));
    }
    const Clock::time_point begin = Clock::now();
    for (size_t number = 0; number < texts_.size();) {
      for (const Answer<ParseAnswer>& answer : subject_.Parses(kind, std::span(texts_).subspan(number))) {
        if (Ends()) return;
        if (options_.on_text) options_.on_text(texts_[number]);
        Case(number++, answer);
      }
    }
    // Keeps enough texts in flight for the subject to be busy, but few enough to end in time.
    const auto taken = Clock::now() - begin;
    if (taken < std::chrono::milliseconds(20)) in_flight_ *= 2;
    if (taken > std::chrono::milliseconds(100)) in_flight_ = (in_flight_ + 1) / 2;
    in_flight_ = std::min(in_flight_, max_in_flight_);
  }

  void Case(size_t number, const Answer<ParseAnswer>& answer) {
    const std::string& text = texts_[number];
    ++summary_.cases;
    std::vector<std::span<uint8_t>> counters;
    if (options_.coverage_counters) counters = options_.coverage_counters();
    has_counters_ |= !counters.empty();
    const bool covers = feedback_.TakeNews(counters);
    if (std::holds_alternative<Declined>(answer)) ++summary_.declined;
    std::optional<Disagreement> found = JudgeAnswer(subject_, options_.kind, text, answer);
    // With other texts in flight, an answer may belong to another text or be lost with the process, so the text is
    // asked alone. After a timeout it is not, because that would take another timeout.
    if (found && texts_.size() > 1 && found->fault != TextFault::kTimeout) {
      std::optional<Disagreement> alone = JudgeText(subject_, options_.kind, text);
      if (!alone || !SameCause(*alone, *found)) max_in_flight_ = 1;
      found = std::move(alone);
    }
    if (found) Report(text, *found);
    if (found && !counters.empty()) feedback_.TakeNews(counters);  // coverage of minimizing is not news
    if (auto grown = memory_.Look(subject_, summary_.cases)) {
      grown->seed = options_.seed;
      Add(*std::move(grown));
    }
    using enum TextSource::Role;
    const TextSource::Role role = roles_[number];
    if (covers && role != kTooLong) source_.KeepCovering(text);
    const bool is_kept = role == kNew || (covers && role == kLikeAnother);
    if (is_kept && options_.on_new_text) options_.on_new_text(text);
  }

  static bool SameCause(const Disagreement& a, const Disagreement& b) {
    return a.fault == b.fault && a.cause == b.cause;
  }

  void Report(const std::string& text, const Disagreement& found) {
    look_at_clock_ = true;
    // Known differences do not count against the budget of unknown ones.
    if (options_.is_known && options_.is_known(FindingOf(text, found))) return;
    const std::string apparent = StrCat(TextFaultName(found.fault), "\n", found.cause);
    if (minimized_[apparent] >= kMinimizedPerCause || minimized_per_fault_[found.fault] >= kMinimizedPerFault) {
      if (const auto known = last_of_.find(apparent); known != last_of_.end()) ++summary_.findings[known->second].count;
      return;
    }
    ++minimized_[apparent];
    ++minimized_per_fault_[found.fault];
    auto [minimal, smallest] = Minimize(text, found);
    const std::string key = StrCat(apparent, "\n", SkeletonOf(minimal));
    if (const auto known = causes_.find(key); known != causes_.end()) {
      ++summary_.findings[known->second].count;
      last_of_[apparent] = known->second;
      return;
    }
    if (Add(FindingOf(minimal, smallest))) causes_[key] = last_of_[apparent] = summary_.findings.size() - 1;
  }

  std::pair<std::string, Disagreement> Minimize(const std::string& text, const Disagreement& found) {
    Disagreement smallest = found;
    int failures = 0;
    const auto holds = [&](std::string_view candidate) {
      if (options_.on_text) options_.on_text(candidate);
      std::optional<Disagreement> again = JudgeText(subject_, options_.kind, candidate);
      if (!again || !SameCause(*again, found)) {
        failures = 0;
        return false;
      }
      const bool failed = again->fault == TextFault::kCrash || again->fault == TextFault::kProtocol;
      if (failed && ++failures % kFailuresInARow == 0) {
        subject_.Parse(TextKindName(options_.kind), source_.simplest());
      }
      smallest = std::move(*again);
      return true;
    };
    int64_t evaluations = options_.minimize_evaluations;
    if (found.fault == TextFault::kTimeout) evaluations = kEvaluationsOfTimeout;
    if (found.fault == TextFault::kCrash) evaluations = std::min(evaluations, kEvaluationsOfCrash);
    std::string minimal = MinimizeText(options_.kind, text, holds, evaluations);
    return {std::move(minimal), std::move(smallest)};
  }

  Finding FindingOf(const std::string& text, const Disagreement& disagreement) const {
    Finding finding;
    finding.subject = subject_.info().name;
    finding.law = TextFaultName(disagreement.fault);
    finding.layout = text;
    finding.text = text;
    finding.kind = TextKindName(options_.kind);
    finding.expected = disagreement.expected;
    finding.actual = disagreement.actual;
    finding.seed = options_.seed;
    return finding;
  }

  bool Add(Finding finding) {
    if (options_.is_known && options_.is_known(finding)) return false;
    if (options_.on_finding) options_.on_finding(finding);
    summary_.findings.push_back(std::move(finding));
    return true;
  }

  Subject& subject_;
  const FuzzOptions& options_;
  Clock::time_point start_;
  std::chrono::nanoseconds last_progress_{};
  bool look_at_clock_ = false;
  FuzzSummary summary_;
  TextSource source_;
  MemoryWatch memory_;
  std::vector<std::string> texts_;       // in flight
  std::vector<TextSource::Role> roles_;  // one per text in flight
  size_t in_flight_ = 1;
  size_t max_in_flight_;
  CoverageFeedback feedback_;
  bool has_counters_ = false;
  std::map<std::string, int> minimized_;  // number of minimized texts per apparent cause
  std::map<TextFault, int> minimized_per_fault_;
  std::map<std::string, size_t> causes_;   // finding per cause and skeleton
  std::map<std::string, size_t> last_of_;  // latest finding per apparent cause
};

}  // namespace

FuzzSummary FuzzSubject(Subject& subject, const FuzzOptions& options) { return Run(subject, options).Finish(); }

}  // namespace layoutcheck
