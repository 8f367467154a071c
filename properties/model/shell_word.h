// Text as a word of a shell command.
#ifndef LAYOUTCHECK_PROPERTIES_MODEL_SHELL_WORD_H_
#define LAYOUTCHECK_PROPERTIES_MODEL_SHELL_WORD_H_

#include <string>
#include <string_view>

namespace layoutcheck {

// The word as a POSIX shell reads it: as it is where that is safe, otherwise between single quotes.
std::string ShellWord(std::string_view word);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_MODEL_SHELL_WORD_H_
