# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The compiler for 64-bit ARM on Debian and Ubuntu, whose libraries are packages of the architecture arm64, and the emulator that runs
# what it builds.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++-12)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
