// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/factory/subject_factory.h"
#include <gtest/gtest.h>
#include <set>
#include <string>
#include "layoutcheck/core/hlo/parser.h"

namespace layoutcheck {
namespace {

// Every listed subject answers under its name and is right about a small layout, or its error says what is missing and
// how to get it. The machine decides which are installed.
TEST(SubjectFactory, EveryListedSubjectIsStartedOrSaysWhatIsMissing) {
  const auto shape = ParseShape("f32[2,3]{0,1}");
  ASSERT_TRUE(shape);
  std::set<std::string_view> names;
  size_t started = 0;
  for (const BuiltInSubject& built_in : BuiltInSubjects()) {
    EXPECT_TRUE(names.insert(built_in.name).second) << built_in.name;
    for (const std::string_view name : {built_in.name, built_in.alias}) {
      if (name.empty()) continue;
      auto created = CreateSubject(name, {});
      if (const auto* error = std::get_if<Error>(&created)) {
        EXPECT_EQ(error->kind, ErrorKind::kUnavailable) << error->message;
        EXPECT_NE(error->message.find("./run subjects"), std::string::npos) << error->message;
        continue;
      }
      const auto* failed = std::get_if<Failed>(&created);
      ASSERT_EQ(failed, nullptr) << name << ": " << failed->what;
      ++started;
      Subject& subject = *std::get<std::unique_ptr<Subject>>(created);
      EXPECT_EQ(subject.info().name, built_in.name);
      const auto table = subject.Table(*shape);
      if (const auto* offsets = std::get_if<std::vector<int64_t>>(&table)) {
        EXPECT_EQ(*offsets, (std::vector<int64_t>{0, 2, 4, 1, 3, 5})) << name;
      }
    }
  }
  EXPECT_GE(started, 1U);
  std::printf("%zu of %zu subjects started\n", started, names.size());
}

TEST(SubjectFactory, AnUnknownNameListsTheKnownOnes) {
  for (const char* name : {"", "nope", "Reference"}) {
    auto created = CreateSubject(name, {});
    const auto* error = std::get_if<Error>(&created);
    ASSERT_NE(error, nullptr) << name;
    EXPECT_EQ(error->kind, ErrorKind::kInvalidArgument);
    EXPECT_NE(error->message.find("reference, xla, "), std::string::npos) << error->message;
  }
}

}  // namespace
}  // namespace layoutcheck
