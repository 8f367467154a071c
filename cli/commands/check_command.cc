// layoutcheck check [LAYOUT...] --subject S
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "layoutcheck/cli/base/duration.h"
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/commands/shard.h"
#include "layoutcheck/cli/commands/subject_arguments.h"
#include "layoutcheck/cli/notations/conversion.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/reports/finding_text.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/shape_stride/tla.h"
#include "layoutcheck/fuzz/differential/judge.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/run/findings_file.h"
#include "layoutcheck/properties/run/runner.h"
#include "layoutcheck/subjects/factory/subject_factory.h"
#include "layoutcheck/subjects/protocol/protocol.h"

namespace layoutcheck {
namespace {

// Six times what the hardest of the seeded faults takes.
constexpr uint64_t kDefaultCases = 1000;

struct Options {
  std::vector<std::string> layouts;
  std::string subject = "reference";
  std::vector<std::string> laws;
  std::optional<uint64_t> cases;  // kDefaultCases without --time
  std::optional<size_t> exhaustive;
  uint64_t seed = 1;
  std::string shard;
  std::string time;
  std::string known;
  std::string out = "layoutcheck-out";
  SubjectArguments subject_arguments;
  bool json = false;
};

// The array shape that a LAYOUT argument is. What is in another notation is checked as the XLA layout that is the same
// map, and said to be.
Expected<Shape> ShapeOf(const std::string& text) {
  const auto layout = ReadLayout(text);
  if (!layout) return std::unexpected(layout.error());
  const CoreForms forms = (*layout)->Forms();
  if (forms.shape && *forms.shape && ToString(**forms.shape) == (*layout)->Text()) return *forms.shape;
  const auto conversion = Convert(**layout, ConversionTarget::kHlo, ElementType::kF32);
  if (!conversion) {
    return MakeError(conversion.error().kind, StrCat("no XLA layout is the same map: ", conversion.error().message));
  }
  std::fputs(StrCat(OneLine(text), " is checked as ", conversion->text, "\n").c_str(), stderr);
  return ParseShape(conversion->text);
}

void Warn(std::string_view message) {
  const std::string line = StrCat("layoutcheck check: warning: ", OneLine(message), "\n");
  std::fputs(line.c_str(), stderr);
}

// Writes findings to the file and, at the end, to stdout.
class Reporter {
 public:
  explicit Reporter(const Options& options) : options_(options) {}

  Expected<void> Open() {
    auto file = FindingsFile::Open(options_.out);
    if (!file) return std::unexpected(file.error());
    file_.emplace(*std::move(file));
    return {};
  }

  // On disk when this returns; an error is kept and ends the program when the run is over.
  void Add(Finding& finding) {
    if (!file_ && !error_) {
      if (auto opened = Open(); !opened) error_ = opened.error();
    }
    if (error_) return;
    if (auto added = file_->Add(finding); !added) error_ = added.error();
  }

