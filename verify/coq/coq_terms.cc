// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/coq/coq_terms.h"
#include <algorithm>
#include <cctype>
#include <cstdint>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/proof/lemmas.h"

namespace layoutcheck::verify {
namespace {

struct CoqOperator {
  Operator op;
  std::string_view constructor;
  size_t operands;
};
constexpr CoqOperator kOperators[] = {
    {Operator::kNegate, "Negate", 1},
    {Operator::kNot, "Not", 1},
    {Operator::kComplement, "Complement", 1},
    {Operator::kConditional, "If", 3},
    {Operator::kMin, "Min", 2},
    {Operator::kMax, "Max", 2},
    {Operator::kOr, "Or", 2},
    {Operator::kAnd, "And", 2},
    {Operator::kBitOr, "BitOr", 2},
    {Operator::kBitXor, "BitXor", 2},
    {Operator::kBitAnd, "BitAnd", 2},
    {Operator::kEqual, "Equal", 2},
    {Operator::kNotEqual, "NotEqual", 2},
    {Operator::kLess, "Less", 2},
    {Operator::kLessEqual, "LessEqual", 2},
    {Operator::kGreater, "Greater", 2},
    {Operator::kGreaterEqual, "GreaterEqual", 2},
    {Operator::kShiftLeft, "ShiftLeft", 2},
    {Operator::kShiftRight, "ShiftRight", 2},
    {Operator::kAdd, "Add", 2},
    {Operator::kSubtract, "Subtract", 2},
    {Operator::kMultiply, "Multiply", 2},
    {Operator::kDivide, "Quotient", 2},
    {Operator::kRemainder, "Remainder", 2},
    {Operator::kFloorDiv, "FloorDiv", 2},
    {Operator::kCeilDiv, "CeilDiv", 2},
    {Operator::kMod, "Mod", 2},
};

// Words of Coq, and names that the statement or its proof uses, each between two blanks.
constexpr std::string_view kUsedNames =
    " as at cofix do else end exists exists2 forall fun fix for if in IF let match mod return then using "
    "where with Prop SProp Set Type Z nat list index other place point value array layout sizes V Value "
    "Let Some None Holds Agree Below TellApart each holds agree below has_value forallb all Blocks Lines "
    "Vector fractal fractal_offset fractal_places same places Injective Invertible InBounds Onto Tuple "
    "Mode ceil_div i j P Hi Hj InBox linear_index eval settle goal I length volume coordinate "
    "padded_elements order permute tiles box_of Arrays Main memory at_index sizes_of box_place "
    "chain_sizes layout_steps AllMinimal chain_linear_index alignment minor_to_major Element Cast true "
    "false land NoOverflow int32 uint32 int64 cpp20 largest ";
// Names that the proof makes are one of these and digits.
constexpr std::string_view kMadeNames[] = {"fact", "atom", "claim", "instance", "element", "E", "H"};

bool IsUsed(std::string_view name) {
  name = name.substr(0, name.find_last_not_of('_') + 1);
  if (kUsedNames.contains(StrCat(" ", name, " ")) || FindLemma(name) != nullptr) return true;
  if (std::ranges::find(kOperators, name, &CoqOperator::constructor) != std::end(kOperators)) return true;
  name = name.substr(0, name.find_last_not_of("0123456789_") + 1);
  return name.empty() || std::ranges::find(kMadeNames, name) != std::end(kMadeNames);
}

// Writes a formula. Recursion is as deep as the formula, which ReadFormulas bounds.
class FormulaPrinter {
 public:
  FormulaPrinter(const Formula& formula, const CoqNames& names) : formula_(formula), names_(names) {}

  std::string Text(uint32_t index) {
    const FormulaNode& node = formula_.nodes[index];
    switch (node.op) {
      case Operator::kNumber: return StrCat("Value ", node.number);
      case Operator::kName: {
        const auto known = names_.find(node.name);
        return StrCat("Value ", known == names_.end() ? CoqName(node.name) : known->second);
      }
      case Operator::kLet:
        return StrCat("Let (", Text(node.operands[0]), ") (fun ", CoqName(node.name), " => ", Text(node.operands[1]),
                      ")");
      case Operator::kTable: return TableText(node);
      case Operator::kCast:
        return StrCat("Cast ", node.is_signed ? "true " : "false ", node.number, " (", Text(node.operands[0]), ")");
      default: break;
    }
    const auto* const op = std::ranges::find(kOperators, node.op, &CoqOperator::op);
    std::string text(op->constructor);
    for (size_t k = 0; k < op->operands; ++k) StrAppend(text, " (", Text(node.operands[k]), ")");
    return text;
  }

