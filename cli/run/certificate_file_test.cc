// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <filesystem>
#include <string>
#include <vector>
#include "layoutcheck/cli/run/certificate_link.h"
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

TEST(CertificateFile, WritesCertificatesThatVerifyAccepts) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/a.cert";
  const ProgramResult laws =
      RunLayoutcheck({"prove", "f32[M]{0:T(P)}", "f32[M,N]{1,0:T(8,128)}", "--certificate", file, "--json"});
  EXPECT_EQ(laws.exit_code, 0) << laws.err;
  for (const auto& line : JsonLines(laws.out)) EXPECT_EQ(line["certificate"], true) << line.Dump();
  EXPECT_EQ(RunLayoutcheck({"verify", file}).exit_code, 0);
  const ProgramResult formula =
      RunLayoutcheck({"prove", "f32[M,N]{1,0:T(8,128)}", "--certificate", file, "--formula",
                      "((i0 >> 3) * (N / 128 + min(1, N % 128)) + i1 / 128) * 1024 + i0 % 8 * 128 + (i1 & 127)"});
  EXPECT_EQ(formula.exit_code, 0) << formula.out << formula.err;
  EXPECT_EQ(RunLayoutcheck({"verify", file}).exit_code, 0);
}

TEST(CertificateFile, WritesTheoremsForCoq) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/a.v";
  const ProgramResult laws =
      RunLayoutcheck({"prove", "f32[M]{0:T(P)}", "s8[N]{0}", "--law", "injective", "--certificate", file, "--json"});
  EXPECT_EQ(laws.exit_code, 0) << laws.err;
  for (const auto& line : JsonLines(laws.out)) EXPECT_EQ(line["certificate"], true) << line.Dump();
  const std::string text = ReadFile(file);
  // P is a name of the proofs, so the theorem calls it otherwise.
  EXPECT_NE(text.find("Theorem claim1 : forall M P_ : Z,\n  0 <= M -> 1 <= P_ ->"), std::string::npos) << text;
  EXPECT_NE(text.find("Theorem claim2 : forall N : Z,"), std::string::npos) << text;

  const ProgramResult overflow = RunLayoutcheck({"prove", "f32[M]{0}", "--integers", "int32", "--certificate", file});
  EXPECT_EQ(overflow.exit_code, 0) << overflow.out;
  EXPECT_NE(ReadFile(file).find("NoOverflow int32\n"), std::string::npos) << ReadFile(file);

  const ProgramResult none = RunLayoutcheck(
      {"prove", "--formula", "[1, i0][1]", "--over", "i0 < 8", "--integers", "int32", "--certificate", file});
  EXPECT_EQ(none.exit_code, 3) << none.out;
  EXPECT_NE(none.out.find("no certificate: proofs/Overflow.v has no tables whose elements are formulas"),
            std::string::npos)
      << none.out;
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(CertificateFile, LawsOfFormulasAndStridedLayoutsHaveCertificates) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/a.cert";
  for (const std::vector<std::string>& claim : std::vector<std::vector<std::string>>{
           {"--formula", "i0*64 + (i1/8 ^ i0%8)*8 + i1%8", "--over", "i0 < M, i1 < 64", "--law", "injective"},
           {"--formula", "(i0/8, i0%8)", "--over", "i0 < M", "--law", "injective"},
           {"--formula", "i0*LD + i1", "--over", "i0<M, i1<N", "--assume", "LD >= N", "--law", "injective"},
           {"--formula", "i0/8*N*8 + i1*8 + i0%8", "--over", "i0<M, i1<N", "--law", "in-bounds", "--below",
            "(M+7)/8*8*N"},
           {"f32[M,N]{1,0}", "--formula", "(i0 < 5 ? i0 : i0 + 1, i1)", "--law", "injective"},
           {"(M,N):(N,1)"},
           {"((8,M),(16,N)):((16,128*N),(1,128))"},
           {"((M,2),N):((1,M),2*M)", "--formula", "i0 + i1*2*M"},
           {"((4,2),(4,3)):((4,16),(1,32))"},
           {"(3,3):(2,3)", "--law", "injective"},
           {"Sw<3,4,3> o 0 o (8,64):(64,1)"},
           {"Sw<2,0,-2> o 19 o (2,4):(-3,8)", "--law", "inverse"},
           {"Sw<1,0,1> o -5 o (0,3):(1,1)"},
           {"16 o (8,64):(64,1)"},
           {"ll{row:[9,18,32],column:[1,2,4]} -> [64]"},
           {"(M,N):(N,-1)", "--law", "injective"},
           {"(M,N):(-N,1)", "--law", "inverse"},
           {"(M,N,K):(1,M,-M*N)", "--law", "injective"},
           {"s8[M,N]{1,0:T(16,32)}", "--integers", "int64"},
           {"((),4):((),1)"},
           {"() : ()"},
           {"M:1", "--law", "onto"},
           {"4:1", "--formula", "i0"},
           {"(4,):(1,)"},
           {"4 o (_2,3):(_-4,4)", "--law", "in-bounds"},
           {"Sw<1,0,1> o 2 o (2,( )):(1,())"},
           {"mma.m16n8k16.f16.A"},
           {"sf128x4[256,8]"},
           {"ldmatrix.x1", "--equals", "ll{register:[1],lane:[2,4,8,16,32]} -> [64]"},
           {"NC1HWC0:f16[N,C,H,W]", "--law", "inverse"},
           {"zN<8,4>:f16[20,N]", "--law", "injective"},
           {"zN<16,16>:f16[M,N]", "--law", "in-bounds"},
           {"VectorLayout:f32[N]", "--formula", "i0", "--assume", "N < 9"}}) {
    std::vector<std::string> arguments = {"prove", "--certificate", file};
    arguments.insert(arguments.end(), claim.begin(), claim.end());
    const ProgramResult proved = RunLayoutcheck(arguments);
    EXPECT_EQ(proved.exit_code, 0) << proved.out << proved.err;
    const ProgramResult verified = RunLayoutcheck({"verify", file});
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  }
}

