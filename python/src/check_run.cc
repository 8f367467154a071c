// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check_run.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/shape_stride/tla.h"
#include "layoutcheck/core/sharding/sharding_text.h"
#include "layoutcheck/fuzz/differential/differential.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/model/finding.h"
#include "layoutcheck/properties/run/known_rate.h"
#include "layoutcheck/properties/sharding/sharding_pattern.h"
#include "python_subject.h"

namespace layoutcheck::python {
namespace nb = nanobind;
namespace {

// Returns true if the text can be an argument of a function of the algebra.
bool IsAlgebraArgument(std::string_view text) {
  return ParseComposedLayout(text) || ParseSwizzle(text) || ParseIntTuple(text) || TlaTagFromName(text);
}

Json LawsJson(const CheckSummary& summary) {
  Json laws = Json::object();
  for (const auto& [name, tally] : summary.laws) {
    laws[name] = {{"agreed", tally.agreed},       {"disagreed", tally.disagreed},
                  {"explained", tally.explained}, {"declined", tally.declined},
                  {"refused", tally.refused},     {"outside_domain", tally.outside_domain},
                  {"given_up", tally.given_up}};
  }
  return laws;
}

Json FindingsJson(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) list.push_back(ToJson(finding));
  return list;
}

// Returns true if both are arrays of one element type and rank, in one dimension order, with the same tiles and
// attributes.
bool HaveOneLayout(const Shape& a, const Shape& b) {
  return a.element_type == b.element_type && a.rank() == b.rank() && a.layout == b.layout;
}

// Returns the function that accepts the shapes of which the caller named the layout: each given one, and with each
// pattern those that differ in their sizes. Accepts everything if nothing is given, or if the layout of a pattern
// depends on the values of its names.
std::function<bool(const Shape&)> NamedLayouts(const CheckWork& work) {
  const auto everything = [](const Shape&) { return true; };
  if (work.named_layouts.empty()) return everything;
  std::vector<Shape> instances;
  for (const LayoutPattern& pattern : work.options.patterns) {
    const std::vector<int64_t> ones(pattern.names().size(), 1);
    const std::vector<int64_t> others(pattern.names().size(), 24);
    const auto one = pattern.ShapeWith(ones);
    const auto other = pattern.ShapeWith(others);
    if (!one || !other || !HaveOneLayout(*one, *other)) return everything;
    instances.push_back(*one);
  }
  return [instances = std::move(instances), shapes = work.shapes](const Shape& shape) {
    return std::ranges::find(shapes, shape) != shapes.end() ||
           std::ranges::any_of(instances, [&](const Shape& instance) { return HaveOneLayout(instance, shape); });
  };
}

std::chrono::milliseconds Milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<int64_t>(std::ceil(seconds * 1000)));
}

// Returns the laws of the algebra, and of shardings, about which the subject has operations. An object may have any one
// of the functions of the algebra, so that no question shows that it has none.
std::vector<const AlgebraLaw*> AlgebraLawsFor(const PythonSubject& subject) {
  const bool has_algebra = subject.Has("apply") || subject.Has("make");
  std::vector<const AlgebraLaw*> laws;
  for (const AlgebraLaw* const law : AlgebraLaws()) {
    switch (law->topic) {
      case AlgebraLaw::Topic::kShards:
        if (subject.Has("shard")) laws.push_back(law);
        break;
      case AlgebraLaw::Topic::kReshards:
        if (subject.Has("reshard")) laws.push_back(law);
        break;
      default:
        if (has_algebra) laws.push_back(law);
    }
  }
  return laws;
}

// Limits the work to these laws if the subject answers about arrays with a sharding alone and the caller named no laws:
// it would decline every question of the others.
void LimitToShardings(CheckWork& work, const PythonSubject& subject, const std::vector<const AlgebraLaw*>& laws) {
  if (!work.every_law || laws.empty() || !subject.AnswersShardingsAlone()) return;
  work.algebra_laws = work.AlgebraLawsFor(laws);
  work.every_law = false;
}

}  // namespace

