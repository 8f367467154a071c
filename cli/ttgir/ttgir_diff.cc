// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/ttgir/ttgir_diff.h"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/scan/pair_by_keys.h"
#include "layoutcheck/cli/ttgir/ttgir_report.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns "64x64xf32" of "64x64xf32 #blocked".
std::string WithoutLayout(const std::string& text) { return text.substr(0, text.find(' ')); }

std::string ShapesOf(const Json& row) {
  std::string text = row["opcode"].text();
  for (const std::string_view member : {"shape", "from", "to", "tensor", "buffer"}) {
    StrAppend(text, " ", WithoutLayout(row[member].text()));
  }
  return text;
}

std::string ShapesAndLayoutsOf(const Json& row) {
  std::string text = ShapesOf(row);
  for (const std::string_view member : {"layout", "from_layout", "to_layout", "tensor_layout", "buffer_layout"}) {
    StrAppend(text, " ", row[member].text());
  }
  return text;
}

std::string NameKey(const Json& row) { return row["name"].text(); }

// Returns what an amount counts.
std::string_view UnitOf(const Json& row) {
  const std::string& type = row["type"].text();
  return type == "access" ? "pass" : type == "tensor" ? "tensor" : "";
}

std::string AmountText(const Json* row) {
  if (row == nullptr) return "-";
  const std::string_view unit = UnitOf(*row);
  return unit.empty() ? RoundedBytes(AmountOf(*row)) : Counted(AmountOf(*row), unit);
}

// Returns "convert %x 64x64xf32 #mma -> 64x64xf32 #blocked" and the like.
std::string RowText(const Json& row) {
  const std::string& type = row["type"].text();
  const std::string kind = type == "access" ? row["opcode"].text() : type;
  const std::string name = OneLine(row["name"].text());
  std::string text = name == kind ? kind : StrCat(kind, " ", name);
  if (type == "tensor") text = type;
  if (type == "convert") return StrCat(text, " ", OneLine(StrCat(row["from"].text(), " -> ", row["to"].text())));
  if (type == "access") return StrCat(text, " ", OneLine(StrCat(row["tensor"].text(), ", ", row["buffer"].text())));
  return StrCat(text, " ", OneLine(row["shape"].text()));
}

std::string ChangeText(const TtgirChange& change) {
  if (change.after == nullptr) return StrCat(RowText(*change.before), ", only in OLD");
  if (change.before == nullptr) return StrCat(RowText(*change.after), ", new");
  const std::string before = RowText(*change.before);
  const std::string after = RowText(*change.after);
  return before == after ? after : StrCat(after, " (was ", before, ")");
}

// Adds the changes between the rows of one kind.
void AddChanges(const std::vector<Json>& before, const std::vector<Json>& after, std::span<const KeyOf<Json>> keys,
                TtgirDiff& diff) {
  std::vector<TtgirChange> changes;
  std::vector<bool> has_partner(before.size());
  const std::vector<size_t> partners = PairByKeys<Json>(before, after, keys);
  for (size_t k = 0; k < after.size(); ++k) {
    const Json* const partner = partners[k] == kNoPartner ? nullptr : &before[partners[k]];
    if (partner != nullptr) has_partner[partners[k]] = true;
    const bool is_same = partner != nullptr && ShapesAndLayoutsOf(*partner) == ShapesAndLayoutsOf(after[k]) &&
                         AmountOf(*partner) == AmountOf(after[k]);
    if (is_same) {
      ++diff.unchanged;
    } else {
      changes.push_back({partner, &after[k]});
    }
  }
  for (size_t k = 0; k < before.size(); ++k) {
    if (!has_partner[k]) changes.push_back({&before[k], nullptr});
  }
  std::ranges::stable_sort(changes, std::greater<>(),
                           [](const TtgirChange& change) { return std::abs(change.More()); });
  diff.changes.insert(diff.changes.end(), changes.begin(), changes.end());
}

TtgirDiff DiffPair(const TtgirRows& before, const TtgirRows& after) {
  static constexpr KeyOf<Json> kKeys[] = {
      [](const Json& row) { return StrCat(NameKey(row), " ", ShapesAndLayoutsOf(row)); },
      [](const Json& row) { return ShapesAndLayoutsOf(row); },
      [](const Json& row) { return StrCat(NameKey(row), " ", ShapesOf(row)); },
      [](const Json& row) { return ShapesOf(row); },
  };
  TtgirDiff diff{.before = &before, .after = &after, .changes = {}};
  AddChanges(before.converts, after.converts, kKeys, diff);
  AddChanges(before.accesses, after.accesses, kKeys, diff);
  AddChanges(before.buffers, after.buffers, kKeys, diff);
  AddChanges(before.tensors, after.tensors, std::span(kKeys).subspan(1, 1), diff);
  return diff;
}

std::string TitleOfFunction(const TtgirRows& rows) {
  return StrCat(OneLine(rows.function["name"].text()), " in ", OneLine(rows.function["file"].text()));
}

