// Laws as objects: a name, one sentence, where it applies, and a check with a witness. The sentence is the one in the
// report.
#ifndef LAYOUTCHECK_PROPERTIES_MODEL_LAW_H_
#define LAYOUTCHECK_PROPERTIES_MODEL_LAW_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/properties/model/layout_case.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// What a check found.
struct LawResult {
  enum class Verdict {
    kAgree,
    kDisagree,
    kOutsideDomain,  // the law says nothing about this layout
    kDeclined,       // the subject does not answer what the law asks
  };
  static LawResult Agree() { return {}; }
  static LawResult OutsideDomain() { return {.verdict = Verdict::kOutsideDomain}; }
  static LawResult Decline(std::string why) { return {.verdict = Verdict::kDeclined, .why = std::move(why)}; }
  static LawResult Disagree(std::string expected, std::string actual) {
    return {.verdict = Verdict::kDisagree, .expected = std::move(expected), .actual = std::move(actual)};
  }

  Verdict verdict = Verdict::kAgree;
  // At the first difference.
  std::string expected;
  std::string actual;
  // Where it is: a coordinate (for two elements at one offset, the second one), an offset, or a text.
  std::optional<std::vector<int64_t>> coordinate;
  std::optional<int64_t> offset;
  std::optional<std::string> text;
  // For kDeclined the subject's reason; for kDisagree the law under which a failure of the subject itself is reported
  // ("subject-crash", "subject-timeout", "subject-protocol"), otherwise empty.
  std::string why;
};

class Law {
 public:
  virtual ~Law() = default;

  // "injective": what --law takes and findings carry.
  virtual std::string_view name() const = 0;
  // One sentence, for a person.
  virtual std::string_view statement() const = 0;
  // The layouts that it speaks about, in words.
  virtual std::string_view domain() const = 0;
  virtual LawResult Check(Subject& subject, const LayoutCase& layout_case) const = 0;
  // The law at single places; outside the domain unless overridden.
  virtual LawResult CheckHuge(Subject& subject, const HugeCase& huge_case) const;
};

// All laws, in the order in which they are listed and checked.
std::span<const Law* const> AllLaws();

// The law of that name, or null.
const Law* FindLaw(std::string_view name);

// Returns the result of a law whose question the subject declined or failed to answer.
LawResult NotAnswered(const Declined& declined);
LawResult NotAnswered(const Failed& failed);

// Returns the same for an answer that may be one of these, or nothing if the subject has answered.
template <class T>
std::optional<LawResult> Unanswered(const Answer<T>& answer) {
  if (const auto* declined = std::get_if<Declined>(&answer)) return NotAnswered(*declined);
  if (const auto* failed = std::get_if<Failed>(&answer)) return NotAnswered(*failed);
  return std::nullopt;
}

// The subject's linear indices of all elements: its table, or where it has none one offset after another.
Answer<std::vector<int64_t>> OffsetsOf(Subject& subject, const LayoutCase& layout_case);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_MODEL_LAW_H_