 private:
  // Elements that are no numbers get their values before the index, so that all of them have one.
  std::string TableText(const FormulaNode& node) {
    std::string text;
    std::vector<std::string> elements;
    size_t lets = 0;
    for (const uint32_t element : node.elements) {
      if (formula_.nodes[element].op == Operator::kNumber) {
        elements.push_back(StrCat(formula_.nodes[element].number));
        continue;
      }
      const std::string value = Text(element);
      elements.push_back(StrCat("element", ++elements_));
      ++lets;
      StrAppend(text, "Let (", value, ") (fun ", elements.back(), " => ");
    }
    return StrCat(text, "Element ", CoqList(elements), " (", Text(node.operands[0]), ")", std::string(lets, ')'));
  }

  const Formula& formula_;
  const CoqNames& names_;
  size_t elements_ = 0;  // names so far
};

}  // namespace

std::string CoqName(std::string_view name) {
  if (name.starts_with('!')) return StrCat("atom_", name.substr(1));
  return StrCat(name, IsUsed(name) ? "_" : "");
}

std::string CoqSize(const Size& size) { return size.name.empty() ? StrCat(size.number) : CoqName(size.name); }

std::string CoqPolynomial(std::string_view text) {
  const auto is_name_byte = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '!';
  };
  std::string result;
  while (!text.empty()) {
    const bool is_word = is_name_byte(text[0]);
    const auto end = std::ranges::find_if(text, [&](char c) { return is_name_byte(c) != is_word; });
    const std::string_view word = text.substr(0, static_cast<size_t>(end - text.begin()));
    result += is_word && std::isdigit(static_cast<unsigned char>(word[0])) == 0 ? CoqName(word) : std::string(word);
    text.remove_prefix(word.size());
  }
  return result;
}

std::string CoqList(const std::vector<std::string>& items) { return StrCat("[", StrJoin(items, "; "), "]"); }

std::string CoqWords(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) StrAppend(text, " ", word);
  return text;
}

std::string CoqForAll(const std::vector<std::string>& variables) {
  return variables.empty() ? "" : StrCat("forall", CoqWords(variables), " : Z,\n ");
}

std::string CoqFormula(const Formula& formula, const CoqNames& names) {
  return FormulaPrinter(formula, names).Text(formula.root);
}

CoqLayout CoqLayoutOf(const Layout& layout) {
  std::vector<std::string> minor_to_major;
  for (const size_t dimension : layout.major_to_minor) minor_to_major.push_back(StrCat(dimension, "%nat"));
  std::ranges::reverse(minor_to_major);
  std::vector<std::string> tiles;
  for (const std::vector<TileEntry>& tile : layout.tiles) {
    std::vector<std::string> entries;
    for (const TileEntry& entry : tile) entries.push_back(entry.combine ? "None" : "Some " + CoqSize(entry.size));
    tiles.push_back(CoqList(entries));
  }
  std::vector<std::string> sizes;
  for (const Size& size : layout.dimensions) sizes.push_back(CoqSize(size));
  return {StrCat("{| minor_to_major := ", CoqList(minor_to_major), "; tiles := ", CoqList(tiles),
                 "; alignment := ", layout.alignment, " |}"),
          CoqList(sizes)};
}

std::string CoqFractal(const Layout& layout) {
  if (layout.dimensions.size() == 1) return "Vector";
  const auto boolean = [](bool value) { return value ? " true" : " false"; };
  const Fractal& fractal = *layout.fractal;
  if (!fractal.block) return StrCat("(Lines", boolean(fractal.is_row_major), fractal.packs_two ? " 2)" : " 1)");
  const Fractal::Block& block = *fractal.block;
  return StrCat("(Blocks ", block.height, " ", block.width, boolean(block.is_row_major), boolean(fractal.is_row_major),
                ")");
}

}  // namespace layoutcheck::verify
