// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the adapters to real implementations: scripts in the source tree, and programs built beside this one if their
// software was installed.
#pragma once

#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// Returns the shell command of a Python adapter. `script` is its path in the source tree, such as
// "subjects/xla/xla_subject.py", and `module` the Python module that it tests. The tree is the nearest directory above
// this program that has the script, or else the one that built this program; the interpreter is in the tree's virtual
// environment. Error (kUnavailable): no such tree or module; the message says how to get it.
Expected<std::string> PythonAdapter(std::string_view script, std::string_view module);

// The sources of a library in a folder of the user's, which an environment variable names.
struct Checkout {
  std::string_view variable;
  std::string_view file;     // a file of the library, relative to the folder
  std::string_view project;  // the name of the library, for messages
};

// Returns the shell command of a Python adapter that compiles or imports the sources of a checkout, with these
// arguments. It runs in the virtual environment if there is one, and else in the python3 of PATH. Error (kUnavailable):
// the variable does not name a folder with the file; the message says how to get it.
Expected<std::string> CheckoutAdapter(std::string_view script, std::string_view arguments, const Checkout& checkout);

// Returns the command of CheckoutAdapter if the variable is set, and else that of PythonAdapter(script, module).
Expected<std::string> PythonAdapter(std::string_view script, std::string_view module, const Checkout& checkout);

// Returns the shell command of an adapter that runs in the system's python3 and needs `file` of Debian's `package`.
Expected<std::string> SystemAdapter(std::string_view script, std::string_view file, std::string_view package);

// Returns the shell command of an adapter program: subjects/NAME/NAME_subject in the build tree, or
// libexec/layoutcheck/NAME_subject in an installed copy. Error (kUnavailable): it is in neither, because Debian's
// `package` was missing when this program was built.
Expected<std::string> ProgramAdapter(std::string_view name, std::string_view package);

}  // namespace layoutcheck
