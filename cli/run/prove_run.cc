// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/prove_run.h"
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <utility>
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/reports/next_steps.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_notation.h"
#include "layoutcheck/core/process/ordered_work.h"
#include "layoutcheck/core/shape_stride/view.h"
#include "layoutcheck/core/sharding/sharding_text.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/solver/certificate/z3_solver.h"
#include "layoutcheck/solver/formula_laws/law_goals.h"
#include "layoutcheck/solver/formula_laws/strided_formula.h"
#include "layoutcheck/solver/formula_laws/view_formula.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include "layoutcheck/solver/sharding_proof/prove_sharding.h"

namespace layoutcheck {
namespace {

using EntryResult = Expected<std::vector<Json>>;

bool HasReason(const std::vector<Json>& results, std::string_view reason) {
  return std::ranges::any_of(results, [&](const Json& result) { return result.value("reason", "") == reason; });
}

// Returns true if the run was interrupted while it worked on the entry.
bool WasInterrupted(const EntryResult& result) {
  return result ? HasReason(*result, kRunInterrupted) : result.error().message == kRunInterrupted;
}

// Returns the results from the file, or proves the entry and adds them.
EntryResult ProveOnce(const ProveEntry& entry, const ProveRunOptions& options, ProveResultsFile& file) {
  if (const std::vector<Json>* const known = file.Find(entry.text)) return *known;
  EntryResult results;
  try {
    results = ProveEntryJson(entry, options);
  } catch (const SolverStopped& stopped) {
    return MakeError(ErrorKind::kUnavailable, stopped.reason);
  }
  if (!results) return results;
  for (const char* of_this_machine : {kOutOfMemory, kOutOfTime, kRunInterrupted}) {
    if (HasReason(*results, of_this_machine)) return results;
  }
  LAYOUTCHECK_RETURN_IF_ERROR(file.Write(entry.text, *results));
  return results;
}

// Proves what is asked about the formula of the entry, for each component if it is a tuple.
EntryResult ProveFormulasJson(const ProveEntry& entry, const ProveRunOptions& options) {
  FormulaRequest texts{entry.layout, *entry.formula, entry.equals, entry.assumptions, {}, entry.over};
  texts.signed_names = entry.signed_names;
  LAYOUTCHECK_TRY(auto resolved, WithOffsetFormula(std::move(texts)));
  FormulaRequest& request = resolved;
  const ProveOptions& prove = options.prove;
  const bool is_law = !options.laws.empty();
  const bool is_in_bounds = !entry.below.empty();
  if (is_law) {
    if (is_in_bounds) request.equals_option = "--below";
    request.equals = is_in_bounds ? std::optional(entry.below) : std::nullopt;
    request.equals_is_offset = false;
  }
  std::vector<Json> documents;
  const auto add = [&](const Expected<ProofResult>& result) {
    if (!result) return false;
    documents.push_back(ProofJson(*result, entry.assumptions));
    if (!entry.layout.empty()) documents.back()["layout"] = entry.layout;
    return true;
  };
  if (is_law && !is_in_bounds) {
    const Expected<ProofResult> result = ProveInjective(request, prove);
    if (!add(result)) return std::unexpected(result.error());
    return documents;
  }
  LAYOUTCHECK_TRY(const size_t components, ComponentCount(request));
  for (request.component = 0; request.component < components; ++request.component) {
    const size_t before = documents.size();
    if (!request.layout.empty() || request.equals) {
      const Expected<ProofResult> result = is_in_bounds ? ProveInRange(request, prove) : ProveFormula(request, prove);
      if (!add(result)) return std::unexpected(result.error());
    }
    if (options.integer) {
      const Expected<ProofResult> result = ProveNoOverflow(request, *options.integer, prove);
      if (!add(result)) return std::unexpected(result.error());
    }
    for (size_t k = before; components > 1 && k < documents.size(); ++k) documents[k]["component"] = request.component;
  }
  return documents;
}

// Proves that the strides of the whole are right for the view.
EntryResult ProveViewJson(const ProveEntry& entry, const ProveRunOptions& options) {
  if (entry.equals || options.integer ||
      (!options.laws.empty() && options.laws != std::vector(1, std::string(kStridedFormLaw)))) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("expected a view to be asked for --law ", kStridedFormLaw, " alone: ", entry.layout));
  }
  const Expected<ViewProof> proof = ProveStridedForm(entry.layout, entry.assumptions, options.prove);
  if (!proof) return MakeError(proof.error().kind, StrCat(entry.layout, ": ", proof.error().ToString()));
  std::vector<Json> documents = {ProofJson(proof->result, entry.assumptions)};
  if (!proof->right_while.empty()) {
    documents[0]["right_while"] = proof->right_while;
    documents[0]["right_while_is_exact"] = false;
  }
  return documents;
}

