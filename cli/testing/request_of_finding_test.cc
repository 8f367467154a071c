// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A finding about a subject that did not answer properly is about the layout in its request, and the request is the one
// that is not answered when it is asked alone.
#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include <thread>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// A way in which the subject answers some requests.
struct Misdeed {
  std::string what;
  std::string on;       // part of the requests
  std::string at = {};  // number of the request in its process, in place of `on`
};

std::vector<Misdeed> Misdeeds() {
  const std::string tile_of_one = ":T(1";  // laws ask for the same layout with such a tile
  const std::string last_index = "1]}";    // of single elements, many at a time
  return {{"crash", tile_of_one}, {"crash", last_index},    {"crash", R"("op":"size")"},
          {"hang", tile_of_one},  {"garbage", tile_of_one}, {"garbage", last_index},
          {"wrong", tile_of_one}, {"crash", "", "31"},      {"garbage", "", "47"}};
}

std::vector<std::string> LayoutsIn(const Json& request) {
  std::vector<std::string> layouts;
  for (const char* member : {"layout", "from", "to", "a", "b"}) {
    if (request.contains(member)) layouts.push_back(request[member].text());
  }
  return layouts;
}

void CheckFindingsOf(const Misdeed& misdeed) {
  const TemporaryDirectory directory;
  const std::string which =
      misdeed.at.empty() ? StrCat("--on '\\''", misdeed.on, "'\\''") : StrCat("--at ", misdeed.at);
  const std::string subject =
      StrCat("--subject 'exec:" LAYOUTCHECK_FAULTY_SUBJECT, " --do ", misdeed.what, " ", which, "' ");
  const std::string few = misdeed.what == "hang" ? "--stop-at-first --subject-timeout 500ms " : "";
  const auto result = RunShell(
      StrCat("layoutcheck check --jobs 1 --cases 25 --law linear-index --law sizes --law unit-tile ", few, subject),
      directory.path());
  const std::string all = StrCat(misdeed.what, " ", which, "\n", result.out);
  EXPECT_EQ(result.exit_code, 1) << all;
  const auto findings = JsonLines(RunShell("cat layoutcheck-out/*/findings.jsonl 2>/dev/null", directory.path()).out);
  EXPECT_FALSE(findings.empty()) << all;
  for (const Json& finding : findings) {
    if (misdeed.what == "wrong" || !finding["witness"].contains("request")) continue;
    const std::string& request = finding["witness"]["request"].text();
    const std::vector<std::string> layouts = LayoutsIn(Json::Parse(request).value());
    const auto shape = HloOfText(finding["layout"].text());
    ASSERT_TRUE(shape) << finding;
    const bool is_asked = std::ranges::any_of(layouts, [&](const std::string& layout) {
      const auto asked = HloOfText(layout);
      return asked && *asked == *shape;
    });
    EXPECT_TRUE(is_asked) << finding << "\n" << all;
    if (misdeed.at.empty()) {
      EXPECT_NE(request.find(misdeed.on), std::string::npos) << finding;
      EXPECT_FALSE(finding.contains("repeats")) << finding;
    }
  }
  if (!misdeed.at.empty()) return;
  const auto replayed =
      RunShell("layoutcheck replay layoutcheck-out/*/findings.jsonl --subject-timeout 1s", directory.path());
  EXPECT_EQ(replayed.exit_code, 1) << all << replayed.out;
  const std::string every = StrCat(findings.size(), findings.size() == 1 ? " finding" : " findings", " replayed, ",
                                   findings.size(), " found again");
  EXPECT_NE(replayed.out.find(every), std::string::npos) << all << replayed.out;
}

TEST(RequestOfFinding, HasItsLayoutAndIsNotAnsweredAlone) {
  std::vector<std::jthread> threads;
  for (const Misdeed& misdeed : Misdeeds()) threads.emplace_back([misdeed] { CheckFindingsOf(misdeed); });
}

}  // namespace
}  // namespace layoutcheck
