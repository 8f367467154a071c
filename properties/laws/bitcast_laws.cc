// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Laws of the operation `bitcast`: a layout is asked about together with shapes made from it, about half of which keep
// every element in place. The linear index of each element decides which ones do.
#include <algorithm>
#include <type_traits>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/laws_internal.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

// A shape as which the memory of a layout is read: after a transpose, or else in the elements' row-major order.
struct Reading {
  Shape to;
  std::optional<Integers> transpose;
  bool is_bitcast = false;  // by construction; otherwise the elements tell
};

// The readings of one layout that a law asks about.
class Readings {
 public:
  explicit Readings(const Shape& from) : from_(from) {}

  void Add(Shape to, std::optional<Integers> transpose = std::nullopt, bool is_bitcast = false) {
    if (!SizesOf(to)) return;
    for (const Reading& other : list_) {
      if (other.to == to && other.transpose == transpose) return;
    }
    list_.push_back({std::move(to), std::move(transpose), is_bitcast});
  }
  // Adds the shape of the layout after change(shape).
  template <class Change>
  void AddChanged(Change change, bool is_bitcast = false) {
    Shape to = from_;
    change(to);
    Add(std::move(to), std::nullopt, is_bitcast);
  }

  std::vector<Reading> Take() { return std::move(list_); }

 private:
  const Shape& from_;
  std::vector<Reading> list_;
};

// Inserts a static dimension before dimension `at`, at position `minor` of minor_to_major.
void InsertDimension(Shape& shape, int64_t at, int64_t size, int64_t minor) {
  shape.dimensions.insert(shape.dimensions.begin() + at, size);
  shape.dynamic_dimensions.insert(shape.dynamic_dimensions.begin() + at, false);
  Integers& order = shape.layout->minor_to_major;
  for (int64_t& d : order) d += d >= at ? 1 : 0;
  order.insert(order.begin() + minor, at);
}

void RemoveDimension(Shape& shape, int64_t dimension) {
  shape.dimensions.erase(shape.dimensions.begin() + dimension);
  shape.dynamic_dimensions.erase(shape.dynamic_dimensions.begin() + dimension);
  Integers& order = shape.layout->minor_to_major;
  std::erase(order, dimension);
  for (int64_t& d : order) d -= d > dimension ? 1 : 0;
}

int64_t PlaceInMemory(const Shape& shape, int64_t dimension) {
  const Integers& order = shape.layout->minor_to_major;
  return std::ranges::find(order, dimension) - order.begin();
}

// Splits the first dimension that has two factors above 1, the inner one next to the outer one in memory.
void SplitDimension(Shape& shape) {
  for (int64_t d = 0; d < shape.rank(); ++d) {
    const int64_t size = shape.dimensions[static_cast<size_t>(d)];
    for (const int64_t factor : {2, 3, 5, 7}) {
      if (size <= factor || size % factor != 0) continue;
      const int64_t minor = PlaceInMemory(shape, d);
      shape.dimensions[static_cast<size_t>(d)] = size / factor;
      shape.dynamic_dimensions[static_cast<size_t>(d)] = false;
      InsertDimension(shape, d + 1, factor, minor);
      return;
    }
  }
}

// Merges the first two neighboring dimensions of more than one element, at the more minor one's place if it is second.
void MergeDimensions(Shape& shape) {
  for (int64_t d = 0; d + 1 < shape.rank(); ++d) {
    const int64_t outer = shape.dimensions[static_cast<size_t>(d)];
    int64_t& inner = shape.dimensions[static_cast<size_t>(d + 1)];
    if (outer < 2 || inner < 2) continue;
    inner *= outer;
    shape.dynamic_dimensions[static_cast<size_t>(d + 1)] = false;
    RemoveDimension(shape, d);
    return;
  }
}

void MoveToOtherMemory(Shape& shape) { shape.layout->memory_space = shape.layout->memory_space == 0 ? 1 : 0; }

ElementType OtherTypeOfSameWidth(ElementType type) {
  switch (type) {
    case ElementType::kF32: return ElementType::kS32;
    case ElementType::kS32: return ElementType::kF32;
    case ElementType::kBF16: return ElementType::kF16;
    case ElementType::kF16: return ElementType::kBF16;
    case ElementType::kS8: return ElementType::kU8;
    case ElementType::kU8: return ElementType::kS8;
    default: return type;
  }
}

