// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// These tests load the module as afl-fuzz does.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/fuzz/text/text_kind.h"

namespace layoutcheck {
namespace {

class AflMutator : public testing::Test {
 protected:
  void SetUp() override {
    module_ = dlopen(LAYOUTCHECK_AFL_MUTATOR, RTLD_NOW);
    ASSERT_NE(module_, nullptr) << dlerror();
    init_ = reinterpret_cast<decltype(init_)>(dlsym(module_, "afl_custom_init"));
    fuzz_ = reinterpret_cast<decltype(fuzz_)>(dlsym(module_, "afl_custom_fuzz"));
    deinit_ = reinterpret_cast<decltype(deinit_)>(dlsym(module_, "afl_custom_deinit"));
    ASSERT_TRUE(init_ != nullptr && fuzz_ != nullptr && deinit_ != nullptr);
  }
  void TearDown() override {
    unsetenv("LAYOUTCHECK_TEXT_KIND");
    if (module_ != nullptr) dlclose(module_);
  }

  // Returns `count` mutants of the text.
  std::vector<std::string> Mutated(std::string text, std::string other, size_t max_size, int count,
                                   unsigned int seed = 1) {
    std::vector<std::string> texts;
    void* mutator = init_(nullptr, seed);
    for (int i = 0; i < count; ++i) {
      uint8_t* out = nullptr;
      const size_t size =
          fuzz_(mutator, reinterpret_cast<uint8_t*>(text.data()), text.size(), &out,
                other.empty() ? nullptr : reinterpret_cast<uint8_t*>(other.data()), other.size(), max_size);
      texts.emplace_back(reinterpret_cast<const char*>(out), size);
    }
    deinit_(mutator);
    return texts;
  }

  void* (*init_)(void*, unsigned int) = nullptr;

 private:
  void* module_ = nullptr;
  size_t (*fuzz_)(void*, uint8_t*, size_t, uint8_t**, uint8_t*, size_t, size_t) = nullptr;
  void (*deinit_)(void*) = nullptr;
};

TEST_F(AflMutator, KeepsToTheGrammarAndLeavesItOnPurpose) {
  const std::pair<const char*, const char*> starts[] = {
      {"shape", "f32[3,5]{1,0:T(2,2)}"},
      {"layout", "{1,0:T(2,2)}"},
      {"instruction", "%x = f32[3,5]{1,0:T(2,2)} add(%a, %b)"},
  };
  for (const auto& [kind, start] : starts) {
    setenv("LAYOUTCHECK_TEXT_KIND", kind, 1);
    const auto texts = Mutated(start, "", 4096, 1000);
    const auto accepted = std::ranges::count_if(
        texts, [&](const std::string& text) { return CanonicalText(*TextKindFromName(kind), text).has_value(); });
    EXPECT_GT(accepted, 100) << kind;
    EXPECT_LT(accepted, 900) << kind;
    EXPECT_GT(std::set(texts.begin(), texts.end()).size(), 500u) << kind;
  }
}

TEST_F(AflMutator, TheSeedDecides) {
  const std::string text = "f32[3,5]{1,0:T(2,2)}";
  EXPECT_EQ(Mutated(text, "", 4096, 100, 7), Mutated(text, "", 4096, 100, 7));
  EXPECT_NE(Mutated(text, "", 4096, 100, 7), Mutated(text, "", 4096, 100, 8));
}

TEST_F(AflMutator, CrossesWithTheOtherInput) {
  const auto has_its_tile = [](const std::string& text) { return text.find("7,11,13") != std::string::npos; };
  const auto crossed = Mutated("f32[3,5]{1,0}", "bf16[70,60,50]{2,1,0:T(7,11,13)}", 4096, 2000);
  EXPECT_GT(std::ranges::count_if(crossed, has_its_tile), 20);
  EXPECT_EQ(std::ranges::count_if(Mutated("f32[3,5]{1,0}", "", 4096, 2000), has_its_tile), 0);
}

TEST_F(AflMutator, NoTextIsLongerThanAsked) {
  for (const std::string& text : Mutated("f32[3,5]{1,0:T(2,2)}", "f32[8]{0:T(8)}", 9, 1000)) EXPECT_LE(text.size(), 9u);
}

TEST_F(AflMutator, AKindThatIsNoneIsNamed) {
  setenv("LAYOUTCHECK_TEXT_KIND", "module", 1);
  EXPECT_EXIT(init_(nullptr, 1), testing::ExitedWithCode(2), "expected shape, layout or instruction, got 'module'");
}

}  // namespace
}  // namespace layoutcheck
