// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/module/module_facts.h"
#include <algorithm>
#include "layoutcheck/core/hlo/validate.h"

namespace layoutcheck {
namespace {

constexpr int64_t kHostMemory = 5;  // programs can ask for it before layout assignment

bool IsPlaced(const Shape& shape) {
  if (shape.layout && !shape.layout->tiles.empty()) return true;
  if (shape.layout && shape.layout->memory_space != 0 && shape.layout->memory_space != kHostMemory) return true;
  return std::ranges::any_of(shape.elements, IsPlaced);
}

bool HasAssignedLayouts(const HloModule& module) {
  if (module.is_scheduled || module.is_log) return true;
  return std::ranges::any_of(module.computations, [](const ModuleComputation& computation) {
    return std::ranges::any_of(computation.instructions, [](const ModuleInstruction& instruction) {
      if (instruction.shape == nullptr) return false;
      return IsPlaced(*instruction.shape) || (instruction.opcode == "bitcast" && instruction.shape->layout.has_value());
    });
  });
}

// Returns the layout if the text has one: a scalar's default layout has no text.
const Layout* PrintedLayout(const Shape& shape) {
  static const Layout kDefaultOfScalar;
  if (!shape.layout || (shape.rank() == 0 && *shape.layout == kDefaultOfScalar)) return nullptr;
  return &*shape.layout;
}

bool FieldsAgree(const Layout& a, const Layout& b, MissingTiles missing) {
  if (a.minor_to_major != b.minor_to_major || a.element_size_in_bits != b.element_size_in_bits) return false;
  if (missing == MissingTiles::kAgree) return a.tiles.empty() || b.tiles.empty() || a.tiles == b.tiles;
  return a.tiles == b.tiles && a.tail_padding_alignment_in_elements == b.tail_padding_alignment_in_elements;
}

// Returns the computations that run on memory of their own, by number: those that the entry reaches. Without an entry,
// each computation counts as one, with two exceptions: a fusion or the like names it, or the text has a header and the
// computation a readable head, so that the entry or a call of it must be missing.
std::vector<bool> Materialized(const HloModule& module) {
  std::vector<bool> reached(module.computations.size(), module.entry < 0);
  if (module.entry < 0) {
    for (size_t k = 0; k < module.computations.size(); ++k) {
      if (!module.name.empty() && !module.computations[k].name.empty()) reached[k] = false;
    }
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

ModuleFacts::ModuleFacts(const HloModule& module, std::vector<Tiling> tilings)
    : module_(module),
      tilings_(std::move(tilings)),
      has_assigned_layouts_(HasAssignedLayouts(module)),
      is_materialized_(Materialized(module)) {}

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
  if (is_new) known->second = TightestOrder(*shape, tilings_);
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

bool LayoutsAgree(const Shape& a, const Shape& b, MissingTiles missing) {
  if (&a == &b) return true;
  if (a.element_type != b.element_type || a.dimensions != b.dimensions || a.elements.size() != b.elements.size()) {
    return false;
  }
  for (size_t i = 0; i < a.elements.size(); ++i) {
    if (!LayoutsAgree(a.elements[i], b.elements[i], missing)) return false;
  }
  const Layout* const layout_a = PrintedLayout(a);
  const Layout* const layout_b = PrintedLayout(b);
  return layout_a == nullptr || layout_b == nullptr || FieldsAgree(*layout_a, *layout_b, missing);
}

}  // namespace layoutcheck
