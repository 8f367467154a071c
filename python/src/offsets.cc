// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets of many elements at once, written into arrays that layoutcheck/arrays.py allocates.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <cstdint>
#include <span>
#include "errors.h"
#include "layout.h"
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "register.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace layoutcheck::python {
namespace {

using Indices = nb::ndarray<const int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Expected<void> Evaluate(const PyLayout& layout, std::span<const int64_t> indices, size_t rank, std::span<int64_t> out) {
  for (size_t k = 0; k < out.size(); ++k) {
    const auto index = indices.subspan(k * rank, rank);
    if (auto inside = layout.CheckWithin(index); !inside) {
      inside.error().message = StrCat("index number ", k, ": ", inside.error().message);
      return inside;
    }
    out[k] = layout->Index(index);
  }
  return {};
}

void FillOffsets(const PyLayout& layout, const Indices& indices, const Offsets& out) {
  if (indices.shape(0) != out.size()) RaiseLayoutError({ErrorKind::kInvalidArgument, "expected one offset per index"});
  const auto done = [&] {
    const nb::gil_scoped_release release;
    return Evaluate(layout, {indices.data(), indices.size()}, indices.shape(1), {out.data(), out.size()});
  }();
  ValueOrRaise(done);
}

// Writes the offsets of all elements, the last dimension fastest.
Expected<void> Tabulate(const PyLayout& layout, std::span<int64_t> out) {
  const CoreForms forms = layout->Forms();
  if (forms.shape && *forms.shape) {
    const auto tiled = TiledLayoutOf(**forms.shape);
    if (!tiled) return std::unexpected(tiled.error());
    const auto index = MakeTiledIndex(*tiled);
    if (!index) return std::unexpected(index.error());
    const auto table = OffsetTable::Create(*tiled, *index);
    if (!table) return std::unexpected(table.error());
    if (static_cast<size_t>(table->size()) == out.size()) {
      table->Fill(out);
      return {};
    }
  }
  size_t k = 0;
  ForEachIndex(layout.dimensions(), [&](std::span<const int64_t> index) { out[k++] = layout->Index(index); });
  return {};
}

void FillOffsetTable(const PyLayout& layout, const Offsets& out) {
  const AllocationSizes sizes = layout->Sizes();
  if (static_cast<size_t>(sizes.elements) != out.size()) {
    RaiseLayoutError({ErrorKind::kInvalidArgument, StrCat("expected ", sizes.elements, " offsets, got ", out.size())});
  }
  const auto done = [&] {
    const nb::gil_scoped_release release;
    return Tabulate(layout, {out.data(), out.size()});
  }();
  ValueOrRaise(done);
}

}  // namespace

void RegisterOffsets(nb::module_& module) {
  module.attr("MAX_TABLE_ENTRIES") = OffsetTable::kMaxEntries;
  module.def("fill_offsets", &FillOffsets, "layout"_a, "indices"_a.noconvert(), "out"_a.noconvert(),
             "Writes the offset of each row of `indices` (int64, count x rank) to `out` (int64, count).");
  module.def("fill_offset_table", &FillOffsetTable, "layout"_a, "out"_a.noconvert(),
             "Writes the offset of every element to `out` (int64, one entry per element), the last dimension fastest.");
}

}  // namespace layoutcheck::python
