// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random kernels for tests of the thread model: trees, from which both their source and their meaning are made.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace layoutcheck {

// Numbers that a formula of a kernel may have.
enum class KernelNumber : uint8_t { kThread, kBlock, kBlocks, kArgument, kOuterLoop, kInnerLoop };
using KernelNumbers = std::array<int64_t, 6>;

// A formula over small integers >= 0.
struct KernelFormula {
  // '#' for a literal, 'v' for a number of the thread, otherwise an operator of C; '!' is `!=`.
  char op = '#';
  int64_t literal = 0;
  KernelNumber number = KernelNumber::kThread;
  std::vector<KernelFormula> operands = {};

  int64_t Value(const KernelNumbers& numbers) const;
  std::string Text() const;
};

struct KernelStatement {
  enum class Kind : uint8_t {
    kLoad,         // a register takes what is at a place
    kStore,        // a place takes what is in a register
    kAtomicAdd,    // 1 is added at a place
    kSet,          // the register takes a literal
    kBarrier,      // all threads of the block wait
    kWarpBarrier,  // the threads of the warp wait that a mask names
    kShuffle,      // the register takes that of the thread whose number differs in one bit
    kReturn,
    kIf,
    kLoop,
  };
  Kind kind = Kind::kBarrier;
  int array = 0;               // number of the array that is accessed: 0 is in, 1 is out, 2 and 3 are shared memory
  KernelFormula formula = {};  // place, literal, bit of a shuffle, mask, condition, or number of steps
  bool is_pair = false;        // the access is to two elements, and `formula` counts pairs
  KernelNumber counter = KernelNumber::kOuterLoop;  // of a loop
  std::vector<KernelStatement> body = {};
  std::vector<KernelStatement> otherwise = {};
};

// A kernel `void NAME(const T* in, T* out, int n)`. Each block has its own `elements` of in and out. Two registers hold
// an element and a pair of elements.
struct RandomKernel {
  enum class SharedMemory : uint8_t {
    kStatic,
    kDynamic,  // one array, whose size the launch says
    kAliased,  // two names of it
  };

  std::string name;
  std::array<int64_t, 2> block{1, 1};  // threads in x and y
  int64_t elements = 1;                // per block, of in and out
  int64_t element_bytes = 4;
  SharedMemory shared_memory = SharedMemory::kStatic;
  std::array<int64_t, 2> shared{0, 0};  // elements of the arrays in shared memory; 0 for none
  std::vector<KernelStatement> body;

  int64_t threads() const { return block[0] * block[1]; }
  // Returns the bytes of shared memory that the launch says.
  int64_t dynamic_bytes() const;
  // Returns true if a statement of this kind is in the kernel.
  bool Has(KernelStatement::Kind kind) const;
};

// The mask of a __syncwarp of all threads of the warp.
inline constexpr int64_t kFullMask = -1;

// The value of a register before the kernel sets it.
inline constexpr int64_t kFirstValue = 7;

// Mistakes of a model of threads. The source of a kernel with a mistake means by the right model what the kernel means
// by the mistaken one.
enum class ModelMistake : uint8_t {
  kNone,
  kNoBarriers,           // barriers do nothing
  kBarriersLate,         // a barrier takes effect one statement later
  kBarriersEarly,        // a barrier takes effect one statement earlier
  kAtomicsArePlain,      // an atomic operation is a store
  kStoresAreAtomic,      // a store is an atomic operation
  kNoAtomics,            // an atomic operation changes nothing
  kSharedIsGlobal,       // the blocks have one shared memory
  kSharedIsPrivate,      // each thread has its own shared memory
  kNamesAreApart,        // two names of the same shared memory are different memory
  kReturnedThreadsStay,  // a barrier counts threads that have returned
  kOneStepLess,          // a loop makes one step less
  kOneStepMore,          // a loop makes one step more
  kPairsAreSingle,       // an access to a pair is one to its first element
  kOneBlock,             // each block is block 0
  kShufflesKeep,         // a shuffle gives each thread its own value
  kBranchesAreTaken,     // each thread takes each branch
  kNoWarpBarriers,       // __syncwarp does nothing
  kMasksAreFull,         // __syncwarp waits for all threads of the warp
  kWarpsAreBlocks,       // __syncwarp waits for all threads of the block
  kMistakes,             // number of the enumerators before
};

// Returns the type of an element: "signed char".
std::string ElementTypeOf(const RandomKernel& kernel);

// Returns the source of the kernel. With kSharedIsGlobal, its shared memory is at the end of `out`.
std::string SourceOf(const RandomKernel& kernel, ModelMistake mistake = ModelMistake::kNone);

// Returns a kernel whose accesses are inside of its arrays for all blocks and arguments n >= 0.
RandomKernel DrawKernel(const std::string& name, std::mt19937& random);

}  // namespace layoutcheck
