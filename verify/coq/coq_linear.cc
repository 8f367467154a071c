// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/coq/coq_linear.h"
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/coq/coq_terms.h"

namespace layoutcheck::verify {

std::string CoqLinearTheorem(std::string_view law, const LinearLayout& layout, const std::string& name) {
  const auto list = [](const auto& numbers) { return StrCat("[", StrJoin(numbers, "; "), "]"); };
  std::vector<std::string> images;
  for (const std::vector<int64_t>& parts : layout.parts) images.push_back(list(parts));
  const std::string sizes = list(layout.sizes);
  const bool is_onto = law == "onto";
  return StrCat("Theorem ", name, " : ", is_onto ? StrCat("OntoInBits (volume ", sizes, ")") : "InjectiveInBits",
                "\n  (map (linearize ", sizes, ") ", CoqList(images), ").\nProof.\n  apply (",
                is_onto ? StrCat("onto_in_bits ", layout.bits, " _ _ ") : "injective_in_bits _ ",
                list(InverseOf(layout)), ").\n  vm_cast_no_check (eq_refl true).\nQed.\n");
}

}  // namespace layoutcheck::verify
