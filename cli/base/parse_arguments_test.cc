// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/parse_arguments.h"
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/cli/base/help.h"

namespace layoutcheck {
namespace {

// A program with one command, `make`, that has an option of every kind.
class ParseArgumentsTest : public testing::Test {
 protected:
  // Returns the command that the arguments name, or the exit code. Keeps what is printed in `out_` and `err_`.
  std::expected<const Command*, ExitCode> Parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "layoutcheck");
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const auto command = ParseArguments(program_, static_cast<int>(arguments.size()), arguments.data());
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
    return command;
  }

  // Expects that the arguments cannot be used, and returns the message.
  std::string Refused(const std::vector<const char*>& arguments) {
    const auto command = Parse(arguments);
    EXPECT_EQ(command ? ExitCode::kAccepted : command.error(), ExitCode::kUnusable);
    EXPECT_EQ(out_, "");
    return err_;
  }

  std::string file_;
  std::vector<std::string> rest_;
  bool flag_ = false;
  bool other_flag_ = false;
  uint64_t number_ = 1;
  std::optional<uint64_t> count_;
  std::optional<int> descriptor_;
  std::string kind_ = "a";
  std::optional<std::string> text_;
  std::vector<std::string> list_;
  std::vector<std::string> then_;
  std::vector<GivenOption> given_;
  std::string out_;
  std::string err_;
  Command program_{
      .description = "make things",
      .footer = "Exit codes: 0.",
      .version = "program 1.2\n",
      .options = PageOptions(),
      .commands = {Command{.name = "make",
                           .description = "make one thing",
                           .details = "\nIt is made well.",
                           .example = "\n  $ layoutcheck make x",
                           .options = {{"FILE", "what to make", &file_, kRequired},
                                       {"REST", "more", &rest_},
                                       {"--flag", "a flag", &flag_},
                                       {"--other", "another", &other_flag_, kNoTraits, "--number", "--flag"},
                                       {"--number N", "a number", &number_},
                                       {"--count N", "a number that may be absent", &count_, kDetail},
                                       {"--descriptor N", "any integer", &descriptor_, kUnlisted},
                                       {"--kind a|b|c", "a word", &kind_, kOneOf},
                                       {"--text TEXT", "a text", &text_, kMayBeEmpty},
                                       {"--list TEXT", "texts", &list_},
                                       {"--then FILE...", "the next thing", &then_, kRest | kUnlisted}},
                           .run = [] { return ExitCode::kAccepted; },
                           .given = &given_,
                           .older_spelling = "old --make"}}};
};

TEST_F(ParseArgumentsTest, FillsTheTargetsAndSaysWhatWasGiven) {
  const auto command =
      Parse({"make", "--list", "x", "f", "--list=y", "r1", "--flag", "--number", "18446744073709551615", "--count", "0",
             "r2", "--kind", "b", "--text", "", "--descriptor", "-7"});
  ASSERT_TRUE(command.has_value()) << err_;
  EXPECT_EQ((*command)->name, "make");
  EXPECT_EQ(file_, "f");
  EXPECT_EQ(rest_, (std::vector<std::string>{"r1", "r2"}));
  EXPECT_TRUE(flag_);
  EXPECT_EQ(number_, UINT64_MAX);
  EXPECT_EQ(count_, 0u);
  EXPECT_EQ(descriptor_, -7);
  EXPECT_EQ(kind_, "b");
  EXPECT_EQ(text_, "");
  EXPECT_EQ(list_, (std::vector<std::string>{"x", "y"}));
  std::string given;
  for (const auto& [name, value, texts] : given_) {
    given += name + " " + value + ":";
    for (const std::string& text : texts) given += " " + text;
    given += "\n";
  }
  EXPECT_EQ(given,
            "FILE : f\nREST : r1 r2\n--flag : true\n--number N: 18446744073709551615\n--count N: 0\n"
            "--descriptor N: -7\n--kind a|b|c: b\n--text TEXT: \n--list TEXT: x y\n");
}

TEST_F(ParseArgumentsTest, TakesTheRestAsItIs) {
  ASSERT_TRUE(Parse({"make", "f", "--flag", "--then", "g", "--flag", "--then", "--unknown"}).has_value()) << err_;
  EXPECT_EQ(file_, "f");
  EXPECT_EQ(then_, (std::vector<std::string>{"g", "--flag", "--then", "--unknown"}));
  EXPECT_NE(Refused({"make", "f", "--then"}).find("--then"), std::string::npos);
}

TEST_F(ParseArgumentsTest, LeavesWhatWasNotGiven) {
  ASSERT_TRUE(Parse({"make", "f"}).has_value()) << err_;
  EXPECT_EQ(number_, 1u);
  EXPECT_EQ(count_, std::nullopt);
  EXPECT_EQ(text_, std::nullopt);
  EXPECT_EQ(given_.size(), 1u);
}

