// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Differences that users accept, with a reason. They do not count as findings; a run reports those that are gone.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/properties/model/regular_expression.h"

namespace layoutcheck {

// An accepted difference, which is a line of the file:
//
//   {"law":"sizes","layout":"f32[9,1]{1,0:T(8,128)}","reason":"...","version":"...","reference":"..."}
//
// "layout" is the smallest layout, to which a run must shrink. Instead of it, a line may have "pattern", "expected",
// "actual" and "text": ECMAScript regular expressions that must match the whole text of the layout, the expected value,
// the actual value, and the witness. A missing one matches everything. A failure that matches is known before it is
// shrunk, and a run does not shrink other failures into it.
struct KnownDifference {
  std::string law;
  std::optional<std::string> layout;
  std::optional<std::string> pattern;
  std::optional<std::string> expected;
  std::optional<std::string> actual;
  std::optional<std::string> text;
  std::string reason;
  std::string version;
  std::string reference;
  int64_t line = 0;  // in the file, counted from 1
  int64_t times_seen = 0;
};

// The parts of a failure or a finding that known differences match.
struct Difference {
  std::string_view law;
  std::string_view layout;
  std::string_view expected;
  std::string_view actual;
  std::string_view text;  // of the witness; empty if it has none
};

// The accepted differences of one file, and how often each one was seen.
class KnownDifferences {
 public:
  // Errors: a file that cannot be read (unavailable); a line that is no JSON object, lacks a nonempty `law`, `reason`,
  // `version` or `reference`, has both a `layout` and an expression or neither, or has a malformed expression (syntax,
  // with the line number).
  static Expected<KnownDifferences> Read(const std::string& path);

  KnownDifferences() = default;

  // Returns true if expressions match the failure. Counts it as seen if `count`. A failure that takes too long to match
  // (RegularExpression) is not known.
  bool MatchesPattern(const Difference& difference, bool count);
  // Returns true if a finding with this smallest layout is known. Counts it as seen.
  bool MatchesLayout(std::string_view law, std::string_view layout);

  const std::vector<KnownDifference>& all() const { return all_; }
  int64_t CountSeen() const;
  // Returns the lines whose expressions matched no failure, of the laws for which `asked` is true.
  std::vector<int64_t> UnseenPatterns(const std::function<bool(std::string_view law)>& asked) const;

 private:
  std::vector<KnownDifference> all_;
  // compiled expressions of each difference: for layout, expected, actual and text
  std::vector<std::array<std::optional<RegularExpression>, 4>> expressions_;
};

}  // namespace layoutcheck
