// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The questions that the page asks. Each function takes the members of a request and returns those of its answer; a
// text that cannot be read is answered with {"ok":false,"field":NAME,"column":N,"error":TEXT}.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include "layoutcheck/cli/base/json.h"
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// {"layout":TEXT,"access":TEXT,"tile":TEXT,"place":TEXT,"width":PIXELS,"height":PIXELS,"with_text":BOOL} -> sizes,
// facts, pictures as SVG and as text, handles, command.
Json AnswerShow(const Json& request);
// {"layout":TEXT,"access":TEXT} -> the file that `show --svg` writes.
Json AnswerPicture(const Json& request);
// {"layout":TEXT,"place":TEXT,"formula":TEXT} -> coordinate, linear index, byte and bit, and the formula's value there.
Json AnswerLocate(const Json& request);
// {"layout":TEXT} -> every notation that can express the layout, or why it cannot.
Json AnswerConvert(const Json& request);
// {"layout":TEXT,"at":N,"by":N} -> the text with the number at byte `at` stepped, or two entries of an order exchanged.
Json AnswerStep(const Json& request);
// {"a":TEXT,"b":TEXT,"transpose":TEXT,"width":PIXELS} -> relation, facts and the pictures of both arrays.
Json AnswerCompare(const Json& request);
// {"layout":TEXT,"formula":TEXT,"assume":TEXT,"all_sizes":BOOL,"long":BOOL} -> a counterexample, or how many points
// were tried.
Json AnswerFormula(const Json& request);
// {"file":NAME,"text":TEXT,"log":BOOL} -> the report of `scan`.
Json AnswerScan(const Json& request);
// {"kind":NAME,"text":TEXT} -> the document of `parse --json`.
Json AnswerParse(const Json& request);

// Returns ", formula 16 differs" about an element of the layout; empty for a text that is no formula about it.
std::string FormulaAt(const std::string& layout, std::span<const int64_t> coordinate, const std::string& formula);

// Returns a member that is text, or an empty one.
std::string TextMember(const Json& request, const char* name);
// Returns the answer to a request whose text in the field cannot be used.
Json RejectedField(std::string_view field, const Error& error);
// Returns the text as a word of a POSIX shell.
std::string ShellWord(std::string_view text);

}  // namespace layoutcheck
