// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tiled_array.h"
#include <charconv>
#include <utility>

namespace layoutcheck {
namespace {

constexpr int64_t kCombine = -1;  // stands for * in a tile

class HloReader {
 public:
  explicit HloReader(std::string_view text) : text_(text) {}

  TiledArray Read() {
    TiledArray array;
    const size_t bracket = text_.find('[');
    if (bracket == std::string_view::npos) throw Unsupported("only arrays");
    array.element_type = text_.substr(0, bracket);
    text_.remove_prefix(bracket + 1);
    while (!Take(']')) {
      if (!array.dimensions.empty()) Expect(',');
      array.is_dynamic.push_back(Take('<'));
      if (array.is_dynamic.back()) Expect('=');
      array.dimensions.push_back(Integer());
    }
    if (text_.empty() && array.dimensions.empty()) return array;
    Expect('{');
    while (!text_.empty() && text_[0] >= '0' && text_[0] <= '9') {
      array.minor_to_major.push_back(Integer());
      Take(',');
    }
    if (Take(':')) ReadAttributes(array);
    Expect('}');
    if (!text_.empty() || array.minor_to_major.size() != array.dimensions.size()) throw Unsupported("only arrays");
    return array;
  }

 private:
  bool Take(char expected) {
    if (text_.empty() || text_[0] != expected) return false;
    text_.remove_prefix(1);
    return true;
  }
  void Expect(char expected) {
    if (!Take(expected)) throw Unsupported("only arrays with a plain or tiled layout");
  }
  int64_t Integer() {
    int64_t value = 0;
    const auto read = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (read.ec != std::errc() || value < 0) throw Unsupported("only dimensions that are numbers");
    text_.remove_prefix(static_cast<size_t>(read.ptr - text_.data()));
    return value;
  }
  // Reads the tiles and skips the attributes after them, which move no element.
  void ReadAttributes(TiledArray& array) {
    if (Take('T')) {
      while (Take('(')) {
        auto& tile = array.tiles.emplace_back();
        do tile.push_back(Take('*') ? kCombine : Integer());
        while (Take(','));
        Expect(')');
      }
    }
    const size_t end = text_.rfind('}');
    if (text_.starts_with("L(") || end == std::string_view::npos) throw Unsupported("no padding at the tail");
    text_.remove_prefix(end);
  }

  std::string_view text_;
};

std::string MlirType(const std::string& type) {
  static const std::pair<std::string_view, std::string_view> kTypes[] = {
      {"pred", "i1"},          {"f16", "f16"},           {"bf16", "bf16"},     {"f32", "f32"},          {"f64", "f64"},
      {"c64", "complex<f32>"}, {"c128", "complex<f64>"}, {"f8e5m2", "f8E5M2"}, {"f8e4m3fn", "f8E4M3FN"}};
  for (const auto& [hlo, mlir] : kTypes) {
    if (hlo == type) return std::string(mlir);
  }
  if (type.size() < 2 || (type[0] != 's' && type[0] != 'u')) throw Unsupported("no such element type");
  return "i" + type.substr(1);
}

// Returns the results of the layout's affine map: the dimensions in order, then floordiv and mod per tile.
std::vector<std::string> MapResults(const TiledArray& array) {
  std::vector<std::string> results;
  std::vector<int64_t> sizes;
  std::vector<bool> is_zero;  // the result is 0 for every index
  for (size_t k = array.dimensions.size(); k-- > 0;) {
    const auto d = static_cast<size_t>(array.minor_to_major[k]);
    if (d >= array.dimensions.size()) throw Unsupported("only permutations as layouts");
    results.push_back("d" + std::to_string(d));
    sizes.push_back(array.dimensions[d]);
    is_zero.push_back(false);
  }
  for (size_t number = 0; number < array.tiles.size(); ++number) {
    std::vector<int64_t> tile = array.tiles[number];
    if (tile.size() > results.size()) throw Unsupported("no tile of more dimensions than there are");
    const size_t untiled = results.size() - tile.size();
    for (size_t k = tile.size(); k-- > 0;) {
      if (tile[k] != kCombine) continue;
      const size_t here = untiled + k;
      for (const bool dynamic : array.is_dynamic) {
        if (dynamic) throw Unsupported("no * where a size is not known");
      }
      // A map cannot express the padding of merged sizes, because (d0 floordiv 2) * 2 + d0 mod 2 is d0.
      if (k + 1 == tile.size() || number > 0) throw Unsupported("no * behind the first tile");
      results[here + 1] = "(" + results[here] + ") * " + std::to_string(sizes[here + 1]) + " + " + results[here + 1];
      if (__builtin_mul_overflow(sizes[here], sizes[here + 1], &sizes[here + 1])) throw Unsupported("too large");
      results.erase(results.begin() + static_cast<std::ptrdiff_t>(here));
      sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(here));
      is_zero[here + 1] = is_zero[here] && is_zero[here + 1];
      is_zero.erase(is_zero.begin() + static_cast<std::ptrdiff_t>(here));
      tile.erase(tile.begin() + static_cast<std::ptrdiff_t>(k));
    }
    for (size_t k = 0; k < tile.size(); ++k) {
      const size_t here = untiled + k;
      const std::string size = std::to_string(tile[k]);
      if (is_zero[here] && tile[k] != 1) throw Unsupported("no tiles of what a tile of 1 leaves: its remainder is 0");
      results.push_back("(" + results[here] + ") mod " + size);
      results[here] = "(" + results[here] + ") floordiv " + size;
      sizes.push_back(tile[k]);
      is_zero.push_back(tile[k] == 1);
      sizes[here] = sizes[here] / tile[k] + (sizes[here] % tile[k] != 0 ? 1 : 0);
    }
  }
  return results;
}

// Returns `count` names separated by commas: "%i0: index, %i1: index".
std::string Names(std::string_view prefix, size_t count, std::string_view type) {
  std::string list;
  for (size_t k = 0; k < count; ++k) {
    list += (k == 0 ? "" : ", ") + std::string(prefix) + std::to_string(k) + std::string(type);
  }
  return list;
}

}  // namespace

TiledArray ReadTiledArray(std::string_view text) { return HloReader(text).Read(); }

std::string ModuleText(const TiledArray& array, std::string_view load) {
  const size_t rank = array.dimensions.size();
  std::string results;
  for (const std::string& result : MapResults(array)) results += (results.empty() ? "" : ", ") + result;
  std::string shape;
  size_t dynamic = 0;
  for (size_t d = 0; d < rank; ++d) {
    dynamic += array.is_dynamic[d];
    shape += (array.is_dynamic[d] ? "?" : std::to_string(array.dimensions[d])) + "x";
  }
  const std::string element = MlirType(array.element_type);
  const std::string type =
      "memref<" + shape + element + ", affine_map<(" + Names("d", rank, "") + ") -> (" + results + ")>>";
  const std::string separator = rank == 0 || dynamic == 0 ? "" : ", ";
  return "func.func @f(" + Names("%i", rank, ": index") + separator + Names("%n", dynamic, ": index") + ") -> " +
         element + " {\n  %m = memref.alloc(" + Names("%n", dynamic, "") + ") : " + type +
         "\n  %v = " + std::string(load) + " %m[" + Names("%i", rank, "") + "] : " + type +
         "\n  return %v : " + element + "\n}\n";
}

}  // namespace layoutcheck
