// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace layoutcheck {

// JSON whose members keep the order in which they were added.
using Json = nlohmann::ordered_json;

}  // namespace layoutcheck
