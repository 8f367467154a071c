// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every known answer about layouts in bits in corpus/vectors/linear.jsonl.
#include <gtest/gtest.h>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/linear_notation.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// Returns the layout of argument i, or throws, because unreadable arguments are an error of the row.
LinearLayout Layout(const Json& row, size_t i) {
  const std::string& text = row.at("args").at(i).text();
  const Expected<LinearLayout> layout = ReadLinearLayout(text);
  if (!layout) throw std::runtime_error(text + ": " + layout.error().ToString());
  return *layout;
}

Json AnswerOf(const Expected<LinearLayout>& result) {
  return result ? Json(ToString(*result)) : Json("rejected: " + result.error().ToString());
}

// Returns the expected layout of CuTe, from thread and value to a matrix with its first dimension fastest, if that is
// the fragment, which is that of the transposed matrix if the row says so. Threads are lanes and then warps. Otherwise
// returns the fragment.
Json ThreadValueLayout(const Json& row) {
  const LinearLayout fragment = Layout(row, 0);
  const bool is_transposed = row.at("args").size() > 1;
  const std::vector<std::string> order =
      is_transposed ? std::vector<std::string>{"dim0", "dim1"} : std::vector<std::string>{"dim1", "dim0"};
  const Expected<LinearLayout> columns_first = TransposeOutputs(fragment, order);
  const Expected<LinearLayout> expected = ReadLinearLayout(row.at("expect").text());
  if (!columns_first || !expected || expected->inputs().size() != 2) return AnswerOf(columns_first);
  const std::vector<LinearInput>& ours = columns_first->inputs();
  std::vector<uint64_t> threads = ours[*columns_first->FindInput("lane")].images;
  if (const std::optional<size_t> warp = columns_first->FindInput("warp")) {
    threads.insert(threads.end(), ours[*warp].images.begin(), ours[*warp].images.end());
  }
  const bool equal = expected->inputs()[0].images == threads &&
                     expected->inputs()[1].images == ours[*columns_first->FindInput("register")].images;
  return equal ? row.at("expect") : AnswerOf(columns_first);
}

const std::map<std::string, std::function<Json(const Json& row)>> kOperations = {
    {"attribute", [](const Json& row) { return Json(ToString(Layout(row, 0))); }},
    {"compose", [](const Json& row) { return AnswerOf(Compose(Layout(row, 0), Layout(row, 1))); }},
    {"product", [](const Json& row) { return AnswerOf(Product(Layout(row, 0), Layout(row, 1))); }},
    {"divide-left",
     [](const Json& row) {
       const std::optional<LinearLayout> quotient = DivideLeft(Layout(row, 0), Layout(row, 1));
       return quotient ? Json(ToString(*quotient)) : Json(nullptr);
     }},
    {"invert-and-compose", [](const Json& row) { return AnswerOf(InvertAndCompose(Layout(row, 0), Layout(row, 1))); }},
    {"flatten-inputs", [](const Json& row) { return AnswerOf(FlattenInputs(Layout(row, 0))); }},
    {"flatten-outputs", [](const Json& row) { return AnswerOf(FlattenOutputs(Layout(row, 0))); }},
    {"num-consecutive", [](const Json& row) { return Json(NumConsecutive(Layout(row, 0))); }},
    {"free-variable-masks", [](const Json& row) { return Json(FreeVariableMasks(Layout(row, 0))); }},
    {"index", [](const Json& row) { return Json(Layout(row, 0).Apply(row.at("args").at(1).get<uint64_t>())); }},
    {"equal", [](const Json& row) { return Json(Layout(row, 0).images() == Layout(row, 1).images()); }},
    {"thread-value", ThreadValueLayout},
};

TEST(LinearConformance, KnownAnswers) {
  std::ifstream in(LAYOUTCHECK_CORPUS "/vectors/linear.jsonl");
  ASSERT_TRUE(in.is_open());
  size_t rows = 0;
  for (std::string line; std::getline(in, line); ++rows) {
    const Json row = Json::Parse(line).value();
    const auto operation = kOperations.find(row.at("op").text());
    ASSERT_NE(operation, kOperations.end()) << line;
    EXPECT_EQ(operation->second(row), row.at("expect")) << line;
    EXPECT_FALSE(row.at("source").text().empty()) << line;
  }
  std::printf("%zu known answers\n", rows);
  EXPECT_GE(rows, 116u);
}

}  // namespace
}  // namespace layoutcheck
