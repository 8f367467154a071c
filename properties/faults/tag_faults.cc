// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in layouts by tag, as TLA's MakeLayout makes them, and in their offsets and capacities.
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/properties/algebra/algebra_reference.h"
#include "layoutcheck/properties/faults/algebra_fault.h"

namespace layoutcheck {
namespace {

using namespace algebra_fault;  // NOLINT(google-build-using-namespace): every fault is written in its terms

struct Matrix {
  std::string tag;
  int64_t bits;
  int64_t rows;
  int64_t columns;
};

// Returns a fault that makes TLA's layout of another matrix.
Change<MakeQuestion> MadeAs(void (*change)(Matrix&)) {
  return [change](const MakeQuestion& q, std::string& layout) {
    if (q.sizes.size() != 2) return;
    Matrix matrix{std::string(q.tag), q.element_bits, q.sizes[0], q.sizes[1]};
    change(matrix);
    const auto made = MakeReference(matrix.tag, matrix.bits, std::vector{matrix.rows, matrix.columns});
    if (const auto* text = std::get_if<std::string>(&made)) layout = *text;
  };
}

// Returns a fault in the layout that a tag makes.
Change<MakeQuestion> InMade(void (*change)(std::string_view tag, ShapeStrideLayout&)) {
  return [change](const MakeQuestion& q, std::string& layout) {
    auto made = ParseShapeStrideLayout(layout);
    if (!made) return;
    change(q.tag, *made);
    layout = ToString(*made);
  };
}

std::vector<Fault> MatrixFaults() {
  return {
      {"make-zn-as-nz", "the order inside the fractal taken for that of fractals",
       MadeAs([](Matrix& m) { m.tag = m.tag == "zN" ? "nZ" : m.tag; })},
      {"make-half-for-all", "C0 is 16 for every element type", MadeAs([](Matrix& m) { m.bits = 16; })},
      {"make-rows-rounded-down", "the last, partial fractal is forgotten", MadeAs([](Matrix& m) {
         if (m.tag == "zN" || m.tag == "L0C") m.rows = m.rows / 16 * 16;
       })},
      {"make-swapped", "rows and columns exchanged", MadeAs([](Matrix& m) { std::swap(m.rows, m.columns); })},
      {"make-mx-scale-of-other-matrix", "MX scales of B in rows are taken to be in pairs of columns, as of A",
       MadeAs([](Matrix& m) {
         if (m.tag == "MxScaleRowMajorB") m.tag = "MxScaleRowMajorA";
       })},
      {"make-mx-scale-in-fractals-of-bytes", "fractals of MX scales have the columns of 8-bit elements",
       MadeAs([](Matrix& m) {
         if (m.tag == "MxScalezZ") std::tie(m.tag, m.bits) = std::pair("zZ", 8);
       })},
      {"make-mx-scale-odd-columns", "the last scale of an odd number has no pair", MadeAs([](Matrix& m) {
         if (m.tag.starts_with("MxScale") && m.columns > 1) m.columns = m.columns / 2 * 2;
       })},
      {"make-4-bit-pitch", "4-bit rows are not padded to whole bytes",
       [](const MakeQuestion& q, std::string& layout) {
         if (q.element_bits != 4 || q.tag != "RowMajor") return;
         layout = StrCat("(", q.sizes[0], ",", q.sizes[1], "):(", q.sizes[1], ",1)");
       }},
  };
}

// Returns faults in layouts of blocks or fractals, tensors among them.
std::vector<Fault> BlockFaults() {
  return {
      {"make-in-own-blocks", "the sizes of blocks that are given do not count", MadeAs([](Matrix& m) {
         if (!m.tag.starts_with("Padding")) m.tag = m.tag.substr(0, m.tag.find('<'));
       })},
      {"make-filter-as-image", "the blocks of channels of a filter taken to be where those of an image are",
       [](const MakeQuestion& q, std::string& layout) {
         const auto made = MakeReference(q.tag == "CI1KHKWCOCI0" ? "NC1HWC0" : q.tag, q.element_bits, q.sizes);
         if (const auto* text = std::get_if<std::string>(&made)) layout = *text;
       }},
      {"make-tensor-without-depth", "the stride of the depth is that of the height",
       InMade([](std::string_view tag, ShapeStrideLayout& made) {
         if (tag != "NDC1HWC0") return;
         std::vector<IntTuple> strides = Modes(made.stride);
         strides[2] = strides[3];
         made.stride = IntTuple::Tuple(strides);
       })},
      {"make-32-bit-pitch", "CATLASS 06914f8e: the pitch of fractals is a product of uint32_t",
       InMade([](std::string_view, ShapeStrideLayout& made) {
         std::vector<IntTuple> strides = Leaves(made.stride);
         for (IntTuple& stride : strides) stride = stride.value() & 0xFFFFFFFF;
         made.stride = Unflatten(made.shape, strides);
       })},
  };
}

std::vector<Fault> OffsetAndCapacityFaults() {
  return InFunctions({
      {"tag-offset-32-bit", "an offset is a sum of products of uint32_t", "tag_offset",
       [](Arguments, ApplyAnswer& r) {
         if (r.value) r.value = *r.value & 0xFFFFFFFF;
       }},
      {"tag-offset-of-fractals", "the place inside the fractal is forgotten", "tag_offset",
       [](Arguments a, ApplyAnswer& r) {
         if (a[0] == "zZ" && r.value) r.value = *r.value / 512 * 512;
       }},
      {"tag-capacity-unpadded", "the capacity is rows times columns", "tag_capacity",
       [](Arguments a, ApplyAnswer& r) {
         const auto rows = ParseIntTuple(a[2]);
         const auto columns = ParseIntTuple(a[3]);
         if (rows && columns) r.value = (CheckedInt64(rows->value()) * columns->value()).value;
       }},
  });
}

}  // namespace

std::vector<Fault> TagFaults() { return JoinFaults({MatrixFaults(), BlockFaults(), OffsetAndCapacityFaults()}); }

}  // namespace layoutcheck
