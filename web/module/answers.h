// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The questions that the page asks. Each function takes the members of a request and returns those of its answer. A
// text that cannot be read is answered with {"ok":false,"field":NAME,"column":N,"error":TEXT}.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/pictures/fact.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// Takes {"layout":TEXT,"access":TEXT,"tile":TEXT,"place":TEXT,"width":PIXELS,"height":PIXELS,"full_width":PIXELS,
// "with_text":BOOL}; `full_width` is that of the lanes and banks, `width` of the other pictures. Returns sizes, facts,
// pictures as SVG and as text, handles, and the command that prints the same.
Json AnswerShow(const Json& request);
// Takes {"layout":TEXT,"access":TEXT}. Returns the file that `show --svg` writes.
Json AnswerPicture(const Json& request);
// Takes {"layout":TEXT,"place":TEXT,"formula":TEXT}. Returns coordinate, linear index, byte and bit, and the formula's
// value there.
Json AnswerLocate(const Json& request);
// Takes {"layout":TEXT}. Returns the layout in each notation, or why the notation cannot express it.
Json AnswerConvert(const Json& request);
// Takes {"layout":TEXT,"at":N,"by":N}. Returns the text with the number at byte `at` stepped, or with two entries of
// the dimension order exchanged.
Json AnswerStep(const Json& request);
// Takes {"a":TEXT,"b":TEXT,"transpose":TEXT,"width":PIXELS}. Returns relation, facts and the pictures of both arrays,
// and of shardings "traffic", rows of texts about the bytes of devices.
Json AnswerCompare(const Json& request);
// Takes {"layout":TEXT,"formula":TEXT,"assume":TEXT,"all_sizes":BOOL,"long":BOOL}. Returns a counterexample, or how
// many points were tried.
Json AnswerFormula(const Json& request);
// Takes {"file":NAME,"text":TEXT,"log":BOOL}. Returns the report of `scan`.
Json AnswerScan(const Json& request);
// Takes {"file":NAME,"text":TEXT}. Returns the verdict of the checker on each certificate of the file, the claim in
// words, and the parts of the certificate with their lines.
Json AnswerCertificate(const Json& request);
// Takes {"text":TEXT,"first":N,"last":N}. Returns these lines, each with a sentence that says what it does.
Json AnswerCertificateLines(const Json& request);
// Takes {"kind":NAME,"text":TEXT}. Returns the document of `parse --json`.
Json AnswerParse(const Json& request);

// Take the same members about an array with a sharding, except access, tile and formula. AnswerShardedShow draws the
// array over the full width, and returns "devices", a row with a color per set of devices that hold the same elements.
Json AnswerShardedShow(const Json& request);
Json AnswerShardedPicture(const Json& request);
Json AnswerShardedLocate(const Json& request);
Json AnswerShardedConvert(const Json& request);
Json AnswerShardedCompare(const Json& request);

// Returns ", formula 16 differs" about an element of the layout; empty for a text that is no formula about it.
std::string FormulaAt(const std::string& layout, std::span<const int64_t> coordinate, const std::string& formula);

// Returns the room that the page has for a picture: the members "width" and "height", or that of a file.
SvgRoom RoomOf(const Json& request);
// Returns facts as an array of {"name":TEXT,"value":TEXT}.
Json FactsJson(const std::vector<Fact>& facts);
// Returns a member that is text, or an empty one.
std::string TextMember(const Json& request, const char* name);
// Returns the answer to a request whose text in the field cannot be used.
Json RejectedField(std::string_view field, const Error& error);
// Returns the text as a word of a POSIX shell.
std::string ShellWord(std::string_view text);

}  // namespace layoutcheck
