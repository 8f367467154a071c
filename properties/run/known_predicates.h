// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predicates by which a known difference accepts one computed answer, where no regular expression can.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace layoutcheck {

// The parts of a failure or a finding that known differences match.
struct Difference {
  // A part, by the name that it has in a file of known differences.
  struct Part {
    std::string_view name;
    std::string_view Difference::* member;
  };
  static const std::array<Part, 5> kParts;

  std::string_view law;
  std::string_view layout;
  std::string_view expected;
  std::string_view actual;
  std::string_view text;  // text of the witness; empty if it has none
  std::string_view reference_answer;
};

inline constexpr std::array<Difference::Part, 5> Difference::kParts = {
    {{"pattern", &Difference::layout},
     {"expected", &Difference::expected},
     {"actual", &Difference::actual},
     {"text", &Difference::text},
     {"reference_answer", &Difference::reference_answer}}};

struct KnownPredicate {
  std::string_view name;
  // One sentence about the question and the actual answer.
  std::string_view statement;
  bool (*holds)(const Difference&);
};

std::span<const KnownPredicate> KnownPredicates();

}  // namespace layoutcheck
