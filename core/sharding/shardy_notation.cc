// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <utility>
#include <vector>
#include "layoutcheck/core/sharding/mesh_notation.h"
#include "layoutcheck/core/sharding/sharding_reader.h"

namespace layoutcheck {
namespace {

class ShardyReader {
 public:
  ShardyReader(TextCursor& cursor, int64_t rank) : cursor_(cursor), rank_(rank) {}

  Expected<MeshText> Read() {
    std::string mesh_name;
    if (cursor_.Take("sdy.mesh")) {
      LAYOUTCHECK_TRY(mesh_name, ReadSymbol());
      LAYOUTCHECK_RETURN_IF_ERROR(Expect("="));
      LAYOUTCHECK_RETURN_IF_ERROR(ReadMesh());
    }
    LAYOUTCHECK_RETURN_IF_ERROR(Expect("#sdy.sharding"));
    LAYOUTCHECK_RETURN_IF_ERROR(Expect("<"));
    const int64_t column = cursor_.NextColumn();
    if (cursor_.Take("mesh")) {
      result_.mesh = {};
      LAYOUTCHECK_RETURN_IF_ERROR(ReadMesh());
    } else {
      LAYOUTCHECK_TRY(const std::string name, ReadSymbol());
      if (name != mesh_name) {
        return MakeError(ErrorKind::kInvalidLayout,
                         StrCat("the mesh @", name, " is not given; expected `sdy.mesh @", name,
                                " = <[...]>` in front, or mesh<[...]> in its place"),
                         column);
      }
    }
    result_.text = StrCat("#sdy.sharding<mesh<", mesh_text_, ">, ");
    LAYOUTCHECK_RETURN_IF_ERROR(Expect(","));
    LAYOUTCHECK_RETURN_IF_ERROR(ReadDimensions());
    while (cursor_.Take(",")) LAYOUTCHECK_RETURN_IF_ERROR(ReadOtherAxes());
    LAYOUTCHECK_RETURN_IF_ERROR(Expect(">"));
    result_.text += ">";
    return std::move(result_);
  }

 private:
  Expected<void> Expect(std::string_view literal) {
    if (!cursor_.Take(literal)) return cursor_.Unexpected(StrCat("'", literal, "'"));
    return {};
  }

  Expected<std::string> ReadSymbol() {
    if (!cursor_.Take("@")) return cursor_.Unexpected("'@' before the name of a mesh");
    const std::string_view name = cursor_.TakeWhile(TextCursor::IsWordByte);
    if (name.empty()) return cursor_.Unexpected("the name of a mesh");
    return std::string(name);
  }

  // Reads <["x"=2, "y"=4], device_ids=[...]>.
  Expected<void> ReadMesh() {
    LAYOUTCHECK_RETURN_IF_ERROR(Expect("<"));
    std::string axes;
    LAYOUTCHECK_RETURN_IF_ERROR(cursor_.TakeList("[", "]", "the axes of the mesh", [&] { return ReadMeshAxis(axes); }));
    mesh_text_ = StrCat("[", axes, "]");
    if (cursor_.Take(",")) {
      const int64_t column = cursor_.NextColumn();
      LAYOUTCHECK_RETURN_IF_ERROR(Expect("device_ids"));
      LAYOUTCHECK_RETURN_IF_ERROR(Expect("="));
      std::string ids;
      LAYOUTCHECK_RETURN_IF_ERROR(cursor_.TakeList("[", "]", "the devices of the mesh", [&]() -> Expected<void> {
        LAYOUTCHECK_TRY(const int64_t id, ReadCount(cursor_, "a device number", 0));
        result_.mesh.device_ids.push_back(id);
        StrAppend(ids, ids.empty() ? "" : ", ", id);
        return {};
      }));
      StrAppend(mesh_text_, ", device_ids=[", ids, "]");
      LAYOUTCHECK_RETURN_IF_ERROR(ValidateDevices(column));
    }
    return Expect(">");
  }

  // Returns true for a mesh of one device, which has whole arrays.
  bool IsMaximal() const { return result_.mesh.axes.empty() && result_.mesh.device_ids.size() == 1; }

  // Returns an error (invalid layout) unless the devices are 0, 1, 2, ... in any order, or one device without axes.
  Expected<void> ValidateDevices(int64_t column) const {
    std::vector<int64_t> ids = result_.mesh.device_ids;
    std::ranges::sort(ids);
    for (size_t k = 0; k < ids.size() && !IsMaximal(); ++k) {
      if (std::cmp_equal(ids[k], k)) continue;
      return MakeError(ErrorKind::kInvalidLayout,
                       std::cmp_less(ids[k], k)
                           ? StrCat("device ", ids[k], " occurs twice")
                           : StrCat("expected the devices 0 to ", ids.size() - 1, " in any order, found ", ids[k]),
                       column);
    }
    return {};
  }

