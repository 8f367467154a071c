// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/ttgir/ttgir_run.h"
#include <array>
#include <filesystem>
#include <utility>
#include "layoutcheck/cli/base/overwriting.h"
#include "layoutcheck/cli/base/read_content.h"
#include "layoutcheck/cli/scan/module_texts.h"
#include "layoutcheck/cli/ttgir/ttgir_diff.h"
#include "layoutcheck/cli/ttgir/ttgir_report.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr size_t kMostBytes = size_t{256} << 20;  // of a file

Expected<std::vector<TtgirRows>> ScanTtgirFile(const std::string& name, std::span<const std::string> requirements) {
  LAYOUTCHECK_TRY(const std::string text, ReadContent(name, kMostBytes));
  const auto in_file = [&](const Error& error) { return MakeError(error.kind, StrCat(name, ": ", error.message)); };
  const auto module = ParseTtir(text, name);
  if (!module) return in_file(module.error());
  const auto scan = ScanTtgir(*module);
  if (!scan) return in_file(scan.error());
  return RowsOfModule(name, *module, *scan, requirements);
}

// A file that the options ask for, and its content.
struct Document {
  std::string_view option;
  const std::string& file;  // empty if it is not asked for
  std::string (*text)(const TtgirResults&);
};

std::array<Document, 3> DocumentsOf(const TtgirScanOptions& options) {
  return {{{"--html", options.html, TtgirHtml},
           {"--sarif", options.sarif, TtgirSarif},
           {"--junit", options.junit, TtgirJunit}}};
}

// Reads the files that paths name. Returns false after messages if something is unusable; the rest is read.
bool ForEachFunction(const TtgirScanOptions& options, std::string_view argument, const std::vector<std::string>& paths,
                     auto visit) {
  const auto is_ttgir = [](const std::filesystem::path& path) { return path.extension() == ".ttgir"; };
  const auto files = FindFiles(paths, is_ttgir, "files .ttgir, found none");
  if (!files) return Unusable("scan", files.error()), false;
  bool usable = true;
  for (const std::string& file : files->names) {
    for (const Document& document : DocumentsOf(options)) {
      const auto allowed = RequireNotOverwritten({argument, file}, {document.option, document.file});
      if (!allowed) return Unusable("scan", allowed.error()), false;
    }
    auto functions = ScanTtgirFile(file, options.requirements);
    if (functions) {
      for (TtgirRows& rows : *functions) visit(std::move(rows));
    } else {
      Unusable("scan", functions.error());
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
  for (const Document& document : DocumentsOf(options)) {
    if (document.file.empty()) continue;
    const auto done = WriteFile(document.file, document.text(after));
    if (!done) Unusable("scan", done.error());
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
