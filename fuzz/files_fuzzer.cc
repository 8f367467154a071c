// Any bytes as the files that commands read: findings of an earlier run, and accepted differences. Each is a value or
// an error that names a line.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "layoutcheck/core/str_cat.h"
#include "layoutcheck/fuzz/target.h"
#include "layoutcheck/properties/findings_file.h"
#include "layoutcheck/properties/known_differences.h"

namespace layoutcheck {
namespace {

// A file in memory, under the name that this process knows it by.
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

std::optional<std::string> BrokenProperty(std::string_view content) {
  const MemoryFile file(content);
  const auto findings = ReadFindings(file.path());
  if (!findings && findings.error().message.empty()) return "findings are rejected without a reason";
  Expected<KnownDifferences> known = KnownDifferences::Read(file.path());
  if (!known) {
    if (known.error().message.empty()) return "accepted differences are rejected without a reason";
    return std::nullopt;
  }
  for (const KnownDifference& entry : known->all()) {
    if (entry.reason.empty() || entry.law.empty())
      return StrCat("line ", entry.line, " is accepted without law or reason");
    if (!entry.layout) continue;
    if (!known->MatchesLayout(entry.law, *entry.layout))
      return StrCat("line ", entry.line, " does not match its layout");
  }
  return std::nullopt;
}

}  // namespace
}  // namespace layoutcheck

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  layoutcheck::Require(layoutcheck::BrokenProperty(layoutcheck::InputText(data, size)));
  return 0;
}
