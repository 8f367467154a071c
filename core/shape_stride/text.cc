#include "layoutcheck/core/shape_stride/text.h"

#include <charconv>
#include <utility>
#include <vector>

#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// A recursive-descent reader; every function leaves `at_` behind what it read.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Expected<IntTuple> Tuple(int64_t depth = 0);
  Expected<ShapeStrideLayout> Layout();
  Expected<Swizzle> ReadSwizzle();
  Expected<ComposedLayout> Composed();
  Expected<Tiler> ReadTiler(int64_t depth = 0);

  // The result if nothing but blanks is left.
  template <class T>
  Expected<T> Whole(Expected<T> result, std::string_view what) {
    if (!result) return result;
    SkipBlanks();
    if (at_ < text_.size()) return Expect(StrCat("the end of the ", what));
    return result;
  }

 private:
  void SkipBlanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool Peek(char c) {
    SkipBlanks();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool Take(char c) {
    if (!Peek(c)) return false;
    ++at_;
    return true;
  }
  std::unexpected<Error> Expect(std::string_view what) {
    std::string found = "the end of the text";
    if (at_ < text_.size()) {
      const char c = text_[at_];
      found =
          c >= ' ' && c <= '~' ? StrCat("'", c, "'") : StrCat("byte ", static_cast<int>(static_cast<unsigned char>(c)));
    }
    return MakeError(ErrorKind::kSyntax, StrCat("expected ", what, ", found ", found), static_cast<int64_t>(at_) + 1);
  }
  std::unexpected<Error> TooDeep() {
    return MakeError(ErrorKind::kSyntax, StrCat("nested more than ", IntTuple::kMaxTextDepth, " levels deep"),
                     static_cast<int64_t>(at_) + 1);
  }
  Expected<int64_t> Integer();
  Expected<IntTuple> Leaf();
  Expected<Tiler> TilerList(char close, int64_t depth);
  // Whether an `o` that composes comes next; takes it.
  bool TakeCircle() {
    if (!Peek('o')) return false;
    ++at_;
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
};

Expected<int64_t> Reader::Integer() {
  SkipBlanks();
  const char* const begin = text_.data() + at_;
  const char* const end = text_.data() + text_.size();
  int64_t value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range) {
    return MakeError(ErrorKind::kSyntax, "expected an integer that fits int64", static_cast<int64_t>(at_) + 1);
  }
  if (error != std::errc()) return Expect("an integer");
  at_ += static_cast<size_t>(stop - begin);
  return value;
}

Expected<IntTuple> Reader::Leaf() {
  const bool is_static = Take('_');
  if (is_static && at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) return Expect("a digit after '_'");
  const Expected<int64_t> value = Integer();
  if (!value) return std::unexpected(value.error());
  std::vector<int64_t> path;
  while (Take('@')) {
    const Expected<int64_t> position = Integer();
    if (!position) return std::unexpected(position.error());
    path.insert(path.begin(), *position);
    if (static_cast<int64_t>(path.size()) > IntTuple::kMaxTextDepth) return TooDeep();
  }
  return IntTuple::Basis(*value, std::move(path)).WithStatic(is_static);
}

Expected<IntTuple> Reader::Tuple(int64_t depth) {
  if (!Peek('(')) {
    if (at_ < text_.size() && (text_[at_] == '_' || text_[at_] == '-' || (text_[at_] >= '0' && text_[at_] <= '9'))) {
      return Leaf();
    }
    return Expect("an integer or '('");
  }
  if (depth == IntTuple::kMaxTextDepth) return TooDeep();
  ++at_;
  std::vector<IntTuple> elements;
  while (!Take(')')) {
    Expected<IntTuple> element = Tuple(depth + 1);
    if (!element) return element;
    elements.push_back(*std::move(element));
    if (Take(',')) continue;
    if (!Peek(')')) return Expect("',' or ')'");
  }
  return IntTuple::Tuple(std::move(elements));
}

Expected<ShapeStrideLayout> Reader::Layout() {
  SkipBlanks();
  const size_t begin = at_;
  Expected<IntTuple> shape = Tuple();
  if (!shape) return std::unexpected(shape.error());
  if (!Take(':')) return Expect("':' and the strides");
  Expected<IntTuple> stride = Tuple();
  if (!stride) return std::unexpected(stride.error());
  ShapeStrideLayout layout{*std::move(shape), *std::move(stride)};
  Expected<void> valid = ValidateLayout(layout);
  if (!valid) {
    Error error = valid.error();
    error.column = static_cast<int64_t>(begin) + 1;
    return std::unexpected(std::move(error));
  }
  return layout;
}

Expected<Swizzle> Reader::ReadSwizzle() {
  SkipBlanks();
  const size_t begin = at_;
  if (!Take('S')) return Expect("'Sw<'");
  if (at_ < text_.size() && text_[at_] == 'w') ++at_;
  if (!Take('<')) return Expect("'<' of a swizzle");
  int64_t numbers[3] = {};
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && !Take(',')) return Expect("',' between the numbers of a swizzle");
    const Expected<int64_t> number = Integer();
    if (!number) return std::unexpected(number.error());
    numbers[i] = *number;
  }
  if (!Take('>')) return Expect("'>' of a swizzle");
  const Swizzle swizzle{numbers[0], numbers[1], numbers[2]};
  const Expected<void> valid = ValidateSwizzle(swizzle);
  if (!valid) return MakeError(valid.error().kind, valid.error().message, static_cast<int64_t>(begin) + 1);
  return swizzle;
}

