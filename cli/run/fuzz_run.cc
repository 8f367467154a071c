// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/fuzz_run.h"
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>
#include <vector>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/base/duration.h"
#include "layoutcheck/cli/base/shard.h"
#include "layoutcheck/cli/base/stop_signals.h"
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/run/guarded_child.h"
#include "layoutcheck/cli/run/run_report.h"
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/fuzz/differential/differential.h"
#include "layoutcheck/fuzz/differential/judge.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/run/known_differences.h"
#include "layoutcheck/subjects/factory/subject_factory.h"
#include "layoutcheck/subjects/transport/coverage_counters.h"
#include "layoutcheck/subjects/transport/shared_counters.h"

namespace layoutcheck {
namespace {

namespace fs = std::filesystem;

// Makes the directory of a corpus if necessary and reads its texts, one per file. Files over 64 KiB are left out.
Expected<std::vector<std::string>> ReadCorpus(const std::string& path) {
  constexpr uintmax_t kLongest = uintmax_t{1} << 16;
  std::error_code error;
  fs::create_directories(path, error);
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->is_regular_file(error) && entry->file_size(error) <= kLongest) files.push_back(entry->path());
  }
  if (error) return MakeError(ErrorKind::kUnavailable, StrCat(path, ": ", error.message()));
  std::ranges::sort(files);
  std::vector<std::string> texts;
  for (const fs::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    if (!stream) return MakeError(ErrorKind::kUnavailable, StrCat("cannot read ", file.string()));
  }
  return texts;
}

