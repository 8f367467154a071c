// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/check_share.h"
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

Json FailuresToJson(const ShareFailures& run) {
  Json failures = Json::array();
  for (const ShareFailures::Failure& failure : run.failures) {
    Json& json = failures.push_back(
        Json{{"case", failure.case_number}, {"name", failure.name}, {"law", failure.law}, {"layout", failure.layout}});
    if (failure.known_line) json["known_line"] = *failure.known_line;
    if (failure.cause) json["cause"] = *failure.cause;
  }
  Json causes = Json::array();
  for (const auto& [shrunk, name, layout] : run.causes) {
    causes.push_back({{"shrunk", shrunk.layout}, {"alone", shrunk.is_alone}, {"name", name}, {"layout", layout}});
  }
  return {{"causes_at_most", run.rule.causes},
          {"repetitions_at_most", run.rule.repetitions},
          {"by_features", run.rule.by_features},
          {"failures", failures},
          {"causes", causes},
          {"not_shrunk", run.not_shrunk}};
}

// Says that a member has the wrong type or is missing. Thrown by the functions that follow, and caught in this file.
struct WrongDetails {};

template <class T>
void Read(const Json& object, const char* name, T& member) {
  auto value = object.at(name).as<T>();
  if (!value) throw WrongDetails();
  member = *std::move(value);
}

template <class T>
void Read(const Json& object, const char* name, std::optional<T>& member) {
  if (object.contains(name)) Read(object, name, member.emplace());
}

const Json& ArrayIn(const Json& object, const char* name) {
  if (!object.at(name).is_array()) throw WrongDetails();
  return object.at(name);
}

const std::vector<Json::Member>& MembersIn(const Json& object, const char* name) {
  if (!object.at(name).is_object()) throw WrongDetails();
  return object.at(name).items();
}

ShareFailures FailuresFromJson(const Json& document) {
  ShareFailures run;
  Read(document, "causes_at_most", run.rule.causes);
  Read(document, "repetitions_at_most", run.rule.repetitions);
  Read(document, "by_features", run.rule.by_features);
  for (const Json& json : ArrayIn(document, "causes")) {
    ShareFailures::Cause& cause = run.causes.emplace_back();
    Read(json, "shrunk", cause.shrunk.layout);
    Read(json, "alone", cause.shrunk.is_alone);
    Read(json, "name", cause.name);
    Read(json, "layout", cause.layout);
  }
  for (const Json& json : ArrayIn(document, "failures")) {
    ShareFailures::Failure& failure = run.failures.emplace_back();
    Read(json, "case", failure.case_number);
    Read(json, "name", failure.name);
    Read(json, "law", failure.law);
    Read(json, "layout", failure.layout);
    Read(json, "known_line", failure.known_line);
    Read(json, "cause", failure.cause);
    if (failure.cause && *failure.cause >= run.causes.size()) throw WrongDetails();
  }
  Read(document, "not_shrunk", run.not_shrunk);
  return run;
}

void ReadExample(const Json& law, const char* name, std::optional<Finding>& finding, uint64_t& case_number) {
  if (!law.contains(name)) return;
  auto read = FindingFromJson(law.at(name).at("finding").Dump());
  if (!read) return;
  finding = *std::move(read);
  Read(law.at(name), "case", case_number);
}

LawTally TallyFromJson(const Json& law) {
  LawTally tally;
  Read(law, "agreed", tally.agreed);
  Read(law, "disagreed", tally.disagreed);
  Read(law, "known", tally.known);
  Read(law, "refused", tally.refused);
  ReadExample(law, "first_known", tally.first_known, tally.first_known_case);
  ReadExample(law, "first_refused", tally.first_refused, tally.first_refused_case);
  return tally;
}

// Adds the numbers of another share. The examples are those of the first case of the whole run.
void AddShare(LawTally& sum, const LawTally& tally) {
  if (sum.first_known && tally.first_known && tally.first_known_case < sum.first_known_case) sum.first_known.reset();
  if (sum.first_refused && tally.first_refused && tally.first_refused_case < sum.first_refused_case) {
    sum.first_refused.reset();
  }
  sum.Add(tally);
}

// Judges the failures of one run of all shares, in the order of the cases.
class RunMerger {
 public:
  RunMerger(MergedFailures& merged, std::set<int64_t>& seen_lines) : merged_(merged), seen_lines_(seen_lines) {}

  void Add(size_t share, const ShareFailures& run) {
    rule_ = run.rule;
    for (const ShareFailures::Failure& failure : run.failures) failures_.push_back({share, &run, &failure});
    runs_.push_back(&run);
  }

