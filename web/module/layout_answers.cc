// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers questions about one layout: its sizes, pictures, places and conversions.
#include <algorithm>
#include <utility>
#include <vector>
#include "layoutcheck/cli/answers/answers.h"
#include "layoutcheck/cli/answers/bank_access.h"
#include "layoutcheck/cli/notations/conversion.h"
#include "layoutcheck/cli/notations/grid_views.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/web/module/answers.h"
#include "layoutcheck/web/module/handles.h"
#include "layoutcheck/web/module/place.h"

namespace layoutcheck {
namespace {

// Returns the banks of the request's access, or nothing if it has none.
Expected<std::optional<AccessedBanks>> BanksOfAccess(const AnyLayout& layout, const Json& request) {
  const std::string text = TextMember(request, "access");
  if (text.empty()) return std::nullopt;
  const Expected<BankAccess> access = ParseBankAccess(text);
  if (!access) return std::unexpected(access.error());
  return BanksOf(layout, *access);
}

}  // namespace

SvgRoom RoomOf(const Json& request) {
  SvgRoom room;
  const auto take = [&](const char* name, double& length) {
    const Json* const found = request.find(name);
    if (found != nullptr && found->is_number()) length = std::clamp(found->get<double>(), 200.0, length);
  };
  take("width", room.width);
  take("height", room.height);
  return room;
}

Json FactsJson(const std::vector<Fact>& facts) {
  Json rows = Json::array();
  for (const Fact& fact : facts) rows.push_back({{"name", fact.name}, {"value", fact.value}});
  return rows;
}

std::string TextMember(const Json& request, const char* name) {
  const Json* const found = request.find(name);
  return found != nullptr && found->is_string() ? found->text() : std::string();
}

Json RejectedField(std::string_view field, const Error& error) {
  return {{"ok", false}, {"field", field}, {"column", error.column}, {"error", error.message}};
}

std::string ShellWord(std::string_view text) {
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += R"('\'')";
    } else {
      word += c;
    }
  }
  return word + "'";
}

Json AnswerShow(const Json& request) {
  const std::string text = TextMember(request, "layout");
  const auto layout = ReadLayout(text);
  if (!layout) return RejectedField("layout", layout.error());
  Json answer{{"ok", true}};
  const std::string title = (*layout)->Text();
  std::string options;
  const auto banks = BanksOfAccess(**layout, request);
  if (!banks) return RejectedField("access", banks.error());
  if (*banks) {
    answer["banks"] = FactsJson(BanksFacts(**banks));
    answer["banks_svg"] =
        DrawBanksSvg(StrCat("Banks of ", title), **banks, request.value("full_width", SvgCanvas::kWidth));
    StrAppend(options, " --access ", ShellWord(TextMember(request, "access")));
  }
  if (request.value("with_document", false)) answer["document"] = ShowJson(**layout, *banks);
  answer["facts"] = FactsJson(SummaryOf(**layout));
  answer["handles"] = HandlesOf(text);
  Expected<Views> views = ViewsOf(**layout, "both", {});
  if (!views) return RejectedField("layout", views.error());
  if (const std::string place_text = TextMember(request, "place"); !place_text.empty()) {
    const Expected<Place> place = FindPlace(**layout, place_text);
    if (!place) return RejectedField("place", place.error());
    answer["place"] = PlaceJson(**layout, *place);
    if (views->grid && place->flat) views->grid->focus = place->flat;
  }
  const SvgRoom room = RoomOf(request);
  if (views->grid) answer["array_svg"] = DrawCellsSvg(StrCat("Array ", title), *views->grid, room);
  if (views->boxes) answer["memory_svg"] = DrawCellsSvg(StrCat("Memory of ", title), *views->boxes, room);
  if (request.value("with_text", false)) answer["text"] = ShowText(**layout, *views, *banks, {});
  std::vector<int64_t> tile;
  const std::string tile_text = TextMember(request, "tile");
  if (!tile_text.empty()) {
    auto sizes = ReadTileSizes(tile_text);
    if (!sizes) return RejectedField("tile", sizes.error());
    tile = *std::move(sizes);
  }
  const CoreForms forms = (*layout)->Forms();
  const bool has_two_modes = forms.strided && !forms.shape && (*layout)->Dimensions().size() == 2;
  if (forms.linear || has_two_modes) {
    const auto threads = ViewsOf(**layout, "threads", tile);
    answer["has_threads"] = true;
    if (threads && threads->grid) {
      // They stand below the other pictures and may be higher: the fragment of an instruction is shown whole.
      const SvgRoom threads_room{.width = room.width, .height = std::max(room.height, 560.0)};
      answer["threads_svg"] = DrawCellsSvg(StrCat("Threads of ", title), *threads->grid, threads_room);
    } else if (!threads) {
      answer["threads_error"] = threads.error().ToString();
    }
  }
  answer["command"] = StrCat("layoutcheck show ", ShellWord(text), " --view both", options);
  return answer;
}

Json AnswerPicture(const Json& request) {
  const auto layout = ReadLayout(TextMember(request, "layout"));
  if (!layout) return RejectedField("layout", layout.error());
  const auto banks = BanksOfAccess(**layout, request);
  if (!banks) return RejectedField("access", banks.error());
  constexpr std::string_view kView = "both";
  const auto views = ViewsOf(**layout, kView, {});
  if (!views) return RejectedField("layout", views.error());
  return {{"ok", true}, {"svg", DrawSvg(PictureOf(**layout, kView, *views, *banks))}};
}

Json AnswerLocate(const Json& request) {
  const auto layout = ReadLayout(TextMember(request, "layout"));
  if (!layout) return RejectedField("layout", layout.error());
  const Expected<Place> place = FindPlace(**layout, TextMember(request, "place"));
  if (!place) return RejectedField("place", place.error());
  Json found = PlaceJson(**layout, *place);
  if (const std::string formula = TextMember(request, "formula"); !formula.empty() && place->flat) {
    found["text"] = found["text"].text() + FormulaAt(TextMember(request, "layout"), *place->flat, formula);
  }
  return {{"ok", true}, {"place", found}};
}

Json AnswerConvert(const Json& request) {
  const std::string text = TextMember(request, "layout");
  const auto layout = ReadLayout(text);
  if (!layout) return RejectedField("layout", layout.error());
  Json rows = Json::array();
  for (size_t k = 0; k < std::size(kConversionTargets); ++k) {
    const auto conversion = Convert(**layout, static_cast<ConversionTarget>(k), ElementType::kF32);
    const std::string target(kConversionTargets[k]);
    Json row{{"to", target}, {"command", StrCat("layoutcheck convert ", ShellWord(text), " --to ", target)}};
    if (conversion) {
      row["text"] = conversion->text;
    } else {
      row["undecided"] = conversion.error().kind == ErrorKind::kUnavailable;
      row["error"] = conversion.error().message;
    }
    rows.push_back(std::move(row));
  }
  return {{"ok", true}, {"rows", rows}};
}

Json AnswerParse(const Json& request) {
  const std::string kind = TextMember(request, "kind");
  for (const ParsedKind& one : ParsedKinds()) {
    if (one.name == kind) return ParsedJson(one.canonical(TextMember(request, "text")));
  }
  return {{"ok", false}, {"error", "expected the name of a kind of text, such as \"shape\""}};
}

}  // namespace layoutcheck
