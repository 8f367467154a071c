# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles to WebAssembly with Debian's clang 19, lld-19, wasi-libc and libc++-19-dev-wasm32.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
# The module has no main, so programs that CMake would link to try the compiler do not link.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
