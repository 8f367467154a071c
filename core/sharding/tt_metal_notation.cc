// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/mesh_notation.h"
#include "layoutcheck/core/sharding/sharding_reader.h"

namespace layoutcheck {
namespace {

// A rectangle of cores, both corners included.
struct CoreRange {
  int64_t x = 0;
  int64_t y = 0;
  int64_t end_x = 0;
  int64_t end_y = 0;

  int64_t width() const { return end_x - x + 1; }
  int64_t height() const { return end_y - y + 1; }
};

class TtMetalReader {
 public:
  explicit TtMetalReader(TextCursor& cursor) : cursor_(cursor) {}

  Expected<MeshText> Read(int64_t rank) {
    column_ = cursor_.NextColumn();
    if (!cursor_.Take("MemoryConfig")) return cursor_.Unexpected("'MemoryConfig('");
    LAYOUTCHECK_RETURN_IF_ERROR(ReadFields());
    if (memory_layout_.empty()) return MissingField("memory_layout=TensorMemoryLayout::...");
    if (memory_layout_ == "INTERLEAVED") {
      return MakeError(ErrorKind::kUnsupported,
                       "an interleaved tensor: its pages are dealt to the banks of a device, one after another, and "
                       "a MemoryConfig does not say how many banks there are; write the pages as an array, such as "
                       "f32[PAGES,32,32] mesh[BANKS] _StridedShard(0,sf=PAGES/BANKS)",
                       column_);
    }
    if (ranges_.empty() || memory_layout_ == "ND_SHARDED") {
      return MakeError(ErrorKind::kUnsupported,
                       "a MemoryConfig without shard_spec=ShardSpec(...): the shards of an nd_shard_spec are dealt to "
                       "cores that may have several; write the shards as an array, such as "
                       "f32[SHARDS,64,64] mesh[CORES] _StridedShard(0,sf=SHARDS/CORES)",
                       column_);
    }
    if (shape_.size() != 2) return MissingField("shape={HEIGHT, WIDTH}");
    if (rank != 2) {
      return MakeError(ErrorKind::kInvalidLayout,
                       StrCat("expected an array of rank 2, found rank ", rank,
                              ": a tensor is cut as a matrix, in which all dimensions but the last one are merged"),
                       column_);
    }
    return MakeMesh();
  }

 private:
  std::unexpected<Error> MissingField(std::string_view field) const {
    return MakeError(ErrorKind::kSyntax, StrCat("expected ", field, " in the MemoryConfig"), column_);
  }

  // Reads the fields in parentheses of a MemoryConfig or a ShardSpec. Tables of tt-metal have ';' in place of ','.
  Expected<void> ReadFields() {
    if (!cursor_.Take("(")) return cursor_.Unexpected("'('");
    do {
      LAYOUTCHECK_RETURN_IF_ERROR(ReadField());
    } while (TakeComma());
    if (!cursor_.Take(")")) return cursor_.Unexpected("',' or ')' behind a field");
    return {};
  }

  bool TakeComma() { return cursor_.Take(",") || cursor_.Take(";"); }

  std::string_view TakeName() {
    cursor_.SkipBlanks();
    return cursor_.TakeWhile(TextCursor::IsWordByte);
  }

  Expected<void> ReadField() {
    const std::string_view name = TakeName();
    if (name.empty()) return cursor_.Unexpected("the name of a field");
    if (!cursor_.Take("=")) return cursor_.Unexpected("'='");
    if (name == "memory_layout") return ReadMemoryLayout();
    if (name == "orientation") return ReadOrientation();
    if (name == "grid") return cursor_.TakeList("{", "}", "the ranges of cores", [&] { return ReadRange(); });
    if (name == "shape") return ReadShape();
    if (name == "shard_spec" && cursor_.Take("ShardSpec")) return ReadFields();
    return SkipValue();
  }

  // Steps over the value of a field that places no element.
  Expected<void> SkipValue() {
    int64_t depth = 0;
    while (!cursor_.Sees(")") || depth > 0) {
      if (depth == 0 && (cursor_.Sees(",") || cursor_.Sees(";"))) return {};
      if (cursor_.AtEnd()) return cursor_.Unexpected("')' behind a value");
      const char byte = cursor_.byte();
      if (byte == '(' || byte == '{' || byte == '[') ++depth;
      if (byte == ')' || byte == '}' || byte == ']') --depth;
      cursor_.MoveTo(cursor_.position() + 1);
    }
    return {};
  }

  Expected<void> ReadMemoryLayout() {
    cursor_.Take("TensorMemoryLayout::");
    const size_t begin = cursor_.position();
    memory_layout_ = TakeName();
    for (const std::string_view known :
         {"HEIGHT_SHARDED", "WIDTH_SHARDED", "BLOCK_SHARDED", "ND_SHARDED", "INTERLEAVED"}) {
      if (memory_layout_ == known) return {};
    }
    cursor_.MoveTo(begin);
    return cursor_.Unexpected("HEIGHT_SHARDED, WIDTH_SHARDED, BLOCK_SHARDED, ND_SHARDED or INTERLEAVED");
  }

  Expected<void> ReadOrientation() {
    cursor_.Take("ShardOrientation::");
    is_row_major_ = cursor_.Take("ROW_MAJOR");
    if (!is_row_major_ && !cursor_.Take("COL_MAJOR")) return cursor_.Unexpected("ROW_MAJOR or COL_MAJOR");
    return {};
  }