std::vector<Reading> Reshapes(const Shape& from) {
  Readings readings(from);
  const int64_t rank = from.rank();
  readings.AddChanged([](Shape&) {}, true);
  readings.AddChanged([&](Shape& to) { InsertDimension(to, 0, 1, rank); }, true);
  readings.AddChanged([](Shape& to) { to.layout->tiles.push_back({{1}}); }, true);
  readings.AddChanged([](Shape& to) { InsertDimension(to, to.rank(), 1, 0); });
  readings.AddChanged(SplitDimension);
  readings.AddChanged(MergeDimensions);
  readings.AddChanged([](Shape& to) {
    if (to.rank() > 0) to.dynamic_dimensions[0] = !to.dynamic_dimensions[0];
  });
  readings.AddChanged([](Shape& to) {
    for (int64_t d = to.rank(); d-- > 0;) {
      if (to.dimensions[static_cast<size_t>(d)] == 1) RemoveDimension(to, d);
    }
  });
  readings.AddChanged([](Shape& to) { std::ranges::reverse(to.layout->minor_to_major); });
  readings.AddChanged([](Shape& to) {
    if (to.rank() > 1) std::swap(to.layout->minor_to_major[0], to.layout->minor_to_major[1]);
  });
  readings.AddChanged([](Shape& to) {
    if (to.layout->tiles.empty()) {
      to.layout->tiles.push_back({{2, 2}});
    } else {
      to.layout->tiles.pop_back();
    }
  });
  readings.AddChanged(MoveToOtherMemory);
  readings.AddChanged([](Shape& to) {
    int64_t& alignment = to.layout->tail_padding_alignment_in_elements;
    alignment = alignment == 1 ? 4 : 1;
  });
  readings.AddChanged([](Shape& to) {
    if (to.layout->element_size_in_bits == 0) to.element_type = OtherTypeOfSameWidth(to.element_type);
  });
  return readings.Take();
}

// Adds the transpose by `permutation` in the layout that keeps the elements in place, and in the layout as it is.
void AddTransposes(Readings& readings, const Shape& from, const Integers& permutation) {
  Shape moved = from;
  for (size_t k = 0; k < permutation.size(); ++k) {
    moved.dimensions[k] = from.dimensions[static_cast<size_t>(permutation[k])];
    moved.dynamic_dimensions[k] = from.dynamic_dimensions[static_cast<size_t>(permutation[k])];
  }
  Shape in_place = moved;
  for (int64_t& d : in_place.layout->minor_to_major) d = std::ranges::find(permutation, d) - permutation.begin();
  Shape in_place_elsewhere = in_place;
  MoveToOtherMemory(in_place_elsewhere);
  readings.Add(std::move(in_place), permutation, true);
  readings.Add(std::move(moved), permutation);
  readings.Add(std::move(in_place_elsewhere), permutation);
}

std::vector<Reading> Transposes(const Shape& from) {
  Readings readings(from);
  Integers permutation(from.dimensions.size());
  for (size_t k = 0; k < permutation.size(); ++k) permutation[k] = static_cast<int64_t>(k);
  readings.Add(from, permutation, true);
  if (permutation.size() < 2) return readings.Take();
  std::ranges::rotate(permutation, permutation.begin() + 1);
  AddTransposes(readings, from, permutation);
  const Integers& order = from.layout->minor_to_major;
  AddTransposes(readings, from, {order.rbegin(), order.rend()});
  readings.Add(from, permutation);  // the sizes may not even fit
  return readings.Take();
}

// Returns true if all that does not depend on single elements admits a bitcast.
bool AllocationsAgree(const Shape& from, const LayoutSizes& sizes, const Reading& reading) {
  const Layout& a = *from.layout;
  const Layout& b = *reading.to.layout;
  const auto to_sizes = SizesOf(reading.to);
  if (reading.transpose) {
    for (size_t k = 0; k < reading.transpose->size(); ++k) {
      if (reading.to.dimensions[k] != from.dimensions[static_cast<size_t>((*reading.transpose)[k])]) return false;
    }
  }
  return to_sizes && to_sizes->elements == sizes.elements && to_sizes->bytes == sizes.bytes &&
         ElementSizeInBits(from) == ElementSizeInBits(reading.to) && from.element_type == reading.to.element_type &&
         a.memory_space == b.memory_space &&
         a.dynamic_shape_metadata_prefix_bytes == b.dynamic_shape_metadata_prefix_bytes;
}

// Returns row-major strides, in elements.
Integers RowMajorStrides(std::span<const int64_t> dimensions) {
  Integers strides(dimensions.size());
  int64_t stride = 1;
  for (size_t d = dimensions.size(); d-- > 0; stride *= dimensions[d]) strides[d] = stride;
  return strides;
}

