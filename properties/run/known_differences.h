// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Differences that users accept, with a reason. They do not count as findings; a run reports those that are gone.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/model/finding.h"
#include "layoutcheck/properties/model/regular_expression.h"

namespace layoutcheck {

// The parts of a failure or a finding that known differences match.
struct Difference {
  // A part, by the name that it has in a file of known differences.
  struct Part {
    std::string_view name;
    std::string_view Difference::* member;
  };
  static const std::array<Part, 5> kParts;

  std::string_view law;
  std::string_view layout;
  std::string_view expected;
  std::string_view actual;
  std::string_view text;  // text of the witness; empty if it has none
  std::string_view reference_answer;
};

inline constexpr std::array<Difference::Part, 5> Difference::kParts = {
    {{"pattern", &Difference::layout},
     {"expected", &Difference::expected},
     {"actual", &Difference::actual},
     {"text", &Difference::text},
     {"reference_answer", &Difference::reference_answer}}};

// Returns the parts of a finding, to which they refer.
Difference DifferenceOf(const Finding& finding);

struct KnownPredicate {
  std::string_view name;
  // One sentence about the question and the actual answer.
  std::string_view statement;
  bool (*holds)(const Difference&);
};

std::span<const KnownPredicate> KnownPredicates();

// An accepted difference, which is a line of the file:
//
//   {"law":"sizes","layout":"f32[9]{0:T(8)}","actual":"9 bytes","reason":"...","version":"...","reference":"..."}
//
// "layout" is the smallest layout, to which a run must shrink. Without it, the line accepts a class of failures before
// they are shrunk, and a run does not shrink other failures into it. The other members are ECMAScript regular
// expressions, each of which must match the whole text of its part of the failure.
//
//   "pattern"           the layout, for lines without "layout"
//   "expected"          the expected value
//   "actual"            the actual value
//   "text"              the text on which the law is broken
//   "reference_answer"  for laws of the algebra: the reference's own answer, or "rejected: why"
//   "predicate"         no expression but the name of a predicate on the failure (KnownPredicates)
//
// A class must say something about the answer: one of the last five. No expression may match everything.
struct KnownDifference {
  std::string law;
  std::optional<std::string> layout;
  std::string reason;
  std::string version;
  std::string reference;
  // The largest share of a law's cases that this line may make known (known_rate.h).
  std::optional<double> rate;
  int64_t line = 0;  // line number in the file, from 1
  int64_t times_seen = 0;
};

// The accepted differences of one file, and how often each one was seen.
class KnownDifferences {
 public:
  // Errors: a file that cannot be read (unavailable); a line that is no JSON object, lacks a nonempty `law`, `reason`,
  // `version` or `reference`, has an unknown member or predicate, has a malformed expression or one that matches
  // everything, or says nothing about the answer (syntax, with the line number).
  static Expected<KnownDifferences> Read(const std::string& path);
  // Reads the content of a file, whose name errors have.
  static Expected<KnownDifferences> Parse(const std::string& content, const std::string& name);

  KnownDifferences() = default;

  // Returns true if a line without "layout" accepts the failure. Counts it as seen if `count`. A failure that takes too
  // long to match (RegularExpression) is not known.
  bool MatchesClass(const Difference& difference, bool count);
  // Returns the line that accepts a finding with this smallest layout, or null. Counts it as seen.
  const KnownDifference* MatchLayout(const Difference& difference);

  const std::vector<KnownDifference>& all() const { return all_; }
  int64_t CountSeen() const;
  // Returns the lines that were seen, in order.
  std::vector<int64_t> SeenLines() const;
  // Returns the lines of classes that matched no failure, of the laws for which `asked` is true.
  std::vector<int64_t> UnseenClasses(const std::function<bool(std::string_view law)>& asked) const;

 private:
  // The conditions of one line, compiled.
  struct Conditions {
    std::array<std::optional<RegularExpression>, std::size(Difference::kParts)> expressions;
    const KnownPredicate* predicate = nullptr;

    bool Hold(const Difference& difference) const;
    // Returns false if the conditions are those of a whole law, whatever the answer is.
    bool AreAboutAnswer() const;
  };

  Expected<void> ReadLine(std::string_view text, int64_t number);
  // Removes the conditions from the object of a line.
  static Expected<Conditions> TakeConditions(Json& object);

  std::vector<KnownDifference> all_;
  std::vector<Conditions> conditions_;  // one per entry of all_
};

}  // namespace layoutcheck
