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

// Texts with one apparent cause that are minimized, because they may yet have several; further ones are counted.
constexpr int kMinimizedPerCause = 4;
constexpr int kMinimizedPerFault = 24;
// Each call that does not come back costs the whole timeout.
constexpr int64_t kEvaluationsOfTimeout = 3;
// Each crash costs the start of a process.
constexpr int64_t kEvaluationsOfCrash = 400;
// A subject that fails this often in a row is asked for something simple: many of the texts that a crash is minimized
// to crash too, which must not look as if it answered nothing at all.
constexpr int kFailuresInARow = 50;
constexpr size_t kLongestKept = 400;
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

// What a text looks like: the kinds of its tokens, repetitions taken once, and the words of the grammar.
uint64_t SignatureOf(std::string_view text) {
  std::string signature;
  for (Lexer lexer(text); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
    const char kind = static_cast<char>(lexer.kind());
    if (!signature.ends_with(kind)) signature += kind;
    if (lexer.kind() == TokenKind::kIdent) signature += lexer.token().text.front();
  }
  return HashText(signature);
}

// A minimized text without its numbers and types: findings with equal skeletons have one cause.
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

class Run {
 public:
  Run(Subject& subject, const FuzzOptions& options)
      : subject_(subject),
        options_(options),
        random_(options.seed),
        start_(Clock::now()),
        max_in_flight_(options.coverage_counters ? 1 : subject.info().max_texts_in_flight) {
    for (const std::string& text : Seeds(options.kind)) Keep(text);
    simplest_ = kept_.front();
    for (const std::string& text : options.corpus) Keep(text);
    starts_ = kept_.size();
  }

  FuzzSummary Finish() {
    while (!Ends()) {
      texts_.clear();
      roles_.clear();
      while (texts_.size() < in_flight_ && !(options_.cases && summary_.cases + texts_.size() >= *options_.cases))
        Draw();
      AskDrawn();
    }
    summary_.elapsed = Clock::now() - start_;
    if (has_counters_) summary_.counters = feedback_.reached();
    return std::move(summary_);
  }

 private:
  // What a text is to the texts after it.
  enum class Role : char { kStart, kNew, kLikeAnother, kTooLong };

  void Keep(const std::string& text) {
    signatures_.insert(SignatureOf(text));
    kept_.push_back(text);
  }

