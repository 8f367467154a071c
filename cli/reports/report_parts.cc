// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/reports/report_parts.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include "layoutcheck/cli/base/one_line.h"
#include "layoutcheck/cli/pictures/svg_canvas.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

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
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string XmlText(std::string_view text) {
  const std::string quoted = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string valid = Json::parse(quoted).get<std::string>();
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
