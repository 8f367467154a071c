// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/choices.h"

namespace layoutcheck {
void RandomChoices::Restart(uint64_t number) {
  key_[1] = number;
  counter_ = 0;
  numbers_ = {};
  taken_.clear();
}

uint64_t RandomChoices::Next(uint64_t bound) {
  static const EncryptBlocks encrypt = ThreefishFunctions().front();
  const size_t count = encrypt(key_, counter_, batch_);
  counter_ += count;
  numbers_ = std::span(batch_).first(count).subspan(1);
  return batch_[0] % bound;
}

}  // namespace layoutcheck
