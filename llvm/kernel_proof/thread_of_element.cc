// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/thread_of_element.h"
#include <algorithm>

namespace layoutcheck {
namespace {

// Sets the numbers of the thread that is `number` in the direction of an axis. Returns false if the kernel does not
// read them, unless the number is 0.
bool SetThread(const KernelModel& model, const KernelModel::Point& point, size_t axis, const SymbolicInteger& number,
               SymbolicValues& values) {
  const auto has = [&](std::string_view what) {
    return std::ranges::find(model.thread_names(), ThreadName(what, axis)) != model.thread_names().end();
  };
  const bool threads = has("thread");
  const bool blocks = has("block");
  if (threads && blocks) {
    if (!point.block[axis]) return false;
    values[ThreadName("thread", axis)] = Mod(number, *point.block[axis]);
    values[ThreadName("block", axis)] = FloorDiv(number, *point.block[axis]);
  } else if (threads || blocks) {
    values[ThreadName(threads ? "thread" : "block", axis)] = number;
  }
  return threads || blocks;
}

}  // namespace

std::vector<ThreadGuess> ThreadGuesses(int64_t per_thread) {
  std::vector<ThreadGuess> guesses;
  for (const ThreadGuess::Kind kind :
       {ThreadGuess::Kind::kLastDimensions, ThreadGuess::Kind::kLinear, ThreadGuess::Kind::kFirstDimensions,
        ThreadGuess::Kind::kBlockPerRow, ThreadGuess::Kind::kPlace, ThreadGuess::Kind::kGridStride,
        ThreadGuess::Kind::kBlockStride}) {
    guesses.push_back({kind, per_thread});
  }
  return guesses;
}

std::optional<SymbolicValues> ThreadOf(const ThreadGuess& guess, const KernelModel& model,
                                       const KernelModel::Point& point, const KernelTensor& tensor,
                                       std::span<const SymbolicInteger> element) {
  SymbolicValues values;
  for (size_t axis = 0; axis < kAxes.size(); ++axis) {
    for (const char* const what : {"thread", "block"}) {
      const std::string name = ThreadName(what, axis);
      if (std::ranges::find(model.thread_names(), name) != model.thread_names().end()) values.emplace(name, 0);
    }
  }
  const size_t rank = element.size();
  const bool strides = guess.kind == ThreadGuess::Kind::kGridStride || guess.kind == ThreadGuess::Kind::kBlockStride;
  if (strides && (!values.contains("block_x") || !values.contains("thread_x") || !point.block[0])) return std::nullopt;
  if (guess.kind == ThreadGuess::Kind::kBlockStride) {
    if (rank != 2) return std::nullopt;
    values["block_x"] = element[0];
    values["thread_x"] = Mod(element[1], *point.block[0]);
    values[kIteration] = FloorDiv(element[1], *point.block[0]);
    return values;
  }
  if (strides || guess.kind == ThreadGuess::Kind::kLinear || guess.kind == ThreadGuess::Kind::kPlace) {
    SymbolicInteger number = 0;
    for (size_t d = 0; d < rank; ++d) number = number * tensor.sizes()[d] + element[d];
    if (strides) {
      if (!point.grid[0]) return std::nullopt;
      const SymbolicInteger threads = *point.grid[0] * *point.block[0];
      values[kIteration] = FloorDiv(number, threads);
      number = Mod(number, threads);
      return SetThread(model, point, 0, number, values) ? std::optional(values) : std::nullopt;
    }
    if (guess.kind == ThreadGuess::Kind::kPlace) number = FloorDiv(tensor.PlaceOf(element), tensor.element_bytes());
    if (!SetThread(model, point, 0, FloorDiv(number, guess.per_thread), values)) return std::nullopt;
    return values;
  }
  if (guess.kind == ThreadGuess::Kind::kBlockPerRow) {
    if (rank != 2 || !values.contains("block_x") || !values.contains("thread_x")) return std::nullopt;
    values["block_x"] = element[0];
    values["thread_x"] = FloorDiv(element[1], guess.per_thread);
    return values;
  }
  if (rank > kAxes.size()) return std::nullopt;
  for (size_t axis = 0; axis < rank; ++axis) {
    const SymbolicInteger& coordinate =
        element[guess.kind == ThreadGuess::Kind::kLastDimensions ? rank - 1 - axis : axis];
    const SymbolicInteger number = axis == 0 ? FloorDiv(coordinate, guess.per_thread) : coordinate;
    if (!SetThread(model, point, axis, number, values)) return std::nullopt;
  }
  return values;
}

}  // namespace layoutcheck
