// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: takes any bytes as the files that commands read: earlier findings, accepted differences, layouts to
// prove, and earlier proof results. Each reader must return a value or an error with a reason, in bounded time.
#include <sys/mman.h>
#include <unistd.h>
#include <cstdlib>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/fuzz/text/target.h"
#include "layoutcheck/properties/run/findings_file.h"
#include "layoutcheck/properties/run/known_differences.h"
#include "layoutcheck/solver/files/prove_results_file.h"
#include "layoutcheck/solver/files/tile_set.h"

namespace layoutcheck {
namespace {

// A file in memory with a path for this process.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : descriptor_(memfd_create("input", 0)) {
    while (descriptor_ >= 0 && !content.empty()) {
      const ssize_t written = write(descriptor_, content.data(), content.size());
      if (written <= 0) std::abort();
      content.remove_prefix(static_cast<size_t>(written));
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }

  std::string path() const { return StrCat("/proc/self/fd/", descriptor_); }

 private:
  int descriptor_;
};

std::optional<std::string> BrokenByFindings(const MemoryFile& file) {
  const auto findings = ReadFindings(file.path());
  if (!findings && findings.error().message.empty()) return "findings are rejected without a reason";
  return std::nullopt;
}

std::optional<std::string> BrokenByKnownDifferences(const MemoryFile& file, std::string_view content) {
  Expected<KnownDifferences> known = KnownDifferences::Read(file.path());
  if (!known) {
    if (known.error().message.empty()) return "accepted differences are rejected without a reason";
    return std::nullopt;
  }
  // Matches every regular expression for this law.
  if (!known->all().empty()) {
    (void)known->MatchesClass({known->all()[0].law, content, content, content, content, content}, false);
  }
  for (const KnownDifference& entry : known->all()) {
    if (entry.reason.empty() || entry.law.empty())
      return StrCat("line ", entry.line, " is accepted without law or reason");
    if (entry.rate && (*entry.rate <= 0 || *entry.rate > 1))
      return StrCat("line ", entry.line, " allows a share that is none");
    if (entry.layout) (void)known->MatchLayout({entry.law, *entry.layout, content, content, content, content});
  }
  return std::nullopt;
}

std::optional<std::string> BrokenByTileSet(const MemoryFile& file) {
  const auto entries = ReadTileSet(file.path());
  if (!entries && entries.error().message.empty()) return "layouts to prove are rejected without a reason";
  if (!entries) return std::nullopt;
  for (const ProveEntry& entry : *entries) {
    const auto again = ParseProveEntry(entry.text);
    if (!again || again->text != entry.text || again->layout != entry.layout || again->formula != entry.formula ||
        again->equals != entry.equals || again->assumptions != entry.assumptions) {
      return StrCat("'", entry.text, "' is read differently by itself");
    }
  }
  return std::nullopt;
}

std::optional<std::string> BrokenByResults(const MemoryFile& file) {
  const std::string entry = "f32[2]{0}";
  ProveResultsFile first;
  const auto opened = first.Open(file.path(), ";");
  if (!opened && opened.error().message.empty()) return "results are rejected without a reason";
  if (!opened) return std::nullopt;
  first.Write(entry, {});
  ProveResultsFile second;
  if (const auto again = second.Open(file.path(), ";"); !again) {
    return StrCat("results are rejected once more are written: ", again.error().message);
  }
  if (second.Find(entry) == nullptr) return "a result that was written is not found";
  return std::nullopt;
}

std::optional<std::string> BrokenProperty(std::string_view content) {
  const MemoryFile file(content);
  if (auto broken = BrokenByFindings(file)) return broken;
  if (auto broken = BrokenByKnownDifferences(file, content)) return broken;
  if (auto broken = BrokenByTileSet(file)) return broken;
  return BrokenByResults(file);
}

}  // namespace
}  // namespace layoutcheck

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  layoutcheck::Require(layoutcheck::BrokenProperty(layoutcheck::InputText(data, size)));
  return 0;
}
