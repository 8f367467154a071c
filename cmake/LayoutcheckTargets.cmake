# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Settings that every target of the project shares, and the functions that declare libraries, tests and benchmarks.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ${PROJECT_IS_TOP_LEVEL})

# ccache is used where it is installed.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER AND NOT DEFINED ENV{CMAKE_CXX_COMPILER_LAUNCHER})
  find_program(LAYOUTCHECK_CCACHE ccache)
  if(LAYOUTCHECK_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${LAYOUTCHECK_CCACHE}")
  endif()
endif()

# Sources include headers under their installed path, "layoutcheck/core/hlo/shape.h". In the build tree each layer is a link
# to its source folder. No link contains the build tree, so a tool that follows links does not run in circles.
set(LAYOUTCHECK_INCLUDE_ROOT "${PROJECT_BINARY_DIR}/include")
file(REMOVE_RECURSE "${LAYOUTCHECK_INCLUDE_ROOT}")
file(MAKE_DIRECTORY "${LAYOUTCHECK_INCLUDE_ROOT}/layoutcheck")
foreach(layer json core properties solver llvm verify subjects fuzz cli web)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${layer}" "${LAYOUTCHECK_INCLUDE_ROOT}/layoutcheck/${layer}" SYMBOLIC)
endforeach()

add_library(layoutcheck_settings INTERFACE)
add_library(layoutcheck::settings ALIAS layoutcheck_settings)
set_target_properties(layoutcheck_settings PROPERTIES EXPORT_NAME settings)
target_compile_options(layoutcheck_settings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror)
# Binaries name source files relative to the project, not by a path of the machine that built them.
target_compile_options(layoutcheck_settings INTERFACE "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/="
                                                      "-ffile-prefix-map=${LAYOUTCHECK_INCLUDE_ROOT}/layoutcheck/=")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 warns of an overlap in every "text" + std::string at -O3 (GCC bug 105651).
  target_compile_options(layoutcheck_settings INTERFACE -Wno-restrict)
endif()
# A designated initializer may leave members at their defaults.
target_compile_options(layoutcheck_settings INTERFACE -Wno-missing-field-initializers)
if(LAYOUTCHECK_SANITIZE)
  target_compile_options(layoutcheck_settings INTERFACE -fsanitize=${LAYOUTCHECK_SANITIZE} -fno-sanitize-recover=all
                                                        -fno-omit-frame-pointer)
  target_link_options(layoutcheck_settings INTERFACE -fsanitize=${LAYOUTCHECK_SANITIZE})
  # Each check is ten times slower under sanitizers, so tests that enumerate a scope enumerate a smaller one.
  target_compile_definitions(layoutcheck_settings INTERFACE LAYOUTCHECK_SANITIZED)
endif()
if(LAYOUTCHECK_COVERAGE)
  # Paths of sources would otherwise be relative to the folder of the build, because of -ffile-prefix-map.
  target_compile_options(layoutcheck_settings INTERFACE -fprofile-instr-generate -fcoverage-mapping
                                                        "-fcoverage-compilation-dir=${PROJECT_SOURCE_DIR}")
  target_link_options(layoutcheck_settings INTERFACE -fprofile-instr-generate)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # std::stable_sort of libstdc++ 12 uses a function that libstdc++ deprecates.
  target_compile_options(layoutcheck_settings INTERFACE -Wno-deprecated-declarations)
endif()

# layoutcheck_require(COMPONENT DEPENDENCY VARIABLE...): Requires a dependency, which was found if all variables are true.
# Where it was not found, the configuration fails if layoutcheck is the top-level project; as a part of another project
# layoutcheck leaves COMPONENT out: the macro returns from the file that called it.
macro(layoutcheck_require component dependency)
  foreach(variable ${ARGN})
    if(NOT ${variable})
      if(PROJECT_IS_TOP_LEVEL)
        message(FATAL_ERROR "${dependency} was not found; .ci/setup installs it")
      endif()
      message(STATUS "${dependency} was not found: layoutcheck::${component} is left out")
      return()
    endif()
  endforeach()
endmacro()

# layoutcheck_library(NAME SOURCES a.cc ... LINK targets ...): Declares the static library layoutcheck_NAME with the alias
# layoutcheck::NAME. Rooms in sub-folders add their sources with target_sources.
function(layoutcheck_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(layoutcheck_${name} STATIC ${ARG_SOURCES})
  add_library(layoutcheck::${name} ALIAS layoutcheck_${name})
  set_target_properties(layoutcheck_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(layoutcheck_${name} PUBLIC $<BUILD_INTERFACE:${LAYOUTCHECK_INCLUDE_ROOT}>
                                                        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(layoutcheck_${name} PUBLIC cxx_std_23)
  target_link_libraries(layoutcheck_${name} PUBLIC ${ARG_LINK} PRIVATE $<BUILD_INTERFACE:layoutcheck_settings>)
endfunction()

# layoutcheck_install(NAME [PART...]): Installs the library layoutcheck::NAME, the libraries layoutcheck::PART that it links,
# and the headers of the calling folder, as component NAME of find_package(layoutcheck). Headers of test support are not
# installed.
function(layoutcheck_install name)
  if(NOT LAYOUTCHECK_INSTALL)
    return()
  endif()
  set(libraries ${name} ${ARGN})
  list(TRANSFORM libraries PREPEND layoutcheck_)
  install(TARGETS ${libraries} EXPORT layoutcheck_${name}_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          COMPONENT library)
  install(EXPORT layoutcheck_${name}_targets NAMESPACE layoutcheck::
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/layoutcheck COMPONENT library)
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/layoutcheck/${name}
          COMPONENT library FILES_MATCHING PATTERN "*.h" PATTERN "testing" EXCLUDE PATTERN "faults" EXCLUDE PATTERN "conformance" EXCLUDE
          PATTERN "*_internal.h" EXCLUDE)
endfunction()

# layoutcheck_link_core_first(TARGET): Has the linker take the copies of templates (std::string, containers) that are in the
# core, which are optimized, instead of those in the target's own sources, which are not: it takes the first that it sees.
function(layoutcheck_link_core_first target)
  target_link_options(${target} PRIVATE "SHELL:-Wl,--whole-archive $<TARGET_FILE:layoutcheck_core> -Wl,--no-whole-archive")
endfunction()

# Has a test take the headers that almost all tests include from one compilation of them. Only the preset dev does so: in others
# and in .ci/lint, each file has to include what it uses.
function(layoutcheck_precompile_headers test)
  if(NOT TARGET layoutcheck_test_headers)
    # A program, since headers of libraries are compiled with other options.
    file(WRITE "${PROJECT_BINARY_DIR}/test_headers.cc" "")
    add_executable(layoutcheck_test_headers EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/test_headers.cc")
    target_link_libraries(layoutcheck_test_headers PRIVATE layoutcheck_settings GTest::gtest_main)
    target_compile_options(layoutcheck_test_headers PRIVATE -O0)
    target_precompile_headers(layoutcheck_test_headers PRIVATE <gtest/gtest.h> <algorithm> <cstdint> <expected> <functional> <map>
                              <memory> <optional> <set> <span> <string> <string_view> <vector>)
  endif()
  target_precompile_headers(${test} REUSE_FROM layoutcheck_test_headers)
endfunction()

# layoutcheck_test(NAME SOURCES a_test.cc ... LINK targets ... [LABELS ...]): Declares a GoogleTest binary, each case of which is
# one test of ctest. Defines LAYOUTCHECK_CORPUS as the path of corpus/ and fixes RapidCheck's seed. The test's own sources are
# not optimized, which halves the time that compilers take, unless it is OPTIMIZED (-O1). A test that computes for seconds should be.
# So should a test of deep recursion: templates that are not optimized take several times the stack.
function(layoutcheck_test name)
  if(NOT LAYOUTCHECK_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "OPTIMIZED" "" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} layoutcheck_settings GTest::gtest_main)
  set(optimization -O1)
  if(NOT ARG_OPTIMIZED)
    set(optimization -O0)
    layoutcheck_link_core_first(${name})
  endif()
  target_compile_options(${name} PRIVATE ${optimization})
  if(LAYOUTCHECK_PRECOMPILE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT ARG_OPTIMIZED)
    layoutcheck_precompile_headers(${name})
  endif()
  target_compile_definitions(${name} PRIVATE LAYOUTCHECK_CORPUS="${PROJECT_SOURCE_DIR}/corpus")
  set(cases 2000)
  if(LAYOUTCHECK_SANITIZE)
    set(cases 400)
  endif()
  set(properties TIMEOUT 1500 ENVIRONMENT "RC_PARAMS=seed=20261120 max_success=${cases}")
  if(ARG_LABELS)
    list(APPEND properties LABELS "${ARG_LABELS}")
  endif()
  gtest_discover_tests(${name} NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()

# layoutcheck_benchmark(NAME SOURCES a_benchmark.cc ... LINK targets ...): Declares a Google Benchmark binary.
function(layoutcheck_benchmark name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} layoutcheck_settings benchmark::benchmark benchmark::benchmark_main)
endfunction()
