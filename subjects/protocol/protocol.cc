// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/protocol/protocol.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

constexpr std::array<std::string_view, kOperationCount> kOperationNames = {
    "parse", "offset",  "table", "coordinate", "size", "relayout",  "make",
    "apply", "bitcast", "equal", "edit",       "view", "tile_view", "slice"};

// Reads the line as a JSON object, or returns Declined or Failed for an irregular answer. `own_error`: regular answers
// of this operation may have a member "error".
std::variant<Json, Declined, Failed> ReadObject(std::string_view line, bool own_error = false) {
  auto parsed = Json::Parse(line);
  if (!parsed) return BrokenAnswer("no JSON", line);
  Json& object = *parsed;
  if (!object.is_object()) return BrokenAnswer("no JSON object", line);
  if (const Json* const why = object.find("unsupported")) {
    if (!why->is_string()) return BrokenAnswer("\"unsupported\" is no text", line);
    return Declined{why->text()};
  }
  if (const Json* const why = object.find("error"); why != nullptr && !(own_error && object.contains("ok"))) {
    if (!why->is_string()) return BrokenAnswer("\"error\" is no text", line);
    return Failed{Failed::Kind::kError, StrCat("error: ", why->text())};
  }
  return std::move(object);
}

template <class T, class Read>
Answer<T> ReadAnswer(std::string_view line, Read read, bool own_error = false) {
  auto object = ReadObject(line, own_error);
  if (auto* declined = std::get_if<Declined>(&object)) return std::move(*declined);
  if (auto* failed = std::get_if<Failed>(&object)) return std::move(*failed);
  return read(std::get<Json>(object));
}

// Reads the usual form of a long answer, {"NAME":[1,2,3]}, without a JSON tree. Returns nothing for other forms.
std::optional<std::vector<int64_t>> ReadPlainArray(std::string_view line, std::string_view name, size_t expected) {
  const auto skip = [&line](std::string_view prefix) {
    if (!line.starts_with(prefix)) return false;
    line.remove_prefix(prefix.size());
    return true;
  };
  if (!skip("{\"") || !skip(name) || !skip("\":")) return std::nullopt;
  skip(" ");
  if (!skip("[")) return std::nullopt;
  std::vector<int64_t> integers;
  integers.reserve(std::min(expected, line.size() / 2 + 1));
  if (!skip("]")) {
    do {
      skip(" ");
      // Leading zeros and plus signs are left to the JSON reader, which rejects them.
      const size_t first = line.starts_with('-') ? 1 : 0;
      if (line.size() > first + 1 && line[first] == '0' && line[first + 1] >= '0' && line[first + 1] <= '9') {
        return std::nullopt;
      }
      int64_t integer = 0;
      const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), integer);
      if (error != std::errc()) return std::nullopt;
      line.remove_prefix(static_cast<size_t>(end - line.data()));
      integers.push_back(integer);
    } while (skip(","));
    if (!skip("]")) return std::nullopt;
  }
  if (line != "}") return std::nullopt;
  return integers;
}

Answer<std::vector<int64_t>> ReadArray(std::string_view line, const char* name, size_t expected) {
  if (auto integers = ReadPlainArray(line, name, expected)) return std::move(*integers);
  return ReadAnswer<std::vector<int64_t>>(line, [&](const Json& object) -> Answer<std::vector<int64_t>> {
    const Json* const found = object.find(name);
    if (found == nullptr) return BrokenAnswer(StrCat("no \"", name, "\""), line);
    auto integers = found->as<std::vector<int64_t>>();
    if (!integers) return BrokenAnswer(StrCat("\"", name, "\" is no array of int64"), line);
    return std::move(*integers);
  });
}

void AppendArray(std::string& out, std::span<const int64_t> integers) {
  out += '[';
  for (size_t i = 0; i < integers.size(); ++i) {
    if (i != 0) out += ',';
    StrAppend(out, integers[i]);
  }
  out += ']';
}

