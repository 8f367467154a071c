// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include "layoutcheck/cli/base/duration.h"
#include "layoutcheck/cli/base/shard.h"
#include "layoutcheck/cli/notations/conversion.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/notations/view_notation.h"
#include "layoutcheck/cli/run/check_stages.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/trim.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/linear/linear_notation.h"
#include "layoutcheck/core/shape_stride/cute_types.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/shape_stride/tla.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/properties/axis/axis_expression.h"
#include "layoutcheck/properties/sharding/sharding_pattern.h"
#include "layoutcheck/solver/files/tile_set.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kDefaultCases = 1000;  // six times the cases needed for the hardest seeded fault

using Planned = std::expected<void, UnusableArgument>;

std::unexpected<UnusableArgument> Wrong(std::string_view argument, const Error& error) {
  return std::unexpected(UnusableArgument{std::string(argument), error});
}

std::unexpected<UnusableArgument> Wrong(std::string message) {
  return Wrong("", {ErrorKind::kInvalidArgument, std::move(message)});
}

// Returns the array shape that a LAYOUT argument names. For a layout in another notation, it is the XLA layout that is
// the same map, and a line on stderr says so.
Expected<Shape> ShapeOf(const std::string& text) {
  LAYOUTCHECK_TRY(const auto layout, ReadLayout(text));
  const CoreForms forms = layout->Forms();
  if (forms.shape && *forms.shape && ToString(**forms.shape) == layout->Text()) return *forms.shape;
  const auto conversion = Convert(*layout, ConversionTarget::kHlo, ElementType::kF32);
  if (!conversion) {
    return MakeError(conversion.error().kind, StrCat("no XLA layout is the same map: ", conversion.error().message));
  }
  std::fputs(StrCat(OneLine(text), " is checked as ", conversion->text, "\n").c_str(), stderr);
  return ParseShape(conversion->text);
}

Planned PlanLaws(const std::vector<std::string>& names, CheckPlan& plan) {
  for (const std::string& name : names) {
    if (auto added = AddLaw(plan, name); !added) {
      return Wrong(StrCat("--law: ", added.error().message, "; see layoutcheck laws"));
    }
  }
  return {};
}

Planned PlanExtent(const CheckCommandLine& arguments, CheckPlan& plan) {
  if (!arguments.shard.empty()) {
    const auto shard = ReadShard(arguments.shard);
    if (!shard) return Wrong("--shard", shard.error());
    plan.options.shard_index = shard->index;
    plan.options.shard_count = shard->count;
  }
  plan.options.cases = arguments.cases.value_or(kDefaultCases);
  if (!arguments.time.empty()) {
    const auto time = ReadDuration(arguments.time);
    if (!time) return Wrong("--time", time.error());
    plan.options.time = *time;
    if (!arguments.cases) plan.options.cases = CheckOptions::kEndless;
  }
  if (!arguments.exhaustive) return {};
  const auto ladder = ExhaustiveLadder();
  if (*arguments.exhaustive < 1 || *arguments.exhaustive > ladder.size()) {
    return Wrong(
        StrCat("--exhaustive: expected the number of a scope, 1 to ", ladder.size(), ", got ", *arguments.exhaustive));
  }
  if (!arguments.layouts.empty() || !arguments.layouts_file.empty() || arguments.cases) {
    return Wrong("--exhaustive enumerates a scope: it goes with neither LAYOUT, --layouts nor --cases");
  }
  plan.scope = ladder[*arguments.exhaustive - 1];
  plan.sharding_scope = ShardingLadder()[*arguments.exhaustive - 1];
  return {};
}

// Checks that a text can be an argument of a function of the algebra.
Expected<void> CheckAlgebraArgument(std::string_view text) {
  const auto layout = ParseComposedLayout(text);
  if (layout || ParseSwizzle(text) || ParseIntTuple(text) || TlaTagFromName(text)) return {};
  return std::unexpected(layout.error());
}

// Plans the arguments of a law of sharded arrays: an array with its sharding, two of them, or one and the sizes of a
// view. With names for sizes there is a list of arguments for each of the smallest values.
Planned PlanSharded(const std::string& text, CheckPlan& plan) {
  NamedLayout& named = plan.named_layouts.back();
  named.arguments = plan.algebra_arguments.size();
  const auto lists = ListsOfArrays(ReadArguments(text), plan.options.cases);
  if (!lists) return Wrong(lists.error().argument, lists.error().error);
  named.argument_lists = lists->size();
  plan.algebra_arguments.insert(plan.algebra_arguments.end(), lists->begin(), lists->end());
  return {};
}

