// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data that a reshape or transpose moves because the layouts of its operand and result make it no bitcast.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/module/module.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "layoutcheck/properties/module/module_facts.h"

namespace layoutcheck {

struct DataMove {
  int64_t bytes = 0;  // allocated for the result, which is written
  // An element that moves. Nothing if all keep their offsets and the allocations differ, if an element has another
  // number of bits, or if none could be named.
  std::optional<ElementMove> element;
  std::string reason;  // why the operation is no bitcast, in words
};

// Returns true if the instruction is a reshape or transpose between arrays with valid layouts and static dimensions,
// and the result has the element type and the dimensions that the operation gives it.
bool IsStaticReshapeOrTranspose(ModuleFacts& facts, const ModuleInstruction& instruction);

// Returns the data that the instruction moves, or nothing if it is a bitcast. Memory spaces are not compared. Requires
// IsStaticReshapeOrTranspose. Error (unsupported): it is not known whether elements move.
Expected<std::optional<DataMove>> DataMoveOf(ModuleFacts& facts, const ModuleInstruction& instruction);

}  // namespace layoutcheck
