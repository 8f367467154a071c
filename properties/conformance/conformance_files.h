// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conformance files: test data for implementations in any language.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// A file of corpus/conformance/, in the JSON Lines format of corpus/conformance/schema.json.
struct ConformanceFile {
  std::string name;
  std::string text;
};

// Returns the digest of a table in 16 hexadecimal digits: 64-bit FNV-1a over the offsets as little-endian int64.
std::string DigestOf(std::span<const int64_t> offsets);

// Makes the same files every time: layouts.jsonl, texts.jsonl and shape_stride.jsonl. `occurring` has the lines of
// corpus/layouts/occurring.txt. Error: a line that is no shape.
Expected<std::vector<ConformanceFile>> MakeConformanceFiles(std::span<const std::string> occurring);

}  // namespace layoutcheck
