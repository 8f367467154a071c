// How a subject is run, as the commands that take one let a person say it.
#ifndef LAYOUTCHECK_CLI_COMMANDS_SUBJECT_ARGUMENTS_H_
#define LAYOUTCHECK_CLI_COMMANDS_SUBJECT_ARGUMENTS_H_

#include <optional>
#include <string>
#include <string_view>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/subjects/factory/subject_factory.h"

namespace CLI {
class App;
}  // namespace CLI

namespace layoutcheck {

struct SubjectArguments {
  std::optional<std::string> timeout;  // 10 seconds where absent
  bool isolate = false;
};

// Adds --subject-timeout and, where the command leaves the choice to its user, --isolate.
void AddSubjectTimeout(CLI::App& command, SubjectArguments& arguments);
void AddIsolate(CLI::App& command, SubjectArguments& arguments);

// For this subject: nothing can end a call in this process, so that a library with a time limit is isolated.
// Errors: a timeout that is no duration; a program that does not find itself (kUnavailable). The message names the
// option.
Expected<SubjectOptions> ToSubjectOptions(const SubjectArguments& arguments, std::string_view subject);

// Says, where a subject that runs in this process is about to end it by a signal, where the findings are and what
// --isolate does. The signal then does what it did without.
class CrashNotice {
 public:
  // `command` is "check", `out` the directory of the findings.
  CrashNotice(const std::string& command, const std::string& subject, const SubjectOptions& options,
              const std::string& out);
  ~CrashNotice();
  CrashNotice(const CrashNotice&) = delete;
  CrashNotice& operator=(const CrashNotice&) = delete;

  // The text that the subject is asked about until the next call; must stay alive. A crash leaves it in
  // OUT/crashed/text.
  void SetText(std::string_view text) const;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_COMMANDS_SUBJECT_ARGUMENTS_H_
