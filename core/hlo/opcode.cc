// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/opcode.h"
#include <algorithm>

namespace layoutcheck {
namespace {

constexpr std::string_view kOpcodes =
    "abs acos acosh add add-dependency after-all all-gather all-gather-done all-gather-start all-reduce "
    "all-reduce-done all-reduce-start all-to-all and asin asinh async-done async-start async-update atan2 atanh "
    "batch-norm-grad batch-norm-inference batch-norm-training bitcast bitcast-convert broadcast call cbrt ceil "
    "cholesky clamp collective-broadcast collective-permute collective-permute-done collective-permute-start "
    "compare complex concatenate conditional constant convert convolution copy copy-done copy-start cosh cosine "
    "count-leading-zeros custom-call divide domain dot dynamic-reshape dynamic-slice dynamic-update-slice erf "
    "exponential exponential-minus-one fft floor fusion gather get-dimension-size get-tuple-element imag infeed "
    "iota is-finite log log-plus-one logistic map maximum minimum mulhi multiply negate not opt-barrier or "
    "outfeed pad parameter partition-id popcnt power ragged-all-to-all ragged-dot real recv recv-done reduce "
    "reduce-precision reduce-scatter reduce-window remainder replica-id reshape reverse rng rng-bit-generator "
    "rng-get-and-update-state round-nearest-afz round-nearest-even rsqrt scaled-dot scan scatter select "
    "select-and-scatter send send-done set-dimension-size shift-left shift-right-arithmetic shift-right-logical "
    "sign sine sinh slice sort sqrt stochastic-convert subtract tan tanh topk transpose triangular-solve tuple "
    "while xor";

// Operations whose operands and attributes do not determine the type or the dimensions of the result.
constexpr std::string_view kShapeMustBeWritten =
    "bitcast bitcast-convert broadcast constant convert custom-call domain dynamic-reshape fusion infeed iota "
    "parameter recv reshape rng rng-bit-generator rng-get-and-update-state stochastic-convert";

// Operations that compute each element of the result from the elements at the same index of their operands.
constexpr std::string_view kElementwise =
    "abs acos acosh add and asin asinh atan2 atanh cbrt ceil clamp compare complex convert cosh cosine "
    "count-leading-zeros divide erf exponential exponential-minus-one floor imag is-finite log log-plus-one logistic "
    "map maximum minimum mulhi multiply negate not or popcnt power real reduce-precision remainder "
    "round-nearest-afz round-nearest-even rsqrt select shift-left shift-right-arithmetic shift-right-logical sign "
    "sine sinh sqrt stochastic-convert subtract tan tanh xor";

// Returns true if `words`, which have one space between them, contain `word`.
bool ContainsWord(std::string_view words, std::string_view word) {
  if (word.empty() || word.find(' ') != std::string_view::npos) return false;
  for (size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

}  // namespace

bool IsKnownOpcode(std::string_view opcode) {
  if (ContainsWord(kOpcodes, opcode)) return true;
  constexpr std::string_view kAsyncForms[] = {"-start", "-update", "-done"};
  return std::ranges::any_of(kAsyncForms, [opcode](std::string_view form) {
    return opcode.ends_with(form) && ContainsWord(kOpcodes, opcode.substr(0, opcode.size() - form.size()));
  });
}

bool IsShapeInferable(std::string_view opcode) {
  return ContainsWord(kOpcodes, opcode) && !ContainsWord(kShapeMustBeWritten, opcode);
}

bool IsElementwise(std::string_view opcode) { return ContainsWord(kElementwise, opcode); }

}  // namespace layoutcheck