// An expression is an argument of the laws of tensors of integers. A text with names for sizes is a pattern.
// Shape:stride text and views are arguments of the algebra and, alone, also layouts for the laws of tiled layouts.
Planned PlanLayout(const std::string& text, CheckPlan& plan) {
  if (IsCuteLayoutType(text)) {
    const auto plain = WithoutCuteTypes(text);
    return plain ? PlanLayout(*plain, plan) : Wrong(text, plain.error());
  }
  NamedLayout& named = plan.named_layouts.emplace_back(NamedLayout{.text = text});
  if (IsAxisExpressionText(text)) {
    if (const auto expression = AxisExpression::Parse(text); !expression) return Wrong(text, expression.error());
    named.arguments = plan.algebra_arguments.size();
    plan.algebra_arguments.push_back({text});
    return {};
  }
  if (FindSharding(text)) return PlanSharded(text, plan);
  const bool in_bits = IsLinearNotation(text);
  if (!in_bits && !IsViewText(text) && text.find(';') == std::string::npos && LayoutPattern::HasNames(text)) {
    auto pattern = LayoutPattern::Parse(text);
    if (!pattern) return Wrong(text, pattern.error());
    named.pattern = plan.options.patterns.size();
    plan.options.patterns.push_back(*std::move(pattern));
    return {};
  }
  const bool is_algebra =
      !in_bits && (IsShapeStrideText(text) || IsViewText(text) || text.find(';') != std::string::npos);
  if (is_algebra) {
    named.arguments = plan.algebra_arguments.size();
    const auto& arguments = plan.algebra_arguments.emplace_back(ReadArguments(text));
    if (arguments.size() > 1) {
      for (const std::string& argument : arguments) {
        if (auto valid = CheckAlgebraArgument(argument); !valid) {
          return Wrong(StrCat("'", text, "': argument '", argument, "'"), valid.error());
        }
      }
      return {};
    }
  }
  auto shape = ShapeOf(text);
  if (shape) {
    named.shape = plan.shapes.size();
    plan.shapes.push_back(*std::move(shape));
  } else if (!is_algebra || shape.error().kind != ErrorKind::kUnsupported) {
    return Wrong(text, shape.error());
  }
  return {};
}

// Returns a line without blanks around it and without its comment. HLO text has a `#` only behind another character.
std::string_view LayoutIn(std::string_view line) {
  for (size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at > 0 && line[at - 1] != ' ' && line[at - 1] != '\t') continue;
    line = line.substr(0, at);
    break;
  }
  return Trimmed(line);
}

// Returns true if the text is an entry of a tile set with options of `prove`, not arguments of a function of the
// algebra.
bool HasProveOptions(std::string_view text) {
  const size_t semicolon = text.find(';');
  const size_t begin = semicolon == std::string_view::npos ? semicolon : text.find_first_not_of("; \t", semicolon);
  if (begin == std::string_view::npos) return false;
  const std::string_view word = text.substr(begin, text.find_first_of(" \t", begin) - begin);
  return word == "formula" || word == "equals" || word == "assume";
}

// Plans the layouts of a file: one per line, which may have a comment after `#`, or options of `prove`, which are left
// out, after `;`.
Planned PlanFile(const std::string& file, CheckPlan& plan) {
  std::ifstream in(file);
  std::string line;
  for (int64_t number = 1; std::getline(in, line); ++number) {
    std::string layout(LayoutIn(line));
    if (layout.empty()) continue;
    if (HasProveOptions(layout)) {
      auto entry = ParseProveEntry(layout);
      if (!entry) return Wrong(StrCat("--layouts: ", file, ":", number), entry.error());
      ++plan.formulas_left_out;
      layout = std::move(entry->layout);
      if (layout.empty()) continue;  // only formulas are compared
    }
    if (auto planned = PlanLayout(layout, plan); !planned) {
      return Wrong(StrCat("--layouts: ", file, ":", number, ": ", planned.error().argument), planned.error().error);
    }
  }
  if (!in.eof()) {
    return Wrong("--layouts", UnavailableError("cannot read ", file, ": ", std::strerror(errno)).error());
  }
  if (plan.options.patterns.empty() && plan.shapes.empty() && plan.algebra_arguments.empty()) {
    return Wrong(StrCat("--layouts: ", file, " has no layout"));
  }
  return {};
}

