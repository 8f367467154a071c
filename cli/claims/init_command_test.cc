// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of `layoutcheck init`.
#include <gtest/gtest.h>
#include <filesystem>
#include <sstream>
#include <string>
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

namespace fs = std::filesystem;

const std::string kModules = std::string(LAYOUTCHECK_SOURCE) + "/corpus/modules/";

// A repository with a function, two kernels of one name, dumps, and what is no part of it.
void MakeRepository(const TemporaryDirectory& directory) {
  for (const char* folder : {"src", "dumps/deep", "build", ".hidden"})
    fs::create_directories(directory.path() + "/" + folder);
  WriteFile(directory, "src/index.c", "long at(long i0, long i1, long N) { return i0 * N + i1; }\n");
  const std::string kernel =
      "__global__ void scale(float* a, int N) {\n  int i = blockIdx.x * 256 + threadIdx.x;\n  if (i < N) a[i] = 2 * "
      "a[i];\n}\n";
  WriteFile(directory, "src/a.cu", kernel);
  WriteFile(directory, "src/b.cu", kernel);
  fs::copy(kModules + "explain.txt", directory.path() + "/dumps/deep/explain.txt");
  fs::copy(kModules + "explain.txt", directory.path() + "/step.txt");
  WriteFile(directory, "README.txt", "no dump\n");
  WriteFile(directory, "build/CMakeCache.txt", "");
  WriteFile(directory, "build/x.c", "int x(int a) { return a * 2; }\n");
  WriteFile(directory, ".hidden/x.c", "int x(int a) { return a * 2; }\n");
}

// Returns the file of claims with its entries, and without the comments before them.
std::string WithEntries(const std::string& claims) {
  std::string text;
  std::istringstream lines(claims);
  for (std::string line; std::getline(lines, line);) {
    const bool is_entry = line.starts_with("# [") || (line.starts_with("# ") && line.find(" = ") != std::string::npos);
    text += (is_entry ? line.substr(2) : line) + "\n";
  }
  return text;
}

TEST(InitCommand, ProposesWhatRunReads) {
  const TemporaryDirectory directory;
  MakeRepository(directory);
  const ProgramResult init = RunShell("layoutcheck init --json", directory.path());
  EXPECT_EQ(init.exit_code, 0);
#ifdef LAYOUTCHECK_HAS_LLVM
  EXPECT_EQ(init.out, "{\"file\":\"layoutcheck.toml\",\"functions\":1,\"kernels\":2,\"dumps\":2}\n");
#endif
  const std::string claims = ReadFile(directory.path() + "/layoutcheck.toml");
  EXPECT_NE(claims.find("[scan.dumps]\npath = [\"dumps/deep\", \"step.txt\"]\n"), std::string::npos) << claims;
  const ProgramResult run = RunShell("layoutcheck run", directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_EQ(LastLine(run.out), "1 claim: 1 accepted");
#ifdef LAYOUTCHECK_HAS_LLVM
  // These entries are complete as they are proposed.
  WriteFile(directory, "layoutcheck.toml", WithEntries(claims));
  const ProgramResult all = RunShell("layoutcheck run --only at --only scale --only scale-2", directory.path());
  EXPECT_EQ(all.exit_code, 0) << all.out;
  EXPECT_EQ(LastLine(all.out), "3 claims: 3 proved");
#endif
}

TEST(InitCommand, KeepsAFileThatIsThere) {
  const TemporaryDirectory directory;
  WriteFile(directory, "layoutcheck.toml", "# mine\n");
  const ProgramResult again = RunShell("layoutcheck init", directory.path());
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_EQ(again.out, "layoutcheck init: layoutcheck.toml is there already, and is kept as it is\n");
  EXPECT_EQ(ReadFile(directory.path() + "/layoutcheck.toml"), "# mine\n");
  // A link to nothing would be followed.
  fs::create_directory(directory.path() + "/link");
  fs::create_symlink(directory.path() + "/elsewhere", directory.path() + "/link/layoutcheck.toml");
  EXPECT_EQ(RunShell("layoutcheck init link", directory.path()).exit_code, 2);
  EXPECT_FALSE(fs::exists(directory.path() + "/elsewhere"));
  EXPECT_EQ(RunShell("layoutcheck init missing", directory.path()).exit_code, 2);
}

TEST(InitCommand, AFolderWithoutAnythingHasAnExample) {
  const TemporaryDirectory directory;
  EXPECT_EQ(RunShell("layoutcheck init", directory.path()).out,
            "layoutcheck.toml: 0 functions, 0 kernels, 0 HLO dumps\n");
  EXPECT_EQ(RunShell("layoutcheck run 2>/dev/null", directory.path()).exit_code, 3);
  WriteFile(directory, "layoutcheck.toml", WithEntries(ReadFile(directory.path() + "/layoutcheck.toml")));
  EXPECT_EQ(RunShell("layoutcheck run", directory.path()).exit_code, 0);
}

}  // namespace
}  // namespace layoutcheck
