// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/answers/text_kinds.h"
#include <nlohmann/json.hpp>
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/core/hlo/dump_reader.h"
#include "layoutcheck/core/hlo/instruction.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/linear/linear_notation.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {
namespace {

template <auto parse>
Expected<std::string> Canonical(std::string_view text) {
  const auto value = parse(text);
  if (!value) return std::unexpected(value.error());
  return ToString(*value);
}

Expected<HloInstruction> ReadLine(std::string_view text) { return ReadInstructionLine(text); }

Expected<std::string> CanonicalOfAny(std::string_view text) {
  const auto layout = ReadLayout(text);
  if (!layout) return std::unexpected(layout.error());
  return (*layout)->Text();
}

constexpr TextKind kTextKinds[] = {
    {"shape", Canonical<[](std::string_view text) { return ParseShape(text); }>},
    {"layout", Canonical<ParseLayout>},
    {"instruction", Canonical<ReadLine>},
    {"shape-stride", Canonical<ParseShapeStrideLayout>},
    {"linear", Canonical<ReadLinearLayout>},
    {"any", CanonicalOfAny},
};

}  // namespace

std::span<const TextKind> TextKinds() { return kTextKinds; }

Json ParsedJson(const Expected<std::string>& result) {
  if (result) return Json{{"ok", true}, {"text", *result}};
  // Any other error means that a well-formed text breaks a rule of layouts.
  const bool syntax = result.error().kind == ErrorKind::kSyntax;
  return Json{{"ok", false},
              {"stage", syntax ? "syntax" : "layout"},
              {"column", result.error().column},
              {"error", result.error().message}};
}

}  // namespace layoutcheck
