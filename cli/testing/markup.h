// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test support: checks the markup of reports.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace layoutcheck {

// Returns true if every tag is closed in order and every < and & belongs to markup. Otherwise, `error` says where.
inline bool IsWellFormed(std::string_view markup, std::string& error) {
  static const std::set<std::string_view> kVoid = {"meta"};
  std::vector<std::string_view> open;
  const auto fail = [&](std::string_view what, size_t at) {
    error = std::string(what) + " before " + std::string(markup.substr(at, 60));
    return false;
  };
  for (size_t at = 0; at < markup.size(); ++at) {
    const auto byte = static_cast<unsigned char>(markup[at]);
    if (byte < 0x20 && byte != '\n') return fail("a control character", at);
    if (markup[at] == '&') {
      const size_t end = markup.find(';', at);
      const std::string_view entity = markup.substr(at + 1, end - at - 1);
      if (entity != "lt" && entity != "gt" && entity != "amp" && entity != "quot") return fail("a bare &", at);
    }
    if (markup[at] != '<') continue;
    const size_t end = markup.find('>', at);
    if (end == std::string_view::npos) return fail("an open tag", at);
    std::string_view tag = markup.substr(at + 1, end - at - 1);
    at = end;
    if (tag.starts_with('?') || tag == "!DOCTYPE html") continue;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return fail("an end tag without its beginning", end);
      open.pop_back();
      continue;
    }
    const std::string_view name = tag.substr(0, tag.find(' '));
    if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != name.npos) {
      return fail("no tag", end - tag.size());
    }
    if (!tag.ends_with('/') && !kVoid.contains(name)) open.push_back(name);
  }
  if (!open.empty()) error = "not closed: " + std::string(open.back());
  return open.empty();
}

}  // namespace layoutcheck
