// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the commands prove-code and prove-kernel, and that `prove --code` and `prove --kernel` are the same.
#include <gtest/gtest.h>
#include <regex>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

using Arguments = std::vector<std::string>;

const std::string kCode = LAYOUTCHECK_SOURCE "/corpus/code/";

Arguments Joined(Arguments first, const Arguments& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

std::string WithoutSeconds(const std::string& text) {
  static const std::regex seconds(R"(, [0-9.]+ s\)|"(certificate_)?seconds":[-+.e0-9]+)");
  return std::regex_replace(text, seconds, "");
}

// A question about a file of corpus/code.
struct Question {
  std::string command;  // "prove-code"
  std::string option;   // "--code"
  std::string file;
  Arguments rest;
  int exit_code;
};

const Question kQuestions[] = {
    {"prove-code",
     "--code",
     "tpu_tiles.c",
     {"f32[M,N]{1,0:T(8,128)}", "--function", "tile_8x128", "--args", "i0,i1,N"},
     0},
    {"prove-code",
     "--code",
     "tpu_tiles.c",
     {"f32[M,N]{1,0:T(8,128)}", "--function", "tile_8x128_plus_one", "--args", "i0,i1,N", "--json", "--jobs", "1"},
     1},
    {"prove-code",
     "--code",
     "signs.c",
     {"--function", "block_begin", "--args", "base", "--formula", "base - base mod 32", "--assume", "base >= 0"},
     0},
    {"prove-code",
     "--code",
     "row_major.c",
     {"--function", "row_major_unsigned", "--args", "i0,i1,N", "--emit", "formula"},
     0},
    {"prove-kernel",
     "--kernel",
     "kernels.cu",
     {"--function", "guard_off_by_one", "--array", "in=f32[M,N]{1,0}", "--array", "out=f32[M,N]{1,0}", "--args",
      "in,out,M,N", "--law", "accesses"},
     1},
};

TEST(ProveCode, TheOlderSpellingIsTheSame) {
#ifndef LAYOUTCHECK_HAS_LLVM
  GTEST_SKIP() << "needs LLVM 19";
#endif
  for (const auto& [command, option, file, rest, exit_code] : kQuestions) {
    const ProgramResult today = RunLayoutcheck(Joined({command, kCode + file}, rest));
    EXPECT_EQ(today.exit_code, exit_code) << file << "\n" << today.out << today.err;
    EXPECT_NE(today.out, "") << file;
    for (const Arguments& older : {Joined(Joined({"prove"}, rest), {option, kCode + file}),
                                   Joined({"prove", option + "=" + kCode + file}, rest)}) {
      const ProgramResult result = RunLayoutcheck(older);
      EXPECT_EQ(WithoutSeconds(result.out), WithoutSeconds(today.out));
      EXPECT_EQ(result.err, today.err);
      EXPECT_EQ(result.exit_code, exit_code) << file;
    }
  }
}

// A message names the option that the user wrote.
TEST(ProveCode, OptionsThatDoNotFit) {
  const auto error = [](const Arguments& arguments) {
    const ProgramResult result = RunLayoutcheck(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.out;
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  const auto code = [&](const Arguments& more) {
    return error(Joined({"prove-code", "k.cu", "--function", "f", "--args", "a"}, more));
  };
  const std::string see_help = "; see layoutcheck prove-code --help\n";
  EXPECT_EQ(code({}), "layoutcheck prove-code: expected LAYOUT or --formula, too: the value that is right\n");
  EXPECT_EQ(code({""}), "layoutcheck prove-code: expected LAYOUT, found an empty text\n");
  EXPECT_EQ(code({"--formula", "a", "--law", "injective"}),
            "layoutcheck prove-code: unknown option '--law'" + see_help);
  EXPECT_EQ(code({"--formula", "a", "--emit", "formula"}),
            "layoutcheck prove-code: --emit: expected no --formula beside it\n");
  EXPECT_EQ(code({"--emit", "formula", "--certificate", "a.cert"}),
            "layoutcheck prove-code: --certificate: expected no --emit beside it: a formula alone claims nothing\n");
  EXPECT_EQ(code({"--emit", "c"}), "layoutcheck prove-code: --emit: expected formula, got 'c'" + see_help);
  EXPECT_EQ(code({"--formula", "a", "--max-bytes", "many"}),
            "layoutcheck prove-code: --max-bytes: expected a number of bytes such as 64MiB or 2GiB, found 'many'\n");
  EXPECT_EQ(code({"--formula", "a", "--coq", "coqc"}),
            "layoutcheck prove-code: --coq: expected --certificate FILE.v, too\n");
  EXPECT_EQ(error({"prove-code", "a.c", "--args", "i0"}), "layoutcheck prove-code: --function is required" + see_help);
  EXPECT_EQ(error({"prove", "f32[M]{0}", "--code", "a.c", "--function", "f"}),
            "layoutcheck prove-code: --args is required" + see_help);

  const auto kernel = [&](const Arguments& more) {
    return error(
        Joined({"prove", "--kernel", "k.cu", "--function", "f", "--args", "a", "--array", "a=f32[M]{0}"}, more));
  };
  EXPECT_EQ(kernel({"--below", "M"}),
            "layoutcheck prove-kernel: unknown option '--below'; see layoutcheck prove-kernel --help\n");
  EXPECT_EQ(kernel({"--array", "b"}), "layoutcheck prove-kernel: --array: expected NAME=LAYOUT, found 'b'\n");
  EXPECT_EQ(kernel({"--then", "l.cu", "--law", "relayout"}),
            "layoutcheck prove-kernel: unknown option '--law'; see layoutcheck prove-kernel --help\n");
  EXPECT_EQ(kernel({"--then", "l.cu", "--function", "g", "--args", "a", "--array", "a"}),
            "layoutcheck prove-kernel: --array: expected NAME=LAYOUT, found 'a'\n");
#ifdef LAYOUTCHECK_HAS_LLVM
  EXPECT_EQ(kernel({"--then", "l.cu", "--function", "g", "--args", "a", "--array", "a=f32[M]{0}"}),
            "layoutcheck prove-kernel: f: expected --grid and --block before --then: which thread stores what is read "
            "behind it\n");
  EXPECT_EQ(kernel({"--grid", "M", "--block", "1", "--source", "a[i]=a[i]", "--then", "l.cu", "--function", "g",
                    "--args", "a", "--array", "a=f32[M]{0}"}),
            "layoutcheck prove-kernel: f: expected --source behind the last --then: what belongs in the last output\n");
  EXPECT_EQ(kernel({"--law", "onto"}),
            "layoutcheck prove-kernel: --law: expected accesses, race-free, uniform-barriers, relayout, "
            "distinct-stores, complete, bank-conflicts; found 'onto'\n");
  EXPECT_EQ(kernel({"--law", "complete"}),
            "layoutcheck prove-kernel: --law complete: expected --grid and --block, too: the threads that store\n");
#endif
  EXPECT_EQ(kernel({"--max-bytes", "9223372036854775807"}).find("--max-bytes"), std::string::npos);
}

}  // namespace
}  // namespace layoutcheck