// Reads the members that are present. Returns a failure if one is no text.
std::optional<Failed> ReadTexts(const Json& object, std::string_view line,
                                std::initializer_list<std::pair<const char*, std::optional<std::string>*>> members) {
  for (const auto& [name, member] : members) {
    const Json* const found = object.find(name);
    if (found == nullptr) continue;
    if (!found->is_string()) return BrokenAnswer(StrCat("\"", name, "\" is no text"), line);
    *member = found->text();
  }
  return std::nullopt;
}

// Reads an answer of one member that is true or false.
Answer<bool> ReadFlag(std::string_view line, const char* name) {
  return ReadAnswer<bool>(line, [&](const Json& object) -> Answer<bool> {
    const Json* const flag = object.find(name);
    if (flag == nullptr || !flag->is_boolean()) return BrokenAnswer(StrCat("no true or false \"", name, "\""), line);
    return flag->get<bool>();
  });
}

// Reads a limit of the hello answer. Returns false if it has the wrong type.
bool ReadLimit(const Json& limits, const char* name, std::optional<int64_t>& limit) {
  const Json* const found = limits.find(name);
  if (found == nullptr) return true;
  limit = found->as<int64_t>();
  return limit && *limit >= 0;
}

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

Operation OperationOf(ViewQuestion::Kind kind) {
  switch (kind) {
    case ViewQuestion::Kind::kView: return Operation::kView;
    case ViewQuestion::Kind::kTileView: return Operation::kTileView;
    case ViewQuestion::Kind::kSlice: return Operation::kSlice;
  }
  std::unreachable();
}

std::string HelloRequest() { return "{\"op\":\"hello\",\"protocol\":1}\n"; }

Expected<std::string> ParseRequest(std::string_view kind, std::string_view text) {
  if (!IsUtf8(text)) return MakeError(ErrorKind::kUnsupported, "the text is not UTF-8, so that JSON cannot carry it");
  return Json{{"kind", kind}, {"op", "parse"}, {"text", text}}.Dump() + "\n";
}

// The text of a layout has no quotes or backslashes to escape.
std::string OffsetRequest(std::string_view layout, std::span<const int64_t> coordinate) {
  std::string line = StrCat("{\"op\":\"offset\",\"layout\":\"", layout, "\",\"coordinate\":");
  AppendArray(line, coordinate);
  return line += "}\n";
}

std::string TableRequest(std::string_view layout) { return StrCat("{\"op\":\"table\",\"layout\":\"", layout, "\"}\n"); }

std::string CoordinateRequest(std::string_view layout, int64_t offset) {
  return StrCat("{\"op\":\"coordinate\",\"layout\":\"", layout, "\",\"offset\":", offset, "}\n");
}

std::string SizeRequest(std::string_view layout) { return StrCat("{\"op\":\"size\",\"layout\":\"", layout, "\"}\n"); }

std::string RelayoutRequest(std::string_view from, std::string_view to, std::span<const int64_t> data) {
  std::string line = StrCat("{\"op\":\"relayout\",\"from\":\"", from, "\",\"to\":\"", to, "\",\"data\":");
  AppendArray(line, data);
  return line += "}\n";
}

Answer<HelloAnswer> ReadHello(std::string_view line) {
  return ReadAnswer<HelloAnswer>(line, [&](const Json& object) -> Answer<HelloAnswer> {
    HelloAnswer hello;
    const Json* const name = object.find("name");
    if (name == nullptr || !name->is_string()) return BrokenAnswer("no text \"name\"", line);
    hello.info.name = name->text();
    if (const Json* const version = object.find("version")) {
      if (!version->is_string()) return BrokenAnswer("\"version\" is no text", line);
      hello.info.version = version->text();
    }
    const Json* const ops = object.find("ops");
    if (ops == nullptr || !ops->is_array()) return BrokenAnswer("no array \"ops\"", line);
    for (const Json& op : *ops) {
      if (!op.is_string()) return BrokenAnswer("\"ops\" is no array of texts", line);
      // An unknown operation may belong to a later version of the protocol.
      if (const auto operation = OperationFromName(op.text())) {
        hello.operations[static_cast<size_t>(*operation)] = true;
      }
    }
    if (const Json* const notations = object.find("notations")) {
      if (!notations->is_array()) return BrokenAnswer("\"notations\" is no array", line);
      hello.notations.hlo = std::ranges::find(*notations, Json("hlo")) != notations->end();
      hello.notations.shape_stride = std::ranges::find(*notations, Json("shape-stride")) != notations->end();
    }
    if (const Json* const limits = object.find("limits")) {
      if (!limits->is_object()) return BrokenAnswer("\"limits\" is no object", line);
      if (!ReadLimit(*limits, "max_rank", hello.info.max_rank) ||
          !ReadLimit(*limits, "max_tiles", hello.info.max_tiles) ||
          !ReadLimit(*limits, "max_table_elements", hello.info.max_table_elements)) {
        return BrokenAnswer("a limit is no integer >= 0", line);
      }
    }
    return hello;
  });
}

