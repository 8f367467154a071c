// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/coq/coq_file.h"
#include "layoutcheck/verify/coq/coq_terms.h"

namespace layoutcheck::verify {

namespace {

std::string List(const auto& numbers) { return StrCat("[", StrJoin(numbers, "; "), "]"); }

// Returns the images as row-major numbers of the outputs.
std::string Images(const LinearLayout& layout) {
  std::vector<std::string> images;
  for (const std::vector<int64_t>& parts : layout.parts) images.push_back(List(parts));
  return StrCat("\n  (map (linearize ", List(layout.sizes), ") ", CoqList(images), ")");
}

}  // namespace

std::string CoqLinearTheorem(std::string_view law, const LinearLayout& layout, const std::string& name) {
  const bool is_onto = law == "onto";
  return StrCat("Theorem ", name, " : ",
                is_onto ? StrCat("OntoInBits (volume ", List(layout.sizes), ")") : "InjectiveInBits", Images(layout),
                ".\nProof.\n  apply (",
                is_onto ? StrCat("onto_in_bits ", layout.bits, " _ _ ") : "injective_in_bits _ ",
                List(InverseOf(layout)), ").\n  vm_cast_no_check (eq_refl true).\nQed.\n");
}

std::string CoqEqualTheorem(const LinearLayout& layout, const LinearLayout& other, const std::string& name) {
  return StrCat("Theorem ", name, " : ", List(layout.input_bits), " = ", List(other.input_bits),
                " :> list Z /\\ EqualInBits", Images(layout), Images(other),
                ".\nProof.\n  split; [reflexivity | apply equal_in_bits].\n",
                "  vm_cast_no_check (eq_refl true).\nQed.\n");
}

}  // namespace layoutcheck::verify
