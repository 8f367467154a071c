// An implementation under test, as the laws see it: it answers, declines, or fails.
#ifndef LAYOUTCHECK_PROPERTIES_MODEL_SUBJECT_H_
#define LAYOUTCHECK_PROPERTIES_MODEL_SUBJECT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// The subject does not do this; not counted against it.
struct Declined {
  std::string why;
};

// The subject said that it cannot answer a question that it takes ("error"), or did not keep to the protocol.
struct Failed {
  enum class Kind { kError, kCrash, kTimeout, kProtocol };
  Kind kind = Kind::kError;
  std::string what;
};

template <class T>
using Answer = std::variant<T, Declined, Failed>;

// What a subject says of itself at the start; generators keep within the limits. A limit left out is none.
struct SubjectInfo {
  std::string name;
  std::string version;
  std::optional<int64_t> max_rank;
  std::optional<int64_t> max_tiles;
  std::optional<int64_t> max_table_elements;
  // Single offsets and coordinates that a law asks about one layout, where a question is expensive; otherwise all.
  std::optional<int64_t> max_questions;
  // Texts that it may be asked about before it has answered the first.
  size_t max_texts_in_flight = 1;
};

// A parser's answer to a text.
struct ParseAnswer {
  bool ok = false;
  std::string text;   // canonical text where ok
  std::string error;  // the subject's own words where not
};

// A size is one of several numbers; a subject gives those that it has.
struct SizeAnswer {
  std::optional<int64_t> elements;
  std::optional<int64_t> padded_elements;
  std::optional<int64_t> bytes;
  std::optional<int64_t> extent;
};

// A function of the algebra of shape:stride layouts, applied: one of the three.
struct ApplyAnswer {
  std::optional<std::string> layout;  // text
  std::optional<int64_t> value;
  std::optional<std::string> rejected;  // why there is no result
};

// The operations of the subject protocol (contract.md section 4). Every operation declines unless overridden.
// Coordinates are in logical order; a table lists all elements, the last logical dimension fastest.
class Subject {
 public:
  using Coordinate = std::vector<int64_t>;

  virtual ~Subject() = default;

  virtual const SubjectInfo& info() const = 0;

  virtual Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text);
  // Parse for each of the texts, one after another by default: an answer for each; after one that failed there may be
  // none.
  virtual std::vector<Answer<ParseAnswer>> Parses(std::string_view kind, std::span<const std::string> texts);
  virtual Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate);
  // Offset for each of the coordinates, one after another by default; the first that is declined or fails ends it.
  virtual Answer<std::vector<int64_t>> Offsets(const Shape& shape, std::span<const Coordinate> coordinates);
  // Declines by default; laws then ask for single offsets.
  virtual Answer<std::vector<int64_t>> Table(const Shape& shape);
  // Nothing for padding.
  virtual Answer<std::optional<Coordinate>> CoordinateAt(const Shape& shape, int64_t offset);
  // CoordinateAt for each of the offsets, likewise.
  virtual Answer<std::vector<std::optional<Coordinate>>> CoordinatesAt(const Shape& shape,
                                                                       std::span<const int64_t> offsets);
  virtual Answer<SizeAnswer> Size(const Shape& shape);
  // Element numbers in memory order of `from`, -1 for padding; the answer is in memory order of `to`.
  virtual Answer<std::vector<int64_t>> Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data);

  // The text of TLA's MakeLayout<Element, Tag>(rows, columns).
  virtual Answer<std::string> Make(std::string_view tag, int64_t element_bits, int64_t rows, int64_t columns);
  // A function of CuTe, by its name, of layouts, tuples and numbers as text; or "affine": the value of an expression of
  // MLIR's affine operators at a point, after whatever the subject makes of it: "d0 mod 4", "d0=6"; or "memref-type":
  // an MLIR type as the subject prints it, and "memref-view": the type of a view of one, as ViewOf (memref_type.h)
  // takes it.
  virtual Answer<ApplyAnswer> Apply(std::string_view function, std::span<const std::string> arguments);

  // Memory that the implementation holds now, in bytes; nothing where that cannot be told.
  virtual std::optional<int64_t> ResidentBytes() const { return std::nullopt; }
  // What a person should know about how the subject behaved in a run, apart from its answers.
  virtual std::vector<std::string> Warnings() const { return {}; }
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_MODEL_SUBJECT_H_
