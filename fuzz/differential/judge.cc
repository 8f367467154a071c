// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/differential/judge.h"
#include <algorithm>
#include <array>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"

namespace layoutcheck {
namespace {

struct FaultText {
  TextFault fault;
  std::string_view name;
  std::string_view statement;
};

constexpr FaultText kFaults[] = {
    {TextFault::kCrash, "subject-crash", "Every request is answered; none ends the subject."},
    {TextFault::kTimeout, "subject-timeout", "Every text is answered in time."},
    {TextFault::kProtocol, "subject-protocol", "Every answer keeps to the protocol."},
    {TextFault::kAcceptsMalformed, "accepts-malformed", "A text outside the grammar is rejected."},
    {TextFault::kAcceptsInvalidLayout, "accepts-invalid-layout",
     "A well-formed text of a layout that breaks a validation rule is rejected."},
    {TextFault::kRejectsValid, "rejects-valid", "A valid text is accepted."},
    {TextFault::kLosesField, "loses-field", "Every field of a valid text is in the text that is printed back."},
    {TextFault::kNotIdempotent, "not-idempotent", "A text that was printed is printed again unchanged."},
    {TextFault::kWrongText, "wrong-canonical-text", "A valid text is printed back as its canonical text."},
    {TextFault::kMemoryGrowth, "memory-growth", "Texts that were answered take no memory."},
};

const FaultText& TextOf(TextFault fault) { return *std::ranges::find(kFaults, fault, &FaultText::fault); }

struct FieldDifference {
  std::string_view field;
  bool is_lost = false;  // the second value has the default
};

std::optional<FieldDifference> DifferenceOf(const Layout& a, const Layout& b) {
  const Layout none;
  if (a.minor_to_major != b.minor_to_major) return FieldDifference{"minor_to_major"};
  if (a.tiles != b.tiles) return FieldDifference{"tiles", b.tiles.size() < a.tiles.size()};
  const auto compare = [&](std::string_view name, auto member) -> std::optional<FieldDifference> {
    if (a.*member == b.*member) return std::nullopt;
    return FieldDifference{name, b.*member == none.*member};
  };
  if (auto d = compare("L", &Layout::tail_padding_alignment_in_elements)) return d;
  if (auto d = compare("#", &Layout::index_primitive_type)) return d;
  if (auto d = compare("*", &Layout::pointer_primitive_type)) return d;
  if (auto d = compare("E", &Layout::element_size_in_bits)) return d;
  if (auto d = compare("S", &Layout::memory_space)) return d;
  if (auto d = compare("SC", &Layout::split_configs)) return d;
  if (auto d = compare("P", &Layout::physical_shape)) return d;
  return compare("M", &Layout::dynamic_shape_metadata_prefix_bytes);
}

std::optional<FieldDifference> DifferenceOf(const Shape& a, const Shape& b) {
  if (a.element_type != b.element_type) return FieldDifference{"element type"};
  if (a.elements.size() != b.elements.size())
    return FieldDifference{"tuple elements", b.elements.size() < a.elements.size()};
  if (a.dimensions != b.dimensions) return FieldDifference{"dimensions", b.dimensions.size() < a.dimensions.size()};
  if (a.dynamic_dimensions != b.dynamic_dimensions)
    return FieldDifference{"dynamic dimensions", !b.HasDynamicDimension()};
  if (a.layout.has_value() != b.layout.has_value()) return FieldDifference{"layout", !b.layout.has_value()};
  if (a.layout) {
    if (auto difference = DifferenceOf(*a.layout, *b.layout)) return difference;
  }
  for (size_t i = 0; i < a.elements.size(); ++i) {
    if (auto difference = DifferenceOf(a.elements[i], b.elements[i])) return difference;
  }
  return std::nullopt;
}

// Compares two texts as values. Returns nothing if one of them cannot be read.
std::optional<FieldDifference> DifferenceOf(TextKind kind, std::string_view expected, std::string_view actual) {
  // Longer texts are not compared as values, because nested values are compared recursively.
  constexpr size_t kLongest = 4096;
  if (expected.size() > kLongest || actual.size() > kLongest) return std::nullopt;
  if (kind == TextKind::kShape) {
    const ParseOptions as_written = {.fill_missing_layouts = false, .validate = false};
    const auto a = ParseShape(expected, as_written);
    const auto b = ParseShape(actual, as_written);
    return a && b ? DifferenceOf(*a, *b) : std::nullopt;
  }
  if (kind == TextKind::kLayout) {
    const auto a = ParseLayout(expected);
    const auto b = ParseLayout(actual);
    return a && b ? DifferenceOf(*a, *b) : std::nullopt;
  }
  return std::nullopt;
}

Disagreement Failure(const Failed& failed) {
  switch (failed.kind) {
    case Failed::Kind::kCrash: return {TextFault::kCrash, WithoutDetails(failed.what), "an answer", failed.what};
    case Failed::Kind::kTimeout: return {TextFault::kTimeout, "", "an answer", failed.what};
    case Failed::Kind::kError:
    case Failed::Kind::kProtocol: break;
  }
  return {TextFault::kProtocol, WithoutDetails(failed.what), "an answer", failed.what};
}

std::string Described(const Answer<ParseAnswer>& answer) {
  if (const auto* failed = std::get_if<Failed>(&answer)) return failed->what;
  if (const auto* parsed = std::get_if<ParseAnswer>(&answer)) {
    return parsed->ok ? parsed->text : StrCat("rejected: ", parsed->error);
  }
  return "declined";
}

bool Prints(const Answer<ParseAnswer>& answer, std::string_view text) {
  const auto* parsed = std::get_if<ParseAnswer>(&answer);
  return parsed != nullptr && parsed->ok && parsed->text == text;
}

Disagreement WrongText(Subject& subject, TextKind kind, const std::string& expected, const std::string& actual) {
  const auto difference = DifferenceOf(kind, expected, actual);
  const std::string field = difference ? std::string(difference->field) : "notation";
  if (difference && difference->is_lost) return {TextFault::kLosesField, field, expected, actual};
  const Answer<ParseAnswer> again = subject.Parse(TextKindName(kind), actual);
  if (!std::holds_alternative<Declined>(again) && !Prints(again, actual)) {
    return {TextFault::kNotIdempotent, field, expected, StrCat(actual, ", then ", Described(again))};
  }
  return {TextFault::kWrongText, field, expected, actual};
}

}  // namespace

std::string WithoutDetails(std::string_view message) {
  message = message.substr(0, message.find(", found"));
  std::string result;
  char quote = 0;
  for (const char c : message) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"' || c == '`') {
      quote = c;
    } else if (c >= '0' && c <= '9') {
      if (!result.ends_with('N')) result += 'N';
    } else if (c == '-' && result.ends_with(' ')) {
      // Drops the sign with its number.
    } else {
      result += c;
    }
  }
  constexpr size_t kLongest = 120;
  if (result.size() > kLongest) result.resize(kLongest);
  return result;
}

