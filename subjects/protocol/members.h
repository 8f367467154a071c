// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of the lines of the subject protocol: writes those of requests and answers, and reads them strictly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/subjects/protocol/layout_text.h"

namespace layoutcheck {

// The number of integers in an answer, and of those in a second list of it.
struct AnswerSize {
  size_t integers = 1;
  size_t modes = 0;  // kept modes of a view
};

// Returns the object as text, with its members sorted by name and no newline. Bytes that are not UTF-8 are replaced.
std::string AnswerLine(Json object);
// Returns {"unsupported":"why"}.
std::string UnsupportedLine(std::string_view why);
// Returns {"error":"why"}.
std::string ErrorLine(std::string_view why);

// Writes an object without a JSON tree of its integers.
class MemberWriter {
 public:
  MemberWriter& Add(const char* name, const Json& value) { return AddText(name, value.Dump()); }
  MemberWriter& Integers(const char* name, std::span<const int64_t> integers) {
    return AddText(name, StrCat("[", StrJoin(integers, ","), "]"));
  }
  // Sorts the members that were added so far by name.
  void Sort();
  // Returns the object, without a newline.
  std::string Line() const;

 private:
  MemberWriter& AddText(const char* name, std::string value) {
    members_.emplace_back(name, std::move(value));
    return *this;
  }

  std::vector<std::pair<std::string_view, std::string>> members_;
};

// Writes the members of a request, in the order in which they are added.
class RequestWriter : public MemberWriter {
 public:
  explicit RequestWriter(const Notations& notations) : notations_(notations) {}

  RequestWriter& Layout(const char* name, const Shape& shape);
  void Utf8(const char* name, std::string_view text);
  // Returns why there is no such request, or nothing.
  const std::optional<Declined>& declined() const { return declined_; }

 private:
  Notations notations_;
  std::optional<Declined> declined_;
};

// Writes the members of an answer, by the functions of AnswerReader.
class AnswerWriter : public MemberWriter {
 public:
  void Required(const char* name, const Json& value) { Add(name, value); }
  void Required(const char* name, const std::vector<int64_t>& integers) { Integers(name, integers); }
  void Typed(const char* name, const Json& value) { Add(name, value); }
  void Table(const char* name, const std::vector<int64_t>& offsets) { Integers(name, offsets); }
  void Coordinate(const char* name, const std::optional<std::vector<int64_t>>& coordinate) {
    coordinate ? Integers(name, *coordinate) : Add(name, nullptr);
  }
  void Optional(const char* name, const auto& value) {
    if (value) Required(name, *value);
  }
  void OptionalOrFlag(const char* name, const auto& value) { Optional(name, value); }
  void Offsets(const char* name, const auto& offsets) { Optional(name, offsets); }
  void Modes(const char* name, const auto& sizes) { Optional(name, sizes); }
  void PartShape(const char* name, const ShardAnswer& shard);
  void Elements(const char* name, const std::optional<HeldElements>& elements);
  void OffsetOfLayout(int64_t offset) { Add("offset", offset); }
  void OneOf(std::string_view /*names*/) {}
  void AnyOf(std::string_view /*names*/) {}
};

// Reads the members of an answer. The first thing that is wrong with them is the answer.
class AnswerReader {
 public:
  // `own_error`: regular answers of this operation may have a member "error".
  explicit AnswerReader(std::string_view line, AnswerSize size = {}, bool own_error = false)
      : line_(line), size_(size), own_error_(own_error) {}

