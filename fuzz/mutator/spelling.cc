// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/mutator/spelling.h"
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/fuzz/text/blanks.h"

namespace layoutcheck {
namespace {

// Writes a value in a random spelling.
class Speller {
 public:
  explicit Speller(Random& random) : random_(random) {}

  // Prints deeper shapes canonically. Mutators nest only a few levels deep.
  void Put(const Shape& shape, int depth) {
    constexpr int kDeepest = 100;
    if (shape.elements.empty() || depth == kDeepest) {
      if (shape.IsArray()) return PutArray(shape);
      out_ += ToString(shape);
      return;
    }
    out_ += shape.IsBuffer() ? "b(" : "(";
    for (size_t i = 0; i < shape.elements.size(); ++i) {
      if (i > 0) out_ += random_.OneIn(2) ? "," : ", ";
      Put(shape.elements[i], depth + 1);
    }
    out_ += ')';
  }

  void Put(const Layout& layout) {
    out_ += '{';
    PutList(layout.minor_to_major);
    const size_t colon = out_.size();
    out_ += ':';
    if (random_.OneIn(16)) out_ += "D(D,C+,S~,H+~)";
    if (!layout.tiles.empty()) {
      out_ += 'T';
      for (const Tile& tile : layout.tiles) out_ += ToString(tile);
    }
    PutNumber("L", layout.tail_padding_alignment_in_elements, 1);
    PutType("#", layout.index_primitive_type);
    PutType("*", layout.pointer_primitive_type);
    PutNumber("E", layout.element_size_in_bits, 0);
    PutNumber("S", layout.memory_space, 0);
    if (!layout.split_configs.empty()) {
      out_ += "SC";
      for (const SplitConfig& split : layout.split_configs) {
        StrAppend(out_, "(", split.dimension, ":");
        PutList(split.split_indices);
        out_ += ')';
      }
    }
    PutNumber("M", layout.dynamic_shape_metadata_prefix_bytes, 0);
    if (out_.size() == colon + 1 && !random_.OneIn(8)) out_.pop_back();
    out_ += '}';
  }

  std::string Take() { return std::move(out_); }

 private:
  void PutInteger(int64_t number) {
    if (number == 0 && random_.OneIn(32)) out_ += '-';
    if (number >= 0 && random_.OneIn(32)) out_ += random_.OneIn(2) ? "0" : "000";
    StrAppend(out_, number);
  }
  void PutList(const std::vector<int64_t>& numbers) {
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (i > 0) out_ += ',';
      PutInteger(numbers[i]);
    }
  }
  void PutNumber(std::string_view name, int64_t number, int64_t default_number) {
    if (number == default_number && !random_.OneIn(16)) return;
    StrAppend(out_, name, "(");
    PutInteger(number);
    out_ += ')';
  }
  void PutType(std::string_view name, std::optional<ElementType> type) {
    if (type) StrAppend(out_, name, "(", ElementTypeName(*type), ")");
  }
  void PutArray(const Shape& shape) {
    StrAppend(out_, ElementTypeName(shape.element_type), "[");
    for (size_t d = 0; d < shape.dimensions.size(); ++d) {
      if (d > 0) out_ += ',';
      const bool dynamic = d < shape.dynamic_dimensions.size() && shape.dynamic_dimensions[d];
      if (dynamic && shape.dimensions[d] == Shape::kUnboundedSize) {
        out_ += '?';
      } else {
        if (dynamic) out_ += "<=";
        PutInteger(shape.dimensions[d]);
      }
    }
    out_ += ']';
    if (!shape.layout) return;
    const bool is_default = *shape.layout == MakeDescendingLayout(shape.rank());
    if (is_default && random_.OneIn(shape.rank() == 0 ? 1 : 4)) return;
    Put(*shape.layout);
  }

  Random& random_;
  std::string out_;
};

std::string MaybeWithBlanks(std::string text, Random& random) {
  return random.OneIn(2) ? WithBlanks(text, random, 4) : text;
}

}  // namespace

std::string Spell(const Shape& shape, Random& random) {
  if (random.OneIn(2)) return ToString(shape);
  Speller speller(random);
  speller.Put(shape, 0);
  return MaybeWithBlanks(speller.Take(), random);
}

std::string Spell(const Layout& layout, Random& random) {
  if (random.OneIn(2)) return ToString(layout);
  Speller speller(random);
  speller.Put(layout);
  return MaybeWithBlanks(speller.Take(), random);
}

}  // namespace layoutcheck
