// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck scan PATH...
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/base/overwriting.h"
#include "layoutcheck/cli/base/shared_options.h"
#include "layoutcheck/cli/base/stop_signals.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/cli/scan/explain.h"
#include "layoutcheck/cli/scan/module_diff.h"
#include "layoutcheck/cli/scan/module_scan.h"
#include "layoutcheck/cli/scan/module_texts.h"
#include "layoutcheck/cli/scan/scan_html.h"
#include "layoutcheck/cli/scan/scan_report.h"
#include "layoutcheck/cli/ttgir/ttgir_run.h"
#include "layoutcheck/core/base/nearest_name.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/module/log_reader.h"
#include "layoutcheck/core/process/ordered_work.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/llvm/ttgir/ttgir_scan.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kTtgir = "ttgir";
constexpr const char* kDefaultOrder = "padding";

struct ScanCommandLine {
  std::vector<std::string> paths;
  std::string order = kDefaultOrder;
  std::string min_bytes;
  std::vector<std::string> budgets;
  std::string sarif;
  std::string junit;
  std::string html;
  std::string old;
  std::string kind = "module";
  std::string tilings_name;
  std::vector<Tiling> tilings;
  size_t jobs = 1;
  std::string explained;  // the name of a bitcast, reshape or transpose
  ScanOptions scan;
};

// Returns the names by which users require that advisory rules of HLO or TTGIR are kept.
std::vector<std::string_view> Requirements(bool of_ttgir) {
  std::vector<std::string_view> names;
  for (const ModuleRule& rule : ModuleRules()) {
    if (!of_ttgir && !rule.requirement.empty()) names.push_back(rule.requirement);
  }
  for (const TtgirRule& rule : TtgirRules()) {
    if (of_ttgir) names.push_back(rule.requirement);
  }
  return names;
}

// Returns false after a message if a requirement is none of the kind of text that is read.
bool RequirementsApply(const ScanCommandLine& options) {
  const std::vector<std::string_view> known = Requirements(options.kind == kTtgir);
  for (const std::string& name : options.scan.requirements) {
    if (std::ranges::find(known, name) != known.end()) continue;
    return Unusable("scan", StrCat("--require ", name, ": with --kind ", options.kind, ", expected one of ",
                                   StrJoin(known, ", "), DidYouMean(name, known))),
           false;
  }
  return true;
}

// Reads what the options say in words. Returns false after a message if they do not make sense.
bool ReadOptions(ScanCommandLine& options) {
  options.scan.order = options.order == "bytes"   ? ArrayOrder::kBytes
                       : options.order == "waste" ? ArrayOrder::kWaste
                                                  : ArrayOrder::kPadding;
  if (!options.min_bytes.empty()) {
    const auto bytes = ParseBytes(options.min_bytes);
    if (!bytes) return Unusable("scan", "--min-bytes", bytes.error()), false;
    options.scan.min_bytes = *bytes;
  }
  if (!options.tilings_name.empty()) {
    auto tilings = ReadTilings(options.tilings_name);
    if (!tilings) return Unusable("scan", "--tilings", tilings.error()), false;
    options.tilings = *std::move(tilings);
  }
  for (const std::string& text : options.budgets) {
    auto budget = ParseBudget(text);
    if (!budget) return Unusable("scan", StrCat("--budget '", text, "'"), budget.error()), false;
    options.scan.budgets.push_back(*std::move(budget));
  }
  return true;
}

// Writes the files that the options ask for. Returns false after a message if one cannot be written.
bool WriteReports(const ScanCommandLine& options, const ScanReport& report, const ScanPage& page) {
  const struct {
    const std::string& file;
    std::string (*render)(const ScanReport&);
  } reports[] = {{options.junit, ScanJunit}, {options.sarif, ScanSarif}};
  for (const auto& [file, render] : reports) {
    if (file.empty()) continue;
    if (auto done = WriteFile(file, render(report)); !done) return Unusable("scan", done.error()), false;
  }
  if (options.html.empty()) return true;
  const auto done = WriteFile(options.html, page.Html(report.results()));
  return done || (Unusable("scan", done.error()), false);
}

