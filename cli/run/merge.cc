// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/merge.h"
#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include "layoutcheck/cli/run/check_share.h"
#include "layoutcheck/cli/run/prove_run.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/model/shell_word.h"
#include "layoutcheck/properties/run/findings_file.h"

namespace layoutcheck {
namespace {

// Numbers of which the whole run has the largest, not the sum: they are the same in every share, or the largest size.
constexpr std::array<std::string_view, 4> kWholeNumbers = {"laws", "counters", "largest_elements", "largest_bytes"};

std::unexpected<Error> Refused(std::string message) {
  return MakeError(ErrorKind::kInvalidArgument, std::move(message));
}

// Adds the numbers of a share; a claim holds if it holds for every share.
void AddTo(Json& sum, const Json& share) {
  for (const auto& [name, value] : share.items()) {
    Json& member = sum[name];
    if (member.is_null()) {
      member = value;
    } else if (value.is_object() && member.is_object()) {
      AddTo(member, value);
    } else if (value.is_boolean() && member.is_boolean()) {
      member = value.get<bool>() && member.get<bool>();
    } else if (value.is_integer() && member.is_integer()) {
      const auto a = member.get<int64_t>();
      const auto b = value.get<int64_t>();
      member = std::ranges::find(kWholeNumbers, name) != kWholeNumbers.end() ? std::max(a, b) : a + b;
    }
  }
}

// Returns the numbers of shares that no directory has, the first ten of them.
std::string MissingShares(const std::map<uint64_t, std::string>& found, uint64_t count) {
  std::vector<std::string> missing;
  for (uint64_t k = 0; k < count && missing.size() <= 10; ++k) {
    if (!found.contains(k)) missing.push_back(missing.size() < 10 ? Shard{k, count}.ToString() : "...");
  }
  return StrJoin(missing, ", ");
}

// The lines of a share's findings.jsonl.
class FindingsOfShare {
 public:
  // A share without findings has no file.
  Expected<void> Read(const ShareDirectory& share) {
    const std::string path = (std::filesystem::path(share.directory) / "findings.jsonl").string();
    if (!std::filesystem::exists(path)) return {};
    LAYOUTCHECK_TRY(auto read, ReadFindings(path));
    for (auto& [finding, file, line] : read) {
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
  const auto wrong =
      MakeError(ErrorKind::kSyntax, StrCat(share.directory, ": the details of the manifest are not those of a fuzz"));
  const Json& list = share.manifest.details.at("fuzz");
  if (!list.is_array() && !list.is_null()) return wrong;
  for (const Json& cause : list) {
    const auto law = cause.at("law").as<std::string>();
    const auto text = cause.at("text").as<std::string>();
    const auto name = cause.at("cause").as<std::string>();
    if (!law || !text || !name) return wrong;
    causes[{*law, *text}] = *name;
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
    LAYOUTCHECK_TRY(const auto causes, FuzzCausesOf(shares[share]));
    for (const Finding& finding : files[share].Rest()) {
      const auto cause = causes.find({finding.law, finding.layout});
      const std::string& name = cause == causes.end() || cause->second.empty() ? finding.Key() : cause->second;
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
    const Json* const details = share.manifest.details.find("check");
    auto& check = checks.emplace_back();
    if (details == nullptr) continue;
    auto read = CheckShareFromJson(*details);
    if (!read) return MakeError(read.error().kind, StrCat(share.directory, ": ", read.error().message));
    check = *std::move(read);
  }
  return MergeFailures(checks);
}

}  // namespace

Expected<std::vector<ShareDirectory>> ReadShares(std::span<const std::string> directories) {
  std::vector<ShareDirectory> shares;
  std::map<uint64_t, std::string> found;  // directory by share
  for (const std::string& directory : directories) {
    LAYOUTCHECK_TRY(auto manifest, ReadManifest(directory));
    if (!shares.empty()) {
      const ShareDirectory& first = shares.front();
      std::string difference = first.manifest.work.DifferenceFrom(manifest.work);
      if (difference.empty() && first.manifest.shard.count != manifest.shard.count) {
        difference = StrCat("the number of shares: ", first.manifest.shard.count, " and ", manifest.shard.count);
      }
      if (!difference.empty()) {
        return Refused(StrCat(first.directory, " and ", directory, " are not shares of one run: ", difference));
      }
    }
    const auto [other, is_new] = found.emplace(manifest.shard.index, directory);
    if (!is_new) {
      return Refused(StrCat(other->second, " and ", directory, " are both share ", manifest.shard.ToString()));
    }
    shares.push_back({directory, std::move(manifest)});
  }
  if (shares.empty()) return Refused("expected a directory of a share");
  const uint64_t count = shares.front().manifest.shard.count;
  if (shares.size() < count) return Refused(StrCat("missing: share ", MissingShares(found, count)));
  std::ranges::sort(shares, {}, [](const ShareDirectory& share) { return share.manifest.shard.index; });
  return shares;
}

Json MergedTotals(std::span<const ShareDirectory> shares) {
  Json sum = Json::object();
  bool complete = true;
  for (const ShareDirectory& share : shares) {
    AddTo(sum, share.manifest.totals);
    complete = complete && share.manifest.complete;
  }
  sum["complete"] = complete;
  return sum;
}

Expected<std::vector<MergedProof>> MergedProofs(std::span<const ShareDirectory> shares) {
  std::vector<std::unique_ptr<ProveResultsFile>> files;
  std::vector<std::vector<std::string>> entries;
  size_t total = 0;
  for (const ShareDirectory& share : shares) {
    const Json& details = share.manifest.details;
    auto names = details["entries"].as<std::vector<std::string>>();
    if (!details["asked"].is_string() || !names) {
      return MakeError(ErrorKind::kSyntax, StrCat(share.directory, ": the manifest does not name its entries"));
    }
    entries.push_back(*std::move(names));
    total += entries.back().size();
    const std::string path = ResultsPath(share.directory);
    files.push_back(std::make_unique<ProveResultsFile>());
    if (auto read = files.back()->OpenToRead(path, details["asked"].text()); !read) {
      return MakeError(read.error().kind, StrCat(path, ": ", read.error().message));
    }
  }
  std::vector<MergedProof> merged;
  for (size_t k = 0; k < total; ++k) {
    const size_t share = k % shares.size();
    if (k / shares.size() >= entries[share].size()) return Refused("the shares are not parts of one set of entries");
    const std::string& entry = entries[share][k / shares.size()];
    const std::vector<Json>* const results = files[share]->Find(entry);
    merged.push_back({entry, results != nullptr ? *results : std::vector<Json>(), results == nullptr});
  }
  return merged;
}

Expected<MergedRun> MergeFindings(std::span<const ShareDirectory> shares, Json totals) {
  LAYOUTCHECK_TRY(const auto failures, FailuresOf(shares));
  std::vector<FindingsOfShare> files(shares.size());
  for (size_t share = 0; share < shares.size(); ++share) {
    if (auto read = files[share].Read(shares[share]); !read) return std::unexpected(read.error());
  }
  MergedRun merged;
  for (const auto& [share, law, layout, count] : failures.findings) {
    const Finding* const finding = files[share].Take(law, layout);
    if (finding == nullptr) {
      return MakeError(ErrorKind::kSyntax, StrCat(shares[share].directory, "/findings.jsonl lacks the finding of ", law,
                                                  " on ", layout, ", which the manifest names"));
    }
    merged.findings.push_back(*finding);
    merged.findings.back().count = count;
  }
  for (const auto& [share, law, layout, count] : failures.other_findings) (void)files[share].Take(law, layout);
  LAYOUTCHECK_RETURN_IF_ERROR(AddRest(shares, files, merged.findings));
  std::ranges::move(HiddenLaws(failures.laws, failures.known_lines), std::back_inserter(merged.findings));
  // A share that was killed has counted nothing.
  for (const char* name : {"cases", "laws", "declined"}) {
    if (!totals.contains(name)) totals[name] = 0;
  }
  for (const auto& [name, tally] : failures.laws) totals["by_law"][name]["known"] = tally.known;
  // A share need not have drawn from every family; one process names them in this order.
  if (Json* const families = totals.find("families")) {
    families->SortMembers();
  }
  totals["known"] = CountSeen(shares, failures.unseen_lines);
  totals["findings"] = merged.findings.size();
  totals["counts"] = Json::array();
  for (const Finding& finding : merged.findings) totals["counts"].push_back(finding.count);
  merged.totals = std::move(totals);
  return merged;
}

}  // namespace layoutcheck
