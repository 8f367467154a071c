// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/factory/subject_factory.h"
#include <gtest/gtest.h>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
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
        EXPECT_TRUE(error->message.find("./run subjects") != std::string::npos ||
                    error->message.find("a checkout of") != std::string::npos ||
                    error->message.find("README.md says how") != std::string::npos)
            << error->message;
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

// Sets an environment variable, or unsets it if the value is null, until the end of a scope.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    value == nullptr ? unsetenv(name) : setenv(name, value, 1);
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;
  ~ScopedVariable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(SubjectFactory, WithoutItsCheckoutASubjectSaysHowToGetIt) {
  for (const auto& [subject, variable, value, expected] :
       {std::tuple{"catlass", "CATLASS_HOME", static_cast<const char*>(nullptr), "CATLASS_HOME is not set"},
        {"catlass-tags", "CATLASS_HOME", "/nowhere", "CATLASS_HOME=/nowhere has no include/tla/layout.hpp"},
        {"cute-cpp", "CUTLASS_HOME", "/nowhere", "CUTLASS_HOME=/nowhere has no include/cute/layout.hpp"},
        {"cute-cpp-dynamic", "CUTLASS_HOME", "/nowhere", "has no include/cute/layout.hpp; expected the folder"},
        {"pycute", "CUTLASS_HOME", "/nowhere", "has no python/pycute/layout.py"}}) {
    const ScopedVariable set(variable, value);
    auto created = CreateSubject(subject, {});
    const auto* error = std::get_if<Error>(&created);
    ASSERT_NE(error, nullptr) << subject;
    EXPECT_EQ(error->kind, ErrorKind::kUnavailable);
    EXPECT_NE(error->message.find(expected), std::string::npos) << error->message;
    EXPECT_NE(error->message.find("expected the folder of a checkout of C"), std::string::npos) << error->message;
    EXPECT_NE(error->message.find(std::string(" here: ") + variable), std::string::npos) << error->message;
  }
}

TEST(SubjectFactory, HeadersOfACheckoutThatDoNotCompileAreNamed) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "no_catlass";
  fs::create_directories(folder / "include" / "tla");
  std::ofstream(folder / "include" / "tla" / "layout.hpp") << "#error this is not CATLASS\n";
  const ScopedVariable set("CATLASS_HOME", folder.c_str());
  const auto created = CreateSubject("catlass", {});
  ASSERT_FALSE(std::holds_alternative<std::unique_ptr<Subject>>(created));
  const auto* const error = std::get_if<Error>(&created);
  const std::string what = error == nullptr ? std::get<Failed>(created).what : error->message;
  EXPECT_NE(what.find("catlass_subject.py: "), std::string::npos) << what;
  fs::remove_all(folder);
}

// Runs only where CATLASS_HOME names a checkout. Returns null otherwise.
std::unique_ptr<Subject> CatlassSubject(const char* name) {
  auto created = CreateSubject(name, {.timeout = std::chrono::seconds(60)});
  auto* const subject = std::get_if<std::unique_ptr<Subject>>(&created);
  return subject == nullptr ? nullptr : std::move(*subject);
}

std::optional<int64_t> ValueOf(Subject& subject, std::string_view function, const std::vector<std::string>& arguments) {
  const auto answer = subject.Apply(function, arguments);
  const auto* const applied = std::get_if<ApplyAnswer>(&answer);
  return applied == nullptr ? std::nullopt : applied->value;
}

TEST(SubjectFactory, CatlassAnswersAsItsPagesSay) {
  const auto tla = CatlassSubject("catlass");
  const auto tags = CatlassSubject("catlass-tags");
  if (!tla || !tags) GTEST_SKIP() << "CATLASS_HOME names no checkout";
  for (Subject* const subject : {tla.get(), tags.get()}) {
    const auto made = subject->Make("zN", 16, std::vector<int64_t>{20, 40});
    ASSERT_TRUE(std::holds_alternative<std::string>(made));
    EXPECT_EQ(std::get<std::string>(made), "((16,2),(16,3)):((16,256),(1,512))");
    EXPECT_EQ(ValueOf(*subject, "tag_offset", {"zN", "16", "20", "40", "(17,33)"}), 256 + 16 + 1024 + 1);
    EXPECT_EQ(ValueOf(*subject, "tag_offset", {"zN", "16", "20", "40", "(1)"}), std::nullopt);
    EXPECT_EQ(ValueOf(*subject, "tag_offset", {"zN", "12", "20", "40", "(1,1)"}), std::nullopt);
    EXPECT_EQ(ValueOf(*subject, "tag_offset", {"zN", "16", "-20", "40", "(1,1)"}), std::nullopt);
  }
  EXPECT_TRUE(std::holds_alternative<Declined>(tla->Make("nN", 16, std::vector<int64_t>{20, 40})));
  EXPECT_TRUE(std::holds_alternative<Declined>(tags->Make("zN", 16, std::vector<int64_t>{int64_t{1} << 32, 40})));
  EXPECT_EQ(ValueOf(*tags, "tag_capacity", {"zN", "16", "20", "40"}), 1536);
  EXPECT_EQ(ValueOf(*tla, "tag_capacity", {"zN", "16", "20", "40"}), std::nullopt);
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