  bool Ends() {
    if (options_.cases && summary_.cases >= *options_.cases) return true;
    if (options_.stop_at_first && !summary_.findings.empty()) return true;
    if (options_.stop_requested && options_.stop_requested()) return true;
    // The clock is read now and then, and after what may have taken long.
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

  // Everything to start from as it is, then new texts. The next ones may come from a text before it is answered, so
  // that they do not depend on how many are in flight.
  void Draw() {
    if (drawn_ < starts_) {
      texts_.push_back(kept_[drawn_++]);
      roles_.push_back(Role::kStart);
      return;
    }
    texts_.push_back(NextText());
    const std::string& text = texts_.back();
    if (text.size() > kLongestKept) {
      roles_.push_back(Role::kTooLong);
    } else if (!signatures_.insert(SignatureOf(text)).second) {
      roles_.push_back(Role::kLikeAnother);
    } else {
      roles_.push_back(Role::kNew);
      if (kept_.size() < kMostKept) {
        kept_.push_back(text);
      } else {
        random_.Pick(kept_) = text;
      }
    }
  }

  std::string NextText() {
    switch (random_.Below(8)) {
      case 0: return RandomText(options_.kind, random_);
      case 1: {
        const std::string& text = PickKept();
        return CrossTexts(options_.kind, text, PickKept(), random_);
      }
      default: return MutateText(options_.kind, PickKept(), random_);
    }
  }

  const std::string& PickKept() {
    if (covering_.empty() || random_.OneIn(2)) return random_.Pick(kept_);
    // The latest ones most often: they are where the next new code is.
    const size_t newest = random_.Index(covering_.size()) + 1;
    return covering_[covering_.size() - 1 - random_.Index(newest)];
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
    // As many as keep the subject busy, and not so many that the run could not end in time.
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
    // With other texts in flight, an answer may be another one's, or be lost with the program. One that did not come in
    // time is not waited for again.
    if (found && texts_.size() > 1 && found->fault != TextFault::kTimeout) {
      std::optional<Disagreement> alone = JudgeText(subject_, options_.kind, text);
      if (!alone || alone->fault != found->fault || alone->cause != found->cause) max_in_flight_ = 1;
      found = std::move(alone);
    }
    if (found) Report(text, *found);
    if (found && !counters.empty()) feedback_.TakeNews(counters);  // of the texts that it was minimized through
    LookAtMemory();
    const Role role = roles_[number];
    if (covers && role != Role::kTooLong) covering_.push_back(text);
    const bool is_kept = role == Role::kNew || (covers && role == Role::kLikeAnother);
    if (is_kept && options_.on_new_text) options_.on_new_text(text);
  }

  void Report(const std::string& text, const Disagreement& found) {
    look_at_clock_ = true;
    // What is known takes nothing from the budget of what is not.
    if (options_.is_known && options_.is_known(FindingOf(text, found))) return;
    const std::string apparent = StrCat(TextFaultName(found.fault), "\n", found.cause);
    if (minimized_[apparent] >= kMinimizedPerCause || minimized_per_fault_[found.fault] >= kMinimizedPerFault) {
      if (const auto known = last_of_.find(apparent); known != last_of_.end()) ++summary_.findings[known->second].count;
      return;
    }
    ++minimized_[apparent];
    ++minimized_per_fault_[found.fault];
    Disagreement smallest = found;
    int failures = 0;
    const auto holds = [&](std::string_view candidate) {
      if (options_.on_text) options_.on_text(candidate);
      std::optional<Disagreement> again = JudgeText(subject_, options_.kind, candidate);
      if (!again || again->fault != found.fault || again->cause != found.cause) {
        failures = 0;
        return false;
      }
      const bool failed = again->fault == TextFault::kCrash || again->fault == TextFault::kProtocol;
      if (failed && ++failures % kFailuresInARow == 0) subject_.Parse(TextKindName(options_.kind), simplest_);
      smallest = std::move(*again);
      return true;
    };
    int64_t evaluations = options_.minimize_evaluations;
    if (found.fault == TextFault::kTimeout) evaluations = kEvaluationsOfTimeout;
    if (found.fault == TextFault::kCrash) evaluations = std::min(evaluations, kEvaluationsOfCrash);
    const std::string minimal = MinimizeText(options_.kind, text, holds, evaluations);
    const std::string key = StrCat(apparent, "\n", SkeletonOf(minimal));
    if (const auto known = causes_.find(key); known != causes_.end()) {
      ++summary_.findings[known->second].count;
      last_of_[apparent] = known->second;
      return;
    }
    Finding finding = FindingOf(minimal, smallest);
    if (Add(std::move(finding))) causes_[key] = last_of_[apparent] = summary_.findings.size() - 1;
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

  // False where the finding is known.
  bool Add(Finding finding) {
    if (options_.is_known && options_.is_known(finding)) return false;
    if (options_.on_finding) options_.on_finding(finding);
    summary_.findings.push_back(std::move(finding));
    return true;
  }

  // Memory that stays taken after texts were answered.
  void LookAtMemory() {
    constexpr uint64_t kCasesPerLook = 1024;
    constexpr uint64_t kCasesBeforeBaseline = 8 * kCasesPerLook;
    // AddressSanitizer keeps 256 MiB of what was freed.
    constexpr int64_t kGrowth = int64_t{512} << 20;
    if (memory_reported_ || summary_.cases % kCasesPerLook != 0) return;
    const std::optional<int64_t> now = subject_.ResidentBytes();
    if (!now) return;
    if (summary_.cases <= kCasesBeforeBaseline || !memory_baseline_) {
      memory_baseline_ = now;
      memory_baseline_cases_ = summary_.cases;
      return;
    }
    if (*now - *memory_baseline_ < kGrowth) return;
    memory_reported_ = true;
    Finding finding;
    finding.subject = subject_.info().name;
    finding.law = TextFaultName(TextFault::kMemoryGrowth);
    finding.expected = StrCat("about ", *memory_baseline_, " bytes, as after ", memory_baseline_cases_, " texts");
    finding.actual = StrCat(*now, " bytes after ", summary_.cases, " texts");
    finding.seed = options_.seed;
    Add(std::move(finding));
  }

  Subject& subject_;
  const FuzzOptions& options_;
  Random random_;
  Clock::time_point start_;
  std::chrono::nanoseconds last_progress_{};
  bool look_at_clock_ = false;
  std::optional<int64_t> memory_baseline_;
  uint64_t memory_baseline_cases_ = 0;
  bool memory_reported_ = false;
  FuzzSummary summary_;
  std::string simplest_;
  std::vector<std::string> kept_;
  size_t starts_ = 0;               // the first of kept_: what the run starts from
  size_t drawn_ = 0;                // of those
  std::vector<std::string> texts_;  // in flight
  std::vector<Role> roles_;         // of each of them
  size_t in_flight_ = 1;
  size_t max_in_flight_;
  CoverageFeedback feedback_;
  bool has_counters_ = false;
  std::vector<std::string> covering_;  // texts that reached something first
  std::unordered_set<uint64_t> signatures_;
  std::map<std::string, int> minimized_;
  std::map<TextFault, int> minimized_per_fault_;
  std::map<std::string, size_t> causes_;   // full key to finding
  std::map<std::string, size_t> last_of_;  // apparent cause to the finding it last turned out to be
};

}  // namespace

FuzzSummary FuzzSubject(Subject& subject, const FuzzOptions& options) { return Run(subject, options).Finish(); }

}  // namespace layoutcheck
