// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/one_line.h"
#include "layoutcheck/cli/reports/finding_text.h"
#include "layoutcheck/cli/reports/report.h"
#include "layoutcheck/cli/reports/report_parts.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

bool IsError(const Finding& finding) { return finding.law.starts_with("subject-"); }

// Returns the attributes tests="2" failures="1" errors="1".
std::string Counts(std::span<const Finding* const> findings) {
  const auto errors = std::ranges::count_if(findings, [](const Finding* finding) { return IsError(*finding); });
  return StrCat("tests=\"", findings.size(), "\" failures=\"", findings.size() - static_cast<size_t>(errors),
                "\" errors=\"", errors, "\" skipped=\"0\" time=\"0\"");
}

}  // namespace

std::string JunitReport(std::span<const SavedFinding> findings) {
  std::vector<const Finding*> all;
  std::vector<std::string_view> subjects;  // in the order of the findings
  for (const SavedFinding& saved : findings) {
    all.push_back(&saved.finding);
    if (std::ranges::find(subjects, saved.finding.subject) == subjects.end()) {
      subjects.push_back(saved.finding.subject);
    }
  }
  std::string xml =
      StrCat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"layoutcheck\" ", Counts(all), ">\n");
  for (const std::string_view subject : subjects) {
    std::vector<const Finding*> own;
    std::ranges::copy_if(all, std::back_inserter(own),
                         [&](const Finding* finding) { return finding->subject == subject; });
    StrAppend(xml, "  <testsuite name=\"", XmlText(OneLine(subject)), "\" ", Counts(own), ">\n");
    for (const Finding* finding : own) {
      const std::string_view element = IsError(*finding) ? "error" : "failure";
      StrAppend(xml, "    <testcase classname=\"", XmlText(OneLine(finding->law)), "\" name=\"",
                XmlText(OneLine(finding->layout)), "\" time=\"0\">\n      <", element, " type=\"",
                XmlText(OneLine(finding->law)), "\" message=\"", XmlText(OneLine(FindingSentence(*finding))), "\">",
                XmlText(FindingText(*finding, {.utf8 = true})), "</", element, ">\n    </testcase>\n");
    }
    StrAppend(xml, "  </testsuite>\n");
  }
  return xml + "</testsuites>\n";
}

}  // namespace layoutcheck
