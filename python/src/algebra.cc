// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The algebra of shape:stride layouts as methods of layoutcheck.Layout, with CuTe's names. layoutcheck/algebra.py has
// the same functions by name.
#include <nanobind/nanobind.h>
#include <cstdint>
#include <optional>
#include <vector>
#include "int_tuple.h"
#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/algebra/complement.h"
#include "layoutcheck/core/algebra/composition.h"
#include "layoutcheck/core/algebra/divide_product.h"
#include "layoutcheck/core/algebra/inverse.h"
#include "layoutcheck/core/algebra/recast.h"
#include "layoutcheck/core/shape_stride/coordinate.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "register.h"
#include "shape_stride.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace layoutcheck::python {
namespace {

using LayoutClass = nb::class_<PyLayout>;

PyLayout PyComposition(const PyLayout& a, nb::handle b) {
  const Tiler tiler = TilerFromPython(b);
  const ComposedLayout composed = ComposedOf(a);
  if (tiler.kind == Tiler::Kind::kLayout) {
    return MakePyLayout(Compute([&] { return Composition(composed, tiler.layout); }));
  }
  const ShapeStrideLayout plain = PlainOf(a);
  return MakePyLayout(Compute([&] { return Composition(plain, tiler); }));
}

PyLayout PyComplement(const PyLayout& layout, nb::handle cotarget) {
  const ShapeStrideLayout plain = PlainOf(layout);
  if (cotarget.is_none()) return MakePyLayout(Compute([&] { return Complement(plain); }));
  const IntTuple bound = IntTupleFromPython(cotarget);
  return MakePyLayout(Compute([&] { return Complement(plain, bound); }));
}

PyLayout PyCoalesce(const PyLayout& layout, nb::handle profile) {
  const ShapeStrideLayout plain = PlainOf(layout);
  if (profile.is_none()) return MakePyLayout(Compute([&] { return Coalesce(plain); }));
  const IntTuple structure = IntTupleFromPython(profile);
  return MakePyLayout(Compute([&] { return CoalesceByMode(plain, structure); }));
}

PyLayout PyFilter(const PyLayout& layout, nb::handle profile) {
  const ShapeStrideLayout plain = PlainOf(layout);
  if (profile.is_none()) return MakePyLayout(Compute([&] { return Filter(plain); }));
  const IntTuple structure = IntTupleFromPython(profile);
  return MakePyLayout(Compute([&] { return FilterByMode(plain, structure); }));
}

template <Gather kGather>
PyLayout PyDivide(const PyLayout& layout, nb::handle tiler) {
  const ShapeStrideLayout plain = PlainOf(layout);
  const Tiler tiles = TilerFromPython(tiler);
  return MakePyLayout(Compute([&] { return Divide(plain, tiles, kGather); }));
}

template <Gather kGather>
PyLayout PyProduct(const PyLayout& layout, nb::handle tiler) {
  const ShapeStrideLayout plain = PlainOf(layout);
  const Tiler tiles = TilerFromPython(tiler);
  return MakePyLayout(Compute([&] { return Multiply(plain, tiles, kGather); }));
}

// Binds a function of one layout.
template <auto kFunction>
PyLayout Unary(const PyLayout& layout) {
  const ShapeStrideLayout plain = PlainOf(layout);
  return MakePyLayout(Compute([&] { return kFunction(plain); }));
}

// Binds a function of two layouts, whose result is a layout or an integer.
template <auto kFunction>
auto Binary(const PyLayout& a, nb::handle b) {
  const ShapeStrideLayout left = PlainOf(a), right = PlainOf(b);
  const auto result = Compute([&] { return kFunction(left, right); });
  if constexpr (std::is_same_v<decltype(result), const ShapeStrideLayout>) {
    return MakePyLayout(result);
  } else {
    return result;
  }
}

PyLayout PyTileToShape(const PyLayout& layout, nb::handle shape, nb::handle order) {
  const ShapeStrideLayout plain = PlainOf(layout);
  const IntTuple target = IntTupleFromPython(shape);
  std::optional<IntTuple> numbers;
  if (!order.is_none()) numbers = IntTupleFromPython(order);
  return MakePyLayout(Compute([&] { return TileToShape(plain, target, numbers); }));
}

PyLayout PyUpcast(const PyLayout& layout, int64_t factor) {
  const ComposedLayout composed = ComposedOf(layout);
  return MakePyLayout(Compute([&] { return Upcast(composed, factor); }));
}

PyLayout PyDowncast(const PyLayout& layout, int64_t factor) {
  const ComposedLayout composed = ComposedOf(layout);
  return MakePyLayout(Compute([&] { return Downcast(composed, factor); }));
}

PyLayout PyRecast(const PyLayout& layout, int64_t old_bits, int64_t new_bits) {
  const ShapeStrideLayout plain = PlainOf(layout);
  return MakePyLayout(Compute([&] { return RecastLayout(plain, old_bits, new_bits); }));
}

nb::object PyCrd2Idx(const PyLayout& layout, nb::handle coordinate) {
  const ComposedLayout composed = ComposedOf(layout);
  const IntTuple at = IntTupleFromPython(coordinate);
  if (!composed.swizzle && composed.offset == 0) return ToPython(ValueOrRaise(Evaluate(at, composed.layout)));
  return nb::int_(ValueOrRaise(Crd2Idx(at, composed)));
}

nb::object PyIdx2Crd(const PyLayout& layout, int64_t index) {
  return ToPython(ValueOrRaise(Idx2Crd(index, ComposedOf(layout).layout.shape)));
}

nb::object PyCosize(const PyLayout& layout) {
  const ComposedLayout composed = ComposedOf(layout);
  if (!composed.swizzle && composed.offset == 0) return nb::int_(Compute([&] { return Cosize(composed.layout); }));
  return nb::int_(Compute([&] { return Cosize(composed); }));
}

nb::object PySize(const PyLayout& layout) { return nb::int_(ValueOrRaise(Size(ComposedOf(layout).layout))); }

// Returns (shape, stride, offset, swizzle).
nb::tuple PyParts(const PyLayout& layout) {
  const ComposedLayout composed = ConvertedOf(layout);
  nb::object swizzle = nb::none();
  if (composed.swizzle) {
    swizzle = nb::make_tuple(composed.swizzle->bits, composed.swizzle->base, composed.swizzle->shift);
  }
  return nb::make_tuple(ToPython(composed.layout.shape), ToPython(composed.layout.stride), composed.offset, swizzle);
}

PyLayout PyMakeOrderedLayout(nb::handle shape, nb::handle order) {
  const IntTuple extents = IntTupleFromPython(shape), numbers = IntTupleFromPython(order);
  return MakePyLayout(Compute([&] { return MakeOrderedLayout(extents, numbers); }));
}

PyLayout PyConcatenate(const nb::args& layouts) {
  std::vector<ShapeStrideLayout> modes;
  for (const nb::handle layout : layouts) modes.push_back(PlainOf(layout));
  return MakePyLayout(ConcatenateModes(modes));
}

void RegisterSimplifications(LayoutClass& layout) {
  layout
      .def("coalesce", &PyCoalesce, "profile"_a = nb::none(),
           nb::sig("def coalesce(self, profile: object = None) -> Layout"),
           "Returns the layout without nesting, extents of 1 and mergeable neighbors; the offsets at integral "
           "coordinates stay.\n\nWith a profile (nested tuples), coalesces below each of its integers.")
      .def("filter", &PyFilter, "profile"_a = nb::none(), nb::sig("def filter(self, profile: object = None) -> Layout"),
           "Returns the coalesced layout without modes of stride 0; the set of offsets stays.")
      .def("filter_zeros", &Unary<&FilterZeros>, "Returns the layout with every extent of stride 0 replaced by 1.")
      .def("complement", &PyComplement, "cotarget"_a = nb::none(),
           nb::sig("def complement(self, cotarget: object = None) -> Layout"),
           "Returns the layout of what this one leaves out of 0..size(cotarget)-1 (default: up to its own cosize).")
      .def("right_inverse", &Unary<&RightInverse>, "Returns R with self(R(i)) = i for all i < size(R).")
      .def("left_inverse", &Unary<&LeftInverse>,
           "Returns R with R(self(i)) = i for all integral coordinates i. Raises LayoutError if there is none.")
      .def("nullspace", &Unary<&Nullspace>, "Returns K with self(K(i)) = 0: the modes of stride 0.")
      .def("max_common_layout", &Binary<&MaxCommonLayout>, "other"_a,
           nb::sig("def max_common_layout(self, other: Layout | str) -> Layout"),
           "Returns R with self(R(i)) = other(R(i)) = i for all i < size(R).")
      .def("max_common_vector", &Binary<&MaxCommonVector>, "other"_a,
           nb::sig("def max_common_vector(self, other: Layout | str) -> int"),
           "Returns how many elements both layouts store from offset 0 on for the same coordinates; at least 1.");
}

void RegisterTilings(LayoutClass& layout) {
  layout
      .def("composition", &PyComposition, "b"_a, nb::sig("def composition(self, b: object) -> Layout"),
           "Returns R with R(c) = self(b(c)) for all coordinates c of b.\n\nb is a Layout or a tiler: its text, an "
           "extent, None (keeps a mode), or a tuple of tilers, one per mode. Raises LayoutError if there is no such "
           "layout.")
      .def("compose", &PyComposition, "b"_a, nb::sig("def compose(self, b: object) -> Layout"),
           "Returns composition(b).")
      .def("logical_divide", &PyDivide<Gather::kLogical>, "tiler"_a,
           nb::sig("def logical_divide(self, tiler: object) -> Layout"),
           "Returns the layout cut into tiles, mode by mode: ((tile,rest),(tile,rest),...).")
      .def("zipped_divide", &PyDivide<Gather::kZipped>, "tiler"_a,
           nb::sig("def zipped_divide(self, tiler: object) -> Layout"),
           "Returns the layout cut into tiles: ((tile,tile,...),(rest,rest,...)).")
      .def("tiled_divide", &PyDivide<Gather::kTiled>, "tiler"_a,
           nb::sig("def tiled_divide(self, tiler: object) -> Layout"),
           "Returns the layout cut into tiles: ((tile,tile,...),rest,rest,...).")
      .def("flat_divide", &PyDivide<Gather::kFlat>, "tiler"_a,
           nb::sig("def flat_divide(self, tiler: object) -> Layout"),
           "Returns the layout cut into tiles: (tile,tile,...,rest,rest,...).")
      .def("logical_product", &PyProduct<Gather::kLogical>, "tiler"_a,
           nb::sig("def logical_product(self, tiler: object) -> Layout"),
           "Returns the layout repeated over the tiler, mode by mode: ((self,tiler),(self,tiler),...).")
      .def("zipped_product", &PyProduct<Gather::kZipped>, "tiler"_a,
           nb::sig("def zipped_product(self, tiler: object) -> Layout"),
           "Returns the layout repeated over the tiler: ((self,self,...),(tiler,tiler,...)).")
      .def("tiled_product", &PyProduct<Gather::kTiled>, "tiler"_a,
           nb::sig("def tiled_product(self, tiler: object) -> Layout"),
           "Returns the layout repeated over the tiler: ((self,self,...),tiler,tiler,...).")
      .def("flat_product", &PyProduct<Gather::kFlat>, "tiler"_a,
           nb::sig("def flat_product(self, tiler: object) -> Layout"),
           "Returns the layout repeated over the tiler: (self,self,...,tiler,tiler,...).")
      .def("blocked_product", &Binary<&BlockedProduct>, "tiler"_a,
           nb::sig("def blocked_product(self, tiler: Layout | str) -> Layout"),
           "Returns the product with modes paired, blocks side by side: ((self0,tiler0),...).")
      .def("raked_product", &Binary<&RakedProduct>, "tiler"_a,
           nb::sig("def raked_product(self, tiler: Layout | str) -> Layout"),
           "Returns the product with modes paired, blocks interleaved: ((tiler0,self0),...).")
      .def("tile_to_shape", &PyTileToShape, "shape"_a, "order"_a = nb::none(),
           nb::sig("def tile_to_shape(self, shape: object, order: object = None) -> Layout"),
           "Returns the layout repeated until each mode has its size of `shape`, in `order` (default: first mode "
           "fastest).")
      .def("upcast", &PyUpcast, "factor"_a, "Returns the layout over elements that hold `factor` elements of this one.")
      .def("downcast", &PyDowncast, "factor"_a, "Returns the layout over the `factor` parts of each element.")
      .def("recast_layout", &PyRecast, "old_bits"_a, "new_bits"_a,
           "Returns the layout, whose elements have `old_bits` bits, over elements of `new_bits` bits.");
}

}  // namespace

