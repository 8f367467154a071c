// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/manifest.h"
#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Options that change neither the questions of a run nor the answers.
constexpr std::string_view kOtherOptions[] = {"--out",   "--shard",   "--jobs",   "--json",
                                              "--quiet", "--results", "--isolate"};

std::string PathIn(const std::string& directory) {
  return (std::filesystem::path(directory) / "manifest.json").string();
}

// A directory cannot be read, and reading a pipe would take its content from the run.
std::string HashOfFile(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return HashDigits(HashText(""));
  std::ifstream file(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return HashDigits(HashText(content));
}

std::optional<Manifest> FromJson(const Json& document) {
  const auto has = [&](const char* name, bool (Json::*is_type)() const) { return (document.at(name).*is_type)(); };
  const bool is_manifest =
      document.is_object() && has("version", &Json::is_string) && has("command", &Json::is_string) &&
      has("options", &Json::is_object) && has("files", &Json::is_object) && has("share", &Json::is_string) &&
      has("complete", &Json::is_boolean) && has("totals", &Json::is_object) && has("details", &Json::is_object);
  if (!is_manifest) return std::nullopt;
  for (const char* name : {"seen_known", "unseen_known"}) {
    const Json lines = document["details"].value(name, Json::array());
    if (!lines.is_array() || !std::ranges::all_of(lines, [](const Json& line) { return line.is_integer(); })) {
      return std::nullopt;
    }
  }
  const auto shard = ReadShard(document["share"].text());
  if (!shard) return std::nullopt;
  return Manifest{{document["version"].text(), document["command"].text(), document["options"], document["files"]},
                  *shard,
                  document["complete"].get<bool>(),
                  document["totals"],
                  document["details"]};
}

// Replaces a file as a whole: a reader, or a crash at any moment, sees the old content or the new one.
Expected<void> ReplaceFile(const std::string& path, const std::string& content) {
  const std::string temporary = StrCat(path, ".", getpid());
  auto written = WriteFile(temporary, content);
  if (written) {
    const int descriptor = open(temporary.c_str(), O_RDONLY | O_CLOEXEC);
    bool done = descriptor >= 0 && fsync(descriptor) == 0;
    if (descriptor >= 0) close(descriptor);
    done = done && rename(temporary.c_str(), path.c_str()) == 0;
    if (done) return {};
    written = MakeError(ErrorKind::kUnavailable, StrCat("cannot write ", path, ": ", std::strerror(errno)));
  }
  unlink(temporary.c_str());
  return written;
}

}  // namespace

Work WorkOf(std::string_view command, const std::vector<GivenOption>& given) {
  Work work{.version = LAYOUTCHECK_VERSION, .command = std::string(command)};
  for (const auto& [name, value, texts] : given) {
    if (std::ranges::find(kOtherOptions, name) != std::end(kOtherOptions)) continue;
    work.options[name] = texts;
    if (value != "FILE") continue;
    for (const std::string& path : texts) work.files[path] = HashOfFile(path);
  }
  return work;
}

std::string Work::DifferenceFrom(const Work& other) const {
  std::vector<std::string> differences;
  const auto compare = [&](std::string_view name, const std::string& mine, const std::string& theirs) {
    if (mine != theirs) differences.push_back(StrCat(name, ": ", mine, " and ", theirs));
  };
  compare("version", version, other.version);
  compare("command", command, other.command);
  const auto value_in = [](const Json& object, const std::string& name) {
    return object.contains(name) ? object[name].Dump() : std::string("nothing");
  };
  std::set<std::string> names;
  for (const Json& object : {options, other.options}) {
    for (const auto& [name, value] : object.items()) names.insert(name);
  }
  for (const std::string& name : names) compare(name, value_in(options, name), value_in(other.options, name));
  if (differences.empty() && files != other.files) {
    for (const auto& [name, hash] : files.items()) {
      if (value_in(other.files, name) != hash.Dump()) differences.push_back(StrCat("the content of ", name));
    }
  }
  return StrJoin(differences, "; ");
}

Expected<void> WriteManifest(const std::string& directory, const Manifest& manifest) {
  const Json document{{"version", manifest.work.version},   {"command", manifest.work.command},
                      {"options", manifest.work.options},   {"files", manifest.work.files},
                      {"share", manifest.shard.ToString()}, {"complete", manifest.complete},
                      {"totals", manifest.totals},          {"details", manifest.details}};
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  return ReplaceFile(PathIn(directory), document.DumpIndented() + "\n");
}

Expected<Manifest> ReadManifest(const std::string& directory) {
  const std::string path = PathIn(directory);
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return MakeError(ErrorKind::kUnavailable,
                     StrCat(directory, " is not the --out of a run with --shard: cannot read ", path));
  }
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  auto manifest = FromJson(Json::Parse(text).value_or(Json()));
  if (!manifest) return MakeError(ErrorKind::kSyntax, StrCat(path, " is no manifest of a share"));
  return *std::move(manifest);
}

Expected<void> BeginShare(const std::string& directory, const Manifest& manifest) {
  std::error_code error;
  if (std::filesystem::exists(PathIn(directory), error)) {
    LAYOUTCHECK_TRY(const auto present, ReadManifest(directory));
    std::string difference = present.work.DifferenceFrom(manifest.work);
    if (difference.empty() && present.shard != manifest.shard) {
      difference = StrCat("share ", present.shard.ToString(), " and ", manifest.shard.ToString());
    }
    if (!difference.empty()) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat(directory, " has another share: ", difference, "; expected a directory per share"));
    }
  }
  return WriteManifest(directory, manifest);
}

std::vector<std::string> EarlierFindings(const std::string& directory) {
  std::vector<std::string> files;
  std::error_code error;
  while (true) {
    std::string name = StrCat("findings.before-", files.size() + 1, ".jsonl");
    std::string path = (std::filesystem::path(directory) / name).string();
    if (!std::filesystem::exists(path, error)) return files;
    files.push_back(std::move(path));
  }
}

Expected<void> KeepEarlierFindings(const std::string& directory) {
  const std::filesystem::path path = std::filesystem::path(directory) / "findings.jsonl";
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return {};
  const size_t number = EarlierFindings(directory).size() + 1;
  std::filesystem::rename(path, path.parent_path() / StrCat("findings.before-", number, ".jsonl"), error);
  if (error) return MakeError(ErrorKind::kUnavailable, StrCat(path.string(), ": ", error.message()));
  return {};
}

}  // namespace layoutcheck
