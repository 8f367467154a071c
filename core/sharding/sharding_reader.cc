// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/sharding_reader.h"
#include <utility>

namespace layoutcheck {

Expected<int64_t> ReadCount(TextCursor& cursor, std::string_view what, int64_t least) {
  const int64_t column = cursor.NextColumn();
  LAYOUTCHECK_TRY(const int64_t number, cursor.TakeInteger(what));
  if (number < least) return SyntaxErrorAt(column, "expected ", what, " >= ", least, ", found ", number);
  return number;
}

Expected<SymbolicSize> ReadSize(TextCursor& cursor, std::string_view what) {
  cursor.SkipBlanks();
  if (TextCursor::IsLetter(cursor.byte()) || cursor.byte() == '_') {
    return SymbolicSize{std::string(cursor.TakeWhile(TextCursor::IsWordByte)), 0};
  }
  LAYOUTCHECK_TRY(const int64_t number, ReadCount(cursor, what, 1));
  return SymbolicSize{{}, number};
}

std::string ToString(const SymbolicSize& size) { return size.name.empty() ? StrCat(size.value) : size.name; }

Expected<std::string> ReadQuoted(TextCursor& cursor, std::string_view what) {
  const bool is_double = cursor.Take("\"");
  if (!is_double && !cursor.Take("'")) return cursor.Unexpected(StrCat(what, " in quotes"));
  const char quote = is_double ? '"' : '\'';
  std::string name(cursor.TakeWhile([quote](char c) { return c != quote && c >= ' '; }));
  if (name.empty() || cursor.byte() != quote) return cursor.Unexpected(StrCat(what, " and a closing quote"));
  cursor.MoveTo(cursor.position() + 1);
  return name;
}

Expected<void> AddAxis(MeshSharding& mesh, MeshAxis axis, int64_t column) {
  for (const MeshAxis& other : mesh.axes) {
    if (!axis.name.empty() && other.name == axis.name) {
      return MakeError(ErrorKind::kInvalidLayout, StrCat("the mesh has two axes \"", axis.name, "\""), column);
    }
  }
  mesh.axes.push_back(std::move(axis));
  return {};
}

Expected<size_t> FindAxis(const MeshSharding& mesh, std::string_view name, int64_t column) {
  std::string names;
  for (size_t k = 0; k < mesh.axes.size(); ++k) {
    if (mesh.axes[k].name == name) return k;
    if (!mesh.axes[k].name.empty()) StrAppend(names, names.empty() ? "" : ", ", mesh.axes[k].name);
  }
  if (names.empty()) names = "whose axes have no names";
  return MakeError(ErrorKind::kInvalidLayout,
                   StrCat("expected an axis of the mesh (", names, "), found \"", name, "\""), column);
}

}  // namespace layoutcheck
