// The shortest text that still does something: on the value first, then on tokens, then on bytes.
#ifndef LAYOUTCHECK_FUZZ_DIFFERENTIAL_MINIMIZE_H_
#define LAYOUTCHECK_FUZZ_DIFFERENTIAL_MINIMIZE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "layoutcheck/fuzz/text/text_kind.h"

namespace layoutcheck {

// The simplest text found from `text`, for which `holds` must be true, at the cost of at most `max_evaluations` calls.
// Shorter is simpler, f32 is the simplest element type, then smaller bytes are simpler.
std::string MinimizeText(TextKind kind, std::string text, const std::function<bool(std::string_view)>& holds,
                         int64_t max_evaluations);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_DIFFERENTIAL_MINIMIZE_H_
