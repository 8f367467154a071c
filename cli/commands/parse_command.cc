// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck parse TEXT
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include "layoutcheck/cli/answers/answers.h"
#include "layoutcheck/cli/base/line_reader.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/sharding/sharded_commands.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/dump_reader.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/linear/triton_attribute.h"
#include "layoutcheck/core/shape_stride/cute_types.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

struct ParseCommandLine {
  std::string text;
  std::optional<std::string> kind;
  bool json = false;
};

void Report(const Expected<std::string>& result, bool json, int64_t line) {
  if (json) {
    Json document = ParsedJson(result);
    if (line > 0) document["line"] = line;
    PrintJson(document);
  } else if (result) {
    std::fwrite(result->data(), 1, result->size(), stdout);
    std::fputc('\n', stdout);
  }
  if (!result) {
    const std::string place = line > 0 ? StrCat("line ", line, ": ") : std::string();
    std::fprintf(stderr, "%s%s\n", place.c_str(), OneLine(result.error().ToString()).c_str());
  }
}

const ParsedKind& KindOf(std::string_view name) { return *std::ranges::find(ParsedKinds(), name, &ParsedKind::name); }

// Returns the kind that was asked for, or that of the text where none was: a shape, unless the text begins as an
// attribute of Triton or a type of CuTe.
const ParsedKind& KindFor(const std::optional<std::string>& asked, std::string_view text) {
  return KindOf(asked ? *asked : IsTritonText(text) || IsCuteLayoutType(text) ? "any" : "shape");
}

// Returns the canonical text. A shape may have a sharding behind it.
Expected<std::string> CanonicalText(const ParsedKind& kind, std::string_view text) {
  if ((kind.name == "shape" || kind.name == "any") && IsSharded(text)) return CanonicalSharded(text);
  return kind.canonical(text);
}

class LineParser {
 public:
  explicit LineParser(const std::optional<std::string>& kind) : kind_(kind), is_dump_(kind == "instruction") {}

  bool is_dump() const { return is_dump_; }

  // Returns the canonical text of a line or its error, or nothing if the line is left out.
  std::optional<Expected<std::string>> Parse(const Line& line) {
    if (line.too_long) {
      return MakeError(ErrorKind::kSyntax, StrCat("the line is longer than ", LineReader::kDefaultLimit, " bytes"));
    }
    if (is_dump_) {
      LAYOUTCHECK_TRY(const DumpLine dump_line, dump_.Read(line.text));
      if (!dump_line.instruction) return std::nullopt;
      return ToString(*dump_line.instruction);
    }
    if (line.text.find_first_not_of(" \t\r") == std::string_view::npos) return std::nullopt;
    return CanonicalText(KindFor(kind_, line.text), line.text);
  }

 private:
  const std::optional<std::string>& kind_;
  bool is_dump_;
  DumpReader dump_;
};

ExitCode ParseStream(const std::optional<std::string>& kind, bool json) {
  LineReader reader(stdin);
  LineParser parser(kind);
  int64_t accepted = 0;
  int64_t rejected = 0;
  int64_t left_out = 0;
  while (const std::optional<Line> line = reader.Next()) {
    const std::optional<Expected<std::string>> result = parser.Parse(*line);
    if (!result) {
      ++left_out;
      continue;
    }
    ++(*result ? accepted : rejected);
    Report(*result, json, line->number);
  }
  if (reader.failed()) return Unusable("parse", "cannot read standard input");
  if (parser.is_dump()) {
    std::fprintf(
        stderr, "%s\n",
        StrCat(accepted, " instructions, ", rejected, " rejected, ", left_out, " other lines left out").c_str());
  }
  return rejected > 0 ? ExitCode::kRejected : ExitCode::kAccepted;
}

ExitCode RunParseCommand(const ParseCommandLine& options) {
  if (options.text == "-") return ParseStream(options.kind, options.json);
  const Expected<std::string> result = CanonicalText(KindFor(options.kind, options.text), options.text);
  Report(result, options.json, 0);
  return result ? ExitCode::kAccepted : ExitCode::kRejected;
}

}  // namespace

Command ParseCommand() {
  auto options = std::make_shared<ParseCommandLine>();
  std::vector<std::string_view> names;
  for (const ParsedKind& kind : ParsedKinds()) names.push_back(kind.name);
  return {.name = "parse",
          .description = R"(print the canonical text of a shape, layout or instruction

If a text is rejected, stderr says in which column and what was expected there, and the exit code is 1.

An HLO instruction is read as it stands in a module, a dump or a profile: operands with or without shapes, any
opcode, names not resolved. From stdin, lines of a dump that are no instructions (module and computation
headers, braces, tables, comments) are left out and counted on stderr.)",
          .example = R"(
  $ layoutcheck parse 'f32[ 3, 5 ] { 1,0 : T(2,2) }'
  f32[3,5]{1,0:T(2,2)}
  $ layoutcheck parse - --kind instruction < module.hlo)",
          .options =
              {{"TEXT",
                "the text. `-` reads stdin, one text per line, and reports the line number of a rejected text; blank "
                "lines are left out, and lines over 64 MiB are rejected",
                &options->text, kRequired},
               {StrCat("--kind ", StrJoin(names, "|")),
                "the kind of the text; any: a layout with sizes in any notation, or a view of one (default: shape)",
                &options->kind, kOneOf},
               {"--json",
                "print one JSON document: ok and text, or ok, stage (syntax or layout), column and error; with `-` "
                "one per line, with its line number",
                &options->json}},
          .run = [options] { return RunParseCommand(*options); }};
}

}  // namespace layoutcheck
