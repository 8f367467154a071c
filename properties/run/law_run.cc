// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/law_run.h"
#include <fmt/format.h>
#include <algorithm>
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/run/law_order.h"

namespace layoutcheck {
namespace {

// Returns the layouts that a request of the subject protocol is about, as it writes them: two for a question about a
// pair, none for other questions and for a text that is no request.
std::vector<std::string> LayoutsInRequest(std::string_view request) {
  std::vector<std::string> layouts;
  const Json object = Json::Parse(request).value_or(Json());
  for (const char* member : {"layout", "from", "to", "a", "b"}) {
    if (const auto layout = object[member].as<std::string>()) layouts.push_back(*layout);
  }
  return layouts;
}

bool AreOneLayout(const std::string& text, const std::string& other) {
  if (text == other) return true;
  const auto shape = HloOfText(text);
  const auto other_shape = HloOfText(other);
  return shape && other_shape && *shape == *other_shape;
}

// Returns the layout in the request at which the subject failed, if it is another one than that of the case, `layout`.
// A finding is about the former, because that is what a person sends again.
std::optional<std::string> OtherLayoutAsked(const std::string& request, const std::string& layout) {
  if (request.empty()) return std::nullopt;
  std::vector<std::string> asked = LayoutsInRequest(request);
  const auto is_named = [&](const std::string& other) { return AreOneLayout(other, layout); };
  const bool is_pair = StrJoin(asked, "; ") == layout;  // the arguments of a law
  if (asked.empty() || is_pair || std::ranges::any_of(asked, is_named)) return std::nullopt;
  return std::move(asked.front());
}

}  // namespace

LawRun::LawRun(SubjectPool& pool, const CheckOptions& options, const CauseRule& rule,
               std::vector<std::string_view> laws)
    : pool_(pool),
      options_(options),
      subject_name_(options.subject_name.empty() ? pool.info().name : options.subject_name),
      rule_(rule),
      laws_(std::move(laws)),
      bases_(BasesOf(laws_)),
      troubles_(laws_.size()),
      given_up_(laws_.size()) {
  for (const std::string_view law : laws_) tallies_.push_back(&summary_.laws[std::string(law)]);
  pool_.EndWith([this] { return End(); });
}

LawRun::~LawRun() { pool_.EndWith(nullptr); }

CheckSummary LawRun::Finish() {
  summary_.complete = !was_cut_;
  for (size_t law = 0; law < laws_.size(); ++law) {
    if (!troubles_[law].is_over()) continue;
    const Trouble& trouble = troubles_[law];
    summary_.warnings.push_back(
        fmt::format("law {} was given up after the subject {}; its later questions count as declined", laws_[law],
                    trouble.hangs >= kHangsAtMost ? fmt::format("hung in {} cases", trouble.hangs)
                                                  : fmt::format("died in {} cases in a row", trouble.deaths_in_a_row)));
  }
  kept_.rule = rule_;
  if (options_.for_merge) summary_.failures.push_back(std::move(kept_));
  return std::move(summary_);
}

RunEnd LawRun::End() const {
  if (options_.stop_requested && options_.stop_requested()) return RunEnd::kInterrupted;
  return options_.time && Clock::now() - start_ >= *options_.time ? RunEnd::kTimeUp : RunEnd::kNone;
}

bool LawRun::LeaveOut() {
  if (!IsOver()) return false;
  if (!ends_only_by_time_ || (options_.stop_requested && options_.stop_requested())) was_cut_ = true;
  return true;
}

bool LawRun::EndCase() {
  ++summary_.cases;
  const bool goes_on = (!options_.on_case || options_.on_case(summary_.cases)) &&
                       !(options_.stop_at_first && !summary_.findings.empty()) &&
                       !std::ranges::all_of(troubles_, &Trouble::is_over);
  if (!goes_on) was_cut_ = true;
  return goes_on;
}

EarlyResults LawRun::CheckEarly(Subject& subject, const std::function<LawQuestion(size_t law)>& question) const {
  std::vector<size_t> laws;
  for (size_t law = 0; law < laws_.size(); ++law) {
    if (!given_up_[law]) laws.push_back(law);
  }
  return {subject, laws, [&](size_t law) {
            LawQuestion about = question(law);
            about.law = laws_[law];
            return about;
          }};
}

LawRun::LawAnswers LawRun::AskLaws(const Subject& subject, const EarlyResults& early,
                                   const std::function<LawAnswer(size_t law)>& ask) {
  LawAnswers answers;
  answers.reserve(laws_.size());
  for (size_t law = 0; law < laws_.size() && !LeaveOut(); ++law) {
    if (given_up_[law]) {
      answers.push_back({.result = LawResult::Decline("given up"), .layout = "", .base = {}});
      continue;
    }
    if (const LawResult* const decided = early.Decided(law)) {
      answers.push_back({.result = *decided, .layout = early.TextOf(law), .base = {}});
      continue;
    }
    const Clock::time_point start = Clock::now();
    LawAnswer& answer = answers.emplace_back(ask(law));
    answer.time = Clock::now() - start;
    answer.requests = subject.Requests();
    if (answer.result.verdict == LawResult::Verdict::kDisagree) continue;
    if (LeaveOut()) {
      answers.pop_back();  // some of its questions may have been declined because the run is over
    } else if (const LawResult* const broken = early.Broken(law)) {
      answer.result = *broken;
      answer.layout = early.TextOf(law);
    }
  }
  const auto is_dead = [](const LawAnswer& answer) {
    return answer.result.verdict == LawResult::Verdict::kDisagree && !answer.result.why.empty();
  };
  if (const auto& crash = early.crash();
      crash && crash->law < answers.size() && std::ranges::none_of(answers, is_dead)) {
    answers[crash->law] = {.result = crash->result, .layout = crash->text, .requests = subject.Requests(), .base = {}};
  }
  return answers;
}

bool LawRun::IsAnswered(const LawAnswers& answers) {
  return std::ranges::any_of(answers, [](const LawAnswer& answer) {
    return answer.result.verdict == LawResult::Verdict::kAgree ||
           answer.result.verdict == LawResult::Verdict::kDisagree;
  });
}

void LawRun::Conclude(uint64_t case_number, LawAnswers answers, const std::function<Question(size_t law)>& question) {
  // Returns true if the case itself is a failure of this law that is reported.
  const auto is_failure = [&](size_t law) {
    const LawResult& result = answers[law].result;
    return result.verdict == LawResult::Verdict::kDisagree && result.why.empty() &&
           !IsKnown(laws_[law], {answers[law].layout, result}, false);
  };
  for (size_t law = 0; law < answers.size(); ++law) {
    LawAnswer& answer = answers[law];
    LawTally& tally = *tallies_[law];
    tally.seconds += answer.time.count();
    // A thread may have asked before it learned that the law is given up. With one thread, it would not have asked.
    if (troubles_[law].is_over()) answer.result = LawResult::Decline("given up");
    switch (answer.result.verdict) {
      case LawResult::Verdict::kAgree: ++tally.agreed; break;
      case LawResult::Verdict::kOutsideDomain: ++tally.outside_domain; break;
      case LawResult::Verdict::kDeclined: ++tally.declined; break;
      case LawResult::Verdict::kDisagree: ++tally.disagreed; break;
    }
    CountTrouble(law, answer.result);
    if (answer.result.is_refusal && tally.refused++ == 0) {
      tally.first_refused_case = case_number;
      tally.first_refused = FindingOf(law, {{answer.layout, LawResult::Disagree("a result", answer.result.why)}});
    }
    if (answer.result.verdict != LawResult::Verdict::kDisagree) continue;
    bool is_explained = false;
    for (auto base = bases_[law]; base && *base < answers.size() && answer.result.why.empty(); base = bases_[*base]) {
      is_explained = is_explained || is_failure(*base);
    }
    if (is_explained) {
      ++tally.explained;
    } else if (answer.base && is_failure(law)) {
      Report(case_number, answer.base->law, std::move(answer.base->failure), question(answer.base->law));
    } else {
      Report(case_number, law, {std::move(answer.layout), std::move(answer.result), answer.requests}, question(law));
    }
  }
}

void LawRun::CountTrouble(size_t law, const LawResult& result) {
  Trouble& trouble = troubles_[law];
  if (trouble.is_over()) return;
  if (result.verdict == LawResult::Verdict::kDisagree && !result.why.empty()) {
    ++trouble.deaths_in_a_row;
    if (result.why == "subject-timeout") ++trouble.hangs;
  } else if (result.verdict == LawResult::Verdict::kAgree || result.verdict == LawResult::Verdict::kDisagree) {
    trouble.deaths_in_a_row = 0;
  }
  given_up_[law] = trouble.is_over();
  tallies_[law]->given_up = trouble.is_over();
}

LawFailure LawRun::Shrunk(const std::string& name, const LawFailure& failure, const Question& question) {
  const auto because = [&] { return fmt::format("because {}", InWords(End())); };
  LawFailure smallest = failure;
  if (!question.shrink) return smallest;
  if (IsOver()) {
    smallest.shrinking = "not shrunk, " + because();
    return smallest;
  }
  Subject* const subject = pool_.ForMinimizing();
  if (subject == nullptr) return smallest;
  const StillFails still_fails = [&](const LawFailure& simpler) {
    return IsSameFailure(simpler.result, failure.result) && !IsKnown(name, simpler, false);
  };
  subject->SetMinimizing(true);
  // A failure that depends on what was asked before cannot be shrunk.
  if (IsSameFailure(question.ask(*subject, failure.layout), failure.result)) {
    smallest = question.shrink(*subject, failure, still_fails);
  }
  subject->SetMinimizing(false);
  if (IsOver()) {
    smallest.shrinking = (smallest.layout == failure.layout ? "not shrunk, " : "not shrunk to the end, ") + because();
  }
  return smallest;
}

ConfirmedFailure LawRun::Confirmed(const LawFailure& found, const LawFailure& smallest, const Question& question) {
  return Confirm(pool_, question.ask, found, smallest, [this] {
    const RunEnd end = End();
    if (end != RunEnd::kTimeUp) return end;
    if (!confirm_until_) confirm_until_ = Clock::now() + kTimeAfterEnd;
    return Clock::now() < *confirm_until_ ? RunEnd::kNone : end;
  });
}

void LawRun::Report(uint64_t case_number, size_t law, LawFailure failure, const Question& question) {
  if (!failure.result.why.empty() && DiedWithTheRun(failure.result.actual, options_.stop_requested)) {
    was_cut_ = true;
    return;
  }
  const std::string name = NameOf(law, failure.result);
  LawTally& tally = *tallies_[law];
  if (IsKnown(name, failure, true)) {
    ++tally.known;
    if (!tally.first_known) {
      tally.first_known_case = case_number;
      tally.first_known = FindingOf(law, {.failure = failure});
    }
    return;
  }
  const std::string key = CausesKey(name, failure.layout);
  Causes& causes = causes_.try_emplace(key, options_.for_merge ? rule_.OfShare() : rule_).first->second;
  LawFailure smallest;
  ConfirmedFailure confirmed;
  const KnownDifference* known = nullptr;
  const auto shrink = [&] {
    smallest = Shrunk(name, failure, question);
    return smallest.layout;
  };
  const auto is_known = [&] { return (known = KnownLayout(name, smallest)) != nullptr; };
  const auto confirm = [&] {
    confirmed = Confirmed(failure, smallest, question);
    return Causes::Shrunk{confirmed.failure.layout, confirmed.is_alone};
  };
  // At the end of the run, a failure that is not shrunk counts with what was found.
  const bool is_late = question.shrink && IsOver() && causes.first();
  const auto [outcome, number] = is_late ? Causes::Judged{Causes::Outcome::kNotShrunk, causes.first()}
                                         : causes.Judge({shrink, is_known, confirm}, summary_.findings.size());
  if (outcome == Causes::Outcome::kKnown) {
    ++tally.known;
  } else if (outcome == Causes::Outcome::kNew) {
    Finding finding = FindingOf(law, confirmed);
    if (options_.on_finding) options_.on_finding(finding);
    if (options_.for_merge) {
      kept_.causes.push_back({{confirmed.failure.layout, confirmed.is_alone}, name, finding.layout});
    }
    summary_.findings.push_back(std::move(finding));
  }
  const bool is_counted = outcome != Causes::Outcome::kKnown && counted_.Count(name, case_number);
  if (is_counted && number && outcome != Causes::Outcome::kNew) ++summary_.findings[*number].count;
  if (!options_.for_merge) return;
  if (outcome == Causes::Outcome::kNotShrunk) {
    kept_.not_shrunk[key] += is_counted ? 1 : 0;
    return;
  }
  kept_.failures.push_back({.case_number = case_number,
                            .name = name,
                            .law = std::string(laws_[law]),
                            .layout = smallest.layout,
                            .known_line = known == nullptr ? std::nullopt : std::optional(known->line),
                            .cause = number});
}

Difference LawRun::DifferenceOf(std::string_view name, const LawFailure& failure) {
  const LawResult& result = failure.result;
  return {name,
          failure.layout,
          result.expected,
          result.actual,
          result.text ? *result.text : std::string_view(),
          result.reference_answer};
}

bool LawRun::IsKnown(std::string_view name, const LawFailure& failure, bool count) const {
  if (options_.known == nullptr) return false;
  if (options_.known->MatchesClass(DifferenceOf(name, failure), count)) return true;
  const auto asked = OtherLayoutAsked(failure.result.request, failure.layout);
  return asked && options_.known->MatchesClass(DifferenceOf(name, {*asked, failure.result}), count);
}

const KnownDifference* LawRun::KnownLayout(std::string_view name, const LawFailure& smallest) const {
  if (options_.known == nullptr) return nullptr;
  if (const auto* known = options_.known->MatchLayout(DifferenceOf(name, smallest))) return known;
  const auto asked = OtherLayoutAsked(smallest.result.request, smallest.layout);
  return asked ? options_.known->MatchLayout(DifferenceOf(name, {*asked, smallest.result})) : nullptr;
}

Finding LawRun::FindingOf(size_t law, const ConfirmedFailure& confirmed) const {
  const LawResult& result = confirmed.failure.result;
  Finding finding;
  finding.subject = subject_name_;
  finding.law = NameOf(law, result);
  if (!result.why.empty()) finding.asked_by = laws_[law];
  finding.layout = confirmed.failure.shown.empty() ? confirmed.failure.layout : confirmed.failure.shown;
  finding.tilings = confirmed.failure.tilings;
  finding.coordinate = result.coordinate;
  finding.offset = result.offset;
  finding.text = result.text;
  if (!result.request.empty()) finding.request = result.request;
  finding.expected = result.expected;
  finding.actual = result.actual;
  finding.seed = options_.seed;
  finding.repeats = confirmed.repeats;
  finding.shrinking = confirmed.failure.shrinking;
  if (auto asked = OtherLayoutAsked(result.request, finding.layout)) {
    finding.asked_about = std::exchange(finding.layout, *std::move(asked));
    finding.tilings.clear();
  }
  return finding;
}

}  // namespace layoutcheck