std::string PairOfFunctionsText(const TtgirDiff& diff, size_t most_changes) {
  std::string text = StrCat(TitleOfFunction(*diff.before), " -> ", TitleOfFunction(*diff.after),
                            "\n\n      before        after       change\n");
  for (const TtgirTotal& total : TtgirTotals()) {
    const auto before = diff.before->function[total.member].get<int64_t>();
    const auto after = diff.after->function[total.member].get<int64_t>();
    if (before == 0 && after == 0) continue;
    text += fmt::format("{:>12} {:>12} {:>12}  {}\n", RoundedBytes(before), RoundedBytes(after),
                        SignedRoundedBytes(after - before), total.name);
  }
  StrAppend(text, "\n", diff.changes.size(), diff.changes.size() == 1 ? " row differs, " : " rows differ, ",
            diff.unchanged, diff.unchanged == 1 ? " is the same\n" : " are the same\n");
  const size_t shown = std::min(most_changes, diff.changes.size());
  for (const TtgirChange& change : std::span(diff.changes).first(shown)) {
    text += fmt::format("{:>12} {:>12}  {}\n", AmountText(change.before), AmountText(change.after), ChangeText(change));
  }
  if (shown < diff.changes.size()) StrAppend(text, diff.changes.size() - shown, " more: see --top and --json\n");
  return text;
}

// Adds the members of a row, or of a function, of one version. `prefix` is "old_" for the old one.
void AddMembers(const Json& row, std::string_view prefix, Json& json) {
  for (const auto& [name, value] : row.items()) {
    if (name != "type" && name != "layouts") json[StrCat(prefix, name)] = value;
  }
}

}  // namespace

int64_t TtgirChange::More() const {
  return (after == nullptr ? 0 : AmountOf(*after)) - (before == nullptr ? 0 : AmountOf(*before));
}

int64_t AmountOf(const Json& row) {
  const std::string& type = row["type"].text();
  return row.value(type == "convert"  ? "moved_bytes"
                   : type == "access" ? "passes"
                   : type == "tensor" ? "count"
                                      : "bytes",
                   int64_t{0});
}

std::vector<TtgirDiff> DiffFunctions(std::span<const TtgirRows> before, std::span<const TtgirRows> after) {
  static constexpr KeyOf<TtgirRows> kKeys[] = {
      [](const TtgirRows& rows) {
        const std::string& file = rows.function["file"].text();
        return StrCat(rows.function["name"].text(), " ", file.substr(file.rfind('/') + 1));
      },
      [](const TtgirRows& rows) { return rows.function["name"].text(); },
      [](const TtgirRows&) { return std::string(); },
  };
  const bool is_one_pair = before.size() == 1 && after.size() == 1;
  const std::vector<size_t> partners =
      PairByKeys<TtgirRows>(before, after, std::span(kKeys).first(is_one_pair ? 3 : 2));
  std::vector<TtgirDiff> diffs;
  std::vector<bool> has_partner(before.size());
  for (size_t k = 0; k < after.size(); ++k) {
    if (partners[k] == kNoPartner) {
      diffs.push_back({.after = &after[k], .changes = {}});
    } else {
      has_partner[partners[k]] = true;
      diffs.push_back(DiffPair(before[partners[k]], after[k]));
    }
  }
  for (size_t k = 0; k < before.size(); ++k) {
    if (!has_partner[k]) diffs.push_back({.before = &before[k], .changes = {}});
  }
  return diffs;
}

std::string TtgirDiffText(std::span<const TtgirDiff> diffs, size_t most_changes) {
  std::string text;
  for (const TtgirDiff& diff : diffs) {
    if (!text.empty()) text += "\n";
    if (diff.before != nullptr && diff.after != nullptr) {
      text += PairOfFunctionsText(diff, most_changes);
    } else if (diff.after != nullptr) {
      StrAppend(text, TitleOfFunction(*diff.after), " is new\n");
    } else if (diff.before != nullptr) {
      StrAppend(text, TitleOfFunction(*diff.before), " is only in OLD\n");
    }
  }
  return text;
}

std::vector<Json> TtgirDiffJson(std::span<const TtgirDiff> diffs) {
  std::vector<Json> lines;
  for (const TtgirDiff& diff : diffs) {
    Json json{{"type", "diff"}};
    if (diff.after != nullptr) AddMembers(diff.after->function, "", json);
    if (diff.before != nullptr) AddMembers(diff.before->function, "old_", json);
    if (diff.before != nullptr && diff.after != nullptr) {
      json["changes"] = diff.changes.size();
      json["unchanged"] = diff.unchanged;
    }
    lines.push_back(std::move(json));
    for (const TtgirChange& change : diff.changes) {
      Json row{{"type", "change"},
               {"of", change.after != nullptr ? (*change.after)["type"] : (*change.before)["type"]}};
      if (change.after != nullptr) AddMembers(*change.after, "", row);
      if (change.before != nullptr) AddMembers(*change.before, "old_", row);
      lines.push_back(std::move(row));
    }
  }
  return lines;
}

}  // namespace layoutcheck
