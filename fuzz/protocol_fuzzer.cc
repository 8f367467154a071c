// Any bytes as a line of the subject protocol: as an answer of a hostile subject, read for every operation, and as a
// request to the reference. The first byte says how many integers the question was about.
#include <nlohmann/json.hpp>

#include "layoutcheck/core/str_cat.h"
#include "layoutcheck/fuzz/target.h"
#include "layoutcheck/subjects/protocol.h"
#include "layoutcheck/subjects/serve.h"

namespace layoutcheck {
namespace {

std::optional<std::string> BrokenProperty(size_t count, std::string_view line) {
  (void)ReadHello(line);
  (void)ReadOffset(line);
  (void)ReadRelayout(line);
  const Answer<ParseAnswer> parse = ReadParse(line);
  if (const auto* answer = std::get_if<ParseAnswer>(&parse);
      answer != nullptr && answer->ok && !answer->error.empty()) {
    return "an accepted text with an error";
  }
  const Answer<std::vector<int64_t>> table = ReadTable(line, count);
  if (const auto* offsets = std::get_if<std::vector<int64_t>>(&table); offsets != nullptr && offsets->size() != count) {
    return StrCat("a table of ", offsets->size(), " offsets instead of ", count);
  }
  const Answer<std::optional<Subject::Coordinate>> coordinate = ReadCoordinate(line, count);
  if (const auto* at = std::get_if<std::optional<Subject::Coordinate>>(&coordinate);
      at != nullptr && *at && (*at)->size() != count) {
    return StrCat("a coordinate of ", (*at)->size(), " numbers instead of ", count);
  }
  const Answer<SizeAnswer> size = ReadSize(line);
  if (const auto* sizes = std::get_if<SizeAnswer>(&size)) {
    if (!sizes->elements && !sizes->padded_elements && !sizes->bytes && !sizes->extent) return "sizes without a size";
  }
  ReferenceSubject reference;
  const std::string answer = AnswerRequest(reference, line);
  if (!nlohmann::json::accept(answer) || answer.find('\n') != std::string::npos) {
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
