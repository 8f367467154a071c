// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of tiled layouts as statements: docs/certificates.md, "Laws of tiled layouts".
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/verify/layout.h"
#include "layoutcheck/verify/statement.h"

namespace layoutcheck::verify {

// One part of a law. state() adds its hypotheses and goals to an empty statement.
struct Sequent {
  std::string part;  // "every index"
  std::function<void(Statement&)> state;
};

// Returns the parts of the law in their order; none if there is no such law. The layout must outlive them.
std::vector<Sequent> SequentsOf(std::string_view law, const Layout& layout);

}  // namespace layoutcheck::verify
