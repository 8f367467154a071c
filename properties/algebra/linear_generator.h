// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include "layoutcheck/core/linear/linear_layout.h"
#include "layoutcheck/properties/generate/choices.h"

namespace layoutcheck {

// The layouts in bits of one case.
struct DrawnLinear {
  // Up to three inputs and up to three outputs, of up to 3 bits each; one layout in eight has 30 bits more.
  LinearLayout layout;
  LinearLayout outer;        // its inputs are the outputs of `layout` in any order, one of them perhaps larger
  LinearLayout factor;       // may share names with `layout`
  LinearLayout product;      // mostly that of `layout` and `factor`, sometimes with another image
  LinearLayout onto;         // its outputs are those of `layout` in any order, and it takes every value
  uint64_t number = 0;       // of an input of `layout`
  std::string input;         // a name of `layout`
  std::string input_sizes;   // "[a:4,b:2]": as many bits as the inputs of `layout` together
  std::string output_sizes;  // as many bits as its outputs together
  std::string attribute;     // blocked or swizzled_shared of Triton, with its shape
};

DrawnLinear DrawLinear(Choices& choices);

}  // namespace layoutcheck
