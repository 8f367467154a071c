// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conformance files: what layouts mean, as data that an implementation in any language can be held to.
#ifndef LAYOUTCHECK_PROPERTIES_CONFORMANCE_CONFORMANCE_FILES_H_
#define LAYOUTCHECK_PROPERTIES_CONFORMANCE_CONFORMANCE_FILES_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// A file of corpus/conformance/: its name, and JSON Lines of the format that corpus/conformance/schema.json describes.
struct ConformanceFile {
  std::string name;
  std::string text;
};

// The digest of a table: FNV-1a, 64 bits, over the offsets as int64 in little-endian order; 16 hexadecimal digits.
std::string DigestOf(std::span<const int64_t> offsets);

// All of them, the same each time: layouts.jsonl, texts.jsonl and shape_stride.jsonl. `occurring` are the lines of
// corpus/layouts/occurring.txt. Error: one of those that is no shape.
Expected<std::vector<ConformanceFile>> MakeConformanceFiles(std::span<const std::string> occurring);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_CONFORMANCE_CONFORMANCE_FILES_H_
