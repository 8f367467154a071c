// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A certificate that `verify` refuses is reported as missing.
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/cli/run/certificate_file.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

TEST(RefusedCertificate, IsNotKept) {
  const std::string wrong =
      "layoutcheck certificate 1\nlaw injective\nlayout s8[N]{0}\nsequent every two indices\ngoal\nend\n";
  const Json claimed = {{"verdict", "proved"}, {"method", "canonical-form"}, {"certificate", wrong}};
  const auto results = CertificateFile("prove", "a.cert", "").Take(std::vector<Json>{claimed});
  ASSERT_TRUE(results.has_value());
  const Json& result = results->front();
  EXPECT_FALSE(result.contains("certificate"));
  const std::string why = result.value("no_certificate", "");
  EXPECT_EQ(why.find("layoutcheck verify refuses it: goal 1, i0 - j0 = 0: "), 0u) << why;
  EXPECT_TRUE(result.value("solver_only", false));
}

}  // namespace
}  // namespace layoutcheck
