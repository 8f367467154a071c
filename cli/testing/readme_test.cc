// The examples in README.md and in the help of the commands are run, and print what is printed there.
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

struct Example {
  std::string command;
  std::string out;
};

// "$ command" and the lines after it, up to the next command.
std::vector<Example> ExamplesIn(const std::vector<std::string>& lines) {
  std::vector<Example> examples;
  for (const std::string& line : lines) {
    if (line.starts_with("$ ")) {
      examples.push_back({line.substr(2), ""});
    } else if (!examples.empty()) {
      examples.back().out += line + "\n";
    }
  }
  return examples;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The lines of all ```console blocks.
std::vector<std::string> ConsoleLines(const std::string& markdown) {
  std::vector<std::string> lines;
  bool inside = false;
  for (const std::string& line : Lines(markdown)) {
    if (line.starts_with("```")) {
      inside = line == "```console";
    } else if (inside) {
      lines.push_back(line);
    }
  }
  return lines;
}

TEST(Readme, ExamplesPrintWhatIsPrinted) {
  const std::vector<Example> examples =
      ExamplesIn(ConsoleLines(ReadFile(std::string(LAYOUTCHECK_SOURCE) + "/README.md")));
  ASSERT_FALSE(examples.empty());
  const TemporaryDirectory directory;
  // What a reader has in that directory: an implementation that rounds the number of tiles down, and the C++ example.
  RunShell(std::string("echo 'exec ") + LAYOUTCHECK_FAULTY_SUBJECT +
               " --fault floor-tile-count' > mine; chmod +x mine; cp " + LAYOUTCHECK_CPP_SUBJECT + " .",
           directory.path());
  size_t failures = 0;
  for (const Example& example : examples) {
    const ProgramResult result = RunShell(example.command, directory.path());
    failures += result.out != example.out;
    EXPECT_EQ(result.out, example.out) << "$ " << example.command;
    EXPECT_NE(example.command.find("layoutcheck "), std::string::npos) << example.command;
  }
  std::printf("%zu examples, %zu failures\n", examples.size(), failures);
}

TEST(Readme, PictureIsWhatTheProgramDraws) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/memory.svg";
  ASSERT_EQ(RunLayoutcheck({"show", "bf16[20,300]{1,0:T(8,128)(2,1)}", "--svg", file}).exit_code, 0);
  EXPECT_EQ(ReadFile(file), ReadFile(std::string(LAYOUTCHECK_SOURCE) + "/docs/memory.svg"));
}

// Examples whose output is shown; those without any may need files that are not there.
TEST(Help, ExamplesPrintWhatIsPrinted) {
  const TemporaryDirectory directory;
  size_t count = 0;
  size_t failures = 0;
  bool in_commands = false;
  for (const std::string& line : Lines(RunLayoutcheck({"--help"}).out)) {
    if (line.empty() || line == "Commands:") in_commands = line == "Commands:";
    if (!in_commands || line == "Commands:") continue;
    const std::string command = line.substr(2, line.find(' ', 2) - 2);
    const ProgramResult help = RunLayoutcheck({command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_TRUE(help.out.starts_with("usage: layoutcheck " + command)) << help.out;
    std::vector<std::string> example_lines;
    bool in_example = false;
    for (const std::string& help_line : Lines(help.out)) {
      EXPECT_LE(help_line.size(), 100u) << help_line;
      if (in_example) example_lines.push_back(help_line.substr(help_line.empty() ? 0 : 2));
      in_example = in_example || help_line == "Example:";
    }
    const std::vector<Example> examples = ExamplesIn(example_lines);
    EXPECT_FALSE(examples.empty()) << command << " has no example";
    for (const Example& example : examples) {
      if (example.out.empty()) continue;
      const ProgramResult result = RunShell(example.command, directory.path());
      ++count;
      failures += result.out != example.out;
      EXPECT_EQ(result.out, example.out) << "$ " << example.command;
    }
  }
  EXPECT_GE(count, 4u);
  std::printf("%zu examples, %zu failures\n", count, failures);
}

}  // namespace
}  // namespace layoutcheck
