// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: takes any bytes as a line of the subject protocol, read as a hostile subject's answer to every operation
// and answered as a request to the reference. The first byte is the number of integers asked for.
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/fuzz/text/target.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/subjects/protocol/operations.h"
#include "layoutcheck/subjects/protocol/serve.h"

namespace layoutcheck {
namespace {

// The reference, except that it declines answers of millions of integers, which take seconds.
class SmallReference final : public ReferenceSubject {
 public:
  Answer<std::vector<int64_t>> Table(const Shape& shape) override {
    return IsLarge(shape) ? Declined{"a large table"} : ReferenceSubject::Table(shape);
  }
  Answer<std::vector<int64_t>> Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data) override {
    return IsLarge(to) ? Declined{"a large array"} : ReferenceSubject::Relayout(from, to, data);
  }

 private:
  static bool IsLarge(const Shape& shape) {
    constexpr int64_t kMostElements = int64_t{1} << 20;
    const auto sizes = SizesOf(shape);
    return sizes && sizes->padded_elements > kMostElements;
  }
};

std::optional<std::string> BrokenProperty(size_t count, std::string_view line) {
  (void)ReadHello(line);
  (void)ReadAnswer<OffsetQuestion>(line);
  (void)ReadAnswer<RelayoutQuestion>(line);
  const Answer<ParseAnswer> parse = ReadAnswer<ParseQuestion>(line);
  if (const auto* answer = std::get_if<ParseAnswer>(&parse);
      answer != nullptr && answer->ok && !answer->error.empty()) {
    return "an accepted text with an error";
  }
  const Answer<std::vector<int64_t>> table = ReadAnswer<TableQuestion>(line, {count});
  if (const auto* offsets = std::get_if<std::vector<int64_t>>(&table); offsets != nullptr && offsets->size() != count) {
    return StrCat("a table of ", offsets->size(), " offsets instead of ", count);
  }
  const Answer<std::optional<Subject::Coordinate>> coordinate = ReadAnswer<CoordinateQuestion>(line, {count});
  if (const auto* at = std::get_if<std::optional<Subject::Coordinate>>(&coordinate);
      at != nullptr && *at && (*at)->size() != count) {
    return StrCat("a coordinate of ", (*at)->size(), " numbers instead of ", count);
  }
  const Answer<SizeAnswer> size = ReadAnswer<SizeQuestion>(line);
  if (const auto* sizes = std::get_if<SizeAnswer>(&size)) {
    if (!sizes->elements && !sizes->padded_elements && !sizes->bytes && !sizes->extent) return "sizes without a size";
  }
  SmallReference reference;
  const std::string answer = AnswerRequest(reference, line);
  if (!Json::Parse(answer) || answer.find('\n') != std::string::npos) {
    return StrCat("the answer to a request is no JSON line: ", answer);
  }
  return std::nullopt;
}

}  // namespace
}  // namespace layoutcheck

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const size_t count = size == 0 ? 0 : data[0] % 8;
  const std::string_view line = layoutcheck::InputText(data, size).substr(size == 0 ? 0 : 1);
  layoutcheck::Require(layoutcheck::BrokenProperty(count, line));
  return 0;
}
