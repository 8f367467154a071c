// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck fuzz --subject S
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>
#include "layoutcheck/cli/base/duration.h"
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/run/run_report.h"
#include "layoutcheck/cli/run/subject_arguments.h"
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/fuzz/differential/differential.h"
#include "layoutcheck/fuzz/differential/judge.h"
#include "layoutcheck/fuzz/text/random.h"
#include "layoutcheck/properties/run/known_differences.h"
#include "layoutcheck/subjects/factory/subject_factory.h"
#include "layoutcheck/subjects/transport/coverage_counters.h"
#include "layoutcheck/subjects/transport/shared_counters.h"

namespace layoutcheck {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string subject = "reference";
  std::string kind = "shape";
  std::string time = "1m";
  std::optional<uint64_t> cases;
  std::string corpus;
  std::string out = "layoutcheck-out";
  uint64_t seed = 1;
  SubjectArguments subject_arguments;
  std::string known;
  bool stop_at_first = false;
  bool json = false;
};

volatile std::sig_atomic_t stop_requested = 0;

void RequestStop(int) { stop_requested = 1; }

// A directory of texts, one per file. A run starts from these texts and adds those that it keeps.
class CorpusDirectory {
 public:
  explicit CorpusDirectory(std::string path) : path_(std::move(path)) {}

  // Makes the directory if necessary and reads the texts. Files over 64 KiB are left out.
  Expected<std::vector<std::string>> Read() const {
    constexpr uintmax_t kLongest = uintmax_t{1} << 16;
    std::error_code error;
    fs::create_directories(path_, error);
    std::vector<fs::path> files;
    for (fs::directory_iterator entry(path_, error), end; !error && entry != end; entry.increment(error)) {
      if (entry->is_regular_file(error) && entry->file_size(error) <= kLongest) files.push_back(entry->path());
    }
    if (error) return MakeError(ErrorKind::kUnavailable, StrCat(path_, ": ", error.message()));
    std::ranges::sort(files);
    std::vector<std::string> texts;
    for (const fs::path& file : files) {
      std::ifstream stream(file, std::ios::binary);
      texts.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
      if (!stream) return MakeError(ErrorKind::kUnavailable, StrCat("cannot read ", file.string()));
    }
    return texts;
  }

  bool Add(const std::string& text) const {
    std::ofstream stream(fs::path(path_) / HashDigits(HashText(text)), std::ios::binary);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    return static_cast<bool>(stream.flush());
  }

 private:
  std::string path_;
};

std::string ProgressText(const FuzzProgress& progress, std::optional<std::chrono::milliseconds> time) {
  const double seconds = progress.elapsed.count();
  std::string text = fmt::format("{} texts, {:.0f}/s, ", progress.cases, static_cast<double>(progress.cases) / seconds);
  if (progress.counters > 0) StrAppend(text, progress.counters, " counters, ");
  StrAppend(text, progress.findings, " findings");
  if (!time) return text;
  return text + fmt::format(", {:.0f} s left", std::max(0.0, std::chrono::duration<double>(*time).count() - seconds));
}

// Returns a line that says whether a library's coverage guided the run, or an empty text for other subjects.
std::string CoverageLine(const Options& options, const FuzzSummary& summary) {
  if (!options.subject.starts_with("lib:") || summary.cases == 0) return "";
  if (summary.counters) return StrCat("with coverage feedback: ", *summary.counters, " counters reached\n");
  return "without coverage feedback: the library was not built with it "
         "(-fsanitize-coverage=inline-8bit-counters, or trace-pc with g++)\n";
}

ExitCode Finish(const Options& options, const FuzzSummary& summary, int64_t known, RunReport& report) {
  if (!options.json) std::fputs(CoverageLine(options, summary).c_str(), stdout);
  Json totals = {{"cases", summary.cases},
                 {"laws", AllTextFaults().size()},
                 {"findings", summary.findings.size()},
                 {"known", known},
                 {"declined", summary.declined}};
  if (summary.counters) totals["counters"] = *summary.counters;
  report.PrintTotals(totals);
  if (report.error()) return Unusable("fuzz", report.error()->message);
  if (!summary.findings.empty()) return ExitCode::kRejected;
  if (summary.AnythingChecked()) return ExitCode::kAccepted;
  report.Warn("nothing was checked");
  return ExitCode::kUndecided;
}

// Reports the one finding about a subject that was started but does not answer hello.
ExitCode ReportHello(const Options& options, const Failed& failed, RunReport& report) {
  FuzzSummary summary;
  Finding& finding = summary.findings.emplace_back(HelloFinding(options.subject, options.seed, failed));
  report.Add(finding);
  report.Print(finding);
  return Finish(options, summary, 0, report);
}

