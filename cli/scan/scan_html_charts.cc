// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pictures of the page: the treemap of bytes and the curve of live memory.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <iterator>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/scan/scan_html_parts.h"
#include "layoutcheck/cli/scan/treemap.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kHatch =
    "<defs><pattern id=\"{0}\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect width=\"7\" height=\"7\" class=\"hatch-back\"/><rect width=\"2.4\" "
    "height=\"7\" class=\"hatch-line\"/></pattern></defs>\n";

// One area of the treemap. Texts are escaped.
struct Area {
  double bytes = 0;
  double waste = 0;
  std::string css;
  std::string name;
  std::string size;
  std::string title;
  std::string row;  // id of its row in the table; empty for the rest
};

std::vector<Area> AreasOf(std::span<const Json> arrays, MemoryTotals rest) {
  constexpr size_t kMostAreas = 160;
  std::vector<Area> areas;
  for (size_t k = 0; k < arrays.size(); ++k) {
    const Json& array = arrays[k];
    if (k >= kMostAreas) {
      rest.Add({1, array["bytes"].get<int64_t>(), array["needed_bytes"].get<int64_t>()});
      continue;
    }
    const std::string opcode = array["opcode"].text();
    const std::string name = PageText(array["instruction"].text());
    const std::string size = PageBytes(array, "bytes");
    const double waste = array["waste"].get<double>();
    areas.push_back({static_cast<double>(array["bytes"].get<int64_t>()), waste, std::string(OpcodeClass(opcode)), name,
                     size,
                     StrCat(name, "\n", PageText(opcode), " ", PageText(array["shape"].text()), "\n", size, ", ",
                            Percent(waste), " padding"),
                     StrCat("a", k)});
  }
  if (rest.bytes > 0) {
    const std::string name = GroupedCount(rest.arrays, "smaller array");
    const std::string size = RoundedBytes(rest.bytes);
    areas.push_back({static_cast<double>(rest.bytes), rest.waste(), "rest", name, size,
                     StrCat(name, "\n", size, ", ", Percent(rest.waste()), " padding"), ""});
  }
  std::ranges::stable_sort(areas, std::greater<>(), &Area::bytes);
  return areas;
}

// Returns the text cut to the characters that fit.
std::string Fitted(std::string_view escaped, double width) {
  const auto fits = static_cast<size_t>(std::max(0.0, width / 7.0));
  if (escaped.size() <= fits) return std::string(escaped);
  // An entity must not be cut.
  if (fits < 5 || escaped.find('&') != std::string_view::npos) return "";
  return StrCat(escaped.substr(0, fits - 1), "…");
}

std::string TreemapSvg(const std::vector<Area>& areas, double width, double height, std::string_view css) {
  std::vector<double> weights;
  for (const Area& area : areas) weights.push_back(area.bytes);
  const std::vector<TreemapBox> boxes = Treemap(weights, width, height);
  const std::string hatch = StrCat("hatch-", css);
  std::string svg = fmt::format(
      "<svg class=\"treemap {0}\" viewBox=\"0 0 {1:.0f} {2:.0f}\" role=\"img\" aria-label=\"Bytes by array\">\n", css,
      width, height);
  svg += fmt::format(kHatch, hatch);
  for (size_t k = 0; k < areas.size(); ++k) {
    const Area& area = areas[k];
    const TreemapBox& box = boxes[k];
    const double gap = std::min({1.0, box.width / 4, box.height / 4});
    const double inner_width = box.width - gap;
    const double inner_height = box.height - gap;
    const std::string begin = area.row.empty() ? "<g" : StrCat("<a href=\"#", area.row, "\"");
    svg += fmt::format(
        "{} class=\"area {}\"><title>{}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
        begin, area.css, area.title, box.x, box.y, inner_width, inner_height);
    // Padding is shaded from the bottom up.
    const double padded = inner_height * area.waste;
    if (padded > 0.3) {
      svg += fmt::format(
          "<rect class=\"pad\" fill=\"url(#{})\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>", hatch,
          box.x, box.y + inner_height - padded, inner_width, padded);
    }
    const std::string name = Fitted(area.name, inner_width - 12);
    if (!name.empty() && inner_height >= 20) {
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", box.x + 6, box.y + 15, name);
      if (inner_height >= 38 && 6.3 * static_cast<double>(area.size.size()) <= inner_width - 12) {
        svg +=
            fmt::format("<text class=\"size\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", box.x + 6, box.y + 31, area.size);
      }
    }
    svg += area.row.empty() ? "</g>\n" : "</a>\n";
  }
  return svg + "</svg>\n";
}

