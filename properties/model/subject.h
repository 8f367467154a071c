// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of implementations under test. A subject answers a question, declines it, or fails.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/sharding/sharding.h"
#include "layoutcheck/properties/model/view_question.h"

namespace layoutcheck {

struct LawQuestion;
struct LawResult;

// The reason why a run ends, or kNone while it goes on.
enum class RunEnd { kNone, kTimeUp, kInterrupted };

// Returns why the run ends now. Several threads may call it at once.
using RunEndNow = std::function<RunEnd()>;

// Time after the end of a run's time in which failures are still confirmed, and in which a process may still answer
// after an interruption.
inline constexpr std::chrono::milliseconds kTimeAfterEnd{500};

// Returns the reason as the end of a sentence: "..., because " + InWords(end).
constexpr std::string_view InWords(RunEnd end) {
  return end == RunEnd::kInterrupted ? "the run was interrupted" : "the time was up";
}

// The answer of a subject that does not implement the question. It does not count against the subject.
struct Declined {
  std::string why;
};

// The answer of a subject that reports an error for a question it implements, or that breaks the protocol.
struct Failed {
  enum class Kind { kError, kCrash, kTimeout, kProtocol };
  Kind kind = Kind::kError;
  std::string what;
  std::string request = {};  // the request that got no proper answer, as a line of the protocol; empty if there is none
};

inline Failed FailedWith(const Error& error) { return {Failed::Kind::kError, error.ToString()}; }

template <class T>
using Answer = std::variant<T, Declined, Failed>;

// Returns then(value) for an answer with a value, otherwise the reason why it has none.
template <class T, class Then>
std::invoke_result_t<Then, T> IfAnswered(Answer<T> answer, Then then) {
  if (auto* declined = std::get_if<Declined>(&answer)) return std::move(*declined);
  if (auto* failed = std::get_if<Failed>(&answer)) return std::move(*failed);
  return then(std::get<0>(std::move(answer)));
}

// Returns the answer to a question that comes after the end of the run.
inline Declined RunIsOver() { return {"the run is over"}; }

// A subject's description of itself. Generators keep within the limits; an absent limit does not apply.
struct SubjectInfo {
  std::string name;
  std::string version;
  std::optional<int64_t> max_rank;
  std::optional<int64_t> max_tiles;
  std::optional<int64_t> max_table_elements;
  // largest number of single coordinates that a law may ask for per layout, for subjects with expensive questions
  std::optional<int64_t> max_questions;
  // largest number of texts that may be sent before the first one is answered
  size_t max_texts_in_flight = 1;
};

struct ParseAnswer {
  bool ok = false;
  std::string text;   // canonical text, if ok
  std::string error;  // the subject's own words, if not ok
};

// The sizes of a layout. Absent sizes are not known to the subject.
struct SizeAnswer {
  std::optional<int64_t> elements;
  std::optional<int64_t> padded_elements;
  std::optional<int64_t> bytes;
  std::optional<int64_t> extent;
};

// The result of an applied function. Exactly one member is set.
struct ApplyAnswer {
  std::optional<std::string> layout;  // text
  std::optional<int64_t> value;
  std::optional<std::string> rejected;  // reason for having no result
};

// The result of an edit. Exactly one member is set.
struct EditAnswer {
  std::optional<std::string> layout;    // text of the shape with its layout
  std::optional<std::string> rejected;  // reason for having no result
};

// Claims about the elements of a tensor, with one power of two per dimension d in each list. They mean what Triton's
// AxisInfo means (include/triton/Analysis/AxisInfo.h). A group of n elements is a run of n neighbors along a dimension
// that begins at a multiple of n, or all elements along it if they are fewer.
struct AxisInfo {
  std::vector<int64_t> contiguity;    // each group of contiguity[d] elements counts up by one
  std::vector<int64_t> divisibility;  // divides the first element of each such group
  std::vector<int64_t> constancy;     // each group of constancy[d] elements has one value
};

// The elements of an array that a device holds: one range of indices per dimension, or the numbers of the elements in
// row-major order of the whole array, in row-major order of the device's own array.
using HeldElements = std::variant<std::vector<IndexRange>, std::vector<int64_t>>;

// The part of a sharded array that one device has.
struct ShardAnswer {
  bool has_part = true;                       // false: the sharding gives the device no part, not even an empty one
  std::optional<std::vector<int64_t>> shape;  // sizes of the device's array, with its padding
  std::optional<HeldElements> elements;
};

// The coordinates at a list of offsets, or padding where an offset holds no element. They are in one array, because a
// law asks for all offsets of a layout at once.
class CoordinateList {
 public:
  CoordinateList() = default;
  // Constructs an empty list with room for `count` coordinates of `rank` integers each.
  CoordinateList(size_t count, size_t rank) {
    entries_.reserve(count);
    integers_.reserve(count * rank);
  }