  // Reads (x=0,y=0).
  Expected<void> ReadCore(int64_t& x, int64_t& y, int64_t least_x, int64_t least_y) {
    if (!cursor_.Take("(") || !cursor_.Take("x") || !cursor_.Take("=")) return cursor_.Unexpected("'(x='");
    LAYOUTCHECK_TRY(x, ReadCount(cursor_, "the x of a core", least_x));
    if (!TakeComma() || !cursor_.Take("y") || !cursor_.Take("=")) return cursor_.Unexpected("',y='");
    LAYOUTCHECK_TRY(y, ReadCount(cursor_, "the y of a core", least_y));
    if (!cursor_.Take(")")) return cursor_.Unexpected("')'");
    return {};
  }

  // Reads [(x=0,y=0) - (x=7,y=3)].
  Expected<void> ReadRange() {
    CoreRange range;
    const int64_t column = cursor_.NextColumn();
    if (!cursor_.Take("[")) return cursor_.Unexpected("'['");
    LAYOUTCHECK_RETURN_IF_ERROR(ReadCore(range.x, range.y, 0, 0));
    if (!cursor_.Take("-")) return cursor_.Unexpected("'-'");
    LAYOUTCHECK_RETURN_IF_ERROR(ReadCore(range.end_x, range.end_y, range.x, range.y));
    if (!cursor_.Take("]")) return cursor_.Unexpected("']'");
    const CheckedInt64 cores = CheckedInt64(range.width()) * CheckedInt64(range.height()) + CheckedInt64(cores_);
    if (cores.overflow || cores.value > Sharding::kMaxDevices) {
      return MakeError(ErrorKind::kInvalidLayout, StrCat("expected at most ", Sharding::kMaxDevices, " cores"), column);
    }
    for (const CoreRange& other : ranges_) {
      if (range.x <= other.end_x && other.x <= range.end_x && range.y <= other.end_y && other.y <= range.end_y) {
        return MakeError(ErrorKind::kInvalidLayout, "two ranges have the same core", column);
      }
    }
    cores_ = cores.value;
    ranges_.push_back(range);
    return {};
  }

  Expected<void> ReadShape() {
    shape_.clear();
    return cursor_.TakeList("{", "}", "the sizes of a shard", [&]() -> Expected<void> {
      LAYOUTCHECK_TRY(SymbolicSize size, ReadSize(cursor_, "the size of a shard"));
      shape_.push_back(std::move(size));
      return {};
    });
  }

  // Makes the mesh of the cores. Cores count range by range, and row by row within a range.
  Expected<MeshText> MakeMesh() {
    MeshText result;
    MeshSharding& mesh = result.mesh;
    if (ranges_.size() == 1) {
      mesh.axes = {{"y", {{}, ranges_[0].height()}}, {"x", {{}, ranges_[0].width()}}};
    } else {
      mesh.axes = {{"core", {{}, cores_}}};
      if (!is_row_major_) mesh.device_ids = ColumnByColumn();
    }
    std::vector<AxisPart> all = {{.axis = 0}};  // major to minor
    if (ranges_.size() == 1) all = is_row_major_ ? Axes({0, 1}) : Axes({1, 0});
    std::vector<AxisPart> of_height;
    std::vector<AxisPart> of_width;
    if (memory_layout_ == "HEIGHT_SHARDED") {
      of_height = std::move(all);
    } else if (memory_layout_ == "WIDTH_SHARDED") {
      of_width = std::move(all);
    } else if (ranges_.size() > 1) {
      return MakeError(ErrorKind::kInvalidLayout,
                       StrCat("expected one range of cores for block sharding, found ", ranges_.size()), column_);
    } else {
      of_height = {all[0]};
      of_width = {all[1]};
    }
    mesh.cuts.push_back({0, std::move(of_height), {{}, 1}, shape_[0]});
    mesh.cuts.push_back({1, std::move(of_width), {{}, 1}, shape_[1]});
    result.text = Text();
    return result;
  }

  static std::vector<AxisPart> Axes(std::initializer_list<size_t> numbers) {
    std::vector<AxisPart> axes;
    for (const size_t number : numbers) axes.push_back({.axis = number});
    return axes;
  }

  // Returns the numbers of the cores range by range, and column by column within a range.
  std::vector<int64_t> ColumnByColumn() const {
    std::vector<int64_t> cores;
    int64_t first = 0;
    for (const CoreRange& range : ranges_) {
      for (int64_t x = 0; x < range.width(); ++x) {
        for (int64_t y = 0; y < range.height(); ++y) cores.push_back(first + y * range.width() + x);
      }
      first += range.width() * range.height();
    }
    return cores;
  }

  std::string Text() const {
    std::string grid;
    for (const CoreRange& range : ranges_) {
      StrAppend(grid, grid.empty() ? "" : ", ", "[(x=", range.x, ",y=", range.y, ") - (x=", range.end_x,
                ",y=", range.end_y, ")]");
    }
    return StrCat("MemoryConfig(memory_layout=TensorMemoryLayout::", memory_layout_, ",shard_spec=ShardSpec(grid={",
                  grid, "},shape={", ToString(shape_[0]), ", ", ToString(shape_[1]),
                  "},orientation=ShardOrientation::", is_row_major_ ? "ROW_MAJOR" : "COL_MAJOR", "))");
  }

  TextCursor& cursor_;
  int64_t column_ = 0;  // of the MemoryConfig
  std::string_view memory_layout_;
  bool is_row_major_ = true;
  std::vector<CoreRange> ranges_;
  int64_t cores_ = 0;  // of all ranges
  std::vector<SymbolicSize> shape_;
};

}  // namespace

Expected<MeshText> ReadTtMetalSharding(TextCursor& cursor, int64_t rank) { return TtMetalReader(cursor).Read(rank); }

}  // namespace layoutcheck
