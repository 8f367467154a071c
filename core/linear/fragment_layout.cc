// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/fragment_layout.h"
#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"

namespace layoutcheck {
namespace {

// A group of lanes that hold a row of an accumulator, or of A, together.
constexpr uint64_t kLanesOfGroup = 4;
constexpr uint64_t kGroups = 8;

// Bits of an input (register, lane or warp), lowest first, that move by `step`, 2 step, 4 step, ... up to `end` in one
// dimension.
struct Moves {
  std::string_view input;
  size_t dimension = 0;
  uint64_t step = 1;
  uint64_t end = 1;
};

// Returns the layout of a fragment. The moves of each input are in the order of its bits.
Expected<FragmentLayout> FragmentOf(uint64_t rows, uint64_t columns, const std::vector<Moves>& moves) {
  std::vector<LinearInput> inputs;
  for (const auto& [input, dimension, step, end] : moves) {
    auto found = std::ranges::find(inputs, input, &LinearInput::name);
    if (found == inputs.end()) found = inputs.insert(found, {std::string(input), {}});
    for (uint64_t move = step; move < end; move *= 2) found->images.push_back(move * (dimension == 0 ? columns : 1));
  }
  return LinearLayout::Create(std::move(inputs),
                              {{DefaultOutputName(0), static_cast<size_t>(std::countr_zero(rows))},
                               {DefaultOutputName(1), static_cast<size_t>(std::countr_zero(columns))}});
}

// Returns the elements of A that a warp of mma holds, `rows` x `columns` with `elements` side by side in a register, or
// those of its accumulators, for which `elements` is 2.
std::vector<Moves> RowMajorMoves(uint64_t rows, uint64_t columns, uint64_t elements) {
  const uint64_t covered = kLanesOfGroup * elements;
  return {{"register", 1, 1, elements},
          {"register", 0, kGroups, rows},
          {"register", 1, covered, columns},
          {"lane", 1, elements, covered},
          {"lane", 0, 1, kGroups}};
}

// Reads the words of a name, between dots. After an error there are no more words, and the first error stays.
class FragmentName {
 public:
  explicit FragmentName(std::string_view text) : cursor_(text) {}

  size_t position() const { return cursor_.position(); }
  std::string_view Since(size_t begin) const { return cursor_.Since(begin); }
  // Returns the first error. Requires that there is one.
  std::unexpected<Error> error() const { return std::unexpected(*error_); }

  // Steps over the text if it follows.
  bool Take(std::string_view text) { return !error_ && cursor_.Take(text); }
  // Reads letters and digits.
  std::string_view TakeWord() {
    const auto in_word = [](char c) { return TextCursor::IsLetter(c) || TextCursor::IsDigit(c); };
    return error_ ? std::string_view() : cursor_.TakeWhile(in_word);
  }
  // Reads a word that must be one of `words`, and returns it, or nothing after an error.
  std::string_view TakeOneOf(std::span<const std::string_view> words) {
    const std::string_view word = TakeWord();
    if (std::ranges::find(words, word) != words.end()) return word;
    Wrong(word, StrCat("one of ", StrJoin(words, ", ")));
    return {};
  }
  // Reads a decimal number of at most four digits, or returns 0.
  uint64_t TakeNumber() {
    uint64_t number = 0;
    const std::string_view digits = cursor_.TakeWhile(TextCursor::IsDigit);
    if (digits.size() > 4 || digits.starts_with('0')) return 0;
    for (const char digit : digits) number = 10 * number + static_cast<uint64_t>(digit - '0');
    return number;
  }
  // Steps over a dot, behind which `what` is expected.
  void TakeDot(std::string_view what) {
    if (!Take(".")) Missing(StrCat("'.' and ", what));
  }

  // Return the first error; if there is none yet, it is "expected `expected`, found ...", with what was read last or
  // with what follows.
  std::unexpected<Error> Wrong(std::string_view found, std::string_view expected) {
    const int64_t column = cursor_.column() - static_cast<int64_t>(found.size());
    const std::string quoted = found.empty() ? "none" : StrCat("'", found, "'");
    if (!error_) error_ = SyntaxErrorAt(column, "expected ", expected, ", found ", quoted).error();
    return error();
  }
  std::unexpected<Error> Missing(std::string_view expected) {
    if (!error_) error_ = cursor_.Unexpected(expected).error();
    return error();
  }
  // Returns the layout if the name ends here.
  Expected<FragmentLayout> Finish(Expected<FragmentLayout> layout, std::string_view expected = "the end of the name") {
    if (error_ || !cursor_.AtEnd()) return Missing(expected);
    return layout;
  }

