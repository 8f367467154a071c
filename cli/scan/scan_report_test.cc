// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the reports of `scan` and its budgets.
#include "layoutcheck/cli/scan/scan_report.h"
#include <gtest/gtest.h>
#include <set>
#include <string>
#include "layoutcheck/cli/scan/budget.h"
#include "layoutcheck/cli/testing/markup.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// A wrong bitcast, a free copy, and an array of little but padding.
constexpr const char* kModule = R"(HloModule jit_f, is_scheduled=true
ENTRY %main {
  %x = f32[12]{0:T(16)} parameter(0)
  %b = f32[4,4]{1,0:T(4,4)} bitcast(%x), metadata={source_file="a<b>&.py" source_line=3}
  %y = f32[1,8]{1,0} parameter(1)
  %c = f32[1,8]{0,1} copy(%y)
  ROOT %w = f32[100000,3]{1,0:T(8,128)} custom-call(%c), custom_call_target="w"
}
)";
constexpr const char* kBefore = "HloModule m\nENTRY e {\n  ROOT x = f32[4,4]{1,0} parameter(0)\n}\n";

// Adds a module that comes from a file.
void AddModule(ScanReport& report, std::string file, std::string text) {
  ModuleScan scan = ScanModule({.file = std::move(file), .first_line = 1, .text = std::move(text)});
  report.Add(scan);
}

std::vector<Budget> Budgets(std::initializer_list<std::string_view> texts) {
  std::vector<Budget> budgets;
  for (const std::string_view text : texts) budgets.push_back(*ParseBudget(text));
  return budgets;
}

TEST(Budget, IsParsed) {
  const auto waste = ParseBudget(" waste < 12.5 % ");
  ASSERT_TRUE(waste) << waste.error().ToString();
  EXPECT_EQ(waste->amount, BudgetAmount::kWaste);
  EXPECT_EQ(waste->percent, 12.5);
  EXPECT_EQ(waste->text, "waste < 12.5 %");
  const auto bytes = ParseBudget("bytes<2GiB");
  ASSERT_TRUE(bytes) << bytes.error().ToString();
  EXPECT_EQ(bytes->amount, BudgetAmount::kBytes);
  EXPECT_EQ(bytes->bytes, int64_t{2} << 30);
  EXPECT_EQ(ParseBudget("copies<64MiB")->amount, BudgetAmount::kCopies);
  const struct {
    std::string_view text;
    int64_t column;
    std::string_view message;
  } wrong[] = {
      {"", 1, "expected waste, bytes, copies or peak, found ''"},
      {"  padding<20%", 3, "expected waste, bytes, copies or peak, found 'padding'"},
      {"waste", 6, "expected '<' and a limit after 'waste'"},
      {"waste<", 7, "expected a percentage such as 20%, found ''"},
      {"waste< 0.2", 8, "expected a percentage such as 20%, found '0.2'"},
      {"waste<120%", 7, "expected a percentage such as 20%, found '120%'"},
      {"waste<-1%", 7, "expected a percentage such as 20%, found '-1%'"},
      {"waste<nan%", 7, "expected a percentage such as 20%, found 'nan%'"},
      {"bytes<20%", 7, "expected a number of bytes such as 64MiB or 2GiB, found '20%'"},
      {"bytes<=2GiB", 7, "expected a number of bytes such as 64MiB or 2GiB, found '=2GiB'"},
  };
  for (const auto& [text, column, message] : wrong) {
    const auto budget = ParseBudget(text);
    ASSERT_FALSE(budget) << text;
    EXPECT_EQ(budget.error().column, column) << text;
    EXPECT_TRUE(budget.error().message.starts_with(message)) << budget.error().message;
  }
}

// A budget is kept by less than its limit alone.
TEST(Budget, TheLimitItselfExceedsIt) {
  ModuleScan scan = ScanModule({.file = "a", .first_line = 1, .text = kModule});
  const int64_t bytes = scan.totals.bytes;
  for (const int64_t limit : {bytes - 1, bytes, bytes + 1}) {
    const Budget budget{.text = "", .amount = BudgetAmount::kBytes, .bytes = limit};
    EXPECT_EQ(ExceededJson(budget, scan).has_value(), limit <= bytes) << limit;
  }
  EXPECT_EQ((*ExceededJson(*ParseBudget("copies<32"), scan))["value"], 32);
  EXPECT_FALSE(ExceededJson(*ParseBudget("copies<33"), scan));
  const Json peak = *ExceededJson(*ParseBudget("peak<1MiB"), scan);
  EXPECT_EQ(peak["value"], scan.live->curve[scan.live->peak].bytes);
  EXPECT_EQ(peak["arrays"][0]["instruction"], "w");
  const Json waste = *ExceededJson(*ParseBudget("waste<20%"), scan);
  EXPECT_EQ(waste["arrays"][0]["instruction"], "w");
  EXPECT_EQ(waste["limit"], 0.2);
  ModuleScan empty = ScanModule({.file = "a", .first_line = 1, .text = "HloModule m\n"});
  EXPECT_FALSE(ExceededJson(*ParseBudget("waste<0%"), empty));
  EXPECT_EQ(WhyNotHeld(*ParseBudget("bytes<1"), empty), "no layouts yet");
  const ModuleScan unscheduled = ScanModule(
      {.file = "a", .first_line = 1, .text = "HloModule m\nENTRY e {\n  ROOT x = f32[8]{0:T(8)} parameter(0)\n}\n"});
  EXPECT_EQ(WhyNotHeld(*ParseBudget("bytes<1"), unscheduled), "");
  EXPECT_EQ(WhyNotHeld(*ParseBudget("peak<1"), unscheduled), "live memory is not known");
}

