// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/opcode.h"
#include <gtest/gtest.h>

namespace layoutcheck {
namespace {

TEST(Opcode, KnownWords) {
  for (const char* opcode :
       {"abs", "add", "xor", "all-gather", "get-tuple-element", "opt-barrier", "while", "scaled-dot",
        "all-reduce-start", "all-reduce-done", "fusion-start", "custom-call-update", "copy-done"}) {
    EXPECT_TRUE(IsKnownOpcode(opcode)) << opcode;
  }
  for (const char* opcode : {"", "Add", "add_", "adds", "-start", "foo-start", "add-begin", "all_gather", "a", "zzz"}) {
    EXPECT_FALSE(IsKnownOpcode(opcode)) << opcode;
  }
}

TEST(Opcode, ShapesThatMustBeWritten) {
  for (const char* opcode :
       {"parameter", "constant", "iota", "custom-call", "reshape", "convert", "broadcast", "foo"}) {
    EXPECT_FALSE(IsShapeInferable(opcode)) << opcode;
  }
  for (const char* opcode : {"add", "negate", "transpose", "get-tuple-element", "tuple", "dot"}) {
    EXPECT_TRUE(IsShapeInferable(opcode)) << opcode;
  }
}

}  // namespace
}  // namespace layoutcheck