// Writes the text to a file of its own. Returns false if that fails.
bool AddToCorpus(const std::string& path, const std::string& text) {
  std::ofstream stream(fs::path(path) / HashDigits(HashText(text)), std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  return static_cast<bool>(stream.flush());
}

using Created = std::variant<std::unique_ptr<Subject>, Error, Failed>;

// An instance of the subject with its coverage counters.
class Instance {
 public:
  // Starts the subject. `options` are those without counters.
  Instance(const std::string& name, SubjectOptions options) : created_(Error{}) {
    const bool is_library = name.starts_with("lib:");
    if (is_library && !options.isolate_with.empty()) {
      auto created = SharedCounters::Create();
      if (!created) {
        created_ = created.error();
        return;
      }
      counters_.emplace(*std::move(created));
      StrAppend(options.isolate_with, " --counters ", counters_->descriptor());
    }
    created_ = CreateSubject(name, options);
    fuzzed_.subject = std::holds_alternative<std::unique_ptr<Subject>>(created_)
                          ? std::get<std::unique_ptr<Subject>>(created_).get()
                          : nullptr;
    if (counters_) {
      fuzzed_.coverage_counters = [this] { return counters_->Counters(); };
    } else if (is_library) {
      fuzzed_.coverage_counters = LoadedCounters;
    }
  }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const Created& created() const { return created_; }
  const FuzzedSubject& fuzzed() const { return fuzzed_; }

 private:
  std::optional<SharedCounters> counters_;  // of a library in a process of its own
  Created created_;
  FuzzedSubject fuzzed_;
};

// Starts one instance per job and, if there are several, one that investigates what they find. All are started at the
// same time. If the first one cannot be started, there is no other.
std::vector<std::unique_ptr<Instance>> StartInstances(const FuzzCommandLine& arguments, const SubjectOptions& options,
                                                      const RunReport& report) {
  std::vector<std::unique_ptr<Instance>> instances;
  SubjectOptions first_options = options;
  first_options.gives_up = arguments.jobs == 1;  // with others, it is asked about failures only
  instances.push_back(std::make_unique<Instance>(arguments.subject, first_options));
  if (arguments.jobs == 1 || instances.front()->fuzzed().subject == nullptr) return instances;
  instances.resize(arguments.jobs + 1);
  {
    std::vector<std::jthread> threads;
    for (size_t k = 1; k < instances.size(); ++k) {
      threads.emplace_back([&, k] { instances[k] = std::make_unique<Instance>(arguments.subject, options); });
    }
  }
  const size_t asked = instances.size();
  std::erase_if(instances, [](const auto& instance) { return instance->fuzzed().subject == nullptr; });
  if (instances.size() < asked) {
    report.Warn(StrCat(asked, " processes of the subject were to be started, and ", instances.size(), " could be"));
  }
  return instances;
}

std::string ProgressText(const FuzzProgress& progress, std::optional<std::chrono::milliseconds> time) {
  const double seconds = std::max(progress.elapsed.count(), 0.001);
  std::string text = fmt::format("{} texts, {:.0f}/s, ", progress.cases, static_cast<double>(progress.cases) / seconds);
  if (progress.counters > 0) StrAppend(text, progress.counters, " counters, ");
  StrAppend(text, Counted(progress.findings, "finding"));
  if (!time) return text;
  return text + fmt::format(", {:.0f} s left", std::max(0.0, std::chrono::duration<double>(*time).count() - seconds));
}

// Returns a line that says whether a library's coverage guided the run, or an empty text for other subjects.
std::string CoverageLine(const FuzzCommandLine& arguments, const FuzzSummary& summary) {
  if (!arguments.subject.starts_with("lib:") || summary.cases == 0) return "";
  if (summary.counters) return StrCat("with coverage feedback: ", *summary.counters, " counters reached\n");
  return "without coverage feedback: the library was not built with it "
         "(-fsanitize-coverage=inline-8bit-counters, or trace-pc with g++)\n";
}

// Returns what the manifest of a share says about the causes of its findings; `merge` reads it.
Json FuzzCausesToJson(const FuzzSummary& summary) {
  Json causes = Json::array();
  for (size_t k = 0; k < summary.causes.size(); ++k) {
    const Finding& finding = summary.findings[k];
    causes.push_back({{"law", finding.law}, {"text", finding.layout}, {"cause", summary.causes[k]}});
  }
  return causes;
}

// One run, with its arguments understood.
class FuzzRun {
 public:
  FuzzRun(const FuzzCommandLine& arguments, const Shard& shard, FuzzOptions fuzz, SubjectOptions subject_options,
          KnownDifferences known)
      : arguments_(arguments),
        shard_(shard),
        fuzz_(std::move(fuzz)),
        subject_options_(std::move(subject_options)),
        known_(std::move(known)),
        report_("fuzz", DirectoryOfFindings(arguments), arguments.json, arguments.quiet) {}

  ExitCode Run() {
    if (!arguments_.corpus.empty()) {
      if (std::error_code error; !fs::exists(arguments_.corpus, error)) {
        report_.Warn(StrCat("--corpus ", arguments_.corpus, " did not exist: the run begins without it and makes it, ",
                            "for the texts that it keeps"));
      }
      auto texts = ReadCorpus(arguments_.corpus);
      if (!texts) return Unusable("fuzz", "--corpus", texts.error());
      fuzz_.corpus = *std::move(texts);
    }
    if (arguments_.out && !arguments_.shard.empty()) {
      if (auto begun = report_.BeginShare(WorkOf("fuzz", arguments_.given), shard_); !begun) {
        return Unusable("fuzz", "--out", begun.error());
      }
    }
    if (auto opened = report_.Open(); !opened) return Unusable("fuzz", "--out", opened.error());
    if (!subject_options_.LoadsLibrary(arguments_.subject)) return AskSubjects(nullptr);
    return GuardLibrary(
        "fuzz",
        [this](GuardedRun& guarded) {
          subject_options_.call_record = &guarded.call;
          return AskSubjects(&guarded);
        },
        [this](const GuardedRun& guarded, const std::string& how) { return ReportLibraryEnd(guarded, how); });
  }

 private:
  ExitCode AskSubjects(GuardedRun* guarded) {
    FuzzSummary summary;
    std::vector<std::unique_ptr<Instance>> instances = StartInstances(arguments_, subject_options_, report_);
    const Created& first = instances.front()->created();
    if (const auto* error = std::get_if<Error>(&first)) return Unusable("fuzz", "--subject", *error);
    if (const auto* failed = std::get_if<Failed>(&first)) {
      Report(summary.findings.emplace_back(HelloFinding(arguments_.subject, arguments_.seed, *failed)));
      return Finish(summary);
    }
    std::vector<FuzzedSubject> subjects;
    for (const auto& instance : instances) subjects.push_back(instance->fuzzed());
    summary = Fuzz(subjects, guarded);
    for (const std::string& warning : subjects.front().subject->Warnings()) report_.Warn(warning);
    instances.clear();  // before the last line, because a library may end this process when it is closed
    // `check` finds failures under other laws.
    report_.WarnOfUnseen(known_, arguments_.known,
                         [](std::string_view law) { return TextFaultFromName(law).has_value(); });
    return Finish(summary);
  }

  FuzzSummary Fuzz(const std::vector<FuzzedSubject>& subjects, GuardedRun* guarded) {
    ProgressLine line;
    fuzz_.is_known = [&](const Finding& finding) {
      const Difference difference = DifferenceOf(finding);
      return known_.MatchesClass(difference, true) || known_.MatchLayout(difference) != nullptr;
    };
    if (arguments_.known.empty()) fuzz_.is_known = nullptr;
    fuzz_.on_finding = [&](Finding& finding) {
      finding.subject = arguments_.subject;
      line.Clear();
      Report(finding);
    };
    if (!arguments_.corpus.empty()) {
      fuzz_.on_new_text = [&](const std::string& text) {
        corpus_written_ = AddToCorpus(arguments_.corpus, text) && corpus_written_;
      };
    }
    fuzz_.on_progress = [&](const FuzzProgress& progress) {
      if (guarded != nullptr) {
        guarded->cases = progress.cases;
        guarded->findings = progress.findings;
        guarded->declined = progress.declined;
      }
      if (!arguments_.quiet && line.IsDue()) line.Show(ProgressText(progress, fuzz_.time));
    };
    fuzz_.stop_requested = [&] { return StopSignals::Requested() || report_.error() || !corpus_written_; };
    const StopSignals signals({.ends_without_reader = true});
    return FuzzSubjects(subjects, fuzz_);
  }

  // Reports that the library ended its process. The fault is confirmed in a process of the library's own.
  ExitCode ReportLibraryEnd(const GuardedRun& guarded, const std::string& how) {
    Finding finding = LibraryEndFinding(arguments_.subject, arguments_.seed, guarded, how);
    SubjectArguments isolated = arguments_.subject_arguments;
    isolated.isolate = true;
    if (const auto options = ToSubjectOptions(isolated, arguments_.subject); options && finding.text) {
      const auto again = CreateSubject(arguments_.subject, *options);
      const auto* const subject = std::get_if<std::unique_ptr<Subject>>(&again);
      const auto found = subject == nullptr ? std::nullopt : JudgeText(**subject, fuzz_.kind, *finding.text);
      if (!found || found->fault != TextFault::kCrash) {
        finding.repeats = StrCat("not reproduced alone, after ", guarded.cases.load() + 1, " requests");
      }
    }
    Report(finding);
    report_.Warn("the library ended the run; with --isolate it goes on, and the text of the finding is the smallest");
    FuzzSummary summary;
    summary.cases = guarded.cases;
    summary.declined = guarded.declined;
    summary.complete = false;
    return Finish(summary, guarded.findings + 1);
  }

  void Report(Finding& finding) {
    report_.Add(finding);
    report_.Print(finding);
  }

  ExitCode Finish(const FuzzSummary& summary, std::optional<size_t> findings = {}) {
    report_.AddCounts(summary.findings);
    const size_t found = findings.value_or(summary.findings.size());
    // The counters and findings of a library that ended its process are gone with it.
    if (!findings) {
      if (!arguments_.json && !arguments_.quiet) PrintText(CoverageLine(arguments_, summary));
      report_.WarnOfEarlierFindings(arguments_.subject, summary.findings);
    }
    const bool is_anything_checked = summary.AnythingChecked() || known_.CountSeen() > 0;
    if (!summary.complete) {
      report_.Warn(StopSignals::Requested() ? "the run was interrupted"
                   : found > 0              ? "the run ended at a finding"
                                            : "the time was up before all cases were checked");
    } else if (!is_anything_checked && found == 0) {
      report_.Warn("nothing was checked");
    }
    Json counts = Json::array();
    for (const Finding& finding : summary.findings) counts.push_back(finding.count);
    Json totals = {{"cases", summary.cases},
                   {"laws", AllTextFaults().size()},
                   {"findings", found},
                   {"known", known_.CountSeen()},
                   {"declined", summary.declined},
                   {"complete", summary.complete},
                   {"counts", counts}};
    if (summary.counters) totals["counters"] = *summary.counters;
    if (report_.is_share()) report_.AddDetail("fuzz", FuzzCausesToJson(summary));
    report_.PrintTotals(totals);
    if (report_.error()) return Unusable("fuzz", *report_.error());
    if (!corpus_written_) return Unusable("fuzz", StrCat("cannot write to ", arguments_.corpus));
    if (found > 0) return ExitCode::kRejected;
    return summary.complete && is_anything_checked ? ExitCode::kAccepted : ExitCode::kUndecided;
  }

  const FuzzCommandLine& arguments_;
  Shard shard_;
  FuzzOptions fuzz_;
  SubjectOptions subject_options_;
  KnownDifferences known_;
  bool corpus_written_ = true;
  RunReport report_;
};

}  // namespace

