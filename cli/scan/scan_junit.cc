// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>
#include "layoutcheck/cli/reports/report_parts.h"
#include "layoutcheck/cli/scan/scan_report.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Numbers of testcases.
struct CaseCounts {
  int64_t tests = 0;
  int64_t failures = 0;
  int64_t errors = 0;
  int64_t skipped = 0;

  void Add(const CaseCounts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
  }
  std::string Attributes() const {
    return StrCat("tests=\"", tests, "\" failures=\"", failures, "\" errors=\"", errors, "\" skipped=\"", skipped,
                  "\" time=\"0\"");
  }
};

// Returns the name of the testcase to which a finding belongs.
std::string CaseOf(const Json& finding) {
  const std::string rule = finding["rule"].get<std::string>();
  return finding.contains("budget") ? StrCat(rule, " ", finding["budget"].get<std::string>()) : rule;
}

// A testsuite that is being written.
class Suite {
 public:
  Suite(std::string name, std::span<const Json> findings) : name_(std::move(name)), findings_(findings) {}

  void AddSkipped(const std::string& name, const std::string& why) {
    ++counts_.tests;
    ++counts_.skipped;
    StrAppend(cases_, Head(name), ">\n      <skipped message=\"", XmlText(why), "\"/>\n    </testcase>\n");
  }

  // Adds a testcase with the findings of its name.
  void AddCase(const std::string& name) {
    ++counts_.tests;
    const std::string failures = Element(name, "error", "failure");
    const std::string errors = Element(name, "undecided", "error");
    // A testcase counts once.
    if (!failures.empty()) {
      ++counts_.failures;
    } else if (!errors.empty()) {
      ++counts_.errors;
    }
    StrAppend(cases_, Head(name), ">\n", failures.empty() ? errors : failures, Element(name, "advice", "system-out"),
              "    </testcase>\n");
  }

  const CaseCounts& counts() const { return counts_; }
  std::string Text() const {
    return StrCat("  <testsuite name=\"", XmlText(OneLine(name_)), "\" ", counts_.Attributes(), ">\n", cases_,
                  "  </testsuite>\n");
  }

 private:
  std::string Head(const std::string& name) const {
    return StrCat("    <testcase classname=\"", XmlText(OneLine(name_)), "\" name=\"", XmlText(name), "\" time=\"0\"");
  }

  // Returns one element with all findings of a testcase that have this severity, or an empty text.
  std::string Element(const std::string& name, std::string_view severity, std::string_view element) const {
    std::string first;
    std::string text;
    for (const Json& finding : findings_) {
      if (finding["severity"] != severity || CaseOf(finding) != name) continue;
      if (text.empty()) first = finding["message"].get<std::string>();
      text += ScanFindingText(finding);
    }
    if (text.empty()) return "";
    const std::string attributes =
        element == "system-out" ? ""
                                : StrCat(" type=\"", XmlText(name), "\" message=\"", XmlText(OneLine(first)), "\"");
    return StrCat("      <", element, attributes, ">", XmlText(text), "</", element, ">\n");
  }

  std::string name_;
  std::span<const Json> findings_;
  CaseCounts counts_;
  std::string cases_;
};

}  // namespace

std::string ScanJunit(const ScanReport& report) {
  const ScanResults& results = report.results();
  const std::span<const Json> findings = results.findings;
  CaseCounts counts;
  std::string suites;
  size_t begin = 0;
  for (size_t k = 0; k < results.module_rows.size(); ++k) {
    const Json& row = results.module_rows[k];
    const size_t end = results.findings_until[k];
    Suite suite(StrCat(row["file"].get<std::string>(), ": ", row["name"].get<std::string>()),
                findings.subspan(begin, end - begin));
    begin = end;
    suite.AddCase("unreadable");
    for (const Json& rule : row["rules"]) suite.AddCase(rule.get<std::string>());
    for (const Budget& budget : report.options().budgets) {
      const std::string name = StrCat("budget ", budget.text);
      if (!row["not_applied"].contains(name)) suite.AddCase(name);
    }
    for (const auto& [name, why] : row["not_applied"].items()) suite.AddSkipped(name, why.get<std::string>());
    counts.Add(suite.counts());
    suites += suite.Text();
  }
  if (begin < findings.size()) {
    Suite all("all modules", findings.subspan(begin));
    for (const Json& finding : findings.subspan(begin)) all.AddCase(CaseOf(finding));
    counts.Add(all.counts());
    suites += all.Text();
  }
  return StrCat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"layoutcheck scan\" ",
                counts.Attributes(), ">\n", suites, "</testsuites>\n");
}

}  // namespace layoutcheck