TEST(CertificateFile, SaysWhatCoqAnswers) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/a.v";
  const auto prove = [&](const std::string& coq, const std::string& certificate) {
    return RunLayoutcheck({"prove", "s8[N]{0}", "--law", "injective", "--certificate", certificate, "--coq", coq});
  };
  const std::string yes = WriteFile(directory, "yes.sh", "echo Closed under the global context\n");
  const ProgramResult accepted = prove("sh " + yes, file);
  EXPECT_EQ(accepted.exit_code, 0) << accepted.err;
  EXPECT_NE(accepted.out.find("a.v: 1 theorem, checked by Coq\n"), std::string::npos) << accepted.out;

  const std::string axiom = WriteFile(directory, "axiom.sh", "echo Axioms:\n");
  const std::string error = WriteFile(directory, "error.sh", "echo Closed under the global context\nexit 1\n");
  for (const std::string& coq : {"sh " + axiom, "sh " + error, directory.path() + "/none", std::string(" ")}) {
    const ProgramResult refused = prove(coq, file);
    EXPECT_EQ(refused.exit_code, 2) << coq;
    EXPECT_EQ(refused.out.find("checked by Coq"), std::string::npos) << refused.out;
  }
  EXPECT_EQ(prove("sh " + yes, directory.path() + "/a.cert").exit_code, 2);
}

TEST(CertificateFile, AMissingCertificateIsNoSuccess) {
  const TemporaryDirectory directory;
  const std::string file = WriteFile(directory, "a.cert", "of an older run\n");
  const ProgramResult result =
      RunLayoutcheck({"prove", "zN<8,4>:f16[M,N]", "--law", "equals-hlo", "--certificate", file});
  EXPECT_EQ(result.exit_code, 3) << result.out;
  EXPECT_NE(result.out.find("no certificate: no checker reads this tag"), std::string::npos) << result.out;
  EXPECT_EQ(result.err, "layoutcheck prove: nothing has a certificate, so there is no file '" + file + "'\n");
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_EQ(RunLayoutcheck({"prove", "f32[M]{0}", "--certificate", directory.path()}).exit_code, 2);
}

TEST(CertificateFile, ALinkHasTheCertificates) {
  EXPECT_EQ(CertificateLink("index.html", "a"),
            "index.html#certificate=eNpLBAAAYgBi");  // zlib.compress(b"a", 9) of Python
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/a.cert";
  const std::vector<std::string> claim = {"prove", "f32[M,N]{1,0:T(8,128)}", "--law", "injective", "--link"};
  std::vector<std::string> with_file = claim;
  with_file.insert(with_file.end(), {"--certificate", file, "--json"});
  const auto lines = JsonLines(RunLayoutcheck(with_file).out);
  ASSERT_EQ(lines.size(), 2u);
  const std::string link = CertificateLink("index.html", ReadFile(file));
  EXPECT_EQ(lines[1]["link"], link);
  EXPECT_TRUE(RunLayoutcheck(claim).out.ends_with("\n" + link + "\n"));
}

