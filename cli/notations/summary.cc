// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/summary.h"
#include <fmt/format.h>
#include <utility>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

std::string BytesText(int64_t bytes) {
  return bytes < 1024 ? fmt::format("{}", bytes) : fmt::format("{} ({})", bytes, RoundedBytes(bytes));
}

std::string WasteText(const AnyLayout& layout) {
  const AllocationSizes sizes = layout.Sizes();
  const double waste = layout.Waste();
  if (waste == 0) return "0 %";
  std::string share = fmt::format("{:.3g} %", 100 * waste);
  if (sizes.elements == 0) return share;
  return fmt::format("{} ({:.6g} allocated for each element)", share,
                     static_cast<double>(sizes.padded_elements) / static_cast<double>(sizes.elements));
}

}  // namespace

std::vector<Fact> SummaryOf(const AnyLayout& layout) {
  const AllocationSizes sizes = layout.Sizes();
  std::vector<Fact> lines;
  lines.push_back({"elements", std::to_string(sizes.elements)});
  if (const AnyLayout* const whole = layout.Whole()) {
    const AllocationSizes of_whole = whole->Sizes();
    lines.push_back({"of", StrCat(whole->Text(), ": ", of_whole.padded_elements, " padded elements",
                                  of_whole.bytes ? StrCat(", ", *of_whole.bytes, " bytes") : "")});
    for (Fact& fact : layout.Facts()) lines.push_back(std::move(fact));
    return lines;
  }
  lines.push_back({"padded elements", std::to_string(sizes.padded_elements)});
  if (sizes.bytes) lines.push_back({"bytes", BytesText(*sizes.bytes)});
  lines.push_back({"waste", WasteText(layout)});
  for (Fact& fact : layout.Facts()) lines.push_back(std::move(fact));
  return lines;
}

}  // namespace layoutcheck
