// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/mesh_notation.h"
#include <optional>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/sharding/sharding_reader.h"

namespace layoutcheck {
namespace {

class MeshNotationReader {
 public:
  MeshNotationReader(TextCursor& cursor, int64_t rank) : cursor_(cursor), rank_(rank) {}

  Expected<MeshText> Read() {
    LAYOUTCHECK_RETURN_IF_ERROR(ReadMesh());
    const int64_t column = cursor_.NextColumn();
    const size_t begin = cursor_.position();
    const bool is_jax = TakeSpecName() && cursor_.Take("(") && !IsLowerCase();
    cursor_.MoveTo(begin);
    if (is_jax) {
      LAYOUTCHECK_RETURN_IF_ERROR(ReadPartitionSpec(column));
    } else {
      LAYOUTCHECK_RETURN_IF_ERROR(ReadPlacements(column));
    }
    return std::move(result_);
  }

 private:
  bool TakeSpecName() { return cursor_.Take("PartitionSpec") || cursor_.Take("P"); }
  // Partial placements have the name of a reduction in parentheses.
  bool IsLowerCase() {
    cursor_.SkipBlanks();
    return cursor_.byte() >= 'a' && cursor_.byte() <= 'z';
  }

  std::string_view TakeWord() {
    cursor_.SkipBlanks();
    return cursor_.TakeWhile(TextCursor::IsWordByte);
  }

  // Reads mesh[x=2,y=4] or mesh[2,4].
  Expected<void> ReadMesh() {
    if (!cursor_.Take("mesh")) return cursor_.Unexpected("'mesh['");
    std::string text;
    LAYOUTCHECK_RETURN_IF_ERROR(cursor_.TakeList("[", "]", "the axes of the mesh", [&]() -> Expected<void> {
      const int64_t column = cursor_.NextColumn();
      MeshAxis axis;
      LAYOUTCHECK_TRY(axis.size, ReadSize(cursor_, "a size or the name of an axis"));
      if (!axis.size.name.empty() && cursor_.Take("=")) {
        axis.name = std::move(axis.size.name);
        LAYOUTCHECK_TRY(axis.size, ReadSize(cursor_, "the size of an axis"));
      }
      StrAppend(text, text.empty() ? "" : ",", axis.name, axis.name.empty() ? "" : "=", ToString(axis.size));
      return AddAxis(result_.mesh, std::move(axis), column);
    }));
    result_.text = StrCat("mesh[", text, "] ");
    return {};
  }

  // Reads P("x", ("y", "z"), None).
  Expected<void> ReadPartitionSpec(int64_t column) {
    TakeSpecName();
    int64_t dimension = 0;
    std::string text;
    const auto read_entry = [&]() -> Expected<void> {
      StrAppend(text, dimension == 0 ? "" : ", ");
      MeshCut cut{dimension++, {}, {{}, 1}};
      if (cursor_.Take("None")) {
        text += "None";
      } else if (cursor_.Sees("(")) {
        std::string axes;
        LAYOUTCHECK_RETURN_IF_ERROR(ReadTuple("the axes of a dimension", [&] { return ReadAxis(cut, axes); }));
        StrAppend(text, "(", axes, ")");
      } else {
        LAYOUTCHECK_RETURN_IF_ERROR(ReadAxis(cut, text));
      }
      if (!cut.axes.empty()) result_.mesh.cuts.push_back(std::move(cut));
      return {};
    };
    LAYOUTCHECK_RETURN_IF_ERROR(ReadTuple("the entries of P", read_entry));
    if (dimension > rank_) {
      return MakeError(ErrorKind::kInvalidLayout,
                       StrCat("P has ", dimension, " entries, and the array has ", rank_, " dimensions"), column);
    }
    StrAppend(result_.text, "P(", text, ")");
    return {};
  }

  // Reads a tuple of Python, which may end with a comma.
  template <class ReadItem>
  Expected<void> ReadTuple(std::string_view what, ReadItem read_item) {
    cursor_.Take("(");
    while (!cursor_.Take(")")) {
      LAYOUTCHECK_RETURN_IF_ERROR(read_item());
      if (!cursor_.Sees(")") && !cursor_.Take(",")) return cursor_.Unexpected(StrCat("',' or ')' in ", what));
    }
    return {};
  }

