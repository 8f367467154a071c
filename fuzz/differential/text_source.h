// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws the texts of a fuzz run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>
#include "layoutcheck/fuzz/text/random.h"
#include "layoutcheck/fuzz/text/text_kind.h"

namespace layoutcheck {

struct DrawnText {
  enum class Role : char { kStart, kNew, kLikeAnother, kTooLong };
  std::string text;
  Role role = Role::kStart;
};

// Returns valid texts that show all of the notation, the simplest one first.
std::vector<std::string> BuiltInTexts(TextKind kind);

// The texts of a run: built-in ones and the corpus first, then random texts and mutants of kept texts. A text with a
// new set of token kinds is kept. So is one that reached new code of the subject; half of the mutants then come from
// such.
class TextSource {
 public:
  TextSource(TextKind kind, uint64_t seed, std::span<const std::string> corpus);

  DrawnText Draw();
  // Keeps a text that reached new code of the subject.
  void KeepCovering(const std::string& text) { covering_.push_back(text); }

 private:
  void Keep(const std::string& text);
  std::string NextText();
  const std::string& PickKept();

  TextKind kind_;
  Random random_;
  std::vector<std::string> kept_;
  size_t starts_ = 0;  // number of initial texts, at the front of kept_
  size_t drawn_ = 0;   // number of initial texts that were drawn
  std::vector<std::string> covering_;
  std::unordered_set<uint64_t> signatures_;
};

}  // namespace layoutcheck
