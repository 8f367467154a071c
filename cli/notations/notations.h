// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The notations of the LAYOUT argument. A new notation is one file with a class derived from AnyLayout and a Notation,
// and the name of that Notation below.
#pragma once

#include <memory>
#include <string_view>
#include "layoutcheck/cli/notations/notation.h"

namespace layoutcheck {

struct Notation {
  // One line of the program's help.
  std::string_view example;
  std::string_view description;
  // Returns true if the first characters and marks show that the text, valid or not, is meant in this notation.
  bool (*claims)(std::string_view text);
  Expected<std::unique_ptr<AnyLayout>> (*read)(std::string_view text);
};

extern const Notation kFractalNotation, kShapeStrideNotation, kLinearNotation, kNamedNotation, kPaddedNotation,
    kHloNotation;

// The first notation that claims a text reads it. HLO is last and claims every text.
inline constexpr const Notation* kNotations[] = {&kFractalNotation, &kShapeStrideNotation, &kNamedNotation,
                                                 &kLinearNotation,  &kPaddedNotation,      &kHloNotation};

}  // namespace layoutcheck
