// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// faulty_subject [--delay MILLISECONDS] [--fault NAME | --behavior NAME | --do WHAT (--on TEXT | --at N)]: answers the
// subject protocol as the reference or, with --fault, as the reference with a seeded fault. --list prints the faults.
// With --delay, each answer takes so long and is written alone. With --do, the requests that contain TEXT, or the Nth
// request of the process, end it (crash), get no answer (hang), no JSON (garbage) or another digit (wrong). With
// --behavior it answers like the reference and
//
//   flaky           every other table is wrong, from the first or the second one on, at random
//   remembers       tables are wrong after 50 requests
//   dies-after-50   aborts at its 50th request
//   dies-at-end     aborts after the end of its input
//   dies-on-tiles   aborts when it is asked for the table of a layout with tiles
//   hangs-on-tiles  never answers that
#include <unistd.h>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/faults/fault.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/subjects/protocol/serve.h"

namespace {

using layoutcheck::Fault;

std::vector<Fault> EveryFault() {
  std::vector<Fault> all = layoutcheck::AllFaults();
  const auto algebra = layoutcheck::AlgebraFaults();
  all.insert(all.end(), algebra.begin(), algebra.end());
  return all;
}

// Answers like the reference, but for the tables.
class Unruly final : public layoutcheck::ReferenceSubject {
 public:
  explicit Unruly(std::string_view behavior) : behavior_(behavior) {}

  layoutcheck::Answer<std::vector<int64_t>> Table(const layoutcheck::Shape& shape) override {
    if (!shape.layout->tiles.empty()) {
      if (behavior_ == "dies-on-tiles") std::abort();
      while (behavior_ == "hangs-on-tiles") pause();
    }
    auto answer = ReferenceSubject::Table(shape);
    const bool is_wrong =
        (behavior_ == "flaky" && tables_++ % 2 == 0) || (behavior_ == "remembers" && requests_ >= kPatience);
    auto* const offsets = std::get_if<std::vector<int64_t>>(&answer);
    if (is_wrong && offsets != nullptr && !offsets->empty()) ++offsets->front();
    return answer;
  }

  void CountRequest() {
    if (++requests_ == kPatience && behavior_ == "dies-after-50") std::abort();
  }

 private:
  static constexpr int kPatience = 50;
  std::string_view behavior_;
  unsigned tables_ = std::random_device()() % 2;
  int requests_ = 0;
};

// The requests that are not answered as they should be.
struct Misdeed {
  std::string_view what;
  std::string_view on;  // part of the request; empty: the request with this number
  int at = 0;
};

// Answers each line on its own.
class SlowServer {
 public:
  SlowServer(layoutcheck::Subject& subject, std::chrono::milliseconds delay, const Misdeed& misdeed)
      : subject_(subject), delay_(delay), misdeed_(misdeed) {}

  void Run() {
    for (std::string request; std::getline(std::cin, request);) {
      std::this_thread::sleep_for(delay_);
      std::cout << AnswerTo(request) << std::endl;
    }
  }

 private:
  std::string AnswerTo(const std::string& request) {
    ++requests_;
    std::string answer = layoutcheck::AnswerRequest(subject_, request);
    const bool is_told =
        misdeed_.on.empty() ? requests_ == misdeed_.at : request.find(misdeed_.on) != std::string::npos;
    if (!is_told) return answer;
    if (misdeed_.what == "crash") std::abort();
    while (misdeed_.what == "hang") pause();
    if (misdeed_.what == "garbage") return "garbage";
    const size_t digit = answer.find_first_of("0123456789");
    if (digit != std::string::npos) answer[digit] = answer[digit] == '9' ? '8' : static_cast<char>(answer[digit] + 1);
    return answer;
  }

  layoutcheck::Subject& subject_;
  std::chrono::milliseconds delay_;
  Misdeed misdeed_;
  int requests_ = 0;  // hello is the first
};

}  // namespace

int main(int argc, char** argv) {
  std::chrono::milliseconds delay(0);
  if (argc > 2 && argv[1] == std::string_view("--delay")) {
    delay = std::chrono::milliseconds(std::atoi(argv[2]));
    argc -= 2;
    argv += 2;
  }
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "--list") {
    for (const Fault& fault : EveryFault()) {
      std::cout << layoutcheck::StrCat(fault.name, "\t", fault.kind, "\t", fault.stands_for, "\n");
    }
    return 0;
  }
  std::unique_ptr<layoutcheck::Subject> subject;
  if (argc == 1) subject = std::make_unique<layoutcheck::ReferenceSubject>();
  if (first == "--fault" && argc == 3) {
    for (const Fault& fault : EveryFault()) {
      if (fault.name == argv[2]) subject = layoutcheck::MakeFaultySubject(fault);
    }
  }
  if (first == "--behavior" && argc == 3) {
    Unruly unruly(argv[2]);
    const bool is_served =
        layoutcheck::Serve(unruly, STDIN_FILENO, STDOUT_FILENO, [&] { unruly.CountRequest(); }).has_value();
    if (argv[2] == std::string_view("dies-at-end")) std::abort();
    return is_served ? 0 : 1;
  }
  Misdeed misdeed;
  if (first == "--do" && argc == 5) {
    misdeed.what = argv[2];
    if (argv[3] == std::string_view("--on")) misdeed.on = argv[4];
    if (argv[3] == std::string_view("--at")) misdeed.at = std::atoi(argv[4]);
    subject = std::make_unique<layoutcheck::ReferenceSubject>();
  }
  if (subject == nullptr) {
    std::fputs(
        "usage: faulty_subject [--delay MILLISECONDS] [--list | --fault NAME | --behavior NAME | "
        "--do WHAT (--on TEXT | --at N)]\n",
        stderr);
    return 2;
  }
  if (delay > std::chrono::milliseconds(0) || !misdeed.what.empty()) {
    SlowServer(*subject, delay, misdeed).Run();
    return 0;
  }
  return layoutcheck::Serve(*subject, STDIN_FILENO, STDOUT_FILENO) ? 0 : 1;
}
