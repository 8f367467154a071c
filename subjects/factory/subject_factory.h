// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creates subjects by the names that --subject takes.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/subjects/transport/call_record.h"

namespace layoutcheck {

struct SubjectOptions {
  // Time limit per answer of a process.
  std::chrono::milliseconds timeout{10000};
  // A shell command that takes --subject and answers the subject protocol, or empty. It runs the subjects that would
  // run in this process, so that a crash or a hang is only a failed answer and the process is started again.
  std::string isolate_with;
  // The directory in which processes start; this process's if empty.
  std::string directory;
  // If true, a process's operation that keeps failing is no longer asked for (ExecSubject).
  bool gives_up = true;
  // Where a library that runs in this process notes its calls, or null.
  CallRecord* call_record = nullptr;

  // Returns true if the subject is a library that runs in this process.
  bool LoadsLibrary(std::string_view subject) const { return isolate_with.empty() && subject.starts_with("lib:"); }
};

// A subject with a plain name: the reference, or an adapter to a real implementation. Adapters are separate processes,
// because real implementations abort.
struct BuiltInSubject {
  std::string_view name;         // as --subject takes it
  std::string_view alias;        // a second name; may be empty
  std::string_view description;  // one line
  // Returns the adapter's shell command. Error (kUnavailable): it cannot be started; the message says how to get it.
  // Null for the reference, which is not a process.
  Expected<std::string> (*command)();
};

// Returns all of them, installed or not.
std::span<const BuiltInSubject> BuiltInSubjects();

// Creates a subject: a built-in one such as "reference", "exec:COMMAND", or "lib:FILE.so". Error: it does not exist or
// is not installed. Failed: a started process does not answer hello as the protocol requires.
std::variant<std::unique_ptr<Subject>, Error, Failed> CreateSubject(std::string_view name,
                                                                    const SubjectOptions& options);

}  // namespace layoutcheck