void RegisterAlgebra(nb::module_& module) {
  auto layout = nb::borrow<LayoutClass>(module.attr("Layout"));
  RegisterSimplifications(layout);
  RegisterTilings(layout);
  layout
      .def(
          "crd2idx", &PyCrd2Idx, "coordinate"_a, nb::sig("def crd2idx(self, coordinate: object) -> object"),
          "Returns the offset of a coordinate: an integer (colexicographic), or tuples nested as the shape or less.\n\n"
          "Coordinates are not bounded, as in CuTe. With basis strides, returns the nested coordinate.")
      .def("idx2crd", &PyIdx2Crd, "index"_a, nb::sig("def idx2crd(self, index: int) -> object"),
           "Returns the nested coordinate of an integral one.")
      .def("size", &PySize, "Returns the number of coordinates: the product of the shape.")
      .def("cosize", &PyCosize,
           "Returns 1 + the sum of (extent - 1) * |stride|, which is 1 + the largest offset unless a stride is "
           "negative. With a "
           "swizzle or an offset, returns 1 + the largest offset. 0 without coordinates.")
      .def(
          "shape_stride", &PyParts,
          nb::sig("def shape_stride(self) -> tuple[object, object, int, tuple[int, int, int] | None]"),
          "Returns (shape, stride, offset, swizzle) of a layout in any notation: nested tuples, an integer, and (bits, "
          "base, shift) or None.\n\nThe coordinates beyond a padded dimension are padding. Raises LayoutError if "
          "shape:stride cannot express the layout.");
  module.def(
      "make_ordered_layout", &PyMakeOrderedLayout, "shape"_a, "order"_a,
      nb::sig("def make_ordered_layout(shape: object, order: object) -> Layout"),
      "Returns the compact layout whose integers vary in the order of their numbers in `order`, smallest first.");
  module.def("make_layout", &PyConcatenate, nb::sig("def make_layout(*layouts: Layout | str) -> Layout"),
             "Returns the layout (A,B,...) with these layouts as its top-level modes.");
}

}  // namespace layoutcheck::python
