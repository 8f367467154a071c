// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/files/prove_results_file.h"
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/proof_result.h"

namespace layoutcheck {
namespace {

bool AreTexts(const Json& list) { return list.as<std::vector<std::string>>().has_value(); }

bool AreNamedTexts(const Json& value) { return value.as<std::map<std::string, std::string>>().has_value(); }

// Returns true for an object from names to numbers, in which null stands for a missing number.
bool IsPoint(const Json& point) {
  return point.is_object() &&
         std::ranges::all_of(
             point.items(), [](const Json& value) { return value.is_null() || value.is_integer(); },
             &Json::Member::value);
}

// Returns true for an object that has the form of a `prove --json` line.
bool IsProof(const Json& proof) {
  if (!proof.is_object()) return false;
  const auto has = [&](const char* name, auto is_right) {
    const Json* const found = proof.find(name);
    return found != nullptr && is_right(*found);
  };
  const auto may_have = [&](const char* name, auto is_right) { return !proof.contains(name) || has(name, is_right); };
  const auto is_text = [](const Json& value) { return value.is_string(); };
  constexpr std::array kVerdicts = {ProofVerdict::kProved, ProofVerdict::kRefuted, ProofVerdict::kUnknown};
  const auto is_verdict = [&](const Json& value) {
    return std::ranges::any_of(kVerdicts, [&](ProofVerdict verdict) { return value == ProofVerdictName(verdict); });
  };
  return has("law", is_text) && has("verdict", is_verdict) && has("for_all", AreTexts) && has("method", is_text) &&
         has("seconds", [](const Json& value) { return value.is_number(); }) && may_have("counterexample", IsPoint) &&
         may_have("reason", is_text) && may_have("ranges", AreNamedTexts) && may_have("subexpression", is_text) &&
         may_have("disagreement", is_text);
}

bool IsEntry(const Json& line) {
  return line.is_object() && line.contains("asked") && line["asked"].is_string() && line.contains("entry") &&
         line["entry"].is_string() && line.contains("results") && line["results"].is_array() &&
         std::ranges::all_of(line["results"], IsProof);
}

}  // namespace

ProveResultsFile::~ProveResultsFile() {
  if (file_ != nullptr) std::fclose(file_);
}

Expected<void> ProveResultsFile::Open(const std::string& path, std::string asked) {
  if (auto read = OpenToRead(path, std::move(asked)); !read) return read;
  file_ = std::fopen(path.c_str(), "a");
  if (file_ == nullptr) return UnavailableError("cannot write ", path);
  if (std::ftell(file_) > 0) std::fputs("\n", file_);  // An interrupted run may have left half a line.
  return {};
}

Expected<void> ProveResultsFile::OpenToRead(const std::string& path, std::string asked) {
  path_ = path;
  asked_ = std::move(asked);
  return Read(path);
}

Expected<void> ProveResultsFile::Read(const std::string& path) {
  std::ifstream in(path);
  std::string text;
  for (int64_t number = 1; std::getline(in, text); ++number) {
    const auto line = Json::Parse(text);
    if (!line) continue;
    if (!IsEntry(*line)) {
      return MakeError(
          ErrorKind::kSyntax,
          StrCat("line ", number, ": expected \"asked\", \"entry\" and \"results\" as `prove` writes them"));
    }
    if (line->at("asked") == asked_) known_[line->at("entry").text()] = line->at("results").get<std::vector<Json>>();
  }
  return {};
}

const std::vector<Json>* ProveResultsFile::Find(const std::string& entry) const {
  const auto found = known_.find(entry);
  return found == known_.end() ? nullptr : &found->second;
}

Expected<void> ProveResultsFile::Write(const std::string& entry, const std::vector<Json>& results) {
  if (file_ == nullptr) return {};
  const std::string line = Json{{"asked", asked_}, {"entry", entry}, {"results", results}}.Dump() + "\n";
  const std::lock_guard lock(mutex_);
  const bool written = std::fwrite(line.data(), 1, line.size(), file_) == line.size() && std::fflush(file_) == 0 &&
                       (fsync(fileno(file_)) == 0 || errno == EINVAL);  // a pipe cannot be synced
  if (written) return {};
  return UnavailableError("cannot write ", path_, ": ", std::strerror(errno));
}

}  // namespace layoutcheck
