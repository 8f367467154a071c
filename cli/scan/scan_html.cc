// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/scan_html.h"
#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <utility>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/pictures/svg_canvas.h"
#include "layoutcheck/cli/scan/scan_html_parts.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns the curve in at most `kMostColumns` runs of instructions of equal length.
LiveCurve CurveOf(ModuleScan& scan) {
  constexpr size_t kMostColumns = 300;
  constexpr size_t kMostPeakArrays = 12;
  const std::vector<LiveBytes>& alive = scan.live->curve;
  const ModuleComputation& entry = *scan.module->Entry();
  LiveCurve curve{.file = scan.file, .module = std::string(scan.module->name), .instructions = alive.size()};
  const size_t columns = std::min(alive.size(), kMostColumns);
  for (size_t k = 0; k < columns; ++k) {
    const size_t begin = k * alive.size() / columns;
    const size_t end = (k + 1) * alive.size() / columns;
    size_t most = begin;
    for (size_t at = begin; at < end; ++at) {
      if (alive[at].bytes > alive[most].bytes) most = at;
    }
    if (begin <= scan.live->peak && scan.live->peak < end) curve.peak = k;
    curve.columns.push_back({most, alive[most], std::string(entry.instructions[most].name)});
  }
  for (const ArrayCost& array : scan.live->peak_arrays) {
    if (curve.peak_arrays.size() < kMostPeakArrays) {
      curve.peak_arrays.push_back(ArrayJson(scan, array));
    } else {
      curve.peak_rest.Add({1, array.bytes, array.needed_bytes});
    }
  }
  return curve;
}

// Returns the box of the page that shows one total.
std::string TotalBox(std::string_view name, std::string_view value, std::string_view note, std::string_view css = "") {
  return StrCat("<div class=\"tile ", css, "\"><span>", name, "</span><b>", value, "</b><small>", note,
                "</small></div>\n");
}

std::string Totals(const ScanResults& results, const LiveCurve* peak) {
  const MemoryTotals& totals = results.totals;
  std::string text = "<section class=\"tiles\">\n";
  StrAppend(text, TotalBox("Allocated", RoundedBytes(totals.bytes), GroupedCount(totals.arrays, "array")),
            TotalBox("Needed", RoundedBytes(totals.needed_bytes), "by their elements"),
            TotalBox("Padding", Percent(totals.waste()), RoundedBytes(totals.bytes - totals.needed_bytes), "padded"));
  if (peak != nullptr) {
    const LiveCurve::Column& column = peak->columns[peak->peak];
    StrAppend(text, TotalBox("Peak of live memory", RoundedBytes(column.alive.bytes),
                             StrCat(RoundedBytes(column.alive.padding()), " of it padding")));
  }
  if (results.on_device) {
    StrAppend(text, TotalBox("On a device", RoundedBytes(results.on_device->bytes),
                             StrCat("the largest parts of ", GroupedCount(results.on_device->arrays, "array"))));
  }
  if (results.copies.bytes > 0) {
    StrAppend(text, TotalBox("Written by copies", RoundedBytes(results.copies.bytes), "copy, transpose, reshape"));
  }
  const int64_t errors = results.CountOf("error");
  StrAppend(text, TotalBox("Errors", Grouped(errors),
                           StrCat(Grouped(results.CountOf("undecided")), " undecided, ",
                                  Grouped(results.CountOf("advice")), " advice"),
                           errors > 0 ? "bad" : ""));
  for (const auto& [space, part] : results.by_memory_space) {
    if (results.by_memory_space.size() < 2) continue;
    StrAppend(text, TotalBox(StrCat("Memory space ", space), RoundedBytes(part.bytes),
                             StrCat(Percent(part.waste()), " padding")));
  }
  return text + "</section>\n";
}

