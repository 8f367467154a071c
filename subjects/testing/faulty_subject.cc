// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// faulty_subject [--fault NAME]: answers the subject protocol as the reference or, with --fault, as the reference with
// a seeded fault. --list prints the faults.
#include <unistd.h>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string_view>
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
  if (subject == nullptr) {
    std::fputs("usage: faulty_subject [--list | --fault NAME]\n", stderr);
    return 2;
  }
  layoutcheck::Serve(*subject, STDIN_FILENO, STDOUT_FILENO);
  return 0;
}
