// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of `scan --kind ttgir` for people.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/cli/scan/scan_report.h"
#include "layoutcheck/cli/ttgir/ttgir_rows.h"

namespace layoutcheck {

// The results of all functions.
struct TtgirResults {
  std::vector<TtgirRows> functions;
  ScanFindings findings;  // those of the functions

  void Add(TtgirRows rows);
};

// A table of rows: the heads of its columns of numbers, and per row the numbers and a text behind them.
struct TtgirTable {
  struct Line {
    std::vector<std::string> numbers;
    std::string text;
  };
  std::string title;
  std::vector<std::string> heads;
  std::vector<Line> lines;
};

// Returns the tables of conversions, accesses, buffers and types of tensors, those without rows left out. The rows that
// move most or are largest are first.
std::vector<TtgirTable> TablesOf(std::span<const TtgirRows> functions);

// A member of a function's row that is a sum of bytes, and what it counts.
struct TtgirTotal {
  std::string_view member;
  std::string_view name;
};
std::span<const TtgirTotal> TtgirTotals();

// Returns the function with its file, target and warps, or the number of functions.
std::string TtgirTitle(std::span<const TtgirRows> functions);

// Returns the report: title, totals, layouts, findings, and `top` rows of each table.
std::string TtgirText(const TtgirResults& results, size_t top);

// Returns the page of --html, which has the same with all rows.
std::string TtgirHtml(const TtgirResults& results);

// Returns the findings as SARIF 2.1.0.
std::string TtgirSarif(const TtgirResults& results);

// Returns JUnit's XML: one testsuite per function, one testcase per rule.
std::string TtgirJunit(const TtgirResults& results);

}  // namespace layoutcheck