ExitCode Run(const Options& options) {
  FuzzOptions fuzz;
  fuzz.seed = options.seed;
  fuzz.cases = options.cases;
  fuzz.stop_at_first = options.stop_at_first;
  const auto kind = TextKindFromName(options.kind);
  if (!kind) return Unusable("fuzz", StrCat("--kind: expected shape, layout or instruction, got '", options.kind, "'"));
  fuzz.kind = *kind;
  const auto time = ReadDuration(options.time);
  if (!time) return Unusable("fuzz", "--time", time.error());
  fuzz.time = *time;
  auto subject_options = ToSubjectOptions(options.subject_arguments, options.subject);
  if (!subject_options) return Unusable("fuzz", subject_options.error().message);
  const bool is_library = options.subject.starts_with("lib:");
  std::optional<SharedCounters> counters;  // coverage of a library in its own process
  if (is_library && !subject_options->isolate_with.empty()) {
    auto created = SharedCounters::Create();
    if (!created) return Unusable("fuzz", created.error().message);
    counters.emplace(*std::move(created));
    StrAppend(subject_options->isolate_with, " --counters ", counters->descriptor());
  }
  KnownDifferences known;
  if (!options.known.empty()) {
    auto read = KnownDifferences::Read(options.known);
    if (!read) return Unusable("fuzz", "--known", read.error());
    known = *std::move(read);
    fuzz.is_known = [&](const Finding& finding) {
      const std::string_view text = finding.text ? *finding.text : std::string_view();
      const Difference difference{finding.law, finding.layout, finding.expected, finding.actual, text, {}};
      return known.MatchesClass(difference, true) || known.MatchesLayout(difference);
    };
  }
  const CorpusDirectory corpus(options.corpus);
  if (!options.corpus.empty()) {
    auto texts = corpus.Read();
    if (!texts) return Unusable("fuzz", "--corpus", texts.error());
    fuzz.corpus = *std::move(texts);
  }
  RunReport report("fuzz", options.out, options.json);
  if (auto opened = report.Open(); !opened) return Unusable("fuzz", "--out", opened.error());
  const CrashNotice crash_notice("fuzz", options.subject, *subject_options, options.out);
  auto created = CreateSubject(options.subject, *subject_options);
  if (const auto* error = std::get_if<Error>(&created)) return Unusable("fuzz", "--subject", *error);
  if (const auto* failed = std::get_if<Failed>(&created)) return ReportHello(options, *failed, report);
  Subject& subject = *std::get<std::unique_ptr<Subject>>(created);

  bool corpus_written = true;
  fuzz.on_finding = [&](Finding& finding) {
    finding.subject = options.subject;
    report.Add(finding);
  };
  if (!options.corpus.empty()) {
    fuzz.on_new_text = [&](const std::string& text) { corpus_written = corpus.Add(text) && corpus_written; };
  }
  if (counters) {
    fuzz.coverage_counters = [&] { return counters->Counters(); };
  } else if (is_library) {
    fuzz.coverage_counters = LoadedCounters;
  }
  fuzz.on_text = [&](std::string_view text) { crash_notice.SetText(text); };
  fuzz.stop_requested = [&] { return stop_requested != 0 || report.error() || !corpus_written; };
  FuzzSummary summary;
  {
    ProgressLine line;
    fuzz.on_progress = [&](const FuzzProgress& progress) { line.Show(ProgressText(progress, fuzz.time)); };
    std::signal(SIGINT, RequestStop);
    std::signal(SIGTERM, RequestStop);
    summary = FuzzSubject(subject, fuzz);
    crash_notice.SetText({});
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
  }
  if (const auto failed = subject.Finish()) {
    report.Add(summary.findings.emplace_back(EndFinding(options.subject, options.seed, *failed)));
  }
  for (const Finding& finding : summary.findings) report.Print(finding);
  for (const std::string& warning : subject.Warnings()) report.Warn(warning);
  // `check` finds failures under other laws.
  report.WarnOfUnseen(known, options.known, [](std::string_view law) { return TextFaultFromName(law).has_value(); });
  const ExitCode code = Finish(options, summary, known.CountSeen(), report);
  return corpus_written ? code : Unusable("fuzz", StrCat("cannot write to ", options.corpus));
}

}  // namespace

void AddFuzzCommand(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      AddCommand(program, "fuzz",
                 "find the texts that a parser gets wrong\n\n"
                 "Draws and mutates texts, asks the subject to parse each, and compares its answer with the "
                 "reference's. It finds crashes, hangs, wrong acceptance and rejection, lost fields, wrong text, and "
                 "memory that grows. Each cause is reported once, with its shortest text, and saved in "
                 "DIR/findings.jsonl before the run goes on. Ctrl-C ends the run and prints its findings.\n\n"
                 "A library that was compiled with -fsanitize-coverage=inline-8bit-counters (clang) or trace-pc (g++) "
                 "guides the run: texts that reach new code are mutated further.",
                 "  $ layoutcheck fuzz --subject 'exec:python3 my_parser.py'\n"
                 "  $ layoutcheck fuzz --subject lib:./mine.so --kind layout --time 10m --corpus texts");
  command->add_option("--subject", options->subject, kSubjectOption)->type_name("S");
  command->add_option("--kind", options->kind, "the kind of the texts (default: shape)")
      ->type_name("shape|layout|instruction");
  command->add_option("--time", options->time, "begin no text after this time: 30s, 5m, 2h (default: 1m)")
      ->type_name("DURATION");
  command->add_option("--cases", options->cases, "begin no text after this many")->type_name("N")->check(WholeNumber());
  command
      ->add_option("--corpus", options->corpus,
                   "start from the texts in this directory, one per file; texts that the run keeps are added to it")
      ->type_name("DIR");
  command->add_option("--known", options->known, "accept the differences that this file of JSON Lines names")
      ->type_name("FILE");
  command->add_option("--out", options->out, "the directory of findings.jsonl (default: layoutcheck-out)")
      ->type_name("DIR");
  command->add_option("--seed", options->seed, "the same seed draws the same texts (default: 1)")
      ->type_name("N")
      ->check(WholeNumber());
  command->add_flag("--stop-at-first", options->stop_at_first, "end the run at the first finding");
  AddSubjectTimeout(*command, options->subject_arguments);
  AddIsolate(*command, options->subject_arguments);
  command->add_flag("--json", options->json, "print findings and totals as JSON Lines");
  command->callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace layoutcheck
