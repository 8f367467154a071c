// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts that the reports of all commands share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// Returns a file name as a URI reference (RFC 3986).
std::string UriOf(std::string_view path);

// Returns the text of a SARIF 2.1.0 document of one run, with these rules and results.
std::string SarifDocument(Json rules, Json results);

// A testcase of JUnit's XML.
struct JunitCase {
  enum class Result { kPassed, kFailure, kError, kSkipped };
  std::string class_name;
  std::string name;
  Result result = Result::kPassed;
  std::string elements;  // its markup
};

struct JunitSuite {
  std::string name;
  std::vector<JunitCase> cases;
};

// Returns the element "failure" or "error" of a testcase, with its text.
std::string JunitElement(std::string_view element, std::string_view type, std::string_view message,
                         std::string_view text);
// Returns JUnit's XML with the numbers of testcases by result.
std::string JunitDocument(std::string_view name, std::span<const JunitSuite> suites);

// Returns text for XML 1.0, which allows no control characters, U+FFFE or U+FFFF, not even as entities: they become
// escapes. Keeps newlines. What is no UTF-8 becomes U+FFFD.
std::string XmlText(std::string_view text);

}  // namespace layoutcheck
