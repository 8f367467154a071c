// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs instructions of PTX on given registers, and accesses to shared memory, for tools/hardware.py, which writes the
// kernels of the instructions, and a table of them, to instructions.inc.
//
//   hardware describe         prints the GPU and the versions of CUDA
//   hardware run              reads jobs and writes what they leave in registers or memory (see RunJobs)
//   hardware patterns FILE    per line "BYTES ADDRESS...", accesses these addresses once with a load and once with a
//                             store, for ncu to count
//   hardware timing FILE      per such line, prints the cycles of many loads and of many stores
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

void Check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}

// Copies the words of this thread, which has as many as the array in each run.
template <class Word, int kWords>
__device__ void Load(Word (&to)[kWords], const uint32_t* from) {
  const size_t thread = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  memcpy(to, from + thread * (sizeof(to) / 4), sizeof(to));
}
template <class Word, int kWords>
__device__ void Store(uint32_t* to, const Word (&from)[kWords]) {
  const size_t thread = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  memcpy(to + thread * (sizeof(from) / 4), from, sizeof(from));
}

__device__ uint32_t SharedAddress(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

// An instruction on the registers A and B of `threads` threads, which leaves D. The numbers are of words per thread.
struct Instruction {
  const char* name;
  void (*kernel)(const uint32_t* a, const uint32_t* b, uint32_t* d);
  unsigned threads, a, b, d;
};

#include "instructions.inc"

// Memory of the GPU.
template <class T>
class Device {
 public:
  explicit Device(size_t size) : size_(size) {
    Check(cudaMalloc(&data_, std::max<size_t>(size, 1) * sizeof(T)), "cudaMalloc");
  }
  explicit Device(const std::vector<T>& from) : Device(from.size()) {
    Check(cudaMemcpy(data_, from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  ~Device() { cudaFree(data_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  T* data() { return data_; }
  std::vector<T> Read() {
    std::vector<T> to(size_);
    Check(cudaMemcpy(to.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "a kernel");
    return to;
  }

 private:
  T* data_ = nullptr;
  size_t size_;
};

std::vector<uint32_t> ReadWords(size_t size) {
  std::vector<uint32_t> words(size);
  std::cin.read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(size * 4));
  if (!std::cin) std::exit((std::fprintf(stderr, "a job ends early\n"), 2));
  return words;
}

// A job is a line "NAME RUNS" and then the words A and B of each thread of each run. Writes the words D.
void RunJobs() {
  std::string name;
  for (unsigned runs = 0; std::cin >> name >> runs;) {
    std::cin.get();
    const auto* const found = std::find_if(std::begin(kInstructions), std::end(kInstructions),
                                           [&](const Instruction& one) { return name == one.name; });
    if (found == std::end(kInstructions)) std::exit((std::fprintf(stderr, "no instruction %s\n", name.c_str()), 2));
    const size_t threads = size_t{runs} * found->threads;
    Device<uint32_t> a(ReadWords(threads * found->a));
    Device<uint32_t> b(ReadWords(threads * found->b));
    Device<uint32_t> d(threads * found->d);
    found->kernel<<<runs, found->threads>>>(a.data(), b.data(), d.data());
    Check(cudaGetLastError(), found->name);
    const std::vector<uint32_t> words = d.Read();
    std::fwrite(words.data(), 4, words.size(), stdout);
    std::fflush(stdout);
  }
}

constexpr unsigned kSharedBytes = 48 * 1024;
constexpr int kAccesses = 1024;  // of each warp, for a timing

// Accesses `kBytes` bytes from the address on.
template <int kBytes>
__device__ uint32_t LoadOnce(uint32_t address) {
  uint32_t x = 0, y = 0, z = 0, w = 0;
  if constexpr (kBytes == 1) asm volatile("ld.shared.u8 %0, [%1];" : "=r"(x) : "r"(address));
  if constexpr (kBytes == 2) asm volatile("ld.shared.u16 %0, [%1];" : "=r"(x) : "r"(address));
  if constexpr (kBytes == 4) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(address));
  if constexpr (kBytes == 8) asm volatile("ld.shared.v2.u32 {%0,%1}, [%2];" : "=r"(x), "=r"(y) : "r"(address));
  if constexpr (kBytes == 16) {
    asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(address));
  }
  return x ^ y ^ z ^ w;
}
template <int kBytes>
__device__ void StoreOnce(uint32_t address, uint32_t x) {
  if constexpr (kBytes == 1) asm volatile("st.shared.u8 [%0], %1;" ::"r"(address), "r"(x));
  if constexpr (kBytes == 2) asm volatile("st.shared.u16 [%0], %1;" ::"r"(address), "r"(x));
  if constexpr (kBytes == 4) asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(x));
  if constexpr (kBytes == 8) asm volatile("st.shared.v2.u32 [%0], {%1,%1};" ::"r"(address), "r"(x));
  if constexpr (kBytes == 16) asm volatile("st.shared.v4.u32 [%0], {%1,%1,%1,%1};" ::"r"(address), "r"(x));
}

// Accesses the address of the lane `count` times and writes the cycles that the block took.
template <int kBytes>
__global__ void LoadPattern(const uint32_t* addresses, int count, int64_t* cycles, uint32_t* sink) {
  extern __shared__ uint4 memory[];
  const uint32_t address = SharedAddress(memory) + addresses[threadIdx.x % 32];
  uint32_t sum = 0;
  __syncthreads();
  const int64_t begin = clock64();
#pragma unroll 8
  for (int i = 0; i < count; ++i) sum ^= LoadOnce<kBytes>(address);
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
  sink[threadIdx.x] = sum;
}
template <int kBytes>
__global__ void StorePattern(const uint32_t* addresses, int count, int64_t* cycles, uint32_t*) {
  extern __shared__ uint4 memory[];
  const uint32_t address = SharedAddress(memory) + addresses[threadIdx.x % 32];
  __syncthreads();
  const int64_t begin = clock64();
#pragma unroll 8
  for (int i = 0; i < count; ++i) StoreOnce<kBytes>(address, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
}

using PatternKernel = void (*)(const uint32_t*, int, int64_t*, uint32_t*);

PatternKernel KernelFor(int bytes, bool is_store) {
  switch (bytes) {
    case 1: return is_store ? StorePattern<1> : LoadPattern<1>;
    case 2: return is_store ? StorePattern<2> : LoadPattern<2>;
    case 4: return is_store ? StorePattern<4> : LoadPattern<4>;
    case 8: return is_store ? StorePattern<8> : LoadPattern<8>;
    default: return is_store ? StorePattern<16> : LoadPattern<16>;
  }
}

// Accesses each pattern of the file. With one warp each lane does so once; with 32 warps, to keep the banks busy, many
// times, and the least of the cycles of several launches are printed.
void RunPatterns(const char* file, bool is_timing) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    int bytes = 0;
    words >> bytes;
    std::vector<uint32_t> addresses;
    for (uint32_t address = 0; words >> address;) addresses.push_back(address);
    const bool fits = std::all_of(addresses.begin(), addresses.end(), [&](uint32_t address) {
      return address + static_cast<uint32_t>(bytes) <= kSharedBytes;
    });
    if (addresses.size() != 32 || !fits) std::exit((std::fprintf(stderr, "no pattern: %s\n", line.c_str()), 2));
    Device<uint32_t> places(addresses);
    Device<int64_t> cycles(1);
    Device<uint32_t> sink(1024);
    for (const bool is_store : {false, true}) {
      int64_t least = INT64_MAX;
      for (int launch = 0; launch < (is_timing ? 5 : 1); ++launch) {
        KernelFor(bytes, is_store)<<<1, is_timing ? 1024 : 32, kSharedBytes>>>(places.data(), is_timing ? kAccesses : 1,
                                                                               cycles.data(), sink.data());
        Check(cudaGetLastError(), "a pattern");
        least = std::min(least, cycles.Read()[0]);
      }
      if (is_timing) std::printf(is_store ? "%lld\n" : "%lld ", static_cast<long long>(least));
    }
  }
}

void Describe() {
  cudaDeviceProp device;
  int driver = 0;
  int runtime = 0;
  Check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  Check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  Check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  std::printf("%s, sm_%d%d, CUDA %d.%d, of the driver up to %d.%d\n", device.name, device.major, device.minor,
              runtime / 1000, runtime % 1000 / 10, driver / 1000, driver % 1000 / 10);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "describe" && argc == 2) {
    Describe();
  } else if (what == "run" && argc == 2) {
    RunJobs();
  } else if ((what == "patterns" || what == "timing") && argc == 3) {
    RunPatterns(argv[2], what == "timing");
  } else {
    std::fprintf(stderr, "expected describe, run, patterns FILE or timing FILE\n");
    return 2;
  }
}
