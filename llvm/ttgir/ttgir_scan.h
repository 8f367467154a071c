// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layouts of the tensors and buffers of a TTGIR module, and what the module moves from one to another.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/llvm/ttgir/buffer_access.h"
#include "layoutcheck/llvm/ttgir/data_movement.h"
#include "layoutcheck/llvm/ttir/ttir.h"

namespace layoutcheck {

// A rule about layouts and conversions. What breaks it is advice, since the module computes the same.
struct TtgirRule {
  std::string_view name;         // "convert-is-free"
  std::string_view statement;    // a sentence
  std::string_view requirement;  // the name under which users require that modules keep it
};
std::span<const TtgirRule> TtgirRules();

// A place that breaks a rule, or that could not be judged.
struct TtgirFinding {
  std::string_view rule;  // one of TtgirRules, or "unreadable"
  const TtirOp* op = nullptr;
  bool is_undecided = false;
  std::string message;
};

// The tensors of one type in a function.
struct TtgirTensors {
  std::string type;    // "64x64xf32 #blocked"
  std::string layout;  // without aliases
  std::vector<const TtirValue*> values;
  int64_t element_bytes = 0;  // 0 if the layout or the element cannot be read
  int64_t registers = 0;      // elements per thread
  Replication copies;

  int64_t thread_bytes() const { return registers * element_bytes; }
};

// A buffer in shared or tensor memory, where the function allocates it.
struct TtgirBuffer {
  const TtirOp* op = nullptr;
  std::string type;              // "3x64x32xf16 #shared"
  std::string layout;            // without aliases
  bool is_shared = false;        // otherwise in tensor memory
  std::optional<int64_t> bytes;  // with padding; absent if the layout cannot be read
};

// A ttg.convert_layout. Numbers are of one execution by one block, or by all blocks of a cluster.
struct TtgirConvert {
  const TtirOp* op = nullptr;
  int64_t loops = 0;          // loops of the function around it
  int64_t element_bytes = 0;  // 0 if it cannot be judged
  Movement movement;
  // Bytes of the tensor, each element once, if elements change their warp or block; otherwise 0.
  int64_t shared_bytes = 0;
  // Least passes of stores and loads, if elements change their warp and the target is an NVIDIA GPU.
  std::optional<int64_t> store_passes;
  std::optional<int64_t> load_passes;

  // Returns the bytes that threads get from other threads.
  int64_t moved_bytes() const { return movement.moved() * element_bytes; }
};

// An operation that copies a tensor between registers, or global memory, and a buffer in shared memory.
struct TtgirAccess {
  const TtirOp* op = nullptr;
  int64_t loops = 0;
  const TtirValue* tensor = nullptr;  // for a copy from global memory, its pointers
  std::string buffer;                 // "64x32xf16 #shared"
  std::string buffer_layout;          // without aliases
  int64_t bytes = 0;                  // of the tensor's elements, each once
  // Absent if the passes are not known: of another target than an NVIDIA GPU, and of asynchronous copies.
  std::optional<BufferAccess> access;
};

struct TtgirFunction {
  std::string name;
  size_t line = 0;
  std::vector<TtgirTensors> tensors;  // those with most bytes per thread first
  std::vector<TtgirBuffer> buffers;
  std::vector<TtgirConvert> converts;
  std::vector<TtgirAccess> accesses;
  std::vector<TtgirFinding> findings;  // in the order of the text
};

struct TtgirScan {
  std::string target;  // "cuda:90", "hip:gfx942"; empty if the module does not say so
  int64_t warps = 0;   // per block
  int64_t lanes = 0;   // per warp
  int64_t blocks = 1;  // per cluster
  std::vector<TtgirFunction> functions;
};

// Returns the name of a value as the text has it: "%x", "%x#1".
std::string ValueText(const TtirValue& value);
// Returns the name of the operation's first result, or of the operation itself if it has none: "%x", "ttg.local_store".
std::string OpText(const TtirOp& op);

// Reads the layouts of a module and judges its rules. A type that cannot be read costs itself alone, and is a finding
// that is undecided. The result refers to `module`. Error (unsupported): a module without ttg.num-warps, which is no
// TTGIR.
Expected<TtgirScan> ScanTtgir(const TtirModule& module);

}  // namespace layoutcheck
