// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A subject that passes another subject's answers on and changes one kind of them, to test what accepted differences
// hide.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// A change of all answers to one operation of the protocol, or of one field of printed texts.
struct Mutation {
  enum class Change {
    kNone,
    kConstant,  // one layout, number or list for every question
    kShift,     // 1 added to the last integer
    kSwap,      // modes, elements or digits reversed
    kDrop,      // a field of a text left out
    kRefuse,    // a rejection or an error
  };
  Change change = Change::kNone;
  std::string_view operation;  // "apply", "offset", "table", "coordinate", "size", "relayout" or "parse"
  std::string_view field;      // of "parse": a name in MutableFields()
};

std::string_view ChangeName(Mutation::Change change);

// A field of the texts of one kind, and the changes that change it.
struct MutableField {
  std::string_view name;
  // ECMAScript regular expression. The field's value is the second of three groups, which make up the match.
  const char* expression;
  std::vector<Mutation::Change> changes;
};
// Returns the fields of texts of this kind: "shape", "layout" or "instruction".
std::span<const MutableField> MutableFields(std::string_view kind);

// Offsets and tables are changed alike. Answers that are no results pass unchanged.
class Mutant final : public Subject {
 public:
  // `subject` must outlive the mutant.
  Mutant(Subject& subject, Mutation mutation) : subject_(subject), mutation_(mutation) {}

  const SubjectInfo& info() const override { return subject_.info(); }
  Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text) override;
  Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate) override;
  Answer<std::vector<int64_t>> Table(const Shape& shape) override;
  Answer<std::optional<Coordinate>> CoordinateAt(const Shape& shape, int64_t offset) override;
  Answer<SizeAnswer> Size(const Shape& shape) override;
  Answer<std::vector<int64_t>> Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data) override;
  Answer<std::string> Make(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes) override;
  Answer<ApplyAnswer> Apply(std::string_view function, std::span<const std::string> arguments) override;

 private:
  template <class T, class ChangeValue>
  Answer<T> Changed(std::string_view operation, Answer<T> answer, const ChangeValue& change_value) const;
  int64_t Number(int64_t value) const;
  std::vector<int64_t> List(std::vector<int64_t> values) const;
  std::string LayoutText(const std::string& text) const;

  Subject& subject_;
  Mutation mutation_;
};

}  // namespace layoutcheck
