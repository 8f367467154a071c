// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdio>
#include <limits>
#include <tuple>
#include "layoutcheck/cli/base/duration.h"
#include "layoutcheck/cli/base/shard.h"
#include "layoutcheck/cli/notations/conversion.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/run/check_stages.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/shape_stride/tla.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kDefaultCases = 1000;  // six times the cases needed for the hardest seeded fault

using Planned = std::expected<void, std::string>;

std::unexpected<std::string> Wrong(std::string_view argument, const Error& error) {
  return std::unexpected(StrCat(argument, ": ", error.ToString()));
}

// Returns the array shape that a LAYOUT argument names. For a layout in another notation, it is the XLA layout that is
// the same map, and a line on stderr says so.
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

template <class AnyLaw>
void AddOnce(std::vector<const AnyLaw*>& laws, const AnyLaw* law) {
  if (std::ranges::find(laws, law) == laws.end()) laws.push_back(law);
}

Planned PlanLaws(const std::vector<std::string>& names, CheckPlan& plan) {
  plan.every_law = names.empty();
  for (const std::string& name : names) {
    if (const AlgebraLaw* const algebra_law = FindAlgebraLaw(name)) {
      AddOnce(plan.algebra_laws, algebra_law);
    } else if (const Law* const law = FindLaw(name)) {
      AddOnce(plan.options.laws, law);
    } else {
      return std::unexpected(StrCat("--law: no law '", name, "'; see layoutcheck laws"));
    }
  }
  return {};
}

Planned PlanExtent(const CheckCommandLine& arguments, CheckPlan& plan) {
  if (!arguments.shard.empty()) {
    const auto shard = ReadShard(arguments.shard);
    if (!shard) return Wrong("--shard", shard.error());
    std::tie(plan.options.shard_index, plan.options.shard_count) = *shard;
  }
  plan.options.cases = arguments.cases.value_or(kDefaultCases);
  if (!arguments.time.empty()) {
    const auto time = ReadDuration(arguments.time);
    if (!time) return Wrong("--time", time.error());
    plan.options.time = *time;
    if (!arguments.cases) plan.options.cases = std::numeric_limits<uint64_t>::max() / 2;
  }
  if (!arguments.exhaustive) return {};
  const auto ladder = ExhaustiveLadder();
  if (*arguments.exhaustive < 1 || *arguments.exhaustive > ladder.size()) {
    return std::unexpected(
        StrCat("--exhaustive: expected the number of a scope, 1 to ", ladder.size(), ", got ", *arguments.exhaustive));
  }
  if (!arguments.layouts.empty() || arguments.cases) {
    return std::unexpected("--exhaustive enumerates a scope: it goes with neither LAYOUT nor --cases");
  }
  plan.scope = ladder[*arguments.exhaustive - 1];
  return {};
}

// Checks that a text can be an argument of a function of the algebra.
Expected<void> CheckAlgebraArgument(std::string_view text) {
  const auto layout = ParseComposedLayout(text);
  if (layout || ParseSwizzle(text) || ParseIntTuple(text) || TlaTagFromName(text)) return {};
  return std::unexpected(layout.error());
}

// Shape:stride text is an argument of the algebra and, alone, also a layout for the laws of tiled layouts.
Planned PlanLayout(const std::string& text, CheckPlan& plan) {
  const bool is_algebra = IsShapeStrideText(text) || text.find(';') != std::string::npos;
  if (is_algebra) {
    const auto& arguments = plan.algebra_arguments.emplace_back(ReadArguments(text));
    if (arguments.size() > 1) {
      for (const std::string& argument : arguments) {
        if (auto valid = CheckAlgebraArgument(argument); !valid) {
          return Wrong(StrCat(text, ": ", argument), valid.error());
        }
      }
      return {};
    }
  }
  auto shape = ShapeOf(text);
  if (shape) {
    plan.shapes.push_back(*std::move(shape));
  } else if (!is_algebra || shape.error().kind != ErrorKind::kUnsupported) {
    return Wrong(text, shape.error());
  }
  return {};
}

}  // namespace

std::expected<CheckPlan, std::string> PlanCheck(const CheckCommandLine& arguments) {
  CheckPlan plan;
  plan.options.seed = arguments.seed;
  plan.options.subject_name = arguments.subject;
  plan.draws_layouts = arguments.layouts.empty();
  if (auto laws = PlanLaws(arguments.laws, plan); !laws) return std::unexpected(laws.error());
  if (auto extent = PlanExtent(arguments, plan); !extent) return std::unexpected(extent.error());
  auto subject_options = ToSubjectOptions(arguments.subject_arguments, arguments.subject);
  if (!subject_options) return std::unexpected(subject_options.error().message);
  plan.subject_options = *std::move(subject_options);
  for (const std::string& text : arguments.layouts) {
    if (auto planned = PlanLayout(text, plan); !planned) return std::unexpected(planned.error());
  }
  if (!arguments.known.empty()) {
    auto known = KnownDifferences::Read(arguments.known);
    if (!known) return Wrong("--known", known.error());
    plan.known = *std::move(known);
  }
  return plan;
}

}  // namespace layoutcheck
