// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that add the bindings of one file to the module layoutcheck._core.
#pragma once

#include <nanobind/nanobind.h>

namespace layoutcheck::python {

void RegisterLayout(nanobind::module_& module);
void RegisterOffsets(nanobind::module_& module);
void RegisterConversion(nanobind::module_& module);
void RegisterRelayout(nanobind::module_& module);
void RegisterSharding(nanobind::module_& module);
void RegisterAlgebra(nanobind::module_& module);
void RegisterInterop(nanobind::module_& module);
void RegisterCheck(nanobind::module_& module);
void RegisterDraws(nanobind::module_& module);
void RegisterPictures(nanobind::module_& module);
void RegisterScan(nanobind::module_& module);

}  // namespace layoutcheck::python
