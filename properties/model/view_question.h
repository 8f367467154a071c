// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The question of the operations `view`, `tile_view` and `slice`, and its answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace layoutcheck {

// The answer to a ViewQuestion. Exactly one of `layout`, `offsets` and `rejected` is set.
struct ViewAnswer {
  std::optional<std::string> layout = {};            // shape:stride text: where the elements are from `offset` on
  int64_t offset = 0;                                // offset of the first element; only with `layout`
  std::optional<std::vector<int64_t>> offsets = {};  // offset of each element asked for
  std::optional<std::vector<int64_t>> valid = {};    // the number of elements of the view per kept mode, if known
  std::optional<std::string> rejected = {};          // reason for having no result
};

// A view of a layout. Lists have one entry per top-level mode of the layout, or of the outer view if there is one.
struct ViewQuestion {
  using Result = ViewAnswer;
  static constexpr std::string_view kOperation = "view";
  enum class Kind {
    kView,      // begins at the coordinate `at`
    kTileView,  // is tile number `at` of the layout cut into tiles
    kSlice,     // fixes the modes with a number in `at`, and keeps the others
  };
  // A view of the layout of which the view in question is a view.
  struct Outer {
    std::vector<int64_t> origin;
    std::vector<int64_t> tile;
  };

  Kind kind = Kind::kView;
  std::string layout;  // shape:stride text
  // Number of elements of the layout per mode. Padding makes it smaller than the size of the mode.
  std::vector<int64_t> extents;
  std::vector<std::optional<int64_t>> at;
  std::vector<int64_t> tile;  // empty for a slice
  std::optional<Outer> of;
  // The elements whose offsets are asked for: coordinates within the view, with one integer per kept mode.
  std::vector<std::vector<int64_t>> coordinates;

  size_t KeptModes() const {
    size_t fixed = 0;
    for (const auto& number : at) fixed += kind == Kind::kSlice && number ? 1u : 0u;
    return at.size() - fixed;
  }

  // Asks a subject, as the questions of question.h do.
  template <class Subject>
  auto AskOf(Subject& subject) const {
    return subject.ViewOf(*this);
  }
};

}  // namespace layoutcheck
