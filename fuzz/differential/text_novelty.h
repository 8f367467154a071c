// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include "layoutcheck/fuzz/text/text_kind.h"

namespace layoutcheck {

// Tells which texts of a run show something that none before them shows. Each text has a few dozen features:
//   - how the reference reads it: accepted, or its reason for the rejection
//   - how the subject answers it, as the caller says
//   - the kinds of its tokens, and of each two that follow each other
//   - the number of tokens of a kind, the depth of brackets, the length of the text and the sizes of its numbers, each
//     up to a power of two
//   - its element types, and the first letters of other words
class TextNovelty {
 public:
  explicit TextNovelty(TextKind kind) : kind_(kind) {}

  // Returns true if the text has a feature that no text before it had. `answer` is equal for answers of one class.
  bool Add(std::string_view text, std::string_view answer);

 private:
  bool AddFeature(std::string_view feature);
  bool AddNumber(std::string_view name, uint64_t number);
  bool AddTokens(std::string_view text);

  TextKind kind_;
  std::unordered_set<uint64_t> features_;  // hashes
};

}  // namespace layoutcheck
