// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of the program. Each function adds a command with its options and help; the selected command stores its
// work in `action`. A new command is a file, a line here and a line in main.cc.
#pragma once

#include "layoutcheck/cli/base/command.h"

namespace layoutcheck {

// Describes every LAYOUT argument that may be in any notation.
inline constexpr const char* kLayoutArgument = "a layout in any notation; see layoutcheck --help";
// Describes every --subject option whose default is the reference.
inline constexpr const char* kSubjectOption = "the implementation; see layoutcheck subjects (default: reference)";

void AddCheckCommand(CLI::App& program, Action& action);
void AddCompareCommand(CLI::App& program, Action& action);
void AddConvertCommand(CLI::App& program, Action& action);
void AddCoordCommand(CLI::App& program, Action& action);
void AddFuzzCommand(CLI::App& program, Action& action);
void AddIndexCommand(CLI::App& program, Action& action);
void AddLawsCommand(CLI::App& program, Action& action);
void AddMergeCommand(CLI::App& program, Action& action);
void AddParseCommand(CLI::App& program, Action& action);
void AddProveCommand(CLI::App& program, Action& action);
void AddReplayCommand(CLI::App& program, Action& action);
void AddReportCommand(CLI::App& program, Action& action);
void AddScanCommand(CLI::App& program, Action& action);
void AddServeCommand(CLI::App& program, Action& action);
void AddShowCommand(CLI::App& program, Action& action);
void AddSubjectsCommand(CLI::App& program, Action& action);
void AddVerifyCommand(CLI::App& program, Action& action);

}  // namespace layoutcheck
