// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/testing/random_code.h"
#include <cstddef>
#include <initializer_list>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

class Writer {
 public:
  explicit Writer(std::mt19937& random) : random_(random) {}

  RandomFunction Function(const std::string& name, CodeSize size);

 private:
  size_t Below(size_t count) { return random_() % count; }
  bool OneIn(size_t count) { return Below(count) == 0; }
  std::string OneOf(std::initializer_list<const char*> texts) { return *(texts.begin() + Below(texts.size())); }
  RandomType Type() { return {8 << Below(4), OneIn(2)}; }

  std::string Literal();
  std::string Variable() { return readable_[Below(readable_.size())]; }
  std::string Leaf() { return OneIn(3) ? Literal() : Variable(); }
  // A right operand may be a literal. A left one is not, because clang folds operations on constants, with their
  // undefined behavior, before there is any code.
  std::string Right(int depth) { return depth <= 0 ? Leaf() : Expression(depth); }
  std::string Product(int depth);
  std::string Quotient(int depth);
  std::string Shift(int depth);
  std::string Bits(int depth);
  std::string Builtin(int depth);
  std::string Element(int depth);
  std::string Expression(int depth);

  std::string Block(int depth);
  std::string Loop(int depth);
  std::string Switch(int depth);
  std::string Statement(int depth);

  std::mt19937& random_;
  std::vector<std::string> readable_;  // variables
  std::vector<std::string> writable_;
  std::string pointer_;  // the name of the array parameter, or nothing
  int loops_ = 0;        // around the current statement
  int counters_ = 0;     // of loops so far
};

std::string Writer::Literal() {
  if (OneIn(2)) return StrCat(Below(20));
  return OneOf({"-1",
                "-2",
                "7u",
                "63",
                "127",
                "-128",
                "128",
                "255u",
                "32767",
                "-32768",
                "65535",
                "65536",
                "2147483647",
                "0x80000000u",
                "4294967295u",
                "-2147483647",
                "4294967296ll",
                "-4294967297ll",
                "1024",
                "1000003",
                "0x7fffffffffffffffll",
                "0x8000000000000000ull"});
}

// A sum, difference or product: of any numbers, of numbers that are small, or of unsigned ones.
std::string Writer::Product(int depth) {
  const std::string a = Expression(depth - 1);
  const std::string b = Right(depth - 1);
  const std::string op = OneOf({" + ", " - ", " * "});
  switch (Below(4)) {
    case 0: return StrCat("(", a, op, b, ")");
    case 1: return StrCat("((", a, " & 1023)", op, "(", b, " & 63))");
    case 2: return StrCat("((", Type().Text(), ")", a, op, "(uint64_t)", b, ")");
    default: return StrCat("((", OneOf({"uint32_t", "int8_t", "uint16_t"}), ")", a, op, "(uint32_t)", b, ")");
  }
}

std::string Writer::Quotient(int depth) {
  const std::string a = Expression(depth - 1);
  const std::string op = OneOf({" / ", " % "});
  switch (Below(6)) {
    case 0: return StrCat("(", a, op, Right(depth - 1), ")");
    case 1: return StrCat("(", a, op, "(", Expression(depth - 1), " | 1))");
    case 2: return StrCat("(", a, op, "((", Expression(depth - 1), " & 127) + 1))");
    default: return StrCat("(", a, op, OneOf({"2", "3", "5u", "8", "10", "127", "128u", "1000", "-7", "4096ll"}), ")");
  }
}

std::string Writer::Shift(int depth) {
  const std::string a = Expression(depth - 1);
  const std::string b = Right(depth - 1);
  switch (Below(6)) {
    // Clang takes an amount of 64 bits modulo 2^32 for a shift of 32 bits, before there is any code.
    case 0: return StrCat("(", a, OneOf({" << ", " >> "}), "(int32_t)", b, ")");
    case 1: return StrCat("((uint64_t)", a, OneOf({" << ", " >> "}), "(", b, " & 63))");
    case 2: return StrCat("((uint32_t)", a, " << (", b, " & 31))");
    case 3: return StrCat("(", a, " >> ", Below(31), ")");
    case 4: return StrCat("((", a, " & 255) << ", Below(16), ")");
    default: return StrCat("(", a, " >> (", b, " & 31))");
  }
}