std::span<const TextFault> AllTextFaults() {
  static const auto faults = [] {
    std::array<TextFault, std::size(kFaults)> all{};
    std::ranges::transform(kFaults, all.begin(), &FaultText::fault);
    return all;
  }();
  return faults;
}

std::string_view TextFaultName(TextFault fault) { return TextOf(fault).name; }
std::optional<TextFault> TextFaultFromName(std::string_view name) {
  const auto* const found = std::ranges::find(kFaults, name, &FaultText::name);
  return found == std::end(kFaults) ? std::nullopt : std::optional(found->fault);
}
std::string_view TextFaultStatement(TextFault fault) { return TextOf(fault).statement; }

std::optional<Disagreement> JudgeAnswer(Subject& subject, TextKind kind, std::string_view text,
                                        const Answer<ParseAnswer>& answer) {
  if (std::holds_alternative<Declined>(answer)) return std::nullopt;
  if (const auto* failed = std::get_if<Failed>(&answer)) return Failure(*failed);
  const auto& parsed = std::get<ParseAnswer>(answer);
  const Expected<std::string> reference = CanonicalText(kind, text);
  if (!reference) {
    if (!parsed.ok) return std::nullopt;
    const bool malformed = reference.error().kind == ErrorKind::kSyntax;
    return Disagreement{malformed ? TextFault::kAcceptsMalformed : TextFault::kAcceptsInvalidLayout,
                        WithoutDetails(reference.error().message), StrCat("rejected: ", reference.error().ToString()),
                        parsed.text};
  }
  if (!parsed.ok) {
    return Disagreement{TextFault::kRejectsValid, WithoutDetails(parsed.error), *reference,
                        StrCat("rejected: ", parsed.error)};
  }
  if (parsed.text != *reference) return WrongText(subject, kind, *reference, parsed.text);
  return std::nullopt;
}

std::optional<Disagreement> JudgeText(Subject& subject, TextKind kind, std::string_view text) {
  return JudgeAnswer(subject, kind, text, subject.Parse(TextKindName(kind), text));
}

}  // namespace layoutcheck