Planned PlanLayouts(const CheckCommandLine& arguments, CheckPlan& plan) {
  const bool named = !arguments.layouts.empty() || !arguments.layouts_file.empty();
  if (!arguments.family.empty()) {
    if (auto set = SetFamily(plan, arguments.family); !set) return Wrong("--family", set.error());
    if (named || plan.scope) return Wrong("--family goes with neither LAYOUT, --layouts nor --exhaustive");
  }
  for (const std::string& text : arguments.layouts) {
    if (auto planned = PlanLayout(text, plan); !planned) return planned;
  }
  if (!arguments.layouts_file.empty()) {
    if (auto planned = PlanFile(arguments.layouts_file, plan); !planned) return planned;
  }
  plan.draws_layouts = !named || !plan.options.patterns.empty();
  return {};
}

// Returns arguments of the named laws, in words.
std::string_view ExampleFor(const CheckPlan& plan) {
  if (!plan.options.laws.empty()) return "XLA layouts such as 'f32[2,3]{1,0}'";
  switch (plan.algebra_laws.front()->topic) {
    case AlgebraLaw::Topic::kAxes: return "expressions such as 'muli(range(0,8),range(0,8))'";
    case AlgebraLaw::Topic::kShards: return "arrays with a sharding such as 'f32[8] mesh[2] S(0)'";
    case AlgebraLaw::Topic::kReshards: return "two shardings such as 'f32[8] mesh[2] S(0); f32[8] mesh[2] R'";
    case AlgebraLaw::Topic::kShardViews: return "a sharded array and sizes such as 'f32[8] mesh[2] S(0); [4,2]'";
    default: return "arguments such as '(4,3):(3,1); 6:1'";
  }
}

// Refuses a LAYOUT about which none of the named laws can ask.
Planned RequireLawsFor(const CheckPlan& plan) {
  if (plan.every_law) return {};
  for (const NamedLayout& named : plan.named_layouts) {
    const bool fits_tiled = (named.shape || named.pattern) && !plan.options.laws.empty();
    const bool fits_algebra = (named.arguments || named.pattern) && !plan.algebra_laws.empty();
    if (fits_tiled || fits_algebra) continue;
    return Wrong(StrCat("--law ", plan.named_laws.front(), " takes ", ExampleFor(plan), ", got '", named.text, "'"));
  }
  return {};
}

// Plans how subjects run: several threads call no library in this process, because it may not be made for that.
Planned PlanSubjects(const CheckCommandLine& arguments, CheckPlan& plan) {
  const bool is_library = arguments.subject.starts_with("lib:");
  SubjectArguments subject_arguments = arguments.subject_arguments;
  subject_arguments.isolate |= is_library && arguments.jobs > 1;
  auto options = ToSubjectOptions(subject_arguments, arguments.subject);
  subject_arguments.isolate |= is_library;
  auto fresh = ToSubjectOptions(subject_arguments, arguments.subject);
  if (!options || !fresh) return Wrong("", (options ? fresh : options).error());
  plan.subject_options = *std::move(options);
  plan.fresh_options = *std::move(fresh);
  // The run gives up by law, in the order of the cases, so that the result does not depend on the number of threads.
  plan.subject_options.gives_up = false;
  plan.fresh_options.gives_up = false;
  plan.jobs = arguments.jobs;
  const uint64_t cases =
      plan.draws_layouts ? plan.options.cases : std::max(plan.shapes.size(), plan.algebra_arguments.size());
  if (!plan.scope) plan.jobs = static_cast<size_t>(std::clamp<uint64_t>(cases, 1, plan.jobs));
  return {};
}

}  // namespace

std::expected<CheckPlan, UnusableArgument> PlanCheck(const CheckCommandLine& arguments) {
  CheckPlan plan;
  plan.options.seed = arguments.seed;
  plan.options.subject_name = arguments.subject;
  LAYOUTCHECK_RETURN_IF_ERROR(PlanLaws(arguments.laws, plan));
  LAYOUTCHECK_RETURN_IF_ERROR(PlanExtent(arguments, plan));
  plan.options.stop_at_first = arguments.stop_at_first;
  LAYOUTCHECK_RETURN_IF_ERROR(PlanLayouts(arguments, plan));
  LAYOUTCHECK_RETURN_IF_ERROR(RequireLawsFor(plan));
  LAYOUTCHECK_RETURN_IF_ERROR(PlanSubjects(arguments, plan));
  if (!arguments.known.empty()) {
    auto known = KnownDifferences::Read(arguments.known);
    if (!known) return Wrong("--known", known.error());
    plan.known = *std::move(known);
  }
  return plan;
}

}  // namespace layoutcheck
