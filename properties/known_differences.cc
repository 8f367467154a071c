#include "layoutcheck/properties/known_differences.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
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
      if (!value) return fail(fmt::format("a known difference has a text \"{}\"", name));
      difference.*member = *value;
    }
    difference.layout = text("layout");
    difference.pattern = text("pattern");
    if (difference.layout.has_value() == difference.pattern.has_value()) {
      return fail("a known difference has either a \"layout\" or a \"pattern\"");
    }
    std::optional<std::regex> expression;
    if (difference.pattern) {
      try {
        expression.emplace(*difference.pattern);
      } catch (const std::regex_error& error) {
        return fail(fmt::format("\"pattern\" is no regular expression: {}", error.what()));
      }
    }
    known.all_.push_back(std::move(difference));
    known.expressions_.push_back(std::move(expression));
  }
  return known;
}

bool KnownDifferences::MatchesPattern(std::string_view law, const std::string& layout, bool count) {
  for (size_t k = 0; k < all_.size(); ++k) {
    if (!expressions_[k] || all_[k].law != law || !std::regex_match(layout, *expressions_[k])) continue;
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

}  // namespace layoutcheck