// Proves the laws of a sharded array, that it is sharded like the one of --equals, or that --formula says where its
// elements lie.
EntryResult ProveShardingJson(const ProveEntry& entry, const ProveRunOptions& options) {
  if (options.integer) {
    return ArgumentError("--integers: expected a layout without a sharding, found ", entry.layout);
  }
  std::vector<std::string> assumptions = entry.assumptions;
  if (auto conditions = ShardingConditions(entry.layout, entry.equals)) {
    std::ranges::move(*conditions, std::back_inserter(assumptions));
  }
  if (entry.formula) {
    LAYOUTCHECK_TRY(const auto results,
                    ProvePlaceFormula(entry.layout, *entry.formula, entry.assumptions, options.prove));
    std::vector<Json> documents;
    for (const ProofResult& result : results) documents.push_back(ProofJson(result, assumptions));
    return documents;
  }
  if (entry.equals) {
    LAYOUTCHECK_TRY(const ProofResult result,
                    ProveReshard(entry.layout, *entry.equals, entry.assumptions, options.prove));
    Json document = ProofJson(result, assumptions);
    AddNextSteps(document, NextStepsOfProof(document, {*entry.equals}));
    return std::vector<Json>{document};
  }
  const auto results = ProveSharding(entry.layout, options.laws, entry.assumptions, options.prove);
  if (!results) return MakeError(results.error().kind, StrCat(entry.layout, ": ", results.error().ToString()));
  std::vector<Json> documents;
  for (const ProofResult& result : *results) documents.push_back(ProofJson(result, assumptions));
  return documents;
}

}  // namespace

std::string AskedText(const ProveRunOptions& options) {
  const ExportOptions& exports = options.prove.exports;
  // The last entry is the version of what results say: they have the ranges of names.
  return Json::array({options.laws, options.integer ? options.integer->name : std::string_view(), options.prove.rlimit,
                      LAYOUTCHECK_VERSION, exports.second_solver, exports.emit_directory, "ranges"})
      .Dump();
}

Json ProofDetails(const std::vector<ProveEntry>& entries, const ProveRunOptions& options) {
  Json texts = Json::array();
  for (const ProveEntry& entry : entries) texts.push_back(entry.text);
  return {{"asked", AskedText(options)}, {"entries", texts}};
}

std::string ResultsPath(const std::string& directory) {
  return (std::filesystem::path(directory) / "results.jsonl").string();
}

Expected<std::vector<Json>> ProveEntryJson(const ProveEntry& entry, const ProveRunOptions& options) {
  if (FindSharding(entry.layout)) return ProveShardingJson(entry, options);
  if (entry.formula) return ProveFormulasJson(entry, options);
  if (FindView(entry.layout) != std::string_view::npos) return ProveViewJson(entry, options);
  std::vector<Json> documents;
  if (entry.equals) {
    LAYOUTCHECK_TRY(const ProofResult result, ProveLayoutsEqual(entry.layout, *entry.equals, options.prove));
    documents.push_back(ProofJson(result));
    return documents;
  }
  if (options.integer && IsLinearNotation(entry.layout)) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("--integers: expected --formula beside ", entry.layout, ", a layout in bits"));
  }
  if (options.integer) {
    LAYOUTCHECK_TRY(auto request, WithOffsetFormula({entry.layout, "", {}, {}}));
    if (request.equals) request.formula = *request.equals;
    LAYOUTCHECK_TRY(const ProofResult result, ProveNoOverflow(request, *options.integer, options.prove));
    documents.push_back(ProofJson(result));
    documents.back()["layout"] = entry.layout;
    return documents;
  }
  const auto results = IsNamedStridedText(entry.layout) ? ProveStridedFormula(entry.layout, options.laws, options.prove)
                                                        : ProveLayout(entry.layout, options.laws, options.prove);
  if (!results) return MakeError(results.error().kind, StrCat(entry.layout, ": ", results.error().ToString()));
  for (const ProofResult& result : *results) documents.push_back(ProofJson(result));
  return documents;
}

bool ProveInOrder(
    const std::vector<ProveEntry>& entries, const ProveRunOptions& options, ProveResultsFile& file,
    const std::function<bool(const ProveEntry& entry, const Expected<std::vector<Json>>& results)>& consume) {
  ProgressLine progress;
  std::atomic<size_t> done = 0;
  size_t taken = 0;
  size_t consumed = 0;
  size_t decided = 0;
  // One entry may take as long as thousands of others, which wait for their turn meanwhile.
  const OrderedWorkOptions work{
      .jobs = std::clamp<size_t>(entries.size(), 1, options.jobs), .items_ahead = 1024, .on_wait = [&] {
        progress.Show(StrCat(done.load(), " of ", entries.size(), " entries"));
      }};
  WorkInOrder(
      work, [&] { return taken < entries.size() && !StopSignals::Requested() ? std::optional(taken++) : std::nullopt; },
      [&](size_t /*worker*/, size_t k) {
        EntryResult result = ProveOnce(entries[k], options, file);
        ++done;
        return result;
      },
      [&](const EntryResult& result) {
        progress.Clear();
        const ProveEntry& entry = entries[consumed++];
        if (WasInterrupted(result)) return true;
        ++decided;
        return consume(entry, result);
      });
  return decided == entries.size() || !StopSignals::Requested();
}

}  // namespace layoutcheck
