// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <tuple>
#include "check_run.h"
#include "errors.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/cli/reports/finding_text.h"
#include "layoutcheck/cli/reports/report.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/sharding/sharding_text.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/algebra/algebra_law.h"
#include "layoutcheck/properties/generate/draw_case.h"
#include "layoutcheck/properties/generate/layout_family.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/run/shrink.h"
#include "register.h"

namespace layoutcheck::python {
namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

std::string Dump(Json document) {
  document.SortMembers();
  return document.Dump();
}

[[noreturn]] void Refuse(std::string message) { RaiseLayoutError({ErrorKind::kInvalidArgument, std::move(message)}); }

// Adds the layouts that the caller named.
void AddLayouts(CheckWork& work, const std::vector<std::string>& layouts) {
  for (const std::string& text : layouts) {
    if (auto added = AddText(work, text); !added) RaiseTextError(text, std::move(added.error()));
  }
}

// Returns the totals and findings of a run, and the exception that ended it, or None.
nb::tuple ResultOf(const RunResult& result) { return nb::make_tuple(Dump(result.totals), result.error); }

nb::tuple Check(const nb::callable& start, const std::vector<std::string>& layouts,
                const std::vector<std::string>& laws, const std::optional<std::string>& family,
                std::optional<size_t> exhaustive, std::optional<uint64_t> cases, std::optional<double> seconds,
                uint64_t seed, bool stop_at_first) {
  CheckWork work;
  CheckOptions& options = work.options;
  options.seed = seed;
  options.stop_at_first = stop_at_first;
  constexpr uint64_t kDefaultCases = 1000;
  options.cases = cases.value_or(seconds ? CheckOptions::kEndless : kDefaultCases);
  if (seconds) options.time = std::chrono::milliseconds(static_cast<int64_t>(std::ceil(*seconds * 1000)));
  if (exhaustive) {
    const auto ladder = ExhaustiveLadder();
    if (*exhaustive < 1 || *exhaustive > ladder.size()) {
      Refuse(StrCat("exhaustive: expected the number of a scope, 1 to ", ladder.size(), ", got ", *exhaustive));
    }
    work.scope = ladder[*exhaustive - 1];
    work.sharding_scope = ShardingLadder()[*exhaustive - 1];
  }
  for (const std::string& law : laws) {
    if (auto added = AddLaw(work, law); !added) {
      RaiseLayoutError({added.error().kind, StrCat(added.error().message, "; layoutcheck.laws() lists them")});
    }
  }
  if (family) ValueOrRaise(SetFamily(work, *family));
  AddLayouts(work, layouts);
  return ResultOf(RunCheck(work, start));
}

nb::tuple Fuzz(const nb::object& adapter, const std::string& kind, std::optional<double> seconds,
               std::optional<uint64_t> cases, uint64_t seed, const std::vector<std::string>& corpus,
               bool stop_at_first) {
  const auto known_kind = TextKindFromName(kind);
  if (!known_kind) {
    Refuse(StrCat("kind: expected shape, layout or instruction, got '", kind, "'"));
  }
  return ResultOf(RunFuzz({*known_kind, seconds, cases, seed, corpus, stop_at_first}, adapter));
}

// The layouts with which a test is run.
struct DrawnLayouts {
  std::vector<std::string> layouts;
  std::optional<std::string> family;
  uint64_t cases;
  uint64_t seed;
  int64_t max_elements;
  int64_t max_rank;
  bool with_huge;

