// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

constexpr const char* kCertificate = R"(layoutcheck certificate 1
law in-bounds
layout s8[N]{0}
sequent every index
goal 3
goal 2
end
)";

TEST(VerifyCommand, AcceptsACertificate) {
  const TemporaryDirectory directory;
  const std::string file = WriteFile(directory, "a.cert", kCertificate);
  const ProgramResult result = RunLayoutcheck({"verify", file, file});
  EXPECT_EQ(result.exit_code, 0);
  const std::string verdict =
      "s8[N]{0}\n  in-bounds                      proved for all N >= 0 and every index (certificate, 2 steps)\n";
  EXPECT_EQ(result.out, verdict + verdict);
}

TEST(VerifyCommand, RefusesACertificateThatDoesNotProveItsClaim) {
  const TemporaryDirectory directory;
  std::string wrong = kCertificate;
  wrong.replace(wrong.find("goal 3"), 6, "goal 1");
  const std::string good = WriteFile(directory, "good.cert", kCertificate);
  const std::string bad = WriteFile(directory, "bad.cert", wrong);
  const ProgramResult result = RunLayoutcheck({"verify", bad, good});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(
      result.out.substr(0, result.out.find('\n', 10)),
      "s8[N]{0}\n  in-bounds                      refused: line 5: goal 1, -1 + N - i0 >= 0: the facts do not show "
      "it: what is left is -i0");
  const ProgramResult json = RunLayoutcheck({"verify", "--json", bad});
  EXPECT_EQ(json.exit_code, 1);
  const auto document = Json::Parse(json.out).value();
  EXPECT_EQ(document["claim"], "in-bounds: s8[N]{0}");
  EXPECT_EQ(document["verdict"], "refused");
  EXPECT_EQ(document["line"], 5);
  EXPECT_EQ(document["file"], bad);
}

TEST(VerifyCommand, FilesThatAreNoCertificatesAreUnusable) {
  const TemporaryDirectory directory;
  const std::string good = WriteFile(directory, "good.cert", kCertificate);
  const std::string other = WriteFile(directory, "other.cert", "f32[2]{0}\n");
  for (const std::string& file : {other, directory.path() + "/missing", directory.path()}) {
    const ProgramResult result = RunLayoutcheck({"verify", file, good});
    EXPECT_EQ(result.exit_code, 2) << file;
    EXPECT_TRUE(result.out.starts_with("s8[N]{0}\n")) << result.out;
  }
}

}  // namespace
}  // namespace layoutcheck