// Returns a step of 1, 2 or 5 times a power of ten of a binary unit that divides `top` into 2 to 5 parts.
double TickStep(double top) {
  double unit = 1;
  while (top / unit >= 1024) unit *= 1024;
  double step = unit * std::pow(10.0, std::floor(std::log10(std::max(top / unit, 1e-9))));
  for (const double factor : {0.2, 0.5, 1.0, 2.0, 5.0}) {
    if (top / (step * factor) <= 5) return step * factor;
  }
  return step * 5;
}

// Vertical extent of the area of a curve, in pixels from the top and from the bottom.
constexpr double kCurveTop = 30;
constexpr double kCurveBottom = 28;

// Returns the mark of the peak at `x`, with its name to the left or to the right of it.
std::string PeakMark(const LiveCurve::Column& peak, double x, double bottom, bool is_left) {
  return fmt::format(
      "<line class=\"peak\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/><circle class=\"peak\" "
      "cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"4\"/><text class=\"peak\" x=\"{3:.1f}\" y=\"{4:.1f}\" "
      "text-anchor=\"{5}\">{6}</text>\n",
      x, kCurveTop, bottom, is_left ? x + 4 : x - 4, kCurveTop - 12, is_left ? "end" : "start",
      StrCat("peak ", RoundedBytes(peak.alive.bytes), " at ", PageText(peak.name)));
}

std::string CurveSvg(const LiveCurve& curve, double width, double height, std::string_view css, std::string_view id) {
  constexpr double kLeft = 74;
  const double right = width - 8;
  const double bottom = height - kCurveBottom;
  const auto most = static_cast<double>(std::max<int64_t>(1, curve.columns[curve.peak].alive.bytes));
  const auto x_of = [&](size_t k) {
    return kLeft + (right - kLeft) * static_cast<double>(k) / static_cast<double>(curve.columns.size());
  };
  const auto y_of = [&](double bytes) { return bottom - (bottom - kCurveTop) * bytes / most; };
  const std::string hatch = StrCat(id, "-", css);
  std::string svg =
      fmt::format("<svg class=\"curve {0}\" viewBox=\"0 0 {1:.0f} {2:.0f}\" role=\"img\" aria-label=\"Live memory\">\n",
                  css, width, height);
  svg += fmt::format(kHatch, hatch);
  const double step = TickStep(most);
  for (double tick = 0; tick <= most; tick += step) {
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/><text class=\"axis\" "
        "x=\"{3:.1f}\" y=\"{4:.1f}\">{5}</text>\n",
        kLeft, right, y_of(tick), kLeft - 8, y_of(tick) + 4, RoundedBytes(static_cast<int64_t>(tick)));
  }
  std::string needed = fmt::format("M{:.1f} {:.1f}", kLeft, bottom);
  std::string alive = needed;
  for (size_t k = 0; k < curve.columns.size(); ++k) {
    const LiveBytes& bytes = curve.columns[k].alive;
    needed += fmt::format("V{:.1f}H{:.1f}", y_of(static_cast<double>(bytes.needed_bytes)), x_of(k + 1));
    alive += fmt::format("V{:.1f}H{:.1f}", y_of(static_cast<double>(bytes.bytes)), x_of(k + 1));
  }
  const std::string end = fmt::format("V{:.1f}Z", bottom);
  svg += fmt::format(
      "<path class=\"alive\" fill=\"url(#{})\" d=\"{}\"/>\n<path class=\"needed\" d=\"{}\"/>\n<path class=\"edge\" "
      "d=\"{}\"/>\n",
      hatch, alive + end, needed + end, alive);
  const double at = (x_of(curve.peak) + x_of(curve.peak + 1)) / 2;
  svg += PeakMark(curve.columns[curve.peak], at, bottom, at > width / 2);
  for (const double part : {0.0, 0.5, 1.0}) {
    const auto number = static_cast<int64_t>(std::llround(part * static_cast<double>(curve.instructions)));
    svg += fmt::format("<text class=\"axis\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
                       kLeft + (right - kLeft) * part, bottom + 18,
                       part == 0   ? "start"
                       : part == 1 ? "end"
                                   : "middle",
                       part == 1 ? GroupedCount(number, "instruction") : Grouped(number));
  }
  for (size_t k = 0; k < curve.columns.size(); ++k) {
    const LiveCurve::Column& column = curve.columns[k];
    svg += fmt::format(
        "<rect class=\"column\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\"><title>{} {}: {}, {} "
        "padding</title></rect>\n",
        x_of(k), kCurveTop, x_of(k + 1) - x_of(k), bottom - kCurveTop,
        Grouped(static_cast<int64_t>(column.instruction)), PageText(column.name), RoundedBytes(column.alive.bytes),
        RoundedBytes(column.alive.padding()));
  }
  return svg + "</svg>\n";
}

