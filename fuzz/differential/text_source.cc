// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/differential/text_source.h"
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/fuzz/mutator/mutator.h"

namespace layoutcheck {
namespace {

constexpr size_t kLongestKept = 400;  // in bytes
constexpr size_t kMostKept = 8192;

// Returns a number shared by texts with the same kinds of tokens (ignoring repetition) and the same first letters of
// words.
uint64_t SignatureOf(std::string_view text) {
  std::string signature;
  for (Lexer lexer(text); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
    const char kind = static_cast<char>(lexer.kind());
    if (!signature.ends_with(kind)) signature += kind;
    if (lexer.kind() == TokenKind::kIdent) signature += lexer.token().text.front();
  }
  return HashText(signature);
}

}  // namespace

std::vector<std::string> BuiltInTexts(TextKind kind) {
  switch (kind) {
    case TextKind::kShape:
      return {"f32[]",
              "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}",
              "(f32[2,<=3]{1,0:T(8,128)M(8)}, token[], b(u8[4]{0}))",
              "s32[6]{0:T(128)S(1)SC(0:3)}",
              "f32[200001,128]{1,0:T(8)L(1024)}",
              "s4[20,?]{0,1:T(64,128)(8,1)E(4)}",
              "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}"};
    case TextKind::kLayout:
      return {"{}", "{1,0:T(8,128)(2,1)}", "{0:T(128)L(1024)E(4)S(1)SC(0:3)M(8)}", "{2,0,1:D(D,C,S)T(*,8)#(u32)*(u8)}"};
    case TextKind::kInstruction:
      return {"add.936 = bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)} add(exponential.183, broadcast.3115)",
              "%multiply = f32[2,4]{1,0} multiply(f32[2,4]{1,0} %a, f32[2,4]{1,0} %b), metadata={op_name=\"m\"}"};
  }
  return {};
}

TextSource::TextSource(TextKind kind, uint64_t seed, std::span<const std::string> corpus) : kind_(kind), random_(seed) {
  for (const std::string& text : BuiltInTexts(kind)) Keep(text);
  for (const std::string& text : corpus) Keep(text);
  starts_ = kept_.size();
}

DrawnText TextSource::Draw() {
  using enum DrawnText::Role;
  if (drawn_ < starts_) return {kept_[drawn_++], kStart};
  std::string text = NextText();
  if (text.size() > kLongestKept) return {std::move(text), kTooLong};
  if (!signatures_.insert(SignatureOf(text)).second) return {std::move(text), kLikeAnother};
  if (kept_.size() < kMostKept) {
    kept_.push_back(text);
  } else {
    random_.Pick(kept_) = text;
  }
  return {std::move(text), kNew};
}

void TextSource::Keep(const std::string& text) {
  signatures_.insert(SignatureOf(text));
  kept_.push_back(text);
}

std::string TextSource::NextText() {
  switch (random_.Below(8)) {
    case 0: return RandomText(kind_, random_);
    case 1: {
      const std::string& text = PickKept();
      return CrossTexts(kind_, text, PickKept(), random_);
    }
    default: return MutateText(kind_, PickKept(), random_);
  }
}

const std::string& TextSource::PickKept() {
  if (covering_.empty() || random_.OneIn(2)) return random_.Pick(kept_);
  // Prefers the latest texts, which are closest to new code.
  const size_t newest = random_.Index(covering_.size()) + 1;
  return covering_[covering_.size() - 1 - random_.Index(newest)];
}

}  // namespace layoutcheck
