// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/algebra/check_work.h"
#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <set>
#include <utility>
#include "layoutcheck/core/base/nearest_name.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/generate/layout_family.h"

namespace layoutcheck {
namespace {

template <class AnyLaw>
void AddOnce(std::vector<const AnyLaw*>& laws, const AnyLaw* law) {
  if (std::ranges::find(laws, law) == laws.end()) laws.push_back(law);
}

// Returns the laws that are about one sharding, or the others.
std::vector<const AlgebraLaw*> AboutShards(const std::vector<const AlgebraLaw*>& laws, bool are_about) {
  std::vector<const AlgebraLaw*> found;
  std::ranges::copy_if(laws, std::back_inserter(found),
                       [&](const AlgebraLaw* law) { return (law->topic == AlgebraLaw::Topic::kShards) == are_about; });
  return found;
}

// Adds the summary of other cases.
void Append(CheckSummary& summary, CheckSummary more) {
  for (const auto& [name, tally] : more.laws) summary.laws[name].Add(tally);
  more.laws.clear();
  const uint64_t cases = summary.cases + more.cases;
  Merge(summary, std::move(more));
  summary.cases = cases;
}

void NoteAnswered(CheckWork& work, std::optional<uint64_t> NamedLayout::* number, const std::set<uint64_t>& answered) {
  for (NamedLayout& layout : work.named_layouts) {
    if (!(layout.*number)) continue;
    const uint64_t first = *(layout.*number);
    const auto found = answered.lower_bound(first);
    const bool is_found = found != answered.end() && *found < first + layout.argument_lists;
    layout.is_answered = layout.is_answered || is_found;
  }
}

// The time of a run, of which each of its parts gets an equal share of what the parts before it left.
class TimeOfParts {
 public:
  TimeOfParts(std::optional<std::chrono::milliseconds> all, int parts) : all_(all), parts_(parts) {}

  // Returns the time of the next part, or nothing if the run has no limit.
  std::optional<std::chrono::milliseconds> OfNext() {
    if (!all_) return std::nullopt;
    const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin_);
    return std::max(*all_ - spent, std::chrono::milliseconds(0)) / parts_--;
  }

 private:
  std::optional<std::chrono::milliseconds> all_;
  int parts_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

std::vector<const AlgebraLaw*> CheckWork::AlgebraLawsFor(const std::vector<const AlgebraLaw*>& taken) const {
  if (!every_law) return algebra_laws;
  return scope ? AboutShards(taken, true) : taken;
}

std::vector<std::string_view> LawNames() {
  std::vector<std::string_view> names;
  for (const Law* const law : AllLaws()) names.push_back(law->name);
  for (const AlgebraLaw* const law : AlgebraLaws()) names.push_back(law->name);
  return names;
}

Expected<void> AddLaw(CheckWork& work, const std::string& name) {
  work.every_law = false;
  work.named_laws.push_back(name);
  if (const AlgebraLaw* const algebra_law = FindAlgebraLaw(name)) {
    AddOnce(work.algebra_laws, algebra_law);
  } else if (const Law* const law = FindLaw(name)) {
    AddOnce(work.options.laws, law);
  } else {
    return ArgumentError("no law '", name, "'", DidYouMean(name, LawNames()));
  }
  return {};
}

Expected<void> SetFamily(CheckWork& work, const std::string& family) {
  const LayoutFamily* const found = FindFamily(family);
  if (found == nullptr) {
    return ArgumentError("no family '", family, "', expected one of ", FamilyNames(),
                         DidYouMean(family, AllFamilies(), std::mem_fn(&LayoutFamily::name)));
  }
  work.options.family = family;
  work.options.patterns = found->patterns;
  return {};
}

CheckSummary CheckAll(CheckWork& work, const std::vector<const AlgebraLaw*>& taken, SubjectPool& pool,
                      CheckOptions options) {
  std::vector<const AlgebraLaw*> algebra_laws = work.AlgebraLawsFor(taken);
  std::vector<const AlgebraLaw*> enumerated_laws;
  if (work.sharding_scope) {
    enumerated_laws = AboutShards(algebra_laws, true);
    algebra_laws = AboutShards(algebra_laws, false);
  }
  const bool draws_tiled = work.checks_tiled_laws() && (work.scope || work.draws_layouts);
  const bool has_shapes = work.checks_tiled_laws() && !work.scope && !work.shapes.empty();
  const bool has_arguments = !algebra_laws.empty() && !work.algebra_arguments.empty();
  const bool draws_algebra = !algebra_laws.empty() && work.draws_layouts;
  const bool enumerates = !enumerated_laws.empty();
  TimeOfParts time(options.time,
                   int{draws_tiled} + int{has_shapes} + int{enumerates} + int{has_arguments} + int{draws_algebra});
  CheckSummary summary;
  if (draws_tiled) {
    options.time = time.OfNext();
    summary = work.scope ? CheckExhaustive(pool, *work.scope, options) : CheckRandom(pool, options);
    NoteAnswered(work, &NamedLayout::pattern, summary.answered_patterns);
  }
  if (has_shapes) {
    options.time = time.OfNext();
    CheckSummary given = CheckLayouts(pool, work.shapes, options);
    NoteAnswered(work, &NamedLayout::shape, given.answered_cases);
    Append(summary, std::move(given));
  }
  if (enumerates && !(options.stop_at_first && !summary.findings.empty())) {
    options.time = time.OfNext();
    Append(summary, CheckShardings(pool, enumerated_laws, *work.sharding_scope, options));
  }
  if (algebra_laws.empty() || (options.stop_at_first && !summary.findings.empty())) return summary;
  CheckSummary algebra;
  if (has_arguments) {
    options.time = time.OfNext();
    algebra = CheckArguments(pool, algebra_laws, work.algebra_arguments, options);
    NoteAnswered(work, &NamedLayout::arguments, algebra.answered_cases);
  }
  if (draws_algebra) {
    options.time = time.OfNext();
    CheckSummary drawn = CheckAlgebra(pool, algebra_laws, options);
    NoteAnswered(work, &NamedLayout::pattern, drawn.answered_patterns);
    Append(algebra, std::move(drawn));
  }
  Merge(summary, std::move(algebra));
  return summary;
}

std::vector<std::string> Unanswered(const CheckWork& work, const CheckSummary& summary, const std::string& law_prefix) {
  std::vector<std::string> unanswered;
  for (const std::string& name : work.named_laws) {
    const auto law = summary.laws.find(name);
    if (law == summary.laws.end() || !law->second.is_answered()) unanswered.push_back(StrCat(law_prefix, name));
  }
  for (const NamedLayout& layout : work.named_layouts) {
    if (!layout.is_answered) unanswered.push_back(layout.text);
  }
  return unanswered;
}

}  // namespace layoutcheck
