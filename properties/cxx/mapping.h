// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks layout mappings of C++23's <mdspan>: classes with extents() and operator()(i...). Their other members are
// optional, and <mdspan> itself is not needed.
//
//   TEST(MyLayout, KeepsTheLaws) { EXPECT_TRUE(layoutcheck::Check(my_mapping)); }
//   TEST(MyLayout, IsTiled) { EXPECT_TRUE(layoutcheck::Check(my_mapping, "f32[3,5]{1,0:T(2,2)}")); }
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#include "layoutcheck/properties/model/check_result.h"

namespace layoutcheck {

// A type-erased mapping. Missing members are empty and not checked.
struct MappingView {
  std::vector<int64_t> extents;
  std::function<int64_t(std::span<const int64_t> index)> offset;
  std::optional<int64_t> required_span_size;
  // The mapping's claims about itself, e.g. is_unique(), and about its type, e.g. is_always_unique().
  struct Claim {
    std::optional<bool> now;
    std::optional<bool> always;
  };
  Claim unique;
  Claim exhaustive;
  Claim strided;
  std::function<int64_t(size_t dimension)> stride;  // null if there is none
};

// Checks the requirements of [mdspan.layout.reqmts]:
//   - offsets are in [0, required_span_size()), which is 1 + the largest offset, or 0 if there is no element;
//   - a mapping that claims to be unique, exhaustive or strided is so (it may claim too little);
//   - strides are the distances of neighbors;
//   - claims about the type hold for this mapping;
//   - no member throws.
// Checks all of up to 2^22 elements, and some elements of a larger mapping for wrong offsets and strides only.
CheckResult CheckMapping(const MappingView& mapping);

// The places where a mapping must have its elements.
struct ExpectedMapping {
  std::vector<int64_t> dimensions;
  std::function<int64_t(std::span<const int64_t> index)> offset;
  int64_t padded_elements = 0;
};

// Checks also that each element is where it is expected, and that required_span_size() is 1 + the largest offset or,
// for a mapping that counts its padding, the number of padded elements.
CheckResult CheckMapping(const MappingView& mapping, const ExpectedMapping& expected);

// Checks a mapping against a layout in the HLO text of an array.
CheckResult CheckMapping(const MappingView& mapping, std::string_view layout);

template <class M>
concept LayoutMapping = requires(const M& mapping, size_t dimension) {
  { std::remove_cvref_t<decltype(mapping.extents())>::rank() } -> std::convertible_to<size_t>;
  { mapping.extents().extent(dimension) } -> std::convertible_to<int64_t>;
};

// Returns a view of the mapping, which must outlive the view.
template <LayoutMapping M>
MappingView ViewOf(const M& mapping) {
  using Extents = std::remove_cvref_t<decltype(mapping.extents())>;
  constexpr size_t kRank = Extents::rank();
  MappingView view;
  for (size_t d = 0; d < kRank; ++d) view.extents.push_back(static_cast<int64_t>(mapping.extents().extent(d)));
  view.offset = [&mapping](std::span<const int64_t> index) {
    return [&]<size_t... d>(std::index_sequence<d...>) {
      if constexpr (requires { typename M::index_type; }) {
        return static_cast<int64_t>(mapping(static_cast<typename M::index_type>(index[d])...));
      } else {
        return static_cast<int64_t>(mapping(index[d]...));
      }
    }(std::make_index_sequence<kRank>());
  };
  if constexpr (requires { mapping.required_span_size(); }) {
    view.required_span_size = static_cast<int64_t>(mapping.required_span_size());
  }
  if constexpr (requires { mapping.is_unique(); }) view.unique.now = mapping.is_unique();
  if constexpr (requires { mapping.is_exhaustive(); }) view.exhaustive.now = mapping.is_exhaustive();
  if constexpr (requires { mapping.is_strided(); }) view.strided.now = mapping.is_strided();
  if constexpr (requires { M::is_always_unique(); }) view.unique.always = M::is_always_unique();
  if constexpr (requires { M::is_always_exhaustive(); }) view.exhaustive.always = M::is_always_exhaustive();
  if constexpr (requires { M::is_always_strided(); }) view.strided.always = M::is_always_strided();
  if constexpr (requires(size_t d) { mapping.stride(d); } && kRank > 0) {
    view.stride = [&mapping](size_t d) { return static_cast<int64_t>(mapping.stride(d)); };
  }
  return view;
}

// Returns the finding about a mapping that throws when it is asked for its extents, its size or its claims.
CheckResult FoundInMapping(const std::exception_ptr& exception);

template <LayoutMapping M>
CheckResult Check(const M& mapping) try {
  return CheckMapping(ViewOf(mapping));
} catch (...) {
  return FoundInMapping(std::current_exception());
}

template <LayoutMapping M>
CheckResult Check(const M& mapping, std::string_view layout) try {
  return CheckMapping(ViewOf(mapping), layout);
} catch (...) {
  return FoundInMapping(std::current_exception());
}

}  // namespace layoutcheck