 private:
  TextCursor cursor_;
  std::optional<Error> error_;
};

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

// PTX numbers groups of four lanes: groupID = lane / 4, threadID_in_group = lane % 4. A group has a row of A and C and
// a column of B; within it, each lane has the elements of one register after the other.
Expected<FragmentLayout> MmaLayout(const MmaFragments& row, char operand) {
  constexpr uint64_t kN = 8;
  if (operand == 'B') {
    const uint64_t covered = kLanesOfGroup * row.elements;
    return FragmentOf(row.k, kN,
                      {{"register", 0, 1, row.elements},
                       {"register", 0, covered, row.k},
                       {"lane", 0, row.elements, covered},
                       {"lane", 1, 1, kN}});
  }
  const uint64_t columns = operand == 'A' ? row.k : kN;
  return FragmentOf(row.m, columns, RowMajorMoves(row.m, columns, operand == 'A' ? row.elements : 2));
}

bool HasWord(std::string_view words, std::string_view word) {
  return !word.empty() && StrCat(" ", words, " ").contains(StrCat(" ", word, " "));
}

Expected<FragmentLayout> ReadMma(FragmentName& name) {
  const std::string_view shape = name.TakeWord();
  std::vector<std::string_view> shapes;
  std::vector<std::string_view> types;
  for (const MmaFragments& row : kMmaFragments) {
    if (shapes.empty() || shapes.back() != row.shape) shapes.push_back(row.shape);
    if (row.shape == shape) types.push_back(row.types);
  }
  if (types.empty()) return name.Wrong(shape, StrCat("one of the shapes ", StrJoin(shapes, ", ")));
  name.TakeDot("a type and an operand, as in mma.m16n8k16.f16.A");
  const std::string_view type = name.TakeWord();
  const auto* const row = std::ranges::find_if(kMmaFragments, [&](const MmaFragments& fragments) {
    return fragments.shape == shape && HasWord(fragments.types, type);
  });
  if (row == std::end(kMmaFragments)) {
    return name.Wrong(type, StrCat("one of the types ", StrJoin(types, " "), " of A and B of ", shape));
  }
  name.TakeDot("one of the operands A, B, C, D");
  const std::string_view operand = name.TakeWord();
  if (!HasWord("A B C D", operand)) return name.Wrong(operand, "one of the operands A, B, C, D");
  return name.Finish(MmaLayout(*row, operand.front()));
}

// PTX ISA 8.7, sections 9.7.14.5 "Warp-level matrix load instruction: ldmatrix" and "Warp-level matrix store
// instruction: stmatrix", for .m8n8 and .b16: lane l has the elements 2 (l % 4) and 2 (l % 4) + 1 of row l / 4, with
// .trans of column l / 4, of each matrix.
Expected<FragmentLayout> MatrixLayout(uint64_t matrices, bool is_transposed) {
  constexpr uint64_t kSize = 8;
  const size_t along = is_transposed ? 0 : 1;
  return FragmentOf(kSize * matrices, kSize,
                    {{"register", along, 1, 2},
                     {"register", 0, kSize, kSize * matrices},
                     {"lane", along, 2, kSize},
                     {"lane", 1 - along, 1, kSize}});
}

// The same section for .m16n8 and .b8, which there is with .trans only. Lane l has the elements 2 (l % 4) and
// 2 (l % 4) + 1 of the rows l / 4 and l / 4 + 8 of a 16 x 8 matrix, as of an accumulator of mma, and each of its 8
// columns is stored as a row of 16 bytes. CUTLASS has the same as SM100_U8x4_STSM_T.
Expected<FragmentLayout> ByteMatrixLayout(uint64_t matrices) {
  constexpr uint64_t kRows = 8;
  constexpr uint64_t kColumns = 16;
  return FragmentOf(kRows * matrices, kColumns,
                    {{"register", 0, 1, 2},
                     {"register", 1, kColumns / 2, kColumns},
                     {"register", 0, kRows, kRows * matrices},
                     {"lane", 0, 2, kRows},
                     {"lane", 1, 1, kColumns / 2}});
}

// Returns the layout of the address that each lane gives, of a row of `columns` elements.
Expected<FragmentLayout> RowAddresses(uint64_t matrices, uint64_t columns) {
  return FragmentOf(8 * matrices, columns, {{"lane", 0, 1, 8 * matrices}});
}

// Reads the name of a fragment of ldmatrix or stmatrix, of which only the latter may have matrices of bytes.
Expected<FragmentLayout> ReadMatrix(FragmentName& name, bool is_store) {
  static constexpr std::string_view kCounts[] = {"x1", "x2", "x4"};
  const bool of_bytes = is_store && name.Take("m16n8.");
  const std::string_view count = name.TakeOneOf(kCounts);
  if (count.empty()) return name.error();
  const auto matrices = static_cast<uint64_t>(count.back() - '0');
  std::string_view what;
  if (name.Take(".")) {
    what = name.TakeWord();
    if (what != "trans" && what != "addresses") return name.Wrong(what, "'trans' or 'addresses'");
  } else if (of_bytes) {
    return name.Missing("'.trans', without which m16n8 does not exist, or '.addresses'");
  }
  const Expected<FragmentLayout> layout = what == "addresses" ? RowAddresses(matrices, of_bytes ? 16 : 8)
                                          : of_bytes          ? ByteMatrixLayout(matrices)
                                                              : MatrixLayout(matrices, what == "trans");
  return name.Finish(layout, "'.trans', '.addresses' or the end of the name");
}

constexpr uint64_t kRowsOfWarpgroup = 64;
constexpr uint64_t kRowsOfWarp = 16;

struct WarpgroupShape {
  uint64_t k = 0;
  uint64_t elements = 1;  // elements of A in one register of 32 bits
  std::string_view type;
  bool is_integer = false;
};

// PTX ISA 9.2, section "Matrix Shape" of wgmma; ptxas 13.0 takes these and no others. Shapes of integers have n = 8,
// 24, and multiples of 16; others all multiples of 8.
constexpr WarpgroupShape kWarpgroupShapes[] = {
    {16, 2, "f16"},  {16, 2, "bf16"},     {8, 1, "tf32"},      {32, 4, "e4m3"},
    {32, 4, "e5m2"}, {32, 4, "s8", true}, {32, 4, "u8", true},
};

bool HasColumns(const WarpgroupShape& shape, uint64_t n) {
  return !shape.is_integer || n % 16 == 0 || n == 8 || n == 24;
}

// PTX ISA 9.2, section 9.7.15.5.1.1 "Register Fragments": warp w has the rows from 16 w on; within them, A is the
// fragment of mma, and D is one accumulator of mma next to the other.
Expected<FragmentLayout> LayoutInBits(uint64_t columns, uint64_t elements) {
  std::vector<Moves> moves = RowMajorMoves(kRowsOfWarp, columns, elements);
  moves.push_back({"warp", 0, kRowsOfWarp, kRowsOfWarpgroup});
  return FragmentOf(kRowsOfWarpgroup, columns, moves);
}

// The same layout of D for any number of columns, as strides of register, lane and warp in the row-major matrix.
ShapeStrideLayout LayoutInStrides(int64_t columns) {
  const int64_t of_warp = static_cast<int64_t>(kRowsOfWarp) * columns;
  return {IntTuple::Tuple({IntTuple::Tuple({2, 2, columns / 8}), IntTuple::Tuple({4, 8}), 4}),
          IntTuple::Tuple({IntTuple::Tuple({1, 8 * columns, 8}), IntTuple::Tuple({2, columns}), of_warp})};
}

// Reads the name of a fragment of wgmma.mma_async. Each of the four warps of a warpgroup has a fragment of mma.
Expected<FragmentLayout> ReadWarpgroup(FragmentName& name) {
  if (!name.Take("m64n")) return name.Missing("'m64n' and the number of columns, as in wgmma.m64n128k16.f16.D");
  const size_t begin = name.position();
  const uint64_t n = name.TakeNumber();
  if (n == 0 || n % 8 != 0 || n > 256) return name.Wrong(name.Since(begin), "a multiple of 8 from 8 to 256 columns");
  const size_t before_k = name.position();
  const uint64_t k = name.Take("k") ? name.TakeNumber() : 0;
  std::vector<std::string_view> types;
  for (const WarpgroupShape& shape : kWarpgroupShapes) {
    if (shape.k == k) types.push_back(shape.type);
  }
  if (types.empty()) return name.Wrong(name.Since(before_k), "one of k8, k16, k32");
  name.TakeDot("a type and an operand, as in wgmma.m64n128k16.f16.D");
  const std::string_view type = name.TakeOneOf(types);
  if (type.empty()) return name.error();
  const WarpgroupShape& shape = *std::ranges::find(kWarpgroupShapes, type, &WarpgroupShape::type);
  if (!HasColumns(shape, n)) {
    return name.Wrong(type,
                      StrCat("a type other than integers, which have 8, 24 or a multiple of 16 columns and not ", n));
  }
  name.TakeDot("one of the operands A, D");
  const std::string_view operand = name.TakeWord();
  if (!HasWord("A D", operand)) return name.Wrong(operand, "one of the operands A, D, as B is in shared memory");
  if (operand == "A") return name.Finish(LayoutInBits(k, shape.elements));
  if (!std::has_single_bit(n)) return name.Finish(LayoutInStrides(static_cast<int64_t>(n)));
  return name.Finish(LayoutInBits(n, 2));
}

struct MoveShape {
  std::string_view name;
  uint64_t columns = 1;  // columns of 32 bits that .x1 moves
  uint64_t most = 128;   // the largest N of .xN
};

// PTX ISA 9.2, section 9.7.16.2.3 "Data Movement Shape", and the table of .num of tcgen05.ld. .16x32bx2 has no
// layout of its own, because an operand of the instruction places its second half.
constexpr MoveShape kMoveShapes[] = {{"32x32b", 1, 128}, {"16x64b", 2, 128}, {"16x128b", 4, 64}, {"16x256b", 8, 32}};

// The figures "Matrix Fragment for shape ..." of that section, from register and lane of the warp to lane and column of
// tensor memory. CUTLASS has the same as SM100_TMEM_LOAD_32dp32b1x and so on.
Expected<FragmentLayout> MoveLayout(const MoveShape& shape, uint64_t repeats) {
  constexpr uint64_t kLanes = 16;
  const uint64_t columns = shape.columns * repeats;
  if (shape.columns == 1) {
    return FragmentOf(2 * kLanes, columns, {{"register", 1, 1, columns}, {"lane", 0, 1, 2 * kLanes}});
  }
  if (shape.columns == 2) {
    return FragmentOf(
        kLanes, columns,
        {{"register", 1, 2, columns}, {"lane", 0, kGroups, kLanes}, {"lane", 1, 1, 2}, {"lane", 0, 1, kGroups}});
  }
  // As accumulators of mma, with one or two words side by side in a lane.
  return FragmentOf(kLanes, columns, RowMajorMoves(kLanes, columns, shape.columns / kLanesOfGroup));
}

// Reads the name of a fragment that tcgen05.ld or tcgen05.st moves between registers and tensor memory, as words of 32
// bits.
Expected<FragmentLayout> ReadTensorMemory(FragmentName& name) {
  static constexpr std::string_view kInstructions[] = {"ld", "st"};
  name.TakeOneOf(kInstructions);
  name.TakeDot("a shape, as in tcgen05.ld.32x32b.x16");
  std::vector<std::string_view> shapes;
  for (const MoveShape& shape : kMoveShapes) shapes.push_back(shape.name);
  const std::string_view word = name.TakeOneOf(shapes);
  if (word.empty()) return name.error();
  const MoveShape& shape = *std::ranges::find(kMoveShapes, word, &MoveShape::name);
  name.TakeDot("the number of repetitions, such as x1");
  std::vector<std::string> counts;
  for (uint64_t repeats = 1; repeats <= shape.most; repeats *= 2) counts.push_back(StrCat("x", repeats));
  const std::string_view count = name.TakeOneOf(std::vector<std::string_view>(counts.begin(), counts.end()));
  const auto place = std::ranges::find(counts, count) - counts.begin();
  return name.Finish(MoveLayout(shape, uint64_t{1} << place));
}

// The instructions, each with the reader of the rest of the name.
struct Instruction {
  std::string_view name;
  Expected<FragmentLayout> (*read)(FragmentName& name);
};
constexpr Instruction kInstructions[] = {
    {"mma.", ReadMma},
    {"ldmatrix.", [](FragmentName& name) { return ReadMatrix(name, false); }},
    {"stmatrix.", [](FragmentName& name) { return ReadMatrix(name, true); }},
    {"wgmma.", ReadWarpgroup},
    {"tcgen05.", ReadTensorMemory},
};

}  // namespace

bool IsFragmentName(std::string_view text) {
  TextCursor cursor(text);
  return std::ranges::any_of(kInstructions, [&](const Instruction& known) { return cursor.Sees(known.name); });
}

Expected<FragmentLayout> ParseFragmentName(std::string_view text) {
  FragmentName name(text);
  for (const Instruction& known : kInstructions) {
    if (name.Take(known.name)) return known.read(name);
  }
  return name.Missing("'mma.', 'ldmatrix.', 'stmatrix.', 'wgmma.' or 'tcgen05.'");
}

}  // namespace layoutcheck
