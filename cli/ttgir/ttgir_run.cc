// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/ttgir/ttgir_run.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include "layoutcheck/cli/base/overwriting.h"
#include "layoutcheck/cli/ttgir/ttgir_diff.h"
#include "layoutcheck/cli/ttgir/ttgir_report.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = size_t{256} << 20;  // of a file

// Adds the files .ttgir of a folder and of all below it.
Expected<void> AddTtgirFolder(const std::string& folder, std::vector<std::string>& files) {
  std::vector<std::string> found;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    if (entry->path().extension() == ".ttgir" && !entry->is_directory(error)) found.push_back(entry->path().string());
  }
  if (error) return UnavailableError(folder, ": ", error.message());
  if (found.empty()) return UnavailableError(folder, ": expected files .ttgir, found none");
  std::ranges::sort(found);
  std::ranges::move(found, std::back_inserter(files));
  return {};
}

Expected<std::vector<std::string>> FindTtgirFiles(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (path != "-" && fs::is_directory(path, error)) {
      LAYOUTCHECK_RETURN_IF_ERROR(AddTtgirFolder(path, files));
    } else {
      files.push_back(path);
    }
  }
  return files;
}

Expected<std::string> ReadTtgirFile(const std::string& name) {
  const auto close = [](FILE* file) {
    if (file != stdin) std::fclose(file);
  };
  const std::unique_ptr<FILE, decltype(close)> file(name == "-" ? stdin : std::fopen(name.c_str(), "rb"), close);
  if (file == nullptr) return UnavailableError(name, ": ", std::strerror(errno));
  std::string text;
  std::array<char, size_t{64} << 10> buffer{};
  while (std::feof(file.get()) == 0 && std::ferror(file.get()) == 0) {
    const size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get());
    text.append(buffer.data(), count);
    if (text.size() > kMostBytes) return UnavailableError(name, ": expected at most 256 MiB");
  }
  if (std::ferror(file.get()) != 0) return UnavailableError(name, ": it cannot be read to its end");
  return text;
}

Expected<std::vector<TtgirRows>> ScanTtgirFile(const std::string& name, std::span<const std::string> requirements) {
  LAYOUTCHECK_TRY(const std::string text, ReadTtgirFile(name));
  const auto in_file = [&](const Error& error) { return MakeError(error.kind, StrCat(name, ": ", error.message)); };
  const auto module = ParseTtir(text, name);
  if (!module) return in_file(module.error());
  const auto scan = ScanTtgir(*module);
  if (!scan) return in_file(scan.error());
  return RowsOfModule(name, *module, *scan, requirements);
}

// Reads the files that paths name. Returns false after messages if something is unusable; the rest is read.
bool ForEachFunction(const TtgirScanOptions& options, std::string_view argument, const std::vector<std::string>& paths,
                     auto visit) {
  const auto files = FindTtgirFiles(paths);
  if (!files) return Unusable("scan", files.error().message), false;
  bool usable = true;
  for (const std::string& file : *files) {
    const auto allowed = RequireNotOverwritten({argument, file}, {"--html", options.html});
    if (!allowed) return Unusable("scan", allowed.error().message), false;
    auto functions = ScanTtgirFile(file, options.requirements);
    if (functions) {
      for (TtgirRows& rows : *functions) visit(std::move(rows));
    } else {
      Unusable("scan", functions.error().message);
      usable = false;
    }
  }
  return usable;
}

void PrintRows(const TtgirRows& rows, bool with_tensors) {
  PrintJson(rows.function);
  for (const auto* const kind : {&rows.buffers, &rows.converts, &rows.accesses, &rows.findings}) {
    for (const Json& row : *kind) PrintJson(row);
  }
  for (const Json& row : rows.tensors) {
    if (with_tensors) PrintJson(row);
  }
}

}  // namespace

ExitCode RunTtgirScan(const TtgirScanOptions& options) {
  TtgirResults before;
  TtgirResults after;
  if (!options.old.empty() &&
      !ForEachFunction(options, "--diff", {options.old}, [&](TtgirRows rows) { before.Add(std::move(rows)); })) {
    return ExitCode::kUnusable;
  }
  bool usable = ForEachFunction(options, "PATH", options.paths, [&](TtgirRows rows) {
    if (options.json) PrintRows(rows, options.tensors);
    after.Add(std::move(rows));
  });
  if (after.functions.empty()) return ExitCode::kUnusable;
  if (!options.html.empty()) {
    const auto done = WriteFile(options.html, TtgirHtml(after));
    if (!done) Unusable("scan", done.error().message);
    usable = usable && done;
  }
  if (!options.old.empty()) {
    const std::vector<TtgirDiff> diffs = DiffFunctions(before.functions, after.functions);
    if (options.json) {
      for (const Json& line : TtgirDiffJson(diffs)) PrintJson(line);
    } else {
      PrintText(TtgirDiffText(diffs, options.top) + FindingsText(after.findings, "error") +
                FindingsText(after.findings, "undecided") + FindingCounts(after.findings));
    }
  } else if (!options.json) {
    PrintText(TtgirText(after, options.top));
  }
  return usable ? after.findings.exit_code() : ExitCode::kUnusable;
}

}  // namespace layoutcheck
