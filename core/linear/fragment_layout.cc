// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/fragment_layout.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"

namespace layoutcheck {
namespace {

// A row of the table of fragments: shapes of mma, and the types of A and B that share a layout.
struct MmaFragments {
  std::string_view shape;
  uint64_t m = 0;
  uint64_t k = 0;
  uint64_t elements = 1;  // of A or B in one register: of 64 bits for f64, otherwise of 32
  std::string_view types;
};

// PTX ISA 8.7, section 9.7.14.5 "Matrix multiply-accumulate operation using mma instruction": each of its subsections
// "Matrix Fragments for mma.SHAPE ..." has formulas for the row and column of an element. n is 8 in all of them. The
// fragments of m8n8k4 with f16 are those of four matrices and not in the table.
constexpr MmaFragments kMmaFragments[] = {
    {"m8n8k4", 8, 4, 1, "f64"},
    {"m8n8k16", 8, 16, 4, "s8 u8"},
    {"m8n8k32", 8, 32, 8, "s4 u4"},
    {"m8n8k128", 8, 128, 32, "b1"},
    {"m16n8k4", 16, 4, 1, "tf32 f64"},
    {"m16n8k8", 16, 8, 2, "f16 bf16"},
    {"m16n8k8", 16, 8, 1, "tf32 f64"},
    {"m16n8k16", 16, 16, 2, "f16 bf16"},
    {"m16n8k16", 16, 16, 1, "f64"},
    {"m16n8k16", 16, 16, 4, "s8 u8"},
    {"m16n8k32", 16, 32, 4, "s8 u8 e4m3 e5m2 e3m2 e2m3 e2m1"},
    {"m16n8k32", 16, 32, 8, "s4 u4"},
    {"m16n8k64", 16, 64, 8, "s4 u4 e2m1"},
    {"m16n8k128", 16, 128, 32, "b1"},
    {"m16n8k256", 16, 256, 32, "b1"},
};

using Image = std::array<uint64_t, 2>;  // row and column

// Collects the images of elements and lanes.
class Fragment {
 public:
  // Adds the bits of an input, lowest first, that move by `step`, 2 step, 4 step, ... up to `end` in one dimension.
  void Add(std::string_view input, size_t dimension, uint64_t step, uint64_t end) {
    auto found = std::ranges::find(images_, input, &std::pair<std::string, std::vector<Image>>::first);
    if (found == images_.end()) found = images_.insert(found, {std::string(input), {}});
    for (uint64_t move = step; move < end; move *= 2) found->second.emplace_back()[dimension] = move;
  }

  Expected<LinearLayout> Layout(uint64_t rows, uint64_t columns) const {
    std::vector<LinearInput> inputs;
    for (const auto& [name, images] : images_) {
      LinearInput& input = inputs.emplace_back(LinearInput{name, {}});
      for (const Image& image : images) input.images.push_back(image[0] * columns + image[1]);
    }
    return LinearLayout::Create(std::move(inputs),
                                {{DefaultOutputName(0), static_cast<size_t>(std::countr_zero(rows))},
                                 {DefaultOutputName(1), static_cast<size_t>(std::countr_zero(columns))}});
  }

