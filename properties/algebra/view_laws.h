// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of views, whose argument is the text of a view of a shape:stride or fractal layout.
#pragma once

#include <memory>
#include <vector>
#include "layoutcheck/properties/algebra/algebra_law.h"

namespace layoutcheck {

std::vector<std::unique_ptr<AlgebraLaw>> ViewLaws();

}  // namespace layoutcheck
