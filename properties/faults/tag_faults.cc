// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in layouts by tag, as TLA's MakeLayout makes them, and in their offsets and capacities.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/shape_stride/tla.h"
#include "layoutcheck/properties/algebra/algebra_reference.h"
#include "layoutcheck/properties/faults/algebra_fault.h"

namespace layoutcheck {
namespace {

using namespace algebra_fault;  // NOLINT(google-build-using-namespace): every fault is written in its terms

// Returns a fault that makes TLA's layout of a matrix for another tag or other numbers.
Plant MadeAs(void (*change)(std::string& tag, int64_t& bits, int64_t& rows, int64_t& columns)) {
  return [change](FaultHooks& hooks) {
    hooks.make = [change](std::string_view tag, int64_t bits, std::span<const int64_t> sizes, std::string& layout) {
      if (sizes.size() != 2) return;
      std::string other(tag);
      std::vector<int64_t> others(sizes.begin(), sizes.end());
      change(other, bits, others[0], others[1]);
      const auto made = MakeReference(other, bits, others);
      if (const auto* text = std::get_if<std::string>(&made)) layout = *text;
    };
  };
}

std::vector<Fault> MatrixFaults() {
  return {
      {"make-zn-as-nz", "algebra", "the order inside the fractal taken for that of fractals",
       MadeAs([](std::string& tag, int64_t&, int64_t&, int64_t&) { tag = tag == "zN" ? "nZ" : tag; })},
      {"make-half-for-all", "algebra", "C0 is 16 for every element type",
       MadeAs([](std::string&, int64_t& bits, int64_t&, int64_t&) { bits = 16; })},
      {"make-rows-rounded-down", "algebra", "the last, partial fractal is forgotten",
       MadeAs([](std::string& tag, int64_t&, int64_t& rows, int64_t&) {
         if (tag == "zN" || tag == "L0C") rows = rows / 16 * 16;
       })},
      {"make-swapped", "algebra", "rows and columns exchanged",
       MadeAs([](std::string&, int64_t&, int64_t& rows, int64_t& columns) { std::swap(rows, columns); })},
      {"make-mx-scale-of-other-matrix", "algebra",
       "MX scales of B in rows are taken to be in pairs of columns, as of A",
       MadeAs([](std::string& tag, int64_t&, int64_t&, int64_t&) {
         if (tag == "MxScaleRowMajorB") tag = "MxScaleRowMajorA";
       })},
      {"make-mx-scale-in-fractals-of-bytes", "algebra", "fractals of MX scales have the columns of 8-bit elements",
       MadeAs([](std::string& tag, int64_t& bits, int64_t&, int64_t&) {
         if (tag == "MxScalezZ") std::tie(tag, bits) = std::pair("zZ", 8);
       })},
      {"make-mx-scale-odd-columns", "algebra", "the last scale of an odd number has no pair",
       MadeAs([](std::string& tag, int64_t&, int64_t&, int64_t& columns) {
         if (tag.starts_with("MxScale") && columns > 1) columns = columns / 2 * 2;
       })},
      {"make-4-bit-pitch", "algebra", "4-bit rows are not padded to whole bytes",
       [](FaultHooks& hooks) {
         hooks.make = [](std::string_view tag, int64_t bits, std::span<const int64_t> sizes, std::string& layout) {
           if (bits != 4 || tag != "RowMajor") return;
           layout = StrCat("(", sizes[0], ",", sizes[1], "):(", sizes[1], ",1)");
         };
       }},
  };
}

// Returns faults in layouts of blocks or fractals, tensors among them.
std::vector<Fault> BlockFaults() {
  return {
      {"make-in-own-blocks", "algebra", "the sizes of blocks that are given do not count",
       MadeAs([](std::string& tag, int64_t&, int64_t&, int64_t&) {
         if (!tag.starts_with("Padding")) tag = tag.substr(0, tag.find('<'));
       })},
      {"make-filter-as-image", "algebra", "the blocks of channels of a filter taken to be where those of an image are",
       [](FaultHooks& hooks) {
         hooks.make = [](std::string_view tag, int64_t bits, std::span<const int64_t> sizes, std::string& layout) {
           const auto made = MakeReference(tag == "CI1KHKWCOCI0" ? "NC1HWC0" : tag, bits, sizes);
           if (const auto* text = std::get_if<std::string>(&made)) layout = *text;
         };
       }},
      {"make-tensor-without-depth", "algebra", "the stride of the depth is that of the height",
       [](FaultHooks& hooks) {
         hooks.make = [](std::string_view tag, int64_t, std::span<const int64_t>, std::string& layout) {
           auto made = ParseShapeStrideLayout(layout);
           if (tag != "NDC1HWC0" || !made) return;
           std::vector<IntTuple> strides = Modes(made->stride);
           strides[2] = strides[3];
           made->stride = IntTuple::Tuple(strides);
           layout = ToString(*made);
         };
       }},
      {"make-32-bit-pitch", "algebra", "CATLASS 06914f8e: the pitch of fractals is a product of uint32_t",
       [](FaultHooks& hooks) {
         hooks.make = [](std::string_view, int64_t, std::span<const int64_t>, std::string& layout) {
           auto made = ParseShapeStrideLayout(layout);
           if (!made) return;
           std::vector<IntTuple> strides = Leaves(made->stride);
           for (IntTuple& stride : strides) stride = stride.value() & 0xFFFFFFFF;
           made->stride = Unflatten(made->shape, strides);
           layout = ToString(*made);
         };
       }},
  };
}

std::vector<Fault> OffsetAndCapacityFaults() {
  return {
      {"tag-offset-32-bit", "algebra", "an offset is a sum of products of uint32_t",
       In("tag_offset",
          [](Arguments, ApplyAnswer& r) {
            if (r.value) r.value = *r.value & 0xFFFFFFFF;
          })},
      {"tag-offset-of-fractals", "algebra", "the place inside the fractal is forgotten",
       In("tag_offset",
          [](Arguments a, ApplyAnswer& r) {
            if (a[0] == "zZ" && r.value) r.value = *r.value / 512 * 512;
          })},
      {"tag-capacity-unpadded", "algebra", "the capacity is rows times columns",
       In("tag_capacity",
          [](Arguments a, ApplyAnswer& r) {
            const auto rows = ParseIntTuple(a[2]);
            const auto columns = ParseIntTuple(a[3]);
            if (rows && columns) r.value = (CheckedInt64(rows->value()) * columns->value()).value;
          })},
  };
}

}  // namespace

std::vector<Fault> TagFaults() { return JoinFaults({MatrixFaults(), BlockFaults(), OffsetAndCapacityFaults()}); }

}  // namespace layoutcheck
