// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/testing/run_program.h"
#include <cstdlib>
#include <fstream>
#include <sstream>
#include "layoutcheck/cli/testing/json_schema.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

std::string WriteFile(const TemporaryDirectory& directory, const std::string& name, std::string_view content) {
  std::string path = directory.path() + "/" + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

std::string LastLine(const std::string& text) {
  std::istringstream lines(text);
  std::string last;
  for (std::string line; std::getline(lines, line);) last = line;
  return last;
}

std::vector<Json> JsonLines(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(Json::Parse(line).value());
  return lines;
}

ProgramResult StartLayoutcheck(const std::vector<std::string>& arguments, std::string_view input) {
  setenv("LC_ALL", "C.UTF-8", 1);
  std::vector<std::string> command{LAYOUTCHECK_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ProgramResult result = RunProgram(command, input, ErrorStream::kPipe).value_or(ProgramResult{});
  ExpectDocumented(arguments, result.out);
  return result;
}

ProgramResult RunShell(const std::string& command, const std::string& directory) {
  setenv("LC_ALL", "C.UTF-8", 1);
  const std::string program = LAYOUTCHECK_PROGRAM;
  const std::string folder = program.substr(0, program.rfind('/'));
  const std::vector<std::string> shell{"/bin/sh", "-c",
                                       "cd '" + directory + "' && PATH='" + folder + "':\"$PATH\"\n" + command};
  return RunProgram(shell, "", ErrorStream::kWithOutput).value_or(ProgramResult{});
}

}  // namespace layoutcheck