TEST(ScanReport, SarifNamesRulesResultsAndPlaces) {
  const ScanOptions options{.budgets = Budgets({"waste<20%"}), .json = false};
  ScanReport report(options);
  AddModule(report, "out/a b.txt", kModule);
  AddModule(report, "-", kModule);
  report.Finish();
  const Json document = Json::Parse(ScanSarif(report)).value();
  EXPECT_EQ(document["version"], "2.1.0");
  const Json& run = document["runs"][0];
  const Json& rules = run["tool"]["driver"]["rules"];
  EXPECT_EQ(rules.size(), ModuleRules().size() + 2);
  std::set<std::string> ids;
  for (const Json& rule : rules) EXPECT_TRUE(ids.insert(rule["id"].text()).second) << rule;
  const Json& results = run["results"];
  ASSERT_EQ(results.size(), report.results().findings.size());
  std::map<std::string, std::string> levels;
  std::set<std::string> fingerprints;
  for (const Json& result : results) {
    EXPECT_EQ(rules.at(result["ruleIndex"].get<size_t>())["id"], result["ruleId"]);
    levels[result["ruleId"].text()] = result["level"].text();
    fingerprints.insert(result["partialFingerprints"]["ruleFileInstruction/v1"].text());
  }
  EXPECT_EQ(levels, (std::map<std::string, std::string>{{"bitcast-reads-padding", "error"},
                                                        {"budget", "error"},
                                                        {"copy-is-free", "note"},
                                                        {"padding-waste", "note"}}));
  EXPECT_EQ(fingerprints.size(), results.size());
  const Json& location = results[0]["locations"][0];
  EXPECT_EQ(location["physicalLocation"]["artifactLocation"]["uri"], "out/a%20b.txt");
  EXPECT_EQ(location["physicalLocation"]["region"], Json({{"startLine", 4}, {"startColumn", 3}}));
  EXPECT_EQ(location["logicalLocations"][0]["fullyQualifiedName"], "main/b");
  // Standard input has no place that another program could open.
  EXPECT_FALSE(results[results.size() - 1]["locations"].Dump().contains("physicalLocation"));
}

TEST(ScanReport, JunitHasASuitePerModuleAndACasePerRule) {
  const ScanOptions options{.budgets = Budgets({"waste<20%", "bytes<1GiB"}), .json = false};
  ScanReport report(options);
  AddModule(report, "a.txt", kModule);
  AddModule(report, "before<&>\xff.txt", kBefore);
  report.Finish();
  const std::string xml = ScanJunit(report);
  std::string error;
  EXPECT_TRUE(IsWellFormed(xml, error)) << error << "\n" << xml;
  for (const char* part :
       {"<testsuites name=\"layoutcheck scan\" tests=\"30\" failures=\"2\" errors=\"0\" skipped=\"9\" time=\"0\">",
        "<testsuite name=\"a.txt: jit_f\" tests=\"15\" failures=\"2\" errors=\"0\" skipped=\"0\" time=\"0\">",
        "<testcase classname=\"a.txt: jit_f\" name=\"bitcast-reads-padding\" time=\"0\">\n"
        "      <failure type=\"bitcast-reads-padding\" message=\"bit 384 holds element (3,0) of the result",
        "error: a.txt:4:3: bitcast-reads-padding\n  main/b bitcast f32[4,4]{1,0:T(4,4)}  (a&lt;b&gt;&amp;.py:3)\n",
        "name=\"budget waste&lt;20%\" time=\"0\">\n      <failure",
        "name=\"budget bytes&lt;1GiB\" time=\"0\">\n    </testcase>",
        "name=\"copy-is-free\" time=\"0\">\n      <system-out>advice: a.txt:6:3: copy-is-free",
        "<testsuite name=\"before&lt;&amp;&gt;\xef\xbf\xbd.txt: m\" tests=\"15\" failures=\"0\"",
        "<skipped message=\"no layouts yet\"/>"}) {
    EXPECT_NE(xml.find(part), std::string::npos) << part << "\n" << xml;
  }
}

TEST(ScanReport, JunitHasABudgetThatHeldNothing) {
  const ScanOptions options{.budgets = Budgets({"waste<20%"}), .json = false};
  ScanReport report(options);
  AddModule(report, "before.txt", kBefore);
  report.Finish();
  EXPECT_EQ(report.results().exit_code(), ExitCode::kUndecided);
  const std::string xml = ScanJunit(report);
  std::string error;
  EXPECT_TRUE(IsWellFormed(xml, error)) << error;
  EXPECT_NE(xml.find("<testsuite name=\"all modules\" tests=\"1\" failures=\"0\" errors=\"1\""), std::string::npos)
      << xml;
}

}  // namespace
}  // namespace layoutcheck
