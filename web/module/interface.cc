// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that the page calls. Requests and answers are JSON texts in the memory of the module.
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include "layoutcheck/core/sharding/sharding_text.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/web/module/answers.h"

namespace layoutcheck {

namespace {

struct Question {
  std::string_view name;
  Json (*answer)(const Json& request);
  Json (*sharded_answer)(const Json& request) = nullptr;  // about an array with a sharding, if that is another one
};

constexpr Question kQuestions[] = {
    {"show", AnswerShow, AnswerShardedShow},
    {"picture", AnswerPicture, AnswerShardedPicture},
    {"locate", AnswerLocate, AnswerShardedLocate},
    {"convert", AnswerConvert, AnswerShardedConvert},
    {"step", AnswerStep},
    {"compare", AnswerCompare},
    {"formula", AnswerFormula},
    {"scan", AnswerScan},
    {"parse", AnswerParse},
    {"certificate", AnswerCertificate},
    {"certificate-lines", AnswerCertificateLines},
};

std::string request_text;
std::string reply_text;

Json Answer(const Json& request) {
  if (request.is_object()) {
    const std::string op = TextMember(request, "op");
    for (const Question& question : kQuestions) {
      if (question.name != op) continue;
      const bool is_sharded = question.sharded_answer != nullptr && FindSharding(TextMember(request, "layout"));
      return is_sharded ? question.sharded_answer(request) : question.answer(request);
    }
  }
  return {{"ok", false}, {"error", "expected a JSON object with the name of a question as \"op\""}};
}

}  // namespace
}  // namespace layoutcheck

extern "C" {

// Debian's compiler-rt for WebAssembly is compiled with a stack protector, which wasi-libc does not have.
unsigned long __stack_chk_guard = 0x9d5f31c7;
[[noreturn]] void __stack_chk_fail() { std::abort(); }

// Returns the place for a request of `size` bytes, which is valid until the next call.
char* layoutcheck_request(size_t size) {
  layoutcheck::request_text.resize(size);
  return layoutcheck::request_text.data();
}

// Answers the request that was written there. Returns the size of the answer in bytes.
size_t layoutcheck_answer() {
  using layoutcheck::Json;
  const Json request = Json::Parse(layoutcheck::request_text).value_or(Json());
  const Json answer = layoutcheck::Answer(request);
  layoutcheck::reply_text = answer.Dump();
  return layoutcheck::reply_text.size();
}

// Returns the answer, which is valid until the next call of layoutcheck_answer.
const char* layoutcheck_reply() { return layoutcheck::reply_text.data(); }

}  // extern "C"
