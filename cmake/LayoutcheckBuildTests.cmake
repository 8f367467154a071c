# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests of the build itself.

add_test(NAME Layers.IncludesGoDown COMMAND "${PROJECT_SOURCE_DIR}/cmake/test_layers.sh")
if(NOT LAYOUTCHECK_SANITIZE AND NOT LAYOUTCHECK_COVERAGE)
  # The wheel of python/ links the libraries of this build. `python/test_package.sh build/asan-ubsan clang++-19` is a run by hand.
  add_test(NAME Python.Package COMMAND "${PROJECT_SOURCE_DIR}/python/test_package.sh" "${PROJECT_BINARY_DIR}" "${CMAKE_CXX_COMPILER}")
  set_tests_properties(Python.Package PROPERTIES TIMEOUT 1500 SKIP_RETURN_CODE 77 COST 250)
endif()
# A copy with sanitizers or coverage would ask the same of its users.
if(LAYOUTCHECK_SANITIZE OR LAYOUTCHECK_COVERAGE)
  return()
endif()
foreach(test "Install.CopyIsUsedByAnotherProject=test_install.sh" "Install.SubprojectBuildsLibrariesOnly=test_subproject.sh"
             "Install.DebianPackages=test_packages.sh")
  string(REPLACE "=" ";" pair "${test}")
  list(GET pair 0 name)
  list(GET pair 1 script)
  add_test(NAME ${name}
           COMMAND "${PROJECT_SOURCE_DIR}/cmake/${script}" "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}" "${CMAKE_CXX_COMPILER}"
           WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
endforeach()

# The page has a build of its own, for which many machines lack the compiler. Its sources are compiled here, too, so that a change of a
# header that they use is noticed: as for WebAssembly, without exceptions.
file(GLOB page_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/web/module/*.cc")
add_library(page_sources OBJECT ${page_sources})
target_compile_options(page_sources PRIVATE -O0 -fno-exceptions)
target_link_libraries(page_sources PRIVATE layoutcheck::cli)