  // Calls visit(case) for the given layouts and then for those of the cases 0, 1, ... of a run with this seed, each
  // once, until it returns false, there are `cases` of them, or twenty times as many were drawn.
  template <class Visit>
  void ForEach(Visit visit) const {
    CheckWork work;
    if (family) ValueOrRaise(SetFamily(work, *family));
    AddLayouts(work, layouts);
    for (const std::string& text : layouts) {
      if (FindSharding(text)) RaiseTextError(text, {ErrorKind::kUnsupported, "expected a layout of one memory"});
    }
    LayoutScope scope;
    scope.max_elements = max_elements;
    scope.max_padded_elements = std::max(scope.max_padded_elements, max_elements);
    scope.max_rank = max_rank;
    std::set<std::string> seen;
    for (const Shape& shape : work.shapes) {
      seen.insert(ToString(shape));
      if (!visit(DrawnCase{.shape = shape})) return;
    }
    if (!work.draws_layouts) return;
    const CaseSource source = work.options.patterns.empty()
                                  ? CaseSource(scope)
                                  : CaseSource(scope, work.options.patterns, work.options.family);
    const uint64_t most = cases > UINT64_MAX / 20 ? UINT64_MAX : 20 * cases;
    for (uint64_t number = 0; number < most && seen.size() < cases; ++number) {
      const auto drawn = source.Draw(seed, number);
      if (!drawn) break;
      if (drawn->is_huge && !with_huge) continue;
      if (seen.insert(ToString(drawn->shape)).second && !visit(*drawn)) return;
    }
  }
};

std::vector<std::string> DrawLayouts(std::vector<std::string> layouts, std::optional<std::string> family,
                                     uint64_t cases, uint64_t seed, int64_t max_elements, int64_t max_rank,
                                     bool with_huge) {
  const DrawnLayouts drawn = {std::move(layouts), std::move(family), cases, seed, max_elements, max_rank, with_huge};
  std::vector<std::string> texts;
  drawn.ForEach([&](const DrawnCase& one) {
    texts.push_back(ToString(one.shape));
    return true;
  });
  return texts;
}

// Returns the simplest layout found with which fails(text) is true, from one that DrawLayouts returns with the same
// arguments. A layout that is no drawn one, and one without names, stays as it is.
std::string ShrinkLayout(const std::string& text, const nb::callable& fails, int64_t most_evaluations,
                         std::vector<std::string> layouts, std::optional<std::string> family, uint64_t cases,
                         uint64_t seed, int64_t max_elements, int64_t max_rank, bool with_huge) {
  const size_t given = layouts.size();
  const DrawnLayouts drawn = {std::move(layouts), std::move(family), cases, seed, max_elements, max_rank, with_huge};
  std::string smallest = text;
  drawn.ForEach([&](const DrawnCase& one) {
    if (ToString(one.shape) != text) return true;
    if (given > 0 && one.pattern == nullptr) return false;
    const auto shape_fails = [&](const Shape& shape) { return nb::cast<bool>(fails(ToString(shape))); };
    smallest = ToString(ShrinkCase(one, shape_fails, most_evaluations).shape);
    return false;
  });
  return smallest;
}

Finding FindingOf(const std::string& text) { return ValueOrRaise(FindingFromJson(text)); }

Json FactsJson(const std::vector<Fact>& facts) {
  Json list = Json::array();
  for (const Fact& fact : facts) list.push_back(Json::array({fact.name, fact.value}));
  return list;
}

// Returns the parts of a finding from which its text is made.
std::string Parts(const std::string& finding, int64_t width, int64_t height) {
  const Finding read = FindingOf(finding);
  const nb::gil_scoped_release unlocked;
  const FindingParts parts = PartsOf(read);
  Json document = {{"facts", FactsJson(parts.facts)},
                   {"picture", parts.boxes ? DrawText(*parts.boxes, {.width = width, .height = height}) : ""},
                   {"request", nullptr},
                   {"answer", nullptr}};
  if (parts.test) {
    document["request"] = Json::Parse(parts.test->request).value_or(Json());
    document["answer"] = Json::Parse(parts.test->answer).value_or(Json());
  }
  return Dump(document);
}

// Returns the picture of a layout's memory, or nothing if it is too large.
std::string Picture(const std::string& text, int64_t width, int64_t height) {
  constexpr int64_t kMostCells = 4096;
  const auto layout = ValueOrRaise(ReadLayout(text));
  const int64_t cells = layout->Sizes().padded_elements;
  if (cells < 1 || cells > kMostCells) return "";
  const auto boxes = layout->Boxes();
  return boxes ? DrawText(*boxes, {.width = width, .height = height}) : "";
}

// Returns findings, each as JSON with the file and the line that shows it, as a document.
std::string Report(const std::string& format, const std::vector<std::tuple<std::string, std::string, int64_t>>& list) {
  std::vector<SavedFinding> findings;
  for (const auto& [finding, path, line] : list) findings.push_back({FindingOf(finding), path, line});
  const nb::gil_scoped_release unlocked;
  if (format == "sarif") return SarifReport(findings);
  return format == "junit" ? JunitReport(findings) : HtmlReport(findings);
}

// Returns the canonical text, or nothing for a text that the reference rejects.
std::optional<std::string> Canonical(const std::string& kind, const std::string& text) {
  const auto known_kind = TextKindFromName(kind);
  if (!known_kind) return std::nullopt;
  const auto canonical = CanonicalText(*known_kind, text);
  return canonical ? std::optional(*canonical) : std::nullopt;
}

std::vector<std::tuple<std::string, std::string, std::string>> Laws() {
  std::vector<std::tuple<std::string, std::string, std::string>> laws;
  for (const Law* const law : AllLaws()) laws.emplace_back(law->name, law->statement, law->domain);
  for (const AlgebraLaw* const law : AlgebraLaws()) laws.emplace_back(law->name, law->statement, law->domain);
  return laws;
}

std::vector<std::tuple<std::string, std::string>> Families() {
  std::vector<std::tuple<std::string, std::string>> families;
  for (const LayoutFamily& family : AllFamilies()) families.emplace_back(family.name, family.description);
  return families;
}

}  // namespace

