// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of tiled layouts as statements: docs/certificates.md, "Laws of tiled layouts".
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/verify/layouts/layout.h"
#include "layoutcheck/verify/proof/lines.h"
#include "layoutcheck/verify/proof/statement.h"

namespace layoutcheck::verify {

// One part of a law. state() adds its hypotheses and goals to an empty statement.
struct Sequent {
  std::string part;  // name in the certificate, "every index"
  std::function<void(Statement&)> state;
};

// Returns the parts of the law in their order; none if there is no such law. Those of a fractal layout begin with the
// parts of the law equals-hlo, that it is equal to its XLA layout. The layout must outlive them.
std::vector<Sequent> SequentsOf(std::string_view law, const Layout& layout);

// Checks the sequents, from the present line on, and returns the number of steps.
Checked<int64_t> CheckSequents(const std::vector<Sequent>& sequents, Lines& lines);

}  // namespace layoutcheck::verify