 private:
  std::vector<std::pair<std::string, std::vector<Image>>> images_;
};

// PTX numbers groups of four lanes: groupID = lane / 4, threadID_in_group = lane % 4. A group has a row of A and C and
// a column of B; within it, each lane has the elements of one register after the other.
Expected<LinearLayout> MmaLayout(const MmaFragments& row, char operand) {
  constexpr uint64_t kN = 8;
  constexpr uint64_t kGroups = 8;
  constexpr uint64_t kLanesOfGroup = 4;
  Fragment fragment;
  if (operand == 'B') {
    const uint64_t covered = kLanesOfGroup * row.elements;
    fragment.Add("register", 0, 1, row.elements);
    fragment.Add("register", 0, covered, row.k);
    fragment.Add("lane", 0, row.elements, covered);
    fragment.Add("lane", 1, 1, kN);
    return fragment.Layout(row.k, kN);
  }
  const uint64_t elements = operand == 'A' ? row.elements : 2;
  const uint64_t covered = kLanesOfGroup * elements;
  const uint64_t columns = operand == 'A' ? row.k : kN;
  fragment.Add("register", 1, 1, elements);
  fragment.Add("register", 0, kGroups, row.m);
  fragment.Add("register", 1, covered, columns);
  fragment.Add("lane", 1, elements, covered);
  fragment.Add("lane", 0, 1, kGroups);
  return fragment.Layout(row.m, columns);
}

// PTX ISA 8.7, section 9.7.14.5 "Warp-level matrix load instruction: ldmatrix", for .m8n8 and .b16: lane l receives the
// elements 2 (l % 4) and 2 (l % 4) + 1 of row l / 4, with .trans of column l / 4, of each matrix.
Expected<LinearLayout> LdmatrixLayout(uint64_t matrices, bool is_transposed) {
  constexpr uint64_t kSize = 8;
  const size_t along = is_transposed ? 0 : 1;
  Fragment fragment;
  fragment.Add("register", along, 1, 2);
  fragment.Add("register", 0, kSize, kSize * matrices);
  fragment.Add("lane", along, 2, kSize);
  fragment.Add("lane", 1 - along, 1, kSize);
  return fragment.Layout(kSize * matrices, kSize);
}

bool IsNameByte(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Reads the parts of a name, between dots.
class Reader {
 public:
  explicit Reader(std::string_view text) : cursor_(text) {}

  Expected<LinearLayout> Run() {
    if (cursor_.Take("ldmatrix.")) return Ldmatrix();
    if (cursor_.Take("mma.")) return Mma();
    return cursor_.Unexpected("'mma.' or 'ldmatrix.'");
  }

 private:
  Expected<LinearLayout> Mma() {
    const std::string_view shape = cursor_.TakeWhile(IsNameByte);
    std::vector<std::string_view> shapes;
    std::vector<std::string_view> types;
    for (const MmaFragments& row : kMmaFragments) {
      if (shapes.empty() || shapes.back() != row.shape) shapes.push_back(row.shape);
      if (row.shape == shape) types.push_back(row.types);
    }
    if (types.empty()) return Wrong(shape, StrCat("one of the shapes ", StrJoin(shapes, ", ")));
    if (auto dot = Dot("a type and an operand, as in mma.m16n8k16.f16.A"); !dot) return std::unexpected(dot.error());
    const std::string_view type = cursor_.TakeWhile(IsNameByte);
    const auto* const row = std::ranges::find_if(kMmaFragments, [&](const MmaFragments& fragments) {
      return fragments.shape == shape && HasWord(fragments.types, type);
    });
    if (row == std::end(kMmaFragments)) {
      return Wrong(type, StrCat("one of the types ", StrJoin(types, " "), " of A and B of ", shape));
    }
    if (auto dot = Dot("one of the operands A, B, C, D"); !dot) return std::unexpected(dot.error());
    const std::string_view operand = cursor_.TakeWhile(IsNameByte);
    if (operand != "A" && operand != "B" && operand != "C" && operand != "D") {
      return Wrong(operand, "one of the operands A, B, C, D");
    }
    if (!cursor_.AtEnd()) return cursor_.Unexpected("the end of the name");
    return MmaLayout(*row, operand.front());
  }

  Expected<LinearLayout> Ldmatrix() {
    const std::string_view count = cursor_.TakeWhile(IsNameByte);
    if (count != "x1" && count != "x2" && count != "x4") return Wrong(count, "one of x1, x2, x4");
    const auto matrices = static_cast<uint64_t>(count.back() - '0');
    std::string_view what;
    if (cursor_.Take(".")) {
      what = cursor_.TakeWhile(IsNameByte);
      if (what != "trans" && what != "addresses") return Wrong(what, "'trans' or 'addresses'");
    }
    if (!cursor_.AtEnd()) return cursor_.Unexpected("'.trans', '.addresses' or the end of the name");
    if (what != "addresses") return LdmatrixLayout(matrices, what == "trans");
    Fragment addresses;
    addresses.Add("lane", 0, 1, 8 * matrices);
    return addresses.Layout(8 * matrices, 8);
  }

  static bool HasWord(std::string_view words, std::string_view word) {
    return !word.empty() && StrCat(" ", words, " ").contains(StrCat(" ", word, " "));
  }

  Expected<void> Dot(std::string_view what) {
    if (!cursor_.Take(".")) return cursor_.Unexpected(StrCat("'.' and ", what));
    return {};
  }

  // Returns an error at the part that was read.
  std::unexpected<Error> Wrong(std::string_view part, std::string_view expected) const {
    return MakeError(ErrorKind::kSyntax,
                     StrCat("expected ", expected, ", found ", part.empty() ? "none" : StrCat("'", part, "'")),
                     cursor_.column() - static_cast<int64_t>(part.size()));
  }

  TextCursor cursor_;
};

}  // namespace

bool IsFragmentName(std::string_view text) {
  TextCursor cursor(text);
  return cursor.Sees("mma.") || cursor.Sees("ldmatrix.");
}

Expected<LinearLayout> ParseFragmentName(std::string_view text) { return Reader(text).Run(); }

}  // namespace layoutcheck
