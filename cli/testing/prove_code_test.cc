// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the commands prove-code and prove-kernel, and that `prove --code` and `prove --kernel` are the same.
#include <gtest/gtest.h>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/json/json.h"

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

// Returns the number of times that the part is in the text.
size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(ProveKernel, CertificatesHaveAClaimPerCondition) {
#ifndef LAYOUTCHECK_HAS_LLVM
  GTEST_SKIP() << "needs LLVM 19";
#endif
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/a.cert";
  const auto prove = [&](const std::string& function, const std::string& out, const Arguments& more) {
    return RunLayoutcheck(
        Joined({"prove-kernel", kCode + "kernels.cu", "--function", function, "--array", "in=f32[M,N]{1,0}", "--array",
                "out=" + out, "--args", "in,out,M,N", "--max-bytes", "2147483647", "--json", "--certificate", file},
               more));
  };
  // Only relayout is asked, but its certificate has the claims of accesses, on which it rests.
  const Arguments launch = {"--grid", "(N+31)/32, (M+7)/8", "--block", "32,8", "--assume", "M<=524280"};
  for (const Arguments& laws : {Arguments{"--law", "accesses", "--law", "relayout"}, Arguments{"--law", "relayout"}}) {
    const ProgramResult proved = prove("transpose", "f32[M,N]{0,1}", Joined(launch, laws));
    EXPECT_EQ(proved.exit_code, 0) << proved.out << proved.err;
    size_t claims = 0;
    for (const auto& line : JsonLines(proved.out)) {
      EXPECT_EQ(line["certificate"], true) << line.Dump();
      EXPECT_FALSE(line.contains("solver_only")) << line.Dump();
      claims += line["certified_claims"].get<size_t>();
    }
    const ProgramResult verified = RunLayoutcheck({"verify", file});
    EXPECT_EQ(verified.exit_code, 0) << verified.err;
    EXPECT_EQ(CountOf(verified.out, " proved for all "), claims);
    for (const std::string& at :
         {std::string("accesses: a read of in at "), std::string("accesses: a write of out at "),
          std::string("relayout: the place of what is stored at ")}) {
      EXPECT_NE(verified.out.find("transpose(in,out,M,N), " + at), std::string::npos) << at << verified.out;
    }
  }
  // Without the option, no checker can follow the proof.
  const ProgramResult unchecked =
      RunLayoutcheck({"prove-kernel", kCode + "kernels.cu", "--function", "copy_float4", "--array", "in=f32[N]{0}",
                      "--array", "out=f32[N]{0}", "--args", "in,out,N", "--grid", "N/4 ceildiv 256", "--block", "256",
                      "--max-bytes", "2GiB", "--law", "accesses"});
  EXPECT_EQ(CountOf(unchecked.out, "proved (solver only)"), 1u) << unchecked.out;
  EXPECT_EQ(unchecked.exit_code, 0);
  // A refuted law has no certificate.
  EXPECT_EQ(prove("guard_off_by_one", "f32[M,N]{1,0}", {"--law", "accesses"}).exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(file));
}

// A proof about the second kernel rests on laws of the first, whose claims are in the lines of the first.
TEST(ProveKernel, AProofThatRestsOnEarlierKernelsHasACertificate) {
#ifndef LAYOUTCHECK_HAS_LLVM
  GTEST_SKIP() << "needs LLVM 19";
#endif
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/a.cert";
  const std::string kernels = LAYOUTCHECK_SOURCE "/corpus/kernels/in_sequence.cu";
  const std::string tiles = "tiles=f32[(M ceildiv 32)*(N ceildiv 32)*1024]{0}";
  const Arguments launch = {"--grid", "N ceildiv 32, M ceildiv 32", "--block", "32,32"};
  const Arguments pack = {"prove-kernel", kernels,   "--function",       "pack",   "--array",
                          tiles,          "--array", "in=f32[M,N]{1,0}", "--args", "in,tiles,M,N"};
  const Arguments asked = {"--max-bytes", "2GiB", "--law", "relayout", "--json", "--certificate", file};
  const Arguments unpack = {"--then",  kernels,        "--function", "unpack_transposed",
                            "--array", tiles,          "--array",    "out=f32[M,N]{0,1}",
                            "--args",  "tiles,out,M,N"};
  const ProgramResult proved = RunLayoutcheck(Joined(Joined(Joined(pack, launch), asked), Joined(unpack, launch)));
  EXPECT_EQ(proved.exit_code, 0) << proved.out << proved.err;
  size_t claims = 0;
  for (const auto& line : JsonLines(proved.out)) {
    EXPECT_EQ(line["certificate"], true) << line.Dump();
    claims += line["certified_claims"].get<size_t>();
  }
  const ProgramResult verified = RunLayoutcheck({"verify", file});
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  EXPECT_EQ(CountOf(verified.out, " proved for all "), claims);
  for (const std::string& about :
       {std::string("pack(in,tiles,M,N), accesses: a write of tiles at "),
        std::string("pack(in,tiles,M,N), distinct-stores"),
        std::string("unpack_transposed(tiles,out,M,N), after pack, accesses: a read of tiles at "),
        std::string("unpack_transposed(tiles,out,M,N), after pack, relayout: the place of what is stored at ")}) {
    EXPECT_NE(verified.out.find(about), std::string::npos) << about << verified.out;
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
            "distinct-stores, complete, no-overflow, bank-conflicts; found 'onto'\n");
  EXPECT_EQ(kernel({"--law", "complete"}),
            "layoutcheck prove-kernel: --law complete: expected --grid and --block, too: the threads that store\n");
#endif
  EXPECT_EQ(kernel({"--max-bytes", "9223372036854775807"}).find("--max-bytes"), std::string::npos);
}

}  // namespace
}  // namespace layoutcheck
