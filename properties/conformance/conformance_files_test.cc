// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/conformance/conformance_files.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/child_process.h"
#include "layoutcheck/properties/model/shell_word.h"

namespace layoutcheck {
namespace {

const std::string kCorpus = LAYOUTCHECK_CORPUS;

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Returns the output of a shell command, followed by "exit N".
std::string Output(const std::string& command) {
  const auto result = RunProgram(std::vector<std::string>{"sh", "-c", command}, "", ErrorStream::kDiscard);
  return result ? StrCat(result->out, "exit ", result->exit_code) : "cannot be run";
}

TEST(ConformanceFiles, AreWhatTheReferenceSays) {
  std::ifstream lines(kCorpus + "/layouts/occurring.txt");
  std::vector<std::string> occurring;
  for (std::string line; std::getline(lines, line);) occurring.push_back(line);
  const auto files = MakeConformanceFiles(occurring);
  ASSERT_TRUE(files) << files.error().ToString();
  for (const auto& [name, text] : *files) {
    const std::string written = ReadFile(StrCat(kCorpus, "/conformance/", name));
    const auto at = std::ranges::mismatch(written, text).in2 - text.begin();
    const size_t begin = text.rfind('\n', static_cast<size_t>(at)) + 1;
    EXPECT_TRUE(written == text) << name << " differs (write_conformance writes it again) from line "
                                 << std::count(text.begin(), text.begin() + at, '\n') + 1 << ": "
                                 << text.substr(begin, 200);
    std::printf("%s: %td lines, %zu bytes\n", name.c_str(), std::ranges::count(text, '\n'), text.size());
  }
}

TEST(ConformanceFiles, ADigestIsFnv1a) {
  // The published hashes of no byte and of eight zero bytes.
  EXPECT_EQ(DigestOf({}), "cbf29ce484222325");
  EXPECT_EQ(DigestOf(std::vector<int64_t>{0}), "a8c7f832281a39c5");
}

TEST(ConformanceFiles, BothReadersReadTheSame) {
  std::string files;
  for (const char* name : {"layouts", "texts", "shape_stride"}) {
    StrAppend(files, " ", ShellWord(StrCat(kCorpus, "/conformance/", name, ".jsonl")));
  }
  const std::string cpp = Output(ShellWord(LAYOUTCHECK_CONFORMANCE_READER) + files);
  EXPECT_TRUE(cpp.ends_with("exit 0")) << cpp;
  EXPECT_EQ(std::ranges::count(cpp, '\n'), 3) << cpp;
  std::printf("%s\n", cpp.c_str());
  if (Output("python3 --version 2>&1").find("Python 3") == std::string::npos)
    GTEST_SKIP() << "python3 is not installed";
  EXPECT_EQ(Output(StrCat("python3 ", ShellWord(kCorpus + "/conformance/reader.py"), files)), cpp);
}

}  // namespace
}  // namespace layoutcheck
