// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/find/find_layout.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/cli/find/fitted_layouts.h"
#include "layoutcheck/cli/run/code_run.h"
#include "layoutcheck/cli/run/prove_run.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr size_t kMostProofs = 24;

// Returns the formula that is to be sampled: that of the function, if there is one.
Expected<std::string> FormulaOf(const FindRequest& request, const ProveOptions& options) {
  if (!request.code) return *request.formula;
  LAYOUTCHECK_TRY(const Json emitted, CodeFormulaJson(*request.code, options));
  const Json& formula = emitted.at("formula");
  if (formula.is_string()) return formula.text();
  return UnsupportedError(request.code->function, ": no formula is known: ", emitted.at("reason").text());
}

Expected<std::vector<OffsetSample>> SamplesOf(const FindRequest& request, const ProveOptions& options) {
  const bool is_one = request.table || request.memory;
  if (!is_one) {
    LAYOUTCHECK_TRY(const std::string formula, FormulaOf(request, options));
    return SamplesOfFormula(request.array, formula, request.assumptions);
  }
  LAYOUTCHECK_TRY(auto sample, request.table ? SampleOfTable(request.array, *request.table)
                                             : SampleOfMemory(request.array, *request.memory));
  return std::vector{std::move(sample)};
}

// Returns the line that says whether the formula or the function is the index of the layout.
Expected<Json> Prove(const FindRequest& request, const std::string& layout, const ProveOptions& options) {
  if (request.code) {
    CodeRequest code = *request.code;
    code.layout = layout;
    code.assumptions = request.assumptions;
    LAYOUTCHECK_TRY(auto results, ProveCodeJson(code, options));
    return std::move(results.at(0));
  }
  const ProveEntry entry{
      .text = layout, .layout = layout, .formula = request.formula, .equals = {}, .assumptions = request.assumptions};
  LAYOUTCHECK_TRY(auto results, ProveEntryJson(entry, {.laws = {}, .prove = options, .integer = {}}));
  return std::move(results.at(0));
}

// Returns the first of the layouts that is proved, or else the first one that is not refuted.
Expected<FoundLayout> FirstProved(const FindRequest& request, const std::vector<FittedLayout>& layouts,
                                  const ProveOptions& options) {
  FoundLayout found;
  for (size_t k = 0; k < std::min(layouts.size(), kMostProofs); ++k) {
    const std::string& layout = layouts[k].text;
    auto proved = Prove(request, layout, options);
    // A layout without a name of the formula, such as the size of a tile, is none for all of its values.
    if (!proved && proved.error().kind == ErrorKind::kInvalidArgument) continue;
    if (!proved) return std::unexpected(proved.error());
    Json proof = *std::move(proved);
    const std::string verdict = proof.at("verdict").text();
    if (verdict == "refuted" || (verdict == "unknown" && !found.layout.empty())) continue;
    found.layout = layout;
    found.proof = std::move(proof);
    if (verdict == "proved") break;
  }
  return found;
}

}  // namespace

Expected<FoundLayout> FindLayout(const FindRequest& request, const ProveOptions& options) {
  LAYOUTCHECK_TRY(const auto samples, SamplesOf(request, options));
  std::vector<FittedLayout> layouts;
  bool is_complete = true;
  for (const OffsetSample& sample : samples) {
    LayoutFits fits = FitLayouts(request.array, sample);
    is_complete = is_complete && fits.is_complete;
    for (FittedLayout& layout : fits.layouts) {
      const bool is_new = std::ranges::find(layouts, layout.text, &FittedLayout::text) == layouts.end();
      if (is_new) layouts.push_back(std::move(layout));
    }
  }
  std::ranges::stable_sort(layouts, {}, &FittedLayout::notation);
  FoundLayout found;
  if (request.code || !request.array.Names().empty()) {
    LAYOUTCHECK_TRY(found, FirstProved(request, layouts, options));
    found.is_complete = is_complete;
    return found;
  }
  found.is_complete = is_complete;
  found.elements = std::ssize(samples[0].elements.offsets);
  if (layouts.empty()) return found;
  found.layout = layouts[0].text;
  for (const FittedLayout& layout : std::span(layouts).subspan(1)) {
    const bool is_another =
        layout.IsHlo() && std::ranges::any_of(std::span(layouts.data(), &layout), &FittedLayout::IsHlo);
    (is_another ? found.not_determined : found.other_notations).push_back(layout.text);
  }
  return found;
}

}  // namespace layoutcheck
