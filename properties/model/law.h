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

#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// A drawn layout with what every law needs of it, worked out once, by the reference.
struct LayoutCase {
  // Errors: as SizesOf, and a table that is too large.
  static Expected<LayoutCase> Create(const Shape& shape);

  Shape shape;
  std::string text;  // canonical
  TiledLayout layout;
  LayoutSizes sizes;
  std::vector<int64_t> offsets;  // of all elements, the last logical dimension fastest

  // The logical index of the element at this place of `offsets`.
  std::vector<int64_t> IndexOf(size_t element) const;
};

// A layout too large for a table: it is looked at in single places, so that integers that are too narrow are found.
struct HugeCase {
  // The index of the first and the last element, of neighbors of powers of two, and some between, the same for the same
  // shape. Errors: as SizesOf; an array without elements.
  static Expected<HugeCase> Create(const Shape& shape);

  Shape shape;
  std::string text;
  TiledIndex index;
  LayoutSizes sizes;
  std::vector<std::vector<int64_t>> elements;
};

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

// The result of a law whose question the subject declined or failed to answer.
LawResult NotAnswered(const Declined& declined);
LawResult NotAnswered(const Failed& failed);

// The subject's linear indices of all elements: its table, or where it has none one offset after another.
Answer<std::vector<int64_t>> OffsetsOf(Subject& subject, const LayoutCase& layout_case);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_MODEL_LAW_H_
