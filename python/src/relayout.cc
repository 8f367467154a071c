// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves of the elements of arrays between two XLA layouts, over buffers of bytes.
#include "layoutcheck/core/relayout/relayout.h"
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string_view.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include "errors.h"
#include "layoutcheck/core/hlo/parser.h"
#include "register.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace layoutcheck::python {
namespace {

using Source = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Destination = nb::ndarray<uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Relayout Plan(std::string_view from, std::string_view to) {
  const auto source = ValueOrRaise(ParseShape(from));
  const auto destination = ValueOrRaise(ParseShape(to));
  auto plan = [&] {
    const nb::gil_scoped_release release;
    return Relayout::Create(source, destination);
  }();
  return ValueOrRaise(std::move(plan));
}

void Run(const Relayout& plan, const Source& source, const Destination& destination, const Source& padding) {
  const auto bytes_of = [](const Source& array) { return std::as_bytes(std::span(array.data(), array.size())); };
  const auto done = [&] {
    const nb::gil_scoped_release release;
    return plan.Run(bytes_of(source), std::as_writable_bytes(std::span(destination.data(), destination.size())),
                    bytes_of(padding));
  }();
  ValueOrRaise(done);
}

using AnyArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

// Returns the memory of an array of any library as bytes, also of element types that NumPy lacks. Shares the memory.
nb::object ArrayMemory(nb::handle object) {
  auto array = std::make_unique<AnyArray>();
  if (!nb::try_cast(object, *array)) throw nb::type_error("expected an array in the memory of the processor");
  const size_t bytes = array->nbytes();
  const void* const data = array->data();
  const nb::capsule owner(array.release(), [](void* kept) noexcept { delete static_cast<AnyArray*>(kept); });
  return nb::cast(nb::ndarray<nb::numpy, const uint8_t, nb::ndim<1>>(data, {bytes}, owner));
}

}  // namespace

void RegisterRelayout(nb::module_& module) {
  nb::class_<Relayout>(module, "Relayout", "A plan for moving the elements of an array between two XLA layouts.")
      .def_static("plan", &Plan, "source"_a, "destination"_a, "Plans the move between two XLA shapes.")
      .def_prop_ro("source_bytes", &Relayout::source_bytes)
      .def_prop_ro("destination_bytes", &Relayout::destination_bytes)
      .def("run", &Run, "source"_a.noconvert(), "destination"_a.noconvert(), "padding"_a.noconvert(),
           "Moves every element. The arrays are bytes (uint8) and do not overlap. `padding` is one element as stored, "
           "or empty: then padding stays as it is.");
  module.def("bytes_of", &ArrayMemory, "array"_a,
             "Returns the memory of a contiguous array of another library (DLPack) as uint8, without a copy.");
}

}  // namespace layoutcheck::python