void PrintLeftOut(int64_t count, std::string_view one, std::string_view many, std::string_view how) {
  if (count > 0) std::fputs(StrCat("layoutcheck scan: ", count, count == 1 ? one : many, how, "\n").c_str(), stderr);
}

// Returns what a text without modules, or a log without arrays, lacks.
std::string NothingFound(const ModuleScan& scan) {
  if (scan.module->is_log) return ": expected shapes with layouts such as f32[8,128]{1,0}; found none";
  const std::string_view text = *scan.module->text;
  if (text.contains("ttg.num-warps")) return ": expected HLO text, found TTGIR, which --kind ttgir reads";
  if (text.starts_with("\x1f\x8b"))
    return ": expected HLO text, found gzip: gunzip -c FILE | layoutcheck scan - reads it";
  if (text.contains("stablehlo.") || text.contains("func.func")) {
    return ": expected HLO text, found MLIR, which has no layouts: those of XLA are in the compiled module, which "
           "jax.jit(f).lower(...).compile().as_text() prints";
  }
  const HloModule log = ReadLog(*scan.module->text);
  const size_t arrays = log.computations[0].instructions.size();
  return StrCat(": expected HLO text, a line 'HloModule NAME' and instructions; found none",
                arrays == 0   ? ""
                : arrays == 1 ? ", but 1 shape with a layout, which --kind log reads"
                              : StrCat(", but ", arrays, " shapes with layouts, which --kind log reads"));
}

// Returns true if most of a text without a module's header is no HLO, as of a log with some instructions in it.
bool MayBeLog(const ModuleScan& scan) {
  return !scan.module->is_log && scan.module->name.empty() && std::ssize(scan.module->problems) > scan.instructions;
}

// Reads the modules or logs of files and folders on several threads, and calls visit(scan) for each in their order.
// Returns false after messages if something is unusable; the rest is read. `argument` names the paths in messages.
template <class Visit>
bool ForEachModule(const ScanCommandLine& options, std::string_view argument, const std::vector<std::string>& paths,
                   Visit visit) {
  const bool are_logs = options.kind == "log";
  auto files = FindModuleFiles(paths, are_logs);
  if (!files) return Unusable("scan", files.error()), false;
  PrintLeftOut(files->left_out, " file without HLO was", " files without HLO were", " left out");
  PrintLeftOut(files->links, " link to a folder was", " links to folders were", " not followed");
  for (const NamedFile output :
       {NamedFile{"--html", options.html}, {"--sarif", options.sarif}, {"--junit", options.junit}}) {
    for (const std::string& input : files->names) {
      if (auto other = RequireNotOverwritten({argument, input}, output); !other) {
        return Unusable("scan", other.error()), false;
      }
    }
  }
  ModuleTexts texts(std::move(files->names), are_logs);
  bool usable = true;
  const auto next = [&]() -> std::optional<Expected<ModuleText>> {
    if (StopSignals::Requested()) return std::nullopt;
    LAYOUTCHECK_TRY(auto text, texts.Next());
    if (!text) return std::nullopt;
    return *std::move(text);
  };
  const auto scan_one = [&](size_t, Expected<ModuleText> text) -> Expected<ModuleScan> {
    if (!text) return std::unexpected(text.error());
    return ScanModule(*std::move(text), options.tilings, options.scan.requirements);
  };
  const auto consume = [&](Expected<ModuleScan> scan) {
    if (scan && IsHlo(*scan)) {
      if (MayBeLog(*scan)) {
        std::fputs(StrCat("layoutcheck scan: ", scan->file, ": most of it is no HLO; --kind log reads logs\n").c_str(),
                   stderr);
      }
      visit(*scan);
      return true;
    }
    Unusable("scan", scan ? Error{ErrorKind::kSyntax, StrCat(scan->file, NothingFound(*scan))} : scan.error());
    usable = false;
    return true;
  };
  // Each module that waits for its turn is in memory.
  WorkInOrder({.jobs = options.jobs, .items_ahead = 2}, next, scan_one, consume);
  return usable;
}