  void Print(const Finding& finding) const {
    if (options_.json) {
      PrintJson(ToJson(finding));
      return;
    }
    const std::string text = FindingText(finding, StyleOfTerminal()) + "\n";
    std::fwrite(text.data(), 1, text.size(), stdout);
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  const Options& options_;
  std::optional<FindingsFile> file_;
  std::optional<Error> error_;
};

// The last line.
void PrintTotals(const Options& options, const CheckSummary& summary, int64_t known) {
  if (options.json) {
    Json by_law = Json::object();
    for (const auto& [name, tally] : summary.laws) {
      by_law[name] = {{"agreed", tally.agreed},
                      {"disagreed", tally.disagreed},
                      {"known", tally.known},
                      {"declined", tally.declined},
                      {"outside_domain", tally.outside_domain}};
    }
    PrintJson({{"cases", summary.cases},
               {"laws", summary.laws.size()},
               {"findings", summary.findings.size()},
               {"known", known},
               {"declined", summary.declined()},
               {"by_law", by_law}});
    return;
  }
  const std::string line = StrCat(summary.cases, " cases, ", summary.laws.size(), " laws, ", summary.findings.size(),
                                  " findings, ", known, " known, ", summary.declined(), " declined\n");
  std::fputs(line.c_str(), stdout);
}

// A subject that was started, but does not answer hello as it should: the one finding of the run.
ExitCode ReportHello(const Options& options, const Failed& failed) {
  Reporter reporter(options);
  Finding finding;
  finding.subject = options.subject;
  finding.law = NotAnswered(failed).why;
  finding.text = HelloRequest();
  finding.text->pop_back();
  finding.expected = "an answer to hello";
  finding.actual = failed.what;
  finding.seed = options.seed;
  reporter.Add(finding);
  reporter.Print(finding);
  CheckSummary summary;
  summary.findings.push_back(finding);
  PrintTotals(options, summary, 0);
  return reporter.error() ? Unusable("check", reporter.error()->message) : ExitCode::kRejected;
}

// Known differences of one layout that are gone are findings; patterns that nothing matched are only named, since
// another seed may meet them.
std::vector<Finding> GoneDifferences(const Options& options, Subject& subject, const KnownDifferences& known) {
  std::vector<Finding> gone;
  for (const KnownDifference& difference : known.all()) {
    if (difference.times_seen > 0 || !difference.layout || TextFaultFromName(difference.law)) continue;
    CheckSummary summary;
    const auto shape = ParseShape(*difference.layout);
    const Law* const law = FindLaw(difference.law);
    const AlgebraLaw* const of_algebra = FindAlgebraLaw(difference.law);
    if (of_algebra != nullptr) {
      const std::vector<std::string> arguments = ReadArguments(*difference.layout);
      summary = CheckArguments(subject, std::span(&of_algebra, 1), std::span(&arguments, 1), {});
    } else if (shape && law != nullptr) {
      CheckOptions check;
      check.laws = {law};
      summary = CheckLayouts(subject, std::span(&*shape, 1), check);
    } else {
      Warn(StrCat(options.known, ":", difference.line, ": no such law or layout"));
      continue;
    }
    if (!summary.findings.empty() || !summary.AnythingChecked()) continue;
    Finding finding;
    finding.subject = options.subject;
    finding.law = difference.law;
    finding.layout = *difference.layout;
    finding.expected = StrCat("the known difference of ", options.known, ":", difference.line, " (", difference.reason,
                              ", ", difference.version, ", ", difference.reference, ")");
    finding.actual = "the law holds: the entry can be removed";
    finding.seed = options.seed;
    gone.push_back(std::move(finding));
  }
  return gone;
}

// Says to stderr what was covered.
void PrintCoverage(const CheckSummary& summary, const Options& options) {
  std::string text = options.exhaustive ? StrCat("scope ", *options.exhaustive, ": ",
                                                 ExhaustiveLadder()[*options.exhaustive - 1].ToString())
                                        : StrCat("scope: ", summary.scope.ToString(), "; seed ", options.seed);
  if (!summary.complete) StrAppend(text, "; the time was up before all cases were checked");
  if (!options.shard.empty()) StrAppend(text, "; shard ", options.shard);
  StrAppend(text, "\n");
  if (summary.statistics.total() > 0) StrAppend(text, "distribution: ", summary.statistics.ToString(), "\n");
  std::fputs(text.c_str(), stderr);
  for (const auto& [name, tally] : summary.laws) {
    if (tally.declined > 0 && tally.agreed + tally.disagreed == 0) {
      Warn(StrCat("law ", name, " was declined in every case"));
    }
  }
}

// "\r1234 cases, 1 findings" on a terminal, at most five times a second.
class Progress {
 public:
  void Show(uint64_t cases) {
    if (!on_terminal_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    std::fprintf(stderr, "\r%llu cases", static_cast<unsigned long long>(cases));
    shown_ = true;
  }
  ~Progress() {
    if (shown_) std::fputs("\r                    \r", stderr);
  }

 private:
  bool on_terminal_ = isatty(STDERR_FILENO) == 1;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

ExitCode Run(const Options& options, bool out_given) {
  CheckOptions check;
  check.seed = options.seed;
  check.subject_name = options.subject;
  check.cases = options.cases.value_or(kDefaultCases);
  std::vector<const AlgebraLaw*> algebra;
  for (const std::string& name : options.laws) {
    const Law* const law = FindLaw(name);
    if (const AlgebraLaw* const of_algebra = FindAlgebraLaw(name)) {
      if (std::ranges::find(algebra, of_algebra) == algebra.end()) algebra.push_back(of_algebra);
      continue;
    }
    if (law == nullptr) return Unusable("check", StrCat("--law: no law '", name, "'; see layoutcheck laws"));
    if (std::ranges::find(check.laws, law) == check.laws.end()) check.laws.push_back(law);
  }
  if (!options.shard.empty()) {
    const auto shard = ReadShard(options.shard);
    if (!shard) return Unusable("check", "--shard", shard.error());
    std::tie(check.shard_index, check.shard_count) = *shard;
  }
  if (!options.time.empty()) {
    const auto time = ReadDuration(options.time);
    if (!time) return Unusable("check", "--time", time.error());
    check.time = *time;
    if (!options.cases) check.cases = std::numeric_limits<uint64_t>::max() / 2;
  }
  const auto ladder = ExhaustiveLadder();
  if (options.exhaustive && (*options.exhaustive < 1 || *options.exhaustive > ladder.size())) {
    return Unusable("check", StrCat("--exhaustive: expected a rung from 1 to ", ladder.size()));
  }
  if (options.exhaustive && (!options.layouts.empty() || options.cases)) {
    return Unusable("check", "--exhaustive enumerates a scope: it goes with neither LAYOUT nor --cases");
  }
  const auto subject_options = ToSubjectOptions(options.subject_arguments, options.subject);
  if (!subject_options) return Unusable("check", subject_options.error().message);
  std::vector<Shape> shapes;
  std::vector<std::vector<std::string>> questions;  // of the algebra
  for (const std::string& text : options.layouts) {
    const bool of_algebra = IsShapeStrideText(text) || text.find(';') != std::string::npos;
    if (of_algebra) questions.push_back(ReadArguments(text));
    if (of_algebra && questions.back().size() > 1) {
      for (const std::string& argument : questions.back()) {
        const auto layout = ParseComposedLayout(argument);
        const bool usable = layout || ParseSwizzle(argument) || ParseIntTuple(argument) || TlaTagFromName(argument);
        if (!usable) return Unusable("check", StrCat(text, ": ", argument), layout.error());
      }
      continue;
    }
    auto shape = ShapeOf(text);
    if (!shape && of_algebra && shape.error().kind == ErrorKind::kUnsupported) continue;  // its own laws are left
    if (!shape) return Unusable("check", text, shape.error());
    shapes.push_back(*std::move(shape));
  }
  KnownDifferences known;
  if (!options.known.empty()) {
    auto read = KnownDifferences::Read(options.known);
    if (!read) return Unusable("check", "--known", read.error());
    known = *std::move(read);
    check.known = &known;
  }
  Reporter reporter(options);
  if (out_given) {
    if (auto opened = reporter.Open(); !opened) return Unusable("check", "--out", opened.error());
  }

  const CrashNotice crash_notice("check", options.subject, *subject_options, options.out);
  auto created = CreateSubject(options.subject, *subject_options);
  if (const auto* error = std::get_if<Error>(&created)) return Unusable("check", "--subject", *error);
  if (const auto* failed = std::get_if<Failed>(&created)) return ReportHello(options, *failed);
  Subject& subject = *std::get<std::unique_ptr<Subject>>(created);

  check.on_finding = [&](Finding& finding) { reporter.Add(finding); };
  CheckSummary summary;
  {
    Progress progress;
    check.on_case = [&](uint64_t cases) {
      progress.Show(cases);
      return true;
    };
    const bool every_law = options.laws.empty();
    const bool tiled = every_law || !check.laws.empty();
    // Without being named, the laws of the algebra are for subjects that know it at all.
    if (every_law && !options.exhaustive && TakesAlgebra(subject)) {
      algebra.assign(AlgebraLaws().begin(), AlgebraLaws().end());
    }
    if (check.time && tiled && !algebra.empty()) *check.time /= 2;
    if (tiled && options.exhaustive) {
      summary = CheckExhaustive(subject, ladder[*options.exhaustive - 1], check);
    } else if (tiled && options.layouts.empty()) {
      summary = CheckRandom(subject, check);
    } else if (tiled && !shapes.empty()) {
      summary = CheckLayouts(subject, shapes, check);
    }
    if (!algebra.empty() && (options.layouts.empty() || !questions.empty())) {
      Merge(summary, options.layouts.empty() ? CheckAlgebra(subject, algebra, check)
                                             : CheckArguments(subject, algebra, questions, check));
    }
  }
  for (Finding& finding : GoneDifferences(options, subject, known)) {
    reporter.Add(finding);
    summary.findings.push_back(std::move(finding));
  }
  for (const Finding& finding : summary.findings) reporter.Print(finding);
  PrintCoverage(summary, options);
  for (const std::string& warning : subject.Warnings()) Warn(warning);
  // Those of the other laws are looked for by `fuzz`.
  const auto unseen = known.UnseenPatterns(
      [](std::string_view law) { return FindLaw(law) != nullptr || FindAlgebraLaw(law) != nullptr; });
  if (!unseen.empty()) Warn(StrCat(options.known, ": no failure in this run matched line ", StrJoin(unseen, ", ")));
  const int64_t seen = known.CountSeen();
  PrintTotals(options, summary, seen);
  if (reporter.error()) return Unusable("check", reporter.error()->message);
  if (!summary.findings.empty()) return ExitCode::kRejected;
  if (!summary.AnythingChecked() && seen == 0) {
    Warn("nothing was checked");
    return ExitCode::kUndecided;
  }
  return ExitCode::kAccepted;
}

}  // namespace

void AddCheckCommand(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      AddCommand(program, "check",
                 "test an implementation of layouts against the laws\n\n"
                 "Draws layouts where bugs are, asks the subject about each, and shrinks what fails to\n"
                 "the smallest layout. With LAYOUT arguments only those are checked. Findings are in\n"
                 "DIR/findings.jsonl before the run goes on; a run that was killed can be started\n"
                 "again with the same DIR.",
                 "  $ layoutcheck check --subject 'exec:python3 my_layout.py'\n"
                 "  $ layoutcheck check --subject exec:./mine 'f32[9,1]{1,0:T(8,128)}'\n"
                 "  $ layoutcheck check --subject lib:./mine.so --isolate");
  command->add_option("LAYOUT", options->layouts,
                      "check these only, and do not shrink: layouts in any notation, or the arguments of a "
                      "function, as in '(4,3):(3,1); 6:1' for --law composition");
  command->add_option("--subject", options->subject, "the implementation, see layoutcheck subjects (reference)")
      ->type_name("S");
  command->add_option("--law", options->laws, "check this law, see layoutcheck laws; may be repeated (all)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command->add_option("--cases", options->cases, "layouts to draw (1000; with --time as many as there is time for)")
      ->type_name("N")
      ->check(WholeNumber());
  command
      ->add_option("--exhaustive", options->exhaustive,
                   StrCat("check every layout of a scope, from the smallest, 1, to ", ExhaustiveLadder().size()))
      ->type_name("N")
      ->check(WholeNumber());
  command->add_option("--seed", options->seed, "the same seed draws the same layouts (1)")
      ->type_name("N")
      ->check(WholeNumber());
  command->add_option("--shard", options->shard, "check only part K of N of the run, 1/N to N/N")->type_name("K/N");
  command->add_option("--time", options->time, "begin no case after this time: 30s, 5m, 2h")->type_name("D");
  command->add_option("--known", options->known, "differences that are accepted, JSON Lines")->type_name("FILE");
  CLI::Option* const out =
      command->add_option("--out", options->out, "directory for findings.jsonl (layoutcheck-out)")->type_name("DIR");
  AddSubjectTimeout(*command, options->subject_arguments);
  AddIsolate(*command, options->subject_arguments);
  command->add_flag("--json", options->json, "print findings and totals as JSON Lines");
  command->callback([options, out, &action] {
    action = [options, out_given = out->count() > 0] { return Run(*options, out_given); };
  });
}

}  // namespace layoutcheck
