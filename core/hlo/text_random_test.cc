// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sends random and mutated text through parsers and printers: nothing crashes, accepted text parses to the same value
// again from its canonical text, and blanks between tokens change nothing.
#include <gtest/gtest.h>
#include <algorithm>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/instruction.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/testing/share.h"

namespace layoutcheck {
namespace {

const int64_t kTexts = 1'000'000 / static_cast<int64_t>(EveryNth(4, 20));

constexpr std::string_view kShapeSeeds[] = {
    "s32[]{:T(128)}",
    "s32[1]{0:T(128)}",
    "f32[8,2048]{1,0:T(8,128)}",
    "s32[32,16]{0,1:T(1,128)}",
    "bf16[]{:T(512)}",
    "s32[1,32,256]{2,1,0:T(8,128)S(1)}",
    "bf16[1,1,4096,1344]{2,3,1,0:T(8,128)(2,1)}",
    "f32[1024]{0:S(5)}",
    "s32[<=4096]{0:T(8)M(1024)}",
    "bf16[1,4,288,8,1024,1,1]{4,2,3,1,6,5,0:T(8,128)(2,1)}",
    "s32[6]{0:T(128)S(1)SC(0:3)}",
    "f32[200001,128]{1,0:T(8)L(1024)}",
    "f4e2m1fn[128,256]{1,0:E(4)}",
    "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}",
    "f32[3,?]{0,1:D(D,C+~)T(2,*)(*)L(8)E(4)S(-1)SC(0:1,2)(1:)M(64)}",
    "f32[3]{0:#(u32)*(u8)}",
    "(f32[2]{0}, (token[], opaque[]), (), b(s8[4]{0}), pred[], /*index=5*/u1[1])",
    "b(f32[8,16]{1,0})",
    "f32[9223372036854775807,0]",
    "f32[2] // c",
};

constexpr std::string_view kInstructionSeeds[] = {
    "add.936 = bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)} add(exponential.183, broadcast.3115)",
    "%fusion.3 = bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)} fusion(bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} "
    "%fusion.32), "
    "kind=kCustom, calls=%all-reduce-scatter.3",
    "f32[2,4]{1,0} multiply(f32[2,4]{1,0}, f32[2,4]{1,0})",
    "ROOT t = (f32[2], s32[]) tuple(f32[2] %a#1, s32[] negate(s32[] b)), control-predecessors={%c}",
    "p = (f32[3,5], f32[]) parameter(0), parameter_replication={true,false}, metadata={op_name=\"a/b\" line=3}",
    "c = f32[2,2] constant({ { 1, -2.5 }, { inf, nan } }), sharding={devices=[2,1]<=[2]}",
    "f = f32[2] fusion(f32[2] %a), kind=kLoop, calls={ p = f32[2] parameter(0) }",
    "c = f32[1] convolution(f32[1] x, f32[1] y), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f",
};

constexpr std::string_view kPieces[] = {"f32",
                                        "bf16",
                                        "s4",
                                        "u32",
                                        "pred",
                                        "token",
                                        "opaque",
                                        "b",
                                        "[",
                                        "]",
                                        "[",
                                        "]",
                                        "{",
                                        "}",
                                        "(",
                                        ")",
                                        "(",
                                        ")",
                                        ",",
                                        ",",
                                        ",",
                                        ":",
                                        ":",
                                        "*",
                                        "#",
                                        "?",
                                        "<=",
                                        "+",
                                        "~",
                                        "=",
                                        "->",
                                        "...",
                                        "T",
                                        "L",
                                        "E",
                                        "S",
                                        "SC",
                                        "P",
                                        "M",
                                        "D",
                                        "C",
                                        "H",
                                        "T(",
                                        "S(",
                                        "{0",
                                        "{1,0:",
                                        "[2,3]",
                                        "f32[2]",
                                        "f32[2,3]{1,0",
                                        "0",
                                        "1",
                                        "2",
                                        "3",
                                        "8",
                                        "128",
                                        "-1",
                                        "-0",
                                        "007",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "-9223372036854775808",
                                        "18446744073709551616",
                                        "1.5",
                                        "1e3",
                                        "2x3",
                                        "2_3",
                                        "-inf",
                                        "nan",
                                        "%a",
                                        "a",
                                        "a:",
                                        "a=",
                                        "b01f_01io->b01f",
                                        "add",
                                        "parameter",
                                        "constant",
                                        "ROOT",
                                        "ENTRY",
                                        "\"s\"",
                                        "'",
                                        "\"",
                                        "\\",
                                        "/*",
                                        "*/",
                                        "/* c */",
                                        "//",
                                        "// c\n",
                                        "/",
                                        " ",
                                        "\t",
                                        "\n",
                                        "\r",
                                        "-",
                                        "<",
                                        ".",
                                        "%",
                                        "@",
                                        "\xff"};

class TextSource {
 public:
  explicit TextSource(uint64_t seed) : random_(seed) {}

