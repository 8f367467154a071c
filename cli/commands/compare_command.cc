// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck compare A B
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>
#include "layoutcheck/cli/answers/answers.h"
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/notations/comparison.h"
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/notations/grid_views.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/cli/reports/next_steps.h"
#include "layoutcheck/cli/sharding/sharded_commands.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

struct CompareCommandLine {
  std::string a;
  std::string b;
  std::string transpose;
  std::string svg;
  bool picture = false;
  bool json = false;
};

using Integers = std::vector<int64_t>;

Json LayoutJson(const AnyLayout& layout) {
  Json document{{"layout", layout.Text()}};
  document.update(SizesJson(layout));
  if (const std::optional<bool> contiguous = IsContiguous(layout)) document["contiguous"] = *contiguous;
  return document;
}

Json DecompositionJson(const BitcastDecomposition& decomposition) {
  if (std::holds_alternative<BitcastReshape>(decomposition)) return {{"reshape", true}};
  if (const auto* transpose = std::get_if<BitcastTranspose>(&decomposition)) {
    return {{"transpose", transpose->permutation}};
  }
  const auto& steps = std::get<BitcastTransposeReshapeTranspose>(decomposition);
  return {{"transpose1", steps.transpose1},
          {"transpose1_shape", ToString(steps.transpose1_shape)},
          {"reshape_shape", ToString(steps.reshape_shape)},
          {"transpose2", steps.transpose2}};
}

Json CompareJson(const ComparedLayouts& answered) {
  const auto& [a, b, transpose, comparison] = answered;
  Json document{{"relation", RelationText(answered)}, {"a", LayoutJson(a)}, {"b", LayoutJson(b)}};
  if (transpose) document["transpose"] = *transpose;
  if (!comparison) {
    document["reason"] = comparison.error().message;
    return document;
  }
  if (!comparison->reason.empty()) document["reason"] = comparison->reason;
  if (const auto& moved = comparison->moved) {
    document["moved"] = {{"a", moved->a},
                         {"b", moved->b},
                         {"offset_a", a.Index(moved->a)},
                         {"offset_b", b.Index(moved->b)},
                         {"first", moved->is_first}};
    AddNextSteps(document, NextStepsAt({{a.Text(), moved->a}, {b.Text(), moved->b}}));
  }
  if (const auto& slice = comparison->slice) {
    document["slice"] = {{"of", slice->of_a ? "a" : "b"}, {"start", slice->start}};
  }
  if (comparison->as_bitcast) document["as_bitcast"] = DecompositionJson(*comparison->as_bitcast);
  return document;
}

ExitCode RunCompareCommand(const CompareCommandLine& options) {
  if (IsSharded(options.a) || IsSharded(options.b)) {
    return RunShardedCompare({options.a, options.b, options.transpose, options.svg, options.picture, options.json});
  }
  const auto a = ReadLayout(options.a);
  if (!a) return Unusable("compare", "A", a.error());
  const auto b = ReadLayout(options.b);
  if (!b) return Unusable("compare", "B", b.error());
  std::optional<Integers> transpose;
  if (!options.transpose.empty()) {
    const auto permutation = ReadFlatCoordinate(options.transpose);
    if (!permutation) return Unusable("compare", "--transpose", permutation.error());
    transpose = *permutation;
  }
  const Expected<Comparison> comparison = Compare(**a, **b, transpose);
  const bool undecided = !comparison && comparison.error().kind == ErrorKind::kUnsupported;
  if (!comparison && !undecided) return Unusable("compare", "--transpose", comparison.error());
  const ComparedLayouts answered{**a, **b, transpose, comparison};
  std::optional<GridPair> grids;
  if ((*a)->Sizes().elements > 0 && (*b)->Sizes().elements > 0) {
    grids = ComparisonGrids(**a, **b, transpose, comparison ? comparison->moved : std::nullopt);
  }
  const std::string title_a = "A: " + (*a)->Text();
  const std::string title_b = "B: " + (*b)->Text();
  if (!options.svg.empty()) {
    const PicturePair pair{RelationText(answered),      ComparisonFacts(answered),  title_a, title_b,
                           grids ? &grids->a : nullptr, grids ? &grids->b : nullptr};
    if (auto written = WriteFile(options.svg, DrawPairSvg(pair)); !written) {
      return Unusable("compare", written.error());
    }
  }
  if (options.json) {
    PrintJson(CompareJson(answered));
  } else {
    PrintText(ComparisonText(answered));
    if (options.picture && grids) {
      PrintText("\n" + DrawPairText(grids->a, "A", grids->b, "B", StyleOfTerminal()));
    }
  }
  if (undecided) return ExitCode::kUndecided;
  const bool same =
      comparison->relation == MemoryRelation::kIdentical || comparison->relation == MemoryRelation::kBitcast;
  return same ? ExitCode::kAccepted : ExitCode::kRejected;
}

}  // namespace

Command CompareCommand() {
  auto options = std::make_shared<CompareCommandLine>();
  return {.name = "compare",
          .description = R"(say how two layouts of the same bytes relate

It prints `identical`, or `bitcast` if every element keeps its address, or `permuted` with the first element
that moves, or `different size` or `different memory`. It also says which layout is contiguous, whether one is a
slice of the other, and which transposes and reshapes happen to an array whose bytes are read as B.

Of two shardings it prints `same devices` or the collective that makes one the other, and the bytes that each
device holds, sends and receives. The exit code is 0 if no element moves to another device. Arrays of other
sizes, or with --transpose, are views: `free` says that each device also keeps the order of its memory.

Elements of layouts with equal dimensions correspond by their coordinate. Otherwise they correspond as in a
reshape: by their number in row-major order, or in colexicographic order if both are shape:stride layouts.)",
          .example = R"(
  $ layoutcheck compare 'f32[2,3]{1,0}' 'f32[3,2]{0,1}' --transpose 1,0 | head -n 1
  bitcast)",
          .options = {{"A", kLayoutArgument, &options->a, kRequired},
                      {"B", kLayoutArgument, &options->b, kRequired},
                      {"--transpose TEXT",
                       "the dimensions of A in the order in which B has them, such as 1,0 (default: no transpose)",
                       &options->transpose},
                      {"--picture",
                       "also draw both arrays beside each other, with the linear index in each cell and * at elements "
                       "that move",
                       &options->picture},
                      {"--svg FILE", "also write that picture to this file, as SVG", &options->svg},
                      {"--json",
                       "print one JSON document: relation, a, b, and where they apply reason, moved, slice, "
                       "as_bitcast; of shardings also devices, received_bytes, same_offsets, other_offset",
                       &options->json}},
          .run = [options] { return RunCompareCommand(*options); }};
}

}  // namespace layoutcheck
