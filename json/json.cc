// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/json/json.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

namespace layoutcheck {
namespace {

// Objects with fewer members are searched for equal names one by one.
constexpr size_t kManyMembers = 16;

}  // namespace

// Builds a value from the events of nlohmann's parser.
class Json::Reader {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  Json Take() { return std::move(root_); }

  bool null() { return Put(Json()); }
  bool boolean(bool value) { return Put(value); }
  bool number_integer(number_integer_t value) { return Put(value); }
  bool number_unsigned(number_unsigned_t value) { return Put(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) { return Put(value); }
  bool string(string_t& value) { return Put(Json(std::move(value))); }
  bool binary(binary_t& /*value*/) { return false; }
  bool start_object(size_t /*size*/) { return Open(Json(Type::kObject)); }
  bool start_array(size_t /*size*/) { return Open(Json(Type::kArray)); }
  bool end_array() {
    open_.pop_back();
    return true;
  }
  bool key(string_t& name) {
    open_.back()->object_->emplace_back(std::move(name), Json());
    return true;
  }
  bool end_object() {
    KeepLastOfEachName(*open_.back()->object_);
    open_.pop_back();
    return true;
  }
  bool parse_error(size_t /*position*/, const std::string& /*token*/, const nlohmann::json::exception& /*error*/) {
    return false;
  }

 private:
  // Puts a value where the next one belongs, and returns it.
  Json& Place(Json value) {
    if (open_.empty()) return root_ = std::move(value);
    Json& parent = *open_.back();
    if (parent.is_array()) return parent.array_->emplace_back(std::move(value));
    return parent.object_->back().value = std::move(value);
  }
  bool Put(Json value) {
    Place(std::move(value));
    return true;
  }
  bool Open(Json value) {
    if (open_.size() == kMaxDepth) return false;
    // An open value is the last one of its parent, to which nothing is added meanwhile: the pointer stays valid.
    open_.push_back(&Place(std::move(value)));
    return true;
  }

  // Keeps one member per name: the first one, with the value of the last one.
  static void KeepLastOfEachName(std::vector<Member>& members) {
    std::vector<size_t> order;
    if (members.size() < kManyMembers) {
      const auto repeats = [&](size_t k) {
        return std::any_of(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(k),
                           [&](const Member& member) { return member.name == members[k].name; });
      };
      size_t k = 1;
      while (k < members.size() && !repeats(k)) ++k;
      if (k >= members.size()) return;
    }
    order.resize(members.size());
    for (size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const int compared = members[a].name.compare(members[b].name);
      return compared < 0 || (compared == 0 && a < b);
    });
    std::vector<bool> is_repeated(members.size());
    for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      while (end < order.size() && members[order[end]].name == members[order[begin]].name) ++end;
      if (end - begin == 1) continue;
      members[order[begin]].value = std::move(members[order[end - 1]].value);
      for (size_t k = begin + 1; k < end; ++k) is_repeated[order[k]] = true;
    }
    size_t kept = 0;
    for (size_t k = 0; k < members.size(); ++k) {
      if (is_repeated[k]) continue;
      if (kept != k) members[kept] = std::move(members[k]);
      ++kept;
    }
    members.resize(kept);
  }

  Json root_;
  std::vector<Json*> open_;  // the arrays and objects that have not ended, from the outside in
};

// Appends values to a text.
class Json::Writer {
 public:
  Writer(std::string& out, bool is_indented) : out_(out), is_indented_(is_indented) {}

  void Write(const Json& value) {
    switch (value.type_) {
      case Type::kNull: out_ += "null"; return;
      case Type::kBoolean: out_ += value.boolean_ ? "true" : "false"; return;
      case Type::kInteger: out_ += std::to_string(value.integer_); return;
      case Type::kUnsigned: out_ += std::to_string(value.unsigned_); return;
      case Type::kDouble: out_ += nlohmann::json(value.double_).dump(); return;
      case Type::kText: WriteText(*value.text_); return;
      case Type::kArray: WriteList('[', *value.array_, ']', [this](const Json& entry) { Write(entry); }); return;
      case Type::kObject:
        WriteList('{', *value.object_, '}', [this](const Member& member) {
          WriteText(member.name);
          out_ += is_indented_ ? ": " : ":";
          Write(member.value);
        });
        return;
    }
  }

