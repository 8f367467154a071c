// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the obligations of one law of one layout.
#ifndef LAYOUTCHECK_SOLVER_LAYOUT_PROOF_OBLIGATION_LIST_H_
#define LAYOUTCHECK_SOLVER_LAYOUT_PROOF_OBLIGATION_LIST_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/layout_proof/obligation_builder.h"
#include "layoutcheck/solver/layout_proof/padded_box.h"
#include "layoutcheck/solver/layout_proof/symbolic_laws.h"

namespace layoutcheck {

class ObligationList {
 public:
  ObligationList(const SymbolicLayout& layout, const SymbolicLaw& law) : layout_(layout), law_(law) {}

  const SymbolicLayout& layout() const { return layout_; }

  // Returns a builder for one part of the law; its parameters are those of ObligationBuilder.
  ObligationBuilder Start(const std::string& part, bool has_elements = true,
                          const std::map<std::string, int64_t>& values = {}) const {
    return ObligationBuilder(layout_, layout_.layout, TitleOf(part), values, has_elements);
  }
  // Returns a builder for the layout whose leading dimensions of size 1 are dimensions of the array.
  ObligationBuilder StartWithLeadingDimensions(const std::string& part) const {
    return ObligationBuilder(layout_, WithLeadingDimensions(layout_.layout, SymbolicSize{"", 1}), TitleOf(part), {},
                             /*has_elements=*/true);
  }
  void Add(ObligationBuilder& builder, const std::string& part) {
    obligations_.push_back(builder.Finish(law_.name, part));
  }

  std::vector<Obligation> Take() { return std::move(obligations_); }

 private:
  std::string TitleOf(const std::string& part) const {
    return StrCat(layout_.text, "\n", law_.name, ": ", law_.statement, "\npart: ", part);
  }

  const SymbolicLayout& layout_;
  const SymbolicLaw& law_;
  std::vector<Obligation> obligations_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_LAYOUT_PROOF_OBLIGATION_LIST_H_
