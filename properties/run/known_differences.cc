// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/known_differences.h"
#include <fmt/format.h>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

namespace layoutcheck {

Expected<KnownDifferences> KnownDifferences::Read(const std::string& path) {
  std::ifstream file(path);
  if (!file) return MakeError(ErrorKind::kUnavailable, fmt::format("cannot read {}", path));
  KnownDifferences known;
  std::string line;
  for (int64_t number = 1; std::getline(file, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto fail = [&](std::string_view what) {
      return MakeError(ErrorKind::kSyntax, fmt::format("{}:{}: {}", path, number, what));
    };
    const nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
    if (!object.is_object()) return fail("expected a JSON object, a known difference");
    const auto text = [&](const char* name) -> std::optional<std::string> {
      const auto found = object.find(name);
      if (found == object.end() || !found->is_string()) return std::nullopt;
      return found->get<std::string>();
    };
    KnownDifference difference;
    difference.line = number;
    for (const auto& [name, member] :
         {std::pair{"law", &KnownDifference::law}, std::pair{"reason", &KnownDifference::reason},
          std::pair{"version", &KnownDifference::version}, std::pair{"reference", &KnownDifference::reference}}) {
      const auto value = text(name);
      if (!value || value->empty())
        return fail(fmt::format("a known difference has a text \"{}\" that is not empty", name));
      difference.*member = *value;
    }
    difference.layout = text("layout");
    std::array<std::optional<RegularExpression>, 4> expressions;
    bool any = false;
    for (const auto& [name, member, expression] : {std::tuple{"pattern", &KnownDifference::pattern, &expressions[0]},
                                                   std::tuple{"expected", &KnownDifference::expected, &expressions[1]},
                                                   std::tuple{"actual", &KnownDifference::actual, &expressions[2]},
                                                   std::tuple{"text", &KnownDifference::text, &expressions[3]}}) {
      difference.*member = text(name);
      if (!(difference.*member)) continue;
      any = true;
      auto compiled = RegularExpression::Compile(*(difference.*member));
      if (!compiled) return fail(fmt::format("\"{}\" is no regular expression: {}", name, compiled.error().ToString()));
      *expression = std::move(*compiled);
    }
    if (difference.layout.has_value() == any) {
      return fail(
          "a known difference has either a \"layout\" or some of \"pattern\", \"expected\", \"actual\" and \"text\"");
    }
    known.all_.push_back(std::move(difference));
    known.expressions_.push_back(std::move(expressions));
  }
  return known;
}

bool KnownDifferences::MatchesPattern(const Difference& difference, bool count) {
  const auto matches = [](std::string_view text, const std::optional<RegularExpression>& expression) {
    return !expression || expression->MatchesAll(text);
  };
  for (size_t k = 0; k < all_.size(); ++k) {
    const auto& [layout, expected, actual, text] = expressions_[k];
    if (all_[k].layout || all_[k].law != difference.law || !matches(difference.layout, layout) ||
        !matches(difference.expected, expected) || !matches(difference.actual, actual) ||
        !matches(difference.text, text)) {
      continue;
    }
    if (count) ++all_[k].times_seen;
    return true;
  }
  return false;
}

bool KnownDifferences::MatchesLayout(std::string_view law, std::string_view layout) {
  for (KnownDifference& difference : all_) {
    if (difference.law != law || difference.layout != layout) continue;
    ++difference.times_seen;
    return true;
  }
  return false;
}

int64_t KnownDifferences::CountSeen() const {
  return std::ranges::count_if(all_, [](const KnownDifference& difference) { return difference.times_seen > 0; });
}

std::vector<int64_t> KnownDifferences::UnseenPatterns(const std::function<bool(std::string_view law)>& asked) const {
  std::vector<int64_t> lines;
  for (const KnownDifference& difference : all_) {
    if (!difference.layout && difference.times_seen == 0 && asked(difference.law)) lines.push_back(difference.line);
  }
  return lines;
}

}  // namespace layoutcheck
