#include "layoutcheck/subjects/subject_factory.h"

#include <utility>

#include "layoutcheck/core/str_cat.h"
#include "layoutcheck/properties/shell_word.h"
#include "layoutcheck/subjects/exec_subject.h"
#include "layoutcheck/subjects/library_subject.h"

namespace layoutcheck {
namespace {

using Created = std::variant<std::unique_ptr<Subject>, Error, Failed>;

constexpr BuiltInSubject kBuiltIn[] = {
    {"reference", "the reference core itself: closed formula, mixed-radix digits, parser and printer",
     [](const SubjectOptions&) -> Expected<std::unique_ptr<Subject>> { return std::make_unique<ReferenceSubject>(); },
     ""},
};

Created StartProcess(std::string command, const SubjectOptions& options) {
  auto started = ExecSubject::Start(std::move(command), options.timeout);
  if (auto* subject = std::get_if<std::unique_ptr<ExecSubject>>(&started)) return std::move(*subject);
  if (auto* error = std::get_if<Error>(&started)) return std::move(*error);
  return std::get<Failed>(std::move(started));
}

}  // namespace

std::span<const BuiltInSubject> BuiltInSubjects() { return kBuiltIn; }

Created CreateSubject(std::string_view name, const SubjectOptions& options) {
  constexpr std::string_view kExec = "exec:";
  constexpr std::string_view kLibrary = "lib:";
  if (name.starts_with(kExec)) return StartProcess(std::string(name.substr(kExec.size())), options);
  if (!options.isolate_with.empty()) return StartProcess(StrCat(options.isolate_with, " ", ShellWord(name)), options);
  if (name.starts_with(kLibrary)) {
    auto library = LibrarySubject::Load(std::string(name.substr(kLibrary.size())));
    if (!library) return std::move(library).error();
    return std::move(*library);
  }
  for (const BuiltInSubject& built_in : kBuiltIn) {
    if (built_in.name != name) continue;
    if (built_in.create == nullptr) {
      return Error{ErrorKind::kUnavailable, StrCat("this build has no subject '", name, "': ", built_in.missing)};
    }
    auto subject = built_in.create(options);
    if (!subject) return std::move(subject).error();
    return std::move(*subject);
  }
  std::string names;
  for (const BuiltInSubject& built_in : kBuiltIn) StrAppend(names, built_in.name, ", ");
  return Error{ErrorKind::kInvalidArgument,
               StrCat("expected ", names, "exec:COMMAND or lib:FILE.so as subject, got '", name, "'")};
}

}  // namespace layoutcheck