  void AddElement(std::span<const int64_t> coordinate) {
    entries_.push_back({integers_.size(), coordinate.size(), true});
    integers_.insert(integers_.end(), coordinate.begin(), coordinate.end());
  }
  void AddPadding() { entries_.push_back({0, 0, false}); }
  void Add(const std::optional<std::vector<int64_t>>& coordinate) {
    if (!coordinate) return AddPadding();
    AddElement(*coordinate);
  }

  size_t size() const { return entries_.size(); }
  // Returns coordinate number `k`, or nothing for padding. Requires k < size().
  std::optional<std::span<const int64_t>> operator[](size_t k) const {
    const Entry& entry = entries_[k];
    if (!entry.is_element) return std::nullopt;
    return std::span(integers_).subspan(entry.begin, entry.rank);
  }

 private:
  struct Entry {
    size_t begin;  // place in integers_
    size_t rank;
    bool is_element;
  };
  std::vector<Entry> entries_;
  std::vector<int64_t> integers_;
};

// An implementation under test, with the operations of the subject protocol (docs/protocol.md). Operations decline by
// default. Coordinates are in logical order; a table lists all elements, the last logical dimension fastest.
class Subject {
 public:
  using Coordinate = std::vector<int64_t>;

  virtual ~Subject() = default;

  virtual const SubjectInfo& info() const = 0;

