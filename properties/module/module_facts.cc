// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/module/module_facts.h"
#include <algorithm>
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/core/tiling/tightest_order.h"

namespace layoutcheck {
namespace {

bool IsPlaced(const Shape& shape) {
  if (shape.layout && (!shape.layout->tiles.empty() || shape.layout->memory_space != 0)) return true;
  return std::ranges::any_of(shape.elements, IsPlaced);
}

bool HasAssignedLayouts(const HloModule& module) {
  if (module.is_scheduled || std::ranges::any_of(module.shapes->values(), IsPlaced)) return true;
  return std::ranges::any_of(module.computations, [](const ModuleComputation& computation) {
    return std::ranges::any_of(computation.instructions, [](const ModuleInstruction& instruction) {
      return instruction.opcode == "bitcast" && instruction.shape != nullptr && instruction.shape->layout.has_value();
    });
  });
}

// Returns the computations that run on memory of their own, by number. Without an entry, a computation is taken for one
// unless a fusion or the like names it.
std::vector<bool> Materialized(const HloModule& module) {
  std::vector<bool> reached(module.computations.size(), module.entry < 0);
  if (module.entry < 0) {
    for (const ModuleComputation& computation : module.computations) {
      for (const ModuleInstruction& instruction : computation.instructions) {
        if (RunsComputations(instruction.opcode)) continue;
        for (const ComputationCall& call : instruction.calls) {
          if (call.computation >= 0) reached[static_cast<size_t>(call.computation)] = false;
        }
      }
    }
    return reached;
  }
  std::vector<int64_t> open = {module.entry};
  reached[static_cast<size_t>(module.entry)] = true;
  while (!open.empty()) {
    const ModuleComputation& computation = module.computations[static_cast<size_t>(open.back())];
    open.pop_back();
    for (const ModuleInstruction& instruction : computation.instructions) {
      if (!RunsComputations(instruction.opcode)) continue;
      for (const ComputationCall& call : instruction.calls) {
        if (call.computation < 0 || reached[static_cast<size_t>(call.computation)]) continue;
        reached[static_cast<size_t>(call.computation)] = true;
        open.push_back(call.computation);
      }
    }
  }
  return reached;
}

}  // namespace

ModuleFacts::ModuleFacts(const HloModule& module)
    : module_(module), has_assigned_layouts_(HasAssignedLayouts(module)), is_materialized_(Materialized(module)) {}

bool ModuleFacts::IsMaterialized(const ModuleComputation& computation) const {
  return is_materialized_[static_cast<size_t>(&computation - module_.computations.data())];
}

const LayoutSizes* ModuleFacts::Sizes(const Shape* shape) {
  if (shape == nullptr || !shape->IsArray() || !shape->layout) return nullptr;
  const auto [known, is_new] = sizes_.try_emplace(shape);
  if (is_new && Problem(shape).empty()) {
    if (const auto sizes = SizesOf(*shape)) known->second = *sizes;
  }
  return known->second ? &*known->second : nullptr;
}

int64_t ModuleFacts::NeededBytes(const Shape* shape) {
  return PackedBytes(Sizes(shape)->elements, ElementSizeInBits(*shape)).value_or(0);
}

const std::optional<Shape>& ModuleFacts::Tightest(const Shape* shape) {
  const auto [known, is_new] = tightest_.try_emplace(shape);
  if (is_new) known->second = TightestOrder(*shape);
  return known->second;
}

const std::string& ModuleFacts::Problem(const Shape* shape) {
  const auto [known, is_new] = problems_.try_emplace(shape);
  if (is_new) {
    if (const auto valid = ValidateShape(*shape, MissingLayout::kAllowed); !valid)
      known->second = valid.error().message;
  }
  return known->second;
}

bool NamesMemory(std::string_view opcode) {
  return opcode == "bitcast" || opcode == "tuple" || opcode == "get-tuple-element" || opcode == "while" ||
         opcode == "opt-barrier" || opcode.ends_with("-done") || opcode.ends_with("-update");
}

bool RunsComputations(std::string_view opcode) {
  return opcode == "while" || opcode == "conditional" || opcode == "call";
}

bool LayoutsAgree(const Shape& a, const Shape& b) {
  if (&a == &b) return true;
  if (a.element_type != b.element_type || a.dimensions != b.dimensions || a.elements.size() != b.elements.size()) {
    return false;
  }
  for (size_t i = 0; i < a.elements.size(); ++i) {
    if (!LayoutsAgree(a.elements[i], b.elements[i])) return false;
  }
  if (!a.layout || !b.layout) return true;
  return a.layout->minor_to_major == b.layout->minor_to_major && a.layout->tiles == b.layout->tiles;
}

}  // namespace layoutcheck
