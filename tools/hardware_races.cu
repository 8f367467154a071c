// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs random kernels on a GPU and compares what they store with what they store by definition. Compiled by
// hardware_races.py, which writes kernels.inc.
//
//   races [--once]    prints "NAME KIND DETAILS" per kernel: KIND is "right", "wrong", "racy" or "failed"
#include <climits>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr long long kAnyNumber = LLONG_MIN;

struct Case {
  const char* name;
  void (*launch)(const void* in, void* out);
  int elements;
  int bytes;  // per element
  bool is_race_free;
  bool races_in_shared_memory;
  std::vector<long long> expected;  // out in the end, of a kernel without races
};

#include "kernels.inc"

// Returns the contents of in or out before the launch: FirstNumber() of llvm/testing/kernel_truth.h.
static std::vector<char> Filled(const Case& one, bool is_out) {
  std::vector<char> memory(one.elements * one.bytes);
  for (long long k = 0; k < one.elements; ++k) {
    const long long number = is_out ? -1 - k : 20 + k;
    memcpy(&memory[k * one.bytes], &number, one.bytes);
  }
  return memory;
}

// Returns the first element that is not as expected, or -1.
static int FirstWrong(const Case& one, const std::vector<char>& out) {
  for (int k = 0; k < one.elements; ++k) {
    const long long number = one.expected[k];
    if (number != kAnyNumber && memcmp(&out[k * one.bytes], &number, one.bytes) != 0) return k;
  }
  return -1;
}

int main(int count, char**) {
  const int times = count > 1 ? 1 : 20;
  char *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  int failures = 0;
  for (const Case& one : kCases) {
    const std::vector<char> first_in = Filled(one, false), first_out = Filled(one, true);
    std::vector<char> found(first_out.size()), before;
    int wrong = -1;
    bool differs = false;
    cudaError_t error = cudaMemcpy(in, first_in.data(), first_in.size(), cudaMemcpyHostToDevice);
    for (int k = 0; k < times && error == cudaSuccess; ++k) {
      cudaMemcpy(out, first_out.data(), first_out.size(), cudaMemcpyHostToDevice);
      one.launch(in, out);
      error = cudaDeviceSynchronize();
      cudaMemcpy(found.data(), out, found.size(), cudaMemcpyDeviceToHost);
      if (one.is_race_free && wrong < 0) wrong = FirstWrong(one, found);
      differs = differs || (k > 0 && found != before);
      before = found;
    }
    if (error != cudaSuccess) {
      printf("%s failed %s\n", one.name, cudaGetErrorString(error));
      return 1;
    }
    if (!one.is_race_free) {
      printf("%s racy %s %s\n", one.name, one.races_in_shared_memory ? "shared" : "global", differs ? "differs" : "");
    } else if (wrong >= 0) {
      ++failures;
      long long number = 0;
      memcpy(&number, &found[wrong * one.bytes], one.bytes);
      printf("%s wrong element %d of out is %lld, not %lld\n", one.name, wrong, number, one.expected[wrong]);
    } else {
      printf("%s right\n", one.name);
    }
  }
  return failures > 0;
}
