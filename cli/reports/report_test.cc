// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the content of reports, and that no finding can break their markup.
#include "layoutcheck/cli/reports/report.h"
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>
#include "layoutcheck/cli/reports/finding_text.h"
#include "layoutcheck/cli/testing/markup.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// Returns three findings of two subjects: a wrong offset, a crash, and a text full of characters that need escapes.
std::vector<SavedFinding> Findings() {
  Finding offset;
  offset.subject = "exec:./mine";
  offset.law = "linear-index";
  offset.layout = "f32[4,2]{0,1:T(3)}";
  offset.coordinate = {0, 1};
  offset.expected = "6";
  offset.actual = "3";
  offset.count = 40;
  offset.reproduce = "layoutcheck replay out/findings.jsonl:1";
  Finding crash = offset;
  crash.law = "subject-crash";
  crash.coordinate.reset();
  crash.actual = "killed by signal 11";
  crash.request = R"({"op":"table","layout":"f32[4,2]{0,1:T(3)}"})";
  crash.repeats = "after 51 requests";
  crash.directory = "/home/me";
  crash.count = 1;
  Finding text;
  text.subject = "lib:<a> & \"b\" 'c'.so";
  text.law = "accepts-malformed";
  text.layout = std::string("]]>\x01\n</td>\xef\xbf\xbe\xc3\xa9\0<!--", 21);
  text.text = text.layout;
  text.kind = "shape";
  text.expected = "rejected <here> & there";
  text.actual = "accepted\x1b[31m";
  return {{offset, "out/findings.jsonl", 1}, {crash, "out/findings.jsonl", 2}, {text, "/tmp/a b%c.jsonl", 7}};
}

