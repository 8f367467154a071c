// Subjects by name: what --subject takes.
#ifndef LAYOUTCHECK_SUBJECTS_SUBJECT_FACTORY_H_
#define LAYOUTCHECK_SUBJECTS_SUBJECT_FACTORY_H_

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

struct SubjectOptions {
  // For one answer of a process.
  std::chrono::milliseconds timeout{10000};
  // A shell command that answers the subject protocol about the subject that it is given by --subject. Where it is set,
  // what would run in this process is asked through it: a crash or a hang is then a failed answer, and the process is
  // started again. Empty: in this process.
  std::string isolate_with;
};

// A subject that has a plain name: the reference, or an adapter to a real implementation, which is a process of its
// own, since real implementations abort.
struct BuiltInSubject {
  std::string_view name;         // as --subject takes it
  std::string_view alias;        // a second name; may be empty
  std::string_view description;  // one line
  // The adapter's shell command. Error (kUnavailable): why it cannot be started here, and how to get it. Null for the
  // reference, which is no process.
  Expected<std::string> (*command)();
};

// All of them, those that are not installed too.
std::span<const BuiltInSubject> BuiltInSubjects();

// The subject that `name` says: "reference" or another built-in one, "exec:COMMAND", or "lib:FILE.so". Error: no such
// subject, command or library, or one that is not installed. Failed: a process that was started, but does not answer
// hello as the protocol says.
std::variant<std::unique_ptr<Subject>, Error, Failed> CreateSubject(std::string_view name,
                                                                    const SubjectOptions& options);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SUBJECTS_SUBJECT_FACTORY_H_