ExitCode RunFuzz(const FuzzCommandLine& arguments) {
  FuzzOptions fuzz;
  fuzz.seed = arguments.seed;
  fuzz.cases = arguments.cases;
  fuzz.stop_at_first = arguments.stop_at_first;
  Shard shard;
  if (!arguments.shard.empty()) {
    const auto read = ReadShard(arguments.shard);
    if (!read) return Unusable("fuzz", "--shard", read.error());
    shard = *read;
  }
  if (shard.count > 1) {
    // Below 2^53, so that every reader of JSON has the seed of a finding exactly.
    fuzz.seed = HashText(StrCat("fuzz ", arguments.seed, " share ", shard.ToString())) >> 11;
    if (fuzz.cases) fuzz.cases = *fuzz.cases / shard.count + (shard.index < *fuzz.cases % shard.count ? 1 : 0);
  }
  const auto kind = TextKindFromName(arguments.kind);
  if (!kind) {
    return Unusable("fuzz", StrCat("--kind: expected shape, layout or instruction, got '", arguments.kind, "'"));
  }
  fuzz.kind = *kind;
  if (!arguments.time.empty() || !arguments.cases) {
    const auto time = ReadDuration(arguments.time.empty() ? "1m" : arguments.time);
    if (!time) return Unusable("fuzz", "--time", time.error());
    fuzz.time = *time;
  }
  SubjectArguments subject_arguments = arguments.subject_arguments;
  // A library need not be able to run in several threads.
  subject_arguments.isolate |= arguments.subject.starts_with("lib:") && arguments.jobs > 1;
  auto subject_options = ToSubjectOptions(subject_arguments, arguments.subject);
  if (!subject_options) return Unusable("fuzz", subject_options.error());
  KnownDifferences known;
  if (!arguments.known.empty()) {
    auto read = KnownDifferences::Read(arguments.known);
    if (!read) return Unusable("fuzz", "--known", read.error());
    known = *std::move(read);
  }
  return FuzzRun(arguments, shard, std::move(fuzz), *std::move(subject_options), std::move(known)).Run();
}

}  // namespace layoutcheck
