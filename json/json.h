// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON values. Open this header to build, read, parse or print JSON; the library behind it (nlohmann-json) is compiled
// once, in json.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace layoutcheck {

// A JSON value: null, a boolean, an integer, a double, a text, an array or an object. Objects keep the order in which
// their members were added. Reading never fails: a missing member is null, and a value of another type than the asked
// one is std::nullopt or the default, so no input can end the program.
class Json {
 public:
  struct Member;  // `name` and `value`
  class Entry;    // {"name", value} between the braces of an object

  // Largest nesting of arrays and objects that Parse accepts. Functions that recurse over a parsed value stay far below
  // the limit of a thread's stack.
  static constexpr size_t kMaxDepth = 1000;

  // Parses a text that holds one value. Returns nothing if it is no JSON, or nested deeper than kMaxDepth. Of members
  // with the same name the last value counts. Numbers outside int64 and uint64 become doubles.
  static std::optional<Json> Parse(std::string_view text);

  static Json array() { return Json(Type::kArray); }
  static Json array(std::initializer_list<Json> values);
  static Json object() { return Json(Type::kObject); }

  // NOLINTBEGIN(google-explicit-constructor): values convert to JSON wherever JSON is expected.
  Json() = default;
  Json(std::nullptr_t) {}
  template <class Number>
    requires std::is_arithmetic_v<Number>
  Json(Number number) {
    if constexpr (std::is_same_v<Number, bool>) {
      type_ = Type::kBoolean;
      boolean_ = number;
    } else if constexpr (std::is_floating_point_v<Number>) {
      type_ = Type::kDouble;
      double_ = number;
    } else if constexpr (std::is_signed_v<Number>) {
      type_ = Type::kInteger;
      integer_ = number;
    } else {
      SetUnsigned(number);
    }
  }
  Json(const char* text) : Json(std::string_view(text)) {}
  Json(std::string_view text);
  Json(std::string text);
  Json(std::vector<Json> values);
  // Makes an object of a map with texts as keys, and an array of other containers.
  template <class Container>
    requires(requires(const Container& container) { container.begin() != container.end(); } &&
             !std::is_convertible_v<const Container&, std::string_view> && !std::is_same_v<Container, Json>)
  Json(const Container& container);
  // Makes an object: {{"name", "a"}, {"size", 3}}.
  Json(std::initializer_list<Entry> entries);
  // Braces make no array: Json::array({1, 2}) does.
  template <class T>
  Json(std::initializer_list<T>) = delete;
  Json(std::initializer_list<std::initializer_list<Entry>>) = delete;
  // NOLINTEND(google-explicit-constructor)

  Json(const Json& other) { Copy(other); }
  Json(Json&& other) noexcept : type_(other.type_), bits_(other.bits_) { other.type_ = Type::kNull; }
  Json& operator=(Json other) noexcept {
    std::swap(type_, other.type_);
    std::swap(bits_, other.bits_);
    return *this;
  }
  ~Json() {
    if (type_ >= Type::kText) Destroy();
  }

  bool is_null() const { return type_ == Type::kNull; }
  bool is_boolean() const { return type_ == Type::kBoolean; }
  bool is_integer() const { return type_ == Type::kInteger || type_ == Type::kUnsigned; }
  bool is_number() const { return is_integer() || type_ == Type::kDouble; }
  bool is_string() const { return type_ == Type::kText; }
  bool is_array() const { return type_ == Type::kArray; }
  bool is_object() const { return type_ == Type::kObject; }

  // Returns the value as a T, or nothing if it is none: bool, an integer type in whose range it is, double (of any
  // number), std::string, std::vector<T>, std::map<std::string, T>, or Json.
  template <class T>
  std::optional<T> as() const;
  // Returns the value as a T, or T() if it is none.
  template <class T>
  T get() const {
    return as<T>().value_or(T());
  }
  // Returns a text, or "" for other types.
  const std::string& text() const;

  // Number of values or members; 0 for other types.
  size_t size() const;
  bool empty() const { return size() == 0; }
  // The values of an array; an empty range for other types.
  const Json* begin() const;
  const Json* end() const;
  Json* begin();
  Json* end();
  // The members of an object; none for other types.
  const std::vector<Member>& items() const;

  // Returns a member of an object, or null.
  const Json* find(std::string_view name) const;
  Json* find(std::string_view name);
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  // Return a value that is JSON's null if there is no such member or value.
  const Json& at(std::string_view name) const;
  const Json& at(size_t index) const;
  const Json& operator[](std::string_view name) const { return at(name); }
  const Json& operator[](size_t index) const { return at(index); }
  // Returns a member as a T, or `fallback` if it is missing or no T.
  template <class T>
  T value(std::string_view name, T fallback) const {
    const Json* const found = find(name);
    return found == nullptr ? fallback : found->as<T>().value_or(fallback);
  }
  std::string value(std::string_view name, const char* fallback) const;

