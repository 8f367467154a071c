// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/bitcast_text.h"
#include <variant>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"

namespace layoutcheck {

std::string DecompositionText(const BitcastDecomposition& decomposition) {
  if (std::holds_alternative<BitcastReshape>(decomposition)) return "a reshape";
  const auto transpose = [](const std::vector<int64_t>& permutation) {
    return StrCat("a transpose by {", StrJoin(permutation, ","), "}");
  };
  if (const auto* only = std::get_if<BitcastTranspose>(&decomposition)) return transpose(only->permutation);
  const auto& steps = std::get<BitcastTransposeReshapeTranspose>(decomposition);
  std::string text;
  if (!steps.IsTranspose1Identity()) {
    StrAppend(text, transpose(steps.transpose1), " to ", ToString(steps.transpose1_shape), ", ");
  }
  StrAppend(text, "a reshape to ", ToString(steps.reshape_shape));
  if (!steps.IsTranspose2Identity()) StrAppend(text, ", ", transpose(steps.transpose2));
  return text;
}

}  // namespace layoutcheck
