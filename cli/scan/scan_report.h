// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/scan/module_scan.h"

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
  bool json = false;
  bool arrays = false;  // with json: also one line per array
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

// What is kept of all modules. Modules themselves are not.
struct ScanResults {
  int64_t modules = 0;
  int64_t instructions = 0;
  MemoryTotals totals;
  std::map<int64_t, MemoryTotals> by_memory_space;
  int64_t copied_bytes = 0;       // by copies, transposes and reshapes that move elements
  std::vector<Json> module_rows;  // as ModuleJson
  std::vector<Json> findings;     // as FindingJson, in the order of the files
  std::map<std::string, std::map<std::string, int64_t>> counts;  // of findings, by severity and rule
};

// Collects the results of modules, and prints each as JSON Lines if the options say so.
class ScanReport {
 public:
  explicit ScanReport(const ScanOptions& options) : options_(options), largest_(options.top), copies_(options.top) {}

  void Add(ModuleScan& scan);
  const ScanResults& results() const { return results_; }
  // Returns the rows of the two tables, as ArrayJson: the arrays by the order asked for, and the copies by their bytes.
  std::vector<Json> LargestArrays() const { return largest_.Rows(); }
  std::vector<Json> LargestCopies() const { return copies_.Rows(); }
  // Returns 1 after an error, else 3 if something is undecided, else 0.
  ExitCode exit_code() const;

 private:
  bool IsSelected(const ArrayCost& array) const;
  double WeightOf(const ArrayCost& array) const;

  const ScanOptions& options_;
  ScanResults results_;
  TopRows largest_;
  TopRows copies_;
};

// Returns the report for people: totals, findings, the most wasteful arrays, the copies that move most bytes.
std::string ScanText(const ScanReport& report);

}  // namespace layoutcheck
