// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules whose text was cut or has lines that cannot be read: what remains is judged, and what is missing is no fault.
#include <gtest/gtest.h>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/testing/module_findings.h"
#include "layoutcheck/properties/testing/module_generator.h"

namespace layoutcheck {
namespace {

// Returns "line rule" of each error and advice but those about text that cannot be read. A bitcast of an operand whose
// line is lost is undecided.
std::set<std::string> JudgedIn(std::string text) {
  const HloModule module = ReadModule(std::move(text));
  ModuleFacts facts(module);
  std::set<std::string> judged;
  for (const RuleFinding& finding : CheckModule(facts).findings) {
    if (finding.rule == "unreadable" || finding.severity == Severity::kUndecided) continue;
    judged.insert(StrCat(finding.place.line, " ", finding.rule));
  }
  return judged;
}

// Expects that the text says nothing about layouts that the whole does not say, too.
void ExpectNothingNew(const std::string& text, const std::set<std::string>& whole) {
  const std::set<std::string> found = JudgedIn(text);
  ASSERT_TRUE(std::ranges::includes(whole, found))
      << ::testing::PrintToString(found) << " are found in\n"
      << text << "\nand in the whole text " << ::testing::PrintToString(whole);
}

// Cuts the text at each `step`th byte and at the ends of all lines, and makes each line unreadable. Returns the number
// of texts.
int64_t JudgeParts(const std::string& text, size_t step) {
  const std::set<std::string> whole = JudgedIn(text);
  int64_t parts = 0;
  size_t line = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const bool ends_line = text[at] == '\n';
    if (ends_line || at % step == 0) ExpectNothingNew(text.substr(0, at), whole), ++parts;
    if (!ends_line) continue;
    ExpectNothingNew(text.substr(0, at + 1), whole);
    std::string broken = text;
    broken.replace(line, at - line, "]]]");
    ExpectNothingNew(broken, whole);
    parts += 2;
    line = at + 1;
  }
  return parts;
}

TEST(CutText, OfTheExamples) {
  int64_t parts = 0;
  for (const char* name : {"module.txt", "older.txt", "explain.txt"}) {
    std::ifstream file(StrCat(LAYOUTCHECK_CORPUS, "/modules/", name));
    std::stringstream text;
    text << file.rdbuf();
    ASSERT_FALSE(text.str().empty()) << name;
    parts += JudgeParts(text.str(), 1);
  }
  std::cout << parts << " texts\n";
}

TEST(CutText, OfDrawnModules) {
  int64_t parts = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) parts += JudgeParts(Print(DrawModule(seed)).text, 17);
  std::cout << parts << " texts\n";
}

// In each part, something that is missing would decide what a comparison says: a root, an entry, the end of an index or
// of a name, the body of a computation.
constexpr std::string_view kModule =
    R"(HloModule jit_f, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }, entry_computation_layout={(f32[4,6]{1,0:T(8,128)}, f32[6]{0:T(256)})->(f32[4,6]{1,0:T(8,128)}, f32[6,4]{1,0:T(8,128)})}

%fused_computation (param_0: f32[4,6], param_1: f32[6]) -> (f32[4,6], f32[6,4]) {
  %param_1 = f32[6]{0:T(256)} parameter(1)
  %param_0 = f32[4,6]{1,0:T(8,128)} parameter(0)
  %b = f32[4,6]{0,1:T(8,128)} broadcast(%param_1), dimensions={1}
  %add.1 = f32[4,6]{1,0:T(8,128)} add(%param_0, %b)
  %turn = f32[6,4]{1,0:T(8,128)} transpose(%add.1), dimensions={1,0}
  ROOT %tuple.1 = (f32[4,6]{1,0:T(8,128)}, f32[6,4]{1,0:T(8,128)}) tuple(%add.1, %turn)
}

%fused_computation.1 (param_0.1: f32[4,6]) -> f32[4,6] {
  %param_0.1 = f32[4,6]{1,0:T(8,128)} parameter(0)
  ROOT %negate.1 = f32[4,6]{1,0:T(8,128)} negate(%param_0.1)
}

%fused_computation.11 (param_0.2: f32[6,4]) -> f32[6,4] {
  %param_0.2 = f32[6,4]{0,1:T(8,128)} parameter(0)
  ROOT %copy.1 = f32[6,4]{1,0:T(8,128)} copy(%param_0.2)
}

%body (p: (f32[4,6], s32[])) -> (f32[4,6], s32[]) {
  %p = (f32[4,6]{1,0:T(8,128)}, s32[]{:T(128)}) parameter(0)
  %x = f32[4,6]{1,0:T(8,128)} get-tuple-element(%p), index=0
  %i = s32[]{:T(128)} get-tuple-element(%p), index=1
  %n = f32[4,6]{1,0:T(8,128)} fusion(%x), kind=kLoop, calls=%fused_computation.1
  ROOT %t = (f32[4,6]{1,0:T(8,128)}, s32[]{:T(128)}) tuple(%n, %i)
}

%condition (q: (f32[4,6], s32[])) -> pred[] {
  %q = (f32[4,6]{1,0:T(8,128)}, s32[]{:T(128)}) parameter(0)
  ROOT %c = pred[]{:T(512)} constant(false)
}

ENTRY %main (a: f32[4,6], b: f32[6]) -> (f32[4,6], f32[6,4]) {
  %a = f32[4,6]{1,0:T(8,128)} parameter(0)
  %b.1 = f32[6]{0:T(256)} parameter(1)
  %zero = s32[]{:T(128)} constant(0)
  %start = (f32[4,6]{1,0:T(8,128)}, s32[]{:T(128)}) tuple(%a, %zero)
  %while.1 = (f32[4,6]{1,0:T(8,128)}, s32[]{:T(128)}) while(%start), condition=%condition, body=%body
  %w = f32[4,6]{1,0:T(8,128)} get-tuple-element(%while.1), index=0
  %both = (f32[4,6]{1,0:T(8,128)}, f32[6,4]{1,0:T(8,128)}) fusion(%w, %b.1), kind=kLoop, calls=%fused_computation
  %first = f32[4,6]{1,0:T(8,128)} get-tuple-element(%both), index=0
  %second = f32[6,4]{1,0:T(8,128)} get-tuple-element(%both), index=1
  %third = f32[6,4]{0,1:T(8,128)} copy(%second)
  %fourth = f32[6,4]{1,0:T(8,128)} fusion(%third), kind=kLoop, calls=%fused_computation.11
  %wide = (f32[], f32[1], f32[2], f32[3], f32[4], f32[5], f32[6], f32[7], f32[8], f32[9], f32[10]) custom-call(%first)
  %eleventh = f32[10] get-tuple-element(%wide), index=10
  ROOT %result = (f32[4,6]{1,0:T(8,128)}, f32[6,4]{1,0:T(8,128)}) tuple(%first, %fourth)
}
)";

TEST(CutText, OfAModuleWithManyKindsOfReferences) {
  EXPECT_EQ(FoundIn(std::string(kModule)), std::vector<std::string>{});
  std::cout << JudgeParts(std::string(kModule), 1) << " texts\n";
  // As after a header of a second module that is lost: each computation has a second one of its name.
  std::string two(kModule);
  std::string other(kModule);
  for (size_t at = other.find("{1,0"); at != std::string::npos; at = other.find("{1,0", at))
    other[at + 1] = '0', other[at + 3] = '1';
  two += other.substr(other.find('\n') + 1);
  EXPECT_EQ(JudgedIn(two), std::set<std::string>{});
}

}  // namespace
}  // namespace layoutcheck
