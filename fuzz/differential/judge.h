// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges a parser's answer to a text by the reference.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include "layoutcheck/fuzz/text/text_kind.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// The ways in which a parser fails, each named after the law that it breaks.
enum class TextFault {
  kCrash,
  kTimeout,
  kProtocol,
  kAcceptsMalformed,
  kAcceptsInvalidLayout,
  kRejectsValid,
  kLosesField,
  kNotIdempotent,
  kWrongText,
  kMemoryGrowth,
};

std::span<const TextFault> AllTextFaults();

// Returns the law of a finding with this fault, such as "subject-crash".
std::string_view TextFaultName(TextFault fault);
std::optional<TextFault> TextFaultFromName(std::string_view name);
// Returns one sentence about the correct behavior.
std::string_view TextFaultStatement(TextFault fault);

// Returns a message without the parts that vary between texts: numbers, quotations, and everything after "found".
std::string WithoutDetails(std::string_view message);

struct Disagreement {
  TextFault fault = TextFault::kCrash;
  // Distinguishes faults of one kind: the reference's reason for a rejection, the lost field, or the subject's message
  // without numbers and quotations.
  std::string cause;
  std::string expected;
  std::string actual;
};

// Returns nothing if the subject is right or declines. Asks the subject again only if its text is not canonical.
std::optional<Disagreement> JudgeAnswer(Subject& subject, TextKind kind, std::string_view text,
                                        const Answer<ParseAnswer>& answer);

std::optional<Disagreement> JudgeText(Subject& subject, TextKind kind, std::string_view text);

}  // namespace layoutcheck
