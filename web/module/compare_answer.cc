// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>
#include "layoutcheck/cli/answers/answers.h"
#include "layoutcheck/cli/notations/comparison.h"
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/notations/grid_views.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/sharding_text.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/web/module/answers.h"

namespace layoutcheck {

Json AnswerCompare(const Json& request) {
  const std::string a_text = TextMember(request, "a");
  const std::string b_text = TextMember(request, "b");
  if (FindSharding(a_text) || FindSharding(b_text)) return AnswerShardedCompare(request);
  const auto a = ReadLayout(a_text);
  if (!a) return RejectedField("a", a.error());
  const auto b = ReadLayout(b_text);
  if (!b) return RejectedField("b", b.error());
  std::string command = StrCat("layoutcheck compare ", ShellWord(a_text), " ", ShellWord(b_text));
  std::optional<std::vector<int64_t>> transpose;
  if (const std::string text = TextMember(request, "transpose"); !text.empty()) {
    const auto permutation = ReadFlatCoordinate(text);
    if (!permutation) return RejectedField("transpose", permutation.error());
    transpose = *permutation;
    StrAppend(command, " --transpose ", ShellWord(text));
  }
  const Expected<Comparison> comparison = Compare(**a, **b, transpose);
  if (!comparison && comparison.error().kind != ErrorKind::kUnsupported) {
    return RejectedField("transpose", comparison.error());
  }
  const ComparedLayouts compared{**a, **b, transpose, comparison};
  std::optional<GridPair> grids;
  if ((*a)->Sizes().elements > 0 && (*b)->Sizes().elements > 0) {
    grids = ComparisonGrids(**a, **b, transpose, comparison ? comparison->moved : std::nullopt);
  }
  Json answer{{"ok", true}, {"relation", RelationText(compared)}, {"facts", FactsJson(ComparisonFacts(compared))}};
  if (grids) {
    const SvgRoom room{std::clamp(request.value("width", 1160.0), 200.0, 1160.0), 700};
    answer["a_svg"] = DrawCellsSvg("A: " + (*a)->Text(), grids->a, room);
    answer["b_svg"] = DrawCellsSvg("B: " + (*b)->Text(), grids->b, room);
  }
  answer["text"] = ComparisonText(compared);
  answer["command"] = command + " --picture";
  return answer;
}

}  // namespace layoutcheck
