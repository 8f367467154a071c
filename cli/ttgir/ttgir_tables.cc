// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of `scan --kind ttgir`.
#include <algorithm>
#include <array>
#include <functional>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/ttgir/ttgir_report.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

using Rows = std::vector<const Json*>;
using RowKind = std::vector<Json> TtgirRows::*;  // a member of TtgirRows

constexpr std::array<TtgirTotal, 5> kTotals = {{
    {"lane_bytes", "converts move between lanes"},
    {"warp_bytes", "converts move between warps"},
    {"block_bytes", "converts move between blocks"},
    {"converted_shared_bytes", "of tensors that converts send through shared memory"},
    {"shared_bytes", "of buffers in shared memory"},
}};

std::string BytesText(const Json& row, std::string_view member) {
  const auto bytes = row[member].as<int64_t>();
  return bytes ? RoundedBytes(*bytes) : "-";
}

std::string NumberText(const Json& row, std::string_view member) {
  const auto number = row[member].as<int64_t>();
  return number ? StrCat(*number) : "-";
}

// Returns the rows of one kind of all functions, those with the largest member first.
Rows Largest(std::span<const TtgirRows> functions, RowKind kind, std::string_view member) {
  Rows rows;
  for (const TtgirRows& function : functions) {
    for (const Json& row : function.*kind) rows.push_back(&row);
  }
  std::ranges::stable_sort(rows, std::greater<>(), [&](const Json* row) { return row->value(member, int64_t{0}); });
  return rows;
}

// Makes the lines of a table from rows.
class TableMaker {
 public:
  explicit TableMaker(std::span<const TtgirRows> functions) : functions_(functions) {}

  TtgirTable Converts() const {
    TtgirTable table{"converts", {"stays", "lanes", "warps", "through shared", "least passes"}, {}};
    for (const Json* const row : Largest(functions_, &TtgirRows::converts, "moved_bytes")) {
      const bool has_passes = (*row)["least_store_passes"].is_integer();
      table.lines.push_back(
          {{BytesText(*row, "kept_bytes"), BytesText(*row, "lane_bytes"), BytesText(*row, "warp_bytes"),
            BytesText(*row, "shared_bytes"),
            has_passes ? StrCat(NumberText(*row, "least_store_passes"), " + ", NumberText(*row, "least_load_passes"))
                       : "-"},
           StrCat(NameOf(*row), " ", OneLine((*row)["from"].text()), " -> ", OneLine((*row)["to"].text()),
                  PlaceText(*row))});
    }
    return table;
  }

  TtgirTable Accesses() const {
    TtgirTable table{"accesses to shared memory", {"bytes", "at once", "passes", "no conflicts", "at least"}, {}};
    for (const Json* const row : Largest(functions_, &TtgirRows::accesses, "passes")) {
      const bool has_matrices = row->value("transposed_matrices", false);
      table.lines.push_back(
          {{BytesText(*row, "bytes"), has_matrices ? "matrix" : BytesText(*row, "lane_bytes"),
            NumberText(*row, "passes"), NumberText(*row, "conflict_free_passes"), NumberText(*row, "least_passes")},
           StrCat(NameWithOpcode(*row), " ", OneLine((*row)["tensor"].text()), ", ", OneLine((*row)["buffer"].text()),
                  PlaceText(*row))});
    }
    return table;
  }

  TtgirTable Buffers() const {
    TtgirTable table{"buffers", {"bytes", "memory"}, {}};
    for (const Json* const row : Largest(functions_, &TtgirRows::buffers, "bytes")) {
      table.lines.push_back({{BytesText(*row, "bytes"), (*row)["memory"].text()},
                             StrCat(NameOf(*row), " ", OneLine((*row)["shape"].text()), PlaceText(*row))});
    }
    return table;
  }

  TtgirTable Tensors() const {
    TtgirTable table{"tensors, by type", {"per thread", "registers", "lanes", "warps", "tensors"}, {}};
    for (const Json* const row : Largest(functions_, &TtgirRows::tensors, "thread_bytes")) {
      table.lines.push_back(
          {{BytesText(*row, "thread_bytes"), NumberText(*row, "register_copies"), NumberText(*row, "lane_copies"),
            NumberText(*row, "warp_copies"), NumberText(*row, "count")},
           StrCat(functions_.size() > 1 ? StrCat(OneLine((*row)["function"].text()), "/") : "",
                  OneLine((*row)["shape"].text()))});
    }
    return table;
  }

 private:
  // Returns the name of a row's operation, with its function if there are several.
  std::string NameOf(const Json& row) const {
    const std::string name = OneLine(row["name"].text());
    return functions_.size() > 1 ? StrCat(OneLine(row["function"].text()), "/", name) : name;
  }

  // Returns the loops around an operation and its place: ", in 2 loops  (kernel.py:7)". The place is the one in the
  // kernel's source, or in the text if there is none or are several functions.
  std::string PlaceText(const Json& row) const {
    const int64_t loops = row.value("loops", int64_t{0});
    std::string text = loops == 0 ? "" : loops == 1 ? ", in a loop" : StrCat(", in ", loops, " loops");
    const bool has_source = row.contains("source_file");
    if (has_source) {
      StrAppend(text, "  (", OneLine(row["source_file"].text()), ":", row["source_line"].get<int64_t>(), ")");
    }
    if (!has_source || functions_.size() > 1) {
      StrAppend(text, "  ", OneLine(row["file"].text()), ":", row["line"].get<int64_t>());
    }
    return text;
  }

  // Returns the same and the opcode, which is the name of an operation without results.
  std::string NameWithOpcode(const Json& row) const {
    const std::string name = NameOf(row);
    const std::string& opcode = row["opcode"].text();
    return name.ends_with(opcode) ? name : StrCat(name, " ", opcode);
  }

  std::span<const TtgirRows> functions_;
};

}  // namespace

std::span<const TtgirTotal> TtgirTotals() { return kTotals; }

std::vector<TtgirTable> TablesOf(std::span<const TtgirRows> functions) {
  const TableMaker make(functions);
  std::vector<TtgirTable> tables = {make.Converts(), make.Accesses(), make.Buffers(), make.Tensors()};
  std::erase_if(tables, [](const TtgirTable& table) { return table.lines.empty(); });
  return tables;
}

}  // namespace layoutcheck
