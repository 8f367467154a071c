// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// faulty_subject [--fault NAME | --behavior NAME]: answers the subject protocol as the reference or, with --fault, as
// the reference with a seeded fault. --list prints the faults. With --behavior it answers like the reference and
//
//   flaky           every other table is wrong, from the first or the second one on, at random
//   remembers       tables are wrong after 50 requests
//   dies-after-50   aborts at its 50th request
//   dies-at-end     aborts after the end of its input
//   dies-on-tiles   aborts when it is asked for the table of a layout with tiles
//   hangs-on-tiles  never answers that
#include <unistd.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <string_view>
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

}  // namespace

int main(int argc, char** argv) {
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
  if (subject == nullptr) {
    std::fputs("usage: faulty_subject [--list | --fault NAME | --behavior NAME]\n", stderr);
    return 2;
  }
  return layoutcheck::Serve(*subject, STDIN_FILENO, STDOUT_FILENO) ? 0 : 1;
}