ExitCode RunScanOfTtgir(const ScanCommandLine& options) {
  const std::pair<std::string_view, bool> of_hlo[] = {
      {"--sort", options.order != kDefaultOrder},
      {"--opcode", !options.scan.opcode.empty()},
      {"--computation", !options.scan.computation.empty()},
      {"--min-bytes", !options.min_bytes.empty()},
      {"--budget", !options.budgets.empty()},
      {"--tilings", !options.tilings_name.empty()},
      {"--explain", !options.explained.empty()},
  };
  for (const auto& [option, is_given] : of_hlo) {
    if (is_given) return Unusable("scan", StrCat(option, ": not with --kind ttgir, only with HLO"));
  }
  return RunTtgirScan({.paths = options.paths,
                       .top = options.scan.top,
                       .requirements = options.scan.requirements,
                       .html = options.html,
                       .sarif = options.sarif,
                       .junit = options.junit,
                       .old = options.old,
                       .json = options.scan.json,
                       .tensors = options.scan.arrays});
}

ExitCode RunScanCommand(ScanCommandLine& options) {
  if (!RequirementsApply(options)) return ExitCode::kUnusable;
  if (options.kind == kTtgir) return RunScanOfTtgir(options);
  const StopSignals signals({.patience = kTimeToReport, .command = "scan"});
  if (!ReadOptions(options)) return ExitCode::kUnusable;
  options.scan.has_diff = !options.old.empty();
  std::vector<DiffModule> before;
  std::vector<DiffModule> after;
  if (options.scan.has_diff && !ForEachModule(options, "--diff", {options.old},
                                              [&](ModuleScan& scan) { before.push_back(DiffModuleOf(scan)); })) {
    return ExitCode::kUnusable;
  }
  ScanReport report(options.scan, PrintJson);
  ScanPage page;
  std::vector<Json> explanations;
  bool usable = ForEachModule(options, "PATH", options.paths, [&](ModuleScan& scan) {
    if (options.scan.has_diff) after.push_back(DiffModuleOf(scan));
    if (!options.explained.empty()) {
      for (Json& row : ExplainInstructions(scan, options.explained)) explanations.push_back(std::move(row));
    }
    report.Add(scan);
    if (!options.html.empty()) page.Add(scan);
  });
  if (usable && explanations.empty() && !options.explained.empty()) {
    Unusable("scan", StrCat("--explain ", options.explained,
                            ": no module has a bitcast, reshape or transpose of arrays with this name"));
    usable = false;
  }
  if (report.results().modules > 0) {
    report.Finish();
    if (!WriteReports(options, report, page)) usable = false;
    if (options.scan.json) {
      for (const Json& line : explanations) PrintJson(line);
      for (const Json& line : DiffJson(before, after)) PrintJson(line);
    } else {
      PrintText(ExplanationText(explanations) + DiffText(before, after, options.scan.top) + ScanText(report));
    }
  }
  if (!usable) return ExitCode::kUnusable;
  if (!StopSignals::Requested()) return report.results().exit_code();
  PrintDiagnostic("scan", "warning: the run was interrupted before everything was read");
  return WorseExitCode(report.results().exit_code(), ExitCode::kUndecided);
}

}  // namespace