TEST(Report, JunitHasASuiteForEachSubjectAndACaseForEachFinding) {
  const std::string xml = JunitReport(Findings());
  std::string error;
  EXPECT_TRUE(IsWellFormed(xml, error)) << error;
  const std::string head =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"layoutcheck\" tests=\"3\" failures=\"2\" errors=\"1\" skipped=\"0\" time=\"0\">\n"
      "  <testsuite name=\"exec:./mine\" tests=\"2\" failures=\"1\" errors=\"1\" skipped=\"0\" time=\"0\">\n"
      "    <testcase classname=\"linear-index\" name=\"f32[4,2]{0,1:T(3)}\" time=\"0\">\n"
      "      <failure type=\"linear-index\" message=\"exec:./mine breaks linear-index on f32[4,2]{0,1:T(3)} at element "
      "(0,1): expected 6, actual 3\">FOUND: exec:./mine breaks linear-index\n"
      "  law        Every element is at the linear index that the tiling's closed formula gives it.\n"
      "  layout     f32[4,2]{0,1:T(3)}\n"
      "  at element (0,1)\n"
      "  expected   6\n"
      "  actual     3\n";
  EXPECT_EQ(xml.substr(0, head.size()), head);
  EXPECT_NE(xml.find("      <error type=\"subject-crash\""), std::string::npos);
  EXPECT_NE(xml.find("<testsuite name=\"lib:&lt;a&gt; &amp; &quot;b&quot; 'c'.so\" tests=\"1\" failures=\"1\""),
            std::string::npos);
  EXPECT_EQ(xml.find("\xef\xbf\xbe"), std::string::npos);
  EXPECT_NE(xml.find("\xc3\xa9"), std::string::npos);
  EXPECT_EQ(JunitReport({}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"layoutcheck\" tests=\"1\" failures=\"0\" "
            "errors=\"0\" skipped=\"0\" time=\"0\">\n  <testsuite name=\"layoutcheck\" tests=\"1\" failures=\"0\" "
            "errors=\"0\" skipped=\"0\" time=\"0\">\n    <testcase classname=\"findings\" name=\"none\" time=\"0\">\n"
            "    </testcase>\n  </testsuite>\n</testsuites>\n");
}

TEST(Report, HtmlIsAPageOnItsOwnWithThePictureOfMemory) {
  const std::string page = HtmlReport(Findings());
  std::string error;
  EXPECT_TRUE(IsWellFormed(page, error)) << error;
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n"));
  for (const char* expected :
       {"<h1>3 findings</h1>", "<a href=\"#finding-2\">subject-crash</a>",
        "<h2 id=\"finding-1\">exec:./mine breaks linear-index</h2>", "<tr><th>at element</th><td>(0,1)</td></tr>",
        "<tr><th>expected</th><td>6</td></tr>", "<title>6: y=0 x=1</title>",
        "<tr><th>repeat</th><td>layoutcheck replay out/findings.jsonl:1</td></tr>",
        "lib:&lt;a&gt; &amp; &quot;b&quot; 'c'.so breaks accepts-malformed", "accepted\\x1b[31m"}) {
    EXPECT_NE(page.find(expected), std::string::npos) << expected;
  }
  for (const char* unexpected : {"<script", "src=", "http:", "https:", "@import"}) {
    std::string rest = page;
    for (size_t at = 0; (at = rest.find(" xmlns=\"http://www.w3.org/2000/svg\"")) != std::string::npos;) {
      rest.erase(at, 35);
    }
    EXPECT_EQ(rest.find(unexpected), std::string::npos) << unexpected;
  }
  EXPECT_TRUE(IsWellFormed(HtmlReport({}), error)) << error;
}

TEST(Report, SarifNamesRulesResultsAndPlaces) {
  const Json document = Json::Parse(SarifReport(Findings())).value();
  EXPECT_EQ(document["version"], "2.1.0");
  ASSERT_EQ(document["runs"].size(), 1u);
  const Json& run = document["runs"][0];
  const Json& driver = run["tool"]["driver"];
  EXPECT_EQ(driver["name"], "layoutcheck");
  std::set<std::string> ids;
  for (const Json& rule : driver["rules"]) {
    EXPECT_TRUE(ids.insert(rule["id"].text()).second) << "rule ids are unique";
    EXPECT_FALSE(rule["shortDescription"]["text"].text().empty());
  }
  EXPECT_EQ(ids, (std::set<std::string>{"accepts-malformed", "linear-index", "subject-crash"}));
  ASSERT_EQ(run["results"].size(), 3u);
  std::set<std::string> fingerprints;
  for (const Json& result : run["results"]) {
    EXPECT_EQ(driver["rules"].at(result["ruleIndex"].get<size_t>())["id"], result["ruleId"]);
    EXPECT_EQ(result["level"], "error");
    EXPECT_GE(result["occurrenceCount"].get<int64_t>(), 1);
    ASSERT_EQ(result["locations"].size(), 1u);
    ASSERT_EQ(result["locations"][0]["logicalLocations"].size(), 1u);
    fingerprints.insert(result["partialFingerprints"]["subjectLawLayout/v1"].text());
  }
  EXPECT_EQ(fingerprints.size(), 3u);
  EXPECT_TRUE(run["results"][1]["message"]["text"].text().ends_with("signal 11 (after 51 requests)"));
  const Json& first = run["results"][0];
  EXPECT_EQ(first["message"]["text"],
            "exec:./mine breaks linear-index on f32[4,2]{0,1:T(3)} at element (0,1): expected 6, actual 3");
  EXPECT_EQ(first["occurrenceCount"], 40);
  const Json& place = first["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "out/findings.jsonl");
  EXPECT_EQ(place["region"]["startLine"], 1);
  EXPECT_EQ(run["results"][2]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "file:///tmp/a%20b%25c.jsonl");
  EXPECT_EQ(Json::Parse(SarifReport({})).value()["runs"][0]["results"], Json::array());
  // A finding given as text has no file.
  EXPECT_FALSE(Json::Parse(SarifReport(std::vector<SavedFinding>{{Findings()[0].finding, "", 0}}))
                   .value()["runs"][0]["results"][0]["locations"][0]
                   .contains("physicalLocation"));
}

}  // namespace
}  // namespace layoutcheck