  virtual Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text);
  // Parses each text, by default one after another. The answers may end with the first failed one.
  virtual std::vector<Answer<ParseAnswer>> Parses(std::string_view kind, std::span<const std::string> texts);
  virtual Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate);
  // Returns the offsets of all coordinates, or the first answer of Offset that is declined or failed. Calls Offset by
  // default.
  virtual Answer<std::vector<int64_t>> Offsets(const Shape& shape, std::span<const Coordinate> coordinates);
  // Returns all offsets. If a subject declines, laws ask it for single offsets.
  virtual Answer<std::vector<int64_t>> Table(const Shape& shape);
  // Returns the coordinate of the element at an offset, or nothing for padding.
  virtual Answer<std::optional<Coordinate>> CoordinateAt(const Shape& shape, int64_t offset);
  // Returns the coordinates at all offsets, by default by calling CoordinateAt as Offsets calls Offset.
  virtual Answer<CoordinateList> CoordinatesAt(const Shape& shape, std::span<const int64_t> offsets);
  virtual Answer<SizeAnswer> Size(const Shape& shape);
  // Moves an array to another layout. `data` has the element numbers in the memory order of `from`, -1 for padding; the
  // answer has them in the memory order of `to`.
  virtual Answer<std::vector<int64_t>> Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data);

  // Returns true if reading `from` as `to` moves no element, like ReshapeIsBitcast, or with `transpose` like
  // TransposeIsBitcast (core/xla_util/bitcast.h).
  virtual Answer<bool> Bitcast(const Shape& from, const Shape& to,
                               std::optional<std::span<const int64_t>> transpose = std::nullopt);
  // Returns true if the shapes are equal in all parts except M(n) and the named ones, of kIgnorableParts (equality.h).
  virtual Answer<bool> AreEqual(const Shape& a, const Shape& b, std::span<const std::string> ignored_parts);
  // Edits the dimensions of an array, as ApplyEdit does (core/xla_util/shape_edits.h).
  virtual Answer<EditAnswer> Edit(std::string_view function, const Shape& shape, std::span<const int64_t> arguments);

  // Returns the text of TLA's MakeLayout<Element, Tag>. `tag` may have the sizes of its blocks behind it, "zN<8,4>";
  // `sizes` are rows and columns, or one per dimension of a tensor.
  virtual Answer<std::string> Make(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes);
  // Applies a function to arguments that are texts. `function` is one of
  //   - a function of CuTe, such as "composition", on layouts, tuples and numbers;
  //   - "affine": evaluates an expression of MLIR's affine operators at a point, such as "d0 mod 4" at "d0=6";
  //   - "memref-type": prints an MLIR type;
  //   - "memref-view": prints the type of a view, with the arguments of ViewOf (memref_type.h).
  virtual Answer<ApplyAnswer> Apply(std::string_view function, std::span<const std::string> arguments);
  // Returns a view of a shape:stride layout: a layout and an offset, or the offsets of the elements asked for.
  virtual Answer<ViewAnswer> ViewOf(const ViewQuestion& question);
  // Returns claims about the value of an expression (properties/axis/axis_expression.h), given as text.
  virtual Answer<AxisInfo> AxisInfoOf(std::string_view expression);
  // Returns the part of a sharded array that the device has. `layout` is the text of a shape with its sharding
  // (core/sharding/sharding_text.h).
  virtual Answer<ShardAnswer> ShardOf(std::string_view layout, int64_t device);
  // Returns the parts of these devices, by default by calling ShardOf for each. The answers may end with the first
  // failed one.
  virtual std::vector<Answer<ShardAnswer>> ShardsOf(std::string_view layout, std::span<const int64_t> devices);
  // Returns the numbers of the elements that the device receives when the array changes from one sharding to another:
  // those that it needs and does not hold yet, ascending.
  virtual Answer<std::vector<int64_t>> Reshard(std::string_view from, std::string_view to, int64_t device);

  // Returns true if the subject is a process of layoutcheck that can check laws by itself. That takes one request per
  // law where the law's own questions may be hundreds.
  virtual bool ChecksLaws() const { return false; }
  // Checks these laws in the subject's own process. Returns the results in the order of the questions, up to the first
  // one at which the process failed or which it declines. By default, that is the first one.
  virtual std::vector<Answer<LawResult>> CheckLaws(std::span<const LawQuestion> questions);

  // Ends the implementation, as at the end of a run, and returns how it failed at its end: it crashed, reported an
  // error or did not end. Returns nothing if it ended well or has no end of its own. A later question starts it again.
  virtual std::optional<Failed> Finish() { return std::nullopt; }
  // Tells the subject that until SetMinimizing(false) questions like a failed one are asked to find the smallest. Their
  // failures are expected and are no reason to give up an operation, and a process has less time for an answer: ten
  // times that of its slowest one so far.
  virtual void SetMinimizing(bool /*minimizing*/) {}
  // Tells the subject whether each request waits for the answer to the one before. Then the request at which a process
  // dies is known.
  virtual void SetOneAtATime(bool /*one_at_a_time*/) {}
  // Returns the number of requests that the implementation got in its present process, or had got when that ended.
  virtual int64_t Requests() const { return 0; }
  // Returns the memory that the implementation holds now, in bytes, or nothing if it is unknown.
  virtual std::optional<int64_t> ResidentBytes() const { return std::nullopt; }
  // Returns warnings for a person about the subject's behavior apart from its answers.
  virtual std::vector<std::string> Warnings() const { return {}; }

  // Makes the end of the run reach the subject, between two questions and while a process works on one: once `end`
  // returns a reason, questions are declined, and answers that are under way are waited for only shortly. Null: the run
  // has no end.
  void EndWith(RunEndNow end) { end_ = std::move(end); }
  // Returns why the run ends, or kNone.
  RunEnd End() const { return end_ ? end_() : RunEnd::kNone; }

 private:
  RunEndNow end_;
};

}  // namespace layoutcheck
