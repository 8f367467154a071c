#include "layoutcheck/cli/testing/run_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

extern char** environ;

namespace layoutcheck {
namespace {

// Runs arguments[0] with files as its streams, so that no pipe can fill up.
int Spawn(const std::vector<std::string>& arguments, const std::string& in, const std::string& out,
          const std::string& err) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (err == out) {
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  }
  setenv("LC_ALL", "C.UTF-8", 1);
  pid_t pid = 0;
  const int spawned = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (spawned != 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

}  // namespace

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "layoutcheck-XXXXXX").string();
  if (mkdtemp(name.data()) != nullptr) path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

ProgramResult RunLayoutcheck(const std::vector<std::string>& arguments, std::string_view input) {
  const TemporaryDirectory directory;
  const std::string in = directory.path() + "/in";
  const std::string out = directory.path() + "/out";
  const std::string err = directory.path() + "/err";
  std::ofstream(in, std::ios::binary) << input;
  std::vector<std::string> command{LAYOUTCHECK_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ProgramResult result;
  result.exit_code = Spawn(command, in, out, err);
  result.out = ReadFile(out);
  result.err = ReadFile(err);
  return result;
}

ProgramResult RunShell(const std::string& command, const std::string& directory) {
  const std::string program = LAYOUTCHECK_PROGRAM;
  const std::string folder = program.substr(0, program.rfind('/'));
  const TemporaryDirectory files;
  const std::string out = files.path() + "/out";
  ProgramResult result;
  result.exit_code = Spawn({"/bin/sh", "-c", "cd '" + directory + "' && PATH='" + folder + "':\"$PATH\"\n" + command},
                           "/dev/null", out, out);
  result.out = ReadFile(out);
  return result;
}

}  // namespace layoutcheck