  // Returns the member, which is added if there is none. Any other value than an object becomes one.
  Json& operator[](std::string_view name);
  // Returns the value at the index, which an array is filled up to with null. Any other value than an array becomes
  // one.
  Json& operator[](size_t index);
  // Adds a value at the end and returns it. Any other value than an array becomes one.
  Json& push_back(Json value);
  // Removes the member. Returns false if there is none.
  bool erase(std::string_view name);
  // Sets the members of another object.
  void update(const Json& other);
  // Sorts the members by name, in all objects of this value.
  void SortMembers();

  // Returns the text of the value, on one line. Bytes that are not UTF-8 become U+FFFD.
  std::string Dump() const;
  // Returns the text on many lines, indented by two blanks per level.
  std::string DumpIndented() const;

  // Numbers are equal if their values are, and objects if their members are, in any order.
  friend bool operator==(const Json& a, const Json& b);
  friend std::ostream& operator<<(std::ostream& out, const Json& value);

 private:
  enum class Type : uint8_t { kNull, kBoolean, kInteger, kUnsigned, kDouble, kText, kArray, kObject };

  explicit Json(Type type);

  void SetUnsigned(uint64_t number) {
    type_ = number >> 63 == 0 ? Type::kInteger : Type::kUnsigned;
    unsigned_ = number;
  }
  void Copy(const Json& other);
  void Destroy();
  void MakeObject();
  void MakeArray();
  // Adds a member whose name the object has not.
  void Add(std::string_view name, Json value);
  std::optional<int64_t> Signed() const;
  std::optional<uint64_t> Unsigned() const;
  std::optional<double> Double() const;

  class Reader;
  class Writer;

  Type type_ = Type::kNull;
  union {
    uint64_t bits_ = 0;
    bool boolean_;
    int64_t integer_;    // kInteger
    uint64_t unsigned_;  // kUnsigned: numbers outside int64
    double double_;
    std::string* text_;
    std::vector<Json>* array_;
    std::vector<Member>* object_;
  };
};

struct Json::Member {
  std::string name;
  Json value;
};

class Json::Entry {
 public:
  Entry(std::string_view name, Json value) : name_(name), value_(std::move(value)) {}

 private:
  friend class Json;
  std::string_view name_;
  mutable Json value_;  // moved from, although the entries of an initializer list are const
};

// Returns true if the text is UTF-8, so that JSON can carry it as it is.
bool IsUtf8(std::string_view text);

template <class Container>
  requires(requires(const Container& container) { container.begin() != container.end(); } &&
           !std::is_convertible_v<const Container&, std::string_view> && !std::is_same_v<Container, Json>)
Json::Json(const Container& container)
    : Json(requires { typename Container::mapped_type; } ? Type::kObject : Type::kArray) {
  if constexpr (requires { typename Container::mapped_type; }) {
    for (const auto& [name, value] : container) Add(name, Json(value));
  } else {
    if constexpr (requires { container.size(); }) array_->reserve(container.size());
    for (const auto& value : container) array_->push_back(Json(value));
  }
}

template <class T>
std::optional<T> Json::as() const {
  if constexpr (std::is_same_v<T, Json>) {
    return *this;
  } else if constexpr (std::is_same_v<T, bool>) {
    return is_boolean() ? std::optional(boolean_) : std::nullopt;
  } else if constexpr (std::is_floating_point_v<T>) {
    return Double();
  } else if constexpr (std::is_integral_v<T>) {
    std::optional<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>> number;
    if constexpr (std::is_signed_v<T>) {
      number = Signed();
    } else {
      number = Unsigned();
    }
    return number && std::in_range<T>(*number) ? std::optional(static_cast<T>(*number)) : std::nullopt;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return is_string() ? std::optional(*text_) : std::nullopt;
  } else if constexpr (requires { typename T::mapped_type; }) {
    if (!is_object()) return std::nullopt;
    T values;
    for (const Member& member : items()) {
      auto value = member.value.as<typename T::mapped_type>();
      if (!value) return std::nullopt;
      values[member.name] = *std::move(value);
    }
    return values;
  } else {
    if (!is_array()) return std::nullopt;
    T values;
    values.reserve(size());
    for (const Json& entry : *this) {
      auto value = entry.as<typename T::value_type>();
      if (!value) return std::nullopt;
      values.push_back(*std::move(value));
    }
    return values;
  }
}

}  // namespace layoutcheck