Answer<ParseAnswer> ReadParse(std::string_view line) {
  return ReadAnswer<ParseAnswer>(
      line,
      [&](const Json& object) -> Answer<ParseAnswer> {
        const Json* const ok = object.find("ok");
        if (ok == nullptr || !ok->is_boolean()) return BrokenAnswer("no true or false \"ok\"", line);
        ParseAnswer answer{ok->get<bool>(), "", ""};
        const char* member = answer.ok ? "text" : "error";
        const Json* const text = object.find(member);
        if (text == nullptr || !text->is_string()) return BrokenAnswer(StrCat("no text \"", member, "\""), line);
        (answer.ok ? answer.text : answer.error) = text->text();
        return answer;
      },
      true);
}

Answer<int64_t> ReadOffset(std::string_view line) {
  return ReadAnswer<int64_t>(line, [&](const Json& object) -> Answer<int64_t> {
    const Json* const offset = object.find("offset");
    if (offset == nullptr) return BrokenAnswer("no \"offset\"", line);
    const auto integer = offset->as<int64_t>();
    if (!integer) return BrokenAnswer("\"offset\" is no int64", line);
    return *integer;
  });
}

Answer<std::vector<int64_t>> ReadTable(std::string_view line, size_t elements) {
  auto answer = ReadArray(line, "offsets", elements);
  const auto* offsets = std::get_if<std::vector<int64_t>>(&answer);
  if (offsets != nullptr && offsets->size() != elements) {
    return BrokenAnswer(StrCat(offsets->size(), " offsets for ", elements, " elements"), line);
  }
  return answer;
}

Answer<std::optional<Subject::Coordinate>> ReadCoordinate(std::string_view line, size_t rank) {
  using Result = std::optional<Subject::Coordinate>;
  return ReadAnswer<Result>(line, [&](const Json& object) -> Answer<Result> {
    const Json* const coordinate = object.find("coordinate");
    if (coordinate == nullptr) return BrokenAnswer("no \"coordinate\"", line);
    if (coordinate->is_null()) return Result();
    auto integers = coordinate->as<std::vector<int64_t>>();
    if (!integers || integers->size() != rank) {
      return BrokenAnswer(StrCat("\"coordinate\" is neither null nor ", rank, " int64"), line);
    }
    return Result(std::move(integers));
  });
}

Answer<SizeAnswer> ReadSize(std::string_view line) {
  return ReadAnswer<SizeAnswer>(line, [&](const Json& object) -> Answer<SizeAnswer> {
    SizeAnswer sizes;
    constexpr std::pair<const char*, std::optional<int64_t> SizeAnswer::*> kMembers[] = {
        {"elements", &SizeAnswer::elements},
        {"padded_elements", &SizeAnswer::padded_elements},
        {"bytes", &SizeAnswer::bytes},
        {"extent", &SizeAnswer::extent}};
    bool any = false;
    for (const auto& [name, member] : kMembers) {
      const Json* const found = object.find(name);
      if (found == nullptr) continue;
      sizes.*member = found->as<int64_t>();
      if (!(sizes.*member)) return BrokenAnswer(StrCat("\"", name, "\" is no int64"), line);
      any = true;
    }
    if (!any) return BrokenAnswer("none of \"elements\", \"padded_elements\", \"bytes\", \"extent\"", line);
    return sizes;
  });
}

