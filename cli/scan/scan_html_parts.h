// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of the page of `scan --html`. Each function returns markup, all text in it escaped.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/scan/scan_html.h"

namespace layoutcheck {

// Style sheet and script of the page.
std::string_view ScanStyle();
std::string_view ScanScript();

// Returns text for markup: one line, entities for special characters.
std::string PageText(std::string_view text);
// Returns the bytes of a row and of the others in words: "1.2 GiB", "12 MiB".
std::string PageBytes(const Json& row, std::string_view key);
// Returns "35.1 %".
std::string Percent(double part);
// Returns 1204332 as "1,204,332".
std::string Grouped(int64_t count);
// Returns "1,204 arrays" or "1 array".
std::string GroupedCount(int64_t count, std::string_view noun);

// Returns the class of an opcode, by which arrays are colored: "parameter", "constant", "fusion", "copy", "compute" or
// "other".
std::string_view OpcodeClass(std::string_view opcode);

// Returns the treemap of the arrays, and of `rest` as one area, twice: for wide and for narrow screens.
std::string TreemapMarkup(std::span<const Json> arrays, const MemoryTotals& rest);
// Returns the curve with its peak and the arrays alive there. The first curve of a page is number 0 and unfolded.
std::string CurveMarkup(const LiveCurve& curve, size_t number, bool names_file);
// Returns the findings, errors first.
std::string FindingsMarkup(const ScanFindings& found);
// Returns the table of arrays with its filters, and their pictures of memory.
std::string ArraysMarkup(std::span<const Json> arrays, const MemoryTotals& rest, bool names_file);

}  // namespace layoutcheck
