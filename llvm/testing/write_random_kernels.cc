// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints random kernels in CUDA, with their launches and with what they do by definition, for tools/hardware_races.cu.
//
//   write_random_kernels FIRST_SEED COUNT
//
// Kernels whose threads may wait for each other forever are left out.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/testing/kernel_truth.h"

namespace layoutcheck {
namespace {

// Returns what out holds in the end. Elements that hold what nobody has written have no number.
std::string ExpectedText(const SeededKernel& seeded) {
  std::string text;
  for (const KernelValue& value : seeded.truth.out) {
    StrAppend(text, text.empty() ? "" : ", ",
              value.kind == KernelValue::Kind::kGarbage ? "kAnyNumber" : StrCat(value.number));
  }
  return text;
}

std::string CaseText(const SeededKernel& seeded) {
  const auto& [seed, kernel, launch, truth] = seeded;
  const bool is_shared_race = truth.races.contains(2) || truth.races.contains(3);
  const std::string element = ElementTypeOf(kernel);
  return StrCat("    {\"", kernel.name, "\", [](const void* in, void* out) { ", kernel.name, "<<<", launch.blocks,
                ", dim3(", kernel.block[0], ", ", kernel.block[1], "), ", kernel.dynamic_bytes(), ">>>((const ",
                element, "*)in, (", element, "*)out, ", launch.argument, "); },\n     ",
                kernel.elements * launch.blocks, ", ", kernel.element_bytes, ", ",
                truth.races.empty() ? "true" : "false", ", ", is_shared_race ? "true" : "false", ", {",
                ExpectedText(seeded), "}},\n");
}

int WriteKernels(uint64_t first, uint64_t count) {
  std::string cases;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const SeededKernel seeded(seed);
    if (seeded.truth.barriers == KernelTruth::Barriers::kDiverge || !seeded.truth.has_ended) continue;
    std::printf("%s", SourceOf(seeded.kernel).c_str());
    cases += CaseText(seeded);
  }
  std::printf("static const Case kCases[] = {\n%s};\n", cases.c_str());
  return 0;
}

}  // namespace
}  // namespace layoutcheck

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "write_random_kernels: expected a seed and a number of kernels\n");
    return 2;
  }
  return layoutcheck::WriteKernels(std::strtoull(arguments[1], nullptr, 10), std::strtoull(arguments[2], nullptr, 10));
}