// Returns the coordinate of the first element, in the order of the reading, that has another place there, or nothing.
// Requires that the allocations agree.
std::optional<Integers> FirstMoved(const LayoutCase& layout_case, const Reading& reading) {
  const auto index = MakeTiledIndex(reading.to);
  if (!index) return std::nullopt;  // never: its sizes are known
  Integers strides = RowMajorStrides(layout_case.shape.dimensions);
  if (reading.transpose) {
    Integers permuted;
    for (const int64_t d : *reading.transpose) permuted.push_back(strides[static_cast<size_t>(d)]);
    strides = std::move(permuted);
  } else {
    strides = RowMajorStrides(reading.to.dimensions);
  }
  std::optional<Integers> moved;
  ForEachIndex(reading.to.dimensions, [&](std::span<const int64_t> at) {
    size_t element = 0;
    for (size_t k = 0; k < at.size(); ++k) element += static_cast<size_t>(at[k] * strides[k]);
    if ((*index)(at) != layout_case.offsets[element]) moved = layout_case.IndexOf(element);
    return !moved;
  });
  return moved;
}

// Returns the coordinate of an element, of those of a huge layout that are looked at, which moves, or nothing.
std::optional<Integers> FirstMoved(const HugeCase& huge_case, const Reading& reading) {
  const auto index = MakeTiledIndex(reading.to);
  if (!index) return std::nullopt;
  const Integers strides = RowMajorStrides(huge_case.shape.dimensions);
  for (const Integers& element : huge_case.elements) {
    Integers at(reading.to.dimensions.size());
    int64_t number = 0;
    for (size_t d = 0; d < element.size(); ++d) number += element[d] * strides[d];
    for (size_t k = at.size(); k-- > 0;) {
      const int64_t size = reading.to.dimensions[k];
      at[k] = reading.transpose ? element[static_cast<size_t>((*reading.transpose)[k])] : number % size;
      number /= size;
    }
    if ((*index)(at) != huge_case.index(element)) return element;
  }
  return std::nullopt;
}

bool HasCombinedDimension(const Layout& layout) {
  return std::ranges::any_of(layout.tiles, [](const Tile& tile) {
    return std::ranges::find(tile.dimensions, Tile::kCombineDimension) != tile.dimensions.end();
  });
}

std::string RequestText(const std::string& from, const Reading& reading) {
  std::string text = StrCat("{\"op\":\"bitcast\",\"from\":\"", from, "\",\"to\":\"", ToString(reading.to), "\"");
  if (reading.transpose) StrAppend(text, ",\"transpose\":[", StrJoin(*reading.transpose, ","), "]");
  return text += "}";
}

template <class Case, std::vector<Reading> (*Draw)(const Shape&)>
LawResult CheckReadings(Subject& subject, const Case& checked) {
  constexpr bool sees_all_elements = std::is_same_v<Case, LayoutCase>;
  const Shape& from = checked.shape;
  if (checked.sizes.elements == 0 || !from.layout->split_configs.empty()) return LawResult::OutsideDomain();
  // The reference compares such layouts element by element, which takes long.
  if (!sees_all_elements && HasCombinedDimension(*from.layout)) return LawResult::OutsideDomain();
  // A subject may decline some of the readings.
  LawResult unanswered = LawResult::OutsideDomain();
  bool answered = false;
  for (const Reading& reading : Draw(from)) {
    const auto transpose =
        reading.transpose ? std::optional<std::span<const int64_t>>(*reading.transpose) : std::nullopt;
    const auto answer = subject.Bitcast(from, reading.to, transpose);
    if (const auto* declined = std::get_if<Declined>(&answer)) {
      unanswered = NotAnswered(*declined);
      continue;
    }
    if (const auto* failed = std::get_if<Failed>(&answer)) return NotAnswered(*failed);
    answered = true;
    const bool actual = std::get<bool>(answer);
    const bool agree = AllocationsAgree(from, checked.sizes, reading);
    const auto moved = agree ? FirstMoved(checked, reading) : std::nullopt;
    const bool can_be = agree && !moved;
    const bool must_be = can_be && (sees_all_elements || reading.is_bitcast);
    if (actual ? can_be : !must_be) continue;
    return LawResult::Disagree(actual ? "false" : "true", actual ? "true" : "false")
        .At(moved)
        .On(RequestText(checked.text, reading));
  }
  return answered ? LawResult::Agree() : unanswered;
}

}  // namespace

std::span<const Law> BitcastLaws() {
  static constexpr Law kLaws[] = {
      {"reshape-bitcast",
       "A reshape is a bitcast if and only if every element keeps its linear index, and element type and size, "
       "allocated bytes, memory space and metadata prefix are the same.",
       "layouts of arrays that have elements, without split configs; huge ones without *",
       CheckReadings<LayoutCase, Reshapes>, CheckReadings<HugeCase, Reshapes>},
      {"transpose-bitcast",
       "A transpose is a bitcast if and only if the sizes are those of the transpose, every element keeps its linear "
       "index, and the rest is as for a reshape.",
       "layouts of arrays that have elements, without split configs; huge ones without *",
       CheckReadings<LayoutCase, Transposes>, CheckReadings<HugeCase, Transposes>},
  };
  return kLaws;
}

}  // namespace layoutcheck
