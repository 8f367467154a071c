// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups the failures of a law by their cause. One process and the merging of shares follow the same rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Shrinking costs hundreds of questions. If a law has `causes` causes, or `repetitions` failures in a row shrank to
// causes already found, its further failures are not shrunk but counted with its first finding.
struct CauseRule {
  size_t causes = 0;
  int64_t repetitions = 0;
  // Two shrunk layouts count as one cause if MayHaveOneCause says so; otherwise only if they are equal.
  bool by_features = false;
  int64_t shrunk = std::numeric_limits<int64_t>::max();  // largest number of failures that are shrunk

  // Returns the rule of a share of a run. A share does not see the failures between its own, so that it cannot know
  // their causes: it groups by equality, and shrinks as many failures as the whole run does at most.
  CauseRule OfShare() const;
};

// Returns the key of a law's causes that a failure belongs to: the law's name in findings, and for a layout by tag
// ("zN; 16; 20; 40") the tag, because each tag is code of its own.
std::string CausesKey(const std::string& name, const std::string& layout);

// Returns true if one of two shrunk layouts that break the same law has every feature of the other; they then count as
// one cause. A feature is something that shrinking removes if it can: tiles, more than one tile, a combined dimension,
// an order that is not row major, a size of 0, a size past 2^30, an element type other than f32, and each attribute.
// The rank is none, because many causes have a smallest layout per rank. A layout without features shares its cause
// with every other; a layout with tiles and one with another order do not.
bool MayHaveOneCause(const Shape& a, const Shape& b);

// The causes of one key, which takes failures in the order of the cases.
class Causes {
 public:
  struct Shrunk {
    std::string layout;
    bool is_alone = true;  // as in ConfirmedFailure
  };
  // The work on a failure. Each function is called at most once, in this order.
  struct Work {
    std::function<std::string()> shrink;  // returns the smallest layout
    std::function<bool()> is_known;       // returns true if the smallest layout is an accepted difference
    std::function<Shrunk()> confirm;      // asks a fresh subject again about the smallest layout
  };
  enum class Outcome { kNotShrunk, kCounted, kKnown, kNew };
  struct Judged {
    Outcome outcome;
    std::optional<size_t> finding;  // number of the finding that counts the failure
  };

  explicit Causes(const CauseRule& rule) : rule_(rule) {}

  // Returns how a failure is reported; `finding` is its number if its cause is new.
  Judged Judge(const Work& work, size_t finding);
  // Returns the number of the finding that counts the failures that were not shrunk, or nothing before the first one.
  std::optional<size_t> first() const;

 private:
  struct Cause {
    Shrunk shrunk;
    size_t finding;
  };
  bool HaveOneCause(const std::string& layout, const std::string& other) const;
  std::optional<size_t> Find(const Shrunk& shrunk) const;

  CauseRule rule_;
  std::vector<Cause> causes_;
  int64_t shrunk_ = 0;
  int64_t repetitions_ = 0;  // number of latest failures in a row that had a known cause
};

// The cases that count with findings: several failures of one case under one name count once. Takes failures in the
// order of the cases.
class CountedCases {
 public:
  // Returns true for the first failure of the case under this name, the law of its finding.
  bool Count(const std::string& name, uint64_t case_number);

 private:
  std::map<std::string, uint64_t> latest_;  // number of the case that was counted last, by name
};

// The failures of a share of a run, from which merged shares have the causes of one process.
struct ShareFailures {
  struct Failure {
    uint64_t case_number;               // number of the case in the whole run
    std::string name;                   // law of the finding
    std::string law;                    // the law that asked, which differs from the name if the subject died or hung
    std::string layout;                 // the smallest layout that fails
    std::optional<int64_t> known_line;  // line of the accepted difference, if it is one
    std::optional<size_t> cause;        // index in ShareFailures::causes if it is none
  };
  struct Cause {
    Causes::Shrunk shrunk;
    std::string name;    // law of the finding
    std::string layout;  // layout of the finding
  };
  CauseRule rule;                 // rule of the whole run
  std::vector<Failure> failures;  // shrunk failures, in the order of the cases
  std::vector<Cause> causes;
  std::map<std::string, int64_t> not_shrunk;  // number of cases with failures that were not shrunk, by CausesKey
};

}  // namespace layoutcheck
