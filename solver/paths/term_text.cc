// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/paths/term_text.h"
#include <limits>
#include <utility>
#include "layoutcheck/core/formula/formula.h"

namespace layoutcheck {
namespace {

constexpr Int128 PowerOfTwo(int exponent) { return Int128{1} << exponent; }

// Builds the nodes of a formula for a term. Equal parts of the term share a node, and are printed once per use.
class TermWriter {
 public:
  TermWriter(const TermContext& terms, const DefinedVariables& defined) : terms_(terms), defined_(defined) {}

  std::optional<std::string> Text(const Term& term) { return TextOf(WriteTerm(term, 0)); }
  std::optional<std::string> Text(const TermRelation& relation) {
    using Kind = TermRelation::Kind;
    const FormulaOp op = relation.kind == Kind::kEqual  ? FormulaOp::kEqual
                         : relation.kind == Kind::kLess ? FormulaOp::kLess
                                                        : FormulaOp::kLessEqual;
    const uint32_t left = WriteTerm(relation.left, 0);
    return TextOf(Binary(op, left, WriteTerm(relation.right, 0)));
  }

 private:
  using Node = TermContext::Node;

  // A value modulo 2^width: `inner` is equal to it modulo 2^width.
  struct Cast {
    bool is_signed;
    int width;
    uint32_t inner;
  };

  std::optional<Int128> NumberOf(uint32_t number) const {
    const Node& node = terms_.node(number);
    if (node.kind != TermKind::kConstant || node.value.overflow) return std::nullopt;
    return node.value.value;
  }
  bool Is(uint32_t number, Int128 value) const { return NumberOf(number) == value; }

  // Reads x mod 2^width and (x + 2^(width-1)) mod 2^width - 2^(width-1) for the widths of casts.
  std::optional<Cast> CastOf(uint32_t number) const {
    const Node& node = terms_.node(number);
    for (const int width : {32, 64}) {
      if (node.kind == TermKind::kMod && Is(node.b, PowerOfTwo(width))) return Cast{false, width, node.a};
      if (node.kind != TermKind::kSubtract || !Is(node.b, PowerOfTwo(width - 1))) continue;
      const Node& rest = terms_.node(node.a);
      if (rest.kind != TermKind::kMod || !Is(rest.b, PowerOfTwo(width))) continue;
      const Node& sum = terms_.node(rest.a);
      if (sum.kind == TermKind::kAdd && Is(sum.b, PowerOfTwo(width - 1))) return Cast{true, width, sum.a};
    }
    return std::nullopt;
  }

  // Returns the node of a formula that is equal to the term's node, or equal modulo 2^modulus if modulus > 0.
  uint32_t Write(uint32_t number, int modulus, int depth) {
    if (depth >= kMaxFormulaDepth) fits_ = false;
    if (!fits_) return 0;
    if (const auto known = written_.find({number, modulus}); known != written_.end()) return known->second;
    const uint32_t result = WriteNew(number, modulus, depth + 1);
    written_[{number, modulus}] = result;
    return result;
  }

  uint32_t WriteNew(uint32_t number, int modulus, int depth) {
    const Node& node = terms_.node(number);
    if (const auto cast = CastOf(number)) {
      if (modulus > 0 && cast->width >= modulus) return Write(cast->inner, modulus, depth);
      const FormulaOp op = cast->is_signed ? FormulaOp::kToSigned : FormulaOp::kToUnsigned;
      return Unary(op, Write(cast->inner, cast->width, depth), cast->width);
    }
    switch (node.kind) {
      case TermKind::kConstant: return Literal(node.value.value);
      case TermKind::kVariable: return Variable(terms_.variable_name(node.a), depth);
      case TermKind::kAdd: return Add(node, modulus, depth);
      case TermKind::kSubtract:
        if (Is(node.b, 0)) return Write(node.a, modulus, depth);
        if (Is(node.a, 0)) return Unary(FormulaOp::kNegate, Write(node.b, modulus, depth));
        if (Is(node.a, -1)) return Unary(FormulaOp::kComplement, Write(node.b, modulus, depth));
        return Binary(FormulaOp::kSubtract, Write(node.a, modulus, depth), Write(node.b, modulus, depth));
      case TermKind::kMultiply:
        if (Is(node.a, 1)) return Write(node.b, modulus, depth);
        if (Is(node.b, 1)) return Write(node.a, modulus, depth);
        for (const auto& [factor, power] : {std::pair(node.a, node.b), std::pair(node.b, node.a)}) {
          const Term* const exponent = ExponentOf(power);
          if (exponent == nullptr) continue;
          return Binary(FormulaOp::kShiftLeft, Write(factor, modulus, depth), WriteTerm(*exponent, depth));
        }
        return Binary(FormulaOp::kMultiply, Write(node.a, modulus, depth), Write(node.b, modulus, depth));
      case TermKind::kFloorDiv: return Divide(node, depth);
      case TermKind::kMod: break;
    }
    return Binary(FormulaOp::kMod, Write(node.a, 0, depth), Write(node.b, 0, depth));
  }