std::string Writer::Bits(int depth) {
  const std::string a = Expression(depth - 1);
  if (OneIn(5)) return StrCat("(~", a, ")");
  return StrCat("(", a, OneOf({" & ", " | ", " ^ "}), Right(depth - 1), ")");
}

std::string Writer::Builtin(int depth) {
  const std::string a = Expression(depth - 1);
  const std::string b = Right(depth - 1);
  switch (Below(11)) {
    case 0: return StrCat("__builtin_popcount((uint32_t)", a, ")");
    case 1: return StrCat("__builtin_popcountll((uint64_t)", a, ")");
    case 2: return StrCat("__builtin_ctz((uint32_t)", a, " | 16u)");
    case 3: return StrCat("__builtin_clzll((uint64_t)", a, " | 1ull)");
    case 4: return StrCat("__builtin_bswap32((uint32_t)", a, ")");
    case 5: return StrCat("__builtin_rotateleft32((uint32_t)", a, ", (uint32_t)", b, ")");
    case 6: return StrCat("abs((int)", a, ")");
    case 7: return StrCat("smaller((int64_t)", a, ", (int64_t)", b, ")");
    case 8: return StrCat("ceil_div((uint32_t)", a, " >> 2, ((uint32_t)", b, " & 255u) + 1u)");
    case 9: return StrCat("mixed((int8_t)", a, ", (uint16_t)", b, ")");
    default: return StrCat("wraps((int32_t)", a, ", (int32_t)", b, ")");
  }
}

// An element of a table, an array or a field.
std::string Writer::Element(int depth) {
  const std::string a = Expression(depth - 1);
  switch (Below(pointer_.empty() ? 5 : 7)) {
    case 0: return StrCat("kWords[(uint32_t)", a, " % 8u]");
    case 1: return StrCat("kBytes[", a, " & 15]");
    case 2: return OneIn(3) ? StrCat("kWords[", a, "]") : StrCat("kGrid[", a, " & 1][", Expression(depth - 1), " & 3]");
    case 3: return StrCat("local[", a, " & 3]");
    case 4: return OneIn(2) ? "pair.narrow" : "pair.wide";
    case 5: return StrCat(pointer_, "[", a, " & 3]");
    default: return StrCat("*(", pointer_, " + ", Below(4), ")");
  }
}

std::string Writer::Expression(int depth) {
  if (depth <= 0) return Variable();
  switch (Below(14)) {
    case 0:
    case 1:
    case 2: return Product(depth);
    case 3:
    case 4: return Quotient(depth);
    case 5:
    case 6: return Shift(depth);
    case 7: return Bits(depth);
    case 8: return StrCat("((", Type().Text(), ")", Expression(depth - 1), ")");
    case 9:
      return StrCat("(", Expression(depth - 1), OneOf({" < ", " <= ", " > ", " >= ", " == ", " != ", " && ", " || "}),
                    Right(depth - 1), ")");
    case 10: return StrCat("(", Expression(depth - 1), " ? ", Right(depth - 1), " : ", Right(depth - 1), ")");
    case 11: return Builtin(depth);
    case 12:
      return OneIn(3) ? StrCat(OneOf({"-(int32_t)", "-(uint16_t)", "-(uint64_t)", "!"}), Variable()) : Variable();
    default: return Element(depth);
  }
}

std::string Writer::Block(int depth) {
  std::string text = "{\n";
  for (size_t count = 1 + Below(2); count > 0; --count) text += Statement(depth - 1);
  return text + "}\n";
}

std::string Writer::Loop(int depth) {
  const std::string counter = StrCat("k", counters_++);
  const std::string bound = StrCat(1 + Below(5));
  const std::string down = StrCat("((uint32_t)", Variable(), " & 7u)");
  readable_.push_back(counter);
  ++loops_;
  const std::string body = Block(depth);
  --loops_;
  readable_.pop_back();
  switch (Below(4)) {
    case 0: return StrCat("for (int ", counter, " = 0; ", counter, " < ", bound, "; ++", counter, ") ", body);
    case 1: return StrCat("for (uint8_t ", counter, " = ", bound, "; ", counter, " > 0; --", counter, ") ", body);
    case 2: return StrCat("for (int64_t ", counter, " = ", down, "; ", counter, " >= 0; ", counter, " -= 2) ", body);
    default: return StrCat("{ uint32_t ", counter, " = ", down, ";\nwhile (", counter, "-- > 0) ", body, "}\n");
  }
}

