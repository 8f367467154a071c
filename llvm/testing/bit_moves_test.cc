// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random expressions of words of bits, as the model of kernels follows each bit through them, compared with their
// values.
#include <gtest/gtest.h>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/llvm/ir/code_module.h"
#include "layoutcheck/llvm/kernel/kernel_model.h"
#include "layoutcheck/llvm/kernel/stored_elements.h"

namespace layoutcheck {
namespace {

constexpr size_t kWords = 2;
constexpr int kWordBits = 32;
using Words = std::array<uint32_t, kWords>;

// An expression of words in[0], in[1], ... and literals.
struct BitExpression {
  // 'w' for a word, '#' for a literal, an operator of C, 's' for a shift of the sign to the right, or a conversion: 'b'
  // to uint8_t, 'c' to int8_t, 'h' to uint16_t.
  char op = 'w';
  uint32_t literal = 0;  // number of a word, amount of a shift, or value
  std::vector<BitExpression> operands = {};

  std::string Text() const {
    const auto operand = [this](size_t k) { return operands[k].Text(); };
    switch (op) {
      case 'w': return StrCat("in[", literal, "]");
      case '#': return StrCat(literal, "u");
      case '<': return StrCat("(", operand(0), " << ", literal, ")");
      case '>': return StrCat("(", operand(0), " >> ", literal, ")");
      case 's': return StrCat("(unsigned)((int)", operand(0), " >> ", literal, ")");
      case 'b': return StrCat("(unsigned)(unsigned char)", operand(0));
      case 'c': return StrCat("(unsigned)(signed char)", operand(0));
      case 'h': return StrCat("(unsigned)(unsigned short)", operand(0));
      default: return StrCat("(", operand(0), " ", std::string(1, op), " ", operand(1), ")");
    }
  }

  uint32_t Value(const Words& words) const {
    const auto operand = [&](size_t k) { return operands[k].Value(words); };
    switch (op) {
      case 'w': return words[literal];
      case '#': return literal;
      case '<': return operand(0) << literal;
      case '>': return operand(0) >> literal;
      case 's': return static_cast<uint32_t>(static_cast<int32_t>(operand(0)) >> literal);
      case 'b': return static_cast<uint8_t>(operand(0));
      case 'c': return static_cast<uint32_t>(static_cast<int8_t>(operand(0)));
      case 'h': return static_cast<uint16_t>(operand(0));
      case '&': return operand(0) & operand(1);
      case '|': return operand(0) | operand(1);
      case '^': return operand(0) ^ operand(1);
      default: return operand(0) + operand(1);
    }
  }
};

class ExpressionWriter {
 public:
  explicit ExpressionWriter(uint32_t seed) : random_(seed) {}

  BitExpression Draw(int depth) {
    if (depth == 0) return {.op = 'w', .literal = Below(kWords)};
    switch (Below(10)) {
      case 0: return {.op = 's', .literal = Amount(), .operands = {Draw(depth - 1)}};
      case 1: return {.op = "bch"[Below(3)], .operands = {Draw(depth - 1)}};
      case 2:
      case 3: return {.op = '<', .literal = Amount(), .operands = {Draw(depth - 1)}};
      case 4: return {.op = '>', .literal = Amount(), .operands = {Draw(depth - 1)}};
      case 5:
      case 6: return {.op = '&', .operands = {Draw(depth - 1), {.op = '#', .literal = Mask()}}};
      case 7: return {.op = "|^+"[Below(3)], .operands = {Draw(depth - 1), {.op = '#', .literal = Mask()}}};
      default: return United(depth);
    }
  }

 private:
  uint32_t Below(uint32_t count) { return static_cast<uint32_t>(random_() % count); }
  uint32_t Amount() { return Below(2) == 0 ? 4 * Below(8) : Below(kWordBits); }
  uint32_t Mask() {
    const uint32_t ones = Below(2) == 0 ? 0xF : (1U << (1 + Below(kWordBits - 1))) - 1;
    return ones << Amount();
  }

  // Returns two expressions that share few bits, united.
  BitExpression United(int depth) {
    const uint32_t mask = Mask();
    const auto masked = [&](uint32_t bits) {
      return BitExpression{.op = '&', .operands = {Draw(depth - 1), {.op = '#', .literal = bits}}};
    };
    return {.op = "|^+"[Below(3)], .operands = {masked(mask), masked(Below(8) == 0 ? Mask() : ~mask)}};
  }

  std::mt19937 random_;
};

TEST(BitMoves, EachBitIsTheOneThatTheModelSays) {
  constexpr uint32_t kExpressions = 300;
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/bits.cu";
  std::vector<BitExpression> expressions;
  {
    std::ofstream file(path);
    for (uint32_t k = 0; k < kExpressions; ++k) {
      expressions.push_back(ExpressionWriter(k).Draw(1 + static_cast<int>(k % 4)));
      file << "__global__ void k" << k << "(const unsigned* in, unsigned* out) { *out = " << expressions[k].Text()
           << "; }\n";
    }
  }
  const auto module = CodeModule::Read(path, {.flags = {"-w"}, .for_device = true});
  ASSERT_TRUE(module.has_value()) << module.error().ToString();
  int64_t followed = 0;
  std::mt19937 random(1);
  for (uint32_t k = 0; k < kExpressions; ++k) {
    const auto model = KernelModel::Make({.file = path,
                                          .function = StrCat("k", k),
                                          .arrays = {{"in", StrCat("u1[", kWords * kWordBits, "]{0:E(1)}")},
                                                     {"out", StrCat("u1[", kWordBits, "]{0:E(1)}")}},
                                          .arguments = "in,out",
                                          .grid = "1",
                                          .block = "1",
                                          .assumptions = {},
                                          .compiler_flags = {},
                                          .max_bytes = {}},
                                         *module);
    ASSERT_TRUE(model.has_value()) << model.error().ToString();
    const SymbolicValues thread{{"thread_x", 0}, {"block_x", 0}};
    const auto point = model->At(thread);
    const auto stores = model->Run(*point, thread, KernelModel::Bounds::kChecked);
    ASSERT_EQ(stores.size(), 1U);
    for (int64_t bit = 0; bit < kWordBits; ++bit) {
      const auto source = SourceAt(point->tensors, stores[0], bit);
      if (!source) continue;
      ++followed;
      const int64_t from = NumberOf(source->place);
      for (int trial = 0; trial < 4; ++trial) {
        const Words words{static_cast<uint32_t>(random()), static_cast<uint32_t>(random())};
        const uint32_t expected = words[static_cast<size_t>(from / kWordBits)] >> from % kWordBits & 1;
        ASSERT_EQ(expressions[k].Value(words) >> bit & 1, expected)
            << "bit " << bit << " of " << expressions[k].Text() << " is said to be bit " << from << " of in";
      }
    }
  }
  std::printf("%jd bits of %u expressions are followed\n", intmax_t{followed}, kExpressions);
  EXPECT_GT(followed, 1000);
}

}  // namespace
}  // namespace layoutcheck
