// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// The limits of a subject's answers about rank-1 arrays without tiles, as far as it shows them by declining.
struct Reach {
  bool has_tables = true;   // the subject answers the table of a small array
  bool has_offsets = true;  // the subject answers single offsets of a small array
  // The largest arrays about whose elements the subject answers; INT64_MAX if it declined none. One of the two is
  // limited: bytes if the largest array has fewer elements where they have more bytes.
  int64_t max_array_elements = INT64_MAX;
  int64_t max_array_bytes = INT64_MAX;

  bool has_only_tables() const { return has_tables && !has_offsets; }
};

// Asks the subject for the last element of growing arrays, at most 17 questions, or 4 if it declines none. Only a
// declined question limits the reach. A failure does not: the run is to find it.
Reach ReachOf(Subject& subject);

}  // namespace layoutcheck