void RegisterCheck(nb::module_& module) {
  module.def("check", Check, "start"_a, "layouts"_a, nb::kw_only(), "laws"_a, "family"_a.none(), "exhaustive"_a.none(),
             "cases"_a.none(), "seconds"_a.none(), "seed"_a, "stop_at_first"_a,
             "Checks a subject in Python. Returns totals and findings as JSON, and what ended the run or None.");
  module.def("fuzz", Fuzz, "adapter"_a, "kind"_a, nb::kw_only(), "seconds"_a.none(), "cases"_a.none(), "seed"_a,
             "corpus"_a, "stop_at_first"_a, "Fuzzes a parser in Python. Returns as check does.");
  module.def("draw_layouts", DrawLayouts, "layouts"_a, nb::kw_only(), "family"_a.none(), "cases"_a, "seed"_a,
             "max_elements"_a, "max_rank"_a, "huge"_a, "Returns the texts of drawn layouts, each once.");
  module.def("shrink_layout", ShrinkLayout, "text"_a, "fails"_a, "most_evaluations"_a, "layouts"_a, nb::kw_only(),
             "family"_a.none(), "cases"_a, "seed"_a, "max_elements"_a, "max_rank"_a, "huge"_a,
             "Returns the simplest layout found for which fails(text) is True, from a drawn one.");
  module.def("finding_parts", Parts, "finding"_a, "width"_a, "height"_a,
             "Returns the facts, the picture and the test of a finding as JSON.");
  module.def("picture", Picture, "layout"_a, "width"_a, "height"_a,
             "Returns a layout's memory, drawn with characters; nothing if it is too large.");
  module.def("findings_report", Report, "format"_a, "findings"_a,
             "Returns findings as a document: 'sarif', 'junit' or 'html'.");
  module.def("canonical_text", Canonical, "kind"_a, "text"_a,
             "Returns the canonical text of a shape, a layout or an instruction; None if it is not valid.");
  module.def("laws", Laws, "Returns (name, statement, domain) of each law.");
  module.def("families", Families, "Returns (name, description) of each family of layouts.");
}

}  // namespace layoutcheck::python
