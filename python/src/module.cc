// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <nanobind/nanobind.h>
#include "register.h"

NB_MODULE(_core, module) {
  module.doc() = "The compiled part of layoutcheck.";
  nanobind::set_leak_warnings(false);  // caches in Python keep layouts until the interpreter ends
  module.attr("__version__") = LAYOUTCHECK_VERSION;
  layoutcheck::python::RegisterLayout(module);
  layoutcheck::python::RegisterOffsets(module);
  layoutcheck::python::RegisterConversion(module);
  layoutcheck::python::RegisterRelayout(module);
  layoutcheck::python::RegisterSharding(module);
  layoutcheck::python::RegisterAlgebra(module);
  layoutcheck::python::RegisterInterop(module);
  layoutcheck::python::RegisterCheck(module);
  layoutcheck::python::RegisterDraws(module);
  layoutcheck::python::RegisterPictures(module);
  layoutcheck::python::RegisterScan(module);
}
