// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/sha256.h"
#include <gtest/gtest.h>

namespace layoutcheck {
namespace {

TEST(Sha256, TextsHaveTheHashesOfTheStandard) {
  // From the examples of FIPS 180-4: one block, and a text whose length needs a second one.
  EXPECT_EQ(Sha256Digits(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Digits("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Digits("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256Digits(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesHashAsTheWhole) {
  const std::string text =
      "a text that takes more than one block of sixty-four bytes, however it is cut into two pieces";
  const std::string whole = Sha256Digits(text);
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    Sha256 hash;
    hash.Add(text.substr(0, cut));
    hash.Add(text.substr(cut));
    EXPECT_EQ(hash.Digits(), whole) << cut;
  }
}

}  // namespace
}  // namespace layoutcheck
