// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/reports/report_parts.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/cli/base/one_line.h"
#include "layoutcheck/cli/pictures/svg_canvas.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// Returns the attributes tests="2" failures="1" errors="1" skipped="0" time="0".
std::string CountsOf(std::span<const JunitCase> cases) {
  const auto count = [&](JunitCase::Result result) { return std::ranges::count(cases, result, &JunitCase::result); };
  return StrCat("tests=\"", cases.size(), "\" failures=\"", count(JunitCase::Result::kFailure), "\" errors=\"",
                count(JunitCase::Result::kError), "\" skipped=\"", count(JunitCase::Result::kSkipped), "\" time=\"0\"");
}

}  // namespace

std::string UriOf(std::string_view path) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      StrAppend(uri, '%', kHex[byte / 16], kHex[byte % 16]);
    }
  }
  return uri;
}

std::string SarifDocument(Json rules, Json results) {
  const Json driver{{"name", "layoutcheck"}, {"version", LAYOUTCHECK_VERSION}, {"rules", std::move(rules)}};
  Json run{{"tool", {{"driver", driver}}}, {"columnKind", "utf16CodeUnits"}, {"results", std::move(results)}};
  const Json document{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({std::move(run)})}};
  return document.DumpIndented() + "\n";
}

std::string JunitElement(std::string_view element, std::string_view type, std::string_view message,
                         std::string_view text) {
  return StrCat("      <", element, " type=\"", XmlText(OneLine(type)), "\" message=\"", XmlText(OneLine(message)),
                "\">", XmlText(text), "</", element, ">\n");
}

std::string JunitDocument(std::string_view name, std::span<const JunitSuite> suites) {
  std::vector<JunitCase> all;
  std::string text;
  for (const JunitSuite& suite : suites) {
    StrAppend(text, "  <testsuite name=\"", XmlText(OneLine(suite.name)), "\" ", CountsOf(suite.cases), ">\n");
    for (const JunitCase& one : suite.cases) {
      StrAppend(text, "    <testcase classname=\"", XmlText(OneLine(one.class_name)), "\" name=\"",
                XmlText(OneLine(one.name)), "\" time=\"0\">\n", one.elements, "    </testcase>\n");
      all.push_back(one);
    }
    text += "  </testsuite>\n";
  }
  return StrCat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"", name, "\" ", CountsOf(all), ">\n",
                text, "</testsuites>\n");
}

std::string XmlText(std::string_view text) {
  const std::string quoted = Json(text).Dump();
  const std::string valid = Json::Parse(quoted).value().text();
  std::string out;
  for (std::string_view rest = valid; !rest.empty();) {
    const size_t newline = std::min(rest.find('\n'), rest.size());
    out += EscapeMarkup(OneLine(rest.substr(0, newline)));
    if (newline < rest.size()) out += '\n';
    rest.remove_prefix(std::min(rest.size(), newline + 1));
  }
  for (const std::string_view none : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {
    for (size_t at = 0; (at = out.find(none, at)) != std::string::npos;) out.replace(at, none.size(), "\xef\xbf\xbd");
  }
  return out;
}

}  // namespace layoutcheck