  size_t Below(size_t below) { return static_cast<size_t>(random_() % below); }

  char Byte() {
    constexpr std::string_view kGrammarBytes = "f32bs8upredTLESCMPD0123456789,:*#?<=+~[]{}()/ -%\"\n";
    switch (Below(4)) {
      case 0: return static_cast<char>(Below(256));
      case 1: return static_cast<char>(' ' + Below(95));
      default: return kGrammarBytes[Below(kGrammarBytes.size())];
    }
  }

  template <size_t kSize>
  std::string_view OneOf(const std::string_view (&list)[kSize]) {
    return list[Below(kSize)];
  }

  std::string RandomText() {
    std::string text;
    const bool of_bytes = Below(3) == 0;
    for (size_t left = Below(30); left > 0; --left) {
      if (of_bytes) {
        text.push_back(Byte());
      } else {
        text.append(OneOf(kPieces));
      }
    }
    return text;
  }

  template <size_t kSize>
  std::string Mutated(const std::string_view (&seeds)[kSize]) {
    std::string text(OneOf(seeds));
    for (size_t left = 1 + Below(1 + Below(4)); left > 0; --left) {
      const size_t at = Below(text.size() + 1);
      const size_t length = Below(std::min<size_t>(text.size() - at, 8) + 1);
      switch (Below(6)) {
        case 0: text.erase(at, length); break;
        case 1: text.insert(at, 1, Byte()); break;
        case 2: text.insert(at, OneOf(kPieces)); break;
        case 3: text.replace(at, length, OneOf(kPieces)); break;
        case 4: text.insert(Below(text.size() + 1), std::string(text, at, length)); break;
        default: {
          const std::string_view other = OneOf(seeds);
          const size_t from = Below(other.size() + 1);
          const size_t count = Below(20);
          text.replace(at, length, other.substr(from, count));
        }
      }
    }
    return text;
  }

  // Returns the text with white space and comments between its tokens, up to the first error.
  std::string WithBlanks(std::string_view text) {
    constexpr std::string_view kBlanks[] = {" ", "\t", "\n", "\r\n", " /* [2] */ ", " /**/", " // {\n", " // )\r"};
    std::string result;
    int64_t copied_to = 1;
    for (Lexer lexer(text);; lexer.Advance()) {
      result.append(lexer.Slice(copied_to, lexer.token().column));
      copied_to = lexer.token().column;
      if (Below(2) == 0) result.append(OneOf(kBlanks));
      if (lexer.kind() == TokenKind::kEof || lexer.kind() == TokenKind::kError) break;
    }
    return result.append(text.substr(static_cast<size_t>(copied_to - 1)));
  }

