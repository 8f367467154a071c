// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/prove_run.h"
#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/files/prove_results_file.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"

namespace layoutcheck {
namespace {

using EntryResult = Expected<std::vector<Json>>;

struct Tally {
  int proved = 0;
  int refuted = 0;
  int unknown = 0;
  double seconds = 0;

  void Add(const Json& document) {
    const std::string verdict = document["verdict"];
    ++(verdict == "proved" ? proved : verdict == "refuted" ? refuted : unknown);
    seconds += document["seconds"].get<double>();
  }
  void Add(const Tally& other) {
    proved += other.proved;
    refuted += other.refuted;
    unknown += other.unknown;
    seconds += other.seconds;
  }
  void Print(const std::string& name) const {
    fmt::print("{:<70} {:>6} {:>7} {:>7} {:>8.3f}\n", name, proved, refuted, unknown, seconds);
  }
};

std::string Shortened(const std::string& text) {
  const std::string line = OneLine(text);
  return line.size() <= 70 ? line : line.substr(0, 67) + "...";
}

class TileSetRun {
 public:
  TileSetRun(const std::vector<ProveEntry>& entries, const ProveRunOptions& options)
      : entries_(entries), options_(options), results_(entries.size()) {}

  ExitCode Run() {
    if (!options_.results.empty()) {
      const std::string asked =
          StrCat(StrJoin(options_.laws, ","), ";", options_.integer ? options_.integer->name : std::string_view());
      if (auto open = file_.Open(options_.results, asked); !open) {
        return Unusable("prove", StrCat("--results ", options_.results), open.error());
      }
    }
    if (!options_.json) {
      fmt::print("{:<70} {:>6} {:>7} {:>7} {:>8}\n", "layout", "proved", "refuted", "unknown", "seconds");
    }
    std::vector<std::thread> threads;
    const size_t count = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, entries_.size());
    for (size_t k = 0; k < count; ++k) threads.emplace_back([this] { Work(); });
    ExitCode code = ExitCode::kAccepted;
    for (size_t k = 0; k < entries_.size(); ++k) {
      code = WorseExitCode(code, Print(entries_[k], WaitFor(k)));
      std::fflush(stdout);
    }
    for (std::thread& thread : threads) thread.join();
    if (!options_.json) total_.Print(StrCat("total: ", entries_.size(), entries_.size() == 1 ? " entry" : " entries"));
    return code;
  }

 private:
  void Work() {
    for (size_t k = next_++; k < entries_.size(); k = next_++) {
      const std::vector<Json>* known = file_.Find(entries_[k].text);
      EntryResult result = known != nullptr ? *known : ProveEntryJson(entries_[k], options_);
      if (known == nullptr && result) file_.Write(entries_[k].text, *result);
      const std::lock_guard lock(mutex_);
      results_[k] = std::move(result);
      ++done_;
      ready_.notify_all();
    }
  }

  const EntryResult& WaitFor(size_t k) {
    std::unique_lock lock(mutex_);
    while (!results_[k]) {
      ready_.wait_for(lock, std::chrono::milliseconds(200));
      progress_.Show(StrCat(done_, " of ", entries_.size(), " entries"));
    }
    progress_.Clear();
    return *results_[k];
  }

  ExitCode Print(const ProveEntry& entry, const EntryResult& result) {
    if (!result) return Unusable("prove", StrCat(entry.text, ": ", result.error().ToString()));
    Tally tally;
    ExitCode code = ExitCode::kAccepted;
    for (const Json& document : *result) {
      tally.Add(document);
      code = WorseExitCode(code, ProofExitCode(document));
      if (options_.json) PrintJson(document);
    }
    if (options_.json) return code;
    tally.Print(Shortened(entry.text));
    for (const Json& document : *result) {
      if (ProofExitCode(document) != ExitCode::kAccepted) fmt::print("  {}\n", ProofText(document));
    }
    total_.Add(tally);
    return code;
  }

  const std::vector<ProveEntry>& entries_;
  const ProveRunOptions& options_;
  ProveResultsFile file_;
  std::vector<std::optional<EntryResult>> results_;
  std::atomic<size_t> next_ = 0;
  size_t done_ = 0;
  std::mutex mutex_;
  std::condition_variable ready_;
  Tally total_;
  ProgressLine progress_;
};

}  // namespace

Expected<std::vector<Json>> ProveEntryJson(const ProveEntry& entry, const ProveRunOptions& options) {
  std::vector<Json> documents;
  const FormulaRequest request{entry.layout, entry.formula.value_or(""), entry.equals, entry.assumptions};
  if (entry.formula) {
    const Expected<ProofResult> result = ProveFormula(request, options.prove);
    if (!result) return std::unexpected(result.error());
    documents.push_back(ProofJson(*result));
  }
  if (options.integer) {
    const Expected<ProofResult> result = ProveNoOverflow(request, *options.integer, options.prove);
    if (!result) return std::unexpected(result.error());
    documents.push_back(ProofJson(*result));
  } else if (!entry.formula) {
    const auto results = ProveLayout(entry.layout, options.laws, options.prove);
    if (!results) {
      Error error = results.error();
      return MakeError(error.kind, StrCat(entry.layout, ": ", error.ToString()));
    }
    for (const ProofResult& result : *results) documents.push_back(ProofJson(result));
  }
  return documents;
}

ExitCode RunTileSet(const std::vector<ProveEntry>& entries, const ProveRunOptions& options) {
  return TileSetRun(entries, options).Run();
}

}  // namespace layoutcheck
