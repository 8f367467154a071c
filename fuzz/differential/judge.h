// What is wrong with a parser's answer to a text, by the reference.
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

// "subject-crash", "accepts-malformed", ...: what findings carry as their law.
std::string_view TextFaultName(TextFault fault);
std::optional<TextFault> TextFaultFromName(std::string_view name);
// One sentence: what a parser must do instead.
std::string_view TextFaultStatement(TextFault fault);

struct Disagreement {
  TextFault fault = TextFault::kCrash;
  // What tells two faults of one kind apart: the reference's reason for a rejection, the field that is lost, the
  // subject's message without its numbers and quotations.
  std::string cause;
  std::string expected;
  std::string actual;
};

// Nothing where the subject is right or declines. Asks the subject again only where its text is not the canonical one.
std::optional<Disagreement> JudgeAnswer(Subject& subject, TextKind kind, std::string_view text,
                                        const Answer<ParseAnswer>& answer);

// Asks and judges.
std::optional<Disagreement> JudgeText(Subject& subject, TextKind kind, std::string_view text);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_DIFFERENTIAL_JUDGE_H_