Expected<ComposedLayout> Reader::Composed() {
  ComposedLayout composed;
  const size_t begin = at_;
  if (Peek('S')) {
    const Expected<Swizzle> swizzle = ReadSwizzle();
    if (!swizzle) return std::unexpected(swizzle.error());
    composed.swizzle = *swizzle;
    if (!TakeCircle()) return Expect("'o' after a swizzle");
  }
  // An integer before another `o` is the offset, before `:` it is the shape.
  const size_t behind_swizzle = at_;
  if (!Peek('(')) {
    const Expected<IntTuple> offset = Leaf();
    if (!offset) return std::unexpected(offset.error());
    if (TakeCircle()) {
      composed.offset = offset->value();
    } else {
      at_ = behind_swizzle;
    }
  }
  Expected<ShapeStrideLayout> layout = Layout();
  if (!layout) return std::unexpected(layout.error());
  composed.layout = *std::move(layout);
  const Expected<void> valid = ValidateComposedLayout(composed);
  if (!valid) return MakeError(valid.error().kind, valid.error().message, static_cast<int64_t>(begin) + 1);
  return composed;
}

Expected<Tiler> Reader::TilerList(char close, int64_t depth) {
  if (depth == IntTuple::kMaxTextDepth) return TooDeep();
  std::vector<Tiler> modes;
  while (!Take(close)) {
    Expected<Tiler> mode = ReadTiler(depth + 1);
    if (!mode) return mode;
    modes.push_back(*std::move(mode));
    if (Take(',') || (close == '>' && Take(';'))) continue;
    if (!Peek(close)) return Expect(StrCat("',' or '", close, "'"));
  }
  return Tiler::OfModes(std::move(modes));
}

Expected<Tiler> Reader::ReadTiler(int64_t depth) {
  if (Take('<')) return TilerList('>', depth);
  SkipBlanks();
  const size_t begin = at_;
  // A tuple is the shape of a layout if `:` follows it, otherwise a list of tilers. To keep reading linear, what
  // follows is found by counting parentheses.
  if (Peek('(')) {
    size_t open = 0;
    size_t end = at_;
    for (; end < text_.size(); ++end) {
      if (text_[end] == '(') ++open;
      if (text_[end] == ')' && --open == 0) break;
    }
    at_ = end < text_.size() ? end + 1 : end;
    const bool is_layout = Peek(':');
    at_ = begin;
    if (!is_layout) {
      ++at_;
      return TilerList(')', depth);
    }
  } else if (Take('_')) {
    const bool is_number = at_ < text_.size() && (text_[at_] == '-' || (text_[at_] >= '0' && text_[at_] <= '9'));
    if (!is_number) return Tiler::Keep();
    at_ = begin;
  }
  if (!Peek('(')) {
    const Expected<IntTuple> leaf = Leaf();
    if (!leaf) return std::unexpected(leaf.error());
    if (!Peek(':')) {
      if (leaf->value() < 1 || !leaf->basis().empty()) {
        return MakeError(ErrorKind::kSyntax, "expected an extent of at least 1", static_cast<int64_t>(begin) + 1);
      }
      return Tiler::Extent(leaf->value());
    }
    at_ = begin;
  }
  Expected<ShapeStrideLayout> layout = Layout();
  if (!layout) return std::unexpected(layout.error());
  return Tiler::Of(*std::move(layout));
}

}  // namespace

Expected<IntTuple> ParseIntTuple(std::string_view text) {
  Reader reader(text);
  return reader.Whole(reader.Tuple(), "tuple");
}

Expected<ShapeStrideLayout> ParseShapeStrideLayout(std::string_view text) {
  Reader reader(text);
  return reader.Whole(reader.Layout(), "layout");
}

Expected<Swizzle> ParseSwizzle(std::string_view text) {
  Reader reader(text);
  return reader.Whole(reader.ReadSwizzle(), "swizzle");
}

Expected<ComposedLayout> ParseComposedLayout(std::string_view text) {
  Reader reader(text);
  return reader.Whole(reader.Composed(), "layout");
}

Expected<Tiler> ParseTiler(std::string_view text) {
  Reader reader(text);
  return reader.Whole(reader.ReadTiler(), "tiler");
}

bool IsShapeStrideText(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n(");
  if (first == std::string_view::npos) return false;
  const char c = text[first];
  const bool integer = (c >= '0' && c <= '9') || c == '-' || c == '_';
  const bool swizzle = c == 'S' && text.substr(first, 3).find('<') != std::string_view::npos;
  return integer || swizzle || (c == ')' && text.find("):(") != std::string_view::npos);
}

}  // namespace layoutcheck
