// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A law as an object. The same object is checked by the runner, by fuzz targets, on replayed findings and in
// GoogleTests. Open properties/laws to read the laws themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/core/tiling/tiled_layout.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// A layout with the reference's offsets of all elements.
struct LayoutCase {
  // Errors: those of SizesOf, and a table that is too large (unsupported).
  static Expected<LayoutCase> Create(const Shape& shape);

  Shape shape;
  std::string text;  // canonical text of the shape
  TiledLayout layout;
  LayoutSizes sizes;
  std::vector<int64_t> offsets;  // offsets of all elements, the last logical dimension fastest

  // Returns the logical index of element number `element`.
  std::vector<int64_t> IndexOf(size_t element) const;
};

// A layout too large for a table. Laws check some of its elements, which finds integers that are too narrow.
struct HugeCase {
  // Chooses elements where digits change: the first and the last one, the last one per dimension, those on both sides
  // of the first boundary of a tile and of powers of two, and four that depend on the shape, each element once. Errors:
  // those of SizesOf; an array without elements (invalid argument).
  static Expected<HugeCase> Create(const Shape& shape);

  Shape shape;
  std::string text;  // canonical text of the shape
  TiledIndex index;
  LayoutSizes sizes;
  std::vector<std::vector<int64_t>> elements;  // logical index of each chosen element
};

// The result of checking one law on one layout.
struct LawResult {
  enum class Verdict {
    kAgree,
    kDisagree,
    kOutsideDomain,  // the law says nothing about this layout
    kDeclined,       // the subject does not answer the law's question
  };
  static LawResult Agree() { return {}; }
  static LawResult OutsideDomain() { return {.verdict = Verdict::kOutsideDomain}; }
  static LawResult Decline(std::string why) { return {.verdict = Verdict::kDeclined, .why = std::move(why)}; }
  // The subject refuses a question that the reference answers.
  static LawResult Refuse(const std::string& why) {
    return {.verdict = Verdict::kDeclined, .why = "rejected: " + why, .is_refusal = true};
  }
  static LawResult Disagree(std::string expected, std::string actual) {
    return {.verdict = Verdict::kDisagree, .expected = std::move(expected), .actual = std::move(actual)};
  }
  // Return the result with the place of the first difference.
  LawResult At(std::optional<std::vector<int64_t>> place) && {
    coordinate = std::move(place);
    return std::move(*this);
  }
  LawResult AtOffset(int64_t place) && {
    offset = place;
    return std::move(*this);
  }
  LawResult On(std::string place) && {
    text = std::move(place);
    return std::move(*this);
  }

  Verdict verdict = Verdict::kAgree;
  // The values at the first difference.
  std::string expected;
  std::string actual;
  // For laws of the algebra: the reference's own answer to the question, or "rejected: why". Other answers may be
  // right.
  std::string reference_answer;
  // The place of the first difference: a coordinate (if two elements share an offset, the second one's), an offset or a
  // text.
  std::optional<std::vector<int64_t>> coordinate;
  std::optional<int64_t> offset;
  std::optional<std::string> text;
  // For kDeclined: the subject's reason. For kDisagree: "subject-crash", "subject-timeout" or "subject-protocol" if the
  // subject itself failed, otherwise empty. Findings report such a failure under this name.
  std::string why;
  // The request at which the subject itself failed, or an empty text.
  std::string request;
  bool is_refusal = false;  // for kDeclined: the subject gives a result for some questions, and none for this one
};

// LawResult::expected of a question that the subject failed to answer.
inline constexpr std::string_view kAnAnswer = "an answer";

// A law that every subject must keep. Users see the statement wherever the law is named.
struct Law {
  std::string_view name;  // that `--law` takes and findings carry, such as "injective"
  std::string_view statement;
  std::string_view domain;  // the layouts to which the law applies, in words
  // The checks of all elements of a layout, and of some elements of a huge one. Null if the law does not apply to
  // these.
  LawResult (*check)(Subject&, const LayoutCase&);
  LawResult (*check_huge)(Subject&, const HugeCase&) = nullptr;

  LawResult Check(Subject& subject, const LayoutCase& layout_case) const {
    return check == nullptr ? LawResult::OutsideDomain() : check(subject, layout_case);
  }
  LawResult CheckHuge(Subject& subject, const HugeCase& huge_case) const {
    return check_huge == nullptr ? LawResult::OutsideDomain() : check_huge(subject, huge_case);
  }
};

// A law about a case, as the process of a subject gets it (Subject::CheckLaws).
struct LawQuestion {
  enum class About { kAllElements, kSomeElements, kArguments };

  std::string_view law;
  About about = About::kAllElements;  // a LayoutCase, a HugeCase, or the arguments of a law of the algebra
  // The canonical text of the layout alone, or the arguments.
  std::vector<std::string> arguments;
};

// Returns all laws, in the order in which they are listed and checked.
std::span<const Law* const> AllLaws();

// Returns the law of this name, or null.
const Law* FindLaw(std::string_view name);

// Return the result of a law whose question the subject declined or failed to answer.
LawResult NotAnswered(const Declined& declined);
LawResult NotAnswered(const Failed& failed);

// Returns the same for an answer that is declined or failed, or nothing if the subject has answered.
template <class T>
std::optional<LawResult> Unanswered(const Answer<T>& answer) {
  if (const auto* declined = std::get_if<Declined>(&answer)) return NotAnswered(*declined);
  if (const auto* failed = std::get_if<Failed>(&answer)) return NotAnswered(*failed);
  return std::nullopt;
}

// Asks the subject for the offsets of all elements: for its table or, if it declines tables, for single offsets, at
// most SubjectInfo::max_questions. Declines beyond them and beyond OffsetTable::kMaxEntries.
Answer<std::vector<int64_t>> TableOf(Subject& subject, const Shape& shape);
// Asks for the same, and returns a failure of the protocol if their number is not that of the elements.
Answer<std::vector<int64_t>> OffsetsOf(Subject& subject, const LayoutCase& layout_case);

}  // namespace layoutcheck
