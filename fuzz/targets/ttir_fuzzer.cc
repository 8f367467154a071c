// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: takes any bytes as TTIR or TTGIR. What is read fits together; an error names a line of the text; the
// conversions of TTGIR move no negative number of elements.
#include <algorithm>
#include <charconv>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/fuzz/text/target.h"
#include "layoutcheck/llvm/ttgir/ttgir_scan.h"
#include "layoutcheck/llvm/ttir/ttir.h"

namespace layoutcheck {
namespace {

// Returns true if the message begins with "line N: column M: " and the text has such a line.
bool NamesLine(std::string_view message, std::string_view text) {
  constexpr std::string_view kLine = "line ";
  if (!message.starts_with(kLine)) return false;
  int64_t line = 0;
  const char* const end = message.data() + message.size();
  const auto [rest, error] = std::from_chars(message.data() + kLine.size(), end, line);
  return error == std::errc() && std::string_view(rest, end).starts_with(": column ") && line >= 1 &&
         line <= 1 + std::ranges::count(text, '\n');
}

std::optional<std::string> BrokenBlocks(const std::vector<TtirBlock>& blocks) {
  for (const TtirBlock& block : blocks) {
    for (const auto& op : block.ops) {
      if (std::ranges::count(op->operands, nullptr) > 0) return "an operand that is no value";
      for (size_t k = 0; k < op->results.size(); ++k) {
        const TtirValue& result = *op->results[k];
        if (result.definition != op.get() || result.number != k) return "a result of another operation";
      }
      for (const auto& region : op->regions) {
        if (region.empty()) return "a region without a block";
        if (auto broken = BrokenBlocks(region)) return broken;
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> BrokenScan(const TtirModule& module) {
  const auto scan = ScanTtgir(module);
  if (!scan) return std::nullopt;
  for (const TtgirFunction& function : scan->functions) {
    for (const TtgirConvert& convert : function.converts) {
      const Movement& moved = convert.movement;
      const int64_t parts[] = {moved.kept, moved.lanes, moved.warps, moved.blocks};
      if (std::ranges::min(parts) < 0) return "a conversion that moves less than nothing";
    }
    for (const TtgirFinding& finding : function.findings) {
      if (finding.message.empty()) return "a finding without a message";
    }
  }
  return std::nullopt;
}

std::optional<std::string> BrokenProperty(std::string_view text) {
  const auto module = ParseTtir(text, "text.ttir");
  if (!module) {
    if (NamesLine(module.error().message, text)) return std::nullopt;
    return StrCat("an error that does not name a line: ", module.error().message);
  }
  for (const TtirFunction& function : module->functions) {
    if (auto broken = BrokenBlocks(function.blocks)) return broken;
  }
  return BrokenScan(*module);
}

}  // namespace
}  // namespace layoutcheck

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  layoutcheck::Require(layoutcheck::BrokenProperty(layoutcheck::InputText(data, size)));
  return 0;
}
