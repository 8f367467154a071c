// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The subject protocol (docs/protocol.md): the names of its operations, and what a subject says of itself. The requests
// and answers of the operations are in operations.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/subjects/protocol/layout_text.h"

namespace layoutcheck {

// An operation of the protocol. Subjects get only requests for operations that they name.
enum class Operation {
  kParse,
  kOffset,
  kTable,
  kCoordinate,
  kSize,
  kRelayout,
  kMake,
  kApply,
  kBitcast,
  kEqual,
  kEdit,
  kView,
  kTileView,
  kSlice,
  kAxisInfo,
  kShard,
  kReshard,
};
inline constexpr size_t kOperationCount = 17;

// Returns the word for it in requests and hello answers, such as "offset".
std::string_view OperationName(Operation operation);
std::optional<Operation> OperationFromName(std::string_view name);
// Returns true if requests for it have texts in HLO notation only.
bool NeedsHlo(Operation operation);

struct HelloAnswer {
  SubjectInfo info;
  std::vector<bool> operations = std::vector<bool>(kOperationCount, false);
  Notations notations;
};

// Returns the first request, with its newline.
std::string HelloRequest();
// Reads the answer to it, as ReadAnswer of operations.h does.
Answer<HelloAnswer> ReadHello(std::string_view line);

// Returns the first `max_bytes` of a line that a program wrote, with `?` for bytes that are not printable ASCII.
std::string PrintableStart(std::string_view line, size_t max_bytes);

// Returns a failure (kProtocol) that says what is wrong with an answer line, and how the line begins.
Failed BrokenAnswer(std::string_view what, std::string_view line);

// Returns a generous upper bound, in bytes, for the length of an answer with this many integers.
constexpr size_t MaxAnswerBytes(size_t integers) { return (size_t{1} << 20) + 24 * integers; }

}  // namespace layoutcheck