TEST_F(ParseArgumentsTest, RefusesWhatCannotBeUsed) {
  EXPECT_EQ(Refused({"made"}), "layoutcheck: unknown command 'made' (did you mean 'make'?); see layoutcheck --help\n");
  EXPECT_EQ(Refused({"do"}), "layoutcheck: unknown command 'do'; see layoutcheck --help\n");
  EXPECT_EQ(Refused({"make"}), "layoutcheck make: FILE is required; see layoutcheck make --help\n");
  EXPECT_EQ(Refused({"make", "f", "--nope"}),
            "layoutcheck make: unknown option '--nope'; see layoutcheck make --help\n");
  EXPECT_EQ(Refused({"make", "f", "--flga=x"}),
            "layoutcheck make: unknown option '--flga=x' (did you mean '--flag'?); see layoutcheck make --help\n");
  EXPECT_EQ(
      Refused({"make", "f", "--count", "-1"}),
      "layoutcheck make: --count: expected an integer from 0 to 2^64 - 1, got '-1'; see layoutcheck make --help\n");
  EXPECT_EQ(Refused({"make", "f", "--kind", "d"}),
            "layoutcheck make: --kind: expected a, b or c, got 'd'; see layoutcheck make --help\n");
  EXPECT_EQ(Refused({"make", "f", "--list", ""}), "layoutcheck make: --list: expected a value, found an empty text\n");
  EXPECT_EQ(Refused({"make", "f", "--other"}),
            "layoutcheck make: --other requires --number; see layoutcheck make --help\n");
  EXPECT_NE(Refused({"make", "f", "--other", "--flag", "--number", "2"}).find(" excludes "), std::string::npos);
}

TEST_F(ParseArgumentsTest, PrintsTheHelpWithoutACommand) {
  const auto command = Parse({});
  EXPECT_EQ(command ? ExitCode::kAccepted : command.error(), ExitCode::kUnusable);
  EXPECT_EQ(err_, "layoutcheck: expected a command; see layoutcheck --help\n");
  const std::string help = out_;
  EXPECT_FALSE(Parse({"--help"}).has_value());
  EXPECT_EQ(help, out_);
}

TEST_F(ParseArgumentsTest, PrintsPages) {
  const auto printed = [&](const std::vector<const char*>& arguments) {
    const auto command = Parse(arguments);
    EXPECT_EQ(command ? ExitCode::kUnusable : command.error(), ExitCode::kAccepted);
    EXPECT_EQ(err_, "");
    return out_;
  };
  const std::string help = printed({"make", "--help"});
  EXPECT_EQ(help,
            "usage: layoutcheck make FILE [REST...] [OPTION]...\n\n"
            "make one thing\n\n"
            "Arguments:\n"
            "  FILE              what to make\n"
            "  REST              more\n\n"
            "Options:\n"
            "  --help, -h        print this text; --help=all prints the details and all\n"
            "                    options\n"
            "  --flag            a flag\n"
            "  --other           another\n"
            "  --number N        a number\n"
            "  --kind a|b|c      a word\n"
            "  --text TEXT       a text\n"
            "  --list TEXT       texts\n\n"
            "Example:\n"
            "  $ layoutcheck make x\n");
  EXPECT_EQ(printed({"make", "-h"}), help);
  const std::string all = printed({"make", "--help=all"});
  EXPECT_NE(all.find("\n\nIt is made well.\n\nArguments:"), std::string::npos) << all;
  EXPECT_NE(all.find("--count N"), std::string::npos) << all;
  EXPECT_EQ(all.find("--descriptor"), std::string::npos) << all;
  EXPECT_NE(printed({"--help"}).find("  make              make one thing\n"), std::string::npos) << out_;
  EXPECT_EQ(printed({"--version"}), "program 1.2\n");
  EXPECT_NE(printed({"--man"}).find("It is made well."), std::string::npos) << out_;
  EXPECT_NE(printed({"--completion", "fish"}).find("-l count"), std::string::npos) << out_;
  EXPECT_EQ(out_.find("descriptor"), std::string::npos) << out_;
}

TEST_F(ParseArgumentsTest, ReadsTheOlderSpelling) {
  const std::vector<std::vector<const char*>> older = {{"old", "r", "--flag", "--make", "f"},
                                                       {"old", "--make=f", "r", "--flag"}};
  for (const std::vector<const char*>& arguments : older) {
    flag_ = false;
    ASSERT_TRUE(Parse(arguments).has_value()) << err_;
    EXPECT_EQ(file_, "f");
    EXPECT_EQ(rest_, std::vector<std::string>{"r"});
    EXPECT_TRUE(flag_);
  }
  EXPECT_EQ(Refused({"old", "f"}), "layoutcheck: unknown command 'old'; see layoutcheck --help\n");
}

}  // namespace
}  // namespace layoutcheck
