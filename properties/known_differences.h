// Differences that are accepted, with a reason: counted apart, and reported when they are gone.
#ifndef LAYOUTCHECK_PROPERTIES_KNOWN_DIFFERENCES_H_
#define LAYOUTCHECK_PROPERTIES_KNOWN_DIFFERENCES_H_

#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/core/error.h"

namespace layoutcheck {

// One accepted difference, a line of the file: {"law":"sizes","layout":"f32[9,1]{1,0:T(8,128)}","reason":"...",
// "version":"...","reference":"..."}, with "pattern" in place of "layout" for many layouts.
struct KnownDifference {
  std::string law;
  // The smallest layout, as a finding names it; a run may shrink to it.
  std::optional<std::string> layout;
  // An ECMAScript regular expression for the whole text of a layout; failures on layouts that match it are known as
  // they are, and a run does not shrink into them.
  std::optional<std::string> pattern;
  std::string reason;
  std::string version;
  std::string reference;
  int64_t line = 0;
  int64_t times_seen = 0;
};

class KnownDifferences {
 public:
  // Errors: a file that cannot be read (kUnavailable); a line that is no JSON object, lacks `law`, `reason`, `version`
  // or `reference`, or has not exactly one of `layout` and `pattern`, or a pattern that is no expression (kSyntax, with
  // the line number).
  static Expected<KnownDifferences> Read(const std::string& path);

  KnownDifferences() = default;

  // Whether a failure of this law on a layout is known by a pattern; `count` says to note that it was seen.
  bool MatchesPattern(std::string_view law, const std::string& layout, bool count);
  // Whether a finding with this smallest layout is known; noted as seen.
  bool MatchesLayout(std::string_view law, std::string_view layout);

  const std::vector<KnownDifference>& all() const { return all_; }

 private:
  std::vector<KnownDifference> all_;
  std::vector<std::optional<std::regex>> expressions_;  // for each of them
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_KNOWN_DIFFERENCES_H_