  void Judge() {
    // The failures of one case are all in one share.
    std::ranges::stable_sort(failures_, {}, [](const Placed& placed) { return placed.failure->case_number; });
    for (const Placed& placed : failures_) JudgeOne(placed);
    for (const ShareFailures* run : runs_) {
      for (const auto& [key, number] : run->not_shrunk) {
        const auto causes = causes_.find(key);
        if (causes == causes_.end() || !causes->second.first()) continue;
        merged_.findings[*causes->second.first()].count += number;
      }
    }
  }

 private:
  struct Placed {
    size_t share;
    const ShareFailures* run;
    const ShareFailures::Failure* failure;
  };

  void JudgeOne(const Placed& placed) {
    const ShareFailures::Failure& failure = *placed.failure;
    const ShareFailures::Cause* const cause = failure.cause ? &placed.run->causes[*failure.cause] : nullptr;
    Causes& causes = causes_.try_emplace(CausesKey(failure.name, failure.layout), rule_).first->second;
    const auto [outcome, finding] = causes.Judge({.shrink = [&] { return failure.layout; },
                                                  .is_known = [&] { return cause == nullptr; },
                                                  .confirm = [&] { return cause->shrunk; }},
                                                 merged_.findings.size());
    // As in one process, a case counts once per name.
    const bool counts = outcome != Causes::Outcome::kKnown && counted_.Count(failure.name, failure.case_number);
    if (outcome == Causes::Outcome::kNew) {
      merged_.findings.push_back({placed.share, cause->name, cause->layout});
    } else {
      if (finding && counts) ++merged_.findings[*finding].count;
      if (cause != nullptr) merged_.other_findings.push_back({placed.share, cause->name, cause->layout});
    }
    if (!failure.known_line) return;
    if (outcome == Causes::Outcome::kKnown) {
      seen_lines_.insert(*failure.known_line);
    } else {
      merged_.unseen_lines.insert(*failure.known_line);
      --merged_.laws[failure.law].known;
    }
  }

  MergedFailures& merged_;
  std::set<int64_t>& seen_lines_;
  CauseRule rule_;
  std::vector<Placed> failures_;
  std::vector<const ShareFailures*> runs_;
  std::map<std::string, Causes> causes_;
  CountedCases counted_;
};

}  // namespace

Json ToJson(const CheckShare& share) {
  Json document{{"runs", Json::array()}, {"laws", Json::object()}, {"known_lines", Json::object()}};
  for (const ShareFailures& run : share.failures) document["runs"].push_back(FailuresToJson(run));
  for (const auto& [name, tally] : share.laws) {
    Json& law = document["laws"][name];
    law = {
        {"agreed", tally.agreed}, {"disagreed", tally.disagreed}, {"known", tally.known}, {"refused", tally.refused}};
    if (tally.first_known) {
      law["first_known"] = {{"case", tally.first_known_case}, {"finding", ToJson(*tally.first_known)}};
    }
    if (tally.first_refused) {
      law["first_refused"] = {{"case", tally.first_refused_case}, {"finding", ToJson(*tally.first_refused)}};
    }
  }
  for (const auto& [name, lines] : share.known_lines) {
    document["known_lines"][name] = {{"allowed", lines.allowed}, {"lines", lines.lines}};
  }
  return document;
}

Expected<CheckShare> CheckShareFromJson(const Json& document) {
  try {
    CheckShare share;
    for (const Json& run : ArrayIn(document, "runs")) share.failures.push_back(FailuresFromJson(run));
    for (const auto& [name, law] : MembersIn(document, "laws")) share.laws[name] = TallyFromJson(law);
    for (const auto& [name, lines] : MembersIn(document, "known_lines")) {
      Read(lines, "allowed", share.known_lines[name].allowed);
      Read(lines, "lines", share.known_lines[name].lines);
    }
    return share;
  } catch (const WrongDetails&) {
    return MakeError(ErrorKind::kSyntax, "the details of the manifest are not those of a check");
  }
}

MergedFailures MergeFailures(const std::vector<CheckShare>& shares) {
  MergedFailures merged;
  size_t runs = 0;
  for (const CheckShare& share : shares) {
    runs = std::max(runs, share.failures.size());
    for (const auto& [name, tally] : share.laws) AddShare(merged.laws[name], tally);
    for (const auto& [name, lines] : share.known_lines) {
      KnownLines& sum = merged.known_lines[name];
      sum.allowed = std::max(sum.allowed, lines.allowed);
      std::vector<int64_t> both;
      std::ranges::set_union(sum.lines, lines.lines, std::back_inserter(both));
      sum.lines = std::move(both);
    }
  }
  std::set<int64_t> seen_lines;
  for (size_t k = 0; k < runs; ++k) {
    RunMerger merger(merged, seen_lines);
    for (size_t share = 0; share < shares.size(); ++share) {
      if (k < shares[share].failures.size()) merger.Add(share, shares[share].failures[k]);
    }
    merger.Judge();
  }
  for (const int64_t line : seen_lines) merged.unseen_lines.erase(line);
  return merged;
}

}  // namespace layoutcheck