Command ScanCommand() {
  auto options = std::make_shared<ScanCommandLine>();
  return {
      .name = "scan",
      .description = R"(read HLO modules: what layouts cost, and which are wrong

Reads dumps of HLO modules and checks the rules of modules (see layoutcheck laws) in each. Prints the bytes
allocated and needed, the places that break a rule, the arrays with the most padding, each with the order of
dimensions that takes least, and the copies that move most. The exit code is 1 if a rule with severity error is
broken or a budget is exceeded, 3 if one could not be decided, and 2 if an argument is unusable or a file or
folder cannot be read.)",
      .details = R"(
A budget is waste<20%, bytes<2GiB, copies<64MiB or peak<1GiB: the part of a module's bytes that is padding, its
bytes, those that its copies, transposes and reshapes write, and those alive at its peak. Every module is held
to it. --require makes the advice of a rule an error: sharding-is-even that of uneven-sharding,
operands-keep-sharding that of operand-resharded, reshape-is-bitcast that of reshape-moves-data, copy-moves-data
that of copy-is-free, copy-is-not-undone that of copy-of-copy, and padding-below-half that of padding-waste.

With --kind ttgir, PATH is TTGIR of Triton kernels: files, folders with files .ttgir, or -. Prints tensors, buffers,
conversions between layouts with what they move, and accesses to shared memory with their passes. Only --top,
--require, --html, --sarif, --junit, --diff, --json and --arrays apply. --require convert-moves-data makes the advice of
convert-is-free an error, convert-is-not-undone that of convert-of-convert, convert-where-smallest that of
convert-not-smallest, convert-of-data that of convert-of-computed, and no-bank-conflicts that of bank-conflicts.)",
      .example = R"(
  $ layoutcheck scan module.txt
  $ layoutcheck scan dumps/ --sort bytes --top 20
  $ layoutcheck scan dumps/ --budget 'waste<20%' --sarif findings.sarif --junit junit.xml
  $ layoutcheck scan new/ --diff old/
  $ layoutcheck scan --kind ttgir kernel.ttgir)",
      .options =
          {{"PATH", "files of HLO text (no gzip), folders with all below them, or - for standard input",
            &options->paths, kRequired},
           {"--top N", "rows of each table (default: 10)", &options->scan.top},
           {"--sort padding|bytes|waste", "order of the arrays, the largest first", &options->order, kOneOf},
           {"--opcode NAME", "only arrays of this opcode in the tables", &options->scan.opcode, kDetail},
           {"--computation NAME", "only arrays of this computation in the tables", &options->scan.computation, kDetail},
           {"--min-bytes SIZE", "only arrays of so many bytes or more in the tables: 64MiB", &options->min_bytes,
            kDetail},
           {"--budget TEXT", "a limit that every module must keep; can be given again", &options->budgets},
           {.usage = "--require NAME",
            .description = "make advice an error: a rule that every module must keep; can be given again",
            .target = &options->scan.requirements,
            .names =
                [] {
                  std::vector<std::string> names = NamesOf(Requirements(false), std::identity());
                  for (const std::string_view of_ttgir : Requirements(true)) names.emplace_back(of_ttgir);
                  return names;
                }},
           {"--sarif FILE", "write findings as SARIF 2.1.0 to this file", &options->sarif},
           {"--junit FILE", "write JUnit's XML, one testsuite per module, to this file", &options->junit},
           {"--html FILE", "also write a page: findings, a map of the bytes, live memory, a table to sort and filter",
            &options->html},
           {"--diff OLD", "compare with an older version: a file, or a folder of such modules", &options->old},
           {"--kind module|log|ttgir", "module; log: any text with shapes and allocations; ttgir: Triton's kernels",
            &options->kind, kOneOf},
           {"--tilings NAME|FILE",
            "seek the tightest layout among these tilings, too: tpu, or a file with one per line",
            &options->tilings_name, kDetail},
           JobsOption(options->jobs),
           {"--explain NAME",
            "also tell which reshape and transpose this bitcast is, or what this reshape or transpose moves",
            &options->explained, kDetail},
           {"--json", "print modules and findings as JSON Lines", &options->scan.json},
           {"--arrays", "print a JSON line per array or type of tensors, too", &options->scan.arrays, kDetail,
            "--json"}},
      .run = [options] { return RunScanCommand(*options); },
      .reports_interruption = true};
}

}  // namespace layoutcheck
