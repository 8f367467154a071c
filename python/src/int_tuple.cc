// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "int_tuple.h"
#include <nanobind/nanobind.h>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>
#include "errors.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace nb = nanobind;

namespace layoutcheck::python {
namespace {

IntTuple FromInteger(nb::handle value) {
  const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0) {
    RaiseLayoutError({ErrorKind::kOverflow, StrCat(nb::str(index).c_str(), " does not fit a 64-bit integer")});
  }
  return static_cast<int64_t>(number);
}

IntTuple FromPython(nb::handle value, int64_t depth) {
  if (nb::isinstance<nb::str>(value)) {
    return ValueOrRaise(ParseIntTuple(TextOf(value)));
  }
  if (nb::isinstance<nb::tuple>(value) || nb::isinstance<nb::list>(value)) {
    if (depth >= IntTuple::kMaxTextDepth) {
      RaiseLayoutError({ErrorKind::kInvalidArgument,
                        StrCat("expected at most ", IntTuple::kMaxTextDepth, " levels of nested tuples")});
    }
    std::vector<IntTuple> elements;
    for (const nb::handle element : nb::borrow<nb::sequence>(value)) elements.push_back(FromPython(element, depth + 1));
    return IntTuple::Tuple(std::move(elements));
  }
  if (PyIndex_Check(value.ptr()) && !PyBool_Check(value.ptr())) return FromInteger(value);
  throw nb::type_error(
      StrCat("expected an integer or nested tuples of integers, got ", nb::inst_name(value).c_str()).c_str());
}

}  // namespace

std::string_view TextOf(nb::handle value) {
  Py_ssize_t size = 0;
  const char* const data = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (data == nullptr) throw nb::python_error();
  return {data, static_cast<size_t>(size)};
}

IntTuple IntTupleFromPython(nb::handle value) { return FromPython(value, 0); }

nb::object ToPython(const IntTuple& tuple) {
  if (tuple.is_leaf()) {
    if (tuple.basis().empty()) return nb::int_(tuple.value());
    return nb::str(ToString(tuple).c_str());
  }
  nb::list elements;
  for (const IntTuple& element : tuple.elements()) elements.append(ToPython(element));
  return nb::tuple(elements);
}

}  // namespace layoutcheck::python
