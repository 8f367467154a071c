// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// proofs/certificates_test.sh gives what is written here to Coq.
#include "layoutcheck/verify/coq/coq_file.h"
#include <gtest/gtest.h>
#include <set>
#include <string>
#include "layoutcheck/verify/coq/coq_terms.h"

namespace layoutcheck::verify {
namespace {

std::string Certificate(const std::string& claim, const std::string& body) {
  return "layoutcheck certificate 1\n" + claim + body + "end\n";
}

TEST(CoqFile, StatesAClaimAboutAFormulaAndFollowsItsSteps) {
  const auto theorem =
      CoqTheorem(Certificate("law formula\nover i0 < N\nformula min(i0, d0)\nequals let mod_ = i0 in mod_\n",
                             "path\n+\n+\ngoal 3\ngoal 3\ngoal\n"),
                 7);
  ASSERT_TRUE(theorem.has_value()) << theorem.error();
  EXPECT_EQ(*theorem, R"((* formula: min(i0, d0) equals let mod_ = i0 in mod_ over i0 < N *)
From Coq Require Import ZArith List Lia.
From Layoutcheck Require Import Steps Enumeration.
Open Scope Z_scope.

Theorem claim7 : forall N i0 : Z,
  1 <= N -> 0 <= i0 -> i0 < N -> Holds (Less (Value i0) (Value N)) ->
  Agree (Let (Value i0) (fun mod__ => Value mod__))
    (Min (Value i0) (Value N)).
Proof.
  intros N i0 fact1 fact2 fact3.
  begin.
  condition_is_true.
  condition_is_true.
  settle.
  goal ltac:(clear; lia).
  goal ltac:(clear -fact3; lia).
  goal ltac:(clear -fact3; lia).
  exact I.
Qed.
Print Assumptions claim7.
)");
}

TEST(CoqFile, StatesALawWithTheAlignmentOfTheLayout) {
  const auto theorem =
      CoqTheorem(Certificate("law in-bounds\nlayout s8[N]{0:L(4)}\n", "sequent every index\ngoal 3\ngoal 2\n"), 1);
  ASSERT_TRUE(theorem.has_value()) << theorem.error();
  EXPECT_NE(theorem->find("forall N : Z,\n  0 <= N ->\n  let layout := {| minor_to_major := [0%nat]; tiles := []; "
                          "alignment := 4 |} in\n  let sizes := [N] in\n"),
            std::string::npos)
      << *theorem;
}

TEST(CoqFile, RefusesCertificatesThatAreNotAccepted) {
  const auto theorem =
      CoqTheorem(Certificate("law in-bounds\nlayout s8[N]{0}\n", "sequent every index\ngoal 2\ngoal 2\n"), 1);
  ASSERT_FALSE(theorem.has_value());
  EXPECT_NE(theorem.error().find("line 5"), std::string::npos) << theorem.error();
}

TEST(CoqFile, ElementsOfATableHaveTheirValuesBeforeTheIndex) {
  const auto theorem = CoqTheorem(
      Certificate("law formula\nover i0 < N\nformula [7, i0 + 1][1] - 1\nequals i0\n", "path\n+\ngoal 3\ngoal\n"), 1);
  ASSERT_TRUE(theorem.has_value()) << theorem.error();
  EXPECT_NE(
      theorem->find("(Subtract (Let (Add (Value i0) (Value 1)) (fun element1 => Element [7; element1] (Value 1))) "
                    "(Value 1))"),
      std::string::npos)
      << *theorem;
}

TEST(CoqFile, SaysWhichTypeACastIsTo) {
  const auto theorem = CoqTheorem(Certificate("law formula\nformula uint8(x)\nequals x\nassume x < 256\n",
                                              "path\nY\nfit\ngoal 1\n" + std::string("goal 2\ngoal\npath\nN\n")),
                                  1);
  ASSERT_TRUE(theorem.has_value()) << theorem.error();
  EXPECT_NE(theorem->find("Agree (Value x)\n    (Cast false 8 (Value x))"), std::string::npos) << *theorem;
  EXPECT_NE(theorem->find("    cast_fits.\n    settle.\n    goal "), std::string::npos) << *theorem;
}

TEST(CoqFile, StatesThatAFormulaIsBelowABound) {
  const auto theorem = CoqTheorem(
      Certificate("law in-bounds\nover i0 < N\nformula i0\nbelow N\n", "path\n+\ngoal 3\ngoal 3\ngoal 2\n"), 1);
  ASSERT_TRUE(theorem.has_value()) << theorem.error();
  EXPECT_NE(theorem->find("  Below (Value N)\n    (Value i0).\n"), std::string::npos) << *theorem;
}

TEST(CoqFile, EqualValuesAreNoReasonForConditions) {
  const auto theorem = CoqTheorem(
      Certificate("law injective\nover i0 < N\nformula i0 + 1, i0\n", "path\n+\n+\ngoal 4\ngoal 5\ngoal 6\n"), 1);
  ASSERT_TRUE(theorem.has_value()) << theorem.error();
  EXPECT_NE(theorem->find(R"(Theorem claim1 : forall N i0 j0 : Z,
  1 <= N -> 0 <= i0 -> 0 <= j0 -> i0 < N -> j0 < N -> Holds (Less (Value i0) (Value N)) -> Holds (Less (Value j0) (Value N)) ->
  TellApart [Add (Value i0) (Value 1); Value i0]
    [Add (Value j0) (Value 1); Value j0]
    (i0 = j0).
Proof.
  intros N i0 j0 fact1 fact2 fact3 fact4 fact5.
  begin.
  condition_is_true.
  condition_is_true.
  settle.
  conditions_first.
  condition ltac:(clear -fact5; lia).
  condition ltac:(clear -fact4; lia).
  equal_values fact6 fact7.
  goal ltac:(clear -fact6; lia).
  exact I.
Qed.
)"),
            std::string::npos)
      << *theorem;
}

TEST(CoqFile, NoNameOfTheUserIsThatOfTheOtherPoint) {
  const auto theorem =
      CoqTheorem(Certificate("law injective\nover i0 < j0\nformula i0\n", "path\n+\n+\ngoal 4\ngoal 5\ngoal 6\n"), 1);
  ASSERT_FALSE(theorem.has_value());
  EXPECT_EQ(theorem.error(), "a name such as j0 is that of the other point");
}

TEST(CoqFile, AStridedLayoutOfNumbersIsComputed) {
  const auto theorem = CoqTheorem(Certificate("law onto\nlayout ((3,_4),5):((4,1),-12)\n", "by reach\n"), 1);
  ASSERT_TRUE(theorem.has_value()) << theorem.error();
  EXPECT_NE(theorem->find(R"(Theorem claim1 : Onto (Tuple [Tuple [Mode 3 4; Mode 4 1]; Mode 5 (- 12)]).
Proof.
  apply (onto_by_reach _ [2%nat; 0%nat; 1%nat]).
  vm_cast_no_check (eq_refl true).
Qed.
)"),
            std::string::npos)
      << *theorem;
}

TEST(CoqFile, ALawOfAStridedLayoutFollowsFromItsFormula) {
  const std::string body = "sequent every two indices\npath\n+\n+\ngoal 4\ngoal 5\ngoal 6\n";
  const auto theorem = CoqTheorem(Certificate("law inverse\nlayout M:1\n", body), 1);
  ASSERT_TRUE(theorem.has_value()) << theorem.error();
  EXPECT_NE(theorem->find("Theorem claim1_1 : forall M i0 j0 : Z,"), std::string::npos) << *theorem;
  EXPECT_NE(theorem->find("Theorem claim1 : forall M : Z,\n  0 <= M ->\n  Invertible (Tuple [Mode M 1])."),
            std::string::npos)
      << *theorem;
  const auto shift = CoqTheorem(Certificate("law injective\nlayout (M >> 1):1\n", body), 1);
  EXPECT_FALSE(shift.has_value());
}

TEST(CoqFile, AnEnumerationTestsEveryPoint) {
  const auto theorem = CoqTheorem(
      Certificate("law formula\nover i0 < N\nformula i0 * i0\nequals i0\nassume N < 3\n", "by enumeration\n"), 1);
  ASSERT_TRUE(theorem.has_value()) << theorem.error();
  EXPECT_NE(theorem->find(R"(Proof.
  assert (all : each 1 2 (fun N => each 0 (N - 1) (fun i0 =>
    if forallb holds [Less (Value N) (Value 3); Less (Value i0) (Value N)]
    then agree (Value i0) (Multiply (Value i0) (Value i0)) else true)) = true)
    by (vm_cast_no_check (eq_refl true)).
  intros N i0 fact1 fact2 fact3.
  intros.
  at_value all N.
  at_value all i0.
  by_test all.
Qed.
)"),
            std::string::npos)
      << *theorem;
}

TEST(CoqFile, SaysThatAFractalLayoutIsATiledOne) {
  const auto theorem = CoqTheorem(Certificate("law equals-hlo\nlayout VectorLayout:f16[1,N]\n",
                                              "sequent every index of the fractal layout\ngoal\n"
                                              "sequent allocation of the fractal layout\ngoal\n"
                                              "sequent N = 0\ngoal\ngoal\n"),
                                  1);
  ASSERT_TRUE(theorem.has_value()) << theorem.error();
  EXPECT_NE(theorem->find("linear_index layout sizes index = fractal_offset Vector sizes index"), std::string::npos)
      << *theorem;
}

TEST(CoqFile, StatesThatNoPartOverflowsWhereTheArrayFits) {
  const auto theorem = CoqTheorem(Certificate("law no-overflow\nlayout s8[N]{0:L(4)}\nown i0\ninteger int32\n",
                                              "path\ngoal 2\ngoal 3 1/8*4\ngoal\n"),
                                  1);
  ASSERT_TRUE(theorem.has_value()) << theorem.error();
  EXPECT_NE(theorem->find(R"(Theorem claim1 : forall N i0 : Z,
  1 <= N -> 0 <= i0 -> i0 < N ->
  padded_elements {| minor_to_major := [0%nat]; tiles := []; alignment := 4 |} [N] * 8 <= 8 * largest int32 ->
  NoOverflow int32
    (Value i0) /\
  eval (Value i0) =
    Some (linear_index {| minor_to_major := [0%nat]; tiles := []; alignment := 4 |} [N] [i0]).
Proof.
  intros N i0 fact1 fact2 fact3 fact4.
  in_memory fact4.
  begin.
  settle.
  goal ltac:(clear; lia).
  goal ltac:(clear -fact3 fact4; lia).
  goal ltac:(clear -fact2; lia).
  exact I.
Qed.
)"),
            std::string::npos)
      << *theorem;
}

TEST(CoqFile, SaysInWhichTypeNothingOverflows) {
  const auto theorem = CoqTheorem(Certificate("law no-overflow\nover i0 < 8\nformula i0\ninteger int64:c++20\n",
                                              "path\n+\ngoal 2\ngoal 1\ngoal 2\n"),
                                  1);
  ASSERT_TRUE(theorem.has_value()) << theorem.error();
  EXPECT_NE(theorem->find("NoOverflow (cpp20 int64)\n    (Value i0).\n"), std::string::npos) << *theorem;
}

TEST(CoqFile, RefusesOverflowOfATableOfFormulas) {
  const auto theorem = CoqTheorem(Certificate("law no-overflow\nover i0 < 8\nformula [1, i0][0]\ninteger int64\n",
                                              "path\n+\ngoal 2\ngoal 1\ngoal 2\n"),
                                  1);
  ASSERT_FALSE(theorem.has_value());
  EXPECT_EQ(theorem.error(), "proofs/Overflow.v has no tables whose elements are formulas");
}

TEST(CoqFile, NoTwoNamesHaveOneIdentifier) {
  const std::set<std::string> names = {"N",      "N_",       "index",   "index_", "index__", "fact1", "fact1_",
                                       "fact_1", "!1",       "atom1",   "atom_1", "_",       "__",    "Min",
                                       "min_",   "If",       "If_",     "K1",     "K",       "i0",    "claim1",
                                       "E3",     "element1", "Element", "land"};
  std::set<std::string> identifiers;
  for (const std::string& name : names) EXPECT_TRUE(identifiers.insert(CoqName(name)).second) << name;
  EXPECT_EQ(CoqName("N"), "N");
  EXPECT_EQ(CoqName("forall"), "forall_");
  EXPECT_EQ(CoqPolynomial("3*N*!12 - index + 7"), "3*N*atom_12 - index_ + 7");
}

}  // namespace
}  // namespace layoutcheck::verify
