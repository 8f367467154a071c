// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of the page: findings, and arrays with their pictures of memory.
#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/scan/scan_html_parts.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

std::string Source(const Json& row) {
  if (!row.contains("source_file")) return "";
  return PageText(StrCat(row["source_file"].text(), ":", row["source_line"].get<int64_t>()));
}

std::string FindingItem(const Json& finding) {
  const std::string instruction = finding.value("instruction", "");
  std::string text = StrCat("<li><p>", PageText(finding["message"].text()), "</p><p class=\"where\">");
  if (finding.contains("budget")) StrAppend(text, "<code>", PageText(finding["budget"].text()), "</code> ");
  // A budget to which no module could be held has no place.
  if (finding.contains("file")) {
    StrAppend(text, "<code>",
              PageText(StrCat(finding["file"].text(), ":", finding["line"].get<int64_t>(), ":",
                              finding["column"].get<int64_t>())),
              "</code>");
  }
  if (!instruction.empty()) {
    StrAppend(text, " <code>", PageText(InstructionPath(finding)), "</code>");
  }
  if (finding.contains("shape")) StrAppend(text, " <code>", PageText(finding["shape"].text()), "</code>");
  if (const std::string source = Source(finding); !source.empty()) StrAppend(text, " <code>", source, "</code>");
  return text + "</p></li>\n";
}

// Returns the distinct shapes whose memory is drawn: those of the largest arrays and of those with most padding.
std::vector<std::string> ShapesToDraw(std::span<const Json> arrays) {
  constexpr size_t kMostPictures = 16;
  std::vector<std::string> shapes;
  const auto add = [&](const Json& array, size_t most) {
    std::string shape = array["shape"].text();
    if (shapes.size() < most && std::ranges::find(shapes, shape) == shapes.end()) shapes.push_back(std::move(shape));
  };
  for (const Json& array : arrays) add(array, kMostPictures / 2);
  std::vector<const Json*> padded;
  const auto padding = [](const Json* array) {
    return (*array)["bytes"].get<int64_t>() - (*array)["needed_bytes"].get<int64_t>();
  };
  for (const Json& array : arrays) {
    if (padding(&array) > 0) padded.push_back(&array);
  }
  std::ranges::stable_sort(padded, std::greater<>(), padding);
  for (const Json* const array : padded) add(*array, kMostPictures);
  return shapes;
}

// Returns the templates with the pictures, and the identifier of each by its shape.
std::string Pictures(std::span<const Json> arrays, std::map<std::string, std::string>& ids) {
  std::string text;
  for (const std::string& shape : ShapesToDraw(arrays)) {
    const auto layout = ReadLayout(shape);
    if (!layout || (*layout)->Sizes().padded_elements == 0) continue;
    const auto boxes = (*layout)->Boxes();
    if (!boxes) continue;
    const std::string id = StrCat("picture-", ids.size());
    ids.emplace(shape, id);
    StrAppend(text, "<template id=\"", id, "\">\n", DrawCellsSvg(shape, *boxes), "</template>\n");
  }
  return text;
}

std::string ArrayRow(const Json& array, size_t number, const std::map<std::string, std::string>& pictures,
                     bool names_file) {
  const int64_t bytes = array["bytes"].get<int64_t>();
  const int64_t padding = bytes - array["needed_bytes"].get<int64_t>();
  const int64_t saving = std::max<int64_t>(0, bytes - array.value("tightest_bytes", bytes));
  const double waste = array["waste"].get<double>();
  const std::string shape = array["shape"].text();
  const std::string opcode = PageText(array["opcode"].text());
  std::string place = array["computation"].text();
  if (names_file) place = StrCat(array["file"].text(), " ", place);
  std::string text = StrCat("<tr id=\"a", number, "\" data-bytes=\"", bytes, "\" data-padding=\"", padding,
                            "\" data-saving=\"", saving, "\"");
  if (const auto picture = pictures.find(shape); picture != pictures.end()) {
    StrAppend(text, " data-picture=\"", picture->second, "\"");
  }
  StrAppend(text, "><td class=\"n\">", RoundedBytes(bytes), "</td><td class=\"n\">", RoundedBytes(padding), "</td>");
  text += fmt::format("<td class=\"n w\" data-value=\"{0:.6f}\"><i style=\"width:{1:.1f}%\"></i>{2}</td>", waste,
                      100 * waste, Percent(waste));
  StrAppend(text, "<td><button type=\"button\" aria-expanded=\"false\">", PageText(array["instruction"].text()),
            "</button><small>", PageText(place), "</small></td><td>", opcode, "</td><td class=\"shape\"><code>",
            PageText(shape), "</code>");
  if (array.contains("sharding")) StrAppend(text, "<small>", PageText(array["sharding"].text()), "</small>");
  if (array.contains("device_bytes"))
    StrAppend(text, "<small>", PageBytes(array, "device_bytes"), " on a device</small>");
  StrAppend(text, "</td><td class=\"better\">");
  if (saving > 0) {
    StrAppend(text, "<code>", PageText(array["tightest"].text()), "</code><small>saves ", RoundedBytes(saving),
              "</small>");
  }
  StrAppend(text, "</td><td class=\"source\">", Source(array), "</td></tr>\n");
  return text;
}

}  // namespace

