// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/module_splitter.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

bool BeginsModule(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.starts_with("HloModule ") || line.starts_with("HloModule\t");
}

std::optional<ModuleText> ModuleSplitter::Add(const Line& line) {
  const bool begins = !module_.is_log && BeginsModule(line.text);
  std::optional<ModuleText> complete;
  if (begins && begun_) complete = std::exchange(module_, {.file = module_.file, .first_line = line.number});
  begun_ = begun_ || begins;
  StrAppend(module_.text, line.text, line.is_ended ? "\n" : "");
  if (line.too_long) module_.cut_lines.push_back(line.number);
  return complete;
}

void ForEachModuleOf(const std::string& file, std::string_view text, bool is_log,
                     const std::function<void(ModuleText module)>& visit) {
  ModuleSplitter splitter(file, is_log);
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  for (int64_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (auto complete = splitter.Add({number, line, false, end != std::string_view::npos})) visit(*std::move(complete));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  visit(splitter.TakeLast());
}

}  // namespace layoutcheck
