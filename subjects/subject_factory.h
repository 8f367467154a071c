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

// The subject that `name` says: "reference" or another built-in one, or "exec:COMMAND". Error: no such subject
// or command. Failed: a process that was started, but does not answer hello as the protocol says.
std::variant<std::unique_ptr<Subject>, Error, Failed> CreateSubject(std::string_view name,
                                                                    const SubjectOptions& options);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SUBJECTS_SUBJECT_FACTORY_H_
