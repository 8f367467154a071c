// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Differences that are accepted, with a reason: counted apart, and reported when they are gone.
#ifndef LAYOUTCHECK_PROPERTIES_RUN_KNOWN_DIFFERENCES_H_
#define LAYOUTCHECK_PROPERTIES_RUN_KNOWN_DIFFERENCES_H_

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

// One accepted difference, a line of the file: {"law":"sizes","layout":"f32[9,1]{1,0:T(8,128)}","reason":"...",
// "version":"...","reference":"..."}. In place of "layout" it may have "pattern", "expected", "actual" and "text",
// ECMAScript regular expressions for the whole of what a failure has there; one that is left out matches everything.
// Failures that match are known as they are, and a run does not shrink into them.
struct KnownDifference {
  std::string law;
  // The smallest layout, as a finding names it; a run may shrink to it.
  std::optional<std::string> layout;
  std::optional<std::string> pattern;   // for the text of the layout
  std::optional<std::string> expected;  // so that one cause is known, whatever layout shows it
  std::optional<std::string> actual;
  std::optional<std::string> text;  // for the text or expression that the law was broken on
  std::string reason;
  std::string version;
  std::string reference;
  int64_t line = 0;
  int64_t times_seen = 0;
};

// A failure before it is shrunk, or a finding.
struct Difference {
  std::string_view law;
  std::string_view layout;
  std::string_view expected;
  std::string_view actual;
  std::string_view text;  // of the witness; empty where it has none
};

class KnownDifferences {
 public:
  // Errors: a file that cannot be read (kUnavailable); a line that is no JSON object, lacks `law`, `reason`, `version`
  // or `reference` or has an empty one, has neither `layout` nor an expression, or both, or an expression that is none
  // (kSyntax, with the line number).
  static Expected<KnownDifferences> Read(const std::string& path);

  KnownDifferences() = default;

  // Whether a failure is known by expressions; `count` says to note that it was seen. One that takes too long to match
  // (RegularExpression) is not known.
  bool MatchesPattern(const Difference& difference, bool count);
  // Whether a finding with this smallest layout is known; noted as seen.
  bool MatchesLayout(std::string_view law, std::string_view layout);

  const std::vector<KnownDifference>& all() const { return all_; }
  // Lines of which at least one failure was seen.
  int64_t CountSeen() const;
  // The numbers of the lines with expressions under a law for which `asked` holds that no failure matched.
  std::vector<int64_t> UnseenPatterns(const std::function<bool(std::string_view law)>& asked) const;

 private:
  std::vector<KnownDifference> all_;
  // For each of them: for the layout, for what is expected, for what is there, for the witness's text.
  std::vector<std::array<std::optional<RegularExpression>, 4>> expressions_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_RUN_KNOWN_DIFFERENCES_H_
