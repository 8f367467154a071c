// Where the adapters to real implementations are: scripts of the source tree, and programs that were built beside this
// one where what they need was installed.
#ifndef LAYOUTCHECK_SUBJECTS_ADAPTERS_H_
#define LAYOUTCHECK_SUBJECTS_ADAPTERS_H_

#include <string>
#include <string_view>

#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// The shell command of an adapter in Python, `script` being its path in the source tree
// ("subjects/xla/xla_subject.py") and `module` the Python module that it is about. The tree is the nearest directory
// above this program that has the script, or the one that this program was built from. The interpreter is that of the
// virtual environment in the tree. Error (kUnavailable): no such tree, or no such module in its environment, saying how
// to get it.
Expected<std::string> PythonAdapter(std::string_view script, std::string_view module);

// The same for an adapter that the system's python3 runs and that needs `file`, which Debian's `package` installs.
Expected<std::string> SystemAdapter(std::string_view script, std::string_view file, std::string_view package);

// The shell command of an adapter program, `name` being the folder's: subjects/NAME/NAME_subject in the build tree,
// libexec/layoutcheck/NAME_subject in an installed copy. Error (kUnavailable): it is in neither, which means that
// `package`, Debian's name for what it needs, was not there when this program was built.
Expected<std::string> ProgramAdapter(std::string_view name, std::string_view package);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SUBJECTS_ADAPTERS_H_
