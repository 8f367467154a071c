// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/verify/proof/lines.h"

namespace layoutcheck::verify {

// The outcomes of conditions on the paths of a claim, in depth-first order: a path repeats the lines of the one before
// up to its last Y, has N in place of that, and continues with no other N. So every point takes exactly one path: a Y
// without its N, or an N without its Y, is refused.
class Outcomes {
 public:
  explicit Outcomes(Lines& lines) : lines_(lines) {}

  // Begins the next path. Returns false if there is none.
  bool StartPath();
  // Takes the present line as the next outcome of the path.
  Checked<std::string_view> Take();
  // Refuses the line that was taken last.
  std::unexpected<Refusal> RefuseTaken(std::string reason) const {
    return std::unexpected(Refusal{lines_.number() - 1, std::move(reason)});
  }
  // Returns the present line, which Take() takes next.
  std::string_view Next() const { return lines_.line(); }
  // Checks that the path has all lines that it must repeat.
  Checked<void> EndPath() const;

  Lines& lines() { return lines_; }

 private:
  Lines& lines_;
  std::vector<std::string> taken_;     // lines taken on this path
  std::vector<std::string> repeated_;  // lines with which the path must begin
  bool is_first_ = true;
};

}  // namespace layoutcheck::verify
