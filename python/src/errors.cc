// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "errors.h"
#include <nanobind/nanobind.h>
#include <iterator>
#include "layoutcheck/core/base/str_cat.h"

namespace nb = nanobind;

namespace layoutcheck::python {

void RaiseLayoutError(const Error& error) {
  const nb::object type = nb::module_::import_("layoutcheck.errors").attr("LayoutError");
  // A message may quote a part of a character.
  const auto message = nb::steal(PyUnicode_DecodeUTF8(error.message.data(), std::ssize(error.message), "replace"));
  nb::object column = nb::none();
  if (error.column > 0) column = nb::int_(error.column);
  const nb::object exception = type(message, column, ErrorKindName(error.kind));
  PyErr_SetObject(type.ptr(), exception.ptr());
  throw nb::python_error();
}

void RaiseTextError(std::string_view text, Error error) {
  if (error.column == 0) error.message = StrCat(text, ": ", error.message);
  RaiseLayoutError(error);
}

}  // namespace layoutcheck::python