TEST(CertificateFile, ALinkThatIsTooLongIsNone) {
  std::vector<std::string> claims = {"prove", "--link", "--json"};
  for (int rank = 6; rank < 9; ++rank) {
    claims.push_back(rank == 6   ? "f32[A,B,C,D,E,F]{5,4,3,2,1,0:T(P,Q)(2,1)(U,V)}"
                     : rank == 7 ? "f32[A,B,C,D,E,F,G]{6,5,4,3,2,1,0:T(P,Q)(2,1)(U,V)}"
                                 : "f32[A,B,C,D,E,F,G,H]{7,6,5,4,3,2,1,0:T(P,Q)(2,1)(U,V)}");
  }
  const ProgramResult result = RunLayoutcheck(claims);
  EXPECT_TRUE(JsonLines(result.out).back()["link"].is_null()) << result.out.substr(result.out.size() - 300);
  EXPECT_NE(result.err.find("do not fit into an address of 32000 characters: write them with --certificate FILE, and "
                            "drop that file on the page index.html"),
            std::string::npos)
      << result.err;
}

TEST(CertificateFile, CoqHasNoLink) {
  const ProgramResult result = RunLayoutcheck({"prove", "f32[M]{0}", "--certificate", "a.v", "--link"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "layoutcheck prove: --link: expected a --certificate that is not for Coq, or none\n");
}

// README.md says how many proofs of the tile sets have a certificate.
TEST(CertificateFile, EachProofOfTheTileSetsHasACertificate) {
  const TemporaryDirectory directory;
  size_t certified = 0;
  for (const std::string set : {"tpu.txt", "npu.txt"}) {
    const ProgramResult result = RunLayoutcheck({"prove", "--tiles", LAYOUTCHECK_SOURCE "/corpus/tiles/" + set,
                                                 "--json", "--certificate", directory.path() + "/" + set});
    for (const auto& line : JsonLines(result.out)) {
      if (line["verdict"] != "proved") continue;
      EXPECT_EQ(line.value("certificate", false), true) << line.Dump();
      ++certified;
    }
  }
  const std::string page = ReadFile(LAYOUTCHECK_SOURCE "/README.md");
  EXPECT_NE(page.find(std::to_string(certified) + " about the tilings of TPUs and NPUs"), std::string::npos)
      << certified;
}

#ifdef LAYOUTCHECK_HAS_LLVM
TEST(CertificateFile, IsStaleOnceItsCodeHasChanged) {
  const TemporaryDirectory directory;
  const auto shell = [&](const std::string& command) { return RunShell(command, directory.path()); };
  WriteFile(directory, "f.c", "long f(long i, long j, long n) { return i * n + j; }\n");
  const ProgramResult proved =
      shell("mkdir d; layoutcheck prove-code f.c 'f32[M,N]{1,0}' --function f --args i0,i1,N --certificate d/f.cert");
  ASSERT_EQ(proved.exit_code, 0) << proved.out;
  EXPECT_EQ(shell("layoutcheck verify d/f.cert").exit_code, 0);
  EXPECT_EQ(shell("python3 " LAYOUTCHECK_SOURCE "/tools/verify_certificate.py d/f.cert").exit_code, 0);
  // The proof is right where the code is not there to be compared.
  EXPECT_EQ(shell("mkdir e; cd e; layoutcheck verify ../d/f.cert").exit_code, 0);
  shell("sed 's/i [*] n + j/j * n + i/' f.c >d/f.c");
  EXPECT_EQ(shell("layoutcheck verify d/f.cert").exit_code, 0);  // f.c of this folder comes first
  const ProgramResult stale = shell("cd e; layoutcheck verify ../d/f.cert --json");
  EXPECT_EQ(stale.exit_code, 1) << stale.out;
  EXPECT_NE(stale.out.find("\"verdict\":\"stale\""), std::string::npos) << stale.out;
  EXPECT_NE(stale.out.find("f.c has changed since f(i0,i1,N) was read"), std::string::npos) << stale.out;
}
#endif

}  // namespace
}  // namespace layoutcheck