std::string Writer::Switch(int depth) {
  std::string text = StrCat("switch (", Expression(1), OneIn(2) ? " & 7" : "", ") {\n");
  for (size_t k = 0; k < 3; ++k) {
    StrAppend(text, "case ", 3 * k + Below(3), ": ", Statement(depth - 1), OneIn(3) ? "" : "break;\n");
  }
  if (OneIn(2)) StrAppend(text, "default: ", Statement(depth - 1));
  return text + "}\n";
}

std::string Writer::Statement(int depth) {
  const std::string variable = writable_[Below(writable_.size())];
  if (depth > 0) {
    switch (Below(5)) {
      case 0: return StrCat("if (", Expression(2), ") ", Block(depth), OneIn(2) ? StrCat("else ", Block(depth)) : "");
      case 1:
        if (loops_ < 2) return Loop(depth);
        break;
      case 2: return Switch(depth);
      default: break;
    }
  }
  switch (Below(8)) {
    case 0: return StrCat("local[", Expression(1), " & 3] = ", Expression(2), ";\n");
    case 1: return StrCat(variable, OneOf({" += ", " -= ", " ^= ", " |= ", " &= "}), Expression(2), ";\n");
    case 2: return StrCat("++", variable, ";\n");
    case 3: return StrCat("if (", Expression(1), ") return ", Expression(2), ";\n");
    case 4:
      if (loops_ > 0) return StrCat("if (", Expression(1), ") ", OneOf({"break", "continue"}), ";\n");
      return StrCat("pair.narrow = ", Expression(2), ";\n");
    default: return StrCat(variable, " = ", Right(Below(4) == 0 ? 0 : 3), ";\n");
  }
}

RandomFunction Writer::Function(const std::string& name, CodeSize size) {
  const bool is_small = size == CodeSize::kSmall;
  RandomFunction function{.name = name, .parameters = {}, .elements = {}, .result = Type(), .text = {}};
  std::string list;
  for (size_t count = 1 + Below(3); count > 0; --count) {
    function.parameters.push_back(Type());
    readable_.push_back(StrCat("a", function.parameters.size()));
    StrAppend(list, list.empty() ? "" : ", ", function.parameters.back().Text(), " ", readable_.back());
  }
  if (OneIn(is_small ? 8 : 3)) {
    function.elements.assign(4, Type());
    pointer_ = "array";
    StrAppend(list, ", const ", function.elements[0].Text(), "* array");
  }
  std::string body =
      "int32_t local[4] = {1, -2, 300, 70000};\nstruct { int16_t narrow; uint64_t wide; } pair = {-3, 5};\n";
  for (size_t count = 1 + (is_small ? 0 : Below(3)); count > 0; --count) {
    const std::string variable = StrCat("v", writable_.size());
    StrAppend(body, Type().Text(), " ", variable, " = ", Expression(2), ";\n");
    writable_.push_back(variable);
    readable_.push_back(variable);
  }
  for (size_t count = is_small ? Below(2) : 1 + Below(4); count > 0; --count) body += Statement(is_small ? 1 : 2);
  function.text = StrCat(function.result.Text(), " ", name, "(", list, ") {\n", body, "return ",
                         Expression(is_small ? 2 : 3), ";\n}\n");
  return function;
}

}  // namespace

std::string RandomType::Text() const { return StrCat(is_signed ? "int" : "uint", bits, "_t"); }

std::string RandomCodePrelude() {
  return R"(#include <stdint.h>
#include <stdlib.h>
static const int32_t kWords[8] = {3, -1, 2147483647, 0, -70000, 12, 255, 256};
static const uint8_t kBytes[16] = {0, 255, 127, 128, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 200};
static const int16_t kGrid[2][4] = {{1, -1, 300, -32768}, {32767, 0, 5, -6}};
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1u) / b; }
static int16_t mixed(int8_t a, uint16_t b) {
  int16_t sum = 0;
  for (int8_t k = a & 3; k >= 0; --k) sum += (int16_t)(b >> k);
  return sum;
}
static int wraps(int32_t a, int32_t b) {
  int32_t sum;
  return __builtin_add_overflow(a, b, &sum) ? sum >> 3 : sum;
}
)";
}

RandomFunction DrawFunction(const std::string& name, std::mt19937& random, CodeSize size) {
  return Writer(random).Function(name, size);
}

}  // namespace layoutcheck