 private:
  void WriteText(const std::string& text) {
    const bool is_plain =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; });
    if (!is_plain) {
      out_ += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      return;
    }
    out_ += '"';
    out_ += text;
    out_ += '"';
  }

  template <class List, class WriteOne>
  void WriteList(char open, const List& list, char close, WriteOne write_one) {
    out_ += open;
    level_ += 2;
    bool is_first = true;
    for (const auto& entry : list) {
      if (!is_first) out_ += ',';
      is_first = false;
      NewLine();
      write_one(entry);
    }
    level_ -= 2;
    if (!is_first) NewLine();
    out_ += close;
  }
  void NewLine() {
    if (!is_indented_) return;
    out_ += '\n';
    out_.append(level_, ' ');
  }

  std::string& out_;
  bool is_indented_;
  size_t level_ = 0;  // blanks before each line
};

Json::Json(Type type) : type_(type) {
  if (type == Type::kText) text_ = new std::string;
  if (type == Type::kArray) array_ = new std::vector<Json>;
  if (type == Type::kObject) object_ = new std::vector<Member>;
}

Json::Json(std::string_view text) : type_(Type::kText) { text_ = new std::string(text); }

Json::Json(std::string text) : type_(Type::kText) { text_ = new std::string(std::move(text)); }

Json::Json(std::vector<Json> values) : type_(Type::kArray) { array_ = new std::vector<Json>(std::move(values)); }

Json::Json(std::initializer_list<Entry> entries) : Json(Type::kObject) {
  object_->reserve(entries.size());
  for (const Entry& entry : entries) Add(entry.name_, std::move(entry.value_));
}

Json Json::array(std::initializer_list<Json> values) { return std::vector<Json>(values); }

std::optional<Json> Json::Parse(std::string_view text) {
  Reader reader;
  if (!nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &reader)) return std::nullopt;
  return reader.Take();
}

void Json::Copy(const Json& other) {
  switch (other.type_) {
    case Type::kText: text_ = new std::string(*other.text_); break;
    case Type::kArray: array_ = new std::vector<Json>(*other.array_); break;
    case Type::kObject: object_ = new std::vector<Member>(*other.object_); break;
    default: bits_ = other.bits_; break;
  }
  type_ = other.type_;
}

void Json::Destroy() {
  if (type_ == Type::kText) delete text_;
  if (type_ == Type::kArray) delete array_;
  if (type_ == Type::kObject) delete object_;
}

void Json::MakeObject() {
  if (!is_object()) *this = object();
}

void Json::MakeArray() {
  if (!is_array()) *this = array();
}

void Json::Add(std::string_view name, Json value) { object_->push_back({std::string(name), std::move(value)}); }

std::optional<int64_t> Json::Signed() const { return type_ == Type::kInteger ? std::optional(integer_) : std::nullopt; }

std::optional<uint64_t> Json::Unsigned() const {
  if (type_ == Type::kUnsigned) return unsigned_;
  return type_ == Type::kInteger && integer_ >= 0 ? std::optional(static_cast<uint64_t>(integer_)) : std::nullopt;
}

std::optional<double> Json::Double() const {
  switch (type_) {
    case Type::kInteger: return static_cast<double>(integer_);
    case Type::kUnsigned: return static_cast<double>(unsigned_);
    case Type::kDouble: return double_;
    default: return std::nullopt;
  }
}

const std::string& Json::text() const {
  static const std::string empty;
  return is_string() ? *text_ : empty;
}