  Expected<void> ReadAxis(MeshCut& cut, std::string& text) {
    const int64_t column = cursor_.NextColumn();
    if (cursor_.Sees("UNCONSTRAINED") || cursor_.Sees("P.UNCONSTRAINED")) {
      return MakeError(ErrorKind::kUnsupported, "an unconstrained dimension: the compiler places its elements", column);
    }
    LAYOUTCHECK_TRY(const std::string name, ReadQuoted(cursor_, "an axis"));
    LAYOUTCHECK_TRY(const size_t number, FindAxis(result_.mesh, name, column));
    StrAppend(text, cut.axes.empty() ? "\"" : ", \"", name, "\"");
    cut.axes.push_back({number});
    return {};
  }

  // Reads S(0), R.
  Expected<void> ReadPlacements(int64_t column) {
    result_.mesh.sizes = ShardSizes::kExact;
    const bool is_list = cursor_.Take("[");
    const bool is_tuple = !is_list && cursor_.Take("(");
    size_t axis = 0;
    do {
      if (axis > 0) result_.text += ",";
      LAYOUTCHECK_RETURN_IF_ERROR(ReadPlacement(axis++));
    } while (cursor_.Take(","));
    if (is_list && !cursor_.Take("]")) return cursor_.Unexpected("']'");
    if (is_tuple && !cursor_.Take(")")) return cursor_.Unexpected("')'");
    if (axis != result_.mesh.axes.size()) {
      return MakeError(
          ErrorKind::kInvalidLayout,
          StrCat("expected one placement per axis of the mesh, which has ", result_.mesh.axes.size(), ", found ", axis),
          column);
    }
    return {};
  }

  Expected<void> ReadPlacement(size_t axis) {
    const int64_t column = cursor_.NextColumn();
    const size_t begin = cursor_.position();
    const std::string_view word = TakeWord();
    if (word == "R" || word == "Replicate") {
      if (cursor_.Take("(") && !cursor_.Take(")")) return cursor_.Unexpected("')'");
      result_.text += "R";
      return {};
    }
    if (word == "P" || word == "Partial" || word == "_Partial") {
      return MakeError(ErrorKind::kUnsupported,
                       "a partial placement: the devices hold summands of the elements, not the elements", column);
    }
    const bool is_strided = word == "_StridedShard" || word == "_S";
    if (!is_strided && word != "S" && word != "Shard") {
      cursor_.MoveTo(begin);
      return cursor_.Unexpected("a placement (S, _StridedShard, R) or P(...) with axes in quotes");
    }
    if (!cursor_.Take("(")) return cursor_.Unexpected("'('");
    if (cursor_.Take("dim") && !cursor_.Take("=")) return cursor_.Unexpected("'='");
    const int64_t dimension_column = cursor_.NextColumn();
    LAYOUTCHECK_TRY(const int64_t given, cursor_.TakeInteger("a dimension"));
    const int64_t dimension = given < 0 ? given + rank_ : given;
    if (dimension < 0 || dimension >= rank_) {
      return MakeError(ErrorKind::kInvalidLayout,
                       StrCat("expected a dimension of the array, which has ", rank_, ", found ", given),
                       dimension_column);
    }
    SymbolicSize blocks{{}, 1};
    if (is_strided) {
      if (!cursor_.Take(",")) return cursor_.Unexpected("',' and a split factor");
      if ((cursor_.Take("sf") || cursor_.Take("split_factor")) && !cursor_.Take("=")) return cursor_.Unexpected("'='");
      LAYOUTCHECK_TRY(blocks, ReadSize(cursor_, "a split factor"));
      StrAppend(result_.text, "_StridedShard(", dimension, ",sf=", ToString(blocks), ")");
    } else {
      StrAppend(result_.text, "S(", dimension, ")");
    }
    if (!cursor_.Take(")")) return cursor_.Unexpected("')'");
    result_.mesh.cuts.push_back({dimension, {{axis}}, std::move(blocks)});
    return {};
  }

  TextCursor& cursor_;
  int64_t rank_;
  MeshText result_;
};

}  // namespace

Expected<MeshText> ReadMeshNotation(TextCursor& cursor, int64_t rank) {
  return MeshNotationReader(cursor, rank).Read();
}

}  // namespace layoutcheck