  // Returns a member, or null.
  const Json* Find(const char* name);
  // Reads a member that must be there and have the type. Long arrays are read without a JSON tree.
  template <class T>
  void Required(const char* name, T& value) {
    if (const Json* const found = Find(name)) return Read(*found, name, value);
    Break(StrCat("no \"", name, "\""));
  }
  void Required(const char* name, std::vector<int64_t>& integers);
  // Reads such a member, too. Says the same of a missing member and of one of another type.
  template <class T>
  void Typed(const char* name, T& value) {
    const Json* const found = Find(name);
    auto read = found == nullptr ? std::nullopt : found->as<T>();
    if (!read) return Break(StrCat("no ", TypeName(value), " \"", name, "\""));
    value = *std::move(read);
  }
  // Reads as many integers as the answer has.
  void Table(const char* name, std::vector<int64_t>& offsets);
  // Reads as many integers as the answer has, or null.
  void Coordinate(const char* name, std::optional<std::vector<int64_t>>& coordinate);
  // Reads a member that may be missing.
  template <class T>
  void Optional(const char* name, std::optional<T>& value) {
    const Json* const found = Find(name);
    if (found == nullptr) return;
    ++optional_members_;
    Read(*found, name, value.emplace());
  }
  // Reads an integer that may be missing, or be written as true or false.
  void OptionalOrFlag(const char* name, std::optional<int64_t>& value);
  // These functions read a list that may be missing, of as many integers as the answer, or of one per mode of a view.
  void Offsets(const char* name, std::optional<std::vector<int64_t>>& offsets) { List(name, offsets, size_.integers); }
  void Modes(const char* name, std::optional<std::vector<int64_t>>& sizes) { List(name, sizes, size_.modes); }
  // Reads the sizes of a device's array, or null for a device without a part. It may be missing.
  void PartShape(const char* name, ShardAnswer& shard);
  // Reads one range per dimension, [[0,4],[0,6]], or numbers of elements. It may be missing.
  void Elements(const char* name, std::optional<HeldElements>& elements);
  // Reads the "offset" of a "layout".
  void OffsetOfLayout(int64_t& offset);
  // These functions require that exactly one, or at least one, of the members that may be missing is there. `names` are
  // those read so far.
  void OneOf(std::string_view names) {
    if (optional_members_ != 1) Break(StrCat("not one of ", names));
  }
  void AnyOf(std::string_view names) {
    if (optional_members_ == 0) Break(StrCat("none of ", names));
  }

  // Notes that the answer is broken, with a reason.
  void Break(std::string_view what);
  // Returns the answer after all of its members were read.
  template <class T>
  Answer<T> End(T answer) {
    if (declined_) return *std::move(declined_);
    if (failed_) return *std::move(failed_);
    return answer;
  }

 private:
  void Parse();
  void List(const char* name, std::optional<std::vector<int64_t>>& integers, size_t size);
  static const char* TypeName(const int64_t&) { return "int64"; }
  static const char* TypeName(const bool&) { return "true or false"; }
  static const char* TypeName(const std::string&) { return "text"; }
  static const char* TypeName(const std::vector<int64_t>&) { return "array of int64"; }
  template <class T>
  void Read(const Json& found, const char* name, T& value) {
    if (auto read = found.as<T>()) {
      value = *std::move(read);
    } else {
      Break(StrCat("\"", name, "\" is no ", TypeName(value)));
    }
  }

  std::string_view line_;
  AnswerSize size_;
  bool own_error_;
  std::optional<Json> object_;
  int optional_members_ = 0;
  std::optional<Declined> declined_;
  std::optional<Failed> failed_;
};

// A request that cannot be answered. It is thrown, and caught where the request was read; what() is the answer's line.
class WrongRequest : public std::runtime_error {
 public:
  using runtime_error::runtime_error;
};

// Reads the members of a request. Functions throw WrongRequest if a member is missing or mistyped; integers must fit
// int64.
class RequestReader {
 public:
  // Reads a line. Throws WrongRequest if it is no JSON object.
  explicit RequestReader(std::string_view line);
  explicit RequestReader(Json object) : object_(std::move(object)) {}

  const Json* Find(const char* member) const { return object_.find(member); }
  const std::string& Text(const char* member) const;
  std::vector<std::string> Texts(const char* member) const;
  int64_t Integer(const char* member) const;
  std::vector<int64_t> Integers(const char* member) const;
  // Returns a layout in HLO notation, or that of a tag of CATLASS as the XLA layout that is the same map.
  Shape Layout(const char* member) const;
  // Returns the layout of a size request. Accepts dimensions with an overflowing product, which the subject must
  // refuse.
  Shape SizedLayout(const char* member) const;

 private:
  const Json& At(const char* member) const;
  template <class T>
  T Value(const char* member, const char* expected) const;

  Json object_;
  std::optional<std::vector<int64_t>> data_;  // the member "data" of a relayout, if it is not in `object_`
};

}  // namespace layoutcheck
