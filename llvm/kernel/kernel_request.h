// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A question about a GPU kernel: its arrays, its launch and what is known of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace layoutcheck {

// The largest size of an array, in bytes, unless the request says one: what a pointer difference holds.
inline constexpr int64_t kLargestArray = INT64_MAX;

struct KernelRequest {
  std::string file;
  std::string function;
  // Name and layout. Sizes may be names and formulas.
  std::vector<std::pair<std::string, std::string>> arrays;
  std::string arguments;  // names of arrays; names, numbers and formulas of sizes
  std::string grid;       // "N ceildiv 32, M ceildiv 8" as formulas of the names; empty for any launch
  std::string block;      // "32,8"; empty for any launch
  // Formula of the bytes of shared memory whose size the launch says; empty if it is not known.
  std::string shared = {};
  // "idx=0:N" or "idx=0:N:distinct", as in ArrayNumbers. Arrays whose elements the kernel uses as indices and that are
  // not among them hold any numbers.
  std::vector<std::string> values = {};
  // "out[r,n]=in[idx[r],n]", as in ParseSourceMap: what belongs in an output. Without a map it is the element of the
  // same index.
  std::vector<std::string> sources = {};
  // "block_x = i0, thread_x = i1 % 32", as in ParseThread: the thread that stores an element, if it is not to be found.
  std::string thread = {};
  std::vector<std::string> assumptions;
  std::vector<std::string> compiler_flags;
  std::optional<int64_t> max_bytes;  // of each array with its padding; kLargestArray by default
  // Names that stand for formulas of other names, with these: those of NameFormulas.
  std::vector<std::pair<std::string, std::string>> derived = {};
  bool has_any_grid = false;      // the names in `grid` stand for any number of blocks
  bool asks_each_access = false;  // verdicts on single accesses, too
  std::vector<std::string> laws;  // names of laws; all that the request allows if empty
  // Arrays of kernels that run before this one, and other names in the requests about them. An array of this kernel
  // with the name of an earlier one is the same memory.
  std::vector<std::pair<std::string, std::string>> earlier_arrays = {};
  std::vector<std::string> earlier_names = {};
  std::vector<std::string> earlier_kernels = {};  // names of these kernels
};

}  // namespace layoutcheck
