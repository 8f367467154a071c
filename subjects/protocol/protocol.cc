// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/protocol/protocol.h"
#include <algorithm>
#include <array>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/subjects/protocol/members.h"

namespace layoutcheck {
namespace {

constexpr std::array<std::string_view, kOperationCount> kOperationNames = {
    "parse", "offset", "table", "coordinate", "size",  "relayout",  "make",  "apply",  "bitcast",
    "equal", "edit",   "view",  "tile_view",  "slice", "axis-info", "shard", "reshard"};

}  // namespace

std::string_view OperationName(Operation operation) { return kOperationNames[static_cast<size_t>(operation)]; }

std::optional<Operation> OperationFromName(std::string_view name) {
  const auto found = std::ranges::find(kOperationNames, name);
  if (found == kOperationNames.end()) return std::nullopt;
  return static_cast<Operation>(found - kOperationNames.begin());
}

bool NeedsHlo(Operation operation) {
  return operation == Operation::kParse || operation == Operation::kBitcast || operation == Operation::kEqual ||
         operation == Operation::kEdit;
}

std::string HelloRequest() { return "{\"op\":\"hello\",\"protocol\":1}\n"; }

Answer<HelloAnswer> ReadHello(std::string_view line) {
  HelloAnswer hello;
  AnswerReader members(line);
  members.Typed("name", hello.info.name);
  std::optional<std::string> version;
  members.Optional("version", version);
  hello.info.version = version.value_or("");
  const Json* const ops = members.Find("ops");
  if (ops == nullptr || !ops->is_array()) {
    members.Break("no array \"ops\"");
    return members.End(std::move(hello));
  }
  for (const Json& op : *ops) {
    if (!op.is_string()) members.Break("\"ops\" is no array of texts");
    // An unknown operation may belong to a later version of the protocol.
    if (const auto operation = OperationFromName(op.text())) hello.operations[static_cast<size_t>(*operation)] = true;
  }
  if (const Json* const notations = members.Find("notations")) {
    if (!notations->is_array()) members.Break("\"notations\" is no array");
    hello.notations.hlo = std::ranges::find(*notations, Json("hlo")) != notations->end();
    hello.notations.shape_stride = std::ranges::find(*notations, Json("shape-stride")) != notations->end();
  }
  if (const Json* const limits = members.Find("limits")) {
    if (!limits->is_object()) members.Break("\"limits\" is no object");
    for (const auto& [name, limit] : {std::pair{"max_rank", &hello.info.max_rank},
                                      {"max_tiles", &hello.info.max_tiles},
                                      {"max_table_elements", &hello.info.max_table_elements}}) {
      const Json* const found = limits->find(name);
      if (found != nullptr) *limit = found->as<int64_t>();
      if (found != nullptr && limit->value_or(-1) < 0) members.Break("a limit is no integer >= 0");
    }
  }
  return members.End(std::move(hello));
}

std::string PrintableStart(std::string_view line, size_t max_bytes) {
  std::string shown(line.substr(0, max_bytes));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
  }
  return shown;
}

Failed BrokenAnswer(std::string_view what, std::string_view line) {
  constexpr size_t kShownBytes = 120;
  const std::string shown = line.empty() ? "\"\"" : PrintableStart(line, kShownBytes);
  return {Failed::Kind::kProtocol, StrCat(what, " in the answer ", shown, line.size() > kShownBytes ? "..." : "")};
}

}  // namespace layoutcheck
