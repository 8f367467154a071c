// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says whether code can be followed on numbers. This is a header of its own, because it catches exceptions, which the
// compiler of the page does not have.
#pragma once

#include <stdexcept>
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {

// Calls f(), which follows code on numbers. Returns false if the code has no value, cannot be followed, or needs
// numbers of more than 128 bits.
template <class F>
bool IsFollowed(F f) {
  try {
    f();
    return true;
  } catch (const FunctionFault&) {
    return false;
  } catch (const FunctionUnknown&) {
    return false;
  } catch (const std::logic_error&) {
    return false;
  }
}

}  // namespace layoutcheck