// Returns the modules in a sentence, and the rules that were not applied.
std::string Lead(const ScanResults& results) {
  std::string text = "<p class=\"lead\">";
  if (results.module_rows.size() == 1) {
    const Json& module = results.module_rows[0];
    StrAppend(text, "<code>", PageText(module["name"].text()), "</code> in <code>", PageText(module["file"].text()),
              "</code>, ");
  } else {
    StrAppend(text, GroupedCount(results.modules, "module"), ", ");
  }
  StrAppend(text, GroupedCount(results.instructions, "instruction"), "</p>\n");
  int64_t judged_in_part = 0;
  const Json* example = nullptr;
  for (const Json& module : results.module_rows) {
    if (module["not_applied"].empty()) continue;
    ++judged_in_part;
    if (example == nullptr) example = &module;
  }
  if (example != nullptr) {
    std::string rules;
    for (const auto& [rule, why] : (*example)["not_applied"].items()) {
      StrAppend(rules, rules.empty() ? "" : ", ", PageText(rule));
    }
    StrAppend(text, "<p class=\"note\">", PageText((*example)["file"].text()),
              judged_in_part > 1 ? StrCat(" and ", GroupedCount(judged_in_part - 1, "other module")) : "", ": ",
              PageText((*example)["not_applied"].items()[0].value.text()), ", so these rules were not applied: ", rules,
              ".</p>\n");
  }
  return text;
}

}  // namespace

std::string PageText(std::string_view text) { return EscapeMarkup(OneLine(text)); }

std::string PageBytes(const Json& row, std::string_view key) { return RoundedBytes(row.value(key, int64_t{0})); }

std::string Percent(double part) { return fmt::format("{:.1f}\u202f%", 100 * part); }

std::string Grouped(int64_t count) {
  std::string text = StrCat(count);
  for (size_t at = text.size(); at > 3 && text[at - 4] != '-';) text.insert(at -= 3, ",");
  return text;
}

std::string GroupedCount(int64_t count, std::string_view noun) {
  return StrCat(Grouped(count), " ", noun, count == 1 ? "" : "s");
}

std::string_view OpcodeClass(std::string_view opcode) {
  if (opcode == "parameter" || opcode == "constant" || opcode == "fusion") return opcode;
  if (opcode == "copy" || opcode == "transpose" || opcode == "reshape" || opcode == "copy-start") return "copy";
  if (opcode == "dot" || opcode == "convolution" || opcode == "custom-call") return "compute";
  return "other";
}

void ScanPage::Add(ModuleScan& scan) {
  for (const ArrayCost& array : scan.arrays) {
    const auto weight = static_cast<double>(array.bytes);
    if (array.bytes > 0 && arrays_.Takes(weight)) arrays_.Add(weight, ArrayJson(scan, array));
  }
  if (!scan.live) return;
  const int64_t peak = scan.live->curve[scan.live->peak].bytes;
  if (curves_.size() == kMostCurves && peak <= curves_.rbegin()->first) return;
  curves_.emplace(peak, CurveOf(scan));
  if (curves_.size() > kMostCurves) curves_.erase(std::prev(curves_.end()));
}

std::string ScanPage::Html(const ScanResults& results) const {
  const std::vector<Json> arrays = arrays_.Rows();
  MemoryTotals rest = results.totals;
  for (const Json& array : arrays) {
    rest.Add({-1, -array["bytes"].get<int64_t>(), -array["needed_bytes"].get<int64_t>()});
  }
  const bool many = results.modules > 1;
  const std::string title = many ? GroupedCount(results.modules, "module")
                                 : PageText(results.module_rows.empty() ? "" : results.module_rows[0]["name"].text());
  std::string page = StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Memory of ",
      title, " · layoutcheck scan</title>\n<style>\n", ScanStyle(),
      "</style>\n</head>\n<body>\n<header>\n<h1>Memory of ", title, "</h1>\n", Lead(results), "</header>\n<main>\n",
      Totals(results, curves_.empty() ? nullptr : &curves_.begin()->second), FindingsMarkup(results),
      TreemapMarkup(arrays, rest));
  if (!curves_.empty()) {
    StrAppend(page,
              "<section id=\"live\">\n<h2>Live memory</h2>\n<p class=\"note\">Bytes alive at each instruction of the "
              "entry, by the buffers in the text. A real buffer assignment differs: it reuses the place of an operand, "
              "aligns, and has buffers that the text does not show.</p>\n");
    size_t number = 0;
    for (const auto& [peak, curve] : curves_) StrAppend(page, CurveMarkup(curve, number++, many));
    if (number == kMostCurves) {
      StrAppend(page, "<p class=\"note\">The ", number, " modules with the largest peaks are shown.</p>\n");
    }
    StrAppend(page, "</section>\n");
  }
  StrAppend(
      page, ArraysMarkup(arrays, rest, many), "</main>\n<footer>Written by <code>layoutcheck scan --html</code>. ",
      "This page loads nothing from anywhere.</footer>\n<script>\n", ScanScript(), "</script>\n</body>\n</html>\n");
  return page;
}

}  // namespace layoutcheck