Answer<std::vector<int64_t>> ReadRelayout(std::string_view line) { return ReadArray(line, "data", 0); }

std::string MakeRequest(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes) {
  std::string line = StrCat("{\"op\":\"make\",\"tag\":", Json(tag).Dump(), ",\"element_bits\":", element_bits);
  if (sizes.size() != 2) {
    line += ",\"sizes\":";
    AppendArray(line, sizes);
  }
  if (!sizes.empty()) StrAppend(line, ",\"rows\":", sizes.front(), ",\"columns\":", sizes.back());
  return line += "}\n";
}

std::string ApplyRequest(std::string_view function, std::span<const std::string> arguments) {
  return Json{{"arguments", arguments}, {"function", function}, {"op", "apply"}}.Dump() + "\n";
}

Answer<std::string> ReadMake(std::string_view line) {
  return ReadAnswer<std::string>(line, [&](const Json& object) -> Answer<std::string> {
    const Json* const layout = object.find("layout");
    if (layout == nullptr) return BrokenAnswer("no \"layout\"", line);
    if (!layout->is_string()) return BrokenAnswer("\"layout\" is no text", line);
    return layout->text();
  });
}

Answer<ApplyAnswer> ReadApply(std::string_view line) {
  return ReadAnswer<ApplyAnswer>(line, [&](const Json& object) -> Answer<ApplyAnswer> {
    ApplyAnswer answer;
    if (auto broken = ReadTexts(object, line, {{"layout", &answer.layout}, {"rejected", &answer.rejected}})) {
      return *std::move(broken);
    }
    if (const Json* const value = object.find("value")) {
      answer.value = value->is_boolean() ? std::optional<int64_t>(value->get<bool>() ? 1 : 0) : value->as<int64_t>();
      if (!answer.value) return BrokenAnswer("\"value\" is no int64", line);
    }
    const int members = (answer.layout ? 1 : 0) + (answer.value ? 1 : 0) + (answer.rejected ? 1 : 0);
    if (members != 1) return BrokenAnswer("not one of \"layout\", \"value\" and \"rejected\"", line);
    return answer;
  });
}

std::string BitcastRequest(std::string_view from, std::string_view to,
                           std::optional<std::span<const int64_t>> transpose) {
  std::string line = StrCat("{\"op\":\"bitcast\",\"from\":\"", from, "\",\"to\":\"", to, "\"");
  if (transpose) {
    line += ",\"transpose\":";
    AppendArray(line, *transpose);
  }
  return line += "}\n";
}

std::string EqualRequest(std::string_view a, std::string_view b, std::span<const std::string> ignored_parts) {
  std::string line = StrCat("{\"op\":\"equal\",\"a\":\"", a, "\",\"b\":\"", b, "\",\"ignore\":[");
  for (size_t k = 0; k < ignored_parts.size(); ++k) StrAppend(line, k == 0 ? "\"" : ",\"", ignored_parts[k], "\"");
  return line += "]}\n";
}

std::string EditRequest(std::string_view function, std::string_view layout, std::span<const int64_t> arguments) {
  std::string line =
      StrCat("{\"op\":\"edit\",\"function\":\"", function, "\",\"layout\":\"", layout, "\",\"arguments\":");
  AppendArray(line, arguments);
  return line += "}\n";
}

Answer<bool> ReadBitcast(std::string_view line) { return ReadFlag(line, "bitcast"); }

Answer<bool> ReadEqual(std::string_view line) { return ReadFlag(line, "equal"); }

Answer<EditAnswer> ReadEdit(std::string_view line) {
  return ReadAnswer<EditAnswer>(line, [&](const Json& object) -> Answer<EditAnswer> {
    EditAnswer answer;
    if (auto broken = ReadTexts(object, line, {{"layout", &answer.layout}, {"rejected", &answer.rejected}})) {
      return *std::move(broken);
    }
    if (answer.layout.has_value() == answer.rejected.has_value()) {
      return BrokenAnswer("not one of \"layout\" and \"rejected\"", line);
    }
    return answer;
  });
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
