// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of a layout as statements with certificates, for all values of the layout's names, and the builder that
// states them and has a Rewriter derive them. Trusted to add the right hypotheses and goals.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/certificate.h"
#include "layoutcheck/solver/layout_proof/padded_box.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"
#include "layoutcheck/solver/rewrite/rewriter.h"

namespace layoutcheck {

struct Obligation {
  std::string_view law;  // name of the law
  std::string part;      // part of the law, "every index" or "M = 0"
  std::unique_ptr<Certificate> certificate;
  std::string failure;  // reason why no certificate was found; empty if one was
};

// The way in which the certificates of a law are found.
enum class ProofMethod : uint8_t {
  kDigits,  // by a Rewriter, which reads polynomials as numbers in mixed radix; short, and not for every layout
  kSteps,   // by a StepDerivation; longer, for every part about elements of a tiled layout and for no other
};

// Returns the obligations that together make the law for the layout (for a fractal layout, its XLA layout) and all
// values of its names. There is one for arrays without a dimension of size 0 and, for a law about offsets, one per
// dimension that may be 0. An array with a dimension of size 0 has no index. Both methods state the same.
std::vector<Obligation> MakeObligations(const SymbolicLayout& layout, SymbolicLawId law,
                                        ProofMethod method = ProofMethod::kDigits);

class ObligationBuilder {
 public:
  // Starts the statement of one part of a law, about `layout`, whose names are those of `source`. A name in `values` is
  // that number. Every other name is at least 1 if it is a tile size or if `has_elements`, otherwise at least 0.
  ObligationBuilder(const SymbolicLayout& source, const BasicTiledLayout<SymbolicSize>& layout, ProofMethod method,
                    std::string part, std::string title, const std::map<std::string, int64_t>& values,
                    bool has_elements);

  const BasicTiledLayout<Term>& layout() const { return layout_; }
  Rewriter& rewriter() { return rewriter_; }
  Certificate& certificate() { return *certificate_; }
  ProofMethod method() const { return method_; }

  // Returns new variables prefix0, prefix1, ..., each at least 0 and less than its size.
  std::vector<Term> NewPoint(const std::string& prefix, const std::vector<Term>& sizes);
  // Returns a new variable with this value in the certificate's sample. A name that the layout has too gets a `!`.
  Term NewVariable(std::string name, int64_t sample);
  // Adds the hypothesis 0 <= value < size.
  void AssumeInRange(const Term& value, const Term& size);
  // Adds the hypothesis value < size. Requires that 0 <= value is a hypothesis or follows.
  void AssumeBelow(const Term& value, const Term& size);

  // Adds the goal a == b.
  void AddGoalEqual(const Term& a, const Term& b);
  // Adds the goals 0 <= value and value < size.
  void AddGoalInRange(const Term& value, const Term& size);
  void AddGoalBelow(const Term& value, const Term& size);

  Polynomial Canonical(const Term& term) { return rewriter_.Canonical(certificate_->Normalize(term)); }

  // Returns the statement as an obligation of the law; the builder is empty then.
  Obligation Finish(std::string_view law);

 private:
  ProofMethod method_;
  std::string part_;
  std::unique_ptr<Certificate> certificate_;
  Rewriter rewriter_;
  BasicTiledLayout<Term> layout_;
};

class ObligationList {
 public:
  ObligationList(const SymbolicLayout& layout, const SymbolicLaw& law, ProofMethod method)
      : layout_(layout), law_(law), method_(method) {}

  const SymbolicLayout& layout() const { return layout_; }

  // Returns a builder for one part of the law; its parameters are those of ObligationBuilder.
  ObligationBuilder Start(const std::string& part, bool has_elements = true,
                          const std::map<std::string, int64_t>& values = {}) const {
    return ObligationBuilder(layout_, layout_.layout, method_, part, TitleOf(part), values, has_elements);
  }
  // Returns a builder for the layout whose leading dimensions of size 1 are dimensions of the array.
  ObligationBuilder StartWithLeadingDimensions(const std::string& part) const {
    return ObligationBuilder(layout_, WithLeadingDimensions(layout_.layout, SymbolicSize{"", 1}), method_, part,
                             TitleOf(part), {}, /*has_elements=*/true);
  }
  void Add(ObligationBuilder& builder) { obligations_.push_back(builder.Finish(law_.name)); }

  std::vector<Obligation> Take() { return std::move(obligations_); }

 private:
  std::string TitleOf(const std::string& part) const {
    return StrCat(layout_.text, "\n", law_.name, ": ", law_.statement, "\npart: ", part);
  }

  const SymbolicLayout& layout_;
  const SymbolicLaw& law_;
  ProofMethod method_;
  std::vector<Obligation> obligations_;
};

}  // namespace layoutcheck
