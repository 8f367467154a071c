// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The request "check-law": the process that runs a library for `check` knows the laws, and answers with the result of a
// law, where the questions of the law would be many requests. Both sides are layoutcheck, so that it is no operation of
// docs/protocol.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/properties/run/remember_answers.h"

namespace layoutcheck {

// Returns the request, with its newline.
std::string CheckLawRequest(const LawQuestion& question);
// Reads the answer to it. Declined: the process knows no such law, or no layout or arguments of this text.
Answer<LawResult> ReadLawResult(std::string_view line);

// Checks laws on a subject of this process.
class LawServer {
 public:
  // `subject` must outlive this object.
  explicit LawServer(Subject& subject) : subject_(subject) {}

  // Returns the answer to a request "check-law", without a newline, or nothing if the line is another request.
  std::optional<std::string> Answer(std::string_view line);

 private:
  std::string AnswerAboutLayout(const Law& law, const std::string& text, bool is_huge);

  RememberAnswers subject_;
  // The latest layout, because the laws of a run are asked one after another about each layout.
  std::string text_;
  bool is_huge_ = false;
  std::optional<LayoutCase> layout_case_;
  std::optional<HugeCase> huge_case_;
};

}  // namespace layoutcheck
