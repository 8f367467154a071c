// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
#include "layoutcheck/core/module/module.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tilings.h"

namespace layoutcheck {

// Facts about a module that several rules and reports need, each computed once per shape or computation.
class ModuleFacts {
 public:
  // The module must outlive the facts. `tilings` are the ones that Tightest tries besides an array's own.
  explicit ModuleFacts(const HloModule& module, std::vector<Tiling> tilings = {});

  const HloModule& module() const { return module_; }
  const std::vector<Tiling>& tilings() const { return tilings_; }
  // Returns true if something shows that layout assignment has run: a schedule, or an instruction that is a bitcast or
  // has a tile or a memory space of the device. Before, XLA prints default layouts, which mean nothing, and the layouts
  // of the module's header are those that the user asks for.
  bool has_assigned_layouts() const { return has_assigned_layouts_; }
  // Returns true if the values of a computation have memory of their own: the entry's, and those of whiles,
  // conditionals and calls that it reaches. The values of a fusion, or of what is applied to elements, have none.
  bool IsMaterialized(const ModuleComputation& computation) const;
  // Returns the sizes of a valid array with a layout, or null. `shape` is one of the module's.
  const LayoutSizes* Sizes(const Shape* shape);
  // Returns the bytes of the elements alone. Requires Sizes(shape).
  int64_t NeededBytes(const Shape* shape);
  // Returns TightestOrder of a valid array with a layout.
  const std::optional<Shape>& Tightest(const Shape* shape);
  // Returns what is wrong with the shape, or an empty text. `shape` is one of the module's.
  const std::string& Problem(const Shape* shape);

 private:
  const HloModule& module_;
  std::vector<Tiling> tilings_;
  bool has_assigned_layouts_ = false;
  std::vector<bool> is_materialized_;  // one per computation
  std::unordered_map<const Shape*, std::optional<LayoutSizes>> sizes_;
  std::unordered_map<const Shape*, std::optional<Shape>> tightest_;
  std::unordered_map<const Shape*, std::string> problems_;
};

// Returns true if the instruction allocates nothing and names memory of others: a bitcast, a tuple or a part of one, a
// while, the end of an asynchronous operation.
bool NamesMemory(std::string_view opcode);

// Returns true if the instruction runs the computations that it names on memory of their own.
bool RunsComputations(std::string_view opcode);

enum class MissingTiles {
  kDiffer,  // no tiles are other tiles
  kAgree,   // no tiles agree with all, and tail paddings do not matter: XLA's entry layouts may leave them out, and
            // computations on the host have none
};

// Returns true if two shapes of one value agree: equal dimensions, element types, orders, tiles, element widths and
// tail paddings. Where a layout is not printed (XLA prints no default layout of a scalar), it agrees with every layout.
// Dynamic dimensions count with their bounds. Memory spaces, split configs and metadata are not compared: XLA assigns
// them after layouts, and brings them into fusions last. Tuples agree if all elements do.
bool LayoutsAgree(const Shape& a, const Shape& b, MissingTiles missing = MissingTiles::kDiffer);

}  // namespace layoutcheck
