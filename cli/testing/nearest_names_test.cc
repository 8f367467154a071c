// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that a name that nothing has is answered with the nearest one, wherever names are looked up.
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

TEST(NearestNames, AreNamed) {
  const struct {
    std::vector<std::string> arguments;
    std::string nearest;
  } rows[] = {
      {{"covert", "f32[3]", "--to", "c"}, "convert"},
      {{"report", "x", "--htlm", "page.html"}, "--html"},
      {{"convert", "f32[3]", "--to", "onedn"}, "onednn"},
      {{"check", "--law", "relayuot"}, "relayout"},
      {{"check", "(4,3):(3,1); 6:1", "--law", "compositon"}, "composition"},
      {{"prove", "f32[M]{0}", "--law", "injectiv"}, "injective"},
      {{"prove", "(4,2):(1,4)", "--law", "ontoo"}, "onto"},
      {{"prove", "ll{a:[1]} -> [2]", "--law", "ontoo"}, "onto"},
      {{"check", "--family", "fractl"}, "fractal"},
      {{"check", "--subject", "refrence"}, "reference"},
      {{"show", "NC1HWC1:f16[2,20,5,7]"}, "NC1HWC0"},
      {{"show", "zn:f16[20,40]"}, "zN"},
      {{"show", "f23[3]"}, "f32"},
      {{"parse", "bf61[3]"}, "bf16"},
      {{"show", "zN:f61[3,4]"}, "f16"},
      {{"convert", "(2,3):(1,2)", "--to", "hlo", "--element-type", "bf61"}, "bf16"},
      {{"show", "#ttg.bloked<{}>"}, "blocked"},
      {{"scan", "x", "--require", "copy-moves-dat"}, "copy-moves-data"},
  };
  for (const auto& [arguments, nearest] : rows) {
    const std::string err = RunLayoutcheck(arguments).err;
    EXPECT_NE(err.find("(did you mean '" + nearest + "'?)"), std::string::npos) << err;
  }
}

}  // namespace
}  // namespace layoutcheck
