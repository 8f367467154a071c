// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/printer.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr size_t kUsualLength = 96;  // room for most texts without another allocation

void PutShape(std::string& out, const Shape& shape);

void PutList(std::string& out, const std::vector<int64_t>& numbers) {
  for (size_t i = 0; i < numbers.size(); ++i) StrAppend(out, i > 0 ? "," : "", numbers[i]);
}

void PutTile(std::string& out, const Tile& tile) {
  out.push_back('(');
  for (size_t i = 0; i < tile.dimensions.size(); ++i) {
    if (i > 0) out.push_back(',');
    if (tile.dimensions[i] == Tile::kCombineDimension) {
      out.push_back('*');
    } else {
      StrAppend(out, tile.dimensions[i]);
    }
  }
  out.push_back(')');
}

// Writes the attributes of a layout, with the colon before the first one.
class AttributeWriter {
 public:
  explicit AttributeWriter(std::string& out) : out_(out) {}

  void Start(std::string_view name) {
    if (first_) out_.push_back(':');
    first_ = false;
    out_.append(name);
  }
  template <class Value>
  void Put(std::string_view name, const Value& value) {
    Start(name);
    StrAppend(out_, '(', value, ')');
  }
  void PutType(std::string_view name, std::optional<ElementType> type) {
    if (type) Put(name, IsIntegral(*type) ? ElementTypeName(*type) : "invalid");
  }

 private:
  std::string& out_;
  bool first_ = true;
};

void PutLayout(std::string& out, const Layout& layout) {
  out.push_back('{');
  PutList(out, layout.minor_to_major);
  AttributeWriter attributes(out);
  if (!layout.tiles.empty()) {
    attributes.Start("T");
    for (const Tile& tile : layout.tiles) PutTile(out, tile);
  }
  if (layout.tail_padding_alignment_in_elements != 1) attributes.Put("L", layout.tail_padding_alignment_in_elements);
  attributes.PutType("#", layout.index_primitive_type);
  attributes.PutType("*", layout.pointer_primitive_type);
  if (layout.element_size_in_bits != 0) attributes.Put("E", layout.element_size_in_bits);
  if (layout.memory_space != 0) attributes.Put("S", layout.memory_space);
  if (!layout.split_configs.empty()) {
    attributes.Start("SC");
    for (const SplitConfig& split : layout.split_configs) {
      StrAppend(out, '(', split.dimension, ':');
      PutList(out, split.split_indices);
      out.push_back(')');
    }
  }
  if (!layout.physical_shape.empty()) {
    attributes.Start("P(");
    PutShape(out, layout.physical_shape[0]);
    out.push_back(')');
  }
  if (layout.dynamic_shape_metadata_prefix_bytes > 0) attributes.Put("M", layout.dynamic_shape_metadata_prefix_bytes);
  out.push_back('}');
}

// Writes a shape that is neither a tuple nor a buffer.
void PutLeaf(std::string& out, const Shape& shape) {
  StrAppend(out, ElementTypeName(shape.element_type), '[');
  for (size_t d = 0; d < shape.dimensions.size(); ++d) {
    if (d > 0) out.push_back(',');
    const bool dynamic = d < shape.dynamic_dimensions.size() && shape.dynamic_dimensions[d];
    if (dynamic && shape.dimensions[d] == Shape::kUnboundedSize) {
      out.push_back('?');
    } else {
      StrAppend(out, dynamic ? "<=" : "", shape.dimensions[d]);
    }
  }
  out.push_back(']');
  if (!shape.IsArray() || !shape.layout) return;
  const size_t begin = out.size();
  PutLayout(out, *shape.layout);
  // The layout of a scalar shows only if it has attributes.
  if (shape.dimensions.empty() && std::string_view(out).substr(begin) == "{}") out.resize(begin);
}

// Writes the separator before element `index` of a tuple. Every fifth one has a number, for readers of long tuples.
void PutSeparator(std::string& out, size_t index) {
  constexpr size_t kNumberedEvery = 5;
  if (index == 0) return;
  out.append(", ");
  if (index % kNumberedEvery == 0) StrAppend(out, "/*index=", index, "*/");
}

// Writes a leaf, or the start of a shape with elements. Returns true if elements follow.
bool PutStart(std::string& out, const Shape& shape) {
  if (!shape.IsTuple() && !shape.IsBuffer()) {
    PutLeaf(out, shape);
    return false;
  }
  out.append(shape.IsBuffer() ? "b(" : "(");
  return true;
}

// Writes a shape without recursion, because its nesting may exceed the call stack.
void PutShape(std::string& out, const Shape& shape) {
  struct Position {
    const Shape* shape;
    size_t next;
  };
  if (!PutStart(out, shape)) return;
  std::vector<Position> stack = {{&shape, 0}};
  while (!stack.empty()) {
    Position& position = stack.back();
    if (position.next == position.shape->elements.size()) {
      out.push_back(')');
      stack.pop_back();
      continue;
    }
    const Shape& element = position.shape->elements[position.next];
    PutSeparator(out, position.next++);
    if (PutStart(out, element)) stack.push_back({&element, 0});
  }
}

template <class T>
std::string TextOf(void (&put)(std::string&, const T&), const T& value) {
  std::string out;
  out.reserve(kUsualLength);
  put(out, value);
  return out;
}

}  // namespace

std::string ToString(const Tile& tile) { return TextOf(PutTile, tile); }
std::string ToString(const Layout& layout) { return TextOf(PutLayout, layout); }
std::string ToString(const Shape& shape) { return TextOf(PutShape, shape); }

}  // namespace layoutcheck
