// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/claims/claims_file.h"
#include <gtest/gtest.h>
#include <optional>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Targets of the options below, which no test reads.
struct Targets {
  std::string text;
  std::optional<uint64_t> number;
  std::vector<std::string> texts;
  bool flag = false;
};

std::vector<Command> Kinds() {
  static Targets to;
  return {{.name = "prove",
           .options = {{"LAYOUT", "a layout", &to.texts},
                       {"--formula TEXT", "a formula", &to.text},
                       {"--law NAME", "a law", &to.texts},
                       {"--time DURATION", "a time", &to.text},
                       {"--jobs N", "threads", &to.number},
                       {"--json", "lines", &to.flag}}},
          {.name = "prove-kernel",
           .options = {{"FILE", "a source", &to.text, kRequired},
                       {"--then FILE...", "the next kernel", &to.texts, kRest},
                       {"--exact", "no limit", &to.flag}}},
          {.name = "check", .options = {{"--subject S", "a subject", &to.text}, {"--out DIR", "findings", &to.text}}}};
}

// Returns the commands of the claims, one per line, or the message of the error.
std::string CommandsOf(const std::string& text) {
  const std::vector<Command> kinds = Kinds();
  const auto claims = ReadClaims(text, kinds);
  if (!claims) return claims.error().message;
  std::string commands;
  for (const Claim& claim : *claims) StrAppend(commands, claim.name, ": ", claim.ShellCommand(), "\n");
  return commands;
}

TEST(ClaimsFile, KeysAreOptionsAndArguments) {
  EXPECT_EQ(CommandsOf("[prove.rows]\nlayout = 'f32[M,N]{1,0}'\nformula = 'i0*N + i1'\n"),
            "rows: layoutcheck prove 'f32[M,N]{1,0}' --formula 'i0*N + i1'\n");
  EXPECT_EQ(CommandsOf("[prove.\"two layouts\"]\nlaw = ['onto', 'inverse']\nlayout = ['a', 'b']\n"),
            "two layouts: layoutcheck prove a b --law onto --law inverse\n");
  EXPECT_EQ(CommandsOf("[prove.minus]\nformula = '-i0'\n"), "minus: layoutcheck prove --formula=-i0\n");
  EXPECT_EQ(CommandsOf("[prove.number]\nformula = 17\n"), "number: layoutcheck prove --formula 17\n");
  EXPECT_EQ(CommandsOf("[prove-kernel.two]\nthen = ['b.cu', '--exact']\nfile = 'a.cu'\nexact = true\n"),
            "two: layoutcheck prove-kernel a.cu --exact --then b.cu --exact\n");
  EXPECT_EQ(CommandsOf("[prove-kernel.one]\nfile = 'a.cu'\nexact = false\n"), "one: layoutcheck prove-kernel a.cu\n");
  EXPECT_EQ(CommandsOf(""), "");
}

TEST(ClaimsFile, ClaimsAreInTheOrderOfTheFile) {
  EXPECT_EQ(CommandsOf("[prove.z]\nlayout='1'\n[check.m]\n[prove.a]\nlayout='2'\n"),
            "z: layoutcheck prove 1\nm: layoutcheck check --out .layoutcheck/check/m\na: layoutcheck prove 2\n");
}

TEST(ClaimsFile, FindingsOfEachSubjectHaveAFolder) {
  EXPECT_EQ(CommandsOf("[check.mine]\nout = 'here'\n"), "mine: layoutcheck check --out here\n");
  // A name that is no name of a folder has its hash.
  const std::string commands = CommandsOf("[check.\"../x\"]\n");
  EXPECT_TRUE(commands.starts_with("../x: layoutcheck check --out .layoutcheck/check/")) << commands;
  EXPECT_EQ(commands.find("..", 4), std::string::npos) << commands;
}

TEST(ClaimsFile, OnlyWhatItsFilesDecideCanBeRemembered) {
  const std::vector<Command> kinds = Kinds();
  const auto can_be = [&](const std::string& text) {
    return ReadClaims(text, kinds).value().front().can_be_remembered;
  };
  EXPECT_TRUE(can_be("[prove.a]\nlayout = 'f32[2]{0}'\n"));
  EXPECT_TRUE(can_be("[check.a]\nsubject = 'reference'\n"));
  EXPECT_FALSE(can_be("[prove.a]\nlayout = 'f32[2]{0}'\ntime = '1s'\n"));
  EXPECT_FALSE(can_be("[check.a]\nsubject = 'exec:./mine'\n"));
  EXPECT_FALSE(can_be("[check.a]\nout = 'findings'\n"));
}

