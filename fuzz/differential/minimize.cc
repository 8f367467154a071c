// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/differential/minimize.h"
#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"

namespace layoutcheck {
namespace {

// Returns the length, plus one for every element type other than f32, because a shorter name of a type is no simpler.
size_t CostOf(std::string_view text) {
  constexpr size_t kUsualType = 3;
  size_t cost = text.size();
  for (Lexer lexer(text); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
    if (lexer.kind() != TokenKind::kPrimitiveType) continue;
    cost += kUsualType + (lexer.token().text == "f32" ? 0 : 1);
    cost -= lexer.token().text.size();
  }
  return cost;
}

bool Simpler(std::string_view a, std::string_view b) {
  const size_t cost_a = CostOf(a);
  const size_t cost_b = CostOf(b);
  return cost_a != cost_b ? cost_a < cost_b : a < b;
}

template <class T>
void ForEachErased(const std::vector<T>& list, const std::function<void(std::vector<T>)>& visit) {
  for (size_t i = 0; i < list.size(); ++i) {
    std::vector<T> shorter = list;
    shorter.erase(shorter.begin() + static_cast<ptrdiff_t>(i));
    visit(std::move(shorter));
  }
}

constexpr int64_t kSimpleSizes[] = {0, 1, 2, 3, 4, 8};

std::vector<Layout> SimplerLayouts(const Layout& layout) {
  std::vector<Layout> result;
  const auto with = [&](auto member, auto value) {
    if (layout.*member == value) return;
    Layout changed = layout;
    changed.*member = std::move(value);
    result.push_back(std::move(changed));
  };
  const Layout none;
  with(&Layout::tiles, none.tiles);
  with(&Layout::tail_padding_alignment_in_elements, none.tail_padding_alignment_in_elements);
  with(&Layout::index_primitive_type, none.index_primitive_type);
  with(&Layout::pointer_primitive_type, none.pointer_primitive_type);
  with(&Layout::element_size_in_bits, none.element_size_in_bits);
  with(&Layout::memory_space, none.memory_space);
  with(&Layout::split_configs, none.split_configs);
  with(&Layout::dynamic_shape_metadata_prefix_bytes, none.dynamic_shape_metadata_prefix_bytes);
  with(&Layout::minor_to_major, MakeDescendingLayout(layout.rank()).minor_to_major);
  ForEachErased<Tile>(layout.tiles, [&](std::vector<Tile> tiles) { with(&Layout::tiles, std::move(tiles)); });
  for (size_t t = 0; t < layout.tiles.size(); ++t) {
    const auto with_tile = [&](std::vector<int64_t> sizes) {
      std::vector<Tile> tiles = layout.tiles;
      tiles[t].dimensions = std::move(sizes);
      with(&Layout::tiles, std::move(tiles));
    };
    ForEachErased<int64_t>(layout.tiles[t].dimensions, with_tile);
    for (size_t k = 0; k < layout.tiles[t].dimensions.size(); ++k) {
      for (const int64_t size : kSimpleSizes) {
        std::vector<int64_t> sizes = layout.tiles[t].dimensions;
        sizes[k] = size;
        with_tile(std::move(sizes));
      }
    }
  }
  return result;
}

Shape WithoutDimension(const Shape& shape, size_t d) {
  Shape result = shape;
  const auto position = static_cast<ptrdiff_t>(d);
  result.dimensions.erase(result.dimensions.begin() + position);
  result.dynamic_dimensions.erase(result.dynamic_dimensions.begin() + position);
  if (result.layout) {
    std::vector<int64_t>& order = result.layout->minor_to_major;
    if (const auto found = std::ranges::find(order, static_cast<int64_t>(d)); found != order.end()) {
      order.erase(found);
    } else if (!order.empty()) {
      order.pop_back();
    }
    for (int64_t& other : order) other -= other > static_cast<int64_t>(d) ? 1 : 0;
  }
  return result;
}

std::vector<Shape> SimplerShapes(const Shape& shape) {
  std::vector<Shape> result = shape.elements;
  ForEachErased<Shape>(shape.elements, [&](std::vector<Shape> elements) {
    if (!shape.IsTuple()) return;
    result.push_back(Shape::Tuple(std::move(elements)));
  });
  for (size_t i = 0; i < shape.elements.size(); ++i) {
    for (Shape& simpler : SimplerShapes(shape.elements[i])) {
      Shape changed = shape;
      changed.elements[i] = std::move(simpler);
      result.push_back(std::move(changed));
    }
  }
  if (!shape.IsArray()) return result;
  const auto add = [&](auto change) {
    Shape changed = shape;
    change(changed);
    if (!(changed == shape)) result.push_back(std::move(changed));
  };
  add([](Shape& s) { s.layout.reset(); });
  for (size_t d = 0; d < shape.dimensions.size(); ++d) result.push_back(WithoutDimension(shape, d));
  add([](Shape& s) { s.element_type = ElementType::kF32; });
  for (size_t d = 0; d < shape.dimensions.size(); ++d) {
    if (shape.dynamic_dimensions[d]) add([d](Shape& s) { s.dynamic_dimensions[d] = false, s.dimensions[d] = 2; });
    for (const int64_t size : kSimpleSizes) {
      if (shape.dimensions[d] != Shape::kUnboundedSize) add([d, size](Shape& s) { s.dimensions[d] = size; });
    }
  }
  if (shape.layout) {
    for (Layout& simpler : SimplerLayouts(*shape.layout)) {
      add([&](Shape& s) { s.layout = std::move(simpler); });
    }
  }
  return result;
}

class Minimizer {
 public:
  Minimizer(TextKind kind, std::string text, const std::function<bool(std::string_view)>& holds, int64_t budget)
      : kind_(kind), best_(std::move(text)), holds_(holds), budget_(budget) {}

