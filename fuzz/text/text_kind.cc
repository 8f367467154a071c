// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/text/text_kind.h"
#include <utility>
#include "layoutcheck/core/hlo/instruction.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"

namespace layoutcheck {
namespace {

template <class Value>
Expected<std::string> Printed(Expected<Value> value) {
  if (!value) return std::unexpected(std::move(value.error()));
  return ToString(*value);
}

}  // namespace

std::string_view TextKindName(TextKind kind) {
  switch (kind) {
    case TextKind::kShape: return "shape";
    case TextKind::kLayout: return "layout";
    case TextKind::kInstruction: return "instruction";
  }
  return "";
}

std::optional<TextKind> TextKindFromName(std::string_view name) {
  for (const TextKind kind : {TextKind::kShape, TextKind::kLayout, TextKind::kInstruction}) {
    if (TextKindName(kind) == name) return kind;
  }
  return std::nullopt;
}

Expected<std::string> CanonicalText(TextKind kind, std::string_view text) {
  switch (kind) {
    case TextKind::kShape: return Printed(ParseShape(text));
    case TextKind::kLayout: return Printed(ParseLayout(text));
    case TextKind::kInstruction: return Printed(ReadInstructionLine(text));
  }
  return MakeError(ErrorKind::kUnsupported, "no texts of this kind");
}

}  // namespace layoutcheck
