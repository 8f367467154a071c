// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test support: reads layouts and looks at their pictures.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/testing/markup.h"

namespace layoutcheck {

// Reads a layout that must be valid.
inline std::unique_ptr<AnyLayout> ReadValid(std::string_view text) {
  auto layout = ReadLayout(text);
  EXPECT_TRUE(layout.has_value()) << text << ": " << (layout ? "" : layout.error().ToString());
  return layout ? *std::move(layout) : nullptr;
}

// Returns the picture below the legend.
inline std::string Body(const std::string& picture) { return picture.substr(picture.find("\n\n") + 2); }

// Returns how often `part` is in the text.
inline size_t Count(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

inline void ExpectWellFormed(const std::string& svg, const std::string& what) {
  std::string error;
  EXPECT_TRUE(IsWellFormed(svg, error)) << what << ": " << error;
}

}  // namespace layoutcheck