  uint32_t Add(const Node& node, int modulus, int depth) {
    if (Is(node.a, 0)) return Write(node.b, modulus, depth);
    if (Is(node.b, 0)) return Write(node.a, modulus, depth);
    const std::optional<Int128> number = NumberOf(node.b);
    if (number && modulus > 0 && *number % PowerOfTwo(modulus) == 0) return Write(node.a, modulus, depth);
    if (number && *number < 0) {
      return Binary(FormulaOp::kSubtract, Write(node.a, modulus, depth), Literal(-*number));
    }
    const Node& added = terms_.node(node.b);
    const auto factor = added.kind == TermKind::kMultiply ? NumberOf(added.b) : std::nullopt;
    if (factor && *factor < 0) {  // a + b * -2 is a - b * 2
      const uint32_t product = Binary(FormulaOp::kMultiply, Write(added.a, modulus, depth), Literal(-*factor));
      return Binary(FormulaOp::kSubtract, Write(node.a, modulus, depth), product);
    }
    return Binary(FormulaOp::kAdd, Write(node.a, modulus, depth), Write(node.b, modulus, depth));
  }

  // Writes (a + (b - 1)) floordiv b as a ceildiv b.
  uint32_t Divide(const Node& node, int depth) {
    if (const Term* const exponent = ExponentOf(node.b)) {
      return Binary(FormulaOp::kShiftRight, Write(node.a, 0, depth), WriteTerm(*exponent, depth));
    }
    const Node& dividend = terms_.node(node.a);
    const std::optional<Int128> divisor = NumberOf(node.b);
    bool rounds_up = dividend.kind == TermKind::kAdd && divisor && *divisor > 1 && Is(dividend.b, *divisor - 1);
    if (dividend.kind == TermKind::kAdd && !rounds_up) {
      const Node& added = terms_.node(dividend.b);
      rounds_up = added.kind == TermKind::kSubtract && added.a == node.b && Is(added.b, 1);
    }
    return Binary(rounds_up ? FormulaOp::kCeilDiv : FormulaOp::kFloorDiv,
                  Write(rounds_up ? dividend.a : node.a, 0, depth), Write(node.b, 0, depth));
  }

  uint32_t WriteTerm(const Term& term, int depth) {
    if (!term.IsConstant()) return Write(term.node(), 0, depth);
    if (term.value().overflow) fits_ = false;
    return Literal(term.value().value);
  }
  std::optional<std::string> TextOf(uint32_t root) const {
    return fits_ ? std::optional(FormulaText(formula_, root)) : std::nullopt;
  }

  // Returns the exponent of the power of two that the term's node is, or null.
  const Term* ExponentOf(uint32_t number) const {
    const Node& node = terms_.node(number);
    if (node.kind != TermKind::kVariable) return nullptr;
    const auto power = defined_.powers.find(terms_.variable_name(node.a));
    return power == defined_.powers.end() ? nullptr : &power->second;
  }

  uint32_t Variable(const std::string& name, int depth) {
    if (const auto power = defined_.powers.find(name); power != defined_.powers.end()) {
      return Binary(FormulaOp::kShiftLeft, Literal(1), WriteTerm(power->second, depth));
    }
    if (const auto common = defined_.common_bits.find(name); common != defined_.common_bits.end()) {
      std::optional<uint32_t> bits;
      for (const Term& term : common->second) {
        const uint32_t next = WriteTerm(term, depth);
        bits = bits ? Binary(FormulaOp::kBitAnd, *bits, next) : next;
      }
      return *bits;
    }
    const auto [place, is_new] = names_.try_emplace(name, static_cast<uint32_t>(formula_.names.size()));
    if (is_new) formula_.names.push_back(name);
    return AddNode({.op = FormulaOp::kName, .name = place->second}, 1);
  }

  uint32_t Literal(Int128 value) {
    constexpr Int128 kPart = PowerOfTwo(62);
    if (value < 0) return Unary(FormulaOp::kNegate, Literal(-value));
    if (value <= std::numeric_limits<int64_t>::max()) {
      return AddNode({.op = FormulaOp::kLiteral, .value = static_cast<int64_t>(value)}, 1);
    }
    const uint32_t product = Binary(FormulaOp::kMultiply, Literal(value / kPart), Literal(kPart));
    return value % kPart == 0 ? product : Binary(FormulaOp::kAdd, product, Literal(value % kPart));
  }

  uint32_t Unary(FormulaOp op, uint32_t operand, int64_t value = 0) {
    return AddNode({.op = op, .operands = {operand}, .value = value}, 1 + SizeOf(operand));
  }
  uint32_t Binary(FormulaOp op, uint32_t a, uint32_t b) {
    return AddNode({.op = op, .operands = {a, b}}, 1 + SizeOf(a) + SizeOf(b));
  }
  size_t SizeOf(uint32_t node) const { return fits_ ? sizes_[node] : 0; }
  uint32_t AddNode(FormulaNode node, size_t size) {
    if (size > kMaxFormulaNodes) fits_ = false;
    formula_.nodes.push_back(node);
    sizes_.push_back(size);
    return static_cast<uint32_t>(sizes_.size() - 1);
  }

  const TermContext& terms_;
  const DefinedVariables& defined_;
  Formula formula_;
  std::vector<size_t> sizes_;  // nodes that are printed for each node
  std::map<std::string, uint32_t> names_;
  std::map<std::pair<uint32_t, int>, uint32_t> written_;
  bool fits_ = true;
};

}  // namespace

std::optional<std::string> TermText(const TermContext& terms, const Term& term, const DefinedVariables& defined) {
  return TermWriter(terms, defined).Text(term);
}

std::optional<std::string> RelationText(const TermContext& terms, const TermRelation& relation,
                                        const DefinedVariables& defined) {
  return TermWriter(terms, defined).Text(relation);
}

}  // namespace layoutcheck