 private:
  std::mt19937_64 random_;
};

// A copy of a text that ends where its memory ends, so that AddressSanitizer reports a read past the end.
class ExactCopy {
 public:
  explicit ExactCopy(std::string_view text) : bytes_(new char[text.size()]), size_(text.size()) {
    std::ranges::copy(text, bytes_.get());
  }
  std::string_view text() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  size_t size_;
};

// Sets every negative M(n) to 0, because the printer omits it (printer.h), so that its value would not come back.
void ClearNegativePrefixes(Layout& layout) {
  layout.dynamic_shape_metadata_prefix_bytes = std::max<int64_t>(layout.dynamic_shape_metadata_prefix_bytes, 0);
}
void ClearNegativePrefixes(Shape& shape) {
  if (shape.layout) ClearNegativePrefixes(*shape.layout);
  for (Shape& element : shape.elements) ClearNegativePrefixes(element);
}
void ClearNegativePrefixes(HloInstruction& instruction) {
  if (instruction.shape) ClearNegativePrefixes(*instruction.shape);
  for (HloOperand& operand : instruction.operands) {
    if (operand.shape) ClearNegativePrefixes(*operand.shape);
    for (HloInstruction& nested : operand.instruction) ClearNegativePrefixes(nested);
  }
}

struct Counts {
  int64_t accepted = 0;
  int64_t invalid_layouts = 0;
  int64_t syntax_errors = 0;
};

// Returns true if parser and printer treat the text as the head of this file promises.
template <class T>
bool Check(Expected<T> (*parse)(std::string_view), std::string_view text, std::string_view with_blanks,
           bool blanks_keep_value, Counts& counts) {
  const ExactCopy copy(text);
  Expected<T> value = parse(copy.text());
  const Expected<T> spaced = parse(with_blanks);
  if (!value) {
    const Error& error = value.error();
    (error.kind == ErrorKind::kSyntax ? counts.syntax_errors : counts.invalid_layouts) += 1;
    const bool well_reported = (error.kind == ErrorKind::kSyntax || error.kind == ErrorKind::kInvalidLayout) &&
                               error.column >= 1 && error.column <= static_cast<int64_t>(text.size()) + 1 &&
                               !error.message.empty();
    return well_reported && !spaced && spaced.error().kind == error.kind;
  }
  ++counts.accepted;
  if (!spaced || (blanks_keep_value && *spaced != *value)) return false;
  const std::string canonical = ToString(*value);
  const Expected<T> again = parse(canonical);
  ClearNegativePrefixes(*value);
  return again && *again == *value && ToString(*again) == canonical;
}

Expected<Shape> ParseOneShape(std::string_view text) { return ParseShape(text); }
Expected<HloInstruction> ReadOneLine(std::string_view text) { return ReadInstructionLine(text); }
Expected<HloInstruction> ParseOneInstruction(std::string_view text) { return ParseInstruction(text); }

void Print(std::string_view what, const Counts& counts) {
  std::cout << kTexts << " texts (" << what << "): " << counts.accepted << " accepted, " << counts.invalid_layouts
            << " invalid layouts, " << counts.syntax_errors << " syntax errors\n";
  EXPECT_GT(counts.accepted, 0) << what;
}

template <class MakeText>
void RunShapes(std::string_view what, uint64_t seed, MakeText make_text) {
  TextSource source(seed);
  Counts shapes;
  Counts layouts;
  for (int64_t i = 0; i < kTexts; ++i) {
    const std::string text = make_text(source);
    const std::string with_blanks = source.WithBlanks(text);
    ASSERT_TRUE(Check(ParseOneShape, text, with_blanks, true, shapes)) << text;
    const size_t brace = std::min(text.find('{'), text.size());
    const std::string from_brace = text.substr(brace);
    ASSERT_TRUE(Check(ParseLayout, from_brace, source.WithBlanks(from_brace), true, layouts)) << from_brace;
  }
  Print(StrCat("shapes, ", what, ", seed ", seed), shapes);
  Print(StrCat("layouts, ", what, ", seed ", seed), layouts);
}

template <class MakeText>
void RunInstructions(std::string_view what, uint64_t seed, MakeText make_text) {
  TextSource source(seed);
  Counts strict;
  Counts tolerant;
  for (int64_t i = 0; i < kTexts; ++i) {
    const std::string text = make_text(source);
    const std::string with_blanks = source.WithBlanks(text);
    // Attributes and literals keep their blanks, so the values differ.
    ASSERT_TRUE(Check(ParseOneInstruction, text, with_blanks, false, strict)) << text;
    ASSERT_TRUE(Check(ReadOneLine, text, with_blanks, false, tolerant)) << text;
  }
  Print(StrCat("instructions, strict, ", what, ", seed ", seed), strict);
  Print(StrCat("instructions, tolerant, ", what, ", seed ", seed), tolerant);
}

TEST(TextRandom, RandomShapes) {
  RunShapes("random bytes and tokens", 1, [](TextSource& source) { return source.RandomText(); });
}

TEST(TextRandom, MutatedShapes) {
  RunShapes("mutated valid texts", 2, [](TextSource& source) { return source.Mutated(kShapeSeeds); });
}

TEST(TextRandom, RandomInstructions) {
  RunInstructions("random bytes and tokens after a head", 3, [](TextSource& source) {
    constexpr std::string_view kHeads[] = {"", "x = ", "x = f32[2] ", "x = f32[2] add(", "x = f32[2] add(f32[2] a), "};
    const std::string head(source.OneOf(kHeads));
    return head + source.RandomText();
  });
}

TEST(TextRandom, MutatedInstructions) {
  RunInstructions("mutated valid texts", 4, [](TextSource& source) { return source.Mutated(kInstructionSeeds); });
}

}  // namespace
}  // namespace layoutcheck
