// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/module_texts.h"
#include <gtest/gtest.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include "layoutcheck/core/process/temporary_directory.h"

namespace layoutcheck {
namespace {

namespace fs = std::filesystem;

// Gives up the rights of root, who may read everything.
class WithoutRights {
 public:
  WithoutRights() : user_(geteuid()) { EXPECT_TRUE(user_ != 0 || seteuid(65534) == 0); }
  ~WithoutRights() { EXPECT_EQ(seteuid(user_), 0); }

 private:
  uid_t user_;
};

// Returns the messages of the errors of reading all modules.
std::vector<std::string> ErrorsOf(const std::vector<std::string>& files) {
  ModuleTexts texts(files, false);
  std::vector<std::string> errors;
  while (true) {
    const auto text = texts.Next();
    if (!text) {
      errors.push_back(text.error().message);
    } else if (!*text) {
      return errors;
    }
  }
}

TEST(ModuleTexts, FilesFoldersAndLinksThatCannotBeReadAreErrors) {
  const TemporaryDirectory directory;
  const fs::path root = directory.path();
  fs::create_directories(root / "closed" / "inner");
  fs::create_directories(root / "open");
  for (const char* name : {"a.txt", "closed.txt", "closed/c.txt", "open/d.txt"}) {
    std::ofstream(root / name) << "HloModule m\n";
  }
  std::ofstream(root / "notes.md") << "no module\n";
  fs::create_symlink("nowhere", root / "dangling");
  fs::create_symlink("loop", root / "loop");
  fs::create_directory_symlink("open", root / "other");
  fs::permissions(root, fs::perms(0755));
  fs::permissions(root / "closed", fs::perms(0));
  fs::permissions(root / "closed.txt", fs::perms(0));
  {
    const WithoutRights without_rights;
    const auto files = FindModuleFiles(std::vector<std::string>{root.string()}, false);
    ASSERT_TRUE(files.has_value()) << files.error().message;
    EXPECT_EQ(files->names, (std::vector<std::string>{root / "a.txt", root / "closed", root / "closed.txt",
                                                      root / "dangling", root / "loop", root / "open/d.txt"}));
    EXPECT_EQ(files->left_out, 1);
    EXPECT_EQ(files->links, 1);
    EXPECT_EQ(ErrorsOf(files->names),
              (std::vector<std::string>{(root / "closed").string() + ": Permission denied",
                                        (root / "closed.txt").string() + ": Permission denied",
                                        (root / "dangling").string() + ": No such file or directory",
                                        (root / "loop").string() + ": Too many levels of symbolic links"}));
  }
  fs::permissions(root / "closed", fs::perms(0755));
}

}  // namespace
}  // namespace layoutcheck
