// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/claims/claim_memory.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/base/read_content.h"
#include "layoutcheck/cli/claims/content_state.h"
#include "layoutcheck/cli/claims/index_code.h"
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/sha256.h"
#include "layoutcheck/core/base/str_cat.h"
#ifdef LAYOUTCHECK_HAS_LLVM
#include "layoutcheck/llvm/source/compile_source.h"
#endif

namespace layoutcheck {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostRememberedBytes = size_t{64} << 20;

bool IsAboutCode(const Claim& claim) { return claim.kind == "prove-code" || claim.kind == "prove-kernel"; }

#ifdef LAYOUTCHECK_HAS_LLVM
const std::string& CompilerState() {
  static const std::string version = CompilerVersion();
  return version;
}

// Returns the files that compiling the sources among the values reads, or nothing if that cannot be told.
std::optional<std::vector<std::string>> FilesOfSources(const Claim& claim) {
  CompileOptions options{.for_device = claim.kind == "prove-kernel"};
  for (size_t k = 0; k < claim.arguments.size(); ++k) {
    constexpr std::string_view kFlags = "--clang-flags";
    const std::string& argument = claim.arguments[k];
    const bool is_next = argument == kFlags && k + 1 < claim.arguments.size();
    if (!is_next && !argument.starts_with(StrCat(kFlags, "="))) continue;
    std::istringstream words(is_next ? claim.arguments[k + 1] : argument.substr(kFlags.size() + 1));
    for (std::string word; words >> word;) options.flags.push_back(word);
  }
  std::vector<std::string> files;
  for (const std::string& value : claim.values) {
    const std::string ending = fs::path(value).extension();
    std::error_code error;
    const bool is_source = std::ranges::find(kSourceEndings, ending) != kSourceEndings.end();
    if (!is_source || !fs::is_regular_file(value, error)) continue;
    auto compiled = FindCompiledFiles(value, options);
    if (!compiled) return std::nullopt;
    files.insert(files.end(), compiled->begin(), compiled->end());
  }
  return files;
}
#else
const std::string& CompilerState() {
  static const std::string none;
  return none;
}
std::optional<std::vector<std::string>> FilesOfSources(const Claim&) { return std::nullopt; }
#endif

// Returns what the verdict depends on beside the contents of files.
Json MemoryKey(const Claim& claim) {
  Json key{{"format", 1}, {"program", ProgramState()}, {"kind", claim.kind}, {"arguments", claim.arguments}};
  if (!IsAboutCode(claim)) return key;
  key["compiler"] = CompilerState();
  for (const char* variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"}) {
    if (const char* const value = std::getenv(variable); value != nullptr) key[variable] = value;
  }
  return key;
}

// Returns the state of all files that the claim reads.
std::optional<Json> FilesState(const Claim& claim) {
  std::vector<std::string> names = claim.values;
  if (IsAboutCode(claim)) {
    const auto compiled = FilesOfSources(claim);
    if (!compiled) return std::nullopt;
    names.insert(names.end(), compiled->begin(), compiled->end());
  }
  Json files = Json::object();
  for (const std::string& name : names) {
    if (files.contains(name)) continue;
    auto state = ContentState(name);
    if (!state) return std::nullopt;
    files[name] = *std::move(state);
  }
  return files;
}

fs::path MemoryPath(const Claim& claim) {
  return fs::path(kClaimsFolder) / "unchanged" / StrCat(HashDigits(HashText(claim.name, HashText(claim.kind + "."))));
}

}  // namespace

std::optional<ClaimResult> ClaimMemory::Recall(const Claim& claim) {
  const auto content = ReadContent(MemoryPath(claim).string(), kMostRememberedBytes);
  if (!content) return std::nullopt;
  const std::string_view hash = std::string_view(*content).substr(0, content->find('\n'));
  const std::string_view text = std::string_view(*content).substr(std::min(hash.size() + 1, content->size()));
  if (hash != Sha256Digits(text)) return std::nullopt;
  const auto document = Json::Parse(text);
  if (!document || document->at("key") != MemoryKey(claim)) return std::nullopt;
  for (const auto& [name, state] : document->at("files").items()) {
    if (ContentState(name) != state.text()) return std::nullopt;
  }
  return ClaimResult{.code = ExitCode::kAccepted,
                     .seconds = document->value("seconds", 0.0),
                     .is_unchanged = true,
                     .note = document->value("note", "")};
}

ClaimMemory::ClaimMemory(const Claim& claim) : claim_(claim), files_(FilesState(claim)) {}

void ClaimMemory::Remember(const ClaimResult& result) const {
  if (result.code != ExitCode::kAccepted || !files_ || FilesState(claim_) != files_) return;
  const Json document{
      {"key", MemoryKey(claim_)}, {"files", *files_}, {"seconds", result.seconds}, {"note", result.note}};
  const std::string text = document.Dump();
  std::error_code error;
  fs::create_directories(MemoryPath(claim_).parent_path(), error);
  // A verdict that cannot be kept is found again.
  std::ignore = WriteFile(MemoryPath(claim_).string(), StrCat(Sha256Digits(text), "\n", text));
}

}  // namespace layoutcheck
