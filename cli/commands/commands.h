// The commands of the program: each adds itself, with its options and help, and stores in `action` what to do when it
// is selected. A new command is a file, a line here and a line in main.cc.
#ifndef LAYOUTCHECK_CLI_COMMANDS_COMMANDS_H_
#define LAYOUTCHECK_CLI_COMMANDS_COMMANDS_H_

#include "layoutcheck/cli/base/command.h"

namespace layoutcheck {

void AddCheckCommand(CLI::App& program, Action& action);
void AddConvertCommand(CLI::App& program, Action& action);
void AddCoordCommand(CLI::App& program, Action& action);
void AddFuzzCommand(CLI::App& program, Action& action);
void AddIndexCommand(CLI::App& program, Action& action);
void AddLawsCommand(CLI::App& program, Action& action);
void AddParseCommand(CLI::App& program, Action& action);
void AddProveCommand(CLI::App& program, Action& action);
void AddReplayCommand(CLI::App& program, Action& action);
void AddReportCommand(CLI::App& program, Action& action);
void AddServeCommand(CLI::App& program, Action& action);
void AddShowCommand(CLI::App& program, Action& action);
void AddSubjectsCommand(CLI::App& program, Action& action);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_COMMANDS_COMMANDS_H_
