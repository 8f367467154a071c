// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/merge.h"
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include "layoutcheck/cli/run/prove_run.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Numbers that are the same in every share, and not its part.
constexpr std::array<std::string_view, 2> kWholeNumbers = {"laws", "counters"};

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
    } else if (value.is_number_integer() && member.is_number_integer()) {
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

}  // namespace

Expected<std::vector<ShareDirectory>> ReadShares(std::span<const std::string> directories) {
  std::vector<ShareDirectory> shares;
  std::map<uint64_t, std::string> found;  // directory by share
  for (const std::string& directory : directories) {
    auto manifest = ReadManifest(directory);
    if (!manifest) return std::unexpected(manifest.error());
    if (!shares.empty()) {
      const ShareDirectory& first = shares.front();
      std::string difference = first.manifest.work.DifferenceFrom(manifest->work);
      if (difference.empty() && first.manifest.shard.count != manifest->shard.count) {
        difference = StrCat("the number of shares: ", first.manifest.shard.count, " and ", manifest->shard.count);
      }
      if (!difference.empty()) {
        return Refused(StrCat(first.directory, " and ", directory, " are not shares of one run: ", difference));
      }
    }
    const auto [other, is_new] = found.emplace(manifest->shard.index, directory);
    if (!is_new) {
      return Refused(StrCat(other->second, " and ", directory, " are both share ", manifest->shard.ToString()));
    }
    shares.push_back({directory, *std::move(manifest)});
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
    const auto is_text = [](const Json& value) { return value.is_string(); };
    if (!details.contains("asked") || !details["asked"].is_string() || !details.contains("entries") ||
        !details["entries"].is_array() || !std::ranges::all_of(details["entries"], is_text)) {
      return MakeError(ErrorKind::kSyntax, StrCat(share.directory, ": the manifest does not name its entries"));
    }
    entries.push_back(details["entries"]);
    total += entries.back().size();
    const std::string path = ResultsPath(share.directory);
    files.push_back(std::make_unique<ProveResultsFile>());
    if (auto read = files.back()->OpenToRead(path, details["asked"]); !read) {
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

}  // namespace layoutcheck