  // Reads "x"=2, and adds it to the text.
  Expected<void> ReadMeshAxis(std::string& text) {
    const int64_t column = cursor_.NextColumn();
    LAYOUTCHECK_TRY(std::string name, ReadQuoted(cursor_, "an axis"));
    LAYOUTCHECK_RETURN_IF_ERROR(Expect("="));
    LAYOUTCHECK_TRY(SymbolicSize size, ReadSize(cursor_, "the size of an axis"));
    StrAppend(text, text.empty() ? "" : ", ", "\"", name, "\"=", ToString(size));
    return AddAxis(result_.mesh, {std::move(name), std::move(size)}, column);
  }

  // Reads [{"x"}, {"y":(1)2, ?}p1].
  Expected<void> ReadDimensions() {
    const int64_t column = cursor_.NextColumn();
    int64_t dimension = 0;
    std::string text;
    LAYOUTCHECK_RETURN_IF_ERROR(cursor_.TakeList("[", "]", "the shardings of dimensions", [&]() -> Expected<void> {
      MeshCut cut{dimension++, {}, {{}, 1}};
      LAYOUTCHECK_TRY(const std::string axes, ReadAxes(cut.axes, /*may_be_open=*/true));
      StrAppend(text, text.empty() ? "" : ", ", axes);
      if (cursor_.byte() == 'p') {
        cursor_.Take("p");
        LAYOUTCHECK_TRY(const int64_t priority, ReadCount(cursor_, "a priority", 0));
        StrAppend(text, "p", priority);
      }
      if (!cut.axes.empty()) result_.mesh.cuts.push_back(std::move(cut));
      return {};
    }));
    if (dimension != rank_ && !(dimension == 0 && IsMaximal())) {
      return MakeError(ErrorKind::kInvalidLayout,
                       StrCat("the sharding has ", dimension, " dimensions, and the array has ", rank_), column);
    }
    StrAppend(result_.text, "[", text, "]");
    return {};
  }

  // Reads {"x", "y":(1)2, ?} and returns its text.
  Expected<std::string> ReadAxes(std::vector<AxisPart>& axes, bool may_be_open) {
    std::string text;
    LAYOUTCHECK_RETURN_IF_ERROR(cursor_.TakeList("{", "}", "the axes of a dimension", [&]() -> Expected<void> {
      cursor_.SkipBlanks();
      if (text.ends_with('?')) return cursor_.Unexpected("'}' after '?'");
      if (!may_be_open || !cursor_.Take("?")) return ReadAxis(axes, text);
      StrAppend(text, text.empty() ? "?" : ", ?");
      return {};
    }));
    return StrCat("{", text, "}");
  }

  // Reads an axis or a sub-axis, "y":(1)2, and adds it to the text.
  Expected<void> ReadAxis(std::vector<AxisPart>& axes, std::string& text) {
    const int64_t column = cursor_.NextColumn();
    LAYOUTCHECK_TRY(const std::string name, ReadQuoted(cursor_, "an axis"));
    LAYOUTCHECK_TRY(const size_t number, FindAxis(result_.mesh, name, column));
    StrAppend(text, text.empty() ? "\"" : ", \"", name, "\"");
    AxisPart part{number};
    if (cursor_.Take(":")) {
      part.is_whole = false;
      LAYOUTCHECK_RETURN_IF_ERROR(Expect("("));
      LAYOUTCHECK_TRY(part.pre, ReadCount(cursor_, "the product of the sub-axes before", 1));
      LAYOUTCHECK_RETURN_IF_ERROR(Expect(")"));
      LAYOUTCHECK_TRY(part.size, ReadCount(cursor_, "the size of a sub-axis", 1));
      StrAppend(text, ":(", part.pre, ")", part.size);
    }
    axes.push_back(part);
    return {};
  }

  // Reads replicated={...} or unreduced={...}.
  Expected<void> ReadOtherAxes() {
    const int64_t column = cursor_.NextColumn();
    const bool is_replicated = cursor_.Take("replicated");
    if (!is_replicated && !cursor_.Take("unreduced")) return cursor_.Unexpected("'replicated' or 'unreduced'");
    LAYOUTCHECK_RETURN_IF_ERROR(Expect("="));
    std::vector<AxisPart> parts;
    LAYOUTCHECK_TRY(const std::string axes, ReadAxes(is_replicated ? result_.mesh.replicated : parts, false));
    if (!parts.empty()) {
      return MakeError(ErrorKind::kUnsupported,
                       "unreduced axes: the devices hold summands of the elements, not the elements", column);
    }
    if (is_replicated) StrAppend(result_.text, ", replicated=", axes);
    return {};
  }

  TextCursor& cursor_;
  int64_t rank_;
  MeshText result_;
  std::string mesh_text_;
};

}  // namespace

Expected<MeshText> ReadShardySharding(TextCursor& cursor, int64_t rank) { return ShardyReader(cursor, rank).Read(); }

}  // namespace layoutcheck