TEST(ClaimsFile, ErrorsNameThePlaceAndTheNearestKey) {
  EXPECT_EQ(CommandsOf("[prove.a]\nlayout = 'x'\nfromula = 'i0'\n"),
            "3:1: [prove.a] has an unknown key 'fromula' (did you mean 'formula'?)");
  EXPECT_EQ(CommandsOf("[prove.a]\n  size = 3\n"),
            "2:3: [prove.a] has an unknown key 'size'; expected one of layout, formula, law, time");
  EXPECT_EQ(CommandsOf("[prove.a]\njobs = 3\n").substr(0, 4), "2:1:");
  EXPECT_EQ(CommandsOf("\n[proove.a]\n"), "2:9: unknown kind of claim 'proove' of [proove.a] (did you mean 'prove'?)");
  EXPECT_EQ(CommandsOf("[index.a]\n"),
            "1:8: unknown kind of claim 'index' of [index.a]; expected one of prove, prove-kernel, check");
  EXPECT_EQ(CommandsOf("[prove-kernel.a]\n"), "1:15: [prove-kernel.a]: expected the key 'file', too: a source");
  EXPECT_EQ(CommandsOf("[prove]\nlayout = 'x'\n"), "2:1: expected a table [prove.NAME] around the key 'layout'");
  EXPECT_EQ(CommandsOf("prove = 3\n"), "1:1: expected tables [KIND.NAME], found 'prove'");
  EXPECT_EQ(CommandsOf("[prove.a]\nlayout = 1.5\n"),
            "2:10: 'layout': expected a text, an integer, true, false or an array of texts");
  EXPECT_EQ(CommandsOf("[prove.a]\nlayout = ['x', []]\n"), "2:16: 'layout': expected texts in the array");
  EXPECT_EQ(CommandsOf("[prove.a]\nformula = true\n"), "2:1: [prove.a]: expected a text as 'formula'");
  EXPECT_EQ(CommandsOf("[prove.a]\nformula = ['x']\n"), "2:1: [prove.a]: expected one text as 'formula'");
  EXPECT_EQ(CommandsOf("[prove.a]\nlayout = []\n"), "2:1: [prove.a]: expected at least one text as 'layout'");
  EXPECT_EQ(CommandsOf("[prove.a]\nformula = ''\n"), "2:1: [prove.a]: expected no empty text as 'formula'");
  EXPECT_EQ(CommandsOf("[prove.a]\nlayout = '-'\n"),
            "2:1: [prove.a]: expected no text that begins with '-' as 'layout'");
  EXPECT_EQ(CommandsOf("[prove.a]\nlayout = \"\\u0000\"\n"), "2:1: [prove.a]: expected no byte 0 as 'layout'");
  EXPECT_EQ(CommandsOf("[prove-kernel.a]\nfile = 'x'\nexact = 'yes'\n"),
            "3:1: [prove-kernel.a]: expected true or false as 'exact'");
  EXPECT_EQ(CommandsOf("[prove.a]\n[prove.a]\n").substr(0, 2), "2:");
  EXPECT_EQ(CommandsOf("[prove.a\n").substr(0, 2), "1:");
  EXPECT_EQ(CommandsOf("[.a]\n").substr(0, 2), "1:");  // an assertion of toml++ 3.3 fails here
}

// toml++ 3.3 overflows a stack of 8 MiB at a key with some 90,000 parts.
TEST(ClaimsFile, DeepTextsAreRefused) {
  std::string parts = "a";
  for (int k = 0; k < 100'000; ++k) parts += ".a";
  EXPECT_EQ(CommandsOf(parts + " = 1\n"), "1:1002: expected at most 500 dots in a line");
  EXPECT_EQ(CommandsOf("[prove.a]\n[" + parts + "]\n"), "2:1003: expected at most 500 dots in a line");
  EXPECT_NE(CommandsOf("[prove.a]\nlayout = " + std::string(100'000, '[')).find("2:"), std::string::npos);
}

TEST(ClaimsFile, DamagedTextsAreReadOrRefused) {
  const std::string text =
      "# claims\n[prove.rows]\nlayout = 'f32[M,N]{1,0}'\nlaw = [\"onto\", 'inverse'] # two\nformula = \"\"\"i0*N\n+ "
      "i1\"\"\"\n[prove-kernel.\"k 1\"]\nfile = 'a.cu'\nexact = true\nthen = ['b.cu', '--exact']\n";
  ASSERT_TRUE(CommandsOf(text).starts_with("rows: ")) << CommandsOf(text);
  const std::string bytes = std::string("\0\n\"'[]{}.=#\\\x80\xff", 14);
  for (size_t at = 0; at < text.size(); ++at) {
    CommandsOf(text.substr(0, at));
    for (const char byte : bytes) {
      std::string damaged = text;
      damaged[at] = byte;
      CommandsOf(damaged);
    }
  }
}

}  // namespace
}  // namespace layoutcheck
