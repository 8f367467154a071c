// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class Layout: text, offsets, coordinates, sizes and pictures.
#include "layout.h"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include "errors.h"
#include "int_tuple.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "register.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace layoutcheck::python {
namespace {

// Nesting of a coordinate beyond this depth is an error; no layout is nested as deeply.
constexpr int kMostNested = 64;

std::unexpected<Error> WrongArgument(std::string message) {
  return MakeError(ErrorKind::kInvalidArgument, std::move(message));
}

// Appends a coordinate such as (1,(2,3)) as text.
void AppendCoordinate(std::string& out, nb::handle object, int depth) {
  if (!nb::isinstance<nb::tuple>(object) && !nb::isinstance<nb::list>(object)) {
    StrAppend(out, IntegerOf(object));
    return;
  }
  if (depth == 0) RaiseLayoutError({ErrorKind::kInvalidArgument, "expected a coordinate that is nested less deeply"});
  out += '(';
  bool first = true;
  for (const nb::handle entry : object) {
    if (!std::exchange(first, false)) out += ',';
    AppendCoordinate(out, entry, depth - 1);
  }
  out += ')';
}

Expected<PyLayout> MakePyLayout(std::string_view text) {
  if (FindSharding(text)) {
    LAYOUTCHECK_TRY(ShardedText sharded, ParseSharded(text));
    return PyLayout(std::move(sharded));
  }
  LAYOUTCHECK_TRY(std::unique_ptr<AnyLayout> layout, ReadLayout(text));
  return PyLayout(std::move(layout));
}

// Makes a layout of its text, or of an object of JAX or PyTorch. Raises TypeError for another object.
void Construct(PyLayout* self, nb::handle source, nb::handle shape, nb::handle dtype) {
  if (nb::isinstance<nb::str>(source)) {
    if (!shape.is_none() || !dtype.is_none()) throw nb::type_error("a text of a layout has its own shape and dtype");
    new (self) PyLayout(ReadPyLayout(TextOf(source)));
    return;
  }
  const nb::object object =
      nb::module_::import_("layoutcheck.interop.base").attr("layout_of_object")(source, shape, dtype);
  new (self) PyLayout(nb::cast<const PyLayout&>(object));
}

// Returns the offset at a coordinate: one integer per dimension, or for shape:stride layouts any that CuTe accepts.
int64_t Offset(const PyLayout& self, nb::handle index) {
  const nb::object entries =
      nb::isinstance<nb::sequence>(index) ? nb::steal(PySequence_Tuple(index.ptr())) : nb::borrow(index);
  if (!entries.is_valid()) throw nb::python_error();
  if (nb::isinstance<nb::tuple>(entries) && nb::len(entries) == self.dimensions().size()) {
    std::vector<int64_t> numbers;
    for (const nb::handle entry : entries) {
      if (!PyIndex_Check(entry.ptr())) break;
      numbers.push_back(IntegerOf(entry));
    }
    if (numbers.size() == self.dimensions().size()) {
      ValueOrRaise(self.CheckWithin(numbers));
      return self->Index(numbers);
    }
  }
  std::string text;
  AppendCoordinate(text, entries, kMostNested);
  auto offset = self->IndexOf(text);
  if (!offset) {
    offset.error().column = 0;  // of the text, which the user did not write
    offset.error().message = StrCat(text, ": ", offset.error().message);
  }
  return ValueOrRaise(std::move(offset));
}

nb::object FromJson(const Json& document) {
  if (!document.is_array()) return nb::int_(document.get<int64_t>());
  nb::list entries;
  for (const Json& entry : document) entries.append(FromJson(entry));
  return nb::tuple(entries);
}

nb::object Coordinate(const PyLayout& self, nb::handle offset, nb::handle device) {
  const int64_t number = IntegerOf(offset);
  if (self.sharded() != nullptr) return ShardedCoordinate(self, number, device);
  if (!device.is_none()) {
    RaiseLayoutError({ErrorKind::kInvalidArgument, "device: the layout has no sharding, so it is that of one memory"});
  }
  auto found = [&] {
    const nb::gil_scoped_release release;
    return self->ElementAt(number);
  }();
  const std::optional<Json> element = ValueOrRaise(std::move(found));
  return element ? FromJson(*element) : nb::none();
}

nb::tuple Sizes(const PyLayout& self) {
  const AllocationSizes sizes = self->Sizes();
  return nb::make_tuple(sizes.elements, sizes.padded_elements, sizes.bytes, sizes.first_offset);
}

std::vector<std::pair<std::string, std::string>> Facts(const PyLayout& self) {
  std::vector<std::pair<std::string, std::string>> facts;
  for (Fact& fact : SummaryOf(self.any())) facts.emplace_back(std::move(fact.name), std::move(fact.value));
  return facts;
}

// Returns None for an array with a sharding, which has no picture of one memory.
std::optional<std::string> Svg(const PyLayout& self) {
  if (self.sharded() != nullptr) return std::nullopt;
  const nb::gil_scoped_release release;
  std::optional<MemoryBoxes> boxes;
  if (self->Sizes().padded_elements > 0) boxes = self->Boxes();
  return DrawSvg({self->Text(), SummaryOf(self.any()), boxes ? &*boxes : nullptr});
}

// Returns the picture without title and sizes, or an empty text if there is none.
std::string MemorySvg(const PyLayout& self) {
  const nb::gil_scoped_release release;
  if (self->Sizes().padded_elements == 0) return "";
  const std::optional<MemoryBoxes> boxes = self->Boxes();
  return boxes ? DrawCellsSvg(self->Text(), *boxes) : "";
}

bool Equal(const PyLayout& self, nb::handle other) {
  return nb::isinstance<PyLayout>(other) && self.Text() == nb::cast<const PyLayout&>(other).Text();
}

nb::object Repr(const PyLayout& self) { return nb::str("layoutcheck.Layout({!r})").attr("format")(self.Text()); }

}  // namespace

