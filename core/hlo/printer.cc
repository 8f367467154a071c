// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/printer.h"
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace layoutcheck {
namespace {

// A text buffer whose first part is a local block, so that a short result costs one allocation.
class TextWriter {
 public:
  void Put(char c) {
    if (used_ == sizeof(block_)) Flush();
    block_[used_++] = c;
  }
  void Put(std::string_view text) {
    if (text.size() > sizeof(block_) - used_) {
      Flush();
      if (text.size() > sizeof(block_)) {
        flushed_.append(text);
        return;
      }
    }
    std::memcpy(block_ + used_, text.data(), text.size());
    used_ += text.size();
  }
  void Put(int64_t number) {
    constexpr size_t kLongestNumber = 20;
    if (sizeof(block_) - used_ < kLongestNumber) Flush();
    used_ = static_cast<size_t>(std::to_chars(block_ + used_, block_ + sizeof(block_), number).ptr - block_);
  }
  std::string Take() {
    if (flushed_.empty()) return std::string(block_, used_);
    Flush();
    return std::move(flushed_);
  }

 private:
  void Flush() {
    flushed_.append(block_, used_);
    used_ = 0;
  }

  char block_[512];
  size_t used_ = 0;
  std::string flushed_;
};

void PutShape(TextWriter& out, const Shape& shape);

void PutList(TextWriter& out, const std::vector<int64_t>& numbers) {
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) out.Put(',');
    out.Put(numbers[i]);
  }
}

void PutTile(TextWriter& out, const Tile& tile) {
  out.Put('(');
  for (size_t i = 0; i < tile.dimensions.size(); ++i) {
    const int64_t size = tile.dimensions[i];
    if (i > 0) out.Put(',');
    if (size == Tile::kCombineDimension) {
      out.Put('*');
    } else {
      out.Put(size);
    }
  }
  out.Put(')');
}

// Writes the attributes of a layout, with the colon before the first one.
class AttributeWriter {
 public:
  explicit AttributeWriter(TextWriter& out) : out_(out) {}

  TextWriter& Start(std::string_view name) {
    if (first_) out_.Put(':');
    first_ = false;
    out_.Put(name);
    return out_;
  }
  void PutNumber(std::string_view name, int64_t number) {
    Start(name).Put('(');
    out_.Put(number);
    out_.Put(')');
  }
  void PutType(std::string_view name, std::optional<ElementType> type) {
    if (!type) return;
    Start(name).Put('(');
    out_.Put(IsIntegral(*type) ? ElementTypeName(*type) : "invalid");
    out_.Put(')');
  }

 private:
  TextWriter& out_;
  bool first_ = true;
};

void PutLayout(TextWriter& out, const Layout& layout) {
  out.Put('{');
  PutList(out, layout.minor_to_major);
  AttributeWriter attributes(out);
  if (!layout.tiles.empty()) {
    attributes.Start("T");
    for (const Tile& tile : layout.tiles) PutTile(out, tile);
  }
  if (layout.tail_padding_alignment_in_elements != 1)
    attributes.PutNumber("L", layout.tail_padding_alignment_in_elements);
  attributes.PutType("#", layout.index_primitive_type);
  attributes.PutType("*", layout.pointer_primitive_type);
  if (layout.element_size_in_bits != 0) attributes.PutNumber("E", layout.element_size_in_bits);
  if (layout.memory_space != 0) attributes.PutNumber("S", layout.memory_space);
  if (!layout.split_configs.empty()) {
    attributes.Start("SC");
    for (const SplitConfig& split : layout.split_configs) {
      out.Put('(');
      out.Put(split.dimension);
      out.Put(':');
      PutList(out, split.split_indices);
      out.Put(')');
    }
  }
  if (!layout.physical_shape.empty()) {
    attributes.Start("P").Put('(');
    PutShape(out, layout.physical_shape[0]);
    out.Put(')');
  }
  if (layout.dynamic_shape_metadata_prefix_bytes > 0) {
    attributes.PutNumber("M", layout.dynamic_shape_metadata_prefix_bytes);
  }
  out.Put('}');
}

bool IsEmpty(const Layout& layout) {
  return layout.minor_to_major.empty() && layout.tiles.empty() && layout.tail_padding_alignment_in_elements == 1 &&
         !layout.index_primitive_type && !layout.pointer_primitive_type && layout.element_size_in_bits == 0 &&
         layout.memory_space == 0 && layout.split_configs.empty() && layout.physical_shape.empty() &&
         layout.dynamic_shape_metadata_prefix_bytes <= 0;
}

// Writes a shape that is neither a tuple nor a buffer.
void PutLeaf(TextWriter& out, const Shape& shape) {
  out.Put(ElementTypeName(shape.element_type));
  out.Put('[');
  for (size_t d = 0; d < shape.dimensions.size(); ++d) {
    if (d > 0) out.Put(',');
    const bool dynamic = d < shape.dynamic_dimensions.size() && shape.dynamic_dimensions[d];
    if (dynamic && shape.dimensions[d] == Shape::kUnboundedSize) {
      out.Put('?');
    } else {
      if (dynamic) out.Put("<=");
      out.Put(shape.dimensions[d]);
    }
  }
  out.Put(']');
  if (!shape.IsArray() || !shape.layout) return;
  if (shape.dimensions.empty() && IsEmpty(*shape.layout)) return;
  PutLayout(out, *shape.layout);
}

// Writes the separator before element `index` of a tuple. Every fifth one has a number, for readers of long tuples.
void PutSeparator(TextWriter& out, size_t index) {
  constexpr size_t kNumberedEvery = 5;
  if (index == 0) return;
  if (index % kNumberedEvery != 0) return out.Put(", ");
  out.Put(", /*index=");
  out.Put(static_cast<int64_t>(index));
  out.Put("*/");
}

// Writes a leaf, or the start of a shape with elements. Returns true if elements follow.
bool PutStart(TextWriter& out, const Shape& shape) {
  if (!shape.IsTuple() && !shape.IsBuffer()) {
    PutLeaf(out, shape);
    return false;
  }
  out.Put(shape.IsBuffer() ? "b(" : "(");
  return true;
}

// Writes a shape without recursion, because its nesting may exceed the call stack.
void PutShape(TextWriter& out, const Shape& shape) {
  struct Position {
    const Shape* shape;
    size_t next;
  };
  if (!PutStart(out, shape)) return;
  std::vector<Position> stack = {{&shape, 0}};
  while (!stack.empty()) {
    Position& position = stack.back();
    if (position.next == position.shape->elements.size()) {
      out.Put(')');
      stack.pop_back();
      continue;
    }
    const Shape& element = position.shape->elements[position.next];
    PutSeparator(out, position.next++);
    if (PutStart(out, element)) stack.push_back({&element, 0});
  }
}

}  // namespace

std::string ToString(const Tile& tile) {
  TextWriter out;
  PutTile(out, tile);
  return out.Take();
}

std::string ToString(const Layout& layout) {
  TextWriter out;
  PutLayout(out, layout);
  return out.Take();
}

std::string ToString(const Shape& shape) {
  TextWriter out;
  PutShape(out, shape);
  return out.Take();
}

}  // namespace layoutcheck