std::string FindingsMarkup(const ScanFindings& found) {
  constexpr size_t kMostPerRule = 50;
  std::string text = "<section id=\"findings\">\n<h2>Findings</h2>\n";
  if (found.findings.empty()) {
    return text + "<p class=\"good\">No rule is broken, and nothing could be better.</p>\n</section>\n";
  }
  for (const std::string_view severity : {"error", "undecided", "advice"}) {
    const auto rules = found.counts.find(std::string(severity));
    if (rules == found.counts.end()) continue;
    for (const auto& [rule, count] : rules->second) {
      StrAppend(text, "<details class=\"rule ", severity, "\"", severity == "error" ? " open" : "",
                "><summary><span class=\"badge\">", severity, "</span> <b>", PageText(rule), "</b> ", Grouped(count),
                "</summary>\n<ol>\n");
      size_t shown = 0;
      for (const Json& finding : found.findings) {
        if (shown == kMostPerRule) break;
        if (finding["rule"] != rule || finding["severity"] != severity) continue;
        StrAppend(text, FindingItem(finding));
        ++shown;
      }
      StrAppend(text, "</ol>\n");
      if (static_cast<int64_t>(shown) < count) {
        StrAppend(text, "<p class=\"note\">", Grouped(count - static_cast<int64_t>(shown)),
                  " more: see <code>--json</code>.</p>\n");
      }
      StrAppend(text, "</details>\n");
    }
  }
  return text + "</section>\n";
}

std::string ArraysMarkup(std::span<const Json> arrays, const MemoryTotals& rest, bool names_file) {
  if (arrays.empty()) return "";
  std::set<std::string> opcodes;
  for (const Json& array : arrays) opcodes.insert(array["opcode"].text());
  std::string text =
      "<section id=\"arrays\">\n<h2>Arrays</h2>\n<form class=\"filters\"><input type=\"search\" id=\"filter\" "
      "placeholder=\"Filter by any text\" aria-label=\"Filter by any text\"><select id=\"opcode\" "
      "aria-label=\"Opcode\"><option value=\"\">all opcodes</option>";
  for (const std::string& opcode : opcodes) StrAppend(text, "<option>", PageText(opcode), "</option>");
  StrAppend(text,
            "</select><label><input type=\"checkbox\" id=\"padded\"> only with padding</label><output "
            "id=\"count\"></output></form>\n<div class=\"scroll\">\n<table class=\"arrays\">\n<thead><tr>");
  struct Column {
    std::string_view key;
    std::string_view title;
    std::string_view css;
  };
  constexpr Column kColumns[] = {
      {"bytes", "Allocated", "n"},          {"padding", "Padding", "n"},   {"waste", "Waste", "n"},
      {"name", "Instruction", ""},          {"opcode", "Opcode", ""},      {"shape", "Shape", "shape"},
      {"saving", "Better order", "better"}, {"source", "Source", "source"}};
  for (const Column& column : kColumns) {
    StrAppend(text, "<th class=\"", column.css, "\"", column.key == "bytes" ? " aria-sort=\"descending\"" : "",
              "><button type=\"button\" data-sort=\"", column.key, "\">", column.title, "</button></th>");
  }
  StrAppend(text, "</tr></thead>\n<tbody>\n");
  std::map<std::string, std::string> ids;
  const std::string pictures = Pictures(arrays, ids);
  for (size_t k = 0; k < arrays.size(); ++k) StrAppend(text, ArrayRow(arrays[k], k, ids, names_file));
  StrAppend(text, "</tbody>\n</table>\n</div>\n");
  if (rest.arrays > 0) {
    StrAppend(text, "<p class=\"note\">", GroupedCount(rest.arrays, "smaller array"),
              rest.arrays == 1 ? " is not in the table: " : " are not in the table: ", RoundedBytes(rest.bytes), ", ",
              Percent(rest.waste()), " padding.</p>\n");
  }
  return StrCat(text, "</section>\n", pictures);
}

}  // namespace layoutcheck
