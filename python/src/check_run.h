// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of the checker and of the fuzzer on a subject in Python.
#pragma once

#include <nanobind/nanobind.h>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/fuzz/text/text_kind.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/algebra/check_work.h"

namespace layoutcheck::python {

// Adds a layout in any notation, a layout with names for sizes, the arguments of a function of the algebra, or one or
// two arrays with a sharding. Errors: those of the text, with the column.
Expected<void> AddText(CheckWork& work, const std::string& text);

struct RunResult {
  Json totals;             // totals of the run, with the number of findings
  nanobind::object error;  // the exception that ended the run, such as KeyboardInterrupt, or None
};

// Checks a subject. `start` is a function that returns a new adapter (PythonSubject). Requires the interpreter lock,
// which is released while no Python code runs.
RunResult RunCheck(CheckWork& work, const nanobind::callable& start);

struct FuzzWork {
  TextKind kind = TextKind::kShape;
  std::optional<double> seconds;
  std::optional<uint64_t> cases;
  uint64_t seed = 1;
  std::vector<std::string> corpus;
  bool stop_at_first = false;
};

// Fuzzes the parser of an adapter. The rest is as for RunCheck.
RunResult RunFuzz(const FuzzWork& work, const nanobind::object& adapter);

}  // namespace layoutcheck::python