std::string Json::value(std::string_view name, const char* fallback) const {
  const Json* const found = find(name);
  return found != nullptr && found->is_string() ? *found->text_ : fallback;
}

size_t Json::size() const { return is_array() ? array_->size() : is_object() ? object_->size() : 0; }

const Json* Json::begin() const { return is_array() ? array_->data() : nullptr; }
const Json* Json::end() const { return is_array() ? array_->data() + array_->size() : nullptr; }
Json* Json::begin() { return is_array() ? array_->data() : nullptr; }
Json* Json::end() { return is_array() ? array_->data() + array_->size() : nullptr; }

const std::vector<Json::Member>& Json::items() const {
  static const std::vector<Member> none;
  return is_object() ? *object_ : none;
}

const Json* Json::find(std::string_view name) const {
  if (!is_object()) return nullptr;
  for (const Member& member : *object_) {
    if (member.name == name) return &member.value;
  }
  return nullptr;
}

Json* Json::find(std::string_view name) { return const_cast<Json*>(std::as_const(*this).find(name)); }

const Json& Json::at(std::string_view name) const {
  static const Json null = nullptr;
  const Json* const found = find(name);
  return found == nullptr ? null : *found;
}

const Json& Json::at(size_t index) const {
  static const Json null = nullptr;
  return is_array() && index < array_->size() ? (*array_)[index] : null;
}

Json& Json::operator[](std::string_view name) {
  MakeObject();
  if (Json* const found = find(name)) return *found;
  Add(name, Json());
  return object_->back().value;
}

Json& Json::operator[](size_t index) {
  MakeArray();
  if (index >= array_->size()) array_->resize(index + 1);
  return (*array_)[index];
}

Json& Json::push_back(Json value) {
  MakeArray();
  return array_->emplace_back(std::move(value));
}

bool Json::erase(std::string_view name) {
  return is_object() && std::erase_if(*object_, [&](const Member& member) { return member.name == name; }) > 0;
}

void Json::update(const Json& other) {
  MakeObject();
  for (const Member& member : other.items()) (*this)[member.name] = member.value;
}

void Json::SortMembers() {
  if (is_array()) {
    for (Json& value : *array_) value.SortMembers();
  }
  if (!is_object()) return;
  std::sort(object_->begin(), object_->end(), [](const Member& a, const Member& b) { return a.name < b.name; });
  for (Member& member : *object_) member.value.SortMembers();
}

std::string Json::Dump() const {
  std::string text;
  Writer(text, false).Write(*this);
  return text;
}

std::string Json::DumpIndented() const {
  std::string text;
  Writer(text, true).Write(*this);
  return text;
}

bool operator==(const Json& a, const Json& b) {
  if (a.is_number() && b.is_number()) {
    if (a.is_integer() && b.is_integer()) return a.type_ == b.type_ && a.bits_ == b.bits_;
    return a.Double() == b.Double();
  }
  if (a.type_ != b.type_) return false;
  switch (a.type_) {
    case Json::Type::kBoolean: return a.boolean_ == b.boolean_;
    case Json::Type::kText: return *a.text_ == *b.text_;
    case Json::Type::kArray: return *a.array_ == *b.array_;
    case Json::Type::kObject:
      return a.size() == b.size() && std::all_of(a.object_->begin(), a.object_->end(), [&](const Json::Member& member) {
               const Json* const other = b.find(member.name);
               return other != nullptr && member.value == *other;
             });
    default: return true;
  }
}

std::ostream& operator<<(std::ostream& out, const Json& value) { return out << value.Dump(); }

// A text that is not UTF-8 has bytes that one handler replaces and the other leaves out.
bool IsUtf8(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return true;
  using Handler = nlohmann::json::error_handler_t;
  const nlohmann::json value = text;
  return value.dump(-1, ' ', false, Handler::replace) == value.dump(-1, ' ', false, Handler::ignore);
}

}  // namespace layoutcheck