Expected<void> AddText(CheckWork& work, const std::string& text) {
  NamedLayout& named = work.named_layouts.emplace_back(NamedLayout{.text = text});
  work.draws_layouts = !work.options.patterns.empty();
  const bool is_list = text.find(';') != std::string::npos;
  if (FindSharding(text)) {
    named.arguments = work.algebra_arguments.size();
    const auto lists = ListsOfArrays(ReadArguments(text), work.options.cases);
    if (!lists) return std::unexpected(lists.error().error);
    named.argument_lists = lists->size();
    work.algebra_arguments.insert(work.algebra_arguments.end(), lists->begin(), lists->end());
    return {};
  }
  if (!is_list && LayoutPattern::HasNames(text)) {
    auto pattern = LayoutPattern::Parse(text);
    if (!pattern) return std::unexpected(pattern.error());
    named.pattern = work.options.patterns.size();
    work.options.patterns.push_back(*std::move(pattern));
    work.draws_layouts = true;
    return {};
  }
  const bool is_algebra = is_list || IsShapeStrideText(text);
  if (is_algebra) {
    const auto& arguments = work.algebra_arguments.emplace_back(ReadArguments(text));
    named.arguments = work.algebra_arguments.size() - 1;
    for (const std::string& argument : arguments) {
      if (arguments.size() > 1 && !IsAlgebraArgument(argument)) {
        return MakeError(ErrorKind::kSyntax,
                         StrCat("'", argument, "': expected a layout, a swizzle, a tuple, a number or a tag"));
      }
    }
    if (arguments.size() > 1) return {};
  }
  auto shape = HloOfText(text);
  if (shape) {
    named.shape = work.shapes.size();
    work.shapes.push_back(*std::move(shape));
  } else if (!is_algebra || shape.error().kind != ErrorKind::kUnsupported) {
    return std::unexpected(shape.error());
  }
  return {};
}

RunResult RunCheck(CheckWork& work, const nb::callable& start) {
  Interruption interruption;
  const std::function<bool(const Shape&)> is_asked = NamedLayouts(work);
  PythonSubject subject(start(), interruption, is_asked);
  CheckOptions options = work.options;
  options.subject_name = subject.info().name;
  options.stop_requested = [&] { return interruption.is_over(); };
  options.on_case = [&](uint64_t) {
    interruption.CheckSignals();
    return !interruption.is_over();
  };
  const auto fresh = [&]() -> std::unique_ptr<Subject> {
    const nb::gil_scoped_acquire lock;
    try {
      return std::make_unique<PythonSubject>(start(), interruption, is_asked);
    } catch (const std::exception&) {
      interruption.Keep();
      return nullptr;
    }
  };
  CheckSummary summary;
  {
    const nb::gil_scoped_release unlocked;
    SubjectPool pool(subject, 1, fresh);
    const std::vector<const AlgebraLaw*> algebra_laws = AlgebraLawsFor(subject);
    LimitToShardings(work, subject, algebra_laws);
    summary = CheckAll(work, algebra_laws, pool, options);
    for (Finding& finding : HiddenLaws(summary.laws, {})) summary.findings.push_back(std::move(finding));
  }
  Json totals = {{"cases", summary.cases},
                 {"huge_cases", summary.huge_cases},
                 {"complete", summary.complete},
                 {"declined", summary.declined()},
                 {"anything_checked", summary.AnythingChecked()},
                 {"evaluations", summary.index_evaluations},
                 {"laws", LawsJson(summary)},
                 {"families", summary.families},
                 {"classes", summary.statistics.classes()},
                 {"warnings", summary.warnings},
                 {"findings", FindingsJson(summary.findings)}};
  totals["unanswered"] = summary.complete ? Unanswered(work, summary, "law ") : std::vector<std::string>();
  return {std::move(totals), interruption.error()};
}

RunResult RunFuzz(const FuzzWork& work, const nb::object& adapter) {
  Interruption interruption;
  PythonSubject subject(adapter, interruption);
  FuzzOptions options{.kind = work.kind, .seed = work.seed};
  options.cases = work.cases;
  if (work.seconds) options.time = Milliseconds(*work.seconds);
  options.corpus = work.corpus;
  options.stop_at_first = work.stop_at_first;
  options.stop_requested = [&] { return interruption.is_over(); };
  options.on_finding = [&](Finding& finding) { finding.subject = subject.info().name; };
  options.on_progress = [&](const FuzzProgress&) { interruption.CheckSignals(); };
  FuzzSummary summary;
  {
    const nb::gil_scoped_release unlocked;
    summary = FuzzSubject(subject, options);
  }
  Json totals = {{"cases", summary.cases},
                 {"complete", summary.complete},
                 {"declined", summary.declined},
                 {"anything_checked", summary.AnythingChecked()},
                 {"findings", FindingsJson(summary.findings)}};
  return {std::move(totals), interruption.error()};
}

}  // namespace layoutcheck::python