  std::string Run() {
    // The passes start again after each success, because a simpler text may enable an earlier pass.
    while (budget_ > 0) {
      if (OnValue() || OnBlanks() || OnTokens() || OnBytes()) continue;
      break;
    }
    return std::move(best_);
  }

 private:
  // Takes the candidate if it is simpler and the claim holds. Passes return true after such a step.
  bool Try(std::string candidate) {
    if (budget_ <= 0 || !Simpler(candidate, best_)) return false;
    --budget_;
    if (!holds_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  bool OnValue() {
    // Copying a nested value takes time quadratic in its depth, so longer texts are left to the token passes.
    constexpr size_t kLongest = 1000;
    if (best_.size() > kLongest) return false;
    if (kind_ == TextKind::kLayout) {
      const Expected<Layout> layout = ParseLayout(best_);
      return layout && TryAny(SimplerLayouts(*layout));
    }
    const Expected<Shape> shape = ParseShape(best_, {.validate = false});
    return shape && TryAny(SimplerShapes(*shape));
  }

  template <class Value>
  bool TryAny(const std::vector<Value>& candidates) {
    return std::ranges::any_of(candidates, [&](const Value& value) { return Try(ToString(value)); });
  }

  std::vector<size_t> TokenBounds() const {
    std::vector<size_t> bounds = {0};
    for (Lexer lexer(best_); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
      bounds.push_back(static_cast<size_t>(lexer.token().end_column() - 1));
    }
    bounds.push_back(best_.size());
    return bounds;
  }

  // Adds a blank or comment of the text to one of the simplest texts, because its place seldom matters.
  bool OnBlanks() {
    constexpr std::string_view kSimplestShapes[] = {"()", "f32[]"};
    constexpr std::string_view kSimplestLayouts[] = {"{}", "{0}"};
    size_t end_of_last = 0;
    std::vector<std::string> blanks;
    for (Lexer lexer(best_);; lexer.Advance()) {
      const auto begin = static_cast<size_t>(lexer.token().column - 1);
      if (begin > end_of_last) blanks.push_back(best_.substr(end_of_last, begin - end_of_last));
      if (lexer.kind() == TokenKind::kEof) break;
      end_of_last = static_cast<size_t>(lexer.token().end_column() - 1);
    }
    return std::ranges::any_of(blanks, [&](const std::string& blank) {
      return std::ranges::any_of(kind_ == TextKind::kLayout ? kSimplestLayouts : kSimplestShapes,
                                 [&](std::string_view simplest) { return Try(StrCat(simplest, blank)); });
    });
  }

  bool TakeAway(const std::vector<size_t>& bounds) {
    const size_t pieces = bounds.size() - 1;
    for (size_t run = std::max<size_t>(pieces / 2, 1); run > 0; run /= 2) {
      for (size_t i = 0; i + run <= pieces; ++i) {
        if (Try(StrCat(std::string_view(best_).substr(0, bounds[i]), std::string_view(best_).substr(bounds[i + run]))))
          return true;
      }
    }
    return false;
  }

  // Removes the dimensions of an array together with its order: f32[2,3]{1,0:T(,)} becomes f32[]{:T(,)}.
  bool OnRanks() {
    size_t open = 0;
    size_t close = 0;
    size_t brace = 0;
    for (Lexer lexer(best_); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
      const auto end = static_cast<size_t>(lexer.token().end_column() - 1);
      if (lexer.kind() == TokenKind::kLeftSquare) open = end;
      if (lexer.kind() == TokenKind::kRightSquare) close = end - 1;
      if (lexer.kind() == TokenKind::kLeftBrace) brace = end;
      if (lexer.kind() != TokenKind::kColon || open == 0 || close < open || brace < close) continue;
      const std::string_view text = best_;
      if (Try(StrCat(text.substr(0, open), text.substr(close, brace - close), text.substr(end - 1)))) return true;
    }
    return false;
  }

  bool OnTokens() {
    if (TakeAway(TokenBounds()) || OnRanks()) return true;
    // Removes two tokens at once, such as a pair of parentheses.
    const std::vector<size_t> bounds = TokenBounds();
    const std::string_view text = best_;
    const size_t tokens = bounds.size() - 1;
    constexpr size_t kMostTokensInPairs = 64;
    for (size_t i = 0; i < tokens && tokens <= kMostTokensInPairs; ++i) {
      for (size_t j = i + 1; j < tokens; ++j) {
        if (Try(StrCat(text.substr(0, bounds[i]), text.substr(bounds[i + 1], bounds[j] - bounds[i + 1]),
                       text.substr(bounds[j + 1]))))
          return true;
      }
    }
    for (Lexer lexer(best_); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
      const Token& token = lexer.token();
      const auto begin = static_cast<size_t>(token.column - 1);
      const auto with = [&](std::string_view word) {
        return Try(StrCat(text.substr(0, begin), word, text.substr(begin + token.text.size())));
      };
      if (token.kind == TokenKind::kPrimitiveType && with("f32")) return true;
      if (token.kind != TokenKind::kInt) continue;
      for (const int64_t size : kSimpleSizes) {
        if (with(StrCat(size))) return true;
      }
      for (int64_t step = token.integer / 2; step > 0; step /= 2) {
        if (with(StrCat(token.integer - step))) return true;
      }
    }
    return false;
  }

  bool OnBytes() {
    std::vector<size_t> bounds(best_.size() + 1);
    for (size_t i = 0; i < bounds.size(); ++i) bounds[i] = i;
    return TakeAway(bounds);
  }

  TextKind kind_;
  std::string best_;
  const std::function<bool(std::string_view)>& holds_;
  int64_t budget_;
};

}  // namespace

std::string MinimizeText(TextKind kind, std::string text, const std::function<bool(std::string_view)>& holds,
                         int64_t max_evaluations) {
  return Minimizer(kind, std::move(text), holds, max_evaluations).Run();
}

}  // namespace layoutcheck
