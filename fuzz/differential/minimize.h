// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a text simple while a claim about it still holds: first its value, then its tokens, then its bytes.
#ifndef LAYOUTCHECK_FUZZ_DIFFERENTIAL_MINIMIZE_H_
#define LAYOUTCHECK_FUZZ_DIFFERENTIAL_MINIMIZE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "layoutcheck/fuzz/text/text_kind.h"

namespace layoutcheck {

// Returns the simplest text found from `text`, for which `holds` must be true, with at most `max_evaluations` calls of
// it. Shorter is simpler; f32 is the simplest element type; of equally long texts, the one with smaller bytes is
// simpler.
std::string MinimizeText(TextKind kind, std::string text, const std::function<bool(std::string_view)>& holds,
                         int64_t max_evaluations);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_DIFFERENTIAL_MINIMIZE_H_