PyLayout::PyLayout(std::unique_ptr<AnyLayout> layout)
    : layout_(std::move(layout)), dimensions_(layout_->Dimensions()) {}

PyLayout::PyLayout(ShardedText sharded)
    : sharded_(std::make_shared<const ShardedText>(std::move(sharded))),
      dimensions_(sharded_->array.shape().dimensions) {}

const AnyLayout& PyLayout::any() const {
  if (layout_) return *layout_;
  const nb::gil_scoped_acquire lock;
  RaiseLayoutError(
      {ErrorKind::kUnsupported, StrCat(Text(), ": expected a layout of one memory, such as that of local(device)")});
}

std::string PyLayout::Text() const { return sharded_ ? sharded_->Text() : layout_->Text(); }

Expected<void> PyLayout::CheckWithin(std::span<const int64_t> index) const {
  if (index.size() != dimensions_.size()) {
    return WrongArgument(StrCat("expected an index with ", dimensions_.size(), " entries, got ", index.size()));
  }
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d] >= 0 && index[d] < dimensions_[d]) continue;
    if (dimensions_[d] == 0) return WrongArgument(StrCat("dimension ", d, " has no element, got index ", index[d]));
    return WrongArgument(
        StrCat("index ", index[d], " is outside dimension ", d, ": expected 0 to ", dimensions_[d] - 1));
  }
  return {};
}

PyLayout ReadPyLayout(std::string_view text) {
  auto layout = MakePyLayout(text);
  if (layout) return *std::move(layout);
  Error error = layout.error();
  if (error.column > 0) {
    // The error's column counts bytes. A byte 10xxxxxx continues a character.
    const std::string_view before = text.substr(0, static_cast<size_t>(error.column - 1));
    error.column -=
        std::ranges::count_if(before, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; });
  }
  RaiseLayoutError(error);
}

int64_t IntegerOf(nb::handle object) {
  const auto integer = nb::steal(PyNumber_Index(object.ptr()));
  if (!integer.is_valid()) throw nb::python_error();
  int overflow = 0;
  const int64_t value = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
  if (overflow != 0) RaiseLayoutError({ErrorKind::kOverflow, "expected an integer that fits int64"});
  return value;
}

nb::tuple TupleOf(std::span<const int64_t> numbers) {
  nb::list entries;
  for (const int64_t number : numbers) entries.append(number);
  return nb::tuple(entries);
}

void RegisterLayout(nb::module_& module) {
  nb::class_<PyLayout>(module, "Layout",
                       "A layout: which offset in memory, in elements, the element at an index of an array has.\n\n"
                       "Layout(text) reads an XLA shape with layout, a shape:stride layout, a fractal tag or a padded "
                       "layout, or a shape with a sharding. Raises LayoutError for any other text.\n\n"
                       "Layout(source, shape, dtype) takes a sharding, a format or an array of JAX, or a DTensor or "
                       "its spec. An array and a DTensor have shape and dtype themselves.")
      .def("__init__", &Construct, "source"_a.none(), "shape"_a = nb::none(), "dtype"_a = nb::none(),
           nb::sig("def __init__(self, source: object, shape: object = None, dtype: object = None) -> None"))
      .def("offset", &Offset, "index"_a.none(),
           "Returns the offset, in elements, of the element at `index`: one integer per dimension.\n\n"
           "A shape:stride layout takes nested and integral coordinates, too. Raises LayoutError outside of the array.")
      .def("coordinate", &Coordinate, "offset"_a.none(), "device"_a = nb::none(),
           "Returns the index of the element at `offset`, or None for padding.\n\n"
           "An array with a sharding needs the device, too. "
           "Raises LayoutError outside of the allocation, and if the search takes too long.")
      .def_prop_ro(
          "shape", [](const PyLayout& self) { return TupleOf(self.dimensions()); },
          "Sizes of the logical dimensions, in elements.")
      .def_prop_ro("_sizes", &Sizes)
      .def_prop_ro(
          "waste", [](const PyLayout& self) { return self->Waste(); },
          "The part of the allocation that holds no element, from 0 to 1.")
      .def_prop_ro("facts", &Facts,
                   "Pairs of a name and a text: sizes, waste, and how the order in memory comes about.")
      .def_prop_ro(
          "text", [](const PyLayout& self) { return self.Text(); }, "The canonical text of the layout.")
      .def("_memory_svg", &MemorySvg)
      .def("_repr_svg_", &Svg, "Returns a picture of the memory as SVG, or None for an array with a sharding.")
      .def("__str__", [](const PyLayout& self) { return self.Text(); })
      .def("__repr__", &Repr)
      .def("__eq__", &Equal, "other"_a.none())
      .def("__hash__", [](const PyLayout& self) { return std::hash<std::string>()(self.Text()); })
      .def("__reduce__", [](nb::handle self) {
        return nb::make_tuple(self.type(), nb::make_tuple(nb::cast<const PyLayout&>(self).Text()));
      });
}

}  // namespace layoutcheck::python
