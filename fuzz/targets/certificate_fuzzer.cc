// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: takes any bytes as certificates of proofs. Each is proved or refused with a line and a reason, whatever
// stands before it in the file.
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/fuzz/text/target.h"
#include "layoutcheck/verify/verify_certificate.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kRefused = "layoutcheck certificate 1\n";  // has no claim

bool IsSame(const verify::Verdict& a, const verify::Verdict& b, int64_t lines_between) {
  return a.claim == b.claim && a.proved == b.proved && a.line + lines_between == b.line && a.reason == b.reason &&
         a.steps == b.steps;
}

std::optional<std::string> BrokenProperty(std::string_view content) {
  const auto verdicts = verify::VerifyCertificates(content);
  if (!verdicts) {
    if (verdicts.error().message.empty()) return "a file is rejected without a reason";
    return std::nullopt;
  }
  for (const verify::Verdict& verdict : *verdicts) {
    if (verdict.proved == !verdict.reason.empty()) return StrCat("a verdict with this reason: ", verdict.reason);
    if (verdict.line < 1) return "a verdict without a line";
  }
  const auto again = verify::VerifyCertificates(StrCat(kRefused, content));
  if (!again || again->size() != verdicts->size() + 1) return "certificates behind a refused one are not the same";
  for (size_t k = 0; k < verdicts->size(); ++k) {
    if (!IsSame((*verdicts)[k], (*again)[k + 1], 1))
      return StrCat("certificate ", k, " is judged by what is before it");
  }
  return std::nullopt;
}

}  // namespace
}  // namespace layoutcheck

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  layoutcheck::Require(layoutcheck::BrokenProperty(layoutcheck::InputText(data, size)));
  return 0;
}
