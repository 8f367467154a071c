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

#include "layoutcheck/core/error.h"
#include "layoutcheck/properties/subject.h"

namespace layoutcheck {

struct SubjectOptions {
  // For one answer of a process.
  std::chrono::milliseconds timeout{10000};
  // A shell command that answers the subject protocol about the subject that follows it as a word. Where it is given,
  // what would run in this process is asked through it: a crash or a hang is then a failed answer, and the process is
  // started again. Empty: in this process.
  std::string isolate_with;
};

// A subject that this build knows by a plain name.
struct BuiltInSubject {
  std::string_view name;         // as --subject takes it
  std::string_view description;  // one line
  // Null where this build lacks it; `missing` says what to do then.
  Expected<std::unique_ptr<Subject>> (*create)(const SubjectOptions& options);
  std::string_view missing;
};

// All of them, those that this build lacks too.
std::span<const BuiltInSubject> BuiltInSubjects();

// The subject that `name` says: "reference" or another built-in one, "exec:COMMAND", or "lib:FILE.so". Error: no such
// subject, command or library. Failed: a process that was started, but does not answer hello as the protocol says.
std::variant<std::unique_ptr<Subject>, Error, Failed> CreateSubject(std::string_view name,
                                                                    const SubjectOptions& options);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SUBJECTS_SUBJECT_FACTORY_H_
