#include "layoutcheck/cli/notations/coordinate.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <system_error>

#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  void SkipBlanks() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) ++position_;
  }
  bool Take(char c) {
    SkipBlanks();
    if (position_ == text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  bool AtEnd() {
    SkipBlanks();
    return position_ == text_.size();
  }
  Expected<int64_t> Integer() {
    SkipBlanks();
    int64_t value = 0;
    const char* const begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) {
      return MakeError(ErrorKind::kOverflow,
                       StrCat("the integer ", std::string_view(begin, end), " does not fit int64"), column());
    }
    if (error != std::errc()) return Unexpected("an integer");
    position_ += static_cast<size_t>(end - begin);
    return value;
  }
  std::unexpected<Error> Unexpected(std::string_view expected) {
    SkipBlanks();
    const std::string found =
        position_ == text_.size() ? std::string("end of text") : StrCat("'", text_[position_], "'");
    return MakeError(ErrorKind::kSyntax, StrCat("expected ", expected, ", found ", found), column());
  }

 private:
  int64_t column() const { return static_cast<int64_t>(position_) + 1; }

  std::string_view text_;
  size_t position_ = 0;
};

void AppendNested(std::string& out, const Json& coordinate) {
  if (!coordinate.is_array()) {
    out += coordinate.dump();
    return;
  }
  out += '(';
  for (size_t i = 0; i < coordinate.size(); ++i) {
    if (i > 0) out += ',';
    AppendNested(out, coordinate[i]);
  }
  out += ')';
}

}  // namespace

Expected<int64_t> ReadInteger(std::string_view text) {
  Reader reader(text);
  const Expected<int64_t> value = reader.Integer();
  if (value && !reader.AtEnd()) return reader.Unexpected("end of text after the integer");
  return value;
}

Expected<std::vector<int64_t>> ReadFlatCoordinate(std::string_view text) {
  Reader reader(text);
  std::vector<int64_t> coordinate;
  const bool open = reader.Take('(');
  if (!open || !reader.Take(')')) {
    do {
      const Expected<int64_t> value = reader.Integer();
      if (!value) return std::unexpected(value.error());
      coordinate.push_back(*value);
    } while (reader.Take(','));
    if (open && !reader.Take(')')) return reader.Unexpected("',' or ')'");
  }
  if (!reader.AtEnd()) return reader.Unexpected(open ? "end of text after ')'" : "',' or end of text");
  return coordinate;
}

Expected<std::vector<int64_t>> ReadCoordinateWithin(std::string_view text, std::span<const int64_t> dimensions) {
  Expected<std::vector<int64_t>> coordinate = ReadFlatCoordinate(text);
  if (!coordinate) return coordinate;
  const auto rank = static_cast<int64_t>(dimensions.size());
  if (coordinate->size() != dimensions.size()) {
    std::string names;
    for (int64_t d = 0; d < rank; ++d) StrAppend(names, d > 0 ? "," : "", DimensionName(d, rank));
    return MakeError(ErrorKind::kInvalidArgument,
                     rank == 0 ? StrCat("expected (), the coordinate of a scalar, found ", CoordinateText(*coordinate))
                               : StrCat("expected ", rank, rank == 1 ? " coordinate, " : " coordinates, ", names,
                                        ", found ", coordinate->size()));
  }
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t value = (*coordinate)[static_cast<size_t>(d)];
    const int64_t size = dimensions[static_cast<size_t>(d)];
    if (value >= 0 && value < size) continue;
    return MakeError(
        ErrorKind::kInvalidArgument,
        StrCat("coordinate ", DimensionName(d, rank), "=", value, " is outside dimension ", d,
               size == 0 ? std::string(", whose size is 0") : StrCat(" of size ", size, ": expected 0 to ", size - 1)));
  }
  return coordinate;
}

std::string CoordinateText(const Json& coordinate) {
  std::string text;
  AppendNested(text, coordinate);
  const bool flat = coordinate.is_array() && !coordinate.empty() &&
                    std::ranges::none_of(coordinate, [](const Json& entry) { return entry.is_array(); });
  return flat ? text.substr(1, text.size() - 2) : text;
}

}  // namespace layoutcheck
