// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of the program. A new command is a file, a line here and a line in program.cc.
#pragma once

#include "layoutcheck/cli/base/option.h"

namespace layoutcheck {

// Describes every LAYOUT argument that may be in any notation.
inline constexpr const char* kLayoutArgument = "a layout in any notation; see layoutcheck --help";
// Describes every --subject option whose default is the reference.
inline constexpr const char* kSubjectOption = "the implementation; see layoutcheck subjects (default: reference)";

Command AcceptCommand();
Command AlgebraCommand();
Command CheckCommand();
Command CompareCommand();
Command ConvertCommand();
Command CoordCommand();
Command FindCommand();
Command FuzzCommand();
Command IndexCommand();
Command LawsCommand();
Command MergeCommand();
Command ParseCommand();
Command ProveCodeCommand();
Command ProveCommand();
Command ProveKernelCommand();
Command ReplayCommand();
Command ReportCommand();
Command ScanCommand();
Command ServeCommand();
Command ShowCommand();
Command SubjectsCommand();
Command VerifyCommand();

}  // namespace layoutcheck
