// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/known_differences.h"
#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

std::unexpected<Error> Malformed(std::string message) { return MakeError(ErrorKind::kSyntax, std::move(message)); }

// Returns true if the expression matches texts that have nothing in common.
bool MatchesEverything(const RegularExpression& expression) {
  constexpr std::string_view kUnrelated[] = {"7", "(2,3):(3,1) o 6", "rejected: x", "f32[2]{0:T(8)}", "~ \t\"Z\""};
  return std::ranges::all_of(kUnrelated, [&](std::string_view text) { return expression.MatchesAll(text); });
}

// Removes the text from the object and returns it, so that at the end only unknown members are left.
std::optional<std::string> TakeText(Json& object, std::string_view name) {
  const Json* const found = object.find(name);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  auto text = found->text();
  object.erase(name);
  return text;
}

// Returns the members of a line that are no conditions, and removes them from the object.
Expected<KnownDifference> TakeDifference(Json& object) {
  KnownDifference difference;
  for (const auto& [name, member] :
       {std::pair{"law", &KnownDifference::law}, std::pair{"reason", &KnownDifference::reason},
        std::pair{"version", &KnownDifference::version}, std::pair{"reference", &KnownDifference::reference}}) {
    auto value = TakeText(object, name);
    if (!value || value->empty()) {
      return Malformed(fmt::format("a known difference has a text \"{}\" that is not empty", name));
    }
    difference.*member = *std::move(value);
  }
  difference.layout = TakeText(object, "layout");
  if (const Json* const rate = object.find("rate"); rate != nullptr && rate->is_number()) {
    difference.rate = rate->get<double>();
    if (!(*difference.rate > 0 && *difference.rate <= 1)) {
      return Malformed("\"rate\", the share of a law's cases that may be known, is above 0 and at most 1");
    }
    object.erase("rate");
  }
  return difference;
}

}  // namespace

Difference DifferenceOf(const Finding& finding) {
  return {.law = finding.law,
          .layout = finding.layout,
          .expected = finding.expected,
          .actual = finding.actual,
          .text = finding.text ? std::string_view(*finding.text) : std::string_view(),
          .reference_answer = {}};
}

Expected<KnownDifferences> KnownDifferences::Read(const std::string& path) {
  std::ifstream file(path);
  if (!file) return MakeError(ErrorKind::kUnavailable, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  std::string content;
  for (std::string line; std::getline(file, line);) content += line + "\n";
  if (file.bad())
    return MakeError(ErrorKind::kUnavailable, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  return Parse(content, path);
}

Expected<KnownDifferences> KnownDifferences::Parse(const std::string& content, const std::string& name) {
  KnownDifferences known;
  std::istringstream lines(content);
  std::string line;
  for (int64_t number = 1; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (auto read = known.ReadLine(line, number); !read) {
      return Malformed(fmt::format("{}:{}: {}", name, number, read.error().message));
    }
  }
  return known;
}

Expected<void> KnownDifferences::ReadLine(std::string_view line, int64_t number) {
  Json object = Json::Parse(line).value_or(Json());
  if (!object.is_object()) return Malformed("expected a JSON object, a known difference");
  object.SortMembers();
  LAYOUTCHECK_TRY(KnownDifference difference, TakeDifference(object));
  difference.line = number;
  LAYOUTCHECK_TRY(Conditions conditions, TakeConditions(object));
  if (!object.empty()) return Malformed(fmt::format("no member '{}' of this type", object.items()[0].name));
  if (!difference.layout && !conditions.AreAboutAnswer()) {
    return Malformed(
        "this accepts every answer: add \"actual\", \"expected\", \"text\", \"reference_answer\" or \"predicate\", or "
        "name the smallest \"layout\"");
  }
  all_.push_back(std::move(difference));
  conditions_.push_back(std::move(conditions));
  return {};
}

Expected<KnownDifferences::Conditions> KnownDifferences::TakeConditions(Json& object) {
  Conditions conditions;
  for (size_t k = 0; k < std::size(Difference::kParts); ++k) {
    const std::string_view name = Difference::kParts[k].name;
    const auto text = TakeText(object, name);
    if (!text) continue;
    auto compiled = RegularExpression::Compile(*text);
    if (!compiled)
      return Malformed(fmt::format("\"{}\" is no regular expression: {}", name, compiled.error().ToString()));
    if (MatchesEverything(*compiled)) {
      return Malformed(fmt::format(
          "\"{}\" matches every text, '{}': leave it out, or name the texts that it stands for", name, *text));
    }
    conditions.expressions[k] = *std::move(compiled);
  }
  if (const auto name = TakeText(object, "predicate")) {
    const auto found = std::ranges::find(KnownPredicates(), *name, &KnownPredicate::name);
    if (found == KnownPredicates().end()) {
      std::vector<std::string_view> names;
      for (const KnownPredicate& predicate : KnownPredicates()) names.push_back(predicate.name);
      return Malformed(fmt::format("no predicate '{}'; expected one of {}", *name, StrJoin(names, ", ")));
    }
    conditions.predicate = &*found;
  }
  return conditions;
}

bool KnownDifferences::Conditions::AreAboutAnswer() const {
  bool are = predicate != nullptr;
  for (size_t k = 0; k < expressions.size(); ++k) {
    are |= expressions[k] && std::string_view(Difference::kParts[k].name) != "pattern";
  }
  return are;
}

bool KnownDifferences::Conditions::Hold(const Difference& difference) const {
  for (size_t k = 0; k < std::size(Difference::kParts); ++k) {
    if (expressions[k] && !expressions[k]->MatchesAll(difference.*Difference::kParts[k].member)) return false;
  }
  return predicate == nullptr || predicate->holds(difference);
}

bool KnownDifferences::MatchesClass(const Difference& difference, bool count) {
  for (size_t k = 0; k < all_.size(); ++k) {
    if (all_[k].layout || all_[k].law != difference.law || !conditions_[k].Hold(difference)) continue;
    if (count) ++all_[k].times_seen;
    return true;
  }
  return false;
}

const KnownDifference* KnownDifferences::MatchLayout(const Difference& difference) {
  for (size_t k = 0; k < all_.size(); ++k) {
    if (all_[k].law != difference.law || all_[k].layout != difference.layout || !conditions_[k].Hold(difference))
      continue;
    ++all_[k].times_seen;
    return &all_[k];
  }
  return nullptr;
}

int64_t KnownDifferences::CountSeen() const {
  return std::ranges::count_if(all_, [](const KnownDifference& difference) { return difference.times_seen > 0; });
}

std::vector<int64_t> KnownDifferences::SeenLines() const {
  std::vector<int64_t> lines;
  for (const KnownDifference& difference : all_) {
    if (difference.times_seen > 0) lines.push_back(difference.line);
  }
  return lines;
}

std::vector<int64_t> KnownDifferences::UnseenClasses(const std::function<bool(std::string_view law)>& asked) const {
  std::vector<int64_t> lines;
  for (const KnownDifference& difference : all_) {
    if (!difference.layout && difference.times_seen == 0 && asked(difference.law)) lines.push_back(difference.line);
  }
  return lines;
}

}  // namespace layoutcheck
