// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/merge_findings.h"
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include "layoutcheck/cli/run/check_share.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/model/shell_word.h"
#include "layoutcheck/properties/run/findings_file.h"

namespace layoutcheck {
namespace {

// The lines of a share's findings.jsonl.
class FindingsOfShare {
 public:
  // A share without findings has no file.
  Expected<void> Read(const ShareDirectory& share) {
    const std::string path = (std::filesystem::path(share.directory) / "findings.jsonl").string();
    if (!std::filesystem::exists(path)) return {};
    auto read = ReadFindings(path);
    if (!read) return std::unexpected(read.error());
    for (auto& [finding, file, line] : *read) {
      finding.reproduce = "layoutcheck replay " + ShellWord(StrCat(file, ":", line));
      lines_.push_back({std::move(finding)});
    }
    return {};
  }

  // Returns the finding of this law and layout, or null if the file has none. It belongs to a cause from now on.
  const Finding* Take(std::string_view law, std::string_view layout) {
    const auto found = std::ranges::find_if(
        lines_, [&](const Line& line) { return line.finding.law == law && line.finding.layout == layout; });
    if (found == lines_.end()) return nullptr;
    found->is_taken = true;
    return &found->finding;
  }
  // Returns the findings that were not taken.
  std::vector<Finding> Rest() const {
    std::vector<Finding> rest;
    for (const auto& [finding, is_taken] : lines_) {
      if (!is_taken) rest.push_back(finding);
    }
    return rest;
  }

 private:
  struct Line {
    Finding finding;
    bool is_taken = false;
  };
  std::vector<Line> lines_;
};

// Names a finding of `fuzz` across shares: its cause by law and text.
using FuzzCauses = std::map<std::pair<std::string, std::string>, std::string>;

// Error (syntax): the details are not those of a share of `fuzz`.
Expected<FuzzCauses> FuzzCausesOf(const ShareDirectory& share) {
  FuzzCauses causes;
  try {
    for (const Json& cause : share.manifest.details.value("fuzz", Json::array())) {
      causes[{cause.at("law"), cause.at("text")}] = cause.at("cause");
    }
  } catch (const Json::exception&) {
    return MakeError(ErrorKind::kSyntax,
                     StrCat(share.directory, ": the details of the manifest are not those of a fuzz"));
  }
  return causes;
}

// Adds findings that no cause of a whole check stands for: those of `fuzz`, of a share that was killed and not run
// again, of a subject that did not start or end as it should, and of known differences that are gone. Those of one
// cause are one finding, with the shortest text. Errors: those of FuzzCausesOf.
Expected<void> AddRest(std::span<const ShareDirectory> shares, const std::vector<FindingsOfShare>& files,
                       std::vector<Finding>& findings) {
  std::map<std::string, size_t> by_cause;  // index in `findings`
  for (size_t k = 0; k < findings.size(); ++k) by_cause.emplace(findings[k].Key(), k);
  for (size_t share = 0; share < shares.size(); ++share) {
    const auto causes = FuzzCausesOf(shares[share]);
    if (!causes) return std::unexpected(causes.error());
    for (const Finding& finding : files[share].Rest()) {
      const auto cause = causes->find({finding.law, finding.layout});
      const std::string& name = cause == causes->end() || cause->second.empty() ? finding.Key() : cause->second;
      const auto [same, is_new] = by_cause.try_emplace(name, findings.size());
      if (is_new) {
        findings.push_back(finding);
        continue;
      }
      Finding& listed = findings[same->second];
      const int64_t count = listed.count + finding.count;
      if (finding.layout.size() < listed.layout.size()) listed = finding;
      listed.count = count;
    }
  }
  return {};
}

// Returns the number of known differences that the whole run saw.
size_t CountSeen(std::span<const ShareDirectory> shares, const std::set<int64_t>& unseen) {
  std::set<int64_t> seen;
  for (const ShareDirectory& share : shares) {
    for (const int64_t line : share.manifest.details.value("seen_known", std::vector<int64_t>())) {
      if (!unseen.contains(line)) seen.insert(line);
    }
  }
  return seen.size();
}

Expected<MergedFailures> FailuresOf(std::span<const ShareDirectory> shares) {
  std::vector<CheckShare> checks;
  for (const ShareDirectory& share : shares) {
    const auto details = share.manifest.details.find("check");
    auto& check = checks.emplace_back();
    if (details == share.manifest.details.end()) continue;
    auto read = CheckShareFromJson(*details);
    if (!read) return MakeError(read.error().kind, StrCat(share.directory, ": ", read.error().message));
    check = *std::move(read);
  }
  return MergeFailures(checks);
}

}  // namespace

Expected<MergedRun> MergeFindings(std::span<const ShareDirectory> shares, Json totals) {
  const auto failures = FailuresOf(shares);
  if (!failures) return std::unexpected(failures.error());
  std::vector<FindingsOfShare> files(shares.size());
  for (size_t share = 0; share < shares.size(); ++share) {
    if (auto read = files[share].Read(shares[share]); !read) return std::unexpected(read.error());
  }
  MergedRun merged;
  for (const auto& [share, law, layout, count] : failures->findings) {
    const Finding* const finding = files[share].Take(law, layout);
    if (finding == nullptr) {
      return MakeError(ErrorKind::kSyntax, StrCat(shares[share].directory, "/findings.jsonl lacks the finding of ", law,
                                                  " on ", layout, ", which the manifest names"));
    }
    merged.findings.push_back(*finding);
    merged.findings.back().count = count;
  }
  for (const auto& [share, law, layout, count] : failures->other_findings) (void)files[share].Take(law, layout);
  if (auto added = AddRest(shares, files, merged.findings); !added) return std::unexpected(added.error());
  std::ranges::move(HiddenLaws(failures->laws, failures->known_lines), std::back_inserter(merged.findings));
  // A share that was killed has counted nothing.
  for (const char* name : {"cases", "laws", "declined"}) totals.emplace(name, 0);
  for (const auto& [name, tally] : failures->laws) totals["by_law"][name]["known"] = tally.known;
  // A share need not have drawn from every family; one process names them in this order.
  if (const auto families = totals.find("families"); families != totals.end()) {
    std::map<std::string, Json> in_order;
    for (const auto& [family, cases] : families->items()) in_order[family] = cases;
    *families = Json(in_order);
  }
  totals["known"] = CountSeen(shares, failures->unseen_lines);
  totals["findings"] = merged.findings.size();
  totals["counts"] = Json::array();
  for (const Finding& finding : merged.findings) totals["counts"].push_back(finding.count);
  merged.totals = std::move(totals);
  return merged;
}

}  // namespace layoutcheck
