// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/text/text_properties.h"
#include <algorithm>
#include <cstdint>
#include <vector>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/instruction.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/fuzz/text/blanks.h"

namespace layoutcheck {
namespace {

std::optional<std::string> BrokenByRejection(const Error& error, std::string_view text) {
  if (error.kind != ErrorKind::kSyntax && error.kind != ErrorKind::kInvalidLayout) {
    return StrCat("an error of kind ", ErrorKindName(error.kind));
  }
  if (error.column < 1 || error.column > static_cast<int64_t>(text.size()) + 1) {
    return StrCat("an error at column ", error.column, " of a text of ", text.size(), " bytes: ", error.message);
  }
  if (error.message.empty()) return "an error without a message";
  return std::nullopt;
}

// Sets a negative n of M(n), which is read but not printed, to 0: the only value that a valid text loses.
void ForgetNegativePrefix(Layout& layout) {
  layout.dynamic_shape_metadata_prefix_bytes = std::max<int64_t>(layout.dynamic_shape_metadata_prefix_bytes, 0);
}
void ForgetNegativePrefix(Shape& shape) {
  std::vector<Shape*> rest = {&shape};
  while (!rest.empty()) {
    Shape* const part = rest.back();
    rest.pop_back();
    if (part->layout) ForgetNegativePrefix(*part->layout);
    for (Shape& element : part->elements) rest.push_back(&element);
  }
}

void ForgetNegativePrefix(HloInstruction& instruction) {
  if (instruction.shape) ForgetNegativePrefix(*instruction.shape);
  for (HloOperand& operand : instruction.operands) {
    if (operand.shape) ForgetNegativePrefix(*operand.shape);
    for (HloInstruction& inner : operand.instruction) ForgetNegativePrefix(inner);
  }
}

template <class Value>
bool SameButForNegativePrefix(Value value, const Value& printed_and_read) {
  ForgetNegativePrefix(value);
  return value == printed_and_read;
}

template <class Value, class Parse>
std::optional<std::string> BrokenByRoundTrip(const Value& value, Parse parse) {
  const std::string printed = ToString(value);
  const Expected<Value> again = parse(printed);
  if (!again) return StrCat("prints '", printed, "', which is rejected: ", again.error().ToString());
  if (!(*again == value) && !SameButForNegativePrefix(value, *again))
    return StrCat("prints '", printed, "', which is another value");
  if (const std::string reprinted = ToString(*again); reprinted != printed) {
    return StrCat("prints '", printed, "', then '", reprinted, "'");
  }
  return std::nullopt;
}

// Compares parsing with and without validation. The grammar alone must reject exactly the syntax errors of the
// validating parser, and validation exactly its invalid layouts.
std::optional<std::string> BrokenByValidation(const Expected<Shape>& validated, std::string_view text) {
  const Expected<Shape> grammatical = ParseShape(text, {.validate = false});
  const auto is_well_formed = [](const Expected<Shape>& shape) {
    return shape || shape.error().kind == ErrorKind::kInvalidLayout;
  };
  if (is_well_formed(grammatical) != is_well_formed(validated)) {
    return StrCat("well formed with validation: ", is_well_formed(validated) ? "yes" : "no",
                  ", without: ", is_well_formed(grammatical) ? "yes" : "no");
  }
  if (validated && !grammatical) {
    return StrCat("accepted with validation, rejected without: ", grammatical.error().ToString());
  }
  if (!validated) return std::nullopt;
  if (!(*grammatical == *validated)) return "validation changes the value";
  if (const Expected<void> valid = ValidateShape(*validated, MissingLayout::kRejected); !valid) {
    return StrCat("accepted although ", valid.error().message);
  }
  const ParseOptions no_fill = {.fill_missing_layouts = false};
  const auto parse_no_fill = [&](std::string_view t) { return ParseShape(t, no_fill); };
  const Expected<Shape> as_written = parse_no_fill(text);
  if (!as_written) return StrCat("rejected where layouts may be missing: ", as_written.error().ToString());
  return BrokenByRoundTrip(*as_written, parse_no_fill);
}

// Clears the parts of an instruction that are kept as written, because blanks may change them. Shapes and layouts have
// none.
template <class Value>
void ForgetWrittenParts(Value&) {}
void ForgetWrittenParts(HloInstruction& instruction) {
  instruction.literal.clear();
  for (HloAttribute& attribute : instruction.attributes) attribute.text.clear();
  for (HloOperand& operand : instruction.operands) {
    for (HloInstruction& inner : operand.instruction) ForgetWrittenParts(inner);
  }
}

template <class Value>
std::optional<std::string> BrokenByBlanks(Expected<Value> value, Expected<Value> blank) {
  if (value) ForgetWrittenParts(*value);
  if (blank) ForgetWrittenParts(*blank);
  if (value.has_value() != blank.has_value()) {
    return value ? StrCat("rejected with blanks between tokens: ", blank.error().ToString())
                 : StrCat("accepted with blanks between tokens, rejected without: ", value.error().ToString());
  }
  if (value && !(*value == *blank)) return "another value with blanks between tokens";
  if (!value && value.error().kind != blank.error().kind) {
    return StrCat("another kind of error with blanks between tokens: ", value.error().ToString(), "; ",
                  blank.error().ToString());
  }
  return std::nullopt;
}

template <class Value, class Parse>
std::optional<std::string> BrokenProperty(std::string_view text, Parse parse) {
  const Expected<Value> value = parse(text);
  if (auto broken = value ? BrokenByRoundTrip(*value, parse) : BrokenByRejection(value.error(), text)) return broken;
  constexpr uint64_t kCostlyOnceIn = 8;
  const uint64_t hash = HashText(text);
  if (hash % kCostlyOnceIn != 0) return std::nullopt;
  if constexpr (std::is_same_v<Value, Shape>) {
    if (auto broken = BrokenByValidation(value, text)) return broken;
  }
  Random random(hash);
  const std::string with_blanks = WithBlanks(text, random, 2);
  auto broken = BrokenByBlanks(value, parse(with_blanks));
  if (broken) *broken += StrCat(" ('", with_blanks, "')");
  return broken;
}

// The tolerant reader must accept each text that the strict one accepts, and read the same.
std::optional<std::string> BrokenInstructionProperty(std::string_view text) {
  const auto read = [](std::string_view t) { return ReadInstructionLine(t); };
  if (auto broken = BrokenProperty<HloInstruction>(text, read)) return broken;
  const Expected<HloInstruction> strict = ParseInstruction(text);
  if (!strict) return BrokenByRejection(strict.error(), text);
  const Expected<HloInstruction> tolerant = read(text);
  if (!tolerant) return StrCat("accepted by the strict reader only: ", tolerant.error().ToString());
  if (!(*strict == *tolerant)) return "read differently by the strict reader";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> BrokenTextProperty(TextKind kind, std::string_view text) {
  switch (kind) {
    case TextKind::kShape: return BrokenProperty<Shape>(text, [](std::string_view t) { return ParseShape(t); });
    case TextKind::kInstruction: return BrokenInstructionProperty(text);
    case TextKind::kLayout: return BrokenProperty<Layout>(text, [](std::string_view t) { return ParseLayout(t); });
  }
  return std::nullopt;
}

}  // namespace layoutcheck
