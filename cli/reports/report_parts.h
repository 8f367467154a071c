// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts that the reports of all commands share.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include "layoutcheck/cli/base/json.h"

namespace layoutcheck {

// Returns a file name as a URI reference (RFC 3986).
std::string UriOf(std::string_view path);

// Returns the text of a SARIF 2.1.0 document of one run, with these rules and results.
std::string SarifDocument(Json rules, Json results);

// Returns text for XML 1.0, which allows no control characters, U+FFFE or U+FFFF, not even as entities: they become
// escapes. Keeps newlines. What is no UTF-8 becomes U+FFFD.
std::string XmlText(std::string_view text);

}  // namespace layoutcheck
