// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/certificate/smt_printer.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

std::string Comment(std::string_view text) {
  std::string out = "; ";
  for (const char c : text) {
    out.push_back(c);
    if (c == '\n') out += "; ";
  }
  return out + "\n";
}

}  // namespace

std::string SmtSymbol(const std::string& name) {
  const bool is_short = name.size() == 1 ? name != "_" : name.find_first_not_of("0123456789", 1) == std::string::npos;
  return is_short || name.contains('!') ? name : StrCat(name, "!name");
}

std::string SmtNumber(Int128 value) {
  return value < 0 ? StrCat("(- ", ToDecimal(value).substr(1), ")") : ToDecimal(value);
}

std::string SmtApply(std::string_view function, const std::vector<std::string>& arguments) {
  return StrCat("(", function, " ", StrJoin(arguments, " "), ")");
}

std::string SmtJoin(std::string_view function, const std::vector<std::string>& parts, std::string_view none) {
  if (parts.empty()) return std::string(none);
  return parts.size() == 1 ? parts[0] : SmtApply(function, parts);
}

const char* SmtRelation(TermRelation::Kind kind) {
  return kind == TermRelation::Kind::kEqual ? "=" : kind == TermRelation::Kind::kLess ? "<" : "<=";
}

const char* SmtOperator(TermKind kind) {
  switch (kind) {
    case TermKind::kAdd: return "+";
    case TermKind::kSubtract: return "-";
    case TermKind::kMultiply: return "*";
    case TermKind::kFloorDiv: return "div";
    case TermKind::kMod: return "mod";
    default: return "";
  }
}

std::string SmtHeader(std::string_view logic, std::string_view title, std::string_view meaning, SolverAnswer expected) {
  const char* answer = SolverAnswerName(expected);
  return StrCat(Comment(title), Comment(meaning), "; expected: ", answer, "\n(set-info :status ", answer,
                ")\n(set-logic ", logic, ")\n");
}

std::string SmtPrinter::Text(const Polynomial& polynomial) {
  std::vector<std::string> parts;
  for (const auto& [monomial, coefficient] : polynomial.addends) {
    const std::vector<AtomId>& atoms = ring_.monomial(monomial);
    std::vector<std::string> factors;
    if (coefficient != 1 || atoms.empty()) factors.push_back(SmtNumber(coefficient));
    if (atoms.size() > 1 && !real_products_) {
      products_.insert(monomial);
      factors.push_back(StrCat("product!", monomial));
    } else {
      for (const AtomId atom : atoms) {
        atoms_.insert(atom);
        factors.push_back(AtomSymbol(atom));
      }
    }
    parts.push_back(SmtJoin("*", factors, "1"));
  }
  return SmtJoin("+", parts, "0");
}

std::string SmtPrinter::Text(const Relation& relation) {
  return SmtApply(SmtRelation(relation.kind), {Text(relation.left), Text(relation.right)});
}

std::vector<std::string> SmtPrinter::Texts(const std::vector<Relation>& relations) {
  std::vector<std::string> texts;
  for (const Relation& relation : relations) texts.push_back(Text(relation));
  return texts;
}

std::string SmtPrinter::Declarations() const {
  std::string text;
  for (const AtomId atom : atoms_) {
    const Ring::Atom& what = ring_.atoms()[atom];
    StrAppend(text, "(declare-const ", AtomSymbol(atom), " Int)");
    if (what.kind != AtomKind::kVariable) {
      StrAppend(text, " ; (", ring_.ToString(what.dividend),
                what.kind == AtomKind::kFloorDiv ? ") floordiv (" : ") mod (", ring_.ToString(what.divisor), ")");
    }
    text += "\n";
  }
  for (const MonomialId product : products_) {
    StrAppend(text, "(declare-const product!", product, " Int) ; ", ring_.ToString(ring_.FromMonomial(product, 1)),
              "\n");
  }
  return text;
}

std::string SmtPrinter::AtomSymbol(AtomId atom) const {
  const Ring::Atom& what = ring_.atoms()[atom];
  return what.kind == AtomKind::kVariable ? SmtSymbol(what.name) : ring_.AtomName(atom);
}

}  // namespace layoutcheck