// Returns a bar of `part` of the whole width, its end hatched as padding.
std::string Bar(double part, double waste) {
  return fmt::format("<i class=\"bar\" style=\"width:{:.1f}%\"><i style=\"width:{:.1f}%\"></i></i>", 100 * part,
                     100 * waste);
}

std::string PeakArrays(const LiveCurve& curve) {
  const auto most = static_cast<double>(std::max<int64_t>(1, curve.columns[curve.peak].alive.bytes));
  std::string text = "<table class=\"peaks\">\n<tbody>\n";
  const auto row = [&](std::string_view name, std::string_view about, int64_t bytes, double waste) {
    StrAppend(text, "<tr><td class=\"n\">", RoundedBytes(bytes), "</td><td class=\"b\">",
              Bar(static_cast<double>(bytes) / most, waste), "</td><td>", name, " <small>", about,
              "</small></td></tr>\n");
  };
  for (const Json& array : curve.peak_arrays) {
    row(StrCat("<code>", PageText(array["instruction"].text()), "</code>"),
        StrCat(PageText(array["opcode"].text()), " ", PageText(array["shape"].text())), array["bytes"].get<int64_t>(),
        array["waste"].get<double>());
  }
  if (curve.peak_rest.arrays > 0) {
    row(GroupedCount(curve.peak_rest.arrays, "smaller array"), "", curve.peak_rest.bytes, curve.peak_rest.waste());
  }
  return text + "</tbody>\n</table>\n";
}

}  // namespace

std::string TreemapMarkup(std::span<const Json> arrays, const MemoryTotals& rest) {
  const std::vector<Area> areas = AreasOf(arrays, rest);
  if (areas.empty()) return "";
  std::string text =
      "<section id=\"map\">\n<h2>Bytes by array</h2>\n<p class=\"note\">Each area is an array; its shaded part is "
      "padding. A click shows its row.</p>\n<p class=\"legend\">";
  for (const std::string_view css : {"parameter", "constant", "fusion", "copy", "compute", "other", "rest"}) {
    if (std::ranges::find(areas, css, &Area::css) == areas.end()) continue;
    StrAppend(text, "<span class=\"", css, "\">",
              css == "compute" ? "dot, convolution, custom-call"
              : css == "copy"  ? "copy, transpose, reshape"
              : css == "rest"  ? "smaller arrays together"
                               : css,
              "</span>");
  }
  return StrCat(text, "</p>\n", TreemapSvg(areas, 1160, 520, "wide"), TreemapSvg(areas, 400, 520, "narrow"),
                "</section>\n");
}

std::string CurveMarkup(const LiveCurve& curve, size_t number, bool names_file) {
  const std::string id = StrCat("curve-", number);
  const LiveCurve::Column& peak = curve.columns[curve.peak];
  std::string text = StrCat("<details class=\"live\"", number == 0 ? " open>" : ">");
  StrAppend(text, "<summary><b>", PageText(curve.module), "</b> peak ", RoundedBytes(peak.alive.bytes), ", ",
            RoundedBytes(peak.alive.padding()), " of it padding",
            names_file ? StrCat(" <small>", PageText(curve.file), "</small>") : "", "</summary>\n");
  StrAppend(text, CurveSvg(curve, 1160, 320, "wide", id), CurveSvg(curve, 400, 260, "narrow", id),
            "<output class=\"readout\">Point at the curve to read it.</output>\n<h3>Alive at the peak, <code>",
            PageText(peak.name), "</code></h3>\n", PeakArrays(curve));
  return text + "</details>\n";
}

}  // namespace layoutcheck
