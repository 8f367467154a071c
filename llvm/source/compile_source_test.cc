// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/source/compile_source.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include "layoutcheck/core/process/temporary_directory.h"

namespace layoutcheck {
namespace {

// Returns the files that a compilation reads, as paths below the directory and sorted.
std::vector<std::string> FilesOf(const TemporaryDirectory& directory, const std::string& name,
                                 const CompileOptions& options) {
  const auto files = FindCompiledFiles(directory.path() + "/" + name, options);
  if (!files) return {files.error().message};
  std::vector<std::string> names;
  for (const std::string& file : *files) {
    const std::string path = std::filesystem::path(file).lexically_normal();
    if (path.starts_with(directory.path() + "/")) names.push_back(path.substr(directory.path().size() + 1));
  }
  std::ranges::sort(names);
  return names;
}

using Names = std::vector<std::string>;

TEST(CompiledFiles, AreAllThatIsIncluded) {
  const TemporaryDirectory directory;
  const auto write = [&](const std::string& name, const std::string& text) {
    const std::filesystem::path path = directory.path() + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  };
  write("a.c",
        "#include <stdint.h>\n#include \"b.h\"\n#ifdef MORE\n#include \"more.h\"\n#endif\nint f() { return N; }\n");
  write("b.h", "#define NEXT \"with $ and #/a blank.h\"\n#include NEXT\n");
  write("with $ and #/a blank.h", "#define N 3\n");
  write("include/more.h", "");
  EXPECT_EQ(FilesOf(directory, "a.c", {}), (Names{"a.c", "b.h", "with $ and #/a blank.h"}));
  EXPECT_EQ(FilesOf(directory, "a.c", {.flags = {"-DMORE", "-I", directory.path() + "/include"}}),
            (Names{"a.c", "b.h", "include/more.h", "with $ and #/a blank.h"}));
  EXPECT_NE(FilesOf(directory, "a.c", {.flags = {"-DMORE"}}).front().find("'more.h' file not found"),
            std::string::npos);
  const auto with_system = FindCompiledFiles(directory.path() + "/a.c", {});
  ASSERT_TRUE(with_system);
  EXPECT_TRUE(std::ranges::any_of(*with_system, [](const std::string& file) { return file.ends_with("stdint.h"); }));
}

TEST(CompiledFiles, OfAKernelLeaveOutWhatStandsInForTheToolkit) {
  const TemporaryDirectory directory;
  std::ofstream(directory.path() + "/k.cu") << "#include <cuda_runtime.h>\n#include \"tile.h\"\n"
                                               "__global__ void f(float* a) { a[threadIdx.x] = N; }\n";
  std::ofstream(directory.path() + "/tile.h") << "#define N 3\n";
  EXPECT_EQ(FilesOf(directory, "k.cu", {.for_device = true}), (Names{"k.cu", "tile.h"}));
  const auto all = FindCompiledFiles(directory.path() + "/k.cu", {.for_device = true});
  ASSERT_TRUE(all);
  for (const std::string& file : *all) EXPECT_TRUE(std::filesystem::exists(file)) << file;
  EXPECT_EQ(FilesOf(directory, "k.f90", {}),
            (Names{directory.path() + "/k.f90: expected a file .c, .cc, .cpp, .cxx, .cu, .hip, .ll or .bc"}));
}

}  // namespace
}  // namespace layoutcheck
