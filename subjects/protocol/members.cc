// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/protocol/members.h"
#include <algorithm>
#include <charconv>
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/subjects/protocol/protocol.h"

namespace layoutcheck {
namespace {

// Removes the integers of an array, without blanks but for one before each, and the bracket behind them from the
// beginning of a text. Returns nothing for other forms, as for leading zeros and plus signs, which the JSON reader
// rejects.
std::optional<std::vector<int64_t>> TakeIntegers(std::string_view& text, size_t expected) {
  const auto skip = [&text](char c) {
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
  };
  std::vector<int64_t> integers;
  integers.reserve(std::min(expected, text.size() / 2 + 1));
  if (skip(']')) return integers;
  do {
    skip(' ');
    const size_t first = text.starts_with('-') ? 1 : 0;
    if (text.size() > first + 1 && text[first] == '0' && text[first + 1] >= '0' && text[first + 1] <= '9') {
      return std::nullopt;
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integers.emplace_back());
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
  } while (skip(','));
  if (!skip(']')) return std::nullopt;
  return integers;
}

// Reads the usual form of a long answer, {"NAME":[1,2,3]}, without a JSON tree. Returns nothing for other forms.
std::optional<std::vector<int64_t>> ReadPlainArray(std::string_view line, std::string_view name, size_t expected) {
  for (const std::string_view prefix : {std::string_view("{\""), name, std::string_view("\":")}) {
    if (!line.starts_with(prefix)) return std::nullopt;
    line.remove_prefix(prefix.size());
  }
  if (line.starts_with(' ')) line.remove_prefix(1);
  if (!line.starts_with('[')) return std::nullopt;
  line.remove_prefix(1);
  auto integers = TakeIntegers(line, expected);
  return line == "}" ? integers : std::nullopt;
}

// Removes the array from a request that ends with `,"data":[1,2,3]}`, with the closing brace, because a JSON tree of a
// long array is slow. Returns nothing and changes nothing for other forms. Never matches inside a JSON string, in which
// the quotes would have backslashes.
std::optional<std::vector<int64_t>> TakeData(std::string_view& line) {
  constexpr std::string_view kMember = ",\"data\":[";
  const size_t member = line.find(kMember);
  if (member == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(member + kMember.size());
  auto data = TakeIntegers(rest, rest.size());
  if (!data || rest != "}") return std::nullopt;
  line = line.substr(0, member);
  return data;
}

// Returns the beginning of a JSON value as text.
std::string Shown(const Json& value) {
  constexpr size_t kShown = 60;
  const std::string text = AnswerLine(value);
  return text.size() <= kShown ? text : text.substr(0, kShown) + "...";
}

Expected<Shape> ShapeOfText(const std::string& text, const ParseOptions& options = {}) {
  return IsFractalText(text) ? HloOfText(text) : ParseShape(text, options);
}

Shape ValidOrThrow(const Expected<Shape>& shape) {
  if (!shape) throw WrongRequest(ErrorLine(shape.error().ToString()));
  return *shape;
}

}  // namespace

std::string AnswerLine(Json object) {
  object.SortMembers();
  return object.Dump();
}

std::string UnsupportedLine(std::string_view why) { return AnswerLine({{"unsupported", why}}); }

std::string ErrorLine(std::string_view why) { return AnswerLine({{"error", why}}); }

void MemberWriter::Sort() { std::ranges::sort(members_); }

std::string MemberWriter::Line() const {
  std::string line = "{";
  for (const auto& [name, value] : members_) StrAppend(line, line.size() == 1 ? "\"" : ",\"", name, "\":", value);
  return line += '}';
}

RequestWriter& RequestWriter::Layout(const char* name, const Shape& shape) {
  const auto text = LayoutText(notations_, shape);
  if (!text) declined_ = OtherNotation();
  Add(name, text.value_or(""));
  return *this;
}

void RequestWriter::Utf8(const char* name, std::string_view text) {
  if (!IsUtf8(text)) declined_ = Declined{"the text is not UTF-8, so that JSON cannot carry it"};
  Add(name, text);
}

void AnswerWriter::PartShape(const char* name, const ShardAnswer& shard) {
  shard.has_part ? Optional(name, shard.shape) : void(Add(name, nullptr));
}

void AnswerWriter::Elements(const char* name, const std::optional<HeldElements>& elements) {
  if (!elements) return;
  if (const auto* numbers = std::get_if<std::vector<int64_t>>(&*elements)) {
    Integers(name, *numbers);
    return;
  }
  Json ranges = Json::array();
  for (const IndexRange& range : std::get<std::vector<IndexRange>>(*elements)) {
    ranges.push_back(Json::array({range.begin, range.end}));
  }
  Add(name, ranges);
}

void AnswerReader::Parse() {
  object_.emplace(Json::object());
  auto parsed = Json::Parse(line_);
  if (!parsed) return Break("no JSON");
  if (!parsed->is_object()) return Break("no JSON object");
  if (const Json* const why = parsed->find("unsupported")) {
    if (!why->is_string()) return Break("\"unsupported\" is no text");
    declined_ = Declined{why->text()};
  } else if (const Json* const error = parsed->find("error"); error && !(own_error_ && parsed->contains("ok"))) {
    if (!error->is_string()) return Break("\"error\" is no text");
    failed_ = Failed{Failed::Kind::kError, StrCat("error: ", error->text())};
  } else {
    object_ = std::move(parsed);
  }
}

const Json* AnswerReader::Find(const char* name) {
  if (!object_) Parse();
  return object_->find(name);
}

void AnswerReader::Break(std::string_view what) {
  if (!declined_ && !failed_) failed_ = BrokenAnswer(what, line_);
}

void AnswerReader::Required(const char* name, std::vector<int64_t>& integers) {
  if (auto plain = ReadPlainArray(line_, name, size_.integers)) {
    integers = *std::move(plain);
  } else {
    Required<std::vector<int64_t>>(name, integers);
  }
}

void AnswerReader::OptionalOrFlag(const char* name, std::optional<int64_t>& value) {
  const Json* const found = Find(name);
  if (found == nullptr || !found->is_boolean()) return Optional(name, value);
  ++optional_members_;
  value = found->get<bool>() ? 1 : 0;
}

void AnswerReader::Table(const char* name, std::vector<int64_t>& offsets) {
  Required(name, offsets);
  if (offsets.size() != size_.integers) {
    Break(StrCat(offsets.size(), " ", name, " for ", size_.integers, " elements"));
  }
}

void AnswerReader::Coordinate(const char* name, std::optional<std::vector<int64_t>>& coordinate) {
  const Json* const found = Find(name);
  if (found == nullptr) return Break(StrCat("no \"", name, "\""));
  if (found->is_null()) return;
  coordinate = found->as<std::vector<int64_t>>();
  if (!coordinate || coordinate->size() != size_.integers) {
    Break(StrCat("\"", name, "\" is neither null nor ", size_.integers, " int64"));
  }
}

void AnswerReader::PartShape(const char* name, ShardAnswer& shard) {
  const Json* const found = Find(name);
  if (found == nullptr || !found->is_null()) return Optional(name, shard.shape);
  ++optional_members_;
  shard.has_part = false;
}

void AnswerReader::Elements(const char* name, std::optional<HeldElements>& elements) {
  const Json* const found = Find(name);
  if (found == nullptr) return;
  ++optional_members_;
  auto numbers = found->as<std::vector<int64_t>>();
  if (numbers) {
    elements = *std::move(numbers);
    return;
  }
  auto& ranges = std::get<0>(elements.emplace());
  const auto broken = [&] { Break(StrCat("\"", name, "\" is neither an array of ranges nor one of int64")); };
  if (!found->is_array()) return broken();
  for (const Json& item : *found) {
    const auto range = item.as<std::vector<int64_t>>();
    if (!range || range->size() != 2) return broken();
    ranges.push_back({(*range)[0], (*range)[1]});
  }
}

void AnswerReader::OffsetOfLayout(int64_t& offset) {
  const Json* const found = Find("offset");
  const auto integer = found == nullptr ? std::nullopt : found->as<int64_t>();
  if (!integer) return Break("a \"layout\" without an int64 \"offset\"");
  offset = *integer;
}

void AnswerReader::List(const char* name, std::optional<std::vector<int64_t>>& integers, size_t size) {
  Optional(name, integers);
  if (integers && integers->size() != size) {
    Break(StrCat("\"", name, "\" has ", integers->size(), " integers, not ", size, ","));
  }
}

RequestReader::RequestReader(std::string_view line) : data_(TakeData(line)) {
  object_ = (data_ ? Json::Parse(std::string(line) + "}") : Json::Parse(line)).value_or(Json());
  if (!object_.is_object()) throw WrongRequest(UnsupportedLine("a request is a JSON object"));
}

const Json& RequestReader::At(const char* member) const {
  const Json* const found = Find(member);
  if (found == nullptr) throw WrongRequest(UnsupportedLine(StrCat("\"", member, "\" is missing")));
  return *found;
}

template <class T>
T RequestReader::Value(const char* member, const char* expected) const {
  const Json& found = At(member);
  if (auto value = found.as<T>()) return *std::move(value);
  throw WrongRequest(UnsupportedLine(StrCat("\"", member, "\": expected ", expected, ", found ", Shown(found))));
}

const std::string& RequestReader::Text(const char* member) const {
  (void)Value<std::string>(member, "text");
  return At(member).text();
}

std::vector<std::string> RequestReader::Texts(const char* member) const {
  return Value<std::vector<std::string>>(member, "an array of texts");
}

int64_t RequestReader::Integer(const char* member) const { return Value<int64_t>(member, "an integer within int64"); }

std::vector<int64_t> RequestReader::Integers(const char* member) const {
  if (data_ && std::string_view(member) == "data") return *data_;
  return Value<std::vector<int64_t>>(member, "an array of integers within int64");
}

Shape RequestReader::Layout(const char* member) const {
  // The latest one, because consecutive requests are often about one layout.
  thread_local std::string last_text;
  thread_local Expected<Shape> last_shape = std::unexpected(Error{});
  const auto& text = Text(member);
  if (last_text != text || text.empty()) {
    last_shape = ShapeOfText(text);
    last_text = text;
  }
  return ValidOrThrow(last_shape);
}

Shape RequestReader::SizedLayout(const char* member) const {
  auto shape = ShapeOfText(Text(member), {.validate = false});
  if (shape && shape->layout) {
    if (auto valid = ValidateLayoutForShape(*shape->layout, *shape); !valid) shape = std::unexpected(valid.error());
  }
  return ValidOrThrow(shape);
}

}  // namespace layoutcheck
