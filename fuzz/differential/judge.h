// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The judgement of a parser's answer to a text, by the reference.
#ifndef LAYOUTCHECK_FUZZ_DIFFERENTIAL_JUDGE_H_
#define LAYOUTCHECK_FUZZ_DIFFERENTIAL_JUDGE_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "layoutcheck/fuzz/text/text_kind.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// The ways in which a parser fails, each under the name of the law that it breaks.
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

// Returns the law of a finding with this fault: "subject-crash", "accepts-malformed", ...
std::string_view TextFaultName(TextFault fault);
std::optional<TextFault> TextFaultFromName(std::string_view name);
// Returns one sentence that says what a parser must do instead.
std::string_view TextFaultStatement(TextFault fault);

// A difference between a subject's answer and the reference's.
struct Disagreement {
  TextFault fault = TextFault::kCrash;
  // Tells two faults of one kind apart: the reference's reason for a rejection, the field that is lost, or the
  // subject's message without its numbers and quotations.
  std::string cause;
  std::string expected;
  std::string actual;
};

// Judges an answer. Returns nothing if the subject is right or declines. Asks the subject again only if its text is not
// the canonical one.
std::optional<Disagreement> JudgeAnswer(Subject& subject, TextKind kind, std::string_view text,
                                        const Answer<ParseAnswer>& answer);

// Asks the subject about the text and judges its answer.
std::optional<Disagreement> JudgeText(Subject& subject, TextKind kind, std::string_view text);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_DIFFERENTIAL_JUDGE_H_
