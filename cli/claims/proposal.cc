// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/claims/proposal.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/read_content.h"
#include "layoutcheck/cli/claims/claims_file.h"
#include "layoutcheck/cli/claims/index_code.h"
#include "layoutcheck/cli/scan/module_texts.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostCode = 100;  // functions and kernels in the file
constexpr size_t kMostBytesOfSource = size_t{4} << 20;

constexpr const char* kHead = R"(# The claims of this project about layouts. `layoutcheck run` checks them all.
# A table [KIND.NAME] is the command KIND with its options and arguments as keys; see `layoutcheck KIND --help`.
# For all sizes of a layout, a formula or a function is right:
#
# [prove.row-major]
# layout = "f32[M,N]{1,0}"
# formula = "i0*N + i1"
)";

constexpr std::array<std::string_view, 2> kDumpEndings{".hlo", ".txt"};

bool HasEnding(const fs::path& path, std::span<const std::string_view> endings) {
  return std::ranges::find(endings, path.extension().string()) != endings.end();
}

// Returns true for a path that TOML can have as it is.
bool IsPlain(std::string_view path) {
  return IsUtf8(path) && std::ranges::none_of(path, [](unsigned char c) { return std::iscntrl(c) != 0; });
}

// A text in quotes; JSON's escapes are also TOML's.
std::string InQuotes(std::string_view text) { return Json(text).Dump(); }

bool IsSkipped(const fs::path& folder) {
  std::error_code error;
  return folder.filename().string().starts_with('.') || folder.filename() == "node_modules" ||
         fs::exists(folder / "CMakeCache.txt", error);
}

// Returns the files that may hold code or a dump, sorted, as paths from the folder.
Expected<std::vector<fs::path>> FilesToSearch(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  const auto options = fs::directory_options::skip_permission_denied;
  for (auto entry = fs::recursive_directory_iterator(folder, options, error); !error && entry != end(entry);
       entry.increment(error)) {
    std::error_code unknown;
    if (entry->is_directory(unknown)) {
      if (IsSkipped(entry->path())) entry.disable_recursion_pending();
      continue;
    }
    const fs::path path = entry->path().lexically_relative(folder);
    const bool is_wanted = HasEnding(path, kSourceEndings) || HasEnding(path, kDumpEndings);
    if (is_wanted && entry->is_regular_file(unknown) && IsPlain(path.string())) files.push_back(path);
  }
  if (error) return UnavailableError(folder.string(), ": ", error.message());
  std::ranges::sort(files);
  return files;
}

// Makes the file of claims.
class ProposalWriter {
 public:
  explicit ProposalWriter(fs::path folder) : folder_(std::move(folder)) {}

  Expected<ClaimProposal> Write() {
    LAYOUTCHECK_TRY(const auto files, FilesToSearch(folder_));
    proposal_.text = kHead;
    for (const fs::path& file : files) {
      if (HasEnding(file, kDumpEndings)) {
        if (MayHaveModule(folder_ / file)) dumps_.push_back(file);
      } else if (const auto source = ReadContent((folder_ / file).string(), kMostBytesOfSource)) {
        for (const IndexCode& code : FindIndexCode(*source)) AddCode(file.string(), code);
      }
    }
    const size_t found = proposal_.functions + proposal_.kernels;
    if (found > kMostCode) StrAppend(proposal_.text, "\n# ", found - kMostCode, " more functions and kernels\n");
    AddDumps();
    return std::move(proposal_);
  }

 private:
  // Returns the name, or "NAME-2" where another entry has it.
  std::string NewName(const std::string& name) {
    std::string result = name;
    for (int k = 2; !names_.insert(result).second; ++k) result = StrCat(name, "-", k);
    return result;
  }

  void AddCode(const std::string& file, const IndexCode& code) {
    ++(code.is_kernel ? proposal_.kernels : proposal_.functions);
    if (proposal_.functions + proposal_.kernels > kMostCode) return;
    std::string& text = proposal_.text;
    StrAppend(text, "\n# ", file, ":", code.line, code.declaration.empty() ? "" : ": ", code.declaration, "\n");
    std::vector<std::string> arguments;
    std::vector<std::string> arrays;
    for (const CodeParameter& parameter : code.parameters) {
      arguments.push_back(parameter.name);
      if (!parameter.element.empty())
        arrays.push_back(InQuotes(StrCat(parameter.name, "=", parameter.element, "[N]{0}")));
    }
    StrAppend(text, "# [", code.is_kernel ? "prove-kernel." : "prove-code.", NewName(code.name),
              "]\n# file = ", InQuotes(file), "\n# function = ", InQuotes(code.name),
              "\n# args = ", InQuotes(StrJoin(arguments, ",")));
    if (code.is_kernel) {
      StrAppend(text, "  # in this order: names of arrays, names of sizes, numbers\n# array = [", StrJoin(arrays, ", "),
                "]  # the layout of each\n# grid = \"N ceildiv 256\"\n# block = \"256\"\n");
    } else {
      StrAppend(text, "  # in this order: i0, i1, ... (indices), names of sizes, numbers\n",
                "# layout = \"f32[M,N]{1,0}\"  # the layout whose index it returns, or formula = \"...\"\n");
    }
  }

  // Adds one entry for all dumps: folders that hold some, and files of the folder itself.
  void AddDumps() {
    proposal_.dumps = dumps_.size();
    if (dumps_.empty()) return;
    std::vector<std::string> paths;
    for (const fs::path& dump : dumps_) {
      const fs::path parent = dump.parent_path();
      const std::string path = parent.empty() ? dump.string() : parent.string();
      // The files are sorted, so that a folder comes before all folders in it.
      const bool is_covered = std::ranges::any_of(
          paths, [&](const std::string& other) { return path == other || path.starts_with(other + "/"); });
      if (!is_covered) paths.push_back(path);
    }
    for (std::string& path : paths) path = InQuotes(path);
    StrAppend(proposal_.text, "\n# HLO dumps: ", dumps_.size(),
              ". A budget is kept by every module; see layoutcheck scan --help=all.\n", "[scan.dumps]\npath = [",
              StrJoin(paths, ", "), "]\n# budget = [\"waste<20%\", \"peak<16GiB\"]\n");
  }

  fs::path folder_;
  ClaimProposal proposal_;
  std::vector<fs::path> dumps_;
  std::set<std::string> names_;
};

}  // namespace

Expected<ClaimProposal> ProposeClaims(const fs::path& folder) { return ProposalWriter(folder).Write(); }

}  // namespace layoutcheck
