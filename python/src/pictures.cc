// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures of layouts as text and as SVG, and bank conflicts, for layoutcheck/pictures.py.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "errors.h"
#include "layout.h"
#include "layoutcheck/cli/answers/answers.h"
#include "layoutcheck/cli/answers/bank_access.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/sharding/sharded_answers.h"
#include "layoutcheck/json/json.h"
#include "register.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace layoutcheck::python {
namespace {

// The view of a picture, the access whose banks it shows, if any, and the sizes of the tile of threads.
struct PictureRequest {
  std::string view;
  std::optional<std::string> access;
  std::vector<int64_t> tile;
};

Expected<std::optional<AccessedBanks>> BanksOfText(const AnyLayout& layout, const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  LAYOUTCHECK_TRY(const BankAccess access, ParseBankAccess(*text));
  return BanksOf(layout, access);
}

Expected<std::string> PictureText(const PyLayout& layout, const PictureRequest& request, const TextStyle& style) {
  if (const ShardedText* const sharded = layout.sharded(); sharded != nullptr) {
    LAYOUTCHECK_TRY(const ShownSharding shown, ShowSharding(sharded->array));
    return ShowText(*sharded, shown, style);
  }
  LAYOUTCHECK_TRY(const Views views, ViewsOf(layout.any(), request.view, request.tile));
  LAYOUTCHECK_TRY(const auto banks, BanksOfText(layout.any(), request.access));
  return ShowText(layout.any(), views, banks, style);
}

Expected<std::string> PictureSvg(const PyLayout& layout, const PictureRequest& request) {
  if (const ShardedText* const sharded = layout.sharded(); sharded != nullptr) {
    LAYOUTCHECK_TRY(const ShownSharding shown, ShowSharding(sharded->array));
    return DrawSvg(PictureOf(*sharded, shown));
  }
  LAYOUTCHECK_TRY(const Views views, ViewsOf(layout.any(), request.view, request.tile));
  LAYOUTCHECK_TRY(const auto banks, BanksOfText(layout.any(), request.access));
  return DrawSvg(PictureOf(layout.any(), request.view, views, banks));
}

std::string ShownText(const PyLayout& layout, std::string view, std::optional<std::string> access,
                      std::vector<int64_t> tile, int64_t width) {
  TextStyle style;
  style.width = width;
  style.utf8 = true;
  auto text = [&] {
    const nb::gil_scoped_release release;
    return PictureText(layout, {std::move(view), std::move(access), std::move(tile)}, style);
  }();
  return ValueOrRaise(std::move(text));
}

std::string DrawnSvg(const PyLayout& layout, std::string view, std::optional<std::string> access,
                     std::vector<int64_t> tile) {
  auto svg = [&] {
    const nb::gil_scoped_release release;
    return PictureSvg(layout, {std::move(view), std::move(access), std::move(tile)});
  }();
  return ValueOrRaise(std::move(svg));
}

// Returns the member "access" of `show --json` as text.
std::string BanksText(const PyLayout& layout, const std::string& access) {
  auto banks = [&] {
    const nb::gil_scoped_release release;
    return BanksOfText(layout.any(), access);
  }();
  return BanksJson(*ValueOrRaise(std::move(banks))).Dump();
}

}  // namespace

void RegisterPictures(nb::module_& module) {
  module.def("show", &ShownText, "layout"_a, "view"_a, "access"_a.none(), "tile"_a, "width"_a);
  module.def("svg", &DrawnSvg, "layout"_a, "view"_a, "access"_a.none(), "tile"_a);
  module.def("banks", &BanksText, "layout"_a, "access"_a);
}

}  // namespace layoutcheck::python
