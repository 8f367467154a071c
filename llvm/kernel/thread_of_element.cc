// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/thread_of_element.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/trim.h"

namespace layoutcheck {

bool ElementOwner::IsThread(const SymbolicValues& values) const {
  return std::ranges::all_of(thread, [&](const auto& entry) {
    const auto known = values.find(entry.first);
    return known != values.end() && entry.second == known->second;
  });
}

SymbolicValues ElementOwner::In(SymbolicValues values) const {
  for (const auto& [name, number] : thread) values.insert_or_assign(name, number);
  if (iteration) values.insert_or_assign(kIteration, *iteration);
  return values;
}

std::optional<std::set<size_t>> ElementOwner::Regions() const {
  if (!region) return std::nullopt;
  for (size_t k = 0; k < kMostRegions; ++k) {
    if (*region == static_cast<int64_t>(k)) return std::set<size_t>{k};
  }
  return std::set<size_t>();
}

namespace {

bool AreKnown(const Formula& formula, const SymbolicValues& names) {
  return std::ranges::all_of(formula.names, [&](const auto& used) { return names.contains(used); });
}

}  // namespace

std::optional<ElementOwner> OwnerBy(const ThreadFormulas& formulas, const SymbolicValues& names) {
  ElementOwner owner;
  for (const auto& [name, formula] : formulas) {
    if (!AreKnown(formula, names)) return std::nullopt;
    const SymbolicInteger value = ValueOf(formula, names);
    if (name == kIteration) {
      owner.iteration = value;
    } else if (name == kGuardedRegion) {
      owner.region = value;
    } else {
      owner.thread.emplace(name, value);
    }
  }
  return owner;
}

Expected<ThreadFormulas> ParseThread(const std::string& text, std::span<const std::string> thread_names,
                                     std::vector<std::string> names) {
  constexpr const char* kIterationOption = "iteration";
  std::vector<std::string> numbers;
  for (const std::string& name : thread_names) {
    if (!IsSizeOfLaunch(name)) numbers.push_back(name);
  }
  for (const char* const what : {"block_dim", "grid_dim"}) {
    for (size_t axis = 0; axis < kAxes.size(); ++axis) names.push_back(ThreadName(what, axis));
  }
  ThreadFormulas formulas;
  for (const std::string_view part : SplitAtCommas(text)) {
    const size_t equals = part.find('=');
    const std::string name(Trimmed(part.substr(0, equals)));
    if (std::ranges::find(numbers, name) == numbers.end() && name != kIterationOption) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat("--thread: expected ", StrJoin(numbers, ", "), " or ",
                                                           kIterationOption, ", found '", name, "'"));
    }
    if (equals == std::string_view::npos) {
      return MakeError(ErrorKind::kSyntax, StrCat("--thread: expected '=' behind ", name));
    }
    LAYOUTCHECK_TRY(auto formula, ParseFormulaOf("--thread", std::string(Trimmed(part.substr(equals + 1))), names));
    formulas.insert_or_assign(name == kIterationOption ? kIteration : name, std::move(formula));
  }
  for (const std::string& number : numbers) formulas.try_emplace(number, *ParseFormula("0"));
  return formulas;
}

HostThread ThreadIn(const SymbolicValues& values) {
  const auto number = [&](std::string_view what, size_t axis) {
    const auto known = values.find(ThreadName(what, axis));
    return known == values.end() ? 0 : NumberOf(known->second);
  };
  HostThread thread;
  for (size_t axis = 0; axis < kAxes.size(); ++axis) {
    thread.thread[axis] = number("thread", axis);
    thread.block[axis] = number("block", axis);
  }
  return thread;
}

std::string GuessText(const std::vector<ThreadCase>& cases) {
  std::vector<std::string> texts;
  for (const ThreadCase& one : cases) {
    std::vector<std::string> parts;
    for (const auto& [name, formula] : one.formulas) parts.push_back(StrCat(name, " = ", formula.text));
    texts.push_back(StrCat(StrJoin(parts, ", "), one.condition ? StrCat(" where ", one.condition->text) : ""));
  }
  return StrJoin(texts, ", else ");
}

SymbolicValues NamesOfLaunch(const KernelModel::Point& point, SymbolicValues values) {
  for (size_t axis = 0; axis < kAxes.size(); ++axis) {
    if (point.block[axis]) values.insert_or_assign(ThreadName("block_dim", axis), *point.block[axis]);
    if (point.grid[axis]) values.insert_or_assign(ThreadName("grid_dim", axis), *point.grid[axis]);
  }
  return values;
}

SymbolicValues NamesOfElement(const KernelModel::Point& point, SymbolicValues values, const KernelTensor& tensor,
                              std::span<const SymbolicInteger> element) {
  SymbolicInteger linear = 0;
  for (size_t d = 0; d < element.size(); ++d) {
    linear = linear * tensor.sizes()[d] + element[d];
    values.insert_or_assign(StrCat("i", d), element[d]);
  }
  values.insert_or_assign(kLinearIndex, linear);
  values.insert_or_assign(kPlace, FloorDiv(tensor.PlaceOf(element), tensor.element_bytes()));
  return NamesOfLaunch(point, std::move(values));
}

std::optional<ElementOwner> OwnerOf(const ThreadGuess& guess, const KernelModel::Point& point,
                                    const SymbolicValues& values, size_t array,
                                    std::span<const SymbolicInteger> element) {
  const auto cases = guess.find(array);
  if (cases == guess.end()) return std::nullopt;
  const SymbolicValues names = NamesOfElement(point, values, point.tensors[array], element);
  for (const ThreadCase& one : cases->second) {
    if (one.condition && !AreKnown(*one.condition, names)) return std::nullopt;
    if (one.condition && ValueOf(*one.condition, names) == 0) continue;
    auto owner = OwnerBy(one.formulas, names);
    if (owner) owner->place = one.place;
    return owner;
  }
  return std::nullopt;
}

}  // namespace layoutcheck
