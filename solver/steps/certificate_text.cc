// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/steps/certificate_text.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

void AppendCombination(std::string& line, const Combination& combination) {
  for (const auto& [fact, multiplier] : combination.entries()) {
    line += ' ';
    if (multiplier != Rational(1)) StrAppend(line, multiplier.ToString(), "*");
    StrAppend(line, fact + 1);
  }
}

std::string JustificationLine(std::string_view word, const Justification& justification) {
  std::string line(word);
  AppendCombination(line, justification.above);
  if (justification.below) {
    line += " |";
    AppendCombination(line, *justification.below);
  }
  line += '\n';
  return line;
}

// Prints polynomials after the quotients and remainders that they contain, each of which gets a name.
class Printer {
 public:
  Printer(const Ring& ring, const CommonBitsOperands& common) : ring_(ring), common_(common) {}

  std::string& text() { return text_; }

  // Appends the atoms of the polynomial that have no name yet. Recursion is as deep as quotients are nested.
  void DefineAtoms(const Polynomial& polynomial) {
    for (const auto& [monomial, coefficient] : polynomial.addends) {
      for (const AtomId atom : ring_.monomial(monomial)) DefineAtom(atom);
    }
  }
  // Appends the steps and goals.
  void AppendProof(const ProofSteps& proof) {
    for (const ProofStep& step : proof.steps) {
      const std::vector<Polynomial> cut = {step.cut};
      const std::vector<Polynomial>& polynomials = step.instance == nullptr ? cut : step.instance->arguments;
      for (const Polynomial& polynomial : polynomials) DefineAtoms(polynomial);
      std::vector<std::string> texts;
      for (const Polynomial& polynomial : polynomials) texts.push_back(Text(polynomial));
      StrAppend(text_, step.instance == nullptr ? "cut " : StrCat("lemma ", step.instance->lemma->name, " "),
                StrJoin(texts, " ; "), "\n");
      for (const Justification& premise : step.premises) text_ += JustificationLine("by", premise);
    }
    for (const Justification& goal : proof.goals) text_ += JustificationLine("goal", goal);
    if (proof.contradiction) text_ += JustificationLine("false", {*proof.contradiction, std::nullopt});
  }
  std::string Text(const Polynomial& polynomial) const {
    return ring_.ToString(polynomial, [&](AtomId atom) { return NameOf(atom); });
  }

 private:
  void DefineAtom(AtomId atom) {
    const Ring::Atom& division = ring_.atoms()[atom];
    const auto common = common_.find(atom);
    if ((division.kind == AtomKind::kVariable && common == common_.end()) || names_.contains(atom)) return;
    const Polynomial& a = common == common_.end() ? division.dividend : common->second.first;
    const Polynomial& b = common == common_.end() ? division.divisor : common->second.second;
    DefineAtoms(a);
    DefineAtoms(b);
    const std::string name = StrCat("!", names_.size() + 1);
    const char* const word = division.kind == AtomKind::kFloorDiv ? " floordiv "
                             : division.kind == AtomKind::kMod    ? " mod "
                                                                  : " and ";
    StrAppend(text_, "atom ", name, word, Text(a), " ; ", Text(b), "\n");
    names_.emplace(atom, name);
  }
  std::string NameOf(AtomId atom) const {
    const auto found = names_.find(atom);
    return found == names_.end() ? ring_.atoms()[atom].name : found->second;
  }

  const Ring& ring_;
  const CommonBitsOperands& common_;
  std::string text_;
  std::map<AtomId, std::string> names_;
};

}  // namespace

std::string CertificateHead(std::string_view law, const ClaimLines& claim) {
  std::string head = StrCat("layoutcheck certificate 1\nlaw ", law, "\n");
  for (const auto& [word, text] : claim) {
    std::string line = text;
    std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    StrAppend(head, word, " ", line, "\n");
  }
  return head;
}

std::string_view CertificateBody(std::string_view certificate, std::string_view head) {
  constexpr std::string_view kEnd = "end\n";
  return certificate.substr(head.size(), certificate.size() - head.size() - kEnd.size());
}

std::string WithSource(std::string_view certificate, std::string_view law, ClaimLines claim, std::string_view source) {
  const std::string_view body = CertificateBody(certificate, CertificateHead(law, claim));
  claim.emplace_back("source", source);
  return StrCat(CertificateHead(law, claim), body, "end\n");
}

std::string NoCertificate(std::string_view method) { return StrCat("a proof by ", method, " has no steps"); }

std::string ProofText(const Ring& ring, std::span<const ProofSteps> proofs, std::span<const OutcomeLine> outcomes,
                      const CommonBitsOperands& common) {
  Printer printer(ring, common);
  std::string& text = printer.text();
  for (const OutcomeLine& outcome : outcomes) {
    if (outcome.split) {
      printer.DefineAtoms(*outcome.split);
      StrAppend(text, "split ", printer.Text(*outcome.split), " ");
    }
    StrAppend(text, outcome.word, "\n");
  }
  for (const ProofSteps& proof : proofs) printer.AppendProof(proof);
  return std::move(text);
}

}  // namespace layoutcheck
