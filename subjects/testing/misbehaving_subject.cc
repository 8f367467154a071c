// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// misbehaving_subject HOW: answers the subject protocol as the reference, but ends, hangs or forgets as HOW says.
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/subjects/protocol/serve.h"

namespace layoutcheck {
namespace {

class MisbehavingSubject final : public Subject {
 public:
  explicit MisbehavingSubject(std::string_view how) : how_(how) {}

  const SubjectInfo& info() const override { return reference_.info(); }

  Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text) override {
    ++texts_;
    const auto has = [text](std::string_view part) { return text.find(part) != std::string_view::npos; };
    if (how_ == "hang-in-comment" && has("/*") && !has("*/")) Hang();
    if (how_ == "crash-on-split" && has("SC(")) std::abort();
    if (how_ == "crash-at-text-100" && texts_ == 100) std::abort();
    if (how_ == "crash-after-split" && after_split_) std::abort();
    if (how_ == "crash-once" && texts_ == 100 && !std::ifstream("crashed")) {
      std::ofstream("crashed") << "once";
      std::abort();
    }
    if (how_ == "forget-once" && texts_ == 100 && !std::ifstream("forgotten")) {
      std::ofstream("forgotten") << "once";
      return ParseAnswer{true, "f32[]{:S(77)}", ""};
    }
    after_split_ = has("SC(");
    leaks_ |= has("E(");
    if (how_ == "hang-always") Hang();
    return reference_.Parse(kind, text);
  }

  // Ends the process after its input has ended.
  int End() const {
    if (how_ == "crash-at-end") std::raise(SIGSEGV);
    if (how_ == "hang-at-end") Hang();
    if (how_ == "leak" && leaks_) {
      std::fputs("SUMMARY: AddressSanitizer: 48 byte(s) leaked in 1 allocation(s).\n", stderr);
      return 23;
    }
    return 0;
  }

 private:
  [[noreturn]] static void Hang() {
    for (;;) pause();
  }

  ReferenceSubject reference_;
  std::string_view how_;
  int texts_ = 0;
  bool after_split_ = false;  // the previous text had SC(
  bool leaks_ = false;
};

}  // namespace
}  // namespace layoutcheck

int main(int argc, char** argv) {
  layoutcheck::MisbehavingSubject subject(argc == 2 ? argv[1] : "");
  layoutcheck::Serve(subject, STDIN_FILENO, STDOUT_FILENO);
  return subject.End();
}
