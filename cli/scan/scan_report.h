// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/scan/budget.h"
#include "layoutcheck/cli/scan/module_scan.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// The order of the tables of arrays, the largest first.
enum class ArrayOrder { kPadding, kBytes, kWaste };

struct ScanOptions {
  size_t top = 10;  // rows of each table
  ArrayOrder order = ArrayOrder::kPadding;
  // Only such arrays are in the tables and listed by --arrays; empty for all.
  std::string opcode;
  std::string computation;
  int64_t min_bytes = 0;
  std::vector<Budget> budgets;
  std::vector<std::string> requirements;  // of rules whose findings are errors
  bool has_diff = false;                  // the text is about what changed: it leaves out totals, advice and tables
  bool json = false;                      // print rows in place of tables
  bool arrays = false;                    // with json: also one row per array
};

// A table of the largest rows of many.
class TopRows {
 public:
  explicit TopRows(size_t size) : size_(size) {}
  // Returns true if a row of this weight would be among the largest so far.
  bool Takes(double weight) const { return size_ > 0 && (rows_.size() < size_ || weight > rows_.rbegin()->first); }
  // Adds a row. Of equal weights, the earlier ones are first.
  void Add(double weight, Json row);
  std::vector<Json> Rows() const;

 private:
  size_t size_;
  std::multimap<double, Json, std::greater<>> rows_;
};

// The findings of a scan, in the order of the files.
struct ScanFindings {
  std::vector<Json> findings;                                    // as FindingJson and ExceededJson
  std::map<std::string, std::map<std::string, int64_t>> counts;  // of findings, by severity and rule

  // Adds a finding to the list and to the counts.
  void AddFinding(Json finding);
  // Returns the number of findings of a severity.
  int64_t CountOf(const std::string& severity) const;
  // Returns 1 after an error, else 3 if something is undecided, else 0.
  ExitCode exit_code() const;
};

// The results of all modules. The modules themselves are not kept.
struct ScanResults : ScanFindings {
  int64_t modules = 0;
  int64_t instructions = 0;
  MemoryTotals totals;
  MemoryTotals copies;
  std::map<int64_t, MemoryTotals> by_memory_space;
  std::optional<MemoryTotals> on_device;  // of the modules that have ModuleScan::on_device
  std::vector<Json> module_rows;          // as ModuleJson
  // The findings of module k end at findings_until[k]; those behind the last module are about all of them.
  std::vector<size_t> findings_until;
};

// Collects the results of modules.
class ScanReport {
 public:
  // `print` is called for each row as it is found, if the options ask for rows.
  explicit ScanReport(const ScanOptions& options, void (*print)(const Json& row) = nullptr)
      : options_(options), print_(print), largest_(options.top), copies_(options.top) {}

  void Add(ModuleScan& scan);
  // Ends the report. A budget or requirement to which no module could be held is undecided.
  void Finish();
  const ScanOptions& options() const { return options_; }
  const ScanResults& results() const { return results_; }
  // Returns the rows of the two tables, as ArrayJson: the arrays by the order asked for, and the copies by their bytes.
  std::vector<Json> LargestArrays() const { return largest_.Rows(); }
  std::vector<Json> LargestCopies() const { return copies_.Rows(); }

 private:
  bool IsSelected(const ArrayCost& array) const;
  double WeightOf(const ArrayCost& array) const;
  void Print(const Json& row) const;
  void AddFinding(Json finding);
  void AddToTables(ModuleScan& scan);

  const ScanOptions& options_;
  void (*print_)(const Json& row);
  ScanResults results_;
  TopRows largest_;
  TopRows copies_;
};

// Returns the report for people: totals, findings, the most wasteful arrays, the copies that move most bytes.
std::string ScanText(const ScanReport& report);

// Returns the first ten findings of each rule with this severity, and how many more there are. Padding is left out: it
// is in the table of arrays.
std::string FindingsText(const ScanFindings& found, std::string_view severity);
// Returns the last line: "1 error, 0 undecided, 3 advice (1 copy-is-free, 2 padding-waste)".
std::string FindingCounts(const ScanFindings& found);

// Returns SARIF 2.1.0: findings and exceeded budgets are results, located at the line of their instruction. Errors have
// the level error, what is undecided has warning, and advice has note.
std::string ScanSarif(const ScanReport& report);

// Returns JUnit's XML: one testsuite per module, one testcase per rule and budget. An error is a failure, what is
// undecided is an error, a rule that was not applied is skipped, and advice is output of a test that passes.
std::string ScanJunit(const ScanReport& report);

// Returns "COMPUTATION/INSTRUCTION" of a row, or the one of them that it has.
std::string InstructionPath(const Json& row);

// Returns "SEVERITY: FILE:LINE:COLUMN: RULE" and, on lines of their own, the instruction and the message.
std::string ScanFindingText(const Json& finding);

}  // namespace layoutcheck
