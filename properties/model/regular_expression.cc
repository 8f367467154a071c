// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/model/regular_expression.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <array>
#include <new>
#include <string>

namespace layoutcheck {
namespace {

PCRE2_SPTR Bytes(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

template <class T>
T* Allocated(T* made) {
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

}  // namespace

void RegularExpression::Free::operator()(pcre2_real_code_8* code) const { pcre2_code_free(code); }

Expected<RegularExpression> RegularExpression::Compile(std::string_view expression) {
  // These options give [], [^], \u and references to unmatched groups their ECMAScript meaning.
  constexpr uint32_t kAsEcmaScript =
      PCRE2_ALLOW_EMPTY_CLASS | PCRE2_ALT_BSUX | PCRE2_MATCH_UNSET_BACKREF | PCRE2_DOLLAR_ENDONLY;
  int error = 0;
  size_t place = 0;
  pcre2_code* const code = pcre2_compile(Bytes(expression), expression.size(),
                                         kAsEcmaScript | PCRE2_ANCHORED | PCRE2_ENDANCHORED, &error, &place, nullptr);
  if (code != nullptr) return RegularExpression(code);
  std::array<PCRE2_UCHAR, 256> message{};
  pcre2_get_error_message(error, message.data(), message.size());
  return MakeError(ErrorKind::kSyntax, std::string(reinterpret_cast<const char*>(message.data())),
                   static_cast<int64_t>(place) + 1);
}

bool RegularExpression::MatchesAll(std::string_view text) const {
  const std::unique_ptr<pcre2_match_context, decltype(&pcre2_match_context_free)> limits(
      Allocated(pcre2_match_context_create(nullptr)), &pcre2_match_context_free);
  pcre2_set_match_limit(limits.get(), kMostSteps);
  pcre2_set_heap_limit(limits.get(), kMostKibibytes);
  const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> groups(
      Allocated(pcre2_match_data_create(1, nullptr)), &pcre2_match_data_free);
  // The result 0 is a match, too, with more groups than requested.
  return pcre2_match(code_.get(), Bytes(text), text.size(), 0, 0, groups.get(), limits.get()) >= 0;
}

}  // namespace layoutcheck
